"""What holds of every list that a room declares: orders, filters, files, whose rows are seen."""

from __future__ import annotations

import csv
import io
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models import QuerySet, UniqueConstraint
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from casino.engine.processes import paths
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments.columns import AmountField
from casino.kit.web.listings import pages
from casino.kit.web.listings.api import values
from casino.kit.web.listings.keyset import Cursor, Numbered, Search, cut, everything
from casino.kit.web.listings.listing import ChoiceFilter, Listing, Viewer
from casino.kit.web.listings.request import lenient_request, strict_request
from casino.kit.web.listings.table import ListTable
from casino.play.core.subscriptions.tasks import advance
from casino.words.presenters import TITLES
from games.refusals import Malformed
from tests.support import builders, full_house, module_data
from tests.support.playing import settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model
    from pytest_django import DjangoDbBlocker

    from casino.kit.web.listings.listing import Surface
    from casino.kit.web.listings.request import ListRequest
    from tests.support.builders import House

    List = Listing[Any, Any]

pytestmark = pytest.mark.django_db


def modules() -> Iterator[str]:
    """The modules that declare lists: `listings` and `api` of districts and rooms at any depth."""
    for word in ("listings", "api"):
        for path in sorted(paths.PACKAGE.rglob(f"{word}.py")):
            yield ".".join(path.relative_to(paths.PACKAGE.parent).with_suffix("").parts)
        for path in sorted(paths.PACKAGE.rglob(f"{word}/__init__.py")):
            yield ".".join(path.parent.relative_to(paths.PACKAGE.parent).parts)


def declared() -> dict[str, List]:
    """All lists of all rooms, by where they stand."""
    found: dict[str, List] = {}
    for name in modules():
        for each in vars(import_module(name)).values():
            if isinstance(each, Listing) and not any(each is one for one in found.values()):
                found[f"{name.split('.')[-2]}: {each.name}"] = each
    return found


LISTS = declared()
ALIKE = {*(str(title) for title in TITLES.values()), "d4", "d6", "d8", "d10", "d12"}
BY_EVENT = ({"position"}, {"opened"})
"""Positions of the ledger: an event brings one row of a kind."""
EACH = pytest.mark.parametrize("listing", LISTS.values(), ids=LISTS.keys())


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    """Everything has happened there."""

    def build() -> House:
        made = full_house.house()
        settled(made)
        advance(HOUSE, made.id)
        return made

    yield from module_data.built_once(build, django_db_blocker)


def looks(house: House, surface: Surface) -> Viewer:
    person = house.manager
    request = RequestFactory().get("/")
    request.user = person
    return Viewer(
        house=house.establishment,
        person=person,
        role=Role.MANAGER,
        request=request,
        surface=surface,
    )


def wanted(listing: List, viewer: Viewer, *, sort: str = "", limit: int = 200) -> ListRequest:
    return lenient_request(listing, viewer, {}, sort=sort, limit=limit)


def sorts(listing: List) -> list[str]:
    return ["", *(f"{sign}{name}" for name in listing.sorts for sign in ("", "-"))]


def key(row: Any) -> Any:
    """What a row is known by."""
    return getattr(row, "pk", None) or getattr(row, "id", None) or row


def keys(request: ListRequest) -> list[Any]:
    return [key(row) for part in everything(request.rows, request.order) for row in part]


@EACH
@pytest.mark.parametrize("language", ["en", "it"])
def test_no_two_columns_of_a_page_have_the_same_heading(listing: List, language: str) -> None:
    with translation.override(language):
        headings = [str(each.title) for each in listing.columns if "page" in each.on]
    assert len(headings) == len(set(headings)), headings


def test_lists_are_found_and_each_has_a_name_of_its_own() -> None:
    """A person's order of a list is kept by its name."""
    names = [listing.name for listing in LISTS.values()]
    assert {"payouts", "requests", "disputes", "days", "exceptions"} <= set(names)
    assert len(names) == len(set(names))


def test_a_column_of_money_is_money_in_every_list() -> None:
    """By the kind of its field, or in the coin of the row's own house, which it is told in."""
    nowhere = builders.house()
    for called, listing in LISTS.items():
        rows = listing.rows(looks(nowhere, "page"))
        if not isinstance(rows, QuerySet):
            continue
        fields = {each.attname: each for each in rows.model._meta.concrete_fields}
        for column in listing.columns:
            if (field := fields.get(column.name)) is not None and column.kind != "text":
                is_amount = isinstance(field, AmountField)
                told = column.kind == "money" or (column.display and column.style == "money")
                assert is_amount == bool(told), (called, column.name)


def unique(model: type[Model]) -> Iterator[set[str]]:
    """The fields that tell any two rows of a house apart: alternatives."""
    meta = model._meta
    yield {field.name for field in meta.pk_fields} - {"establishment"}
    for field in meta.fields:
        if field.unique:
            yield {field.name}
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None:
            yield set(constraint.fields) - {"establishment"}


def pinned(rows: QuerySet[Any]) -> set[str]:
    """The fields that have one value in all the rows."""
    conditions: list[Any] = list(rows.query.where.children)
    return {
        each.lhs.target.name for each in conditions if getattr(each, "lookup_name", "") == "exact"
    }


@pytest.mark.long("postgresql")
@EACH
def test_in_whatever_order_no_two_rows_are_alike(listing: List, house: House) -> None:
    rows = listing.rows(looks(house, "page"))
    for sort in sorts(listing):
        order = [path.removeprefix("-") for path in listing.ordered_by(sort)]
        assert len(order) == len(set(order)), sort
        if isinstance(rows, QuerySet):
            within = {path.removesuffix("_id") for path in order} | {"pk"} & set(order)
            within |= pinned(rows) | ({"table"} if "place" in within else set())
            alternatives = [*unique(rows.model), {"pk"}, *BY_EVENT]
            if rows.query.is_empty():  # of what the address names, and here it names nothing
                continue
            assert any(fields <= within for fields in alternatives), (sort, alternatives)
        elif isinstance(rows, Numbered):
            assert len(order) == 1, sort
        elif isinstance(rows, Search):
            assert not listing.sorts
        else:
            found = wanted(listing, looks(house, "page"), sort=sort)
            assert len(keys(found)) == len(list(found.rows))


@pytest.mark.rows(postgresql=20)
@EACH
def test_by_each_heading_it_holds_the_same_rows_page_after_page(
    listing: List, house: House
) -> None:
    viewer = looks(house, "page")
    known = keys(wanted(listing, viewer))
    for sort in sorts(listing):
        request = wanted(listing, viewer, sort=sort)
        found = keys(request)
        assert len(found) == len(known), sort
        first = cut(request.rows, request.order, limit=2, sort=sort)
        assert [key(row) for row in first.rows] == found[:2], sort
        if first.next is None or isinstance(request.rows, Search):
            continue
        second = cut(
            request.rows,
            request.order,
            limit=2,
            sort=sort,
            cursor=Cursor.parse(str(first.next), sort),
        )
        assert [key(row) for row in second.rows] == found[2:4], sort
        assert second.previous is not None, sort
        again = cut(
            request.rows,
            request.order,
            limit=2,
            sort=sort,
            cursor=Cursor.parse(str(second.previous), sort),
        )
        assert [key(row) for row in again.rows] == found[:2], sort


@pytest.mark.long("postgresql")
@EACH
def test_each_filter_of_the_api_is_described_and_refuses_what_it_is_not(
    listing: List, house: House
) -> None:
    described = {each.name: each for each in listing.filters.parameters()}
    offered = {
        name for name, each in listing.filters.base_filters.items() if "api" in each.on
    }  # fmt: skip
    assert described.keys() == offered
    for name, parameter in described.items():
        assert isinstance(parameter.type, dict), name
        assert parameter.type["type"], name
        with pytest.raises(Malformed) as refused:
            _ = strict_request(listing, looks(house, "api"), {name: ""}).rows
        assert refused.value.field == name


@pytest.mark.long("postgresql")
@EACH
def test_its_file_has_the_lines_of_all_its_pages(listing: List, house: House) -> None:
    drawn = 0
    request = wanted(listing, looks(house, "page"), limit=50)
    cursor = None
    while True:
        part = cut(request.rows, request.order, limit=50, cursor=cursor)
        table = ListTable(request, part)
        assert len(table.lines) == len(part.rows)
        drawn += len(table.lines)
        if cursor is None:
            text = render_to_string(
                "kit/web/_listing_table.html", {"table": table, "currency": "€"}
            )
            assert text.count("<tr") >= len(table.lines)
        if part.next is None:
            break
        cursor = part.next

    heads = [column.name for column in listing.seen_by(looks(house, "file"))]
    if not heads:  # for a page about something else alone
        return
    answer = pages.answer(wanted(listing, looks(house, "file")), "csv")
    content = b"".join(answer) if answer.streaming else answer.content
    lines = [
        line for line in csv.reader(io.StringIO(content.decode())) if not line[0].startswith("#")
    ]
    assert lines[0][: len(heads)] == heads
    assert len(lines) - 1 == drawn


@pytest.mark.long("postgresql")
@EACH
def test_the_api_has_a_field_for_each_of_its_columns(listing: List, house: House) -> None:
    viewer = looks(house, "api")
    names = [column.name for column in listing.seen_by(viewer)]
    rows = next(everything(listing.rows(viewer), listing.order), [])
    found = values(listing, viewer, rows[:20])
    assert [list(row) for row in found] == [names] * len(rows[:20])


@pytest.mark.rows(postgresql=20)
@EACH
def test_another_house_sees_none_of_its_rows(listing: List, house: House) -> None:
    stranger = builders.house()
    for surface in ("page", "file", "api"):
        here = wanted(listing, looks(house, surface)).rows
        there = wanted(listing, looks(stranger, surface)).rows
        if isinstance(there, Numbered):  # numbers of a house: another's begin anew
            assert there.behind(None, falls=True, most=1) == []
            continue
        for row in chain.from_iterable(everything(there, listing.order)):
            owner = getattr(row, "establishment_id", stranger.id)
            assert owner == stranger.id
        if isinstance(here, QuerySet):
            assert not {row.pk for row in here} & {row.pk for row in there}


def test_a_full_house_has_something_in_most_lists(house: House) -> None:
    """So that what is held here is held of rows."""
    viewer = looks(house, "api")
    empty = [
        name
        for name, listing in LISTS.items()
        if not next(chain(everything(listing.rows(viewer), listing.order)), [])
    ]
    assert len(empty) * 2 < len(LISTS), empty


@EACH
def test_what_a_filter_offers_is_in_the_reader_s_words(listing: Listing[Any, Any]) -> None:
    """A plain word of a program is in no catalogue; games and dice are called alike in each."""
    offered = [
        title
        for each in listing.filters.base_filters.values()
        if isinstance(each, ChoiceFilter) and not callable(each.choices)
        for _value, title in each.choices
    ]

    assert [title for title in offered if isinstance(title, str) and title not in ALIKE] == []
