"""Identifiers that grow with time."""

from unittest import mock

from ledger import ids


def test_ids_of_one_moment_stand_in_the_order_in_which_they_were_made() -> None:
    with mock.patch("time.time_ns", return_value=1_800_000_000_000_000_000):
        made = [ids.uuid7_in_order() for _ in range(500)]

    assert made == sorted(made)
    assert len(set(made)) == 500
    assert {each.version for each in made} == {7}


def test_a_clock_that_goes_back_puts_nothing_before_what_was_made() -> None:
    before = ids.uuid7_in_order()
    with mock.patch("time.time_ns", return_value=1_700_000_000_000_000_000):
        after = ids.uuid7_in_order()

    assert after > before
