"""`manage.py odds GAME`: exact odds on the command line."""

from __future__ import annotations

import json
import sys
from argparse import SUPPRESS
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand

from casino.play.odds import printing
from casino.play.odds.queries import GAMES, answer
from casino.words.presenters.odds.answers import as_json
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.words.presenters.odds.params import Field, Raw

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
        self.stdout.write(printing.text(found) if pretty else json.dumps(as_json(found)))
