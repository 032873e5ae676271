"""
What people read has no name from the source: of options, events, states, columns or classes.

Every page that links lead to, as each role sees it; every list; every report; in a house where
everything has happened, read in Italian, in which no word of the source means anything.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit
from zoneinfo import available_timezones

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import translation

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Attendant, Role
from casino.kit.web.listings.keyset import everything
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers import catalogue
from casino.words.presenters import event_types
from ledger.models import Event
from tests.kit.web.test_every_listing import LISTS, looks
from tests.support import full_house, module_data, reported
from tests.support.playing import settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from casino.kit.documents.report import Report
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FAMILIES: Final = sorted({each.partition(".")[0] for each in event_types.OF_THE_HOUSE} | {"game"})
NAMES: Final = re.compile(
    r"\b[a-z]\w*_\w+|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b(?:None|True|False)\b|\{[^}]*\}|\[\]"
    rf"|\boptions\.\w+|<[\w.]+ (?:object|at)\b|\b(?:{'|'.join(FAMILIES)})\.[a-z]+\b"
)
"""With an underscore, of a class, of a value of Python, of a type of event."""
ZONES: Final = {part for zone in available_timezones() for part in re.split(r"[/_-]", zone)}
ALLOWED: Final = {
    "JavaScript": "what a browser calls it, where a page cannot do without",
    "home_throw": "the rule that names it: H1 is about the spelling in a transcript",
}
"""Words that look like names from the source, and why people read them all the same."""
ENGLISH: Final = re.compile(r"\b(?:the|and|is|of|not|to|with|are|has|was|for|this|who)\b")
OF_PEOPLE: Final = ("Ada says it was a one", "Asked for it", "Elm and Sons")
"""What people of the house wrote, in English; the pages are read in Italian."""
OF_PROGRAMS: Final = {
    "settings-import": "says what the columns of a file are called that somebody fills in",
    "ledger-of": "shows strangers the commands that check a proof without the house",
    "proof": "likewise",
}
"""Pages that show such names on purpose, and why. Code and bodies of events stand in `code`."""

LINK: Final = re.compile(r"""\bhref=["']([^"'#]+)""")
ELSEWHERE: Final = ("/static/", "/sign-out/", "/admin/", "/api/", "//")
UNREAD: Final = re.compile(r"<(script|style|template|code|pre)\b.*?</\1>|<!--.*?-->", re.DOTALL)
READ_OUT: Final = re.compile(
    r"""\b(?:title|alt|aria-label|placeholder|data-say[\w-]*)="([^"]*)\""""
)
TAG: Final = re.compile(r"<[^>]*>")


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    def build() -> House:
        made = full_house.house()
        settled(made)
        advance(HOUSE, made.id)
        Attendant.objects.update(language="it")
        return made

    yield from module_data.built_once(build, django_db_blocker)


def read(page: str) -> str:
    """The texts of a page: those that are seen, and those that are read out."""
    page = UNREAD.sub(" ", page)
    return html.unescape(" ".join([*READ_OUT.findall(page), TAG.sub(" ", page)]))


def names_in(text: str) -> set[str]:
    return set(NAMES.findall(text)) - ALLOWED.keys() - ZONES


def english_in(text: str) -> set[str]:
    for words in OF_PEOPLE:
        text = text.replace(words, "")
    return set(ENGLISH.findall(text))


def pages(client: Client) -> Iterator[tuple[str, str, str]]:
    """A page of each route that links lead to: route, address, content."""
    left, known, seen = ["/"], {"/"}, Counter[str]()
    while left:
        path = left.pop(0)
        route = resolve(urlsplit(path).path).view_name
        seen[route] += 1
        if seen[route] > 1:
            continue
        answer = client.get(path)
        met = [answer.headers["Location"]] if answer.status_code in {301, 302} else []
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            text = answer.content.decode()
            yield route, path, text
            met += LINK.findall(text)
        for each in met:
            target = urljoin(path, html.unescape(each))
            if target.startswith("/") and not target.startswith(ELSEWHERE) and target not in known:
                known.add(target)
                left.append(target)


@pytest.mark.long
@pytest.mark.parametrize("role", Role)
def test_no_page_has_a_name_from_the_source_or_english(house: House, role: Role) -> None:
    client = Client()
    client.force_login(house.people[role])
    found, routes = {}, set()
    for route, path, content in pages(client):
        routes.add(route)
        text = read(content)
        if route not in OF_PROGRAMS and (words := names_in(text) | english_in(text)):
            found[path] = words
    assert found == {}
    assert len(routes) > 15


def test_no_list_has_a_name_from_the_source(house: House) -> None:
    """Columns that only files and the API have are for programs; a template draws its own cell."""
    viewer, found = looks(house, "page"), {}
    with translation.override("it"):
        for called, listing in LISTS.items():
            rows = next(everything(listing.rows(viewer), listing.order), [])
            items = listing.items(viewer, rows[:100])
            texts = [str(listing.title), str(listing.about)]
            for column in listing.seen_by(viewer):
                drawn = column.template and not (column.display or column.signs)
                cells = [] if drawn else [column.read(item) for item in items]
                texts += [str(column.title), *(cell for cell in cells if isinstance(cell, str))]
            if names := names_in("\n".join(texts)):
                found[called] = names
    assert found == {}


@pytest.mark.parametrize("report", catalogue.REPORTS, ids=lambda each: each.name)
def test_no_report_has_a_name_from_the_source(house: House, report: Report) -> None:
    """Columns of files alone are for programs."""
    with translation.override("it"):
        lines = reported.content(report, reported.query(house))
        shown = [
            (column, cell)
            for table in report.tables
            for line in lines[table.name]
            for column, cell in zip(table.columns, line[0], strict=True)
        ]
        titles = [str(column.title) for table in report.tables for column in table.columns]
    cells = [cell for column, cell in shown if not column.files_only]
    texts = [*titles, *(each for each in cells if isinstance(each, str))]
    assert names_in("\n".join(texts)) == set()


def test_every_event_has_words_of_its_own(house: House) -> None:
    types = set(Event.objects.filter(establishment=house.id).values_list("event_type", flat=True))
    assert len(types) > 50
    assert [each for each in types if "_" in event_types.title(each)] == []
    own = {*event_types.OF_THE_HOUSE, *event_types.OF_GAMES}
    unknown = {
        each for each in types
        if each not in own and each.partition(".")[2] not in own
        and each.partition(".")[0] not in event_types.THINGS
    }  # fmt: skip
    assert unknown == set()
