"""One house at a time on the same data, and where it is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings as configured

from casino.demo.management.commands import demo
from casino.engine.processes import data_lock

if TYPE_CHECKING:
    from pathlib import Path

HERE = "http://127.0.0.1:48123/"


def test_a_house_that_runs_says_where_it_is_reached(tmp_path: Path) -> None:
    assert data_lock.address(tmp_path) is None
    with data_lock.alone_with(tmp_path) as lock:
        assert data_lock.address(tmp_path) is None  # it is starting
        print(HERE, end="", file=lock, flush=True)
        assert data_lock.address(tmp_path) == HERE
        with pytest.raises(data_lock.StartRefused, match="48123"), data_lock.alone_with(tmp_path):
            pass
    assert data_lock.address(tmp_path) is None


def test_the_demo_plays_where_the_house_runs_on_whatever_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configured, "DATA_DIR", tmp_path)

    assert demo.address(None) == demo.USUAL
    with data_lock.alone_with(tmp_path) as lock:
        print(HERE, end="", file=lock, flush=True)
        assert demo.address(None) == HERE
        assert demo.address("http://elsewhere/") == "http://elsewhere/"
