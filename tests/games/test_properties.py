"""What holds for every sequence of commands, also those that nobody thought of."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games import stone
from games.refusals import Refused
from tests.forms import how_often
from tests.games import laws
from tests.games.spec import Raw, Table, opening

DICE = ([1, 1, 5], [2, 2, 7], [1, 1, 5], [1, 2, 3], [8, 8, 8], [1, 4, 7], [1, 3, 6], [3, 5, 7])
PLAYERS = st.sampled_from("ABCZ")
REACH = st.integers(0, 12).map(lambda back: -back)  # from the last event

openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([1, 2, 9, 25])},
    optional={
        "unit": st.sampled_from([1, 2, 5]),
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


@settings(max_examples=how_often(150), deadline=None)
@given(openings, scripts)
def test_the_laws_of_all_games_hold(fields: dict[str, Any], script: list[Raw]) -> None:
    laws.all_hold(played(fields, script))


@settings(max_examples=how_often(80), deadline=None)
@given(openings, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(fields: dict[str, Any], script: list[Raw], cut: int) -> None:
    laws.a_fold_may_stop_and_go_on(played(fields, script), cut)


@settings(max_examples=how_often(80), deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, script)

    laws.offers_are_exactly_what_is_taken(table, everything(table), fits)


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
            return laws.voidable(row, raw, table)
        case _:
            return True


def test_a_pair_is_no_home_throw() -> None:
    assert not stone.may_be_home((1, 1, 5), "wrap")
