"""The C library is told what it keeps; where it cannot be told, nothing happens."""

from __future__ import annotations

import ctypes
import gc
from types import SimpleNamespace
from typing import Any

import pytest

from casino import memory, preload

pytestmark = pytest.mark.once

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    told: dict[int, int] = {}
    library = SimpleNamespace(mallopt=told.__setitem__)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: library)
    return told


def test_few_heaps_and_large_blocks_go_back(told: dict[int, int]) -> None:
    memory.gives_back()

    assert told == {
        M_ARENA_MAX: memory.HEAPS,
        M_MMAP_THRESHOLD: memory.LARGE,
        M_TRIM_THRESHOLD: memory.LARGE,
    }


def test_before_it_forks_a_program_says_so(
    told: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("collect", "freeze"):
        monkeypatch.setattr(gc, name, lambda: 0)
    monkeypatch.setattr(preload, "connections", SimpleNamespace(close_all=lambda: None))

    preload._shared()

    assert told


@pytest.mark.parametrize("library", [SimpleNamespace(), None])
def test_elsewhere_there_is_nothing_to_be_told(
    library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(_name: None) -> Any:
        if library is None:
            raise OSError("no such library")
        return library

    monkeypatch.setattr(ctypes, "CDLL", opened)

    memory.gives_back()
