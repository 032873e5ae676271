"""Kinds of dice sets in words: what is in a box, and for which games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.words.presenters import registered
from casino.words.presenters.words import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casino.words.presenters.dice_kinds import DiceKind
    from casino.words.presenters.registration import Game


def label(kind: DiceKind, games: Iterable[Game]) -> str:
    return kind.label % {"games": names([str(game.title) for game in games])}


def labels() -> list[str]:
    """The labels of all kinds of dice sets that the installed games need."""
    return [label(kind, games) for kind, games in registered.dice_kinds().items()]
