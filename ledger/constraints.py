"""Database constraints that Django itself does not offer."""

from typing import Any

from django.db import models


class OnPostgreSQL(models.UniqueConstraint):
    """
    A unique constraint that exists on PostgreSQL only.

    On PostgreSQL the primary key begins with the house (decision 0013), and this constraint makes
    an id unique. On SQLite the id is the primary key, and a second index would add nothing.
    """

    def constraint_sql(self, model: Any, schema_editor: Any) -> Any:
        if schema_editor.connection.vendor == "sqlite":
            return None
        return super().constraint_sql(model, schema_editor)
