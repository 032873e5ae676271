"""
How things stood as of any event: a game, a table, a pot, the whole house.

A game is folded from its first events by its own rules. No later event is read, so what was sealed
then is sealed here. The last event of a stream up to a position, and the balance of an account
(`casino.money.cash.balance_snapshots`), are both found by an index.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.house.acts import custody
from casino.house.acts.custody import Custody
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.acts.game_streams.loading import GameKey, Loaded, load_all, readable
from casino.house.establishments import gaming_day
from casino.play.core.stories import game_through
from casino.play.settlement import rollovers
from casino.proof.search import events
from casino.words.presenters.rounds import chapters
from games.messages import Voided
from ledger.models import Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from casino.house.establishments.models import Establishment, Table
    from casino.play.settlement.rollovers import Lot
    from ledger.wire import StoredEvent

AT_ONCE: Final = 400  # streams per query: SQLite takes 500 SELECTs in one


@dataclass(frozen=True, slots=True)
class Marks:
    """
    The marks along a game's slider, as numbers of events.

    :param rounds: the number and first event of each round.
    :param voids: each void and the first event that it cancelled.
    :param payouts: events that paid a player.
    """

    rounds: Sequence[tuple[int, int]]
    voids: Sequence[tuple[int, int]]
    payouts: Sequence[int]


def marks(loaded: Loaded) -> Marks:
    """The rounds, voids and payouts of a game."""
    of = chapters(loaded.facts).of
    begun: dict[int, int] = {}
    for number, round_no in enumerate(of, 1):
        begun.setdefault(round_no, number)
    stakes = set(loaded.stakes)
    return Marks(
        rounds=tuple(begun.items()),
        voids=tuple(
            (number, fact.back_to) for number, fact in loaded.history if isinstance(fact, Voided)
        ),
        payouts=tuple(
            number
            for number, fact in loaded.history
            if any(payment.payee in stakes for payment in fact.payments)
        ),
    )


def event_of_void(loaded: Loaded, number: int) -> int | None:
    """The later event that voided this one; None if it stands."""
    return next(
        (
            each
            for each, fact in loaded.history
            if each > number and isinstance(fact, Voided) and fact.back_to <= number
        ),
        None,
    )


def events_by(loaded: Loaded, position: int) -> int:
    """How many events a game had at a position of the ledger."""
    return bisect_right([event.position for event in loaded.events], position)


def game_at(loaded: Loaded, position: int) -> Loaded | None:
    """A game as it stood at a position; None if it had not begun."""
    number = events_by(loaded, position)
    return game_through(loaded, number) if number else None


# --- Streams -----------------------------------------------------------------------------------


def lasts(establishment: UUID, streams: Iterable[str], position: int) -> dict[str, StoredEvent]:
    """
    The last event of each stream up to a position; streams without an event by then are left out.

    The number of queries does not depend on how many streams there are.
    """
    known = events.lasts(establishment, set(streams), position)
    rows = Event.objects.filter(establishment=establishment, position__in=known.values())
    return {event.stream: event for event in _read(establishment, rows)}


def _read(establishment: UUID, rows: Any) -> list[StoredEvent]:
    return [
        read_event(establishment, position, bytes(body), bytes(leaf))
        for position, body, leaf in rows.values_list("position", "body", "leaf_hash")
    ]


# --- A table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableThen:
    """
    A table as it stood at a position.

    :param game: the game that was on, up to that position; None if the table was free.
    :param custody: who had its money.
    :param changed: the position of the last event at the table; None if there was none.
    :param near: positions of the events before and after at this table; None if there is none.
    """

    game: Loaded | None
    custody: Custody
    changed: int | None
    near: tuple[int | None, int | None]


def table(establishment: UUID, at: Table, position: int) -> TableThen:
    """The state of a table at a position of the ledger."""
    taken, kept = occupancy.table_stream(str(at.pk)), custody.stream_of(at.pk)
    known = lasts(establishment, (taken, kept), position)
    on = known.get(taken)
    game = None
    if on is not None and occupancy.is_taken(on):
        whole = readable(GameKey(establishment, UUID(on.data["game"])))
        game = game_at(whole, position) if whole else None
    happened = [last.position for last in (*known.values(), *([game.events[-1]] if game else []))]
    return TableThen(
        game=game,
        custody=_custody(establishment, known.get(kept)),
        changed=max(happened, default=None),
        near=_near(establishment, (taken, kept, *([game.key.stream] if game else [])), position),
    )


def _custody(establishment: UUID, last: StoredEvent | None) -> Custody:
    """A table's custody after its stream's last event, folded from the beginning of that shift."""
    if last is None:
        return Custody()
    rows = Event.objects.filter(
        establishment=establishment,
        stream=last.stream,
        stream_version__gte=last.data["began"],
        stream_version__lte=last.stream_version,
    )
    return custody.fold(_read(establishment, rows.order_by("stream_version")))


def _near(
    establishment: UUID, streams: Sequence[str], position: int
) -> tuple[int | None, int | None]:
    before = events.lasts(establishment, streams, position - 1).values()
    after = events.nexts(establishment, streams, position).values()
    return (
        max(before, default=None),
        min(after, default=None),
    )


# --- The house ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseThen:
    """
    A house as it stood at a position.

    :param games: the running games, by table.
    :param lots: the lots that waited in rollovers, by kind of game.
    :param day: the state of its gaming days.
    """

    games: dict[UUID, Loaded]
    lots: dict[str, tuple[Lot, ...]]
    day: gaming_day.DayState


def house(at: Establishment, position: int) -> HouseThen:
    """The state of a house at a position, with the same number of queries however much is open."""
    tables = {occupancy.table_stream(str(pk)): pk for pk in at.tables.values_list("pk", flat=True)}
    kinds = {rollovers.stream_of(ruleset.id): ruleset.id for ruleset in RULESETS}
    known = lasts(at.pk, (*tables, *kinds, gaming_day.STREAM), position)
    on = {
        tables[stream]: UUID(last.data["game"])
        for stream, last in known.items()
        if stream in tables and occupancy.is_taken(last)
    }
    loaded = load_all(at.pk, on.values())
    games = {
        pk: then
        for pk, game in on.items()
        if game in loaded and (then := game_at(loaded[game], position)) is not None
    }
    lots = {
        kind: tuple(rollovers.Lot(**lot) for lot in (*last.data["waiting"], *last.data["claimed"]))
        for stream, kind in kinds.items()
        if (last := known.get(stream)) is not None
    }
    return HouseThen(games, lots, _standing(known.get(gaming_day.STREAM)))


def _standing(last: StoredEvent | None) -> gaming_day.DayState:
    if last is None:
        return gaming_day.DayState()
    return gaming_day.read_day_state(last.data["standing"], last.stream_version)
