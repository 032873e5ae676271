"""What holds for every sequence of commands, also those that nobody thought of."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice_breaker import DICE_BREAKER
from games.dice_breaker.hands import DICE, hand_of, points, strength
from games.dice_breaker.messages import DieThrown, GameEnded, GameOpened, PlayerLeft, RoundScored
from games.dice_breaker.state import Playing
from games.messages import PlayerJoined, live
from games.payments import POT
from games.refusals import Refused
from tests.forms import how_often
from tests.games import laws
from tests.games.spec import Raw, Table
from tests.games.spec_dice_breaker import opened, opening

PLAYERS = st.sampled_from("ABCDZ")
REACH = st.integers(0, 12).map(lambda back: -back)  # from the last event
FACES = st.sampled_from([1, 1, 2, 2, 3, 4, 5, 6])
MONEY = ("ante", "fee")
ON = "on"  # no surface's word: several throws, one after the other

openings = st.fixed_dictionaries(
    {"stake": st.sampled_from([4, 9, 25]), "target": st.sampled_from([1, 2, 6, 33])},
    optional={
        "unit": st.sampled_from([1, 2, 5]),
        "players": st.sampled_from(["AB", "ABC"]),
        "mode": st.sampled_from(["battle", "battle", "quick"]),
        "tie_by": st.sampled_from(["category", "face"]),
        "ante": st.sampled_from([1, 4]),
        "first": st.sampled_from("AB"),
        "fee": st.sampled_from(
            [{"kind": "rake", "percent": 10}, {"kind": "seat", "amount": 1},
             {"kind": "time", "amount": 1, "minutes": 1}]
        ),
    },
)  # fmt: skip

# What is thrown and hit is drawn as numbers, and means one of the dice that may be.
throws = st.fixed_dictionaries(
    {"do": st.just("throw"), "die": st.integers(0, 4), "value": FACES},
    optional={
        "breaks": st.lists(st.tuples(st.integers(0, 9), FACES), max_size=2),
        "out": st.sampled_from([None, 0, 3]),
        "caught": st.sampled_from([None, 0, 1]),
        "latent": st.sampled_from([0, 1, 2]),
        "spinning": st.sampled_from([True, False, False]),
        "minute": st.integers(0, 59),
    },
)
plain = st.fixed_dictionaries({"do": st.just("throw"), "die": st.just(0), "value": FACES})
on_and_on = st.builds(
    lambda told: {"do": ON, "throws": told},
    st.lists(plain | throws, min_size=3, max_size=12)
    | st.sampled_from([[6] * 10, [1, 1, 1, 1, 2] * 2]).map(
        lambda faces: [{"do": "throw", "die": 0, "value": face} for face in faces]
    ),
)
starts = st.builds(lambda face: {"do": "break_start", "player": None, "value": face}, FACES)
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
)
voids = st.one_of(
    st.builds(lambda back_to: {"do": "void", "back_to": back_to, "reason": "x"}, REACH),
    st.builds(
        lambda back_to: {"do": "void", "back_to": back_to, "reason": "x", "approved_by": "M"}, REACH
    ),
    st.builds(lambda number: {"do": "approve", "request": number}, REACH),
    st.builds(lambda number: {"do": "reject", "request": number}, REACH),
)
stand = st.just({"do": "stand", "player": None})
often = st.one_of(plain, *[on_and_on] * 3, *[throws] * 4, starts, stand)
seldom = st.one_of(*[comings] * 5, *[voids] * 3, st.just({"do": "close"}))
step = st.integers(0, 7).flatmap(lambda which: often if which else seldom)
scripts = st.lists(step, max_size=10) | st.lists(step, min_size=15, max_size=30)


def played(fields: dict[str, Any], script: Sequence[Raw]) -> Table:
    """What is refused leaves no trace."""
    if "ante" not in fields:
        fields = {name: value for name, value in fields.items() if name not in MONEY}
    stake = fields["stake"] + fields.get("ante", 0) * (fields.get("unit", 1) - 1)
    table = opened(**{"players": "AB", **fields, "stake": stake})
    for raw in script:
        for each in raw.get("throws", [raw]):
            try:
                table.ask(meant(table, each))
            except Refused:
                continue
    return table


def meant(table: Table, raw: Raw) -> Raw:
    """Nobody is whoever is on turn; events and requests are counted from the last."""
    if raw["do"] == "throw" and isinstance(raw["die"], int):
        return throw(table, raw)
    if raw.get("player", "") is None:
        return {**raw, "player": turn(table, raw["do"])}
    last = table.state.number
    return {
        name: last + value if name in {"back_to", "request"} else value
        for name, value in raw.items()
    }


def turn(table: Table, do: str) -> str:
    return next((row["player"] for row in table.offers() if row["do"] == do), "A")


def throw(table: Table, raw: Raw) -> Raw:
    """The throw that the numbers mean; where nothing may be thrown, the starting die broken."""
    rows = [row for row in table.offers() if row["do"] == "throw"]
    if not rows:  # perhaps the starting die is to be broken
        return {"do": "break_start", "player": turn(table, "break_start"), "value": raw["value"]}
    row = rows[raw.get("latent", 0) % len(rows)]
    dice, hits = row["die"], row["hits"]
    die = dice[raw["die"] % len(dice)]
    seen: dict[str, Any] = {"breaks": [], "out": [], "caught": []}
    for place, face in raw.get("breaks", ()) if hits else ():
        seen["breaks"].append({"die": hits[-1 - place % len(hits)], "value": face})
    if (out := raw.get("out")) is not None:
        seen["out"].append([die, *hits][out % (1 + len(hits))])
    if (caught := raw.get("caught")) is not None:
        catcher = row["catchers"][caught % len(row["catchers"])]
        seen["caught"].append({"die": [die, *hits][caught % (1 + len(hits))], "by": catcher})
    spins = {"spinning": True} if row["spinning"] or raw.get("spinning") else {}
    at = {"occurred_at": f"2026-01-31T20:{raw['minute']:02d}:00+01:00"} if "minute" in raw else {}
    named = {"do": "throw", "player": row["player"], "die": die, "value": raw["value"]}
    return {**named, **seen, **spins, **at}


@settings(max_examples=how_often(80), deadline=None)
@given(openings, scripts)
def test_the_laws_of_all_games_hold(fields: dict[str, Any], script: list[Raw]) -> None:
    laws.all_hold(played(fields, script))


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts, st.integers(0, 40))
def test_a_fold_may_stop_and_go_on(fields: dict[str, Any], script: list[Raw], cut: int) -> None:
    laws.a_fold_may_stop_and_go_on(played(fields, script), cut)


@settings(max_examples=how_often(35), deadline=None)
@given(openings, scripts)
def test_offers_are_exactly_what_is_taken(fields: dict[str, Any], script: list[Raw]) -> None:
    table = played(fields, script)

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
        *({"do": "break_start", "player": player, "value": n} for n in (0, 1, 7)),
        *(
            {"do": "throw", "player": player, "die": die, "value": 1, **more}
            for die in ("A1", "A2", "B1", "B5", "C1", "D6", "trump", "latent1", "latent5")
            for more in THROWN
        ),
        {"do": "throw", "player": player, "dice": [1]},
        {"do": "stand", "player": player},
        {"do": "leave", "player": player},
        *({"do": "no_throw", "player": player, "reason": why} for why in ("cocked", "tired")),
        *({"do": "cash_out", "player": player, "amount": n} for n in (1, 9, 25, 26, 76)),
        {"do": "buy_in", "player": player, "amount": 5},
        *({"do": "join", "player": player, "stake": n} for n in (0, 5)),
        {"do": "keep", "player": player, "dice": [1]},
    ]


THROWN: list[Raw] = [
    {},
    {"spinning": True},
    {"value": 7},
    {"breaks": [{"die": "A1", "value": 2}]},
    {"breaks": [{"die": "B1", "value": 7}]},
    {"breaks": [{"die": "A1", "value": 2}, {"die": "trump", "value": 2}], "spinning": True},
    {"out": ["A1"], "value": 7},
    {"out": ["trump"], "spinning": True},
    {"out": ["B1", "B1"]},
    {"caught": [{"die": "A1", "by": "B"}]},
    {"caught": [{"die": "B1", "by": "Z"}]},
]


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    if raw["do"] == "join":
        return may_join(row, raw, table)
    same = row.get("player") == raw.get("player") and row.get("request") == raw.get("request")
    return same and as_offered(row, raw, table)


def may_join(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    inner, player = table.state.inner, raw["player"]
    has = inner.stakes.get(player, 0) + raw["stake"]
    return bool(has >= row["least"] and (player in row["back"] or player not in inner.seats))


def as_offered(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    match raw["do"]:
        case "break_start":
            return bool(1 <= raw["value"] <= row["sides"])
        case "throw":
            return "die" in raw and raw["die"] in row["die"] and falls(row, raw)
        case "no_throw":
            return raw["reason"] in row["reasons"]
        case "cash_out":
            return bool(raw["amount"] <= row["most"])
        case "void":
            return laws.voidable(row, raw, table)
        case _:
            return True


def falls(row: dict[str, Any], raw: Raw) -> bool:
    """Whether the throw is one that the row means, dice hit, gone and caught among it."""
    broken = [each["die"] for each in raw.get("breaks", ())]
    gone = [*raw.get("out", ()), *(each["die"] for each in raw.get("caught", ()))]
    faces = [each["value"] for each in raw.get("breaks", ())]
    faces += [] if raw["die"] in gone else [raw["value"]]
    spins, itself = raw.get("spinning", False), raw["die"]
    moves = bool(broken) or itself not in gone or itself.startswith("latent")
    return (
        len({*broken, *gone}) == len([*broken, *gone])
        and set(broken) <= set(row["hits"])
        and set(gone) <= {itself, *row["hits"]}
        and {each["by"] for each in raw.get("caught", ())} <= set(row["catchers"])
        and all(1 <= face <= row["sides"] for face in faces)
        and (spins or not row["spinning"])
        and (not spins or (row["may_spin"] and moves))
    )


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_a_round_is_scored_by_what_lies_there_when_it_ends(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """DB2, DB4, DB5, DB8: the faces recounted from the throws alone, the last word on each die."""
    table = played(fields, script)
    faces: dict[str, int | None] = {}
    owners: dict[str, str | None] = {}
    for _, event in live(table.numbered()):
        if isinstance(event, DieThrown) and event.lies != "corner":
            owners[event.die] = None if event.die == "trump" and not faces else event.player
            faces[event.die] = event.value
        if isinstance(event, DieThrown):
            faces |= {each.die: each.value for each in event.breaks}
            gone = [*event.out, *(each.die for each in event.caught)]
            faces |= {die: None for die in gone if die in faces}
        if isinstance(event, RoundScored):
            counted = {
                each.player: sorted(
                    face
                    for die, face in faces.items()
                    if face is not None and owners[die] in {each.player, None}
                )
                for each in event.hands
            }
            assert {each.player: list(each.dice) for each in event.hands} == counted
            scored_fairly(event, fields.get("tie_by", "category"))
            faces, owners = {}, {}


def scored_fairly(event: RoundScored, tie_by: Any) -> None:
    """No five dice make more than the hand; the highest share its points, and nobody else."""
    strengths = {}
    for each in event.hands:
        fives = [hand_of(five) for five in combinations(each.dice, min(DICE, len(each.dice)))]
        strengths[each.player] = max(strength(hand, tie_by) for hand in fives)
    best = max(strengths.values())
    winners = {player for player, each in strengths.items() if each == best and best[0] > 0}
    assert set(event.winners) == winners
    worth = [points(each.hand) for each in event.hands if each.player in winners]
    assert sum(score for _, score in event.scores) == next(iter(worth), 0)
    assert len({score for _, score in event.scores}) <= 1


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_a_game_is_won_by_the_highest_total_or_by_five_of_a_kind(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """DB6: one at the top, at the target or above, has won; several play on alone."""
    table = played(fields, script)
    state = table.ruleset.decider.initial
    for event, following in zip(table.history, [*table.history[1:], None], strict=True):
        before, state = state.inner, table.ruleset.decider.evolve(state, event)
        if not isinstance(event, RoundScored):
            continue
        totals = {each: state.inner.scores[each] for each in before.round.order}
        top = max(totals.values())
        leaders = tuple(each for each in totals if totals[each] == top >= fields["target"])
        five = any(each.hand == "five" for each in event.hands)
        winners = event.winners if five else leaders
        won = five or len(leaders) == 1
        assert isinstance(following, GameEnded) == won
        assert not isinstance(following, GameEnded) or following.winners == winners
        assert event.play_off == (() if won else leaders)


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_the_pot_is_the_antes_that_stay_in_it_until_it_is_paid_out_at_once(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    """DB11, G1, G11: who joins brings one; who leaves takes theirs, but not after a throw."""
    table = played(fields, script)
    decider, ante = table.ruleset.decider, fields.get("ante", 0) * fields.get("unit", 1)
    states = [decider.initial]
    for event in table.history:
        states.append(decider.evolve(states[-1], event))
    for (before, after), event in zip(pairwise(states), table.history, strict=True):
        if isinstance(event, GameEnded):
            assert after.inner.pot == 0
            assert sum(each.amount for each in event.payments if each.payer == POT) == (
                before.inner.pot
            )
    inner = table.state.inner
    stay, thrown = 0, False
    for _, event in live(table.numbered()):
        match event:
            case GameOpened(players=players):
                stay = len(players)
            case PlayerJoined():
                stay += 1
            case PlayerLeft() if not thrown:
                stay -= 1
            case DieThrown():
                thrown = True
    assert not isinstance(inner, Playing) or inner.pot == ante * stay


@settings(max_examples=how_often(60), deadline=None)
@given(openings, scripts)
def test_every_die_is_in_one_place(fields: dict[str, Any], script: list[Raw]) -> None:
    """DB8, DB10: none is lost, none is there twice, whoever threw, broke or caught it."""
    table = played(fields, script)
    inner = table.state.inner
    if isinstance(inner, Playing) and inner.round.hands:
        this = inner.round
        held = [die for dice in this.hands.values() for die in dice]
        dice = [*held, *this.lying, *this.corner]
        extra = 5 if this.battle else 0
        assert len(dice) == len(set(dice)) == DICE * len(this.order) + extra
        assert len(table.view()["arena"]) == len(dice)
        assert (this.turn is None) == (not held)


def test_points_are_exact_however_many_share_them() -> None:
    hand = "=11122"
    table = opened("ABCDEFG", first="A")
    for player in "ABCDEFG":
        for place, face in enumerate(hand[1:], 1):
            table.ask({"do": "throw", "player": player, "die": f"{player}{place}",
                       "value": int(face)})  # fmt: skip

    assert sum(Fraction(each) for each in table.view()["points"].values()) == 5
    assert set(table.view()["points"].values()) == {"5/7"}


def test_the_rules_are_of_the_first_version() -> None:
    assert DICE_BREAKER.version == 1
