"""
Questions about the odds of a game, and answers as tables; `casino.play.dice.odds` asks them.

A question comes as text from the page, the API or the command line. A text of the wrong shape is
Malformed, which names its field; a value of the right shape that is impossible (a face that no die
has, an option's unknown value) is Refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from casino.words.languages.locales import with_places
from games import stone
from games.dice import faces
from games.kinds import chosen, shorten
from games.odds import NoSuchOdds
from games.refusals import Malformed, NoSuchFace, WrongNumberOfDice
from games.stone import home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from casino.words.presenters.opening_forms import Opening
    from games.dice import Dice

NUMBER: Final = re.compile(r"-?[0-9]{1,16}")
NONE: Final = "none"  # the text for no value in a field that has a default
Raw = Mapping[str, Sequence[str]]  # a field's name -> its texts, as in a query string


@dataclass(frozen=True, slots=True)
class Whole:
    """A kind of field: a whole number in a range."""

    numbers: range

    @property
    def metavar(self) -> str:
        return f"{self.numbers[0]}-{self.numbers[-1]}"

    def read(self, name: str, text: str) -> int:
        if NUMBER.fullmatch(text) is None:
            raise Malformed(f"{name} is a whole number, not {shorten(text)}.", field=name)
        if int(text) not in self.numbers:
            raise self.outside(name, int(text))
        return int(text)

    def outside(self, name: str, given: int) -> NoSuchOdds:
        first, last = self.numbers[0], self.numbers[-1]
        return NoSuchOdds(f"{name} is {given}: the odds are worked out for {first} to {last}.")

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.numbers[0], "maximum": self.numbers[-1]}


@dataclass(frozen=True, slots=True)
class Coins(Whole):
    """A kind of field: an amount of coins in a range."""

    def read(self, name: str, text: str) -> int:
        if NUMBER.fullmatch(text) is None:
            raise Malformed(f"{name} is an amount, not {shorten(text)}.", field=name)
        return Whole.read(self, name, text)

    def outside(self, name: str, given: int) -> NoSuchOdds:
        amount, least, greatest = given, self.numbers[0], self.numbers[-1]
        return NoSuchOdds(
            f"{name} is {amount}: the odds are worked out for amounts of {least} to {greatest}."
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of field: one of several words."""

    words: tuple[str, ...]

    @property
    def metavar(self) -> str:
        return "|".join(self.words)

    def read(self, name: str, text: str) -> str:
        if text not in self.words:
            raise Malformed(f"{name} is {shorten(text)}: {' or '.join(self.words)}.", field=name)
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Flag:
    @property
    def metavar(self) -> str:
        return "true|false"

    def read(self, name: str, text: str) -> bool:
        if text not in {"true", "false"}:
            raise Malformed(f"{name} is true or false, not {shorten(text)}.", field=name)
        return text == "true"

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Faces:
    """
    A kind of field: the faces of dice, such as ``1,3,3,5,6``.

    :param sides: the sides of each die in order, for the largest number of dice.
    :param least: the smallest number of dice.
    :param none: whether the text ``none`` is allowed, for no dice.
    """

    sides: tuple[int, ...]
    least: int
    none: bool = False

    def read(self, name: str, text: str) -> tuple[int, ...] | None:
        if self.none and text == NONE:
            return None
        parts = text.split(",")
        if not all(NUMBER.fullmatch(part.strip()) for part in parts):
            raise Malformed(
                f"{name} is faces like {self.example}, not {shorten(text)}.", field=name
            )
        if not self.least <= len(parts) <= len(self.sides):
            raise WrongNumberOfDice(f"{name}: {self._many()} dice, not {len(parts)}.")
        dice = tuple(map(int, parts))
        for place, (face, sides) in enumerate(zip(dice, self.sides, strict=False)):
            if face not in faces(sides):
                raise NoSuchFace(f"{name}[{place}]: a d{sides} shows 1 to {sides}, not {face}.")
        return dice

    @property
    def metavar(self) -> str:
        return self.example

    @property
    def example(self) -> str:
        return ",".join(str(1 + place % sides) for place, sides in enumerate(self.sides))

    def _many(self) -> str:
        most = len(self.sides)
        return str(most) if self.least == most else f"{self.least} to {most}"

    def schema(self) -> dict[str, Any]:
        each = [f"({'|'.join(map(str, faces(sides)))})" for sides in self.sides]
        must = ",".join(each[: self.least])
        may = "".join(f"(,{face}" for face in each[self.least :])
        pattern = must + may + ")?" * (len(each) - self.least)
        return {
            "type": "string",
            "pattern": f"^({NONE}|{pattern})$" if self.none else f"^{pattern}$",
        }


@dataclass(frozen=True, slots=True)
class OptionValue:
    """
    A kind of field: a house option, which the rules check as they do in an opening.

    :param values: the values of its Literal type, if it has one.
    :param numbers: the whole numbers that it may be, if any.
    """

    values: tuple[Any, ...]
    numbers: range | None

    @property
    def metavar(self) -> str:
        words = [as_text(value) for value in self.values]
        return "|".join([*words, *([Whole(self.numbers).metavar] if self.numbers else [])])

    def read(self, name: str, text: str) -> Any:
        del name
        if NUMBER.fullmatch(text) is not None:
            return int(text)
        return {"true": True, "false": False}.get(text, text)

    def schema(self) -> dict[str, Any]:
        if self.numbers is None and self.values == (True, False):
            return {"type": "boolean"}
        words: dict[str, Any] = _enumeration(self.values)
        if self.numbers is None:
            return words
        number = Whole(self.numbers).schema()
        return {"anyOf": [number, words]} if self.values else number


def _enumeration(values: Sequence[Any]) -> dict[str, Any]:
    """Values of one type, for generated clients: as an address has them, unless all are numbers."""
    if all(type(value) is int for value in values):
        return {"type": "integer", "enum": list(values)}
    return {"type": "string", "enum": [as_text(value) for value in values]}


def as_text(value: Any) -> str:
    """A value as the text of a field."""
    match value:
        case None:
            return NONE
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)


QueryKind = Whole | Choice | Flag | Faces | OptionValue


@dataclass(frozen=True, slots=True)
class Field:
    """
    A field of a question.

    :param description: what it is, in a few words.
    :param unmoved: for an option that does not change the odds, the reason.
    :param several: whether it may be given more than once; its value is then a tuple.
    :param minor: whether it only matters together with other fields; a page may fold it away.
    :param money: whether it is an amount of coins, which a page asks for in the house's money.
    """

    name: str
    kind: QueryKind
    default: Any
    description: str
    unmoved: str = ""
    several: bool = False
    minor: bool = False
    money: bool = False

    @property
    def is_option(self) -> bool:
        return isinstance(self.kind, OptionValue)


def options(
    kind: type[Any],
    form: Opening,
    *,
    descriptions: Mapping[str, str],
    unmoved: Mapping[str, str] | None = None,
    ranges: Mapping[str, range] | None = None,
) -> tuple[Field, ...]:
    """
    The options of a game as fields, each with a description or the reason why it changes nothing.

    :param form: the form that opens the game; it has the reasons for its options.
    :param unmoved: the reasons for options that no form asks for.
    """
    hints = get_type_hints(kind)
    money = {each.name for each in form.options if each.numbers and each.numbers.money}
    still = {each.name: each.odds for each in form.options if each.odds} | dict(unmoved or {})
    return tuple(
        Field(
            name=each.name,
            kind=OptionValue(_values(hints[each.name]), (ranges or {}).get(each.name)),
            default=each.default,
            description=descriptions.get(each.name) or still[each.name],
            unmoved=still.get(each.name, ""),
            money=each.name in money,
        )
        for each in fields(kind)
    )


def _values(hint: Any) -> tuple[Any, ...]:
    if hint is bool:
        return True, False
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in {Union, UnionType}:
        return tuple(value for each in get_args(hint) for value in _values(each))
    return ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question that has been read. :param options: the game's own dataclass of options."""

    options: Any
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def read_query(
    raw: Raw,
    known_fields: Sequence[Field],
    kind: type[Any],
    *,
    game: str,
    ranges: Mapping[str, range] | None = None,
) -> Query:
    """
    Read a question from texts.

    :raises Malformed: naming a field that does not exist, or whose text has the wrong shape.
    :raises Refused: for an impossible value.
    """
    by_name = {field.name: field for field in known_fields}
    for name in raw:
        if name not in by_name:
            others = ", ".join(by_name)
            raise Malformed(f"{shorten(name)} is not asked for; of {game}: {others}.", field=name)
    values = {field.name: _value(field, raw.get(field.name, ())) for field in known_fields}
    named = {field.name: values.pop(field.name) for field in known_fields if field.is_option}
    return Query(chosen(kind, named, game=game, ranges=ranges), values)


def _value(field: Field, texts: Sequence[str]) -> Any:
    if not texts:
        return field.default
    if not field.several and len(texts) > 1:
        raise Malformed(f"{field.name} is given {len(texts)} times.", field=field.name)
    if "" in texts:
        raise Malformed(f"{field.name} is empty: leave it out or fill it in.", field=field.name)
    read_ones = [field.kind.read(field.name, text) for text in texts]
    if not field.several:
        return read_ones[0]
    return tuple(each for each in read_ones if each is not None)


# A game whose odds can be asked for.


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


# Answers as tables; chances stay exact fractions until they are shown.


Cell = str | int | Fraction | tuple[int, ...] | None
ColumnKind = Literal["word", "whole", "chance", "figure", "mean", "dice"]
LEAST: Final = Fraction(1, 10_000)  # per cent; a smaller chance is shown as "< 0.0001 %"
PLACES: Final = 12  # digits after the decimal point; `exact` beside it is not rounded


@dataclass(frozen=True, slots=True)
class Column:
    """
    A column of a table.

    :param kind: ``chance``, ``figure`` and ``mean`` are fractions: a mean may be above one; a
        figure is shown in per cent, but is not a chance.
    :param sides: for a column of dice, the sides of each die in order.
    :param money: whether its numbers are coins; the page shows them in the house's money.
    """

    name: str
    title: str
    kind: ColumnKind
    sides: tuple[int, ...] = ()
    money: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """
    Which columns of a table are plotted, and how.

    :param form: ``bars`` are horizontal, one group for each row; ``columns`` are vertical, for
        numbers in order; ``marks`` are points, one line for each row, on a logarithmic scale.
    :param by: the column with the name of each row.
    :param of: the columns that are plotted.
    """

    form: Literal["bars", "columns", "marks"]
    by: str
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """
    A table of odds.

    :param description: a sentence or two that say what the chances are chances of.
    :param marked: the indexes of rows that are highlighted, such as the best choice.
    :param open: whether its figures are shown at once, even if a plot shows them.
    """

    name: str
    title: str
    description: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    plot: Plot | None = None
    marked: frozenset[int] = frozenset()
    open: bool = False

    def column(self, name: str) -> list[Cell]:
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Answer:
    """
    The answer to a question about odds.

    :param asked: the values of all fields of the question except the options.
    :param unmoved: options of the game that do not change the odds, with the reason.
    """

    game: str
    title: str
    options: Mapping[str, Any]
    query: Mapping[str, Any]
    unmoved: Mapping[str, str]
    tables: Sequence[Table]
    notes: Sequence[str] = field(default_factory=tuple)


def decimal(value: Fraction, places: int = PLACES) -> str:
    """A fraction with `places` decimals, rounded once and half to even, without an exponent."""
    return with_places(value, places)


def per_cent(chance: Fraction) -> str:
    """
    A chance in per cent for people: two decimals; four below 0.1 %, down to "< 0.0001 %".

    Only certainty is shown as 100 %, and only impossibility as 0 %.
    """
    if chance in {0, 1}:
        return f"{int(chance) * 100} %"
    hundreds = chance * 100
    if hundreds < LEAST:
        return f"< {decimal(LEAST, 4)} %"
    places = 2 if hundreds >= LEAST * 1000 else 4
    figure = decimal(hundreds, places)
    return "> 99.99 %" if figure == "100.00" else f"{figure} %"


def as_json(answer: Answer) -> dict[str, Any]:
    """An answer as JSON, with chances as `{"exact": "21/512", "decimal": "0.041015625000"}`."""
    return {
        "game": answer.game,
        "options": dict(answer.options),
        "asked": {name: _plain(value) for name, value in answer.query.items()},
        "unmoved": [
            {"option": name, "because": because} for name, because in answer.unmoved.items()
        ],
        "notes": list(answer.notes),
        "tables": [_table(table) for table in answer.tables],
    }


def _table(table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns]
    return {
        "name": table.name,
        "title": table.title,
        "told": table.description,
        "columns": [
            {
                "name": column.name,
                "title": column.title,
                "kind": column.kind,
                "money": column.money,
            }
            for column in table.columns
        ],
        "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in table.rows],
        "marked": sorted(table.marked),
    }


def _plain(cell: Cell | tuple[Dice, ...]) -> Any:
    match cell:
        case bool():
            return cell
        case Fraction():
            return {"exact": str(cell), "decimal": decimal(cell)}
        case tuple():
            return [_plain(each) for each in cell]
        case _:
            return cell


# The home throws in a question about the odds of a game of three d8.


EXAMPLE: Final = (1, 3, 6)
HOME_THROW_FIELDS: Final = (
    Field(
        "home_throw",
        Faces((stone.SIDES,) * stone.DICE, least=stone.DICE, none=True),
        (EXAMPLE,),
        "Home throws in force, or none; several where players have their own.",
        several=True,
    ),
    Field(
        "home_override",
        Flag(),
        default=False,
        description="Whether the house lets a home throw be another scoring throw (H1).",
        minor=True,
    ),
)


def home_throws_in_force(query: Query, allowed: Callable[[Dice], bool]) -> tuple[Dice, ...]:
    """
    The different home throws of a question.

    :param allowed: whether sorted faces may be a home throw without an override.
    :raises HomeThrowScores: if a home throw is not allowed.
    """
    override = query["home_override"]
    faces = (home(each, lambda dice: override or allowed(dice)) for each in query["home_throw"])
    return tuple(dict.fromkeys(faces))


def spoken_home_throws(homes: tuple[Dice, ...]) -> str:
    return ", ".join("-".join(map(str, each)) for each in homes) or "none"
