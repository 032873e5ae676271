"""The C library is told what it keeps; where it cannot be told, nothing happens."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from casino.config import preload
from casino.engine.processes import memory
from tests.processes import ROOT

pytestmark = pytest.mark.once

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h


@pytest.fixture
def malloc_options(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    malloc_options: dict[int, int] = {}
    library = SimpleNamespace(mallopt=malloc_options.__setitem__, malloc_trim=lambda _pad: 1)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: library)
    return malloc_options


def test_few_heaps_and_large_blocks_go_back(malloc_options: dict[int, int]) -> None:
    memory.gives_back()

    assert malloc_options == {
        M_ARENA_MAX: memory.HEAPS,
        M_MMAP_THRESHOLD: memory.LARGE,
        M_TRIM_THRESHOLD: memory.LARGE,
    }


def test_before_it_forks_a_program_says_so(
    malloc_options: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("collect", "freeze"):
        monkeypatch.setattr(gc, name, lambda: 0)
    monkeypatch.setattr(preload, "connections", SimpleNamespace(close_all=lambda: None))

    preload._share_memory()

    assert malloc_options


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
    memory.trim()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="glibc's")
def test_what_lies_free_between_what_is_used_goes_back() -> None:
    """In a process of its own: 100 MB in small blocks, of which one in a hundred stays."""
    program = (
        "import os; from casino.engine.processes import memory; from bench.memory import pss\n"
        "memory.gives_back(); before = pss(os.getpid())\n"
        "much = [bytes(4_000) for _ in range(25_000)]; kept = much[::100]; del much\n"
        "lying = pss(os.getpid()) - before; memory.trim(); print(lying, pss(os.getpid()) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    lying, left = map(float, done.stdout.split())

    assert lying > 90
    assert left < lying / 4
