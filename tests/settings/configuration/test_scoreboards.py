"""A scoreboard in the settings: its seasons, its prizes as one form, their cost, the end (SB)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.house.attendants.models import Role
from casino.house.establishments.models import Change
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.models import ExceptionRow, RequestRow
from casino.kit.documents.report import Query
from casino.play.settlement.models import PrizeRule, Scoreboard, Season, Tally
from casino.play.settlement.scoreboard import Place
from casino.reports.registers import scoreboard as register
from casino.settings.configuration import scoreboards
from casino.words.languages import locales
from ledger import journal
from tests.support import builders
from tests.support.dayend import TODAY, TOMORROW, act, closed
from tests.support.playing import NOW, opened, round_played, settled
from tests.support.regrading import differences
from tests.support.settings_pages import page, send

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

BOARD = "scoreboards/stone-hand/"
LATER = NOW + timedelta(days=10)  # a Monday: the four weeks before it have NOW in them


@pytest.fixture
def house() -> House:
    return builders.house()


def bo_scores(house: House, rounds: int) -> None:
    game = opened(house, options={"mode": "scoreboard"}, stake=0)
    for _ in range(rounds):
        round_played(house, game)
    settled(house)


def sent(**more: str) -> dict[str, str]:
    return {
        "command_id": str(uuid.uuid4()), "season": "week", "until": "", "place_tie": "split",
        "points-0-at": "2", "points-0-prize": "A bottle", "points-0-amount": "",
        "place-0-at": "1", "place-0-prize": "A purse", "place-0-amount": "30", **more,
    }  # fmt: skip


def test_a_board_and_its_prizes_are_saved_as_one(house: House) -> None:
    assert page(house, BOARD, Role.AUDITOR).status_code == 200
    assert send(house, BOARD, sent()).status_code == 302

    kept = Scoreboard.objects.get(establishment=house.id)
    assert (kept.ruleset, kept.season, kept.until) == ("stone-hand", "week", None)
    rules = PrizeRule.objects.filter(establishment=house.id, active=True)
    assert {(each.kind, each.at, each.prize, each.amount) for each in rules} == {
        ("points", 2, "A bottle", 0), ("place", 1, "A purse", 30),
    }  # fmt: skip

    emptied = {"points-0-at": "", "points-0-prize": "", "place-0-amount": "40", "season": "month"}
    assert send(house, BOARD, sent(**emptied)).status_code == 302

    kept.refresh_from_db()
    [rule] = rules.all()
    assert (kept.season, rule.kind, rule.amount) == ("month", "place", 40)
    settled(house)
    kinds = Change.objects.filter(establishment=house.id).values_list("kind", flat=True)
    assert set(kinds) == {"scoreboard", "prize_rule"}


# fmt: off
REFUSED = [
    ({"points-0-at": ""},                             "Say at how many points"),
    ({"points-0-prize": ""},                          "Say what is handed over"),
    ({"place-1-at": "1", "place-1-prize": "Twice"},   "There is a prize at this mark already"),
    ({"season": "until", "until": ""},                "Only a season until a day has a last"),
    ({"season": "until", "until": "2020-01-01"},      "This day has passed"),
]
# fmt: on


@pytest.mark.parametrize(("more", "said"), REFUSED)
def test_what_is_no_board_is_said_beside_it(house: House, more: dict[str, str], said: str) -> None:
    answer = send(house, BOARD, sent(**more))

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not PrizeRule.objects.filter(establishment=house.id).exists()


@pytest.mark.parametrize(
    ("season", "prizes", "coins"), [("week", 2, 30), ("day", 2, 30), ("open", 2, 30)]
)
def test_the_cost_of_four_weeks_is_counted_by_their_rounds(
    house: House, season: str, prizes: int, coins: int
) -> None:
    bo_scores(house, 3)
    kept = Scoreboard(establishment=house.establishment, ruleset="stone-hand", season=season)

    found = scoreboards.cost(kept, {2: 0, 4: 500}, [Place(1, "r", "A purse", 30)], LATER)

    assert (found.prizes, found.coins) == (prizes, coins)
    assert (found.until - found.since).days == 27
    assert found.since <= TODAY <= found.until


def test_the_page_says_the_cost_and_saves_nothing(house: House) -> None:
    bo_scores(house, 3)

    with time_machine.travel(LATER, tick=False):
        said = send(house, BOARD, sent(cost="1"))

    assert said.status_code == 200
    assert "2 prizes" in said.content.decode()
    assert not PrizeRule.objects.filter(establishment=house.id).exists()


class TestTheEnd:
    def test_it_is_closed_with_the_day_that_a_manager_says(self, house: House) -> None:
        bo_scores(house, 1)

        with time_machine.travel(NOW, tick=False):
            body = {"command_id": str(uuid.uuid4()), "last_day": str(TODAY)}
            url = house.url("scoreboards/stone-hand/end/")
            answer = house.client(Role.MANAGER).post(url, body)
            again = house.client(Role.MANAGER).post(url, body)

        assert answer.status_code == again.status_code == 200
        assert answer.json()["seasons"] == [
            {"number": 1, "state": "open", "first_day": str(TODAY), "last_day": str(TODAY)}
        ]
        closed(house)
        settled(house)
        states = Season.objects.filter(establishment=house.id).order_by("number")
        assert [(each.state, each.first_day) for each in states] == [
            ("closed", TODAY), ("open", TOMORROW),
        ]  # fmt: skip

    def test_on_the_page(self, house: House) -> None:
        bo_scores(house, 1)
        with time_machine.travel(NOW, tick=False):
            assert "End the season" in page(house, BOARD).content.decode()
            day = {"command_id": str(uuid.uuid4()), "last_day": str(TOMORROW)}
            assert send(house, f"{BOARD}end/", day).status_code == 302
            passed = {"command_id": str(uuid.uuid4()), "last_day": "2020-01-01"}
            refused = send(house, f"{BOARD}end/", passed)

        assert Season.objects.get(establishment=house.id).last_day == TOMORROW
        assert refused.status_code == 422
        assert "has passed" in refused.content.decode()

    def test_none_runs_and_one_that_has_ended(self, house: House) -> None:
        with pytest.raises(scoreboards.NoSeason):
            scoreboards.end_season(act(house), ruleset="stone-hand", last_day=TODAY)
        bo_scores(house, 1)
        Season.objects.filter(establishment=house.id).update(last_day=TODAY)
        tomorrow = act(house, now=NOW + timedelta(days=1))

        with pytest.raises(scoreboards.SeasonEnded):
            scoreboards.end_season(tomorrow, ruleset="stone-hand", last_day=TOMORROW)


NO_ADJUSTMENT = [
    ({"points": "-3"}, "leaves no points below 0"),
    ({"points": "0"}, "changes something"),
    ({"points": "a lot"}, "Enter a valid value"),
    ({"points": "1", "player": "Eve"}, "Nobody of this name has played"),
    ({"points": "1", "season": "2"}, "Select a valid choice"),
]


class TestAClosedSeason:
    """SB2: its final table stays; what is put right later is approved and stands beside it."""

    @pytest.fixture(autouse=True)
    def _closed(self, house: House) -> None:
        Scoreboard.objects.create(establishment=house.establishment, season="day")
        bo_scores(house, 2)
        closed(house)
        settled(house)

    def asks(self, house: House, points: str, player: str = "Bo", season: str = "1") -> Any:
        body = {"command_id": str(uuid.uuid4()), "season": season, "player": player}
        return send(house, f"{BOARD}adjust/", {**body, "points": points, "reason": "Misread."})

    def test_two_people_adjust_points_and_the_final_table_stays(self, house: House) -> None:
        before = journal.stream(establishment=house.id, stream="season/stone-hand")
        assert self.asks(house, "-1/2").status_code == 302
        settled(house)
        [row] = RequestRow.objects.filter(establishment=house.id, kind="season_points")
        with pytest.raises(approvals.OwnRequest):
            approvals.decide(act(house), row.id, approve=True)
        approvals.decide(act(house, by=house.supervisor), row.id, approve=True)
        settled(house)

        *same, adjusted = journal.stream(establishment=house.id, stream="season/stone-hand")
        assert [each.leaf_hash for each in same] == [each.leaf_hash for each in before]
        assert (adjusted.event_type, adjusted.data["points"]) == ("season.adjusted", "-1/2")
        asked_by, approved_by = adjusted.data["asked_by"], adjusted.data["approved_by"]
        assert (asked_by, approved_by) == (str(house.manager.pk), str(house.supervisor.pk))
        [tally] = Tally.objects.filter(establishment=house.id, season=1, points__gt=0)
        assert tally.exact == 2
        shown = page(house, BOARD, Role.AUDITOR).content.decode()
        assert f"{locales.MINUS}½" in shown
        assert "Misread." in shown
        answer = house.client().get(house.url("scoreboards/")).json()["results"]
        [board] = [each for each in answer if each["game"] == "stone-hand"]
        assert [each["points"] for each in board["adjustments"]] == ["-1/2"]
        day = adjusted.provenance.gaming_day
        asked = Query(house=house.establishment, since=day, until=day, through=adjusted.position)
        [line] = register.adjustment_lines(asked)
        assert line.cells[1:] == (1, day, "Bo", f"{locales.MINUS}½", "Misread.")
        assert ExceptionRow.objects.get(establishment=house.id, what="adjustment")
        assert differences(house) == []

    @pytest.mark.parametrize(("sent", "said"), NO_ADJUSTMENT)
    def test_what_is_no_adjustment_is_said(
        self, house: House, sent: dict[str, str], said: str
    ) -> None:
        answer = self.asks(house, **sent)

        assert answer.status_code == 422
        assert said in answer.content.decode()

    def test_one_that_runs_is_not_adjusted(self, house: House) -> None:
        body = {"command_id": str(uuid.uuid4()), "season": 2, "player": "Bo", "points": "1"}
        url = house.url("scoreboards/stone-hand/adjust/")

        answer = house.client(Role.MANAGER).post(url, {**body, "reason": "Misread."})

        assert (answer.status_code, answer.json()["code"]) == (422, "season_not_closed")
