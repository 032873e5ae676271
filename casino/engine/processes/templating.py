"""
Django's templates, except that a tag library is imported only when a template loads it.

Django imports the libraries of every app before the first page is drawn. One of them belongs to the
API's framework, for pages that are not served here, and imports whatever that framework uses where
it is installed.
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
    """Maps a library's name to its module, which is imported when it is looked up."""

    def __getitem__(self, name: str) -> Library:  # type: ignore[override]  # looked up by templates alone
        return import_library(super().__getitem__(name))


class Templates(DjangoTemplates):
    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.engine.template_libraries = Libraries(libraries())  # type: ignore[assignment]

    def get_templatetag_libraries(self, custom_libraries: dict[str, str]) -> dict[str, str]:
        """Return none at first, because Django would import them."""
        return custom_libraries


class Forms(renderers.DjangoTemplates):
    """A form renderer with an engine of its own, for fields and their errors."""

    backend = Templates


def libraries() -> dict[str, str]:
    """
    All tag libraries, found by their files: Django's own, then each app's; a later one replaces an
    earlier one.
    """
    places = [("django", Path(django.__file__).parent)]
    places += [(config.name, Path(config.path)) for config in apps.get_app_configs()]
    return {
        found.name: f"{package}.templatetags.{found.name}"
        for package, path in places
        for found in pkgutil.iter_modules([str(path / "templatetags")])
    }
