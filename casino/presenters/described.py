"""What the API's description says of one game, beside what it says of all of them."""

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
    A field that answers have in this game; the game's view says what stands in it.

    :param description: said behind the game's name; `alone`: without that.
    """

    name: str
    kind: Kind
    description: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """
    A request as it is sent.

    :param number: its place among those of all games, and the end of its command's id.
    """

    number: int
    title: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """
    :param name: of the game, at the head of what is said of a field.
    :param state, throw, round_, explained: fields of a game's state, of a throw in it, of a round,
        and of a round that is explained.
    :param notes: what is said of a field that other games have as well: "throw.player".
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
