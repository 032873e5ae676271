"""What a game adds to the API's description, beside what is the same for all games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Kind = Literal[
    "anything", "coins", "flag", "names", "number", "number or null", "rows", "text", "by name"
]


@dataclass(frozen=True, slots=True)
class ApiField:
    """
    A field that answers have in this game; its value comes from the game's view.

    :param description: shown after the game's name, or, with `alone`, without it.
    """

    name: str
    kind: Kind
    description: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """
    An example of a request.

    :param number: its place among the examples of all games, and the end of its command's id.
    """

    number: int
    title: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """
    The description of one game for the API's description.

    :param name: the game's name, which precedes the descriptions of its fields.
    :param state, throw, round_, explained: fields of the game's state, of a throw in it, of a
        round, and of a round that is explained.
    :param notes: notes about fields that other games have as well, by field: "throw.player".
    :param openings, commands: examples, without the table and the game.
    """

    name: str
    state: Sequence[ApiField] = ()
    throw: Sequence[ApiField] = ()
    round_: Sequence[ApiField] = ()
    explained: Sequence[ApiField] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    openings: Sequence[Example] = ()
    commands: Sequence[Example] = ()
