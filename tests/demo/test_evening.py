"""An evening of the demo never stands: games go on, points are scored, who waits is seated."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.utils import timezone

from casino.demo import play
from casino.demo.house import STORY
from casino.demo.play import PLAY, SELDOM, WAIT_MOST, Evening, GameSession
from casino.floor.players.models import Wait
from casino.house.attendants.assurance import at_console
from casino.house.attendants.models import Role
from casino.house.home_throws.operations import set_home_throw
from casino.play.settlement.models import Tally
from tests.past.founding import InProcess
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
SOON: Final = 30  # acts


class Here(play.House):
    """The demo's house in this process."""

    def __init__(self, at: House) -> None:
        self._at = None
        self.attendants = [InProcess(at.attendant)]
        self.recorder = InProcess(at.people[Role.SUPERVISOR])
        self.approver = InProcess(at.people[Role.MANAGER])
        self.id, self.rules = str(at.id), frozenset()


def evening_at(at: House) -> Evening:
    return Evening(Here(at), Random(1), lambda _line: None)  # noqa: S311 - of a test


def runs(at: House, evening: Evening, **opening: Any) -> GameSession:
    game = builders.opened(at, **opening)
    session = GameSession(evening.house.attendants[0], game, str(at.table.pk))
    evening.sessions.append(session)
    return session


@pytest.fixture
def house() -> House:
    made = builders.house(tables=2, dice_sets=2)
    builders.dice_for_every_game(made.establishment, sets=2)
    set_home_throw(
        establishment=made.establishment, faces=(1, 3, 6), effective_from=timezone.now(),
        story=STORY, by=at_console(made.manager),
    )  # fmt: skip
    return made


def test_where_too_few_can_pay_somebody_brings_money_or_the_game_is_closed(house: House) -> None:
    evening = evening_at(house)
    poor = [{"name": name, "stake": 1} for name in ("Ada", "Bruno")]
    session = runs(house, evening, game="threes-away", players=poor)

    stood = longest = 0
    for _ in range(4 * SOON):
        if session not in evening.sessions:
            break
        state = session.client.get(f"games/{session.game}/")
        plays = any(row["do"] in PLAY or row["do"] not in SELDOM for row in state["offers"])
        stood = 0 if plays or state["status"] == "closed" else stood + 1
        longest = max(longest, stood)
        evening.step(session)
        builders.settled(house)

    assert 0 < longest < SOON


def test_one_game_is_always_played_for_points_of_the_scoreboard(house: House) -> None:
    evening = evening_at(house)
    for table in house.tables:
        evening.open_next(str(table.pk))

    [session] = [each for each in evening.sessions if each.points]
    for _ in range(SOON):
        evening.step(session)
    builders.settled(house)

    assert Tally.objects.filter(establishment=house.id, points__gt=0).exists()


def test_who_waits_is_called_to_a_table_and_seated_there(house: House) -> None:
    evening = evening_at(house)
    session = runs(house, evening, game="threes-away")

    for _ in range(SOON):
        evening.see_to_who_waits(session)
        evening.step(session)
        builders.settled(house)

    waits = Wait.objects.filter(establishment=house.id)
    assert waits.filter(end=Wait.End.SEATED).exists()
    assert 0 < waits.filter(ended_at=None).count() <= WAIT_MOST


def test_who_waits_for_a_game_that_ends_is_called_and_plays_the_next(house: House) -> None:
    evening = evening_at(house)
    session = runs(house, evening, game="stone-hand", home_throw=[1, 3, 6])
    for _ in range(SOON):
        evening.see_to_who_waits(session)
    [first, *_] = evening.waiting()["stone-hand"]
    assert not first["called_at"]  # nobody joins a game of Stone Hand

    builders.put(house, session.game, builders.command("close"))
    builders.settled(house)
    evening.step(session)
    [called, *_] = evening.waiting()["stone-hand"]
    evening.open_next(str(house.table.pk))
    builders.settled(house)

    assert called["table"] == str(house.table.pk)
    assert all(each["name"] != first["name"] for each in evening.waiting().get("stone-hand", ()))
