"""Reports prepared on demand: file by file, once, stopped, failed, and by whom."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.kit.documents import document
from casino.kit.documents.writers import FORMATS
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import State
from casino.reports.registers import catalogue, params, preparing
from casino.reports.registers.models import Preparation, PreparedFile
from tests.support import builders, module_data
from tests.support.playing import NOW
from tests.support.preparing import (
    again,
    files,
    requested,
    run_to_end,
    with_a_payout,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [
    pytest.mark.usefixtures("at_night"),
    pytest.mark.django_db,
    pytest.mark.long("postgresql", but="citus"),
]


played = module_data.shared(with_a_payout)
house = module_data.house_of_its_own


def test_it_comes_on_file_by_file_and_ends_once(house: House) -> None:
    run = requested(house)

    steps = []
    while running.advance(preparing.PREPARATION, house.id, run.id, seconds=0):
        steps.append((again(run).step, len(files(run))))

    assert steps == [(1, 1), (2, 2), (3, 3)]
    assert again(run).state == State.DONE
    assert not running.advance(preparing.PREPARATION, house.id, run.id, seconds=9)
    assert len(files(run)) == len(FORMATS)


def test_a_worker_killed_in_a_file_makes_only_that_once_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = requested(house)
    running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)
    first = files(run)["json"].made_at

    class Killed(BaseException):
        pass

    def killed(*_given: object) -> None:
        raise Killed

    with monkeypatch.context() as context:
        context.setattr(preparing, "_keep", killed)
        with pytest.raises(Killed):
            running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)
    assert again(run).step == 1
    later = NOW + running.STALLED_AFTER + timedelta(seconds=1)
    assert list(running.jobs_without_step(later)) == [again(run)]
    run_to_end(run)

    assert again(run).state == State.DONE
    assert files(run)["json"].made_at == first


def test_two_that_work_on_one_file_keep_one(house: House) -> None:
    run = requested(house)
    stale = again(run)
    running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)
    kept = files(run)["json"].sha256

    assert not running.run_step(preparing.PREPARATION, stale)

    assert (again(run).step, files(run)["json"].sha256) == (1, kept)


@pytest.mark.long("postgresql")
def test_it_is_stopped_in_the_middle_of_a_file(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = requested(house)
    running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)
    monkeypatch.setattr(preparing, "PROGRESS_EVERY", 0)
    real = document.make_document

    def stopped_meanwhile(*given: Any, **more: Any) -> Any:
        preparing.stop(by=house.manager, house=house.establishment, preparation=run.id, now=NOW)
        return real(*given, **more)

    with monkeypatch.context() as context:
        context.setattr(document, "make_document", stopped_meanwhile)
        assert not running.advance(preparing.PREPARATION, house.id, run.id, seconds=9)

    assert (again(run).state, list(files(run))) == (State.STOPPED, ["json"])
    with pytest.raises(preparing.NotToBeDone):
        preparing.stop(by=house.manager, house=house.establishment, preparation=run.id, now=NOW)
    more = {"by": house.manager, "house": house.establishment, "preparation": run.id, "now": NOW}
    preparing.again(**more)  # type: ignore[arg-type]
    assert run_to_end(run).state == State.DONE
    with pytest.raises(preparing.NotToBeDone):
        preparing.again(**more)  # type: ignore[arg-type]


@pytest.mark.long("postgresql")
def test_progress_is_recorded_while_lines_are_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = requested(house)
    assert run.lines == 1
    monkeypatch.setattr(preparing, "PROGRESS_EVERY", 0)
    seen: list[int] = []
    real = running.report_progress

    def reported(row: Preparation, **cursor: int) -> bool:
        wanted = real(row, **cursor)
        seen.append(again(run).written)
        return wanted

    monkeypatch.setattr(running, "report_progress", reported)

    running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)

    assert seen == [1]


@pytest.mark.long("postgresql")
def test_one_that_takes_too_long_fails(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    run = requested(house)

    def long(*_given: object, **_more: object) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(preparing, "_document", long)

    with pytest.raises(SoftTimeLimitExceeded):
        running.advance(preparing.PREPARATION, house.id, run.id, seconds=0)

    assert (again(run).state, again(run).reason) == (State.FAILED, "SoftTimeLimitExceeded")


@pytest.mark.long("postgresql")
def test_a_form_that_is_too_small_says_so_and_the_others_are_made(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "FILE_MAX", 2_000)

    made = files(run_to_end(requested(house, "fees")))

    assert made["json"].sha256
    assert "MiB" in made["pdf"].refused
    assert bytes(made["pdf"].content) == b""


@pytest.mark.long("postgresql")
def test_a_house_has_so_many_on_their_way_and_keeps_so_many(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "ON_DEMAND_KEPT", 2)
    runs = [requested(house, "fees") for _ in range(preparing.RUNNING_MOST)]
    with pytest.raises(preparing.TooMany, match="wait for one, or stop it"):
        requested(house, "fees")
    for run in runs:
        run_to_end(run)

    requested(house, "fees")

    assert Preparation.objects.filter(establishment=house.id).count() == 2
    assert {row.job for row in PreparedFile.objects.all()} <= set(
        Preparation.objects.values_list("id", flat=True)
    )


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
def test_d1_only_who_audits_asks_stops_and_reads(house: House, role: Role) -> None:
    run = requested(house)
    who: dict[str, Any] = {"by": house.people[role], "now": NOW}
    here: dict[str, Any] = {"house": house.establishment, "preparation": run.id}
    report = catalogue.report("fees")
    wanted = params.query(house.establishment, report, {}, NOW)

    for forbidden in (
        lambda: preparing.ask(report=report, query=wanted, **who),
        lambda: preparing.stop(**here, **who),
        lambda: preparing.again(**here, **who),
    ):
        with pytest.raises(NotYours):
            forbidden()


def test_another_house_neither_sees_nor_stops_it(house: House) -> None:
    run = run_to_end(requested(house))
    other = builders.house()
    client = builders.signed_in(other.manager)

    assert client.get(f"/reports/prepared/{run.id}/").status_code == 404
    assert client.get(f"/reports/prepared/{run.id}/csv/").status_code == 404
    assert client.post(f"/reports/prepared/{run.id}/", {"do": "again"}).status_code == 404
    api = other.client(Role.MANAGER)
    assert api.get(other.url(f"reports/prepared/{run.id}/csv/")).status_code == 404
    assert api.get(house.url(f"reports/prepared/{run.id}/csv/")).status_code == 404
