"""What the append function and its trigger make of a body. Collected on PostgreSQL only."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from ledger import journal, prepared, wire
from ledger.journal import Entry
from tests.ledger.building import ANNA, CAGE, HOUSE, OTHER_HOUSE, appended, entry, event, transfer
from tests.ledger.forbidden import COLUMNS, execute

pytestmark = pytest.mark.django_db

ALONE = "INSERT INTO ledger_event (establishment, position, body, leaf_hash) VALUES (%s, 0, %s, %s)"
CALL = "SELECT * FROM ledger_append(%s, %s::jsonb, %s::bytea[], NULL, NULL, NULL)"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a session prepared, other tests before these among it, and whether sessions keep it."""
    forget()
    yield
    forget()


def forget() -> None:
    prepared.SESSIONS.kept = True
    prepared.KNOWN.clear()
    execute("DEALLOCATE ALL")


def body(**changed: Any) -> bytes:
    """Of a house's first event, with what is changed or, where that is `...`, left out."""
    [row] = wire.write(HOUSE, entry({"game/1": 0}, [event()]))
    fields = {**json.loads(row.body), **changed}
    return json.dumps({key: it for key, it in fields.items() if it is not ...}).encode()


def put_alone(it: bytes, **given: Any) -> None:
    """A row by hand of house, position and body, and of what is given beside."""
    leaf = sha256(b"\x00" + it).digest()
    names = "".join(f", {name}" for name in given)
    marks = ", %s" * len(given)
    statement = ALONE.replace(", leaf_hash)", f", leaf_hash{names})")[:-1] + f"{marks})"
    execute(statement, [HOUSE, it, leaf, *given.values()])


def test_a_row_of_its_body_alone_says_what_the_body_says() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))
    columns = COLUMNS["ledger_event"]
    [by_function] = execute(f"SELECT {columns} FROM ledger_event")  # noqa: S608 - of our own
    [it] = journal.read(establishment=HOUSE, limit=1)

    assert by_function == (
        it.event_id, HOUSE, 0, "game/1", 1, "test.happened", 1, it.provenance.command_id, 0,
        it.provenance.actor, it.provenance.device, it.provenance.correlation_id, None,
        it.provenance.occurred_at, it.provenance.recorded_at, it.provenance.gaming_day,
        it.body, it.leaf_hash,
    )  # fmt: skip


# fmt: off
FORGED = [
    # What the body says of itself, and what is given beside it.
    ({"establishment": str(OTHER_HOUSE)}, {}),
    ({"establishment": ...},              {}),
    ({"establishment": None},             {}),
    ({"position": 7},                     {}),
    ({"position": 0},                     {}),
    ({"body": "\\x00"},                   {}),
    ({"leaf_hash": "\\x00"},              {}),
    ({},                                  {"stream": "game/1"}),
    ({},                                  {"stream": "other"}),
    ({},                                  {"event_id": uuid4()}),
    ({},                                  {"causation_id": uuid4()}),
    ({},                                  {"recorded_at": "2020-01-01 00:00:00+00"}),
]
LEFT_OUT = [
    "event_id", "stream", "stream_version", "event_type", "schema_version", "command_id",
    "command_seq", "actor", "device", "correlation_id", "occurred_at", "recorded_at", "gaming_day",
]
# fmt: on


def test_a_body_by_hand_would_get_in() -> None:
    """So that what is refused below is what is forged and nothing else."""
    put_alone(body())

    assert journal.head(establishment=HOUSE) == 0


@pytest.mark.parametrize(("said", "given"), FORGED)
def test_a_body_by_hand_does_not_get_in(said: dict[str, Any], given: dict[str, Any]) -> None:
    with pytest.raises(DatabaseError, match="ledger_event_body"):
        put_alone(body(**said), **given)


@pytest.mark.parametrize("left_out", LEFT_OUT)
def test_nor_does_one_that_leaves_something_out(left_out: str) -> None:
    with pytest.raises(DatabaseError, match=f'"{left_out}".*violates not-null'):
        put_alone(body(**{left_out: ...}))


def call(asked: Entry, bodies: list[bytes], guards: dict[str, int] | None = None) -> None:
    """The function as one who speaks for the house, and not for `journal`, might call it."""
    fields = {
        "command_id": str(asked.provenance.command_id),
        "request_hash": asked.request_hash.hex(),
        "actor": asked.provenance.actor,
        "recorded_at": asked.provenance.recorded_at.isoformat(),
        "guards": dict(asked.guards) if guards is None else guards,
        "balances": {},
        "events": len(asked.events),
    }
    execute(CALL, [HOUSE, json.dumps([fields]), bodies])


def bodies_of(asked: Entry) -> list[bytes]:
    return [row.body for row in wire.write(HOUSE, asked)]


def test_the_function_takes_bodies_of_the_command_alone() -> None:
    new_entry = entry({"game/1": 0}, [event()])

    with pytest.raises(DatabaseError, match="ledger_malformed"):
        call(new_entry, bodies_of(entry({"game/1": 0}, [event()])))
    call(new_entry, bodies_of(new_entry))

    assert journal.head(establishment=HOUSE) == 0


def test_the_function_takes_nothing_of_an_unguarded_stream() -> None:
    new_entry = entry({"game/1": 0, "game/2": 0}, [event("game/1"), event("game/2")])

    with pytest.raises(DatabaseError, match="ledger_malformed"):
        call(new_entry, bodies_of(new_entry), {"game/1": 0})


@pytest.mark.parametrize("order", [[1, 0], [0, 0], [0]])
def test_the_function_takes_each_body_once_and_in_order(order: list[int]) -> None:
    new_entry = entry({"game/1": 0}, [event(), event()])
    rows = bodies_of(new_entry)

    with pytest.raises(DatabaseError, match=r"ledger_malformed|unique|ledger_event_body|not-null"):
        call(new_entry, [rows[at] for at in order])


# fmt: off
ENDS = [
    # How a body goes on behind what it books, and how many transfers a reader finds in it then.
    ("}",                               1),
    (',"z":{"a":1,"transfers":[]}}',    1),
    (r',"z,\"transfers":[]}',           1),
    # Of two keys of one name the last counts, however it is spelled.
    (',"transfers":[]}',                0),
    (',"transfers" : [] }',             0),
    (r',"transfer\u0073":[]}',          0),
]
# fmt: on


@pytest.mark.parametrize(("end", "books"), ENDS)
def test_no_end_of_a_body_hides_what_it_books(end: str, books: int) -> None:
    new_entry = entry({"game/1": 0}, [event()], [transfer(CAGE, ANNA, 25)])
    [row] = bodies_of(new_entry)

    call(new_entry, [row[:-1] + end.encode()])

    assert execute("SELECT count(*) FROM ledger_transfer") == [(books,)]


prepares = pytest.mark.skipif(
    bool(connection.settings_dict.get("POOLER")),
    reason="through a known pooler nothing is prepared",
)


@prepares
def test_where_a_pooler_loses_what_was_prepared_the_append_is_put_again() -> None:
    appended("game/1")
    execute("DEALLOCATE ALL")  # as another server of the pooler's knows nothing of it

    appended("game/1", version=1)
    appended("game/1", transfer(CAGE, ANNA, 25), version=2, events=2)

    assert journal.head(establishment=HOUSE) == 3
    assert not prepared.SESSIONS.kept
    assert execute("SELECT count(*) FROM pg_prepared_statements") == [(0,)]


@prepares
@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_too() -> None:
    appended("game/1")
    appended("game/2", transfer(CAGE, ANNA, 25), events=2)
    assert execute("SELECT count(*) FROM pg_prepared_statements") == [(1,)]
    execute("DEALLOCATE ALL")

    appended("game/1", version=1)

    assert journal.head(establishment=HOUSE) == 3


@prepares
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_given_up_for_it_may_be_asked_once_more() -> None:
    appended("game/1")
    execute("DEALLOCATE ALL")

    def ask() -> None:
        with transaction.atomic():
            version = journal.head(establishment=HOUSE) + 1
            entries = [entry({"game/1": version}, [event()])]
            journal.append(establishment=HOUSE, entries=entries, savepoint=False)

    with pytest.raises(OperationalError):
        ask()
    ask()

    assert journal.head(establishment=HOUSE) == 1


def test_where_it_is_prepared_already_it_is_put_again() -> None:
    execute("PREPARE ledger_append AS SELECT 1")

    appended("game/1")

    assert journal.head(establishment=HOUSE) == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("savepoint", [True, False])
def test_a_transaction_that_it_begins_takes_it_back(savepoint: bool) -> None:  # noqa: FBT001
    appended("game/1")  # prepared

    with transaction.atomic():
        journal.append(
            establishment=HOUSE, entries=[entry({"game/1": 1}, [event()])], savepoint=savepoint
        )
        transaction.set_rollback(True)

    assert journal.head(establishment=HOUSE) == 0
