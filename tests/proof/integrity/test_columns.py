"""Every column of every table is one of three: truth, derived, of no account."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db import connection

from casino.house.acts import changes
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.proof.verification import columns, verifying
from casino.proof.verification.columns import Kind
from casino.proof.verification.rebuild import derivation_of
from casino.proof.verification.replays import column_name, columns_to_compare
from tests.proof.integrity import columns_page

if TYPE_CHECKING:
    from django.db.models import Model

pytestmark = pytest.mark.django_db


COLUMNS = {
    "sqlite": """
        SELECT tables.name, columns.name
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!'""",
    "postgresql": """
        SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
            AND attnum > 0 AND NOT attisdropped""",
}


def there() -> set[tuple[str, str]]:
    """Every column of every table of the database, as the database itself has it."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS[connection.vendor])
        return set(cursor.fetchall())


def declared() -> list[tuple[str, str]]:
    return [(each.table, column) for each in columns.every() for column in each.columns]


def test_every_column_of_the_schema_is_declared_and_nothing_else_is() -> None:
    known = set(declared())

    assert sorted(there() - known) == [], "Say what these columns are: columns.py"
    assert sorted(known - there()) == [], "These columns are gone: columns.py"


def test_no_column_is_two_of_the_three() -> None:
    assert [column for column, times in Counter(declared()).items() if times > 1] == []


def test_what_is_held_says_by_which_stage_and_what_is_not_says_why() -> None:
    stages = verifying.stages(projections=True)

    for each in columns.every():
        no_account = each.kind is Kind.NO_ACCOUNT
        assert (each.by in stages, each.because != "") == (not no_account, no_account), each


def test_each_stage_holds_what_is_declared_as_its_own() -> None:
    """What stands in the declaration is what the code goes through, and the other way round."""
    made_anew = {
        (table_of(model), column_name(column))
        for subscriber in SUBSCRIBERS
        for model in derivation_of(subscriber).rows
        for column in columns_to_compare(model)
    }
    on_record = {
        (table_of(model), column.column)
        for model in changes.models_in_ledger()
        for column in model._meta.concrete_fields
        if column.attname not in changes.HIDDEN
    }

    assert checked_by("projections") == made_anew
    assert checked_by("records") == on_record


def test_the_page_is_what_the_declaration_makes() -> None:
    page = columns_page.PAGE.read_text(encoding="utf-8")

    assert page == columns_page.made(), "python -m tests.proof.integrity.columns_page"


def test_every_table_of_the_project_is_met() -> None:
    tables = {table_of(model) for model in apps.get_models(include_auto_created=True)}

    assert tables <= {each.table for each in columns.every()}


def checked_by(stage: str) -> set[tuple[str, str]]:
    declared = columns.columns_of_stage(stage)
    return {(each.table, column) for each in declared for column in each.columns}


def table_of(model: type[Model]) -> str:
    return model._meta.db_table
