"""A game to be computed once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.playing import PAIR_4, PAIR_7, done, opened, round_played, settled, thrown
from tests.support.regrading import event_of

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House


@pytest.fixture
def game(house: House) -> uuid.UUID:
    return a_game(house)


def a_game(house: House) -> uuid.UUID:
    """Two rounds, the second one voided with approval, and one round more: all settled."""
    played = opened(house, stake=60)
    round_played(house, played)
    [first, *_] = thrown(house, played, "Ada", PAIR_4)
    thrown(house, played, "Bo", PAIR_7)
    settled(house)
    done(house, played, "void", back_to=first.stream_version, reason="Misread.")
    request = event_of(house, "game.void_requested").stream_version
    done(house, played, "approve", by=house.supervisor, request=request)
    round_played(house, played)
    settled(house)
    return played
