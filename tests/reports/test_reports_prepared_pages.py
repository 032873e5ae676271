"""Prepared reports on pages and through the API: asked for, followed, stopped, fetched."""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from casino.kit.documents.report import Query
from casino.kit.documents.writers import FORMATS
from casino.kit.web.jobs.models import State
from casino.reports.registers import catalogue, preparing
from casino.reports.registers.models import Preparation
from tests.support import builders, module_data
from tests.support.dayend import TODAY
from tests.support.playing import NOW, opened, round_played
from tests.support.preparing import again, files, requested, run_to_end, with_a_payout

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.usefixtures("at_night"), pytest.mark.django_db]


played = module_data.shared(with_a_payout)
house = module_data.house_of_its_own


# --- On pages


@pytest.mark.long("postgresql")
def test_a_long_one_is_requested_followed_and_read_on_its_page(house: House) -> None:
    client = builders.signed_in(house.auditor)
    page = "/reports/payouts/?from=2026-01-01&to=2026-11-30"
    sent = {"command_id": str(uuid.uuid4())}
    answer = client.post(page, sent, format="multipart")
    again_sent = client.post(page, sent, format="multipart")  # a second tap
    assert answer.status_code == again_sent.status_code == 302
    assert answer["Location"] == again_sent["Location"]
    [run] = Preparation.objects.all()
    assert answer["Location"] == f"/reports/prepared/{run.id}/"
    page = client.get(f"/reports/prepared/{run.id}/").content.decode()
    assert "Writing JSON; 0 of 4 files are made." in page
    assert "<progress" in page
    assert 'value="stop"' in page
    fragment = client.get(f"/reports/prepared/{run.id}/", headers={"HX-Request": "true"})
    assert fragment.content.decode().lstrip().startswith('<section id="prepared"')

    run_to_end(run)

    page = client.get(f"/reports/prepared/{run.id}/").content.decode()
    assert "hx-get" not in page
    for form, row in files(run).items():
        assert row.sha256 in page
        got = client.get(f"/reports/prepared/{run.id}/{form}/")
        assert got.content == bytes(row.content)
        assert row.name in got["Content-Disposition"]
    assert f"/reports/prepared/{run.id}/" in client.get("/reports/").content.decode()


@pytest.mark.long("postgresql")
def test_it_is_stopped_on_its_page(house: House) -> None:
    client = builders.signed_in(house.auditor)
    run = requested(house)

    client.post(f"/reports/prepared/{run.id}/", {"do": "stop"}, format="multipart")

    page = client.get(f"/reports/prepared/{run.id}/").content.decode()
    assert "No file was made." in page
    assert 'value="again"' in page
    client.post(f"/reports/prepared/{run.id}/", {"do": "again"}, format="multipart")
    assert again(run).state == State.RUNNING


@pytest.mark.long("postgresql")
def test_the_api_lists_what_was_prepared_with_its_hashes(house: House) -> None:
    run = run_to_end(requested(house))
    client = house.client(Role.AUDITOR)

    [listed] = client.get(house.url("reports/prepared/")).json()["results"]

    assert (listed["id"], listed["state"], listed["asked_by"]) == (
        str(run.id),
        "done",
        str(house.auditor),
    )
    for file in listed["files"]:
        content = client.get(file["url"]).content
        assert sha256(content).hexdigest() == file["sha256"]
    assert client.get(house.url(f"reports/prepared/{uuid.uuid4()}/csv/")).status_code == 404
    assert client.get(house.url(f"reports/prepared/{run.id}/docx/")).status_code == 404


def begun(house: House, role: Role = Role.AUDITOR, **body: Any) -> Any:
    command = {"command_id": f"{uuid.uuid4()}", "report": "payouts", **body}
    return house.client(role).post(house.url("reports/prepared/"), command, format="json")


@pytest.mark.long("postgresql")
def test_a_program_has_a_report_prepared_looks_at_it_and_fetches_its_files(house: House) -> None:
    answer = begun(house, asked={"day": f"{TODAY}", "through": "head"})

    assert answer.status_code == 201
    client, address = house.client(Role.AUDITOR), answer["Location"]
    preparation = client.get(address).json()
    assert preparation == answer.json()
    assert (preparation["state"], preparation["files_made"], preparation["files_wanted"]) == (
        "running",
        0,
        4,
    )
    run_to_end(Preparation.objects.get(id=preparation["id"]))
    ready = client.get(address).json()
    assert (ready["state"], ready["files_made"]) == ("done", 4)
    assert {each["format"] for each in ready["files"]} == set(FORMATS)
    assert b"Bo" in client.get(ready["files"][1]["url"]).content


@pytest.mark.long("postgresql")
def test_a_command_that_is_sent_again_prepares_nothing_more(house: House) -> None:
    command: dict[str, Any] = {
        "command_id": f"{uuid.uuid4()}",
        "asked": {"day": f"{TODAY}", "through": "head"},
    }
    first = begun(house, **command)
    round_played(house, opened(house, table=house.tables[1]))  # head is another by now
    second = begun(house, **command)

    assert (second.status_code, second["Location"]) == (201, first["Location"])
    assert Preparation.objects.filter(establishment=house.establishment).count() == 1
    other = begun(house, **{**command, "report": "rounds"})
    assert (other.status_code, other.json()["code"]) == (409, "command_reused")
    stranger = begun(house, Role.MANAGER, **command)
    assert (stranger.status_code, stranger.json()["code"]) == (409, "command_reused")


@pytest.mark.long("postgresql")
def test_a_program_stops_a_report_once(house: House) -> None:
    address = begun(house, asked={"day": f"{TODAY}"})["Location"]
    client = house.client(Role.AUDITOR)

    for _twice in range(2):
        stopped = client.post(f"{address}stop/", {"command_id": f"{uuid.uuid4()}"}, format="json")
        assert (stopped.status_code, stopped.json()["state"]) == (200, "stopped")

    done_by_itself = run_to_end(requested(house))
    late = client.post(
        house.url(f"reports/prepared/{done_by_itself.id}/stop/"),
        {"command_id": f"{uuid.uuid4()}"},
        format="json",
    )
    assert (late.status_code, late.json()["code"]) == (422, "not_so_now")


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("body", "status", "about"),
    [
        ({"report": "takings"}, 400, "report"),
        ({"asked": {"day": "yesterday"}}, 422, "asked.day is a date"),
        ({"asked": {"moon": "full"}}, 422, "asked.moon: payouts has no such filter"),
        ({"asked": {"day": "2026-11-20", "month": "2026-11"}}, 422, "one of them"),
        ({"asked": {"day": 20}}, 400, "asked"),
        ({"asked": "today"}, 400, "asked"),
        ({"command_id": "1"}, 400, "command_id"),
    ],
)
def test_what_cannot_be_prepared_is_refused(
    house: House, body: dict[str, Any], status: int, about: str
) -> None:
    answer = begun(house, **body)

    assert answer.status_code == status
    assert about in answer.json()["detail"]
    assert not Preparation.objects.exists()


@pytest.mark.long("postgresql")
def test_no_more_than_three_are_on_their_way(house: House) -> None:
    codes = [begun(house, asked={"day": f"{TODAY}"}).status_code for _ in range(4)]

    assert codes == [201, 201, 201, 422]


def test_another_house_s_preparation_is_not_there(house: House) -> None:
    there = builders.house()
    wanted = Query(house=there.establishment, since=TODAY, until=TODAY, through=-1)
    report = catalogue.report("payouts")
    run = preparing.ask(by=there.auditor, report=report, query=wanted, now=NOW)
    client = house.client(Role.MANAGER)

    assert client.get(house.url(f"reports/prepared/{run.id}/")).status_code == 404
    body = {"command_id": f"{uuid.uuid4()}"}
    stop = client.post(house.url(f"reports/prepared/{run.id}/stop/"), body, format="json")
    assert stop.status_code == 404
    assert again(run).state == State.RUNNING
