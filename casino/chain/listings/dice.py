"""The list of dice sets that move between houses of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.chain.models import DiceTransfer
from casino.kit.web.listings.columns import API, Column, Sign
from casino.kit.web.listings.filters import ChoiceFilter, filters
from casino.kit.web.listings.listing import Listing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer

State = DiceTransfer.State
STATES: Final = {
    State.PROPOSED.value: Sign("off", State.PROPOSED.label),
    State.LEAVING.value: Sign("wait", State.LEAVING.label),
    State.SENT.value: Sign("wait", State.SENT.label),
    State.ARRIVED.value: Sign("well", State.ARRIVED.label),
    State.REFUSED.value: Sign("alarm", State.REFUSED.label),
}


def _rows(viewer: Viewer) -> QuerySet[DiceTransfer]:
    if viewer.person.chain is None:
        return DiceTransfer.objects.none()
    rows = DiceTransfer.objects.filter(proposal__chain=viewer.person.chain)
    return rows.select_related("source", "target")


TRANSFERS: Final = Listing[DiceTransfer, DiceTransfer](
    name="chain-dice",
    title=gettext_lazy("Dice between houses"),
    about=gettext_lazy("The dice sets that went from one house of the chain to another."),
    rows=_rows,
    order=("-changed_at", "proposal_id"),
    filters=filters(state=ChoiceFilter(title=gettext_lazy("State"), choices=State.choices)),
    columns=(
        Column(name="proposal", on=API, value=lambda row: row.pk),
        Column(name="number", title=gettext_lazy("Dice set"), style="row-name",
               order=("number",),
               link=lambda row: reverse("chain:proposal", args=[row.pk])),
        Column(name="dice", title=gettext_lazy("Dice")),
        Column(name="source", on=API, value=lambda row: row.source_id),
        Column(name="target", on=API, value=lambda row: row.target_id),
        Column(name="from", title=gettext_lazy("From"), value=lambda row: row.source.name),
        Column(name="to", title=gettext_lazy("To"), value=lambda row: row.target.name),
        Column(name="state", title=gettext_lazy("State"), signs=STATES),
        Column(name="why", title=gettext_lazy("Why it stayed"), style="because wide"),
        Column(name="changed_at", title=gettext_lazy("Last step"), kind="moment", style="soft",
               order=("changed_at",)),
    ),
    empty=gettext_lazy(
        "No dice set has moved yet. A manager of the chain proposes one, another approves it."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-dice",
)  # fmt: skip
