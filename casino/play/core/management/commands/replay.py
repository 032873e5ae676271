"""`manage.py replay FILE...`: plays transcripts by the rules, or records them at a table."""

from __future__ import annotations

import itertools
import json
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.acts.game_streams.loading import load
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Table
from casino.play.core import operations
from casino.play.settlement import subscriber
from games.refusals import Malformed, Refused
from games.transcripts import Play, Played, Report, carry_on, command_on, play
from ledger.verify import LINE_MAX

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Mapping

    from casino.house.acts.game_streams.loading import GameKey
    from casino.play.core.core import Answer
    from games.game import Ruleset

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
        parser.add_argument(
            "--record",
            action="store_true",
            help="play for the record: at --table, by --by, as any other game of the house",
        )
        parser.add_argument("--by", metavar="USERNAME", help="who records it")
        parser.add_argument(
            "--house", metavar="NAME", help="whose table; with one house not needed"
        )
        parser.add_argument("--table", metavar="NAME", help="where")

    def handle(self, *_: Any, **options: Any) -> None:
        """Exit status 0; 2 if a file was malformed; 3 if a play with `--strict` was stopped."""
        malformed = False
        for path in options["files"]:
            played = self.play(path, **options)
            if played is None:
                malformed = True
                continue
            indent = 2 if options["pretty"] else None
            self.stdout.write(json.dumps(played.report, indent=indent))
            if played.stopped:
                sys.exit(STOPPED)
        if malformed:
            sys.exit(MALFORMED)

    def play(self, path: Path, *, strict: bool, record: bool, **where: Any) -> Played | None:
        try:
            if record:
                return record_transcript(path, strict=strict, **where)
            return play(
                numbered_lines(path), {ruleset.id: ruleset for ruleset in RULESETS}, strict=strict
            )
        except Malformed as broken:
            at = f"{path}:{broken.line}" if broken.line else str(path)
            self.stderr.write(f"{at}: {broken}")
        except (OSError, ValueError) as unreadable:
            reason = getattr(unreadable, "strerror", None) or unreadable
            self.stderr.write(f"{path}: cannot be read: {reason}")
        return None


def record_transcript(
    path: Path, *, strict: bool, by: str, house: str, table: str, **_: Any
) -> Played:
    """
    Record a transcript in the ledger. The whole file is checked first, so a malformed one records
    nothing.

    :raises CommandError: if the person or the table is not known, or the person may not record.
    """
    lines = list(numbered_lines(path))
    for number, text in lines:
        if text.strip():
            command_on(number, text)
    try:
        person = Attendant.objects.get(username=by)
        at_house = {"establishment__name": house} if house else {}
        place = Table.objects.select_related("establishment").get(name=table, **at_house)
        return carry_on(recording(person, place), lines, strict=strict)
    except Attendant.DoesNotExist:
        raise CommandError(f"--by {by}: nobody signs in under that name.") from None
    except Table.DoesNotExist:
        raise CommandError(f"--table {table}: there is no such table.") from None
    except Table.MultipleObjectsReturned:
        raise CommandError(f"--table {table}: say which house's with --house.") from None
    except NotYours as refused:
        raise CommandError(str(refused)) from None


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """
    The numbered lines of a file, without a byte order mark.

    Only a line feed ends a line, because JSON text may contain other line separators.
    """
    with path.open("rb") as lines:
        for line in itertools.count(1):
            if not (written := lines.readline(LINE_MAX + 1)):
                return
            if len(written) > LINE_MAX:
                raise Malformed(f"More than {LINE_MAX} bytes.", line=line)
            try:
                yield line, written.decode("utf-8-sig" if line == 1 else "utf-8")
            except UnicodeDecodeError:
                raise Malformed("Not UTF-8.", line=line) from None


# Records a transcript in the ledger, through the same operations as any other game.


TRANSCRIPT_DEVICE = "replay"


class Recorded(Refused):
    """A refusal with the code and the sentence that the ledger recorded."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code  # type: ignore[misc]  # of one refusal, not of its class


@dataclass(slots=True, kw_only=True)
class Recording(Play):
    """A transcript that is being recorded at a table, in somebody's name."""

    by: Attendant
    table: Table
    key: GameKey | None = None

    def ask(self, line: int, raw: Mapping[str, Any], command_id: str) -> None:
        """:raises Refused: if the house refuses the command."""
        self.ruleset = self.rules_for(raw)
        command = self.resolved({**raw, "command_id": command_id or str(uuid.uuid4())})
        answer = self.carry_out(command)
        if answer.refusal is not None:
            if self.key is None:
                self.ruleset = None
            sentence = tokens.resolve_text(self.table.establishment_id, answer.refusal.detail)
            raise Recorded(answer.refusal.code, sentence)
        self.key = answer.key
        numbers = [event.stream_version for event in answer.events()]
        self.line_of.update(dict.fromkeys(numbers, line))
        self.first_events[line] = self.first_events[command_id or line] = numbers[0]

    def carry_out(self, command: Mapping[str, Any]) -> Answer:
        house, now = self.table.establishment, timezone.now()
        if self.key is None:
            return operations.open_game(
                by=self.by, table=self.table, raw=command, now=now, device=TRANSCRIPT_DEVICE
            )
        if command["do"] == "cash_out":
            subscriber.book_at_once(self.key)
        if command["do"] == "approve":  # whoever approves has seen all the lines before
            command = {"through": load(self.key).version, **command}
        game = self.key.game
        return operations.command(
            by=self.by, house=house, game=game, raw=command, now=now, device=TRANSCRIPT_DEVICE
        )

    def state_of_play(self, ruleset: Ruleset) -> Report:
        if self.key is None:
            raise AssertionError("asked for once a game is open")
        history = load(self.key).history
        report: Report = tokens.resolve(self.key.establishment, ruleset.view(history))
        return report


def recording(by: Attendant, table: Table) -> Recording:
    rulesets = {ruleset.id: ruleset for ruleset in catalogue.RULESETS}
    return Recording(rulesets, by=by, table=table)
