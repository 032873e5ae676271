"""A game whose odds can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from casino.presenters.odds.answers import Table
    from casino.presenters.odds.params import Field, Query


@dataclass(frozen=True, slots=True)
class Subject:
    """
    :param options: the game's own options, and `ranges` of those that are numbers.
    :param fields: all that may be asked, the options among it.
    :param notes: what the numbers rest on, in sentences.
    """

    game: str
    title: str
    options: type[Any]
    ranges: Mapping[str, range]
    fields: tuple[Field, ...]
    tables: Callable[[Query], Iterator[Table]]
    notes: Callable[[Query], Iterator[str]]
