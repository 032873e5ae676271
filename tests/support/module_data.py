"""Data that the tests of a module share: built once for all of them, and as it was for each."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pytest
from django.db import transaction
from django.test import override_settings

from casino.engine.databases import sessions
from casino.kit.web import pages
from casino.reports.registers import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django import DjangoDbBlocker

    from tests.support.builders import House

T = TypeVar("T")


def built_once(build: Callable[[], T], blocker: DjangoDbBlocker) -> Iterator[T]:
    """
    For a fixture of a module: what `build` makes in the database, until the module ends.

    Each test's own transaction is within this one, so whatever it does is gone after it. None of
    them may need a transaction that is committed.
    """
    with blocker.unblock(), transaction.atomic():
        yield build()
        transaction.set_rollback(True)


def shared(build: Callable[[], T], **settings: Any) -> Any:
    """
    A fixture of the module that has it: what `build` made before the first of its tests.

    :param settings: by which it is made, with the module's own folder for keys.
    """

    @pytest.fixture(scope="module")
    def made(
        django_db_setup: None, django_db_blocker: DjangoDbBlocker, module_keys: Path
    ) -> Iterator[T]:
        del django_db_setup  # there has to be a database
        with override_settings(LEDGER_KEYS_DIR=module_keys, **settings):
            yield from built_once(build, django_db_blocker)

    return made


@pytest.fixture
def house_of_its_own(played: House) -> House:
    """The house that was `played` in, as it was, for one test."""
    return own(played)


class Played(NamedTuple):
    """A house, and what tests ask for of what was played there."""

    house: House
    what: Any


def house_where(name: str, empty: Callable[[], House]) -> Any:
    """
    A fixture: the house that was `played` in, where the test asks for what was played by its
    fixture's name; else one where nothing was played.
    """

    @pytest.fixture
    def house(request: pytest.FixtureRequest) -> House:
        asked = name in request.fixturenames
        return own(request.getfixturevalue("played").house) if asked else empty()

    return house


@pytest.fixture
def what_was_played(played: Played) -> Any:
    return copy.deepcopy(played.what)


def own(house: House) -> House:
    """
    A copy for one test: what it changes in memory no other meets, and clients are its own.

    What the process remembers may be of events that were taken back with the test before.
    """
    for forget in (
        *sessions._FORGETS, pages._readings.clear,
        summary.MEMORY.forget, summary._days.cache_clear,
    ):  # fmt: skip
        forget()
    return copy.deepcopy(replace(house, clients={}))
