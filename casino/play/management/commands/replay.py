"""`manage.py replay FILE...`: transcripts through the rules, one report a file."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand

from casino.play.catalogue import RULESETS
from games.refusals import Malformed
from games.transcripts import Played, play

MALFORMED: Final = 2
STOPPED: Final = 3


class Command(BaseCommand):
    help = "Play transcripts (JSON Lines, one command a line) and print a report of each."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--strict", action="store_true", help="stop at the first refused line, exit 3"
        )
        parser.add_argument("--pretty", action="store_true", help="reports for people to read")

    def handle(self, *_: Any, **options: Any) -> None:
        """Exit 0; 2 if a file was malformed; 3 if a strict play was stopped."""
        malformed = False
        for path in options["files"]:
            played = self.played(path, strict=options["strict"])
            if played is None:
                malformed = True
                continue
            indent = 2 if options["pretty"] else None
            self.stdout.write(json.dumps(played.report, indent=indent))
            if played.stopped:
                sys.exit(STOPPED)
        if malformed:
            sys.exit(MALFORMED)

    def played(self, path: Path, *, strict: bool) -> Played | None:
        catalogue = {ruleset.id: ruleset for ruleset in RULESETS}
        try:
            return play(numbered(path), catalogue, strict=strict)
        except Malformed as broken:
            where = f"{path}:{broken.line}" if broken.line else str(path)
            self.stderr.write(f"{where}: {broken}")
        except UnicodeDecodeError:
            self.stderr.write(f"{path}: not UTF-8.")
        except (OSError, ValueError) as unreadable:
            reason = getattr(unreadable, "strerror", None) or unreadable
            self.stderr.write(f"{path}: cannot be read: {reason}")
        return None


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """Lines end with a line feed and nothing else: JSON may hold other separators in its text."""
    with path.open(encoding="utf-8-sig", newline="\n") as lines:
        yield from enumerate(lines, 1)
