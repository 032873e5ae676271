"""Regrades of a house, and forgeries behind the application's back for them to find."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.db import connection

from ledger import canonical, wire
from ledger.models import Event
from tests.conftest import unguarded

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.builders import House

Body = dict[str, Any]


def regraded(house: House, *arguments: str) -> tuple[int, list[Body]]:
    """`manage.py regrade` for one house: its exit status, and the lines that it prints."""
    out, status = StringIO(), 0
    try:
        call_command(
            "regrade", "--json", "--workers=1", f"--establishment={house.id}", *arguments,
            stdout=out,
        )  # fmt: skip
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def differences(house: House, *arguments: str) -> list[Body]:
    """What differs, if the exit status says so, too."""
    status, lines = regraded(house, *arguments)
    found = [line["difference"] for line in lines if line["what"] == "difference"]
    assert status == (1 if found and "--current" not in arguments else 0)
    assert lines[-1]["figures"]["differences"] == len(found)
    return found


def waiting(house: House) -> list[Body]:
    _, lines = regraded(house)
    return [line["waiting"] for line in lines if line["what"] == "waiting"]


def figures(house: House, *arguments: str) -> Body:
    _, lines = regraded(house, *arguments)
    told: Body = lines[-1]["figures"]
    return told


def forged(event: Event, change: Callable[[Body], object]) -> None:
    """An event's body as somebody with the database in hand would have it, its hash with it."""
    body = json.loads(bytes(event.body))
    change(body)
    written = canonical.encode(body)
    by_hand(
        "UPDATE ledger_event SET body = %s, leaf_hash = %s"
        " WHERE establishment = %s AND position = %s",
        [written, wire.leaf_hash(written), _key(event.establishment), event.position],
    )


def by_hand(statement: str, values: list[Any]) -> None:
    with unguarded(connection) as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount == 1


def _key(value: Any) -> Any:
    return value if connection.vendor == "postgresql" else value.hex


def event_of(house: House, kind: str, nth: int = 0) -> Event:
    """The house's events of a type, in order."""
    return Event.objects.filter(establishment=house.id, event_type=kind).order_by("position")[nth]
