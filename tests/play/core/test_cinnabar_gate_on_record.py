"""Cinnabar Gate in a house: recorded, settled, its points on the house's scoreboard."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement.models import Tally
from casino.play.settlement.subscriber import SETTLEMENT
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts" / "cinnabar-gate"
WHOLE = [
    "coming-and-going",
    "a-pool-and-its-home-throws",
    "fees-leave-a-pool-to-share",
    "split-and-also",
    "the-arcade-until-two-have-left",
    "until-one-is-left",
    "winnings-in-the-pocket",
]


@pytest.fixture
def record(capsys: pytest.CaptureFixture[str]) -> Callable[[builders.House, str], tuple[Any, Any]]:
    """A transcript played twice: without the database, and on record until all is settled."""

    def played(house: builders.House, name: str) -> tuple[Any, Any]:
        path = str(TRANSCRIPTS / f"{name}.jsonl")
        call_command("replay", path)
        where = ["--house", house.establishment.name, "--table", house.table.name]
        call_command("replay", "--record", "--by", house.supervisor.username, *where, path)
        for _ in range(3):
            tasks.advance(SETTLEMENT, house.id)
            tasks.advance(PROJECTIONS, house.id)
        replayed, recorded = map(json.loads, capsys.readouterr().out.splitlines())
        return replayed, recorded

    return played


@pytest.mark.parametrize("name", WHOLE)
def test_a_recorded_game_reads_like_the_replayed_one_and_is_settled(
    name: str, record: Callable[[builders.House, str], tuple[Any, Any]]
) -> None:
    house = builders.house()

    replayed, recorded = record(house, name)

    assert recorded == replayed
    card = GameCard.objects.get(establishment=house.establishment)
    state = queries.state(queries.find([house.id], card.game))
    assert state["booked"] == state["stakes"] == recorded["stakes"]


def test_shared_points_stand_exactly_on_the_scoreboard(
    record: Callable[[builders.House, str], tuple[Any, Any]],
) -> None:
    """CG7, CG11: two home throws share a pay of seven."""
    house = builders.house()

    record(house, "the-arcade-until-two-have-left")

    kept = Tally.objects.filter(establishment=house.establishment)
    scored = [each.exact for each in kept if each.exact]  # who only threw has a line, too
    assert sorted(scored) == [2, Fraction(7, 2), Fraction(9, 2)]
