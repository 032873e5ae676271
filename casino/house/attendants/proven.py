"""The protocol of assurance: what a session, a token or a one-time approval has proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from uuid import UUID


class Proven(Protocol):
    @property
    def second_factor(self) -> bool: ...

    @property
    def floor(self) -> UUID | None:
        """If not None, the only house where the person may act, and only to record."""

    @property
    def only(self) -> str | None:
        """If not None, the only act for which the person has proven who they are."""
