"""Measures the append alone: one event of a real game, without money or with two transfers."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import cache
from itertools import cycle, pairwise
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from bench.work import pace
from casino.house.acts import accounts
from casino.house.acts.game_streams import catalogue
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import DiceThrown
from ledger import journal, wire
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

STREAM_MAX = 80  # events, as in a game
PLACE = {"table": str(UUID(int=7)), "dice_set": str(UUID(int=8))}
PLAYER = "p-abcdefghjkmn"
THROWN = DiceThrown(player=PLAYER, dice=(2, 2, 7), hand="pair", score=7)
FACT = catalogue.event_of_fact(
    STONE_HAND, THROWN, PLACE
)  # made once: the rules are not measured here


class Stream:
    """A game's stream at a house where nobody else writes; a new stream when it has grown long."""

    def __init__(self, house: UUID, *, transfers: bool) -> None:
        self._house, self._transfers = house, transfers
        self._begin()

    def _begin(self) -> None:
        self._game, self._version = uuid4(), 0
        self._stream = f"game/{self._game}"
        self._stake = AccountRef(Kind.STAKE, f"{self._game}/{PLAYER}")

    def append(self) -> None:
        journal.append(establishment=self._house, entries=[self.entry()])
        self.passed()

    def passed(self) -> None:
        """Note that the entry was appended: the next one comes after it."""
        self._version += 1
        if self._version == STREAM_MAX:
            self._begin()

    def entry(self) -> journal.Entry:
        return journal.Entry(
            provenance=provenance(self._game),
            request_hash=secrets.token_bytes(32),
            guards={self._stream: self._version},
            events=(_thrown(self._stream),),
            transfers=self._moved() if self._transfers else (),
        )

    def _moved(self) -> tuple[journal.NewTransfer, ...]:
        """The transfers: money comes in and goes into the pot."""
        through = (accounts.table_float(PLACE["table"]), self._stake, accounts.pot(self._game))
        return tuple(
            journal.NewTransfer(debit=debit, credit=credit, amount=7, reason="SH4", event=0)
            for debit, credit in pairwise(through)
        )


def append(*, start: float, seconds: float, houses: Sequence[str], transfers: bool) -> float:
    """Appends per second, to the houses in turn."""
    streams = cycle([_stream(house, transfers=transfers) for house in houses])
    return pace.rate(lambda: next(streams).append(), start=start, seconds=seconds)


def sample() -> dict[str, Any]:
    """An event as it is stored, for baselines that store the same by other means."""
    entry = Stream(uuid4(), transfers=False).entry()
    [row] = wire.write(uuid4(), entry)
    [event] = entry.events
    return {
        "body": row.body.hex(),
        "leaf_hash": wire.leaf_hash(row.body).hex(),
        "stream": event.stream,
        "event_type": event.event_type,
        "actor": entry.provenance.actor,
        "device": entry.provenance.device,
    }


@cache
def _stream(house: str, *, transfers: bool) -> Stream:
    return Stream(UUID(house), transfers=transfers)


def _thrown(stream: str) -> journal.NewEvent:
    event_type, data = FACT
    return journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)


def provenance(game: UUID) -> journal.Provenance:
    now = datetime.now(UTC)
    return journal.Provenance(
        command_id=uuid4(),
        actor="7",
        device="tablet-at-table-4",
        correlation_id=game,
        causation_id=None,
        occurred_at=now,
        recorded_at=now,
        gaming_day=now.date(),
    )
