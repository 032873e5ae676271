"""What holds for every sequence of commands, also those that nobody thought of."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.commands import Arrive, situate
from games.payments import HOUSE, POT
from games.refusals import Refused
from games.threes_away import THREES_AWAY
from games.threes_away.hands import missing, total
from games.threes_away.messages import (
    DiceKept,
    DiceThrown,
    RoundStarted,
    RoundTied,
    RoundWon,
    TurnEnded,
)
from games.threes_away.state import Playing, Running
from games.vocabulary import read
from tests.forms import how_often
from tests.games import laws
from tests.games.spec import Raw, Table
from tests.games.spec_threes_away import opening

PLAYERS = st.sampled_from("ABCDZ")
REACH = st.integers(0, 12).map(lambda back: -back)  # from the last event
ARRIVE = "arrive"  # no surface's word; it stands here for what only the house sends

openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([1, 2, 9, 25])},
    optional={
        "unit": st.sampled_from([1, 2, 5]),
        "ante": st.sampled_from([1, 2, 3]),
        "zero": st.sampled_from([1, 3, 6]),
        "bust": st.sampled_from(["lowest", "previous", "none"]),
        "tie_ante": st.booleans(),
        "zero_tie_ante": st.sampled_from(["additional", "none"]),
        "progressive": st.sampled_from(["no", "by_round", "triangular"]),
        "bottoms": st.booleans(),
        "first": st.sampled_from("ABC"),
        "fee": st.sampled_from(
            [{"kind": "rake", "percent": 10}, {"kind": "seat", "amount": 1},
             {"kind": "time", "amount": 1, "minutes": 1}]
        ),
    },
)  # fmt: skip
waiting = st.tuples(st.sampled_from([0, 0, 7]), st.sampled_from([0, 0, 5]))  # TA10

# A throw by nobody is by whoever is on turn, of as many dice as are theirs; so is a keep.
shown = st.lists(st.sampled_from([1, 2, 3, 3, 3, 4]), min_size=5, max_size=5)
whole_turns = st.builds(
    lambda dice: {"do": "throw", "player": None, "dice": dice, "keep": dice},
    st.sampled_from([[3] * 5, [3] * 5, [3, 3, 3, 3, 1], [3, 3, 3, 3, 4], [1, 2, 4, 5, 6]]),
)
throws = st.builds(
    lambda dice, bottoms, minute: {
        "do": "throw", "player": None, "dice": dice, "bottoms": bottoms,
        "occurred_at": f"2026-01-31T20:{minute:02d}:00+01:00",
    },
    shown, st.sampled_from([False, False, True]), st.integers(0, 59),
)  # fmt: skip
keeps = st.builds(
    lambda dice: {"do": "keep", "player": None, "dice": dice},
    st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=2),
)
kept_at_once = st.builds(
    lambda dice, many: {"do": "throw", "player": None, "dice": dice, "keep": dice[:many]},
    shown, st.integers(1, 5),
)  # fmt: skip
comings = st.one_of(
    st.builds(lambda player: {"do": "leave", "player": player}, PLAYERS),
    st.builds(
        lambda player, stake: {"do": "join", "player": player, "stake": stake},
        PLAYERS,
        st.sampled_from([0, 1, 6]),
    ),
    st.builds(
        lambda player, amount: {"do": "buy_in", "player": player, "amount": amount},
        PLAYERS,
        st.integers(1, 4),
    ),
    st.builds(
        lambda player, amount: {"do": "cash_out", "player": player, "amount": amount},
        PLAYERS,
        st.integers(1, 30),
    ),
    st.builds(lambda player: {"do": "no_throw", "player": player, "reason": "cocked"}, PLAYERS),
    st.builds(lambda amount: {"do": ARRIVE, "amount": amount}, st.integers(1, 5)),
)
voids = st.one_of(
    st.builds(lambda back_to: {"do": "void", "back_to": back_to, "reason": "x"}, REACH),
    st.builds(
        lambda back_to: {"do": "void", "back_to": back_to, "reason": "x", "approved_by": "M"}, REACH
    ),
    st.builds(lambda number: {"do": "approve", "request": number}, REACH),
    st.builds(lambda number: {"do": "reject", "request": number}, REACH),
)
often = st.one_of(*[whole_turns] * 5, throws, keeps, *[kept_at_once] * 2)
seldom = st.one_of(*[comings] * 6, *[voids] * 2, st.just({"do": "close"}))
step = st.integers(0, 5).flatmap(lambda which: often if which else seldom)
scripts = st.lists(step, max_size=10) | st.lists(step, min_size=30, max_size=50)


def played(fields: dict[str, Any], rolled: tuple[int, int], script: Sequence[Raw]) -> Table:
    """What is refused leaves no trace."""
    table = Table(ruleset=THREES_AWAY)
    rollover, awaited = rolled
    asked = THREES_AWAY.parse("open", read(opening(**fields)))
    table.put(situate(asked, rollover=rollover, awaited=awaited))
    for raw in script:
        try:
            put(table, raw)
        except Refused:
            continue
    return table


def put(table: Table, raw: Raw) -> None:
    if raw["do"] == ARRIVE:
        table.put(Arrive(raw["amount"]))
    else:
        table.ask(meant(table, raw))


def meant(table: Table, raw: Raw) -> Raw:
    """Nobody is whoever is on turn; events and requests are counted from the last."""
    if raw.get("player", "") is None:
        return on_turn(table, raw)
    last = table.state.number
    return {
        name: last + value if name in {"back_to", "request"} else value
        for name, value in raw.items()
    }


def on_turn(table: Table, raw: Raw) -> Raw:
    state = table.state.inner
    this = state.round if isinstance(state, Playing) else None
    if not isinstance(this, Running):
        return {**raw, "player": "A"}
    named = {**raw, "player": this.thrower}
    if raw["do"] == "throw":
        dice = raw["dice"][: this.turn.dice]
        named["dice"] = dice
        if "keep" in raw:
            named["keep"] = raw["keep"][: len(dice)]
    return named


@settings(max_examples=how_often(150), deadline=None)
@given(openings, waiting, scripts)
def test_the_laws_of_all_games_hold(
    fields: dict[str, Any], rolled: tuple[int, int], script: list[Raw]
) -> None:
    laws.all_hold(played(fields, rolled, script))


@settings(max_examples=how_often(60), deadline=None)
@given(openings, waiting, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(
    fields: dict[str, Any], rolled: tuple[int, int], script: list[Raw], cut: int
) -> None:
    laws.a_fold_may_stop_and_go_on(played(fields, rolled, script), cut)


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, (0, 0), script)

    laws.offers_are_exactly_what_is_taken(table, everything(table), fits)


def everything(table: Table) -> list[Raw]:
    """A space of commands, wrong players, wrong faces and wrong numbers among them."""
    numbers = range(table.state.number + 2)
    return [
        *(raw for player in "ABCDZ" for raw in all_of(player)),
        *({"do": "void", "back_to": n, "reason": "x"} for n in numbers),
        *({"do": "void", "back_to": n, "reason": "x", "approved_by": "M"} for n in numbers),
        *({"do": do, "request": n} for do in ("approve", "reject") for n in numbers),
        {"do": "close"},
        {"do": "pause"},
        opening(),
    ]


def all_of(player: str) -> list[Raw]:
    return [
        *({"do": "throw", "player": player, "dice": [3] * n} for n in range(7)),
        {"do": "throw", "player": player, "dice": [3] * 5, "bottoms": True},
        {"do": "throw", "player": player, "dice": [3] * 5, "keep": [3]},
        {"do": "throw", "player": player, "dice": [3] * 5, "keep": [4]},
        {"do": "throw", "player": player, "dice": [3, 3, 3, 3, 7]},
        *({"do": "keep", "player": player, "dice": dice} for dice in ([], [3], [4, 4], [7])),
        {"do": "stand", "player": player},
        {"do": "leave", "player": player},
        *({"do": "no_throw", "player": player, "reason": why} for why in ("cocked", "tired")),
        *({"do": "cash_out", "player": player, "amount": n} for n in (1, 9, 25, 26, 76)),
        {"do": "buy_in", "player": player, "amount": 5},
        {"do": "join", "player": player, "stake": 5},
    ]


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    if raw["do"] == "join":
        return raw["player"] in row["back"] or raw["player"] not in table.state.inner.seats
    same = row.get("player") == raw.get("player") and row.get("request") == raw.get("request")
    return same and as_offered(row, raw, table)


def as_offered(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    match raw["do"]:
        case "throw":
            return a_throw_of(row, raw)
        case "keep":
            return bool(raw["dice"]) and missing(tuple(raw["dice"]), tuple(row["of"])) is None
        case "no_throw":
            return raw["reason"] in row["reasons"]
        case "cash_out":
            return bool(raw["amount"] <= row["most"])
        case "void":
            return laws.voidable(row, raw, table)
        case _:
            return True


def a_throw_of(row: dict[str, Any], raw: Raw) -> bool:
    keep: list[int] = raw["keep"] if "keep" in raw else raw["dice"]
    return (
        len(raw["dice"]) == row["dice"]
        and all(1 <= face <= row["sides"] for face in raw["dice"])
        and (row["bottoms"] or not raw.get("bottoms"))
        and missing(tuple(keep), tuple(raw["dice"])) is None
    )


@settings(max_examples=how_often(100), deadline=None)
@given(openings, waiting, scripts)
def test_a_pot_is_won_by_the_lowest_and_never_twice(
    fields: dict[str, Any], rolled: tuple[int, int], script: list[Raw]
) -> None:
    """TA1, TA3, TA7: recounted from the throws and keeps alone, after what was voided is gone."""
    table = played(fields, rolled, [raw for raw in script if raw["do"] not in {"void", "approve"}])
    state, zero = table.state.inner, fields.get("zero", 3)
    assert state.opened.options.zero == zero
    totals: dict[str, int] = {}
    done: dict[str, int] = {}
    thrown = DiceThrown("", ())
    limit: int | None = None
    for event in table.history:
        match event:
            case RoundStarted():
                totals, done, limit = {}, {}, event.limit
            case DiceThrown():
                thrown = event
            case DiceKept(player=player, dice=dice):
                more = total(dice, zero=zero, bottoms=thrown.bottoms)
                totals[player] = totals.get(player, 0) + more
                assert event.total == totals[player]
            case TurnEnded(player=player, bust=bust):
                assert not bust or (bool(done) and totals[player] > min(done.values()))
                done |= {} if bust else {player: totals[player]}
            case RoundTied(players=players, total=lowest):
                assert {p for p, n in done.items() if n == lowest} == set(players)
                assert lowest == min(done.values())
            case RoundWon(winner=winner, total=int(lowest)):
                assert done[winner] == lowest == min(done.values())
                assert list(done.values()).count(lowest) == 1
                assert limit is None or lowest <= limit
                assert {each.payee for each in event.payments} <= {winner, HOUSE}


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_the_last_finished_total_is_always_the_lowest(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """TA3: nobody finishes above it, so that `previous` and `lowest` are one game."""
    lowest = played({**fields, "bust": "lowest"}, (0, 0), script)
    previous = played({**fields, "bust": "previous"}, (0, 0), script)

    assert lowest.history[1:] == previous.history[1:]


@settings(max_examples=how_often(60), deadline=None)
@given(openings, waiting, scripts)
def test_the_pot_is_emptied_by_whoever_wins_it(
    fields: dict[str, Any], rolled: tuple[int, int], script: list[Raw]
) -> None:
    """G5: nothing of it is shared, and no coin stays behind; the next antes come after that."""
    table = played(fields, rolled, script)

    decider = table.ruleset.decider
    states = [decider.initial]
    for event in table.history:
        states.append(decider.evolve(states[-1], event))
    for (before, after), event in zip(pairwise(states), table.history, strict=True):
        if isinstance(event, RoundWon):
            assert after.inner.pot == 0
            assert sum(each.amount for each in event.payments) == before.inner.pot
            assert all(each.payer == POT for each in event.payments)
