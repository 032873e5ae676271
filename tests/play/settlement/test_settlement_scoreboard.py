"""Points and prizes, booked: each once, and taken back with what is voided."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.play.settlement.models import PrizeIssued, PrizeRule, Tally
from ledger.accounts import AccountRef, Kind
from tests.support import builders
from tests.support.playing import (
    PAIR_4,
    PAIR_7,
    TRIAD,
    balances,
    booked_events,
    done,
    game_of,
    nobody_undoes_alone,
    opened,
    round_played,
    settled,
    state,
    thrown,
    token,
)
from tests.support.regrading import differences

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
BANK = AccountRef(Kind.BANK, "house")


@pytest.fixture
def house() -> House:
    return builders.house()


class TestScoreboard:
    """SH13: points as rounds are settled; a prize once."""

    @staticmethod
    def rule(house: House, at: int, *, kind: str = "points", amount: int = 0) -> PrizeRule:
        return PrizeRule.objects.create(
            establishment=house.establishment, kind=kind, at=at, prize="A bottle", amount=amount
        )

    @staticmethod
    def prizes(house: House, game: uuid.UUID) -> list[tuple[str, uuid.UUID]]:
        names = {token(house, game, name): name for name in state(house, game)["stakes"]}
        return [
            (names[event.data["player"]], uuid.UUID(event.data["rule"]))
            for event in booked_events(house, game)
            if event.event_type == "settlement.prize_issued"
        ]

    @staticmethod
    def points(house: House, game: uuid.UUID) -> dict[str, int]:
        names = {token(house, game, name): name for name in state(house, game)["stakes"]}
        tallies = Tally.objects.filter(establishment=house.establishment)
        return {names[each.player]: each.points for each in tallies}

    @staticmethod
    def board(house: House, **more: Any) -> uuid.UUID:
        return opened(house, options={"mode": "scoreboard"}, stake=0, **more)

    @pytest.mark.long("postgresql")
    def test_the_best_throw_scores_at_the_house(self, house: House) -> None:
        first, second = self.board(house), self.board(house, table=house.tables[1])
        for game in (first, second):
            round_played(house, game)  # Bo's 4 is better
        round_played(house, first, ("Ada", PAIR_4), ("Bo", PAIR_7))

        settled(house)

        assert self.points(house, first) == {"Ada": 1, "Bo": 2}

    def test_a_threshold_is_paid_once(self, house: House) -> None:
        rule = self.rule(house, 2, amount=50)
        game = self.board(house)
        for _ in range(4):
            round_played(house, game)
            settled(house)

        assert self.prizes(house, game) == [("Bo", rule.pk)]
        owed = AccountRef(Kind.PRIZES_OWED, token(house, game, "Bo"))
        assert balances(house) == {BANK: -50, owed: 50}

    @pytest.mark.long("postgresql")
    def test_a_prize_that_is_no_money_moves_none(self, house: House) -> None:
        rule = self.rule(house, 1)
        game = self.board(house)
        round_played(house, game)

        settled(house)

        assert self.prizes(house, game) == [("Bo", rule.pk)]
        assert balances(house) == {}

    @pytest.mark.long("postgresql")
    def test_a_place_is_won_by_nobody_while_the_season_runs(self, house: House) -> None:
        """
        SB4: the first point takes no place.

        tests/play/settlement/test_seasons.py has the end of a season.
        """
        self.rule(house, 1, kind="place", amount=50)
        game = self.board(house)
        for _ in range(2):
            round_played(house, game)
            settled(house)

        assert self.prizes(house, game) == []
        assert balances(house) == {}

    @pytest.mark.long("postgresql")
    def test_each_prize_comes_with_the_point_that_reaches_it(self, house: House) -> None:
        rules = {self.rule(house, 1, amount=5).pk, self.rule(house, 2, amount=7).pk}
        game = self.board(house)
        for _ in range(2):
            round_played(house, game)
        [first, second] = [each for each in game_of(house, game).live if each[1].points]
        assert first[0] < second[0]

        settled(house)

        assert {rule for _, rule in self.prizes(house, game)} == rules
        booked_, issued, *_ = booked_events(house, game)
        assert booked_.provenance.command_id == issued.provenance.command_id
        owed = AccountRef(Kind.PRIZES_OWED, token(house, game, "Bo"))
        assert balances(house) == {BANK: -12, owed: 12}

    @pytest.mark.long("postgresql")
    def test_what_is_not_in_force_or_of_another_house_is_no_prize(self, house: House) -> None:
        resting = self.rule(house, 1)
        resting.active = False
        resting.save()
        self.rule(builders.house(), 1)
        game = self.board(house)
        round_played(house, game)

        settled(house)

        assert self.prizes(house, game) == []

    @pytest.mark.long("postgresql")
    def test_a_voided_point_is_taken_back_and_wins_nothing(self, house: House) -> None:
        self.rule(house, 1, amount=50)
        game = self.board(house)
        round_played(house, game)
        [requested] = done(house, game, "void", back_to=2, reason="Misread.")
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])

        settled(house)

        assert self.points(house, game) == {"Ada": 0, "Bo": 0}
        assert self.prizes(house, game) == []
        assert not PrizeIssued.objects.exists()
        round_played(house, game)
        settled(house)
        assert len(self.prizes(house, game)) == 1

    def asked(self, house: House, game: uuid.UUID) -> int:
        """Somebody asks to void a round, and the round is booked while nobody has answered."""
        round_played(house, game)
        [requested] = done(house, game, "void", back_to=2, reason="Misread.")
        settled(house)
        assert self.prizes(house, game) == []
        return int(requested.data["request"])

    @staticmethod
    def scored_last(house: House, game: uuid.UUID) -> int:
        return [number for number, fact in game_of(house, game).live if fact.points][-1]

    @pytest.mark.long("postgresql")
    def test_a_prize_waits_for_a_request_and_goes_back_with_it(self, house: House) -> None:
        self.rule(house, 1, amount=50)
        game = self.board(house)
        request = self.asked(house, game)

        done(house, game, "approve", by=house.supervisor, request=request)
        settled(house)

        assert self.points(house, game) == {"Ada": 0, "Bo": 0}
        assert self.prizes(house, game) == []
        assert balances(house) == {}

    @pytest.mark.long("postgresql")
    def test_a_prize_that_waited_is_issued_once_the_request_is_rejected(self, house: House) -> None:
        rule = self.rule(house, 2, amount=50)
        game = self.board(house)
        request = self.asked(house, game)
        for _ in range(2):
            round_played(house, game)  # Bo reaches the prize, and goes past it
        settled(house)
        assert self.prizes(house, game) == []

        done(house, game, "reject", by=house.supervisor, request=request)
        settled(house)

        assert self.prizes(house, game) == [("Bo", rule.pk)]
        owed = AccountRef(Kind.PRIZES_OWED, token(house, game, "Bo"))
        assert balances(house) == {BANK: -50, owed: 50}
        issued = booked_events(house, game)[-1]
        assert issued.data["cause"] == self.scored_last(house, game)
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_a_prize_waits_for_the_last_of_two_requests(self, house: House) -> None:
        rule = self.rule(house, 1)
        nobody_undoes_alone(house)
        game = self.board(house)
        first = self.asked(house, game)
        round_played(house, game)
        later = self.scored_last(house, game)
        [second] = done(house, game, "void", back_to=later, reason="Misread, too.")

        done(house, game, "reject", by=house.supervisor, request=second.data["request"])
        settled(house)
        assert self.prizes(house, game) == []
        done(house, game, "reject", by=house.supervisor, request=first)
        settled(house)

        assert self.prizes(house, game) == [("Bo", rule.pk)]

    def test_a_point_booked_and_voided_is_taken_back(self, house: House) -> None:
        game = self.board(house)
        round_played(house, game)
        settled(house)
        assert self.points(house, game) == {"Ada": 0, "Bo": 1}
        [requested] = done(house, game, "void", back_to=2, reason="Misread.")
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])

        settled(house)

        assert self.points(house, game) == {"Ada": 0, "Bo": 0}

    @pytest.mark.long("postgresql")
    def test_a_triad_scores_nobody(self, house: House) -> None:
        game = self.board(house)
        thrown(house, game, "Ada", TRIAD)

        settled(house)

        assert booked_events(house, game) == []
