"""The story of a game: everything that was recorded, and each round throw by throw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.floor.tables.board import boards
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import stories
from casino.play.devices import board as recording
from casino.words.languages import locales
from casino.words.presenters import PRESENTERS

if TYPE_CHECKING:
    from casino.floor.tables.board.boards import Seen


def whole(seen: Seen) -> dict[str, Any]:
    """Every event of a game, newest first."""
    presenter = PRESENTERS[seen.loaded.ruleset.id]
    entries = boards.log(
        seen.loaded,
        presenter,
        stories.staff_names(seen.loaded),
        other_lines=recording.takeovers(seen.house.pk, seen.loaded.key.game),
        clock=locales.clock_to_seconds,
    )
    about = stories.about(seen.loaded, seen.house)
    return {**about, "log": tokens.resolve(seen.house.pk, entries)}


def of_round(seen: Seen, number: int, step: int | None = None) -> dict[str, Any] | None:
    """A round step by step, as `casino.play.core.stories.of_round` has it."""
    return stories.of_round(seen.loaded, seen.house, number, step)
