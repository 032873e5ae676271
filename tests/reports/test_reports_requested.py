"""How reports are requested and shown: their forms, pages, lists, and who may (E6, D1)."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.house.attendants.models import Role
from casino.kit.documents import page as drawing
from casino.kit.documents.document import ledger_root
from casino.kit.documents.writers import FORMATS
from casino.reports.registers import catalogue, params
from ledger import journal
from ledger.verify import Range, leaf_hash
from tests.forms import every
from tests.support import builders, module_data
from tests.support.dayend import TOMORROW
from tests.support.playing import NOW
from tests.support.reporting import (
    DAY,
    WIDE,
    body,
    frozen,
    got,
    table,
    with_a_fee_and_a_payout,
    won,
    written,
)

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [
    pytest.mark.usefixtures("at_night"),
    pytest.mark.django_db,
    pytest.mark.long("postgresql", but="citus"),
]


played = module_data.shared(with_a_fee_and_a_payout)
house = module_data.house_of_its_own


# --- E6


@pytest.mark.long("postgresql")
@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("form", FORMATS)
def test_e6_every_report_says_what_it_is_in_every_form(house: House, form: str) -> None:
    frozen(house)
    client = builders.signed_in(house.auditor)

    for name in list(catalogue.BY_NAME)[:: every(3)]:
        answer = client.get(f"/reports/{name}/", {"day": DAY, "format": form})

        assert answer.status_code == 200, name
        content = body(answer)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}-{DAY}.{form}"'
        header = json.loads(written(house, name, day=DAY))["header"]
        sentences = [
            header["house"], header["software"], str(header["position"]), header["root"],
            str(house.auditor), "20 November 2026" if form == "pdf" else DAY,
        ]  # fmt: skip
        text = readable(content, form)
        assert [each for each in sentences if each not in text] == [], name
        assert header["from"] == header["to"] == DAY
        assert header["rules"]["stone-hand"] == 1


@pytest.mark.long("postgresql")
def test_every_report_has_a_page_of_its_own(house: House) -> None:
    client = builders.signed_in(house.auditor)

    assert len(catalogue.BY_NAME) == len(catalogue.REPORTS)
    for each in catalogue.REPORTS:
        assert client.get(f"/reports/{each.name}/").status_code == 200, each.name
        assert each.name != "prepared"
        assert not {one.name for one in each.filters} & {*params.PERIOD, "format"}, each.name
        tables = [one.name for one in each.tables]
        assert len(tables) == len(set(tables)), each.name
        for one in each.tables:
            columns = [column.name for column in one.columns]
            assert len(columns) == len(set(columns)), (each.name, one.name)
            assert one.empty, (each.name, one.name)


def readable(content: bytes, form: str) -> str:
    import io  # noqa: PLC0415 - of this test only

    import openpyxl  # noqa: PLC0415
    import pypdf  # noqa: PLC0415

    if form == "pdf":
        return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    if form == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(content))
        return "\n".join(str(cell.value) for sheet in book for row in sheet for cell in row)
    return content.decode()


@pytest.mark.long("postgresql")
def test_e6_the_page_says_it_too(house: House) -> None:
    event = frozen(house)

    page = builders.signed_in(house.manager).get("/reports/summary/", {"day": DAY}).content.decode()

    root_there = json.loads(written(house, "summary", day=DAY))["header"]["root"]
    for words in (house.establishment.name, f"{event.position}", root_there, "Home Throw 0.1.0"):
        assert words in page, words
    assert "As it was frozen when its day was closed." in page


def test_e6_the_root_of_a_ledger_that_nobody_signed_is_its_own(house: House) -> None:
    leaves = [leaf_hash(event.body) for event in journal.read(establishment=house.id, limit=1000)]

    def over(size: int) -> bytes:
        grown = Range()
        grown.extend(leaves[:size])
        return grown.root()

    for size in (0, 1, len(leaves) - 1, len(leaves)):
        assert ledger_root(house.id, size) == over(size), size
    header = got(house, "fees")["header"]
    assert b64decode(header["root"]) == over(header["position"] + 1)


# --- Who may


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
def test_d1_only_managers_and_auditors_read_them(house: House, role: Role) -> None:
    for url in ("reports/", "reports/fees/", "reports/prepared/"):
        assert house.client(role).get(house.url(url)).status_code == 403
    for url in ("/reports/", "/reports/fees/", "/reports/fees/?format=csv"):
        assert builders.signed_in(house.people[role]).get(url).status_code == 403


def test_d1_another_houses_are_none_of_ones_business(house: House) -> None:
    other = builders.house()
    client = other.client(Role.MANAGER)

    assert client.get(house.url("reports/")).status_code == 404
    assert client.get(house.url("reports/fees/")).status_code == 404
    assert table(got(other, "payouts", **WIDE), "payouts") == []


@pytest.mark.long("postgresql")
def test_an_unknown_report_is_nowhere(house: House) -> None:
    answer = house.client(Role.AUDITOR).get(house.url("reports/bribes/"))

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert builders.signed_in(house.auditor).get("/reports/bribes/").status_code == 404


# --- How they are requested


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("accept", "given", "media"),
    [("application/json", {}, "application/json"), ("text/csv", {}, "text/csv"),
     ("*/*", {"format": "csv"}, "text/csv"), ("application/json", {"format": "pdf"}, "application/pdf"),  # noqa: E501
     ("application/pdf", {}, "application/pdf")],
)  # fmt: skip
@pytest.mark.rows(postgresql=2)
def test_the_form_is_the_parameter_or_what_is_accepted(
    house: House, accept: str, given: dict[str, str], media: str
) -> None:
    client = house.client(Role.AUDITOR)

    answer = client.get(house.url("reports/fees/"), given, headers={"accept": accept})

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith(media)
    assert body(answer)


@pytest.mark.long("postgresql")
def test_whoever_accepts_only_a_file_reads_in_json_what_is_wrong(house: House) -> None:
    client = house.client(Role.AUDITOR)

    answer = client.get(house.url("reports/fees/"), {"day": "x"}, headers={"accept": "text/csv"})

    assert answer.status_code == 400
    assert json.loads(answer.content)["code"] == "malformed"


@pytest.mark.long("postgresql")
def test_the_list_names_filters_and_forms(house: House) -> None:
    found = {
        each["name"]: each
        for each in house.client(Role.AUDITOR).get(house.url("reports/")).json()["results"]
    }

    assert found["fees"]["filters"][0]["choices"][str(house.table.pk)] == house.table.name
    assert found["payouts"]["filters"][2] == {"name": "player", "title": "Player", "choices": None}
    assert all(each["formats"] == ["json", "csv", "xlsx", "pdf"] for each in found.values())


@pytest.mark.long("postgresql")
def test_a_page_links_each_line_to_its_thing_and_its_files_to_what_it_shows(house: House) -> None:
    page = builders.signed_in(house.auditor).get("/reports/payouts/").content.decode()

    report = got(house, "payouts")
    through = journal.head(establishment=house.id)
    assert report["header"]["position"] == through
    [row] = table(report, "payouts")
    assert 'data-href="/payouts/' in page
    assert f">{row['position']}<" in page
    assert f"from={DAY}&amp;to={DAY}&amp;through={through}&amp;format=csv" in page
    assert ">agrees</span>" in page


@pytest.mark.long("postgresql")
def test_a_page_shows_the_first_lines_and_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        won(house)
    monkeypatch.setattr(drawing.tables, "__kwdefaults__", {"most": 2})

    page = builders.signed_in(house.auditor).get("/reports/payouts/").content.decode()

    assert page.count('data-href="/payouts/') == 2
    assert "The files have all of them" in page


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize(("name", "queries"), [("fees", 45), ("payouts", 44), ("summary", 56)])
def test_what_a_page_asks_of_the_database_does_not_grow(
    house: House, name: str, queries: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    frozen(house)
    client = builders.signed_in(house.manager)
    client.get(f"/reports/{name}/", {"day": DAY})
    with CaptureQueriesContext(connection) as before:
        client.get(f"/reports/{name}/", {"day": DAY})
    later = NOW + timedelta(days=1)
    with time_machine.travel(later, tick=False):
        for _ in range(3):
            won(house, later)
        frozen(house, TOMORROW, now=later)
        client = builders.signed_in(house.manager)
        client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
        with django_assert_max_num_queries(queries):
            client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
        with CaptureQueriesContext(connection) as after:
            client.get(f"/reports/{name}/", {"day": f"{TOMORROW}"})
    assert abs(len(after) - len(before)) <= 4
