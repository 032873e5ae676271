"""Verifications that are kept: on demand, at start, each night, whoever dies meanwhile."""

from __future__ import annotations

import shutil
import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.kit.web.jobs import running, tasks
from casino.kit.web.jobs.models import Occasion
from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.proof.signing import signing
from casino.proof.signing.models import Verification, VerificationFinding
from casino.proof.verification import runs, verifying
from ledger.checking import book as books
from ledger.models import Event
from tests.support import builders, module_data
from tests.support.playing import NOW, opened, round_played, settled
from tests.support.regrading import event_of, forged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from ledger.checking.book import Book
    from ledger.checking.findings import Place, Step
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]
LATER = timedelta(days=1)


def a_signed_round() -> House:
    house = builders.house()
    builders.on_record(house.establishment)
    round_played(house, opened(house, stake=60))
    settled(house)
    assert signing.sign(house.establishment, NOW) is not None
    settled(house)
    return house


played = module_data.shared(a_signed_round, PRODUCTION=False)
house = module_data.house_of_its_own


@pytest.fixture(autouse=True)
def _keys(settings: Settings, tmp_path: Path, module_keys: Path) -> None:
    """Keys that houses make themselves, as an embedded one does."""
    settings.LEDGER_KEYS_DIR = shutil.copytree(module_keys, tmp_path / "keys")
    settings.PRODUCTION = False


@pytest.fixture
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch is one step."""
    monkeypatch.setattr(runs, "STRIDE", 0.0)


def begun(house: House, **wanted: Any) -> Verification:
    wanted = {"occasion": Occasion.ON_DEMAND, "now": NOW, **wanted}
    return runs.begin(house=house.establishment, **wanted)


def finished(run: Verification) -> Verification:
    while running.advance(runs.VERIFICATION, run.establishment_id, run.id, seconds=60):
        pass
    return again(run)


def again(run: Verification) -> Verification:
    return Verification.objects.get(id=run.id)


def a_forged_event(house: House) -> Event:
    event = event_of(house, "settlement.booked")
    forged(event, lambda body: body["data"].update(forged=True))
    return event


class TestARun:
    @pytest.mark.usefixtures("_small_steps")
    def test_of_a_sound_house_goes_through_every_stage(self, house: House) -> None:
        run = finished(begun(house))

        assert (run.state, run.findings, run.reached) == ("sound", 0, run.stop)
        assert run.finished_at is not None
        assert payout_holds.stop_now(house.id) is None

    @pytest.mark.usefixtures("_small_steps")
    def test_goes_on_where_a_killed_worker_left_it(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run, steps = begun(house), verifying.steps

        def dies_at_the_receipts(of: Book, stage: str, place: Place) -> Iterator[Step]:
            if stage == "receipts":
                raise OperationalError
            return steps(of, stage, place)

        monkeypatch.setattr(verifying, "steps", dies_at_the_receipts)
        with pytest.raises(OperationalError):
            running.advance(runs.VERIFICATION, house.id, run.id, seconds=60)
        monkeypatch.undo()

        assert (again(run).state, again(run).stage) == ("running", "receipts")
        assert finished(run).state == "sound"

    @pytest.mark.usefixtures("_small_steps")
    def test_worked_on_twice_at_once_counts_once(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_forged_event(house)
        run, steps = begun(house), verifying.steps

        def overtaken(of: Book, stage: str, place: Place) -> Iterator[Step]:
            monkeypatch.undo()
            finished(run)
            return steps(of, stage, place)

        monkeypatch.setattr(verifying, "steps", overtaken)

        assert not running.advance(runs.VERIFICATION, house.id, run.id, seconds=60)
        kept = VerificationFinding.objects.filter(job=run.id)
        assert again(run).findings == kept.count() > 0

    def test_keeps_what_it_found_and_stops_payouts(self, house: House) -> None:
        event = a_forged_event(house)

        run = finished(begun(house))

        assert run.state == "broken"
        finding = VerificationFinding.objects.filter(job=run.id).first()
        assert finding is not None
        assert finding.details["from"] <= event.position <= finding.details["to"]
        stop = payout_holds.stop_now(house.id)
        assert stop is not None
        assert (stop.why, stop.about) == ("verification", str(run.id))

    @pytest.mark.long("postgresql")
    def test_what_it_found_is_said_where_payouts_are_stopped(self, house: House) -> None:
        a_forged_event(house)
        finished(begun(house))
        client = Client()
        client.force_login(house.manager)

        page = client.get(reverse("payouts")).content.decode()

        assert "a verification found: Events are not those that were signed" in page
        assert ".." not in page

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("_small_steps")
    def test_e2_that_found_something_stops_payouts_though_it_fails_later(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_forged_event(house)
        run, steps = begun(house), verifying.steps

        def fails_behind_the_finding(of: Book, stage: str, place: Place) -> Iterator[Step]:
            if again(run).findings:
                raise ValueError
            return steps(of, stage, place)

        monkeypatch.setattr(verifying, "steps", fails_behind_the_finding)
        with pytest.raises(ValueError):  # noqa: PT011 - any
            finished(run)

        assert (again(run).state, again(run).reason) == ("broken", "ValueError")
        assert payout_holds.stop_now(house.id) is not None

    @pytest.mark.long("postgresql")
    def test_that_fails_says_so(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        run = begun(house)
        monkeypatch.setattr(verifying, "steps", lambda *_: 1 / 0)

        with pytest.raises(ZeroDivisionError):
            running.advance(runs.VERIFICATION, house.id, run.id, seconds=1)

        assert (again(run).state, again(run).reason) == ("failed", "ZeroDivisionError")
        assert payout_holds.stop_now(house.id) is None
        assert "could not be verified" in str(health.report()["parts"])
        monkeypatch.undo()
        finished(begun(house, now=NOW + LATER))
        assert "could not be verified" not in str(health.report()["parts"])

    def test_is_of_the_book_as_it_was_when_it_began(self, house: House) -> None:
        run = begun(house)
        round_played(house, opened(house, table=house.tables[1]))

        assert finished(run).state == "sound"
        assert run.stop < Event.objects.filter(establishment=house.id).count()

    @pytest.mark.long("postgresql")
    def test_a_house_has_one_at_a_time(self, house: House) -> None:
        begun(house)

        with pytest.raises(running.AlreadyBegun, match="being verified"):
            begun(house)

    def test_is_asked_for_by_those_who_audit(self, house: House) -> None:
        by_auditor = runs.ask(by=house.auditor, house=house.establishment, since=0, now=NOW)

        assert (by_auditor.occasion, by_auditor.asked_by) == ("asked", house.auditor)
        assert runs.last(house.establishment) == by_auditor
        with pytest.raises(NotYours):
            runs.ask(by=house.people[Role.ATTENDANT], house=house.establishment, since=0, now=NOW)


class TestEachNight:
    @pytest.mark.long("postgresql")
    def test_the_whole_book_once_the_day_is_over(self, house: House) -> None:
        run = runs.nightly(house.establishment, NOW)

        assert run is not None
        assert (run.day, run.start, run.occasion) == (date(2026, 11, 19), 0, "night")
        assert runs.nightly(house.establishment, NOW + timedelta(hours=1)) is None
        finished(run)
        following = runs.nightly(house.establishment, NOW + LATER)
        assert following is not None
        assert following.day == date(2026, 11, 20)

    @pytest.mark.long("postgresql")
    def test_of_a_very_long_one_what_is_new_and_the_whole_once_a_week(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "WHOLE_MAX", 1)
        first = runs.nightly(house.establishment, NOW)
        assert first is not None
        assert (first.start, finished(first).state) == (0, "sound")

        since = {}
        for days in range(1, 8):
            run = runs.nightly(house.establishment, NOW + days * LATER)
            assert run is not None
            since[run.day] = finished(run).start

        assert [day for day, start in since.items() if start == 0] == [date(2026, 11, 23)]

    @pytest.mark.long("postgresql")
    def test_a_house_where_nothing_was_played_has_none(self) -> None:
        assert runs.nightly(builders.house().establishment, NOW) is None


class TestAtStart:
    def test_what_is_new_since_the_last_sound_one(self, house: House) -> None:
        first = runs.at_start(house.establishment, NOW, NOW)
        assert first is not None
        assert (first.start, first.occasion, finished(first).state) == (0, "start", "sound")
        assert runs.at_start(house.establishment, NOW, NOW) is None

        second = runs.at_start(house.establishment, NOW + LATER, NOW + LATER)

        assert second is not None
        assert 0 < second.start <= first.stop

    @pytest.mark.long("postgresql")
    def test_the_newest_part_of_a_long_book(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "RECENT", 1)
        size = books.start_of(house.id, "default", 10**6)
        round_played(house, opened(house, table=house.tables[1]))

        run = runs.at_start(house.establishment, NOW, NOW)

        assert run is not None
        assert run.start == size


class TestTheWatch:
    @pytest.mark.long("postgresql")
    def test_begins_what_is_due_and_wakes_what_was_left(self, house: House) -> None:
        tasks.watch()

        run = Verification.objects.get()
        assert run.state == "running"
        while again(run).state == "running":
            tasks.run_job(kind="verification", establishment=str(house.id), job=str(run.id))
        assert again(run).state == "sound"

    @pytest.mark.long("postgresql")
    def test_what_nobody_brings_on_is_found(self, house: House) -> None:
        run = begun(house)

        assert list(running.jobs_without_step(NOW + timedelta(minutes=1))) == []
        assert list(running.jobs_without_step(NOW + timedelta(minutes=3))) == [run]

    @pytest.mark.long("postgresql")
    def test_an_unknown_run_is_nothing_to_do(self, house: House) -> None:
        assert not running.advance(runs.VERIFICATION, house.id, uuid.uuid4(), seconds=1)


@pytest.mark.long("postgresql")
def test_health_is_loud_until_a_later_one_is_sound(house: House) -> None:
    event = event_of(house, "settlement.booked")
    body, leaf = bytes(event.body), bytes(event.leaf_hash)
    a_forged_event(house)
    finished(begun(house))
    assert not health.report()["ok"]
    assert "not what was signed" in str(health.report()["parts"])
    forged(event, lambda body: body["data"].pop("forged", None))
    restored = Event.objects.get(pk=event.pk)
    assert (bytes(restored.body), bytes(restored.leaf_hash)) == (body, leaf)

    assert finished(begun(house, now=NOW + LATER)).state == "sound"

    assert "not what was signed" not in str(health.report()["parts"])
