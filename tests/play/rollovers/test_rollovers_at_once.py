"""Many that take, void or deliver a rollover at the same moment do it once (TA10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.play.core import rollover_delivery
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import subscriptions
from tests.support import books
from tests.support.at_once import at_once, on_a_file
from tests.support.playing import ask, ask_open, done, opening, refused, settled, state
from tests.support.rolling import (
    BY_ROUND,
    begun,
    changes,
    closing,
    events_of,
    left_behind,
    lots,
    new_house,
)

if TYPE_CHECKING:
    from pathlib import Path

    from casino.house.establishments.models import Table
    from tests.support.builders import House


@pytest.fixture
def house() -> House:
    return new_house()


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    """The streams' guards decide, on connections of their own."""

    def test_of_many_tables_that_open_one_takes_it(self, tmp_path: Path) -> None:
        house = new_house(tables=4)
        game = left_behind(house)
        settled(house)

        with on_a_file(tmp_path):
            answers = at_once(4, lambda number: ask_open_at(house, house.tables[number]))
            pots = sorted(state(house, answer.key.game)["pot"] for answer in answers)

            assert pots == [2, 2, 2, 4]
            assert lots(house).lots == ()
            assert changes(house) == ["left", "drawn"]
            settled(house)
            books.hold_at_every_moment(house)
            assert refused(house, game, "void", back_to=5, reason="?") == "beyond_reversal"

    def test_of_many_that_open_one_awaits_what_is_not_booked(self, tmp_path: Path) -> None:
        house = new_house(tables=4)
        left_behind(house)

        with on_a_file(tmp_path):
            answers = at_once(4, lambda number: ask_open_at(house, house.tables[number]))
            settled(house)
            pots = sorted(state(house, answer.key.game)["pot"] for answer in answers)

            assert pots == [2, 2, 2, 4]
            assert changes(house) == ["left", "drawn", "arrived"]

    def test_either_the_void_or_the_opening_has_it(self, tmp_path: Path) -> None:
        house = new_house(tables=2)
        game = left_behind(house)
        [event] = done(house, game, "void", back_to=closing(house, game), reason="Misheard.")
        request = event.data["request"]

        def asked(number: int) -> Any:
            if number:
                return ask_open_at(house, house.tables[1])
            return ask(house, game, "approve", by=house.supervisor, request=request)

        with on_a_file(tmp_path):
            approved, opened_at = at_once(2, asked)
            settled(house)

            back = approved.refusal is None
            assert (state(house, game)["pot"], state(house, opened_at.key.game)["pot"]) == (
                (4, 2) if back else (0, 4)
            )
            books.hold_at_every_moment(house)

    def test_many_workers_deliver_it_once(self, tmp_path: Path) -> None:
        house = new_house()
        left_behind(house)
        following = begun(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)

        with on_a_file(tmp_path):
            delivered = at_once(4, lambda _number: rollover_delivery.deliver(house.id))

            assert sum(delivered) == 1
            assert events_of(house, following).count("rollover_arrived") == 1


def ask_open_at(house: House, table: Table) -> Any:
    return ask_open(house, opening(**BY_ROUND), table=table)
