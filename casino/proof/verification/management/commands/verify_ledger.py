"""``manage.py verify_ledger``: compares everything that is stored of a house with its hashes."""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import django
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from casino.engine.databases import guards
from casino.house.establishments.command_line import NOT_DONE, houses
from casino.play.settlement import payout_holds
from casino.proof.signing import epochs, findings, queries
from casino.proof.verification import verifying
from casino.proof.verification.rebuild import Disturbed
from casino.proof.verification.shadow import NotShadowed
from ledger.checking.signatures import NotOfThisHouse
from ledger.conflicts import count_of
from ledger.journal import Conflict
from ledger.models import Event
from ledger.verify import Checkpoint, Unreadable, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.house.establishments.models import Establishment
    from ledger.checking.book import Book
    from ledger.checking.findings import Finding, Step

WIDTH: Final = 30
LINE_EACH: Final = 5.0  # seconds between lines of progress if there is no terminal
BOOK: Final = ("events", "tiles", "receipts")  # the stages whose total amount is known


class Command(BaseCommand):
    help = (
        "Hash every event once more; hold columns, streams, commands, transfers, balances, the"
        " stored tree, every signed checkpoint and what screens read against the bodies of events."
        " The house may play meanwhile. A house with findings pays nobody from then on, until two"
        " people resume its payouts (E2); nothing else is written. Exit status: 0 sound, 1 broken,"
        " 2 it could not be done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("--establishment", action="append", metavar="NAME|ID", help="default: every house")
        add(
            "--since", metavar="POSITION|DATE",
            help="from the newest checkpoint before that on; what is before is taken as signed",
        )  # fmt: skip
        add(
            "--checkpoint", action="append", default=[], type=Path, metavar="FILE",
            help="a checkpoint that was kept outside; may be given several times",
        )  # fmt: skip
        add("--no-projections", action="store_true", help="leave out what screens read")
        add("--limit", type=int, default=100, help="findings that are listed; all are counted")
        add(
            "--workers", type=int,
            help=f"processes that read events (default {WORKERS} for a book of"
            f" {LONG} positions or more, else 1)",
        )  # fmt: skip
        add("--json", action="store_true", help="one JSON object a line, the figures last")

    def handle(self, **options: Any) -> None:
        kept = [checkpoint(path) for path in options["checkpoint"]]
        unguarded, not_compared = self.compare_guards(options)
        found = houses(options["establishment"])
        if kept and len(found) != 1:
            raise CommandError(
                "--checkpoint: name the house it is of (--establishment).", returncode=NOT_DONE
            )
        try:
            broken = sum(self.verify_house(house, kept, options, unguarded) for house in found)
        except (DatabaseError, NotOfThisHouse, Disturbed, NotShadowed) as error:
            raise CommandError(f"Not done: {error}", returncode=NOT_DONE) from error
        if broken or unguarded:
            raise SystemExit(1)
        if not_compared:
            raise CommandError(f"Not done: {not_compared}", returncode=NOT_DONE)

    def compare_guards(self, options: dict[str, Any]) -> tuple[list[Finding], str]:
        """
        Compare the database's guards and print what differs, before anything else is read. Return
        it, and why they could not be compared, if so.
        """
        write = self.as_json if options["json"] else self.for_people
        try:
            differences, reason = guards.compare()
        except DatabaseError as error:
            raise CommandError(f"Not done: {error}", returncode=NOT_DONE) from error
        found = guards.findings(differences)
        for each in found:
            write(None, "finding", each.as_dict())
        return found, reason

    def verify_house(
        self,
        house: Establishment,
        kept: list[Checkpoint],
        options: dict[str, Any],
        unguarded: Sequence[Finding],
    ) -> int:
        """Verify a house and print the first findings at once; how many findings there are."""
        book = verifying.open_book(
            house.pk, now=timezone.now(), since=position(house, options["since"]), kept=kept
        )
        write = self.as_json if options["json"] else self.for_people
        if not options["json"]:
            part = f"positions {book.start} to {book.stop - 1}" if book.stop else "no events"
            self.stdout.write(f"{house}, {part}")
        if not options["no_projections"]:
            for game in verifying.not_compared(house.pk, verifying.PROJECTIONS):
                write(house, "not_compared", {"game": game})
        began, count = time.monotonic(), len(unguarded)
        seen: set[bool] = set()  # False: findings that it is broken; True: that it is behind
        if unguarded:
            seen |= {each.behind for each in unguarded}
            write(house, "payouts", payouts_stopped(house, unguarded, book))
        bar = Bar(self, book)
        stages = verifying.stages(projections=not options["no_projections"])
        with read_ahead(book, options["workers"]) as shared:
            for stage, step in every_step(shared, stages):
                bar.move(stage, step.done)
                try:  # what was found is told before anything else is tried, which may fail
                    for each in step.findings[: max(0, options["limit"] - count)]:
                        write(house, "finding", each.as_dict())
                finally:  # also if nobody is there to read it
                    if kinds := {each.behind for each in step.findings} - seen:
                        seen |= kinds
                        write(house, "payouts", payouts_stopped(house, step.findings, book))
                count += len(step.findings)
        bar.gone()
        seconds = round(time.monotonic() - began, 3)
        figures = {
            "since": book.start, "events": book.stop - book.start, "receipts": book.receipts,
            "kept": len(book.kept), "findings": count, "seconds": seconds,
        }  # fmt: skip
        if not options["json"] and (steps := what_to_do(house, seen)):
            write(house, "next", {"steps": steps})
        write(house, "figures", figures)
        return count

    def as_json(self, house: Establishment | None, what: str, row: dict[str, Any]) -> None:
        """:param house: None: it is about the database of all houses."""
        line = {"establishment": str(house.pk) if house else None, "what": what, what: row}
        self.stdout.write(json.dumps(line, ensure_ascii=False, default=str))

    def for_people(self, _house: Establishment | None, what: str, row: dict[str, Any]) -> None:
        self.stdout.write(SENTENCES[what](row))


class Bar:
    """Progress on stderr: on a terminal a bar, removed at the end; else a line now and then."""

    def __init__(self, command: BaseCommand, book: Book) -> None:
        self.command, self.terminal = command, sys.stderr.isatty()
        events = book.stop - book.start
        self.of = {"events": events, "tiles": -(-events // 256), "receipts": book.receipts}
        self.stage, self.done, self.written_at = "", 0, time.monotonic()

    def move(self, stage: str, more: int) -> None:
        if stage != self.stage:
            self.stage, self.done = stage, 0
        self.done += more
        share = min(1.0, self.done / self.of[stage]) if self.of.get(stage) else None
        if self.terminal:
            bar = "" if share is None else f" [{'#' * round(WIDTH * share):.<{WIDTH}}] {share:4.0%}"
            self._write(f"\r\033[K{stage}{bar}", ending="")
        elif time.monotonic() - self.written_at >= LINE_EACH:
            self.written_at = time.monotonic()
            self._write(f"{stage}: {self.done}" + (f" of {self.of[stage]}" if share else ""))

    def gone(self) -> None:
        if self.terminal:
            self._write("\r\033[K", ending="")

    def _write(self, text: str, ending: str = "\n") -> None:
        self.command.stderr.write(text, style_func=str, ending=ending)
        self.command.stderr.flush()


def checkpoint(path: Path) -> Checkpoint:
    try:
        return Checkpoint.parse(read_file(path), str(path))
    except (OSError, Unreadable) as error:
        raise CommandError(f"--checkpoint: {error}", returncode=NOT_DONE) from error


def every_step(of: Book, stages: Sequence[str]) -> Iterator[tuple[str, Step]]:
    return ((stage, step) for stage in stages for step in verifying.steps(of, stage, {}))


def position(house: Establishment, since: str | None) -> int:
    """
    The first position to check: the given number, or the first position of the given gaming day.

    :raises CommandError: if `since` is neither a number nor a day.
    """
    if since is None:
        return 0
    if since.isdecimal():
        return int(since)
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise CommandError(
            f"--since: {since} is neither a position nor a day.", returncode=NOT_DONE
        ) from None
    rows = Event.objects.using(settings.LEDGER_READER).filter(establishment=house.pk)
    first = rows.filter(gaming_day__gte=day).order_by("gaming_day", "position")
    found = first.values_list("position", flat=True).first()
    if found is not None:
        return found
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return 0 if last is None else last + 1


def what_to_do(house: Establishment, seen: set[bool]) -> list[str]:
    """
    The next steps for a house, one sentence each; empty if all is well.

    :param seen: contains False if findings say that the house is broken, True if some say that it
        is behind.
    """
    if False in seen:
        return [queries.what_to_do(house), findings.RESUME]
    if seen:
        return [findings.after_restore(house.pk), findings.RESUME]
    before = [findings.VERIFY] if queries.broken(house.pk).exists() else []
    if (known := epochs.loss_not_on_record(house.pk)) is not None:
        size = known.published.size
        sentence = (
            f"A checkpoint of {count_of(size, 'event')} was found before, which this book has not."
        )
        before.append(f"{sentence} {findings.after_restore(house.pk)}")
    stopped = payout_holds.stop_now(house.pk) is not None
    return [*before, *([findings.RESUME] if stopped else [])]


def payouts_stopped(house: Establishment, found: Sequence[Finding], book: Book) -> dict[str, Any]:
    """
    Stop the payouts of a house when something is found (E2).

    :return: `stopped`: whether payouts were stopped; `said`: why not, if this database cannot be
        written.
    """
    try:
        epochs.stop(house, found, book.kept, now=timezone.now())
    except (DatabaseError, Conflict) as error:
        return {"stopped": False, "said": f"{type(error).__name__}: {error}".strip()}
    return {"stopped": True}


def payouts(row: dict[str, Any]) -> str:
    if row["stopped"]:
        return "! Payouts of this house are stopped until two people resume them. E2"
    return (
        f"! Payouts of this house are NOT stopped: {row['said']}. Have it verified in the house"
        " itself: it finds the same and stops them. E2"
    )


def not_compared(row: dict[str, Any]) -> str:
    return (
        f"Not compared: what screens and reports read of the games of {row['game']}. The game"
        f" {row['game']} is not installed."
    )


def figures(row: dict[str, Any]) -> str:
    found = row["findings"]
    counted = (
        f"{count_of(row['events'], 'event')} from position {row['since']} on,"
        f" {count_of(row['receipts'], 'receipt')} of"
        f" commands, {count_of(row['kept'], 'checkpoint')} kept outside; {row['seconds']:.1f} s: "
    )
    return counted + (f"BROKEN, {count_of(found, 'finding')}." if found else "sound.")


def next_steps(row: dict[str, Any]) -> str:
    return "\n".join(["What to do next:", *(f"  - {step}" for step in row["steps"])])


SENTENCES: Final = {
    "finding": findings.line,
    "payouts": payouts,
    "next": next_steps,
    "not_compared": not_compared,
    "figures": figures,
}


# Worker processes that read stretches of a long ledger ahead (`ledger.checking.whole`), each over
# its own connection; the check takes their results in order.
#
# Processes are spawned, not forked, so they share no connections or locks with this one. Nothing
# that needs Django is imported here before Django is set up. If a process is killed, its stretches
# are read here.


WORKERS: Final = 2
LONG: Final = 400_000  # positions: with fewer, starting processes takes longer than they save
WAITING: Final = 3  # stretches that are submitted ahead, for each process

Leaves = list[bytes] | None


@contextmanager
def read_ahead(book: Book, workers: int | None = None) -> Iterator[Book]:
    """
    The same ledger, with other processes that read its events ahead.

    :param workers: how many processes; None: `WORKERS` for a long ledger, none for a short one.
    """
    if workers is None:
        workers = WORKERS if book.stop - book.start >= LONG else 1
    if workers < 2:  # noqa: PLR2004 - nobody to share with
        yield book
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=begin)
    try:
        yield replace(book, ahead=ReadAhead(book, pool, WAITING * workers))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class ReadAhead:
    """The stretches that are submitted to processes and not taken yet; `most` at a time."""

    def __init__(self, book: Book, pool: ProcessPoolExecutor, most: int) -> None:
        self._book, self._pool, self._most = book, pool, most
        self._pending: dict[tuple[int, int], Future[Leaves]] = {}
        self._next = book.start

    def leaves(self, first: int, stop: int) -> Leaves:
        """The same result as `whole.leaves`."""
        future = self._pending.pop((first, stop), None)
        if future is None:  # the first stretch, or one after a gap: submit again from there on
            self._pending.clear()
            self._next = stop
        try:
            self._submit()
            if future is not None:
                return future.result()
        except BrokenExecutor:
            self._most = 0
        return leaves_of(self._book, first, stop)

    def _submit(self) -> None:
        while len(self._pending) < self._most and self._next < self._book.stop:
            first, stop = self._next, self._book.stretch(self._next)
            self._pending[first, stop] = self._pool.submit(leaves_of, self._book, first, stop)
            self._next = stop


def begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller
    django.setup()


def leaves_of(book: Book, first: int, stop: int) -> Leaves:
    from ledger.checking import whole  # noqa: PLC0415 - see above

    return whole.leaves(book, first, stop)
