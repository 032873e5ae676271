"""Lists refused seats: every attempt to seat somebody who is excluded (P1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from casino.house.acts import acts
from casino.play.core import commands
from casino.play.exclusions import operations as exclusions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.play.core.core import Answer


def note_refused(  # noqa: PLR0913, PLR0917 - who asked what, where and when, and the answer
    house: Establishment,
    by: Attendant,
    device: str,
    now: datetime,
    raw: Mapping[str, Any],
    answer: Answer,
    table: str | None = None,
) -> None:
    """
    Record a refused seat, if the answer to a command is one.

    The id of the act is derived from the id of the command, so a command that is sent again,
    because its answer was lost, is listed once.
    """
    refusal = answer.refusal
    if refusal is None or refusal.code not in exclusions.CODES:
        return
    command_id = answer.receipt.command_id
    act = acts.Act(
        house=house,
        by=by,
        device=device,
        now=now,
        command_id=uuid.uuid5(command_id, exclusions.SEAT_REFUSED),
        request={"do": "note_refused", "command": str(command_id)},
    )
    exclusions.note_try(
        act,
        tokens=commands.players_to_admit(house.pk, raw),
        game=str(answer.key.game) if raw["do"] != "open" else None,
        table=table,
    )
