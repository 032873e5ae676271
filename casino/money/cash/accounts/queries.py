"""
The queries of the house's accounts: the chart, the accounts of a kind, and their titles.

Cash is the money that the house holds physically. It equals what the house owes players plus what
is the house's own, at every position of the ledger, because each transfer has one debit and one
credit.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.db.models import BigIntegerField, Case, F, When
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import custody
from casino.house.acts.accounts import fee_box, table_float
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people_named
from casino.kit.web.listings.listing import Column, Listing
from casino.money.cash import balance_snapshots, fees, queries
from casino.money.cash.models import Owed
from casino.play.core.models import GameCard
from casino.words.presenters import TITLES
from ledger import journal
from ledger.accounts import CASH, HOUSE_MONEY, PLAYERS_MONEY, AccountRef, Kind
from ledger.models import Account

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.listing import Viewer

KINDS: Final[Mapping[Kind, _StrPromise]] = {
    Kind.CAGE: gettext_lazy("Cage"),
    Kind.FLOAT: gettext_lazy("Table floats and boxes"),
    Kind.STAKE: gettext_lazy("Stakes"),
    Kind.POT: gettext_lazy("Pots"),
    Kind.ROLLOVER: gettext_lazy("Rollovers"),
    Kind.HELD: gettext_lazy("Held"),
    Kind.PRIZES_OWED: gettext_lazy("Prizes owed"),
    Kind.FEES: gettext_lazy("Fees"),
    Kind.BANK: gettext_lazy("The house's bank"),
    Kind.RECEIVABLE: gettext_lazy("Receivable"),
    Kind.OVER_SHORT: gettext_lazy("Over/short"),
}
"""Every kind of account, in the order of the chart."""

CALLED: Final[Mapping[Kind, _StrPromise]] = {
    Kind.CAGE: gettext_lazy("Cage"),
    Kind.STAKE: gettext_lazy("Stake of %(rest)s, %(game)s"),
    Kind.POT: gettext_lazy("Pot of %(game)s"),
    Kind.ROLLOVER: gettext_lazy("Rollover of %(ruleset)s"),
    Kind.HELD: gettext_lazy("Held of %(game)s, payout %(rest)s"),
    Kind.PRIZES_OWED: gettext_lazy("Prizes owed to %(first)s"),
    Kind.FEES: gettext_lazy("Fees"),
    Kind.BANK: gettext_lazy("The house's bank"),
    Kind.RECEIVABLE: gettext_lazy("Receivable from %(first)s"),
    Kind.OVER_SHORT: gettext_lazy("Over/short of %(table)s"),
}
BOXES: Final[Mapping[str, _StrPromise]] = {
    "": gettext_lazy("Float of %(table)s"),
    "fees": gettext_lazy("Fee box of %(table)s"),
    "tips": gettext_lazy("Tip box of %(table)s"),
}
SHORT = 8  # characters of an id that are shown if its name is not known


@dataclass(frozen=True, slots=True)
class Group:
    """
    All accounts of a kind together.

    :param balance: None: hidden, because the viewer may have to count some of it.
    """

    kind: Kind
    title: str
    balance: int | None


@dataclass(frozen=True, slots=True)
class Chart:
    """
    The chart of accounts as of a position of the ledger.

    :param covered: whether cash is at least what is owed to players.
    """

    position: int
    head: int
    cash: tuple[Group, ...]
    players: tuple[Group, ...]
    house: tuple[Group, ...]
    cash_total: int | None
    players_total: int
    house_total: int | None
    covered: bool


@dataclass(frozen=True, slots=True)
class Row:
    """An account that is not empty, with its title."""

    account: AccountRef
    title: str
    balance: int | None


def chart(house: Establishment, role: str, position: int | None = None) -> Chart:
    """The chart of accounts now, or as of a position, as a role may see it."""
    head = journal.head(establishment=house.pk)
    at = head if position is None else min(position, head)
    held = balance_snapshots.kinds_through(house.pk, at)
    # If only one sum were hidden, it could be computed from the others, so two are hidden.
    unseen = {Kind.FLOAT, Kind.BANK} if hidden(house, role) else set()

    def groups(kinds: frozenset[Kind]) -> tuple[Group, ...]:
        return tuple(
            Group(kind, str(title), None if kind in unseen else held[kind])
            for kind, title in KINDS.items()
            if kind in kinds
        )

    cash, owed = _sum(held, CASH), _sum(held, PLAYERS_MONEY)
    return Chart(
        position=at,
        head=head,
        cash=groups(CASH),
        players=groups(PLAYERS_MONEY),
        house=groups(HOUSE_MONEY),
        cash_total=None if unseen else cash,
        players_total=owed,
        house_total=None if unseen else _sum(held, HOUSE_MONEY),
        covered=cash >= owed,
    )


def _sum(held: Mapping[Kind, int], kinds: frozenset[Kind]) -> int:
    return sum(held[kind] for kind in kinds)


def hidden(house: Establishment, role: str) -> set[AccountRef]:
    """The floats and fee boxes that a role may not see now, because of counts (B1, A5)."""
    found = {table_float(str(table)) for table in queries.hidden(house, role)}
    if role not in permissions.ALLOWED["record"]:
        return found
    boxes = fees.counting(house)
    return found | {fee_box(str(table)) for table in boxes}


class Holding(Protocol):
    """
    An account that is not empty.

    :param held: its balance; None: hidden, because the viewer may be the second to count it.
    """

    name: str
    held: int | None


def holding(house: Establishment, kind: Kind, role: str) -> QuerySet[Any]:
    """
    The accounts of a kind that are not empty, each a `Holding`.

    The cost depends only on the accounts that hold money now: accounts that are empty again are
    not read.
    """
    rows: QuerySet[Any]
    if kind in PLAYERS_MONEY:
        rows = Owed.objects.filter(establishment=house, kind=kind.value)
        return rows.annotate(held=F("amount"))
    rows = Account.objects.filter(establishment=house.pk, kind=kind.value)
    more, less = ("debits", "credits") if kind in CASH else ("credits", "debits")
    unseen = hidden(house, role) if kind == Kind.FLOAT else set()
    return rows.exclude(debits=F("credits")).annotate(
        held=Case(
            When(name__in=[account.name for account in unseen], then=None),
            default=F(more) - F(less),
            output_field=BigIntegerField(),
        )
    )


def with_titles(house: Establishment, kind: Kind, found: Sequence[Holding]) -> list[Row]:
    """The accounts of a kind with their titles and balances."""
    refs = [AccountRef(kind, each.name) for each in found]
    called = titles(house, refs)
    return [
        Row(account, called[account], each.held) for account, each in zip(refs, found, strict=True)
    ]


def titles(house: Establishment, accounts: Iterable[AccountRef]) -> dict[AccountRef, str]:
    """The titles of accounts, with names instead of tokens, in four queries."""
    wanted = list(dict.fromkeys(accounts))
    words = _Words(house, wanted)
    named: list[str] = tokens.resolve(house.pk, [words.title(each) for each in wanted])
    return dict(zip(wanted, named, strict=True))


class _Words:
    """The tables, games and people that occur in account names, to make titles from them."""

    def __init__(self, house: Establishment, accounts: Iterable[AccountRef]) -> None:
        parts = {part for account in accounts for part in account.name.split("/")}
        ids = {part for part in parts if _is_id(part)}
        self._tables = {str(pk): name for pk, name in house.tables.values_list("pk", "name")}
        others = [each for each in ids if each not in self._tables]
        cards = GameCard.objects.filter(establishment=house, game__in=others)
        self._games = {
            str(game): _("%(game)s at %(table)s")
            % {"game": TITLES.get(ruleset, ruleset), "table": table}
            for game, ruleset, table in cards.values_list("game", "ruleset", "table__name")
        }
        self._people = people_named([each for each in others if each not in self._games])

    def title(self, account: AccountRef) -> str:
        first, _slash, rest = account.name.partition("/")
        values = {
            "first": first,
            "rest": rest,
            "table": self._table(first),
            "game": self._game(first),
            "ruleset": TITLES.get(first, first),
        }
        if account.kind == Kind.FLOAT:
            return str(BOXES.get(rest, BOXES[""])) % values
        if custody.holds_tips(account):
            return self._tips(rest)
        return str(CALLED[account.kind]) % values

    def _tips(self, name: str) -> str:
        table, _slash, person = name.partition("/")
        values = {"person": self._people.get(person, person), "table": self._table(table)}
        return _("Tips of %(person)s at %(table)s") % values

    def _table(self, table: str) -> str:
        return self._tables.get(table, table[:SHORT])

    def _game(self, game: str) -> str:
        return self._games.get(game, _("game %(id)s") % {"id": game[:SHORT]})


def _is_id(part: str) -> bool:
    try:
        uuid.UUID(part)
    except ValueError:
        return False
    return True


# The list of the accounts of a kind, with their balances (A3).


HIDDEN: Final = gettext_lazy("hidden while a count runs")


def _balance(row: Row) -> Cell:
    return str(HIDDEN) if row.balance is None else row.balance


def _address(row: Row) -> str:
    return reverse("account", kwargs={"kind": row.account.kind, "name": row.account.name})


def accounts_of(kind: Kind) -> Listing[Holding, Row]:
    """The list of the accounts of a kind that are not empty."""

    def items(viewer: Viewer, rows: Sequence[Holding]) -> list[Row]:
        return with_titles(viewer.house, kind, rows)

    return Listing[Holding, Row](
        name=f"accounts-{kind}",
        title=KINDS[kind],
        about=gettext_lazy("The accounts of a kind that hold something."),
        rows=lambda viewer: holding(viewer.house, kind, viewer.role),
        items=items,
        order=("name",),
        columns=(
            Column(name="account", title=gettext_lazy("Account in the ledger"), style="wide soft",
                   value=lambda row: str(row.account), order=("name",),
                   on=frozenset({"file", "api"})),
            Column(name="title", title=gettext_lazy("Account"), style="row-name", link=_address),
            Column(name="balance", title=gettext_lazy("Balance"), kind="money", display=_balance,
                   order=("held",)),
        ),
        empty=gettext_lazy(
            "No account of this kind holds anything now. What was moved is on the lines of each"
            " account."
        ),
    )  # fmt: skip
