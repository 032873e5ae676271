"""
What spreadsheets do with text: they take a cell that begins with "=" for a formula, and write into
the first line which separator follows.
"""

from __future__ import annotations

import base64
import csv
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SEPARATORS: Final = ",;\t"
_FORMULA: Final = re.compile(
    '(^|[,;\\t\\r\\n])(?="*[=+\\-@\\t\\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}'
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}])"
)
"""
Where a cell may begin with what makes a spreadsheet calculate: at the start, and after each
separator and end of a line, because a file may be opened with other separators than its own.
"""
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_DECLARED: Final = re.compile(f'"?sep=([{SEPARATORS}])"?', re.IGNORECASE)


def plain(text: str) -> str:
    """A text that people wrote, as a cell of a CSV that stays text."""
    return _FORMULA.sub(r"\1'", text)


class Writer:
    """Writes CSV; each text in it stays text, whatever separators it is opened with."""

    def __init__(self, into: Any, *, lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(into, lineterminator=lineterminator)

    def writerow(self, cells: Any) -> Any:
        return self._writer.writerow(list(map(_guard, cells)))

    def writerows(self, rows: Iterator[Any]) -> None:
        for row in rows:
            self.writerow(row)


def _guard(cell: Any) -> Any:
    """The cell; a figure below zero is no formula."""
    return plain(cell) if isinstance(cell, str) and not _NUMBER.fullmatch(cell) else cell


def separator_of_line(line: str) -> str | None:
    """The separator that Excel's line `sep=;` declares; None for any other line."""
    found = _DECLARED.fullmatch(line.strip(" \r\n"))
    return found[1] if found else None


# Bytes as text.


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
