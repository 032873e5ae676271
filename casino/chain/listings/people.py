"""Lists of the people of a chain: their roles, and when they signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.chain.models import ChainMember
from casino.house.attendants.models import StraySignIn
from casino.kit.web.listings.columns import API, Column
from casino.kit.web.listings.listing import Listing
from casino.settings.staff.listings import SIGN_INS as HOUSE_SIGN_INS

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer


def _members(viewer: Viewer) -> QuerySet[ChainMember]:
    if viewer.person.chain is None:
        return ChainMember.objects.none()
    return ChainMember.objects.filter(chain=viewer.person.chain).select_related("attendant")


PEOPLE: Final = Listing[ChainMember, ChainMember](
    name="chain-people",
    title=gettext_lazy("People of the chain"),
    about=gettext_lazy("Who has or had a role in the chain, and since when."),
    rows=_members,
    order=("-since", "id"),
    columns=(
        Column(name="attendant", on=API, value=lambda row: row.attendant_id),
        Column(name="name", title=gettext_lazy("Who"), value=lambda row: str(row.attendant),
               style="row-name"),
        Column(name="username", title=gettext_lazy("Sign-in"),
               value=lambda row: row.attendant.username, style="soft",
               order=("attendant__username",)),
        Column(name="role", title=gettext_lazy("Role"),
               display=lambda row: str(row.get_role_display()), order=("role",)),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", order=("since",)),
        Column(name="until", title=gettext_lazy("Until"), kind="moment", order=("until",)),
    ),
    names_players=False,
    sees=("audit",),
    section="chain-people",
)  # fmt: skip


def _sign_ins(viewer: Viewer) -> QuerySet[StraySignIn]:
    if viewer.person.chain is None:
        return StraySignIn.objects.none()
    rows = StraySignIn.objects.filter(chain=viewer.person.chain)
    return rows.select_related("attendant", "by")


SIGN_INS: Final = Listing[StraySignIn, Any](
    name="chain-sign-ins",
    title=gettext_lazy("Sign-in log of the chain"),
    about=gettext_lazy("When people of the chain signed in and from where, and how it went."),
    rows=_sign_ins,
    order=("-at", "-id"),
    columns=HOUSE_SIGN_INS.columns,
    empty=gettext_lazy(
        "No sign-in is on record here. Each appears with its time, place and outcome."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-people",
)  # fmt: skip
