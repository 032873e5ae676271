"""A file that a process touches while it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.config.beat import Leased
from casino.config.celery import app
from casino.engine.processes import stopping

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_it_is_touched_where_somebody_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEARTBEAT_FILE", raising=False)
    stopping.touch_heartbeat()
    assert list(tmp_path.iterdir()) == []

    monkeypatch.setenv("HEARTBEAT_FILE", str(tmp_path / "heartbeat"))
    stopping.touch_heartbeat()
    assert [each.name for each in tmp_path.iterdir()] == ["heartbeat"]


def test_a_place_where_nobody_can_write_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTBEAT_FILE", str(tmp_path / "nothing" / "heartbeat"))

    stopping.touch_heartbeat()


def test_a_beat_that_waits_for_the_lease_goes_on_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTBEAT_FILE", str(tmp_path / "heartbeat"))
    beat = Leased(app, lazy=True)
    monkeypatch.setattr(beat.lease, "held", lambda: False)

    beat.tick()

    assert (tmp_path / "heartbeat").exists()
