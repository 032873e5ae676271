"""Reports of games and rounds: what was played, by game and table, and the register of rounds."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
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
from casino.house.attendants.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.cash.models import Owed
from casino.play.core.models import GameCard, GameSpan
from casino.play.core.rounds import MOVED, coins_of_transfers
from casino.play.settlement.models import Payout, Withheld
from casino.reports.registers import history
from casino.words.presenters import TITLES
from ledger.accounts import Kind
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Cell, Query
    from casino.play.core.models import RoundRow
    from ledger.accounts import AccountRef

    Key = tuple[UUID, str]

HOUR: Final = 3600


def rounds_that_stand(query: Query) -> QuerySet[RoundRow]:
    """The rounds that were not void at the position."""
    return history.rounds(query).filter(history.not_void(query.through))


def sum_by(query: Query, *by: str) -> list[dict[str, Any]]:
    lasted = ExpressionWrapper(F("ended_at") - F("began_at"), output_field=DurationField())
    grouped = rounds_that_stand(query).order_by().annotate(lasted=lasted).values(*by)
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


def game_figures(query: Query) -> Sequence[Figure]:
    found = rounds_that_stand(query).order_by().aggregate(
        rounds=Count("position"),
        games=Count("game", distinct=True),
        staked=Sum("staked"),
        paid=Sum("paid"),
    )  # fmt: skip
    booked = bookings_of(query, rounds_that_stand(query))
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

GAMES: Final = Report(
    name="games",
    title=gettext_lazy("Game statistics"),
    about=gettext_lazy(
        "Rounds, stakes, payments and throws by game and by table, and how quickly they were"
        " played. Void rounds are not counted; a round lasts from its first entry to its last."
    ),
    controls=(),
    filters=(history.TABLE, history.GAME),
    figures=game_figures,
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


ACCOUNTS_AT_ONCE: Final = 1000  # accounts summed together


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
    for some in history.chunks(list(names), ACCOUNTS_AT_ONCE):
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


#
# The round register: every round that ended, what was staked and paid in it, and what it left.
#
# The amounts are those that the rules decided. They are compared with the amounts that settlement
# booked for the rounds that stand, summed from the ledger's transfers.


STANDS, VOID, UNDECIDED = "stands", "void", "undecided"
STATES: Final = {
    STANDS: gettext_lazy("stands"),
    VOID: gettext_lazy("void"),
    UNDECIDED: gettext_lazy("no result"),
}


def state_of_round(row: RoundRow, query: Query) -> str:
    """The state of a round at the position: a later void does not count."""
    if row.voided is not None and not history.behind(query, row.voided):
        return VOID
    return UNDECIDED if row.undecided else STANDS


def rounds_ended(query: Query) -> Any:
    found = history.rounds(query)
    match query.chosen.get("state"):
        case "void":
            found = found.exclude(history.not_void(query.through))
        case "undecided":
            found = found.filter(history.not_void(query.through), undecided=True)
        case "stands":
            found = found.filter(history.not_void(query.through), undecided=False)
    return found


def round_lines(query: Query) -> Iterator[Line]:
    """One line for each round. A round that was void by then has no amounts: it moved nothing."""
    tables = history.tables(query.house)
    games = {name: str(title) for name, title in TITLES.items()}
    states = {name: str(title) for name, title in STATES.items()}
    for part in history.chunks(rounds_ended(query).only(*READ)):
        won = tokens.resolve(query.house.pk, [row.winners for row in part])
        for row, winners in zip(part, won, strict=True):
            status = state_of_round(row, query)
            yield Line(
                cells=(
                    row.gaming_day,
                    row.ended_at,
                    tables[row.table_id],
                    games[row.ruleset],
                    row.number,
                    ", ".join(winners),
                    *(_amounts(row) if status != VOID else [None] * len(AMOUNTS)),
                    row.throws,
                    states[status],
                    row.began,
                    row.position,
                ),
                position=row.position,
                address=reverse("floor-round", args=[row.game, row.number]),
            )


AMOUNTS: Final = ("staked", "rolled_in", "paid", "direct", "rolled_out", "fee", "carried")

READ: Final = (
    "game", "number", "gaming_day", "ended_at", "table_id", "ruleset", "winners", *AMOUNTS,
    "throws", "undecided", "voided", "began", "position",
)  # fmt: skip


def _amounts(row: RoundRow) -> list[int]:
    return [getattr(row, name) for name in AMOUNTS]


def round_figures(query: Query) -> Sequence[Figure]:
    """Figures of the rounds that stand: their number, and the booked coins by the ledger."""
    mine = rounds_ended(query).filter(history.not_void(query.through)).order_by()
    decided = mine.aggregate(rounds=Count("position"), **{name: Sum(name) for name in MOVED})
    all_of_them = rounds_ended(query).order_by().aggregate(
        void=Count("position", filter=~history.not_void(query.through))
    )  # fmt: skip
    booked = bookings_of(query, rounds_ended(query).filter(history.not_void(query.through)))
    sums = Counter({name: int(decided[name] or 0) for name in MOVED})
    return (
        Figure(name="rounds", title=_("Rounds that stand"), value=decided["rounds"]),
        Figure(name="void", title=_("Void rounds"), value=all_of_them["void"]),
        *(
            Figure(
                name=f"booked_{name}",
                title=title,
                kind="money",
                value=booked.moved[name],
                agrees=booked.agrees(name, sums[name]),
            )
            for name, title in (
                ("staked", _("Staked in them, by the ledger")),
                ("paid", _("Paid by pots in them, by the ledger")),
                ("direct", _("From player to player, by the ledger")),
                ("fee", _("Fees of them, by the ledger")),
            )
        ),
        Figure(name="waiting", title=_("Rounds not booked yet"), value=booked.waiting),
    )


def _states(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(name, str(title)) for name, title in STATES.items()]


ROUNDS: Final = Report(
    name="rounds",
    title=gettext_lazy("Round register"),
    about=gettext_lazy(
        "Every round that ended: who won it, what was staked and paid, what it left in the pot."
    ),
    controls=("A1", "C1"),
    filters=(
        history.TABLE,
        history.GAME,
        Filter(name="state", title=gettext_lazy("State"), choices=_states),
    ),
    figures=round_figures,
    tables=(
        Table(
            name="rounds",
            title=gettext_lazy("Rounds"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="ended_at", title=gettext_lazy("Ended"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="winners", title=gettext_lazy("Won by")),
                Column(name="staked", title=gettext_lazy("Staked"), kind="money", total=True),
                Column(name="rolled_in", title=gettext_lazy("Rolled in"), kind="money", total=True),
                Column(name="paid", title=gettext_lazy("Paid"), kind="money", total=True),
                Column(
                    name="direct", title=gettext_lazy("To each other"), kind="money", total=True
                ),
                Column(
                    name="rolled_out", title=gettext_lazy("Rolled over"), kind="money", total=True
                ),
                Column(name="fee", title=gettext_lazy("Fee"), kind="money", total=True),
                Column(name="carried", title=gettext_lazy("Left in the pot"), kind="money"),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number", total=True),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="from", title=gettext_lazy("From"), kind="number"),
                Column(name="to", title=gettext_lazy("To"), kind="number"),
            ),
            lines=round_lines,
            size=lambda query: rounds_ended(query).count(),
            empty=gettext_lazy("No round ended in these days."),
        ),
    ),
)


# The coins that settlement booked for rounds, by the ledger's transfers; registers compare.


ROUNDS_AT_ONCE: Final = 200  # rounds whose bookings are looked up together
POSITIONS: Final = 2000


@dataclass(slots=True)
class Booked:
    """
    What was booked for some rounds through a position.

    :param moved: whole coins by meaning (`MOVED`); a fee counts also if it comes out of a pot.
    :param waiting: the number of rounds of which something was not booked yet at the position.
    """

    moved: Counter[str] = field(default_factory=Counter)
    waiting: int = 0

    def agrees(self, name: str, decided: int) -> bool | None:
        """Whether the booked coins equal the decided coins; None: something is not booked yet."""
        return None if self.waiting else self.moved[name] == decided


def bookings_of(query: Query, rows: QuerySet[RoundRow]) -> Booked:
    """
    What was booked for these rounds through the position.

    The database sums up the rounds that were booked completely by then, all of them in one query.
    The other rounds are few (the last one of each table, or parked): their bookings are looked up.
    """
    whole = Q(booked_at__lte=query.through)
    sums = rows.filter(whole).order_by().aggregate(
        **{f"{name}_": Sum(f"booked_{name}") for name in MOVED}
    )  # fmt: skip
    found = Booked(Counter({name: int(sums[f"{name}_"] or 0) for name in MOVED}))
    return _look_up(query, rows.filter(Q(booked_at=None) | ~whole), found)


def _look_up(query: Query, rows: QuerySet[RoundRow], found: Booked) -> Booked:
    """Add what was booked for rounds that are not booked completely; 3 queries for 200 rounds."""
    for part in history.chunks(rows.order_by("game", "position"), ROUNDS_AT_ONCE):
        positions = _bookings(query, part, found)
        for some in history.chunks(positions, POSITIONS):
            _add(query, some, found)
    return found


def _bookings(query: Query, part: Sequence[RoundRow], found: Booked) -> list[int]:
    """The ledger positions at which the events of these rounds were booked."""
    rows = Payout.objects.filter(
        establishment=query.house,
        game__in={row.game for row in part},
        position__gte=min(row.began for row in part),
        position__lte=query.through,
    )
    at: defaultdict[UUID, dict[int, int]] = defaultdict(dict)
    for game, cause, position in rows.order_by().values_list("game", "cause", "position"):
        at[game][cause] = position
    positions = []
    for row in part:
        mine = [at[row.game][cause] for cause in row.paying if cause in at[row.game]]
        positions += mine
        found.waiting += len(mine) < len(row.paying)
    return positions


def _add(query: Query, positions: Sequence[int], found: Booked) -> None:
    rows = Transfer.objects.filter(
        establishment=query.house.pk, position__in=positions, reverses__isnull=True
    )
    grouped = rows.values_list("debit_kind", "credit_kind").annotate(coins=Sum("amount"))
    found.moved.update(
        coins_of_transfers(
            (Kind(debit), Kind(credit), int(coins)) for debit, credit, coins in grouped.order_by()
        )
    )
