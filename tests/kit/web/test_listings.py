"""Lists declared once: pages by key set, orders, filters, files, and what a person chose before."""

from __future__ import annotations

import csv
import io
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from casino.house.attendants.models import ListPreference, Role
from casino.kit.web.listings import pages as listings_pages
from casino.kit.web.listings.keyset import BadCursor, Cursor, cut, everything
from casino.kit.web.listings.listing import Column, Listing, Viewer
from casino.money.payouts.listings import PAYOUTS
from casino.play.settlement.models import Payout
from tests.support import builders, module_data
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    """A house where at two tables three players were paid, two of them as much."""

    def build() -> House:
        made = builders.house()
        for table, stake, rounds in ((0, 20, 3), (1, 20, 3), (1, 13, 2)):
            game = opened(made, stake=stake, table=made.tables[table])
            for _ in range(rounds):
                round_played(made, game)
        settled(made)
        for role in (Role.ATTENDANT, Role.MANAGER):
            made.client(role)  # with a token that outlives the test that asks for it first
        return made

    yield from module_data.built_once(build, django_db_blocker)


def signed_in(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(builders.employed(house.establishment, role))
    return client


def walked(rows: Any, order: Sequence[str], limit: int) -> list[list[Any]]:
    """All pages of rows, forwards; and it is seen that backwards they are the same."""
    pages, cursor = [], None
    while True:
        part = cut(rows, order, limit=limit, cursor=cursor)
        pages.append(part.rows)
        if part.next is None:
            break
        cursor = Cursor.parse(str(part.next), "")
    for before in reversed(pages[:-1]):
        assert part.previous is not None
        part = cut(rows, order, limit=limit, cursor=Cursor.parse(str(part.previous), ""))
        assert part.rows == before
    assert part.previous is None
    return pages


ROWS = st.lists(st.tuples(st.none() | st.integers(0, 3), st.integers(0, 3)), max_size=12)


@given(ROWS, st.integers(1, 5), st.sampled_from(["a", "-a"]), st.sampled_from(["b", "-b"]))
def test_pages_of_a_list_in_memory_hold_every_row_once(
    pairs: list[tuple[int | None, int]], limit: int, first: str, second: str
) -> None:
    rows = [SimpleNamespace(a=a, b=b, id=number) for number, (a, b) in enumerate(pairs)]

    found = [row for page in walked(rows, [first, second, "id"], limit) for row in page]

    assert sorted(row.id for row in found) == list(range(len(rows)))
    valued = [row.a for row in found if row.a is not None]
    assert valued == sorted(valued, reverse=first == "-a")
    assert [row.a is None for row in found] == sorted(row.a is None for row in found)


@pytest.mark.django_db
class TestKeySet:
    """Of a query: rows that are alike, and rows without a value, on the real database."""

    @pytest.fixture
    def rows(self, house: House) -> Any:
        return Payout.objects.filter(establishment=house.id).select_related("table")

    @pytest.mark.parametrize("limit", [1, 2, 3, 50])
    @pytest.mark.parametrize(
        "order",
        [("position", "seq"), ("-amount", "-position", "-seq"), ("table__name", "position", "seq"),
         ("state", "amount", "-position", "seq")],
    )  # fmt: skip
    def test_pages_hold_every_row_once_and_in_order(
        self, rows: Any, order: tuple[str, ...], limit: int
    ) -> None:
        found = [row.pk for page in walked(rows, order, limit) for row in page]

        assert found == [row.pk for row in rows.order_by(*order)]
        assert len(found) > 2
        assert [row.pk for part in everything(rows, order) for row in part] == found

    def test_rows_without_a_value_come_last_whichever_way(self) -> None:
        people = [builders.person() for _ in range(4)]
        for number, person in enumerate(people):
            person.last_login = None if number % 2 else person.date_joined
            person.save()
        rows = type(people[0]).objects.filter(pk__in=[person.pk for person in people])

        for order in (("last_login", "id"), ("-last_login", "id")):
            found = [row for page in walked(rows, order, 1) for row in page]
            assert [row.last_login is None for row in found] == [False, False, True, True]


class TestCursor:
    @pytest.mark.parametrize("text", ["", "x", "W10:1", "🎲"])
    def test_what_was_not_made_here_is_refused(self, text: str) -> None:
        with pytest.raises(BadCursor):
            Cursor.parse(text, "")

    def test_it_holds_in_the_order_that_it_was_given_in(self) -> None:
        text = str(Cursor(sort="amount", at=(7, 1)))
        assert Cursor.parse(text, "amount").at == (7, 1)
        with pytest.raises(BadCursor):
            Cursor.parse(text, "-amount")


class TestDeclaration:
    def test_an_order_is_total_whatever_is_asked_for(self) -> None:
        assert PAYOUTS.ordered_by("") == ("-position", "-seq")
        assert PAYOUTS.ordered_by("booked_at") == ("position", "seq")
        assert PAYOUTS.ordered_by("-booked_at") == ("-position", "-seq")
        assert PAYOUTS.ordered_by("amount") == ("amount", "-position", "-seq")
        assert PAYOUTS.default_sort == "-booked_at"

    def test_a_column_of_a_page_has_a_heading_and_only_figures_are_added_up(self) -> None:
        with pytest.raises(ValueError, match="heading"):
            Column(name="x")
        with pytest.raises(ValueError, match="nothing to add up"):
            Column(name="x", title="X", total=True)

    @pytest.mark.parametrize(("role", "names"), [("auditor", ["x", "y"]), ("attendant", ["x"])])
    def test_a_column_may_be_for_some_roles_alone(self, role: str, names: list[str]) -> None:
        columns = (
            Column[Any](name="x", title="X"),
            Column[Any](name="y", title="Y", sees=("audit",)),
        )
        listing = Listing[Any, Any](
            name="l", title="L", about="", columns=columns, rows=lambda _viewer: [], order=("x",)
        )
        none: Any = None
        viewer = Viewer(house=none, person=none, role=role, request=none, surface="file")
        assert [column.name for column in listing.seen_by(viewer)] == names

    def test_names_are_said_once(self) -> None:
        twice = (Column[Any](name="x", title="X"), Column[Any](name="x", title="Y"))
        with pytest.raises(ValueError, match="twice"):
            Listing[Any, Any](
                name="l", title="L", about="", columns=twice, rows=lambda _viewer: [], order=("x",)
            )


@pytest.mark.django_db
class TestAPage:
    @pytest.fixture
    def browser(self, house: House) -> Client:
        return signed_in(house, Role.MANAGER)

    def amounts(self, client: Client, query: str = "") -> list[int]:
        table = client.get(f"{reverse('payouts')}?{query}").context["table"]
        return [line.item.row.amount for line in table.lines]

    def test_a_heading_sorts_and_what_it_was_sorted_by_is_kept_for_the_person(
        self, house: House, browser: Client
    ) -> None:
        rising = self.amounts(browser, "sort=amount")
        assert rising == sorted(rising)
        assert len(set(rising)) > 1
        assert self.amounts(browser) == rising
        assert self.amounts(browser, "sort=-amount") == rising[::-1]
        assert self.amounts(browser) == rising[::-1]
        another = signed_in(house, Role.AUDITOR)
        assert self.amounts(another) == self.amounts(another, "sort=-booked_at")
        assert ListPreference.objects.count() == 2

    def test_a_filter_is_not_kept(self, browser: Client) -> None:
        assert self.amounts(browser, "state=reversed") == []
        assert self.amounts(browser) != []

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        "query",
        [
            "sort=nothing", "cursor=x", "limit=0", "limit=x", "day=x", "table=x", "sort=",
            "utm_source=mail",
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_passed_over(self, browser: Client, query: str) -> None:
        assert self.amounts(browser, query) == self.amounts(browser)

    def test_what_is_no_filter_is_said_beside_its_field(self, browser: Client) -> None:
        html = browser.get(f"{reverse('payouts')}?day=x").content.decode()
        assert 'class="wrong"' in html

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("form", ["csv", "json", "xlsx", "pdf"])
    def test_its_files_hold_what_is_shown(self, browser: Client, form: str) -> None:
        answer = browser.get(f"{reverse('payouts')}?sort=amount&player=Bo&format={form}")
        assert answer.status_code == 200
        assert f".{form}" in answer["Content-Disposition"]
        shown = self.amounts(browser, "sort=amount&player=Bo")
        content = b"".join(answer) if answer.streaming else answer.content
        if form == "json":
            body = json.loads(content)
            [table] = body["tables"]
            assert [row["amount"] for row in table["rows"]] == shown
            assert body["header"]["filters"] == {"player": "Bo", "sort": "amount"}
        if form == "csv":
            lines = [line for line in csv.reader(io.StringIO(content.decode("utf-8-sig"))) if line]
            head = next(n for n, line in enumerate(lines) if "payout" in line)
            place = lines[head].index("amount")
            assert [int(line[place]) for line in lines[head + 1 :][: len(shown)]] == shown

    @pytest.mark.long("postgresql")
    def test_a_file_of_what_is_no_filter_is_refused(self, browser: Client) -> None:
        answer = browser.get(f"{reverse('payouts')}?day=x&format=csv")
        assert answer.status_code == 422
        assert "day is a date" in answer.content.decode()

    @pytest.mark.parametrize(
        ("query", "says"),
        [
            ("sate=held", "sate: payouts has no such filter"),
            ("state=held&state=paid", "state is given 2 times"),
        ],
    )
    def test_a_file_is_not_whole_because_a_filter_is_mistyped(
        self, browser: Client, query: str, says: str
    ) -> None:
        answer = browser.get(f"{reverse('payouts')}?{query}&format=csv")
        assert answer.status_code == 422
        assert says in answer.content.decode()

    def test_a_file_that_is_too_long_to_wait_for_is_refused(
        self, browser: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(listings_pages, "LINES_MAX", 2)
        answer = browser.get(f"{reverse('payouts')}?format=csv")
        assert answer.status_code == 422
        assert "more than 2 lines" in answer.content.decode()

    @pytest.mark.long("postgresql")
    def test_no_such_file(self, browser: Client) -> None:
        answer = browser.get(f"{reverse('payouts')}?format=doc")
        assert answer.status_code == 422
        assert "format is one of" in answer.content.decode()

    def test_its_statements_do_not_grow_with_its_lines(self, browser: Client) -> None:
        with CaptureQueriesContext(connection) as one:
            self.amounts(browser, "player=Bo&limit=50&state=booked&sort=amount")
        with CaptureQueriesContext(connection) as all_of_them:
            self.amounts(browser, "sort=amount&limit=50")
        assert len(all_of_them) <= len(one) + 3  # their games, of which one was asked for

    def test_a_preference_that_cannot_be_kept_stops_no_page(
        self, browser: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_args: Any, **_named: Any) -> None:
            raise OperationalError("attempt to write a readonly database")

        monkeypatch.setattr(ListPreference.objects, "update_or_create", full)
        assert self.amounts(browser, "sort=amount")
        assert not ListPreference.objects.exists()


@pytest.mark.django_db
class TestTheApi:
    def test_it_sorts_and_pages_as_the_page_does(self, house: House) -> None:
        client = house.client()
        url: str | None = house.url("payouts/?sort=-amount&limit=2")
        found = []
        while url:
            answer = client.get(url).json()
            found += answer["results"]
            url = answer["next"]
        amounts = [row["amount"] for row in found]
        assert amounts == sorted(amounts, reverse=True)
        assert len(found) == len({row["position"] for row in found}) > 2

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("query", "field"),
        [("sort=x", "sort"), ("sort=", "sort"), ("limit=0", "limit"), ("cursor=", "cursor"),
         ("cursor=x&sort=amount", "cursor"), ("state=x", "state"), ("table=%7B%7D", "table")],
    )  # fmt: skip
    def test_what_cannot_be_is_malformed_by_name(
        self, house: House, query: str, field: str
    ) -> None:
        answer = house.client().get(house.url(f"payouts/?{query}"))
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
        assert answer.json()["field"] == field
