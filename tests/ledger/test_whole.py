"""Stretches of events that are told at once: what is accepted there is accepted one by one, too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import connection

from ledger import canonical, spelling
from ledger.checking import whole
from ledger.checking.book import Book, bounds
from ledger.checking.events import Chunk
from ledger.checking.whole import OFTEN, Shapes
from ledger.journal import Refusal, append
from ledger.models import CommandReceipt, Event, Tile, Transfer
from ledger.tiles import WIDTH, Tiles
from ledger.verify import leaf_hash
from tests.ledger.building import (
    ANNA,
    BERT,
    CAGE,
    HOUSE,
    OTHER_HOUSE,
    RECORDED,
    appended,
    entry,
    event,
    transfer,
)
from tests.ledger.tampering import unguarded

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.canonical import Json

DATA: Final[list[dict[str, Json]]] = [
    {"dice": [4, 4, 3], "hand": "pair", "place": {"table": "t-1"}, "score": -3},
    {"words": 'said "no", \\ and left\n', "open": False, "none": None},
    {"name": "Zoë \u2014 \U0001f3b2", "list": [[], {}, [1, [2]]], "0": 0},
    {"a:1": 12, "b": 2**53 - 1},
]


@pytest.fixture
def book() -> Book:
    """Several streams and commands, money, refusals, and data of every sort."""
    events = [event("game/1", 0, **data) for data in DATA]
    append(establishment=HOUSE, entries=[entry({"game/1": 0}, events)])
    append(establishment=HOUSE, entries=[entry(refusal=Refusal(code="no", detail="“No.”"))])
    for version in range(OFTEN + 2):
        moved = [transfer(CAGE, ANNA, 5), transfer(ANNA, BERT, 2, at=1)]
        appended("game/2", *moved, version=2 * version, events=2)
    stop, receipts = bounds(HOUSE, "default")
    return Book(
        establishment=HOUSE, using="default", keys=(), start=0, stop=stop, receipts=receipts,
        now=RECORDED,
    )  # fmt: skip


@pytest.mark.django_db
def test_what_nobody_touched_is_told_at_once_wherever_it_is_cut(book: Book) -> None:
    hashes = [
        bytes(each)
        for each in Event.objects.order_by("position").values_list("leaf_hash", flat=True)
    ]
    for first in range(book.stop):
        for stop in range(first + 1, book.stop + 1):
            assert whole.leaves(book, first, stop) == hashes[first:stop]


BODIES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "a space": lambda body: body.replace(b'"n":', b'"n": '),
    "a space behind its data": lambda body: body.replace(b',"device"', b' ,"device"'),
    "a key twice": lambda body: body.replace(b'"n":', b'"n":1,"n":'),
    "keys out of order": lambda body: body.replace(b'"n":', b'"z":1,"n":'),
    "data that holds a column": lambda body: body.replace(b'"data":{', b'"data":1,"data":{'),
    "data that is two values": lambda body: body.replace(b'"data":{', b'"data":{},{'),
    "a fraction": lambda body: body.replace(b'"n":', b'"m":1.0,"n":'),
    "a number without end": lambda body: body.replace(b'"n":', b'"m":9007199254740992,"n":'),
    "another spelling of a number": lambda body: body.replace(b'"n":', b'"m":-0,"n":'),
    "another spelling of a letter": lambda body: body.replace(b'"n":', b'"\\u006e":'),
    "no JSON": lambda body: body.replace(b'"n":', b'"n":x'),
    "no text": lambda body: body.replace(b'"n":', b'"m":"\xff","n":'),
    "a field more": lambda body: body[:-1] + b',"zone":1}',
    "a version that is true": lambda body: body.replace(
        b'"schema_version":1', b'"schema_version":true'
    ),
    "another actor": lambda body: body.replace(b"attendant:1", b"attendant:2"),
    "an actor spelled otherwise": lambda body: body.replace(b"attendant:1", b"attendan\\u0074:1"),
    "another day": lambda body: body.replace(b"2026-11-20", b"2026-11-21"),
    "another moment": lambda body: body.replace(b"55:51.000007", b"55:51.000008"),
    "money less": lambda body: body.replace(b'"amount":5', b'"amount":4'),
    "no money": lambda body: body[: body.index(b'"transfers":')] + b'"transfers":[]}',
    "money spelled otherwise": lambda body: body.replace(b'"amount":5', b'"amount":5.0'),
}


@pytest.mark.django_db
@pytest.mark.rows(postgresql=7)
@pytest.mark.parametrize("name", BODIES)
def test_another_body_is_not_told_at_once_and_found(book: Book, name: str) -> None:
    """Its hash is made to fit: what it says is wrong."""
    row = Event.objects.filter(position=book.stop - 2)
    body = BODIES[name](before := bytes(row.get().body))
    assert body != before
    with unguarded():
        row.update(body=body, leaf_hash=leaf_hash(body))
    assert whole.leaves(book, 0, book.stop) is None
    assert {each.first for each in Chunk(book, 0, book.stop).findings} == {book.stop - 2}


CHANGES: Final[dict[str, tuple[Any, dict[str, Any]]]] = {
    "an actor": (Event, {"actor": "x"}),
    "an actor that would be another field": (Event, {"actor": 'attendant:1","causation_id":null'}),
    "a stream": (Event, {"stream": "game/3"}),
    "a version": (Event, {"stream_version": 99}),
    "a number in its command": (Event, {"command_seq": 7}),
    "a command": (Event, {"command_id": OTHER_HOUSE}),
    "a cause": (Event, {"causation_id": OTHER_HOUSE}),
    "a moment": (Event, {"occurred_at": RECORDED}),
    "a hash": (Event, {"leaf_hash": bytes(32)}),
    "an amount": (Transfer, {"amount": 6}),
    "an account": (Transfer, {"credit_name": "carl"}),
    "a transfer's number": (Transfer, {"seq": 3}),
    "a transfer's event": (Transfer, {"position": 1}),
    "a receipt's command": (CommandReceipt, {"command_id": OTHER_HOUSE}),
    "a receipt's first event": (CommandReceipt, {"first_position": 1}),
    "a receipt's last event": (CommandReceipt, {"last_position": 0}),
    "a receipt that says no": (CommandReceipt, {"refusal_code": "no"}),
}


@pytest.mark.django_db
@pytest.mark.rows(postgresql=6)
@pytest.mark.parametrize("name", CHANGES)
def test_another_column_is_not_told_at_once_and_found(book: Book, name: str) -> None:
    model, values = CHANGES[name]
    at = {"last_position" if model is CommandReceipt else "position": book.stop - 1}
    if model is Transfer:
        at["seq"] = 0
    with unguarded():
        assert model.objects.filter(**at).update(**values) == 1
    assert whole.leaves(book, 0, book.stop) is None
    assert Chunk(book, 0, book.stop).findings


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Event, Transfer, CommandReceipt])
def test_what_is_gone_is_missed(book: Book, model: Any) -> None:
    with unguarded():
        at = "last_position" if model is CommandReceipt else "position"
        assert model.objects.filter(**{at: book.stop - 1}).delete()[0]
    assert whole.leaves(book, 0, book.stop) is None
    assert Chunk(book, 0, book.stop).findings


# The key that forbids two of one version, taken away: SQLite keeps it in the table itself.
WITHOUT_THE_KEY: Final = {
    # Pieces of a partitioned table have it each for itself, and these two events are in two.
    "postgresql": (
        "ALTER TABLE ledger_event DROP CONSTRAINT IF EXISTS ledger_event_stream_version",
    ),
    "sqlite": (
        "CREATE TABLE without_key AS SELECT * FROM ledger_event",
        "DROP TABLE ledger_event",
        "ALTER TABLE without_key RENAME TO ledger_event",
    ),
}


@pytest.mark.django_db
def test_two_of_one_version_are_told(book: Book) -> None:
    last = book.stop - 1
    with unguarded():
        with connection.cursor() as cursor:
            for statement in WITHOUT_THE_KEY[connection.vendor]:
                cursor.execute(statement)
        assert Event.objects.filter(position=last).update(stream_version=1) == 1
    assert whole.leaves(book, last, book.stop) is None
    [told] = [each for each in Chunk(book, last, book.stop).findings if each.check == "version"]
    assert told.says.endswith("as is the one at position 4.")


@pytest.mark.parametrize(
    "text",
    [
        '{"a":[1,2,],"b":"x"}',
        '{"a":[01],"b":"x"}',
        '{"a":[-0],"b":"x"}',
        '{"a":[1.5],"b":"x"}',
        '{"a":[9007199254740993],"b":"x"}',
        '{"a":[true,2.0],"b":"x"}',
        '{"a":[1], "b":"x"}',
        '{"a":[1],"b":"x"} ',
        '{"a":[1],"b":"x"},{"a":[1],"b":"x"}',
        '{"a":[1],"b":"x\x01"}',
        '{"a":[1],"b":"\\u0078"}',
        '{"a":[1],"b":"x","b":"x"}',
        '{"a":[1],"b":"x","a":"x"}',
        '{"b":[1],"a":"x"}',
        '{"a":[1],"b":"x","c:1":3,"c:02":4}',
    ],
)
def test_a_shape_that_is_known_takes_nothing_that_is_not_canonical(text: str) -> None:
    shapes = Shapes()
    for number in range(2 * OFTEN):
        known: list[Json] = [
            {"a": [number, -number - 1], "b": f"{number}"},
            {"a": [number], "b": "x", "c:1": 3, "c:22": number},
        ]
        shapes.canonical(["kind"] * 2, [canonical.encode(each) for each in known])
    shapes.canonical(["kind"], [b'{"a":[7,8,9],"b":"any text"}'])
    with pytest.raises(canonical.NotCanonical):
        shapes.canonical(["kind"], [text.encode()])


@pytest.mark.django_db
def test_answers_are_spelled_side_by_side_as_they_are_alone(book: Book) -> None:
    for detail in ('a "word"', "Zoë", "", "two\nlines"):
        append(establishment=HOUSE, entries=[entry(refusal=Refusal(code="no", detail=detail))])
    spelled = list(spelling.answers_of(HOUSE, 0))
    rows = CommandReceipt.objects.order_by("seq")
    assert [seq for seq, _ in spelled] == list(range(book.receipts + 4))
    for (_, line), row in zip(spelled, rows, strict=True):
        data = json.loads(line)
        assert canonical.encode(data) == line
        assert data["refusal_detail"] == row.refusal_detail
        assert data["request_hash"] == bytes(row.request_hash).hex()
        assert (data["first_position"], data["last_position"]) == (
            row.first_position,
            row.last_position,
        )
        assert data["command_id"] == str(row.command_id)
        assert data["recorded_at"] == canonical.moment(row.recorded_at)


@pytest.mark.django_db
def test_many_tiles_at_once_are_those_of_one_at_a_time() -> None:
    leaves = [leaf_hash(b"%d" % at) for at in range((WIDTH + 3) * WIDTH)]
    for house, parts in ((HOUSE, (1, 255, 3)), (OTHER_HOUSE, (250, 9))):
        index = 0
        for many in parts:
            Tiles(house).write(index, leaves[index * WIDTH : (index + many) * WIDTH])
            index += many
    one, other = (
        [
            (row.level, row.index, bytes(row.hashes), bytes(row.root))
            for row in Tile.objects.filter(establishment=house).order_by("level", "index")
        ]
        for house in (HOUSE, OTHER_HOUSE)
    )
    assert one == other
    assert [(level, index) for level, index, *_ in one][-2:] == [(0, WIDTH + 2), (1, 0)]
