"""
Copies of an evening's commands: by other players, at other tables, with other dice, on another day.

Bodies of events are split at every name: ids, players' tokens, moments, days, ledger positions. A
copy puts other names into the gaps; what was thrown, decided and paid stays.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid5

from django.db import connection

from casino.play.core.core import game_of
from casino.play.settlement.entries import NAMESPACE
from casino.play.settlement.settled import SETTLEMENT as BOOKS
from ledger import importing, postgresql, sqlite
from ledger.accounts import PLAYERS_MONEY, AccountRef
from ledger.canonical import moment, read_moment
from ledger.entries import Entry, Refusal
from ledger.ids import uuid7
from ledger.models import CommandReceipt, Event
from ledger.wire import Batch, leaf_hash, provenance_of, transfers_of_body, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.wire import Written

NAMED: Final = re.compile(
    r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\bp-[0-9a-z]{12}"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
    r"|(?<=\")\d{4}-\d\d-\d\d(?=\")"
    r"|(?<=\"at\":)\d{10}\b|(?<=\"through\":)\d{10}\b|(?<=\"because\":)\d+)"
)
LONG: Final = 36  # characters of a UUID
SECOND: Final = 10  # digits of a second since 1970
BATCH: Final = 400  # commands of one append
A_DAY: Final = 86_400  # seconds


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the evening: its events as texts split at names, or its refusal."""

    command_id: str
    request_hash: bytes
    cause: str
    """The event that settlement answered with this command; "" for commands of others."""
    bodies: Sequence[list[str]]
    refused: tuple[str, str, str, str] | None
    """Code, detail, actor and moment of a refusal."""


class Original:
    """An evening as it is in the ledger."""

    def __init__(self, house: UUID, span: range) -> None:
        self.house, self.span = house, span
        rows = Event.objects.filter(
            establishment=house, position__gte=span.start, position__lt=span.stop
        ).order_by("position")
        texts = [bytes(body).decode() for body in rows.values_list("body", flat=True)]
        self.events = [json.loads(text) for text in texts]
        cut = [NAMED.split(text) for text in texts]
        self.names = {name for parts in cut for name in parts[1::2]}
        self.commands = list(self._commands(cut))
        self.day = date.fromisoformat(self.events[0]["gaming_day"])
        self.shared = self._shared()
        self.games = {
            event["correlation_id"]: event["command_id"]
            for event in self.events
            if event["stream"].startswith("game/") and event["stream_version"] == 1
        }
        self.booked = dict(self._booked())
        self.causes = {each.cause for each in self.commands if each.cause}
        self.owed = dict(self._owed())

    def _commands(self, cut: list[list[str]]) -> Iterator[Command]:
        receipts = CommandReceipt.objects.filter(establishment=self.house).order_by("seq")
        begun = receipts.filter(first_position__gte=self.span.start).first()
        since = 0 if begun is None else begun.seq
        for row in receipts.filter(seq__gte=since):
            first, last = row.first_position, row.last_position
            bodies: Sequence[list[str]] = ()
            cause = ""
            if first is not None and first >= self.span.stop:
                return
            if first is not None and last is not None:
                start = self.span.start
                bodies = cut[first - start : last + 1 - start]
                own = self.events[first - start]
                cause = own["causation_id"] or "" if own["actor"] == BOOKS else ""
            refused = None
            if row.refusal_code is not None:
                details = (row.refusal_detail or "", row.actor, moment(row.recorded_at))
                refused = (row.refusal_code, *details)
                self.names |= {name for text in details for name in NAMED.findall(text)}
                self.names.add(str(row.command_id))
            yield Command(str(row.command_id), bytes(row.request_hash), cause, bodies, refused)

    def _shared(self) -> dict[str, tuple[int, int]]:
        """
        Streams that existed before or continue: their first version here, and their number of
        events.
        """
        found: dict[str, tuple[int, int]] = {}
        for event in self.events:
            stream = event["stream"]
            if stream.partition("/")[0] not in {"game", "settlement"}:
                first, many = found.get(stream, (event["stream_version"], 0))
                found[stream] = (first, many + 1)
        return found

    def _owed(self) -> Iterator[tuple[tuple[str, str], tuple[int, datetime, date]]]:
        """
        Players' accounts that changed: the sum of changes, when the last one was, and its gaming
        day.
        """
        sums: Counter[AccountRef] = Counter()
        last: dict[AccountRef, tuple[datetime, date]] = {}
        for event in self.events:
            for transfer in event["transfers"]:
                for side, sign in (("debit", -1), ("credit", 1)):
                    account = AccountRef.parse(transfer[side])
                    if account.kind in PLAYERS_MONEY:
                        sums[account] += sign * transfer["amount"]
                        day = date.fromisoformat(event["gaming_day"])
                        last[account] = (read_moment(event["recorded_at"]), day)
        for account, amount in sums.items():
            yield (account.kind.value, account.name), (amount, *last[account])

    def _booked(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Settlement's commands whose ids derive from their cause: (cause, game or "")."""
        for event in self.events:
            cause, game = event["causation_id"], event["correlation_id"]
            if event["actor"] == BOOKS and cause:
                for about in ("", game, event["stream"].partition("/")[2]):
                    if event["command_id"] == str(_books_id(cause, about)):
                        yield event["command_id"], (cause, about)


def _books_id(cause: str, about: str) -> UUID:
    return uuid5(NAMESPACE, f"{BOOKS}/{cause}/{about}" if about else f"{BOOKS}/{cause}")


class Copy:
    """
    A copy of an evening.

    :param known: the new names for tables, dice, staff, players.
    :param first: the position at which the copy begins.
    :param versions: for streams that continue, how many events they have.
    """

    def __init__(
        self,
        original: Original,
        *,
        known: Mapping[str, str],
        first: int,
        days: int,
        versions: dict[str, int],
    ) -> None:
        self.original, self.days, self.versions = original, days, versions
        self.delta = first - original.span.start
        self.names = {**self._fresh(known), **known}
        self.streams = {
            self.named(stream): first_version
            for stream, (first_version, _) in original.shared.items()
        }
        self.begun = {stream: versions.get(stream, 0) for stream in self.streams}

    def _fresh(self, known: Mapping[str, str]) -> dict[str, str]:
        own = self.original
        house = str(own.house)
        names: dict[str, str] = {house: house}
        for name in own.names:
            if len(name) == LONG and name not in known and name != house:
                names[name] = str(uuid7())
            elif len(name) != LONG:
                names[name] = self._moved(name)
        for game, command in own.games.items():
            names[game] = str(game_of(own.house, UUID(names[command])))
        for command, (cause, about) in own.booked.items():
            names[command] = str(_books_id(names[cause], names[about] if about else ""))
        return names

    def _moved(self, name: str) -> str:
        """A shifted moment, day, second or position."""
        if name.startswith("p-"):
            return name
        if name.endswith("Z"):
            return moment(read_moment(name) + timedelta(days=self.days))
        if "-" in name:
            return (date.fromisoformat(name) + timedelta(days=self.days)).isoformat()
        if len(name) == SECOND:  # no ledger has positions that long
            return str(int(name) + self.days * A_DAY)
        return str(int(name) + self.delta)

    def named(self, text: str) -> str:
        return NAMED.sub(lambda found: self.names.get(found[0], found[0]), text)

    def append(self) -> int:
        """Append the copy. Return how many events it has."""
        leaves: dict[str, bytes] = {}
        batch: list[tuple[Entry, list[Written]]] = []
        for command in self.original.commands:
            entry = self._entry(command, leaves)
            rows = write(self.original.house, entry)
            for event, row in zip(entry.events, rows, strict=True):
                leaves[str(event.event_id)] = leaf_hash(row.body)
            batch.append((entry, rows))
            if len(batch) == BATCH:
                _append(self.original.house, batch)
                batch = []
        _append(self.original.house, batch)
        return len(self.original.span)

    def _entry(self, command: Command, leaves: Mapping[str, bytes]) -> Entry:
        request = leaves[self.names[command.cause]] if command.cause else command.request_hash
        if command.refused is not None:
            code, detail, actor, at = command.refused
            values = {
                "command_id": self.names[command.command_id], "actor": self.named(actor),
                "recorded_at": self.names[at],
            }  # fmt: skip
            return Entry(
                provenance=importing._of_no_event(values),  # noqa: SLF001
                request_hash=request,
                refusal=Refusal(code=code, detail=self.named(detail)),
            )
        bodies = [self._body(parts) for parts in command.bodies]
        guards: dict[str, int] = {}
        for body in bodies:
            guards.setdefault(body["stream"], body["stream_version"] - 1)
        return Entry(
            provenance=provenance_of(bodies[0]) if bodies else self._nothing(command),
            request_hash=request,
            guards=guards,
            events=tuple(map(importing._event, bodies)),  # noqa: SLF001
            transfers=tuple(
                each
                for seq, body in enumerate(bodies)
                for each in transfers_of_body(body["transfers"], seq)
            ),
        )

    def _body(self, parts: list[str]) -> dict[str, Any]:
        names, filled = self.names, list(parts)
        filled[1::2] = [names[name] for name in parts[1::2]]
        body: dict[str, Any] = json.loads("".join(filled))
        stream = body["stream"]
        if stream in self.streams:
            version = self.begun[stream] + body["stream_version"] - self.streams[stream] + 1
            body["stream_version"] = self.versions[stream] = version
        return body

    def _nothing(self, command: Command) -> Any:
        raise AssertionError(f"{command.command_id}: neither events nor a refusal.")


def _append(house: UUID, batch: list[tuple[Entry, list[Written]]]) -> None:
    """Do what `journal.append` does, for entries that are already encoded."""
    if not batch:
        return
    whole = Batch(establishment=house, entries=tuple(batch), cursor=None)
    append = postgresql.append if connection.vendor == "postgresql" else sqlite.append
    assert not any(receipt.repeated for receipt in append(whole))


POSITIONS: Final[Mapping[str, set[str]]] = {
    "RoundRow": {"position", "began", "voided", "booked_at"},
    "GameSpan": {"opened", "last"},
    "RoundLine": {"position", "last_position"},
    "LotLine": {"position", "taken_position"},
    "PrizeToHandOut": {"position", "handed_position"},
}
"""Columns with positions of the ledger, for models where they are not only `position`."""


def copied(row: Any, copy: Copy) -> Any:
    """A subscriber's row, changed for the copy."""
    values: dict[str, Any] = {}
    positions = POSITIONS.get(type(row).__name__, {"position"})
    for each in row._meta.concrete_fields:  # noqa: SLF001 - Django's documented API
        value = getattr(row, each.attname)
        if isinstance(value, UUID):
            value = UUID(copy.names.get(str(value), str(value)))
        elif isinstance(value, str):
            value = copy.named(value)
        elif hasattr(value, "isoformat"):
            value += timedelta(days=copy.days)
        elif isinstance(value, list | dict):
            value = json.loads(copy.named(json.dumps(value)))
        elif each.attname in positions and value is not None:
            value += copy.delta
        values[each.attname] = value
    return type(row)(**values)
