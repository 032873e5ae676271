"""What checks of a book find, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.canonical import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    One thing that is not as the hashes, the signatures or the bodies have it.

    :param check: which check found it; the words stand in docs/how-to/verify.md and stay.
    :param says: a sentence for people.
    :param first: the position of the event concerned, and `last` where it is an interval of which
        no single event can be named; None: no event is concerned.
    :param row: what names the row, as ``{"stream": …}``, ``{"account": …}``, ``{"command": …}``.
    :param column: which of the row's columns. :param expected: what should stand there.
    :param behind: the book ends before what somebody else has of it: it is an older copy, and what
        there is of it may be as true as ever.
    """

    check: str
    says: str
    first: int | None = None
    last: int | None = None
    row: Mapping[str, Json] = field(default_factory=dict)
    column: str | None = None
    expected: Json = None
    found: Json = None
    behind: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As JSON; what is not known is left out."""
        fields = {
            "what": self.check,
            "from": self.first,
            "to": self.first if self.last is None else self.last,
            "says": self.says,
            "row": dict(self.row) or None,
            "column": self.column,
            "expected": self.expected,
            "found": self.found,
            "behind": self.behind or None,
        }
        compared = ("expected", "found") if self.column else ()
        return {
            name: value for name, value in fields.items() if value is not None or name in compared
        }


Place = dict[str, Any]
"""Where within a check it goes on, as JSON; empty: at its beginning."""


@dataclass(frozen=True, slots=True)
class Step:
    """
    :param findings: what this step found. :param place: where the next one begins.
    :param done: how many rows this one went through.
    """

    findings: list[Finding]
    place: Place
    done: int = 0
