"""
How things stood at any event: a game, a table, a pot, the whole house.

A game is its first events, folded by its own rules; nothing that came later is read, so what was
sealed then is sealed here. Streams are asked for their last event up to a position, and accounts
for what they had come to (`casino.cash.balance_snapshots`): both by an index.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.custody import stream as custody
from casino.custody.stream import Custody
from casino.establishments import gaming_day as days
from casino.game_streams import occupancy
from casino.game_streams.catalogue import RULESETS
from casino.game_streams.loading import GameKey, Loaded, load_all, readable
from casino.play.stories import as_it_stood
from casino.presenters.rounds import chapters
from casino.rollovers import operations as rollovers
from casino.search import terms
from games.messages import Voided
from ledger.models import Event
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from casino.establishments.models import Establishment, Table
    from casino.rollovers.operations import Lot
    from ledger.wire import StoredEvent

AT_ONCE: Final = 400  # streams in a query: SQLite takes 500 SELECTs in one


@dataclass(frozen=True, slots=True)
class Marks:
    """
    What lies along a game: the numbers of events.

    :param rounds: the first event of each round. :param voids: pairs of a void and where it went
    back to. :param payouts: events that paid a player.
    """

    rounds: Sequence[tuple[int, int]]
    voids: Sequence[tuple[int, int]]
    payouts: Sequence[int]


def marks(loaded: Loaded) -> Marks:
    """Rounds as pairs of number and first event; voids as pairs of void and first cancelled."""
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


def voided_by(loaded: Loaded, number: int) -> int | None:
    """The event that cancelled this one later; None: it stands."""
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
    """A game as it stood at a position; None: it had not begun."""
    number = events_by(loaded, position)
    return as_it_stood(loaded, number) if number else None


# --- Streams -----------------------------------------------------------------------------------


def lasts(establishment: UUID, streams: Iterable[str], position: int) -> dict[str, StoredEvent]:
    """
    The last event of each stream up to a position; of one that had none then, nothing.

    The number of queries does not depend on how many streams there are.
    """
    known = terms.lasts(establishment, set(streams), position)
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
    :param game: the one that was on, as far as it had come; None: the table was free.
    :param custody: who had its money.
    :param changed: the position at which something happened here last; None: nothing had.
    :param near: positions of the events before and after at this table; None: there is none.
    """

    game: Loaded | None
    custody: Custody
    changed: int | None
    near: tuple[int | None, int | None]


def table(establishment: UUID, at: Table, position: int) -> TableThen:
    """A table at a position of the ledger."""
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
    """As its stream had left it: read from where that shift begins."""
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
    before = terms.lasts(establishment, streams, position - 1).values()
    after = terms.nexts(establishment, streams, position).values()
    return (
        max(before, default=None),
        min(after, default=None),
    )


# --- The house ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseThen:
    """
    :param games: what was on, by table. :param lots: what waited in rollovers, by kind of game.
    :param day: how its gaming days stood.
    """

    games: dict[UUID, Loaded]
    lots: dict[str, tuple[Lot, ...]]
    day: days.Standing


def house(at: Establishment, position: int) -> HouseThen:
    """What a house had open at a position. The number of queries does not depend on how much."""
    tables = {occupancy.table_stream(str(pk)): pk for pk in at.tables.values_list("pk", flat=True)}
    kinds = {rollovers.stream_of(ruleset.id): ruleset.id for ruleset in RULESETS}
    known = lasts(at.pk, (*tables, *kinds, days.STREAM), position)
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
    return HouseThen(games, lots, _standing(known.get(days.STREAM)))


def _standing(last: StoredEvent | None) -> days.Standing:
    if last is None:
        return days.Standing()
    return days.read_standing(last.data["standing"], last.stream_version)
