"""
The pot equation (A1): what came into a pot, what left it, and what therefore lies in it.

    base + contributions + rolled in - won - rolled out - fees + adjustments = balance

The left side is read from the transfers of the account ``pot:<game>``, the right side is the
balance of that account. Both are read in one statement, so they are of the same moment. The
database enforces where a pot's coins may go (A2, `ledger.accounts.POT_FALLS_TO`). All figures are
as booked: what the rules have decided and settlement has not booked yet is not included.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import F, Q, Sum, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams.loading import GameKey, load
from casino.play.core.models import GameCard
from casino.play.core.queries import waiting_rollovers
from casino.words.presenters import TITLES
from ledger import money
from ledger.accounts import Kind
from ledger.models import Account, Transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment

MINUS: Final = "\N{MINUS SIGN}"
CAME_IN: Final = {
    Kind.BANK: "base",
    Kind.STAKE: "contributions",
    Kind.HELD: "contributions",
    Kind.ROLLOVER: "rolled_in",
}
WENT_OUT: Final = {
    Kind.STAKE: "won",
    Kind.HELD: "won",
    Kind.ROLLOVER: "rolled_out",
    Kind.FEES: "fees",
}
TERMS: Final = (
    "base", "contributions", "rolled_in", "won", "rolled_out", "fees", "adjustments", "balance",
)  # fmt: skip
"""The terms in the order of the equation."""
TERM_SIGNS: Final = {
    "base": "", "contributions": "+", "rolled_in": "+", "won": MINUS, "rolled_out": MINUS,
    "fees": MINUS, "adjustments": "±", "balance": "=",
}  # fmt: skip
CALLED_TERMS: Final = {
    "base": gettext_lazy("Base"),
    "contributions": gettext_lazy("Put in"),
    "rolled_in": gettext_lazy("Rolled in"),
    "won": gettext_lazy("Won"),
    "rolled_out": gettext_lazy("Rolled over"),
    "fees": gettext_lazy("Fee"),
    "adjustments": gettext_lazy("Adjusted"),
    "balance": gettext_lazy("Balance"),
}

IN, OUT, HOLDS = "in", "out", "holds"
CALLED: Final[Mapping[str, _StrPromise]] = {
    "pot": gettext_lazy("pot"),
    "house": gettext_lazy("the house"),
    "rollover": gettext_lazy("the rollover"),
}
"""Names of the parties that are no players, for people to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """
    The terms of the pot equation, in whole coins, of one pot or of several together.

    A void (G4) reduces the term that it reverses: a stake that was paid back is no contribution, a
    win that was taken back is no win.

    :param base: what the house itself put in, by an announced act; there is no such act today.
    :param contributions: stakes, antes and prices of the players.
    :param won: paid to players, or held for them; also what is shared out at a close (G9).
    :param fees: paid out of the pot: the announced rake.
    :param adjustments: all other movements; positive for what came in.
    :param balance: the balance of the account.
    """

    base: int = 0
    contributions: int = 0
    rolled_in: int = 0
    won: int = 0
    rolled_out: int = 0
    fees: int = 0
    adjustments: int = 0
    balance: int = 0

    @property
    def comes_to(self) -> int:
        """The balance that follows from the other terms."""
        came = self.base + self.contributions + self.rolled_in
        return came - self.won - self.rolled_out - self.fees + self.adjustments

    @property
    def adds_up(self) -> bool:
        return self.comes_to == self.balance

    def terms(self) -> dict[str, int]:
        return {term: getattr(self, term) for term in TERMS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """The pot of a game of a house, with its equation."""

    game: UUID
    equation: Equation
    ruleset: str
    table: UUID
    round: int
    since: datetime
    running: bool


def of_game(establishment: UUID, game: UUID) -> Equation:
    """The equation of one game's pot; only the transfers of its account are read."""
    name = str(game)
    return _equations(establishment, [name])[name]


def at_position(establishment: UUID, games: Iterable[UUID], through: int) -> dict[UUID, Equation]:
    """
    The equations of games' pots as of a position, in one statement.

    The balance is the sum of the transfers too, because the account only has its current balance.
    """
    terms: dict[str, Counter[str]] = {str(game): Counter() for game in games}
    moved = Transfer.objects.filter(establishment=establishment, position__lte=through)
    for name, way, kind, undone, coins in _movements(moved, list(terms)):
        term, sign = _term(way, Kind(kind), undone=bool(undone))
        terms[name][term] += sign * int(coins)
        terms[name]["balance"] += int(coins) if way == IN else -int(coins)
    return {UUID(name): Equation(**found) for name, found in terms.items()}


def open_pots(establishment: UUID) -> list[Pot]:
    """
    The pots of all running games, and of other games whose pot is not empty; the oldest first.

    The sums take two statements, however many pots there are.
    """
    cards = GameCard.objects.filter(establishment=establishment)
    running = cards.filter(status=GameCard.Status.OPEN).values_list("game", flat=True)
    full = Account.objects.filter(
        establishment=establishment, kind=Kind.POT, credits__gt=F("debits")
    ).values_list("name", flat=True)
    games = {*running, *map(UUID, full)}
    if not games:
        return []
    known = {card.game: card for card in cards.filter(game__in=games)}
    equations = _equations(establishment, [str(game) for game in games])
    pots = [_pot(establishment, game, equations[str(game)], known.get(game)) for game in games]
    return sorted(pots, key=lambda pot: (pot.since, pot.game))


def in_rollovers(establishment: UUID) -> int:
    """The booked coins in all rollovers of a house; they are players' money, too (TA10)."""
    return sum(money.balances(establishment=establishment, kinds=[Kind.ROLLOVER]).values())


def together(equations: Iterable[Equation]) -> Equation:
    """The sum of equations, term by term."""
    sums: Counter[str] = Counter()
    for each in equations:
        sums.update(each.terms())
    return Equation(**sums)


def _pot(establishment: UUID, game: UUID, equation: Equation, card: GameCard | None) -> Pot:
    if card is not None:
        return Pot(
            game=game,
            equation=equation,
            ruleset=card.ruleset,
            table=card.table_id,
            round=card.round,
            since=card.opened_at,
            running=card.status == GameCard.Status.OPEN,
        )
    loaded = load(GameKey(establishment, game))  # the projections have not made its card yet
    return Pot(
        game=game,
        equation=equation,
        ruleset=loaded.ruleset.id,
        table=UUID(loaded.place["table"]),
        round=loaded.view["round"],
        since=loaded.opening.provenance.occurred_at,
        running=not loaded.closed,
    )


def _equations(establishment: UUID, names: Iterable[str]) -> Mapping[str, Equation]:
    terms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, way, kind, undone, coins in _sums(establishment, list(names)):
        if way == HOLDS:
            terms[name]["balance"] = int(coins)
        else:
            term, sign = _term(way, Kind(kind), undone=bool(undone))
            terms[name][term] += sign * int(coins)
    return defaultdict(Equation, {name: Equation(**found) for name, found in terms.items()})


def _term(way: str, other: Kind, *, undone: bool) -> tuple[str, int]:
    """The term of the equation in which a transfer counts, and its sign there."""
    came = way == IN
    first_way = CAME_IN if came != undone else WENT_OUT  # a reversal moves the other way
    term = first_way.get(other, "adjustments")
    if term == "adjustments":
        return term, 1 if came else -1
    return term, -1 if undone else 1


def _sums(establishment: UUID, names: list[str]) -> QuerySet[Any, tuple[Any, ...]]:
    """
    The movements and the balances of pots, in one statement.

    Each row has the pot's name, the way, the other account's kind, whether it is a reversal, coins.
    """
    held = Account.objects.filter(establishment=establishment, kind=Kind.POT, name__in=names)
    holds = held.annotate(
        way=Value(HOLDS), undone=Q(kind__isnull=True), coins=F("credits") - F("debits")
    ).values_list("name", "way", "kind", "undone", "coins")
    return _movements(Transfer.objects.filter(establishment=establishment), names).union(
        holds, all=True
    )


def _movements(rows: QuerySet[Transfer], names: list[str]) -> QuerySet[Any, tuple[Any, ...]]:
    """The movements of pots, in and out, in rows as those of `_sums`."""
    moved = rows.annotate(undone=Q(reverses__isnull=False), **money.KINDS)
    came = moved.filter(credit_kind=Kind.POT, credit_name__in=names)
    went = moved.filter(debit_kind=Kind.POT, debit_name__in=names)
    ins = came.annotate(way=Value(IN)).values_list("credit_name", "way", "from_kind", "undone")
    outs = went.annotate(way=Value(OUT)).values_list("debit_name", "way", "to_kind", "undone")
    coins = Sum("amount")
    return ins.annotate(coins=coins).union(outs.annotate(coins=coins), all=True)


def rollovers(house: Establishment) -> list[dict[str, Any]]:
    """The lots that pots left for the next game of their kind, the oldest first."""
    kinds = waiting_rollovers(house.pk)
    lots = [lot for kind in kinds for lot in kind["lots"]]
    games = {game for lot in lots for game in (lot["game"], lot["claimed_by"]) if game}
    at_table = _tables_of(house, games)
    found = [
        {
            "kind": kind["game"],
            "title": TITLES.get(kind["game"], kind["game"]),
            "amount": lot["amount"],
            "since": datetime.fromisoformat(lot["since"]),
            "table": at_table[lot["game"]],
            "game": lot["game"],
            "url": reverse("floor-game", args=[lot["game"]]),
            "awaited_at": lot["claimed_by"] and at_table[lot["claimed_by"]],
            "awaited_url": lot["claimed_by"] and reverse("floor-game", args=[lot["claimed_by"]]),
        }
        for kind in kinds
        for lot in kind["lots"]
    ]
    return sorted(found, key=itemgetter("since"))


def _tables_of(house: Establishment, games: Collection[str]) -> dict[str, str]:
    """The name of the table at which each game was played."""
    cards = GameCard.objects.filter(establishment=house, game__in=games).select_related("table")
    known = {str(card.game): card.table.name for card in cards}
    for game in set(games) - known.keys():  # the projections have not made its card yet
        table = load(GameKey(house.pk, UUID(game))).place["table"]
        known[game] = house.tables.get(pk=table).name
    return known
