"""Database constraints that Django itself does not offer."""

from typing import Any

from django.db import models

BY_HAND = (
    (
        "ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_pkey,"
        " DROP CONSTRAINT ledger_event_position,"
        " ADD CONSTRAINT ledger_event_position PRIMARY KEY (establishment, position)"
    ),
    (
        "ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_pkey,"
        " DROP CONSTRAINT ledger_transfer_position_seq,"
        " ADD CONSTRAINT ledger_transfer_position_seq PRIMARY KEY (establishment, position, seq)"
    ),
    (
        "ALTER TABLE ledger_event ADD CONSTRAINT ledger_event_leaf_hash"
        " CHECK (leaf_hash = sha256('\\x00'::bytea || body))"
    ),
)
"""
What the first migration changes on PostgreSQL that no model can say: primary keys that lead with
the establishment, and the CHECK that ties a leaf hash to its body.
"""


class OnPostgreSQL(models.UniqueConstraint):
    """
    A unique constraint that exists on PostgreSQL only.

    On PostgreSQL the primary key begins with the house (decision 0072), and this constraint makes
    an id unique. On SQLite the id is the primary key, and a second index would add nothing.
    """

    def constraint_sql(self, model: Any, schema_editor: Any) -> Any:
        if schema_editor.connection.vendor == "sqlite":
            return None
        return super().constraint_sql(model, schema_editor)
