"""The odds of Ship, Captain and Crew: with which cargo a turn ends."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from casino.words.presenters.odds_tables import (
    Column,
    Field,
    Plot,
    Subject,
    Table,
    Whole,
    options,
)
from games import odds
from games.dice import every_throw
from ship_captain_crew.opening import OPENING
from ship_captain_crew.rules.messages import Options
from ship_captain_crew.rules.opening import RANGES
from ship_captain_crew.rules.play import ALL, DICE, SIDES, THROWS, kept_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.odds_tables import Query
    from games.odds import Chances

Lies = tuple[int, int | None]  # how many of ship, captain and crew lie there, and the cargo
TIMES: Final = range(1, THROWS + 1)
CARGO: Final = range(2, 2 * SIDES + 1)

FIELDS: Final = (
    Field("stands_on", Whole(CARGO), 7, "The least cargo on which a player stands (SC3)."),
    *options(
        Options,
        OPENING,
        descriptions={},
        ranges=RANGES,
    ),
)


@cache
def thrown(kept: int) -> Chances[Lies]:
    return odds.count_chances(kept_of(kept, dice) for dice in every_throw(DICE - kept, SIDES))


def after(throws: int, stands_on: int) -> Chances[Lies]:
    """What lies there after so many throws, for who throws below `stands_on`."""
    lies: Chances[Lies] = {(0, None): odds.SURE}
    for _throw in range(throws):
        lies = odds.gather(
            pair
            for (kept, cargo), chance in lies.items()
            for pair in odds.scale(
                {(kept, cargo): odds.SURE} if (cargo or 0) >= stands_on else thrown(kept), chance
            )
        )
    return lies


def tables(query: Query) -> Iterator[Table]:
    aboard = [odds.chance(after(many, CARGO[0]), lambda each: each[0] == ALL) for many in TIMES]
    yield Table(
        "aboard",
        "Ship, captain and crew",
        "How likely all three are aboard after so many throws. SC2",
        (Column("throws", "Throws", "whole"), Column("chance", "Chance", "chance")),
        tuple(zip(TIMES, aboard, strict=True)),
        Plot("columns", "throws", ("chance",)),
    )
    ends = odds.chances_of_view(after(THROWS, query["stands_on"]), lambda each: each[1] or 0)
    rows = ((str(cargo or "none"), ends.get(cargo, odds.NEVER)) for cargo in (0, *CARGO))
    yield Table(
        "cargo",
        "The cargo of a turn",
        f"With which cargo a turn ends, for who stands on {query['stands_on']} or more. SC3, SC4",
        (Column("cargo", "Cargo", "word"), Column("chance", "Chance", "chance")),
        tuple(rows),
        Plot("columns", "cargo", ("chance",)),
        open=True,
    )


def notes(query: Query) -> Iterator[str]:
    yield f"A player stands on {query['stands_on']}; other ways of playing have other odds."


ODDS: Final = Subject(
    game="ship-captain-crew", title="Ship, Captain and Crew", options=Options, ranges=RANGES,
    fields=FIELDS, tables=tables, notes=notes,
)  # fmt: skip
