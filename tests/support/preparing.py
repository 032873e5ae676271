"""Reports that workers prepare, and the house that they tell of."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING

from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.kit.web.jobs import running
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers import catalogue, params, preparing
from casino.reports.registers.models import Preparation, PreparedFile
from tests.support import builders
from tests.support.dayend import TODAY, closed
from tests.support.playing import NOW, game_of, opened, round_played, settled

if TYPE_CHECKING:
    from ledger.wire import StoredEvent
    from tests.support.builders import House


def with_a_payout() -> House:
    """Bo has won a game, and taken his money."""
    made = builders.house(day_cutoff=time(6))
    game = opened(made)
    while not game_of(made, game).closed:
        round_played(made, game)
    settled(made)
    advance(HOUSE, made.id)
    return made


def frozen(at: House) -> StoredEvent:
    """The day closed, and read."""
    event = closed(at)
    settled(at)
    advance(HOUSE, at.id)
    return event


def requested(at: House, name: str = "payouts", **given: str) -> Preparation:
    report = catalogue.report(name)
    wanted = params.query(at.establishment, report, given or {"day": f"{TODAY}"}, NOW)
    return preparing.ask(by=at.auditor, report=report, query=wanted, now=timezone.now())


def run_to_end(run: Preparation) -> Preparation:
    while running.advance(preparing.PREPARATION, run.establishment_id, run.id, seconds=0):
        pass
    return again(run)


def again(run: Preparation) -> Preparation:
    return Preparation.objects.get(pk=run.pk)


def files(run: Preparation) -> dict[str, PreparedFile]:
    return {row.format: row for row in PreparedFile.objects.filter(job=run.id)}


def day_prepared(at: House) -> list[Preparation]:
    runs = preparing.of_closed_days(at.establishment, timezone.now())
    return [run_to_end(run) for run in runs]
