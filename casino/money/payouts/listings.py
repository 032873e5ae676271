"""The lists of payouts, of open pots with their equations, and of lots in the rollover (A1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.listing import (
    API,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    PAGE,
    ChoiceFilter,
    Column,
    DayFilter,
    IdFilter,
    Listing,
    PlayerFilter,
    Sign,
    TableFilter,
    filters,
)
from casino.money.payouts import pot_equation, queries, receipts
from casino.money.payouts.explained import Explained
from casino.money.payouts.pot_equation import CALLED, CALLED_TERMS, TERM_SIGNS, TERMS
from casino.play.settlement.models import Payout
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from casino.money.payouts.pot_equation import Pot

SIGNS: Final = {
    "decided": Sign("wait", gettext_lazy("decided")),
    "booked": Sign("well", gettext_lazy("booked")),
    "held": Sign("wait", gettext_lazy("held")),
    "released": Sign("well", gettext_lazy("released")),
    "paid": Sign("well", gettext_lazy("paid")),
    "reversed": Sign("off", gettext_lazy("reversed")),
}
"""Signs for the states of a payout, and for the steps of its history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutItem:
    """
    A payout with names instead of tokens.

    :param payer: and `payee`: names.
    :param because: why the payout was made; "" if the list does not explain it.
    :param absolute: makes an address absolute, for programs.
    """

    row: Payout
    payer: str
    payee: str
    because: str = ""
    absolute: Callable[[str], str] = str

    @property
    def place(self) -> str:
        """The number of the game's event and the place of the payment in it: 12.0."""
        return f"{self.row.cause}.{self.row.seq}"

    @property
    def rules(self) -> list[str]:
        return self.row.rules.split()

    @property
    def reasons(self) -> list[dict[str, Any]]:
        """What the payout waits for, and what is to be done."""
        return queries.reasons(self.row)

    @property
    def url(self) -> str:
        return reverse("payout", args=[self.row.game, self.row.cause, self.row.seq])

    @property
    def explained_at(self) -> str:
        """The address of the explanation of its round; for a voided payout, of the game's log."""
        return queries.address(self.row)

    @property
    def receipt(self) -> str:
        return receipts.url(self.row)


def items(
    house: Establishment,
    rows: Iterable[Payout],
    *,
    explained: bool = True,
    absolute: Callable[[str], str] = str,
) -> list[PayoutItem]:
    """
    The items of payouts, with names.

    :param explained: whether to say why each payout was made, for which its game is loaded.
    """
    listed = list(rows)
    book = Explained(house, listed) if explained else None
    parts = [
        (str(CALLED.get(row.payer, row.payer)), row.payee, book.why(row) if book else "")
        for row in listed
    ]
    named = tokens.resolve(house.pk, parts)
    return [
        PayoutItem(row=row, payer=payer, payee=payee, because=because, absolute=absolute)
        for row, (payer, payee, because) in zip(listed, named, strict=True)
    ]


def _items(viewer: Viewer, rows: Sequence[Payout]) -> list[PayoutItem]:
    explained = viewer.surface != "api"
    return items(viewer.house, rows, explained=explained, absolute=viewer.absolute)


def _explanation(item: PayoutItem) -> str:
    return item.absolute(f"{reverse('game', args=[item.row.game])}explain/{item.row.round}/")


GAMING_DAY: Final = Column[PayoutItem](
    name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS,
    value=lambda item: item.row.gaming_day,
)  # fmt: skip
BOOKED_AT: Final = Column[PayoutItem](
    name="booked_at", title=gettext_lazy("Booked"), kind="moment", style="soft",
    value=lambda item: item.row.booked_at, order=("position", "seq"),
)  # fmt: skip
TABLE: Final = Column[PayoutItem](
    name="table", title=gettext_lazy("Table"), on=FOR_PROGRAMS,
    value=lambda item: item.row.table_id, display=lambda item: item.row.table.name,
)  # fmt: skip
ROUND: Final = Column[PayoutItem](
    name="round", title=gettext_lazy("Round"), kind="number", on=FOR_PROGRAMS,
    value=lambda item: item.row.round,
)  # fmt: skip
PAYER: Final = Column[PayoutItem](
    name="payer", title=gettext_lazy("From"),
    value=lambda item: item.row.payer if item.row.payer in CALLED else item.payer,
    display=lambda item: item.payer,
)  # fmt: skip
PLAYER: Final = Column[PayoutItem](
    name="player", title=gettext_lazy("To"), style="row-name",
    value=lambda item: item.payee, link=lambda item: item.url,
)  # fmt: skip
AMOUNT: Final = Column[PayoutItem](
    name="amount", title=gettext_lazy("Amount"), kind="money",
    value=lambda item: item.row.amount, order=("amount",),
)  # fmt: skip
STATE: Final = Column[PayoutItem](
    name="state", title=gettext_lazy("State"), signs=SIGNS,
    value=lambda item: item.row.state, order=("state",),
)  # fmt: skip
RULES: Final = Column[PayoutItem](
    name="rules", title=gettext_lazy("Rules"), on=FOR_PROGRAMS, value=lambda item: item.rules
)
BECAUSE: Final = Column[PayoutItem](
    name="because", title=gettext_lazy("Because"), on=FOR_PEOPLE,
    template="money/payouts/_because.html", style="because",
)  # fmt: skip


def _api(name: str, **more: Any) -> Column[PayoutItem]:
    return Column(name=name, on=API, **more)


PAYOUTS: Final = Listing[Payout, PayoutItem](
    name="payouts",
    title=gettext_lazy("Payouts to players"),
    about=gettext_lazy("What the rules paid to players, with why, and what became of it."),
    rows=lambda viewer: queries.payouts_of(viewer.house.pk),
    items=_items,
    order=("-position", "-seq"),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        state=ChoiceFilter(
            title=gettext_lazy("State"),
            choices=[(state, SIGNS[state].word) for state in Payout.State],
        ),
        table=TableFilter(),
        player=PlayerFilter("payee"),
        game=IdFilter(),
    ),
    columns=(
        _api("game", value=lambda item: item.row.game),
        Column(name="payout", title=gettext_lazy("Payout"), on=FOR_PROGRAMS,
               value=lambda item: item.place),
        GAMING_DAY,
        BOOKED_AT,
        TABLE,
        ROUND,
        PLAYER,
        PAYER,
        AMOUNT,
        STATE,
        Column(name="held", title=gettext_lazy("Held"), kind="money", on=FOR_PROGRAMS,
               value=lambda item: item.row.held),
        _api("waits_for", value=lambda item: item.reasons),
        RULES,
        BECAUSE,
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number",
               on=FOR_PROGRAMS, value=lambda item: item.row.position),
        _api("explanation", value=_explanation),
    ),
    empty=gettext_lazy(
        "Nobody has won anything here yet. What the rules pay to a player is listed here with why,"
        " and what became of it."
    ),
    next_step=("floor", gettext_lazy("To the floor")),
    none_such=gettext_lazy("No payout is like that. Take away some of what you look for."),
)  # fmt: skip


# The lists of open pots, each with its equation, and of lots that wait in the rollover (A1).


@dataclass(frozen=True, slots=True, kw_only=True)
class PotItem:
    """
    A pot with the name of its table.

    :param statement: the name of its account if the viewer may see its statement; otherwise None.
    """

    pot: Pot
    table: str
    statement: str | None

    @property
    def title(self) -> str:
        return str(TITLES.get(self.pot.ruleset, self.pot.ruleset))

    @property
    def since(self) -> datetime:
        return self.pot.since

    @property
    def game(self) -> UUID:
        return self.pot.game


def pot_items(viewer: Viewer, pots: Sequence[Pot]) -> list[PotItem]:
    """The items of pots, with the names of their tables."""
    tables = dict(viewer.house.tables.values_list("pk", "name"))
    sees = viewer.may("audit")
    return [
        PotItem(
            pot=pot,
            table=tables[pot.table],
            statement=accounts.pot(pot.game).name if sees else None,
        )
        for pot in pots
    ]


def _pot_in_api(name: str) -> Column[PotItem]:
    return Column(name=name, on=API, value=lambda item: getattr(item.pot, name))


def _term(name: str) -> Column[PotItem]:
    """The column of a term of the equation, titled with its sign and name."""
    sign, title = TERM_SIGNS[name], CALLED_TERMS[name]
    return Column(
        name=name,
        title=format_lazy("{} {}", sign, title) if sign else title,
        kind="money",
        value=lambda item: getattr(item.pot.equation, name),
        order=(f"equation__{name}",),
        total=True,
    )


POTS: Final = Listing[Any, PotItem](
    name="pots",
    title=gettext_lazy("Open pots"),
    about=gettext_lazy("What came into each open pot, what left it, what therefore lies there."),
    rows=lambda viewer: pot_equation.open_pots(viewer.house.pk),
    items=pot_items,
    order=("since", "game"),
    columns=(
        Column(name="pot", title=gettext_lazy("Pot"), on=FOR_PEOPLE, style="row-name",
               value=lambda item: item.title, template="money/pots/_which.html",
               display=lambda item: _("%(title)s at %(table)s") % {
                   "title": item.title, "table": item.table}),
        _pot_in_api("game"),
        _pot_in_api("ruleset"),
        _pot_in_api("table"),
        Column(name="round", title=gettext_lazy("Round"), kind="number", on=FOR_PROGRAMS,
               value=lambda item: item.pot.round, order=("round",)),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", style="soft wide",
               order=("since",)),
        _pot_in_api("running"),
        Column(name="account", title=gettext_lazy("Account"), on=FOR_PROGRAMS,
               value=lambda item: str(accounts.pot(item.game))),
        Column(name="adds_up", title=gettext_lazy("Adds up"), on=FOR_PROGRAMS,
               value=lambda item: item.pot.equation.adds_up),
        *(_term(name) for name in TERMS),
    ),
    empty=gettext_lazy(
        "No pot is open. One opens with a game, and stays here until all of it is with players or"
        " rolled over."
    ),
    next_step=("floor", gettext_lazy("To the floor")),
    names_players=False,
)  # fmt: skip


def _game_of_lot(lot: Mapping[str, Any]) -> str:
    return _("%(title)s at %(table)s") % {"title": lot["title"], "table": lot["table"]}


def _waits_for(lot: Mapping[str, Any]) -> str:
    if lot["awaited_at"]:
        return _("on its way to %(table)s") % {"table": lot["awaited_at"]}
    return _("the next game of %(title)s") % {"title": lot["title"]}


ROLLOVERS: Final = Listing[Any, Any](
    name="rollovers",
    title=gettext_lazy("Waiting in the rollover"),
    about=gettext_lazy("What pots left for the next game of their kind, lot by lot."),
    rows=lambda viewer: pot_equation.rollovers(viewer.house),
    order=("since", "url"),
    columns=(
        Column(name="left_by", title=gettext_lazy("Left by"), value=_game_of_lot, style="row-name",
               link=lambda lot: lot["url"]),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", style="soft",
               order=("since",)),
        Column(name="waits_for", title=gettext_lazy("Waits for"), value=_waits_for,
               link=lambda lot: lot["awaited_url"] or ""),
        Column(name="amount", title=gettext_lazy("Rolled over"), kind="money", order=("amount",),
               total=True),
        Column(name="closer", title=gettext_lazy("Look closer"), value=lambda _lot: None, on=PAGE,
               link=lambda lot: reverse("pot-lineage", args=[lot["game"]]),
               display=lambda _lot: _("Where it came from")),
        Column(name="account", title=gettext_lazy("Account"), value=lambda _lot: None, on=PAGE,
               sees=("audit",), display=lambda _lot: _("Account"),
               link=lambda lot: reverse(
                   "account", kwargs={"kind": "rollover", "name": lot["kind"]})),
    ),
    empty=gettext_lazy(
        "Nothing waits. What a pot leaves that nobody has won waits here for the next game of its"
        " kind. TA10"
    ),
    names_players=False,
)  # fmt: skip
