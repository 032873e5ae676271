"""What can be said of a distribution without a cluster; with one: tests/scale/citus."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from casino.engine.databases.postgresql import citus
from casino.engine.scale.distribution.operations import NO_EXTENSION, Kind, make_plan
from casino.settings.staff import tablets
from casino.words.languages import spelled
from tests.schema.described import asked
from tests.support import builders
from tests.support.on_citus import of_one_server

if TYPE_CHECKING:
    import uuid

pytestmark = [of_one_server, pytest.mark.django_db]
ON_POSTGRESQL = connection.vendor == "postgresql"
on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="A file of SQLite is in one place.")


def refused(*words: str, **options: Any) -> str:
    with pytest.raises(CommandError) as why:
        call_command(*words, stdout=io.StringIO(), **options)
    return str(why.value)


def test_a_database_that_cannot_be_distributed_says_why() -> None:
    said = refused("distribute")

    assert "Citus" in said if ON_POSTGRESQL else "a file of SQLite" in said


def test_a_house_that_is_in_one_place_goes_nowhere() -> None:
    house = builders.house()

    assert "not distributed" in refused("move_house", str(house.id), to="worker-1:5432")
    assert "there is no house Nowhere" in refused("move_house", "Nowhere")
    assert "no database elsewhere" in refused("distribute", database="elsewhere")


@on_postgresql
@pytest.mark.parametrize("shards", [0, -1, 1025])
def test_shards_are_some_and_not_too_many(shards: int) -> None:
    assert "from 1 to 1024" in refused("distribute", shards=shards)


@on_postgresql
def test_a_plan_says_where_every_table_goes() -> None:
    found = make_plan(connection)
    then = {each.table: each.then for each in found.places}

    assert found.obstacles == (NO_EXTENSION,)
    assert found.places[0].table == citus.ANCHOR
    assert then["ledger_account"] is then["play_roundrow"] is Kind.DISTRIBUTED
    assert then["attendants_attendant"] is then["attendants_employment"] is Kind.REFERENCE
    assert {each.now for each in found.places} == {Kind.HERE}
    assert "django_migrations" not in then


@on_postgresql
def test_what_is_copied_to_every_server_refers_to_no_table_of_one() -> None:
    """A copy on every server cannot have a key to what is on one of them."""
    split = {each.table for each in make_plan(connection).places if each.then is Kind.DISTRIBUTED}
    keys = asked(
        connection,
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint"
        " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace",
    )

    assert len(keys) > 50
    assert [key for key in keys if key[0] not in split and key[1] in split] == []


@given(st.uuids())
def test_a_uuid_is_spelt_in_letters_of_an_address(value: uuid.UUID) -> None:
    text = spelled.compact(value)

    assert len(text) == spelled.LENGTH
    assert spelled.read(text) == value


@pytest.mark.parametrize("text", ["", "x" * 21, "é" * 22, "x" * 23, "=" * 22])
def test_what_spells_no_uuid_is_none(text: str) -> None:
    assert spelled.read(text) is None


def test_a_tablet_is_found_at_its_own_house_only() -> None:
    here, there = builders.house(), builders.house()
    tablet, cookie = tablets.enrol(house=here.establishment, name="Bar", by=here.manager)
    house, _, rest = cookie.partition(".")

    assert tablets.tablet_of_cookie(cookie) == tablet
    assert tablets.tablet_of_cookie(f"{spelled.compact(there.id)}.{rest}") is None
    assert [tablets.tablet_of_cookie(text) for text in (rest, house, "", "x.y.z")] == [None] * 4


def test_a_board_has_no_address_without_its_house() -> None:
    here, there = builders.house(), builders.house()
    type(here.table).objects.filter(pk=here.table.pk).update(wall=True)
    elsewhere = spelled.compact(there.id) + here.table.wall_key

    asked_for = (here.table.wall_address, here.table.wall_key, elsewhere)
    answers = [Client().get(reverse("wall", args=[key])).status_code for key in asked_for]
    assert answers == [200, 404, 404]
