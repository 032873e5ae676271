"""The exception report as it is asked for: filters, pages, CSV and API (C2)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.kit.web.listings import keyset
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from ledger import journal
from tests.support import builders
from tests.support.approving import asked, decided
from tests.support.dayend import TODAY
from tests.support.exceptional import PAGE, key, listed, looked
from tests.support.playing import NOW, done, opened, thrown

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
CSV_HEADS = [
    "gaming_day", "recorded_at", "occurred_at", "position", "kind", "control", "late", "what",
    "where", "amount", "asked_by", "decided_by", "alone", "reviewed_by", "in_order", "reason",
    "decision", "event_type", "stream",
]  # fmt: skip


# --- Filters, pages, costs ---------------------------------------------------------------------


def test_filters_narrow_by_day_kind_and_person(house: House) -> None:
    decided(house, asked(house), house.supervisor)
    decided(house, asked(house, house.supervisor), house.manager, approve=False, reason="No.")

    def kinds(**criteria: Any) -> list[str]:
        return [line.kind for line in listed(house, **criteria)]

    assert kinds(person=key(house.attendant)) == ["approval"]
    assert kinds(person=key(house.supervisor)) == ["rejection", "approval"]
    assert kinds(person=key(house.supervisor), kind="rejection") == ["rejection"]
    assert kinds(person=key(house.auditor)) == []
    assert kinds(since=TODAY, until=TODAY) == ["rejection", "approval"]
    assert kinds(since=TODAY + gaming_day.A_DAY) == kinds(until=TODAY - gaming_day.A_DAY) == []
    assert listed(builders.house()) == []


def test_pages_follow_each_other_without_a_gap(house: House) -> None:
    for _ in range(5):
        decided(house, asked(house), house.supervisor)
    every = [line.position for line in listed(house)]

    found: list[int] = []
    before: int | None = None
    while True:
        lines, before = exceptions.page(house.establishment, Criteria(), most=2, before=before)
        found += [line.position for line in lines]
        if before is None:
            break
    assert found == every


@pytest.mark.long("postgresql")
def test_a_page_costs_the_same_however_much_there_is(house: House) -> None:
    game = opened(house)

    def some(count: int) -> None:
        for _ in range(count):
            request = asked(house, subject={"boxes": 99})
            decided(house, request, house.supervisor)
            thrown(house, game, "Ada", (2, 2, 7), occurred_at=(NOW - gaming_day.A_DAY).isoformat())
            back_to = len(journal.stream(establishment=house.id, stream=f"game/{game}"))
            done(house, game, "void", back_to=back_to, reason="Misread.")
        advance(HOUSE, house.id)

    some(1)
    browser = builders.signed_in(house.manager)
    browser.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        browser.get(PAGE)
    some(12)
    with CaptureQueriesContext(connection) as many:
        browser.get(PAGE)
    assert len(many) <= len(few) + 1  # what day it is, is asked anew every few seconds


@pytest.mark.long("postgresql")
def test_the_page_says_who_decided_and_why_and_leads_there(house: House) -> None:
    assert "Nothing out of the ordinary yet" in looked(house)
    request = asked(house)
    decided(house, request, house.supervisor, reason="Counted.")

    page = looked(house)

    for part in (str(house.attendant), str(house.supervisor), "The box is full.", "Counted."):
        assert part in page
    assert f"/approvals/{request}/" in page
    assert "Nothing of the kind" in looked(house, "?kind=void")
    assert "The box is full." in looked(house, f"?kind=approval&person={house.attendant.pk}")
    assert "Select a valid choice" in looked(house, "?kind=nonsense")


def test_d1_attendants_do_not_see_it_and_it_is_not_in_their_rail(house: House) -> None:
    assert builders.signed_in(house.attendant).get(PAGE).status_code == 403
    for role, seen in ((Role.ATTENDANT, False), (Role.SUPERVISOR, True), (Role.AUDITOR, True)):
        start = builders.signed_in(house.people[role]).get("/").content.decode()
        assert (f'href="{PAGE}"' in start) is seen


@pytest.mark.long("postgresql")
def test_as_csv_every_line_of_the_filter_and_no_formula(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyset, "AT_ONCE", 2)
    for reason in ("=SUM(A1)", "Full.", "Full again."):
        decided(house, asked(house, reason=reason), house.supervisor)
    decided(house, asked(house), house.supervisor, approve=False, reason="No.")

    answer = builders.signed_in(house.auditor).get(f"{PAGE}?kind=approval&format=csv")

    assert answer["Content-Disposition"].startswith('attachment; filename="exceptions-')
    text = io.StringIO(answer.content.decode())
    heads, *lines = [line for line in csv.reader(text) if not line[0].startswith("#")]
    assert heads == CSV_HEADS
    rows = [dict(zip(heads, line, strict=True)) for line in lines]
    assert [row["reason"] for row in rows] == ["Full again.", "Full.", "'=SUM(A1)"]
    assert {row["decided_by"] for row in rows} == {str(house.supervisor)}
    assert {(row["kind"], row["control"]) for row in rows} == {("approval", "C1")}
    assert {(row["alone"], row["in_order"], row["amount"]) for row in rows} == {("no", "", "30")}
    assert {row["gaming_day"] for row in rows} == {str(TODAY)}


@pytest.mark.long("postgresql")
def test_the_page_sorts_and_goes_back_and_forth(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.kit.web.listings.pages.LINES", 2)
    for _ in range(5):
        decided(house, asked(house), house.supervisor)
    newest = [line.position for line in listed(house)]
    browser = builders.signed_in(house.auditor)

    def walked(query: str) -> list[list[int]]:
        found = []
        table = browser.get(f"{PAGE}{query}").context["table"]
        while True:
            found.append([line.item.position for line in table.lines])
            if not table.next_url:
                break
            table = browser.get(f"{PAGE}{table.next_url}").context["table"]
        back = browser.get(f"{PAGE}{table.previous_url}").context["table"]
        assert [line.item.position for line in back.lines] == found[-2]
        return found

    assert walked("") == [newest[:2], newest[2:4], newest[4:]]
    oldest = newest[::-1]
    assert walked("?sort=recorded_at") == [oldest[:2], oldest[2:4], oldest[4:]]
    stranger = builders.signed_in(builders.house().auditor).get(PAGE)
    assert stranger.context["table"].lines == []


class TestApi:
    def asks(self, at: House, role: Role = Role.AUDITOR, /, **query: Any) -> tuple[int, Any]:
        answer = at.client(role).get(at.url("exceptions/"), query)
        return answer.status_code, answer.json()

    def test_the_same_lines_page_by_page(self, house: House) -> None:
        request = asked(house)
        decided(house, request, house.supervisor, reason="Counted.")
        decided(house, asked(house), house.supervisor, approve=False, reason="No.")

        status, first = self.asks(house, limit="1")
        second = house.client(Role.AUDITOR).get(first["next"]).json()

        assert status == 200
        assert [row["kind"] for row in first["results"]] == ["rejection"]
        [row] = second["results"]
        assert second["next"] is None
        assert (row["kind"], row["control"], row["amount"]) == ("approval", "C1", 30)
        assert row["asked_by"] == {"id": key(house.attendant), "name": str(house.attendant)}
        assert row["decided_by"]["id"] == key(house.supervisor)
        assert (row["reason"], row["decision"]) == ("The box is full.", "Counted.")
        assert row["url"] == f"/approvals/{request}/"

    @pytest.mark.long("postgresql")
    def test_filters(self, house: House) -> None:
        decided(house, asked(house), house.supervisor)
        day = str(TODAY)

        for query in (
            {"from": day, "to": day},
            {"kind": "approval"},
            {"person": key(house.attendant)},
        ):
            assert len(self.asks(house, **query)[1]["results"]) == 1
        for query in ({"from": "2030-01-01"}, {"kind": "void"}, {"person": key(house.auditor)}):
            assert self.asks(house, **query)[1]["results"] == []

    @pytest.mark.parametrize(
        "query", [{"kind": "x"}, {"person": "Ada"}, {"from": "yesterday"}, {"before": "x"}]
    )
    def test_a_filter_that_can_be_nothing_is_malformed(
        self, house: House, query: dict[str, str]
    ) -> None:
        status, problem = self.asks(house, **query)
        assert (status, problem["code"]) == (400, "malformed")

    def test_d1_not_for_attendants_nor_strangers(self, house: House) -> None:
        assert self.asks(house, Role.ATTENDANT)[0] == 403
        stranger = builders.house().client(Role.MANAGER)
        assert stranger.get(house.url("exceptions/")).status_code == 404
