"""Commands posted by a form, without number or term; only the recording device may send them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.play.core import operations
from casino.play.devices import leases
from games.refusals import Refused
from ledger import journal
from ledger.models import CommandReceipt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.play.core.core import Answer
    from casino.play.devices.entries import Device


class NotRecording(Refused):
    code = "not_recording"


def put(device: Device, raw: Mapping[str, Any]) -> Answer:
    """
    Put a command of this device to its game; the device takes the lease if nobody has it.

    :raises NotRecording: if another device records the game; the command is not put.
    :raises NotYours: :raises Malformed: :raises StreamMoved: as `operations.command`.
    """
    operations.check_shape(raw)
    stream = leases.stream_of(device.game)
    seen = {} if _needs_none(device, raw) else {stream: _term(device, raw["command_id"])}
    try:
        return device.put(raw, seen)
    except journal.StreamMoved as moved:
        if moved.stream == stream:
            raise _not_recording() from None
        raise


def _needs_none(device: Device, raw: Mapping[str, Any]) -> bool:
    """Whether a command needs no lease: a second person's act, or a command answered before."""
    if raw["do"] in leases.EXEMPT:
        return True
    rows = CommandReceipt.objects.filter(
        establishment=device.house.pk, command_id=raw["command_id"]
    )
    return rows.exists()


def _term(device: Device, command_id: str) -> int:
    """The term under which this device records; the device takes the lease if it is free."""
    lease = leases.standing(device.house.pk, device.game)
    if not lease.held:
        act = device.act(uuid.uuid5(uuid.UUID(command_id), "lease"), do="take")
        lease = leases.take(act, game=device.game, table=device.table, free_only=True)
    if not lease.is_of(device.name):
        raise _not_recording()
    return lease.term


def _not_recording() -> NotRecording:
    return NotRecording(
        _("Another device records this table: take the recording over first, or look on.")
    )
