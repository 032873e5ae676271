"""Forms of the office: each is one act, under an id that the page made for it."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Iterable

REASON_MAX: Final = 500  # characters


class ActForm(forms.Form):
    """A form whose hidden ``command_id`` makes a double tap, or a retry, one act."""

    command_id = forms.UUIDField(widget=forms.HiddenInput, required=True)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django's own
        self.initial.setdefault("command_id", uuid.uuid4())

    @property
    def act_id(self) -> uuid.UUID:
        """The command id of the act; after `is_valid`."""
        given: uuid.UUID = self.cleaned_data["command_id"]
        return given

    def refuse(self, why: str | ValidationError, field: str | None = None) -> None:
        """
        Say on the form why it was not done; sent once more, it is another act.

        What was refused is on record under its id, and would be refused again under it.
        """
        if isinstance(why, ValidationError):
            blame(self, why)
        else:
            self.add_error(field, why)
        given: Any = self.data
        again = given.copy()  # a request's own is not written in
        again[self.add_prefix("command_id")] = str(uuid.uuid4())
        self.data = again


class ReasonForm(ActForm):
    """An act that says why."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX)


def blame(form: forms.BaseForm, invalid: ValidationError, otherwise: str | None = None) -> None:
    """
    Errors at their fields, those of a field that the form does not show at its head.

    :param otherwise: the field of errors that name none.
    """
    if not hasattr(invalid, "error_dict"):
        form.add_error(otherwise, invalid)
        return
    for name, messages in invalid.message_dict.items():
        for message in messages:
            form.add_error(name if name in form.fields else None, message)


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """What a field of the form may be, where that is not known before somebody asks for it."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} of {type(form).__name__} is no choice.")
    field.choices = list(choices)


def status_of(*shown: object) -> int:
    """Of a page with these in it: 422 where a form is given back with something wrong in it."""
    wrong = any(isinstance(each, forms.BaseForm) and each.errors for each in shown)
    return HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
