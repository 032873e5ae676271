"""What subscribers write depends on the events and their order alone, not on where batches end."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts.game_streams.loading import MEMORY
from casino.play.core import projections
from casino.play.core.models import QuarterFigures
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance import subscriber as surveillance_subscriber
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import journal, subscriptions
from tests.forms import how_often
from tests.support import builders
from tests.support.playing import NOW, done, game_of, opened, round_played
from tests.support.random_player import RandomPlayer

pytestmark = pytest.mark.django_db

ACTS: Final = how_often(300, short=45)
DISPOSABLE: Final = (
    (PROJECTIONS, projections.ROWS),
    (HOUSE, None),
    (SURVEILLANCE, surveillance_subscriber.ROWS),
)


def rows(models: Any) -> list[list[tuple[Any, ...]]]:
    if models is None:
        models = [model for area in house_subscriber.areas() for model in area.rows]
    return [sorted(model._default_manager.values_list(), key=str) for model in models]


def test_wherever_batches_end_the_rows_are_the_same() -> None:
    house = builders.house(tables=3, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=3)
    at = RandomPlayer(house, Random(1811))  # noqa: S311 - no secret
    for _ in range(ACTS):
        at.does_something()
        for subscriber in (PROJECTIONS, HOUSE, SURVEILLANCE, SETTLEMENT):  # who asks least first
            while subscriptions.advance(subscriber, establishment=house.id, batch=1).lag:
                pass
    tasks.advance_all(house.id)

    for subscriber, models in DISPOSABLE:
        followed = rows(models)
        for size in (7, subscriptions.BATCH_MAX):
            MEMORY.forget()
            subscriptions.begin_anew(subscriber, establishment=house.id)
            while subscriptions.advance(subscriber, establishment=house.id, batch=size).lag:
                pass
            assert rows(models) == followed, (subscriber.name, size)
    assert journal.head(establishment=house.id) > ACTS


def test_what_comes_to_nothing_within_a_batch_leaves_the_row_that_it_leaves_step_by_step() -> None:
    """A round that ends and is voided within a quarter of an hour in which nothing else counts."""
    house, later = builders.house(), NOW + timedelta(minutes=20)
    game = opened(house)
    round_played(house, game, now=later)
    done(house, game, "void", now=later, back_to=2, reason="Misread.")
    request = game_of(house, game).version
    done(house, game, "approve", by=house.supervisor, now=later, request=request)

    found = []
    for size in (1, subscriptions.BATCH_MAX):
        subscriptions.begin_anew(PROJECTIONS, establishment=house.id)
        while subscriptions.advance(PROJECTIONS, establishment=house.id, batch=size).lag:
            pass
        found.append(rows(projections.ROWS))

    assert found[0] == found[1]
    assert QuarterFigures.objects.filter(rounds=0, bought_in=0).count() == 1
