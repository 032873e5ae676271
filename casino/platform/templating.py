"""
Django's templates, but for one thing: a library of tags is imported when a template loads it.

Django imports those of every app before the first page is drawn: the API's framework, which has
one for pages that are not served here, and with it what that framework makes use of where it is
installed.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
from django.apps import apps
from django.forms import renderers
from django.template.backends.django import DjangoTemplates
from django.template.library import import_library

if TYPE_CHECKING:
    from django.template.library import Library


class Libraries(dict[str, str]):
    """From a library's name to its module, which is imported when it is looked up."""

    def __getitem__(self, name: str) -> Library:  # type: ignore[override]  # looked up by templates alone
        return import_library(super().__getitem__(name))


class Templates(DjangoTemplates):
    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.engine.template_libraries = Libraries(libraries())  # type: ignore[assignment]

    def get_templatetag_libraries(self, custom_libraries: dict[str, str]) -> dict[str, str]:
        """None at first; these Django would import."""
        return custom_libraries


class Forms(renderers.DjangoTemplates):
    """Fields and their errors are drawn by an engine of their own."""

    backend = Templates


def libraries() -> dict[str, str]:
    """By their files: Django's own, then each app's, whose later ones win."""
    places = [("django", Path(django.__file__).parent)]
    places += [(config.name, Path(config.path)) for config in apps.get_app_configs()]
    return {
        found.name: f"{package}.templatetags.{found.name}"
        for package, path in places
        for found in pkgutil.iter_modules([str(path / "templatetags")])
    }
