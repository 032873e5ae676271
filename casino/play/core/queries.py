"""Queries about games: one game, the cards of tables, the figures of a day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Sum
from django.utils import timezone

from casino.house.acts import accounts
from casino.house.acts.changes import record_stream
from casino.house.acts.game_streams import catalogue, loading, occupancy
from casino.house.acts.game_streams.loading import GameKey, Loaded, load, load_all
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.play.core import undo
from casino.play.core.models import DayFigures, QuarterFigures
from casino.play.settlement import rollovers, settled
from casino.words.presenters import PRESENTERS, TITLES
from games.refusals import NoGame
from games.wire import write
from ledger import journal, money, recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from casino.house.establishments.models import Establishment, Table
    from ledger.wire import StoredEvent

DEVICES: Final = ("lease", "late")
"""
Streams of a game that `casino.play.devices` keeps: which device records, what devices sent late.
"""


def find(houses: Iterable[UUID], game: UUID) -> Loaded:
    """
    A game at one of the houses.

    :raises NoGame: if none of them has it.
    """
    return load(GameKey(house_of(houses, game), game))


def house_of(houses: Iterable[UUID], game: UUID) -> UUID:
    """
    Which of the houses has a game.

    :raises NoGame: if none of them has it.
    """
    candidates = list(houses)
    for house in candidates:
        if loading.remembers(GameKey(house, game)):
            return house
    if candidates and (
        found := journal.house_of_stream(establishments=candidates, stream=f"game/{game}")
    ):
        return found
    raise NoGame(f"There is no game {game} at your houses.")


def mark(loaded: Loaded, through: int, *, in_time: bool) -> str:
    """
    A mark (ETag) that changes whenever anything that is shown of a game changes.

    It depends on the game's events and on how far settlement has come with them (`through`); on
    what was booked without an event of the game, as by a resume or an adjustment; on the rollover
    that the game may wait for; on prizes that its points may reach; on which device records it; on
    names that were changed or erased; and on whether the last throw may still be undone alone
    (`in_time`). The mark is read before the state that it describes, so a
    change in between is at worst sent twice.
    """
    stands = settled.stands(loaded, streams_of_state(loaded))
    return Look(loaded, replace(stands, through=through), in_time).mark


@dataclass(frozen=True, slots=True)
class Look:
    """A game with everything that its `mark` depends on, read once for both mark and state."""

    loaded: Loaded
    stands: settled.Stands
    in_time: bool = False
    """Whether the last throw may still be undone alone; see `casino.play.core.undo`."""

    @property
    def mark(self) -> str:
        """See the function `mark`."""
        seen = (self.loaded.version, self.stands.through, self.stands.prize, int(self.in_time))
        return "-".join(map(str, (*seen, *self.stands.versions.values())))

    @property
    def irreversible_through(self) -> int:
        adjusted = bool(self.stands.versions[settled.adjustments_stream(self.loaded.key)])
        return settled.irreversible_through(self.loaded, adjusted=adjusted)


def look(loaded: Loaded, now: datetime | None = None) -> Look:
    """:param now: by the house's clock; None: as it is."""
    stands = settled.stands(loaded, streams_of_state(loaded), stakes=True)
    in_time = undo.is_open(loaded, stands.undo_seconds, now or timezone.now())
    return Look(loaded, stands, in_time)


def streams_of_state(loaded: Loaded) -> list[str]:
    """The other streams that the shown state of a game depends on."""
    key = loaded.key
    return [
        key.settlement,
        settled.adjustments_stream(key),
        rollovers.stream_of(loaded.ruleset.id),
        record_stream("table"),
        record_stream("establishment"),
        gaming_day.STREAM,
        *(f"{prefix}/{key.game}" for prefix in DEVICES),
        *map(tokens.player_stream, loaded.stakes),
    ]


def running_game(table: Table) -> UUID | None:
    """The id of the running game at a table, from the ledger; None if the table is free."""
    stream = occupancy.table_stream(str(table.pk))
    game, _ = occupancy.occupant(table.establishment_id, stream)
    return UUID(game) if game else None


def state(loaded: Loaded, seen: Look | None = None) -> dict[str, Any]:
    """
    The state of a game with people's names: play, bookings, and what may be done next.

    :param seen: the result of `look`, if the caller has it already.
    """
    named: dict[str, Any] = tokens.resolve(
        loaded.key.establishment, state_with_tokens(loaded, seen or look(loaded))
    )
    return named


def state_with_tokens(loaded: Loaded, seen: Look) -> dict[str, Any]:
    """The same as `state`, with tokens instead of names."""
    through = seen.stands.through
    view = loaded.view
    booked = seen.stands.booked
    held = settled.stakes_on_hold(loaded.key) if seen.stands.withheld else {}
    return {
        "id": str(loaded.key.game),
        "establishment": str(loaded.key.establishment),
        **loaded.place,
        "rules_version": loaded.ruleset.version,
        "house_rules": loaded.opening.data.get(catalogue.HOUSE_RULES),
        "unit": loaded.unit,
        **view,
        "booked": {player: booked.get(player, 0) for player in view["stakes"]},
        "held": {player: held.get(player, 0) for player in view["stakes"]},
        "version": loaded.version,
        "position": loaded.position,
        "settled_through": loaded.events[through - 1].position if through else -1,
        "offers": offers(loaded, through, seen.irreversible_through, in_time=seen.in_time),
        **table_state(loaded),
    }


def table_state(loaded: Loaded) -> dict[str, Any]:
    """What happens beside the play: pause, handover, disputes, witnessed payouts."""
    session = loaded.state
    offer = session.offered[1] if session.offered else None
    return {
        "paused": session.paused,
        "handover": offer and write(offer),
        "disputes": [
            {
                "dispute": dispute.dispute,
                "round": dispute.round,
                "payout": None if dispute.cause is None else f"{dispute.cause}.{dispute.seq}",
                "reason": dispute.reason,
                "by": dispute.by,
            }
            for dispute in session.disputes
        ],
        "witnessed": [f"{cause}.{seq}" for cause, seq in sorted(session.witnessed)],
    }


def offers(
    loaded: Loaded, through: int, irreversible: int | None = None, *, in_time: bool = False
) -> list[dict[str, Any]]:
    """What may be done next and by whom; every surface shows this and nothing else."""
    if irreversible is None:
        irreversible = settled.irreversible_through(loaded)
    return loaded.ruleset.offers(
        loaded.state,
        booked_through=through,
        irreversible_through=irreversible,
        in_time=in_time,
    )


def explanation(loaded: Loaded, round_no: int | None = None) -> list[dict[str, Any]]:
    """The reasons for each payment of the ended rounds, or of one of them; with names."""
    rows: list[dict[str, Any]] = tokens.resolve(
        loaded.key.establishment, loaded.ruleset.explain(loaded.history, round_no)
    )
    return rows


def waiting_rollovers(establishment: UUID) -> list[dict[str, Any]]:
    """
    The rollovers of a house by kind of game: players' money, lot by lot.

    With ``claimed_by`` None the lot waits for a game. Otherwise that game has claimed it, and the
    coins arrive there as soon as they are booked. ``booked`` is the balance of the house's rollover
    account.
    """
    rows = []
    for ruleset in rollovers.kinds(establishment):
        account = accounts.rollover(ruleset)
        lots = rollovers.read(establishment, ruleset).lots
        rows.append(
            {
                "game": ruleset,
                "amount": rollovers.total(lots),
                "booked": money.balance(account, establishment=establishment),
                "lots": [
                    {
                        "game": lot.game,
                        "event": lot.event,
                        "amount": lot.amount,
                        "since": lot.since,
                        "claimed_by": lot.claimed_by,
                    }
                    for lot in lots
                ],
            }
        )
    return rows


def rollovers_to_come(loaded: Loaded) -> list[tuple[Loaded, int]]:
    """The coins that this game awaits from rollovers, each with the game that left them."""
    if not loaded.view.get("awaited"):
        return []
    house, game = loaded.key.establishment, str(loaded.key.game)
    return [
        (load(GameKey(house, UUID(lot.game))), lot.amount)
        for lot in rollovers.read(house, loaded.ruleset.id).claimed
        if lot.claimed_by == game
    ]


def event_rows(house: UUID, events: Iterable[StoredEvent]) -> list[dict[str, Any]]:
    """Rows of events for the API: data with names instead of tokens, and provenance."""
    rows: list[dict[str, Any]] = tokens.resolve(house, [_row(event) for event in events])
    return rows


def _row(event: StoredEvent) -> dict[str, Any]:
    provenance = event.provenance
    return {
        "number": event.stream_version,
        "position": event.position,
        "event_id": str(event.event_id),
        "type": event.event_type,
        "data": dict(event.data),
        "command_id": str(provenance.command_id),
        "actor": provenance.actor,
        "device": provenance.device,
        "occurred_at": provenance.occurred_at.isoformat(),
        "recorded_at": provenance.recorded_at.isoformat(),
        "gaming_day": provenance.gaming_day.isoformat(),
        "leaf_hash": event.leaf_hash.hex(),
    }


# Summaries of tables with their running game, for the hall and for the office.


def table_card(table: Table) -> dict[str, Any]:
    """A table and its running game, read from the ledger; ``game`` is None if the table is free."""
    house = table.establishment
    return cards(house, [table], games_at(house.pk, [table]))[0]


def games_at(establishment: UUID, tables: Sequence[Table]) -> dict[UUID, Loaded | None]:
    """
    The running game of each table that has one, by the table's id, in two queries.

    The game is None if it exists but its events cannot be read.
    """
    return read_cards(establishment, games_open(establishment, [table.pk for table in tables]))


def read_cards(establishment: UUID, running: Mapping[UUID, UUID]) -> dict[UUID, Loaded | None]:
    """The game of each of these tables, whose id is given, in one query."""
    loaded = load_all(establishment, running.values())
    return {table: loaded.get(game) for table, game in running.items()}


def games_open(establishment: UUID, tables: Iterable[UUID]) -> dict[UUID, UUID]:
    """The id of the running game of each table that has one, from the ledger, in one query."""
    return games_last(establishment, tables)[0]


def games_last(
    establishment: UUID, tables: Iterable[UUID]
) -> tuple[dict[UUID, UUID], dict[UUID, UUID]]:
    """Each table's running game, and the last game of each free table: their ids, in one query."""
    streams = {occupancy.table_stream(str(table)): table for table in tables}
    running: dict[UUID, UUID] = {}
    over: dict[UUID, UUID] = {}
    for stream, last in recent.lasts(establishment, streams).items():
        games = running if occupancy.is_taken(last) else over
        games[streams[stream]] = UUID(last.data["game"])
    return running, over


def cards(
    house: Establishment, tables: Sequence[Table], games: Mapping[UUID, Loaded | None]
) -> list[dict[str, Any]]:
    """A summary of each table with its running game, with players' names instead of tokens."""
    rows = [
        {"id": str(table.pk), "name": table.name, "game": running(house, games.get(table.pk))}
        for table in tables
    ]
    named: list[dict[str, Any]] = tokens.resolve(house.pk, rows)
    return named


def running(house: Establishment, loaded: Loaded | None) -> dict[str, Any] | None:
    """A summary of a game, with tokens of players; None for no game."""
    if loaded is None:
        return None
    presenter, view = PRESENTERS[loaded.ruleset.id], loaded.view
    return {
        "id": str(loaded.key.game),
        "title": TITLES[loaded.ruleset.id],
        "round": view["round"],
        "pot": presenter.figures(loaded.state.inner).get("pot"),
        "pot_name": str(presenter.POT).capitalize(),
        "currency": house.currency_symbol,
        "sentence": presenter.upcoming(loaded, view)["sentence"],
        "players": list(view["stakes"]),
        "requests": len(view["requests"]),
        "last_at": loaded.events[-1].provenance.occurred_at,
    }


# Figures of a day, compared with the same day a week ago, and their course through the day.
# They are read from two projections: `DayFigures` has the totals of a day, `QuarterFigures` has
# what each quarter of an hour added. A day that is not over is compared with the earlier day up to
# the same time.


WEEK: Final = timedelta(days=7)
QUARTER: Final = timedelta(minutes=15)
NAMES: Final = ("rounds", "bought_in", "staked", "paid", "fees")
DAYS: Final = 14  # days in the sparklines beside the figures


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekAgo:
    """
    The figures of the same day a week ago, up to the same time of day.

    :param until: the end of the last quarter of an hour that counts.
    :param figures: by name; all 0 on a day without play, None if the house has no such day.
    """

    day: date
    until: datetime
    figures: dict[str, int] | None


def so_far(establishment: UUID, day: date) -> DayFigures:
    rows = DayFigures.objects.filter(establishment=establishment, gaming_day=day)
    return rows.first() or DayFigures(establishment_id=establishment, gaming_day=day)


def week_ago(house: Establishment, day: date, now: datetime) -> WeekAgo:
    """
    The figures of the same day a week ago, up to the same time.

    Times are counted from the beginning of each day, so a change of the clock between the two days
    does not matter.
    """
    day_then = day - WEEK
    began = gaming_day.begins(house, day_then)
    gone = now - gaming_day.begins(house, day)
    until = began + (gone // QUARTER + 1) * QUARTER
    rows = QuarterFigures.objects.filter(establishment=house, gaming_day=day_then)
    sums = rows.filter(begins__lt=until).aggregate(**{name: Sum(name) for name in NAMES})
    known = any(each is not None for each in sums.values()) or rows.exists()
    figures = {name: int(coins or 0) for name, coins in sums.items()} if known else None
    return WeekAgo(day=day_then, until=until, figures=figures)


def days_before(day: date) -> list[date]:
    """The `DAYS` days before this one, oldest first."""
    return [day - timedelta(days=each) for each in range(DAYS, 0, -1)]


def last_days(establishment: UUID, day: date) -> dict[str, list[int | None]]:
    """Each figure on the days before this one, oldest first; None on days without play."""
    first = day - timedelta(days=DAYS)
    rows = DayFigures.objects.filter(
        establishment=establishment, gaming_day__gte=first, gaming_day__lt=day
    )
    known = {row.gaming_day: row for row in rows}
    return {
        name: [getattr(known[each], name) if each in known else None for each in days_before(day)]
        for name in NAMES
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """
    The course of a figure through a gaming day.

    :param points: hours since the day began, and the figure up to then; the first point is 0, 0.
    """

    day: date
    points: tuple[tuple[float, int], ...]


def course(
    house: Establishment, day: date, names: Sequence[str], until: datetime | None = None
) -> dict[str, Course]:
    """
    One course for each name, in one query.

    :param until: the course is extended to this moment.
    """
    rows = QuarterFigures.objects.filter(establishment=house, gaming_day=day).order_by("begins")
    found = list(rows.values_list("begins", *names))
    began = gaming_day.begins(house, day)
    quarters = [begins - began for begins, *_ in found]
    end = None if until is None else until - began
    return {
        name: Course(day=day, points=tuple(_grown(quarters, [row[place] for row in found], end)))
        for place, name in enumerate(names, 1)
    }


def _grown(
    quarters: Sequence[timedelta], added: Sequence[int], end: timedelta | None
) -> Iterator[tuple[float, int]]:
    """The points of a course: it grows within each quarter of an hour, and is level between."""
    at, total = timedelta(0), 0
    yield 0.0, 0
    for begins, more in zip(quarters, added, strict=True):
        if begins > at:
            yield _hours(begins), total
        at, total = begins + QUARTER, total + more
        yield _hours(at), total
    if end is not None and end > at:
        yield _hours(end), total


def _hours(passed: timedelta) -> float:
    return max(0.0, passed / timedelta(hours=1))
