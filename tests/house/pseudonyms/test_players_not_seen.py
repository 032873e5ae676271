"""A name is a player's, or nothing is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.engine.databases import storage_failure
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Text
from ledger import storage
from ledger.models import Event
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Iterator[House]:
    yield builders.house()
    storage_failure.MEMORY.forget()  # other tests have a database that is there


def test_a_player_who_was_made_and_is_not_there_is_no_other_word(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a server dies between the two phases of a commit: its rows are seen later."""
    builders.opened(house, table=str(house.tables[1].pk))  # the gaming day has begun
    before = Event.objects.count(), Text.objects.count()
    monkeypatch.setattr(tokens, "_known_tokens", lambda *_asked: {})

    asked = builders.opening(house.table, stake=7, players=["Ada", "Bruno"])
    answer = house.client().post(builders.GAMES, asked)

    assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
    assert answer.headers["Retry-After"] == "5"
    assert (Event.objects.count(), Text.objects.count()) == before
    monkeypatch.undo()
    builders.opened(house, stake=7, players=["Ada", "Bruno"])


def test_it_is_asked_for_again_as_where_a_server_is_away() -> None:
    found = storage.storage_fault(storage.NotSeenYet("2 players"))

    assert found is storage.StorageFault.UNAVAILABLE
    assert not found.certain
