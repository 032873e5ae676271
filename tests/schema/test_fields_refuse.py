"""
Every field of a form refuses something by a rule of its own, or is told below to have none.

That it has to be filled in, is too long or is of another type is no rule of its own.
"""

from __future__ import annotations

import uuid
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import pytest
from django import forms
from django.core.exceptions import ValidationError

from casino.words.languages.date_fields import ClockField, DayField, MomentField
from casino.words.presenters.opening import OPENINGS
from ledger import journal
from tests.processes import ROOT
from tests.support import builders
from tests.support.settings_pages import page, send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

ANY: Final = (
    forms.BooleanField, forms.UUIDField, forms.FileField, forms.ModelChoiceField,
    DayField, MomentField, ClockField, forms.DateTimeField,
)  # fmt: skip
"""Types of which a field takes every value, or rows that are known only during a request."""
WORDS: Final = {
    "reason",
}
"""Fields that take any words, or of which the operation behind the form knows what may be."""


def wrong_ones(field: forms.Field) -> list[Any]:
    """Values of the field's type that are refused by whatever rule such a field has."""
    if isinstance(field, forms.MultipleChoiceField):
        return [["nothing of the kind"]]
    if isinstance(field, forms.ChoiceField):
        return ["nothing of the kind"]
    if isinstance(field, forms.IntegerField):
        return ["-1", "0", "9" * 15]
    return ["A\u200b", "?"]


def refused_value(field: forms.Field) -> Any:
    """The first value that a field refuses by itself; None: it takes them all."""
    for value in wrong_ones(field):
        try:
            field.clean(value)
        except ValidationError:
            return value
    return None


def every_form(of: type[Any] = forms.BaseForm) -> Iterator[type[Any]]:
    for form in of.__subclasses__():
        yield form
        yield from every_form(form)


def test_every_field_of_every_form_refuses_something_or_takes_any_words() -> None:
    for path in (ROOT / "casino").rglob("*.py"):
        if "forms" in path.read_text(encoding="utf-8"):
            import_module(
                ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            )
    fields = [
        (name, field)
        for form in every_form()
        if form.__module__.startswith("casino.")
        for name, field in getattr(form, "base_fields", {}).items()
        if not isinstance(field, ANY)
    ]
    free = {name for name, field in fields if refused_value(field) is None}

    assert len(fields) > 100
    assert free == WORDS
