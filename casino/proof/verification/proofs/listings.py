"""The list of the ledger's events, for its page and exports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.kit.approvals.queries import names
from casino.kit.web.listings.columns import FOR_PEOPLE, FOR_PROGRAMS, Column
from casino.kit.web.listings.filters import (
    ChoiceFilter,
    DayFilter,
    IdFilter,
    MomentFilter,
    TextFilter,
    filters,
)
from casino.kit.web.listings.keyset import Found, Search
from casino.kit.web.listings.listing import Listing
from casino.proof.search import events, rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from ledger.wire import StoredEvent

Item = dict[str, Any]
KINDS: Final = {
    "game": gettext_lazy("Games"),
    "settlement": gettext_lazy("Settlement"),
    "rollover": gettext_lazy("Rollovers"),
    "adjustment": gettext_lazy("Adjustments"),
    "payouts": gettext_lazy("Payouts stopped and resumed"),
    "request": gettext_lazy("Requests for approval"),
    "custody": gettext_lazy("Custody of tables"),
    "slips": gettext_lazy("Fills and credits"),
    "cage": gettext_lazy("Cage"),
    "fees": gettext_lazy("Fee boxes"),
    "tips": gettext_lazy("Tips"),
    "prize": gettext_lazy("Prizes"),
    "season": gettext_lazy("Seasons of scoreboards"),
    "record": gettext_lazy("The house's things"),
    "table": gettext_lazy("Tables taken and left"),
    "dice": gettext_lazy("Dice placed and lifted"),
    "day": gettext_lazy("Gaming days"),
    "player": gettext_lazy("Players"),
    "exclusions": gettext_lazy("Exclusions"),
    "seats-refused": gettext_lazy("Seats refused"),
    "waiting": gettext_lazy("Waiting list"),
    "lease": gettext_lazy("Devices that record"),
    "late": gettext_lazy("Late entries"),
    "keys": gettext_lazy("Keys that sign"),
    "ledger": gettext_lazy("Epochs"),
}
"""Words for the first parts of streams."""
SYSTEM: Final = frozenset({"settlement", "system"})


def is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def people_called(house: Establishment, name: str) -> list[str]:
    return [each.value for each in rounds.read(house, name) if each.means == "attendant"]


@dataclass(frozen=True, slots=True)
class EventSearch(Search):
    """A search for events of a house; `criteria` is None if nobody has the name searched for."""

    house: Establishment
    criteria: events.Criteria | None

    def page(self, limit: int, at: tuple[Any, ...]) -> Found:
        if self.criteria is None:
            return Found([])
        before = at[0] if at else None
        found = events.list_events(self.house.pk, self.criteria, before=before, limit=limit)
        further = () if found.older is None else (found.older,)
        return Found(list(found.events), further, found.looked)

    def narrowed(self, **to: Any) -> EventSearch:
        return (
            self if self.criteria is None else replace(self, criteria=replace(self.criteria, **to))
        )


def _to(name: str) -> Callable[[EventSearch, Any], EventSearch]:
    return lambda search, value: search.narrowed(**{name: value})


def _by(search: EventSearch, name: str) -> EventSearch:
    """Narrow a search to an actor: an id, the name of a program, or the name of an employee."""
    if name not in SYSTEM and not is_id(name):
        people = people_called(search.house, name)
        if not people:
            return replace(search, criteria=None)
        name = people[0]
    return search.narrowed(actor=name)


def address(position: int) -> str:
    return reverse("ledger-event", kwargs={"position": position})


def items(found: Sequence[StoredEvent]) -> list[Item]:
    """Events as items of the list: who recorded them, their subject, the coins that they move."""
    people = names({event.provenance.actor for event in found})
    return [
        {
            "event": event,
            "by": people[event.provenance.actor],
            "kind": KINDS.get(event.stream.partition("/")[0], event.stream.partition("/")[0]),
            "coins": sum(each["amount"] for each in event.transfers),
            "url": address(event.position),
        }
        for event in found
    ]


def _items(_viewer: Viewer, found: Sequence[StoredEvent]) -> list[Item]:
    return items(found)


EVENTS: Final = Listing[Any, Item](
    name="events",
    title=gettext_lazy("Events, the newest first"),
    about=gettext_lazy("What the house's ledger has on record, event by event."),
    rows=lambda viewer: EventSearch(viewer.house, events.Criteria()),
    items=_items,
    order=("-position",),
    filters=filters(
        kind=ChoiceFilter(title=gettext_lazy("About"), choices=KINDS.items(), keep=_to("kind"),
                          all_of_them=gettext_lazy("everything")),
        event_type=TextFilter(title=gettext_lazy("Type"), keep=_to("event_type")),
        stream=TextFilter(title=gettext_lazy("Stream"), keep=_to("stream"),
                          widget=forms.TextInput(attrs={"placeholder": "table/…"})),
        actor=TextFilter(title=gettext_lazy("By"), keep=_by),
        device=TextFilter(title=gettext_lazy("Device"), keep=_to("device")),
        day=DayFilter(title=gettext_lazy("Gaming day"), keep=_to("day")),
        since=MomentFilter(title=gettext_lazy("Recorded from"), keep=_to("since")),
        until=MomentFilter(title=gettext_lazy("Until"), keep=_to("until")),
        correlation=IdFilter(title=gettext_lazy("Belongs to"), keep=_to("correlation")),
        causation=IdFilter(keep=_to("causation")),
    ),
    columns=(
        Column(name="position", title=gettext_lazy("Position"), style="num",
               value=lambda item: item["event"].position, link=lambda item: item["url"]),
        Column(name="recorded_at", title=gettext_lazy("Recorded"), kind="moment", style="soft",
               value=lambda item: item["event"].provenance.recorded_at,
               template="proof/proofs/_recorded.html"),
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS,
               value=lambda item: item["event"].provenance.gaming_day),
        Column(name="event_type", title=gettext_lazy("What"),
               value=lambda item: item["event"].event_type,
               template="proof/proofs/_event_type.html"),
        Column(name="stream", title=gettext_lazy("Stream"),
               value=lambda item: item["event"].stream, template="proof/proofs/_stream.html"),
        Column(name="version", title=gettext_lazy("Number in its stream"), kind="number",
               on=FOR_PROGRAMS, value=lambda item: item["event"].stream_version),
        Column(name="by", title=gettext_lazy("By"), on=FOR_PEOPLE),
        Column(name="device", title=gettext_lazy("Device"), style="soft wide", on=FOR_PEOPLE,
               value=lambda item: item["event"].provenance.device),
        Column(name="moves", title=gettext_lazy("Moves"), kind="money",
               value=lambda item: item["coins"] or None),
    ),
    empty=gettext_lazy("Nothing was recorded at this house yet."),
    none_such=gettext_lazy(
        "No event is like that. Types are written in full, as game.void_requested; a stream is a"
        " kind and an id."
    ),
    from_replica=True,
)  # fmt: skip
