"""What holds for every sequence of commands in every game; each game brings its own commands."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from games.cinnabar_gate import messages as cinnabar_gate
from games.commands import situate
from games.dice_breaker import messages as dice_breaker
from games.messages import CashedOut, Fact, OutsideRules, Voided, live
from games.payments import HOUSE, POT, ROLLOVER
from games.refusals import Refused
from games.river import messages as river
from games.session import GameSession
from games.stone_hand import messages as stone_hand
from games.threes_away import messages as threes_away
from tests.games.spec import Raw, Table

RULE: Final = re.compile(r"\b(?:SH|CG|RV|TA|DB|G|H)\d+\b")
Fits = Callable[[dict[str, Any], Raw, Table], bool]


def no_coin_is_made_or_lost(table: Table) -> None:
    """
    After every event all there is stays what was brought, and nobody goes below zero.

    Counted from the payments alone, and compared with what the state says.
    """
    decider = table.ruleset.decider
    state = decider.initial
    for end, event in enumerate(table.history, 1):
        state = decider.evolve(state, event)
        held = stakes_of(live(enumerate(table.history[:end], 1)))
        assert min(held.values()) >= 0
        assert {name: held.get(name, 0) for name in state.inner.stakes} == dict(state.inner.stakes)
        assert held[POT] == state.inner.pot
    assert not decider.is_terminal(state) or state.inner.pot == 0


def stakes_of(events: Iterable[tuple[int, Fact]]) -> dict[str, int]:
    """Who has what, from what was brought, paid and cashed; the pot among them."""
    held = {POT: 0}
    for _, event in events:
        for player, amount, _house in event.buy_ins:
            held[player] = held.get(player, 0) + amount
        for payment in event.payments:
            for name, coins in ((payment.payer, -payment.amount), (payment.payee, payment.amount)):
                if name not in {HOUSE, ROLLOVER}:
                    held[name] = held.get(name, 0) + coins
        if isinstance(event, CashedOut):
            held[event.player] -= event.amount
    seated = {
        seat.name
        for _, event in events
        for seat in getattr(event, "players", ())
        if hasattr(seat, "stake")
    }
    return {**dict.fromkeys(seated, 0), **held}


def a_fold_may_stop_and_go_on(table: Table, cut: int) -> None:
    fold, history = table.ruleset.decider.fold, table.history
    assert same(fold(history), fold(history[cut:], fold(history[:cut])))


def same(one: GameSession[Any], other: GameSession[Any]) -> bool:
    """Equal in all that is ever asked of it; the shared trails are compared by number."""
    numbers = [
        [step.number for step in (state.live, state.table_events) if step is not None]
        for state in (one, other)
    ]
    bare = [replace(state, live=None, table_events=None) for state in (one, other)]
    return bare[0] == bare[1] and numbers[0] == numbers[1]


def a_voided_event_has_never_been(table: Table) -> None:
    """G4: the state is what the events that stand make of it."""
    standing = [event for _, event in live(table.numbered())]

    assert table.state.inner == table.ruleset.decider.fold(standing).inner
    cancelled = len(table.history) - len(standing)
    assert (cancelled > 0) >= any(isinstance(event, Voided) for event in table.history)


def every_event_survives_the_wire(table: Table) -> None:
    for event in table.history:
        assert table.ruleset.decode(*table.ruleset.encode(event)) == event


def offers_are_exactly_what_is_taken(table: Table, everything: Sequence[Raw], fits: Fits) -> None:
    """
    :param everything: a space of commands, wrong players, wrong faces and wrong numbers among them.
    :param fits: whether a command, of the same `do`, is one that this row of the offers means.
    """
    rows = table.offers()
    for raw in everything:
        offered = any(fits(row, raw, table) for row in rows if row["do"] == raw["do"])
        assert taken(table, raw) == offered, raw


def taken(table: Table, raw: Raw) -> bool:
    try:
        Table(table.state, ruleset=table.ruleset).ask(raw)
    except Refused:
        return False
    return True


def voidable(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    """An event stands for the command it came with."""
    standing = live(table.numbered())
    if raw["back_to"] not in {number for number, _ in standing}:
        return False
    first = max(
        number for number, event in standing if number <= raw["back_to"] and not event.consequence
    )
    if not row["from"] <= first <= row["to"]:
        return False
    return "approved_by" in raw or first in row["alone"] or first not in row["requested"]


def every_payment_is_explained(table: Table) -> None:
    told, shown = table.ruleset.explain(table.numbered()), table.view()["rounds"]
    since = table.ruleset.so_far(table.numbered())

    assert all(each["because"] for each in told)
    assert all(payment["because"] and payment["rules"] for payment in since)
    for explained, ended in zip(told, shown, strict=True):
        assert all(payment["because"] and payment["rules"] for payment in explained["payments"])
        assert [each["amount"] for each in explained["payments"]] == [
            each["amount"] for each in ended["payments"]
        ]
    made = [payment for _, event in live(table.numbered()) for payment in event.payments]
    of_rounds = [payment for explained in told for payment in explained["payments"]]
    assert sorted(each["amount"] for each in (*of_rounds, *since)) == sorted(
        each.amount for each in made
    )


def reasons_name_their_rules(table: Table) -> None:
    """A sentence names the rules that stand beside it, all of them and no others."""
    told = table.ruleset.explain(table.numbered())
    of_rounds = [payment for each in told for payment in each["payments"]]
    for row in (*told, *of_rounds, *table.ruleset.so_far(table.numbered())):
        assert set(cited(row["because"])) == set(row["rules"]), row
        assert len(row["rules"]) == len(set(row["rules"])), row
    shown = [payment for each in table.view()["rounds"] for payment in each["payments"]]
    assert all(set(cited(each["because"])) == set(each["rules"]) for each in shown)


def cited(sentence: str) -> list[str]:
    """The numbers of rules that a sentence names."""
    return RULE.findall(sentence)


def what_was_asked_is_decided_alike_once_more(table: Table) -> None:
    decider = table.ruleset.decider
    decided: list[Fact] = []
    state = decider.initial
    for fact in table.history:
        happened: tuple[Fact, ...] = ()
        if isinstance(fact, OutsideRules):
            happened = (fact,)
        elif (command := table.ruleset.command_of(fact)) is not None:
            told = situate(command, at=table.times[len(decided)])
            happened = decider.decide(told, state)
        state = decider.fold(happened, state)
        decided += happened

    assert decided == table.history


def the_unit_multiplies_all_money(table: Table) -> None:
    """
    G11: a game with unit 1, played again with another unit and all money multiplied by it, is the
    same game, with every amount multiplied and everything else as it was.
    """
    decider, by = table.ruleset.decider, 7
    if table.state.inner.opened.options.unit != 1:
        return
    decided: list[Fact] = []
    state = decider.initial
    for fact in table.history:
        happened: tuple[Fact, ...] = ()
        if isinstance(fact, OutsideRules):
            happened = (multiplied(fact, by),)
        elif (command := table.ruleset.command_of(fact)) is not None:
            told = situate(multiplied(command, by), at=table.times[len(decided)])
            happened = decider.decide(told, state)
        state = decider.fold(happened, state)
        decided += happened

    assert decided == [multiplied(fact, by) for fact in table.history]


def multiplied(value: Any, by: int, name: str = "") -> Any:
    """Commands and events with everything that is money multiplied, and the unit."""
    if name in MONEY and type(value) is int:
        return value * by
    if is_dataclass(value) and not isinstance(value, type):
        own = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(value, **{key: multiplied(own[key], by, key) for key in own})
    if isinstance(value, Mapping):
        within = {key: multiplied(each, by, key) for key, each in value.items()}
        return {**within, "unit": within.get("unit", by)} if name == "options" else within
    if isinstance(value, tuple | list):
        return type(value)(multiplied(each, by) for each in value)
    return value


RETURNS = tuple(
    getattr(messages, name)
    for messages in (stone_hand, cinnabar_gate, river, threes_away, dice_breaker)
    for name in ("RoundVoided", "PlayerLeft")
)
MONEY = frozenset(
    {"stake", "stake_min", "stake_max", "price", "amount", "cap", "owed", "rollover", "awaited",
     "unit"}
)  # fmt: skip


def only_last_coins_are_under_a_unit(table: Table) -> None:
    """
    G11: who pays something else than whole units pays all that is left; a pot of whole units is
    dealt in them, and a rake always is. What is given back goes back as it was paid.
    """
    decider = table.ruleset.decider
    state = decider.initial
    for event in table.history:
        before, state = state, decider.evolve(state, event)
        given_back = isinstance(event, RETURNS)
        for payer in {each.payer for each in event.payments} - {HOUSE, ROLLOVER}:
            paid = [each for each in event.payments if each.payer == payer]
            amounts = [each.amount for each in paid]
            unit = state.inner.opened.options.unit
            if payer == POT:
                rakes = [each.amount for each in paid if each.payee == HOUSE]
                assert all(amount % unit == 0 for amount in rakes)
                whole = before.inner.pot % unit == 0
                assert given_back or not whole or all(amount % unit == 0 for amount in amounts)
            elif any(each.payee != HOUSE and each.amount % unit for each in paid):
                pocket = getattr(state.inner, "pockets", {}).get(payer, 0)
                earned = sum(each.amount for each in event.payments if each.payee == payer)
                assert state.inner.stakes[payer] - pocket - earned <= 0, (event, payer)


ALL = (
    no_coin_is_made_or_lost,
    a_voided_event_has_never_been,
    every_event_survives_the_wire,
    every_payment_is_explained,
    reasons_name_their_rules,
    what_was_asked_is_decided_alike_once_more,
    the_unit_multiplies_all_money,
    only_last_coins_are_under_a_unit,
)


def all_hold(table: Table) -> None:
    """The laws that need nothing but the game as it was played."""
    for law in ALL:
        law(table)
