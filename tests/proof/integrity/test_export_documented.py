"""docs/reference/proofs.md is true: every command in it is run, every column in it is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import load_command_class
from django.utils import timezone

from casino.house.acts import changes
from casino.proof.signing import keys, signing
from casino.proof.verification import export_tables
from ledger import checkpoints, proofs
from tests.processes import ROOT
from tests.support import builders
from tests.support.builders import opened, put, settled, throw
from tests.support.exported import exported

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.models import Checkpoint
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PAGE = (ROOT / "docs" / "reference" / "proofs.md").read_text()
COMMANDS = [
    shlex.split(line)
    for block in re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
    for line in block.splitlines()
]
ROW = re.compile(
    r"^\| `(\w+\.jsonl)` \| (as in `record/\w+` |(?:`\w+` ?)+)\| ((?:`\w+` ?)*)\|$", re.MULTILINE
)
RECORDS = {
    changes.record_stream(changes.kind_of(model())): model for model in changes.models_in_ledger()
}


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """What a stranger was given, under the names that the page uses."""
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    house = builders.house()
    keys.make_file(house.id, keys.origin(house.id))
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7), throw("Bruno", 2, 3, 4), throw("Cleo", 5, 5, 5))
    settled(house)
    older = signed(house)
    put(house, game, throw("Ada", 2, 2, 4))
    newer = signed(house)
    given = {
        "house.key": "".join(f"{key}\n" for key in keys.public_keys(house.id)),
        "kept.checkpoint": older.note,
        "newer.checkpoint": newer.note,
        "payout.tlog-proof": str(proofs.receipt(house.id, older.size - 1, size=older.size)),
        "newer.tlog-proof": str(proofs.receipt(house.id, newer.size - 1)),
        "kept-to-newer.tlog-link": str(proofs.link(house.id, older.size, newer.size)),
        "verify.py": (ROOT / "ledger" / "verify.py").read_text(),
    }
    for name, text in given.items():
        (tmp_path / name).write_text(text)
    exported(house, tmp_path / "export")
    return tmp_path


def signed(house: House) -> Checkpoint:
    signing.sign(house.establishment, timezone.now())
    row = checkpoints.latest(house.id)
    assert row is not None
    return row


@pytest.mark.long("postgresql")
def test_every_check_on_the_page_can_be_made_by_a_stranger(folder: Path) -> None:
    checks = [words[1:] for words in COMMANDS if words[1] == "verify.py"]

    assert len(checks) > 4
    for words in checks:
        done = subprocess.run(
            [sys.executable, "-I", *words],
            cwd=folder, env={}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert done.stdout.startswith("TRUE")


@pytest.mark.long("postgresql")
def test_every_command_on_the_page_is_one() -> None:
    managed = [words[2:] for words in COMMANDS if words[1] == "manage.py"]

    assert {name for name, *_ in managed} == {"export_ledger", "import_ledger"}
    for name, *options in managed:
        parser = load_command_class("casino.proof.verification", name).create_parser(
            "manage.py", name
        )
        parser.parse_args(options)


@pytest.mark.long("postgresql")
def test_every_column_on_the_page_is_one_and_none_is_missing() -> None:
    values = {
        file: (columns_of(columns.replace("`", "").split()), kept.replace("`", "").split())
        for file, columns, kept in ROW.findall(PAGE)
    }

    assert values == {
        each.file: ([column.attname for column in each.columns], [*each.kept_back])
        for each in (export_tables.HOUSE, export_tables.STAFF, *export_tables.TABLES)
    }


def columns_of(words: list[str]) -> list[str]:
    """Those that the page names; or, as in a stream, those that its events have."""
    match words:
        case ["as", "in", stream]:
            return [*changes.state_of(RECORDS[stream]())]
        case _:
            return words


@pytest.mark.long("postgresql")
def test_every_file_of_an_export_is_on_the_page(folder: Path) -> None:
    names = {file.name for file in (folder / "export").iterdir()}

    assert {name for name in names if f"`{name}`" not in PAGE} == set()
