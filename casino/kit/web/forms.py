"""Forms of the office: each performs one act, under a command id; and the choice of a table."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext_lazy as _

from casino.house.establishments.models import Table
from casino.house.establishments.table_names import in_list_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REASON_MAX: Final = 500  # characters


class ActForm(forms.Form):
    """A form with a hidden ``command_id``, so that a double tap or a retry counts as one act."""

    command_id = forms.UUIDField(widget=forms.HiddenInput, required=True)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django's own
        self.initial.setdefault("command_id", uuid.uuid4())

    @property
    def act_id(self) -> uuid.UUID:
        """The command id of the act; to be read after `is_valid`."""
        given: uuid.UUID = self.cleaned_data["command_id"]
        return given

    def refuse(self, why: str | ValidationError, field: str | None = None) -> None:
        """
        Show on the form why the act was refused, and give the form a new command id.

        A refusal is recorded under its command id, so the same id would be refused again.
        """
        if isinstance(why, ValidationError):
            blame(self, why)
        else:
            self.add_error(field, why)
        given: Any = self.data
        again = given.copy()  # a request's own data is immutable
        again[self.add_prefix("command_id")] = str(uuid.uuid4())
        self.data = again


class ReasonForm(ActForm):
    """A form for an act that needs a reason."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX)


def blame(form: forms.BaseForm, invalid: ValidationError, otherwise: str | None = None) -> None:
    """
    Add errors to their fields; an error of a field that the form lacks stands above the form.

    :param otherwise: the field for errors that name no field.
    """
    if not hasattr(invalid, "error_dict"):
        form.add_error(otherwise, invalid)
        return
    for name, messages in invalid.message_dict.items():
        for message in messages:
            form.add_error(name if name in form.fields else None, message)


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Set the choices of a form field, for choices that are known only during the request."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} of {type(form).__name__} is no choice.")
    field.choices = list(choices)


def status_of(*values: object) -> int:
    """The status of a page with these values in its context: 422 if one is a form with errors."""
    wrong = any(isinstance(each, forms.BaseForm) and each.errors for each in values)
    return HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK


# A form field to choose a table, in the order in which people count the tables.


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
