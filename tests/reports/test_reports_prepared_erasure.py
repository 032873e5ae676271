"""Prepared reports when a name is erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.utils import timezone

from casino.jobs import running
from casino.jobs.models import State
from casino.platform.house_subscriber import HOUSE
from casino.players import erasure
from casino.reports import forgetting, preparing
from casino.subscriptions.tasks import advance
from ledger import journal
from tests.support import builders, module_data
from tests.support.dayend import act
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

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from casino.reports.models import Preparation
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(at_night: object) -> None:
    del at_night


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


# --- On demand


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
        erasure.erase(act(house, "erase", now=timezone.now()), player=bo, reason="")
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
    from casino.play.models import GameCard  # noqa: PLC0415 - of this test only

    return list(GameCard.objects.filter(establishment=house.id).values_list("game", flat=True))


def journal_tokens(house: House) -> list[str]:
    """Bo's token: the payee of the one payout."""
    from casino.settlement.models import Payout  # noqa: PLC0415 - of this test only

    rows = Payout.objects.filter(establishment=house.id, amount=20)
    return [row.payee for row in rows]


def test_an_erasure_meanwhile_begins_a_file_anew(house: House) -> None:
    """Who had read the name already keeps nothing of it."""
    run = requested(house)
    stale = again(run)
    happened = journal.read(establishment=house.id, limit=1)[0]

    class Erased:
        event_type = erasure.ERASED
        establishment = house.id
        provenance = happened.provenance

    forgetting.handle(Erased())  # type: ignore[arg-type]

    assert not running.run_step(preparing.PREPARATION, stale)
    assert files(run) == {}
    assert run_to_end(run).state == State.DONE
