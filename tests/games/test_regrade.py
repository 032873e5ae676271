"""Deciding once more what was decided: the same, whatever was played; and what was forged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from games.commands import situate
from games.regrade import Recorded, by_current, explanations, regrade
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import DiceThrown, PlayerLeft, RoundLost
from tests.forms import how_often
from tests.games.spec import opened
from tests.games.test_properties import openings, played, scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.game import Ruleset
    from games.messages import Fact
    from tests.games.spec import Table

# Two rounds; the second is voided after the third throw and played again.
PLAYED = "A227 B224 C221 A221 B333 v6+ A224 B221 C333"


def record(table: Table, change: Callable[[int, Fact], Fact] = lambda _, fact: fact) -> list[Any]:
    facts = enumerate(table.history, 1)
    encoded = (STONE_HAND.encode(change(number, fact)) for number, fact in facts)
    return [Recorded(*each, at) for each, at in zip(encoded, table.times, strict=True)]


def forged(number: int, **fields: Any) -> Callable[[int, Fact], Fact]:
    def change(here: int, fact: Fact) -> Fact:
        return replace(fact, **fields) if here == number else fact  # type: ignore[type-var]

    return change


def number_of(table: Table, kind: type[Fact], nth: int = 0) -> int:
    found = [number for number, fact in table.numbered() if isinstance(fact, kind)]
    return found[nth]


@settings(max_examples=how_often(150), deadline=None)
@given(openings, scripts)
def test_what_was_played_is_decided_alike(fields: dict[str, Any], script: Sequence[Any]) -> None:
    table = played(fields, script)

    for result in (regrade(STONE_HAND, record(table)), by_current(STONE_HAND, record(table))):
        assert result.differences == []
        assert result.decided == result.found == result.facts == table.history


def test_an_amount_that_was_changed() -> None:
    table = opened().tell(PLAYED)
    at = number_of(table, RoundLost)
    lost = table.history[at - 1]
    payments = (replace(lost.payments[0], amount=1),)

    result = regrade(STONE_HAND, record(table, forged(at, payments=payments)))

    [found] = result.differences
    assert (found.round, found.number, found.what) == (1, at, "altered")
    assert found.expected == lost
    assert found.found is not None
    assert found.found.payments == payments
    assert explanations(STONE_HAND, result.decided)[1]["payments"][0]["amount"] == 7
    assert explanations(STONE_HAND, result.found)[1]["payments"][0]["amount"] == 1


def test_a_change_behind_a_void_counts_for_nothing_later() -> None:
    """What was voided is graded as well: somebody may have been paid for it meanwhile."""
    table = opened().tell("A227 B224 C221 A221 B333 C224 v9+ C114")
    at = number_of(table, RoundLost, 1)

    result = regrade(STONE_HAND, record(table, forged(at, owed=99)))

    assert [(each.number, each.what) for each in result.differences] == [(at, "altered")]


def test_a_hand_that_is_another() -> None:
    table = opened().tell(PLAYED)

    result = regrade(STONE_HAND, record(table, forged(2, hand="triple")))

    assert [(each.number, each.what) for each in result.differences] == [(2, "altered")]


def test_dice_that_are_others_change_what_follows() -> None:
    table = opened().tell("A227 B224 C221 A221 B333 C224")

    result = regrade(STONE_HAND, record(table, forged(2, dice=(2, 2, 1))))

    assert result.differences[0].number == 2
    assert {each.what for each in result.differences} >= {"altered"}
    assert len(result.facts) == len(table.history)


def test_a_throw_that_the_rules_refuse() -> None:
    table = opened().tell("A227 B224")

    result = regrade(STONE_HAND, record(table, forged(3, player="C")))

    [found] = result.differences
    assert (found.what, found.detail) == ("refused", "B throws, not C. SH2")


def test_consequences_that_are_missing_or_too_many() -> None:
    table = opened().tell("A227 B224 C221")
    whole = record(table)

    assert [each.what for each in regrade(STONE_HAND, whole[:-1]).differences] == ["missing"]
    twice = regrade(STONE_HAND, [*whole, whole[-1]])
    assert [(each.what, each.number) for each in twice.differences] == [("unexpected", 6)]


@pytest.mark.parametrize(
    ("event_type", "data"),
    [
        ("stone_hand.nothing", {}),
        ("stone_hand.dice_thrown", {"player": "A"}),
        ("stone_hand.dice_thrown", {"player": "A", "dice": 7, "hand": "pair"}),
    ],
)
def test_what_cannot_be_read(event_type: str, data: dict[str, Any]) -> None:
    whole = record(opened().tell("A227 B224 C221"))

    result = regrade(STONE_HAND, [*whole[:2], Recorded(event_type, data, None), *whole[3:]])

    [found] = result.differences
    assert (found.what, found.number) == ("unreadable", 3)
    assert len(result.found) == 2


def test_a_value_that_the_rules_stumble_over() -> None:
    whole = record(opened().tell("A227 B224 C221"))
    data = {**whole[1].data, "dice": ["x", None, []]}

    result = regrade(STONE_HAND, [whole[0], Recorded(whole[1].event_type, data, None), *whole[2:]])

    assert result.differences[0].what in {"refused", "unreadable"}


def test_a_game_that_begins_with_what_follows_from_nothing() -> None:
    whole = record(opened().tell("A227 B224 C221"))

    result = regrade(STONE_HAND, whole[-1:])

    assert [each.what for each in result.differences] == ["unexpected"]


def dearer(ruleset: Ruleset) -> Ruleset:
    """The same rules in a second version, by which a loser pays one coin more."""
    decider = ruleset.decider

    def decide(command: Any, state: Any) -> tuple[Fact, ...]:
        return tuple(map(one_more, decider.decide(command, state)))

    return replace(ruleset, version=2, decider=replace(decider, decide=decide))


def one_more(fact: Fact) -> Fact:
    if not isinstance(fact, RoundLost):
        return fact
    more = tuple(replace(each, amount=each.amount + 1) for each in fact.payments)
    return replace(fact, payments=more, rules=(*fact.rules, "SH99"))


def test_other_rules_differ_in_what_they_pay_and_in_nothing_else() -> None:
    table = opened().tell(PLAYED)

    result = by_current(dearer(STONE_HAND), record(table))

    expected = [each.expected.payments[0].amount for each in result.differences if each.expected]
    found = [each.found.payments[0].amount for each in result.differences if each.found]
    assert [each.round for each in result.differences] == [1, 2]
    assert [more - less for more, less in zip(expected, found, strict=True)] == [1, 1]


def test_rules_that_no_longer_allow_a_command_say_so() -> None:
    table = opened().tell("A-")
    strict = replace(STONE_HAND, command_of=forbidden)

    [found] = by_current(strict, record(table)).differences

    assert (found.what, type(found.found)) == ("refused", PlayerLeft)


def forbidden(fact: Fact) -> Any:
    """Who leaves throws instead: the wrong number of dice."""
    if isinstance(fact, PlayerLeft):
        return situate(STONE_HAND.command_of(DiceThrown("A", (1,), "pair")), at=None)
    return STONE_HAND.command_of(fact)
