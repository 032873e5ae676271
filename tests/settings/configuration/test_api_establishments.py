"""Houses through the API: what stands in them, and their ledger as it lies in the database."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime

import pytest

from casino.house.attendants.models import Role
from casino.house.home_throws.operations import set_home_throw
from ledger.models import Event
from tests.support import builders
from tests.support.builders import House, opened, put, throw

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.mark.parametrize("role", list(Role))
def test_a_house_shows_its_things_and_ones_role_there(house: House, role: Role) -> None:
    set_home_throw(
        establishment=house.establishment,
        faces=(6, 1, 3),
        effective_from=datetime(2026, 1, 1, tzinfo=UTC),
        by=house.manager,
        story="The founder's birthday.",
    )
    game = opened(house)

    shown = house.client(role).get(house.url()).json()

    assert (shown["role"], shown["home_throw"]) == (role, [1, 3, 6])
    assert [(row["name"], row["game"]) for row in shown["tables"]] == [
        ("Table 1", game),
        ("Table 2", None),
    ]
    assert [row["number"] for row in shown["dice_sets"]] == ["S1", "S2"]
    assert "secret" not in str(shown)


def test_a_table_names_its_running_game_until_that_ends(house: House) -> None:
    game = opened(house)

    running = house.client().get(house.url("tables/")).json()["results"]
    put(house, game, builders.command("close"))
    free = house.client().get(house.url("tables/")).json()["results"]

    assert [row["game"] for row in running] == [game, None]
    assert [row["game"] for row in free] == [None, None]


def test_houses_come_by_name_a_page_at_a_time() -> None:
    who = builders.person()
    for name in ("Cinnabar", "Anvil", "Bell"):
        builders.employed(builders.house(name=name).establishment, Role.AUDITOR, who)
    client = builders.client(who)

    first = client.get("/api/v1/establishments/?limit=2").json()
    second = client.get(first["next"]).json()

    names = [row["name"] for page in (first, second) for row in page["results"]]
    assert names == ["Anvil", "Bell", "Cinnabar"]


def test_the_ledger_comes_whole_in_order_and_hashes_as_it_says(house: House) -> None:
    put(house, opened(house), throw("Ada", 2, 2, 7), throw("Bruno", 3, 3, 8))

    leaves, url = [], house.url("ledger/?limit=2")
    while url:
        page = house.client(Role.AUDITOR).get(url).json()
        leaves += page["results"]
        url = page["next"]

    bodies = Event.objects.order_by("position").values_list("body", flat=True)
    assert [leaf["position"] for leaf in leaves] == list(range(6))  # the day's first
    assert [leaf["body"].encode() for leaf in leaves] == [bytes(body) for body in bodies]
    for leaf in leaves:
        assert leaf["leaf_hash"] == hashlib.sha256(b"\x00" + leaf["body"].encode()).hexdigest()
        assert json.loads(leaf["body"])["establishment"] == str(house.id)


def test_the_ledger_is_followed_from_a_position(house: House) -> None:
    game = opened(house)
    before = house.client().get(house.url("ledger/")).json()
    last = before["results"][-1]["position"]
    put(house, game, throw("Ada", 2, 2, 7))

    [new] = house.client().get(house.url(f"ledger/?after={last}")).json()["results"]

    assert new["position"] == last + 1
    assert house.client().get(house.url(f"ledger/?after={last + 1}")).json()["results"] == []
