"""Real workers sign what happens within seconds, whatever becomes of one of them."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import time, timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.house.establishments import gaming_day
from casino.proof.signing import copies
from ledger import checkpoints, journal, verify
from ledger.models import Checkpoint, Event, Tile
from ledger.tiles import WIDTH
from tests import processes
from tests.faults.parts import CLOCK
from tests.processes import eventually
from tests.support import builders
from tests.support.playing import done, opened, round_played
from tests.support.processes import Site, caught_up, site
from tests.support.proven import appended, happened, keyed, signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

LONG_AGO = timezone.now() - timedelta(days=3)  # by the real clock, as the workers have it

KILLED_BEFORE_IT_SIGNS = """
import os, signal, sys
import django
django.setup()
from uuid import UUID
from django.utils import timezone
from ledger import checkpoints

class Keys(tuple):
    def __iter__(self):
        os.kill(os.getpid(), signal.SIGKILL)

checkpoints.grow(
    establishment=UUID(sys.argv[1]), keys=Keys(), name="home-throw.local", now=timezone.now()
)
"""


@pytest.fixture
def place(tmp_path: Path, transactional_db: None, settings: Settings) -> Iterator[Site]:
    del transactional_db
    (tmp_path / "outside").mkdir()
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.CHECKPOINT_COPIES = (f"folder:{tmp_path / 'outside'}",)
    with site(tmp_path) as here:
        here.env["LEDGER_KEYS_DIR"] = str(tmp_path / "keys")
        here.env["CHECKPOINT_COPIES"] = f"folder:{tmp_path / 'outside'}"
        yield here


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house(day_cutoff=time(6), closing_grace=0)
    happened(made, now=LONG_AGO)
    keyed(made)
    return made


def everything_is_signed(house: House) -> bool:
    newest = checkpoints.latest(house.id)
    head = journal.head(establishment=house.id)
    return newest is not None and newest.size == head + 1


def outside(house: House) -> int:
    """How many events the copy outside covers."""
    found = copies.checkpoints_in_folders(house.id)
    return found[0].size if found else 0


def a_tile_full(house: House) -> None:
    """Events, in one act."""
    events = [
        journal.NewEvent(stream="said", event_type="said", schema_version=1, data={"n": number})
        for number in range(WIDTH)
    ]
    appended(house, {"said": 0}, *events)


@pytest.mark.long
def test_what_happens_is_signed_and_copied_and_a_day_s_close_is_covered(
    place: Site, house: House
) -> None:
    game = opened(house, now=LONG_AGO)
    round_played(house, game, now=LONG_AGO)
    done(house, game, "close", now=LONG_AGO)

    with place.beat(), place.worker("one"), place.worker("two"):
        eventually(lambda: everything_is_signed(house) and caught_up(house))
        place.run(
            "import django; django.setup()\n"
            "from casino.reports.gaming_days.tasks import watch\nwatch.delay()\n"
        )
        closes = Event.objects.filter(establishment=house.id, event_type=gaming_day.CLOSED)
        eventually(closes.exists)
        position = closes.values_list("position", flat=True)[0]
        eventually(lambda: outside(house) > position)

    sizes = Checkpoint.objects.filter(establishment=house.id).values_list("size", flat=True)
    assert max(sizes) > position
    [published] = copies.checkpoints_in_folders(house.id)
    assert published == verify.Checkpoint.parse(
        Checkpoint.objects.get(establishment=house.id, size=published.size).note.encode()
    )


def test_killed_between_a_tile_and_the_signature_it_goes_on(place: Site, house: House) -> None:
    a_tile_full(house)
    command = [sys.executable, "-c", KILLED_BEFORE_IT_SIGNS, str(house.id)]
    killed = subprocess.run(command, cwd=processes.ROOT, env=place.env, check=False)

    assert killed.returncode == -signal.SIGKILL
    assert Tile.objects.filter(establishment=house.id, level=0).count() == 1
    assert not Checkpoint.objects.filter(establishment=house.id).exists()

    signed(house)

    assert Tile.objects.filter(establishment=house.id, level=0).count() == 1
    checkpoints.compare(house.id, checkpoints.latest(house.id))


@pytest.mark.long
def test_a_worker_that_is_killed_leaves_the_signing_to_the_next(place: Site, house: House) -> None:
    with place.beat():
        with place.worker("first") as worker:
            eventually(lambda: everything_is_signed(house))
            happened(house, 5)
            worker.kill()
        happened(house, 5)
        with place.worker("second"):
            eventually(lambda: everything_is_signed(house))

    assert copies.due(house.establishment, timezone.now()) in ([], copies.from_settings())


def clock(folder: Path, minutes: int, whose: str = "theirs") -> Path:
    """The file that says by how much their clock is wrong."""
    file = folder / f"{whose}.clock"
    file.write_text(str(minutes))
    return file


@pytest.mark.long
@pytest.mark.parametrize("minutes", [-60, 60], ids=["back", "on"])
def test_a_clock_that_is_set_by_an_hour_while_they_work_delays_no_signature(
    place: Site, house: House, tmp_path: Path, minutes: int
) -> None:
    """Beat's own scheduler would have sent nothing until the hour had passed again."""
    place.env.update(PYTHONPATH=str(CLOCK), CLOCK_FILE=str(clock(tmp_path, 0)))
    with place.beat(), place.worker():
        eventually(lambda: everything_is_signed(house) and caught_up(house))
        clock(tmp_path, minutes)

        for _ in range(3):
            happened(house, 5)
            eventually(lambda: everything_is_signed(house) and caught_up(house))

    assert Checkpoint.objects.filter(establishment=house.id).count() > 3


@pytest.mark.long
def test_workers_an_hour_apart_from_beat_sign_all_the_same(
    place: Site, house: House, tmp_path: Path
) -> None:
    """What beat sends had expired for them, and 146 events were unsigned."""
    place.env.update(PYTHONPATH=str(CLOCK), CLOCK_FILE=str(clock(tmp_path, -60, "beat")))
    with place.beat():
        place.env.update(CLOCK_FILE=str(clock(tmp_path, 60, "worker")))
        with place.worker():
            happened(house, 5)
            eventually(lambda: everything_is_signed(house) and caught_up(house))
