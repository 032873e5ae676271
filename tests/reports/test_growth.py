"""How many rows and bytes an event of real play leaves: without a clock, on both databases."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from bench.work import growing
from bench.work.years import founded
from casino.proof.signing import keys
from casino.words.presenters.river import demo
from ledger import journal

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def same_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every run: what lies under a player's cup goes with the game's id, else."""
    monkeypatch.setattr(demo, "sha256", lambda told: sha256(told.partition(b"/")[2]))


@pytest.mark.parametrize(
    ("events", "most_rows", "most_bytes"),
    [
        (120, 4.6, {"sqlite": 2_600, "postgresql": 2_560}),
        pytest.param(1_100, 4.8, {"sqlite": 2_620, "postgresql": 2_510}, marks=pytest.mark.long),
    ],
)
def test_an_event_takes_so_much_and_no_more(
    events: int, most_rows: float, most_bytes: dict[str, int], settings: Settings, tmp_path: Path
) -> None:
    """What was reached (bench/README.md), and a few more: raised with a reason, or not at all."""
    settings.LEDGER_KEYS_DIR = tmp_path
    house = founded(tables=4, events=events)
    keys.make(house.establishment, growing.BEGINS)
    rows, payloads = growing.counted(), growing.payloads()

    growing.OnTablets(house, Random(7), growing.BEGINS, events).played()  # noqa: S311 - of a test

    head = journal.head(establishment=house.id) + 1
    more = sum(growing.counted().values()) - sum(rows.values())
    size = sum(growing.payloads().values()) - sum(payloads.values())
    assert more / head <= most_rows
    assert size / head <= most_bytes[connection.vendor]
