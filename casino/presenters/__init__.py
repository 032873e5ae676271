"""Games told in words, for every surface that shows them: a package a game, one Presenter each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.presenters.registered import OfEach
from casino.presenters.registration import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

    from casino.presenters.presenter import Presenter

TITLES: Final[Mapping[str, _StrPromise]] = OfEach(lambda game: game.title)
PRESENTERS: Final[Mapping[str, Presenter]] = OfEach(Game.told_by)
