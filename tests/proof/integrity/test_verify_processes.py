"""A long book's events are read by several processes, and the result is the same."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from casino.proof.verification.management.commands.verify_ledger import LONG, read_ahead
from ledger.checking import events
from ledger.checking.book import CHUNK, Book, bounds
from ledger.models import Event
from tests.ledger.building import HOUSE, RECORDED, appended
from tests.ledger.tampering import unguarded

if TYPE_CHECKING:
    from tests.support.processes import Site

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def book(place: Site, monkeypatch: pytest.MonkeyPatch) -> Book:
    """Three stretches and some events more; processes find the database as this one does."""
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    for version in range(0, 3 * CHUNK + 256, 256):
        appended("game/1", version=version, events=256)
    stop, receipts = bounds(HOUSE, "default")
    return Book(
        establishment=HOUSE, using="default", keys=(), start=0, stop=stop, receipts=receipts,
        now=RECORDED,
    )  # fmt: skip


def found(book: Book) -> list[tuple[str, int | None]]:
    steps = list(events.check(book, {}))
    assert steps[-1].place["at"] == book.stop
    return [(each.check, each.first) for step in steps for each in step.findings]


@pytest.mark.long
def test_what_is_wrong_is_found_by_whoever_tells_it(book: Book) -> None:
    with read_ahead(book, 2) as shared:
        assert shared.ahead is not None
        assert found(shared) == []
    changed = [5, CHUNK, 3 * CHUNK + 7]
    with unguarded():
        Event.objects.filter(position__in=changed).update(actor="somebody else")
        Event.objects.filter(position=2 * CHUNK).delete()
    with read_ahead(book, 2) as shared:
        those = found(shared)
    assert those == found(book)
    assert {*changed, 2 * CHUNK} <= {first for _, first in those}


def test_a_process_that_is_killed_is_done_without(book: Book) -> None:
    with read_ahead(book, 2) as shared:
        steps = events.check(shared, {})
        next(steps)
        assert shared.ahead is not None
        for child in list(shared.ahead._pool._processes):  # type: ignore[attr-defined]
            os.kill(child, signal.SIGKILL)
        assert not [each for step in steps for each in step.findings]


def test_a_short_book_needs_nobody(book: Book) -> None:
    assert book.stop < LONG
    with read_ahead(book) as shared:
        assert shared.ahead is None
