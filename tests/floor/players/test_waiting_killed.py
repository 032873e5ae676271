"""Whoever is killed while they call a player has called them once, or not at all."""

from __future__ import annotations

import random
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.floor.players import waiting
from casino.floor.players.models import Wait
from casino.house.acts import acts
from casino.play.core.subscriptions.tasks import advance_all
from ledger import journal
from tests.forms import LONG_FORM
from tests.support import builders
from tests.support.killed import KILLED, killable_processes

if TYPE_CHECKING:
    from tests.support.builders import House
    from tests.support.processes import Site

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


def call_of(house: House) -> tuple[uuid.UUID, dict[str, Any]]:
    """Somebody who waits, and the request that calls them: sent again, it is the same."""
    act = acts.Act(
        house=house.establishment, by=house.attendant, device="office", now=timezone.now(),
        command_id=uuid.uuid4(), request={},
    )  # fmt: skip
    entry = waiting.enter(act, name="Ada", game="stone-hand").entry
    request = {
        "do": "ask",
        "url": house.url(f"waiting/{entry}/call/"),
        "token": builders.token(house.attendant),
        "body": {"command_id": str(uuid.uuid4()), "table": str(house.table.pk)},
    }
    return uuid.UUID(entry), request


def calls(house: House) -> int:
    """How often the ledger says that they were called: what the list says, too."""
    events = journal.stream(establishment=house.id, stream=waiting.STREAM)
    called = sum(each.event_type == waiting.CALLED for each in events)
    [entry] = waiting.read_list(house.id, timezone.now()).entries
    assert bool(entry.called_at) == bool(called)
    return called


def test_a_call_that_is_killed_is_made_once_when_it_is_sent_again(place: Site) -> None:
    with killable_processes(place) as attempt:
        house = builders.house()
        _entry, request = call_of(house)
        [whole] = attempt(0, request)
        last = whole["moments"]
        tried = range(1, last + 1) if LONG_FORM else sorted(random.sample(range(1, last), 3))

        ended = []
        for moment in tried:
            house = builders.house()
            entry, request = call_of(house)
            ended += attempt(moment, request)
            before = calls(house)
            assert before in {0, 1}
            attempt(0, request)
            assert calls(house) == 1
            while advance_all(house.id):
                pass
            row = Wait.objects.get(establishment=house.id, entry=entry)
            assert (row.calls, row.end) == (1, "")
        assert KILLED in [each["ended"] for each in ended]
