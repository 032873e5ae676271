"""Tables of a house lead with the house, so that a database can be split by it (0072)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.apps import apps
from django.db import (
    DatabaseError,
    IntegrityError,
    NotSupportedError,
    connection,
    models,
    transaction,
)
from django.db.migrations.state import ModelState, ProjectState

from casino.engine.databases.house_keys import KeyWithinHouse, OneWithinHouse, house_of
from casino.engine.databases.house_rows import OfHouse
from casino.house.attendants.models import Employment
from casino.house.establishments.models import Table
from casino.play.core.models import GameCard
from casino.play.dice.models import DiceSet
from tests.schema.described import asked
from tests.support import builders
from tests.support.on_citus import ON_CITUS, keys_checked

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite keeps Django's own keys: one file, one place."
)

HOUSE = ("establishment_id", "establishment")
"""What the column is called: the ledger knows houses by a UUID and nothing more."""

KEPT = {
    "attendants_invitation": {("secret",)},
}
"""
Unique over all houses: who comes with an address or a link has nothing else, and tells no house.
"""

COLUMNS = """
    SELECT relname::text, attname::text, attidentity::text, attnotnull
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
        AND attnum > 0 AND NOT attisdropped"""

UNIQUE = """
    SELECT relname::text, indisprimary, ARRAY(
        SELECT attname::text FROM unnest(indkey::int[]) WITH ORDINALITY AS part (number, place)
            JOIN pg_attribute ON attrelid = indrelid AND attnum = number ORDER BY place)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE indisunique AND relnamespace = current_schema()::regnamespace"""

FOREIGN = """
    SELECT relname::text, confrelid::regclass::text, ARRAY(
        SELECT ARRAY[own.attname::text, theirs.attname::text]
        FROM unnest(conkey::int[], confkey::int[]) WITH ORDINALITY AS pair (mine, yours, place)
            JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = mine
            JOIN pg_attribute AS theirs ON theirs.attrelid = confrelid AND theirs.attnum = yours
        ORDER BY place)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND relnamespace = current_schema()::regnamespace"""


class Column(NamedTuple):
    table: str
    name: str
    identity: str
    filled: bool


def columns() -> list[Column]:
    return [Column(*row) for row in asked(connection, COLUMNS)]


def houses() -> dict[str, str]:
    """The column of the house, by table."""
    return {each.table: each.name for each in columns() if each.name in HOUSE}


@on_postgresql
def test_a_table_of_a_house_leads_its_key_with_the_house() -> None:
    keys = {table: tuple(key) for table, primary, key in asked(connection, UNIQUE) if primary}

    assert len(houses()) > 60
    assert {table for table, house in houses().items() if keys[table][0] != house} == set()


@on_postgresql
def test_no_row_is_of_perhaps_a_house() -> None:
    assert [each for each in columns() if each.name in HOUSE and not each.filled] == []


@on_postgresql
def test_no_table_of_a_house_counts_its_rows_up() -> None:
    """The one counter would be what all houses wait for."""
    counted = {each.table for each in columns() if each.identity}

    assert counted & houses().keys() == set()


@on_postgresql
def test_what_is_unique_is_unique_in_its_house() -> None:
    kept: dict[str, set[tuple[str, ...]]] = {}
    for table, _, key in asked(connection, UNIQUE):
        if table in houses() and houses()[table] not in key:
            kept.setdefault(table, set()).add(tuple(key))

    assert kept == KEPT


@on_postgresql
def test_a_table_of_a_house_refers_to_another_by_house_and_id() -> None:
    of_house = houses()
    between = [
        (table, other, [tuple(pair) for pair in pairs])
        for table, other, pairs in asked(connection, FOREIGN)
        if table in of_house and other in of_house
    ]

    assert len(between) > 10
    assert [each for each in between if (of_house[each[0]], of_house[each[1]]) not in each[2]] == []


@on_postgresql
def test_whatever_is_made_later_is_keyed_so_too() -> None:
    """No migration has to think of it."""
    state = ProjectState.from_apps(apps)
    state.add_model(ModelState("dice", "Later", [
        ("id", models.UUIDField(primary_key=True)),
        ("establishment", models.ForeignKey("establishments.Establishment", models.PROTECT)),
        ("table", models.ForeignKey("establishments.Table", models.PROTECT)),
        ("dice_set", models.OneToOneField("dice.DiceSet", models.PROTECT)),
    ]))  # fmt: skip
    with connection.schema_editor() as editor:
        editor.create_model(state.apps.get_model("dice", "Later"))

    found = asked(connection, UNIQUE)
    assert {tuple(key): primary for table, primary, key in found if table == "dice_later"} == {
        ("establishment_id", "id"): True,
        ("establishment_id", "dice_set_id"): False,
    }
    test_a_table_of_a_house_refers_to_another_by_house_and_id()


def test_models_say_the_house_where_they_name_an_id() -> None:
    """A key between things of a house is one that joins by house; so are rows saved and read."""
    of_house = [model for model in apps.get_models() if house_of(model) is not None]
    plain = [
        field
        for model in of_house
        for field in model._meta.local_fields
        if field.related_model in of_house
        and not isinstance(field, KeyWithinHouse | OneWithinHouse)
    ]
    by_id = {
        model
        for model in of_house
        if model._meta.pk is not house_of(model)
        and not isinstance(model._meta.pk, models.CompositePrimaryKey)
    }

    assert plain == []
    assert {model for model in by_id if not issubclass(model, OfHouse)} == set()


@on_postgresql
def test_a_row_refers_to_nothing_of_another_house() -> None:
    here, there = builders.house(), builders.house()

    issued(here.dice, here.table)

    with pytest.raises(IntegrityError):
        issued(here.dice, there.table)


def issued(dice: DiceSet, table: Table) -> None:
    dice.issued_to = table
    with transaction.atomic():
        dice.save()
        keys_checked()


def test_what_a_row_refers_to_is_asked_for_with_the_house(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    at = builders.house()
    at.dice.issued_to = at.table
    at.dice.save()

    with django_assert_num_queries(2) as statements:
        again = DiceSet.objects.get(establishment=at.id, pk=at.dice.pk)
        assert again.issued_to == at.table

    assert '"establishments_table"."establishment_id" = ' in statements[1]["sql"]


@pytest.mark.parametrize(
    "rows",
    [
        GameCard.objects.select_related("table"),
        GameCard.objects.filter(table__name="Red"),
        Table.objects.filter(gamecard__pot=1),
    ],
)
def test_rows_are_joined_by_house_and_id(rows: QuerySet[Any]) -> None:
    sides = ('"establishments_table"."establishment_id"', '"play_gamecard"."establishment_id"')

    assert " = ".join(sides) in str(rows.query).replace("(", "").replace(")", "")


def test_what_others_refer_to_can_be_left_out_still() -> None:
    at = builders.house()
    hired = Employment.objects.filter(establishment=at.id)

    assert set(hired.exclude(invitation__role="manager")) == set(hired)


def test_what_refers_to_others_can_be_left_out_still() -> None:
    """Of one server: Django asks for these by their id alone, and several say so and refuse."""
    at = builders.house()
    free = Table.objects.exclude(gamecard__status="open")

    if ON_CITUS:
        with pytest.raises(NotSupportedError, match="co-located"):
            list(free)
    else:
        assert at.table in free


def test_what_is_saved_is_looked_for_at_its_own_house() -> None:
    """Nobody writes into a stranger's row by choosing its id."""
    here, there = builders.house(), builders.house()
    mine = Table.objects.get(establishment=there.id, pk=there.table.pk)
    mine.establishment_id, mine.name = here.id, "Mine"

    with pytest.raises(DatabaseError, match="did not affect any rows"), transaction.atomic():
        mine.save(force_update=True)
    with pytest.raises(Table.DoesNotExist):
        mine.refresh_from_db()

    there.table.refresh_from_db()
    assert there.table.name != "Mine"
