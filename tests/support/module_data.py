"""Data that the tests of a module share and none of them changes: built once for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import DjangoDbBlocker

T = TypeVar("T")


def built_once(build: Callable[[], T], blocker: DjangoDbBlocker) -> Iterator[T]:
    """
    For a fixture of a module: what `build` makes in the database, until the module ends.

    Each test's own transaction is within this one, so whatever it does is gone after it.
    """
    with blocker.unblock(), transaction.atomic():
        yield build()
        transaction.set_rollback(True)
