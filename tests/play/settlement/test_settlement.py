"""What the rules decided, booked: once each, in a stream of its own, on its cause's day."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement import settled as bookings
from casino.play.settlement.entries import NAMESPACE
from ledger import journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import CommandReceipt, Transfer
from tests.support import builders
from tests.support.playing import (
    EMPTY,
    NOW,
    PAIR_4,
    PAIR_7,
    TRIPLE_8,
    ask,
    balances,
    booked_events,
    done,
    float_of,
    game_of,
    opened,
    pot_of,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    thrown,
    token,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

FEES = AccountRef(Kind.FEES, "house")
BANK = AccountRef(Kind.BANK, "house")


@pytest.fixture
def house() -> House:
    return builders.house()


def booked(house: House, game: uuid.UUID) -> list[tuple[str, str, int, str]]:
    """The payments that settlement booked, as people read them."""
    body = {token(house, game, name): name for name in state(house, game)["stakes"]}
    return [
        (
            body.get(payment["from"], payment["from"]),
            body.get(payment["to"], payment["to"]),
            payment["amount"],
            " ".join(payment["rules"]),
        )
        for event in booked_events(house, game)
        for payment in event.data.get("payments", ())
    ]


class TestPayouts:
    def test_a_loser_pays_into_the_pool(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)

        settled(house)

        assert booked(house, game) == [("Ada", "pot", 7, "SH4")]
        assert balances(house) == {
            float_of(house.table): 40,
            stake_of(house, game, "Ada"): 13,
            stake_of(house, game, "Bo"): 20,
            pot_of(game): 7,
        }

    def test_nobody_pays_more_than_they_have(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"], stake=10)
        round_played(house, game, ("Ada", TRIPLE_8), ("Bo", TRIPLE_8), ("Cy", TRIPLE_8))
        round_played(house, game, ("Ada", TRIPLE_8), ("Bo", PAIR_4), ("Cy", TRIPLE_8))

        settled(house)

        assert sum(amount for payer, _, amount, _ in booked(house, game) if payer == "Bo") <= 10
        assert state(house, game)["booked"] == state(house, game)["stakes"]

    def test_the_last_with_money_wins_the_pool(self, house: House) -> None:
        game = opened(house, stake=5)
        round_played(house, game)

        settled(house)

        assert booked(house, game) == [("Ada", "pot", 5, "SH4 G2"), ("pot", "Bo", 5, "SH9")]
        assert pot_of(game) not in balances(house)

    def test_who_leaves_forfeits_the_rest(self, house: House) -> None:
        game = opened(house, players=["Ada", "Bo", "Cy"])
        done(house, game, "leave", player="Cy")

        settled(house)

        assert booked(house, game) == [("Cy", "pot", 20, "SH10")]
        assert state(house, game)["booked"] == {"Ada": 20, "Bo": 20, "Cy": 0}

    def test_a_closed_table_shares_the_pool(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        thrown(house, game, "Ada", PAIR_7)
        done(house, game, "close")

        settled(house)

        assert balances(house) == {
            float_of(house.table): 40,
            stake_of(house, game, "Ada"): 13 + 4,  # G5: the odd coin to the first thrower
            stake_of(house, game, "Bo"): 20 + 3,
        }

    def test_the_houses_seat_plays_with_the_banks_money(self, house: House) -> None:
        seats = [{"name": "Ada", "stake": 5}, {"name": "The bank", "stake": 5, "house": True}]
        game = opened(house, players=seats, first="Ada")
        round_played(house, game, ("Ada", PAIR_4), ("The bank", PAIR_7))

        settled(house)

        assert balances(house) == {
            float_of(house.table): 5,
            BANK: -5,
            stake_of(house, game, "Ada"): 10,
        }


class TestFees:
    """G6: booked apart from the players' money."""

    def test_a_rake_is_taken_when_the_pool_is_won(self, house: House) -> None:
        rake = {"kind": "rake", "percent": 10, "cap": 3}
        game = opened(house, players=["Ada", "Bo"], stake=20, fee=rake)
        for _ in range(3):
            round_played(house, game)

        settled(house)

        *_, rake_taken, won = booked(house, game)
        assert rake_taken == ("pot", "house", 2, "G6")  # a tenth of 20
        assert won == ("pot", "Bo", 18, "SH9")
        assert balances(house)[FEES] == 2

    def test_a_seat_fee_comes_with_the_rounds_first_throw(self, house: House) -> None:
        game = opened(house, fee={"kind": "seat", "amount": 1})
        thrown(house, game, "Ada", EMPTY)
        thrown(house, game, "Ada", PAIR_7)

        settled(house)

        assert booked(house, game) == [("Ada", "house", 1, "G6"), ("Bo", "house", 1, "G6")]
        assert balances(house)[FEES] == 2

    def test_a_seat_fee_goes_back_with_its_void_round(self, house: House) -> None:
        game = opened(house, fee={"kind": "seat", "amount": 1})
        thrown(house, game, "Ada", PAIR_7)
        settled(house)
        done(house, game, "close")

        settled(house)

        assert FEES not in balances(house)
        assert state(house, game)["booked"] == {"Ada": 20, "Bo": 20}

    def test_time_is_charged_by_the_clock_at_the_table(self, house: House) -> None:
        game = opened(house, fee={"kind": "time", "amount": 2, "minutes": 30})
        thrown(house, game, "Ada", PAIR_7, now=NOW + timedelta(minutes=65))

        settled(house)

        assert booked(house, game) == [("Ada", "house", 4, "G6"), ("Bo", "house", 4, "G6")]
        assert balances(house)[FEES] == 8


class TestProvenance:
    def test_a_booking_names_its_cause(self, house: House) -> None:
        game = opened(house)
        cause = round_played(house, game)

        settled(house)

        [event] = booked_events(house, game)
        provenance = event.provenance
        assert event.data["cause"] == cause.stream_version
        assert provenance.command_id == uuid.uuid5(NAMESPACE, f"settlement/{cause.event_id}")
        assert provenance.causation_id == cause.event_id
        assert provenance.correlation_id == game
        assert provenance.actor == "settlement"
        assert provenance.occurred_at == cause.provenance.occurred_at

    def test_it_belongs_to_the_day_of_its_cause(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "pause", now=NOW + timedelta(days=9))

        settled(house)

        [event] = booked_events(house, game)
        assert event.provenance.gaming_day == date(2026, 11, 20)

    def test_settlement_writes_to_its_own_streams_alone(self, house: House) -> None:
        games = [opened(house), opened(house, table=house.tables[1])]
        for game in games:
            round_played(house, game)
        before = journal.head(establishment=house.id)

        settled(house)

        written = journal.read(establishment=house.id, after=before, limit=50)
        assert {event.stream for event in written} == {f"settlement/{game}" for game in games}
        assert all(event.provenance.actor == "settlement" for event in written)

    def test_what_moves_no_money_is_not_booked(self, house: House) -> None:
        game = opened(house, options={"mode": "drinks"}, stake=0)
        round_played(house, game)

        settled(house)

        assert booked_events(house, game) == []
        assert state(house, game)["drinks"] == {"Ada": 1, "Bo": 0}


class TestOnce:
    def test_a_task_delivered_twice_books_once(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)

        for _ in range(3):
            tasks.settle(house.id)
            tasks.advance(PROJECTIONS, house.id)

        assert len(booked_events(house, game)) == 1
        assert Transfer.objects.filter(establishment=house.id, reason="SH4").count() == 1

    def test_the_sweep_finds_what_no_wake_told_of(self, house: House) -> None:
        behind = builders.house()
        for each in (house, behind):
            round_played(each, opened(each))
        settled(house)

        lagging = {each.establishment for each in subscriptions.lagging(tasks.SUBSCRIBERS)}

        assert lagging == {behind.id}


class TestPlayedAndBooked:
    def test_a_game_shows_both(self, house: House) -> None:
        game = opened(house)
        settled(house)
        round_played(house, game)

        current = state(house, game)
        assert current["stakes"] == {"Ada": 13, "Bo": 20}
        assert current["booked"] == {"Ada": 20, "Bo": 20}
        assert current["settled_through"] < current["position"]

        settled(house)
        current = state(house, game)
        assert current["booked"] == {"Ada": 13, "Bo": 20}
        assert current["settled_through"] == current["position"]

    def test_the_events_of_other_games_do_not_hold_it_up(self, house: House) -> None:
        game = opened(house)
        settled(house)
        opened(house, table=house.tables[1])

        loaded = game_of(house, game)
        assert bookings.last_event_handled(loaded) == loaded.version


def test_receipts_of_settlement_stand_beside_those_of_people(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)

    [receipt] = CommandReceipt.objects.filter(establishment=house.id, actor="settlement")
    [event] = booked_events(house, game)
    assert receipt.first_position == receipt.last_position == event.position
    assert refused(house, game, "cash_out", player="Bo", amount=1) == "still_playing"
    assert ask(house, game, "close").refusal is None
