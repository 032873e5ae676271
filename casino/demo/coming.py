"""Brings the past into a house that serves pages already, which say how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import IntegrityError
from django.utils import timezone

from casino.demo import past
from casino.proof.verification.export_tables import Unknown
from casino.proof.verification.imports import NotImported
from casino.settings.staff.sign_in.demo_staff import PAST
from ledger.importing import Differs
from ledger.verify import Undecided, Unreadable, Untrue

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

NOT_IMPORTED: Final = (NotImported, Untrue, Undecided, Unreadable, Unknown, Differs, IntegrityError)
"""Why a past cannot be imported; the last: another process has made a demo house meanwhile."""


class Stopped(Exception):  # noqa: N818 - names the fact
    """The program ends; the next start imports the past anew."""


def import_past(stops: Callable[[], bool]) -> UUID | None:
    """
    Import the past.

    :param stops: called again and again; True ends the import.
    :returns: the house; None if the import was ended.
    :raises NotImported: or another of `NOT_IMPORTED`.
    """

    def so_far(entries: int) -> None:
        PAST.recorded = entries
        if stops():
            raise Stopped

    PAST.entries = past.size()
    try:
        made = past.import_(timezone.now(), on_progress=so_far)
    except Stopped:
        return None
    except NOT_IMPORTED:
        PAST.entries = 0
        raise
    return made.pk


def read_past(of: UUID, stops: Callable[[], bool]) -> None:
    """Let every screen read the past."""

    def so_far(entries: int) -> None:
        PAST.shown = min(entries, PAST.entries)

    past.catch_up(of, stops=stops, on_progress=so_far)
    PAST.shown = PAST.entries
