"""What bench/million.py fills a house with is what the house itself would have written."""

from __future__ import annotations

from random import Random

import pytest

from bench.work.copies import NAMED
from bench.work.years import Year
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from ledger import money
from ledger.models import CommandReceipt, Event, ParkedEvent
from tests.support.regrading import differences, figures


@pytest.mark.django_db(transaction=True)
@pytest.mark.long("postgresql")
def test_a_filled_house_is_as_if_all_of_it_had_been_played() -> None:
    """An evening that is played, and two of the like on days of their own."""
    year = Year(200, 60, 1, 2, Random(4), lambda _done, _of: None)  # noqa: S311
    year.filled()
    house = year.house
    cards = GameCard.objects.filter(establishment=house.id)
    events = Event.objects.filter(establishment=house.id).order_by("position")
    receipts = CommandReceipt.objects.filter(establishment=house.id).order_by("seq")

    for subscriber in (SETTLEMENT, PROJECTIONS, HOUSE):
        assert list(rebuild.compare(house.id, subscriber)) == []
    assert differences(house) == []
    assert figures(house)["games"] == cards.count()
    assert money.differences(establishment=house.id) == {}
    assert not ParkedEvent.objects.exists()
    assert list(events.values_list("position", flat=True)) == list(range(events.count()))
    assert list(receipts.values_list("seq", flat=True)) == list(range(receipts.count()))
    assert not cards.filter(status="open").exists()
    days = sorted(set(cards.values_list("gaming_day", flat=True)))
    assert len(days) > 1
    assert (days[-1] - days[0]).days > 100


NAMES = [
    ('"at":1790000030', ["1790000030"]),
    ('"die":"p-qjn3kxp6k6ct3"', ["p-qjn3kxp6k6ct"]),
    ('"stake:5722b33c-852d-5c4a-9066-d38a6e38d5f2/p-uu7wtkgvbmgy"',
     ["5722b33c-852d-5c4a-9066-d38a6e38d5f2", "p-uu7wtkgvbmgy"]),
    ('"since":"2026-11-20T21:30:00.000000Z","day":"2026-11-20"',
     ["2026-11-20T21:30:00.000000Z", "2026-11-20"]),
    ('"because":556,"cause":50', ["556"]),
    ('"amount":12', []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), NAMES)
def test_what_names_something_is_found(text: str, names: list[str]) -> None:
    assert NAMED.findall(text) == names
