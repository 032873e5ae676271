"""
Foreign keys within a house: its rows are found by house first, and by their own id second.

A table that can be partitioned by house has the house in its primary key and in every key that
refers to it (docs/decisions/0072). Django's admin and foreign keys expect one column, so models
declare an id; the fields here add the house wherever Django looks up the id alone. The database's
side is `casino.engine.databases.postgresql.base`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.models.lookups import Exact

if TYPE_CHECKING:
    from django.db.models import Field, Model

    ForeignKey = models.ForeignKey[Any, Any]
    OneToOneField = models.OneToOneField[Any, Any]
else:
    ForeignKey = models.ForeignKey
    OneToOneField = models.OneToOneField

HOUSE: Final = "establishment"
HOUSES: Final = "establishments.establishment"


class Directory:
    """
    Rows of a house that are read before it is known which house somebody is about to enter.

    Where the database is distributed by house, a copy of them is on every server.
    """


def house_of(model: type[Model]) -> Field[Any, Any] | None:
    """The field of a model that names the house of a row; None if its rows belong to no house."""
    for field in model._meta.local_fields:  # noqa: SLF001 - Django's documented Meta API
        if field.name == HOUSE and not field.null and _refers_to_houses(field):
            return field
    return None


def _refers_to_houses(field: Field[Any, Any]) -> bool:
    other = field.related_model
    return isinstance(other, type) and other._meta.label_lower == HOUSES  # noqa: SLF001


class _WithinHouse:
    """A key whose target is in the same house: joins and look-ups include the house."""

    model: type[Model]
    related_model: Any

    def get_extra_restriction(self, alias: str | None, related_alias: str | None) -> Any:
        """
        Add to a join that both rows are of the same house.

        :param alias: the table that the key refers to; `related_alias`: the table that has the key.
        """
        own, theirs = house_of(self.model), house_of(self.related_model)
        if own is None or theirs is None or alias is None or related_alias is None:
            return None
        return Exact(theirs.get_col(alias), own.get_col(related_alias))

    def get_extra_descriptor_filter(self, instance: Model) -> dict[str, Any]:
        return {HOUSE: getattr(instance, f"{HOUSE}_id")}

    def deconstruct(self) -> Any:
        """Show migrations an ordinary Django key: the database backend adds the house to it."""
        name, _path, arguments, options = super().deconstruct()  # type: ignore[misc]
        return name, f"django.db.models.{self.declared}", arguments, options

    declared: str


class KeyWithinHouse(_WithinHouse, ForeignKey):
    declared = "ForeignKey"


class OneWithinHouse(_WithinHouse, OneToOneField):
    declared = "OneToOneField"
