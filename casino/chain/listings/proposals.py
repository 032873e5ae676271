"""Lists of what a chain's managers propose, and of the houses of a roll-out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.chain.models import Proposal, RollOutHouse
from casino.kit.web.listings.columns import API, FOR_PROGRAMS, Column, Sign
from casino.kit.web.listings.filters import ChoiceFilter, IdFilter, filters
from casino.kit.web.listings.listing import Listing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer

STATES: Final = {
    Proposal.State.WAITING.value: Sign("wait", Proposal.State.WAITING.label),
    Proposal.State.APPROVED.value: Sign("well", Proposal.State.APPROVED.label),
    Proposal.State.REJECTED.value: Sign("off", Proposal.State.REJECTED.label),
    Proposal.State.WITHDRAWN.value: Sign("off", Proposal.State.WITHDRAWN.label),
}
BECAME: Final = {
    RollOutHouse.State.PROPOSED.value: Sign("off", RollOutHouse.State.PROPOSED.label),
    RollOutHouse.State.WAITING.value: Sign("wait", RollOutHouse.State.WAITING.label),
    RollOutHouse.State.RUNNING.value: Sign("wait", RollOutHouse.State.RUNNING.label),
    RollOutHouse.State.DONE.value: Sign("well", RollOutHouse.State.DONE.label),
    RollOutHouse.State.UNCHANGED.value: Sign("well", RollOutHouse.State.UNCHANGED.label),
    RollOutHouse.State.REFUSED.value: Sign("alarm", RollOutHouse.State.REFUSED.label),
}


def _proposals(viewer: Viewer) -> QuerySet[Proposal]:
    if viewer.person.chain is None:
        return Proposal.objects.none()
    rows = Proposal.objects.filter(chain=viewer.person.chain)
    return rows.select_related("asked_by", "decided_by")


PROPOSALS: Final = Listing[Proposal, Proposal](
    name="chain-proposals",
    title=gettext_lazy("Proposals"),
    about=gettext_lazy("What managers of the chain proposed, and who approved it."),
    rows=_proposals,
    order=("-asked_at", "-id"),
    filters=filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=Proposal.State.choices),
        kind=ChoiceFilter(title=gettext_lazy("What"), choices=Proposal.Kind.choices),
    ),
    columns=(
        Column(name="id", on=API),
        Column(name="asked_at", title=gettext_lazy("Proposed"), kind="moment", style="soft",
               order=("asked_at", "id")),
        Column(name="kind", title=gettext_lazy("What"), order=("kind",), style="row-name",
               display=lambda row: str(row.get_kind_display()),
               link=lambda row: reverse("chain:proposal", args=[row.pk])),
        Column(name="state", title=gettext_lazy("State"), signs=STATES),
        Column(name="asked_by", title=gettext_lazy("By"), value=lambda row: str(row.asked_by)),
        Column(name="decided_by", title=gettext_lazy("Decided by"),
               value=lambda row: str(row.decided_by) if row.decided_by else None),
        Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment",
               on=FOR_PROGRAMS),
        Column(name="reason", title=gettext_lazy("Reason"), style="because wide"),
        Column(name="answer", title=gettext_lazy("Answer"), on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy(
        "Nothing was proposed yet. Settings for houses and people of the chain stand here, with"
        " who proposed and who approved them."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-proposals",
)  # fmt: skip


def _houses(viewer: Viewer) -> QuerySet[RollOutHouse]:
    if viewer.person.chain is None:
        return RollOutHouse.objects.none()
    rows = RollOutHouse.objects.filter(proposal__chain=viewer.person.chain)
    return rows.select_related("establishment")


ROLLED_OUT: Final = Listing[RollOutHouse, RollOutHouse](
    name="chain-roll-out",
    title=gettext_lazy("Houses of the roll-out"),
    about=gettext_lazy("What became of the settings at each house."),
    rows=_houses,
    order=("establishment__name", "establishment_id", "proposal_id"),
    filters=filters(
        proposal=IdFilter(),
        state=ChoiceFilter(title=gettext_lazy("State"), choices=RollOutHouse.State.choices),
    ),
    columns=(
        Column(name="proposal", on=API, value=lambda row: row.proposal_id),
        Column(name="establishment", on=API, value=lambda row: row.establishment_id),
        Column(name="name", title=gettext_lazy("House"), style="row-name",
               value=lambda row: row.establishment.name, order=("establishment__name",)),
        Column(name="state", title=gettext_lazy("State"), signs=BECAME, order=("state",)),
        Column(name="why", title=gettext_lazy("Why not"), style="because wide"),
        Column(name="attempt", title=gettext_lazy("Attempt"), kind="number", on=FOR_PROGRAMS),
        Column(name="changed_at", title=gettext_lazy("Last step"), kind="moment", style="soft",
               order=("changed_at",)),
    ),
    names_players=False,
    sees=("audit",),
    section="chain-proposals",
)  # fmt: skip
