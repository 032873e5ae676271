"""The odds of Dice Breaker as tables."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from casino.words.presenters.dice_breaker.opening import OPENING
from casino.words.presenters.odds_tables import Column, Field, Plot, Subject, Table, Whole, options
from games.dice_breaker.hands import DICE as OWN
from games.dice_breaker.hands import HIGHEST, LOW_TO_HIGH, SIDES, points
from games.dice_breaker.messages import Options
from games.dice_breaker.odds import DICE, NOTHING, PLAYERS, Round, by_name, round_of
from games.dice_breaker.opening import RANGES
from games.odds import NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.odds_tables import Query

COMPARED: Final = range(4, DICE[-1] + 1)

FIELDS: Final = (
    Field("players", Whole(PLAYERS), 4, "How many play the round."),
    Field(
        "dice",
        Whole(DICE),
        OWN,
        "Dice of each player: five, fewer with some out, more with some caught (DB8).",
    ),
    *options(
        Options,
        OPENING,
        descriptions={
            "mode": "In battle the trump belongs to every hand (DB3, DB9).",
            "tie_by": "Whether equal names share, or only equal faces (DB5).",
        },
        ranges=RANGES,
    ),
)


def tables(query: Query) -> Iterator[Table]:
    dice, trump = query["dice"], query.options.mode == "battle"
    yield hands(dice + trump)
    yield by_dice()
    ends = {
        many: round_of(many, dice, query.options.tie_by, trump=trump)
        for many in range(PLAYERS[0], max(query["players"], 6) + 1)
    }
    yield highest(ends[query["players"]], query["players"])
    yield by_players(ends)


def notes(query: Query) -> Iterator[str]:
    yield (
        "Of dice that were thrown and not broken. A break is aimed: what it does is no matter of"
        " chance alone, so nobody can tell its odds (DB2)."
    )
    if query.options.mode == "battle":
        yield "The trump is one die for all: hands of a round are counted with its face in common."


def hands(dice: int) -> Table:
    found, total = by_name(dice), SIDES**dice
    throws = f"{total:,}".replace(",", " ")
    of = "one die" if dice == 1 else f"{dice} dice"
    return Table(
        "hands",
        "What a hand makes",
        f"Of {throws} throws of {of}; the best five count. DB4, DB9",
        (
            Column("hand", "Hand", "word"),
            Column("points", "Points", "word"),
            Column("throws", "Throws", "whole"),
            Column("chance", "Chance", "chance"),
        ),
        tuple(
            (
                name.replace("_", " "),
                "wins the game" if name == HIGHEST else str(points(name)),
                ways,
                Fraction(ways, total),
            )
            for name, ways in found.items()
        ),
        Plot("bars", "hand", ("chance",)),
        open=True,
    )


def by_dice() -> Table:
    """The chances of each hand with fewer or more dice than five (DB8, DB9)."""
    found = {dice: by_name(dice) for dice in COMPARED}
    return Table(
        "dice",
        "By number of dice",
        "Four where one left the arena, five, six with the trump or a caught die, seven with both."
        " DB8, DB9",
        (
            Column("hand", "Hand", "word"),
            *(Column(f"dice_{dice}", f"{dice} dice", "chance") for dice in COMPARED),
        ),
        tuple(
            (
                name.replace("_", " "),
                *(Fraction(found[dice][name], SIDES**dice) for dice in COMPARED),
            )
            for name in reversed(LOW_TO_HIGH)
        ),
        Plot("bars", "hand", tuple(f"dice_{dice}" for dice in COMPARED)),
    )


def highest(ends: Round, players: int) -> Table:
    """The chances of each hand to win the round (DB5)."""
    alone = {key.name: each for key, each in ends.highest.items() if key.players == 1}
    return Table(
        "highest",
        "The highest hand of a round",
        f"Of {players} players; whether one alone has it or several share its points. DB5, DB6",
        (
            Column("hand", "Hand", "word"),
            Column("chance", "Is the highest", "chance"),
            Column("alone", "One alone has it", "chance"),
            Column("shared", "Several share it", "chance"),
        ),
        tuple(
            (
                name.replace("_", " "),
                ends.best(name),
                alone.get(name, NEVER),
                ends.best(name) - alone.get(name, NEVER),
            )
            for name in reversed(LOW_TO_HIGH)
            if ends.best(name)
        ),
        Plot("bars", "hand", ("alone", "shared")),
    )


def by_players(ends: dict[int, Round]) -> Table:
    return Table(
        "players",
        "By number of players",
        "Points are those that one player may expect of a round. DB4, DB5, DB6",
        (
            Column("players", "Players", "whole"),
            Column("expected", "Points expected", "mean"),
            Column("shared", "Several share the round", "chance"),
            Column("five", "Five of a kind ends the game", "chance"),
            Column("nobody", "Nobody wins", "chance"),
        ),
        tuple(
            (many, this.expected, this.shared, this.best(HIGHEST), this.best(NOTHING))
            for many, this in ends.items()
        ),
        Plot("bars", "players", ("shared",)),
        open=True,
    )


ODDS: Final = Subject(
    game="dice-breaker",
    title="Dice Breaker",
    options=Options,
    ranges=RANGES,
    fields=FIELDS,
    tables=tables,
    notes=notes,
    ranking=("DB4", partial(hands, OWN)),
)
