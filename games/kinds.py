"""
The kinds of values that commands and options carry: how they are checked and read.

A wrong shape (a word where a number belongs) is Malformed; a wrong value (two and a half coins) is
Refused, with a code of its own.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_type_hints

from games.characters import invisible, name_character, writable
from games.payments import COINS_MAX, RESERVED
from games.refusals import (
    BadCommandId,
    BadName,
    BadPayout,
    BadText,
    BadTime,
    EmptyName,
    Malformed,
    NegativeAmount,
    NoSuchFace,
    NotWhole,
    NotWholeUnits,
    OptionValue,
    ReservedName,
    TooLarge,
    UnknownOption,
    ZeroAmount,
)

NAME_MAX: Final = 80
TEXT_MAX: Final = 2000
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
NUMBER: Final = re.compile(r"[0-9]{1,15}")
OWN_DIE: Final = re.compile(r"(?!latent[1-4]$)(.+)([1-5])", re.DOTALL)


class Kind:
    """
    The kind of value that a field may hold. The methods get the field's name for their error
    messages.
    """

    __slots__ = ()

    def shape(self, where: str, value: Any) -> None:
        """:raises Malformed: if the JSON type is wrong."""

    def read(self, where: str, value: Any) -> Any:
        """The value as the rules take it. :raises Refused: if it makes no sense in any game."""
        del where
        return value

    def mapped(self, value: Any, kind: "type[Kind]", fn: Callable[[str], str]) -> Any:
        """The value with `fn` applied to everything in it that is of `kind`."""
        return fn(value) if isinstance(self, kind) else value


class Word(Kind):
    """A term of the house: an option, a reason from a list, the name of a game."""

    __slots__ = ()

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, str):
            raise Malformed(f"{where} is text, not {shorten(value)}.", field=where)

    def read(self, where: str, value: Any) -> Any:
        if len(value) > TEXT_MAX or not all(map(writable, value)):
            raise BadText(f"{where} holds up to {TEXT_MAX} characters that can be written down.")
        return value


class Text(Word):
    """Free text that somebody wrote; it is kept beside the ledger and can be erased."""

    __slots__ = ()


class Person(Word):
    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        if not value.strip():
            raise EmptyName(f"{where} is empty: name somebody.")
        if len(value) > NAME_MAX:
            raise BadName(f"{where} {shorten(value)}: up to {NAME_MAX} characters.")
        if (unseen := invisible(value)) is not None:
            raise BadName(f"{where} {shorten(value)}: no name has {name_character(unseen)} in it.")
        return value


class Player(Person):
    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        if super().read(where, value).strip() in RESERVED:
            raise ReservedName(
                f"{where} {shorten(value)} is the name of an account, not of a player."
            )
        return value


class Staff(Person):
    __slots__ = ()


class DieName(Word):
    """The name of a die: `trump`, `latent1`, or a player's name and a digit."""

    __slots__ = ()

    def mapped(self, value: Any, kind: type[Kind], fn: Callable[[str], str]) -> Any:
        own = OWN_DIE.fullmatch(value)
        if own is None or not issubclass(Player, kind):
            return super().mapped(value, kind, fn)
        return fn(own[1]) + own[2]


class CommandId(Word):
    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        if UUID.fullmatch(value) is None:
            raise BadCommandId(f"{where} {shorten(value)} is no UUID.")
        return value.lower()


class Moment(Word):
    """A time with its offset from UTC; read as whole seconds since 1970."""

    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        try:
            return math.floor((datetime.fromisoformat(value) - EPOCH).total_seconds())
        except (ValueError, TypeError, OverflowError):
            raise BadTime(
                f"{where} {shorten(value)} is no time with an offset, like"
                " 2026-01-31T21:05:00+01:00."
            ) from None


class Flag(Kind):
    __slots__ = ()

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise Malformed(f"{where} is true or false, not {shorten(value)}.", field=where)


class Number(Kind):
    __slots__ = ()

    def shape(self, where: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Malformed(f"{where} is a number, not {shorten(value)}.", field=where)

    def read(self, where: str, value: Any) -> Any:
        if (number := whole(value)) is None:
            raise NotWhole(f"{where} is {shorten(value)}: a whole number.")
        return number


class Face(Number):
    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        if (face := whole(value)) is None:
            raise NoSuchFace(f"{where}: no die has a face {shorten(value)}.")
        return face


@dataclass(frozen=True, slots=True)
class Coins(Number):
    least: int = 1

    def read(self, where: str, value: Any) -> Any:
        amount = shorten(value)
        if value < 0:
            raise NegativeAmount(f"{where} is {amount}: less than nothing.")
        if value > COINS_MAX:
            raise TooLarge(f"{where} is {amount}: at most {COINS_MAX}.")
        if (coins := whole(value)) is None:
            raise NotWhole(f"{where} is {shorten(value)}: whole coins only.")
        if coins < self.least:
            raise ZeroAmount(f"{where} is 0: at least {self.least}.")
        return coins


class Reference(Kind):
    """A reference to something recorded earlier: its number, or the command_id it came with."""

    __slots__ = ()

    def shape(self, where: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise Malformed(
                f"{where} is a number or a command_id, not {shorten(value)}.", field=where
            )

    def read(self, where: str, value: Any) -> Any:
        if isinstance(value, str):
            return CommandId().read(where, value)
        if (number := whole(value)) is None:
            raise NotWhole(f"{where} is {shorten(value)}: a whole number.")
        return number


class Round(Number):
    """A round of the game, by its number."""

    __slots__ = ()


class Payout(Reference):
    """
    A reference to a payment: its event as in `Reference`, and, if the event pays more than one
    player, a dot and the payment's place, from 0: `12`, `"12.0"`, `"<command_id>.1"`.
    """

    __slots__ = ()

    def read(self, where: str, value: Any) -> Any:
        """:returns: (event number or command_id, place of the payment or None)."""
        if not isinstance(value, str):
            return super().read(where, value), None
        event, dot, place = value.partition(".")
        by_id = UUID.fullmatch(event) is not None
        if not (by_id or NUMBER.fullmatch(event)) or (dot and not NUMBER.fullmatch(place)):
            raise BadPayout(f"{where} {shorten(value)} is no payout: event and payment, like 12.0.")
        return event.lower() if by_id else int(event), int(place) if dot else None


@dataclass(frozen=True, slots=True)
class Settings(Kind):
    """An object whose content the game itself checks: only names in `known` have a kind here."""

    known: Mapping[str, Kind]

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} is an object, not {shorten(value)}.", field=where)
        for name, each in value.items():
            if name in self.known:
                self.known[name].shape(within(where, name), each)

    def read(self, where: str, value: Any) -> Any:
        known = self.known
        return {
            name: known[name].read(within(where, name), each) if name in known else each
            for name, each in value.items()
        }


@dataclass(frozen=True, slots=True)
class ListOf(Kind):
    item: Kind

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, list | tuple):
            raise Malformed(f"{where} is a list, not {shorten(value)}.", field=where)
        for place, each in enumerate(value):
            self.item.shape(f"{where}[{place}]", each)

    def read(self, where: str, value: Any) -> Any:
        return tuple(self.item.read(f"{where}[{place}]", each) for place, each in enumerate(value))

    def mapped(self, value: Any, kind: type[Kind], fn: Callable[[str], str]) -> Any:
        return [self.item.mapped(each, kind, fn) for each in value]


@dataclass(frozen=True, slots=True)
class Record(Kind):
    required: Mapping[str, Kind]
    optional: Mapping[str, Kind]

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(
                f"{where or 'A command'} is an object, not {shorten(value)}.", field=where
            )
        for name in value:
            if not isinstance(name, str) or self.kind(name) is None:
                raise Malformed(f"Unknown field {within(where, name)}.", field=within(where, name))
        for name in self.required:
            if name not in value:
                raise Malformed(f"{within(where, name)} is missing.", field=within(where, name))
        for name, kind in self.fields(value):
            kind.shape(within(where, name), value[name])

    def read(self, where: str, value: Any) -> Any:
        return {
            name: kind.read(within(where, name), value[name]) for name, kind in self.fields(value)
        }

    def mapped(self, value: Any, kind: type[Kind], fn: Callable[[str], str]) -> Any:
        return {name: each.mapped(value[name], kind, fn) for name, each in self.fields(value)}

    def kind(self, name: str) -> Kind | None:
        return self.required.get(name) or self.optional.get(name)

    def fields(self, value: Mapping[str, Any]) -> list[tuple[str, Kind]]:
        return [(name, kind) for name in value if (kind := self.kind(name)) is not None]


@dataclass(frozen=True, slots=True)
class Either(Kind):
    """A value of one of two kinds; `is_second` tells which."""

    first: Kind
    second: Kind
    is_second: Callable[[Any], bool]

    def shape(self, where: str, value: Any) -> None:
        self.of(value).shape(where, value)

    def read(self, where: str, value: Any) -> Any:
        return self.of(value).read(where, value)

    def mapped(self, value: Any, kind: type[Kind], fn: Callable[[str], str]) -> Any:
        return self.of(value).mapped(value, kind, fn)

    def of(self, value: Any) -> Kind:
        return self.second if self.is_second(value) else self.first


@dataclass(frozen=True, slots=True)
class Command(Kind):
    """A command within a command: one of `known`, by its `do`. Read, it is as it was written."""

    known: Mapping[str, Kind]

    def shape(self, where: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} is an object, not {shorten(value)}.", field=where)
        do = value.get("do")
        if not isinstance(do, str) or do not in self.known:
            named = within(where, "do")
            raise Malformed(f"{named} is one of {', '.join(self.known)}.", field=named)
        self.known[do].shape(where, value)

    def read(self, where: str, value: Any) -> Any:
        self.known[value["do"]].read(where, value)
        return value

    def mapped(self, value: Any, kind: type[Kind], fn: Callable[[str], str]) -> Any:
        return self.known[value["do"]].mapped(value, kind, fn)


def within(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


def shorten(value: object) -> str:
    """A value as an error message shows it: short, and written as in JSON."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value)
    return text if len(text) <= NAME_MAX else text[:NAME_MAX] + "…"


def whole(value: float) -> int | None:
    """The value as a whole number: 2.0 is 2; None for 2.5 and for infinity."""
    if isinstance(value, int):  # of any length: a very long one is too large for a float
        return value
    return int(value) if math.isfinite(value) and value == math.floor(value) else None


# The house options of a game, as an opening chooses them: JSON values into a dataclass.


Options = TypeVar("Options")
COINS: Final = range(1, COINS_MAX + 1)
UNITS: Final = range(1, 10**12 + 1)  # no score times a unit is more than JSON readers read exactly


def chosen(
    kind: type[Options],
    requested: Mapping[str, Any],
    *,
    game: str,
    ranges: Mapping[str, range] | None = None,
) -> Options:
    """
    The options that were asked for, the others at their default.

    :param kind: a dataclass whose fields are bools, Literals, or whole numbers; of these each has
        its range in `ranges`. A Literal beside a number, as in ``int | Literal["all"]``, is both.
    :raises UnknownOption: if the game has no such option.
    :raises OptionValue: if it has no such value.
    """
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in requested.items():
        if name not in hints:
            raise UnknownOption(f"options.{shorten(name)}: {game} has no such option.")
        values[name] = _value(name, value, hints[name], (ranges or {}).get(name))
    return kind(**values)


def in_coins(counted: int, unit: int, *, option: str) -> int:
    """
    The coins of an option that the rules count in units (G11).

    :raises TooLarge: if they are more than every JSON reader reads exactly.
    """
    if counted * unit > COINS_MAX:
        together = counted * unit
        raise TooLarge(
            f"options.{option} is {counted}: with options.unit {unit} that is {together}, at most"
            f" {COINS_MAX}. G11"
        )
    return counted * unit


def check_whole_units(amount: int, unit: int, *, field: str) -> None:
    """:raises NotWholeUnits: if a price or a bid is not a number of whole units (G11)."""
    if amount % unit:
        raise NotWholeUnits(f"{field} is {amount}: a multiple of the unit, {unit}. G11")


def _value(name: str, value: object, hint: Any, numbers: range | None) -> object:
    number = whole(value) if isinstance(value, float) else value
    allowed = (True, False) if hint is bool else _literals(hint)
    if any(type(number) is type(each) and number == each for each in allowed):
        return number
    if numbers is not None and type(number) is int and number in numbers:
        return number
    words = [shorten(each) for each in allowed]
    if numbers is not None:
        words.append(f"a whole number from {numbers[0]} to {numbers[-1]}")
    raise OptionValue(f"options.{name} is {shorten(value)}: choose {', '.join(words)}.")


def _literals(hint: Any) -> tuple[object, ...]:
    """The values of a Literal, or of the Literal in a union."""
    return tuple(
        value
        for each in get_args(hint)
        if each not in {int, NoneType}
        for value in (get_args(each) or (each,))
    )
