"""The lists of open pots, each with its equation, and of lots that wait in the rollover (A1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts
from casino.kit.web.listings.columns import API, FOR_PEOPLE, FOR_PROGRAMS, PAGE, Column
from casino.kit.web.listings.listing import Listing
from casino.money.payouts.pots import queries
from casino.money.payouts.pots.queries import CALLED_TERMS, TERM_SIGNS, TERMS
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.kit.web.listings.listing import Viewer
    from casino.money.payouts.pots.queries import Pot


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


def _api(name: str) -> Column[PotItem]:
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
    rows=lambda viewer: queries.open_pots(viewer.house.pk),
    items=pot_items,
    order=("since", "game"),
    columns=(
        Column(name="pot", title=gettext_lazy("Pot"), on=FOR_PEOPLE, style="row-name",
               value=lambda item: item.title, template="money/pots/_which.html",
               display=lambda item: _("%(title)s at %(table)s") % {
                   "title": item.title, "table": item.table}),
        _api("game"),
        _api("ruleset"),
        _api("table"),
        Column(name="round", title=gettext_lazy("Round"), kind="number", on=FOR_PROGRAMS,
               value=lambda item: item.pot.round, order=("round",)),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", style="soft wide",
               order=("since",)),
        _api("running"),
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
    rows=lambda viewer: queries.rollovers(viewer.house),
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
