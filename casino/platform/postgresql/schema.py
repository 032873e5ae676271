"""
Tables of a house are keyed by the house, whatever migration makes them, in whatever order.

Django cannot say that a key of one column is, in the database, house and id; nor could a migration
put it right afterwards in each place: a foreign key to an id that is unique only with its house
must be made with both from the beginning. So the rule stands where statements are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.backends.ddl_references import Columns
from django.db.backends.postgresql import schema
from django.db.models import CompositePrimaryKey, OneToOneField

from casino.platform.house_keys import house_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.ddl_references import Statement
    from django.db.models import Model


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def create_model(self, model: type[Model]) -> None:
        super().create_model(model)
        house, key = house_of(model), model._meta.pk  # noqa: SLF001 - documented Meta API
        if house is None or key is house or isinstance(key, CompositePrimaryKey):
            return
        self._keyed(model, "pkey", "PRIMARY KEY", (house, key))
        for field in model._meta.local_fields:  # noqa: SLF001
            if isinstance(field, OneToOneField) and house_of(field.related_model) is not None:
                self._keyed(model, f"{field.column}_key", "UNIQUE", (house, field))

    def _keyed(self, model: type[Model], called: str, kind: str, columns: Sequence[Any]) -> None:
        """A key of one column, by the name that PostgreSQL gave it, becomes one of two."""
        table = model._meta.db_table  # noqa: SLF001
        name = self.quote_name(f"{table}_{called}")
        both = ", ".join(self.quote_name(each.column) for each in columns)
        self.execute(
            f"ALTER TABLE {self.quote_name(table)} DROP CONSTRAINT {name},"
            f" ADD CONSTRAINT {name} {kind} ({both})"
        )

    def _create_fk_sql(self, model: type[Model], field: Any, suffix: str) -> Statement:
        """Name, time of checking and the rest as Django has them."""
        made: Statement = super()._create_fk_sql(model, field, suffix)  # type: ignore[misc]
        own, theirs = house_of(model), house_of(field.related_model)
        if own is not None and theirs is not None:
            made.parts["column"] = self._columns(own, field)
            made.parts["to_column"] = self._columns(theirs, field.target_field)
        return made

    def _columns(self, *fields: Any) -> Columns:
        table = fields[0].model._meta.db_table  # noqa: SLF001
        return Columns(table, [each.column for each in fields], self.quote_name)
