"""`manage.py fairness`: what a list of throws says about the dice, as JSON."""

from __future__ import annotations

import io
import json
import sys
from argparse import ArgumentTypeError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.surveillance import listed, listed_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN: Final = "-"
NOT_READ: Final = 2
ALPHA: Final = 0.001


def sides(told: str) -> int:
    """:raises ArgumentTypeError: if there are no such dice."""
    if told.isascii() and told.isdigit() and len(told) <= listed.DIGITS_MOST:
        number = int(told)
        if listed.SIDES_LEAST <= number <= listed.SIDES_MOST:
            return number
    raise ArgumentTypeError(f"a whole number from {listed.SIDES_LEAST} to {listed.SIDES_MOST}")


def level(told: str) -> float:
    """:raises ArgumentTypeError: if it is no chance."""
    try:
        number = float(told)
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
        file, known = options["file"], options["sides"]
        called = "standard input" if file == STDIN else file
        try:
            with opened(file) as lines:
                throws = listed.throws(
                    lines, sides=known, streams=options["column"], faces=options["face"]
                )
                told = listed_figures.told(throws, sides=known, alpha=options["alpha"])
        except listed.NotAThrow as wrong:
            raise CommandError(f"{called}, {wrong}", returncode=NOT_READ) from None
        except OSError as error:
            raise CommandError(f"{called}: {error.strerror}.", returncode=NOT_READ) from None
        self.stdout.write(json.dumps(told, ensure_ascii=False, allow_nan=False))


@contextmanager
def opened(file: str) -> Iterator[Iterable[str]]:
    """
    The lines of a file, however they end; a byte order mark is left out.

    What is no UTF-8 stands as escapes: where it is no part of a throw it does no harm, and where it
    is, the line that holds it is named.
    """
    how: dict[str, Any] = {"encoding": "utf-8-sig", "errors": "backslashreplace"}
    if file == STDIN:
        bare: Any = getattr(sys.stdin, "buffer", None)
        if bare is None:  # somebody put text in its place
            yield sys.stdin
            return
        lines = io.TextIOWrapper(bare, **how)
        try:
            yield lines
        finally:
            lines.detach()  # it is not ours to close
        return
    with Path(file).open(**how) as lines:
        yield lines
