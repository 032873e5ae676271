"""
Which acts are choices of a player, and what players saw when they chose. Pure.

A throw that has to be made is a fact, whoever makes it. A what-if keeps a choice only if the person
who made it would have seen the same: the same dice and hands on the table, under the same rules of
what beats what, with the same possibilities. The price of a hand, the size of pots and stakes, and
the house's fee do not count, unless the registration of the game says so
(`casino.words.presenters.registration.Chosen`), for example for a game in which people bid.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.game import Ruleset
    from games.session import GameSession

PURSE: Final = frozenset({"leave", "join", "buy_in"})
"""Acts with money between rounds: choices that depend on how much money a player has."""


def is_choice(ruleset: Ruleset, do: str, state: GameSession[Any]) -> bool:
    """Whether an act is a choice in this state: whether the player could do something else."""
    chosen = games()[ruleset.id].chosen
    if do in chosen.always:
        return True
    return do in chosen.either and len(possibilities(ruleset, state, chosen.either)) > 1


def possibilities(
    ruleset: Ruleset, state: GameSession[Any], among: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Which of these acts may be done in this state, and by which player."""
    rows = ruleset.offers(replace(state, paused=False))
    return tuple((row["do"], row.get("player", "")) for row in rows if row["do"] in among)


def sight(ruleset: Ruleset, state: GameSession[Any]) -> tuple[Any, ...]:
    """What a player who chooses in this state sees; two equal situations have equal values."""
    inner: Any = state.inner
    chosen = games()[ruleset.id].chosen
    ranking = {
        name: value
        for name, value in asdict(inner.opened.options).items()
        if name in chosen.ranking
    }
    in_sight = tuple(getattr(inner, name, None) for name in chosen.sight)
    this = inner.round if chosen.money else _without_money(inner.round)
    return (ranking, this, in_sight)


def holds(state: GameSession[Any], player: str) -> int:
    """A player's stake in this state of the game."""
    stakes: Mapping[str, int] = getattr(state.inner, "stakes", {})
    return stakes.get(player, 0)


def _without_money(this: Any) -> Any:
    """The running round without the fees and antes that were paid for it."""
    if this is None or isinstance(this, int):
        return this
    money = {name: () for name in ("staked", "seat_fees") if hasattr(this, name)}
    return replace(this, **money) if money else this
