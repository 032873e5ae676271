"""Regrades that are kept: through the API, each night, whoever dies meanwhile."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.kit.web.jobs import running, tasks
from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from casino.proof.disputes.regrade import grading, reading, runs
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.reading import Period
from tests.support import builders, module_data
from tests.support.playing import NOW, opened, round_played, settled

if TYPE_CHECKING:
    from datetime import datetime

    from casino.proof.disputes.regrade.findings import Findings
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


def three_games() -> House:
    house = builders.house(tables=4, dice_sets=4)
    for table in house.tables[1:]:
        round_played(house, opened(house, stake=60, table=table))
    settled(house)
    return house


played = module_data.shared(three_games)
house = module_data.house_of_its_own


@pytest.fixture
def _small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SLICE", 5)


def started(house: House, **wanted: Any) -> Regrade:
    return runs.begin(house=house.establishment, now=NOW, **{"period": Period(), **wanted})


def finished(run: Regrade) -> Regrade:
    while running.advance(runs.REGRADE, run.establishment_id, run.id, seconds=60):
        pass
    return again(run)


def again(run: Regrade) -> Regrade:
    return Regrade.objects.get(id=run.id)


def a_wrong_payout(amount: int = 70) -> None:
    Payout.objects.filter(seq=0, pk=Payout.objects.first().pk).update(amount=amount)  # type: ignore[union-attr]


class TestARun:
    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("_small_slices")
    def test_counts_every_game_once_however_it_is_cut(self, house: House) -> None:
        run = finished(started(house))

        assert (run.state, run.games, run.payouts, run.differences) == ("agrees", 3, 3, 0)
        assert run.finished_at is not None

    @pytest.mark.usefixtures("_small_slices")
    def test_goes_on_where_a_killed_worker_left_it(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run, graded = started(house), grading.grade

        def dies_at_the_third(scope: grading.Scope, span: range) -> Findings:
            if span.start >= 10:
                raise OperationalError
            return graded(scope, span)

        monkeypatch.setattr(grading, "grade", dies_at_the_third)
        with pytest.raises(OperationalError):
            running.advance(runs.REGRADE, house.id, run.id, seconds=60)
        monkeypatch.undo()

        assert (again(run).state, again(run).reached) == ("running", 10)
        assert finished(run).games == 3

    @pytest.mark.usefixtures("_small_slices")
    def test_worked_on_twice_at_once_counts_once(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run, graded = started(house), grading.grade

        def overtaken(scope: grading.Scope, span: range) -> Findings:
            monkeypatch.undo()
            finished(run)
            return graded(scope, span)

        monkeypatch.setattr(grading, "grade", overtaken)

        assert not running.advance(runs.REGRADE, house.id, run.id, seconds=60)
        assert again(run).games == 3

    @pytest.mark.long("postgresql")
    def test_keeps_what_differs(self, house: House) -> None:
        a_wrong_payout()

        run = finished(started(house))

        assert (run.state, run.differences) == ("differs", 1)
        kept = RegradeDifference.objects.get()
        assert (kept.job, kept.details["kind"], kept.details["found"]["amount"]) == (
            run.id, "payout", 70,
        )  # fmt: skip

    @pytest.mark.long("postgresql")
    def test_that_fails_says_so(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        run = started(house)
        monkeypatch.setattr(grading, "grade", lambda *_: 1 / 0)

        with pytest.raises(ZeroDivisionError):
            running.advance(runs.REGRADE, house.id, run.id, seconds=1)

        assert (again(run).state, again(run).reason) == ("failed", "ZeroDivisionError")

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("_small_slices")
    def test_e2_that_found_something_stops_payouts_though_it_fails_later(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_wrong_payout()
        run, graded = started(house), grading.grade

        def fails_behind_the_finding(scope: grading.Scope, span: range) -> Findings:
            if again(run).differences:
                raise ValueError
            return graded(scope, span)

        monkeypatch.setattr(grading, "grade", fails_behind_the_finding)
        with pytest.raises(ValueError):  # noqa: PT011 - any
            finished(run)

        assert again(run).state == "failed"
        stop = payout_holds.stop_now(house.id)
        assert stop is not None
        assert (stop.why, stop.about) == ("regrade", str(run.id))

    @pytest.mark.long("postgresql")
    def test_a_house_has_one_at_a_time(self, house: House) -> None:
        started(house)

        with pytest.raises(running.AlreadyBegun, match="being regraded"):
            started(house)


@pytest.mark.long("postgresql")
class TestEachNight:
    def test_the_ledger_is_regraded_once_the_day_is_over(self, house: House) -> None:
        run = runs.nightly(house.establishment, NOW)

        assert run is not None
        assert (run.day, run.since, run.until) == (date(2026, 11, 19), None, None)
        assert runs.nightly(house.establishment, NOW + timedelta(hours=1)) is None
        finished(run)
        following = runs.nightly(house.establishment, NOW + timedelta(days=1))
        assert following is not None
        assert following.day == date(2026, 11, 20)

    def test_of_a_long_ledger_what_is_new(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "WHOLE_MAX", 10)
        first = runs.nightly(house.establishment, NOW)
        assert first is not None
        assert finished(first).since is None

        second = runs.nightly(house.establishment, NOW + timedelta(days=1))

        assert second is not None
        assert second.since == date(2026, 11, 19)

    def test_a_game_that_waited_is_looked_at_again(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "WHOLE_MAX", 10)
        round_played(house, opened(house))  # on the 20th, and nobody settles it
        first = runs.nightly(house.establishment, NOW + timedelta(days=9))
        assert first is not None
        assert (finished(first).waiting, again(first).state) == (1, "agrees")

        second = runs.nightly(house.establishment, NOW + timedelta(days=10))

        assert second is not None
        assert second.since == date(2026, 11, 20)

    def test_a_house_where_nothing_was_played_has_none(self) -> None:
        assert runs.nightly(builders.house().establishment, NOW) is None

    def test_the_watch_begins_it_and_wakes_what_was_left(self, house: House) -> None:
        tasks.watch()

        run = Regrade.objects.get()
        assert run.state == "running"
        tasks.run_job(kind="regrade", establishment=str(house.id), job=str(run.id))
        assert again(run).state == "agrees"

    def test_what_nobody_brings_on_is_found(self, house: House) -> None:
        run = started(house)

        assert list(running.jobs_without_step(NOW + timedelta(minutes=1))) == []
        assert list(running.jobs_without_step(NOW + timedelta(minutes=3))) == [run]


@pytest.mark.long("postgresql")
class TestLoud:
    def test_until_a_later_one_agrees(self, house: House) -> None:
        assert part()["ok"]
        a_wrong_payout()
        finished(started(house))
        assert not part()["ok"]
        a_wrong_payout(7)
        finished(runs.begin(house=house.establishment, period=Period(), now=later()))
        assert part()["ok"]

    def test_one_over_fewer_days_clears_nothing(self, house: House) -> None:
        a_wrong_payout()
        finished(started(house))
        finished(
            runs.begin(
                house=house.establishment, period=Period(since=date(2030, 1, 1)), now=later()
            )
        )

        assert not part()["ok"]

    def test_what_todays_rules_say_is_no_alarm(self, house: House) -> None:
        finished(started(house, current=True))

        assert part()["ok"]


def part() -> Any:
    return health.report()["parts"]["regrade"]


def later() -> datetime:
    return timezone.now() + timedelta(hours=1)


class TestTheApi:
    @pytest.mark.long("postgresql")
    def test_one_is_begun_and_read(self, house: House) -> None:
        a_wrong_payout()
        client = house.client(Role.AUDITOR)

        begun = client.post(house.url("regrades/"), {})

        assert begun.status_code == 201, begun.content
        assert begun.json()["state"] == "running"
        finished(Regrade.objects.get())
        run = client.get(begun.headers["Location"]).json()
        assert (run["state"], run["differences"], run["games"]) == ("differs", 1, 3)
        assert run["asked_by"]
        assert run["done"] == run["positions"]
        [difference] = client.get(f"{begun.headers['Location']}differences/").json()["results"]
        assert difference["kind"] == "payout"
        assert difference["because"]["expected"]["because"].startswith("Ada threw")
        assert difference["expected"]["payer"] == "Ada"
        [listed] = client.get(house.url("regrades/")).json()["results"]
        assert listed["id"] == run["id"]

    @pytest.mark.long("postgresql")
    def test_of_a_period(self, house: House) -> None:
        days = {"since": "2026-11-20", "until": "2026-11-20"}

        begun = house.client(Role.MANAGER).post(house.url("regrades/"), days)

        assert (begun.json()["since"], begun.json()["until"]) == ("2026-11-20", "2026-11-20")
        assert finished(Regrade.objects.get()).games == 3

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
    def test_is_not_for_everybody(self, house: House, role: Role) -> None:
        answers = [
            house.client(role).post(house.url("regrades/"), {}),
            house.client(role).get(house.url("regrades/")),
            house.client(role).get(house.url(f"regrades/{uuid.uuid4()}/")),
        ]

        assert [answer.status_code for answer in answers] == [403] * 3

    def test_of_another_house_is_nowhere(self, house: House) -> None:
        client = builders.house().client(Role.MANAGER)
        run = started(house)

        assert client.post(house.url("regrades/"), {}).status_code == 404
        assert client.get(house.url(f"regrades/{run.id}/")).status_code == 404
        own = house.client(Role.AUDITOR).get(house.url(f"regrades/{uuid.uuid4()}/differences/"))
        assert own.status_code == 404

    @pytest.mark.long("postgresql")
    def test_one_at_a_time(self, house: House) -> None:
        started(house)

        answer = house.client(Role.MANAGER).post(house.url("regrades/"), {})

        assert (answer.status_code, answer.json()["code"]) == (409, "regrade_running")

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"since": "yesterday"}, "since"),
            ({"from": "2026-11-02"}, "from"),
            ({"current": "perhaps"}, "current"),
        ],
    )
    def test_what_is_malformed_is_named(self, house: House, body: Any, field: str) -> None:
        answer = house.client(Role.MANAGER).post(house.url("regrades/"), body)

        assert (answer.status_code, answer.json()["field"]) == (400, field)

    @pytest.mark.long("postgresql")
    def test_a_period_begins_before_it_ends(self, house: House) -> None:
        days = {"since": "2026-11-02", "until": "2026-11-01"}

        answer = house.client(Role.MANAGER).post(house.url("regrades/"), days)

        assert (answer.status_code, answer.json()["code"]) == (422, "ends_before_it_begins")
