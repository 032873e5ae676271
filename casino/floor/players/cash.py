"""The queries about players' money: cash of a gaming day (P2), and unclaimed money (P3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db.models import Q

from casino.engine.processes.queues import house_subscriber
from casino.floor.players.models import CashDay, CashMove, PrizeToHandOut
from casino.house.acts.game_streams.loading import load_all
from casino.money.cash.models import Owed
from casino.play.core.queries import games_open
from games.refusals import NotSettledYet
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment


def days_above_threshold(house: Establishment, day: date) -> list[CashDay]:
    """The players whose cash of a gaming day, in or out, is above the house's threshold (P2)."""
    above = _above(house)
    if above is None:
        return []
    rows = CashDay.objects.filter(above, establishment=house, gaming_day=day)
    return list(rows.order_by("player"))


def is_flagged(house: Establishment, row: CashDay) -> bool:
    most = house.cash_threshold
    return most is not None and (row.cash_in > most or row.cash_out > most)


def players_above_threshold(house: Establishment, days: Iterable[date]) -> set[tuple[date, str]]:
    """The players flagged on several gaming days, as pairs of day and token."""
    above = _above(house)
    if above is None:
        return set()
    rows = CashDay.objects.filter(above, establishment=house, gaming_day__in=set(days))
    return set(rows.values_list("gaming_day", "player"))


def _above(house: Establishment) -> Q | None:
    most = house.cash_threshold
    return None if most is None else Q(cash_in__gt=most) | Q(cash_out__gt=most)


def day(house: Establishment, on: date) -> list[CashDay]:
    """Every player's cash of a gaming day, the greatest sums first."""
    rows = CashDay.objects.filter(establishment=house, gaming_day=on)
    return sorted(rows, key=lambda row: (-max(row.cash_in, row.cash_out), row.player))


def payments_since(house: Establishment, player: str, day: date) -> dict[str, int]:
    """
    The coins that a player has paid in since a gaming day, by day, up to this moment.

    :raises NotSettledYet: if not all of it is counted yet, as where a worker is far behind.
    """
    head = journal.head(establishment=house.pk)
    house_subscriber.catch_up(establishment=house.pk, position=head)
    if house_subscriber.position_of(house.pk) < head:
        raise NotSettledYet("What was paid in is not counted yet: ask again in a moment. P1")
    rows = CashDay.objects.filter(establishment=house, player=player, gaming_day__gte=day)
    return {on.isoformat(): coins for on, coins in rows.values_list("gaming_day", "cash_in")}


def moves(house: Establishment, *, on: date, player: str | None = None) -> QuerySet[CashMove]:
    """The multiple-transaction log of a gaming day, in order."""
    rows = CashMove.objects.filter(establishment=house, gaming_day=on)
    if player is not None:
        rows = rows.filter(player=player)
    return rows.order_by("position", "seq")


def stakes_left_behind(house: Establishment) -> list[Owed]:
    """
    Stakes of players who do not play any more, the oldest first (P3): their game is closed, or
    they left it.

    The cost depends on what is outstanding now, not on the number of games: running games are found
    by their tables. In a running game that cannot be read, nobody counts as having left.
    """
    rows = list(Owed.objects.filter(establishment=house, kind="stake").exclude(player=""))
    running = _running(house)
    playing = {game: _playing(loaded) for game, loaded in running.items() if loaded}
    return [
        row
        for row in rows
        if row.game not in running or row.player not in playing.get(row.game, {row.player})
    ]


def stakes_left(house: Establishment, games: Iterable[UUID]) -> Counter[UUID | None]:
    """The coins in stakes of games that are over, by game: what nobody has paid out yet (P3)."""
    rows = Owed.objects.filter(establishment=house, kind="stake", game__in=list(games))
    left: Counter[UUID | None] = Counter()
    for game, amount in rows.exclude(player="").values_list("game", "amount"):
        left[game] += amount
    return left


def _running(house: Establishment) -> dict[UUID | None, Loaded | None]:
    """The running games at tables, in two queries besides that of the tables; None: unreadable."""
    games = games_open(house.pk, house.tables.values_list("pk", flat=True)).values()
    loaded = load_all(house.pk, games)
    return {game: loaded.get(game) for game in games}


def _playing(loaded: Loaded) -> set[str]:
    """The players still in a game: those with a stake to whom the rules offer no cash-out."""
    gone = {
        offer["player"]
        for offer in loaded.ruleset.offers(
            loaded.state, booked_through=loaded.version, irreversible_through=0
        )
        if offer["do"] == "cash_out"
    }
    return {player for player in loaded.stakes if player not in gone}


def game_of_player(house: Establishment, player: str, ruleset: str = "") -> UUID | None:
    """The running game, or that of one kind, in which a player sits; None if there is none."""
    for game, loaded in _running(house).items():
        if loaded and ruleset in {"", loaded.ruleset.id} and player in _playing(loaded):
            return game
    return None


def money_from_adjustments(house: Establishment) -> list[tuple[Owed, int]]:
    """
    The money that adjustments left for players at the cage, the oldest first.

    The same account holds prizes, which are subtracted here.
    """
    rows = list(Owed.objects.filter(establishment=house, kind="prizes_owed"))
    prizes: Counter[str] = Counter()
    waiting = prizes_owed(house).filter(player__in=[row.player for row in rows])
    for player, amount in waiting.values_list("player", "amount"):
        prizes[player] += amount
    rest = ((row, row.amount - prizes[row.player]) for row in rows)
    return [(row, coins) for row, coins in rest if coins > 0]


def prizes_owed(house: Establishment) -> QuerySet[PrizeToHandOut]:
    """Prizes that nobody has handed out yet, the oldest first (P3)."""
    rows = PrizeToHandOut.objects.filter(establishment=house, handed_at__isnull=True)
    return rows.order_by("position")
