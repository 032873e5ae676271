"""`manage.py fairness`: analyse a list of throws for fairness, and print the figures as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
import unicodedata
from argparse import ArgumentTypeError
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.play.dice.surveillance import goodness_of_fit
from casino.play.dice.surveillance.e_values import (
    ChangeDetector,
    EProcess,
    discoveries,
    smallest_tilt,
)
from casino.words.languages.spreadsheets import SEPARATORS, separator_of_line
from ledger.verify import LINE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

STDIN: Final = "-"
EXIT_UNREADABLE: Final = 2
ALPHA: Final = 0.001


def sides(text: str) -> int:
    """
    Parse the number of sides.

    :raises ArgumentTypeError: if it is not a number of sides that is allowed.
    """
    if text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX:
        number = int(text)
        if SIDES_MIN <= number <= SIDES_MAX:
            return number
    smallest, largest = SIDES_MIN, SIDES_MAX
    raise ArgumentTypeError(f"a whole number from {smallest} to {largest}")


def level(text: str) -> float:
    """
    Parse the level alpha.

    :raises ArgumentTypeError: if it is not a number between 0 and 1.
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if 0 < number < 1:
        return number
    raise ArgumentTypeError("a number between 0 and 1")


class Command(BaseCommand):
    help = (
        "Read a list of throws and print, as one JSON object: counts; chi-square with its p, and"
        " each face by the exact binomial test, for a list whose length was fixed beforehand;"
        " log10 of the evidence E against a fair die, which holds however often one looks; the"
        " first throw with which E reached 20, 100 and 1000; the slightest tilt that so many"
        " throws would show; the maximum of the change detector. One face a line with --sides; or"
        " CSV with columns face, sides and stream, named or in this order. Needs no database."
        " Exit status: 0 done, 2 the list could not be read, and nothing is printed."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("file", metavar="FILE", help="the list; - for standard input")
        add("--sides", type=sides, metavar="N", help="of the dice, where no column says it")
        add(
            "--column", nargs="+", default=[], metavar="NAME",
            help="the columns that divide the throws into streams; default: stream, set or die",
        )  # fmt: skip
        add(
            "--face", nargs="+", default=[], metavar="NAME",
            help="the columns that hold faces, where several dice are thrown at once, in order;"
            " default: face, throw, roll, value or result",
        )  # fmt: skip
        add(
            "--alpha", type=level, default=ALPHA, metavar="A",
            help=f"of the smallest tilt shown and of e-BH across streams; default {ALPHA}",
        )  # fmt: skip

    def handle(self, *_args: Any, **options: Any) -> None:
        file, sides_given = options["file"], options["sides"]
        source = "standard input" if file == STDIN else file
        try:
            with open_lines(file) as lines:
                throws = read_throws(
                    lines, sides=sides_given, streams=options["column"], faces=options["face"]
                )
                figures = analyse(throws, sides=sides_given, alpha=options["alpha"])
        except InvalidThrow as invalid:
            raise CommandError(f"{source}, {invalid}", returncode=EXIT_UNREADABLE) from None
        except OSError as error:
            raise CommandError(f"{source}: {error.strerror}.", returncode=EXIT_UNREADABLE) from None
        self.stdout.write(json.dumps(figures, ensure_ascii=False, allow_nan=False))


@contextmanager
def open_lines(file: str) -> Iterator[Iterable[str]]:
    """
    Open a file, or standard input, as lines of text; without a byte order mark.

    Bytes that are not UTF-8 become escapes. In a column that is not read they do no harm. In one
    that is read, the error names their line.
    """
    decoding: dict[str, Any] = {"encoding": "utf-8-sig", "errors": "backslashreplace"}
    if file == STDIN:
        binary: Any = getattr(sys.stdin, "buffer", None)
        if binary is None:  # replaced by a text stream
            yield _lines_within_bounds(sys.stdin)
            return
        lines = io.TextIOWrapper(binary, **decoding)
        try:
            yield _lines_within_bounds(lines)
        finally:
            lines.detach()  # standard input stays open
        return
    with Path(file).open(**decoding) as lines:
        yield _lines_within_bounds(lines)


def _lines_within_bounds(lines: TextIO) -> Iterator[str]:
    """The lines of a stranger's file. :raises InvalidThrow: if one is too long."""
    number = 0
    while line := lines.readline(LINE_MAX + 1):
        number += 1
        if len(line) > LINE_MAX:
            raise InvalidThrow(number, f"more than {LINE_MAX} characters.")
        yield line


# Analyse a list of throws for fairness: the figures that `manage.py fairness` prints.
# Each stream has both kinds of tests. The chi-square `p` and the tests of faces are for a sample
# whose size was fixed beforehand. If the throws are too few for chi-square, `p_better` is the exact
# or simulated p-value, and `test` names its method. `log10_e` is anytime-valid: it holds however
# often one looks and whenever one stops.


E_THRESHOLDS: Final = (20, 100, 1000)
"""e-values whose first passing is reported: alpha 0.05, 0.01 and 0.001."""
FLOAT_MAX: Final = sys.float_info.max


@dataclass(slots=True)
class StreamAnalysis:
    """The running analysis of one stream: throws of dice of one size."""

    sides: int
    e_process: EProcess = field(init=False)
    detector: ChangeDetector = field(init=False)
    passed: dict[int, int | None] = field(init=False)
    """By threshold: the number of the first throw, from 1, at which E reached it."""
    detector_max: float = field(init=False, default=0.0)
    detector_max_at: int | None = field(init=False, default=None)
    _next_threshold: float = field(init=False)

    def __post_init__(self) -> None:
        self.e_process, self.detector = EProcess(self.sides), ChangeDetector(self.sides)
        self.passed = dict.fromkeys(E_THRESHOLDS)
        self._next_threshold = math.log10(E_THRESHOLDS[0])

    def add(self, face: int) -> None:
        self.e_process.add(face)
        self.detector.add(face)
        if self.detector.value > self.detector_max:
            self.detector_max, self.detector_max_at = self.detector.value, self.e_process.throws
        if self._next_threshold < math.inf:
            log10 = self.e_process.log10
            if log10 >= self._next_threshold:
                self._record_passed(log10)

    def _record_passed(self, log10: float) -> None:
        for threshold, at in self.passed.items():
            if at is None and log10 >= math.log10(threshold):
                self.passed[threshold] = self.e_process.throws
        pending = [threshold for threshold, at in self.passed.items() if at is None]
        self._next_threshold = math.log10(pending[0]) if pending else math.inf

    def figures(self, alpha: float) -> dict[str, Any]:
        """
        The figures of the stream, as they are printed.

        :param alpha: the level of `smallest_tilt`, which is the minimum detectable tilt of one face
            with so many throws; None if no tilt is detectable.
        """
        throws = self.e_process.throws
        return {
            "sides": self.sides,
            "throws": throws,
            "counts": list(self.e_process.counts),
            "expected": throws / self.sides,
            **self._fixed_sample_tests(),
            "log10_e": self.e_process.log10 if throws else None,
            "passed": {str(threshold): at for threshold, at in self.passed.items()},
            "alpha": alpha,
            "smallest_tilt": smallest_tilt(self.sides, throws, alpha),
            "change": {
                # JSON has no infinity, which a die that always shows one face reaches.
                "most": min(self.detector_max, FLOAT_MAX) if throws else None,
                "at": self.detector_max_at,
            },
        }

    def _fixed_sample_tests(self) -> dict[str, Any]:
        names = ("chi_square", "degrees", "p", "test", "p_better", "p_error")
        if not self.e_process.throws:
            return {**dict.fromkeys(names), "faces": []}
        fit = goodness_of_fit.chi_square_test(self.e_process.counts)
        p = goodness_of_fit.chi_square_p(fit.statistic, fit.degrees)
        small_sample_p = None if fit.method is goodness_of_fit.Method.CHI_SQUARE else fit.p
        values = (fit.statistic, fit.degrees, p, str(fit.method), small_sample_p, fit.error)
        faces = [
            {"face": each.face, "count": each.count, "p": each.p, "p_holm": each.p_holm}
            for each in goodness_of_fit.face_tests(self.e_process.counts)
        ]
        return {**dict(zip(names, values, strict=True)), "faces": faces}


def analyse(throws: Iterable[Throw], *, sides: int | None, alpha: float) -> dict[str, Any]:
    """
    The figures of a list of throws: of its one stream, or of several streams with e-BH.

    :param sides: the number of sides, for a list that may be empty; None if the list has it.
    """
    streams: dict[tuple[str, int], StreamAnalysis] = {}
    for throw in throws:
        key = (throw.stream, throw.sides)
        if (stream := streams.get(key)) is None:
            stream = streams[key] = StreamAnalysis(throw.sides)
        stream.add(throw.face)
    if not streams and sides is not None:
        streams["", sides] = StreamAnalysis(sides)
    if len(streams) == 1 and not (single := next(iter(streams)))[0]:
        return streams[single].figures(alpha)
    return _analyse_streams(streams, alpha)


def _analyse_streams(
    streams: dict[tuple[str, int], StreamAnalysis], alpha: float
) -> dict[str, Any]:
    stream_count = Counter(stream for stream, _sides in streams)
    named = {
        stream if stream_count[stream] == 1 and stream else f"{stream} d{sides}".strip(): analysis
        for (stream, sides), analysis in streams.items()
    }
    discovered = discoveries({name: each.e_process.log10 for name, each in named.items()}, alpha)
    return {
        "throws": sum(each.e_process.throws for each in named.values()),
        "alpha": alpha,
        "discoveries": [name for name in named if name in discovered],
        "streams": [
            {"stream": name, "discovered": name in discovered, **each.figures(alpha)}
            for name, each in named.items()
        ],
    }


# Parse a file of throws: a plain list with one face a line, or CSV, of any length.
# A plain list needs the number of sides as an argument. CSV may have a header line; commas,
# semicolons or tabs separate its columns, as Excel's line `sep=;` may say. Without a header the
# columns are face; or face and sides; or face, sides and stream. If the number of sides is an
# argument, two columns are face and stream. Blank lines and lines that begin with `#` are skipped.
# Pure: text in, throws out, one at a time.


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


def read_throws(
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
