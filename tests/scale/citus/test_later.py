"""What a migration makes after the database was distributed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.migrations.state import ModelState, ProjectState

from tests.schema.described import asked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db
KINDS = "SELECT logicalrelid::text, partmethod::text FROM pg_dist_partition"
KEYS = """
    SELECT confrelid::regclass::text FROM pg_constraint
    WHERE contype = 'f' AND conrelid = 'dice_later'::regclass"""


def test_a_dump_of_several_servers_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no dump has one moment of them all"):
        call_command("backup", "--to", str(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_its_tables_are_placed_with_their_keys() -> None:
    state = ProjectState.from_apps(apps)
    state.add_model(ModelState("dice", "Later", [
        ("id", models.UUIDField(primary_key=True)),
        ("establishment", models.ForeignKey("establishments.Establishment", models.PROTECT)),
        ("table", models.ForeignKey("establishments.Table", models.PROTECT)),
    ]))  # fmt: skip
    state.add_model(ModelState("dice", "Few", [("id", models.UUIDField(primary_key=True))]))
    with connection.schema_editor() as editor:
        editor.create_model(state.apps.get_model("dice", "Later"))
        editor.create_model(state.apps.get_model("dice", "Few"))

    kinds = dict(asked(connection, KINDS))
    assert (kinds["dice_later"], kinds["dice_few"]) == ("h", "n")
    to = {table for (table,) in asked(connection, KEYS)}
    assert to == {"establishments_establishment", "establishments_table"}
