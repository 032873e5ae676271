"""A game whose tablet was out of reach while another took over, and then sent what it had (E5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from casino.devices import entries, late, leases
from casino.devices.entries import Device, Given
from casino.devices.models import LateRow
from tests.support.playing import PAIR_4, PAIR_7, done, new_id, opened, settled

if TYPE_CHECKING:
    from datetime import datetime

    from casino.attendants.models import Attendant
    from casino.establishments.models import Table
    from tests.support.builders import House


def game_with_late_entries(at: House, *, table: Table, now: datetime) -> None:
    """Numbers 1 and 3 come late, 2 never; the first is dismissed, the other waits."""
    game = opened(at, table=table, now=now)

    def device(name: str, by: Attendant) -> Device:
        return Device(
            name=name, house=at.establishment, game=game, table=str(table.pk), by=by, now=now
        )

    away, here = device("away", at.attendant), device("here", at.supervisor)
    for each in (away, here):
        leases.take(each.act(uuid.uuid4(), do="take"), game=game, table=each.table)
    throws = [
        Given(
            seq=seq, term=1, at=now, as_="command",
            raw={"command_id": new_id(), "do": "throw", "player": player, "dice": list(dice)},
        )
        for seq, player, dice in ((1, "Ada", PAIR_7), (3, "Bo", PAIR_4))
    ]  # fmt: skip
    assert {answer.became for answer in entries.put(away, throws)} == {"late"}
    settled(at)
    first = LateRow.objects.filter(establishment=at.id, game=game).earliest("position")
    late.dismiss(
        here.act(uuid.uuid4(), do="dismiss"), game=game, entry=first.number, reason="Thrown anew."
    )
    done(at, game, "close", now=now)
    settled(at)
