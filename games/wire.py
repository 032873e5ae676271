"""
The conversion of events to (event type, JSON values) and back. Events are dataclasses of numbers,
words, lists and fractions.

Fields keep their names; a missing field takes its default, so that events recorded before the field
existed can still be read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from games.messages import (
    BoughtIn,
    CashedOut,
    DiceChanged,
    Disputed,
    Fact,
    FeeTaken,
    HandedOver,
    HandoverOffered,
    NoThrowRecorded,
    Paused,
    PlayerJoined,
    Resolved,
    Resumed,
    TableClosed,
    Voided,
    VoidRejected,
    VoidRequested,
    Witnessed,
)
from games.payments import Payment

SHARED: Mapping[type[Fact], str] = {
    Voided: "game.voided",
    VoidRequested: "game.void_requested",
    VoidRejected: "game.void_rejected",
    NoThrowRecorded: "game.no_throw_recorded",
    FeeTaken: "game.fee_taken",
    BoughtIn: "game.bought_in",
    PlayerJoined: "game.player_joined",
    CashedOut: "game.cashed_out",
    TableClosed: "game.table_closed",
    Paused: "game.paused",
    Resumed: "game.resumed",
    HandoverOffered: "game.handover_offered",
    HandedOver: "game.handed_over",
    DiceChanged: "game.dice_changed",
    Witnessed: "game.witnessed",
    Disputed: "game.disputed",
    Resolved: "game.resolved",
}
SHORT = {"payer": "from", "payee": "to"}  # the names of reports

Reader = Callable[[Any], Any]


class UnknownEventType(Exception):  # noqa: N818 - like the other facts that are in the way
    """A stream holds an event of a type that these rules do not know."""


@dataclass(frozen=True, slots=True)
class Wire:
    types: Mapping[type[Fact], str]
    readers: Mapping[str, Reader]

    def encode(self, event: Fact) -> tuple[str, dict[str, Any]]:
        return self.types[type(event)], write(event)

    def decode(self, event_type: str, data: Mapping[str, Any]) -> Fact:
        """:raises UnknownEventType: if no event of this game has that type."""
        if event_type not in self.readers:
            raise UnknownEventType(event_type)
        event: Fact = self.readers[event_type](data)
        return event


def wire(prefix: str, names: Iterable[type[Fact]]) -> Wire:
    """The wire format of a game: its own events under `prefix`, and those that all games share."""
    types = {**SHARED, **{each: f"{prefix}.{snake(each.__name__)}" for each in names}}
    return Wire(types, {name: reader(each) for each, name in types.items()})


def snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")


def write(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [write(each) for each in value]
    if isinstance(value, Fraction):
        return str(value)
    if is_dataclass(value):
        names = (field.name for field in fields(value))
        return {_short(type(value), name): write(getattr(value, name)) for name in names}
    return value


def _short(kind: object, name: str) -> str:
    return SHORT.get(name, name) if kind is Payment else name


def reader(hint: Any) -> Reader:
    """A function that reads a value of type `hint` from JSON."""
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if origin is tuple:
        return _tuple(args)
    if origin in {Union, UnionType}:
        return _union(args)
    return Fraction if hint is Fraction else _plain


def _plain(value: Any) -> Any:
    return value


def _record(kind: type) -> Reader:
    hints = get_type_hints(kind)
    readers = [
        (field, _short(kind, field.name), reader(hints[field.name])) for field in fields(kind)
    ]

    def read(data: Mapping[str, Any]) -> Any:
        return kind(
            **{
                field.name: each(data[name])
                for field, name, each in readers
                if name in data or (field.default is MISSING and field.default_factory is MISSING)
            }
        )

    return read


def _tuple(args: tuple[Any, ...]) -> Reader:
    if args[1:] == (...,):
        item = reader(args[0])
        return lambda values: tuple(item(each) for each in values)
    items = [reader(each) for each in args]
    return lambda values: tuple(each(value) for each, value in zip(items, values, strict=True))


def _union(args: tuple[Any, ...]) -> Reader:
    """A reader for a union: in events, at most one part of it is more than a plain value."""
    structured = [each for each in args if each is not NoneType and get_origin(each) is not Literal]
    inner = reader(structured[0]) if len(structured) == 1 else _plain
    return lambda value: None if value is None else inner(value)
