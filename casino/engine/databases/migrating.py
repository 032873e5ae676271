"""A base class for an app's first migration: it builds all tables from one state of all models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations
from django.db.migrations.state import ProjectState

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class Initial(migrations.Migration):
    """
    A first migration that is faster than Django's own way.

    For each table that a migration makes, Django builds all related models again, and here all of
    them are related to the house: that took longer than all else. No operation needs the state
    before a new table, so the models are built once.
    """

    initial = True

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,  # noqa: FBT001, FBT002 - as Django calls it
    ) -> ProjectState:
        """Apply the migration; go Django's way to collect SQL or for other operations."""
        new = (migrations.CreateModel, migrations.RunPython)
        if collect_sql or not all(isinstance(each, new) for each in self.operations):
            return super().apply(project_state, schema_editor, collect_sql)
        state = ProjectState(project_state.models, project_state.real_apps)
        self.mutate_state(state, preserve=False)
        for operation in self.operations:
            operation.database_forwards(self.app_label, schema_editor, state, state)
        return state
