"""A game whose tablet was out of reach while another took over, and then sent what it had (E5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from casino.house.acts import acts
from casino.play.devices import entries, late, leases
from casino.play.devices.entries import Device, Given
from casino.play.devices.models import LateRow
from tests.support.playing import PAIR_4, PAIR_7, done, new_id, opened, settled

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.builders import House


def lists_one(at: House, game: UUID, *, now: datetime) -> int:
    """An entry of that game that waits for a supervisor; its number."""
    sent = late.Sent(
        game=game, table=str(at.table.pk), device="away", seq=1, term=None,
        made_by=str(at.attendant.pk), made_at=now.isoformat(), command_id=uuid.uuid4(),
        raw={"do": "throw", "player": "Ada", "dice": list(PAIR_7), "command_id": new_id()},
    )  # fmt: skip
    act = acts.Act(
        house=at.establishment, by=at.attendant, device="away", now=now,
        command_id=sent.command_id, request={},
    )  # fmt: skip
    late.list_(act, sent, why="handed")
    settled(at)
    return LateRow.objects.get(establishment=at.id, game=game).number


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
