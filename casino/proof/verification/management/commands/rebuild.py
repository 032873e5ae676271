"""``manage.py rebuild``: compares projections with the ledger, and rebuilds what differs."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from casino.house.acts.game_streams import catalogue
from casino.house.establishments.command_line import NOT_DONE
from casino.house.establishments.models import Establishment
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from casino.proof.verification.replays import LISTED_MAX
from casino.proof.verification.shadow import NotShadowed
from ledger import subscriptions
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from casino.proof.verification.replays import Difference, Progress
    from ledger.subscriptions import Subscriber

WIDTH: Final = 30


class Command(BaseCommand):
    help = (
        "Make the rows that screens and reports read once more from the first event of the ledger,"
        " compare, say what differs, and rebuild that; with --check nothing is touched. Exit"
        " status: 0 nothing differs, 1 something did, 2 it could not be done."
    )
    requires_system_checks = ()  # it is most useful for a house with problems

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--establishment", type=UUID, metavar="ID", help="default: every house")
        add("--follower", choices=[each.name for each in SUBSCRIBERS], help="default: all of them")
        add("--check", action="store_true", help="compare only; the house plays on undisturbed")
        add("--json", action="store_true", help="one JSON object a line")

    def handle(self, **options: Any) -> None:
        subscribers = [each for each in SUBSCRIBERS if options["follower"] in {None, each.name}]
        try:
            differed = [
                self.rebuild_if_different(house, subscriber, options)
                for house in houses(options["establishment"])
                for subscriber in subscribers
            ]
        except (
            DatabaseError,
            rebuild.Disturbed,
            rebuild.NotInstalled,
            NotShadowed,
        ) as error:
            raise CommandError(f"Not done: {error}", returncode=NOT_DONE) from error
        if any(differed):
            raise SystemExit(1)

    def rebuild_if_different(
        self, house: Establishment, subscriber: Subscriber, options: dict[str, Any]
    ) -> bool:
        """Compare, print the differences, then rebuild; whether anything differed."""
        heading = f"{house.name}, {subscriber.name}"
        found = list(rebuild.compare(house.pk, subscriber, self.progress(f"{heading}: comparing")))
        if options["json"]:
            self.as_json(house, subscriber, found)
        else:
            self.for_people(heading, found)
        for game in catalogue.missing_games(house.pk).games:
            self.stderr.write(
                f"{heading}: rows of the games of {game} are not compared: it is not installed."
            )
        if parked := len(subscriptions.parked_events(subscriber.name, establishment=house.pk)):
            self.stderr.write(
                f"{heading}: {count_of(parked, 'event is', 'events are')} parked, and left out."
            )
        if found and not options["check"]:
            self.rebuilt(house, subscriber, heading)
        return bool(found)

    def rebuilt(self, house: Establishment, subscriber: Subscriber, heading: str) -> None:
        if subscriber.name == SETTLEMENT.name:
            rows = rebuild.repair_kept(house.pk, self.progress(f"{heading}: mending"))
            self.stderr.write(
                f"{heading}: {count_of(rows, 'row')} put right. What was booked stays booked."
            )
            return
        parked = rebuild.rebuild(house.pk, subscriber, self.progress(f"{heading}: rebuilding"))
        self.stderr.write(
            f"{heading}: rebuilt; {count_of(parked, 'event is', 'events are')} parked."
        )

    def as_json(
        self, house: Establishment, subscriber: Subscriber, found: Sequence[Difference]
    ) -> None:
        about = {"establishment": str(house.pk), "follower": subscriber.name}
        for each in found:
            line = {**about, "difference": each.as_dict()}
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        tables = {each.table: each.of for each in found}
        self.stdout.write(json.dumps({**about, "differing": tables}))

    def for_people(self, heading: str, found: Sequence[Difference]) -> None:
        if not found:
            self.stdout.write(f"{heading}: nothing differs.")
        for table, differing in groupby(found, key=lambda each: each.table):
            rows = list(differing)
            self.stdout.write(f"{heading}: {table}: {rows[0].of} differ.")
            for each in rows:
                self.stdout.write(f"  {sentence(each)}")
            if rows[0].of > len(rows):
                self.stdout.write(f"  … the first {LISTED_MAX} of {rows[0].of}")

    def progress(self, doing: str) -> Progress:
        """Progress on stderr: on a terminal a bar, removed at the end; else a line each tenth."""
        printed = -1

        def report(done: int, of: int) -> None:
            nonlocal printed
            share = done / max(1, of)
            if sys.stderr.isatty():
                bar = "#" * round(WIDTH * share)
                line = f"\r\033[K{doing} [{bar:.<{WIDTH}}] {done}/{of}" if done < of else "\r\033[K"
                self.stderr.write(line, style_func=str, ending="")
                self.stderr.flush()
            elif (tenth := int(10 * share)) > printed:
                printed = tenth
                self.stderr.write(f"{doing}: {done} of {count_of(of, 'event')}", style_func=str)

        return report


def sentence(difference: Difference) -> str:
    """A difference in words: the key of the row or event, and what differs."""
    each = difference.as_dict()
    key = " ".join(f"{name}={value}" for name, value in each["key"].items())
    match difference.what:
        case "altered":
            columns = (
                f"{name} is {_as_json(value)}, should be {_as_json(each['expected'][name])}"
                for name, value in each["found"].items()
            )
            return f"altered {key}: {'; '.join(columns)}"
        case "missing":
            return f"missing {key}: {_as_json(each['expected'])}"
        case _:
            return f"{difference.what} {key}: {_as_json(each['found'])}"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def houses(wanted: UUID | None) -> list[Establishment]:
    """The house with an id, or all houses. :raises CommandError: if there is no such house."""
    if wanted is None:
        return list(Establishment.objects.order_by("name"))
    if (house := Establishment.objects.filter(pk=wanted).first()) is None:
        raise CommandError(f"--establishment: there is no house {wanted}.", returncode=NOT_DONE)
    return [house]
