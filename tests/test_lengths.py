"""A module is read as a whole: of one subject. Look at it at 400 lines; it ends at 700."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
LINES_MAX: Final = 700
LONGER: Final = {
    "ledger/verify.py": "an auditor runs it alone, without the house: one file",
}
"""Which module is longer, and why."""


def modules() -> Iterator[Path]:
    for folder in ("bench", "casino", "games", "ledger", "tests"):
        yield from ROOT.joinpath(folder).rglob("*.py")


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    long = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if len(path.read_text(encoding="utf-8").splitlines()) > LINES_MAX
    }

    assert long == LONGER.keys()
