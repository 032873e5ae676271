"""Dice breaker in a house: recorded under tokens, in the names of dice too, and settled."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement.subscriber import SETTLEMENT
from ledger.models import Event
from tests.support import builders

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts" / "dice-breaker"
WHOLE = ["a-battle-with-every-die", "a-play-off-decides", "coming-and-going", "caught-in-mid-air"]


def house_for_dice_breaker() -> builders.House:
    house = builders.house()
    builders.dice_set(house.establishment, number="D-1", sides=6, count=30)
    return house


def recorded(house: builders.House, path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    where = ["--house", house.establishment.name, "--table", house.table.name]
    call_command("replay", "--record", "--by", house.supervisor.username, *where, str(path))
    for _ in range(3):
        tasks.advance(SETTLEMENT, house.id)
        tasks.advance(PROJECTIONS, house.id)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", WHOLE)
def test_a_recorded_game_reads_like_the_replayed_one_and_is_settled(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house, path = house_for_dice_breaker(), TRANSCRIPTS / f"{name}.jsonl"
    call_command("replay", str(path))
    replayed = json.loads(capsys.readouterr().out)

    report = recorded(house, path, capsys)

    assert report == replayed
    card = GameCard.objects.get(establishment=house.establishment)
    state = queries.state(queries.find([house.id], card.game))
    assert state["booked"] == state["stakes"] == report["stakes"]


def test_no_name_of_a_player_is_in_the_name_of_a_die(capsys: pytest.CaptureFixture[str]) -> None:
    house = house_for_dice_breaker()
    recorded(house, TRANSCRIPTS / "a-play-off-decides.jsonl", capsys)

    bodies = b"".join(Event.objects.values_list("body", flat=True))

    assert b'"die":"p-' in bodies
    assert re.search(rb'"(Ann|Bo|Cy)\d?"', bodies) is None
