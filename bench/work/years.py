"""Fills a house with evenings: some are played, all others are copies of those, one per day."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from datetime import time as clock
from random import Random
from typing import TYPE_CHECKING, Any, Final
from unittest import mock
from uuid import uuid4

from django.db import transaction

from bench.work.copies import Copy, Original, copied
from bench.work.evenings import Evening
from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.floor.players.models import CashDay, CashMove, PrizeToHandOut
from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.money.cash.models import Owed
from casino.money.cash.prizes import game_of, player_of
from casino.play.core.models import DayFigures, GameCard, GameSpan, QuarterFigures, RoundRow
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.dice.models import DiceSet
from casino.play.exclusions.models import SeatRefused
from casino.play.settlement import scoreboard
from casino.play.settlement.models import Payout, Withheld
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.search import events as search_events
from casino.proof.search.models import LotLine, RoundAmount, RoundLine, RoundPerson
from casino.reports.gaming_days import closing
from ledger import importing, journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import Subscription
from tests.support import builders
from tests.support.playing import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from django.db.models import Model

    from ledger.subscriptions import Subscriber
    from tests.support.builders import House

YEAR: Final = 365
BEGINS: Final = clock(17, 0, tzinfo=UTC)
LAST_DAY: Final = datetime(2026, 11, 20, tzinfo=UTC).date()
PLAYERS: Final = 600
STAFF: Final = {Role.ATTENDANT: 6, Role.SUPERVISOR: 3}
AT_ONCE: Final = 2000  # rows
BATCH: Final = 500  # events of a subscriber's batch
PROGRESS_EVERY: Final = 20_000
COUNTED: Final = (SETTLEMENT, PROJECTIONS)  # the subscribers whose rows are copied
AREAS: Final = frozenset({"search", "players"})  # the areas of `house` whose rows are copied


def filled(  # noqa: PLR0913 - what the command line says
    *,
    events: int,
    evening: int,
    evenings: int,
    tables: int,
    seed: int,
    on_progress: Callable[[int, str], None] = lambda _done, _of: None,
) -> dict[str, Any]:
    """
    A house with about that many events of real play.

    :returns: its id, and how many seconds each part took.
    """
    return Year(events, evening, evenings, tables, Random(seed), on_progress).filled()  # noqa: S311


class Year:
    def __init__(  # noqa: PLR0913, PLR0917 - as `filled`
        self, events: int, evening: int, evenings: int, tables: int, chance: Random,
        on_progress: Callable[[int, str], None],
    ) -> None:  # fmt: skip
        self.events, self.evening, self.evenings = events, evening, evenings
        self.chance, self.on_progress = chance, on_progress
        self.house = founded(tables, events)
        self.took: dict[str, float] = {}
        self.pool = self.players()
        self.staff = {
            role: [
                str(self.house.people[role].pk),
                *(
                    str(builders.employed(self.house.establishment, role).pk)
                    for _ in range(many - 1)
                ),
            ]
            for role, many in STAFF.items()
        }
        self.versions: dict[str, int] = {}
        self.kept: dict[Original, list[list[Model]]] = {}

    def filled(self) -> dict[str, Any]:
        copies = max(0, self.events // self.evening - self.evenings)
        gaming_days = self.gaming_days(copies + self.evenings)
        originals = []
        for _ in range(self.evenings):
            with self.timed("played"):
                self.begins(day := next(gaming_days))
                at = datetime.combine(day, BEGINS)
                span = Evening(self.house, self.chance, at, self.evening).played()
            originals.append(Original(self.house.id, span))
            self.versions |= {
                stream: first + many - 1 for stream, (first, many) in originals[-1].shared.items()
            }
            self.on_progress(self.head, "played")
        reported = self.head
        for day in gaming_days:
            if self.head >= self.events:
                break
            self.begins(day)
            self.copy(self.chance.choice(originals), day)
            if self.head - reported >= PROGRESS_EVERY:
                reported = self.head
                self.on_progress(reported, "copied")
        with self.timed("followed"):
            caught_up(self.house)
            search_events.catch_up(self.house.id, self.head - 1)
        with self.timed("hashed"):
            importing.hash_tiles(self.house.id)
        self.on_progress(self.head, "done")
        return {
            "house": str(self.house.id),
            "manager": self.house.manager.username,
            "events": self.head,
            "of an evening": [len(each.span) for each in originals],
            "seconds": {name: round(seconds, 1) for name, seconds in self.took.items()},
        }

    @property
    def head(self) -> int:
        return journal.head(establishment=self.house.id) + 1

    def gaming_days(self, many: int) -> Iterator[date]:
        """Days over a year; over several years if there are more evenings than days in one."""
        apart = max(1, YEAR // max(1, many))
        day = LAST_DAY - timedelta(days=apart * many)
        while True:
            day += timedelta(days=apart)
            yield day

    def begins(self, day: date) -> None:
        """Open a gaming day; the manager closes days that are open."""
        at = datetime.combine(day, BEGINS) - timedelta(hours=1)
        house = self.house.establishment
        with self.timed("days"):
            gaming_day.enter(house, at)
            while (older := gaming_day.day_state(house.pk).open)[0] < day:
                act = acts.Act(
                    house=house, by=self.house.manager, device="office", now=at,
                    command_id=uuid4(), request={"do": "close", "day": older[0].isoformat()},
                )  # fmt: skip
                closing.close(act, older[0])
                caught_up(self.house)
                assert closing.finish(house, at) is not None
        with self.timed("followed"):
            caught_up(self.house)

    def copy(self, original: Original, day: date) -> None:
        copy = Copy(
            original,
            known=self.somebody_else(original),
            first=self.head,
            days=(day - original.day).days,
            versions=self.versions,
        )
        with transaction.atomic():
            with self.timed("appended"):
                copy.append()
            with self.timed("rows"):
                self.rows(copy)
        others = [area for area in house_subscriber.areas() if area.name not in AREAS]
        with (
            self.timed("followed"),
            mock.patch.object(house_subscriber, "areas", return_value=others),
        ):
            follow(HOUSE, self.house)

    def rows(self, copy: Copy) -> None:
        """Copy the rows that settlement keeps and screens read, if they are of this evening."""
        original, house = copy.original, self.house.establishment
        if original not in self.kept:
            self.kept[original] = list(rows_of(original))
        for rows in self.kept[original]:
            again = [copied(row, copy) for row in rows]
            type(rows[0])._default_manager.bulk_create(again, batch_size=AT_ONCE)  # noqa: SLF001
        self.owed(copy)
        for event in original.events:
            if event["actor"] == SETTLEMENT.name and event["data"].get("points"):
                family = next(
                    each["event_type"].partition(".")[0].replace("_", "-")
                    for each in original.events
                    if each["stream"] == f"game/{event['stream'].partition('/')[2]}"
                )
                scored = [
                    replace(each, player=copy.names[each.player])
                    for each in scoreboard.changes_of(event["data"])
                ]
                scoreboard.score(house.pk, family, scored)
        for subscriber in COUNTED:
            at = Subscription.objects.filter(establishment=house.pk, name=subscriber.name)
            at.update(position=original.span[-1] + copy.delta)

    def owed(self, copy: Copy) -> None:
        """Add to what players are owed what the evening left them."""
        own = {"establishment_id": self.house.id}
        for (kind, name), (amount, at, day) in copy.original.owed.items():
            account, since = AccountRef(Kind(kind), copy.named(name)), timedelta(days=copy.days)
            row = Owed.objects.filter(**own, kind=kind, name=account.name).first()
            if row is None and not amount:
                continue
            row = row or Owed(
                **own, kind=kind, name=account.name, amount=0,
                player=player_of(account) or "", game=game_of(account),
            )  # fmt: skip
            row.amount += amount
            row.changed_at, row.gaming_day = at + since, day + since
            row.save() if row.amount else row.delete()

    def somebody_else(self, original: Original) -> dict[str, str]:
        """New names for the evening's tables, dice, staff and players."""
        known: dict[str, str] = {}
        tables = [str(table.pk) for table in self.house.tables]
        known |= self.exchanged(tables, tables)
        by_kind: dict[Any, list[str]] = {}
        for dice in DiceSet.objects.filter(establishment=self.house.establishment):
            by_kind.setdefault((dice.sides, dice.count), []).append(str(dice.pk))
        for same in by_kind.values():
            known |= self.exchanged(same, same)
        for members in self.staff.values():
            known |= self.exchanged(members, members)
        manager = str(self.house.manager.pk)
        known[manager] = manager
        players = sorted(name for name in original.names if name.startswith("p-"))
        return known | self.exchanged(players, self.pool)

    def exchanged(self, those: list[str], among: list[str]) -> dict[str, str]:
        return dict(zip(those, self.chance.sample(among, len(those)), strict=True))

    def players(self) -> list[str]:
        names = [f"{first}. {last}" for first in FIRST for last in LAST][:PLAYERS]
        return sorted(tokens.player_tokens(self.house.id, names, new=True).values())

    def timed(self, name: str) -> Timed:
        return Timed(self.took, name)


def follow(subscriber: Subscriber, house: House) -> None:
    """Let a subscriber catch up in large batches, because nobody waits at a table meanwhile."""
    with mock.patch.object(subscriptions, "BATCH_MAX", BATCH):
        while subscriptions.advance(subscriber, establishment=house.id, batch=BATCH).lag:
            pass


def caught_up(house: House) -> None:
    """Let all subscribers catch up, also with the events that they cause."""
    for subscriber in SUBSCRIBERS:
        follow(subscriber, house)
    settled(house)


def rows_of(original: Original) -> Iterator[list[Model]]:
    """The rows that subscribers wrote for an evening, table by table, without empty ones."""
    span = (original.span[0], original.span[-1])
    which: dict[str, tuple[type[Model], ...]] = {
        "game__in": (GameCard, GameSpan, RoundRow, Withheld),
        "position__range": (
            Payout, RoundLine, RoundPerson, RoundAmount, LotLine, CashMove,
            PrizeToHandOut, SeatRefused,
        ),
        "gaming_day": (DayFigures, QuarterFigures, CashDay),
    }  # fmt: skip
    values = {
        "game__in": list(original.games),
        "position__range": span,
        "gaming_day": original.day,
    }
    for by, models in which.items():
        for model in models:
            rows = model._default_manager.filter(establishment=original.house, **{by: values[by]})  # noqa: SLF001
            if found := list(rows):
                yield found


class Timed:
    def __init__(self, took: dict[str, float], name: str) -> None:
        self.took, self.name = took, name

    def __enter__(self) -> None:
        self.began = time.perf_counter()

    def __exit__(self, *_error: object) -> None:
        seconds = time.perf_counter() - self.began
        self.took[self.name] = self.took.get(self.name, 0.0) + seconds


def founded(tables: int, events: int) -> House:
    house = builders.house(tables=tables, large_prize=100, name=f"A house of {events} events")
    builders.dice_for_every_game(house.establishment, sets=tables)
    return house


FIRST: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWX")
LAST: Final = (
    "Abbott",
    "Baker",
    "Carver",
    "Dyer",
    "Eaton",
    "Fisher",
    "Glover",
    "Hooper",
    "Ivers",
    "Joyner",
    "Keeler",
    "Lister",
    "Mason",
    "Naylor",
    "Osborn",
    "Piper",
    "Quill",
    "Ropes",
    "Sawyer",
    "Tanner",
    "Usher",
    "Vickers",
    "Weaver",
    "Yeoman",
    "Zeller",
)
