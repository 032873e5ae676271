"""A table changes hands with a counted float and two signatures, play going on (B1, B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.money.cash import counting
from casino.money.cash.models import ShiftRow
from games.refusals import Refused
from tests.support import builders, cashing
from tests.support.playing import opened, thrown

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

NINETY = {"25": 3, "5": 3}
PAIR = (2, 2, 7)


@pytest.fixture
def house() -> House:
    """A shift with a running game: 50 coins brought, 40 bought in."""
    made = cashing.house()
    cashing.opened(made)
    opened(made)
    return made


@pytest.fixture
def next_one(house: House) -> Attendant:
    return builders.employed(house.establishment, Role.ATTENDANT)


def seen(at: House) -> int:
    return counting.at_table(at.establishment, at.table).version


def signs(at: House, by: Attendant, *, version: int | None = None) -> None:
    counting.sign_over(
        cashing.act(at, by), table=at.table, seen=seen(at) if version is None else version
    )


def takes(at: House, by: Attendant, *, version: int | None = None) -> None:
    counting.take_over(
        cashing.act(at, by), table=at.table, seen=seen(at) if version is None else version
    )


def game_on(at: House) -> str:
    game = counting.at_table(at.establishment, at.table).game
    assert game is not None
    return game


@pytest.mark.long("postgresql")
def test_b1_the_closer_of_one_shift_is_the_opener_of_the_next(
    house: House, next_one: Attendant
) -> None:
    cashing.both_count(house, {"25": 3, "5": 2}, "change")  # 85: 5 short
    signs(house, house.attendant)
    takes(house, next_one)

    shift = cashing.state(house).shift
    assert shift is not None
    assert (shift.holder, shift.opener) == (str(next_one.pk), {"25": 3, "5": 2})
    assert (cashing.float_held(house), cashing.over_short(house)) == (85, -5)
    assert cashing.cage(house) == 950  # the float stays at the table


@pytest.mark.long("postgresql")
def test_b3_both_signatures_say_which_round_they_saw(house: House, next_one: Attendant) -> None:
    cashing.both_count(house, NINETY, "change")
    signs(house, house.attendant)
    signed = cashing.state(house).signed
    assert signed is not None
    assert (signed.by, signed.game) == (str(house.attendant.pk), game_on(house))
    assert (signed.version, signed.round) == (seen(house), 1)
    takes(house, next_one)


@pytest.mark.long("postgresql")
def test_b3_a_round_that_went_on_is_looked_at_and_signed_again(
    house: House, next_one: Attendant
) -> None:
    cashing.both_count(house, NINETY, "change")
    signs(house, house.attendant)
    before = seen(house)
    thrown(house, UUID(game_on(house)), "Ada", PAIR)

    for version in (before, seen(house)):  # whether the second has seen the throw or not
        with pytest.raises(counting.RoundMoved):
            takes(house, next_one, version=version)

    signs(house, house.attendant)
    takes(house, next_one)


@pytest.mark.long("postgresql")
def test_b3_what_is_signed_is_what_was_looked_at(house: House) -> None:
    cashing.both_count(house, NINETY, "change")

    with pytest.raises(counting.RoundMoved):
        signs(house, house.attendant, version=0)


@pytest.mark.long("postgresql")
def test_b3_nobody_signs_for_another_but_a_supervisor(house: House, next_one: Attendant) -> None:
    cashing.both_count(house, NINETY, "change")

    with pytest.raises(counting.NotTheHolder):
        signs(house, next_one)

    signs(house, house.supervisor)
    takes(house, next_one)


def test_b3_one_person_does_not_sign_twice(house: House) -> None:
    cashing.both_count(house, NINETY, "change")
    signs(house, house.attendant)

    with pytest.raises(counting.SameAttendant):
        takes(house, house.attendant)


@pytest.mark.long("postgresql")
def test_b3_a_supervisor_who_signed_for_the_holder_does_not_take_over(house: House) -> None:
    cashing.both_count(house, NINETY, "change")
    signs(house, house.supervisor)

    for nobody in (house.supervisor, house.attendant):
        with pytest.raises(counting.SameAttendant):
            takes(house, nobody)


def code_of(at: House, by: Attendant, do: str) -> str:
    with pytest.raises(Refused) as refused:
        (signs if do == "sign" else takes)(at, by)
    return refused.value.code


def test_b1_a_table_is_handed_over_only_counted(house: House, next_one: Attendant) -> None:
    assert code_of(house, house.attendant, "sign") == "not_counted_yet"
    cashing.both_count(house, NINETY, "check")
    assert code_of(house, house.attendant, "sign") == "not_counted_yet"
    cashing.both_count(house, NINETY, "change")
    assert code_of(house, next_one, "take") == "not_signed_yet"


@pytest.mark.long("postgresql")
def test_a_table_without_a_shift_is_not_handed_over() -> None:
    house = cashing.house()

    assert code_of(house, house.attendant, "sign") == "no_shift"


@pytest.mark.long("postgresql")
def test_a_handover_is_no_count_and_a_count_no_handover(house: House) -> None:
    cashing.both_count(house, NINETY, "change")

    with pytest.raises(counting.HandoverWaits):
        cashing.counted(house, house.attendant, NINETY)


def test_b3_a_handover_that_is_called_off_leaves_the_shift_and_its_count(house: House) -> None:
    cashing.both_count(house, {"25": 3, "5": 2}, "change")
    signs(house, house.attendant)

    counting.call_off(cashing.act(house, house.attendant), table=house.table, reason="Stays on.")

    now = cashing.state(house)
    assert now.shift is not None
    assert (now.stands, now.shift.holder) == ("open", str(house.attendant.pk))
    assert cashing.over_short(house) == -5
    assert code_of(house, house.attendant, "sign") == "not_counted_yet"


def test_who_may_not_record_does_not_take_a_table_over(house: House) -> None:
    cashing.both_count(house, NINETY, "change")
    signs(house, house.attendant)

    with pytest.raises(NotYours):
        takes(house, house.auditor)


@pytest.mark.long("postgresql")
def test_b3_both_shifts_are_listed(house: House, next_one: Attendant) -> None:
    cashing.both_count(house, {"25": 3, "5": 2}, "change")
    cashing.handed_over(house, next_one)
    cashing.shown(house)

    later, earlier = ShiftRow.objects.filter(establishment=house.id)
    assert (earlier.holder, earlier.ended) == (house.attendant.pk, "handover")
    assert (earlier.opener, earlier.bought_in, earlier.over_short) == (50, 40, -5)
    assert earlier.closer == 85 == later.opener
    assert (later.holder, later.ended) == (next_one.pk, "")
