"""A module is read as a whole: of one subject, and no longer than 400 lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
LINES_MAX: Final = 400
LONGER: Final = {
    "ledger/verify.py": "an auditor runs it alone, without the house: one file",
    "tests/support/access.py": "one table: who may open what, every address once",
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
