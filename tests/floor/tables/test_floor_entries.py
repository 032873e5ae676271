"""What boards are made of: parts that a game may replace, entries that send what they ask for."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string, select_template

from casino.floor.tables.board import drawing_data, posted
from casino.words.presenters import PRESENTERS, TITLES
from games import vocabulary

ENTRIES = Path(__file__).resolve().parents[3] / "templates" / "floor" / "tables" / "entry"
BOARD = {"urls": {"command": "/command/"}, "command_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}


class Fields(HTMLParser):
    """The fields of a page's forms, as a browser without scripts would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.named: list[dict[str, str | None]] = []
        self.labels: set[str | None] = set()
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        if tag == "label":
            self.labels.add(own.get("for"))
        if tag == "select":
            self._select = own.get("name") or ""
        if tag == "input":
            self.named.append(own)
            if own.get("name"):
                self.found.append((own["name"] or "", own.get("value") or ""))

    def handle_data(self, data: str) -> None:
        if self._select and data.strip():
            self.found.append((self._select, data.strip()))
            self._select = ""


def entry(name: str, **context: Any) -> str:
    whole = {"board": BOARD, "currency": "r", **context}
    return str(render_to_string(f"floor/tables/entry/{name}.html", whole))


def sent(page: str) -> dict[str, Any]:
    """The command that the page's fields say, where all that can be marked is marked."""
    fields = QueryDict(mutable=True)
    for name, value in Fields(page).found:
        fields.appendlist(name, value)
    return posted.command(fields)


def without_scripts(page: str) -> str:
    return page.partition("<noscript>")[2].partition("</noscript>")[0]


def test_dice_are_entered_one_slot_and_one_key_each() -> None:
    page = entry("_dice", sizes=[6, 6, 6], do="throw", player="Ada")

    assert page.count("data-slot=") == 3
    assert page.count("data-face=") == 6  # one set of keys
    assert sent(without_scripts(page))["dice"] == [1, 1, 1]


def test_dice_of_different_sizes_have_keys_and_a_field_each() -> None:
    page = entry("_dice", sizes=[4, 6, 8, 10, 12], do="offer", by_size=True)

    assert page.count("data-face=") == 4 + 6 + 8 + 10 + 12
    assert re.findall(r'data-field="([\w.]+)"', page) == [f"dice.d{n}" for n in (4, 6, 8, 10, 12)]
    command = sent(without_scripts(page))
    assert command["dice"] == dict.fromkeys(("d4", "d6", "d8", "d10", "d12"), 1)
    vocabulary.shape(command)


def test_a_single_die_goes_where_it_is_told() -> None:
    page = entry("_dice", sizes=[6], do="break_start", player="Ada", field="value")

    command = sent(without_scripts(page))
    assert (command["player"], command["value"]) == ("Ada", 1)
    vocabulary.shape(command)


def test_dice_that_lie_are_kept_by_boxes() -> None:
    page = entry("_keep", lying=[3, 1, 6], sizes=[6], player="Ada", kept=[2, 2])

    command = sent(page)
    assert (command["do"], command["player"], command["dice"]) == ("keep", "Ada", [3, 1, 6])
    assert page.count("#die-6-kept-2") == 2
    vocabulary.shape(command)


@pytest.mark.parametrize("name", ["_dice", "_keep"])
def test_a_form_bears_the_board_s_id_of_a_command_so_that_a_second_tap_is_the_same(
    name: str,
) -> None:
    page = entry(name, sizes=[6], lying=[3, 1], do="throw", player="Ada")

    ids = [value for field, value in Fields(page).found if field == "command_id"]
    assert ids
    assert set(ids) == {BOARD["command_id"]}


def test_a_player_and_an_amount_make_a_sale() -> None:
    page = entry("_players", players=["Ada", "Bo"], chosen="Bo", legend="Sold to")
    page += entry("_amount", label="Hammer price", value=7, least=3, most=42)

    assert re.findall(r'value="(\w+)" required( checked)?', page) == [
        ("Ada", ""),
        ("Bo", " checked"),
    ]
    assert 'name="amount" value="7"' in page
    assert "3 to 42" in page


@pytest.mark.parametrize("name", sorted(path.stem for path in ENTRIES.glob("*.html")))
def test_every_field_of_an_entry_has_a_name_to_be_read_and_an_id_to_outlive_news(name: str) -> None:
    page = entry(
        name, sizes=[6], lying=[3, 1], players=["Ada"], do="throw", player="Ada", id="x", ask="Ask",
        yes="Yes",
    )  # fmt: skip
    read = Fields(page)
    for field in read.named:
        if field.get("type") != "hidden":
            assert field.get("id")
            assert field.get("aria-label") or field["id"] in read.labels or field["type"] == "radio"


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("part", drawing_data.PARTS)
def test_every_part_of_every_game_s_board_is_there(game: str, part: str) -> None:
    assert select_template(drawing_data.templates_of_parts(game)[part])


def test_every_teller_has_a_title_and_sizes_that_are_drawn() -> None:
    for game, presenter in PRESENTERS.items():
        assert game in TITLES
        assert set(presenter.SIZES) <= {4, 6, 8, 10, 12}
        assert len(presenter.sides(3)) == 3
