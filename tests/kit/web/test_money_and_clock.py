"""
Whatever people read of a house says its amounts in its coin, and its times by its clock.

Every page that links lead to, every list and report in each form of a file, every address of the
API, the commands: in a house in Rome that counts in euros (`tests.support.rome`), where amounts
have more figures than anything else. Whole numbers of the smallest coin stand in JSON, in the
columns of a CSV that are for programs, and nowhere else.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from typing import TYPE_CHECKING, Any, Final

import openpyxl
import pypdf
import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl.cell import Cell

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments.clock import show_as_at
from casino.kit.approvals.models import RequestRow
from casino.kit.documents.writers import FORMATS
from casino.kit.web.listings import pages as listings_pages
from casino.play.core.subscriptions.tasks import advance
from casino.play.settlement.models import Payout
from casino.proof.disputes.models import DisputeRow
from casino.reports.registers import catalogue
from games.refusals import Refused
from tests.kit.web.test_every_listing import LISTS, looks, wanted
from tests.kit.web.test_words_shown import OF_PROGRAMS, pages, read
from tests.support import access, module_data, rome
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from casino.kit.documents.report import Report
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NUMBER: Final = re.compile(r"(?<![\w.,-])\d[\d.,\u00a0\u202f]*\d(?![\w-])")
MARKS: Final = re.compile(r"[.,\u00a0\u202f]")
SPELLED: Final = re.compile(r"\d,\d\d$")
PROGRAMS: Final = re.compile(r"-?\d+(?:\.\d\d)?")
"""A cell of a CSV that programs read: whole, and beside it with decimals in one spelling."""
COUNTED: Final = re.compile(r"(?<!1.00 is )(?<!1,00 sono )\b\d+ (?:coins?|monet[ae])\b")
"""What the rules call an amount, who know no currency; a help says what decimals are."""
BOARD_TERMS: Final = re.compile(r'class="head-(fee|point)">.*?<dd[^>]*>(.*?)</dd>', re.DOTALL)
SIGNED: Final = re.compile(r"\d,\d\d\s€")
UTC_CLOCK: Final = re.compile(r"(?<![\d:T.])21:30(?![\d]|:\d\d(?:\.\d+)?(?:Z|\+00:00))")
"""The time of the evening by the clock of Greenwich; in Rome it is 22:30."""
OF_THE_LEDGER: Final = {
    "ledger-event": "shows an event as it is hashed",
    "ledger-event-body": "likewise",
    "ledger-of": "shows what is hashed",
}
BODIES: Final = frozenset({"body", "leaf_hash"})
"""Texts of the API that are hashed as they stand."""


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    def build() -> House:
        with time_machine.travel(NOW, tick=False):
            made = rome.house()
            advance(HOUSE, made.id)
            for role in Role:
                made.client(role)  # with a token that each test finds
            return made

    yield from module_data.built_once(build, django_db_blocker)


@pytest.fixture(autouse=True)
def _that_evening() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def known(house: House) -> set[str]:
    return rome.amounts(house)


def wrong(text: str, known: set[str]) -> set[str]:
    """Amounts without the house's spelling, and times by another clock."""
    found = {
        number
        for number in NUMBER.findall(text)
        if not SPELLED.search(number) and MARKS.sub("", number) in known
    }
    return found | set(UTC_CLOCK.findall(text))


def texts_of(value: Any) -> Iterator[str]:
    """The texts of a JSON document, but those that are hashed."""
    match value:
        case dict():
            for name, each in value.items():
                if name not in BODIES:
                    yield from texts_of(each)
        case list():
            for each in value:
                yield from texts_of(each)
        case str():
            yield value


def cells_of(content: bytes) -> Iterator[Any]:
    """The cells of a spreadsheet; an amount in whole coins has a format with decimals."""
    for sheet in openpyxl.load_workbook(io.BytesIO(content)).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                dated = isinstance(cell, Cell) and cell.is_date
                decimals = dated or "00" in str(cell.number_format)
                yield str(cell.value) if not decimals and cell.value is not None else ""


def printed(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)


def for_people(content: bytes, form: str) -> str:
    """What people read of a file; columns of a CSV in the smallest coin are for programs."""
    match form:
        case "csv":
            rows = list(csv.reader(io.StringIO(content.decode())))
            return "\n".join(cell for row in rows for cell in row if not PROGRAMS.fullmatch(cell))
        case "json":
            return "\n".join(texts_of(json.loads(content)))
        case "xlsx":
            return "\n".join(cells_of(content))
        case _:
            return printed(content)


def body(answer: Any) -> bytes:
    return b"".join(answer) if answer.streaming else answer.content


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(
    "role", [pytest.param(each, marks=() if each == Role.MANAGER else pytest.mark.long)
             for each in Role]
)  # fmt: skip
def test_every_page(house: House, known: set[str], role: Role, language: str) -> None:
    person = house.people[role]
    type(person).objects.filter(pk=person.pk).update(language=language)
    client = Client()
    client.force_login(person)
    found, routes = {}, set()
    for route, path, content in pages(client):
        routes.add(route)
        if route not in OF_PROGRAMS and route not in OF_THE_LEDGER:
            said = read(content)
            found[path] = wrong(said, known) | set(COUNTED.findall(said))
    assert {path: each for path, each in found.items() if each} == {}
    assert len(routes) > 15


def test_the_head_of_every_board_says_the_currency(house: House) -> None:
    """Of each game, since only one board is among the pages, and however small the amount is."""
    client, found = Client(), {}
    client.force_login(house.manager)
    for game in house.client().get("/api/v1/games/").json()["results"]:
        page = client.get(reverse("floor-game", args=[game["id"]])).content.decode()
        for term, said in BOARD_TERMS.findall(page):
            found[game["id"], term] = html.unescape(said)
    assert {term for _, term in found} == {"fee", "point"}
    assert "1,00\N{NO-BREAK SPACE}€ every 30 min" in found.values()
    assert [said for said in found.values() if not SIGNED.search(said)] == []


@pytest.mark.parametrize("form", FORMATS)
def test_every_list_as_a_file(house: House, known: set[str], form: str) -> None:
    found = {}
    for called, listing in LISTS.items():
        with show_as_at(house.establishment):
            try:
                made = body(listings_pages.answer(wanted(listing, looks(house, "file")), form))
            except (Refused, IndexError):
                continue
        found[called] = wrong(for_people(made, form), known)
    assert {called: each for called, each in found.items() if each} == {}
    assert len(found) > len(LISTS) / 2


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("report", catalogue.REPORTS, ids=lambda each: each.name)
def test_a_report_of_the_api_is_that_of_the_page(
    house: House, known: set[str], report: Report, form: str
) -> None:
    at_page = Client()
    at_page.force_login(house.manager)
    days = {"from": NOW.date().isoformat(), "to": NOW.date().isoformat()}
    page = at_page.get(f"/reports/{report.name}/", {**days, "format": form})
    api = house.client(Role.MANAGER).get(
        house.url(f"reports/{report.name}/"), {**days, "format": form}
    )
    if report.long:
        assert api.status_code == 422
        return
    assert (page.status_code, api.status_code) == (200, 200)
    one, other = body(page), body(api)
    if form in {"csv", "json"}:
        assert other == one
    assert for_people(other, form) == for_people(one, form)
    assert wrong(for_people(other, form), known) == set()


def test_every_address_of_the_api(house: House, known: set[str]) -> None:
    """With whatever names stand in it; sentences in JSON are for people."""
    client, found, asked = house.client(Role.MANAGER), {}, 0
    for path in addresses_of(house):
        answer = client.get(path, {"limit": 200} if "changes" in path else {})
        if answer.status_code == 200 and "json" in answer.headers["Content-Type"]:
            asked += 1
            found[path] = wrong("\n".join(texts_of(answer.json())), known)
    assert {path: each for path, each in found.items() if each} == {}
    assert asked > 30


def addresses_of(house: House) -> Iterator[str]:
    requests = RequestRow.objects.filter(establishment=house.id).values_list("id", flat=True)
    yield from (house.url(f"approvals/{each}/") for each in requests)
    games = house.client().get("/api/v1/games/").json()["results"]
    for game in games:
        yield f"/api/v1/games/{game['id']}/"
        yield f"/api/v1/games/{game['id']}/explain/1/"
    dispute = DisputeRow.objects.get(establishment=house.id)
    payout = Payout.objects.filter(establishment=house.id, game=dispute.game)[0]
    player = payout.payee
    arguments = {
        "establishment": house.id, "table": house.table.pk, "game": dispute.game, "round_no": 1,
        "dice_set": house.dice.pk, "day": NOW.date(), "kind": "cage", "name": "main", "number": 1,
        "position": 1, "report": "fees", "player": player, "token": player,
        "dispute": dispute.number, "cause": payout.cause, "seq": payout.seq,
    }  # fmt: skip
    for each in access.addresses():
        if each.is_api and set(each.names) <= arguments.keys():
            yield each.path(arguments)


def test_what_a_program_reads_stays_as_it_is(house: House) -> None:
    """Whole numbers of the smallest coin, and moments in UTC."""
    client = house.client(Role.MANAGER)
    rows = client.get(house.url("tables/")).json()["results"]
    assert {(row["stake_min"], row["stake_max"]) for row in rows} > {(1_111_117, 93_456_789)}
    [newest, *_] = client.get(house.url("approvals/")).json()["results"]
    assert newest["asked_at"] == "2026-11-20T21:30:00Z"
    game = client.get("/api/v1/games/").json()["results"][0]
    assert game["opened_at"] == "2026-11-20T21:30:00Z"


def test_sentences_of_the_api_are_those_of_the_pages(house: House) -> None:
    client = house.client(Role.MANAGER)
    rows = client.get(house.url("approvals/"), {"state": "waiting"}).json()["results"]
    told = "\n".join(each["tells"] for each in rows).replace("\u00a0", " ")
    assert "46.913,56 €" in told  # a credit of two chips
    assert "least stake from nothing to 12.222,29 €" in told
    assert "greatest stake from nothing to 923.456,71 €" in told
    assert "large prize from 32.109,87 € to 34.567,81 €" in told
    assert "44.455,51 € red" in told


def test_a_refusal_says_amounts_as_the_house_does(house: House) -> None:
    answer = house.client(Role.MANAGER).post(
        "/api/v1/games/",
        {"command_id": "0b1f64a4-4f3d-4f5e-9f0f-5f6f0c9a0b11", "table": str(house.tables[5].pk),
         "game": "stone-hand", "players": ["Ada", "Bo"], "stake": 1_000_001},
    )  # fmt: skip
    assert answer.status_code == 422, answer.content
    assert "11.111,17" in answer.json()["detail"]


@pytest.mark.parametrize(
    "command",
    [("whatif", "--fee", "kind=seat,amount=1111113"), ("regrade", "--workers", "1"),
     ("whatif", "--game", "threes-away", "--option", "ante=4333337")],
)  # fmt: skip
def test_commands_say_them_so(
    house: House, known: set[str], command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = command
    of = "--house" if name == "whatif" else "--establishment"
    with translation.override("en"):
        call_command(name, of, str(house.id), *options)
    assert wrong(capsys.readouterr().out, known | {"1111113", "4333337"}) == set()
