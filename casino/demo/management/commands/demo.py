"""``manage.py demo``: makes the demo house; with ``--play`` it also plays in it over HTTP."""

from __future__ import annotations

import os
import random
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from casino.demo import house, past
from casino.demo.client import Unanswered
from casino.demo.play import Evening, House, acknowledge, first_evening, play_written_games
from casino.engine.databases import migrated
from casino.engine.processes import data_lock
from casino.engine.processes.command import STARTED
from casino.proof.verification.imports import NotImported
from ledger.conflicts import count_of
from ledger.verify import Undecided, Unreadable, Untrue

if TYPE_CHECKING:
    from argparse import ArgumentParser


LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
USUAL = "http://127.0.0.1:8000/"


def address(given: str | None) -> str:
    """As it is given; else where the house on this data runs, on whatever port; else the usual."""
    if given is not None or settings.PRODUCTION:
        return given or USUAL
    return data_lock.address(settings.DATA_DIR) or USUAL


class Command(BaseCommand):
    help = "Make the demo house. With a running house, play the written games and go on playing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--written", action="store_true", help="play the written games, then by its rules"
        )
        parser.add_argument(
            "--past", action="store_true", help="a new demo house has five weeks behind it"
        )
        parser.add_argument(
            "--beside", action="store_true", help="also where there is a house of somebody's own"
        )
        parser.add_argument(
            "--exposed", action="store_true", help="also where others than this machine come in"
        )
        parser.add_argument(
            "--houses", type=int, default=1, metavar="N", help="a chain of so many demo houses"
        )
        parser.add_argument("--play", action="store_true", help="go on playing until Ctrl-C")
        parser.add_argument("--url", help="where the house runs, if not at the address it prints")
        parser.add_argument("--pace", type=float, default=0.7, help="seconds between two acts")
        parser.add_argument("--acts", type=int, help="stop after so many acts")
        parser.add_argument("--seed", type=int, help="the same evening again")

    def handle(self, **options: Any) -> None:
        if not migrated.whole():
            raise CommandError(
                f"The tables are not made yet: start the house first, {STARTED}, and wait until"
                " it says where it runs."
            )
        self.only_here(options)
        made = self.make(options)
        if made:
            self.stdout.write(f"{house.NAME} stands. Everybody's password: {house.PASSWORD}")
        if options["houses"] > 1:
            self.make_chain(options["houses"])
        try:
            if options["written"]:
                self.play_written(House(address(options["url"])))
            if options["play"]:
                self.play_on(House(address(options["url"])), options)
        except Unanswered as silence:
            raise CommandError(f"{silence} Start the house first: {STARTED}") from None
        except KeyboardInterrupt:
            self.stdout.write("Enough for tonight.")

    def make(self, options: dict[str, Any]) -> bool:
        """Make the demo house; returns whether it was made now."""
        try:
            if options["past"]:
                return past.import_past(timezone.now(), alongside=options["beside"])
            return house.make_house(alongside=options["beside"])
        except (NotImported, Untrue, Undecided, Unreadable) as reason:
            raise CommandError(f"Not imported: {reason}") from reason
        except house.NotAlone as other:
            raise CommandError(
                f"{other} is here: people whose password everybody knows have no place beside it. "
                "For a demo house that says what it is: --beside."
            ) from None

    def make_chain(self, houses: int) -> None:
        from casino.demo import chain  # noqa: PLC0415 - with it all of a chain, for this option alone

        made = chain.make_chain(houses, say=self.stdout.write)
        people = ", ".join(username for username, *_ in chain.PEOPLE)
        self.stdout.write(
            f"{made} has {count_of(houses, 'house')}; {people} work for it: sign in, then Chain."
        )

    def only_here(self, options: dict[str, Any]) -> None:
        host = os.environ.get("WEB_BIND", "0.0.0.0:8000").rpartition(":")[0]
        if settings.PRODUCTION and host not in LOOPBACK and not options["exposed"]:
            raise CommandError(
                f"This house is reached at {host}, and everybody knows the password of the demo's "
                "people. WEB_BIND=127.0.0.1:8000 keeps others out; --exposed lets them in."
            )

    def play_written(self, demo: House) -> None:
        for name, game in chain(play_written_games(demo), first_evening(demo)):
            self.stdout.write(f"{name}: {game or 'not opened'}")
        for about in acknowledge(demo):
            self.stdout.write(f"alarm acknowledged: {about}")

    def play_on(self, demo: House, options: dict[str, Any]) -> None:
        chance = random.Random(options["seed"])  # noqa: S311 - dice of a demo
        evening = Evening(demo, chance, self.stdout.write)
        left = options["acts"]
        while left is None or left > 0:
            evening.act()
            left = None if left is None else left - 1
            time.sleep(options["pace"])
