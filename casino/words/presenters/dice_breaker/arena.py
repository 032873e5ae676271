"""The data of Dice Breaker's arena for screens: where each die is, and what may be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from games.dice_breaker.arena import LATENT, TRUMP, may_hit
from games.dice_breaker.state import Playing
from games.dice_breaker.view import throwable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.shapes import Course
    from games.dice_breaker.arena import Round

# The letter key of each seat. Other letters have another meaning on the table's screen.
LETTERS: Final = "abcdefghijmqrvwxyz"

Die = dict[str, Any]


def arena(game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
    """
    The data for the game's own parts of the screen.

    phase: start (while the starting die is being broken, DB1), play or over.
    rows: one for each seat, in the board's order; see `_row`.
    trump, latent: in a battle, the dice that belong to nobody, as made by `_die`.
    next_die: the die that is thrown unless somebody chooses another.
    latent_live: whether a latent die may be thrown once somebody says that a die spins; spinning:
        whether somebody has said so.
    spins: the dice at which a latent die may be thrown.
    """
    state, seats = game.state.inner, list(view["stakes"])
    if not isinstance(state, Playing):
        return {"phase": "over", "rows": [{} for _player in seats]}
    this, starting = state.round, _starting(state)
    dice = {row["die"]: _die(row, seats, this) for row in view["arena"]}
    return {
        "phase": "start" if state.breaking else "play",
        "battle": state.battle and bool(dice),
        "rows": [
            {**_row(player, place, view, dice), **starting.get(player, {})}
            for place, player in enumerate(seats)
        ],
        "trump": dice.get(TRUMP),
        "latent": [dice[die] for die in LATENT if die in dice],
        "next_die": throwable(this, this.turn)[0] if this.turn else None,
        "latent_live": bool(this.corner and this.moving),
        "spinning": this.spinning,
        "spins": [name_die(die) for die in this.moving],
    }


def name_die(die: str) -> str:
    """The name of a die in words: the trump, latent 2, Ada 3."""
    if die == TRUMP:
        return _("the trump")
    if die in LATENT:
        return _("latent %(number)s") % {"number": die[-1]}
    return f"{die[:-1]} {die[-1]}"


def counting(view: Mapping[str, Any], player: str) -> list[Mapping[str, Any]]:
    """The report's rows of dice in the arena that count for a player, including the trump."""
    lying = [row for row in view["arena"] if row["place"] == "arena"]
    return [row for row in lying if player in view["hands"] and row["owner"] in {player, None}]


def number_of(die: str, seats: list[str]) -> int | str | None:
    """
    The colour in which a die is drawn: the number of its seat from 1, `trump`, or None if it
    belongs to nobody, for example because a void cancelled its player's seat.
    """
    if die == TRUMP:
        return TRUMP
    return seats.index(die[:-1]) + 1 if die[:-1] in seats else None


def _die(row: Mapping[str, Any], seats: list[str], this: Round) -> Die:
    """
    One die. hit: the next throw may break it. throw: it may be the die of the next throw.

    `place`, `owner` and `face` are those of the report: the owner is the player for whom the die
    counts, or who holds it.
    """
    die = row["die"]
    mine = throwable(this, this.turn) if this.turn else ()
    hitter = this.turn or this.thrower
    return {
        "name": die,
        "called": name_die(die),
        "number": int(die[-1]) if row["set"] else None,
        "colour": number_of(die, seats),
        "set": row["set"],
        "owner": row["owner"],
        "place": row["place"],
        "face": row["face"],
        "hit": hitter is not None and may_hit(this, hitter, die),
        "throw": die in mine,
    }


def _row(
    player: str, place: int, view: Mapping[str, Any], dice: Mapping[str, Die]
) -> dict[str, Any]:
    """
    The dice of a seat. places: its own five, wherever they are. more: other dice in the arena that
    count for it. caught: dice of others that it holds and has to throw. out: dice it has lost.
    """
    held = view["hands"].get(player, {"points": "0"})
    counting = [die for die in dice.values() if die["owner"] == player]
    strange = [die for die in counting if die["set"] != player]
    return {
        "letter": LETTERS[place] if place < len(LETTERS) else "",
        "worth": held["points"],
        "plays": player in view["hands"],
        "places": [die for die in dice.values() if die["set"] == player],
        "more": [die for die in strange if die["place"] == "arena"],
        "caught": [die for die in strange if die["place"] == "caught"],
        "out": [die for die in counting if die["place"] == "out"],
    }


def _starting(state: Playing) -> dict[str, dict[str, Any]]:
    """For each player of the start (DB1): whether they still have to throw, and the face."""
    if state.breaking is None:
        return {}
    faces = state.breaking.faces
    return {
        player: {"due": player not in faces, "start": faces.get(player)}
        for player in state.breaking.players
    }
