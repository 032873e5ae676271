"""
What a gaming day came to: its own events, folded. Nothing is read from a projection.

Void and correction count on the day they are made. A round is counted on the day it ends, and not
counted if it is voided on that day; a later void stands on its own day, as a round of earlier days.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from casino.approvals import requests
from casino.cash.fees import BOX
from casino.custody import boxes
from casino.custody import stream as custody
from casino.establishments import gaming_day
from casino.game_streams.loading import GameKey, readable
from casino.gaming_days.lateness import is_effect, is_late
from games.history import live
from games.messages import Disputed, Resolved, Voided
from games.payments import HOUSE, balance
from ledger.accounts import CASH, AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date, datetime

    from casino.establishments.models import Establishment
    from games.messages import Fact
    from ledger.wire import StoredEvent

ONE_BY_ONE: Final = frozenset({Kind.POT, Kind.STAKE, Kind.ROLLOVER, Kind.HELD, Kind.FLOAT})
"""Kinds whose accounts a day names one by one: there are as many as play and owe something now."""

TOTALS: Final = (
    "games", "rounds", "rounds_of_earlier_days_voided", "throws", "voids", "bought_in",
    "cashed_out", "house_staked", "house_took", "staked", "paid", "fees_decided", "fees",
    "fees_counted", "rolled_over", "drawn", "held", "released", "prizes_won", "prizes_paid",
    "over_short",
)  # fmt: skip
AT_HAND: Final = 20_000  # events of games in play; a few MB
MACHINERY: Final = ("game/", "settlement/", "table/", "dice/", "rollover/")


class _Play(NamedTuple):
    """
    What a day wants of a game: the least, as all games in play are at hand while it is folded.

    :param days: the gaming day of each of its events.
    """

    facts: tuple[Fact, ...]
    days: tuple[date, ...]

    @property
    def version(self) -> int:
        return len(self.facts)


class Figures:
    """
    A day so far.

    :param since: the event with which the day before was closed; None: none was.
    :param before: what the day before left: `carried` of its own figures.
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
        """The same so far, to go on with by itself."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, Counter | set):
                setattr(other, name, value.copy())
        other.games, other.at_hand = {}, 0  # at hand while it is folded, and no longer
        return other

    def take(self, events: Iterable[StoredEvent]) -> None:
        """Events of the day, in order."""
        for event in events:
            self.events += 1
            self.through = event.position
            self._take(event)

    @property
    def carried(self) -> dict[str, Any]:
        """What the next day begins with: what accounts hold, and what still waits for somebody."""
        return {
            "accounts": {name: held for name, held in sorted(self.accounts.items()) if held},
            "kinds": {name: held for name, held in sorted(self.kinds.items()) if held},
            "requests": sorted(self.requests),
            "disputes": sorted(self.disputes),
        }

    @property
    def as_dict(self) -> dict[str, Any]:
        """The figures as the day's last event has them: whole numbers."""
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
        """Tables whose cash moved or lies there, which nobody counted that day but to open (B1)."""
        lying = {
            name
            for name, held in self._of(Kind.FLOAT).items()
            if held and boxes.is_float(AccountRef(Kind.FLOAT, name))
        }
        return sorted((self.tables_used | lying) - self.tables_counted)

    @property
    def boxes_uncounted(self) -> list[str]:
        """Tables in whose fee box something lies at the end of the day (A5)."""
        held = self._of(Kind.FLOAT)
        return sorted(name.removesuffix(BOX) for name in held if name.endswith(BOX) and held[name])

    @property
    def held(self) -> dict[str, int]:
        """Payouts that wait for something at the end of the day; tips are attendants' own (P4)."""
        found = self.of_kind(Kind.HELD)
        return {
            name: coins
            for name, coins in found.items()
            if not boxes.holds_tips(AccountRef(Kind.HELD, name))
        }

    def of_kind(self, kind: Kind) -> dict[str, int]:
        """What accounts of a kind hold at the end of the day, by name."""
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
        # A shift closes with a count: the one that opened it says nothing of what was played (B1).
        if event.event_type == custody.COUNT_AGREED and event.data["purpose"] != "open":
            self.tables_counted.add(event.data["table"])
        for transfer in event.transfers:
            self._move(transfer)
        if event.command_seq == 0 and not is_effect(event):
            self.late += is_late(self.house, event, self._begun(event))

    def _game(self, event: StoredEvent, game: UUID) -> _Play | None:
        """
        The game, whole: one with an event that nobody understands counts for nothing at all,
        whatever this process may remember of how it began.
        """
        known = self.games.pop(game, None)
        self.at_hand -= known.version if known is not None else 0
        if known is None or known.version < event.stream_version:
            loaded = readable(GameKey(event.establishment, game))
            if loaded is None:
                return None
            known = _Play(loaded.facts, tuple(e.provenance.gaming_day for e in loaded.events))
        if known.version > event.stream_version:  # more of it is to come
            self.games[game] = known
            self.at_hand += known.version
        while self.at_hand > AT_HAND and len(self.games) > 1:
            self.at_hand -= self.games.pop(next(iter(self.games))).version
        return known

    def _begun(self, event: StoredEvent) -> datetime | None:
        """When the day before was closed, if that was before this event."""
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
        if transfer["reverses"] is not None:  # counts against what it takes back
            debit, credit, amount = credit, debit, -amount
        self.moved[f"{debit.kind}>{credit.kind}"] += amount
        for name, sign in meaning(debit, credit):
            self.totals[name] += sign * amount
        for account, sign in ((debit, -1), (credit, 1)):
            if account.kind == Kind.OVER_SHORT:
                self.over_short[account.name] += sign * amount
            elif boxes.is_float(account):
                self.tables_used.add(account.name)

    def _hold(self, account: AccountRef, more: int) -> None:
        self.kinds[str(account.kind)] += more
        if account.kind in ONE_BY_ONE:
            self._hold_one(str(account), more)

    def _hold_one(self, name: str, more: int) -> None:
        """What holds nothing is not kept: of every game that day there was a pot, and stakes."""
        held = self.accounts[name] + more
        if held:
            self.accounts[name] = held
        else:
            self.accounts.pop(name, None)


def _fees(fact: Any) -> int:
    """What an event gives the house, less what goes back, as a seat fee with its void round."""
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
        ({Kind.RECEIVABLE}, Kind, "", 0),  # owed after an adjustment: not played
        (Kind, {Kind.RECEIVABLE}, "", 0),
        (Kind, {Kind.ROLLOVER}, "rolled_over", 1),
        ({Kind.ROLLOVER}, Kind, "drawn", 1),
        (Kind, {Kind.POT}, "staked", 1),
        ({Kind.POT}, Kind, "paid", 1),
        ({Kind.FEES}, Kind, "fees", -1),  # a seat fee that goes back with its void round
        (Kind, {Kind.PRIZES_OWED}, "prizes_won", 1),
        ({Kind.PRIZES_OWED}, Kind, "prizes_paid", 1),
        (Kind, {Kind.OVER_SHORT}, "over_short", 1),
        ({Kind.OVER_SHORT}, Kind, "over_short", -1),
    )
)
"""From an account of these kinds to one of those: which total it counts in. The first that fits."""


def meaning(debit: AccountRef, credit: AccountRef) -> Iterator[tuple[str, int]]:
    """
    Which of the day's totals a transfer belongs to, and its sign there.

    Debit is where the money comes from, for accounts of players and of the house alike; a float
    that is debited holds more afterwards.
    """
    for debits, credits_, name, sign in MEANINGS:
        if debit.kind in debits and credit.kind in credits_:
            if sign:
                yield name, sign
            break
    if credit.kind == Kind.HELD and not boxes.holds_tips(credit):
        yield "held", 1
    elif debit.kind == Kind.HELD and not boxes.holds_tips(debit):
        yield "released", 1
    if debit.kind == Kind.CAGE and credit.kind == Kind.FLOAT and credit.name.endswith(BOX):
        yield "fees_counted", 1
