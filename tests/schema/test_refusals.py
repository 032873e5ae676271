"""
Every control that a model declares refuses something: one that never runs looks like one that does.

Each check constraint is asked of its database, with values of every kind; each validator stands
among those that its field runs, and refuses one of them.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from importlib import import_module
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final
from unicodedata import name
from uuid import UUID

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import (
    CheckConstraint,
    F,
    Field,
    ForeignKey,
    Q,
    UniqueConstraint,
    Value,
)
from django.forms.forms import BaseForm
from django.utils import timezone

from casino.words.languages.names import NameField
from games.characters import invisible
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

OURS: Final = ("casino", "ledger")
MODELS: Final = [each for each in apps.get_models() if each.__module__.split(".")[0] in OURS]
CONSTRAINTS: Final = [
    pytest.param(model, constraint, id=f"{model.__name__}-{constraint.name}")
    for model in MODELS
    for constraint in model._meta.constraints
    if isinstance(constraint, CheckConstraint)
]
FIELDS: Final = [
    pytest.param(field, id=f"{model.__name__}-{field.name}")
    for model in MODELS
    for field in model._meta.concrete_fields
    if field.validators
]
PARTIAL_KEYS: Final = [
    pytest.param(model, constraint, id=f"{model.__name__}-{constraint.name}")
    for model in MODELS
    for constraint in model._meta.constraints
    if isinstance(constraint, UniqueConstraint) and constraint.condition is not None
]
# fmt: off
UNSHOWN: Final = [
    # Unicode's Default_Ignorable_Code_Point.
    0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164,
    *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000),
    # What else is a letter or a sign without ink: of braille, of what a text embeds, of Egypt, of
    # Khitan, of music.
    0x2800, 0xFFFC, 0x13441, 0x13442, 0x16FE4, 0x1D159,
]
# fmt: on
WRONG: Final = ["x" * 10_000, "Ada\u200b", "Atlantis/Nowhere", -(10**30), 10**30, 0, [], {}, "\0"]
TRIES: Final = 20_000  # assignments of a constraint's columns


def values_of(field: Field[Any, Any]) -> list[Any]:
    """Of its type, some of which a column may hold, and some not."""
    choices = [value for value, _label in field.flatchoices]
    own: dict[str, list[Any]] = {
        "BooleanField": [True, False],
        "JSONField": [{}, [], [1], {"a": 1}],
        "DateField": [timezone.now().date(), timezone.now().date().replace(year=1990)],
        "DateTimeField": [timezone.now(), timezone.now().replace(year=1990)],
        "UUIDField": [UUID(int=1), UUID(int=2)],
        "BinaryField": [b"", b"\1" * 32, b"\1"],
        "DecimalField": [Decimal(0), Decimal(-1), Decimal("0.5")],
    }
    kind = field.get_internal_type()
    if isinstance(field, ForeignKey):
        return values_of(field.target_field)
    if "Integer" in kind or "AutoField" in kind:
        return [None, 0, 1, -1, 2, 7, 2**31 - 1]
    return [None, *choices, *own.get(kind, ["", "nothing of the kind", "a/b", "p-1"])]


def columns_of(condition: Any, model: type[Model]) -> list[Field[Any, Any]]:
    """The columns that a constraint names."""
    names, left = set[str](), [condition]
    while left:
        each = left.pop()
        if isinstance(each, F):
            names.add(str(each.deconstruct()[1][0]))
        for child in getattr(each, "children", ()):
            lookup, value = child if isinstance(child, tuple) else ("", child)
            names |= {lookup.split("__")[0]} - {""}
            left.append(value)
        left += getattr(each, "get_source_expressions", list)()
    return [each for each in model._meta.concrete_fields if each.name in names]


def assignments(fields: list[Field[Any, Any]]) -> Iterator[dict[str, Any]]:
    for values in islice(product(*map(values_of, fields)), TRIES):
        given = zip(fields, values, strict=True)
        yield {field.name: Value(value, output_field=field) for field, value in given}


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "constraint"), CONSTRAINTS)
def test_every_check_refuses_something(model: type[Model], constraint: CheckConstraint) -> None:
    condition = constraint.condition
    assert isinstance(condition, Q)
    columns = columns_of(condition, model)
    assert columns

    refused = (each for each in assignments(columns) if not condition.check(each))

    assert next(refused, None) is not None, f"{constraint.name} takes every value"


@pytest.mark.parametrize("field", FIELDS)
def test_every_validator_runs_and_refuses_something(field: Field[Any, Any]) -> None:
    assert set(map(id, field.default_validators)) <= set(map(id, field.validators))
    for validator in field.validators:
        assert any(refuses(validator, wrong) for wrong in WRONG), validator


def refuses(validator: Any, value: Any) -> bool:
    try:
        validator(value)
    except ValidationError:
        return True
    except (TypeError, ValueError, AttributeError):
        return False  # a value of another type: the field refuses it first
    return False


def test_every_name_refuses_letters_that_nobody_sees() -> None:
    names = [field.values[0] for field in FIELDS if isinstance(field.values[0], NameField)]

    assert len(names) > 9
    for field in names:
        with pytest.raises(ValidationError, match="nobody sees it"):
            field.clean("Ada\u200bB", None)


def test_no_name_has_a_character_that_unicode_shows_as_nothing() -> None:
    joiners = [at for at in range(sys.maxunicode) if name(chr(at), "").endswith("JOINER")]
    unshown = [*UNSHOWN, *joiners]
    shown = [f"U+{each:04X}" for each in unshown if invisible(f"Ada{chr(each)}B") is None]

    assert {0x2D7F, 0x1107F} < set(joiners)
    assert shown == []


def test_every_unique_key_has_columns_and_rows_that_it_holds_for() -> None:
    keys = [
        (model, each) for model in MODELS for each in model._meta.constraints
        if isinstance(each, UniqueConstraint)
    ]  # fmt: skip
    assert keys
    assert all(each.fields or each.expressions for _model, each in keys)


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "key"), PARTIAL_KEYS)
def test_a_key_of_some_rows_holds_for_some_and_not_for_all(
    model: type[Model], key: UniqueConstraint
) -> None:
    condition = key.condition
    assert isinstance(condition, Q)

    held = {condition.check(each) for each in assignments(columns_of(condition, model))}

    assert held == {True, False}


def test_every_check_of_a_form_is_of_a_field_that_it_has() -> None:
    """Django calls ``clean_<field>`` by its name: of a field that is not there it never runs."""
    for file in (ROOT / "casino").rglob("*.py"):
        if "def clean_" in file.read_text():
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    forms = [each for each in kinds_of(BaseForm) if each.__module__.startswith("casino.")]
    never_run = [
        f"{form.__module__}.{form.__name__}.{name}"
        for form in forms
        for name in dir(form)
        if name.startswith("clean_") and name.removeprefix("clean_") not in form.base_fields
    ]

    assert forms
    assert never_run == []


def kinds_of(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)
