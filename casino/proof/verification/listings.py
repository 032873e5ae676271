"""The lists of proof: checkpoints, verifications with their findings, and the ledger's events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names
from casino.kit.web.listings.keyset import Found, Search
from casino.kit.web.listings.listing import (
    FOR_PEOPLE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    DayFilter,
    IdFilter,
    Listing,
    MomentFilter,
    TextFilter,
    filters,
)
from casino.proof.search import events, rounds
from casino.proof.signing import findings as sentences
from casino.proof.signing import queries
from casino.proof.signing.models import Verification, VerificationFinding
from casino.proof.signing.queries import CheckpointItem
from casino.proof.verification import runs
from ledger.models import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Sign, Viewer
    from ledger.wire import StoredEvent

STAGES: Final[dict[str, Any]] = {
    "signatures": gettext_lazy("signatures of checkpoints"),
    "events": gettext_lazy("events, their hashes and their columns"),
    "tiles": gettext_lazy("stored hashes"),
    "receipts": gettext_lazy("answers to commands"),
    "accounts": gettext_lazy("accounts against transfers"),
    "ends": gettext_lazy("streams and sequences to their ends"),
    "projections": gettext_lazy("what screens read, made anew"),
    "signed": gettext_lazy("what was signed last"),
}


def stage(name: str) -> str:
    """The name of a stage of verification in words."""
    return str(STAGES.get(name, name))


CHECKPOINTS: Final = Listing[Checkpoint, CheckpointItem](
    name="checkpoints",
    title=gettext_lazy("Checkpoints"),
    about=gettext_lazy("The heads of the house's ledger that were signed."),
    rows=lambda viewer: Checkpoint.objects.filter(establishment=viewer.house.pk),
    items=lambda _viewer, rows: [queries.item_of(row, timezone.now()) for row in rows],
    order=("-epoch", "-size"),
    columns=(
        Column(name="signed_at", title=gettext_lazy("Signed"), kind="moment", style="soft",
               value=lambda item: item.checkpoint.signed_at, order=("epoch", "size")),
        Column(name="size", title=gettext_lazy("Events"), kind="number",
               value=lambda item: item.checkpoint.size),
        Column(name="receipts", title=gettext_lazy("Answers"), kind="number",
               value=lambda item: item.checkpoint.receipts),
        Column(name="epoch", title=gettext_lazy("Epoch"), kind="number", style="wide",
               value=lambda item: item.checkpoint.epoch),
        Column(name="root", title=gettext_lazy("Root"), style="wide",
               template="proof/integrity/_root.html"),
        Column(name="origin", title=gettext_lazy("Origin"), on=FOR_PROGRAMS,
               value=lambda item: item.checkpoint.origin),
    ),
    empty=gettext_lazy("There are none here."),
    names_players=False,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerificationItem:
    """A verification as a row of the list shows it."""

    run: Verification

    @property
    def running(self) -> bool:
        return self.run.running

    @property
    def sign(self) -> Sign:
        return runs.VERIFICATION.sign(self.run)

    @property
    def stage(self) -> str:
        return stage(self.run.stage)

    @property
    def done(self) -> int:
        return self.run.done

    @property
    def whole(self) -> int:
        """How many events there are to check."""
        return self.run.whole

    @property
    def last(self) -> int:
        return self.run.stop - 1

    @property
    def occasion(self) -> str:
        """Why the verification was begun, and by whom."""
        why = str(self.run.get_occasion_display())
        return f"{why}, {self.run.asked_by}" if self.run.asked_by else why

    @property
    def url(self) -> str:
        return reverse("verification", args=[self.run.id])


def verifications(viewer: Viewer) -> QuerySet[Verification]:
    return Verification.objects.filter(establishment=viewer.house).select_related("asked_by")


VERIFICATIONS: Final = Listing[Verification, VerificationItem](
    name="verifications",
    title=gettext_lazy("Verifications, newest first"),
    about=gettext_lazy("When the house's records were checked, and with what result."),
    rows=verifications,
    items=lambda _viewer, rows: [VerificationItem(row) for row in rows],
    order=("-asked_at", "-id"),
    columns=(
        Column(name="asked_at", title=gettext_lazy("Begun"), kind="moment", style="soft",
               value=lambda item: item.run.asked_at, order=("asked_at", "id"),
               link=lambda item: item.url),
        Column(name="state", title=gettext_lazy("Result"), template="proof/integrity/_result.html",
               value=lambda item: item.run.state,
               display=lambda item: str(item.sign.word)),
        Column(name="findings", title=gettext_lazy("Findings"), kind="number", on=FOR_PROGRAMS,
               value=lambda item: item.run.found),
        Column(name="events", title=gettext_lazy("Events"), kind="number",
               value=lambda item: item.whole),
        Column(name="occasion", title=gettext_lazy("Why then"), style="wide"),
    ),
    names_players=False,
)  # fmt: skip


def findings(viewer: Viewer) -> QuerySet[VerificationFinding]:
    """The findings of the verification that the address names."""
    match = viewer.request.resolver_match
    rows = VerificationFinding.objects.filter(establishment=viewer.house)
    if match is None or "verification" not in match.kwargs:
        return rows.none()
    return rows.filter(job=match.kwargs["verification"])


def _findings(viewer: Viewer, rows: Sequence[VerificationFinding]) -> list[dict[str, Any]]:
    described: list[dict[str, Any]] = tokens.resolve(viewer.house.pk, [row.details for row in rows])
    return [
        {
            **each, "first": each.get("from"), "stage": stage(each["what"]),
            "sentence": sentences.sentence(each), "line": sentences.line(each),
        }
        for each in described
    ]  # fmt: skip


def _text(name: str) -> Any:
    """A function that returns a field of a finding as text; None if it has no such field."""
    return lambda item: None if item.get(name) is None else str(item[name])


FINDINGS: Final = Listing[VerificationFinding, dict[str, Any]](
    name="findings",
    title=gettext_lazy("What it found"),
    about=gettext_lazy("What a verification found to be other than it was signed."),
    rows=findings,
    items=_findings,
    order=("seq",),
    columns=(
        Column(name="what", title=gettext_lazy("What"), display=lambda item: item["stage"]),
        Column(name="from", title=gettext_lazy("From position"), kind="number",
               value=lambda item: item["first"]),
        Column(name="to", title=gettext_lazy("To position"), kind="number",
               value=lambda item: item.get("to")),
        Column(name="says", title=gettext_lazy("What it says"),
               display=lambda item: item["sentence"]),
        Column(name="row", title=gettext_lazy("Row"), value=_text("row"), on=FOR_PROGRAMS),
        Column(name="column", title=gettext_lazy("Column"), value=_text("column"),
               on=FOR_PROGRAMS),
        Column(name="expected", title=gettext_lazy("Should be"), value=_text("expected"),
               on=FOR_PROGRAMS),
        Column(name="found", title=gettext_lazy("Is"), value=_text("found"), on=FOR_PROGRAMS),
    ),
)  # fmt: skip


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


def address_of_event(position: int) -> str:
    return reverse("ledger-event", kwargs={"position": position})


def event_items(found: Sequence[StoredEvent]) -> list[Item]:
    """Events as items of the list: who recorded them, their subject, the coins that they move."""
    people = names({event.provenance.actor for event in found})
    return [
        {
            "event": event,
            "by": people[event.provenance.actor],
            "kind": KINDS.get(event.stream.partition("/")[0], event.stream.partition("/")[0]),
            "coins": sum(each["amount"] for each in event.transfers),
            "url": address_of_event(event.position),
        }
        for event in found
    ]


def _event_items(_viewer: Viewer, found: Sequence[StoredEvent]) -> list[Item]:
    return event_items(found)


EVENTS: Final = Listing[Any, Item](
    name="events",
    title=gettext_lazy("Events, the newest first"),
    about=gettext_lazy("What the house's ledger has on record, event by event."),
    rows=lambda viewer: EventSearch(viewer.house, events.Criteria()),
    items=_event_items,
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
