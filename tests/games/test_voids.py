"""G4: what may be voided, by whom, and what that leaves behind."""

from typing import Any

import pytest

from games.commands import Approve, CashOut, Dispute, Void, Witness, situate
from games.corrections import (
    AlreadyRequested,
    BeyondReversal,
    NobodyNamed,
    NoSuchRequest,
    OpeningNotVoided,
    OwnRequest,
    RequestGrown,
    UndoTooLate,
)
from games.game_session import AlreadyCancelled, NoSuchEvent, VoidNotVoided, extend_trail, find_step
from games.messages import Voided, VoidRequested
from games.refusals import NoGame, NotSettledYet, Refused
from tests.games.spec import Table, opened

ROUND = "A227 B123 C234"  # events 2, 3, 4 and the loss, 5, which moves 7 coins

# fmt: off
# (script, void, does it happen at once?)
ALONE = [
    # The last throw of the running round, and whatever came after it.
    ("A227",              Void(2, "x"),                     True),
    ("A227 B123",         Void(3, "x"),                     True),
    ("A227 B~",           Void(2, "x"),                     True),
    ("A227 B~",           Void(3, "x"),                     True),
    ("A~",                Void(2, "x"),                     True),
    # For some seconds, also the last throw that ended its round.
    (ROUND,               Void(4, "x"),                     True),
    (ROUND,               Void(5, "x"),                     True),   # means event 4
    (ROUND + " A~",       Void(4, "x"),                     False),  # something followed
    (ROUND + " A112",     Void(4, "x"),                     False),
    (ROUND + " A112 v6",  Void(4, "x"),                     True),   # ... and is gone again
    # Anything further back or later waits.
    ("A227 B123",         Void(2, "x"),                     False),
    (ROUND,               Void(3, "x"),                     False),
    (ROUND,               Void(4, "x", in_time=False),      False),
    (ROUND,               Void(5, "x", in_time=False),      False),
    (ROUND,               Void(4, "x", booked_through=0, in_time=False), False),  # not running
    (ROUND,               Void(4, "x", approved_by="Mara"), True),
    ("A227 x",            Void(3, "x"),                     False),
    ("A-",                Void(2, "x"),                     False),  # money moved and is booked
    ("A-",                Void(2, "x", booked_through=1),   True),   # ... and is not
    ("A- B-",             Void(3, "x", booked_through=2),   False),  # the end of a game
]
# fmt: on


@pytest.mark.parametrize(("script", "void", "at_once"), ALONE)
def test_who_may_void_alone(script: str, void: Void, at_once: bool) -> None:  # noqa: FBT001 - a column
    (event,) = opened().tell(script).put(void)

    assert isinstance(event, Voided if at_once else VoidRequested)


def test_a_seat_fee_that_is_booked_makes_its_throw_wait_once_the_seconds_are_over() -> None:
    fee = {"kind": "seat", "amount": 1}
    late, unbooked = Void(2, "x", in_time=False), Void(2, "x", booked_through=1, in_time=False)

    assert opened(fee=fee).tell("A227").put(Void(2, "x")) == (
        Voided(2, "x", "attendant", undo=True),
    )
    assert isinstance(opened(fee=fee).tell("A227").put(late)[0], VoidRequested)
    assert opened(fee=fee).tell("A227").put(unbooked) == (Voided(2, "x", "attendant"),)


def test_an_undo_that_comes_too_late_is_refused_where_nobody_is_to_be_asked() -> None:
    table = opened().tell(ROUND)

    with pytest.raises(UndoTooLate):
        table.put(Void(4, "x", alone=True, in_time=False))
    assert table.put(Void(4, "x", alone=True)) == (Voided(4, "x", "attendant", undo=True),)


def test_what_a_second_person_signed_or_has_to_decide_is_not_undone_alone() -> None:
    witnessed = opened("AB", stake=7).tell("A227 B123")  # B wins the pool
    witnessed.put(Witness(3, approved_by="Mara"))
    assert isinstance(witnessed.put(Void(3, "x"))[0], VoidRequested)

    disputed = opened().tell(ROUND)
    disputed.put(Dispute("misread", round=1, by="Ann"))
    assert isinstance(disputed.put(Void(4, "x"))[0], VoidRequested)

    before = opened().tell(ROUND)
    before.put(Dispute("misread", round=1, by="Ann"))
    before.tell("A112 B113 C114")
    assert isinstance(before.put(Void(before.state.live.value.first, "x"))[0], Voided)


def test_offers_say_what_may_be_undone_for_some_seconds_alone() -> None:
    def offered(table: Table, **known: Any) -> tuple[list[int], int | None]:
        (row,) = [
            each for each in table.ruleset.offers(table.state, **known) if each["do"] == "void"
        ]
        return row["alone"], row["undo"]

    assert offered(opened().tell("A227 B123")) == ([3], None)
    assert offered(opened().tell(ROUND)) == ([4], 4)
    assert offered(opened().tell(ROUND), in_time=False) == ([], None)
    assert offered(opened().tell(ROUND), irreversible_through=3) == ([4], 4)


def test_an_approval_takes_back_no_more_than_was_seen() -> None:
    table = opened().tell(ROUND + " v4~ A111 B112")

    with pytest.raises(RequestGrown):
        table.put(Approve(6, through=6))
    assert isinstance(table.put(Approve(6, through=8))[0], Voided)


# fmt: off
REFUSED = [
    (ROUND,                     Void(1, "x"),                                OpeningNotVoided),
    (ROUND,                     Void(6, "x"),                                NoSuchEvent),
    (ROUND,                     Void(0, "x"),                                NoSuchEvent),
    ("A227 v2",                 Void(2, "x"),                                AlreadyCancelled),
    ("A227 v2",                 Void(3, "x"),                                VoidNotVoided),
    (ROUND + " v4~",             Void(6, "x"),                                VoidNotVoided),
    (ROUND + " v4~",             Void(5, "x", in_time=False),                 AlreadyRequested),
    (ROUND,                     Void(4, "x", approved_by="attendant"),       OwnRequest),
    (ROUND,                     Void(4, "x", approved_by=" "),               NobodyNamed),
    (ROUND,                     Void(4, "x", irreversible_through=4),        BeyondReversal),
    ("C- A227 B123",            Void(2, "x", irreversible_through=2),        BeyondReversal),
    (ROUND + " v4~",             Approve(6, approved_by="attendant"),         OwnRequest),
    (ROUND + " v4~",             Approve(6, irreversible_through=5),          BeyondReversal),
    (ROUND + " v4~",             Approve(5),                                  NoSuchRequest),
    (ROUND + " v4~ n6",          Approve(6),                                  NoSuchRequest),
    (ROUND + " v4~ y6",          Approve(6),                                  NoSuchRequest),
    # A request lapses when its target is cancelled by another void.
    (ROUND + " v4~ v3+",         Approve(6),                                  NoSuchRequest),
]
# fmt: on


@pytest.mark.parametrize(("script", "command", "refusal"), REFUSED)
def test_what_may_not_be_voided(script: str, command: object, refusal: type[Refused]) -> None:
    table = opened().tell(script)
    assert table.refused == []

    with pytest.raises(refusal):
        table.put(command)


def test_nothing_is_voided_before_there_is_a_game() -> None:
    with pytest.raises(NoGame):
        Table().put(Void(1, "x"))


def test_a_void_does_not_cross_a_cash_out() -> None:
    table = opened(leave="refund").tell("A227 B123 C234 C- C$25 A112")
    assert table.refused == []

    with pytest.raises(BeyondReversal):
        table.put(Void(4, "x", approved_by="Mara"))
    with pytest.raises(BeyondReversal):
        table.put(Void(7, "x", approved_by="Mara"))
    assert isinstance(table.put(Void(8, "x"))[0], Voided)


def test_a_cash_out_after_the_request_makes_its_approval_too_late() -> None:
    table = opened(leave="refund").tell("A227 B123 C234 v4~ C- C$25")

    with pytest.raises(BeyondReversal):
        table.put(Approve(6))
    assert [row["do"] for row in table.offers() if "request" in row] == ["reject"]


def test_a_request_changes_nothing_and_survives_later_throws() -> None:
    table = opened().tell(ROUND)
    before = table.state.inner

    table.tell("v4~")
    assert table.state.inner == before

    table.tell("A111 y6")
    assert (table.refused, table.view()["pot"], table.view()["round"]) == ([], 0, 1)


def test_a_request_on_something_earlier_survives_the_void_of_something_later() -> None:
    table = opened().tell(ROUND + " v3 A111 v7 y6")

    assert (table.refused, table.view()["next"]["players"]) == ([], ["B"])


def test_the_void_says_who_asked_who_approved_and_which_request() -> None:
    table = opened().tell(ROUND)
    table.put(Void(5, "misread", asked_by="Ann", in_time=False))

    (event,) = table.put(Approve(6, approved_by="Mara"))

    assert event == Voided(4, "misread", "Ann", approved_by="Mara", request=6)


def test_voids_reopen_a_game_that_was_over() -> None:
    table = opened("AB", stake=5).tell("A227 B111 v3+")

    assert (table.view()["status"], table.view()["stakes"]) == ("open", {"A": 5, "B": 5})


def test_cash_waits_until_it_is_booked() -> None:
    table = opened(leave="refund").tell("A-")

    with pytest.raises(NotSettledYet):
        table.put(CashOut("A", 25, booked=24))
    table.put(CashOut("A", 24, booked=24))
    assert table.view()["stakes"]["A"] == 1


def test_a_command_takes_as_much_of_its_surroundings_as_it_has_room_for() -> None:
    context = {"asked_by": "Ann", "booked_through": 7, "at": 5}

    taken = Void(2, "x", asked_by="Ann", booked_through=7, at=5)
    assert situate(Void(2, "x"), **context) == taken
    assert situate(CashOut("A", 1), **context) == CashOut("A", 1)


def test_any_step_of_a_long_trail_is_found() -> None:
    last = None
    for number in range(2, 2000, 2):
        last = extend_trail(last, number, str(number))

    for number in range(2, 2000, 2):
        step, near = find_step(last, number), find_step(last, number + 1, near=True)
        assert step is not None
        assert near is step
        assert (step.number, step.value) == (number, str(number))
        assert find_step(last, number + 1) is None
    assert find_step(last, 1) is None
    assert find_step(last, 1, near=True) is None
