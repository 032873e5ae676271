"""Seasons of a scoreboard: opened, ended, closed with their final table and its prizes (SB)."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.floor.players.models import PrizeToHandOut
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import PrizeIssued, PrizeRule, Scoreboard, Season, Tally
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from ledger import journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import Event
from tests.support import builders
from tests.support.dayend import CUT_OFF, TODAY, TOMORROW, closed
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    TRIPLE_8,
    balances,
    booked_events,
    done,
    opened,
    refused,
    round_played,
    settled,
    token,
)
from tests.support.regrading import differences, forged

if TYPE_CHECKING:
    import uuid

    from ledger.wire import StoredEvent
    from tests.support.builders import House

FOUR = ("Ada", "Bo", "Cy", "Di")
BANK = AccountRef(Kind.BANK, "house")
ROWS = (Season, Tally, PrizeIssued)
NEXT_NIGHT = CUT_OFF + timedelta(hours=12)


@pytest.fixture
def house() -> House:
    return builders.house()


def keeps(house: House, season: str, **more: Any) -> Scoreboard:
    return Scoreboard.objects.create(establishment=house.establishment, season=season, **more)


def prize(house: House, at: int, amount: int = 0, *, kind: str = "place") -> PrizeRule:
    return PrizeRule.objects.create(
        establishment=house.establishment, kind=kind, at=at, prize=f"{kind} {at}", amount=amount
    )


def board(house: House, **more: Any) -> uuid.UUID:
    return opened(house, players=["Eve", *FOUR], options={"mode": "scoreboard"}, stake=0, **more)


def everybody_scores(house: House, game: uuid.UUID, **more: Any) -> StoredEvent:
    """A round in which four are best, and Eve loses."""
    return round_played(house, game, ("Eve", PAIR_7), *((each, PAIR_4) for each in FOUR), **more)


def events(house: House) -> list[StoredEvent]:
    return journal.stream(establishment=house.id, stream="season/stone-hand")


def stored(house: House, number: int) -> Event:
    return Event.objects.filter(establishment=house.id, stream="season/stone-hand").order_by(
        "stream_version"
    )[number]


def types(house: House) -> list[str]:
    return [f"{event.event_type} {event.data['season']}" for event in events(house)]


def states(house: House) -> list[tuple[int, str]]:
    rows = Season.objects.filter(establishment=house.id).order_by("number")
    return list(rows.values_list("number", "state"))


def tallies(house: House, number: int) -> list[int]:
    """The points of each player; Eve, the first, has none."""
    eve, *others = sorted(each.points for each in seasons.of_season(house.id, "stone-hand", number))
    assert eve == 0
    return others


@pytest.mark.django_db
class TestASeason:
    def test_places_are_decided_when_it_is_closed(self, house: House) -> None:
        """Four who each score once share 30, 20 and 10: 60 in all, not 240."""
        keeps(house, "day")
        for at, amount in ((1, 30), (2, 20), (3, 10)):
            prize(house, at, amount)
        game = board(house)
        everybody_scores(house, game)
        settled(house)
        assert balances(house) == {}

        closed(house)
        settled(house)

        owed = {AccountRef(Kind.PRIZES_OWED, token(house, game, each)): 15 for each in FOUR}
        assert balances(house) == {BANK: -60, **owed}
        opening, final, *_ = events(house)
        assert opening.data == {
            "season": 1, "length": "day", "first_day": str(TODAY), "last_day": str(TODAY),
        }  # fmt: skip
        assert {
            (each["place"], each["points"], each["rounds"]) for each in final.data["table"]
        } == {(1, 1, 1)}
        assert types(house) == [
            "season.opened 1", "season.closed 1", *["settlement.prize_issued 1"] * 4,
            "season.opened 2",
        ]  # fmt: skip
        waiting = PrizeToHandOut.objects.filter(establishment=house.id, handed_at=None)
        assert list(waiting.values_list("amount", "game")) == [(15, None)] * 4
        assert differences(house) == []

    def test_the_next_begins_at_nothing_and_wins_its_thresholds_again(self, house: House) -> None:
        keeps(house, "day")
        rule = prize(house, 1, 5, kind="points")
        game = board(house)
        everybody_scores(house, game)
        everybody_scores(house, game)
        closed(house)
        settled(house)
        everybody_scores(house, game, now=NEXT_NIGHT)
        settled(house)

        assert (tallies(house, 1), tallies(house, 2)) == ([2] * 4, [1] * 4)
        issued = PrizeIssued.objects.filter(establishment=house.id, rule=rule.pk)
        assert Counter(issued.values_list("season", flat=True)) == {1: 4, 2: 4}
        assert balances(house)[BANK] == -40
        assert differences(house) == []

    def test_a_point_counts_for_the_season_of_its_gaming_day(self, house: House) -> None:
        """The next day has begun and the one before is not closed: both seasons take points."""
        keeps(house, "day")
        game = board(house)
        everybody_scores(house, game)
        everybody_scores(house, game, now=NEXT_NIGHT)
        settled(house)
        assert states(house) == [(1, "ended"), (2, "open")]

        closed(house, now=NEXT_NIGHT)
        settled(house)

        assert states(house) == [(1, "closed"), (2, "open")]
        assert (tallies(house, 1), tallies(house, 2)) == ([1] * 4, [1] * 4)
        assert differences(house) == []

    def test_it_is_closed_although_nobody_came_on_its_last_day(self, house: House) -> None:
        keeps(house, "until", until=TOMORROW)
        everybody_scores(house, board(house))
        closed(house)
        settled(house)
        assert states(house) == [(1, "open")]

        week_later = NOW + timedelta(days=7)
        closed(house, TOMORROW, now=week_later)
        settled(house)

        assert states(house) == [(1, "closed"), (2, "open")]
        assert Season.objects.get(establishment=house.id, number=2).last_day is None

    def test_a_parked_game_holds_the_season_until_it_is_booked(self, house: House) -> None:
        keeps(house, "day")
        prize(house, 1, 30)
        game = board(house)
        everybody_scores(house, game)
        settled(house)
        ada = Tally.objects.filter(establishment=house.id, player=token(house, game, "Ada"))
        ada.update(share="1/0")  # nothing can be added to this: her next point is parked
        best = {"Ada": TRIPLE_8, "Eve": PAIR_7}
        round_played(house, game, *((each, best.get(each, PAIR_4)) for each in ("Eve", *FOUR)))
        settled(house)
        ada.update(share="0")
        everybody_scores(house, board(house, table=house.tables[1], now=NEXT_NIGHT), now=NEXT_NIGHT)
        closed(house, now=NEXT_NIGHT)
        settled(house)
        assert states(house) == [(1, "ended"), (2, "open")]

        subscriptions.retry(SETTLEMENT, establishment=house.id, stream=f"game/{game}")
        settled(house)

        assert states(house) == [(1, "closed"), (2, "open")]
        assert tallies(house, 1) == [1, 1, 1, 2]
        [won] = PrizeIssued.objects.filter(establishment=house.id)
        assert won.player == token(house, game, "Ada")
        assert differences(house) == []

    def test_a_place_that_was_won_keeps_no_round_of_the_next_season(self, house: House) -> None:
        keeps(house, "day")
        prize(house, 1, 30)
        game = board(house)
        everybody_scores(house, game)
        closed(house)
        settled(house)
        later = everybody_scores(house, game, now=NEXT_NIGHT)
        settled(house)

        [asked] = done(
            house, game, "void", back_to=later.stream_version, reason="?", now=NEXT_NIGHT
        )
        if asked.event_type == "game.void_requested":
            done(
                house, game, "approve", by=house.supervisor, request=asked.data["request"],
                now=NEXT_NIGHT,
            )  # fmt: skip
        settled(house)

        assert tallies(house, 2) == [0] * 4
        assert refused(house, game, "void", back_to=2, reason="?", now=NEXT_NIGHT) == (
            "beyond_reversal"
        )
        assert differences(house) == []

    def test_another_length_holds_from_the_next_season_on(self, house: House) -> None:
        kept = keeps(house, "day")
        game = board(house)
        everybody_scores(house, game)
        settled(house)
        kept.season = "week"
        kept.save()
        assert Season.objects.get(establishment=house.id).last_day == TODAY

        closed(house)
        settled(house)

        later = Season.objects.get(establishment=house.id, number=2)
        assert (later.first_day, later.last_day) == (TOMORROW, TOMORROW + timedelta(days=1))

    def test_what_was_booked_before_there_were_seasons_is_the_first(self, house: House) -> None:
        game = board(house)
        everybody_scores(house, game)
        settled(house)
        [booked] = booked_events(house, game)
        old = {**booked.data}
        del old["season"], old["played"]

        assert [(each.season, each.rounds) for each in scoreboard.changes_of(old)] == [(1, 0)] * 4

    def test_one_runs_at_a_time(self, house: House) -> None:
        everybody_scores(house, board(house))
        settled(house)

        with pytest.raises(IntegrityError), transaction.atomic():
            Season.objects.create(establishment=house.establishment, ruleset="stone-hand", number=2)

    def test_a_day_that_has_passed_ends_none(self, house: House) -> None:
        long_ago = Scoreboard(
            establishment=house.establishment, season="until", until=date(2020, 1, 1)
        )

        with pytest.raises(ValidationError, match="This day has passed"):
            long_ago.full_clean()

    @pytest.mark.parametrize("forging", ["table", "prize", "row"])
    def test_a_regrade_finds_another_end(self, house: House, forging: str) -> None:
        keeps(house, "day")
        prize(house, 1, 30)
        everybody_scores(house, board(house))
        closed(house)
        settled(house)
        if forging == "row":
            PrizeIssued.objects.filter(establishment=house.id).first().delete()  # type: ignore[union-attr]
        elif forging == "table":
            forged(stored(house, 1), lambda body: body["data"]["table"][0].update(points=7))
        else:
            forged(stored(house, 2), lambda body: body["data"].update(amount=70))

        found = {(each["kind"], each["what"]) for each in differences(house)}

        assert ("points" if forging == "table" else "prize", "altered") in found


@pytest.mark.django_db(transaction=True)
def test_a_rebuilt_board_is_the_kept_one(house: House) -> None:
    keeps(house, "day")
    prize(house, 1, 30)
    prize(house, 2, kind="points")
    game = board(house)
    everybody_scores(house, game)
    everybody_scores(house, game)
    closed(house)
    later = everybody_scores(house, game, now=NEXT_NIGHT)
    settled(house)
    done(house, game, "void", back_to=later.stream_version, reason="?", now=NEXT_NIGHT)
    settled(house)
    kept = {model: list(model.objects.order_by("pk").values()) for model in ROWS}
    assert list(rebuild.compare(house.id, SETTLEMENT)) == []

    for model in ROWS:
        model.objects.all().delete()
    rebuild.repair_kept(house.id)

    assert {model: list(model.objects.order_by("pk").values()) for model in ROWS} == kept


@pytest.mark.django_db
@pytest.mark.parametrize("counts", [True, False])
def test_dice_breaker_counts_where_the_house_says_so(house: House, counts: bool) -> None:  # noqa: FBT001
    builders.dice_for_every_game(house.establishment, sets=1)
    game = opened(
        house, game="dice-breaker", players=["Ada", "Bo"], stake=0, first="Ada",
        options={"scoreboard": counts},
    )  # fmt: skip
    for player, faces in (("Ada", (2, 2, 3, 3, 6)), ("Bo", (1, 1, 1, 3, 4))):
        for number, value in enumerate(faces, 1):
            done(house, game, "throw", player=player, die=f"{player}{number}", value=value)
    settled(house)

    kept = Tally.objects.filter(establishment=house.id, ruleset="dice-breaker")
    lines = {(str(each.exact), each.rounds) for each in kept}
    assert lines == ({("3", 1), ("0", 1)} if counts else set())
    assert differences(house) == []
