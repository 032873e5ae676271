"""The odds of Stone Hand as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters import odds_tables
from casino.words.presenters.odds_tables import (
    Choice,
    Coins,
    Column,
    Field,
    Plot,
    Subject,
    Table,
    Whole,
    options,
)
from casino.words.presenters.stone_hand.opening import OPENING
from games import odds, stone
from games.kinds import COINS
from games.odds import NEVER
from games.payments import COINS_MAX
from games.stone_hand.messages import Options
from games.stone_hand.odds import PLAYERS, POLICIES, Ending, How, Landed, Owed, Rounds, Throws
from games.stone_hand.opening import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from casino.words.presenters.odds_tables import Query

HANDS: Final = ("triple", "run", "pair", "home", "triad", "empty")
ENDINGS: Final[dict[How, str]] = {
    "worst": "by the worst hand",
    "tie": "by a tie, thrown off",
    "triad": "by a triad, at once",
    "tie_triad": "by a triad in a tie",
    "void": "void",
}

FIELDS: Final = (
    Field("players", Whole(PLAYERS), 4, "How many play the round."),
    *odds_tables.HOME_THROW_FIELDS,
    Field(
        "policy",
        Choice(POLICIES),
        "likelier",
        "With rethrow: throw again where a new hand is likelier to be better than worse, or never.",
        minor=True,
    ),
    Field(
        "stake",
        Coins(COINS),
        None,
        "What each has left, the most anybody pays (G2).",
        minor=True,
        money=True,
    ),
    *options(
        Options,
        OPENING,
        descriptions={
            "mode": "What the loser owes (SH1, SH12, SH13).",
            "runs": "Whether 7-8-1 and 8-1-2 are runs.",
            "tie_owes": "What is owed after a tie (SH5).",
            "triad_pay": "What a triad costs, in points (SH6).",
            "triads": "Whether triads lose at once or are empty (SH6).",
            "sole": "Whether who is left alone throws and pays (SH7).",
            "rethrow": "How often the first thrower may throw again (SH11).",
            "point_to": "Who scores in a scoreboard game (SH13).",
            "unit": "What a point costs (G11).",
        },
        unmoved={"homes": "Which home throws are in force is asked by itself (SH7)."},
        ranges=RANGES,
    ),
)


def tables(query: Query) -> Iterator[Table]:
    throws = Throws(
        options=query.options,
        homes=odds_tables.home_throws_in_force(
            query, lambda dice: stone.may_be_home(dice, query.options.runs)
        ),
        policy=query["policy"],
        stake=query["stake"],
    )
    rounds = Rounds(throws)
    players: int = query["players"]
    yield table_of_throws(throws)
    if query.options.rethrow:
        yield standing_hand(throws)
    if query.options.mode == "pool":
        yield table_of_debts(rounds, players)
    if query.options.mode == "scoreboard":
        yield scoring(rounds, players)
    yield table_of_losing_hands(rounds, players)
    yield endings(rounds, players)
    yield by_turn(rounds, players)
    yield by_players(rounds, players)
    yield scores(throws)


def notes(query: Query) -> Iterator[str]:
    """The assumptions behind the numbers, in sentences."""
    homes = odds_tables.home_throws_in_force(query, lambda _: True)
    yield f"Home throws in force: {odds_tables.spoken_home_throws(homes)}."
    if query.options.rethrow and query["policy"] == "likelier":
        yield (
            "Whoever may throw again does so if a new valid throw is likelier to be better than to"
            " be worse (SH11). Other ways of playing have other odds."
        )
    if query.options.mode == "drinks":
        drinks = query["players"] - 1
        if drinks == 1:
            yield "The loser owes the other a drink (SH12)."
        else:
            yield f"The loser owes {drinks} drinks, one to each of the others (SH12)."
    if query["stake"] is None and query.options.triad_pay == "all":
        yield "A triad costs all that is left of the stake (SH6); name a stake to count in coins."


def table_of_throws(throws: Throws) -> Table:
    single = odds.chances_of_view(throws.single, lambda landed: landed.hand.name)
    valid = odds.chances_of_view(throws.valid, lambda landed: landed.hand.name)
    rows = tuple(
        (name, int(single[name] * stone.SIDES**stone.DICE), single[name], valid.get(name))
        for name in HANDS
        if name in single
    )
    return Table(
        "throw",
        "One throw",
        "Of 512 throws of three d8, and of the throws that stand when empty ones are thrown"
        " again. SH2",
        (
            Column("hand", "Hand", "word"),
            Column("throws", "Throws of 512", "whole"),
            Column("chance", "One throw", "chance"),
            Column("valid", "The valid throw", "chance"),
        ),
        rows,
        Plot("bars", "hand", ("chance", "valid")),
        open=True,
    )


def standing_hand(throws: Throws) -> Table:
    """The chances of the hand that stands, by how often its thrower may throw again (SH11)."""
    often = range(throws.options.rethrow + 1)
    stands = [
        odds.chances_of_view(throws.turn(many), lambda turn: turn[0].hand.name) for many in often
    ]
    again = throws.thrown_again
    return Table(
        "stands",
        "The hand that stands",
        f"By how often its thrower may throw a valid hand again. The {len(again)} worst of the"
        f" {len(throws.ranked)} hands are thrown again. SH11",
        (
            Column("hand", "Hand", "word"),
            *(
                Column(f"allowed_{many}", "Once" if many == 1 else f"{many} times", "chance")
                for many in often
            ),
        ),
        tuple(
            (name, *(each.get(name, NEVER) for each in stands))
            for name in HANDS
            if any(name in each for each in stands)
        ),
        Plot("bars", "hand", tuple(f"allowed_{many}" for many in often)),
    )


def table_of_debts(rounds: Rounds, players: int) -> Table:
    paid = odds.chances_of_view(rounds.among(players).endings, _coins)
    by_size = sorted(paid, key=lambda coins: COINS_MAX if isinstance(coins, str) else coins)
    return Table(
        "payment",
        "What the loser pays",
        f"In a round of {players}; 0 where the round is void. SH4, SH5, SH6",
        (Column("coins", "Pays", "whole", money=True), Column("chance", "Chance", "chance")),
        tuple((coins, paid[coins]) for coins in by_size),
        Plot("columns", "coins", ("chance",)),
    )


def _coins(ending: Ending) -> Owed:
    return 0 if ending.landed is None else ending.landed.owes


def scoring(rounds: Rounds, players: int) -> Table:
    scored = rounds.among(players).scoring
    return Table(
        "scoring",
        "How many score a point",
        f"In a round of {players}; nobody where a triad or nothing ends it. SH13",
        (Column("players", "Players", "whole"), Column("chance", "Chance", "chance")),
        tuple(sorted(scored.items())),
        Plot("bars", "players", ("chance",)),
    )


def table_of_losing_hands(rounds: Rounds, players: int) -> Table:
    """The chances of each hand to be the losing one."""
    hands = odds.chances_of_view(rounds.among(players).endings, lambda end: _hand(end.landed)[0])
    return Table(
        "loser",
        "The hand that loses",
        f"In a round of {players}: the hand that the loser pays for. SH4, SH5, SH6",
        (Column("hand", "Hand", "word"), Column("chance", "Chance", "chance")),
        tuple((name, hands[name]) for name in sorted(hands, key=_order, reverse=True)),
        Plot("bars", "hand", ("chance",)),
    )


def _hand(landed: Landed | None) -> tuple[str, int | None]:
    return ("void", None) if landed is None else (landed.hand.name, landed.hand.score)


def _order(name: str) -> int:
    return ("void", "triple", "run", "pair", "triad").index(name)


def endings(rounds: Rounds, players: int) -> Table:
    ends = odds.chances_of_view(rounds.among(players).endings, lambda end: end.how)
    return Table(
        "ending",
        "How the round ends",
        f"In a round of {players}. SH4, SH5, SH6, SH7",
        (Column("ending", "Ending", "word"), Column("chance", "Chance", "chance")),
        tuple((words, ends.get(how, NEVER)) for how, words in ENDINGS.items()),
        Plot("bars", "ending", ("chance",)),
    )


def by_turn(rounds: Rounds, players: int) -> Table:
    places = rounds.among(players).places
    return Table(
        "turn",
        "Who loses",
        "By turn: a triad or a home throw stops those who come after, so that turns differ. SH6,"
        " SH7",
        (Column("turn", "Turn", "whole"), Column("chance", "Loses", "chance")),
        tuple(enumerate(places, 1)),
        Plot("columns", "turn", ("chance",)),
    )


def by_players(rounds: Rounds, players: int) -> Table:
    return Table(
        "players",
        "By number of players",
        "The mean payment counts a void round as 0. SH4 to SH7",
        (
            Column("players", "Players", "whole"),
            Column("mean", "Mean payment", "mean", money=True),
            Column("tie", "Tie for worst", "chance"),
            Column("triad", "Ends by a triad", "chance"),
            Column("restart", "Home throw restarts it", "chance"),
            Column("void", "Void", "chance"),
        ),
        tuple(_row(rounds, many) for many in range(PLAYERS[0], max(players, 6) + 1)),
        Plot("bars", "players", ("tie", "triad", "restart")),
        open=True,
    )


def _row(rounds: Rounds, players: int) -> tuple[int | Fraction | None, ...]:
    this = rounds.among(players)
    ends = odds.chances_of_view(this.endings, lambda end: end.how)
    paid = odds.chances_of_view(this.endings, _coins)
    counted = {coins: each for coins, each in paid.items() if isinstance(coins, int)}
    known = rounds.throws.options.mode == "pool" and len(counted) == len(paid)
    triads = ends.get("triad", NEVER) + ends.get("tie_triad", NEVER)
    return (
        players,
        odds.mean(counted) if known else None,
        this.tied,
        triads,
        this.restarted,
        ends.get("void", NEVER),
    )


def scores(throws: Throws) -> Table:
    """The chances of each hand and score; the paired value orders pairs of equal score (SH3)."""
    valid = odds.chances_of_view(throws.valid, lambda each: (_hand(each), each.owes))
    single = odds.chances_of_view(throws.single, lambda each: (_hand(each), each.owes))
    listed = [key for key in single if key[0][1] is not None]
    listed.sort(key=lambda key: (_order(key[0][0]), key[0][1] or 0))
    return Table(
        "scores",
        "Hands and scores",
        "Best first, and what each costs whoever loses with it. SH3, SH4",
        (
            Column("hand", "Hand", "word"),
            Column("score", "Score", "whole"),
            Column("owes", "Owes", "whole", money=throws.options.mode == "pool"),
            Column("chance", "One throw", "chance"),
            Column("valid", "The valid throw", "chance"),
        ),
        tuple((*hand, owes, single[hand, owes], valid[hand, owes]) for hand, owes in listed),
    )


ODDS: Final = Subject(
    game="stone-hand",
    title="Stone Hand",
    options=Options,
    ranges=RANGES,
    fields=FIELDS,
    tables=tables,
    notes=notes,
)
