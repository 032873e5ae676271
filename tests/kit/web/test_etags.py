"""Who has an answer gets 304 under every spelling of its ETag (RFC 9110, 8.8.3.2 and 13.1.2)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client, RequestFactory
from django.urls import reverse

from casino.engine.processes import paths
from casino.kit.web import etags
from tests.support import builders
from tests.support.playing import opened, settled
from tests.support.proven import keyed, signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

SPELLED = ("{}", "W/{}", '"other", W/{}', '{},"other"', "*")
OTHERS = ("", '"other"', "{}x", 'W/"other"', "nonsense")
ETAG = re.compile(r'(W/)?"[!#-~]*"')  # RFC 9110, 8.8.3: proxies drop what is spelled otherwise
EURO = {"locale": "it-IT", "currency_symbol": "€", "currency_code": "EUR", "coin_digits": 2}
OWN = {"currency_symbol": '",'}


@pytest.mark.parametrize("etag", ['"a-1"', 'W/"a-1"'])
@pytest.mark.parametrize(
    ("asked", "same"), [*((each, True) for each in SPELLED), *((each, False) for each in OTHERS)]
)
def test_weak_and_strong_are_the_same(etag: str, asked: str, *, same: bool) -> None:
    spelled = asked.format(etag.removeprefix("W/"))
    request = RequestFactory().get("/", headers={"If-None-Match": spelled})
    assert etags.holds(request, etag) is same


@pytest.fixture(params=[{}, EURO, OWN], ids=["usual", "euro", "own"])
def house(settings: Settings, tmp_path: Path, request: pytest.FixtureRequest) -> House:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    made = builders.house(wall=True, **request.param)
    keyed(made)
    return made


@pytest.fixture
def same_moment() -> Iterator[None]:
    """The start page is another one each half a minute: it tells how long ago things were."""
    with time_machine.travel(datetime.now(UTC), tick=False):
        yield


def addresses(house: House) -> list[str]:
    game = opened(house, table=house.tables[1])
    settled(house)
    signed(house)
    return [
        reverse("floor-board", args=[game]),
        reverse("floor-offline", args=[game]),
        reverse("floor-tables"),
        reverse("wall-board", args=[house.establishment.wall_key]),
        reverse("start"),
        f"/api/v1/games/{game}/",
        f"/api/v1/establishments/{house.id}/checkpoint/",
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("same_moment")
def test_every_address_that_names_an_etag_knows_it_again(house: House) -> None:
    client = Client()
    client.force_login(house.manager)
    for address in addresses(house):
        itself = {"HX-Request": "true"}
        first = client.get(address, headers=itself)
        assert "ETag" in first.headers, address
        assert ETAG.fullmatch(first.headers["ETag"]), address
        etag = first.headers["ETag"].removeprefix("W/")
        for spelled in (etag, f"W/{etag}", f'"other", {etag}'):
            asked = {**itself, "If-None-Match": spelled}
            assert client.get(address, headers=asked).status_code == 304, (address, spelled)
        assert client.get(address, headers={**itself, "If-None-Match": '"x"'}).status_code == 200


def test_nothing_else_compares_etags() -> None:
    """`floor/tables/news.py` asks for what it answered under an ETag, by its opaque part."""
    compares = re.compile(r"[\"']If-None-Match|HTTP_IF_NONE_MATCH|parse_etags")
    found = {
        str(path.relative_to(paths.PACKAGE))
        for path in paths.PACKAGE.rglob("*.py")
        if compares.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"kit/web/etags.py", "floor/tables/news.py", "kit/web/api/schema.py"}
