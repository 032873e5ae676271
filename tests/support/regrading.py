"""Regrades of a house, and forgeries behind the application's back for them to find."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.db import connection

from ledger import canonical, journal, wire
from ledger.models import Event, Transfer
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


LOST, THROWN, BOOKED = "stone_hand.round_lost", "stone_hand.dice_thrown", "settlement.booked"


def summary(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["kind"], each["what"]) for each in found]


def opening_data(house: House) -> dict[str, Any]:
    opening = event_of(house, "stone_hand.game_opened")
    data: dict[str, Any] = json.loads(bytes(opening.body))["data"]
    return data


def key(value: uuid.UUID) -> Any:
    return value if connection.vendor == "postgresql" else value.hex


def changed(table: str, how: str, row: Transfer) -> None:
    by_hand(f"UPDATE {table} SET {how} WHERE transfer_id = %s", [key(row.transfer_id)])  # noqa: S608


def booked_again(house: House, game: uuid.UUID, **otherwise: Any) -> None:
    """As a worker with a mistake in it would: properly appended, under another command id."""
    stream = f"settlement/{game}"
    first, *_, last = journal.stream(establishment=house.id, stream=stream)
    journal.append(
        establishment=house.id,
        entries=[
            journal.Entry(
                provenance=replace(first.provenance, command_id=uuid.uuid4()),
                request_hash=bytes(32),
                guards={stream: last.stream_version},
                events=(
                    journal.NewEvent(
                        stream=stream,
                        event_type=BOOKED,
                        schema_version=1,
                        data={**first.data, **otherwise},
                    ),
                ),
                transfers=tuple(
                    replace(each, event=0, transfer_id=uuid.uuid4())
                    for each in wire.read_transfers(first)
                ),
            )
        ],
    )
