"""G4: a mistake is never edited. Alone, by request and approval, or not at all any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.house.acts.game_streams import occupancy
from casino.play.settlement.models import PrizeRule
from tests.support import builders
from tests.support.playing import (
    PAIR_4,
    PAIR_7,
    ask,
    balances,
    booked_events,
    done,
    float_of,
    game_of,
    new_id,
    opened,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    thrown,
)
from tests.support.voiding import approved, requested, void

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def bottle(house: House, *, at: int) -> None:
    """What the house gives for so many points of Stone Hand."""
    PrizeRule.objects.create(
        establishment=house.establishment,
        ruleset="stone-hand",
        kind=PrizeRule.Kind.POINTS,
        at=at,
        prize="A bottle",
    )


def test_the_last_throw_of_the_running_round_is_voided_alone(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)

    event = void(house, game, 2)

    assert event.event_type == "game.voided"
    assert event.data["asked_by"] == str(house.attendant.pk)
    assert event.data["approved_by"] is None
    current = state(house, game)
    assert current["next"] == {"players": ["Ada"], "may": ["throw"]}
    assert current["throws"][0]["void"] is True


def test_it_may_be_named_by_its_command(house: House) -> None:
    game = opened(house)
    command_id = new_id()
    done(house, game, "throw", player="Ada", dice=list(PAIR_7), command_id=command_id)

    assert void(house, game, command_id).data["back_to"] == 2
    assert refused(house, game, "void", back_to=new_id(), reason="?") == "no_such_event"


def test_what_is_booked_takes_a_second_person(house: House) -> None:
    """
    The seat fee comes with the round's first throw: booked, the throw is the attendant's for the
    house's seconds only.
    """
    fee = {"kind": "seat", "amount": 1}
    game = opened(house, fee=fee)
    thrown(house, game, "Ada", PAIR_7)
    assert void(house, game, 2).event_type == "game.voided"

    thrown(house, game, "Ada", PAIR_7)
    settled(house)

    assert requested(house, game, 5)


class TestRequests:
    def test_an_ended_round_is_voided_by_a_second_person(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        request = requested(house, game, 2)
        assert state(house, game)["stakes"]["Ada"] == 13  # nothing happens yet

        [event] = done(house, game, "approve", by=house.supervisor, request=request)

        assert event.data["asked_by"] == str(house.attendant.pk)
        assert event.data["approved_by"] == str(house.supervisor.pk)
        assert event.provenance.actor == str(house.supervisor.pk)
        current = state(house, game)
        assert (current["stakes"], current["pot"], current["round"]) == (
            {"Ada": 20, "Bo": 20},
            0,
            1,
        )

    def test_nobody_approves_what_they_asked_for(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        [pending] = done(house, game, "void", by=house.supervisor, back_to=2, reason="Misread.")

        answer = {"request": pending.data["request"]}
        assert refused(house, game, "approve", by=house.supervisor, **answer) == "own_request"
        assert ask(house, game, "approve", by=house.manager, **answer).refusal is None

    def test_a_void_cannot_bring_its_own_approval(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)

        code = refused(house, game, "void", back_to=2, reason="Misread.", approved_by="Sela")

        assert code == "approval_is_an_act"

    def test_a_rejected_request_is_over(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        request = requested(house, game, 2)

        [event] = done(house, game, "reject", by=house.manager, request=request, reason="No.")

        assert event.data["rejected_by"] == str(house.manager.pk)
        code = refused(house, game, "approve", by=house.supervisor, request=request)
        assert code == "no_such_request"
        assert state(house, game)["requests"] == []

    def test_play_goes_on_while_a_request_waits(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        request = requested(house, game, 2)
        round_played(house, game)

        # It was asked for one round: two go back only to somebody who says that they saw both.
        answer = {"by": house.supervisor, "request": request}
        assert refused(house, game, "approve", **answer) == "request_grown"
        done(house, game, "approve", **answer, through=8)

        assert state(house, game)["stakes"] == {"Ada": 20, "Bo": 20}


class TestBeyondReversal:
    """What has left the house cannot be moved back."""

    def test_a_cash_out(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"], options={"leave": "refund"})
        round_played(house, game, ("Ada", PAIR_7), ("Bo", PAIR_4), ("Cy", PAIR_4))
        done(house, game, "leave", player="Cy")
        request = requested(house, game, 2)
        settled(house)
        assert refused(house, game, "cash_out", player="Cy", amount=20) == "void_waits"
        done(house, game, "reject", by=house.supervisor, request=request, reason="As thrown.")
        settled(house)
        done(house, game, "cash_out", player="Cy", amount=20)

        assert refused(house, game, "void", back_to=2, reason="?") == "beyond_reversal"
        [behind] = thrown(house, game, "Ada", PAIR_7)
        assert void(house, game, behind.stream_version).event_type == "game.voided"

    def test_an_issued_prize(self, house: House) -> None:
        bottle(house, at=1)
        game = opened(house, options={"mode": "scoreboard"}, stake=0)
        round_played(house, game)  # Bo scores
        request = requested(house, game, 2)
        settled(house)  # the prize waits for the answer
        assert ask(house, game, "reject", by=house.manager, request=request).refusal is None
        settled(house)

        assert [event.event_type for event in booked_events(house, game)] == [
            "settlement.booked",
            "settlement.prize_issued",
        ]
        assert refused(house, game, "void", back_to=2, reason="?") == "beyond_reversal"

    def test_a_prize_reached_in_a_later_game_while_a_request_waits(self, house: House) -> None:
        """Known limit (0077): points of other games count with those that are questioned."""
        bottle(house, at=2)
        first = opened(house, options={"mode": "scoreboard"}, stake=0)
        round_played(house, first)
        request = requested(house, first, 2)
        second = opened(house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0)
        round_played(house, second)
        settled(house)

        code = refused(house, first, "approve", by=house.supervisor, request=request)

        assert code == "beyond_reversal"

    def test_a_prize_reached_in_a_later_game(self, house: House) -> None:
        """The prize rests on the points of both games; neither round is taken back."""
        bottle(house, at=2)
        first = opened(house, options={"mode": "scoreboard"}, stake=0)
        round_played(house, first)
        settled(house)
        second = opened(house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0)
        round_played(house, second)
        settled(house)

        answer = ask(house, first, "void", back_to=2, reason="misread")

        assert answer.refusal is not None
        assert answer.refusal.code == "beyond_reversal"

    def test_the_opening(self, house: House) -> None:
        game = opened(house)

        assert refused(house, game, "void", back_to=1, reason="?") == "opening_not_voided"

    def test_a_void(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        void(house, game, 2)

        assert refused(house, game, "void", back_to=3, reason="?") == "void_not_voided"
        assert refused(house, game, "void", back_to=2, reason="?") == "already_cancelled"
        assert refused(house, game, "void", back_to=9, reason="?") == "no_such_event"


class TestTheEndVoided:
    """A void of what ended a game opens it again, at its table and with its dice."""

    def test_it_takes_table_and_dice_again(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)
        number = game_of(house, game).version + 1
        done(house, game, "close")

        approved(house, game, number)

        assert occupancy.occupant(house.id, f"table/{house.table.pk}") == (str(game), 3)
        assert occupancy.occupant(house.id, f"dice/{house.dice.pk}") == (str(game), 3)
        current = state(house, game)
        assert (current["status"], current["next"]["players"]) == ("open", ["Bo"])
        thrown(house, game, "Bo", PAIR_4)

    def test_not_while_another_game_is_at_the_table(self, house: House) -> None:
        game = opened(house)
        number = game_of(house, game).version + 1
        done(house, game, "close")
        other = opened(house)
        request = requested(house, game, number)

        code = refused(house, game, "approve", by=house.supervisor, request=request)

        assert code == "table_taken"
        done(house, other, "close")
        assert ask(house, game, "approve", by=house.supervisor, request=request).refusal is None

    def test_not_while_the_dice_lie_elsewhere(self, house: House) -> None:
        game = opened(house)
        number = game_of(house, game).version + 1
        done(house, game, "close")
        opened(house, table=house.tables[1])  # takes the first free set: the same
        request = requested(house, game, number)

        code = refused(house, game, "approve", by=house.supervisor, request=request)

        assert code == "dice_taken"

    def test_a_winners_throw_may_be_taken_back(self, house: House) -> None:
        game = opened(house, stake=5)
        round_played(house, game)
        settled(house)
        assert balances(house)[stake_of(house, game, "Bo")] == 10

        approved(house, game, 3)
        settled(house)

        assert balances(house) == {
            float_of(house.table): 10,
            stake_of(house, game, "Ada"): 5,
            stake_of(house, game, "Bo"): 5,
        }
        thrown(house, game, "Bo", (2, 2, 8))
        settled(house)
        assert balances(house)[stake_of(house, game, "Ada")] == 10
