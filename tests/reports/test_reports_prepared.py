"""Reports that workers prepare: once for each closed day, or on demand; kept, stopped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.floor.players import player_names
from casino.kit.documents.writers import FORMATS
from casino.kit.web.jobs import running, tasks
from casino.kit.web.jobs.models import State
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers import catalogue, preparing
from casino.reports.registers.models import Preparation, PreparedFile
from ledger import journal
from tests.forms import LONG_FORM, every
from tests.support import builders, module_data
from tests.support.dayend import TODAY, act
from tests.support.playing import NOW, done, settled
from tests.support.preparing import (
    again,
    day_prepared,
    files,
    frozen,
    requested,
    run_to_end,
    with_a_payout,
)
from tests.support.reporting import written

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = [pytest.mark.usefixtures("at_night"), pytest.mark.django_db]


@pytest.fixture
def house() -> House:
    return with_a_payout()


@dataclass(frozen=True)
class Closed:
    """A house whose day was closed at this event, and what was prepared before it and after."""

    house: House
    event: StoredEvent
    before: list[Preparation]
    runs: list[Preparation]


@pytest.fixture(scope="module")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Closed]:
    """All reports of a day in every form, which takes seconds; Bo has taken his money with him."""
    del django_db_setup

    def build() -> Closed:
        with time_machine.travel(NOW, tick=False):
            house = with_a_payout()
            [running] = game_ids(house)
            done(house, running, "cash_out", player="Bo", amount=40)
            settled(house)
            advance(HOUSE, house.id)
            before = day_prepared(house)
            return Closed(house, frozen(house), before, day_prepared(house))

    yield from module_data.built_once(build, django_db_blocker)


# --- When a day is closed


@pytest.mark.long("postgresql")
def test_each_report_of_a_closed_day_is_prepared_once_in_every_form(prepared: Closed) -> None:
    assert prepared.before == []  # the day was open

    assert {run.report for run in prepared.runs} == set(catalogue.BY_NAME)
    for run in prepared.runs:
        assert (run.state, run.through, run.day) == (State.DONE, prepared.event.position, TODAY)
        made = files(run)
        assert set(made) == set(FORMATS)
        for row in made.values():
            content = bytes(row.content)
            assert (sha256(content).hexdigest(), len(content)) == (row.sha256, row.size)
    assert day_prepared(prepared.house) == []
    assert PreparedFile.objects.count() == len(FORMATS) * len(catalogue.REPORTS)


def test_two_workers_begin_a_day_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second looked before the first had begun."""
    frozen(house)
    preparing.of_closed_days(house.establishment, timezone.now())
    none_begun: Any = Preparation.objects.none()
    real = Preparation.objects.filter
    monkeypatch.setattr(
        Preparation.objects, "filter", lambda **k: none_begun if "day__in" in k else real(**k)
    )

    assert preparing.of_closed_days(house.establishment, timezone.now()) == []

    monkeypatch.undo()
    assert Preparation.objects.filter(establishment=house.id).count() == len(catalogue.REPORTS)


@pytest.mark.long("postgresql")
def test_the_watch_begins_and_prepares_by_itself(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen(house)
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(tasks.run_job, "delay", lambda **more: sent.append(more))

    tasks.watch()
    begun = Preparation.objects.filter(establishment=house.id)
    assert begun.count() == len(catalogue.REPORTS)
    assert {str(run.id) for run in begun} <= {each["job"] for each in sent}
    by_report = sorted(begun, key=lambda run: run.report)
    some = {str(run.id) for run in by_report[:: every(8)]}
    while sent:
        message = sent.pop()
        if LONG_FORM or message["job"] in some:
            tasks.run_job(**message)

    assert set(begun.filter(id__in=some).values_list("state", flat=True)) == {State.DONE}


@pytest.mark.long("postgresql")
def test_what_is_kept_is_what_the_report_says_as_of_there(prepared: Closed) -> None:
    [run] = [each for each in prepared.runs if each.report == "payouts"]
    through = str(prepared.event.position)

    kept = json.loads(bytes(files(run)["json"].content))
    now = json.loads(written(prepared.house, "payouts", day=f"{TODAY}", through=through))

    assert kept["tables"] == now["tables"]
    assert kept["header"]["root"] == now["header"]["root"]
    assert kept["header"]["asked_by"] == ""


# --- A name is erased


@pytest.mark.long("postgresql")
def test_what_holds_an_erased_name_goes_and_is_prepared_anew_without_it(
    prepared: Closed,
) -> None:
    house = prepared.house
    runs = {run.report: run for run in prepared.runs}
    mine = run_to_end(requested(house))
    before = {name: files(run) for name, run in runs.items()}
    assert b"Bo" in bytes(before["payouts"]["csv"].content)
    bo = next(iter(set(journal_tokens(house))))

    with time_machine.travel(NOW + timedelta(minutes=5), tick=False):
        player_names.erase_name(act(house, "erase", now=timezone.now()), player=bo, reason="")
        advance(HOUSE, house.id)
        dropped = files(runs["payouts"])
        assert {bytes(row.content) for row in dropped.values()} == {b""}
        client = builders.signed_in(house.auditor)
        assert client.get(f"/reports/prepared/{mine.id}/csv/").status_code == 404
        assert "gone, with a name" in client.get(f"/reports/prepared/{mine.id}/").content.decode()
        assert again(runs["payouts"]).state == State.RUNNING
        run_to_end(runs["payouts"])

    anew = files(runs["payouts"])
    assert b",Bo," not in bytes(anew["csv"].content)
    assert anew["csv"].earlier[0]["sha256"] == before["payouts"]["csv"].sha256
    assert again(runs["payouts"]).through == prepared.event.position
    # What names nobody stays as it was.
    assert files(runs["fees"])["pdf"].sha256 == before["fees"]["pdf"].sha256
    assert files(runs["fees"])["pdf"].dropped_at is None


def game_ids(house: House) -> list[uuid.UUID]:
    from casino.play.core.models import GameCard  # noqa: PLC0415 - of this test only

    return list(GameCard.objects.filter(establishment=house.id).values_list("game", flat=True))


def journal_tokens(house: House) -> list[str]:
    """Bo's token: the payee of the one payout."""
    from casino.play.settlement.models import Payout  # noqa: PLC0415 - of this test only

    rows = Payout.objects.filter(establishment=house.id, amount=20)
    return [row.payee for row in rows]


def test_an_erasure_meanwhile_begins_a_file_anew(house: House) -> None:
    """Who had read the name already keeps nothing of it."""
    run = requested(house)
    stale = again(run)
    happened = journal.read(establishment=house.id, limit=1)[0]

    class Erased:
        event_type = player_names.ERASED
        establishment = house.id
        provenance = happened.provenance

    preparing.handle_erasure(Erased())  # type: ignore[arg-type]

    assert not running.run_step(preparing.PREPARATION, stale)
    assert files(run) == {}
    assert run_to_end(run).state == State.DONE
