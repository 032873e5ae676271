"""
Throws as they stand in a file: one face a line, or CSV, of any length.

A plain list has one face a line and needs to be told the number of sides. CSV has a line of column
names or not; separated by commas, semicolons or tabs. Without names the columns are: the face; or
face and sides; or face, sides and stream; where the sides are told, face and stream. Blank lines
and what follows a `#` at the beginning of a line are left out.

Pure: text in, throws out, one at a time.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FACE_NAMES: Final = ("face", "throw", "roll", "value", "result")
SIDES_NAMES: Final = ("sides", "size", "die_size", "faces")
STREAM_NAMES: Final = ("stream", "set", "dice_set", "die")
SEPARATORS: Final = (",", ";", "\t")
SIDES_LEAST, SIDES_MOST = 2, 1000
DIGITS_MOST: Final = 9
SHOWN: Final = 40  # characters of what was found where something else should stand


class NotAThrow(ValueError):  # noqa: N818 - it names the fact
    """Something else stands in a line than a throw."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Throw:
    """One die, once. `stream`: what it belongs to, as the file calls it; "" if it does not."""

    stream: str
    sides: int
    face: int


@dataclass(frozen=True, slots=True)
class Columns:
    """
    Where in a line stands what; None: nowhere.

    :param streams: the columns that together name the stream.
    :param more: the other faces of a line, where several dice are thrown at once.
    :param named: whether the file names them; if not, a line has these and no others.
    """

    face: int
    sides: int | None = None
    streams: tuple[int, ...] = ()
    named: bool = False
    more: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """How many columns a line has at least."""
        return max(self.face, self.sides or 0, *self.streams, *self.more, 0) + 1

    def fit(self, row: Sequence[str]) -> bool:
        return len(row) >= self.width if self.named else len(row) == self.width


@dataclass(slots=True)
class Numbered:
    """The lines that say something; `number`: of the one given last, counted from 1."""

    lines: Iterable[str]
    number: int = field(init=False, default=0)

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, 1):
            told = line.strip()
            if told and not told.startswith("#"):
                self.number = number
                yield line.strip("\r\n")


def throws(
    lines: Iterable[str],
    *,
    sides: int | None = None,
    streams: Sequence[str] = (),
    faces: Sequence[str] = (),
) -> Iterator[Throw]:
    """
    The throws of a file, in order.

    :param sides: of the dice, where no column says it.
    :param streams: names of the columns that divide the throws; without, one that is called so.
    :param faces: names of the columns that hold faces, of several dice thrown at once.
    :raises NotAThrow: naming the line, and what stands there.
    """
    numbered = Numbered(lines)
    told = iter(numbered)
    first = next(told, None)
    if first is None:
        return
    separator = next((each for each in SEPARATORS if each in first), ",")
    rows = csv.reader(_again(first, told), delimiter=separator, skipinitialspace=True, strict=True)
    columns: Columns | None = None
    while (row := _row(rows, numbered)) is not None:
        if columns is None:
            named = _named(row, faces)
            columns = _columns(row, sides, (streams, faces), numbered.number)
            if named:
                continue
        yield from _thrown(row, columns, sides, numbered.number)


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _row(rows: Iterator[list[str]], numbered: Numbered) -> list[str] | None:
    try:
        return next(rows, None)
    except csv.Error as error:
        raise NotAThrow(numbered.number, f"{error}.") from None


def _named(row: Sequence[str], faces: Sequence[str]) -> bool:
    """Whether a first line holds the columns' names: one of them is known, or asked for."""
    known = {*FACE_NAMES, *SIDES_NAMES, *STREAM_NAMES, *_lower(faces)}
    return any(each.strip().lower() in known for each in row)


def _columns(
    row: Sequence[str], sides: int | None, asked: tuple[Sequence[str], Sequence[str]], line: int
) -> Columns:
    """
    :param asked: names of the columns of streams, and of faces.
    :raises NotAThrow: if a column is missing.
    """
    streams, faces = asked
    columns = (
        _by_name(row, streams, faces, line)
        if _named(row, faces)
        else _by_place(row, sides, [*faces, *streams], line)
    )
    if columns.sides is None and sides is None:
        raise NotAThrow(line, "no column says how many sides the dice have: give --sides.")
    return columns


def _by_name(
    row: Sequence[str], streams: Sequence[str], faces: Sequence[str], line: int
) -> Columns:
    names = [each.strip().lower() for each in row]

    def place(*wanted: str) -> int | None:
        return next((names.index(each) for each in wanted if each in names), None)

    def places(wanted: Sequence[str]) -> list[int]:
        found = [place(each) for each in _lower(wanted)]
        if None in found:
            raise NotAThrow(line, f"no column is called {wanted[found.index(None)]}.")
        return [each for each in found if each is not None]

    face = place(*FACE_NAMES)
    dice = places(faces) or ([] if face is None else [face])
    if not dice:
        told = " or ".join(FACE_NAMES)
        raise NotAThrow(line, f"no column is called {told}: give --face with what they are called.")
    found = places(streams)
    usual = place(*STREAM_NAMES)
    divided = [each for each in (found if streams else [usual]) if each is not None]
    first, *more = dice
    size = place(*SIDES_NAMES)
    return Columns(face=first, sides=size, streams=tuple(divided), named=True, more=tuple(more))


def _by_place(row: Sequence[str], sides: int | None, streams: Sequence[str], line: int) -> Columns:
    if streams:
        raise NotAThrow(line, f"the columns have no names: none is called {streams[0]}.")
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
            raise NotAThrow(line, f"{many} columns without names: face, sides, stream at most.")


def _lower(names: Sequence[str]) -> list[str]:
    return [each.strip().lower() for each in names]


def _thrown(row: Sequence[str], columns: Columns, sides: int | None, line: int) -> Iterator[Throw]:
    """The dice of a line, in the order of their columns."""
    if not columns.fit(row):
        raise NotAThrow(line, f"columns: {len(row)}, where there should be {columns.width}.")
    own = sides
    if columns.sides is not None:
        own = _whole(row[columns.sides], "number of sides", line)
        if not SIDES_LEAST <= own <= SIDES_MOST:
            raise NotAThrow(line, f"{own} is no number of sides: {SIDES_LEAST} to {SIDES_MOST}.")
        if sides is not None and own != sides:
            raise NotAThrow(line, f"a d{own}, where --sides says {sides}.")
    assert own is not None  # noqa: S101 - `_columns` looked
    stream = " / ".join(row[each].strip() for each in columns.streams)
    for column in (columns.face, *columns.more):
        face = _whole(row[column], "face", line)
        if not 1 <= face <= own:
            raise NotAThrow(line, f"{face} is no face of a d{own}.")
        yield Throw(stream, own, face)


def _whole(told: str, what: str, line: int) -> int:
    """A whole number as people write it, and nothing that merely can be read as one."""
    written = told.strip()
    if written.isascii() and written.isdigit() and len(written) <= DIGITS_MOST:
        return int(written)
    shown = ascii(written[:SHOWN]) if written else "nothing"
    raise NotAThrow(line, f"{shown} is no {what}.")
