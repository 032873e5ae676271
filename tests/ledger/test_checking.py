"""The checks of a book: the untouched one is sound, in one go and cut anywhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger import checkpoints
from ledger.checking.book import Book, bounds, start_of
from ledger.checking.stages import STAGES
from ledger.journal import Refusal, append
from ledger.models import Event
from ledger.notes import SigningKey
from tests.ledger.building import ANNA, BERT, CAGE, HOUSE, RECORDED, appended, entry, transfer

if TYPE_CHECKING:
    from ledger.checking.findings import Finding, Place

pytestmark = pytest.mark.django_db

KEY = SigningKey.generate("unnamed")


def grown() -> None:
    checkpoints.grow(establishment=HOUSE, keys=[KEY], name="dice.example", now=RECORDED)


def book(since: int = 0, **more: Any) -> Book:
    stop, receipts = bounds(HOUSE, "default")
    return Book(
        establishment=HOUSE, using="default", keys=(KEY.public,), stop=stop, receipts=receipts,
        start=start_of(HOUSE, "default", since), now=RECORDED, **more,
    )  # fmt: skip


def found(of: Book) -> list[Finding]:
    return [each for check in STAGES.values() for step in check(of, {}) for each in step.findings]


def found_in_pieces(of: Book) -> list[Finding]:
    """Every step by a process of its own, that knows what is on paper."""
    whole: list[Finding] = []
    for check in STAGES.values():
        place: Place = {}
        while (step := next(check(of, json.loads(json.dumps(place))), None)) is not None:
            whole += step.findings
            if step.place == place:
                break
            place = step.place
    return whole


def test_an_untouched_book_is_sound() -> None:
    version = 0
    for events in (3, 1, 255, 2048, 300):
        moved = [transfer(CAGE, ANNA, 5), transfer(ANNA, BERT, 2, at=events - 1)]
        appended("game/1", *moved, version=version, events=events)
        append(establishment=HOUSE, entries=[entry(refusal=Refusal(code="no", detail="Nö."))])
        version += events
        grown()
    appended("game/2", events=4)

    assert found(book()) == []
    assert found_in_pieces(book()) == []
    assert found(book(since=300)) == []
    assert book(since=300).start == 259
    assert Event.objects.count() == version + 4
