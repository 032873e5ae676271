"""The log of configuration changes: writes one row for each event of a record (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.house.establishments.models import Change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.wire import StoredEvent

RECORDS: Final = "record/"
ROWS: Final = (Change,)
NAMES: Final = ("name", "number", "game", "attendant_id", "kind")


def handle(event: StoredEvent) -> None:
    if not event.stream.startswith(RECORDS):
        return
    kind, _, happened = event.event_type.partition(".")
    data, provenance = event.data, event.provenance
    Change.objects.update_or_create(
        establishment_id=event.establishment,
        position=event.position,
        defaults={
            "at": provenance.recorded_at,
            "gaming_day": provenance.gaming_day,
            "kind": kind,
            "happened": happened,
            "thing": data.get("id", ""),
            "label": label(data),
            "actor": provenance.actor,
            "asked_by": data.get("asked_by") or "",
            "alone": bool(data.get("alone")),
            "reason": data.get("reason") or "",
            "before": data.get("before"),
            "after": data.get("after"),
        },
    )


def label(data: Mapping[str, Any]) -> str:
    """A short name for a thing: its name or number, its faces, or the person whose it is."""
    after = data.get("after") or data.get("before") or {}
    if "middle" in after:
        return f"{after['low']}-{after['middle']}-{after['high']}"
    found = next((str(after[name]) for name in NAMES if after.get(name)), "")
    return found[:LABEL]


LABEL: Final = 80  # characters


def differing(change: Change) -> list[tuple[str, Any, Any]]:
    """
    The columns that changed, each with its old and new value; for a new thing, the values that it
    has.
    """
    before, after = change.before or {}, change.after or {}
    return [
        (name, before.get(name), after.get(name))
        for name in after
        if name not in SKIPPED
        and before.get(name) != after.get(name)
        and not (change.before is None and after.get(name) in NOTHING)
    ]


SKIPPED: Final = frozenset({"id", "establishment_id"})
NOTHING: Final[tuple[object, ...]] = (None, "", False, [], {})
