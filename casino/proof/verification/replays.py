"""
Replays every event of a house through a subscriber into shadow tables, and compares their rows with
the real ones; says which rows are left out, because the package of their game is not installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, time
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, transaction

from casino.house.acts.game_streams import catalogue, loading
from casino.house.acts.game_streams.catalogue import SETTLEMENT, Missing
from casino.house.acts.game_streams.loading import GameKey
from casino.play.core.models import DayFigures, GameCard, GameSpan, QuarterFigures, RoundRow
from casino.play.dice.surveillance.models import (
    CurvePoint,
    DiceStream,
    EntryRow,
    LeadRow,
    SealedHand,
)
from casino.play.settlement import scoreboard, seasons, settled
from casino.play.settlement.models import Payout, PrizeIssued, Season, Tally, Withheld
from casino.proof.disputes.models import DisputeRow, Seated
from casino.proof.search.models import RoundAmount, RoundLine, RoundPerson
from casino.proof.verification.shadow import EVENTS, NotShadowed, Shadows
from games.payments import HOUSE
from ledger import journal, storage
from ledger.models import Event, ParkedEvent, Subscription
from ledger.subscriptions import TRANSIENT, StreamVersions, Subscriber

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.db.models import Field, Model

    from ledger.entries import Entry
    from ledger.wire import StoredEvent

BATCH: Final = 200  # events that are read together, and handled in one transaction
EVENT_TABLE: Final = Event._meta.db_table  # noqa: SLF001 - Django's documented Meta API

Progress = Callable[[int, int], None]
"""Called with (events read so far, events in all), on the thread's own connection."""


def no_progress(_done: int, _of: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a subscriber has come: up to `position`, except for the events it has parked."""

    position: int
    parked: frozenset[int] = frozenset()


def position_of(subscriber: Subscriber, house: UUID) -> Reached:
    mine = Subscription.objects.filter(establishment=house, name=subscriber.name)
    parked = ParkedEvent.objects.filter(establishment=house, subscription=subscriber.name)
    position = mine.values_list("position", flat=True).first()
    return Reached(
        -1 if position is None else position,
        frozenset(parked.values_list("position", flat=True)),
    )


@dataclass(slots=True)
class Replay:
    """
    A replay of events, in order, into shadows. Events that the subscriber has parked are hidden, so
    the shadows are what the subscriber's rows should be without them. An event that cannot be
    handled here, although the subscriber has handled it, is a finding; the later events of its
    stream are left out.

    :param aside: what needs the rules of games whose package is missing: those events are not
        replayed, and are no finding.
    """

    subscriber: Subscriber
    shadows: Shadows
    progress: Progress = no_progress
    position: int = -1
    visible: int = -1
    hidden: frozenset[int] = frozenset()
    blocked: set[str] = field(default_factory=set)
    aside: LeftOut | None = None
    _not_read: list[Difference] = field(default_factory=list)

    def follows(self, at: Reached) -> bool:
        """
        Whether the replay can continue to a place. It cannot if the subscriber has moved back, or
        has retried parked events.
        """
        before = {each for each in at.parked if each <= self.position}
        return at.position >= self.position and before == self.hidden

    def through(self, at: Reached) -> None:
        """Replay all events up to the place that a subscriber has reached."""
        self.visible = at.position
        self.shadows.hide(at.parked)
        self.shadows.show(self.visible)
        with loading.read_with_own_cache():
            while events := journal.read(
                establishment=self.shadows.house, after=self.position, limit=BATCH
            ):
                self._take_all(events)
                self.position = events[-1].position
                with self.shadows.out_of_place():
                    self.progress(self.position + 1, at.position + 1)
        self.position, self.hidden = at.position, at.parked

    def _take_all(self, events: Sequence[StoredEvent]) -> None:
        """Handle events together; if one fails, one by one, so that only that one is left out."""
        versions = StreamVersions(self.shadows.house)
        try:
            with (
                transaction.atomic(),
                self.subscriber.handling(self.shadows.house, events) as handle,
            ):
                for event in events:
                    if not self._is_left_out(event):
                        handle(event, versions)
        except TRANSIENT + self.subscriber.transient:
            raise
        except Exception:  # noqa: BLE001 - what it was is seen when it is done again
            with transaction.atomic():
                for event in events:
                    self._take(event)

    def _take(self, event: StoredEvent) -> None:
        if self._is_left_out(event):
            return
        if self._handle(event) is not None and (error := self._as_it_was(event)) is not None:
            self._leave_out(event, error)

    def _is_left_out(self, event: StoredEvent) -> bool:
        apart = self.aside.streams if self.aside is not None else ()
        return event.stream in self.blocked or event.stream in apart

    def _as_it_was(self, event: StoredEvent) -> Exception | None:
        """Handle an event again with all later events hidden, as they may cause the failure."""
        self.shadows.show(event.position)
        try:
            with loading.read_with_own_cache():
                return self._handle(event)
        finally:
            self.shadows.show(self.visible)

    def _handle(self, event: StoredEvent) -> Exception | None:
        """The error with which a handler fails for an event; transient errors are raised."""
        try:
            with transaction.atomic():
                self.subscriber.handle(event, StreamVersions(event.establishment))
        except TRANSIENT + self.subscriber.transient:
            raise
        except Exception as error:
            if isinstance(error, DatabaseError) and self.shadows.vendor.refused(error):
                raise NotShadowed(
                    f"{self.subscriber.name} writes what it does not declare, of an event"
                    f" {event.event_type}: {error}"
                ) from error
            if storage.storage_fault(error):
                raise
            return error
        return None

    @property
    def not_read(self) -> list[Difference]:
        """The first events that could not be handled again, with the number of such streams."""
        return [replace(each, of=len(self.blocked)) for each in self._not_read]

    def _leave_out(self, event: StoredEvent, error: Exception) -> None:
        self.blocked.add(event.stream)
        if len(self._not_read) == LISTED_MAX:
            return
        self._not_read.append(
            Difference(
                follower=self.subscriber.name,
                table=EVENT_TABLE,
                what="unreadable",
                key={"stream": event.stream, "position": event.position},
                found={"error": f"{type(error).__name__}: {error}"},
            )
        )


# Compares the rows of a house with the shadow rows that a replay has made.


LISTED_MAX: Final = 20  # differing rows of one table that are listed; all are counted
HOUSE_COLUMN: Final = "establishment_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    A row that is not what the ledger makes it, or an event that could not be handled again.

    :param what: ``altered``; ``missing``: the ledger makes a row that does not exist; ``extra``: a
        row exists that the ledger does not make; ``unreadable``: an event that its subscriber has
        handled before and that could not be handled again.
    :param key: identifies the row within the house; for an event, its stream and position.
    :param found: the stored values of the columns that differ; for an extra row, of all columns.
    :param expected: the values that the ledger makes; for a missing row, of all columns.
    :param of: how many rows of this table differ, listed or not.
    """

    follower: str
    table: str
    what: str
    key: Mapping[str, Any]
    found: Mapping[str, Any] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)
    of: int = 1

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON values."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self), default=_plain))
        return values


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)


def differences(
    shadows: Shadows,
    model: type[Model],
    subscriber: str,
    *,
    unsettled: str = "",
    most: int = LISTED_MAX,
) -> Iterator[Difference]:
    """
    The first rows of a table that differ, in the order of their keys.

    Call it within one snapshot that covers both the table and the events of its shadow.

    :param unsettled: an SQL condition; rows that fulfil it are not compared.
    :param most: how many differing rows are listed at most.
    """
    columns, keys = columns_to_compare(model), key_of(model)
    with shadows.connection.cursor() as cursor:
        cursor.execute(_statement(shadows, model, unsettled, most))
        differing = cursor.fetchall()  # at most two entries for each listed row
    for _place, sides in groupby(differing, key=itemgetter(0)):
        found: dict[str, Any] = {}
        expected: dict[str, Any] = {}
        for _, is_expected, in_all, *values in sides:
            (expected if is_expected else found).update(_read(shadows, columns, values))
            of = in_all
        key = {name: (expected or found)[name] for name in map(column_name, keys)}
        if found and expected:
            changed = {name for name in found if found[name] != expected[name]}
            found = {name: found[name] for name in found if name in changed}
            expected = {name: expected[name] for name in expected if name in changed}
        yield Difference(
            follower=subscriber,
            table=model._meta.db_table,  # noqa: SLF001 - Django's documented Meta API
            what="altered" if found and expected else "extra" if found else "missing",
            key={name: value for name, value in key.items() if name != HOUSE_COLUMN},
            found=found,
            expected=expected,
            of=of,
        )


def columns_to_compare(model: type[Model]) -> list[Field[Any, Any]]:
    """
    The columns of a table that are compared: all of them. No column is written by a clock or by a
    counter of the database; times and numbers come from events.
    """
    return list(model._meta.concrete_fields)  # noqa: SLF001


def key_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns that name a row: its primary key."""
    meta: Any = model._meta  # noqa: SLF001
    return list(meta.pk_fields)


def column_name(column: Field[Any, Any]) -> str:
    """The name of a column in its table."""
    return str(column.column)


STATEMENT: Final = """
    WITH real_rows AS (SELECT {columns} FROM {real} AS each WHERE {house} = '{id}' {settled}),
         shadow_rows AS (SELECT {columns} FROM {shadow} AS each WHERE true {settled}),
         differing AS (
             SELECT 1 AS is_expected, expected.* FROM
                 (SELECT * FROM shadow_rows EXCEPT SELECT * FROM real_rows) AS expected
             UNION ALL
             SELECT 0 AS is_expected, found.* FROM
                 (SELECT * FROM real_rows EXCEPT SELECT * FROM shadow_rows) AS found
         ),
         placed AS (SELECT dense_rank() OVER (ORDER BY {keys}) AS place, differing.* FROM differing)
    SELECT place, is_expected, (SELECT max(place) FROM placed), {columns} FROM placed
    WHERE place <= {most} ORDER BY place, is_expected"""


def _statement(shadows: Shadows, model: type[Model], unsettled: str, most: int) -> str:
    quoted = shadows.connection.ops.quote_name
    table = model._meta.db_table  # noqa: SLF001
    return STATEMENT.format(
        columns=", ".join(quoted(column_name(each)) for each in columns_to_compare(model)),
        keys=", ".join(quoted(column_name(each)) for each in key_of(model)),
        real=shadows.real[table],
        shadow=f"{shadows.vendor.temporary}.{quoted(table)}",
        house=quoted(HOUSE_COLUMN),
        id=shadows.house.hex,
        settled=f"AND NOT ({unsettled})" if unsettled else "",
        most=most,
    )


def _read(
    shadows: Shadows, columns: Sequence[Field[Any, Any]], values: Sequence[Any]
) -> Iterator[tuple[str, Any]]:
    """A row converted as Django does it: databases store UUIDs, moments and JSON differently."""
    connection = shadows.connection
    for column, raw in zip(columns, values, strict=True):
        expression, value = column.get_col(column.model._meta.db_table), raw  # noqa: SLF001
        converters = connection.ops.get_db_converters(expression)
        for convert in (*converters, *expression.get_db_converters(connection)):
            value = convert(value, expression, connection)
        yield column_name(column), value


#
# Makes the rows that settlement keeps besides its entries again: seasons, points, prizes, withheld
# payouts.
#
# Settlement writes these rows in the transaction of its entries, and prizes are given by them. So
# they are not a projection that lags behind: at any moment they are what the ledger makes of them.


SETTLED_ROWS = (Season, Tally, PrizeIssued, Withheld)
BOOKS: Final = f"{settled.SETTLEMENT}/"
DAYS: Final = ("first_day", "last_day")


def handle_settled(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
    """Update the rows for an entry of settlement; nothing is appended."""
    if event.stream.startswith(seasons.PREFIX):
        _of_a_season(event)
    if event.stream.startswith(BOOKS):
        key = GameKey(event.establishment, UUID(event.stream.removeprefix(BOOKS)))
        if event.data.get("points"):
            _rebuild_points(key, event)
        if event.event_type == settled.PRIZE_ISSUED:
            _note_prize(key, event)
        if "lots" in event.data or _takes_from_player(event):
            _note(key)
    return ()


def _of_a_season(event: StoredEvent) -> None:
    """Update the row of a season, or note a prize of one of its places."""
    house, ruleset = event.establishment, event.stream.removeprefix(seasons.PREFIX)
    data, state = event.data, Season.State
    board = Season.objects.filter(establishment=house, ruleset=ruleset)
    match event.event_type:
        case seasons.OPENED:
            board.filter(state=state.OPEN).update(state=state.ENDED)
            days = {name: data[name] and date.fromisoformat(data[name]) for name in DAYS}
            Season.objects.create(
                establishment_id=house, ruleset=ruleset, number=data["season"], **days
            )
        case seasons.ENDED:
            board.filter(number=data["season"]).update(last_day=data["last_day"])
        case seasons.CLOSED:
            board.filter(number=data["season"]).update(state=state.CLOSED)
        case settled.PRIZE_ISSUED:
            scoreboard.issue(
                house, ruleset, data["season"], data["rule"], data["player"], data["because"]
            )


def _rebuild_points(key: GameKey, event: StoredEvent) -> None:
    """Change points; what was booked before there were seasons makes the first one."""
    ruleset, changes = _game_of(key), list(scoreboard.changes_of(event.data))
    if "season" not in event.data and "seasons" not in event.data:
        Season.objects.get_or_create(
            establishment_id=key.establishment, ruleset=ruleset, number=scoreboard.FIRST
        )
    scoreboard.score(key.establishment, ruleset, changes)


def forget_settled(establishment: UUID) -> None:
    for model in SETTLED_ROWS:
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


KEPT = Subscriber(
    name=settled.SETTLEMENT,
    handle=handle_settled,
    forget=forget_settled,
    transient=(SoftTimeLimitExceeded,),
)


def _game_of(key: GameKey) -> str:
    opening = Event.objects.filter(
        establishment=key.establishment, stream=key.stream, stream_version=1
    )
    family = opening.values_list("event_type", flat=True).get().partition(".")[0]
    return family.replace("_", "-")


def _note_prize(key: GameKey, event: StoredEvent) -> None:
    """
    Note a prize with the position of the game's event whose points earned it, which is not always
    the event it was issued after: while a request to void waited, it waited too.
    """
    cause = Event.objects.filter(
        establishment=key.establishment, stream=key.stream, stream_version=event.data["cause"]
    )
    scoreboard.issue(
        key.establishment,
        _game_of(key),
        event.data.get("season", scoreboard.FIRST),
        event.data["rule"],
        event.data["player"],
        cause.values_list("position", flat=True).get(),
    )


def _takes_from_player(event: StoredEvent) -> bool:
    """
    Whether an adjustment took coins from a player, who may lack them at the next payment. From then
    on the game has a `Withheld` row, as if a payout had been held.
    """
    return event.event_type == settled.ADJUSTED and event.data["from"] != HOUSE


def _note(key: GameKey) -> None:
    row, _ = Withheld.objects.get_or_create(
        establishment_id=key.establishment, game=key.game, defaults={"waiting": False}
    )
    row.waiting = any(lot.why for lot in settled.withheld(key))
    row.save(force_update=True)


#
# Selects the rows of games whose package is not installed here: they cannot be made again or
# compared.
#
# Rows that are made without the rules of a game (cash, accounts, dice, requests, the search for
# events) are compared for these games too. Rows that need the rules are left out one by one: a
# package that was removed is not a forgery, and must not hide one in the rows of another game.


NEAR_AN_ALARM: Final = 1.0
"""
Evidence, as its logarithm. Whether a stream of dice above this value is called unfair depends on
all other streams, so such streams are left out as well.
"""

GAME: Final = "'game/' || {game} IN ({games})"
POSITION: Final = "position IN (SELECT position FROM {events} AND {theirs})"
DAY: Final = "gaming_day IN (SELECT gaming_day FROM {events} AND {theirs})"
THROWN: Final = "kind = 'house' OR name IN ({names})"
ROWS_WITH_RULES: Final[Mapping[type[Model], str]] = {
    GameCard: GAME,
    GameSpan: GAME,
    RoundRow: GAME,
    Payout: GAME,
    DayFigures: DAY,
    QuarterFigures: DAY,
    DisputeRow: GAME,
    Seated: GAME,
    RoundLine: GAME,
    RoundPerson: POSITION,
    RoundAmount: POSITION,
    SealedHand: GAME,
    LeadRow: "game IN ({ids})",
    EntryRow: THROWN,
    CurvePoint: THROWN,
    DiceStream: f"highest >= {NEAR_AN_ALARM} OR {THROWN}",
}
"""The rows of a table that need the rules of a game, as an SQL condition. Other tables: none."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """
    What is left out, because the package of a game is missing.

    :param streams: the streams of these games and of their settlement; their events are not
        replayed.
    :param names: the owners of streams of dice (people, tables, sets, …) that may contain throws of
        these games.
    """

    missing: Missing
    streams: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def rows(self, model: type[Model], made: Shadows) -> str:
        """An SQL condition for the rows of a table that are not compared; "": all are compared."""
        if not self.missing or model not in ROWS_WITH_RULES:
            return ""
        events = f"{made.real[EVENTS]} WHERE establishment = '{made.house.hex}'"
        games = (
            f"SELECT stream FROM {events} AND stream_version = 1"  # noqa: S608 - our own names
            f" AND event_type IN ({as_sql_list(self.missing.openings)})"
        )
        theirs = (
            f"(stream IN ({games}) OR stream LIKE '{SETTLEMENT}%'"
            f" AND 'game/' || substr(stream, {len(SETTLEMENT) + 1}) IN ({games}))"
        )
        return ROWS_WITH_RULES[model].format(
            game=made.vendor.spelt("game"), games=games, events=events, theirs=theirs,
            ids=as_sql_list(self.missing.games), names=as_sql_list(self.names),
        )  # fmt: skip


def leave_nothing_out(establishment: UUID) -> LeftOut:
    """Leave nothing out: for a subscriber that does not need the rules of games."""
    return LeftOut(Missing(establishment))


def left_out_of(establishment: UUID) -> LeftOut:
    """What must be left out in a house: the streams and rows of games without a package."""
    games = catalogue.missing_games(establishment)
    return LeftOut(games, games.streams(), frozenset(_met(games)))


def leave_rows_out(establishment: UUID) -> LeftOut:
    """Leave out rows only: for a subscriber that reads all events, and needs rules for few rows."""
    return LeftOut(catalogue.missing_games(establishment))


def _met(games: Missing) -> Iterator[str]:
    for actor, data in games.events():
        yield actor
        yield from (str(data[each]) for each in ("table", "dice_set", "player") if data.get(each))
        yield from data.get("place", {}).values()


def as_sql_list(texts: Iterable[str]) -> str:
    """Texts as a list in SQL; NULL, which matches nothing, if there are none."""
    quoted = sorted("'" + each.replace("'", "''") + "'" for each in texts)
    return ", ".join(quoted) or "NULL"
