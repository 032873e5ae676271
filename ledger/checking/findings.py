"""Findings and steps: what the checks of a ledger find, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.canonical import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    One thing that contradicts the hashes, the signatures or the bodies.

    :param check: the check that found it; docs/how-to/verify.md lists these words, which stay.
    :param says: a sentence for people.
    :param first: the position of the event concerned; None: no event is concerned. With `last`, an
        interval in which no single event can be named.
    :param row: identifies the row, as ``{"stream": …}``, ``{"account": …}``, ``{"command": …}``.
    :param column: the column of that row. :param expected: the value that it should have.
    :param behind: the ledger ends before what somebody else has of it: it is an older copy, whose
        contents may be right.
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
        """The finding as JSON; unknown fields are left out."""
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
"""The place within a check from which it continues, as JSON; empty: from the beginning."""


@dataclass(frozen=True, slots=True)
class Step:
    """
    One step of a check.

    :param findings: what this step found. :param place: where the next step begins.
    :param done: how many rows this step checked.
    """

    findings: list[Finding]
    place: Place
    done: int = 0
