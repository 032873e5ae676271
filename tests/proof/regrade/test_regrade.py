"""Every payout computed once more; a wrong one, planted behind the application's back, is found."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from casino.house.acts.game_streams import catalogue
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout, PrizeIssued, PrizeRule
from casino.proof.disputes.regrade import reading
from games.stone_hand import STONE_HAND
from ledger import journal
from ledger.models import ParkedEvent, Subscription
from tests.forms import LONG_FORM
from tests.games.test_regrade import dearer
from tests.support import builders
from tests.support.playing import NOW, done, opened, round_played, settled
from tests.support.random_player import RandomPlayer
from tests.support.regrading import LOST, differences, event_of, figures, forged, regraded, waiting

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


class TestAsItShouldBe:
    def test_nothing_differs(self, house: House, game: uuid.UUID) -> None:
        assert differences(house) == []
        assert figures(house) == {
            "games": 1, "events": 16, "bookings": 4, "payouts": 3, "differences": 0,
        }  # fmt: skip
        assert game

    @pytest.mark.long("postgresql")
    def test_a_house_without_a_game_is_all_right(self, house: House) -> None:
        assert regraded(house)[0] == 0

    @pytest.mark.long("postgresql")
    def test_what_is_not_settled_waits_and_does_not_differ(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)

        assert differences(house) == []
        [waits] = waiting(house)
        assert (waits["game"], waits["why"]) == (str(game), "not_settled")

    @pytest.mark.long("postgresql")
    def test_what_is_parked_waits_and_does_not_differ(self, house: House, game: uuid.UUID) -> None:
        lost = round_played(house, game)
        settled_but_parked(house, game, lost.position)

        assert differences(house) == []
        [waits] = waiting(house)
        assert (waits["why"], waits["position"]) == ("parked", lost.position)

    @pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
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
        assert "Ada to pot: 8\N{NO-BREAK SPACE}r." in out.getvalue()
        assert "1 game, 5 events, 1 payout regraded: 1 difference." in out.getvalue()


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

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_nothing_stops_where_nothing_differs(self, house: House) -> None:
        _, lines = regraded(house)
        assert {line["what"] for line in lines} == {"figures"}
        assert payout_holds.stop_now(house.id) is None

    @pytest.mark.long("postgresql")
    def test_by_todays_rules_nothing_stops(
        self, house: House, game: uuid.UUID, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(catalogue._CURRENT, "stone-hand", dearer(STONE_HAND))
        assert differences(house, "--current")
        assert payout_holds.stop_now(house.id) is None
        assert game

    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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

    @pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_agrees(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games by chance: voids before settlement and after, requests, fees, cash, points."""
    monkeypatch.setattr(reading, "SLICE", 40)
    house = builders.house(dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=2)
    croupier = RandomPlayer(house, Random(seed))  # noqa: S311 - the same in every run
    for step in range(150 if LONG_FORM else 60):
        croupier.does_something()
        if step % 20 == 0:
            settled(house)

    assert differences(house) == []
    settled(house)
    assert differences(house) == []
    assert waiting(house) == []
