"""
Handover of a table: the outgoing attendant signs, the incoming one signs, play goes on (B3).

Between the count that two people agreed on and the second signature no money moves at the table,
so the closer of one shift is the opener of the next, coin by coin. Both attendants acknowledge the
state of the running round: the second signature is refused if play went on after the first.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from casino.house.acts import acts
from casino.house.acts.custody import stream as custody
from casino.house.acts.custody.stream import Custody, Writing
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants import permissions
from casino.money.cash import moving
from casino.money.cash.counting import NoShift, shift_id
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment, Table
    from ledger import journal


SIGNS = "Somebody of the house signs, by name. B3"


class NotCountedYet(Refused):
    code = "not_counted_yet"


class NotTheHolder(Refused):
    code = "not_the_holder"


class NotSignedYet(Refused):
    code = "not_signed_yet"


class SameAttendant(Refused):
    code = "same_attendant"


class RoundMoved(Refused):
    code = "round_moved"


@dataclass(frozen=True, slots=True)
class AtTable:
    """
    The state of play that a signature acknowledges.

    :param version: number of events of the running game; 0 if no game is running.
    """

    game: str | None
    version: int
    round: int | None
    guards: dict[str, int]


def at_table(house: Establishment, table: Table) -> AtTable:
    """The state of play at a table now, and the stream versions that prove it."""
    stream = occupancy.table_stream(str(table.pk))
    game, version = occupancy.occupant(house.pk, stream)
    if game is None:
        return AtTable(None, 0, None, {stream: version})
    loaded = load(GameKey(house.pk, uuid.UUID(game)))
    guards = {stream: version, loaded.key.stream: loaded.version}
    return AtTable(game, loaded.version, loaded.view["round"], guards)


def sign_over(act: acts.Act, *, table: Table, seen: int) -> journal.Receipt:
    """
    The outgoing attendant's signature; somebody who may approve can sign in their place.

    :param seen: number of events of the running game as the signer saw it; 0: no game was running.
    :raises NotCountedYet: if the float was not counted for a change of shift.
    :raises NotTheHolder: if somebody else has the table.
    :raises RoundMoved: if play went on since the signer looked.
    """
    person = moving.person(act, SIGNS, table=table)
    request = {"do": "sign_over", "table": str(table.pk), "seen": seen}

    def decide() -> acts.Done:
        now = custody.read(act.house.pk, table.pk)
        shift = _shift_with_count(table, now)
        if shift.holder != act.actor and not permissions.may(person, "approve", act.house.pk):
            raise NotTheHolder(f"{table} is another's: they sign, or a supervisor does. B3")
        played = _as_seen(act.house, table, seen)
        writing = Writing(table.pk, now)
        writing.add(
            custody.SIGNED_OVER,
            "handing_over",
            {
                "shift": shift.id,
                "holder": shift.holder,
                "game": played.game,
                "game_version": played.version,
                "round": played.round,
            },
        )
        return acts.Done(guards={**played.guards, **writing.guards}, events=writing.events)

    return acts.perform(replace(act, request=request), decide)


def take_over(act: acts.Act, *, table: Table, seen: int) -> journal.Receipt:
    """
    The incoming attendant's signature: it closes one shift and opens the next, in one entry.

    :raises NotSignedYet: if the outgoing attendant has not signed.
    :raises SameAttendant: if the same person signed the table over, or has it already.
    :raises RoundMoved: if play went on since the first signature, or since `seen`.
    """
    moving.person(act, SIGNS, table=table)
    request = {"do": "take_over", "table": str(table.pk), "seen": seen}

    def decide() -> acts.Done:
        now = custody.read(act.house.pk, table.pk)
        shift = _shift_with_count(table, now)
        if now.signed is None:
            raise NotSignedYet(f"Whoever has {table} signs first. B3")
        if act.actor in {now.signed.by, shift.holder}:
            raise SameAttendant("Another attendant takes the table over. B3")
        played = _as_seen(act.house, table, seen)
        if (now.signed.game, now.signed.version) != (played.game, played.version):
            raise RoundMoved(f"Play went on at {table} since it was signed: sign again. B3")
        return _hand_over(act, table, now, played)

    return acts.perform(replace(act, request=request), decide)


def _hand_over(act: acts.Act, table: Table, now: Custody, played: AtTable) -> acts.Done:
    """Close one shift and open the next with the same sheet; the float stays at the table (B1)."""
    assert now.shift is not None  # noqa: S101 - the caller looked
    assert now.closer is not None  # noqa: S101 - the caller looked
    sheet, writing = now.closer.sheet, Writing(table.pk, now)
    ended = {"shift": now.shift.id, "holder": now.shift.holder, "sheet": sheet, "to": "next"}
    writing.add(custody.SHIFT_CLOSED, "handing_over", ended)
    begins = {
        "shift": shift_id(act),
        "holder": act.actor,
        "sheet": sheet,
        "from": "handover",
        "game": played.game,
        "game_version": played.version,
        "round": played.round,
    }
    writing.add(custody.SHIFT_OPENED, "open", begins)
    return acts.Done(guards={**played.guards, **writing.guards}, events=writing.events)


def _shift_with_count(table: Table, now: Custody) -> custody.Shift:
    """
    The shift that is handed over, once its float is counted.

    :raises Refused: unless two people have counted for a change of shift.
    """
    if now.shift is None:
        raise NoShift(f"{table} has no shift to hand over. B1")
    if now.closer is None:
        raise NotCountedYet(f"Two people count the float of {table} first. B1, B3")
    return now.shift


def _as_seen(house: Establishment, table: Table, seen: int) -> AtTable:
    """
    The state of play, if it is still what the signer saw.

    :raises RoundMoved: if play went on since.
    """
    played = at_table(house, table)
    if played.version != seen:
        raise RoundMoved(f"Play went on at {table} while you looked: look again. B3")
    return played
