"""G4: the last throw is undone alone for the house's seconds, by two clocks (0077)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from casino.kit.approvals.models import ExceptionRow
from tests.support import builders
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    balances,
    done,
    float_of,
    game_of,
    nobody_undoes_alone,
    opened,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    thrown,
)

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def by_device(seconds: float) -> str:
    return at(seconds).strftime("%Y-%m-%dT%H:%M:%SZ")


# fmt: off
# The throw: made on the device, received; the undo: made on the device, received; is it in time?
CLOCKS = [
    # With a line both clocks say the same.
    (0,   0,    30,  30,   True),
    (0,   0,    31,  31,   False),
    # Queued and sent together, long after: the device's clock tells.
    (0,   1200, 30,  1200, True),
    (0,   1200, 31,  1200, False),
    # On its way for a while: the house waits as long again, whatever the device says.
    (0,   0,    10,  60,   True),
    (0,   0,    10,  61,   False),
    # A clock that is slow or fast is so for both.
    (-90, 0,    -65, 25,   True),
    (90,  0,    115, 25,   True),
    (-90, 0,    -55, 35,   False),
    # A clock that was set back tells nothing: the house's own counts.
    (0,   0,    -60, 30,   True),
    (0,   0,    -60, 31,   False),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("row", CLOCKS)
def test_both_clocks_tell_whether_an_undo_comes_in_time(
    house: House, row: tuple[int, int, int, int, bool]
) -> None:
    made, received, undone, reached, in_time = row
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)
    thrown(house, game, "Bo", PAIR_4, now=at(received), occurred_at=by_device(made))

    [event] = done(
        house, game, "void", back_to=3, reason="Misread.",
        now=at(reached), occurred_at=by_device(undone),
    )  # fmt: skip

    assert (event.event_type == "game.voided") == in_time


def test_the_undo_of_a_round_that_ended_moves_everything_back_and_stands_in_the_exceptions(
    house: House,
) -> None:
    game = opened(house)
    round_played(house, game)
    before = game_of(house, game).events[2].position
    settled(house)

    [event] = done(house, game, "void", back_to=3, reason="Misread.", alone=True, now=at(20))
    settled(house)

    assert (event.data["undo"], event.data["approved_by"]) == (True, None)
    assert balances(house) == {
        float_of(house.table): 40,
        stake_of(house, game, "Ada"): 20,
        stake_of(house, game, "Bo"): 20,
    }
    [line] = ExceptionRow.objects.filter(establishment=house.id, what=ExceptionRow.What.VOID)
    assert (line.kind, line.actor, line.before) == ("undo", str(house.attendant.pk), before)
    assert state(house, game)["next"]["players"] == ["Bo"]


@pytest.mark.long("postgresql")
def test_a_house_that_lets_nobody_undo_alone_is_asked(house: House) -> None:
    nobody_undoes_alone(house)
    game = opened(house)
    round_played(house, game)

    assert refused(house, game, "void", back_to=3, reason="?", alone=True) == "undo_too_late"
    [event] = done(house, game, "void", back_to=3, reason="Misread.")
    assert event.event_type == "game.void_requested"


@pytest.mark.long("postgresql")
def test_an_undo_ends_with_the_next_throw(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    thrown(house, game, "Ada", PAIR_7)

    assert refused(house, game, "void", back_to=3, reason="?", alone=True) == "undo_too_late"
    done(house, game, "void", back_to=5, reason="Misread.", alone=True)
    [event] = done(house, game, "void", back_to=3, reason="Misread.", alone=True)
    assert event.data["undo"] is True
