"""Every answer that a client was given, held against what the ledger has of its command."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.models import CommandReceipt, Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Line = dict[str, Any]
REFUSED = 422
AT_ONCE = 500  # commands that are looked up in one query


def compared(house: UUID, journal: Iterable[Line]) -> Iterator[str]:
    """A sentence for each that is missing, doubled, or something else than was said."""
    lines = list(journal)
    for line in lines:
        if "failure" in line:
            yield f"{line['path']}: {line['failure']} after {line['tries']} tries."
        elif line["status"] not in {200, 201, REFUSED}:
            yield f"{line['path']}: {line['status']} {line['answer']} for {line['body']}."
        for status, body in line.get("others", ()):
            yield (
                f"{line['path']}: asked again it said {status} {body},"
                f" at first {line['status']} {line['answer']}."
            )
    told = [each for line in lines if "failure" not in line for each in _one_by_one(line)]
    for start in range(0, len(told), AT_ONCE):
        yield from _looked_up(house, told[start : start + AT_ONCE])


def _one_by_one(line: Line) -> Iterator[tuple[str, Mapping[str, Any] | None, int]]:
    """Command id, what was answered and how; None: it was never put, the list stopped before."""
    body, answer = line["body"], line["answer"]
    if isinstance(body, dict):
        yield body["command_id"], answer, line["status"]
        return
    results = answer.get("results", [])
    for place, raw in enumerate(body):
        if place < len(results):
            yield raw["command_id"], results[place], 200
        else:
            refused = place == len(results) and line["status"] == REFUSED
            yield raw["command_id"], answer if refused else None, REFUSED


def _looked_up(house: UUID, told: list[tuple[str, Mapping[str, Any] | None, int]]) -> Iterator[str]:
    ids = [UUID(command) for command, _, _ in told]
    receipts = {
        row.command_id: row
        for row in CommandReceipt.objects.filter(establishment=house, command_id__in=ids)
    }
    events: dict[UUID, list[Event]] = {}
    for event in Event.objects.filter(establishment=house, command_id__in=ids).order_by("position"):
        events.setdefault(event.command_id, []).append(event)
    for command, answer, status in told:
        key = UUID(command)
        wrong = _wrong(receipts.get(key), events.get(key, []), answer, status)
        if wrong:
            yield f"Command {command}: {wrong}"


def _wrong(
    receipt: CommandReceipt | None,
    events: list[Event],
    answer: Mapping[str, Any] | None,
    status: int,
) -> str:
    """What is wrong, or nothing."""
    if answer is None:
        return "it stood behind a refused one and was put all the same." if receipt else ""
    if receipt is None:
        return f"it was answered {status} and has no receipt."
    if status == REFUSED:
        same = receipt.refusal_code == answer["code"] and not events
        return "" if same else f"refused as {answer['code']}, kept as {receipt.refusal_code}."
    positions = [event.position for event in events]
    if receipt.refusal_code is not None or not positions:
        return f"it was taken, and left {positions} with the receipt {receipt.refusal_code}."
    if positions != list(range(receipt.first_position or 0, (receipt.last_position or 0) + 1)):
        return f"its receipt is not of the events {positions}."
    return _answered_otherwise(events, answer) if "events" in answer else ""


def _answered_otherwise(events: list[Event], answer: Mapping[str, Any]) -> str:
    in_game = {
        event.position: (str(event.event_id), event.event_type, event.stream_version)
        for event in events
        if event.stream.startswith("game/")
    }
    fields = {
        row["position"]: (row["event_id"], row["type"], row["number"]) for row in answer["events"]
    }
    leaves = {event.position: bytes(event.leaf_hash).hex() for event in events}
    same_leaves = all(
        leaves[row["position"]] == row["leaf_hash"]
        for row in answer["events"]
        if row["position"] in leaves
    )
    if fields != in_game or not same_leaves:
        return f"it was told {fields}, and the ledger has {in_game}."
    if answer["position"] != events[-1].position:
        return f"its last event was said to be {answer['position']}."
    return ""


def figures(journal: Iterable[Line]) -> Counter[str]:
    """How many commands were acknowledged, refused, retried, and how many answers repeated."""
    counted: Counter[str] = Counter()
    for line in journal:
        counted["repeated"] += line.get("repeats", 0)
        counted["reused"] += line.get("reused", False)
        counted["from_two_tablets"] += line.get("tablets", 1) > 1
        if "answered" not in line:
            continue
        counted["retried"] += line["tries"] > 1
        for _, answer, status in _one_by_one(line):
            if answer is not None:
                counted["refused" if status == REFUSED else "acknowledged"] += 1
    return counted
