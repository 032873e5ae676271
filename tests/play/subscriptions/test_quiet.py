"""A house is asked by sweeps until nothing is left to do in it, and no longer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from casino.play.core import rollover_delivery
from casino.play.core.subscriptions import quiet, tasks
from casino.play.core.subscriptions.quiet import READERS, SUBSCRIBERS
from casino.proof.signing import copies
from casino.proof.signing.models import OutsideCopy
from ledger import journal, lag, subscriptions
from ledger.checkpoints import INTEGRITY
from ledger.models import Subscription, Unread
from tests.support import builders
from tests.support.playing import done, opened, round_played

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from uuid import UUID

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    made = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=2)
    return made


@pytest.fixture(autouse=True)
def _looked() -> Iterator[None]:
    before, quiet.LOOKED.at = quiet.LOOKED.at, -math.inf
    yield
    quiet.LOOKED.at = before


def everybody_reads(house: House) -> int:
    """Settlement, projections and the rest, and who signs; nothing is delivered."""
    while lag.lagging(SUBSCRIBERS):
        for each in SUBSCRIBERS:
            subscriptions.advance(each, establishment=house.id)
    head = journal.head(establishment=house.id)
    Subscription.objects.update_or_create(
        establishment=house.id, name=INTEGRITY.name, defaults={"position": head}
    )
    return head


def test_once_everybody_has_read_it_is_off_the_list(house: House) -> None:
    round_played(house, opened(house, stake=100))
    assert quiet.rest() == 0
    everybody_reads(house)

    assert quiet.rest() == 1
    assert lag.unread_houses() == []


def test_a_game_that_awaits_a_rollover_keeps_its_house_on_the_list(house: House) -> None:
    options: dict[str, Any] = {"game": "threes-away", "options": {"progressive": "by_round"}}
    giver = opened(house, **options)
    for player, face in (("Ada", 1), ("Bo", 2)):
        done(house, giver, "throw", player=player, dice=[face] * 5, keep=[face] * 5)
    done(house, giver, "close")
    opened(house, table=house.tables[1], **options)
    everybody_reads(house)

    assert list(rollover_delivery.houses_waiting()) == [house.id]
    assert quiet.rest() == 0
    assert rollover_delivery.deliver(house.id) == 1
    everybody_reads(house)
    assert quiet.rest() == 1


def test_what_a_room_still_has_to_do_keeps_a_house_on_the_list(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house)
    head = everybody_reads(house)
    told: list[Mapping[UUID, int]] = []

    def keeps(heads: Mapping[UUID, int]) -> Mapping[UUID, int]:
        told.append(heads)
        return heads

    monkeypatch.setitem(quiet.KEEPERS, "a room", keeps)

    assert quiet.rest() == 0
    assert told == [{house.id: head}]


def test_copies_that_are_to_be_made_do(house: House, settings: Settings, tmp_path: Path) -> None:
    heads = {house.id: 9}
    assert copies.behind(heads) == set()
    settings.CHECKPOINT_COPIES = (f"folder:{tmp_path}",)
    row = OutsideCopy.objects.create(
        establishment=house.establishment, destination=f"folder:{tmp_path}", epoch=1, size=9
    )

    assert copies.behind(heads) == {house.id}
    OutsideCopy.objects.filter(pk=row.pk).update(size=10)
    assert copies.behind(heads) == set()
    assert copies.behind({**heads, uuid4(): 3}) != set()


def test_the_first_sweep_of_a_process_finds_what_is_on_no_list(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house)
    woken: list[UUID] = []
    monkeypatch.setattr(
        tasks.WAKES, "wake", lambda who, **_more: woken.extend(each for _, each in who)
    )
    tasks.sweep()
    assert woken == [house.id]
    Unread.objects.all().delete()  # as if a subscriber were new

    tasks.sweep()
    assert woken == [house.id]
    quiet.LOOKED.at = -math.inf
    tasks.sweep()
    assert woken == [house.id] * 2


def test_no_sweep_asks_for_a_subscriber_that_a_house_may_rest_without() -> None:
    assert {each.name for each in SUBSCRIBERS} | {INTEGRITY.name} == {e.name for e in READERS}
