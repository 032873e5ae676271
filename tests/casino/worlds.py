"""A house in which there is one of everything that has an address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.establishments import days
from casino.play import tasks
from casino.regrade import runs
from casino.regrade.reading import Period
from tests.casino import builders
from tests.casino.builders import House, command, opened, put, settled, throw
from tests.casino.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID


@dataclass(frozen=True)
class World:
    house: House
    arguments: Mapping[str, Any]
    """What stands for each name in an address."""


def furnished() -> World:
    house = builders.house()
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7), throw("Bruno", 2, 3, 4), throw("Cleo", 5, 5, 5))
    raised = put(house, game, command("dispute", round=1, reason="Ada says it was a one."))
    settled(house)
    tasks.read_house(establishment=str(house.id))
    return World(
        house,
        {
            "establishment": house.id,
            "table": house.table.pk,
            "dice_set": house.dice.pk,
            "prize_rule": house.establishment.prizerule_set.create(
                kind="points", at=999, prize="A bottle"
            ).pk,
            "game": game,
            "number": 1,
            "dispute": raised[0]["events"][0]["number"],
            "what": "tables",
            "round_no": 1,
            "regrade": regraded(house),
            "day": days.current(house.establishment, timezone.now()),
        },
    )


def regraded(house: House) -> UUID:
    run = runs.begin(house=house.establishment, period=Period(), now=NOW)
    while runs.advance(house.id, run.id, seconds=1):
        pass
    return run.id
