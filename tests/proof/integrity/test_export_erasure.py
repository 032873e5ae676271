"""Forgetting a person takes their name out of every later export, and breaks no proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.floor.players import player_names
from casino.house.attendants.pseudonyms.models import Player
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Occasion
from casino.proof.signing import keys, signing
from casino.proof.signing.models import Verification
from casino.proof.verification import runs
from ledger import checkpoints, proofs, verify
from tests.support import builders
from tests.support.at_once import on_a_file
from tests.support.cashing import act
from tests.support.exported import another_machine, exported, output_of
from tests.support.playing import done, opened, round_played, settled, state, token
from tests.support.regrading import differences

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

NAME = "Wilhelmina Quist"


@pytest.fixture
def house(settings: Any, tmp_path: Path) -> House:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    house = builders.house()
    builders.on_record(house.establishment)
    keys.make_file(house.id, keys.origin(house.id))
    return house


def played(house: House) -> str:
    """She played, was written about, and went with her money; her token."""
    game = opened(house, players=[NAME, "Bo"])
    player = token(house, game, NAME)
    round_played(house, game, (NAME, (2, 2, 7)), ("Bo", (2, 2, 4)))
    done(
        house, game, "no_throw", player=NAME,
        reason="cocked", note="wilhelmina  QUIST's sleeve was in the way",
    )  # fmt: skip
    done(house, game, "close", reason="Ms Wilhelmina Quist went home.")
    settled(house)
    done(house, game, "cash_out", player=NAME, amount=state(house, game)["stakes"][NAME])
    settled(house)
    return player


def signed(house: House) -> int:
    row = signing.sign(house.establishment, timezone.now())
    assert row is not None
    return row.size


def mentions(where: Path) -> list[str]:
    return sorted(file.name for file in where.iterdir() if b"quist" in file.read_bytes().lower())


def test_a_person_is_forgotten_and_every_proof_holds(house: House, tmp_path: Path) -> None:
    player = played(house)
    size = signed(house)
    receipts = [proofs.receipt(house.id, position) for position in range(size)]
    exported(house, tmp_path / "before")
    before = checkpoints.latest(house.id)
    assert before is not None
    (tmp_path / "kept.checkpoint").write_text(before.note)

    player_names.erase_name(act(house, house.manager), player=player, reason="She asked.")
    settled(house)
    later = signed(house)
    exported(house, tmp_path / "after")

    assert mentions(tmp_path / "before") == ["players.jsonl", "texts.jsonl"]
    assert mentions(tmp_path / "after") == []
    key = [f"--key={each}" for each in keys.public_keys(house.id)]
    kept = f"--checkpoint={tmp_path / 'kept.checkpoint'}"
    for name in ("before", "after"):
        assert verify.main(["export", str(tmp_path / name), "--contents", kept, *key]) == 0
    bodies = (tmp_path / "after" / "events.jsonl").read_bytes()
    assert bodies.startswith((tmp_path / "before" / "events.jsonl").read_bytes())
    trust = verify.Trust(
        kept=(proofs.parse_checkpoint(before),), links=(proofs.link(house.id, size, later),)
    )
    for each in receipts:
        each.check()
        assert trust.believe(each.checkpoint)
    newer = proofs.receipt(house.id, 0)
    newer.check()
    assert verify.Trust(keys=keys.public_keys(house.id)).believe(newer.checkpoint)


def test_who_was_forgotten_stays_so_elsewhere(house: House, tmp_path: Path) -> None:
    player = played(house)
    player_names.erase_name(act(house, house.manager), player=player, reason="She asked.")
    settled(house)
    exported(house, tmp_path / "out.zip")
    another_machine()

    output_of("import_ledger", str(tmp_path / "out.zip"))
    settled(house)

    assert Player.objects.get(token=player).name is None


@pytest.mark.long("postgresql")
@pytest.mark.django_db(transaction=True)
def test_the_house_finds_nothing_wrong_with_a_book_from_which_a_name_went(
    house: House, tmp_path: Path
) -> None:
    with on_a_file(tmp_path):
        finds_nothing(house)


def finds_nothing(house: House) -> None:
    builders.on_record(house.establishment)
    player = played(house)
    signed(house)
    player_names.erase_name(act(house, house.manager), player=player, reason="She asked.")
    settled(house)
    signed(house)

    run = runs.begin(house=house.establishment, occasion=Occasion.ON_DEMAND, now=timezone.now())
    while running.advance(runs.VERIFICATION, house.id, run.id, seconds=10):
        pass

    run.refresh_from_db()
    assert (run.state, run.findings) == (Verification.State.SOUND, 0)
    assert differences(house) == []
