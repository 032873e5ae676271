"""The list of disputes, for its page, exports and the API; and the list of rounds found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.kit.web.listings.listing import (
    API,
    FOR_PROGRAMS,
    PAGE,
    ChoiceFilter,
    Column,
    IdFilter,
    Listing,
    PlayerFilter,
    Sign,
    TableFilter,
    filters,
)
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow, Seated
from casino.proof.disputes.queries import Card
from casino.words.presenters.words import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer
    from casino.proof.disputes.queries import Found

OPEN: Final = "open"
SIGNS: Final = {
    OPEN: Sign("alarm", gettext_lazy("open")),
    "stands": Sign("well", OUTCOMES["stands"]),
    "voided": Sign("off", OUTCOMES["voided"]),
    "adjusted": Sign("wait", OUTCOMES["adjusted"]),
}


def cards(viewer: Viewer, rows: Sequence[DisputeRow]) -> list[Card]:
    return queries.cards(viewer.house, rows, absolute=viewer.absolute)


def _in_state(rows: QuerySet[DisputeRow], state: str) -> QuerySet[DisputeRow]:
    return rows.filter(outcome="" if state == OPEN else state)


def _with_player(rows: QuerySet[DisputeRow], token: str) -> QuerySet[DisputeRow]:
    sat = Seated.objects.filter(
        establishment=OuterRef("establishment"), game=OuterRef("game"), player=token
    )
    return rows.filter(Exists(sat))


def _address(card: Card) -> str:
    return queries.address(card.row)


DISPUTES: Final = Listing[DisputeRow, Card](
    name="disputes",
    title=gettext_lazy("Disputes"),
    about=gettext_lazy("Every dispute: about what, by whom, how it ended, and why."),
    rows=lambda viewer: queries.all_of(viewer.house.pk),
    items=cards,
    order=("-position",),
    filters=filters(
        state=ChoiceFilter(
            title=gettext_lazy("State"),
            choices=[(state, sign.word) for state, sign in SIGNS.items()],
            keep=_in_state,
        ),
        game=IdFilter(),
        table=TableFilter(),
        player=PlayerFilter(
            about="Only those of games in which somebody of this name sat.", keep=_with_player
        ),
    ),
    columns=(
        Column(name="game", on=API),
        Column(name="dispute", title=gettext_lazy("Dispute"), kind="number", on=FOR_PROGRAMS,
               value=lambda card: card.number),
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS,
               value=lambda card: card.row.gaming_day),
        Column(name="raised_at", title=gettext_lazy("Raised"), kind="moment", style="soft",
               order=("position",)),
        Column(name="table", title=gettext_lazy("Table"), style="row-name", link=_address,
               value=lambda card: card.row.table_id, display=lambda card: card.table,
               order=("table__name",)),
        Column(name="kind", title=gettext_lazy("Game"), style="wide",
               value=lambda card: card.row.ruleset, display=lambda card: card.title,
               order=("ruleset",)),
        Column(name="round", title=gettext_lazy("Round"), kind="number", order=("round",)),
        Column(name="payout", title=gettext_lazy("Payout"), on=FOR_PROGRAMS,
               value=lambda card: card.payout or None),
        Column(name="state", title=gettext_lazy("State"), signs=SIGNS, order=("outcome",),
               value=lambda card: card.outcome or OPEN),
        Column(name="raised_by", title=gettext_lazy("Raised by"), on=FOR_PROGRAMS),
        Column(name="decided_by", title=gettext_lazy("Decided by"),
               value=lambda card: card.decided_by or None),
        Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment", on=FOR_PROGRAMS,
               order=("decided_position",)),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because",
               template="proof/disputes/_reason.html"),
        Column(name="decision", title=gettext_lazy("Decision"), on=FOR_PROGRAMS,
               value=lambda card: card.decision or None),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number",
               on=FOR_PROGRAMS, value=lambda card: card.row.position),
        Column(name="decided_position", title=gettext_lazy("Decided at"), kind="number",
               on=FOR_PROGRAMS, value=lambda card: card.row.decided_position),
        Column(name="voided_position", title=gettext_lazy("Voided at"), kind="number",
               on=FOR_PROGRAMS, value=lambda card: card.row.voided_position),
        Column(name="url", on=API, value=lambda card: card.absolute(_address(card))),
    ),
    empty=gettext_lazy(
        "No dispute was raised yet. Each one ends with an outcome and a reason, and stays listed"
        " here."
    ),
    none_such=gettext_lazy("No dispute is like that. Take away some of what you look for."),
)  # fmt: skip


def _round_column(name: str, **more: Any) -> Column[Found]:
    return Column(name=name, on=PAGE, **more)


FOUND: Final = Listing[Any, Any](
    name="found-rounds",
    title=gettext_lazy("Found"),
    about=gettext_lazy("Rounds that somebody may mean."),
    rows=lambda _viewer: [],  # the search's criteria are not filters: see `queries.find`
    order=("-opened_at", "-game"),
    columns=(
        _round_column("opened_at", title=gettext_lazy("Opened"), kind="moment", style="soft"),
        _round_column("table", title=gettext_lazy("Table"), style="row-name"),
        _round_column("title", title=gettext_lazy("Game"), style="wide"),
        _round_column("round", title=gettext_lazy("Round"), kind="number",
               link=lambda found: reverse("floor-round", args=[found.game, found.round])),
        _round_column("disputes", title=gettext_lazy("Disputes"),
               template="proof/disputes/_disputed.html"),
        _round_column("raise", title=gettext_lazy("Objection"), sees=("record",),
               template="proof/disputes/_raise.html"),
    ),
)  # fmt: skip
