"""A house that is exported while it plays, and an import that a power cut ends in the middle."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.house.establishments.models import Establishment
from casino.proof.signing import keys, signing
from ledger import journal, verify
from tests.processes import eventually
from tests.support import builders
from tests.support.exported import a_house, another_machine, exported, output_of, rows, started_anew
from tests.support.playing import settled
from tests.support.processes import Player, Program, Site, site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

EXPORTS = 3


@pytest.fixture
def place(tmp_path: Path, transactional_db: None, settings: Any) -> Iterator[Site]:
    del transactional_db
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    with site(tmp_path) as here:
        yield here


def moved(house: House, events: int) -> None:
    """Wait until the house has played on."""
    wanted = journal.head(establishment=house.id) + events
    eventually(lambda: journal.head(establishment=house.id) >= wanted)


@pytest.mark.long
def test_an_export_is_of_one_moment_while_the_house_plays(place: Site) -> None:
    """Each is whole, whatever comes in between, and the later ones begin with the earlier."""
    house = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=2)
    keys.make_file(house.id, keys.origin(house.id))
    found = [place.folder / f"export-{nth}" for nth in range(EXPORTS)]
    with place.worker(), Player(place, house=house.id, table=0, seed=5, pause=0.01) as player:
        player.ready()
        player.go()
        for to in found:
            moved(house, 30)
            signing.sign(house.establishment, timezone.now())
            exported(house, to)
        assert player.ended()["failures"] == []

    key = [f"--key={each}" for each in keys.every_public_key(house.id)]
    for each in found:
        assert verify.main(["export", str(each), "--contents", *key]) == 0
    books = [(each / "events.jsonl").read_bytes() for each in found]
    assert all(later.startswith(one) for one, later in pairwise(books))


@pytest.mark.long
def test_an_import_that_a_power_cut_ends_leaves_nothing(place: Site) -> None:
    house = a_house(seed=8, steps=60)
    before = rows(house.id)
    exported(house, place.folder / "out")
    another_machine()
    command = (sys.executable, "manage.py", "import_ledger", str(place.folder / "out"))

    with Program(place, command, "import") as program:
        killed_on_its_way(program)
    assert not any(rows(house.id).values())
    assert not Establishment.objects.filter(pk=house.id).exists()
    output = output_of("import_ledger", str(place.folder / "out"))

    started_anew()
    settled(house)
    assert "is here" in output
    after = rows(house.id)
    for table in ("ledger.Event", "ledger.CommandReceipt", "ledger.Account", "pseudonyms.Text"):
        assert after[table] == before[table]


def killed_on_its_way(program: Program) -> None:
    """Kill the program when it has said that events are in."""
    eventually(lambda: "events" in program.log.read_text())
    assert program.process.poll() is None, program.log.read_text()
    program.kill()
