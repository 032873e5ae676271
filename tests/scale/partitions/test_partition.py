"""What can be said of partitions without a database of one's own."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from casino.engine.scale.partitions import pieces, tasks
from casino.engine.scale.partitions.operations import TABLES
from tests.scale.partitions.conftest import on_postgresql
from tests.schema.described import asked
from tests.template import PARTITIONED

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db
KEYS = """
    SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index
    WHERE indisunique AND indrelid::regclass::text = ANY (%s) AND NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = indkey[0]
            AND attname IN ('establishment', 'establishment_id'))"""


def refused(*words: str, **options: Any) -> str:
    with pytest.raises(CommandError) as why:
        call_command(*words, stdout=io.StringIO(), **options)
    return str(why.value)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has partitions.")
@pytest.mark.parametrize("command", ["partition", "old_days"])
def test_a_file_has_no_partitions(command: str) -> None:
    assert "a file of SQLite" in refused(command)
    assert pieces.open_ahead(connection) == 0


@pytest.mark.parametrize("command", ["partition", "old_days"])
def test_a_database_is_named_that_there_is(command: str) -> None:
    assert "no database elsewhere" in refused(command, database="elsewhere")


# fmt: off
WRONG = [
    # command      option              is refused with
    ("partition", {"parts": 0},        "--parts 0: from 1 to 256"),
    ("partition", {"parts": 257},      "--parts 257: from 1 to 256"),
    ("partition", {"step": 0},         "--step 0: 1 at least"),
    ("old_days",  {"older_than": 0},   "--older-than 0: 1 day at least"),
]
# fmt: on


@on_postgresql
@pytest.mark.parametrize(("command", "options", "words"), WRONG)
def test_numbers_are_some(command: str, options: dict[str, int], words: str) -> None:
    assert words in refused(command, **options)


@on_postgresql
def test_every_key_of_what_is_partitioned_leads_with_the_house() -> None:
    assert asked(connection, KEYS, [[*TABLES]]) == []  # type: ignore[list-item]


@on_postgresql
@pytest.mark.skipif(bool(os.environ.get(PARTITIONED)), reason="These have pieces.")
@pytest.mark.parametrize("look", [lambda: call_command("old_days"), tasks.watch])
def test_without_pieces_there_are_none_to_move_and_none_to_make(look: Callable[[], Any]) -> None:
    if look is tasks.watch:
        assert look() is None
    else:
        assert "one table" in refused("old_days", to="slow")
