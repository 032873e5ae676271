"""
Redis under Sentinel: the master is killed while people play, and the house goes on by itself.

In the short form the address is read (`tests/config/test_broker_address.py`).
"""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from ledger import journal
from ledger.models import CommandReceipt
from tests.processes import eventually
from tests.sentinels import Sentinels
from tests.support import books, builders
from tests.support.processes import Player, caught_up, settlement_position, site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.processes import Site

pytestmark = [pytest.mark.long, pytest.mark.processes, pytest.mark.django_db(transaction=True)]

BEFORE, AFTER = 4.0, 12.0  # seconds of play
SWITCHED = 15.0  # seconds after which the sentinels have another master
SETTLED = 20.0  # seconds after that until payouts go on
SLOWEST = 10.0  # seconds; the one command that finds the broker gone


@pytest.fixture
def place(tmp_path: Path, transactional_db: None) -> Iterator[Site]:
    del transactional_db
    with site(tmp_path, Sentinels()) as here:
        yield here


def test_a_killed_master_costs_neither_throw_nor_payout(
    place: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    house = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=2)
    watched = place.broker
    assert isinstance(watched, Sentinels)
    with ExitStack() as stack:
        stack.enter_context(place.worker("one"))
        stack.enter_context(place.worker("two"))
        stack.enter_context(place.beat())
        players = [
            stack.enter_context(Player(place, house=house.id, table=table, seed=table, pause=0.1))
            for table in range(2)
        ]
        for player in players:
            player.ready()
            player.go()
        time.sleep(BEFORE)
        eventually(lambda: settlement_position(house.id) > 0)

        began = time.monotonic()
        killed = watched.kill_the_master()
        eventually(lambda: _is_another(watched, killed))
        switched = time.monotonic() - began
        behind = journal.head(establishment=house.id)
        eventually(lambda: settlement_position(house.id) >= behind)
        settled = time.monotonic() - began - switched
        time.sleep(max(0.0, AFTER - switched - settled))
        results: list[dict[str, Any]] = [each.ended() for each in players]
        eventually(lambda: caught_up(house))
        woken = watched.client().exists("_kombu.binding.play")

    assert [failure for each in results for failure in each["failures"]] == []
    slowest = max(each["slowest"] for each in results)
    took = f"switched {switched:.1f} s, settled {settled:.1f} s later, slowest {slowest:.1f} s"
    with capsys.disabled():
        sys.stdout.write(f"\n{took}\n")
    assert switched < SWITCHED
    assert settled < SETTLED
    assert slowest < SLOWEST
    assert woken  # the workers listen to the new master
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, [UUID(game) for each in results for game in each["games"]])
    events = list(journal.read(establishment=house.id, limit=100_000))
    assert [each.position for each in events] == list(range(len(events)))
    answered = CommandReceipt.objects.filter(establishment=house.id)
    there = {str(each) for each in answered.values_list("command_id", flat=True)}
    assert {command for each in results for command in each["acknowledged"]} <= there


def _is_another(watched: Sentinels, killed: int) -> bool:
    try:
        return watched.master() != killed
    except Exception:  # noqa: BLE001 - in between there is none
        return False
