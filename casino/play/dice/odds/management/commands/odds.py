"""`manage.py odds GAME`: exact odds on the command line."""

from __future__ import annotations

import json
import sys
from argparse import SUPPRESS
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand

from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters.odds_tables import as_json, as_text, decimal, per_cent
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from casino.words.presenters.odds_tables import Answer, Cell, Column, Field, Raw, Table

WRONG: Final = 2


class Command(BaseCommand):
    help = "Print the exact odds of a game, as JSON. `odds GAME --help` tells what it asks for."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pretty", action="store_true", help="tables for people to read")
        games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
        for subject in GAMES.values():
            of = games.add_parser(subject.game, help=subject.title, allow_abbrev=False)
            of.add_argument("--pretty", action="store_true", default=SUPPRESS, help="for people")
            for field in subject.fields:
                self._add(of, field)

    def _add(self, parser: ArgumentParser, field: Field) -> None:
        description = f"Does not matter: {field.unmoved}" if field.unmoved else field.description
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            dest=field.name,
            metavar=field.kind.metavar,
            action="append",
            default=SUPPRESS,
            help=description.replace("%", "%%"),
        )

    def handle(self, *_: Any, game: str, pretty: bool, **options: Any) -> None:
        """Exit 0; 2 if the query is malformed."""
        names = {field.name for field in GAMES[game].fields}
        raw: Raw = {name: texts for name, texts in options.items() if name in names}
        try:
            found = answer(game, raw)
        except (Malformed, Refused) as wrong:
            self.stderr.write(f"odds {game}: {wrong}")
            sys.exit(WRONG)
        self.stdout.write(text(found) if pretty else json.dumps(as_json(found)))


# Odds as plain text: what `odds --pretty` prints.


EXACT_MAX: Final = 23  # characters of a fraction; a longer one is printed only as a decimal
LEFT: Final = {"word", "dice"}


def text(answer: Answer) -> str:
    parts = [answer.title, *answer.notes]
    chosen = ", ".join(f"{name}={as_text(value)}" for name, value in answer.options.items())
    parts.append(f"Options: {chosen}. Without effect: {', '.join(answer.unmoved) or 'none'}.")
    return "\n".join([*parts, *("\n" + "\n".join(lines(table)) for table in answer.tables)])


def lines(table: Table) -> Iterator[str]:
    """A heading, its explanation, and the rows in columns; a marked row begins with a star."""
    cells = [[cell_text(cell, column) for cell, column in zip(row, table.columns, strict=True)]
             for row in table.rows]  # fmt: skip
    heads = [f"{column.title}{' (coins)' * column.money}" for column in table.columns]
    widths = [max(map(len, each)) for each in zip(heads, *cells, strict=True)]
    yield f"{table.title}. {table.description}"
    yield "  " + _line(heads, table.columns, widths)
    for place, row in enumerate(cells):
        star = "* " if place in table.marked else "  "
        yield star + _line(row, table.columns, widths)


def _line(cells: list[str], columns: tuple[Column, ...], widths: list[int]) -> str:
    placed = (
        cell.ljust(width) if column.kind in LEFT else cell.rjust(width)
        for cell, column, width in zip(cells, columns, widths, strict=True)
    )
    return "  ".join(placed).rstrip()


def cell_text(cell: Cell, column: Column) -> str:
    match cell:
        case None:
            return "-"
        case Fraction() if column.kind != "mean":
            return _exact(cell) + per_cent(cell)
        case Fraction():
            return f"{_exact(cell)}{decimal(cell, 6)}"
        case tuple():
            return "-".join(map(str, cell))
        case _:
            return str(cell)


def _exact(value: Fraction) -> str:
    exact = str(value)
    return f"{exact}  " if len(exact) <= EXACT_MAX else ""
