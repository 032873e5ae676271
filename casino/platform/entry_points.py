"""
What packages bring to this one by Python's entry points, found without importing any of them.

A distribution that is installed says in its metadata what it brings. The source of the house is
usually not installed: its own entry points are then read where they are written, in
`pyproject.toml`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from casino.platform import paths

GAMES: Final = "home_throw.games"
"""The group of games: each names a `casino.presenters.registration.Game`."""


@cache
def found(group: str = GAMES) -> tuple[EntryPoint, ...]:
    """Sorted by their names; the source's own stand for what of them is installed as well."""
    own = _of_the_source(group)
    those = {each.name for each in own}
    others = [each for each in entry_points(group=group) if each.name not in those]
    return tuple(sorted([*own, *others], key=lambda each: each.name))


def _of_the_source(group: str) -> list[EntryPoint]:
    if paths.INSTALLED:
        return []
    project = tomllib.loads((paths.DATA_FILES / "pyproject.toml").read_text("utf-8"))["project"]
    declared: dict[str, str] = project.get("entry-points", {}).get(group, {})
    return [EntryPoint(name, value, group) for name, value in declared.items()]


@cache
def folders(name: str, group: str = GAMES) -> tuple[Path, ...]:
    """
    The folders of a name in the packages that are named, where there is one: templates, static.

    :raises ImproperlyConfigured: naming the entry point.
    """
    places = (_place(each) / name for each in found(group))
    return tuple(dict.fromkeys(place for place in places if place.is_dir()))


def _place(of: EntryPoint) -> Path:
    try:
        spec = find_spec(of.module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        described = f"{of.group}: {of.name} = {of.value!r}"
        raise ImproperlyConfigured(f"{described} names no module that is there.")
    return Path(spec.origin).parent
