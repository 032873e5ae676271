"""River in a house: recorded, settled, and nothing of a sealed hand anywhere before its reveal."""

from __future__ import annotations

import json
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

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts" / "river"
WHOLE = ["won-dice-and-a-shared-pot", "a-roll-off-and-who-leaves", "the-price-is-returned"]


def house_for_river() -> builders.House:
    house = builders.house()
    builders.dice_set(house.establishment, number="R-1", sides=None, count=5)
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
    house, path = house_for_river(), TRANSCRIPTS / f"{name}.jsonl"
    call_command("replay", str(path))
    replayed = json.loads(capsys.readouterr().out)

    report = recorded(house, path, capsys)

    assert report == replayed
    card = GameCard.objects.get(establishment=house.establishment)
    state = queries.state(queries.find([house.id], card.game))
    assert state["booked"] == state["stakes"] == report["stakes"]


def test_the_ledger_holds_nothing_of_dice_that_were_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """RV2: a reveal that comes too early is refused, and its dice are written down nowhere."""
    dice = {"d4": 3, "d6": 5, "d8": 7, "d10": 9, "d12": 11}
    commands: list[dict[str, Any]] = [
        {"do": "open", "game": "river", "players": ["Ann", "Ben"], "stake": 50, "price": 2},
        {"do": "start_round"},
        {"do": "seal", "player": "Ann"},
        {"do": "reveal", "player": "Ann", "dice": dice},
    ]
    path = tmp_path / "early.jsonl"
    path.write_text("\n".join(map(json.dumps, commands)))
    house = house_for_river()

    report = recorded(house, path, capsys)

    assert [each["code"] for each in report["refused"]] == ["not_now"]
    bodies = [bytes(body) for body in Event.objects.values_list("body", flat=True)]
    assert bodies
    assert not any(b'"d12"' in body or b"[3,5,7,9,11]" in body for body in bodies)
    assert "11" not in report["refused"][0]["detail"]
