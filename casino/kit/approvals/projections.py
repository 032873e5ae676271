"""Writes the rows of requests and of the exception report from the house's events."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from casino.kit.approvals import requests
from casino.kit.approvals.models import ABOUT_MAX, KIND_MAX, ExceptionRow, RequestRow
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.wire import StoredEvent

VOID = "void"
"""The kind of request that games keep themselves."""
UNDO = "undo"
"""A void of the last throw that took no second person, although its round had ended (G4)."""

ROWS = (RequestRow, ExceptionRow)
What = ExceptionRow.What
State = RequestRow.State

ENDED = {
    requests.APPROVED: (State.APPROVED, What.APPROVAL),
    requests.REJECTED: (State.REJECTED, What.REJECTION),
    requests.WITHDRAWN: (State.WITHDRAWN, What.WITHDRAWAL),
    requests.DONE_ALONE: (State.ALONE, What.ALONE),
}

WHAT_BY_KIND = {
    "adjustment": What.ADJUSTMENT,
    "season_points": What.ADJUSTMENT,
    "resume_payouts": What.PAYOUTS,
}
"""Kinds of requests that the exception report lists separately once they are approved."""


def handle(event: StoredEvent) -> None:
    """Write an event into the lists; most events change nothing there."""
    area, _, rest = event.stream.partition("/")
    match area:
        case "request":
            _of_request(event, uuid.UUID(rest))
        case "game":
            _of_game(event)
        case "record":
            _list(event, What.CONFIGURATION, rest)
        case "custody" | "fees" | "exclusions" | "day" | "payouts":
            _of_the_house(event, area)
        case "lease" | "late":
            _of_devices(event)
        case "keys" | "ledger" | "parked":
            _of_the_book(event)
        case "alarm":
            _of_alarms(event)


def _of_request(event: StoredEvent, request: uuid.UUID) -> None:
    match event.event_type:
        case requests.REQUESTED:
            _list_request(event)
        case requests.REVIEWED:
            _note_review(event)
        case ended if ended in ENDED:
            _end_request(event, request)


def _of_game(event: StoredEvent) -> None:
    data = event.data
    match event.event_type:
        case "game.void_requested":
            _void_requested(event)
        case "game.voided":
            _list_void(event)
        case "game.void_rejected":
            _void_rejected(event)
        case "game.witnessed":
            about, before = f"{data['cause']}.{data['seq']}", _position_of(event, "cause")
            _list(event, What.APPROVAL, "large_prize", before=before, about=about)
        case "game.resolved":
            about, before = str(data["dispute"]), _position_of(event, "dispute")
            _list(event, What.APPROVAL, "dispute", before=before, about=about)
        case _ if deviates := (data.get("house_rules") or {}).get("deviates"):
            _list(event, What.OVERRIDE, "house_rules", about=", ".join(deviates))


def _of_the_house(event: StoredEvent, area: str) -> None:
    data = event.data
    match event.event_type:
        case "count.agreed" | "fees.counted" if data["difference"]:
            _over_short(event, "fee_box" if area == "fees" else "float")
        case "player.readmitted" | "player.told_apart":
            kind = event.event_type.partition(".")[2]
            _list(event, What.OVERRIDE, kind, about=data["player"])
        case "day.signed":
            _list(event, What.APPROVAL, "day", about=data["day"])
        case "payouts.stopped":
            _list(event, What.PAYOUTS, "stop_payouts", about=data["why"])


def _of_devices(event: StoredEvent) -> None:
    """List tables taken over by other devices, and what devices sent late or not at all (E5)."""
    data = event.data
    taken_over = event.event_type == "late.listed" and data["why"] == "taken"
    kind = "late_taken_over" if taken_over else DEVICE_KINDS.get(event.event_type)
    if kind is None or not data.get("from", "taken"):  # the first device takes it from nobody
        return
    before = _position_of(event, ABOUT[event.event_type]) if event.event_type in ABOUT else None
    _list(
        event,
        What.DEVICE,
        kind,
        before=before,
        about=_numbers(data),
        asked_by="" if kind.startswith("gap") else data.get("made_by", ""),
    )


DEVICE_KINDS = {
    "lease.taken": "lease_taken_over",
    "late.listed": "late_listed",
    "late.put": "late_put",
    "late.dismissed": "late_dismissed",
    "late.dropped": "late_dropped",
    "late.gap_found": "gap_found",
    "late.gap_closed": "gap_closed",
}
"""Event types about devices that are exceptions, and the kind of line for each."""
ABOUT = {"late.put": "entry", "late.dismissed": "entry", "late.gap_closed": "gap"}
"""By event type: the field that names the earlier event of the same stream that this one ends."""


def _numbers(data: Mapping[str, Any]) -> str:
    """
    The numbers of the device's entries that the event is about, as people read them: ``12`` or
    ``12-14``.
    """
    if "seq" in data:
        return str(data["seq"])
    first, last = data.get("first"), data.get("last")
    return str(first or "") if first == last else f"{first}-{last}"


def _of_the_book(event: StoredEvent) -> None:
    """List what was done to the proof itself. The first key of a house is no exception."""
    data = event.data
    match event.event_type:
        case "keys.announced" if len(data["in_force"]) + len(data["retired"]) > 1:
            _list(event, What.OVERRIDE, "key_announced", about=_key_id(data["vkey"]))
        case "keys.retired":
            _list(event, What.OVERRIDE, "key_retired", about=_key_id(data["vkey"]))
        case "ledger.epoch_opened":
            _list(event, What.OVERRIDE, "epoch_opened", about=str(data["epoch"]))
        case "parked.retried":
            _list(event, What.OVERRIDE, "parked_retried", about=str(data["position"]))


def _of_alarms(event: StoredEvent) -> None:
    """List that somebody acknowledged an alarm about dice, with their note (F2)."""
    if event.event_type == "alarm.acknowledged":
        data = event.data
        about = f"{data['kind']} d{data['sides']}"
        _list(event, What.ALARM, "dice_alarm", before=data["raised"], about=about)


def _key_id(vkey: str) -> str:
    return vkey.split("+")[1]


def void_id(establishment: uuid.UUID, game: str, number: int) -> uuid.UUID:
    """The id of a game's request to void among all requests."""
    return uuid.uuid5(establishment, f"game/{game}/{number}")


def row_from_stream(events: Sequence[StoredEvent]) -> RequestRow | None:
    """
    A request as its stream has it, even if the list is behind; an unsaved row.

    :returns: None for a request that a game keeps itself, or one that does not exist.
    """
    if not events or events[0].event_type != requests.REQUESTED:
        return None
    first, *later = events
    row = _row_of(first)
    for event in later:
        if event.event_type == requests.REVIEWED:
            _review(event, row)
        else:
            _decide(event, row, ENDED[event.event_type][0], event.data["reason"])
    return row


def _list_request(event: StoredEvent) -> None:
    _row_of(event).save(force_insert=True)


def _row_of(event: StoredEvent) -> RequestRow:
    data = event.data
    return RequestRow(
        **_request_fields(event, uuid.UUID(event.stream.partition("/")[2])),
        kind=data["kind"],
        subject=data["subject"],
        amount=data["amount"],
        beneficiaries=data["beneficiaries"],
    )


def _request_fields(event: StoredEvent, request: uuid.UUID) -> dict[str, Any]:
    return {
        "establishment_id": event.establishment,
        "id": request,
        "reason": event.data["reason"],
        "asked_by": event.data["asked_by"],
        "asked_at": event.provenance.recorded_at,
        "gaming_day": event.provenance.gaming_day,
        "position": event.position,
    }


def _end_request(event: StoredEvent, request: uuid.UUID) -> None:
    state, what = ENDED[event.event_type]
    row = _row(event, request)
    if what == What.APPROVAL:
        what = WHAT_BY_KIND.get(row.kind, what)
    _note_decision(event, row, state, event.data["reason"])
    _list(event, what, row.kind, before=row.position, amount=row.amount)


def _note_decision(event: StoredEvent, row: RequestRow, state: str, decision: str) -> None:
    _decide(event, row, state, decision)
    row.save(force_update=True)


def _decide(event: StoredEvent, row: RequestRow, state: str, decision: str) -> None:
    row.state = state
    row.open = state == State.ALONE
    row.decided_by = event.provenance.actor
    row.decided_at = event.provenance.recorded_at
    row.decided_position = event.position
    row.decision = decision


def _note_review(event: StoredEvent) -> None:
    row = _row(event, uuid.UUID(event.stream.partition("/")[2]))
    _review(event, row)
    row.save(force_update=True)
    _list(event, What.REVIEW, row.kind, before=row.decided_position)


def _review(event: StoredEvent, row: RequestRow) -> None:
    row.reviewed_by = event.data["reviewed_by"]
    row.reviewed_at = event.provenance.recorded_at
    row.review = event.data["reason"]
    row.in_order = event.data["in_order"]
    row.open = False


def _void_requested(event: StoredEvent) -> None:
    game, data = event.stream.partition("/")[2], event.data
    RequestRow.objects.create(
        **_request_fields(event, void_id(event.establishment, game, data["request"])),
        kind=VOID,
        subject={"game": game, "request": data["request"], "back_to": data["back_to"]},
        game=uuid.UUID(game),
    )


def _list_void(event: StoredEvent) -> None:
    """
    List a void, approve the request for it, and mark other requests to void the same events as
    overtaken.
    """
    game, data = event.stream.partition("/")[2], event.data
    request, alone = data.get("request"), data.get("alone", False)
    what = What.ALONE if alone else What.VOID
    kind = UNDO if data.get("undo", False) else VOID
    _list(event, what, kind, before=_position_of(event, "back_to"))
    waiting = RequestRow.objects.filter(
        establishment=event.establishment, game=game, state=State.WAITING
    )
    for row in waiting:
        if row.subject["request"] == request:
            _note_decision(event, row, State.ALONE if alone else State.APPROVED, "")
        elif row.subject["back_to"] >= data["back_to"]:
            _note_decision(event, row, State.OVERTAKEN, "")


def _void_rejected(event: StoredEvent) -> None:
    """Close a rejected request to void. If the asker rejected it, it counts as withdrawn."""
    game, data = event.stream.partition("/")[2], event.data
    row = _row(event, void_id(event.establishment, game, data["request"]))
    own = row.asked_by == event.provenance.actor
    _note_decision(event, row, State.WITHDRAWN if own else State.REJECTED, data["reason"] or "")
    what = What.WITHDRAWAL if own else What.REJECTION
    _list(event, what, VOID, before=row.position, asked_by=row.asked_by)


def _over_short(event: StoredEvent, kind: str) -> None:
    """
    List a difference: two people counted the same, and the ledger has another sum. The first
    counter asked the second (B1).
    """
    data = event.data
    first = next(each for each in data["counters"] if each != event.provenance.actor)
    _list(event, What.OVER_SHORT, kind, amount=data["difference"], asked_by=first)


def _row(event: StoredEvent, request: uuid.UUID) -> RequestRow:
    return RequestRow.objects.get(establishment=event.establishment, id=request)


def _position_of(event: StoredEvent, named: str) -> int:
    """The ledger position of the event of the same stream whose version stands in a given field."""
    rows = Event.objects.filter(
        establishment=event.establishment,
        stream=event.stream,
        stream_version=event.data[named],
    )
    position: int = rows.values_list("position", flat=True).get()
    return position


def _list(  # noqa: PLR0913 - what there is to say of it
    event: StoredEvent,
    what: ExceptionRow.What,
    kind: str,
    *,
    before: int | None = None,
    about: str = "",
    amount: int | None = None,
    asked_by: str = "",
) -> None:
    ExceptionRow.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        what=what,
        kind=kind[:KIND_MAX],
        about=about[:ABOUT_MAX],
        amount=amount,
        stream=event.stream,
        stream_version=event.stream_version,
        event_type=event.event_type,
        actor=event.provenance.actor,
        asked_by=asked_by or event.data.get("asked_by") or "",
        reason=event.data.get("reason") or "",
        before=before,
        occurred_at=event.provenance.occurred_at,
        recorded_at=event.provenance.recorded_at,
        gaming_day=event.provenance.gaming_day,
    )
