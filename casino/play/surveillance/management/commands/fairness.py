"""`manage.py fairness`: analyse a list of throws for fairness, and print the figures as JSON."""

from __future__ import annotations

import io
import json
import sys
from argparse import ArgumentTypeError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.play.surveillance import fairness_analysis, throw_file
from ledger.verify import LINE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN: Final = "-"
EXIT_UNREADABLE: Final = 2
ALPHA: Final = 0.001


def sides(text: str) -> int:
    """
    Parse the number of sides.

    :raises ArgumentTypeError: if it is not a number of sides that is allowed.
    """
    if text.isascii() and text.isdigit() and len(text) <= throw_file.DIGITS_MAX:
        number = int(text)
        if throw_file.SIDES_MIN <= number <= throw_file.SIDES_MAX:
            return number
    smallest, largest = throw_file.SIDES_MIN, throw_file.SIDES_MAX
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
                throws = throw_file.throws(
                    lines, sides=sides_given, streams=options["column"], faces=options["face"]
                )
                figures = fairness_analysis.analyse(
                    throws, sides=sides_given, alpha=options["alpha"]
                )
        except throw_file.InvalidThrow as invalid:
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
            raise throw_file.InvalidThrow(number, f"more than {LINE_MAX} characters.")
        yield line
