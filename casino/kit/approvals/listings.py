"""Requests for approval as lists: what waits, what was decided; on pages, in files, in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.kit.approvals import kinds, queries
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.queries import Card
from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PEOPLE,
    ChoiceFilter,
    Column,
    Listing,
    Sign,
    TextFilter,
    filters,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer

KIND: Final = "[a-z_]{1,60}"
STATES: Final = {
    "approved": gettext_lazy("approved"),
    "rejected": gettext_lazy("rejected"),
    "withdrawn": gettext_lazy("withdrawn"),
    "alone": gettext_lazy("done alone"),
    "overtaken": gettext_lazy("overtaken"),
}
"""The ways in which a request may end."""
SIGNS: Final = {
    "approved": Sign("well", STATES["approved"]),
    "rejected": Sign("off", STATES["rejected"]),
    "withdrawn": Sign("off", STATES["withdrawn"]),
    "overtaken": Sign("off", STATES["overtaken"]),
    "alone": Sign("wait", STATES["alone"]),
    "alone, in order": Sign("off", STATES["alone"]),
    "alone, objected to": Sign("alarm", STATES["alone"]),
}
"""How an ended request is marked. One done alone waits for another person's review (D1b)."""


def cards(viewer: Viewer, rows: Sequence[RequestRow]) -> list[Card]:
    return queries.cards(viewer.house, rows, viewer.person)


def cards_of_decided(viewer: Viewer, rows: Sequence[RequestRow]) -> list[Card]:
    return queries.cards_of_decided(viewer.house, rows)


def _way_of_end(card: Card) -> str:
    """How a request ended, as a key of `SIGNS`."""
    if card.state != RequestRow.State.ALONE or not card.reviewed_by:
        return card.state
    return "alone, in order" if card.in_order else "alone, objected to"


def _address(card: Card) -> str:
    return reverse("approval", args=[card.id])


def _person(known: str, name: str) -> dict[str, str] | None:
    return {"id": known, "name": name} if known else None


def _kinds(_house: Establishment) -> Iterable[tuple[str, str]]:
    titled = sorted((str(kind.title), name) for name, kind in kinds.kinds_by_name().items())
    return [(name, title) for title, name in titled]


def _api(name: str, **more: Any) -> Column[Card]:
    return Column(name=name, on=API, **more)


ASKED_AT: Final = Column[Card](
    name="asked_at", title=gettext_lazy("Since"), kind="moment", style="soft", order=("position",)
)
TITLE: Final = Column[Card](
    name="title", title=gettext_lazy("Request"), style="row-name", order=("kind",), link=_address
)
AMOUNT: Final = Column[Card](
    name="amount", title=gettext_lazy("Amount"), kind="money", order=("amount",)
)

REQUESTS: Final = Listing[RequestRow, Card](
    name="requests",
    title=gettext_lazy("Requests for approval"),
    about=gettext_lazy("What somebody asked for, and what became of it."),
    rows=lambda viewer: RequestRow.objects.filter(establishment=viewer.house),
    items=cards,
    order=("-position",),
    filters=filters(
        state=ChoiceFilter(choices=RequestRow.State.choices),
        kind=TextFilter(pattern=KIND),
    ),
    columns=(
        _api("id"),
        _api("kind"),
        ASKED_AT,
        TITLE,
        _api("subject"),
        AMOUNT,
        Column(name="asked_by", title=gettext_lazy("By"),
               value=lambda card: _person(card.row.asked_by, card.asked_by),
               display=lambda card: card.asked_by),
        Column(name="reason", title=gettext_lazy("Reason"), style="because"),
        _api("tells"),
        _api("details"),
        _api("refused"),
        _api("url", value=lambda card: card.address),
        _api("state", order=("state",)),
        _api("position"),
        _api("decided_by", value=lambda card: _person(card.row.decided_by, card.decided_by)),
        _api("decided_at", order=("decided_position",)),
        _api("decided_position"),
        _api("decision"),
        _api("reviewed_by", value=lambda card: _person(card.row.reviewed_by, card.reviewed_by)),
        _api("reviewed_at"),
        _api("in_order"),
        _api("may", value=lambda card: sorted(card.may)),
    ),
)  # fmt: skip
"""All requests: for programs; with a few columns, for a page about something else."""

DECIDED: Final = Listing[RequestRow, Card](
    name="decided-requests",
    title=gettext_lazy("What was decided"),
    about=gettext_lazy("Every request that somebody approved, rejected or took back, and why."),
    rows=lambda viewer: queries.history(viewer.house.pk),
    items=cards_of_decided,
    order=("-decided_position", "-position"),
    filters=filters(
        kind=ChoiceFilter(title=gettext_lazy("Kind"), choices=_kinds),
        state=ChoiceFilter(title=gettext_lazy("State"), choices=list(STATES.items())),
    ),
    columns=(
        Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment", style="wide soft",
               order=("decided_position",), on=FOR_PEOPLE),
        TITLE,
        Column(name="state", title=gettext_lazy("State"), signs=SIGNS, value=_way_of_end,
               order=("state",), on=FOR_PEOPLE),
        Column(name="decided_by", title=gettext_lazy("By"), on=FOR_PEOPLE,
               template="kit/approvals/_decided_by.html", style="named"),
        AMOUNT,
        Column(name="asked_by", title=gettext_lazy("Asked by"), style="wide", on=FOR_PEOPLE),
        Column(name="asked_at", title=gettext_lazy("Asked"), kind="moment",
               on=FILE),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because", on=FOR_PEOPLE,
               template="kit/approvals/_reason.html"),
        Column(name="decision", title=gettext_lazy("Decision"), on=FILE),
        Column(name="reviewed_by", title=gettext_lazy("Reviewed by"), on=FILE),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number",
               on=FILE, value=lambda card: card.decided_position),
    ),
    empty=gettext_lazy(
        "Nothing was decided yet. What somebody approves, rejects or takes back is listed here"
        " with who and why."
    ),
    none_such=gettext_lazy("Nothing of the kind was decided."),
    section="approvals",
    links=(("approvals", gettext_lazy("What waits")),),
    from_replica=True,
)  # fmt: skip
