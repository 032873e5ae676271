"""The odds of Cinnabar Gate as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters import odds_tables
from casino.words.presenters.cinnabar_gate.opening import OPENING
from casino.words.presenters.odds_tables import (
    Choice,
    Column,
    Field,
    Plot,
    Subject,
    Table,
    Whole,
    decimal,
    options,
)
from games import odds, stone
from games.cinnabar_gate.hands import may_be_home
from games.cinnabar_gate.messages import RANGES, Options
from games.cinnabar_gate.odds import JUNK_RETHROWS, KEEP_JUNK, POLICIES, Throws
from games.cinnabar_gate.round_odds import NOBODY, PLAYERS, SHOWN, Round, Rounds
from games.odds import NEVER, NoSuchOdds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from casino.words.presenters.odds_tables import Query
    from games.odds import Chances
    from games.stone import Hand

HANDS: Final = (
    "home", "triple", "run", "pair", "junk", "empty", "show_up", "double_show_up",
)  # fmt: skip

FIELDS: Final = (
    Field("players", Whole(PLAYERS), 4, "How many play the round."),
    *odds_tables.HOME_THROW_FIELDS,
    Field(
        "keep_junk",
        Whole(KEEP_JUNK),
        0,
        "How many of the six junk scores, best first, are taken at once. With 0 every chance to"
        " throw junk again is used (CG4).",
        minor=True,
    ),
    Field(
        "policy",
        Choice(POLICIES),
        "likelier",
        "With opal: throw again where what comes is likelier to be better than worse, or never.",
        minor=True,
    ),
    *options(
        Options,
        OPENING,
        descriptions={
            "variant": "Who is paid: the best hand, a pool, or points (CG11).",
            "runs": "Whether 7-8-1 and 8-1-2 are runs.",
            "pay_lowering": "What a lower score does to the pay (CG2).",
            "junk_order": "Which junk is better (CG3).",
            "pair_value": "Whether the value of a pair decides between equal scores (CG3).",
            "junk_rethrows": "How often junk may be thrown again (CG4).",
            "pay_cap": "The highest that show-ups raise the pay to (CG5).",
            "unit": "What a point of the pay costs (G11).",
            "empty": "Whether only those who threw empty pay, or the worst too (CG6).",
            "ties": "Whether ties are thrown off or split (CG7).",
            "opal": "How often the first may throw any hand again (CG10).",
        },
        unmoved={"homes": "Which home throws are in force is asked by itself (CG3)."},
        ranges=RANGES,
    ),
)


def thrower(query: Query) -> Throws:
    """
    The throws that a question is about.

    :raises NoSuchOdds: if junk may be thrown again more often than the odds are worked out for.
    """
    runs, junk = query.options.runs, query.options.junk_rethrows
    if junk not in JUNK_RETHROWS:
        raise NoSuchOdds(
            f"options.junk_rethrows is {junk}: the odds are worked out for up to"
            f" {JUNK_RETHROWS[-1]}; with more, hardly any junk is left. CG4"
        )
    return Throws(
        options=query.options,
        homes=odds_tables.home_throws_in_force(query, lambda faces: may_be_home(faces, runs)),
        keep_junk=query["keep_junk"],
        policy=query["policy"],
    )


def tables(query: Query) -> Iterator[Table]:
    throws = thrower(query)
    rounds, players = Rounds(throws), query["players"]
    yield hands_taken(throws)
    yield pay(rounds, players)
    yield ends(rounds, players)
    yield payers(rounds, players)
    yield by_turn(rounds, players)
    yield by_players(rounds, players)
    yield scores(throws)


def notes(query: Query) -> Iterator[str]:
    yield f"Home throws in force: {odds_tables.spoken_home_throws(thrower(query).homes)}."
    kept, chances = query["keep_junk"], query.options.junk_rethrows
    if chances and kept < KEEP_JUNK[-1]:
        which = f"but the {kept} best scores " if kept else ""
        if kept == 1:
            which = "but the best score "
        yield f"All junk {which}is thrown again, {_times(chances)} (CG4)."
    if query.options.opal and query["policy"] == "likelier":
        yield (
            "Whoever may throw any hand again does so if what comes of it is likelier to be better"
            " than to be worse (CG10). Other ways of playing have other odds."
        )
    if query.options.variant != "pool" and not query.options.opal:
        yield "Everybody has the same chances, whoever throws first."


def _times(many: int) -> str:
    return "at most once" if many == 1 else f"up to {many} times"


def hands_taken(throws: Throws) -> Table:
    """The hands of one throw, the hands taken, and those with opal rethrows (CG4, CG5, CG10)."""
    single = odds.chances_of_view(throws.single, _name)
    junk, opal = throws.options.junk_rethrows, throws.options.opal
    stands = [
        odds.chances_of_view(throws.turn(many), lambda each: each.hand.name)
        for many in range(opal + 1)
    ]
    titles = [
        "The hand taken",
        *(
            "... any hand again once" if many == 1 else f"... any hand again {many} times"
            for many in range(1, opal + 1)
        ),
    ]
    return Table(
        "taken",
        "A throw, and the hand taken",
        "Of 512 throws of three d8; then with show-ups thrown again and junk"
        f" {_times(junk)}. CG3, CG4, CG5",
        (
            Column("hand", "Hand", "word"),
            Column("throws", "Throws of 512", "whole"),
            Column("chance", "One throw", "chance"),
            *(Column(f"taken_{many}", title, "chance") for many, title in enumerate(titles)),
        ),
        tuple(
            (
                name.replace("_", " "),
                int(single[name] * stone.SIDES**stone.DICE),
                single[name],
                *(each.get(name, NEVER) for each in stands),
            )
            for name in HANDS
            if name in single
        ),
        Plot("bars", "hand", ("chance", *(f"taken_{many}" for many in range(opal + 1)))),
        open=True,
    )


def _name(hand: Hand) -> str:
    return hand.name


def pay(rounds: Rounds, players: int) -> Table:
    """The chances of each pay, given that the round is paid (CG2, CG5)."""
    this = rounds.among(players)
    given = {value: each / this.paid for value, each in this.pays.items()}
    above = odds.SURE - sum(given.values(), NEVER)
    unit = _unit(rounds)
    average = _mean(this, 1)
    mean = "" if average is None else f" On average {decimal(average, 6)} points."
    return Table(
        "pay",
        "The pay",
        f"What each owes who pays, in a round of {players} that is paid.{mean} CG2, CG5, CG6",
        (
            Column("pay", "Pay", "word"),
            Column("owes", "Owes", "whole", money=_for_money(rounds)),
            Column("chance", "Chance", "chance"),
        ),
        (
            *((str(value), value * unit, given.get(value, NEVER)) for value in range(1, SHOWN + 1)),
            *(((f"> {SHOWN}", None, above),) if above else ()),
        ),
        Plot("columns", "pay", ("chance",)),
    )


def _unit(rounds: Rounds) -> int:
    """What a point of the pay costs (G11); on the scoreboard it stays a point (CG11)."""
    return rounds.throws.options.unit if _for_money(rounds) else 1


def _for_money(rounds: Rounds) -> bool:
    return rounds.throws.options.variant != "arcade"


def _mean(this: Round, unit: int) -> Fraction | None:
    """What each pays on average, in rounds that are paid; None: it has no bound."""
    return None if this.pay_sum is None else this.pay_sum / this.paid * unit


def ends(rounds: Rounds, players: int) -> Table:
    """The chances of each hand to be the best and the worst of the round (CG3, CG6)."""
    this = rounds.among(players)
    best, worst = _by_name(this.best), _by_name(this.worst)
    pool = rounds.throws.options.variant == "pool"
    return Table(
        "ends",
        "The worst hand" if pool else "The best and the worst hand",
        f"Of a round of {players}, jointly with its being paid; whoever threw empty is worst."
        " CG3, CG6, CG7",
        (
            Column("hand", "Hand", "word"),
            *(() if pool else (Column("best", "Is best", "chance"),)),
            Column("worst", "Is worst", "chance"),
        ),
        tuple(
            (name, *(() if pool else (best.get(name, NEVER),)), worst.get(name, NEVER))
            for name in HANDS
            if name in best or name in worst
        ),
        Plot("bars", "hand", ("worst",) if pool else ("best", "worst")),
    )


def _by_name(hands: Chances[Hand]) -> dict[str, Fraction]:
    return odds.chances_of_view(hands, _name)


def payers(rounds: Rounds, players: int) -> Table:
    """The chances of each number of players who pay (CG6, CG7)."""
    found = rounds.among(players).payers
    return Table(
        "payers",
        "How many pay",
        f"In a round of {players}; none where it is void. CG6, CG7",
        (Column("players", "Who pay", "whole"), Column("chance", "Chance", "chance")),
        tuple(sorted(found.items())),
        Plot("bars", "players", ("chance",)),
    )


def by_turn(rounds: Rounds, players: int) -> Table:
    this = rounds.among(players)
    pool = rounds.throws.options.variant == "pool"
    wins = [()] * players if pool else [(each,) for each in this.wins]
    return Table(
        "turn",
        "Who pays" if pool else "Who wins and who pays",
        "By turn. CG6, CG9, CG10, CG11"
        if pool
        else "By turn. Winning is told as the part of the winnings to be expected (CG7). CG6, CG9,"
        " CG10, CG11",
        (
            Column("turn", "Turn", "whole"),
            *(() if pool else (Column("wins", "Wins", "chance"),)),
            Column("pays", "Pays", "chance"),
        ),
        tuple(
            (turn, *won, lost)
            for turn, (won, lost) in enumerate(zip(wins, this.loses, strict=True), 1)
        ),
        Plot("columns", "turn", ("pays",) if pool else ("wins", "pays")),
    )


def by_players(rounds: Rounds, players: int) -> Table:
    pool = rounds.throws.options.variant == "pool"
    extra = (
        Column("restart", "Home throw restarts it", "chance")
        if pool
        else Column("tied_best", "Tie for best", "chance")
    )
    return Table(
        "players",
        "By number of players",
        "The mean pay is that of rounds that are paid. CG2, CG6, CG7",
        (
            Column("players", "Players", "whole"),
            Column("mean", "Mean pay", "mean", money=_for_money(rounds)),
            Column("empty", "An empty hand pays", "chance"),
            extra,
            Column("tied_worst", "Tie for worst", "chance"),
            Column("void", "Void", "chance"),
        ),
        tuple(
            _row(many, rounds.among(many), unit=_unit(rounds), pool=pool)
            for many in range(PLAYERS[0], max(players, 6) + 1)
        ),
        Plot("bars", "players", ("empty", extra.name, "tied_worst")),
        open=True,
    )


def _row(players: int, this: Round, *, unit: int, pool: bool) -> tuple[int | Fraction | None, ...]:
    return (
        players,
        _mean(this, unit),
        _by_name(this.worst).get("empty", NEVER),
        this.restarted if pool else this.tied_best,
        this.tied_worst,
        this.payers.get(NOBODY, NEVER),
    )


def scores(throws: Throws) -> Table:
    """The chances of each hand and score, best first."""
    stands = odds.chances_of_view(throws.turn(0), lambda each: (each.hand.name, each.hand.score))
    single = odds.chances_of_view(throws.single, lambda hand: (hand.name, hand.score))
    listed = dict.fromkeys((hand.name, hand.score) for hand in throws.ranked)
    return Table(
        "scores",
        "Hands and scores",
        "Best first. CG3",
        (
            Column("hand", "Hand", "word"),
            Column("score", "Score", "whole"),
            Column("chance", "One throw", "chance"),
            Column("taken", "The hand taken", "chance"),
        ),
        tuple((*key, single[key], stands.get(key, NEVER)) for key in listed),
    )


ODDS: Final = Subject(
    game="cinnabar-gate",
    title="Cinnabar Gate",
    options=Options,
    ranges=RANGES,
    fields=FIELDS,
    tables=tables,
    notes=notes,
)
