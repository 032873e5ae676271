"""A game whose odds can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from casino.words.presenters.odds.answers import Table
    from casino.words.presenters.odds.params import Field, Query


@dataclass(frozen=True, slots=True)
class Subject:
    """
    :param options: the class of the game's options; `ranges`: the ranges of those that are numbers.
    :param fields: all fields of a question, including the options.
    :param notes: returns the assumptions behind the numbers, in sentences.
    :param ranking: the number of a rule that ranks hands by a table, and what returns the table.
    """

    game: str
    title: str
    options: type[Any]
    ranges: Mapping[str, range]
    fields: tuple[Field, ...]
    tables: Callable[[Query], Iterator[Table]]
    notes: Callable[[Query], Iterator[str]]
    ranking: tuple[str, Callable[[], Table]] | None = None
