"""The list of the accounts of a kind, with their balances (A3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.kit.web.listings.columns import Column
from casino.kit.web.listings.listing import Listing
from casino.money.cash.accounts import queries
from casino.money.cash.accounts.queries import Holding, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.listing import Viewer
    from ledger.accounts import Kind

HIDDEN: Final = gettext_lazy("hidden while a count runs")


def _balance(row: Row) -> Cell:
    return str(HIDDEN) if row.balance is None else row.balance


def _address(row: Row) -> str:
    return reverse("account", kwargs={"kind": row.account.kind, "name": row.account.name})


def accounts_of(kind: Kind) -> Listing[Holding, Row]:
    """The list of the accounts of a kind that are not empty."""

    def items(viewer: Viewer, rows: Sequence[Holding]) -> list[Row]:
        return queries.with_titles(viewer.house, kind, rows)

    return Listing[Holding, Row](
        name=f"accounts-{kind}",
        title=queries.KINDS[kind],
        about=gettext_lazy("The accounts of a kind that hold something."),
        rows=lambda viewer: queries.holding(viewer.house, kind, viewer.role),
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
