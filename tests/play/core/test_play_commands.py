"""Commands put to a game: taken, refused, asked again, and what they do to table and dice."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts.game_streams import occupancy
from casino.play.core import operations
from games.refusals import Malformed, NoGame
from ledger import journal
from ledger.models import CommandReceipt
from tests.support import builders
from tests.support.playing import (
    DEVICE,
    EMPTY,
    HOME,
    NOW,
    PAIR_4,
    PAIR_7,
    ask,
    balances,
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

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def put(house: House, game: uuid.UUID, *raws: dict[str, Any]) -> operations.Run:
    return operations.commands(
        by=house.attendant,
        house=house.establishment,
        game=game,
        raws=raws,
        now=NOW,
        device=DEVICE,
    )


def test_a_throw_says_where_it_was_thrown_and_by_whom_it_was_recorded(house: House) -> None:
    game = opened(house)

    [event] = thrown(house, game, "Ada", PAIR_7, occurred_at="2026-11-20T22:29:30+01:00")

    assert event.data["place"] == {
        "table": str(house.table.pk),
        "dice_set": str(house.dice.pk),
    }
    assert event.data["dice"] == list(PAIR_7)
    provenance = event.provenance
    assert provenance.actor == str(house.attendant.pk)
    assert provenance.device == DEVICE
    assert provenance.occurred_at == NOW - timedelta(seconds=30)
    assert provenance.recorded_at == NOW
    assert provenance.gaming_day == date(2026, 11, 20)
    assert provenance.correlation_id == game


def test_a_round_is_played_to_its_end(house: House) -> None:
    game = opened(house)

    last = round_played(house, game)

    assert last.event_type == "stone_hand.round_lost"
    current = state(house, game)
    assert current["stakes"] == {"Ada": 13, "Bo": 20}
    assert (current["pot"], current["round"], current["first"]) == (7, 2, "Ada")


def test_a_tie_is_thrown_again(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)

    tied = thrown(house, game, "Bo", PAIR_7)
    thrown(house, game, "Ada", PAIR_4)
    lost = thrown(house, game, "Bo", (2, 2, 6))

    assert tied[-1].event_type == "stone_hand.tie_called"
    assert lost[-1].data["loser"] == lost[0].data["player"]
    assert state(house, game)["stakes"] == {"Ada": 20, "Bo": 13}


def test_a_home_throw_starts_the_round_again(house: House) -> None:
    game = opened(house, home_throw=list(HOME), players=["Ada", "Bo", "Cy"])
    thrown(house, game, "Ada", PAIR_7)

    restarted = thrown(house, game, "Bo", HOME)

    assert restarted[-1].event_type == "stone_hand.round_restarted"
    assert state(house, game)["sitting_out"] == ["Bo"]


def test_what_the_rules_refuse_leaves_an_answer_and_no_event(house: House) -> None:
    game = opened(house)
    head = journal.head(establishment=house.id)

    assert refused(house, game, "throw", player="Bo", dice=list(PAIR_7)) == "not_your_turn"
    assert refused(house, game, "throw", player="Zed", dice=list(PAIR_7)) == "unknown_player"
    assert refused(house, game, "throw", player="Ada", dice=[9, 1, 1]) == "no_such_face"
    assert refused(house, game, "throw", player="Ada", dice=[1, 1]) == "wrong_number_of_dice"
    assert refused(house, game, "buy_in", player="Ada", amount=5) == "no_buying_in"
    assert refused(house, game, "open", game="stone-hand", players=["A", "B"]) == "already_open"

    assert journal.head(establishment=house.id) == head
    assert CommandReceipt.objects.filter(refusal_code__isnull=False).count() == 6


class TestAskedAgain:
    def test_the_same_command_gets_the_same_answer_and_happens_once(self, house: House) -> None:
        game = opened(house)
        raw = {"command_id": new_id(), "do": "throw", "player": "Ada", "dice": list(EMPTY)}
        first = put(house, game, raw).answers[0]
        thrown(house, game, "Ada", PAIR_7)

        again = put(house, game, raw).answers[0]

        assert again.receipt.repeated
        assert again.events() == first.events() != []
        assert game_of(house, game).version == 3

    def test_a_refusal_is_kept_though_it_would_be_taken_by_now(self, house: House) -> None:
        game = opened(house)
        raw = {"command_id": new_id(), "do": "throw", "player": "Bo", "dice": list(PAIR_4)}
        first = put(house, game, raw).answers[0]
        thrown(house, game, "Ada", PAIR_7)

        again = put(house, game, raw).answers[0]

        assert again.refusal == first.refusal is not None
        assert not put(house, game, {**raw, "command_id": new_id()}).stopped

    def test_a_refusal_in_the_persons_own_words_is_kept_too(self, house: House) -> None:
        game = opened(house)
        raw = {"command_id": new_id(), "do": "throw", "player": " ", "dice": list(PAIR_4)}

        first, again = (put(house, game, raw).answers[0] for _ in range(2))

        assert first.refusal is not None
        assert first.refusal.code == "empty_name"
        assert again.refusal == first.refusal
        assert again.receipt.repeated

    def test_another_request_under_its_id_is_no_answer(self, house: House) -> None:
        game, other = opened(house), opened(house, table=house.tables[1])
        raw = {"command_id": new_id(), "do": "throw", "player": "Ada", "dice": list(PAIR_7)}
        put(house, game, raw)

        with pytest.raises(journal.CommandReused):
            put(house, game, {**raw, "dice": list(PAIR_4)})
        with pytest.raises(journal.CommandReused):
            put(house, game, {**raw, "occurred_at": "2026-11-20T22:29:30+01:00"})
        with pytest.raises(journal.CommandReused):
            put(house, other, raw)


class TestLists:
    def test_a_list_is_carried_out_in_order_until_the_first_refusal(self, house: House) -> None:
        game = opened(house)
        throws = [("Ada", PAIR_7), ("Ada", PAIR_4), ("Bo", PAIR_4)]
        raws = [
            {"command_id": new_id(), "do": "throw", "player": player, "dice": list(dice)}
            for player, dice in throws
        ]

        run = put(house, game, *raws)

        assert run.stopped
        assert [bool(answer.refusal) for answer in run.answers] == [False, True]
        assert game_of(house, game).version == 2

    def test_a_list_sent_again_goes_on_where_it_was_cut_off(self, house: House) -> None:
        game = opened(house)
        throws = [("Ada", PAIR_7), ("Bo", PAIR_4), ("Ada", PAIR_4)]
        raws = [
            {"command_id": new_id(), "do": "throw", "player": player, "dice": list(dice)}
            for player, dice in throws
        ]
        put(house, game, *raws[:2])

        run = put(house, game, *raws)

        assert [answer.receipt.repeated for answer in run.answers] == [True, True, False]
        assert [len(answer.events()) for answer in run.answers] == [1, 2, 1]

    def test_a_malformed_one_leaves_nothing_half_done(self, house: House) -> None:
        game = opened(house)
        good = {"command_id": new_id(), "do": "throw", "player": "Ada", "dice": list(PAIR_7)}

        for bad in (
            {"command_id": new_id(), "do": "jump"},
            {"command_id": new_id(), "do": "throw", "player": "Bo", "dice": "2-2-4"},
            {"command_id": new_id(), "do": "close", "because": "late"},
            {"do": "close"},
            {"command_id": "17", "do": "close"},
        ):
            with pytest.raises(Malformed):
                put(house, game, good, bad)

        assert game_of(house, game).version == 1


# fmt: off
NO_TIMES = [
    "yesterday",
    "2026-11-20",
    "2026-11-20T22:30:00",           # without an offset
    "0001-01-01T00:00:00+14:00",     # before the first year
    "9999-12-31T23:59:59-12:00",     # behind the last
    "",
]
# fmt: on


@pytest.mark.parametrize("occurred_at", NO_TIMES)
def test_a_time_that_is_none_is_refused_and_the_refusal_kept(
    house: House, occurred_at: str
) -> None:
    game = opened(house)
    raw = {
        "command_id": new_id(),
        "do": "throw",
        "player": "Ada",
        "dice": list(PAIR_7),
        "occurred_at": occurred_at,
    }

    first, again = (put(house, game, raw).answers[0] for _ in range(2))

    assert first.refusal is not None
    assert first.refusal.code == "bad_time"
    assert again.refusal == first.refusal


def test_a_note_that_no_database_can_hold_is_refused(house: House) -> None:
    game = opened(house)

    code = refused(house, game, "no_throw", player="Ada", reason="cocked", note="a\0b")

    assert code == "bad_text"


def test_a_game_of_nobody_or_of_another_house_is_no_game(house: House) -> None:
    elsewhere = opened(builders.house())

    for game in (uuid.uuid4(), elsewhere):
        with pytest.raises(NoGame):
            ask(house, game, "close")


class TestTheEnd:
    def test_closing_frees_table_and_dice(self, house: House) -> None:
        game = opened(house)
        thrown(house, game, "Ada", PAIR_7)

        answer = ask(house, game, "close", reason="Last orders.")

        assert answer.refusal is None
        last = answer.receipt.last_position
        assert last is not None
        assert [event.event_type for event in answer.events()] == [
            "stone_hand.table_closed",
            "stone_hand.round_voided",
            "stone_hand.game_ended",
        ]
        freed = journal.read(establishment=house.id, after=last - 2, limit=5)
        assert [event.event_type for event in freed] == ["table.game_closed", "dice.lifted"]
        assert occupancy.occupant(house.id, f"table/{house.table.pk}") == (None, 2)
        assert occupancy.occupant(house.id, f"dice/{house.dice.pk}") == (None, 2)
        opened(house)

    def test_a_game_that_ends_by_its_rules_frees_them_too(self, house: House) -> None:
        game = opened(house, stake=5)

        last = round_played(house, game)

        assert last.event_type == "stone_hand.game_ended"
        assert state(house, game)["status"] == "closed"
        opened(house)

    def test_nothing_is_thrown_afterwards(self, house: House) -> None:
        game = opened(house)
        done(house, game, "close")

        assert refused(house, game, "throw", player="Ada", dice=list(PAIR_7)) == "game_over"
        assert refused(house, game, "close") == "game_over"


class TestCash:
    """Cash leaves by cash_out alone, and only what is booked."""

    def test_it_waits_for_the_booking(self, house: House) -> None:
        game = opened(house, stake=5)
        round_played(house, game)  # Ada loses 5 of 7 (G2), Bo wins the pool

        assert refused(house, game, "cash_out", player="Bo", amount=10) == "not_settled_yet"
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=10)

        assert balances(house) == {}

    def test_several_are_paid_out_in_a_row(self, house: House) -> None:
        """A cash-out moves its money by itself: the next one waits for no booking."""
        game = opened(house, stake=5)
        round_played(house, game)
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=4)

        assert refused(house, game, "cash_out", player="Bo", amount=7) == "more_than_stake"
        done(house, game, "cash_out", player="Bo", amount=6)

        assert balances(house) == {}

    def test_it_waits_for_the_booking_of_every_throw(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"], options={"leave": "refund"})
        done(house, game, "leave", player="Cy")
        settled(house)
        done(house, game, "cash_out", player="Cy", amount=4)
        done(house, game, "throw", player="Ada", dice=list(PAIR_7))

        assert refused(house, game, "cash_out", player="Cy", amount=6) == "not_settled_yet"
        settled(house)
        done(house, game, "cash_out", player="Cy", amount=6)

    def test_who_still_plays_leaves_first(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"], options={"leave": "refund"})
        settled(house)

        assert refused(house, game, "cash_out", player="Cy", amount=20) == "still_playing"
        done(house, game, "leave", player="Cy")
        settled(house)
        [paid] = done(house, game, "cash_out", player="Cy", amount=20)

        [transfer] = paid.transfers
        assert transfer["reason"] == "cash_out"
        assert balances(house) == {
            float_of(house.table): 40,
            stake_of(house, game, "Ada"): 20,
            stake_of(house, game, "Bo"): 20,
        }

    def test_the_houses_own_seat_is_paid_back_to_the_bank(self, house: House) -> None:
        seats = [{"name": "Ada", "stake": 5}, {"name": "The bank", "stake": 5, "house": True}]
        game = opened(house, players=seats, first="Ada")
        round_played(house, game, ("Ada", PAIR_7), ("The bank", PAIR_4))
        settled(house)

        done(house, game, "cash_out", player="The bank", amount=10)

        held = {account.kind.value: coins for account, coins in balances(house).items()}
        assert held == {"float": 5, "bank": 5}
