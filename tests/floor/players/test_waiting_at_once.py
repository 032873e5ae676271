"""Two desks and many people: whoever does what at the same instant, the list is in order."""

from __future__ import annotations

import uuid
from collections import Counter
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import waiting
from casino.floor.players.models import Wait
from casino.house.acts import acts
from games.refusals import Refused
from ledger import journal
from tests.forms import LONG_FORM
from tests.support import builders
from tests.support.at_once import at_once, on_a_file

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = ("stone-hand", "cinnabar-gate", "river")
ACTS = 120 if LONG_FORM else 12  # at each desk
PEOPLE = 40


def something(house: House, chance: Random) -> None:
    """Somebody comes, or whoever is at the desk sees to one of those who wait."""
    now = timezone.now()
    act = acts.Act(
        house=house.establishment, by=house.attendant, device="desk", now=now,
        command_id=uuid.uuid4(), request={},
    )  # fmt: skip
    listed = waiting.read_list(house.id, now).entries
    if not listed or chance.random() < 1 / 2:
        waiting.enter(act, name=f"Guest {chance.randrange(PEOPLE)}", game=chance.choice(GAMES))
        return
    entry = uuid.UUID(chance.choice(listed).entry)
    do = chance.choice((waiting.call, waiting.call, waiting.skip, waiting.take_off))
    do(act, entry=entry)


def desk(house: House, seed: int) -> int:
    """So many acts of a desk; how many of them were recorded."""
    chance, done = Random(seed), 0  # noqa: S311 - an evening of a test
    for _ in range(ACTS):
        with suppress(Refused, journal.StreamMoved):  # they are told, and look again
            something(house, chance)
            done += 1
    return done


def check(events: list[StoredEvent]) -> None:
    """Each event leaves the list as the one before it and its own act say."""
    before: list[str] = []
    called: set[str] = set()
    for event in events:
        entry = event.data["entry"]
        listed = [each["entry"] for each in event.data["waiting"]]
        match event.event_type:
            case waiting.ENTERED:
                assert listed == [*before, entry]
            case waiting.CALLED:
                assert listed == before
                assert entry not in called
                called.add(entry)
            case waiting.SKIPPED:
                assert sorted(listed) == sorted(before)
                called.discard(entry)
            case _:
                assert listed == [each for each in before if each != entry]
        seats = Counter((each["player"], each["game"]) for each in event.data["waiting"])
        assert set(seats.values()) <= {1}
        before = listed


def test_two_desks_keep_one_list(tmp_path: Path) -> None:
    house = builders.house()
    with on_a_file(tmp_path):
        seed = uuid.uuid4().int % 2**32
        done = at_once(2, lambda number: desk(house, seed + number))

        events = journal.stream(establishment=house.id, stream=waiting.STREAM)
        assert len(events) == sum(done) > ACTS // 2, f"seed {seed}"
        check(events)
        head = journal.head(establishment=house.id)
        house_subscriber.catch_up(establishment=house.id, position=head)
        kept = Wait.objects.filter(establishment=house.id, end="")
        listed = [each["entry"] for each in events[-1].data["waiting"]]
        assert {str(each.entry) for each in kept} == set(listed)
