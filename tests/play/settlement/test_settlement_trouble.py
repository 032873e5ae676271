"""A poisoned event stops its own game and is told of; projections are rebuilt from nothing."""

from __future__ import annotations

import uuid
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from casino.office.monitoring import checks as health
from casino.play.core.models import DayFigures, GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement import settled as bookings
from casino.play.settlement.models import Payout
from casino.play.settlement.subscriber import SETTLEMENT
from games.wire import UnknownEventType
from ledger import journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import ParkedEvent
from tests.support import builders
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    ask,
    ask_open,
    balances,
    booked_events,
    done,
    game_of,
    opened,
    pot_of,
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


@pytest.fixture
def house() -> House:
    return builders.house()


def by_hand(
    house: House, stream: str, event_type: str, data: dict[str, Any], *transfers: Any
) -> None:
    """An event that no rules have decided, straight into the ledger."""
    version = journal.versions(establishment=house.id, streams=[stream])[stream]
    command_id = uuid.uuid4()
    journal.append(
        establishment=house.id,
        entries=[
            journal.Entry(
                provenance=journal.Provenance(
                    command_id=command_id,
                    actor="somebody",
                    device="by hand",
                    correlation_id=command_id,
                    causation_id=None,
                    occurred_at=NOW,
                    recorded_at=NOW,
                    gaming_day=NOW.date(),
                ),
                request_hash=sha256(command_id.bytes).digest(),
                guards={stream: version},
                events=(
                    journal.NewEvent(
                        stream=stream, event_type=event_type, schema_version=1, data=data
                    ),
                ),
                transfers=transfers,
            )
        ],
    )


def overpaid(house: House, game: uuid.UUID, amount: int) -> None:
    """A round by which Ada pays more than her stake account holds."""
    ada = token(house, game, "Ada")
    number = state(house, game)["round"]
    payment = {"from": ada, "to": "pot", "amount": amount, "rules": ["SH4"]}
    data = {
        "round": number, "loser": ada, "hand": "pair", "owed": amount, "first": ada,
        "payments": [payment], "points": [], "drinks": 0, "out": [], "rules": ["SH4"],
    }  # fmt: skip
    by_hand(house, f"game/{game}", "stone_hand.round_lost", data)


def parked(house: House) -> list[tuple[str, str, int]]:
    rows = ParkedEvent.objects.filter(establishment=house.id).order_by("subscription", "position")
    return list(rows.values_list("subscription", "stream", "attempts"))


class TestMoneyThatIsNotThere:
    def test_only_its_own_game_waits(self, house: House) -> None:
        game, other = opened(house), opened(house, table=house.tables[1])
        overpaid(house, game, 1000)
        round_played(house, other)
        done(house, game, "close")

        settled(house)

        assert (
            parked(house)
            == [("settlement", f"game/{game}", 1)] + [("settlement", f"game/{game}", 0)] * 3
        )
        assert booked_events(house, game) == []
        assert len(booked_events(house, other)) == 1
        assert subscriptions.lag("settlement", establishment=house.id) == 0
        [cause, *_] = subscriptions.parked_events("settlement", establishment=house.id)
        assert "Overdrawn" in cause.error

    def test_it_is_told_of(self, house: House) -> None:
        game = opened(house)
        settled(house)
        assert health.lag().ok

        overpaid(house, game, 1000)
        settled(house)

        found = health.lag()
        assert not found.ok
        assert found.figures["parked"] == 1

    def test_the_game_shows_how_far_it_is_settled(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        overpaid(house, game, 1000)

        settled(house)

        assert bookings.last_event_handled(game_of(house, game)) == 4
        thrown(house, game, "Ada", PAIR_7)
        settled(house)
        assert bookings.last_event_handled(game_of(house, game)) == 4

    def test_once_the_cause_is_gone_it_is_booked_in_order(self, house: House) -> None:
        game = opened(house)
        ada = stake_of(house, game, "Ada")
        overpaid(house, game, 27)
        settled(house)
        stays = subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")
        assert (stays.handled, stays.parked) == (0, 1)
        assert parked(house) == [("settlement", f"game/{game}", 2)]
        round_played(house, game, ("Ada", PAIR_4), ("Bo", PAIR_7))
        settled(house)

        mend = journal.NewTransfer(
            debit=AccountRef(Kind.BANK, "house"),
            credit=ada,
            amount=7,
            reason="adjustment",
            event=0,
        )
        by_hand(house, f"adjustment/{game}", "adjustment.made", {"reason": "The bug."}, mend)
        mended = subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")

        assert (mended.handled, mended.parked) == (4, 0)
        assert parked(house) == []
        assert [event.data["cause"] for event in booked_events(house, game)] == [2, 5]
        assert balances(house)[pot_of(game)] == 34
        assert health.lag().ok
        round_played(house, game, ("Bo", PAIR_7), ("Ada", PAIR_4))
        settled(house)
        assert parked(house) == []

    def test_the_command_lists_it_and_tries_again(
        self, house: House, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = opened(house)
        ada = stake_of(house, game, "Ada")
        overpaid(house, game, 27)
        settled(house)

        with pytest.raises(SystemExit) as left:
            call_command("parked", "--retry")
        assert left.value.code == 1
        output = capsys.readouterr().out
        assert f"settlement game/{game} " in output
        assert "1 event parked." in output

        bank = AccountRef(Kind.BANK, "house")
        mend = journal.NewTransfer(debit=bank, credit=ada, amount=7, reason="adjustment", event=0)
        by_hand(house, f"adjustment/{game}", "adjustment.made", {"reason": "The bug."}, mend)
        with pytest.raises(SystemExit) as left:
            call_command("parked", "--retry")
        assert left.value.code == 0
        assert parked(house) == []


class TestAnEventThatNobodyKnows:
    def test_only_its_own_game_waits(self, house: House) -> None:
        game, other = opened(house), opened(house, table=house.tables[1])
        settled(house)
        by_hand(house, f"game/{game}", "stone_hand.blessing", {"by": "the river"})
        round_played(house, other)

        settled(house)

        assert parked(house) == [
            ("projections", f"game/{game}", 1),
            ("settlement", f"game/{game}", 1),
        ]
        assert len(booked_events(house, other)) == 1
        assert GameCard.objects.get(game=other).version == 4
        assert not health.lag().ok

    def test_nothing_is_decided_on_what_is_not_understood(self, house: House) -> None:
        game = opened(house)
        by_hand(house, f"game/{game}", "stone_hand.blessing", {"by": "the river"})
        head = journal.head(establishment=house.id)

        with pytest.raises(UnknownEventType):
            ask(house, game, "throw", player="Ada", dice=list(PAIR_7))

        assert journal.head(establishment=house.id) == head
        refusal = ask_open(house).refusal
        assert refusal is not None
        assert refusal.code == "table_taken"
        opened(house, table=house.tables[1])


# --- What screens read ---------------------------------------------------------------------------


def figures(house: House, days_later: int = 0) -> dict[str, int]:
    day = (NOW + timedelta(days=days_later)).date()
    row = DayFigures.objects.filter(establishment=house.establishment, gaming_day=day).first()
    names = ("games", "rounds", "throws", "voids", "bought_in", "staked", "paid", "fees")
    return {name: getattr(row, name) for name in names if getattr(row, name, 0)}


def void_approved(house: House, game: uuid.UUID, back_to: int, **more: Any) -> None:
    [requested] = done(house, game, "void", back_to=back_to, reason="Misread.", **more)
    request = requested.data["request"]
    done(house, game, "approve", by=house.supervisor, request=request, **more)


class TestFigures:
    def test_a_day_is_counted(self, house: House) -> None:
        fee = {"kind": "seat", "amount": 1}
        game = opened(house, stake=8, fee=fee)
        round_played(house, game)

        settled(house)

        assert figures(house) == {
            "games": 1, "rounds": 1, "throws": 2, "bought_in": 16,
            "staked": 7, "paid": 7, "fees": 2,
        }  # fmt: skip

    def test_a_void_takes_back_what_it_cancels(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        void_approved(house, game, 2)

        settled(house)

        assert figures(house) == {"games": 1, "throws": 2, "voids": 1, "bought_in": 40}

    def test_a_void_on_the_next_day(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        void_approved(house, game, 2, now=NOW + timedelta(days=1))

        settled(house)

        assert parked(house) == []
        # B4: what a day that is over came to stays; the money goes back on the day it went back.
        assert figures(house) == {
            "games": 1,
            "rounds": 1,
            "throws": 2,
            "bought_in": 40,
            "staked": 7,
        }
        assert figures(house, 1) == {"voids": 1, "staked": -7}

    def test_a_seat_fee_that_goes_back_is_no_fee(self, house: House) -> None:
        game = opened(house, fee={"kind": "seat", "amount": 1})
        thrown(house, game, "Ada", PAIR_7)
        done(house, game, "close")

        settled(house)

        assert "fees" not in figures(house)

    def test_a_booking_voided_shows_as_reversed(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        void_approved(house, game, 2)
        round_played(house, game, ("Ada", PAIR_4), ("Bo", PAIR_7))

        settled(house)

        rows = Payout.objects.filter(establishment=house.establishment).order_by("position")
        listed = [(row.payer, row.payee, row.amount, row.round, row.state) for row in rows]
        assert listed == [
            (token(house, game, "Ada"), "pot", 7, 1, "reversed"),
            (token(house, game, "Bo"), "pot", 7, 1, "booked"),
        ]

    def test_a_card_follows_its_game(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)
        card = GameCard.objects.get(game=game)
        assert (card.status, card.players, card.round, card.pot) == ("open", 2, 2, 7)

        number = game_of(house, game).version + 1
        done(house, game, "close")
        settled(house)
        card.refresh_from_db()
        assert (card.status, card.round, card.pot, card.version) == ("closed", 2, 0, 7)

        void_approved(house, game, number)
        settled(house)
        card.refresh_from_db()
        assert (card.status, card.round, card.pot) == ("open", 2, 7)


def test_rebuilt_from_nothing_the_read_models_are_the_same(house: House) -> None:
    games = [opened(house, fee={"kind": "seat", "amount": 1}), opened(house, table=house.tables[1])]
    for game in games:
        round_played(house, game)
        settled(house)
        round_played(house, game)
    void_approved(house, games[0], 2, now=NOW + timedelta(days=1))
    done(house, games[1], "close")
    settled(house)
    other = builders.house()
    opened(other)
    settled(other)
    before = everything_shown()

    handled = subscriptions.rebuild(PROJECTIONS, establishment=house.id)

    assert handled == journal.head(establishment=house.id) + 1
    assert everything_shown() == before
    assert len(before[0]) == 3


def test_the_read_models_go_on_where_a_rebuild_left_them(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    PROJECTIONS.forget(house.id)
    assert not Payout.objects.exists()

    subscriptions.rebuild(PROJECTIONS, establishment=house.id)
    round_played(house, game)
    tasks.settle(house.id)
    tasks.advance(PROJECTIONS, house.id)

    assert Payout.objects.filter(establishment=house.establishment).count() == 2
    assert GameCard.objects.get(game=game).version == game_of(house, game).version


def everything_shown() -> list[list[tuple[object, ...]]]:
    return [
        sorted(model._default_manager.values_list(), key=str)
        for model in (GameCard, DayFigures, Payout)
    ]
