"""
The drill: play, back up meanwhile, restore elsewhere, verify, play on. On both databases.

Elsewhere is another folder, or another database with roles of its own on the same server.
"""

from __future__ import annotations

import json
import os
import secrets
from base64 import b64decode
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from django.urls import reverse

from casino.proof.signing import keys
from ledger import journal, verify
from tests import services
from tests.processes import eventually
from tests.support import builders, proving, witness
from tests.support.drill import (
    asked,
    handed_out,
    is_sound,
    is_well,
    kept,
    kept_size,
    led_to_a_new_epoch,
    manage,
    resumed_by_two,
    seen,
)
from tests.support.on_citus import of_one_server
from tests.support.processes import Player, Site, caught_up, site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
ON_POSTGRESQL = connection.vendor == "postgresql"


@pytest.fixture
def place(tmp_path: Path, transactional_db: None) -> Iterator[Site]:
    del transactional_db
    folder = tmp_path / "here"
    folder.mkdir()
    with site(folder) as here:
        # The keys that sign are kept apart from the book, as docs/how-to/backup.md has it.
        here.env["PG_DUMP"] = str(services.program("pg_dump"))
        here.env["LEDGER_KEYS_DIR"] = str(tmp_path / "keys")
        (tmp_path / "outside").mkdir()
        here.env["CHECKPOINT_COPIES"] = f"folder:{tmp_path / 'outside'}"
        yield here


@pytest.fixture
def elsewhere(place: Site, tmp_path: Path) -> Iterator[Site]:
    """Another machine, as it were, that has the house's keys and nothing else of it."""
    folder = tmp_path / "there"
    folder.mkdir()
    with ExitStack() as stack:
        env = {**place.env, "HOME_THROW_DATA": str(folder)}
        if ON_POSTGRESQL:
            env |= an_empty_database(stack)
        yield Site(folder, place.broker, env)


def an_empty_database(stack: ExitStack) -> dict[str, str]:
    """As docs/how-to/production.md has it: one role owns, another runs."""
    superuser = os.environ["DATABASE_URL"]
    name, password = f"drill_{secrets.token_hex(4)}", secrets.token_hex(8)
    server = stack.enter_context(psycopg.connect(superuser, autocommit=True))
    for role in (f"{name}_owner", f"{name}_runs"):
        server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'".encode())
        stack.callback(server.execute, f"DROP ROLE {role}".encode())
    server.execute(f"CREATE DATABASE {name} OWNER {name}_owner".encode())
    stack.callback(server.execute, f"DROP DATABASE {name} WITH (FORCE)".encode())
    at = f"{urlsplit(superuser).hostname}:{urlsplit(superuser).port}/{name}"
    return {
        "DATABASE_URL": f"postgresql://{name}_runs:{password}@{at}",
        "DATABASE_OWNER_URL": f"postgresql://{name}_owner:{password}@{at}",
    }


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=2)
    builders.on_record(made.establishment)
    return made


def player(at: Site, house: House, table: int) -> Player:
    return Player(at, house=house.id, table=table, seed=7 + table, pause=0.01)


def started(at: Site, stack: ExitStack) -> None:
    """As a house on that database is started."""
    programs = [at.worker(), at.beat()] if ON_POSTGRESQL else [at.up()]
    for program in programs:
        stack.enter_context(program)


def signed(at: Site, outside: Path) -> str:
    """The file of a checkpoint of now, kept outside."""
    outside.mkdir()
    manage(at, "checkpoint", "--out", str(outside))
    return kept(outside)


def backed_up_while_playing(place: Site, house: House, to: Path) -> dict[str, Any]:
    """The manifest of a backup that was made while commands came, and were settled."""
    manage(place, "ledger_keys", "--make")
    with place.beat(), place.worker(), player(place, house, 0) as somebody:
        somebody.ready()
        somebody.go()
        eventually(lambda: journal.head(establishment=house.id) > 60)
        signed(place, to.with_name("before"))
        manage(place, "backup", "--to", str(to))
        after = journal.head(establishment=house.id)
        eventually(lambda: journal.head(establishment=house.id) > after + 20)
        played = somebody.ended()
        assert played["failures"] == []
        eventually(lambda: caught_up(house))
        eventually(lambda: kept_size(to.with_name("outside")) > after + 20)
    manifest: dict[str, Any] = json.loads(to.with_name(f"{to.name}.manifest.json").read_text())
    return manifest


@of_one_server
@pytest.mark.long
def test_a_restored_house_is_the_house_of_that_moment_and_plays_on(
    place: Site, elsewhere: Site, house: House, tmp_path: Path
) -> None:
    """Step by step what docs/how-to/backup.md has, with its commands."""
    manifest = backed_up_while_playing(place, house, tmp_path / "backup")
    [saved] = manifest["houses"]
    assert saved["id"] == str(house.id)
    assert 60 < saved["head"] < journal.head(establishment=house.id)
    assert manifest["verified"]["houses"][0]["position"] == saved["head"]
    at_the_backup = witness.house(house.id, saved["head"])
    assert b64decode(manifest["verified"]["houses"][0]["root"]).hex() == at_the_backup["root"]
    file = kept(tmp_path / "outside")
    ahead = verify.Checkpoint.parse(Path(file).read_bytes())
    assert ahead.size > saved["head"] + 1
    old, gone = tmp_path / "old.tlog-proof", tmp_path / "gone.tlog-proof"
    old_at = handed_out(house, saved["checkpoint"]["size"] - 1, old)
    gone_at = handed_out(house, ahead.size - 1, gone)
    known = [f"--key={key}" for key in keys.every_public_key(house.id)]
    # The machine is gone: what is asked from here on is what had left it.

    output = manage(elsewhere, "restore", str(tmp_path / "backup"))
    assert f"up to position {saved['head']}" in output
    assert f"has lost events: {file}" in output
    assert f"verify_ledger --establishment {house.id} --checkpoint {file}" in output
    assert "SECRET_KEY" not in output
    found = seen(elsewhere)
    is_sound(found)
    restored = found["houses"][str(house.id)]
    assert restored == {**at_the_backup, "kept": at_the_backup["balances"]}

    by = house.manager.username
    led_to_a_new_epoch(elsewhere, house.id, by=by, file=file, head=saved["head"])

    with ExitStack() as stack:
        started(elsewhere, stack)
        assert "A second person approves it." in resumed_by_two(elsewhere, house.id)["asked"]
        with player(elsewhere, house, 1) as somebody:
            somebody.ready()
            somebody.go()
            eventually(
                lambda: seen(elsewhere)["houses"][str(house.id)]["head"] > saved["head"] + 40
            )
            assert somebody.ended()["failures"] == []
        eventually(lambda: not seen(elsewhere)["lagging"])
        eventually(lambda: is_well(elsewhere))
        is_sound(seen(elsewhere))
    about = ("--establishment", str(house.id), "--checkpoint", file)
    assert "sound." in manage(elsewhere, "verify_ledger", *about)

    known_keys = asked(elsewhere, reverse("ledger-keys", args=[house.id])).split()
    every = [f"--key={key}" for key in known_keys]
    new = tmp_path / "new.checkpoint"
    new.write_text(asked(elsewhere, reverse("ledger-checkpoint", args=[house.id])))
    assert verify.Checkpoint.parse(new.read_bytes()).origin == f"{ahead.origin}/2"
    for receipt in (old, gone):
        assert proving.told("receipt", receipt, *known)[0] == 0
        assert proving.told("receipt", receipt, *every)[0] == 0
    assert "This is in the book" in asked(elsewhere, old_at)
    assert "has lost positions" in asked(elsewhere, gone_at)
