"""What holds for every sequence of commands, also those that nobody thought of."""

from collections.abc import Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games import stone
from games.history import live
from games.messages import CashedOut, Fact, Voided, VoidEvent, situate
from games.payments import HOUSE, balance
from games.refusals import Refused
from games.sitting import Sitting
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import Options
from games.stone_hand.rules import RULES
from games.stone_hand.state import Ended, Playing
from tests.games.spec import OPTIONS, Raw, Table, opening

DICE = ([1, 1, 5], [2, 2, 7], [1, 1, 5], [1, 2, 3], [8, 8, 8], [1, 4, 7], [1, 3, 6], [3, 5, 7])
PLAYERS = st.sampled_from("ABCZ")
REACH = st.integers(0, 12).map(lambda back: -back)  # from the last event

openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([1, 2, 9, 25])},
    optional={
        "home_throw": st.just([1, 3, 6]),
        "home_throw_policy": st.just("attendant"),
        "runs": st.sampled_from(["wrap", "straight"]),
        "tie_owes": st.sampled_from(["original", "rethrow"]),
        "triad_pay": st.sampled_from(["middle", "all", 3]),
        "triads": st.booleans(),
        "sole": st.sampled_from(["pays", "void"]),
        "leave": st.sampled_from(["forfeit", "refund"]),
        "rethrow": st.sampled_from([0, 1, 2]),
        "mode": st.sampled_from(["pool", "pool", "pool", "drinks", "scoreboard"]),
        "fee": st.sampled_from(
            [{"kind": "rake", "percent": 10}, {"kind": "seat", "amount": 1},
             {"kind": "time", "amount": 1, "minutes": 1}]
        ),
    },
)  # fmt: skip

throws = st.builds(
    lambda player, dice, minute: {
        "do": "throw", "player": player, "dice": dice,
        "occurred_at": f"2026-01-31T20:{minute:02d}:00+01:00",
    },
    PLAYERS, st.sampled_from(DICE), st.integers(0, 59),
)  # fmt: skip
on_turn = st.builds(
    lambda dice: {"do": "throw", "player": None, "dice": dice}, st.sampled_from(DICE)
)
scoring = st.builds(
    lambda dice: {"do": "throw", "player": None, "dice": dice}, st.sampled_from(DICE[:5])
)
voids = st.one_of(
    st.builds(lambda back_to: {"do": "void", "back_to": back_to, "reason": "x"}, REACH),
    st.builds(
        lambda back_to: {"do": "void", "back_to": back_to, "reason": "x", "approved_by": "M"}, REACH
    ),
    st.builds(lambda number: {"do": "approve", "request": number}, REACH),
    st.builds(lambda number: {"do": "reject", "request": number}, REACH),
)
others = st.one_of(
    st.builds(lambda player: {"do": "stand", "player": player}, PLAYERS),
    st.builds(lambda player: {"do": "leave", "player": player}, PLAYERS),
    st.builds(lambda player: {"do": "no_throw", "player": player, "reason": "cocked"}, PLAYERS),
    st.builds(
        lambda player, amount: {"do": "cash_out", "player": player, "amount": amount},
        PLAYERS,
        st.integers(1, 30),
    ),
)
stand = st.just({"do": "stand", "player": None})
settle_home = st.just({"do": "throw_home", "dice": [1, 3, 6]})
often = st.one_of(*[on_turn] * 3, *[scoring] * 6, throws, stand, settle_home)
seldom = st.one_of(*[others] * 4, *[voids] * 4, st.just({"do": "close"}))
step = st.integers(0, 7).flatmap(lambda which: often if which else seldom)
scripts = st.lists(step, max_size=10) | st.lists(step, min_size=30, max_size=50)


def played(fields: dict[str, Any], script: Sequence[Raw]) -> Table:
    """What is refused leaves no trace. A throw by nobody is by whoever is on turn."""
    if fields.get("mode", "pool") != "pool":
        fields = {name: value for name, value in fields.items() if name != "fee"}
    if "home_throw_policy" in fields:
        fields = {name: value for name, value in fields.items() if name != "home_throw"}
    table = Table()
    table.ask(opening(**fields))
    for raw in script:
        try:
            table.ask(meant(table, raw))
        except Refused:
            continue
    return table


def meant(table: Table, raw: Raw) -> Raw:
    """Nobody is whoever is on turn; events and requests are counted from the last."""
    if raw.get("player", "") is None:
        return {**raw, "player": turn(table)}
    last = table.state.number
    return {
        name: last + value if name in {"back_to", "request"} else value
        for name, value in raw.items()
    }


def turn(table: Table) -> str:
    return next((row["player"] for row in table.offers() if row["do"] == "throw"), "A")


def coins(state: Playing | Ended, events: Sequence[tuple[int, Fact]]) -> int:
    """All there is: stakes, pot, what went to the house, what was cashed out."""
    house = sum(balance(HOUSE, event.payments) for _, event in events)
    cashed = sum(event.amount for _, event in events if isinstance(event, CashedOut))
    return sum(state.stakes.values()) + state.pot + house + cashed


@settings(max_examples=150, deadline=None)
@given(openings, scripts)
def test_no_coin_is_made_or_lost_and_nobody_goes_below_zero(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    table = played(fields, script)
    total = 3 * fields["stake"]
    history, state = table.history, STONE_HAND.decider.initial
    for end, event in enumerate(history, 1):
        state = STONE_HAND.decider.evolve(state, event)
        assert_pot_equation(state.inner, live(enumerate(history[:end], 1)), total)
    assert not isinstance(state.inner, Ended) or state.inner.pot == 0


def assert_pot_equation(
    state: Playing | Ended, events: Sequence[tuple[int, Fact]], total: int
) -> None:
    assert coins(state, events) == total
    assert min(state.stakes.values()) >= 0
    assert state.pot >= 0


@settings(max_examples=80, deadline=None)
@given(openings, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(fields: dict[str, Any], script: list[Raw], cut: int) -> None:
    history = played(fields, script).history
    fold = STONE_HAND.decider.fold

    assert same(fold(history), fold(history[cut:], fold(history[:cut])))


@settings(max_examples=120, deadline=None)
@given(openings, scripts)
def test_a_voided_event_has_never_been(fields: dict[str, Any], script: list[Raw]) -> None:
    """G4: the state is what the events that stand make of it, and so is the report."""
    table = played(fields, script)
    standing = [event for _, event in live(table.numbered())]

    assert table.state.inner == RULES.fold(standing)
    cancelled = len(table.history) - len(standing)
    assert (cancelled > 0) >= any(isinstance(event, Voided) for event in table.history)


@settings(max_examples=80, deadline=None)
@given(openings, scripts)
def test_every_event_survives_the_wire(fields: dict[str, Any], script: list[Raw]) -> None:
    for event in played(fields, script).history:
        assert STONE_HAND.decode(*STONE_HAND.encode(event)) == event


@settings(max_examples=120, deadline=None)
@given(openings, scripts)
def test_what_was_asked_is_decided_alike_once_more(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    table, state = played(fields, script), STONE_HAND.decider.initial
    decided: list[Fact] = []
    for fact in table.history:
        command = STONE_HAND.asked(fact)
        if command is not None:
            told = situate(command, at=table.times[len(decided)])
            happened = STONE_HAND.decider.decide(told, state)
        elif isinstance(fact, VoidEvent):
            happened = (fact,)
        else:
            continue
        state = STONE_HAND.decider.fold(happened, state)
        decided += happened

    assert decided == table.history


@settings(max_examples=80, deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, script)

    assert {repr(raw) for raw in everything(table) if taken(table, raw)} == {
        repr(raw) for raw in everything(table) if offered(table, raw)
    }


@settings(max_examples=80, deadline=None)
@given(openings, scripts)
def test_every_payment_is_explained(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, script)
    rounds = STONE_HAND.explain(table.numbered())

    assert all(told["because"] for told in rounds)
    for told, shown in zip(rounds, table.view()["rounds"], strict=True):
        assert all(payment["because"] and payment["rules"] for payment in told["payments"])
        assert [each["amount"] for each in told["payments"]] == [
            each["amount"] for each in shown["payments"]
        ]


def same(one: Sitting[Any], other: Sitting[Any]) -> bool:
    """Equal in all that is ever asked of it; the shared trails are compared by number."""
    numbers = [
        [step.number for step in (state.live, state.asides) if step is not None]
        for state in (one, other)
    ]
    bare = [replace(state, live=None, asides=None) for state in (one, other)]
    return bare[0] == bare[1] and numbers[0] == numbers[1]


def everything(table: Table) -> list[Raw]:
    """A space of commands, wrong players, wrong faces and wrong numbers among them."""
    last = table.state.number
    by_player = [raw for player in "ABCZ" for raw in all_of(player)]
    numbers = range(last + 2)
    return [
        *by_player,
        *({"do": "throw_home", "dice": dice} for dice in DICES),
        *({"do": "void", "back_to": n, "reason": "x"} for n in numbers),
        *({"do": "void", "back_to": n, "reason": "x", "approved_by": "M"} for n in numbers),
        *({"do": do, "request": n} for do in ("approve", "reject") for n in numbers),
        {"do": "close"},
        {"do": "pause"},
        opening(),
    ]


def all_of(player: str) -> list[Raw]:
    return [
        *({"do": "throw", "player": player, "dice": dice} for dice in DICES),
        {"do": "stand", "player": player},
        {"do": "leave", "player": player},
        *({"do": "no_throw", "player": player, "reason": why} for why in ("cocked", "tired")),
        *({"do": "cash_out", "player": player, "amount": n} for n in (1, 9, 25, 26, 76)),
        {"do": "buy_in", "player": player, "amount": 5},
        {"do": "join", "player": player, "stake": 5},
        {"do": "keep", "player": player, "dice": [1]},
    ]


DICES = ([1, 1, 5], [1, 3, 6], [1, 1], [1, 1, 1, 1], [0, 1, 1], [1, 1, 9])


def taken(table: Table, raw: Raw) -> bool:
    try:
        Table(table.state).ask(raw)
    except Refused:
        return False
    return True


def offered(table: Table, raw: Raw) -> bool:
    rows = [row for row in table.offers() if row["do"] == raw["do"]]
    return any(fits(row, raw, table) for row in rows)


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    if row.get("player") != raw.get("player") or row.get("request") != raw.get("request"):
        return False
    match raw["do"]:
        case "throw" | "throw_home":
            return len(raw["dice"]) == row["dice"] and all(
                1 <= face <= row["sides"] for face in raw["dice"]
            )
        case "no_throw":
            return raw["reason"] in row["reasons"]
        case "cash_out":
            return bool(raw["amount"] <= row["most"])
        case "void":
            return voidable(row, raw, table)
        case _:
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


def test_the_options_of_the_spec_are_all_there_are() -> None:
    assert {field.name for field in dataclass_fields(Options)} == set(OPTIONS)


def test_a_pair_is_no_home_throw() -> None:
    assert not stone.may_be_home((1, 1, 5), "wrap")
