"""How the first migration of an app is carried out: its tables from one look at all models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations
from django.db.migrations.state import ProjectState

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class Initial(migrations.Migration):
    """
    Django draws up all models that hang together anew for each table that a migration makes, and
    here all of them hang on the house: that took longer than all else. Of tables that are new no
    operation has to know how they were before, so the models are drawn up once.
    """

    initial = True

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,  # noqa: FBT001, FBT002 - as Django calls it
    ) -> ProjectState:
        """Whoever only wants to see the SQL, or does more than make tables, goes Django's way."""
        new = (migrations.CreateModel, migrations.RunPython)
        if collect_sql or not all(isinstance(each, new) for each in self.operations):
            return super().apply(project_state, schema_editor, collect_sql)
        state = ProjectState(project_state.models, project_state.real_apps)
        self.mutate_state(state, preserve=False)
        for operation in self.operations:
            operation.database_forwards(self.app_label, schema_editor, state, state)
        return state
