"""The pages of the ledger's events: content, proof, causes and effects of each."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.permissions import NotYours
from casino.house.game_streams.loading import readable
from casino.house.pseudonyms import tokens
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
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Page, office
from casino.money.accounts import queries as cash_accounts
from casino.money.payouts import receipts
from casino.play.settlement.entries import game_key
from casino.play.settlement.models import Payout
from casino.proof.search import events, rounds
from casino.proof.search.game_pages import oversees
from casino.words.text.encodings import in_base64
from ledger import journal
from ledger.accounts import AccountRef
from ledger.canonical import INTEGER_MAX
from ledger.proofs import NotCovered
from ledger.tiles import Altered
from ledger.wire import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from ledger.wire import StoredEvent

SECTION: Final = "ledger"


@office("look", section=SECTION, from_replica=True)
def listing(page: Page) -> HttpResponse:
    """The list of the house's events, the newest first, with the filters of the query string."""
    _let_in(page)
    head = journal.head(establishment=page.house.pk)
    if "head" in page.request.GET:
        return page.show("web/_moment_head.html", {"head": head, "seen": _position_seen(page)})
    return page_with_list(page, EVENTS, "proofs/events.html", {"head": head, "seen": head})


def _position_seen(page: Page) -> int:
    given = page.request.GET["head"]
    return int(given[:15]) if given.isdecimal() and given.isascii() else -1


def _let_in(page: Page) -> None:
    if not oversees(page):
        raise NotYours(_("The ledger is read by supervisors, managers and auditors. D1"))


@office("look", section=SECTION, from_replica=True)
def one(page: Page, position: int) -> HttpResponse:
    """The page of an event: its content, bytes and proof, and its relations to other events."""
    _let_in(page)
    event = _find(page, position)
    house = page.house
    fresh = leaf_hash(event.body)
    causes = events.causes(house.pk, event)[::-1]
    effects = events.effects(house.pk, event)
    siblings = events.of_command(house.pk, event.provenance.command_id)
    connected = {each.position: each for each in (event, *causes, *siblings)}
    connected |= {each.position: each for brood in effects for each in brood}
    rows = {row["event"].position: row for row in items(list(connected.values()))}
    receipt = events.receipt(house.pk, event.provenance.command_id)
    head = journal.head(establishment=house.pk)
    context = {
        "event": event,
        "row": rows[event.position],
        "provenance": event.provenance,
        "pretty": _pretty(house, event),
        "body": event.body.decode(),
        "leaf": fresh.hex(),
        "leaf_holds": fresh == event.leaf_hash,
        "kept_leaf": event.leaf_hash.hex(),
        "proof": _proof(house, position),
        "check": receipts.address(house.pk, position, fresh.hex()),
        "file": reverse("event-proof", kwargs={"establishment": house.pk, "position": position}),
        "causes": [rows[each.position] for each in causes],
        "effects": [[rows[each.position] for each in brood] for brood in effects],
        "siblings": [rows[each.position] for each in siblings if each.position != position],
        "transfers": _transfers(page, event),
        "receipt": receipt,
        "refusal": receipt and tokens.resolve_text(house.pk, receipt.refusal_detail or ""),
        "neighbours": events.neighbours(house.pk, event),
        "head": head,
        "before": position - 1 if position else None,
        "after": position + 1 if position < head else None,
        "pages": _pages(house, event),
        "belongs": f"{reverse('ledger-events')}?"
        f"{urlencode({'correlation': str(event.provenance.correlation_id)})}",
        "payouts": [receipts.url(row) for row in _payouts(house, event)],
    }
    return page.show("proofs/event.html", context)


@office("look", section=SECTION, from_replica=True)
def body(page: Page, position: int) -> HttpResponse:
    """The stored bytes, as they are hashed; ``?format=hex`` gives a hex dump."""
    _let_in(page)
    event = _find(page, position)
    if page.request.GET.get("format") == "hex":
        lines = (event.body[at : at + 32].hex(" ") for at in range(0, len(event.body), 32))
        answer = HttpResponse(
            "".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8"
        )
        name = f"event-{position}.hex.txt"
    else:
        answer = HttpResponse(event.body, content_type="application/octet-stream")
        name = f"event-{position}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _find(page: Page, position: int) -> StoredEvent:
    event = events.one(page.house.pk, position) if position <= INTEGER_MAX else None
    if event is None:
        raise Http404("The ledger of this house has no event at this position.")
    return event


def _pretty(house: Establishment, event: StoredEvent) -> str:
    """The data of an event as JSON, with names; an erased name stays a token."""
    named = tokens.resolve(house.pk, dict(event.data))
    return json.dumps(named, indent=2, ensure_ascii=False, sort_keys=True)


def _proof(house: Establishment, position: int) -> dict[str, Any]:
    """Whether the newest checkpoint covers the event, by hashes that are computed now."""
    try:
        made = receipts.proven(house.pk, position)
    except NotCovered:
        return {"state": "waits"}
    except Altered as altered:
        return {"state": "altered", "sentence": str(altered)}
    return {
        "state": "holds",
        "size": made.checkpoint.size,
        "root": in_base64(made.checkpoint.root),
        "hashes": [each.hex() for each in made.proof],
    }


def _transfers(page: Page, event: StoredEvent) -> list[dict[str, Any]]:
    ends = [
        (AccountRef.parse(each["debit"]), AccountRef.parse(each["credit"]))
        for each in event.transfers
    ]
    titles = cash_accounts.titles(page.house, [account for pair in ends for account in pair])
    opens = page.may("audit")

    def end(account: AccountRef) -> dict[str, str]:
        url = reverse("account", kwargs={"kind": account.kind, "name": account.name})
        return {"title": titles[account], "url": url if opens else ""}

    return [
        {
            "from": end(debit),
            "to": end(credit),
            "amount": each["amount"],
            "reason": each["reason"],
            "reverses": each["reverses"],
        }
        for (debit, credit), each in zip(ends, event.transfers, strict=True)
    ]


def _payouts(house: Establishment, event: StoredEvent) -> list[Payout]:
    rows = Payout.objects.filter(establishment=house, position=event.position)
    return list(rows.order_by("seq"))


def _pages(house: Establishment, event: StoredEvent) -> dict[str, str]:
    """The other pages about an event's subject."""
    kind, _slash, thing = event.stream.partition("/")
    at = f"?{urlencode({'position': event.position})}"
    if kind == "game" and (key := game_key(event)) is not None and readable(key) is not None:
        return {
            "game": reverse("game-at", kwargs={"game": key.game, "number": event.stream_version})
        }
    if kind == "settlement" and is_id(thing):
        return {"pot": reverse("pot-at", kwargs={"game": thing}) + at}
    if kind in {"table", "custody"} and house.tables.filter(pk=thing).exists():
        return {"table": reverse("table-at", kwargs={"table": thing}) + at}
    return {"house": reverse("house-at") + at}


# The list of the ledger's events, for its page and exports.


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
               template="proofs/_recorded.html"),
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS,
               value=lambda item: item["event"].provenance.gaming_day),
        Column(name="event_type", title=gettext_lazy("What"),
               value=lambda item: item["event"].event_type, template="proofs/_event_type.html"),
        Column(name="stream", title=gettext_lazy("Stream"),
               value=lambda item: item["event"].stream, template="proofs/_stream.html"),
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
