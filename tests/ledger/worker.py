"""
What a process of its own does on a ledger (`tests.ledger.workers` starts it).

Waits until all are up that were started with it, works, and answers one line of JSON.
"""

import json
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid5

import django
from django.conf import settings

if not settings.configured:  # the ledger alone: up in a third of the time
    engine = "postgresql" if os.environ.get("DATABASE_URL") else "sqlite3"
    settings.configure(
        INSTALLED_APPS=["ledger"],
        DATABASES={"default": {"ENGINE": f"django.db.backends.{engine}"}},  # see `works`
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections

from ledger import install, journal, subscriptions
from ledger.journal import Entry, StoredEvent, StreamMoved
from ledger.subscriptions import StreamVersions, Subscriber
from tests.ledger.building import ANNA, CAGE, HOUSE, POT, entry, event, transfer

DATABASES = "LEDGER_TEST_DATABASES"
NAMESPACE = UUID(int=7)
PATIENCE = 30.0  # seconds


def write(writer: str, count: str) -> int:
    """Append to a stream of one's own and to one that all writers fight for; count the fights."""
    moved = 0
    for number in range(int(count)):
        stream = "shared" if number % 5 == 0 else f"game/{writer}"
        while True:
            version = journal.versions(establishment=HOUSE, streams=[stream])[stream]
            written = entry({stream: version}, [event(stream, number)], [transfer(CAGE, ANNA, 1)])
            try:
                journal.append(establishment=HOUSE, entries=[written])
                break
            except StreamMoved:
                moved += 1
    return moved


def tail(count: str) -> list[int]:
    """Read the ledger while others write: the positions seen, in the order they were."""
    seen: list[int] = []
    end = monotonic() + PATIENCE
    while len(seen) < int(count) and monotonic() < end:
        after = seen[-1] if seen else -1
        seen += [it.position for it in journal.read(establishment=HOUSE, after=after, limit=100)]
    return seen


def ask(command_id: str) -> list[Any]:
    """The same command as others ask at this instant."""
    new_entry = entry({"game/1": 0}, [event("game/1")], command_id=UUID(command_id))
    [receipt] = journal.append(establishment=HOUSE, entries=[new_entry])
    return [receipt.repeated, receipt.first_position, receipt.last_position]


def settle(count: str, dies_at: str = "") -> int:
    """Book every event of the writers, until so many are booked. Can die in mid-batch."""
    end = monotonic() + PATIENCE
    subscriber = settlement(dies_at)
    booked = 0
    while booked < int(count) and monotonic() < end:
        if not subscriptions.lagging([subscriber]):
            sleep(0.005)
        subscriptions.advance(subscriber, establishment=HOUSE)
        booked = journal.versions(establishment=HOUSE, streams=["settlement"])["settlement"]
    return booked


def settlement(dies_at: str = "") -> Subscriber:
    def handle(happened: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        if happened.stream == "settlement":
            return ()
        if str(happened.position) == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return [
            entry(
                {"settlement": versions["settlement"]},
                [event("settlement", happened.position)],
                [transfer(ANNA, POT, 1)],
                command_id=uuid5(NAMESPACE, str(happened.event_id)),
            )
        ]

    return Subscriber(name="settlement", handle=handle, touches=lambda _event: ("settlement",))


def put_in() -> list[str]:
    """Install triggers and functions, as every migrate does; what is missing after it."""
    install.install(connections[DEFAULT_DB_ALIAS])
    return install.missing(connections[DEFAULT_DB_ALIAS])


def migrate(alias: str) -> None:
    call_command("migrate", database=alias, verbosity=0)


WORK: dict[str, Callable[..., object]] = {
    "write": write,
    "tail": tail,
    "ask": ask,
    "settle": settle,
    "install": put_in,
    "migrate": migrate,
}


def works(databases: str, together: Any, says: Any, work: str, *arguments: str) -> None:
    """In a process of its own: on these databases, at the same moment as the others."""
    settings.DATABASES = json.loads(databases)  # also read for whom to give rights to
    vars(connections)["settings"] = connections.configure_settings(settings.DATABASES)
    for alias in connections:
        with suppress(AttributeError):  # made while Django came up, for another database
            del connections[alias]
    together.wait(PATIENCE)
    try:
        says.send(json.dumps(WORK[work](*arguments)))
    except BaseException:
        says.send(json.dumps(traceback.format_exc()))
        raise
