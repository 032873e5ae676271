"""
PostgreSQL schema editor: the keys of a house's tables include the house, whichever migration makes
them, in any order.

Django cannot express that a key of one column is house and id in the database. A migration could
not correct that afterwards either: a foreign key to an id that is unique only within its house must
have both columns from the beginning. So the rule is applied where statements are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.backends.ddl_references import Columns
from django.db.backends.postgresql import schema
from django.db.models import CompositePrimaryKey, OneToOneField

from casino.engine.databases.house_keys import house_of
from casino.engine.databases.postgresql import citus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.ddl_references import Statement
    from django.db.models import Model


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def create_model(self, model: type[Model]) -> None:
        super().create_model(model)
        self._lead_with_the_house(model)
        if not self.collect_sql and citus.is_distributed(self.connection):
            # Foreign keys come at the end of a migration, so the table is where they lead by then.
            with self.connection.cursor() as cursor:
                citus.place(cursor, model._meta.db_table)  # noqa: SLF001

    def _lead_with_the_house(self, model: type[Model]) -> None:
        house, key = house_of(model), model._meta.pk  # noqa: SLF001 - documented Meta API
        if house is None or key is house or isinstance(key, CompositePrimaryKey):
            return
        self._keyed(model, "pkey", "PRIMARY KEY", (house, key))
        for field in model._meta.local_fields:  # noqa: SLF001
            if isinstance(field, OneToOneField) and house_of(field.related_model) is not None:
                self._keyed(model, f"{field.column}_key", "UNIQUE", (house, field))

    def _keyed(self, model: type[Model], called: str, kind: str, columns: Sequence[Any]) -> None:
        """Replace a key of one column, by PostgreSQL's name for it, by one of two columns."""
        table = model._meta.db_table  # noqa: SLF001
        name = self.quote_name(f"{table}_{called}")
        both = ", ".join(self.quote_name(each.column) for each in columns)
        self.execute(
            f"ALTER TABLE {self.quote_name(table)} DROP CONSTRAINT {name},"
            f" ADD CONSTRAINT {name} {kind} ({both})"
        )

    def _create_fk_sql(self, model: type[Model], field: Any, suffix: str) -> Statement:
        """Make a foreign key of two columns; its name, deferral and the rest are Django's."""
        made: Statement = super()._create_fk_sql(model, field, suffix)  # type: ignore[misc]
        own, theirs = house_of(model), house_of(field.related_model)
        if own is not None and theirs is not None:
            made.parts["column"] = self._columns(own, field)
            made.parts["to_column"] = self._columns(theirs, field.target_field)
        return made

    def _columns(self, *fields: Any) -> Columns:
        table = fields[0].model._meta.db_table  # noqa: SLF001
        return Columns(table, [each.column for each in fields], self.quote_name)
