"""
From which server this thread reads: the house's own, or a replica that stands in its place.

Rooms use this module. It is small, because each web process imports it, and few have replicas.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.db.backends.base.base import BaseDatabaseWrapper

T = TypeVar("T")


class Doubted(Exception):  # noqa: N818 - names the fact
    """What was found at a replica is grave: it is to be read from the primary, too."""


@dataclass(frozen=True, slots=True)
class ReplicaInPlace:
    """A replica that stands in the place of the thread's own connection, `house`."""

    alias: str
    house: BaseDatabaseWrapper


IN_PLACE: Final[ContextVar[ReplicaInPlace | None]] = ContextVar("IN_PLACE", default=None)


def page(read: Callable[[], T], *, house: UUID, person: UUID) -> T:
    """
    What `read` returns, read from a replica that has all that the person has done or seen, or from
    the primary.

    :param read: makes a whole response and writes nothing but `on_primary`; it may be called twice.
    :param house: the house, or chain, whose ledger may have something new of the person.
    """
    if not settings.REPLICAS or IN_PLACE.get() is not None:
        return read()
    from casino.engine.scale.replicas import reading  # noqa: PLC0415 - only where there are replicas

    return reading.page(read, house=house, person=person)


def step(read: Callable[[], T]) -> T:
    """
    What `read` returns, read from a replica that has all that there is now, or from the primary.

    :param read: a step of a job, which writes nothing but `on_primary`; it may be called twice.
    """
    if not settings.REPLICAS or IN_PLACE.get() is not None:
        return read()
    from casino.engine.scale.replicas import reading  # noqa: PLC0415 - only where there are replicas

    return reading.step(read)


def source() -> str:
    """The alias of the replica from which this thread reads now; "" if from the primary."""
    standing = IN_PLACE.get()
    return standing.alias if standing else ""


def sure() -> None:
    """
    Go on only if this thread reads from the primary.

    :raises Doubted: if it reads from a replica; then the page or step is read once more.
    """
    if IN_PLACE.get() is not None:
        raise Doubted


@contextmanager
def on_primary() -> Iterator[None]:
    """Within a page or step that is read from a replica: a block that uses the primary."""
    standing = IN_PLACE.get()
    if standing is None:
        yield
        return
    with in_place(standing.house, behind=connections[standing.alias], standing=None):
        yield


@contextmanager
def in_place(
    connection: BaseDatabaseWrapper, *, behind: BaseDatabaseWrapper, standing: ReplicaInPlace | None
) -> Iterator[None]:
    """A block in which a connection is the thread's own, before `behind` is it again."""
    connections[DEFAULT_DB_ALIAS] = connection
    token = IN_PLACE.set(standing)
    try:
        yield
    finally:
        IN_PLACE.reset(token)
        connections[DEFAULT_DB_ALIAS] = behind
