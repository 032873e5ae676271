"""What holds for every sequence of commands in River, also those that nobody thought of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.refusals import Refused
from games.river import RIVER
from games.river.commitments import commitment
from games.river.hands import SIDES, SIZES
from games.river.messages import DiceRevealed, HandsUnseen, RoundStarted, RoundVoided, RoundWon
from tests.forms import how_often
from tests.games import laws
from tests.games.river_spec import SALT, RiverTable, opened, opening
from tests.games.spec import Raw, Table

PLAYERS = "ABCDZ"
HANDS: dict[str, Dice] = {
    "A": (2, 2, 2, 2, 12), "B": (2, 2, 2, 3, 12), "C": (1, 2, 2, 2, 11), "D": (4, 6, 8, 10, 12),
    "Z": (1, 1, 1, 1, 1),
}  # fmt: skip
BANKER = (4, 6, 8, 9, 1)


@dataclass(frozen=True)
class Step:
    """
    Something that is offered, or a void.

    :param kind: ``on`` brings the round on, ``play`` is any move of it, ``beside`` anything else.
    :param which: of the rows, counted round.
    :param much: for prices and bids, above the least; for faces; for voids, how far back.
    :param tied: with a commitment; for voids, with a second person.
    """

    kind: Literal["on", "play", "beside", "void"]
    which: int
    much: int
    tied: bool


openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([3, 9, 12, 50])},
    optional={
        "unit, price": st.sampled_from([(1, None), (1, 1), (1, 3), (1, 10), (5, None), (5, 5)]),
        "tie": st.sampled_from(["split", "high_value", "rolloff", "rolloff"]),
        "min_raise": st.sampled_from([1, 3]),
        "fee": st.sampled_from(
            [{"kind": "rake", "percent": 10}, {"kind": "seat", "amount": 2},
             {"kind": "time", "amount": 1, "minutes": 1}]
        ),
    },
)  # fmt: skip
KINDS: tuple[Literal["on", "play", "beside", "void"], ...] = ("on", "play", "beside", "void")
steps = st.builds(
    Step,
    kind=st.sampled_from([*KINDS[:1] * 24, *KINDS[1:2] * 8, *KINDS[2:]]),
    which=st.integers(0, 11),
    much=st.integers(0, 4),
    tied=st.booleans(),
)
scripts = st.lists(steps, max_size=12) | st.lists(steps, min_size=45, max_size=70)
PLAY = ("start_round", "seal", "offer", "bid", "pass", "sell", "withdraw", "reveal", "throw")
BESIDE = ("no_throw", "join", "leave", "buy_in", "cash_out", "close")
ON = tuple(do for do in PLAY if do not in {"bid", "pass"})


def played(fields: dict[str, Any], script: list[Step]) -> RiverTable:
    table = opened(**with_price(fields))
    for minute, step in enumerate(script):
        if (raw := meant(table, step, minute)) is not None:
            try:
                table.ask(raw)
            except Refused:
                continue
    return table


def with_price(fields: dict[str, Any]) -> dict[str, Any]:
    """The opening with a price that its unit allows."""
    own = {name: value for name, value in fields.items() if name != "unit, price"}
    unit, price = fields.get("unit, price", (1, 3))
    return {**own, "unit": unit, "price": price}


def meant(table: Table, step: Step, minute: int) -> Raw | None:
    if step.kind == "void":
        approved = {"approved_by": "M"} if step.tied else {}
        back_to = table.state.number - step.much
        return {"do": "void", "back_to": back_to, "reason": "x", **approved}
    wanted = {"on": ON, "play": PLAY}.get(step.kind, BESIDE)
    rows = [row for row in table.offers() if row["do"] in wanted]
    return asked(rows[step.which % len(rows)], step, minute) if rows else None


def asked(row: dict[str, Any], step: Step, minute: int) -> Raw:
    """One of the commands that a row of the offers means."""
    named: Raw = {name: row[name] for name in ("do", "player", "die") if name in row}
    match row["do"]:
        case "start_round" | "bid" | "sell":
            field = "price" if row["do"] == "start_round" else "amount"
            more: Raw = {field: min(row["least"] + step.much * row["step"], row["most"])}
        case "seal":
            hand = HANDS[row["player"]]
            tied = {"commitment": commitment(SALT, hand)} if step.tied else {}
            more = {**tied, "occurred_at": f"2026-01-31T20:{minute % 60:02d}:00+01:00"}
        case "reveal":
            salt = {"salt": SALT} if row["committed"] else {}
            more = {"dice": by_size(HANDS[row["player"]]), **salt}
        case "no_throw":
            more = {"reason": row["reasons"][-1]}
        case "buy_in" | "cash_out":
            more = {"amount": step.much + 1}
        case do:
            fixed: dict[str, Raw] = {
                "offer": {"dice": by_size(BANKER)},
                "throw": {"dice": [step.much + 1]},
                "join": {"player": "D", "stake": step.much},
            }
            more = fixed.get(do, {})
    return {**named, **more}


def by_size(dice: Dice) -> dict[str, int]:
    return dict(zip(SIZES, dice, strict=True))


@settings(max_examples=how_often(80), deadline=None)
@given(openings, scripts)
def test_the_laws_of_all_games_hold(fields: dict[str, Any], script: list[Step]) -> None:
    laws.all_hold(played(fields, script))


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(fields: dict[str, Any], script: list[Step], cut: int) -> None:
    laws.a_fold_may_stop_and_go_on(played(fields, script), cut)


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_the_pot_is_empty_between_rounds(fields: dict[str, Any], script: list[Step]) -> None:
    """RV6: whoever wins takes it all."""
    state = RIVER.decider.initial
    for event in played(fields, script).history:
        state = RIVER.decider.evolve(state, event)
        if isinstance(event, RoundWon | RoundVoided):
            assert state.inner.pot == 0


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_every_sealed_hand_is_shown_or_marked_unseen(
    fields: dict[str, Any], script: list[Step]
) -> None:
    """RV2: once the table is closed nothing is left open."""
    without_voids = [step for step in script if step.kind != "void"]
    table = played(fields, without_voids)
    if not RIVER.decider.is_terminal(table.state):
        table.ask({"do": "close"})

    seals = revealed = unseen = 0
    for event in table.history:
        seals += type(event).__name__ == "DiceSealed"
        revealed += isinstance(event, DiceRevealed)
        unseen += len(event.players) if isinstance(event, HandsUnseen) else 0
    assert seals == revealed + unseen


Surfaces = tuple[str, ...]


def surfaces(table: RiverTable, refused: list[str]) -> Surfaces:
    """All that anybody is shown of a game, as text."""
    events = [RIVER.encode(event) for event in table.history]
    shown = (events, table.view(), RIVER.explain(table.numbered()), table.offers(), refused)
    return tuple(json.dumps(each, sort_keys=True) for each in shown)


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts, st.permutations(list(HANDS.values())))
def test_nothing_depends_on_dice_that_nobody_has_shown(
    fields: dict[str, Any], script: list[Step], others: list[Dice]
) -> None:
    """RV2: until its reveal, a hand may be any other and nothing anywhere would differ."""
    one, other = (
        list(unrevealed(fields, script, hands))
        for hands in (HANDS, dict(zip(HANDS, others, strict=True)))
    )

    assert one == other


def unrevealed(
    fields: dict[str, Any], script: list[Step], hands: dict[str, Dice]
) -> Iterator[Surfaces]:
    """What is seen after each step of a game in which every attempt to reveal comes too early."""
    table = opened(**with_price(fields))
    refused: list[str] = []
    for minute, step in enumerate(script):
        raw = meant(table, replace(step, tied=False), minute)
        if raw is None or raw["do"] == "reveal":
            return
        early = {"do": "reveal", "player": "ABC"[step.which % 3]}
        for attempt in (raw, {**early, "dice": by_size(hands[early["player"]])}):
            try:
                table.ask(attempt)
            except Refused as refusal:
                refused.append(str(refusal))
        if any(isinstance(event, DiceRevealed) for event in table.history):
            return  # the last lot was hammered with this step: from here on hands are shown
        yield surfaces(table, refused)


@settings(max_examples=how_often(40), deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Step]) -> None:
    table = played(fields, script)

    laws.offers_are_exactly_what_is_taken(table, list(everything(table)), fits)


def everything(table: Table) -> Iterator[Raw]:
    """A space of commands, wrong players, wrong dice, wrong faces and numbers among them."""
    last = table.state.number
    for player in PLAYERS:
        yield from all_of(player)
        yield from at_auction(player)
    yield from ({"do": "start_round", "price": price} for price in (1, 3, 10, 51))
    yield {"do": "start_round"}
    yield from ({"do": "offer", "dice": by_size(dice)} for dice in (BANKER, (5, 1, 1, 1, 1)))
    yield {"do": "offer", "dice": {"d4": 1}}
    yield from ({"do": "withdraw", "die": die} for die in (*SIZES, "d20"))
    for number in range(max(0, last - 6), last + 2):
        yield {"do": "void", "back_to": number, "reason": "x"}
        yield {"do": "void", "back_to": number, "reason": "x", "approved_by": "M"}
        yield from ({"do": do, "request": number} for do in ("approve", "reject"))
    yield from ({"do": "close"}, {"do": "pause"}, opening())


def all_of(player: str) -> Iterator[Raw]:
    mine = {"player": player}
    hand = by_size(HANDS[player])
    yield {"do": "seal", **mine}
    yield {"do": "reveal", **mine, "dice": hand}
    yield {"do": "reveal", **mine, "dice": hand, "salt": SALT}
    yield {"do": "reveal", **mine, "dice": {"d4": 1}}
    yield from ({"do": "throw", **mine, "dice": dice} for dice in ([7], [13], [7, 7], []))
    yield from (
        {"do": "no_throw", **mine, "reason": why} for why in ("cocked", "interference", "tired")
    )
    yield from ({"do": "join", **mine, "stake": stake} for stake in (0, 5))
    yield from ({"do": do, **mine} for do in ("join", "leave", "stand"))
    yield {"do": "buy_in", **mine, "amount": 5}
    yield from ({"do": "cash_out", **mine, "amount": n} for n in (1, 9, 12, 51))
    yield {"do": "keep", **mine, "dice": [1]}


def at_auction(player: str) -> Iterator[Raw]:
    for die in (*SIZES, "d20"):
        yield {"do": "pass", "player": player, "die": die}
        for do in ("bid", "sell"):
            yield from (
                {"do": do, "player": player, "die": die, "amount": amount} for amount in (1, 3, 9)
            )


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    own = ("player", "die", "request") if raw["do"] != "join" else ()
    if any(row.get(name) != raw.get(name) for name in own):
        return False
    match raw["do"]:
        case "start_round" | "bid" | "sell" | "cash_out":
            return money_fits(row, raw)
        case "throw" | "offer" | "reveal" | "no_throw":
            return dice_fit(row, raw)
        case "void":
            return laws.voidable(row, raw, table)
        case "join":
            return may_join(row, raw, table)
        case _:
            return True


def money_fits(row: dict[str, Any], raw: Raw) -> bool:
    coins = raw.get("price", row["price"]) if raw["do"] == "start_round" else raw["amount"]
    if coins is None or coins % row.get("step", 1):
        return False
    return bool(row.get("least", 1) <= coins <= row["most"])


def dice_fit(row: dict[str, Any], raw: Raw) -> bool:
    match raw["do"]:
        case "throw":
            return len(raw["dice"]) == row["dice"] and bool(raw["dice"][0] <= row["sides"])
        case "offer":
            return bool(raw["dice"] == by_size(BANKER))
        case "reveal":
            return len(raw["dice"]) == len(SIDES) and ("salt" in raw) == row["committed"]
        case _:
            return raw["reason"] in row["reasons"]


def may_join(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    """G1: newcomers and who has left; with coins, the opening's stake or what is still here."""
    state = table.state.inner
    player, holds = raw["player"], state.stakes.get(raw["player"], 0)
    if player in state.seats and player not in row["back"]:
        return False
    return bool(holds or raw.get("stake", state.opened.stake))


def test_a_round_starts_with_those_who_can_pay() -> None:
    table = opened(players=[{"name": "A", "stake": 3}, {"name": "B"}, {"name": "C"}]).tell("$")

    (event,) = [each for each in table.history if isinstance(each, RoundStarted)]
    assert event.players == ("B", "C")
