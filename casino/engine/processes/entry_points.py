"""
Finds what other packages add to this one through Python's entry points, without importing them.

An installed distribution lists its entry points in its metadata. The source of the house is usually
not installed: its own entry points are then read from `pyproject.toml`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from casino.engine.processes import paths

GAMES: Final = "home_throw.games"
"""The group of entry points for games: each names a `casino.words.presenters.registration.Game`."""


@cache
def find(group: str = GAMES) -> tuple[EntryPoint, ...]:
    """The entry points of a group, by name; the source's own win over installed ones."""
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
    The folders with a given name (`templates`, `static`) in the packages of a group's entry points.

    :raises ImproperlyConfigured: if an entry point names no module; the message names the entry
        point.
    """
    places = (_place(each) / name for each in find(group))
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
