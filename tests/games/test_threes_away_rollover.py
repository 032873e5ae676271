"""TA10: what is in the pot when a table closes is the next game's, at once or when it is booked."""

from dataclasses import replace

import pytest

from games.commands import Arrive, Close, Void
from games.messages import Voided, live
from games.payments import POT, ROLLOVER, Payment
from games.refusals import NoGame, Refused
from games.seats import Seat
from games.threes_away import THREES_AWAY
from games.threes_away.messages import (
    GameEnded,
    GameOpened,
    Open,
    RolloverArrived,
    RolloverDrawn,
    RoundStarted,
    RoundVoided,
    parse,
)
from games.vocabulary import VOCABULARY
from tests.games.spec import Table
from tests.games.spec_threes_away import opened, tell

OPEN = Open((Seat("A", 10), Seat("B", 10)))
TIE = "A33334= B33334="


def drawn(rollover: int = 0, awaited: int = 0, ante: int = 1) -> Table:
    table = Table(ruleset=THREES_AWAY)
    table.put(replace(OPEN, rollover=rollover, awaited=awaited, options={"ante": ante}))
    return table


def test_a_game_closed_with_money_in_the_pot_leaves_it_to_the_next() -> None:
    table = tell(opened("AB"), TIE)

    _, void, ended = table.put(Close())

    assert isinstance(void, RoundVoided)
    assert void.payments == (Payment(POT, "A", 1, ("G9",)), Payment(POT, "B", 1, ("G9",)))
    assert ended == GameEnded(2, (Payment(POT, ROLLOVER, 2, ("G9", "TA10")),), ("G9", "TA10"))


def test_the_next_game_draws_it_before_its_antes() -> None:
    event, *more = Table(ruleset=THREES_AWAY).put(replace(OPEN, rollover=7, awaited=3))

    assert isinstance(event, GameOpened)
    assert (event.rollover, event.awaited) == (7, 3)
    assert [type(each) for each in more] == [RolloverDrawn, RoundStarted]
    assert more[0] == RolloverDrawn(7, (Payment(ROLLOVER, POT, 7, ("TA10",)),))
    assert all(each.consequence for each in more)


def test_what_was_drawn_stands_in_the_pot_and_in_the_first_round() -> None:
    view = tell(drawn(7), "A33331= B33332=").view()

    assert view["stakes"] == {"A": 17, "B": 8}
    assert [(each["from"], each["amount"]) for each in view["rounds"][0]["payments"]] == [
        ("rollover", 7), ("A", 1), ("B", 1), ("pot", 9),
    ]  # fmt: skip


def test_what_is_awaited_arrives_bit_by_bit() -> None:
    table = drawn(2, awaited=5)
    assert (table.view()["pot"], table.view()["awaited"]) == (4, 5)

    (event,) = table.put(Arrive(4))

    assert event == RolloverArrived(4, (Payment(ROLLOVER, POT, 4, ("TA10",)),))
    assert not event.consequence
    assert (table.view()["pot"], table.view()["awaited"]) == (8, 1)
    assert tell(table, "A33331 >1 A:33331 B33332=").view()["stakes"] == {"A": 17, "B": 8}
    assert table.refused == []


@pytest.mark.parametrize("amount", [0, -1, 6])
def test_no_more_arrives_than_is_awaited(amount: int) -> None:
    with pytest.raises(Refused, match="TA10") as refused:
        drawn(awaited=5).put(Arrive(amount))

    assert refused.value.code == "not_awaited"


def test_nothing_arrives_in_a_game_that_is_over_or_not_begun() -> None:
    assert tell(drawn(awaited=5), "x >5").refused == ["game_over"]
    with pytest.raises(NoGame):
        Table(ruleset=THREES_AWAY).put(Arrive(1))


def test_a_game_that_closes_leaves_what_it_still_awaits_alone() -> None:
    table = tell(drawn(2, awaited=5), "x")

    view = table.view()
    assert (view["status"], view["pot"], view["stakes"]) == ("closed", 0, {"A": 10, "B": 10})
    *_, ended = table.history
    assert ended.payments == (Payment(POT, ROLLOVER, 2, ("G9", "TA10")),)
    assert view["rounds"][0]["carried"] == 0


def test_a_void_of_the_close_takes_the_money_back_into_the_pot() -> None:
    table = tell(drawn(2), "x")

    (event,) = table.put(Void(4, "too early", approved_by="Mara"))

    assert isinstance(event, Voided)
    assert (table.view()["status"], table.view()["pot"]) == ("open", 4)
    assert not any(isinstance(fact, GameEnded) for _, fact in live(table.numbered()))


def test_a_voided_arrival_is_awaited_again() -> None:
    table = tell(drawn(awaited=5), "A33331 >5 v4+")

    assert (table.refused, table.view()["pot"], table.view()["awaited"]) == ([], 2, 5)


def test_what_comes_while_no_round_can_start_waits_for_one() -> None:
    table = tell(drawn(2, awaited=5, ante=11), ">5")
    assert (table.view()["pot"], table.view()["rounds"]) == (7, [])

    assert tell(table, "A+1 B+1").view()["pot"] == 29
    assert table.refused == []


def test_what_never_started_is_listed_where_money_moved() -> None:
    view = tell(drawn(2, ante=11), "x").view()

    (only,) = view["rounds"]
    assert (only["round"], only["void"], only["carried"], only["scores"]) == (1, True, 0, {})
    assert [(each["from"], each["to"], each["amount"]) for each in only["payments"]] == [
        ("rollover", "pot", 2), ("pot", "rollover", 2),
    ]  # fmt: skip
    assert tell(drawn(ante=11), "x").view()["rounds"] == []


def test_nobody_says_arrive() -> None:
    assert "arrive" not in VOCABULARY
    with pytest.raises(Refused):
        parse("arrive", {"amount": 5})


def test_the_opening_and_the_arrival_are_asked_again_alike() -> None:
    table = drawn(7, awaited=3)
    table.put(Arrive(2))
    opening, *_, arrival = table.history

    assert THREES_AWAY.command_of(arrival) == Arrive(2)
    again = THREES_AWAY.command_of(opening)
    assert isinstance(again, Open)
    assert (again.rollover, again.awaited) == (7, 3)
    assert list(Table(ruleset=THREES_AWAY).put(again)) == table.history[:-1]
