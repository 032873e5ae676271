"""Exports of a house for tests, checked as a stranger does, and a house taken away to come back."""

import json
import subprocess
import sys
from pathlib import Path
from uuid import UUID

from django.db import connection

from ledger import checkpoints, exporting, verify
from ledger.notes import SigningKey
from tests.ledger.building import HOUSE, RECORDED
from tests.ledger.tampering import ON_POSTGRESQL, TABLES, unguarded
from tests.processes import ROOT

NAME = "dice.example"
KEY = SigningKey.generate("unnamed")
CHECK = [sys.executable, "-I", str(ROOT / "ledger" / "verify.py"), "export"]


def signed(establishment: UUID = HOUSE) -> verify.Checkpoint:
    row = checkpoints.grow(establishment=establishment, keys=[KEY], name=NAME, now=RECORDED)
    assert row is not None
    return verify.Checkpoint.parse(row.note.encode())


def key_of(establishment: UUID = HOUSE) -> str:
    return str(KEY.named(f"{NAME}/{establishment}").public)


def exported(to: Path, establishment: UUID = HOUSE) -> Path:
    exporting.export(
        establishment=establishment,
        to=to,
        keys=[KEY.named(f"{NAME}/{establishment}").public],
        exported_at=RECORDED,
        software="test",
        booking=["settlement"],
    )
    return to


def checked(where: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """By the file alone: without Django's settings, or anything of ours to import."""
    return subprocess.run(
        [*CHECK, str(where), *options],
        cwd=where.parent, env={}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def status(where: Path, *options: str) -> int:
    """What the verifier says, without a process of its own."""
    return verify.main(["export", str(where), *options])


def rows_of(where: Path, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in verify.Export(where).lines(name)]


def taken_away(establishment: UUID = HOUSE) -> None:
    """The ledger of a house, as on a machine that never had it."""
    house = str(establishment) if ON_POSTGRESQL else establishment.hex
    with unguarded(), connection.cursor() as cursor:
        for table in (*TABLES, "ledger_subscription", "ledger_parkedevent"):
            cursor.execute(f"DELETE FROM {table} WHERE establishment = %s", [house])  # noqa: S608
