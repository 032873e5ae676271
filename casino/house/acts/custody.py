"""
Custody: who has a table's money, and how much it should be (B1, B3).

Shift, count and handover of a table are events of the stream ``custody/<table>``. A shift opens
with a counted float and closes with a count. Between two shifts of one evening, the count that
closes one opens the other, and both attendants sign. Every event of the stream says in `stands`
whether money may move at the table from then on, and in `began` at which event a fold has to start:
earlier events do not matter any more. What people do and see is in a room above.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from games.payments import COINS_MAX
from games.refusals import Refused
from ledger import journal, money, recent
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment, Table
    from ledger.wire import StoredEvent

Purpose = Literal["open", "change", "close", "check"]
Stands = Literal["closed", "open", "counting", "handing_over"]

COUNT_ENTERED = "count.entered"
COUNT_DIFFERED = "count.differed"
COUNT_AGREED = "count.agreed"
CALLED_OFF = "count.called_off"
SHIFT_OPENED = "shift.opened"
SIGNED_OVER = "shift.signed_over"
SHIFT_CLOSED = "shift.closed"
SLIP_ISSUED = "slip.issued"
SLIP_RECEIVED = "slip.received"


@dataclass(frozen=True, slots=True)
class Entered:
    """One person's sealed count: the ledger only has its salted hash until the second count."""

    by: str
    at: datetime
    key: UUID
    """Id of the command that brought the count; the sheet is kept under it."""


@dataclass(frozen=True, slots=True)
class Count:
    """A running count: nobody has counted yet, or one of two people has."""

    id: str
    purpose: Purpose
    attempt: int
    """Starts at 1; increases each time the two counts differ."""
    begun_by: str
    first: Entered | None


@dataclass(frozen=True, slots=True)
class Slip:
    """A fill or a credit that is approved and not yet signed for at the table."""

    number: int
    kind: str
    amount: int
    approved_by: str | None


@dataclass(frozen=True, slots=True)
class Shift:
    """A running shift: who has the table since when, and the sums of its slips."""

    id: str
    holder: str
    since: datetime
    opener: Sheet
    fills: int = 0
    credits: int = 0
    on_the_way: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Closer:
    """The count of two people before a handover."""

    count: str
    sheet: Sheet
    counters: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Signed:
    """The outgoing attendant's signature, and the state of play they acknowledged (B3)."""

    by: str
    at: datetime
    game: str | None
    version: int
    """Number of events of the running game when it was signed; 0 if no game was running."""
    round: int | None


@dataclass(frozen=True, slots=True)
class Custody:
    """The custody of a table after the last event of its stream."""

    version: int = 0
    began: int = 1
    shift: Shift | None = None
    count: Count | None = None
    closer: Closer | None = None
    signed: Signed | None = None

    @property
    def stands(self) -> Stands:
        if self.count:
            return "counting"
        if self.closer:
            return "handing_over"
        return "open" if self.shift else "closed"


def stream_of(table: object) -> str:
    return f"custody/{table}"


def read(establishment: UUID, table: object) -> Custody:
    """The current custody of a table; two queries, which read only events since its shift began."""
    stream = stream_of(table)
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return Custody()
    events = journal.stream(
        establishment=establishment, stream=stream, after_version=last.data["began"] - 1
    )
    return fold(events)


def read_all(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, Custody]:
    """The current custody of several tables, in two queries."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    began = {stream: last.data["began"] - 1 for stream, last in lasts.items()}
    events = recent.after(establishment, began)
    return {table: fold(events.get(stream, ())) for stream, table in streams.items()}


def tables_in_count(establishment: UUID, tables: Iterable[UUID]) -> set[UUID]:
    """The tables, of those given, whose float is being counted; one query."""
    streams = {stream_of(table): table for table in tables}
    lasts = recent.lasts(establishment, streams)
    return {streams[name] for name, last in lasts.items() if last.data["stands"] == "counting"}


def standing(establishment: UUID, table: object) -> tuple[Stands, int]:
    """Whether money may move at a table, and the stream version; reads only the last event."""
    last = journal.last(establishment=establishment, stream=stream_of(table))
    return (last.data["stands"], last.stream_version) if last else ("closed", 0)


def fold(events: Sequence[StoredEvent]) -> Custody:
    """The custody that results from events, beginning with the one at which a fold starts."""
    custody = Custody()
    for event in events:
        at = replace(custody, version=event.stream_version, began=event.data["began"])
        custody = evolve(at, event)
    return custody


def evolve(  # noqa: PLR0911 - one return for each thing that happens
    custody: Custody, event: StoredEvent
) -> Custody:
    """The custody of a table after an event. Events are not checked: they have happened."""
    data = event.data
    match event.event_type:
        case "count.entered":
            return replace(custody, count=_enter_count(event))
        case "count.differed":
            return replace(custody, count=_again(custody.count))
        case "count.agreed":
            closer = _closer(event) if data["purpose"] == "change" else None
            return replace(custody, count=None, closer=closer, signed=None)
        case "count.called_off":
            return replace(custody, count=None, closer=None, signed=None)
        case "shift.opened":
            return replace(custody, shift=_open_shift(event), closer=None, signed=None)
        case "shift.signed_over":
            return replace(custody, signed=_signature(event))
        case "shift.closed":
            return replace(custody, shift=None, closer=None, signed=None)
        case _:
            return replace(custody, shift=_take_slip(custody.shift, event))


def _enter_count(event: StoredEvent) -> Count:
    data, provenance = event.data, event.provenance
    return Count(
        id=data["count"],
        purpose=data["purpose"],
        attempt=data["attempt"],
        begun_by=data["begun_by"],
        first=Entered(by=provenance.actor, at=provenance.recorded_at, key=provenance.command_id),
    )


def _again(count: Count | None) -> Count | None:
    return replace(count, attempt=count.attempt + 1, first=None) if count else None


def _closer(event: StoredEvent) -> Closer:
    data = event.data
    return Closer(
        count=data["count"],
        sheet=dict(data["sheet"]),
        counters=tuple(data["counters"]),
        at=event.provenance.recorded_at,
    )


def _open_shift(event: StoredEvent) -> Shift:
    data = event.data
    return Shift(
        id=data["shift"],
        holder=data["holder"],
        since=event.provenance.recorded_at,
        opener=dict(data["sheet"]),
    )


def _signature(event: StoredEvent) -> Signed:
    data, provenance = event.data, event.provenance
    return Signed(
        by=provenance.actor,
        at=provenance.recorded_at,
        game=data["game"],
        version=data["game_version"],
        round=data["round"],
    )


def _take_slip(shift: Shift | None, event: StoredEvent) -> Shift | None:
    if shift is None:
        return None
    data = event.data
    if event.event_type == SLIP_RECEIVED:
        left = tuple(each for each in shift.on_the_way if each.number != data["number"])
        return replace(shift, on_the_way=left)
    slip = Slip(data["number"], data["kind"], data["amount"], data.get("approved_by"))
    put, taken = (slip.amount, 0) if slip.kind == "fill" else (0, slip.amount)
    return replace(
        shift,
        fills=shift.fills + put,
        credits=shift.credits + taken,
        on_the_way=(*shift.on_the_way, slip),
    )


class Writing:
    """Collects new events for a table's custody, and adds `began` and `stands` to each."""

    def __init__(self, table: object, custody: Custody) -> None:
        self.table, self.custody = str(table), custody
        self.events: list[journal.NewEvent] = []

    @property
    def guards(self) -> dict[str, int]:
        return {stream_of(self.table): self.custody.version}

    def add(self, event_type: str, stands: Stands, data: Mapping[str, Any]) -> int:
        """
        Add an event.

        :returns: its index among the new events, for transfers that refer to it.
        """
        number = self.custody.version + len(self.events) + 1
        anew = event_type == SHIFT_OPENED or (
            self.custody.stands == "closed" and not self.events
        )  # fmt: skip
        began = number if anew else self._began()
        self.events.append(
            journal.NewEvent(
                stream=stream_of(self.table),
                event_type=event_type,
                schema_version=1,
                data={**data, "table": self.table, "began": began, "stands": stands},
            )
        )
        return len(self.events) - 1

    def _began(self) -> int:
        if self.events:
            began: int = self.events[-1].data["began"]  # type: ignore[assignment]  # written here
            return began
        return self.custody.began


def amount_of(opened: Shift | Closer) -> int:
    """The sum of the counted float with which a shift opened, or of a closer."""
    return total_of_sheet(opened.opener if isinstance(opened, Shift) else opened.sheet)


# --- Accounts of cash and of over/short -----------------------------------------------------------


TIPS: Final = "tips/"  # prefix of the names of accounts that hold tips for attendants (P4)


def cage() -> AccountRef:
    """The account of the cage, from which floats are brought to the tables."""
    return AccountRef(Kind.CAGE, "main")


def over_short(name: str) -> AccountRef:
    """The account of the differences between counts of a table (its id) and the ledger (B1)."""
    return AccountRef(Kind.OVER_SHORT, name)


def is_float(account: AccountRef) -> bool:
    """Whether an account is the float of a table, not its fee box or tip box (A5, P4)."""
    return account.kind == Kind.FLOAT and "/" not in account.name


def holds_tips(account: AccountRef) -> bool:
    """Whether an account of held money holds an attendant's tips, not a payout of a game (P4)."""
    return account.kind == Kind.HELD and account.name.startswith(TIPS)


# --- Count sheets: how many pieces of each denomination were counted ------------------------------
#
# A sheet is JSON, ``{"25": 4, "1": 12}``: value of a piece to number of pieces. Both are whole
# numbers; pieces of which there are none are left out. Events, requests and forms use this format.


Sheet = dict[str, int]

PIECES_MOST = 1_000_000  # of one denomination at one place


class NotACount(Refused):
    code = "not_a_count"


@dataclass(frozen=True, slots=True)
class Denomination:
    """
    A coin or chip of the house.

    :param value: in the house's smallest coin.
    :param name: its name, or "".
    """

    value: int
    name: str


def denominations(house: Establishment) -> tuple[Denomination, ...]:
    """The house's coins and chips, the greatest first."""
    listed = [Denomination(each["value"], each["name"]) for each in house.denominations]
    return tuple(sorted(listed, key=lambda each: -each.value))


def normalise_sheet(house: Establishment, given: Mapping[str, int]) -> Sheet:
    """
    Check a sheet and bring it into the stored form: greatest value first, without zeros.

    :raises NotACount: if a value is no denomination of the house, a number of pieces is not valid,
        or the sum is too large.
    """
    known = {str(each.value) for each in denominations(house)}
    for coin_value, pieces in given.items():
        if coin_value not in known:
            raise NotACount(f"{house} has no coin or chip of {coin_value}: count by its own. B1")
        if type(pieces) is not int or not 0 <= pieces <= PIECES_MOST:
            raise NotACount(f"{coin_value}: a whole number of pieces, from 0 to {PIECES_MOST}. B1")
    if total_of_sheet(given) > COINS_MAX:
        raise NotACount(f"More than {COINS_MAX} coins cannot lie in one place. B1")
    return {value: given[value] for value in sorted(given, key=lambda each: -int(each))
            if given[value]}  # fmt: skip


def total_of_sheet(sheet: Mapping[str, int]) -> int:
    """The sum of a sheet, in the house's smallest coin."""
    return sum(int(value) * pieces for value, pieces in sheet.items())


# --- Floats: money moves only from and to a counted float that holds enough (B1) ------------------
#
# `play.core` calls this for each command that moves cash. Nothing here knows about games.


class NoFloat(Refused):
    code = "no_float"


class FloatTooSmall(Refused):
    code = "float_too_small"


def guard_floats(house: Establishment, entry: journal.Entry) -> journal.Entry:
    """
    Check the floats that an entry moves cash from and to, and add guards to the entry.

    The guards notice a count, a close, or another cash-out from the same float at the same moment.
    If the house does not count floats, the entry stays as it is.

    :raises NoFloat: if a table has no counted float, or is being counted or handed over.
    :raises FloatTooSmall: if more is to leave a float than it holds.
    """
    if not house.counts_floats or not (moved := brought_to_floats(entry)):
        return entry
    guards, balances = dict(entry.guards), dict(entry.balances)
    for account, amount in moved.items():
        guards |= _open_for_money(house, account.name)
        if amount < 0:
            balances[account] = _check_covers(house, account, -amount)
    return replace(entry, guards=guards, balances=balances)


def brought_to_floats(entry: journal.Entry) -> Mapping[AccountRef, int]:
    """How much an entry adds to each table's float; negative if it takes money out."""
    moved: dict[AccountRef, int] = defaultdict(int)
    for transfer in entry.transfers:
        for account, amount in (
            (transfer.debit, transfer.amount),
            (transfer.credit, -transfer.amount),
        ):
            if is_float(account):
                moved[account] += amount
    return moved


def _open_for_money(house: Establishment, table: str) -> dict[str, int]:
    """
    Check that money may move at a table; a guard on the table's custody.

    :raises NoFloat: if money may not move; the message says what to do first.
    """
    stands, version = standing(house.pk, table)
    if stands != "open":
        name = house.tables.values_list("name", flat=True).get(pk=table)
        raise NoFloat(SENTENCES[stands].format(table=name))
    return {stream_of(table): version}


def why_no_money(house: Establishment, table: Table) -> str:
    """The sentence that says why no money may move at a table now; "" if it may."""
    if not house.counts_floats:
        return ""
    stands, _ = standing(house.pk, table.pk)
    return "" if stands == "open" else SENTENCES[stands].format(table=table.name)


SENTENCES = {
    "closed": "{table} has no counted float: open a shift first. B1",
    "counting": "{table} is being counted: money waits until both counts are in. B1",
    "handing_over": "{table} is being handed over: both attendants sign first. B3",
}


def _check_covers(house: Establishment, account: AccountRef, amount: int) -> int:
    """
    The balance of a float, if it covers an amount.

    :raises FloatTooSmall: if the float holds less. The message does not say what it holds, because
        the person may have to count it.
    """
    held = money.balance(account, establishment=house.pk)
    if held < amount:
        name = house.tables.values_list("name", flat=True).get(pk=account.name)
        raise FloatTooSmall(f"The float of {name} does not hold {amount}: ask for a fill. B2")
    return held
