"""
Checks whether a table's cash may be counted now.

Nobody counts while money at the table is not booked yet, or while money is in play at a close.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from casino.house.acts import accounts
from casino.house.game_streams import occupancy
from casino.house.game_streams.loading import GameKey, load, readable
from casino.play.settlement import settled
from games.messages import Voided
from games.refusals import Refused
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.house.custody.stream import Custody, Purpose
    from casino.house.establishments.models import Establishment, Table
    from games.messages import Fact


class ShiftRuns(Refused):
    code = "shift_runs"


class NoShift(Refused):
    code = "no_shift"


class HandoverWaits(Refused):
    code = "handover_waits"


class SlipOnTheWay(Refused):
    code = "slip_on_the_way"


class MoneyInPlay(Refused):
    code = "money_in_play"


class BeingBooked(Refused):
    code = "being_booked"


class TableNotInUse(Refused):
    code = "table_not_in_use"


def may_begin(house: Establishment, table: Table, purpose: Purpose, now: Custody) -> dict[str, int]:
    """
    Check that a count of the table for this purpose may begin now.

    :returns: the stream versions that this decision depends on, besides the table's custody.
    :raises Refused: if a count for this purpose cannot begin now.
    """
    if purpose == "open":
        if now.shift:
            raise ShiftRuns(f"{table} has a shift already: hand it over, or close it first. B1")
        if not table.in_use:
            raise TableNotInUse(f"{table} is not in use: open another.")
        all_booked(house, table)
        return {}
    if now.shift is None:
        raise NoShift(f"{table} has no counted float: open a shift first. B1")
    if now.closer:
        raise HandoverWaits(f"{table} is being handed over: sign, or call it off first. B3")
    if now.shift.on_the_way:
        number = now.shift.on_the_way[0].number
        raise SlipOnTheWay(f"Slip {number} is on its way to {table}: sign for it first. B2")
    all_booked(house, table)
    return still_closing(house, table, purpose)


def still_closing(house: Establishment, table: Table, purpose: Purpose) -> dict[str, int]:
    """
    Check that a table whose float goes back to the cage has no money in play.

    :returns: the stream versions that this decision depends on; empty unless the table closes.
    :raises MoneyInPlay: if there is money in play.
    """
    if purpose != "close":
        return {}
    stream = occupancy.table_stream(str(table.pk))
    game, version = occupancy.occupant(house.pk, stream)
    if game is None:
        return {stream: version}
    loaded = load(GameKey(house.pk, uuid.UUID(game)))
    if loaded.view["pot"] or any(loaded.stakes.values()):
        raise MoneyInPlay(
            f"A game with money is open at {table}: close it and pay everybody out first,"
            " or change the shift. B1"
        )
    return {stream: version, loaded.key.stream: loaded.version}


def all_booked(house: Establishment, table: Table) -> None:
    """
    Check that the fees that lie in the table's box, and the money that voids hand back, are booked.

    Parked events are not waited for, because nobody knows how long they stay parked: their money
    is booked as over or short when it is counted.

    :raises BeingBooked: if settlement has not reached such an event yet: the count would seem over
        or short by its money (B1, A5).
    """
    for fact in _not_come_by(house, table):
        feed = any(accounts.accounts_of_fee(str(table.pk), payment) for payment in fact.payments)
        if feed or isinstance(fact, Voided):
            raise BeingBooked(
                f"What was played last at {table} is still being booked: count again in a moment."
                " B1"
            )


def _not_come_by(house: Establishment, table: Table) -> Iterator[Fact]:
    """The facts of all games at a table that settlement has not reached yet."""
    reached = settled.position_of(house.pk)
    rows = Event.objects.filter(
        establishment=house.pk, position__gt=reached, stream__startswith="game/"
    )
    for stream in rows.order_by().values_list("stream", flat=True).distinct():
        loaded = readable(GameKey(house.pk, uuid.UUID(stream.partition("/")[2])))
        if loaded is not None and loaded.place["table"] == str(table.pk):
            yield from (
                fact
                for event, fact in zip(loaded.events, loaded.facts, strict=True)
                if event.position > reached
            )
