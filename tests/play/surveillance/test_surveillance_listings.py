"""Lists about dice: sorted, filtered, as files, and of one house alone."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.house.attendants.models import Role
from tests.support import builders, module_data
from tests.support.playing import EMPTY, done, opened, thrown
from tests.support.watching import loaded_dice, watched

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


def with_loaded_dice() -> House:
    """A house with loaded dice, and a throw at its second table that was none."""
    made = builders.house(tables=2)
    loaded_dice(made)
    game = opened(made, table=made.tables[1])
    thrown(made, game, "Ada", EMPTY)
    done(made, game, "no_throw", player="Ada", reason="cocked")
    watched(made)
    return made


played = module_data.shared(with_loaded_dice)
house = module_data.house_of_its_own


def lines(house: House, name: str, query: str = "") -> list[list[str]]:
    """The cells of a page's list, as people read them."""
    page = builders.signed_in(house.auditor).get(f"{reverse(name)}?{query}")
    assert page.status_code == 200
    return [[cell.text for cell in line.cells] for line in page.context["table"].lines]


def in_csv(house: House, name: str, query: str = "") -> list[dict[str, str]]:
    answer = builders.signed_in(house.auditor).get(f"{reverse(name)}?{query}&format=csv")
    assert answer.status_code == 200
    content: Any = b"".join(answer) if answer.streaming else answer.content
    rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) if row]
    head = next(number for number, row in enumerate(rows) if row[0] == "title")
    return [dict(zip(rows[head], row, strict=True)) for row in rows[head + 1 :]]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("dice", ""), ("dice", "kind=table&sort=-throws"), ("dice", "sides=8&sort=missing"),
        ("dice-entries", ""), ("dice-entries", "kind=attendant"),
        ("dice-entries", "sort=-no_throws"),
    ],
)  # fmt: skip
@pytest.mark.rows(postgresql=3)
def test_a_file_has_the_lines_of_its_page(house: House, name: str, query: str) -> None:
    shown = lines(house, name, query)
    found = in_csv(house, name, query)
    assert len(found) == len(shown) > 0
    if name == "dice":
        throws = [int(row["throws"]) for row in found]
        assert [int(line[2].replace(",", "")) for line in shown] == throws
        if "throws" in query:
            assert throws == sorted(throws, reverse=True)
            assert {row["kind"] for row in found} == {"Tables"}
    else:
        assert [line[2] for line in shown] == [row["no_throws"] for row in found]


@pytest.mark.parametrize("name", ["dice", "dice-entries"])
@pytest.mark.usefixtures("house")
def test_another_house_s_are_in_neither(name: str) -> None:
    stranger = builders.house(name="Elsewhere")
    assert lines(stranger, name) == []
    for path in ("surveillance/streams/", "surveillance/alarms/"):
        answer = stranger.client(Role.AUDITOR).get(stranger.url(path))
        assert answer.json()["results"] == []


@pytest.mark.long("postgresql")
def test_the_api_sorts_and_says_what_is_none(house: House) -> None:
    client = house.client(Role.AUDITOR)
    rows = client.get(house.url("surveillance/streams/?sort=-throws&sides=8")).json()["results"]
    throws = [row["throws"] for row in rows]
    assert throws == sorted(throws, reverse=True)
    assert {row["sides"] for row in rows} == {8}
    answer = client.get(house.url("surveillance/streams/?sides=7"))
    assert answer.json()["detail"] == "sides is one of 4, 6, 8, 10, 12."
    still = client.get(house.url("surveillance/alarms/?state=acknowledged")).json()["results"]
    assert still == []
    assert client.get(house.url("surveillance/alarms/?state=open")).json()["results"]


@pytest.mark.long("postgresql")
def test_the_api_s_addresses_are_whole(house: House) -> None:
    client = house.client(Role.AUDITOR)
    for path in ("surveillance/streams/", "surveillance/alarms/"):
        rows = client.get(house.url(path)).json()["results"]
        assert rows
        assert all(row["url"].startswith("http://testserver/dice/of/") for row in rows)
