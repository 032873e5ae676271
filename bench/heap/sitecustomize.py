"""
Lets a process report its memory on request. Python imports this at its start if PYTHONPATH has this
folder; HEAP_NOTES names the folder for requests and reports.

Whenever the content of the file ``ask`` in that folder changes, each process adds a line to
``<pid>.json``: blocks that Python has, malloc's memory in use and free, objects by type. Only
benchmarks set this up.
"""

import ctypes
import gc
import json
import os
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path

FOLDER = os.environ.get("HEAP_NOTES")
FEW = 60  # types
PAUSE = 1.0  # seconds


class _Malloc(ctypes.Structure):
    """glibc's ``struct mallinfo2``."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd",
            "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def heap() -> dict[str, object]:
    gc.collect()
    met = gc.get_objects()
    counts, held, inside = Counter[str](), Counter[str](), Counter[str]()
    for each in met:
        name = f"{type(each).__module__}.{type(each).__qualname__}"
        counts[name] += 1
        held[name] += sys.getsizeof(each)
        if type(each) in {dict, list, tuple, set} and len(each) > 1000:
            inside[f"{type(each).__name__} {len(each) // 1000}k"] += 1
    return {
        "blocks": sys.getallocatedblocks(),
        "malloc": _malloc(),
        "objects": len(met),
        "types": dict(counts.most_common(FEW)),
        "bytes": dict(held.most_common(FEW // 2)),
        "large": dict(inside),
    }


def _malloc() -> dict[str, int]:
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return {}
    library.mallinfo2.restype = _Malloc
    found = library.mallinfo2()
    return {"arena": found.arena, "mapped": found.hblkhd, "used": found.uordblks}


def _answers(folder: Path) -> None:
    signal = ""
    while True:
        time.sleep(PAUSE)
        try:
            now = (folder / "ask").read_text()
        except OSError:
            continue
        if now != signal:
            signal = now
            line = json.dumps({"asked": now, "program": sys.argv[0], **heap()})
            with (folder / f"{os.getpid()}.json").open("a") as notes:
                notes.write(line + "\n")


def _begin(folder: str) -> None:
    threading.Thread(target=_answers, args=(Path(folder),), daemon=True).start()


if FOLDER:
    os.register_at_fork(after_in_child=partial(_begin, FOLDER))
    _begin(FOLDER)
