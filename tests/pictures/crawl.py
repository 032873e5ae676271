"""Which pages there are: one of each address, found by following the links of pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

# As written: of a link in a chart the property is no text, nor of a form with such a field.
LINKS = """() => [...document.querySelectorAll("a[href], form[method=get]")]
  .map(link => link.getAttribute("href") ?? link.getAttribute("action") ?? "")
  .map(written => new URL(written, document.baseURI).href)"""
# Files, what ends a visit, and the pages of programs.
NO_PAGE = re.compile(
    r"/(file|bundle|body|schema|checkpoint|keys|worker\.js|verify\.py|template\.csv)/?$"
    r"|sign-out|/api/v1/|/static/|/admin/|/ledger/|/prepared/[0-9a-f-]+/\w+/$"
)
APART = frozenset({"floor/games/<uuid:game>/"})
"""Addresses with a page for each game, as there are five games."""
DRAWN_LATER = "#api"  # the API's page, which its script draws from the description
EACH = 6  # at most so many pages of an address of `APART`


def pages(page: Page, begin: str) -> Iterator[tuple[str, str]]:
    """
    The route and the path of a page of each address that links lead to.

    :param begin: the path of the first page.
    """
    waiting, seen, count = [begin], {begin}, dict[str, int]()
    while waiting:
        path = waiting.pop(0)
        route = route_of(path)
        most = EACH if route in APART else 1
        if route is None or count.get(route, 0) >= most:
            continue
        answer = page.goto(path)
        if answer is None or not answer.ok or "html" not in answer.headers["content-type"]:
            continue
        if (arrived := route_of(urlsplit(page.url).path)) != route:
            continue  # it led elsewhere, where a link leads, too
        if page.locator(DRAWN_LATER).count():
            page.locator(f"{DRAWN_LATER} .info").wait_for()
        count[route] = count.get(route, 0) + 1
        yield f"{arrived}{count[route] if route in APART else ''}", path
        for link in page.evaluate(LINKS):
            found = urlsplit(link)
            if found.netloc == urlsplit(page.url).netloc and found.path not in seen:
                seen.add(found.path)
                waiting.append(found.path)


def route_of(path: str) -> str | None:
    if NO_PAGE.search(path):
        return None
    try:
        return resolve(path).route
    except Resolver404:
        return None


def named(route: str) -> str:
    """An address as part of a file's name: `payouts/<uuid:game>/` is "payouts-game"."""
    plain = re.sub(r"<(?:\w+:)?(\w+)>", r"\1", route)
    return re.sub(r"[^\w.]+", "-", plain).strip("-") or "start"
