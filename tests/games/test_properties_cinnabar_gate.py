"""What holds for every sequence of commands, also those that nobody thought of."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinnabar_gate import CINNABAR_GATE
from games.cinnabar_gate.hands import PAY_AT_START
from games.cinnabar_gate.messages import RoundSettled
from games.cinnabar_gate.state import Playing, playable
from games.messages import Fact
from games.payments import POT
from games.refusals import Refused
from tests.forms import how_often
from tests.games import laws
from tests.games.cinnabar_gate_spec import opening
from tests.games.spec import Raw, Table

PLAYERS = st.sampled_from("ABCDZ")
REACH = st.integers(0, 12).map(lambda back: -back)  # from the last event
DICE = (
    [1, 1, 5], [2, 2, 5], [1, 1, 8], [1, 2, 3], [8, 8, 8], [1, 4, 7], [1, 3, 6], [1, 3, 5],
    [3, 5, 7], [2, 4, 6], [4, 6, 8], [1, 1, 8],
)  # fmt: skip

openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([1, 2, 9, 25])},
    optional={
        "unit": st.sampled_from([1, 2, 5]),
        "variant": st.sampled_from(["table", "table", "pool", "pool", "arcade"]),
        "home_throw": st.just([1, 3, 6]),
        "home_throw_policy": st.just("attendant"),
        "runs": st.sampled_from(["wrap", "straight"]),
        "pay_lowering": st.sampled_from(["to_score", "by_one"]),
        "junk_order": st.sampled_from(["low", "high"]),
        "pair_value": st.booleans(),
        "junk_rethrows": st.sampled_from([0, 1, 3]),
        "pay_cap": st.sampled_from(["none", 3, 9]),
        "empty": st.sampled_from(["only", "also"]),
        "ties": st.sampled_from(["rethrow", "split"]),
        "winnings": st.sampled_from(["stake", "pocket"]),
        "opal": st.sampled_from([0, 1, 2]),
        "arcade_points": st.sampled_from(["pay", 1]),
        "first": st.sampled_from("ABC"),
        "fee": st.sampled_from(
            [{"kind": "rake", "percent": 10}, {"kind": "seat", "amount": 1},
             {"kind": "time", "amount": 1, "minutes": 1}]
        ),
    },
)  # fmt: skip

# A throw by nobody is by whoever is on turn.
on_turn = st.builds(
    lambda dice: {"do": "throw", "player": None, "dice": dice}, st.sampled_from(DICE)
)
scoring = st.builds(
    lambda dice: {"do": "throw", "player": None, "dice": dice}, st.sampled_from(DICE[:5])
)
anybody = st.builds(
    lambda player, dice, minute: {
        "do": "throw", "player": player, "dice": dice,
        "occurred_at": f"2026-01-31T20:{minute:02d}:00+01:00",
    },
    PLAYERS, st.sampled_from(DICE), st.integers(0, 59),
)  # fmt: skip
stand = st.just({"do": "stand", "player": None})
comings = st.one_of(
    st.builds(lambda player: {"do": "leave", "player": player}, PLAYERS),
    st.builds(
        lambda player, stake: {"do": "join", "player": player, **stake},
        PLAYERS,
        st.sampled_from([{}, {"stake": 0}, {"stake": 6}]),
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
)
voids = st.one_of(
    st.builds(lambda back_to: {"do": "void", "back_to": back_to, "reason": "x"}, REACH),
    st.builds(
        lambda back_to: {"do": "void", "back_to": back_to, "reason": "x", "approved_by": "M"}, REACH
    ),
    st.builds(lambda number: {"do": "approve", "request": number}, REACH),
    st.builds(lambda number: {"do": "reject", "request": number}, REACH),
)
settle_home = st.just({"do": "throw_home", "dice": [1, 3, 6]})
often = st.one_of(*[on_turn] * 5, *[scoring] * 3, anybody, stand, settle_home)
seldom = st.one_of(*[comings] * 6, *[voids] * 2, st.just({"do": "close"}))
step = st.integers(0, 6).flatmap(lambda which: often if which else seldom)
scripts = st.lists(step, max_size=10) | st.lists(step, min_size=30, max_size=60)


def played(fields: dict[str, Any], script: Sequence[Raw]) -> Table:
    """What is refused leaves no trace."""
    table = Table(ruleset=CINNABAR_GATE)
    table.ask(opening(**agreeing(fields)))
    for raw in script:
        try:
            table.ask(meant(table, raw))
        except Refused:
            continue
    return table


def agreeing(fields: dict[str, Any]) -> dict[str, Any]:
    """Without what would be refused together."""
    variant = fields.get("variant", "table")
    unpaid = variant == "arcade" or (variant == "table" and "percent" in fields.get("fee", {}))
    left_out = {"fee"} if unpaid else set()
    if "home_throw_policy" in fields:
        left_out |= {"home_throw"}
    return {name: value for name, value in fields.items() if name not in left_out}


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


@settings(max_examples=how_often(120), deadline=None)
@given(openings, scripts)
def test_the_laws_of_all_games_hold(fields: dict[str, Any], script: list[Raw]) -> None:
    laws.all_hold(played(fields, script))


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(fields: dict[str, Any], script: list[Raw], cut: int) -> None:
    laws.a_fold_may_stop_and_go_on(played(fields, script), cut)


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, script)

    laws.offers_are_exactly_what_is_taken(table, everything(table), fits)


def everything(table: Table) -> list[Raw]:
    """A space of commands, wrong players, wrong faces and wrong numbers among them."""
    numbers = range(table.state.number + 2)
    return [
        *(raw for player in "ABCDZ" for raw in all_of(player)),
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
        *({"do": "buy_in", "player": player, "amount": n} for n in (1, 5, 2**53 - 1)),
        *({"do": "join", "player": player, "stake": n} for n in (0, 5, 2**53 - 1)),
        {"do": "join", "player": player},
        {"do": "keep", "player": player, "dice": [1]},
    ]


DICES = ([1, 1, 5], [1, 3, 6], [1, 1], [1, 1, 1, 1], [0, 1, 1], [1, 1, 9])


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    if raw["do"] == "join":
        return joins(row, raw, table)
    if row.get("player") != raw.get("player") or row.get("request") != raw.get("request"):
        return False
    fitting: dict[str, Callable[[], bool]] = {
        "throw": lambda: thrown_so(row, raw),
        "throw_home": lambda: thrown_so(row, raw),
        "no_throw": lambda: raw["reason"] in row["reasons"],
        "cash_out": lambda: raw["amount"] <= row["most"],
        "buy_in": lambda: row["least"] <= raw["amount"] <= row["most"],
        "void": lambda: laws.voidable(row, raw, table),
    }
    return fitting.get(raw["do"], lambda: True)()


def thrown_so(row: dict[str, Any], raw: Raw) -> bool:
    return len(raw["dice"]) == row["dice"] and all(
        1 <= each <= row["sides"] for each in raw["dice"]
    )


def joins(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    """A newcomer, or who comes back and may have money here; without a stake: the agreed one."""
    state, player = table.state.inner, raw["player"]
    if player in state.stakes and player not in row["back"]:
        return False
    here = playable(state, player) if player in row["back"] else 0
    brought = raw.get("stake", 0 if here else row["stake"] or 0)
    return bool(here + brought >= row["least"] and brought <= row["most"])


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_nobody_pays_more_than_the_pay_or_for_their_own_win(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """CG6, CG7, CG11: who wins does not lose, and each loser pays the pay as far as it goes."""
    for before, event in steps(played(fields, script)):
        if not isinstance(event, RoundSettled) or not isinstance(before, Playing):
            continue
        assert not set(event.winners) & set(event.losers)
        assert event.losers
        paid = dict.fromkeys(event.losers, 0)
        for payment in event.payments:
            paid[payment.payer] += payment.amount
            assert payment.payee in (event.winners or (POT,))
        if before.opened.options.variant != "arcade":
            pay = event.pay * before.opened.options.unit
            assert paid == {each: min(pay, playable(before, each)) for each in event.losers}
        assert sum(points for _, points in event.points) in {0, 1, event.pay}


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_the_pay_starts_anew_and_is_never_nothing(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """CG2, CG5, CG8: nor is a pocket ever more than its owner has."""
    table = played(fields, script)
    for _, event in steps(table):
        if isinstance(event, RoundSettled):
            assert event.pay >= 1
    state = table.state.inner
    assert all(0 <= coins <= state.stakes[name] for name, coins in state.pockets.items())
    if isinstance(state, Playing):
        assert state.round.begun or state.round.pay == PAY_AT_START
        for_money = state.opened.options.variant != "arcade"
        assert (
            not for_money
            or state.round.begun
            or all(playable(state, name) > 0 for name in state.playing)
        )


def steps(table: Table) -> list[tuple[Any, Fact]]:
    """Each event with the game's own state before it."""
    state, seen = CINNABAR_GATE.decider.initial, []
    for event in table.history:
        seen.append((state.inner, event))
        state = CINNABAR_GATE.decider.evolve(state, event)
    return seen
