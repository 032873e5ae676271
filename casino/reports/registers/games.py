"""What was played: rounds, stakes, payments, throws and how long it took, by game and by table."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.house.acts.game_streams.loading import load_all
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash.models import Owed
from casino.play.core.models import GameCard
from casino.play.core.round_models import GameSpan
from casino.play.settlement.models import Withheld
from casino.reports.registers import booked_rounds, history
from casino.words.presenters import TITLES
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.kit.documents.report import Cell, Query
    from casino.play.core.round_models import RoundRow

HOUR: Final = 3600


def rows(query: Query) -> QuerySet[RoundRow]:
    """The rounds that were not void at the position."""
    return history.rounds(query).filter(history.not_void(query.through))


def sum_by(query: Query, *by: str) -> list[dict[str, Any]]:
    lasted = ExpressionWrapper(F("ended_at") - F("began_at"), output_field=DurationField())
    grouped = rows(query).order_by().annotate(lasted=lasted).values(*by)
    found = grouped.annotate(
        games=Count("game", distinct=True),
        rounds=Count("position"),
        seconds=Sum("lasted"),
        **{f"{name}_": Sum(name) for name in ("throws", "staked", "paid", "direct", "fee")},
    )
    return list(found.order_by(*by))


def cells(row: dict[str, Any]) -> tuple[Cell, ...]:
    """
    The figures of one line. A round lasts from its first entry to its last, so breaks between
    rounds do not count in rounds per hour.
    """
    seconds = row["seconds"].total_seconds()
    return (
        row["games"],
        row["rounds"],
        row["throws_"],
        row["staked_"],
        row["paid_"],
        row["direct_"],
        row["fee_"],
        round(Fraction(row["throws_"], row["rounds"]), 2),
        round(seconds / row["rounds"]),
        round(row["rounds"] * HOUR / Fraction(seconds), 2) if seconds > 0 else None,
    )


def by_game(query: Query) -> Iterator[Line]:
    for row in sum_by(query, "ruleset"):
        yield Line(cells=(str(TITLES[row["ruleset"]]), *cells(row)))


def by_table(query: Query) -> Iterator[Line]:
    names = history.tables(query.house)
    for row in sorted(sum_by(query, "table"), key=lambda each: names[each["table"]]):
        yield Line(
            cells=(names[row["table"]], *cells(row)),
            address=reverse("cash-table", args=[row["table"]]),
        )


def by_both(query: Query) -> Iterator[Line]:
    names = history.tables(query.house)
    found = sum_by(query, "table", "ruleset")
    for row in sorted(found, key=lambda each: (names[each["table"]], each["ruleset"])):
        yield Line(cells=(names[row["table"]], str(TITLES[row["ruleset"]]), *cells(row)))


def figures(query: Query) -> Sequence[Figure]:
    found = rows(query).order_by().aggregate(
        rounds=Count("position"),
        games=Count("game", distinct=True),
        staked=Sum("staked"),
        paid=Sum("paid"),
    )  # fmt: skip
    booked = booked_rounds.bookings_of(query, rows(query))
    staked, paid = int(found["staked"] or 0), int(found["paid"] or 0)
    return (
        Figure(name="games", title=_("Games"), value=found["games"]),
        Figure(name="rounds", title=_("Rounds"), value=found["rounds"]),
        Figure(
            name="staked", title=_("Staked, by the ledger"), kind="money",
            value=booked.moved["staked"], agrees=booked.agrees("staked", staked),
        ),
        Figure(
            name="paid", title=_("Paid by pots, by the ledger"), kind="money",
            value=booked.moved["paid"], agrees=booked.agrees("paid", paid),
        ),
        Figure(name="waiting", title=_("Rounds not booked yet"), value=booked.waiting),
    )  # fmt: skip


COUNTS: Final = (
    Column(name="games", title=gettext_lazy("Games"), kind="number"),
    Column(name="rounds", title=gettext_lazy("Rounds"), kind="number", total=True),
    Column(name="throws", title=gettext_lazy("Throws"), kind="number", total=True),
    Column(name="staked", title=gettext_lazy("Staked"), kind="money", total=True),
    Column(name="paid", title=gettext_lazy("Paid"), kind="money", total=True),
    Column(name="direct", title=gettext_lazy("To each other"), kind="money", total=True),
    Column(name="fee", title=gettext_lazy("Fee"), kind="money", total=True),
    Column(name="throws_a_round", title=gettext_lazy("Throws a round"), kind="ratio"),
    Column(name="mean_length", title=gettext_lazy("Mean length"), kind="seconds"),
    Column(name="rounds_per_hour", title=gettext_lazy("Rounds per hour"), kind="ratio"),
)
EMPTY: Final = gettext_lazy("No round ended in these days.")
OF_TABLE: Final = Column(name="table", title=gettext_lazy("Table"))
OF_GAME: Final = Column(name="game", title=gettext_lazy("Game"))

REPORT: Final = Report(
    name="games",
    title=gettext_lazy("Game statistics"),
    about=gettext_lazy(
        "Rounds, stakes, payments and throws by game and by table, and how quickly they were"
        " played. Void rounds are not counted; a round lasts from its first entry to its last."
    ),
    controls=(),
    filters=(history.TABLE, history.GAME),
    figures=figures,
    tables=(
        Table(
            name="by_game", title=gettext_lazy("By game"), columns=(OF_GAME, *COUNTS),
            lines=by_game, empty=EMPTY,
        ),
        Table(
            name="by_table", title=gettext_lazy("By table"), columns=(OF_TABLE, *COUNTS),
            lines=by_table, empty=EMPTY,
        ),
        Table(
            name="by_table_and_game", title=gettext_lazy("By table and game"),
            columns=(OF_TABLE, OF_GAME, *COUNTS), lines=by_both, empty=EMPTY,
        ),
    ),
)  # fmt: skip


# Games as they stood at a position of the ledger: open games, and the money in them.


if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from casino.house.acts.game_streams.loading import Loaded
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
