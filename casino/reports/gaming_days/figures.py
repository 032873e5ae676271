"""
The figures of a gaming day, folded from its own events. Nothing is read from a projection.

Voids and corrections count on the day on which they are made. A round counts on the day on which it
ends, unless it is voided on that day. A later void counts on its own day, as a voided round of
earlier days.

Here, too: whether an entry came late, and whether its clock differs from the house's.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from casino.house.acts import custody
from casino.house.acts.game_streams.loading import GameKey, readable
from casino.house.establishments import gaming_day
from casino.kit.approvals import requests
from casino.money.cash.fees import BOX
from casino.play.settlement.seasons import PREFIX
from casino.play.settlement.settled import SETTLEMENT
from games.messages import Disputed, Resolved, Voided, live
from games.payments import HOUSE, balance
from ledger.accounts import CASH, AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date, datetime

    from casino.house.establishments.models import Establishment
    from games.messages import Fact
    from ledger.wire import StoredEvent

ONE_BY_ONE: Final = frozenset({Kind.POT, Kind.STAKE, Kind.ROLLOVER, Kind.HELD, Kind.FLOAT})
"""
Kinds whose accounts a day lists one by one. Only accounts that hold money now are kept, so there
are not many.
"""

TOTALS: Final = (
    "games", "rounds", "rounds_of_earlier_days_voided", "throws", "voids", "bought_in",
    "cashed_out", "house_staked", "house_took", "staked", "paid", "fees_decided", "fees",
    "fees_counted", "rolled_over", "drawn", "held", "released", "prizes_won", "prizes_paid",
    "over_short",
)  # fmt: skip
AT_HAND: Final = 20_000  # events of games that are kept in memory; a few MB
MACHINERY: Final = ("game/", "settlement/", "table/", "dice/", "rollover/", "season/")


class _Play(NamedTuple):
    """
    The parts of a game that the figures need; small, because many games are in memory at once.

    :param days: the gaming day of each event.
    """

    facts: tuple[Fact, ...]
    days: tuple[date, ...]

    @property
    def version(self) -> int:
        return len(self.facts)


class Figures:
    """
    The figures of a day, up to the last event that was added.

    :param since: the event with which the closing of the day before began; None: there is none.
    :param before: `carried` of the figures of the day before.
    """

    def __init__(
        self,
        house: Establishment,
        day: date,
        *,
        since: StoredEvent | None = None,
        before: Mapping[str, Any] | None = None,
    ) -> None:
        self.house, self.day, self.since = house, day, since
        self.totals: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()
        self.over_short: Counter[str] = Counter()
        self.acts: Counter[str] = Counter()
        self.late = self.events = 0
        self.through = -1
        self.unreadable: set[str] = set()
        self.games: dict[UUID, _Play] = {}
        self.at_hand = 0
        self.tables_used: set[str] = set()
        self.tables_counted: set[str] = set()
        known = before or {"accounts": {}, "kinds": {}, "requests": [], "disputes": []}
        self.accounts: Counter[str] = Counter(known["accounts"])
        self.kinds: Counter[str] = Counter(known["kinds"])
        self.requests: set[str] = set(known["requests"])
        self.disputes: set[str] = set(known["disputes"])

    def copy(self) -> Figures:
        """An independent copy, to which further events can be added."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, Counter | set):
                setattr(other, name, value.copy())
        other.games, other.at_hand = {}, 0  # games are in memory only while events are added
        return other

    def take(self, events: Iterable[StoredEvent]) -> None:
        """Add events of the day, in order."""
        for event in events:
            self.events += 1
            self.through = event.position
            self._take(event)

    @property
    def carried(self) -> dict[str, Any]:
        """What the next day begins with: balances, requests that wait, open disputes."""
        return {
            "accounts": {name: held for name, held in sorted(self.accounts.items()) if held},
            "kinds": {name: held for name, held in sorted(self.kinds.items()) if held},
            "requests": sorted(self.requests),
            "disputes": sorted(self.disputes),
        }

    @property
    def as_dict(self) -> dict[str, Any]:
        """The figures for the event ``day.closed``; amounts and counts are whole numbers."""
        return {
            "events": self.events,
            "totals": {name: self.totals[name] for name in TOTALS},
            "moved": dict(sorted(self.moved.items())),
            "over_short": dict(sorted(self.over_short.items())),
            "acts": dict(sorted(self.acts.items())),
            "late": self.late,
            "unreadable": sorted(self.unreadable),
            "uncounted": {"tables": self.tables_uncounted, "boxes": self.boxes_uncounted},
        }

    @property
    def tables_uncounted(self) -> list[str]:
        """Tables with cash or movements of cash, not counted that day except to open them (B1)."""
        lying = {
            name
            for name, held in self._of(Kind.FLOAT).items()
            if held and custody.is_float(AccountRef(Kind.FLOAT, name))
        }
        return sorted((self.tables_used | lying) - self.tables_counted)

    @property
    def boxes_uncounted(self) -> list[str]:
        """Tables whose fee box is not empty at the end of the day (A5)."""
        held = self._of(Kind.FLOAT)
        return sorted(name.removesuffix(BOX) for name in held if name.endswith(BOX) and held[name])

    @property
    def held(self) -> dict[str, int]:
        """Held payouts at the end of the day, without tips, which belong to attendants (P4)."""
        found = self.of_kind(Kind.HELD)
        return {
            name: coins
            for name, coins in found.items()
            if not custody.holds_tips(AccountRef(Kind.HELD, name))
        }

    def of_kind(self, kind: Kind) -> dict[str, int]:
        """The balances of the accounts of a kind at the end of the day, by name."""
        return {name: held for name, held in sorted(self._of(kind).items()) if held}

    def _of(self, kind: Kind) -> dict[str, int]:
        start = f"{kind}:"
        return {
            name.removeprefix(start): held
            for name, held in self.accounts.items()
            if name.startswith(start)
        }

    def _take(self, event: StoredEvent) -> None:
        kind, _, thing = event.stream.partition("/")
        if kind == "game":
            if (play := self._game(event, UUID(thing))) is None:
                self.unreadable.add(thing)
            else:
                self._play(event, UUID(thing), play)
        elif event.stream != gaming_day.STREAM and not event.stream.startswith(MACHINERY):
            self.acts[event.event_type] += 1
        if kind == "request":
            self._request(event)
        # The count that opens a shift says nothing about the day's play, so it does not count (B1).
        if event.event_type == custody.COUNT_AGREED and event.data["purpose"] != "open":
            self.tables_counted.add(event.data["table"])
        for transfer in event.transfers:
            self._move(transfer)
        if event.command_seq == 0 and not is_effect(event):
            self.late += is_late(self.house, event, self._beginning(event))

    def _game(self, event: StoredEvent, game: UUID) -> _Play | None:
        """
        The whole game of an event; None if any of its events cannot be read.

        Nothing of such a game counts, even if this process has the beginning of it in memory.
        """
        known = self.games.pop(game, None)
        self.at_hand -= known.version if known is not None else 0
        if known is None or known.version < event.stream_version:
            loaded = readable(GameKey(event.establishment, game))
            if loaded is None:
                return None
            known = _Play(loaded.facts, tuple(e.provenance.gaming_day for e in loaded.events))
        if known.version > event.stream_version:  # later events of the game will follow
            self.games[game] = known
            self.at_hand += known.version
        while self.at_hand > AT_HAND and len(self.games) > 1:
            self.at_hand -= self.games.pop(next(iter(self.games))).version
        return known

    def _beginning(self, event: StoredEvent) -> datetime | None:
        """When the closing of the day before began, if that was before this event."""
        closed = self.since
        return (
            closed.provenance.recorded_at if closed and closed.position < event.position else None
        )

    def _play(self, event: StoredEvent, game: UUID, play: _Play) -> None:
        number = event.stream_version
        fact = play.facts[number - 1]
        self.totals["games"] += number == 1
        self.totals["throws"] += fact.is_throw
        self.totals["rounds"] += fact.ends_round
        self.totals["fees_decided"] += _fees(fact)
        match fact:
            case Voided():
                self._void(play, number, fact)
            case Disputed(dispute=dispute):
                self.disputes.add(f"{game}/{dispute}")
            case Resolved(dispute=dispute):
                self.disputes.discard(f"{game}/{dispute}")

    def _void(self, play: _Play, number: int, void: Voided) -> None:
        self.totals["voids"] += 1
        for each, fact in live(enumerate(play.facts[: number - 1], start=1)):
            if each < void.back_to:
                continue
            self.totals["fees_decided"] -= _fees(fact)
            if fact.ends_round:
                today = play.days[each - 1] == self.day
                self.totals["rounds"] -= today
                self.totals["rounds_of_earlier_days_voided"] += not today

    def _request(self, event: StoredEvent) -> None:
        if event.event_type == requests.REQUESTED:
            self.requests.add(event.stream)
        elif event.event_type in requests.ENDS:
            self.requests.discard(event.stream)

    def _move(self, transfer: Mapping[str, Any]) -> None:
        debit, credit = AccountRef.parse(transfer["debit"]), AccountRef.parse(transfer["credit"])
        amount = transfer["amount"]
        self._hold(debit, amount if debit.kind in CASH else -amount)
        self._hold(credit, -amount if credit.kind in CASH else amount)
        if transfer["reverses"] is not None:  # reduces the total of the reversed transfer
            debit, credit, amount = credit, debit, -amount
        self.moved[f"{debit.kind}>{credit.kind}"] += amount
        for name, sign in meaning(debit, credit):
            self.totals[name] += sign * amount
        for account, sign in ((debit, -1), (credit, 1)):
            if account.kind == Kind.OVER_SHORT:
                self.over_short[account.name] += sign * amount
            elif custody.is_float(account):
                self.tables_used.add(account.name)

    def _hold(self, account: AccountRef, more: int) -> None:
        self.kinds[str(account.kind)] += more
        if account.kind in ONE_BY_ONE:
            self._hold_one(str(account), more)

    def _hold_one(self, name: str, more: int) -> None:
        """
        Change the balance of an account; accounts with a balance of 0 are removed.

        Otherwise the pots and stakes of all games of the day would be kept.
        """
        held = self.accounts[name] + more
        if held:
            self.accounts[name] = held
        else:
            self.accounts.pop(name, None)


def _fees(fact: Any) -> int:
    """The fees of an event, less what is paid back, such as the seat fee of a void round."""
    return balance(HOUSE, fact.payments)


STACK: Final = frozenset({Kind.FLOAT, Kind.CAGE})

MEANINGS: Final[tuple[tuple[frozenset[Kind], frozenset[Kind], str, int], ...]] = tuple(
    (frozenset(sources), frozenset(ends), name, sign)
    for sources, ends, name, sign in (
        (STACK, {Kind.STAKE}, "bought_in", 1),
        ({Kind.STAKE}, STACK, "cashed_out", 1),
        ({Kind.BANK}, {Kind.STAKE}, "house_staked", 1),
        ({Kind.STAKE}, {Kind.BANK}, "house_took", 1),
        (Kind, {Kind.FEES}, "fees", 1),
        ({Kind.RECEIVABLE}, Kind, "", 0),  # a debt after an adjustment is not play
        (Kind, {Kind.RECEIVABLE}, "", 0),
        (Kind, {Kind.ROLLOVER}, "rolled_over", 1),
        ({Kind.ROLLOVER}, Kind, "drawn", 1),
        (Kind, {Kind.POT}, "staked", 1),
        ({Kind.POT}, Kind, "paid", 1),
        ({Kind.FEES}, Kind, "fees", -1),  # a seat fee that is paid back because its round is void
        (Kind, {Kind.PRIZES_OWED}, "prizes_won", 1),
        ({Kind.PRIZES_OWED}, Kind, "prizes_paid", 1),
        (Kind, {Kind.OVER_SHORT}, "over_short", 1),
        ({Kind.OVER_SHORT}, Kind, "over_short", -1),
    )
)
"""
The total in which a transfer counts: kinds debited, kinds credited, name and sign of the total. The
first row that fits is used.
"""


def meaning(debit: AccountRef, credit: AccountRef) -> Iterator[tuple[str, int]]:
    """
    The totals of the day in which a transfer counts, with its sign in each.

    In `MEANINGS` the debited account is the source, for accounts of players and of the house alike,
    although the balance of a debited float increases.
    """
    for debits, credits_, name, sign in MEANINGS:
        if debit.kind in debits and credit.kind in credits_:
            if sign:
                yield name, sign
            break
    if credit.kind == Kind.HELD and not custody.holds_tips(credit):
        yield "held", 1
    elif debit.kind == Kind.HELD and not custody.holds_tips(debit):
        yield "released", 1
    if debit.kind == Kind.CAGE and credit.kind == Kind.FLOAT and credit.name.endswith(BOX):
        yield "fees_counted", 1


# Says whether an entry is late, and whether its clock differs from the house's (B4, E3, E5).


SKEW: Final = 5  # seconds


def is_effect(event: StoredEvent) -> bool:
    """Whether settlement booked an event; such an event has the time of its cause."""
    return event.stream.startswith((f"{SETTLEMENT}/", PREFIX))


def is_late(house: Establishment, event: StoredEvent, begun: datetime | None) -> bool:
    """
    Whether an entry happened on an earlier gaming day than the one it is recorded for.

    :param begun: when the closing of the day before began, if it did. If that was before the
        cut-off, the new day began there, and later entries are not late although the clock would
        count them to the day before.
    """
    provenance = event.provenance
    if gaming_day.gaming_day(house, provenance.occurred_at) >= provenance.gaming_day:
        return False
    return begun is None or provenance.occurred_at < begun


def seconds_late(event: StoredEvent) -> int:
    """How much later an event was recorded than it happened; negative if its clock is ahead."""
    provenance = event.provenance
    return round((provenance.recorded_at - provenance.occurred_at).total_seconds())
