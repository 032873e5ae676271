"""A form field to choose a table, in the order in which people count the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.models import ModelChoiceIterator

from casino.house.establishments.models import Table
from casino.house.establishments.table_names import in_list_order

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Counted(ModelChoiceIterator):  # type: ignore[type-arg]  # generic in the stubs alone
    def __iter__(self) -> Iterator[tuple[Any, str]]:
        if self.field.empty_label is not None:
            yield "", str(self.field.empty_label)
        for table in in_list_order(self.queryset):
            yield self.choice(table)


class TableField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in the stubs alone
    """A choice of one of the tables in `queryset`, which the form sets."""

    iterator = _Counted

    def __init__(self, **settings: Any) -> None:
        super().__init__(Table.objects.none(), **settings)
