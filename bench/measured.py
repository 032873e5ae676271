"""The file of measured parts: each benchmark keeps its own section, with machine and day."""

from __future__ import annotations

import json
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any


def keep(path: Path, section: str, figures: dict[str, Any]) -> None:
    """Put figures into a section of the file; its other sections and older parts of it stay."""
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    before = known.get(section, {}).get("figures", {})
    known[section] = {"machine": machine(), "day": _day(), "figures": {**before, **figures}}
    path.write_text(json.dumps(_rounded(known), indent=1) + "\n")


def flush(folder: Path, times: int = 200) -> float:
    """Milliseconds until the disk of a folder has a page of a log; the median."""
    took = []
    with (folder / "flushed").open("wb", buffering=0) as log:
        for _ in range(times):
            log.write(b"0" * 8192)
            began = time.perf_counter()
            os.fdatasync(log.fileno())
            took.append(1000 * (time.perf_counter() - began))
    return median(took)


def machine() -> str:
    """Cores and processor of this machine."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        names = [line.partition(":")[2].strip() for line in cpus.read_text().splitlines()
                 if line.startswith("model name")]  # fmt: skip
        model = names[0] if names else model
    return f"{os.cpu_count()} cores, {model}, Python {platform.python_version()}"


def _day() -> str:
    return datetime.now(UTC).date().isoformat()


def _rounded(figures: Any) -> Any:
    """To five digits: what lies behind them is noise."""
    if isinstance(figures, dict):
        return {key: _rounded(each) for key, each in figures.items()}
    if isinstance(figures, float):
        return float(f"{figures:.5g}")
    return figures
