"""What a form of the floor or the office says about its fields is there in every language."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.functional import Promise

from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def modules_of_forms() -> Iterator[str]:
    """The modules with a class whose name ends as a form's does."""
    for path in sorted((ROOT / "casino").rglob("*.py")):
        if "admin_site" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.ClassDef) and node.name.endswith("Form") for node in tree.body):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def forms_of(module: Any) -> Iterator[Any]:
    for found in vars(module).values():
        if isinstance(found, type) and issubclass(found, forms.BaseForm):
            yield found


def test_labels_and_helps_of_fields_are_translated() -> None:
    """A form of a model takes what it does not say itself from the model, which is for programs."""
    met = {form for name in modules_of_forms() for form in forms_of(import_module(name))}

    plain = [
        (form.__qualname__, name, text)
        for form in met
        for name, field in form.base_fields.items()
        for text in (field.label, field.help_text)
        if text and not isinstance(text, Promise)
    ]
    assert len(met) > 20  # a search that finds none is no search
    assert sorted(plain) == []
