"""Every payout computed once more; a wrong one, planted behind the application's back, is found."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from casino.game_streams import catalogue
from casino.regrade import reading
from casino.settlement import payout_holds
from casino.settlement.models import Payout, PrizeIssued, PrizeRule, Tally
from games.stone_hand import STONE_HAND
from ledger import journal, wire
from ledger.models import ParkedEvent, Subscription, Transfer
from tests.games.test_regrade import dearer
from tests.support import builders
from tests.support.croupier import Croupier
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    TRIPLE_8,
    done,
    opened,
    round_played,
    settled,
    thrown,
)
from tests.support.regrading import (
    by_hand,
    differences,
    event_of,
    figures,
    forged,
    regraded,
    waiting,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
LOST, THROWN, BOOKED = "stone_hand.round_lost", "stone_hand.dice_thrown", "settlement.booked"


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> uuid.UUID:
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


def summary(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["kind"], each["what"]) for each in found]


class TestAsItShouldBe:
    def test_nothing_differs(self, house: House, game: uuid.UUID) -> None:
        assert differences(house) == []
        assert figures(house) == {
            "games": 1, "events": 16, "bookings": 4, "payouts": 3, "differences": 0,
        }  # fmt: skip
        assert game

    def test_a_house_without_a_game_is_all_right(self, house: House) -> None:
        assert regraded(house)[0] == 0

    def test_what_is_not_settled_waits_and_does_not_differ(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)

        assert differences(house) == []
        [waits] = waiting(house)
        assert (waits["game"], waits["why"]) == (str(game), "not_settled")

    def test_what_is_parked_waits_and_does_not_differ(self, house: House, game: uuid.UUID) -> None:
        lost = round_played(house, game)
        settled_but_parked(house, game, lost.position)

        assert differences(house) == []
        [waits] = waiting(house)
        assert (waits["why"], waits["position"]) == ("parked", lost.position)

    def test_prizes_and_points(self, house: House) -> None:
        PrizeRule.objects.create(
            establishment=house.establishment, kind="points", at=1, prize="A cup", amount=7
        )
        game = opened(house, stake=0, options={"mode": "scoreboard"})
        round_played(house, game)
        settled(house)

        assert PrizeIssued.objects.count() == 1
        assert differences(house) == []


def settled_but_parked(house: House, game: uuid.UUID, position: int) -> None:
    """As followers leave it: the cursors move on, the stream waits."""
    for name in ("settlement", "projections"):
        ParkedEvent.objects.create(
            establishment=house.id, subscription=name, position=position, stream=f"game/{game}",
            error="poisoned", parked_at=NOW, attempts=1,
        )  # fmt: skip
    Subscription.objects.filter(establishment=house.id).update(position=position)


@pytest.mark.usefixtures("game")
class TestForged:
    """Each by hand in the database, past every trigger."""

    def test_an_amount_in_a_round_that_was_lost(self, house: House) -> None:
        forged(event_of(house, LOST), lambda body: body["data"]["payments"][0].update(amount=3))

        [found] = differences(house)

        assert (found["kind"], found["what"], found["round"]) == ("event", "altered", 1)
        assert found["expected"]["payments"][0]["amount"] == 7
        assert found["found"]["payments"][0]["amount"] == 3
        because = found["because"]
        assert because["expected"]["payments"][0]["amount"] == 7
        assert because["found"]["payments"][0]["amount"] == 3
        assert because["expected"]["because"].startswith("Ada threw 2-2-7")

    def test_who_lost(self, house: House) -> None:
        event = event_of(house, LOST)
        tokens = [seat["name"] for seat in opening_data(house)["players"]]

        def other(body: dict[str, Any]) -> None:
            body["data"].update(loser=tokens[1], first=tokens[1])
            body["data"]["payments"][0]["from"] = tokens[1]

        forged(event, other)

        found = differences(house)

        assert ("event", "altered") in summary(found)
        assert found[0]["expected"]["loser"] == "Ada"
        assert found[0]["found"]["loser"] == "Bo"

    def test_a_die(self, house: House) -> None:
        forged(event_of(house, THROWN), lambda body: body["data"].update(dice=[2, 2, 1]))

        found = differences(house)

        assert ("event", "altered") in summary(found)
        assert {each["round"] for each in found} >= {1}

    def test_a_throw_out_of_turn_is_refused_now(self, house: House) -> None:
        tokens = [seat["name"] for seat in opening_data(house)["players"]]
        forged(event_of(house, THROWN), lambda body: body["data"].update(player=tokens[1]))

        found = differences(house)

        assert found[0]["what"] == "refused"
        assert "throws, not" in found[0]["said"]

    def test_a_booked_payment(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["data"]["payments"][0].update(amount=70))

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("booking", "altered")
        assert found["expected"]["payments"][0]["amount"] == 7
        assert found["found"]["payments"][0]["amount"] == 70
        assert found["because"]["expected"]["because"]

    def test_a_transfer_in_the_body_of_a_booking(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["transfers"][0].update(amount=70))

        assert summary(differences(house)) == [("transfer", "altered"), ("transfer", "altered")]

    def test_a_reversal_that_gives_back_less(self, house: House) -> None:
        reversed_ = event_of(house, "settlement.reversed")
        forged(reversed_, lambda body: body["data"].update(reverses=[]))

        assert ("booking", "altered") in summary(differences(house))

    def test_a_row_of_a_transfer(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        changed("ledger_transfer", "amount = 70", row)

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("transfer", "altered")
        assert (found["expected"][0][3], found["found"][0][3]) == (7, 70)

    def test_a_row_of_a_transfer_that_is_gone(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        by_hand("DELETE FROM ledger_transfer WHERE transfer_id = %s", [key(row.transfer_id)])

        assert summary(differences(house)) == [("transfer", "missing")]

    def test_a_row_of_a_transfer_too_many(self, house: House) -> None:
        row = Transfer.objects.filter(reason="SH4").order_by("position")[0]
        by_hand(
            "INSERT INTO ledger_transfer SELECT %s, establishment, position, seq + 7, debit_kind,"
            " debit_name, credit_kind, credit_name, amount, reason, reverses"
            " FROM ledger_transfer WHERE transfer_id = %s",
            [key(uuid.uuid4()), key(row.transfer_id)],
        )

        assert summary(differences(house)) == [("transfer", "unexpected")]

    def test_an_altered_payout(self, house: House) -> None:
        Payout.objects.filter(round=1).update(amount=70)

        [found] = differences(house)

        assert (found["kind"], found["what"], found["round"]) == ("payout", "altered", 1)
        assert (found["expected"]["amount"], found["found"]["amount"]) == (7, 70)

    def test_a_payout_that_counts_although_it_was_taken_back(self, house: House) -> None:
        Payout.objects.update(state="booked")

        [found] = differences(house)

        assert (found["expected"]["state"], found["found"]["state"]) == ("reversed", "booked")

    def test_a_payout_never_shown(self, house: House) -> None:
        Payout.objects.filter(round=1).delete()

        assert summary(differences(house)) == [("payout", "missing")]

    def test_a_payout_of_a_game_that_never_was(self, house: House) -> None:
        row = Payout.objects.filter(round=1).get()
        row.pk = (row.establishment_id, row.position, 5)
        row.game = uuid.uuid4()
        row.save(force_insert=True)

        [found] = differences(house)

        assert (found["kind"], found["what"]) == ("payout", "unexpected")

    def test_a_payout_shown_twice(self, house: House) -> None:
        row = Payout.objects.filter(round=1).get()
        row.pk = (row.establishment_id, row.position, 1)
        row.save(force_insert=True)

        assert summary(differences(house)) == [("payout", "unexpected")]

    def test_a_payout_booked_twice(self, house: House, game: uuid.UUID) -> None:
        booked_again(house, game)
        settled(house)

        assert ("booking", "twice") in summary(differences(house))

    def test_a_booking_for_what_moved_nothing(self, house: House, game: uuid.UUID) -> None:
        booked_again(house, game, cause=2)  # Ada's first throw

        assert summary(differences(house)) == [("booking", "unexpected")]

    def test_a_payout_never_booked(self, house: House) -> None:
        last = event_of(house, BOOKED, 2)
        by_hand("DELETE FROM ledger_event WHERE event_id = %s", [key(last.event_id)])

        assert ("booking", "missing") in summary(differences(house))

    def test_an_event_that_is_gone(self, house: House) -> None:
        by_hand(
            "DELETE FROM ledger_event WHERE event_id = %s", [key(event_of(house, THROWN).event_id)]
        )

        found = differences(house)

        assert ("event", "missing") in summary(found)
        assert found[0]["said"] == "Event 2 is missing from the ledger."

    def test_what_cannot_be_read(self, house: House) -> None:
        forged(event_of(house, LOST), lambda body: body.update(data=7))

        assert ("event", "unreadable") in summary(differences(house))

    def test_rules_that_nobody_has(self, house: House) -> None:
        forged(
            event_of(house, "stone_hand.game_opened"),
            lambda body: body["data"].update(rules_version=77),
        )

        assert summary(differences(house)) == [("event", "unreadable")]


class TestTheScoreboard:
    @pytest.fixture(autouse=True)
    def _scored(self, house: House) -> None:
        PrizeRule.objects.create(
            establishment=house.establishment, kind="points", at=1, prize="A cup", amount=7
        )
        game = opened(house, stake=0, options={"mode": "scoreboard"})
        round_played(house, game, ("Ada", TRIPLE_8), ("Bo", PAIR_4))
        settled(house)

    def test_points_from_nowhere(self, house: House) -> None:
        Tally.objects.update(points=5)

        [found] = differences(house)

        assert (found["kind"], found["expected"], found["found"]) == (
            "points", {"Ada": "1"}, {"Ada": "5"},
        )  # fmt: skip

    def test_points_booked_to_another(self, house: House) -> None:
        forged(event_of(house, BOOKED), lambda body: body["data"].update(points={"p-x": 3}))

        assert summary(differences(house))[0] == ("booking", "altered")

    def test_a_prize_that_nothing_tells_of(self, house: House) -> None:
        issued = PrizeIssued.objects.get()
        issued.pk = (house.id, uuid.uuid4(), issued.player)
        issued.save(force_insert=True)

        assert summary(differences(house)) == [("prize", "unexpected")]

    def test_a_prize_of_another_worth(self, house: House) -> None:
        forged(event_of(house, "settlement.prize_issued"), lambda b: b["data"].update(amount=70))

        [found] = differences(house)

        assert (found["kind"], found["said"]) == ("prize", "Another amount was moved.")


class TestByTodaysRules:
    @pytest.fixture(autouse=True)
    def _dearer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A second version, by which a loser pays a coin more, is on offer from now on."""
        monkeypatch.setitem(catalogue._BY_VERSION, ("stone_hand", 2), dearer(STONE_HAND))
        monkeypatch.setitem(catalogue._CURRENT, "stone-hand", dearer(STONE_HAND))

    @pytest.fixture
    def old(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        """A round that was played before."""
        with monkeypatch.context() as before:
            before.setitem(catalogue._CURRENT, "stone-hand", STONE_HAND)
            round_played(house, opened(house))
        settled(house)

    @pytest.mark.usefixtures("old")
    def test_what_they_would_have_paid_is_information(self, house: House) -> None:
        assert differences(house) == []

        [found] = differences(house, "--current")

        assert found["expected"]["payments"][0]["amount"] == 8
        assert found["found"]["payments"][0]["amount"] == 7
        assert found["because"]["expected"]["payments"][0]["amount"] == 8

    @pytest.mark.usefixtures("old")
    def test_for_people(self, house: House) -> None:
        out = StringIO()
        call_command(
            "regrade", "--current", "--workers=1", f"--establishment={house.establishment}",
            stdout=out,
        )  # fmt: skip

        assert "by today's rules, for information" in out.getvalue()
        assert "Ada to pot: 8." in out.getvalue()
        assert "1 games, 5 events, 1 payouts regraded: 1 differences." in out.getvalue()


class TestStops:
    """E2: what differs stops payouts, whoever asked; the command says so."""

    def test_e2_the_command_stops_the_payouts_of_a_house_that_differs(
        self, house: House, game: uuid.UUID
    ) -> None:
        other = builders.house()
        Payout.objects.filter(game=game, seq=0).update(amount=99)

        status, lines = regraded(house)

        assert status == 1
        assert [line["payouts"] for line in lines if line["what"] == "payouts"] == [
            {"stopped": True}
        ]
        stop = payout_holds.stop_now(house.id)
        assert stop is not None
        assert stop.why == "regrade"
        assert payout_holds.stop_now(other.id) is None

    @pytest.mark.usefixtures("game")
    def test_nothing_stops_where_nothing_differs(self, house: House) -> None:
        _, lines = regraded(house)
        assert {line["what"] for line in lines} == {"figures"}
        assert payout_holds.stop_now(house.id) is None

    def test_by_todays_rules_nothing_stops(
        self, house: House, game: uuid.UUID, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(catalogue._CURRENT, "stone-hand", dearer(STONE_HAND))
        assert differences(house, "--current")
        assert payout_holds.stop_now(house.id) is None
        assert game

    def test_where_it_cannot_be_written_it_says_so(
        self, house: House, game: uuid.UUID, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on a replica: the database refuses, and the exit status is the same."""
        Payout.objects.filter(game=game, seq=0).update(amount=99)

        def is_read_only(**_entry: Any) -> None:
            raise OperationalError("attempt to write a readonly database")

        monkeypatch.setattr(journal, "append", is_read_only)
        status, lines = regraded(house)

        assert status == 1
        [payouts] = [line["payouts"] for line in lines if line["what"] == "payouts"]
        assert payouts["stopped"] is False
        assert "readonly" in payouts["said"]

    def test_people_read_it(self, house: House, game: uuid.UUID) -> None:
        Payout.objects.filter(game=game, seq=0).update(amount=99)
        out = StringIO()
        with pytest.raises(SystemExit):
            call_command(
                "regrade", "--workers=1", f"--establishment={house.establishment}", stdout=out
            )
        assert "Payouts of this house are stopped until two people resume them" in out.getvalue()


class TestPeriods:
    @pytest.fixture
    def days(self, house: House) -> list[uuid.UUID]:
        """A game on the first day, one on the second, and one on both."""
        first = opened(house, stake=60)
        round_played(house, first)
        done(house, first, "close")
        both = opened(house, stake=60)
        round_played(house, both)
        settled(house)
        tomorrow = NOW + timedelta(days=1)
        round_played(house, both, now=tomorrow)
        second = opened(house, stake=60, table=house.tables[1], now=tomorrow)
        round_played(house, second, now=tomorrow)
        settled(house)
        return [first, second, both]

    @pytest.mark.rows(7)
    @pytest.mark.usefixtures("days")
    @pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
    @pytest.mark.rows(3)
    @pytest.mark.parametrize(
        ("options", "games"),
        [
            ([], 3),
            (["--until=2026-11-20"], 2),
            (["--since=2026-11-21"], 2),
            (["--since=2026-11-20", "--until=2026-11-21"], 3),
            (["--since=2026-11-22"], 0),
        ],
    )
    def test_a_game_is_graded_once_and_whole(
        self,
        house: House,
        monkeypatch: pytest.MonkeyPatch,
        size: int,
        options: list[str],
        games: int,
    ) -> None:
        monkeypatch.setattr(reading, "SLICE", size)

        assert figures(house, *options)["games"] == games
        assert differences(house, *options) == []

    @pytest.mark.usefixtures("days")
    def test_a_forgery_is_found_in_its_period(self, house: House) -> None:
        forged(event_of(house, LOST, 2), lambda body: body["data"]["payments"][0].update(amount=3))

        assert differences(house, "--until=2026-11-20") != []  # the game goes on into the next day
        forged(event_of(house, LOST, 3), lambda body: body["data"]["payments"][0].update(amount=3))
        found = differences(house, "--until=2026-11-20")
        assert {each["event"] for each in found} == {7}

    @pytest.mark.parametrize(
        "options",
        [
            ["--since=2026-11-21", "--until=2026-11-20"],
            ["--workers=0"],
            ["--establishment=Nowhere"],
        ],
    )
    def test_what_cannot_be_done_is_exit_2(self, options: list[str]) -> None:
        with pytest.raises(CommandError) as refused:
            call_command("regrade", *options)

        assert refused.value.returncode == 2


@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_agrees(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games by chance: voids before settlement and after, requests, fees, cash, points."""
    monkeypatch.setattr(reading, "SLICE", 40)
    house = builders.house(dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=2)
    croupier = Croupier(house, Random(seed))  # noqa: S311 - the same in every run
    for step in range(150):
        croupier.does_something()
        if step % 20 == 0:
            settled(house)

    assert differences(house) == []
    settled(house)
    assert differences(house) == []
    assert waiting(house) == []


def opening_data(house: House) -> dict[str, Any]:
    opening = event_of(house, "stone_hand.game_opened")
    data: dict[str, Any] = json.loads(bytes(opening.body))["data"]
    return data


def key(value: uuid.UUID) -> Any:
    return value if connection.vendor == "postgresql" else value.hex


def changed(table: str, how: str, row: Transfer) -> None:
    by_hand(f"UPDATE {table} SET {how} WHERE transfer_id = %s", [key(row.transfer_id)])  # noqa: S608


def booked_again(house: House, game: uuid.UUID, **otherwise: Any) -> None:
    """As a worker with a mistake in it would: properly appended, under another command id."""
    stream = f"settlement/{game}"
    first, *_, last = journal.stream(establishment=house.id, stream=stream)
    journal.append(
        establishment=house.id,
        entries=[
            journal.Entry(
                provenance=replace(first.provenance, command_id=uuid.uuid4()),
                request_hash=bytes(32),
                guards={stream: last.stream_version},
                events=(
                    journal.NewEvent(
                        stream=stream,
                        event_type=BOOKED,
                        schema_version=1,
                        data={**first.data, **otherwise},
                    ),
                ),
                transfers=tuple(
                    replace(each, event=0, transfer_id=uuid.uuid4())
                    for each in wire.read_transfers(first)
                ),
            )
        ],
    )
