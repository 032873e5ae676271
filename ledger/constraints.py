"""Constraints that Django has no word for."""

from typing import Any

from django.db import models


class OnPostgreSQL(models.UniqueConstraint):
    """
    Unique on PostgreSQL alone.

    There the primary key leads with the house (decision 0013), and an id is unique by this. On
    SQLite the id itself is the primary key: a second index would say less, and take more.
    """

    def constraint_sql(self, model: Any, schema_editor: Any) -> Any:
        if schema_editor.connection.vendor == "sqlite":
            return None
        return super().constraint_sql(model, schema_editor)
