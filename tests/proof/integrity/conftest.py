"""Where the keys of a test's house lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import full_house
from tests.support.at_once import on_a_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings


@pytest.fixture
def key_folder(settings: Settings, tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    settings.LEDGER_KEYS_DIR = folder
    return folder


@pytest.fixture
def tried_out(settings: Settings) -> None:
    settings.DEBUG = True  # a webhook on this machine needs no certificate


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    made = tmp_path / "outside"
    made.mkdir()
    settings.CHECKPOINT_COPIES = (f"folder:{made}",)
    return made


@pytest.fixture
def own_file(tmp_path: Path) -> Iterator[None]:
    """A check has a connection of its own, which SQLite's memory does not give to one thread."""
    with on_a_file(tmp_path), full_house.marked_often():
        yield
