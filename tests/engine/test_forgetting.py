"""What a process remembers of the ledger is forgotten with its session of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from casino.engine.databases import sessions
from casino.house.acts.game_streams import loading
from casino.house.acts.game_streams.loading import GameKey
from casino.play.exclusions import operations as exclusions
from tests.support import builders
from tests.support.playing import opened, round_played

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a file has no other server"),
]


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> GameKey:
    """One that this process has in memory."""
    game = opened(house)
    round_played(house, game)
    key = GameKey(house.id, game)
    assert loading.remembers(key)
    return key


def test_a_game_is_read_anew_from_the_next_server(game: GameKey) -> None:
    before = loading.load(game)
    assert loading.load(game) is before
    connection.close()  # as it ends when a standby takes over

    after = loading.load(game)  # begins with what it remembered, and with this the session

    assert after.events == before.events
    assert after is not before


def test_many_games_are_read_anew(house: House, game: GameKey) -> None:
    before = loading.load(game)
    connection.close()

    found = loading.load_all(house.id, [game.game])

    assert found[game.game].events == before.events
    assert found[game.game] is not before


def test_days_and_exclusions_are_forgotten(house: House, game: GameKey) -> None:
    del game
    begun = sessions.session_count()
    exclusions.MEMORY.keep(
        house.id, exclusions.ExclusionState(version=7)
    )  # of what the next one lacks
    connection.close()

    assert exclusions.exclusion_state_of(house.id).version == 0
    assert sessions.session_count() == begun + 1
