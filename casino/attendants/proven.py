"""What somebody has shown of who they are, as a session, a token or a one-time approval has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from uuid import UUID


class Proven(Protocol):
    @property
    def second_factor(self) -> bool: ...

    @property
    def floor(self) -> UUID | None:
        """The only house, and only for recording, where it is not None."""

    @property
    def only(self) -> str | None:
        """The one act that was proven, where it was no more than that."""
