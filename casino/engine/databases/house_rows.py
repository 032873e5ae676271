"""Models whose rows Django identifies by id, and the database by house and id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from casino.engine.databases.house_keys import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet


class OfHouse(models.Model):
    """
    A model whose saves and refreshes look for the row in its own house only.

    The database does not refuse an id that another house uses. With this, nobody who chooses the id
    of a new row can write into another house's row.
    """

    class Meta:
        abstract = True

    def _do_update(self, base_qs: QuerySet[Any], *args: Any, **options: Any) -> Any:
        """Override Django's private method: no other hook is called to look up a saved row."""
        return super()._do_update(self._here(base_qs), *args, **options)

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: QuerySet[Any] | None = None,
    ) -> None:
        rows = type(self)._base_manager.all() if from_queryset is None else from_queryset  # noqa: SLF001
        rows = self._here(rows.using(using or self._state.db))
        super().refresh_from_db(using=using, fields=fields, from_queryset=rows)

    def _here(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        column = f"{HOUSE}_id"
        if column in self.get_deferred_fields():  # a value not loaded yet cannot be queried
            return rows
        return rows.filter(**{HOUSE: getattr(self, column)})
