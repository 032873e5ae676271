"""
Makes the rows that settlement keeps besides its entries again: seasons, points, prizes, withheld
payouts.

Settlement writes these rows in the transaction of its entries, and prizes are given by them. So
they are not a projection that lags behind: at any moment they are what the ledger makes of them.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded

from casino.house.acts.game_streams.loading import GameKey
from casino.play.settlement import scoreboard, seasons, settled
from casino.play.settlement.models import PrizeIssued, Season, Tally, Withheld
from games.payments import HOUSE
from ledger.models import Event
from ledger.subscriptions import Subscriber

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.entries import Entry
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent

ROWS = (Season, Tally, PrizeIssued, Withheld)
BOOKS: Final = f"{settled.SETTLEMENT}/"
DAYS: Final = ("first_day", "last_day")


def handle(event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
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


def forget(establishment: UUID) -> None:
    for model in ROWS:
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


KEPT = Subscriber(
    name=settled.SETTLEMENT, handle=handle, forget=forget, transient=(SoftTimeLimitExceeded,)
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
