"""`manage.py regrade` by several processes, while the house plays, and when one of them dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.work import filling
from casino.play.settlement.models import Payout
from tests.forms import LONG_FORM
from tests.processes import PATIENCE, ROOT
from tests.support import builders
from tests.support.processes import Player, Site

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
GAMES = 90 if LONG_FORM else 45  # some 9000 events: three slices; in short two


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house(tables=2, dice_sets=3)
    seat = {
        "house": str(made.id), "table": str(made.tables[1].pk), "dice_set": str(made.dice.pk)
    }  # fmt: skip
    filling.fill(seat=seat, games=GAMES, seed=5)
    return made


def started(place: Site, house: House) -> subprocess.Popen[str]:
    command = ("manage.py", "regrade", "--json", "--workers=2", f"--establishment={house.id}")
    return subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=place.env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, list[dict[str, Any]], str]:
    out, complaints = process.communicate(timeout=PATIENCE)
    return process.returncode, [json.loads(line) for line in out.splitlines()], complaints


@pytest.mark.long(but="citus")
def test_two_processes_count_each_game_once(place: Site, house: House) -> None:
    status, lines, complaints = ended(started(place, house))

    assert status == 0, complaints
    assert lines[-1]["figures"]["games"] == GAMES


@pytest.mark.long
def test_what_one_of_them_finds_is_said(place: Site, house: House) -> None:
    wrong = Payout.objects.order_by("-position")[0]
    Payout.objects.filter(pk=wrong.pk).update(amount=wrong.amount + 1)

    status, lines, complaints = ended(started(place, house))

    assert status == 1, complaints
    [found] = [line["difference"] for line in lines if line["what"] == "difference"]
    assert (found["kind"], found["game"]) == ("payout", str(wrong.game))


@pytest.mark.long
def test_the_house_plays_on_meanwhile(place: Site, house: House) -> None:
    """Games that go on under its eyes are no differences, whatever is settled by then."""
    with (
        place.beat(),
        place.worker(),
        Player(place, house=house.id, table=0, seed=3, pause=0.0) as player,
    ):
        player.ready()
        player.go()
        for _ in range(2):
            status, lines, complaints = ended(started(place, house))
            assert status == 0, (complaints, lines)
        assert player.ended()["games"]


@pytest.mark.long
def test_a_process_that_is_killed_leaves_no_doubt(place: Site, house: House) -> None:
    process = started(place, house)
    killed = a_grading_child(process.pid)
    os.kill(killed, signal.SIGKILL)

    status, lines, complaints = ended(process)

    assert status == 2
    assert "A process was killed before it was done." in complaints
    assert not [line for line in lines if line["what"] == "figures"]


def a_grading_child(parent: int) -> int:
    """One of the processes that the command has started for the work itself."""
    end = time.monotonic() + PATIENCE
    children = Path(f"/proc/{parent}/task/{parent}/children")
    while time.monotonic() < end:
        for child in map(int, children.read_text().split()):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
        time.sleep(0.01)
    raise AssertionError("It started none.")
