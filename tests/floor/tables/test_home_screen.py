"""The floor on a home screen, and what a browser without cookies is told."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from io import BytesIO

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from casino.engine.processes import paths

pytestmark = pytest.mark.django_db
DYNAMIC = re.compile(r"([a-z-]+): ([^;{}]*\ddvh[^;{}]*);")


def icon(address: str) -> Image.Image:
    """The picture that is served at this address, whatever mark of its version it bears."""
    name, _, extension = address.removeprefix("/static/").partition(".")
    found = finders.find(f"{name}.{extension.rpartition('.')[2]}")
    assert found, address
    with open(found, "rb") as file:  # noqa: PTH123 - a finder gives a string
        return Image.open(BytesIO(file.read()))


def test_the_floor_starts_from_a_home_screen_as_a_window_of_its_own() -> None:
    answer = Client().get("/floor/home-screen.json")

    described = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert described["start_url"] == "/floor/"
    assert described["display"] == "standalone"
    for each in described["icons"]:
        width, height = icon(each["src"]).size
        assert each["sizes"] == f"{width}x{height}"


def test_every_page_names_the_icon_and_the_description_of_the_home_screen() -> None:
    page = Client().get("/sign-in/").content.decode()

    assert 'rel="manifest" href="/floor/home-screen.json"' in page
    assert 'rel="apple-touch-icon"' in page
    assert "viewport-fit=cover" in page


def test_a_browser_that_refuses_cookies_is_told_why_nobody_can_sign_in() -> None:
    sent = {"username": "mira", "password": "opal-river-8"}

    answer = Client(enforce_csrf_checks=True).post("/sign-in/", sent)

    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "Not taken: the house did not recognise this browser" in page
    assert "this browser refuses cookies" in page


def test_every_height_of_what_is_in_sight_has_one_for_browsers_that_do_not_know_it() -> None:
    """``dvh`` is younger than many a tablet: ``vh`` stands before it, for the same property."""
    for sheet in sorted(paths.STATIC.rglob("*.css")):
        text = sheet.read_text()
        for property_, value in DYNAMIC.findall(text):
            older = f"{property_}: {value.replace('dvh', 'vh')};"
            assert f"{older} {property_}: {value};" in text, (sheet.name, property_, value)
