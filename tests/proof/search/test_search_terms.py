"""What the ledger is found by, block by block, beside the events themselves."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.proof.search import as_of, events
from casino.proof.search.events import Facet
from casino.proof.search.models import EventBlock, EventTerm
from ledger import journal
from tests.forms import every
from tests.proof.search.test_search_plans import assert_keyed
from tests.support import builders, module_data
from tests.support.playing import NOW, settled
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from pytest_django import DjangoDbBlocker

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
FEW = 8  # positions of a block
FACETS: tuple[Facet, ...] = get_args(Facet)


def in_blocks(house: House, monkeypatch: pytest.MonkeyPatch, *, positions: int = FEW) -> None:
    """As if blocks were short: all but what the last one has not yet."""
    monkeypatch.setattr(events, "BLOCK", positions)
    monkeypatch.setattr(events, "BLOCKS_AT_ONCE", 2)
    events.catch_up(house.id, journal.head(establishment=house.id))
    assert EventBlock.objects.filter(establishment=house.id).count() > 1


@pytest.fixture(scope="module")
def house(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[House]:
    yield from module_data.built_once(hour_of_play, django_db_blocker)


def hour_of_play() -> House:
    """In its middle a clock goes back."""
    house = builders.house(tables=3)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = RandomPlayer(house, Random(5))  # noqa: S311 - of a test
    for act in range(40):
        croupier.does_something()
        croupier.now += timedelta(minutes=-30 if act == 20 else 2)
        settled(house)
    return house


def whole(house: House) -> list[StoredEvent]:
    return journal.read(establishment=house.id, limit=10_000)


def says(event: StoredEvent, facet: Facet) -> Any:
    provenance = event.provenance
    return {
        "kind": event.stream.partition("/")[0],
        "stream": event.stream,
        "event_type": event.event_type,
        "actor": provenance.actor,
        "device": provenance.device,
        "correlation": provenance.correlation_id,
        "causation": provenance.causation_id,
    }[facet]


def stored(house: UUID) -> list[Any]:
    blocks = EventBlock.objects.filter(establishment=house).order_by("block")
    rows = EventTerm.objects.filter(establishment=house).values_list("term", "block", "offsets")
    return [
        *blocks.values_list("block", "first_at", "last_at"),
        *sorted((bytes(term), block, bytes(offsets)) for term, block, offsets in rows),
    ]


@pytest.mark.parametrize(
    "positions",
    [
        FEW,
        pytest.param(1, marks=pytest.mark.long),
        pytest.param(10_000, marks=pytest.mark.long("postgresql")),
    ],
)
def test_everything_that_events_say_leads_to_them(
    house: House, monkeypatch: pytest.MonkeyPatch, positions: int
) -> None:
    known = whole(house)
    if positions < len(known):
        in_blocks(house, monkeypatch, positions=positions)
    for facet in FACETS:
        for value in {says(event, facet) for event in known} - {None}:
            wanted = [each.position for each in known if says(each, facet) == value][::-1]
            assert list(events.newest(house.id, facet, [value], stop=len(known))) == wanted
            for since, stop in ((3, len(known) - 5), (FEW, 3 * FEW), (FEW + 1, FEW + 2), (9, 4)):
                some = [each for each in wanted if since <= each < stop]
                assert list(events.newest(house.id, facet, [value], since=since, stop=stop)) == some
    assert list(events.newest(house.id, "device", ["nobody"], stop=len(known))) == []


def test_what_several_brought_about_is_found_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = whole(house)
    in_blocks(house, monkeypatch)
    causes = {event.provenance.causation_id for event in known} - {None}
    assert len(causes) > events.BLOCKS_AT_ONCE
    wanted = [each.position for each in known if each.provenance.causation_id in causes]
    found = events.newest(house.id, "causation", causes, stop=len(known))
    assert sorted(found) == wanted


def test_a_streams_last_and_next_event_at_every_position(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = whole(house)
    in_blocks(house, monkeypatch)
    streams = sorted({event.stream for event in known})
    last: dict[str, int] = {}
    for position, event in enumerate(known):
        last[event.stream] = position
        if position % every(3):
            continue
        assert events.lasts(house.id, [*streams, "game/none"], position) == last
        assert as_of.lasts(house.id, streams[:2], position).keys() == last.keys() & set(streams[:2])
    coming: dict[str, int] = {}
    for position, event in reversed([*enumerate(known)]):
        if position % every(3) == 0:
            assert events.nexts(house.id, [*streams, "game/none"], position) == coming
        coming[event.stream] = position
    assert events.nexts(house.id, streams, -1) == coming
    assert events.lasts(house.id, streams, -1) == {}


def test_what_was_recorded_by_a_moment_though_a_clock_went_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [(each.provenance.recorded_at, each.position) for each in whole(house)]
    assert known != sorted(known)
    in_blocks(house, monkeypatch)
    for minutes in range(-5, 100, every(5)):
        at = NOW + timedelta(minutes=minutes)
        by, later = [one for one in known if one[0] <= at], [one for one in known if one[0] >= at]
        assert events.last_event_by(house.id, at) == (max(by)[1] if by else None)
        assert events.first_event_from(house.id, at) == (min(later)[1] if later else None)


def test_blocks_are_the_same_whenever_they_are_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each event that fills one; later, where that event was parked; from nothing."""
    in_blocks(house, monkeypatch)
    before = stored(house.id)
    for skipped in (None, 2 * FEW - 1):
        EventBlock.objects.filter(establishment=house.id).delete()
        EventTerm.objects.filter(establishment=house.id).delete()
        for event in whole(house):
            if event.position != skipped:
                events.handle(event)
        assert stored(house.id) == before


def test_a_block_costs_as_many_queries_as_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the ledger is; and each of them has its index."""
    seen = []
    for seed in (6, 7):
        croupier = RandomPlayer(house, Random(seed))  # noqa: S311 - of a test
        for _ in range(20):
            croupier.does_something()
        settled(house)
        in_blocks(house, monkeypatch)
        head = journal.head(establishment=house.id)
        with CaptureQueriesContext(connection) as queries:
            events.lasts(house.id, ["record/establishment", "game/none"], head - FEW)
            events.nexts(house.id, ["record/establishment", "game/none"], head - FEW)
            events.last_event_by(house.id, NOW)
            list(events.newest(house.id, "device", ["nobody"], stop=head))
        seen.append(queries)
    assert len(seen[0]) == len(seen[1])
    for queries in seen:
        assert_keyed(queries, "terms")
