"""
Two people count a table's float, blind, and what they find is booked as it is (B1).

    counting.count(act, table=table, purpose="open", sheet={"25": 4})     # the first of two
    counting.count(act, table=table, purpose="open", sheet={"25": 4})     # the second

Each enters what they found from a session of their own. The first count is sealed: the ledger has
a salted hash of it, and nobody sees the sheet before the second one is in. Two sheets that are
not alike are both on record, and both count again. What two agree on is accepted: the difference
to the book goes to over/short, never back into the count.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from casino.attendants import permissions
from casino.cash import boxes, custody, sheets
from casino.cash.custody import Custody, Purpose, Writing
from casino.cash.models import SealedCount
from casino.establishments import acts
from casino.play import accounts, places, settled
from casino.play.loading import GameKey, load
from casino.players import veil
from games.messages import Voided
from games.refusals import Refused
from ledger import canonical, journal, money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.attendants.models import Attendant
    from casino.cash.sheets import Sheet
    from casino.establishments.models import Establishment, Table
    from ledger.accounts import AccountRef

SALT = 16  # bytes


class SameCounter(Refused):
    code = "same_counter"


class ShiftRuns(Refused):
    code = "shift_runs"


class NoShift(Refused):
    code = "no_shift"


class OtherCountRuns(Refused):
    code = "other_count_runs"


class HandoverWaits(Refused):
    code = "handover_waits"


class SlipOnTheWay(Refused):
    code = "slip_on_the_way"


class MoneyInPlay(Refused):
    code = "money_in_play"


class BeingBooked(Refused):
    code = "being_booked"


class CageTooSmall(Refused):
    code = "cage_too_small"


class NothingToCallOff(Refused):
    code = "nothing_to_call_off"


class TableNotInUse(Refused):
    code = "table_not_in_use"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One person's sheet with the salt of its seal."""

    by: str
    sheet: Sheet
    salt: bytes

    def told(self) -> dict[str, Any]:
        """As an event has it once both are in: whoever reads it can check the seal."""
        return {"by": self.by, "sheet": self.sheet, "salt": self.salt.hex()}

    @property
    def seal(self) -> str:
        return hashlib.sha256(self.salt + canonical.encode(self.sheet)).hexdigest()


def count(
    act: acts.Act, *, table: Table, purpose: Purpose, sheet: Mapping[str, int]
) -> journal.Receipt:
    """
    Enter one's own count of a table's float: the first of two, or the second.

    :param purpose: ``open`` a shift at a closed table, ``change`` it, ``close`` it for the day, or
        ``check`` what lies there and go on.
    :param sheet: value of a piece to number of pieces.
    :raises NotYours: if the person may not record.
    :raises Refused: `NotACount`, `SameCounter`, `OtherCountRuns`; at the first count also what
        stands against it: `ShiftRuns`, `NoShift`, `HandoverWaits`, `SlipOnTheWay`, `MoneyInPlay`,
        `CageTooSmall`, `TableNotInUse`; `BeingBooked` while settlement is behind at the table.
    """
    person = _person(act, table)
    asked = {"do": "count", "table": str(table.pk), "purpose": purpose, "sheet": dict(sheet)}

    def decide() -> acts.Done:
        found = sealed(act, sheets.tidied(act.house, sheet), person)
        now = custody.read(act.house.pk, table.pk)
        if now.count is None:
            return _begun(act, table, purpose, now, found)
        _fits(table, now.count, purpose, person)
        if now.count.first is None:
            return _entered(act, table, now, found)
        return _compared(act, table, now, found)

    return acts.perform(replace(act, asked=asked), decide)


def call_off(act: acts.Act, *, table: Table, reason: str) -> journal.Receipt:
    """
    End a count, or a change of shift that waits for signatures, without an agreement.

    What was entered stays sealed. A count that both agreed on before stays booked.

    :raises NothingToCallOff: if none runs.
    """
    _person(act, table)
    asked = {"do": "call_off", "table": str(table.pk), "reason": reason}

    def decide() -> acts.Done:
        now = custody.read(act.house.pk, table.pk)
        if now.count is None and now.closer is None:
            raise NothingToCallOff(f"{table} is neither counted nor handed over now. B1")
        running = now.count.id if now.count else now.closer.count if now.closer else ""
        writing = Writing(table.pk, now)
        told = {"count": running, "reason": veil.keep(act.house.pk, reason) if reason else ""}
        writing.add(custody.CALLED_OFF, "open" if now.shift else "closed", told)
        return acts.Done(guards=writing.guards, events=writing.events)

    return acts.perform(replace(act, asked=asked), decide)


def _person(act: acts.Act, table: Table) -> Attendant:
    """Whoever counts is somebody who may record at the house the table stands in."""
    if act.by is None or table.establishment_id != act.house.pk:
        raise permissions.NotYours("Somebody of the house counts, by name. B1")
    permissions.require(act.by, "record", act.house)
    return act.by


def sealed(act: acts.Act, sheet: Sheet, person: Attendant) -> Counted:
    """A count, kept under the act's command, so that it is sealed once however often it arrives."""
    kept, _ = SealedCount.objects.get_or_create(
        establishment_id=act.house.pk,
        command_id=act.command_id,
        defaults={"salt": secrets.token_bytes(SALT), "sheet": sheet},
    )
    return Counted(by=str(person.pk), sheet=dict(kept.sheet), salt=bytes(kept.salt))


def unsealed(house: Establishment, *, by: str, key: uuid.UUID) -> Counted:
    """What somebody counted, once the other count is in. `key`: the command that brought it."""
    kept = SealedCount.objects.get(establishment=house, command_id=key)
    return Counted(by=by, sheet=dict(kept.sheet), salt=bytes(kept.salt))


def _begun(
    act: acts.Act, table: Table, purpose: Purpose, now: Custody, found: Counted
) -> acts.Done:
    guards = _may_begin(act.house, table, purpose, now)
    if purpose == "open":
        _cage_covers(act.house, found.sheet)
    return _first(table, now, found, guards, {
        "count": str(uuid.uuid5(act.house.pk, f"count/{act.command_id}")),
        "purpose": purpose,
        "attempt": 1,
        "begun_by": found.by,
    })  # fmt: skip


def _entered(act: acts.Act, table: Table, now: Custody, found: Counted) -> acts.Done:
    """The first of two again, after a pair that did not agree."""
    assert now.count is not None  # noqa: S101 - the caller looked
    return _first(table, now, found, _still_closing(act.house, table, now.count.purpose), {
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


def _may_begin(
    house: Establishment, table: Table, purpose: Purpose, now: Custody
) -> dict[str, int]:
    """
    :returns: what that rests on, beside the table's custody.
    :raises Refused: if a count for this purpose cannot begin now.
    """
    if purpose == "open":
        if now.shift:
            raise ShiftRuns(f"{table} has a shift already: hand it over, or close it first. B1")
        if not table.in_use:
            raise TableNotInUse(f"{table} is not in use: open another.")
        return {}
    if now.shift is None:
        raise NoShift(f"{table} has no counted float: open a shift first. B1")
    if now.closer:
        raise HandoverWaits(f"{table} is being handed over: sign, or call it off first. B3")
    if now.shift.on_the_way:
        number = now.shift.on_the_way[0].number
        raise SlipOnTheWay(f"Slip {number} is on its way to {table}: sign for it first. B2")
    _all_booked(house, table)
    return _still_closing(house, table, purpose)


def _still_closing(house: Establishment, table: Table, purpose: Purpose) -> dict[str, int]:
    """
    A table whose float goes back to the cage has no money in play.

    :raises MoneyInPlay: if it has.
    """
    if purpose != "close":
        return {}
    stream = places.table_stream(str(table.pk))
    game, version = places.occupant(house.pk, stream)
    if game is None:
        return {stream: version}
    loaded = load(GameKey(house.pk, uuid.UUID(game)))
    if loaded.view["pot"] or any(loaded.view["stakes"].values()):
        raise MoneyInPlay(
            f"A game with money is open at {table}: close it and pay everybody out first,"
            " or change the shift. B1"
        )
    return {stream: version, loaded.key.stream: loaded.version}


def _all_booked(house: Establishment, table: Table) -> None:
    """
    Fees that are in their box, and money that a void hands back, are in the book as well.

    :raises BeingBooked: if settlement has not come by: the float would seem short by them.
    """
    last = journal.last(establishment=house.pk, stream=places.table_stream(str(table.pk)))
    if last is None:
        return
    loaded = load(GameKey(house.pk, uuid.UUID(last.data["game"])))
    for fact in loaded.facts[settled.settled_through(loaded) :]:
        feed = any(accounts.boxed(str(table.pk), payment) for payment in fact.payments)
        if feed or isinstance(fact, Voided):
            raise BeingBooked(
                f"What was played last at {table} is still being booked: count again in a moment."
                " B1"
            )


def _fits(table: Table, running: custody.Count, purpose: Purpose, person: Attendant) -> None:
    """:raises Refused: if this count is for something else, or the person has counted already."""
    if running.purpose != purpose:
        raise OtherCountRuns(f"Another count of {table} runs: finish it, or call it off. B1")
    if running.first and running.first.by == str(person.pk):
        raise SameCounter("You have counted already: the second count is another person's. B1")


def _compared(act: acts.Act, table: Table, now: Custody, second: Counted) -> acts.Done:
    """Both counts are in: alike they are accepted, else both are on record and both count again."""
    running = now.count
    assert running is not None  # noqa: S101 - the caller looked
    assert running.first is not None  # noqa: S101 - the caller looked
    first = unsealed(act.house, by=running.first.by, key=running.first.key)
    told = {
        "count": running.id,
        "purpose": running.purpose,
        "attempt": running.attempt,
        "counters": [first.by, second.by],
        "opened": [first.told(), second.told()],
    }
    if first.sheet != second.sheet:
        writing = Writing(table.pk, now)
        writing.add(custody.COUNT_DIFFERED, "counting", told)
        return acts.Done(guards=writing.guards, events=writing.events)
    if running.purpose == "open":
        return _opened(act, table, now, second.sheet, told)
    return _accepted(act, table, now, second.sheet, told)


def _opened(
    act: acts.Act, table: Table, now: Custody, sheet: Sheet, told: Mapping[str, Any]
) -> acts.Done:
    """
    A shift begins: its float is brought from the cage. Who began the count has the table.

    What the book still has at the table from before (a void that came behind the close) goes to
    the cage first, so that the float is what was counted.
    """
    assert now.count is not None  # noqa: S101 - the caller looked
    held, left = _cage_covers(act.house, sheet), _float_of(act.house, table)
    writing = Writing(table.pk, now)
    agreed = {**told, "sheet": sheet, "counted": sheets.total(sheet), "expected": None}
    writing.add(custody.COUNT_AGREED, "closed", {**agreed, "difference": None})
    shift = {"shift": shift_id(act), "holder": now.count.begun_by, "sheet": sheet, "from": "cage"}
    at = writing.add(custody.SHIFT_OPENED, "open", shift)
    place = accounts.table_float(str(table.pk))
    return acts.Done(
        guards=writing.guards,
        events=writing.events,
        transfers=[
            *moved(place, boxes.cage(), left, "left_over", at),
            *moved(boxes.cage(), place, sheets.total(sheet), "opener", at),
        ],
        balances={boxes.cage(): held, place: left},
    )


def _accepted(
    act: acts.Act, table: Table, now: Custody, sheet: Sheet, told: Mapping[str, Any]
) -> acts.Done:
    """What two agree on is what lies there; the book follows (over/short)."""
    assert now.count is not None  # noqa: S101 - the caller looked
    assert now.shift is not None  # noqa: S101 - only an opening counts where no shift runs
    _all_booked(act.house, table)
    closes = now.count.purpose == "close"
    seen = _still_closing(act.house, table, now.count.purpose)
    place, counted = accounts.table_float(str(table.pk)), sheets.total(sheet)
    expected = _float_of(act.house, table)
    difference = counted - expected
    writing = Writing(table.pk, now)
    stands: custody.Stands = "handing_over" if now.count.purpose == "change" else "open"
    agreed = {**told, "sheet": sheet, "counted": counted, "expected": expected}
    at = writing.add(custody.COUNT_AGREED, stands, {**agreed, "difference": difference})
    transfers = moved(boxes.over_short(str(table.pk)), place, difference, "over_short", at)
    if closes:
        ended = {"shift": now.shift.id, "holder": now.shift.holder, "sheet": sheet, "to": "cage"}
        at = writing.add(custody.SHIFT_CLOSED, "closed", ended)
        transfers += moved(place, boxes.cage(), counted, "closer", at)
    return acts.Done(
        guards={**seen, **writing.guards},
        events=writing.events,
        transfers=transfers,
        balances={place: expected},
    )


def shift_id(act: acts.Act) -> str:
    """The id of a shift that an act opens: the same one however often it arrives."""
    return str(uuid.uuid5(act.house.pk, f"shift/{act.command_id}"))


def moved(
    giver: AccountRef, taker: AccountRef, amount: int, reason: str, event: int
) -> list[journal.NewTransfer]:
    """
    Money from one place to another, back where the amount is below nought; nothing for nought.

    Cash is more by debits, so it is the taker that is debited, whatever the other account is.
    """
    if not amount:
        return []
    if amount < 0:
        giver, taker, amount = taker, giver, -amount
    return [
        journal.NewTransfer(debit=taker, credit=giver, amount=amount, reason=reason, event=event)
    ]


def _float_of(house: Establishment, table: Table) -> int:
    return money.balance(accounts.table_float(str(table.pk)), establishment=house.pk)


def _cage_covers(house: Establishment, sheet: Sheet) -> int:
    """
    What the cage holds.

    :raises CageTooSmall: if a float is to be brought from it that it does not hold.
    """
    held, wanted = money.balance(boxes.cage(), establishment=house.pk), sheets.total(sheet)
    if held < wanted:
        raise CageTooSmall(
            f"The cage holds {held}, {wanted} are to be brought to the table: bring money into the"
            " cage first. B1"
        )
    return held
