"""What is voided takes a rollover back, unless another game has it (TA10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.play.core import rollover_delivery
from casino.play.settlement.settled import irreversible_in, irreversible_through
from tests.support import books
from tests.support.playing import ask, balances, done, game_of, pot_of, refused, settled, state
from tests.support.rolling import (
    HELD,
    begun,
    changes,
    closing,
    events_of,
    left_behind,
    lots,
    new_house,
    sources,
    voided,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House


@pytest.fixture
def house() -> House:
    return new_house()


@pytest.mark.django_db
class TestVoids:
    """G4: never across what another game has drawn, never lost, never doubled."""

    def test_what_still_waits_is_taken_back(self, house: House) -> None:
        game = left_behind(house)
        settled(house)

        closing_voided(house, game)

        assert lots(house).lots == ()
        assert state(house, game)["pot"] == 2 + 2  # the second round's antes are there again
        settled(house)
        assert HELD not in balances(house)
        assert balances(house)[pot_of(game)] == 4
        assert state(house, begun(house, 1))["pot"] == 2

    def test_before_it_is_booked_as_well(self, house: House) -> None:
        game = left_behind(house)

        closing_voided(house, game)
        settled(house)

        assert balances(house)[pot_of(game)] == 4
        assert changes(house) == ["left", "taken_back"]

    def test_closed_again_it_waits_again(self, house: House) -> None:
        game = left_behind(house)
        closing_voided(house, game)
        done(house, game, "close")
        settled(house)

        assert sources(lots(house).waiting) == [(str(game), 2)]
        assert state(house, begun(house))["pot"] == 4

    @pytest.mark.parametrize("booked", [True, False])
    def test_what_another_game_has_is_beyond_reversal(self, house: House, booked: bool) -> None:  # noqa: FBT001 - a row
        game = left_behind(house)
        if booked:
            settled(house)
        begun(house, 1)
        before = state(house, game)

        code = refused(house, game, "void", back_to=closing(house, game), reason="Misheard.")

        assert code == "beyond_reversal"
        assert "void" not in [row["do"] for row in before["offers"]]
        assert changes(house) == ["left", "drawn"]

    def test_a_request_that_was_overtaken_is_not_approved(self, house: House) -> None:
        game = left_behind(house)
        settled(house)
        [requested] = done(house, game, "void", back_to=closing(house, game), reason="Misheard.")
        begun(house, 1)

        supervisor = house.supervisor
        answer = ask(house, game, "approve", by=supervisor, request=requested.data["request"])

        assert answer.refusal is not None
        assert answer.refusal.code == "beyond_reversal"

    def test_many_games_are_asked_about_with_the_queries_of_one(self, house: House) -> None:
        first, second, third = left_behind(house), left_behind(house, 1), begun(house, 2)
        games = [game_of(house, each) for each in (first, second, third)]
        each_alone = [irreversible_through(loaded) for loaded in games]

        with CaptureQueriesContext(connection) as of_one:
            irreversible_in(house.id, games[:1])
        with CaptureQueriesContext(connection) as of_all:
            together = irreversible_in(house.id, games)

        assert list(together.values()) == each_alone
        assert each_alone[0] >= closing(house, first)
        assert each_alone[2] == 0
        assert len(of_all) == len(of_one)

    def test_an_arrival_that_is_voided_arrives_again(self, house: House) -> None:
        left_behind(house)
        following = begun(house)
        done(house, following, "throw", player="Ada", dice=[1, 1, 1, 1, 1])
        settled(house)
        assert events_of(house, following)[-1] == "rollover_arrived"

        voided(house, following, events_of(house, following).index("dice_thrown") + 1)

        assert state(house, following)["pot"] == 2
        assert lots(house).waiting == ()
        assert rollover_delivery.deliver(house.id) == 0  # the coins are not back in the account yet
        settled(house)
        assert state(house, following)["pot"] == 4
        assert events_of(house, following).count("rollover_arrived") == 2
        assert HELD not in balances(house)
        books.hold_at_every_moment(house)

    def test_what_a_close_gave_back_is_claimed_again(self, house: House) -> None:
        left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")

        closing_voided(house, hurried)

        assert lots(house).waiting == ()
        assert [lot.claimed_by for lot in lots(house).claimed] == [str(hurried)]
        settled(house)
        assert state(house, hurried)["pot"] == 4

    def test_what_a_close_gave_back_to_another_stays_there(self, house: House) -> None:
        left_behind(house)
        hurried = begun(house)
        done(house, hurried, "close")
        begun(house)

        code = refused(house, hurried, "void", back_to=closing(house, hurried), reason="Misheard.")

        assert code == "beyond_reversal"

    def test_the_opening_s_draw_stands(self, house: House) -> None:
        left_behind(house)
        settled(house)
        following = begun(house)

        assert refused(house, following, "void", back_to=2, reason="?") == "opening_not_voided"


def closing_voided(house: House, game: uuid.UUID) -> None:
    voided(house, game, closing(house, game))
