"""
Every field of a form refuses something by a rule of its own, or is told below to have none.

That it must be filled in, is too long or of another type is no rule of its own.
"""

from __future__ import annotations

from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import pytest
from django import forms
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.forms.forms import BaseForm

from casino.words.languages.fields import ClockField, DayField, MomentField
from casino.words.presenters.registered import OPENINGS
from ledger import journal
from tests.processes import ROOT
from tests.schema.test_refusals import kinds_of
from tests.support import builders
from tests.support.settings_pages import page, send

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPE_ALONE: Final = (
    forms.BooleanField, forms.UUIDField, forms.FileField, DayField, MomentField, ClockField,
    forms.DateTimeField, forms.ModelChoiceField,
)  # fmt: skip
"""Kinds of fields that take every value of their type; of the last, every row that is offered."""
# fmt: off
FREE: Final = {
    # Any words.
    "reason", "override_reason", "note", "story", "text", "finding", "answer",
    "supplier", "reference", "target", "first_name", "last_name", "content", "colour", "currency",
    "currency_symbol",
    # What is looked for: there is such a thing or none.
    "q", "event", "player", "payout", "receipt", "stream", "game", "rules", "through", "username",
    # What the whole form, or the operation behind it, takes or refuses: other fields decide, too.
    "name", "names", "people", "counted", "number", "pin", "again", "password",
    "old_password", "new_password1", "new_password2",
}
"""The fields without a rule of their own."""
WHOLE_FORM: Final = {
    # Refused by the form on the page, at that field: other values than `values_of` has.
    "counted": "five red", "effective_from": "",
}
# fmt: on
PAGES: Final = (
    "",
    "tables/new/",
    "dice/new/",
    "prizes/new/",
    "home-throws/",
    *(f"rules/{game}/" for game in sorted(OPENINGS)),
)  # fmt: skip


def values_of(field: forms.Field) -> list[Any]:
    """Of the field's type: whatever rule such a field has, one of them breaks it."""
    if isinstance(field, forms.ChoiceField):
        none = "nothing of the kind"
        return [[none] if isinstance(field, forms.MultipleChoiceField) else none]
    if isinstance(field, forms.IntegerField):
        return ["-1", "0", "9" * 15]
    return ["A\u200b", "?"]


def wrong_value(field: forms.Field, column: Any = None) -> Any:
    """One of these values that a field refuses, or the column that its form writes; None: none."""
    for value in values_of(field):
        try:
            cleaned = field.clean(value)
            if column is not None:
                column.run_validators(cleaned)
        except ValidationError:
            return value
    return None


def columns_of(form: Any) -> dict[str, Any]:
    """The columns that a model's form writes."""
    model = getattr(getattr(form, "_meta", None), "model", None)
    return {each.name: each for each in model._meta.fields} if model else {}


def fields() -> Iterator[tuple[Any, str, forms.Field]]:
    """Of every form of the house."""
    for path in (ROOT / "casino").rglob("*.py"):
        if "forms" in path.read_text(encoding="utf-8") and "admin_site" not in path.parts:
            module = path.relative_to(ROOT).with_suffix("")
            import_module(".".join(module.parts).removesuffix(".__init__"))
    for form in kinds_of(BaseForm):
        if form.__module__.startswith("casino."):
            for name, field in getattr(form, "base_fields", {}).items():
                if not isinstance(field, TYPE_ALONE):
                    yield form, name, field


@pytest.mark.django_db
@pytest.mark.long("postgresql")
def test_every_field_refuses_something_or_is_known_to_be_free() -> None:
    free, told, silent = set[str](), set[Any](), set[Any]()
    for form, name, field in fields():
        wrong = wrong_value(field, columns_of(form).get(name))
        if wrong is None:
            free.add(name)
            continue
        try:
            sent = form(data={name: wrong})
            if name in sent.fields:
                (told if name in sent.errors else silent).add((form, name))
        except (TypeError, ValueError, ObjectDoesNotExist):  # it needs more than what was sent
            continue

    assert free | {"text"} == FREE  # that one is made for each game
    assert silent == set()
    assert len(told) > 100


@pytest.mark.django_db
@pytest.mark.long("postgresql")
@pytest.mark.rows(2)
@pytest.mark.parametrize("path", PAGES)
def test_a_field_of_the_settings_that_is_wrong_is_told_so(path: str) -> None:
    """One after the other, with everything else as the page shows it."""
    house = builders.house()
    shown: Any = page(house, path)
    form = shown.context["form"]
    usual = {
        each.html_name: value
        for each in form
        if (value := each.value()) is not None and value is not False
    } | {"begins": "later"}
    head = journal.head(establishment=house.id)
    free, taken = set(), set()
    for bound in form:
        name, column = bound.name, columns_of(form).get(bound.name)
        wrong = WHOLE_FORM.get(name, wrong_value(bound.field, column))
        if wrong is None:
            free.add(name)
        elif not is_told(send(house, path, usual | {bound.html_name: wrong}), name):
            taken.add(name)

    assert taken == set()
    assert {each for each in free if not isinstance(form.fields[each], TYPE_ALONE)} <= FREE
    assert journal.head(establishment=house.id) == head


def is_told(answer: Any, name: str) -> bool:
    refused = answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    return refused and name in answer.context["form"].errors
