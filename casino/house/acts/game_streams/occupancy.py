"""
Occupancy: which game has a table or a dice set, by the last event of the table's or set's stream.

A table has at most one open game, and a dice set is in one place. The append that opens a game
claims both, and the append that ends it releases both. The guard on the stream's version makes the
database refuse the second of two claims.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import GameKey
    from ledger.wire import StoredEvent

QUARANTINED, INSPECTED = "dice.quarantined", "dice.inspected"
RECEIVED, ISSUED, RETURNED = "dice.received", "dice.issued", "dice.returned"
WITHDRAWN, DESTROYED, SENT = "dice.withdrawn", "dice.destroyed", "dice.sent"
AWAY = frozenset({RECEIVED, RETURNED, WITHDRAWN, DESTROYED, SENT})
"""After one of these events, dice have to be inspected or issued before they are thrown (F1)."""


class TableTaken(Refused):
    code = "table_taken"


class DiceTaken(Refused):
    code = "dice_taken"


class DiceQuarantined(Refused):
    code = "dice_quarantined"


class DiceNotIssued(Refused):
    code = "dice_not_issued"


@dataclass(slots=True)
class Claims:
    """Guards and events that the append of a command has to include."""

    guards: dict[str, int] = field(default_factory=dict)
    events: list[journal.NewEvent] = field(default_factory=list)

    def add(self, stream: str, version: int, event_type: str, data: Mapping[str, str]) -> None:
        self.guards[stream] = version
        self.events.append(
            journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)
        )


def table_stream(table: str) -> str:
    return f"table/{table}"


def dice_stream(dice_set: str) -> str:
    return f"dice/{dice_set}"


def occupant(establishment: UUID, stream: str) -> tuple[str | None, int]:
    """The game that has a table or dice set now (None: no game), and the version of its stream."""
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return None, 0
    return (last.data["game"] if is_taken(last) else None), last.stream_version


def is_taken(last: StoredEvent) -> bool:
    """Whether the last event of a table's or dice set's stream says that a game has it."""
    return last.event_type in {"table.game_opened", "dice.placed"}


def claim(key: GameKey, place: Mapping[str, str]) -> Claims:
    """
    The claims that give a game its table and its dice set.

    :raises TableTaken: if another game is open at the table.
    :raises DiceTaken: if the dice set lies on another table.
    :raises DiceQuarantined: if the dice set has to be inspected first.
    :raises DiceNotIssued: if the dice set is not issued, or not to this table.
    """
    claims = Claims()
    table, dice_set = table_stream(place["table"]), dice_stream(place["dice_set"])
    data = {"game": str(key.game), "table": place["table"], "dice_set": place["dice_set"]}
    game, version = occupant(key.establishment, table)
    if game is not None:
        raise TableTaken("A game is open at this table already: close it first.")
    claims.add(table, version, "table.game_opened", data)
    free = _free(key.establishment, dice_set, place["table"], back_to=key)
    claims.add(dice_set, free, "dice.placed", data)
    return claims


def lies_ready(establishment: UUID, dice_set: str, table: str) -> bool:
    """Whether a game at a table may take a dice set now: it is free, sound and issued to it."""
    last = journal.last(establishment=establishment, stream=dice_stream(dice_set))
    return last is None or not (is_taken(last) or waits(last) or is_away(last, table))


def _free(establishment: UUID, stream: str, table: str, *, back_to: GameKey | None = None) -> int:
    """
    Check that a game at a table may take a dice set; returns the version of the set's stream.

    :param back_to: the game whose end may be voided: it gets back dice that it put into quarantine.
    :raises DiceTaken: if the dice set lies on another table.
    :raises DiceQuarantined: if the dice set has to be inspected first.
    :raises DiceNotIssued: if the dice set is not issued, or not to this table.
    """
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return 0
    if is_taken(last):
        raise DiceTaken("This dice set lies on another table: take another set.")
    if waits(last) and (back_to is None or last.data["game"] != str(back_to.game)):
        raise DiceQuarantined(
            "This dice set won a large prize: a supervisor inspects it before it is thrown again."
            " Take another set. A7"
        )
    if is_away(last, table):
        raise DiceNotIssued("This dice set is not issued to this table: take another set. F1")
    return last.stream_version


def waits(last: StoredEvent) -> bool:
    """Whether dice with this last event wait for an inspection, or did not pass one (A7)."""
    failed = last.event_type == INSPECTED and not last.data["in_order"]
    return failed or last.event_type == QUARANTINED


def is_away(last: StoredEvent, table: str) -> bool:
    """
    Whether dice with this last event are not issued to a table (F1).

    Old events, from before sets were issued, do not say so: these sets count as issued to all
    tables.
    """
    data = last.data
    if last.event_type not in {ISSUED, INSPECTED}:
        return last.event_type in AWAY
    return not data.get("issued", True) or (data.get("table") or table) != table


def quarantine(lifted: Claims, payouts: Mapping[str, Sequence[str]]) -> None:
    """
    Put dice that are lifted from a table into quarantine if they won a large prize there (A7).

    :param payouts: the large prizes of the game, by dice set.
    """
    for event in list(lifted.events):
        if event.event_type == "dice.lifted" and (won := payouts.get(str(event.data["dice_set"]))):
            lifted.events.append(
                journal.NewEvent(
                    stream=event.stream,
                    event_type=QUARANTINED,
                    schema_version=1,
                    data={**event.data, "payouts": list(won)},
                )
            )


def release(key: GameKey, place: Mapping[str, str]) -> Claims:
    """The claims that release a game's table and dice when the game ends."""
    claims = Claims()
    data = {"game": str(key.game), "table": place["table"], "dice_set": place["dice_set"]}
    for stream, event_type in (
        (table_stream(place["table"]), "table.game_closed"),
        (dice_stream(place["dice_set"]), "dice.lifted"),
    ):
        _, version = occupant(key.establishment, stream)
        claims.add(stream, version, event_type, data)
    return claims


def dice_changed(key: GameKey, place: Mapping[str, str], dice_set: str) -> Claims:
    """
    The claims that replace a game's dice set by another, in one append (F1).

    :raises DiceTaken: if the other dice set lies on another table.
    :raises DiceQuarantined: if it has to be inspected first.
    :raises DiceNotIssued: if it is not issued, or not to this table.
    """
    claims = Claims()
    data = {"game": str(key.game), "table": place["table"]}
    for stream, event_type, lying in (
        (dice_stream(place["dice_set"]), "dice.lifted", place["dice_set"]),
        (dice_stream(dice_set), "dice.placed", dice_set),
    ):
        _, version = occupant(key.establishment, stream)
        if event_type == "dice.placed":
            version = _free(key.establishment, stream, place["table"])
        claims.add(stream, version, event_type, {**data, "dice_set": lying})
    return claims


def change_claims(key: GameKey, place: Mapping[str, str], *, had: bool, has: bool) -> Claims:
    """The claims of a command: it takes the game's table and dice, releases them, or neither."""
    if had == has:
        return Claims()
    return claim(key, place) if has else release(key, place)
