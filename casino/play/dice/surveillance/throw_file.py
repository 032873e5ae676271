"""
Parse a file of throws: a plain list with one face a line, or CSV, of any length.

A plain list needs the number of sides as an argument. CSV may have a header line; commas,
semicolons or tabs separate its columns, as Excel's line `sep=;` may say. Without a header the
columns are face; or face and sides; or face, sides and stream. If the number of sides is an
argument, two columns are face and stream. Blank lines and lines that begin with `#` are skipped.

Pure: text in, throws out, one at a time.
"""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from casino.words.languages.spreadsheets import SEPARATORS, separator_of_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FACE_NAMES: Final = ("face", "throw", "roll", "value", "result")
SIDES_NAMES: Final = ("sides", "size", "die_size", "faces")
STREAM_NAMES: Final = ("stream", "set", "dice_set", "die")
SIDES_MIN, SIDES_MAX = 2, 1000
DIGITS_MAX: Final = 9
QUOTED_MAX: Final = 40  # characters of an invalid value that an error message quotes


class InvalidThrow(ValueError):  # noqa: N818 - it names the fact
    """A line of the file is not a throw."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Throw:
    """One die, thrown once. `stream` is the stream that the file names, or ""."""

    stream: str
    sides: int
    face: int


@dataclass(frozen=True, slots=True)
class Columns:
    """
    The indexes of the columns; None for a column that the file does not have.

    :param streams: the columns that together name the stream.
    :param other_faces: columns of further faces, if a line has several dice.
    :param has_header: whether the file has a header. If not, a line has exactly these columns.
    """

    face: int
    sides: int | None = None
    streams: tuple[int, ...] = ()
    has_header: bool = False
    other_faces: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """The least number of columns of a line."""
        return max(self.face, self.sides or 0, *self.streams, *self.other_faces, 0) + 1

    def accepts(self, row: Sequence[str]) -> bool:
        return len(row) >= self.width if self.has_header else len(row) == self.width


@dataclass(slots=True)
class NumberedLines:
    """The lines without blanks and comments; `number` is that of the last one, from 1."""

    lines: Iterable[str]
    number: int = field(init=False, default=0)

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                self.number = number
                yield unicodedata.normalize("NFC", line.strip("\r\n"))


def throws(
    lines: Iterable[str],
    *,
    sides: int | None = None,
    streams: Sequence[str] = (),
    faces: Sequence[str] = (),
) -> Iterator[Throw]:
    """
    The throws of a file, in order.

    :param sides: the number of sides, if no column has it.
    :param streams: names of the columns that name the stream; by default one of `STREAM_NAMES`.
    :param faces: names of the columns with faces, if a line has several dice.
    :raises InvalidThrow: with the number of the line and the value that is wrong.
    """
    numbered = NumberedLines(lines)
    remaining = iter(numbered)
    first = next(remaining, None)
    if first is None:
        return
    separator = separator_of_line(first)
    if separator is None:
        separator = next((each for each in SEPARATORS if each in first), ",")
    elif (first := next(remaining, "")) == "":
        return
    lines = _with_first(first, remaining)
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    columns: Columns | None = None
    while (row := _next_row(rows, numbered)) is not None:
        if columns is None:
            has_header = _is_header(row, faces)
            columns = _find_columns(row, sides, (streams, faces), numbered.number)
            if has_header:
                continue
        yield from _parse_row(row, columns, sides, numbered.number)


def _with_first(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _next_row(rows: Iterator[list[str]], numbered: NumberedLines) -> list[str] | None:
    try:
        return next(rows, None)
    except csv.Error as error:
        raise InvalidThrow(numbered.number, f"{error}.") from None


def _is_header(row: Sequence[str], faces: Sequence[str]) -> bool:
    """Whether a first line is a header: it has a known or a wanted column name."""
    known = {*FACE_NAMES, *SIDES_NAMES, *STREAM_NAMES, *_normalise(faces)}
    return any(each.strip().lower() in known for each in row)


def _find_columns(
    row: Sequence[str], sides: int | None, wanted: tuple[Sequence[str], Sequence[str]], line: int
) -> Columns:
    """
    Find the columns by the header, or by position if there is none.

    :param wanted: the wanted names of the columns of streams and of faces.
    :raises InvalidThrow: if a column is missing.
    """
    streams, faces = wanted
    columns = (
        _by_name(row, streams, faces, line)
        if _is_header(row, faces)
        else _by_position(row, sides, [*faces, *streams], line)
    )
    if columns.sides is None and sides is None:
        raise InvalidThrow(line, "no column says how many sides the dice have: give --sides.")
    return columns


def _by_name(
    row: Sequence[str], streams: Sequence[str], faces: Sequence[str], line: int
) -> Columns:
    names = [each.strip().lower() for each in row]

    def index_of(*wanted: str) -> int | None:
        return next((names.index(each) for each in wanted if each in names), None)

    def indexes_of(wanted: Sequence[str]) -> list[int]:
        found = [index_of(each) for each in _normalise(wanted)]
        if None in found:
            raise InvalidThrow(line, f"no column is called {wanted[found.index(None)]}.")
        return [each for each in found if each is not None]

    face = index_of(*FACE_NAMES)
    dice = indexes_of(faces) or ([] if face is None else [face])
    if not dice:
        known = " or ".join(FACE_NAMES)
        raise InvalidThrow(
            line, f"no column is called {known}: give --face with what they are called."
        )
    found = indexes_of(streams)
    default = index_of(*STREAM_NAMES)
    stream_columns = [each for each in (found if streams else [default]) if each is not None]
    first, *other_faces = dice
    sides_column = index_of(*SIDES_NAMES)
    return Columns(
        face=first,
        sides=sides_column,
        streams=tuple(stream_columns),
        has_header=True,
        other_faces=tuple(other_faces),
    )


def _by_position(
    row: Sequence[str], sides: int | None, streams: Sequence[str], line: int
) -> Columns:
    if streams:
        raise InvalidThrow(line, f"the columns have no names: none is called {streams[0]}.")
    match len(row), sides:
        case 1, _:
            return Columns(face=0)
        case 2, None:
            return Columns(face=0, sides=1)
        case 2, _:
            return Columns(face=0, streams=(1,))
        case 3, _:
            return Columns(face=0, sides=1, streams=(2,))
        case many, _:
            raise InvalidThrow(line, f"{many} columns without names: face, sides, stream at most.")


def _normalise(names: Sequence[str]) -> list[str]:
    return [each.strip().lower() for each in names]


def _parse_row(
    row: Sequence[str], columns: Columns, sides: int | None, line: int
) -> Iterator[Throw]:
    """The throws of a line, in the order of their columns."""
    if not columns.accepts(row):
        raise InvalidThrow(line, f"columns: {len(row)}, where there should be {columns.width}.")
    die_sides = sides
    if columns.sides is not None:
        die_sides = _parse_number(row[columns.sides], "number of sides", line)
        if not SIDES_MIN <= die_sides <= SIDES_MAX:
            raise InvalidThrow(
                line, f"{die_sides} is no number of sides: {SIDES_MIN} to {SIDES_MAX}."
            )
        if sides is not None and die_sides != sides:
            raise InvalidThrow(line, f"a d{die_sides}, where --sides says {sides}.")
    assert die_sides is not None  # noqa: S101 - `_find_columns` looked
    stream = " / ".join(row[each].strip() for each in columns.streams)
    for column in (columns.face, *columns.other_faces):
        face = _parse_number(row[column], "face", line)
        if not 1 <= face <= die_sides:
            raise InvalidThrow(line, f"{face} is no face of a d{die_sides}.")
        yield Throw(stream, die_sides, face)


def _parse_number(text: str, what: str, line: int) -> int:
    """A whole number in ASCII digits; `int` alone would accept more."""
    digits = text.strip()
    if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX:
        return int(digits)
    quoted = ascii(digits[:QUOTED_MAX]) if digits else "nothing"
    raise InvalidThrow(line, f"{quoted} is no {what}.")
