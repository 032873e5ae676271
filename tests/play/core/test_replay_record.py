"""`manage.py replay --record`: a transcript becomes a game of the house, in the ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import journal
from ledger.models import Event
from tests.support import builders

pytestmark = pytest.mark.django_db

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts" / "stone-hand"
WHOLE = ["everyone-wagers-25", "ties-triads-and-the-price-of-the-last-throw", "who-stays-wins"]


def replay(*arguments: object) -> int:
    try:
        call_command("replay", *map(str, arguments))
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def reports(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def recording(house: builders.House) -> list[str]:
    where = ["--house", house.establishment.name, "--table", house.table.name]
    return ["--record", "--by", house.supervisor.username, *where]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("name", WHOLE)
def test_a_recorded_game_reads_like_the_replayed_one(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house = builders.house()
    path = TRANSCRIPTS / f"{name}.jsonl"

    assert replay(path) == 0
    assert replay(*recording(house), path) == 0

    replayed, recorded = reports(capsys)
    assert recorded == replayed


def test_it_is_a_game_of_the_house_with_settled_stakes(capsys: pytest.CaptureFixture[str]) -> None:
    house = builders.house()

    replay(*recording(house), TRANSCRIPTS / "everyone-wagers-25.jsonl")
    for _ in range(3):
        tasks.advance(SETTLEMENT, house.id)
        tasks.advance(PROJECTIONS, house.id)

    [report] = reports(capsys)
    card = GameCard.objects.get(establishment=house.establishment)
    state = queries.state(queries.find([house.id], card.game))
    assert state["booked"] == state["stakes"] == report["stakes"]
    assert queries.running_game(house.table) is None


@pytest.mark.long("postgresql")
def test_a_malformed_line_leaves_nothing_on_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = builders.house()
    path = tmp_path / "late.jsonl"
    opening = '{"do": "open", "game": "stone-hand", "players": ["A", "B"], "stake": 5}'
    path.write_text(f'{opening}\n{{"do": "throw", "player": "A"}}\n')

    assert replay(*recording(house), path) == 2

    assert f"{path}:2" in capsys.readouterr().err
    assert not Event.objects.filter(establishment=house.id).exists()


@pytest.mark.long("postgresql")
def test_approved_by_is_not_taken_for_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C1: approval is an act of the approver's own."""
    house = builders.house()
    path = tmp_path / "approved.jsonl"
    path.write_text(
        "\n".join(
            map(
                json.dumps,
                [
                    {"do": "open", "game": "stone-hand", "players": ["A", "B"], "stake": 5},
                    {"do": "throw", "player": "A", "dice": [2, 2, 7]},
                    {"do": "void", "back_to": 2, "reason": "misread", "approved_by": "Sela"},
                ],
            )
        )
    )

    assert replay(*recording(house), path) == 0

    [report] = reports(capsys)
    assert [(row["line"], row["code"]) for row in report["refused"]] == [(3, "approval_is_an_act")]


@pytest.mark.long("postgresql")
def test_no_name_of_the_transcript_stands_in_the_ledger(tmp_path: Path) -> None:
    house = builders.house()
    path = tmp_path / "names.jsonl"
    path.write_text(
        json.dumps(
            {"do": "open", "game": "stone-hand", "players": ["Wilhelmina", "Bo"], "stake": 5}
        )
    )

    replay(*recording(house), path)

    bodies = [event.body for event in journal.read(establishment=house.id, limit=50)]
    assert bodies
    assert not any(b"Wilhelmina" in body for body in bodies)


@pytest.mark.long("postgresql")
def test_nobody_records_without_a_role_at_the_house() -> None:
    house, stranger = builders.house(), builders.person()
    where = ["--house", house.establishment.name, "--table", house.table.name]
    path = TRANSCRIPTS / "everyone-wagers-25.jsonl"

    with pytest.raises(CommandError, match="D1"):
        replay("--record", "--by", stranger.username, *where, path)
    with pytest.raises(CommandError, match="nobody signs in"):
        replay("--record", "--by", "ghost", *where, path)
    with pytest.raises(CommandError, match="no such table"):
        replay("--record", "--by", stranger.username, "--table", "Nowhere", path)
