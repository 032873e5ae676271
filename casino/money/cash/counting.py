"""
Blind counts of a table's float by two people, and the handover of the table that follows (B1, B3).

    counting.count(act, table=table, purpose="open", sheet={"25": 4})     # the first of two
    counting.count(act, table=table, purpose="open", sheet={"25": 4})     # the second

Each person enters what they found from their own session. The first count is sealed: the ledger has
only a salted hash of it, and nobody sees the sheet before the second count is entered. If the two
sheets differ, both stay on record and both people count again. What two people agree on is
accepted: the difference from the ledger goes to over/short, never back into the count.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction

from casino.house.acts import accounts, acts, custody
from casino.house.acts.custody import Custody, Purpose, Writing
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.loading import GameKey, load, readable
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.money.cash import moving
from casino.money.cash.models import SealedCount
from casino.play.settlement import settled
from games.messages import Voided
from games.refusals import Refused
from ledger import canonical, money
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from casino.house.acts.acts import Act
    from casino.house.acts.custody import Sheet
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table
    from games.messages import Fact
    from ledger import journal


COUNTS = "Somebody of the house counts, by name. B1"


class SameCounter(Refused):
    code = "same_counter"


class OtherCountRuns(Refused):
    code = "other_count_runs"


class NothingToCallOff(Refused):
    code = "nothing_to_call_off"


def count(
    act: acts.Act, *, table: Table, purpose: Purpose, sheet: Mapping[str, int]
) -> journal.Receipt:
    """
    Enter one's own count of a table's float: the first of two, or the second.

    :param purpose: ``open`` a shift at a closed table, ``change`` it, ``close`` it for the day, or
        ``check`` the float and go on.
    :param sheet: value of a piece to number of pieces.
    :raises NotYours: if the person may not record.
    :raises Refused: `NotACount`, `SameCounter`, `OtherCountRuns`; at the first count also
        `ShiftRuns`, `NoShift`, `HandoverWaits`, `SlipOnTheWay`, `MoneyInPlay`, `CageTooSmall`,
        `TableNotInUse`; `BeingBooked` while settlement is behind at the table.
    """
    person = moving.person(act, COUNTS, table=table)
    request = {"do": "count", "table": str(table.pk), "purpose": purpose, "sheet": dict(sheet)}

    @transaction.atomic  # a count that is refused leaves no sealed count behind
    def decide() -> acts.Done:
        found = seal(act, custody.normalise_sheet(act.house, sheet))
        now = custody.read(act.house.pk, table.pk)
        if now.count is None:
            return _begin(act, table, purpose, now, found)
        _fits(table, now.count, purpose, person)
        if now.count.first is None:
            return _enter_first(act, table, now, found)
        return _compare(act, table, now, found)

    return acts.perform(replace(act, request=request), decide)


def call_off(act: acts.Act, *, table: Table, reason: str) -> journal.Receipt:
    """
    End a count, or a change of shift that waits for signatures, without an agreement.

    A count that was entered stays sealed. A count that both people agreed on before stays booked.

    :raises NothingToCallOff: if neither is in progress.
    """
    moving.person(act, COUNTS, table=table)
    request = {"do": "call_off", "table": str(table.pk), "reason": reason}

    def decide() -> acts.Done:
        now = custody.read(act.house.pk, table.pk)
        if now.count is None and now.closer is None:
            raise NothingToCallOff(f"{table} is neither counted nor handed over now. B1")
        running = now.count.id if now.count else now.closer.count if now.closer else ""
        writing = Writing(table.pk, now)
        data = {"count": running, "reason": tokens.keep(act.house.pk, reason) if reason else ""}
        writing.add(custody.CALLED_OFF, "open" if now.shift else "closed", data)
        return acts.Done(guards=writing.guards, events=writing.events)

    return acts.perform(replace(act, request=request), decide)


def _begin(
    act: acts.Act, table: Table, purpose: Purpose, now: Custody, found: Counted
) -> acts.Done:
    guards = may_begin(act.house, table, purpose, now)
    if purpose == "open":
        _brought(act.house, found.sheet)
    return _first(table, now, found, guards, {
        "count": str(uuid.uuid5(act.house.pk, f"count/{act.command_id}")),
        "purpose": purpose,
        "attempt": 1,
        "begun_by": found.by,
    })  # fmt: skip


def _enter_first(act: acts.Act, table: Table, now: Custody, found: Counted) -> acts.Done:
    """Enter the first count of a new pair, after a pair that differed."""
    assert now.count is not None  # noqa: S101 - the caller looked
    seen = still_closing(act.house, table, now.count.purpose)
    return _first(table, now, found, seen, {
        "count": now.count.id,
        "purpose": now.count.purpose,
        "attempt": now.count.attempt,
        "begun_by": now.count.begun_by,
    })  # fmt: skip


def _first(
    table: Table,
    now: Custody,
    found: Counted,
    guards: Mapping[str, int],
    data: Mapping[str, Any],
) -> acts.Done:
    writing = Writing(table.pk, now)
    writing.add(custody.COUNT_ENTERED, "counting", {**data, "seal": found.seal})
    return acts.Done(guards={**guards, **writing.guards}, events=writing.events)


def _fits(table: Table, running: custody.Count, purpose: Purpose, person: Attendant) -> None:
    """:raises Refused: if this count is for something else, or the person has counted already."""
    if running.purpose != purpose:
        raise OtherCountRuns(f"Another count of {table} runs: finish it, or call it off. B1")
    if running.first and running.first.by == str(person.pk):
        raise SameCounter("You have counted already: the second count is another person's. B1")


def _compare(act: acts.Act, table: Table, now: Custody, second: Counted) -> acts.Done:
    """
    Compare the second count with the first.

    Counts that agree are accepted. Otherwise both stay on record and both people count again.
    """
    running = now.count
    assert running is not None  # noqa: S101 - the caller looked
    assert running.first is not None  # noqa: S101 - the caller looked
    first = unseal(act.house, by=running.first.by, key=running.first.key)
    data = {
        "count": running.id,
        "purpose": running.purpose,
        "attempt": running.attempt,
        "counters": [first.by, second.by],
        "opened": [first.as_dict(), second.as_dict()],
    }
    if first.sheet != second.sheet:
        writing = Writing(table.pk, now)
        writing.add(custody.COUNT_DIFFERED, "counting", data)
        return acts.Done(guards=writing.guards, events=writing.events)
    if running.purpose == "open":
        return _open_shift(act, table, now, second.sheet, data)
    return _accept(act, table, now, second.sheet, data)


def _open_shift(
    act: acts.Act, table: Table, now: Custody, sheet: Sheet, data: Mapping[str, Any]
) -> acts.Done:
    """
    Open a shift with the float that two people counted; it is brought from the cage.

    The holder of the table is whoever began the count. Money that the ledger still has at the table
    from before (from a void after the close) goes to the cage first, so that the float is what was
    counted.
    """
    assert now.count is not None  # noqa: S101 - the caller looked
    all_booked(act.house, table)
    seen, left = _brought(act.house, sheet), _float_of(act.house, table)
    writing = Writing(table.pk, now)
    agreed = {**data, "sheet": sheet, "counted": custody.total_of_sheet(sheet), "expected": None}
    writing.add(custody.COUNT_AGREED, "closed", {**agreed, "difference": None})
    shift = {"shift": shift_id(act), "holder": now.count.begun_by, "sheet": sheet, "from": "cage"}
    at = writing.add(custody.SHIFT_OPENED, "open", shift)
    place = accounts.table_float(str(table.pk))
    return acts.Done(
        guards=writing.guards,
        events=writing.events,
        transfers=[
            *moving.move(place, custody.cage(), left, "left_over", at),
            *moving.move(custody.cage(), place, custody.total_of_sheet(sheet), "opener", at),
        ],
        balances={**seen, place: left},
    )


def _accept(
    act: acts.Act, table: Table, now: Custody, sheet: Sheet, data: Mapping[str, Any]
) -> acts.Done:
    """Accept a count that two people agree on; the ledger is corrected through over/short."""
    assert now.count is not None  # noqa: S101 - the caller looked
    assert now.shift is not None  # noqa: S101 - only an opening counts where no shift runs
    all_booked(act.house, table)
    closes = now.count.purpose == "close"
    seen = still_closing(act.house, table, now.count.purpose)
    place, counted = accounts.table_float(str(table.pk)), custody.total_of_sheet(sheet)
    expected = _float_of(act.house, table)
    difference = counted - expected
    writing = Writing(table.pk, now)
    stands: custody.Stands = "handing_over" if now.count.purpose == "change" else "open"
    agreed = {**data, "sheet": sheet, "counted": counted, "expected": expected}
    at = writing.add(custody.COUNT_AGREED, stands, {**agreed, "difference": difference})
    transfers = moving.move(custody.over_short(str(table.pk)), place, difference, "over_short", at)
    if closes:
        ended = {"shift": now.shift.id, "holder": now.shift.holder, "sheet": sheet, "to": "cage"}
        at = writing.add(custody.SHIFT_CLOSED, "closed", ended)
        transfers += moving.move(place, custody.cage(), counted, "closer", at)
    return acts.Done(
        guards={**seen, **writing.guards},
        events=writing.events,
        transfers=transfers,
        balances={place: expected},
    )


def shift_id(act: acts.Act) -> str:
    """The id of the shift that an act opens: the same id however often the act is sent."""
    return str(uuid.uuid5(act.house.pk, f"shift/{act.command_id}"))


def _float_of(house: Establishment, table: Table) -> int:
    return money.balance(accounts.table_float(str(table.pk)), establishment=house.pk)


def _brought(house: Establishment, sheet: Sheet) -> dict[journal.AccountRef, int]:
    """
    Check that the cage holds the float that is to be brought to the table.

    :returns: the balance of the cage that this decision depends on.
    :raises CageTooSmall: if the cage holds less.
    """
    return moving.cage_gives(
        house.pk, custody.total_of_sheet(sheet), otherwise="bring money into the cage first. B1"
    )


# Sealed counts (B1, A5): until both counts are entered, the ledger has only a hash of the first.
#
# The sheet and the salt of the hash are kept outside the ledger. The event of the second count
# contains both sheets and salts, so whoever reads it can check the seal.


SALT = 16  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One person's sheet with the salt of its seal."""

    by: str
    sheet: Sheet
    salt: bytes

    def as_dict(self) -> dict[str, Any]:
        """The count as an event contains it once both are entered; its seal can be checked."""
        return {"by": self.by, "sheet": self.sheet, "salt": self.salt.hex()}

    @property
    def seal(self) -> str:
        return hashlib.sha256(self.salt + canonical.encode(self.sheet)).hexdigest()


def seal(act: Act, sheet: Sheet) -> Counted:
    """
    Keep a count under its command and seal it.

    A command that is sent again gets the same salt and the same seal.
    """
    kept, _ = SealedCount.objects.get_or_create(
        establishment_id=act.house.pk,
        command_id=act.command_id,
        defaults={"salt": secrets.token_bytes(SALT), "sheet": sheet},
    )
    return Counted(by=act.actor, sheet=dict(kept.sheet), salt=bytes(kept.salt))


def unseal(house: Establishment, *, by: str, key: UUID) -> Counted:
    """
    The kept count of a person, for use once the other count is entered.

    :param key: id of the command that brought the count.
    """
    kept = SealedCount.objects.get(establishment=house, command_id=key)
    return Counted(by=by, sheet=dict(kept.sheet), salt=bytes(kept.salt))


# Checks whether a table's cash may be counted now.
#
# Nobody counts while money at the table is not booked yet, or while money is in play at a close.


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


#
# Handover of a table: the outgoing attendant signs, the incoming one signs, play goes on (B3).
#
# Between the count that two people agreed on and the second signature no money moves at the table,
# so the closer of one shift is the opener of the next, coin by coin. Both attendants acknowledge
# the state of the running round: the second signature is refused if play went on after the first.


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
