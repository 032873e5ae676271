"""Cursors for lists that run backwards: by time and position, or by position alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from django.db.models import QuerySet

WRITTEN: Final = re.compile(r"(\d{1,16})-(\d{1,16})")


@dataclass(frozen=True, slots=True)
class Key:
    """A round's place in the order of rounds; written as microseconds since 1970 and position."""

    at: datetime
    position: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a key; None if the text is not a key."""
        found = WRITTEN.fullmatch(text)
        if found is None:
            return None
        try:
            at = datetime.fromtimestamp(int(found[1]) // 1_000_000, UTC)
        except (OverflowError, OSError, ValueError):
            return None
        return cls(at.replace(microsecond=int(found[1]) % 1_000_000), int(found[2]))

    def __str__(self) -> str:
        since = self.at - datetime(1970, 1, 1, tzinfo=UTC)
        whole = since.days * 86_400 + since.seconds
        return f"{whole}{since.microseconds:06}-{self.position}"

    def older(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows before this key. Without OR the database reads one range of an index."""
        return rows.filter(began_at__lte=self.at).exclude(
            began_at=self.at, position__gte=self.position
        )
