"""
Which acts are choices of a player, and what they saw when they chose. Pure.

A throw that has to be made is a fact, whoever makes it. A choice is taken over only where the
person who made it would have seen the same: the same dice and hands on the table, under the same
rules of what beats what, with the same possibilities. What a hand costs, the size of pots and
stakes, and what the house takes is not part of that; but in River it is, where people bid.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.game import Ruleset
    from games.session import GameSession

CHOICES: Final[Mapping[str, frozenset[str]]] = {
    "threes-away": frozenset({"throw", "keep"}),
    "dice-breaker": frozenset({"throw"}),
    "river": frozenset({"start_round", "bid", "pass", "sell", "withdraw"}),
}
"""What is always a choice: which dice to keep, which die to throw at which, what to bid."""

STANDS: Final[Mapping[str, frozenset[str]]] = {
    "stone-hand": frozenset({"throw", "stand"}),
    "cinnabar-gate": frozenset({"throw", "stand"}),
}
"""What is a choice where more than one of these may be done: to throw again, or to stand."""

RANKING: Final[Mapping[str, frozenset[str]]] = {
    "stone-hand": frozenset({"mode", "runs", "homes", "triads", "sole", "rethrow", "point_to"}),
    "cinnabar-gate": frozenset(
        {"variant", "runs", "homes", "junk_order", "pair_value", "junk_rethrows", "empty", "ties",
         "opal"}
    ),
    "threes-away": frozenset({"zero", "bust", "bottoms"}),
    "dice-breaker": frozenset({"mode", "tie_by", "target"}),
    "river": frozenset({"min_raise", "tie"}),
}  # fmt: skip
"""The options that say what beats what and what may be done; the others say what it costs."""

PURSE: Final = frozenset({"leave", "join", "buy_in"})
"""What people do with their money between rounds: a choice that rests on how much they have."""

SIGHT: Final[Mapping[str, tuple[str, ...]]] = {
    "dice-breaker": ("scores", "breaking", "play_off"),
    "river": ("stakes", "pot", "hidden"),
    "stone-hand": ("homes",),
    "cinnabar-gate": ("homes", "playing"),
    "threes-away": (),
}
"""What of the state people look at, beside the running round."""


def is_choice(ruleset: Ruleset, do: str, state: GameSession[Any]) -> bool:
    """Whether who does this now could do something else."""
    if do in CHOICES.get(ruleset.id, ()):
        return True
    either = STANDS.get(ruleset.id, frozenset())
    return do in either and len(possibilities(ruleset, state, either)) > 1


def possibilities(
    ruleset: Ruleset, state: GameSession[Any], among: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Who may do which of some acts now."""
    rows = ruleset.offers(replace(state, paused=False))
    return tuple((row["do"], row.get("player", "")) for row in rows if row["do"] in among)


def sight(ruleset: Ruleset, state: GameSession[Any]) -> tuple[Any, ...]:
    """What a player who chooses now has before their eyes."""
    inner: Any = state.inner
    ranking = {
        name: value
        for name, value in asdict(inner.opened.options).items()
        if name in RANKING[ruleset.id]
    }
    beside = tuple(getattr(inner, name, None) for name in SIGHT[ruleset.id])
    return (ranking, _without_money(ruleset, inner.round), beside)


def holds(state: GameSession[Any], player: str) -> int:
    """A player's stake, as played."""
    stakes: Mapping[str, int] = getattr(state.inner, "stakes", {})
    return stakes.get(player, 0)


def _without_money(ruleset: Ruleset, this: Any) -> Any:
    """The running round; fees and antes that were paid for it left out, but in River."""
    if ruleset.id == "river" or this is None or isinstance(this, int):
        return this
    money = {name: () for name in ("staked", "seat_fees") if hasattr(this, name)}
    return replace(this, **money) if money else this
