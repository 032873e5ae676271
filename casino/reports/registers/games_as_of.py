"""Games as they stood at a position of the ledger: open games, and the money in them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Q, Sum

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.house.game_streams.loading import load_all
from casino.money.cash.account_models import Owed
from casino.play.core.models import GameCard
from casino.play.core.round_models import GameSpan
from casino.play.settlement.models import Withheld
from casino.reports.registers import history
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from casino.house.game_streams.loading import Loaded
    from casino.kit.documents.report import Query
    from ledger.accounts import AccountRef, Kind

    Key = tuple[UUID, str]

NAMES: Final = 1000  # accounts summed together


def spans(query: Query, kinds: Collection[Kind]) -> list[GameSpan]:
    """
    The games in which accounts of these kinds may have held coins at the position, oldest first.

    These games went on after the position, or they ended before it and still hold coins today.
    """
    now = Owed.objects.filter(establishment=query.house, kind__in=list(kinds), game__isnull=False)
    games = GameSpan.objects.filter(establishment=query.house)
    if table := query.chosen.get("table"):
        games = games.filter(table=UUID(table))
    if ruleset := query.chosen.get("game"):
        games = games.filter(ruleset=ruleset)
    here = Q(opened__lte=query.through, game__in=now.values("game"))
    found = {
        span.game: span
        for rows in (games.filter(here), games.filter(GameSpan.across(query.through)))
        for span in rows
    }
    return sorted(found.values(), key=lambda span: span.opened)


def balances_of_players(query: Query, names: Iterable[AccountRef]) -> Counter[AccountRef]:
    """The balances of players' accounts at the position; two queries for 1000 accounts."""
    balances: Counter[AccountRef] = Counter()
    rows = Transfer.objects.filter(establishment=query.house.pk, position__lte=query.through)
    for some in history.chunks(list(names), NAMES):
        by_name = {(account.kind.value, account.name): account for account in some}
        called = [account.name for account in some]
        for side, sign in (("credit", 1), ("debit", -1)):
            kind, name = f"{side}_kind", f"{side}_name"
            kinds = {account.kind.value for account in some}
            mine = rows.filter(**{f"{kind}__in": kinds, f"{name}__in": called})
            sums = mine.order_by().values_list(kind, name).annotate(coins=Sum("amount"))
            for at_kind, at_name, coins in sums:
                balances[by_name[at_kind, at_name]] += sign * int(coins)
    return balances


def stakes(query: Query, games: Collection[UUID], seated: Iterable[Key]) -> dict[Key, int]:
    """The coins booked in players' stakes, by game and player; an empty stake has 0."""
    named = {accounts.stake(game, player): (game, player) for game, player in seated}
    balances = balances_of_players(query, named)
    return {key: balances[account] for account, key in named.items() if key[0] in games}


def players_who_left(
    query: Query, spans: Mapping[UUID, GameSpan], keys: Collection[Key]
) -> set[Key]:
    """
    Those of these players with coins in a stake who had left play by the position. Two queries for
    all games. If a game was closed for good, all of its players had left.
    """
    ended = [game for game, span in spans.items() if span.last <= query.through]
    cards = GameCard.objects.filter(establishment=query.house, game__in=ended)
    closed = set(
        cards.filter(status=GameCard.Status.CLOSED).order_by().values_list("game", flat=True)
    )
    found = {(game, player) for game, player in keys if game in closed}
    under_way = {game for game, _player in keys} - closed
    for game, loaded in load_all(query.house.pk, under_way).items():
        found |= {(game, player) for player in _players_who_left(loaded, query.through)}
    return found


def _players_who_left(loaded: Loaded, through: int) -> set[str]:
    """The players who had left play: those to whom the rules offered `cash_out`."""
    seen = bisect_right([event.position for event in loaded.events], through)
    state = loaded.ruleset.decider.fold(loaded.facts[:seen])
    offers = loaded.ruleset.offers(state, booked_through=seen, irreversible_through=0)
    return {offer["player"] for offer in offers if offer["do"] == "cash_out"}


def withheld(
    query: Query, games: Collection[UUID]
) -> dict[UUID, dict[PayoutPlace, dict[str, Any]]]:
    """The last booking, through the position, of each payout that was ever held, by game."""
    some = Withheld.objects.filter(establishment=query.house, game__in=games)
    streams = {f"settlement/{game}": game for game in some.values_list("game", flat=True)}
    found: dict[UUID, dict[PayoutPlace, dict[str, Any]]] = {}
    for event in history.of_streams(query.house, streams, query.through):
        for lot in event.data.get("lots", ()):
            row = {**lot, "position": event.position, "at": event.provenance.recorded_at}
            found.setdefault(streams[event.stream], {})[PayoutPlace.parse(lot["payout"])] = row
    return found
