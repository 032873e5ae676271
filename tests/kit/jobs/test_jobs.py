"""Jobs of all kinds: named by their rooms, begun when due, one at a time, shown on one page."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.kit.web.jobs import running, tasks
from casino.kit.web.jobs.models import Job, Occasion, State
from casino.kit.web.jobs.running import Kind, StepResult
from casino.proof.disputes.regrade import runs as regrades
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.reading import Period
from casino.proof.verification import runs as verifications
from casino.reports.what_if import changes
from casino.reports.what_if import runs as what_ifs
from tests.support import builders
from tests.support.playing import NOW, opened, settled

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    house = builders.house()
    opened(house)
    settled(house)
    return house


def one_of_each(house: House) -> list[Job]:
    at: dict[str, Any] = {"house": house.establishment, "now": NOW}
    return [
        regrades.begin(period=Period(), **at),
        verifications.begin(occasion=Occasion.NIGHT, **at),
        what_ifs.ask(by=house.auditor, period=Period(), change=changes.parse(fee="none"), **at),
    ]


def job_page(house: House, role: Role = Role.AUDITOR, **query: str) -> Answer:
    client = Client()
    client.force_login(house.people[role])
    return client.get(reverse("jobs"), query)


def kind_with(found: int) -> Kind[Regrade]:
    """A kind whose one piece finds so much."""
    rows = [RegradeDifference(details={"n": each}) for each in range(found)]
    return Kind(
        model=Regrade, title="", url=str, levels=regrades.REGRADE.levels, busy="{house} is busy.",
        step=lambda _run: StepResult(found=rows, state=Regrade.State.DIFFERS),
    )  # fmt: skip


def test_each_kind_is_found_by_the_name_that_its_rows_have() -> None:
    assert {each.name for each in running.every_kind()} == set(running.places_of_kinds())
    for each in running.every_kind():
        assert running.kind_of(each.name) is each
        assert set(each.words) <= set(each.levels)


def test_a_kind_has_its_own_rows_alone(house: House) -> None:
    regrade, *others = one_of_each(house)

    assert list(Regrade.objects.all()) == [regrade]
    assert Job.objects.count() == len(others) + 1


def test_a_house_has_one_of_a_kind_on_its_way_at_a_time(house: House) -> None:
    one_of_each(house)

    with pytest.raises(running.AlreadyBegun, match="is being regraded"):
        regrades.begin(house=house.establishment, period=Period(), now=NOW)
    regrades.begin(house=builders.house().establishment, period=Period(), now=NOW)


def test_of_what_is_found_the_first_are_kept_and_all_are_counted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "FINDINGS_KEPT", 3)
    run = running.begin(kind_with(5), house=house.establishment, now=NOW, stop=1)

    assert not running.advance(kind_with(5), house.id, run.id, seconds=1)

    run.refresh_from_db()
    kept = RegradeDifference.objects.filter(job=run.id).values_list("seq", flat=True)
    assert (run.state, run.found, list(kept)) == ("differs", 5, [0, 1, 2])


def test_whoever_works_on_what_was_begun_anew_records_nothing(house: House) -> None:
    run = running.begin(kind_with(1), house=house.establishment, now=NOW, stop=1)
    running.restart(Job.objects.filter(id=run.id))

    assert not running.run_step(kind_with(1), run)
    assert not running.report_progress(run, line=1)

    run.refresh_from_db()
    assert (run.state, run.attempt, run.found) == (State.RUNNING, 1, 0)


def test_a_kind_that_fails_when_it_is_due_holds_no_other_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(tasks.run_job, "delay", lambda **more: sent.append(more["kind"]))
    monkeypatch.setattr(verifications, "nightly", lambda *_given: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        tasks.watch()

    assert Regrade.objects.filter(establishment=house.id).exists()
    assert sent == ["regrade"]


class TestThePage:
    @pytest.mark.long("postgresql")
    def test_shows_every_job_with_the_way_to_its_own(self, house: House) -> None:
        jobs = one_of_each(house)

        text = job_page(house).content.decode()

        for job in jobs:
            kind = running.kind_of(job.kind)
            assert str(kind.title) in text
            assert f'href="{kind.url(job)}"' in text
        assert text.count("<progress") == len(jobs)

    @pytest.mark.long("postgresql")
    def test_is_asked_for_again_only_while_something_is_on_its_way(self, house: House) -> None:
        one_of_each(house)
        assert 'hx-trigger="every 2s"' in job_page(house).content.decode()

        Job.objects.filter(kind="verification").update(state="sound")
        Job.objects.exclude(kind="verification").update(state="failed", reason="Killed")

        text = job_page(house).content.decode()
        assert "hx-trigger" not in text
        assert "nothing wrong" in text
        assert "Killed" in text

    @pytest.mark.long("postgresql")
    def test_is_narrowed_to_a_kind(self, house: House) -> None:
        jobs = one_of_each(house)
        for job in jobs:
            [item] = job_page(house, kind=job.kind).context["table"].items
            assert item.job.id == job.id

    def test_is_of_one_house_and_for_who_audits_it(self, house: House) -> None:
        one_of_each(house)

        assert job_page(builders.house()).context["table"].items == []
        assert job_page(house, Role.ATTENDANT).status_code == HTTPStatus.FORBIDDEN
