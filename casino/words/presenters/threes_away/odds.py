"""The odds of Threes Away as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.words.presenters.odds_tables import (
    Column,
    Faces,
    Field,
    Plot,
    Subject,
    Table,
    Whole,
    decimal,
    options,
)
from casino.words.presenters.threes_away.opening import OPENING
from games import odds
from games.odds import NEVER, NoSuchOdds
from games.threes_away.hands import DICE, SIDES
from games.threes_away.messages import Options
from games.threes_away.odds import PLAYERS, TOTALS, Turns, limit
from games.threes_away.opening import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.words.presenters.odds_tables import Query
    from games.threes_away.odds import Choice

ROUNDS: Final = range(1, 101)
D6: Final = (SIDES,)

FIELDS: Final = (
    Field("dice", Faces(D6 * DICE, least=1), None, "The dice just thrown, one to five of them."),
    Field("kept", Whole(TOTALS), 0, "What the dice kept before count together."),
    Field("target", Whole(TOTALS), None, "A total to finish at or under."),
    Field("players", Whole(PLAYERS), 4, "How many play the round."),
    Field("round", Whole(ROUNDS), None, "With progressive: the round, whose limit is the target."),
    *options(
        Options,
        OPENING,
        descriptions={
            "zero": "The face that counts nothing (TA1).",
            "progressive": "The highest total that wins, round by round (TA7).",
        },
        ranges=RANGES,
    ),
)


def target_of(query: Query) -> int | None:
    """
    The total that a question aims at; None if none.

    :raises NoSuchOdds: if a round is named in a game that is not progressive, or with a target.
    """
    if query["round"] is None:
        target: int | None = query["target"]
        return target
    if query.options.progressive == "no":
        raise NoSuchOdds("round: with progressive=no every round is won alike. TA7")
    if query["target"] is not None:
        raise NoSuchOdds("round: its limit is the target; name one of the two. TA7")
    return limit(query.options.progressive, query["round"])


def tables(query: Query) -> Iterator[Table]:
    turns, target = Turns(query.options.zero), target_of(query)
    if query["dice"]:
        yield best_keeps(turns, query["dice"], query["kept"], target)
        yield all_keeps(turns, query["dice"], query["kept"], target)
    elif query["kept"]:
        raise NoSuchOdds("kept: name the dice just thrown, too.")
    yield totals(turns)
    yield dice_left(turns, target)
    yield lowest(turns, query["players"])
    if query.options.progressive != "no":
        yield progress(turns, query.options.progressive, query["players"])


def notes(query: Query) -> Iterator[str]:
    target = target_of(query)
    zero = query.options.zero
    yield f"A {zero} counts nothing, every other face its value (TA1)."
    if target is not None:
        yield f"The target is {target}: to finish at {target} or under. Equal plays on (TA3)."
    yield (
        "Played for the least expected total; where two choices expect the same, fewer dice are"
        " kept. Of equally many dice the lowest are always best to keep."
    )


def best_keeps(turns: Turns, thrown: tuple[int, ...], kept: int, target: int | None) -> Table:
    """The best choice of dice to keep, for each number of dice kept (TA2)."""
    found = turns.choices(thrown, kept=kept, target=target)
    best = {each.left: each for each in reversed(found)}  # the least total is kept
    return choices(
        "keep",
        "What to keep",
        "Of each number of dice the best there are to keep, the least expected total first; marked"
        " are the best of all, each then played on for its own aim. TA2",
        sorted(best.values(), key=lambda each: each.expected),
        target,
    )


def all_keeps(turns: Turns, thrown: tuple[int, ...], kept: int, target: int | None) -> Table:
    found = turns.choices(thrown, kept=kept, target=target)
    description = "Every choice there is, the least expected total first. TA2"
    table = choices("choices", "Every choice", description, found, target)
    return replace(table, plot=None, marked=frozenset())


def choices(
    name: str, title: str, description: str, found: Sequence[Choice], target: int | None
) -> Table:
    reaches = [each.reaches or NEVER for each in found]
    marked = {0} | ({reaches.index(max(reaches))} if any(reaches) else set())
    aimed = target is not None
    return Table(
        name,
        title,
        description,
        (
            Column("keep", "Keep", "dice", sides=D6 * DICE),
            Column("left", "Dice left", "whole"),
            *((Column("reaches", f"{target} or under", "chance"),) if aimed else ()),
            Column("expected", "Expected total", "mean"),
        ),
        tuple(
            (each.keep, each.left, *((each.reaches,) if aimed else ()), each.expected)
            for each in found
        ),
        Plot("bars", "keep", ("reaches",) if aimed else ("expected",)),
        frozenset(marked),
    )


def totals(turns: Turns) -> Table:
    """The chances of each total of a whole turn, from five dice on."""
    least, known = turns.totals(), NEVER
    rows = []
    for total in TOTALS:
        known += least.get(total, NEVER)
        rows.append((total, least.get(total, NEVER), known, turns.reaches(DICE, total)))
    return Table(
        "totals",
        "The total of a turn",
        f"Five dice, played for the least expected total, which is {turns.least(DICE)} ="
        f" {decimal(turns.least(DICE), 6)}; in the last column, played for that very total."
        " TA1, TA2",
        (
            Column("total", "Total", "whole"),
            Column("chance", "Exactly", "chance"),
            Column("at_most", "At most", "chance"),
            Column("reaches", "At most, if aimed at", "chance"),
        ),
        tuple(rows),
        Plot("columns", "total", ("chance",)),
    )


def dice_left(turns: Turns, target: int | None) -> Table:
    """What a number of dice still to be thrown adds: expected, and chances of at most a total."""
    aims = range(5) if target is None else range(target + 1)[-5:]
    return Table(
        "left",
        "By dice left",
        "What so many dice that are still to be thrown add at least, and how often they can be"
        " brought to add so much or less. TA2",
        (
            Column("dice", "Dice left", "whole"),
            Column("expected", "Expected", "mean"),
            *(Column(f"at_most_{aim}", f"≤ {aim}", "chance") for aim in aims),
        ),
        tuple(
            (dice, turns.least(dice), *(turns.reaches(dice, aim) for aim in aims))
            for dice in range(1, DICE + 1)
        ),
        Plot("bars", "dice", tuple(f"at_most_{aim}" for aim in aims)),
    )


def lowest(turns: Turns, players: int) -> Table:
    """The chances of each total to be the lowest of a round."""
    found = turns.lowest(players)
    alone = {total: each for (total, many), each in found.items() if many == 1}
    any_ = odds.chances_of_view(found, lambda key: key[0])
    return Table(
        "lowest",
        "The lowest total of a round",
        f"Of {players} players who all play for the least expected total; and whether one alone"
        " has it or several tie. TA1, TA5, TA6",
        (
            Column("total", "Total", "whole"),
            Column("chance", "Is the lowest", "chance"),
            Column("alone", "One alone has it", "chance"),
            Column("tied", "Several tie", "chance"),
        ),
        tuple(
            (total, any_[total], alone.get(total, NEVER), any_[total] - alone.get(total, NEVER))
            for total in sorted(any_)
        ),
        Plot("columns", "total", ("alone", "tied")),
    )


def progress(turns: Turns, progressive: str, players: int) -> Table:
    """The chances to reach the limit in each round of a progressive game (TA7)."""
    return Table(
        "progress",
        "Round by round",
        f"The highest total that wins each round, and how likely one player, and any of {players},"
        " reaches it, all playing for it. TA7",
        (
            Column("round", "Round", "whole"),
            Column("most", "Won with at most", "whole"),
            Column("one", "One player", "chance"),
            Column("anybody", f"Any of {players}", "chance"),
        ),
        tuple(
            (each.round, each.most, each.one, each.anybody)
            for each in turns.limits(progressive, 12, players)
        ),
        Plot("columns", "round", ("anybody",)),
    )


ODDS: Final = Subject(
    game="threes-away",
    title="Threes Away",
    options=Options,
    ranges=RANGES,
    fields=FIELDS,
    tables=tables,
    notes=notes,
)
