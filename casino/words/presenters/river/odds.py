"""The odds of River as tables."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from casino.words.presenters.odds_tables import (
    Column,
    Faces,
    Field,
    Plot,
    Subject,
    Table,
    Whole,
    options,
)
from casino.words.presenters.river.opening import OPENING
from games.odds import NoSuchOdds
from games.river.hands import OUTCOMES, SIDES, Hand, best
from games.river.messages import Options
from games.river.odds import (
    NO_PROBABILITY,
    PLAYERS,
    Lots,
    Others,
    Row,
    auction,
    rows,
    standing,
    unseen,
)
from games.river.opening import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from casino.words.presenters.odds_tables import Query

OF_ROWS: Final = (
    "Of the 23 040 outcomes of five dice: in how many the row can be made, in how many it is the"
    " best that can be made, and what the table prints. RV5."
)

FIELDS: Final = (
    Field("players", Whole(PLAYERS), 4, "How many play the round."),
    Field("hole", Faces(SIDES, least=5), None, "Hole dice: d4, d6, d8, d10, d12."),
    Field("banker", Faces(SIDES, least=5), None, "The banker's dice, once they are thrown."),
    *options(
        Options,
        OPENING,
        descriptions={"tie": "How equal rows part the pot (RV6)."},
        ranges=RANGES,
    ),
)


def tables(query: Query) -> Iterator[Table]:
    """
    The tables that answer a question.

    :raises NoSuchOdds: if the banker's dice are named without hole dice.
    """
    hole, banker = query["hole"], query["banker"]
    against = Others(query["players"] - 1, query.options.tie)
    if hole and banker:
        yield lots(hole, banker, against)
        yield combinations(hole, banker, against)
    elif hole:
        yield before(hole, against)
    elif banker:
        raise NoSuchOdds("banker: name the hole dice, too: what a lot adds depends on them. RV4")
    yield hands()
    yield wins(against)


def notes(query: Query) -> Iterator[str]:
    others = query["players"] - 1
    if query["hole"]:
        made = best(query["hole"])
        hand = made.name
        yield f"These hole dice make row {made.rank}, {hand}, as they are."
    yield (
        f"Against {_players(others)} with five hole dice that nobody has seen and no lot: what"
        " would be bid is no matter of chance."
    )


def _players(count: int) -> str:
    return "one player" if count == 1 else f"{count} players"


def hands() -> Table:
    """The chances of the forty rows of the table of hands (RV5, RV8)."""
    return Table(
        "hands",
        "The forty hands",
        f"{OF_ROWS} {NO_PROBABILITY}",
        (
            Column("rank", "Row", "whole"),
            Column("hand", "Hand", "word"),
            Column("values", "Needs", "word"),
            Column("formed_ways", "Made in", "whole"),
            Column("formed", "Can be made", "chance"),
            Column("best_ways", "Best in", "whole"),
            Column("best", "Is best", "chance"),
            Column("at_least", "This or higher", "chance"),
            Column("published", "Published", "figure"),
        ),
        tuple(_row(row) for row in rows()),
        Plot("marks", "hand", ("best", "formed", "published")),
    )


def _row(row: Row) -> tuple[int | str | Fraction, ...]:
    return (
        row.rank,
        row.name,
        " or ".join("-".join(map(str, reversed(way))) for way in reversed(row.ways)),
        row.formed,
        Fraction(row.formed, OUTCOMES),
        row.best,
        Fraction(row.best, OUTCOMES),
        Fraction(row.at_least, OUTCOMES),
        row.published,
    )


def wins(against: Others) -> Table:
    """The chances of each row to win at the reveal (RV6)."""
    found = []
    for row in rows():
        way = Hand(row.rank, row.name, row.ways[0])
        stands = standing(way, against)
        found.append((row.rank, row.name, stands.wins, stands.shares, stands.pot))
    which = ", made of its highest values" if against.tie == "high_value" else ""
    return Table(
        "wins",
        "What a hand is worth",
        f"Each row{which}, against {_players(against.count)} with five hole dice and no lot. RV6",
        (
            Column("rank", "Row", "whole"),
            Column("hand", "Hand", "word"),
            Column("wins", "Wins alone", "chance"),
            Column("shares", "Ties for highest", "chance"),
            Column("pot", "Part of the pot", "chance"),
        ),
        tuple(found),
        Plot("bars", "hand", ("pot",)),
    )


def lots(hole: tuple[int, ...], banker: tuple[int, ...], against: Others) -> Table:
    """The worth of the hand as it is, with each lot alone, and with the best lots (RV4)."""
    found = auction(hole, banker, against)
    most = max(each.standing.pot for each in found)
    best_ = next(place for place, each in enumerate(found) if each.standing.pot == most)
    listed = [each for each in found if len(each.sizes) <= 1]
    listed += [] if found[best_] in listed else [found[best_]]
    return _lots(
        "lots",
        "What winning a lot adds",
        "The hand as it is, with each of the banker's dice, and (marked) with the fewest dice that"
        " make the most of it. RV3, RV4",
        listed,
        found[0],
        marked=frozenset({listed.index(found[best_])}),
    )


def combinations(hole: tuple[int, ...], banker: tuple[int, ...], against: Others) -> Table:
    found = auction(hole, banker, against)
    description = "Each combination of lots: the best row that can be laid with it. RV3, RV4"
    table = _lots("combinations", "Every combination of lots", description, found, found[0])
    return replace(table, plot=None)


def _lots(  # noqa: PLR0913 - what two tables say of one kind of rows
    name: str,
    title: str,
    description: str,
    found: Sequence[Lots],
    without: Lots,
    *,
    marked: frozenset[int] = frozenset(),
) -> Table:
    return Table(
        name,
        title,
        description,
        (
            Column("lots", "Won", "word"),
            Column("rank", "Row", "whole"),
            Column("rows", "Rows up", "whole"),
            Column("pot", "Part of the pot", "chance"),
            Column("added", "Adds", "chance"),
            Column("wins", "Wins alone", "chance"),
            Column("hand", "Hand", "word"),
            Column("dice", "Laid", "dice", sides=SIDES),
        ),
        tuple(_lot(each, without) for each in found),
        Plot("bars", "lots", ("pot",)),
        marked,
    )


def _lot(each: Lots, without: Lots) -> tuple[int | str | Fraction | tuple[int, ...], ...]:
    return (
        " ".join(each.sizes) or "none",
        each.made.hand.rank,
        each.rows,
        each.standing.pot,
        each.standing.pot - without.standing.pot,
        each.standing.wins,
        each.made.hand.name,
        each.made.dice,
    )


def before(hole: tuple[int, ...], against: Others) -> Table:
    """What a lot may add to a hand before the banker has thrown."""
    now = standing(best(hole), against).pot
    return Table(
        "unseen",
        "What a lot would add",
        "Before the banker throws: each die by itself, over all its faces. RV3, RV4",
        (
            Column("lot", "Lot", "word"),
            Column("improves", "Makes a higher row", "chance"),
            Column("likeliest", "Likeliest row", "whole"),
            Column("highest", "Highest row", "whole"),
            Column("highest_chance", "Chance of it", "chance"),
            Column("pot", "Part of the pot", "chance"),
            Column("added", "Adds", "chance"),
        ),
        tuple(
            (
                each.size,
                each.improves,
                _likeliest(each.ranks),
                min(each.ranks),
                each.ranks[min(each.ranks)],
                each.pot,
                each.pot - now,
            )
            for each in unseen(hole, against)
        ),
        Plot("bars", "lot", ("improves", "pot")),
        open=True,
    )


def _likeliest(ranks: Mapping[int, Fraction]) -> int:
    """The likeliest row; the highest if several are equally likely."""
    return max(ranks, key=lambda rank: (ranks[rank], -rank))


ODDS: Final = Subject(
    game="river",
    title="River",
    options=Options,
    ranges=RANGES,
    fields=FIELDS,
    tables=tables,
    notes=notes,
    ranking=("RV5", hands),
)
