"""A house plays in pieces: the database holds what it held, and asks the house's pieces alone."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from unittest import mock

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connections, models, transaction

from casino.engine.databases import guards
from casino.engine.scale.partitions import operations, pieces, tasks
from casino.play.core.subscriptions import tasks as subscribed
from casino.proof.signing.tasks import grow
from casino.reports.gaming_days.management.commands import old_days
from casino.reports.gaming_days.models import GamingDay
from ledger import install, lag, recent
from ledger.models import Event
from ledger.partitioned import STEP as STEP_OF_EVENTS
from tests.scale.partitions import scans
from tests.scale.partitions.conftest import PARTS, STEP, on_postgresql
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

    from tests.support.builders import House

pytestmark = on_postgresql
TWIN = """
    INSERT INTO ledger_event (establishment, position, body, leaf_hash)
    SELECT establishment, %s, %s, sha256('\\x00'::bytea || %s)
    FROM ledger_event WHERE establishment = %s AND position = 0"""


@pytest.fixture(scope="module")
def house(partitioned: BaseDatabaseWrapper) -> House:
    """A house whose events fill several pieces, settled and read by every subscriber."""
    del partitioned
    made = builders.house()
    builders.on_record(made.establishment)
    while Event.objects.filter(establishment=made.id).count() <= 3 * STEP:
        game = builders.opened(made)
        dice = {"Ada": (2, 2, 7), "Bruno": (2, 3, 4), "Cleo": (5, 5, 5)}
        throws = [builders.throw(player, *faces) for player, faces in dice.items()]
        builders.put(made, game, *throws, builders.command("close"))
        pieces.open_ahead(connections["default"])
    builders.settled(made)
    while subscribed.advance_all(made.id):
        pass
    pieces.open_ahead(connections["default"])
    return made


def of_house(house: House) -> list[pieces.Piece]:
    part = f"ledger_event_{scans.part_of(house.id)}"
    return [each for each in pieces.pieces(connections["default"]) if each.part == part]


def execute(statement: str, values: list[Any] | None = None) -> list[Any]:
    with transaction.atomic(), connections["default"].cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def test_pieces_follow_each_other_and_the_last_one_is_empty(house: House) -> None:
    own = of_house(house)

    assert [each.first for each in own[1:]] == [each.end for each in own[:-1]]
    assert own[0].first == 0
    assert own[-1].end is None
    assert [each.size > 0 for each in own] == [True] * (len(own) - 1) + [False]
    assert len(own) > 3
    assert install.missing(connections["default"]) == []
    assert guards.differences() == []
    assert tasks.watch() is None
    assert of_house(house) == own


FORBIDDEN = [
    "UPDATE {piece} SET stream = 'other'",
    "DELETE FROM {piece}",
    "TRUNCATE {piece}",
    "TRUNCATE ledger_event",
    "DELETE FROM ledger_event",
    "UPDATE ledger_event SET position = position + 1000",
    "TRUNCATE partitions.ledger_transfer_h0",
    "TRUNCATE partitions.devices_deviceentry_h0",
    "DELETE FROM ledger_commandreceipt",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_nobody_changes_a_piece(house: House, statement: str) -> None:
    for each in of_house(house)[:2]:
        with pytest.raises(DatabaseError, match=r"append_only|append-only|_forbid"):
            execute(statement.format(piece=f"partitions.{each.name}"))


def test_a_guard_that_is_off_on_a_piece_is_found_and_put_back(house: House) -> None:
    piece = of_house(house)[0].name
    execute(f"ALTER TABLE partitions.{piece} DISABLE TRIGGER ledger_check_event")
    execute(f"DROP TRIGGER ledger_no_truncate ON partitions.{piece}")

    missing = set(install.missing(connections["default"]))
    named = set(guards.differences())
    install.install(connections["default"])

    assert missing == {
        f"partitions.{piece}.{name}" for name in ("ledger_check_event", "ledger_no_truncate")
    }
    assert named == {
        f"Trigger ledger_check_event on partitions.{piece} is off.",
        f"Trigger ledger_no_truncate on partitions.{piece} is missing.",
    }
    assert install.missing(connections["default"]) == []


# fmt: off
KEYS = [
    # what is of an event long past     the key that says no
    ("event_id",                        "ledger_event_event_id"),
    ("command_id",                      "ledger_event_command_seq"),
    ("stream",                          "ledger_event_stream_version"),
]
# fmt: on


@pytest.mark.parametrize(("same", "key"), KEYS)
def test_no_key_is_taken_twice_in_two_pieces(house: House, same: str, key: str) -> None:
    """By whoever owns the tables; append would refuse it before."""
    first = Event.objects.get(establishment=house.id, position=0)
    body = bytes(first.body)
    for name in ("event_id", "command_id", "stream"):
        if name != same:
            value = str(getattr(first, name))
            told, another = (f'"{name}":"{each}"'.encode() for each in (value, other(value)))
            body = body.replace(told, another)

    for position in (10 * STEP, 1000 * STEP):
        with pytest.raises(IntegrityError, match=key):
            execute(TWIN, [position, body, body, str(house.id)])


def other(value: str) -> str:
    return value[:-1] + ("0" if value[-1] != "0" else "1")


def test_an_older_snapshot_may_add_nothing(house: House) -> None:
    del house
    again = "INSERT INTO ledger_event SELECT * FROM ledger_event WHERE position = 0 LIMIT 1"
    with transaction.atomic(), connections["default"].cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with pytest.raises(DatabaseError, match="READ COMMITTED"):
            cursor.execute(again)
        transaction.set_rollback(True)


def test_a_throw_and_what_follows_it_ask_the_houses_pieces_alone(house: House) -> None:
    with scans.of_one_part(house.id):
        game = builders.opened(house)
        builders.put(house, game, builders.throw("Ada", 2, 2, 7))
    with scans.of_one_part(house.id):
        subscribed.settle(house.id)
        subscribed.advance_all(house.id)
        grow(house.id)
        lag.lag("settlement", establishment=house.id)


def test_an_append_looks_a_fixed_number_of_times_into_each_piece(house: House) -> None:
    with transaction.atomic():
        game = builders.opened(house)
        before = scans.looks()
        builders.put(house, game, builders.throw("Ada", 2, 2, 7))
        told = {name: count - before.get(name, 0) for name, count in scans.looks().items()}
        transaction.set_rollback(True)

    old = of_house(house)[0].name
    assert told.get(old, 0) <= 8


def test_every_house_is_still_found_in_one_query(house: House) -> None:
    another = builders.house()
    builders.opened(another)

    behind = {each.establishment for each in lag.lagging(subscribed.SUBSCRIBERS)}
    found = {house for house, *_ in recent.newest("house")}

    assert another.id in behind
    assert house.id not in behind
    assert isinstance(found, set)


def test_a_later_migration_reaches_every_piece(house: House) -> None:
    """A column and an index of the table are on each piece, also on one that comes later."""
    ours = connections["default"]
    column = models.IntegerField(null=True)
    column.set_attributes_from_name("later")
    index = models.Index(fields=["establishment", "actor"], name="ledger_event_later")
    with transaction.atomic():
        with ours.schema_editor(atomic=False) as editor:
            column.model = Event
            editor.execute(f"ALTER TABLE ledger_event ADD COLUMN later {column.db_type(ours)}")
            editor.add_index(Event, index)
        execute("SELECT partitions.make(%s, 'ledger_event_h0_p99', '', '{}')",
                [f"partitions.{of_house(house)[0].name}"])  # fmt: skip
        execute("SELECT partitions.complete(%s, 'ledger_event_h0_p99')",
                [f"partitions.{of_house(house)[0].name}"])  # fmt: skip
        [[columns]] = execute(
            "SELECT count(*) FROM pg_attribute WHERE attname = 'later' AND NOT attisdropped"
        )
        [[indexes]] = execute("SELECT count(*) FROM pg_index WHERE pg_get_indexdef(indexrelid)"
                              " LIKE '%%(establishment, actor)%%'")  # fmt: skip
        transaction.set_rollback(True)

    tables = 1 + PARTS + len(pieces.pieces(ours)) + 1
    assert (columns, indexes) == (tables, tables)


def test_who_runs_the_house_reads_through_the_table_alone(
    partitioned: BaseDatabaseWrapper, house: House
) -> None:
    role = f"runs_{partitioned.settings_dict['NAME']}"
    execute(f"CREATE ROLE {role} LOGIN PASSWORD 'word'")
    try:
        with mock.patch.object(install, "runtime_role", return_value=role):
            operations.install_functions(partitioned)
            install.install(partitioned)
        address = {**partitioned.get_connection_params(), "user": role, "password": "word"}
        words = {name: address[name] for name in ("dbname", "host", "port", "user", "password")}
        with psycopg.connect(**words, autocommit=True) as theirs:
            assert theirs.execute("SELECT partitions.open_next()").fetchone() == (None,)
            assert theirs.execute(STEP_OF_EVENTS.encode()).fetchone() == (STEP,)
            seen = theirs.execute("SELECT count(*) FROM ledger_event").fetchone()
            assert seen == (Event.objects.count(),)
            for each in ("SELECT * FROM", "DELETE FROM", "INSERT INTO ledger_event SELECT * FROM"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    theirs.execute(f"{each} partitions.{of_house(house)[0].name}".encode())
    finally:
        execute(f"DROP OWNED BY {role}")
        execute(f"DROP ROLE {role}")


# --- Old days ------------------------------------------------------------------------------------


@pytest.fixture
def slow(partitioned: BaseDatabaseWrapper) -> Iterator[str]:
    """A tablespace, as slower storage has it; empty again in the end."""
    name = f"slow_{partitioned.settings_dict['NAME']}"
    with partitioned.cursor() as cursor:
        cursor.execute("SET allow_in_place_tablespaces = on")
        cursor.execute(f"CREATE TABLESPACE {name} LOCATION ''")
    yield name
    list(pieces.move_back(partitioned))
    with partitioned.cursor() as cursor:
        cursor.execute(f"DROP TABLESPACE {name}")


TOMORROW = date.today() + timedelta(days=2)  # noqa: DTZ011 - any day after all that was played


def test_old_pieces_go_to_slower_storage_and_come_back(house: House, slow: str) -> None:
    ours = connections["default"]
    before, rows = of_house(house), execute("SELECT * FROM ledger_event ORDER BY 1")
    GamingDay.objects.update(state="open")
    left = list(old_days.move_old(ours, before=TOMORROW, tablespace=slow))
    assert before[0].part not in {each.part for each in left}
    GamingDay.objects.update(state="closed")
    assert list(old_days.move_old(ours, before=date(2020, 1, 1), tablespace=slow)) == []

    [[began]] = execute("SELECT pg_current_xact_id()::xid::text")

    moved = list(old_days.move_old(ours, before=TOMORROW, tablespace=slow))

    assert [each.name for each in moved if each.part == before[0].part] == [
        each.name for each in before[:-1]
    ]
    assert {each.tablespace for each in of_house(house)[:-1]} == {slow}
    assert of_house(house)[-1].tablespace == ""
    assert list(old_days.move_old(ours, before=TOMORROW, tablespace=slow)) == []
    assert frozen(moved[0].name, began) == (True, True)
    assert install.missing(ours) == []
    assert execute("SELECT * FROM ledger_event ORDER BY 1") == rows
    with pytest.raises(DatabaseError, match="append_only"):
        execute(f"DELETE FROM partitions.{moved[0].name}")  # noqa: S608 - our own name
    game = builders.opened(house)
    builders.put(house, game, builders.command("close"))
    GamingDay.objects.update(state="open")  # as the ledger has it
    assert "sound" in said("verify_ledger", establishment=[str(house.id)])

    assert f"{len(left) + len(moved)} pieces moved" in said("old_days", back=True)
    assert [each.tablespace for each in of_house(house)] == [""] * len(before)
    assert execute("SELECT * FROM ledger_event WHERE position < 5 ORDER BY 1") == [
        row for row in rows if row[2] < 5
    ]


def frozen(piece: str, since: str) -> tuple[bool, bool]:
    """
    Whether all of its pages are said to be visible to all, and its rows were frozen since then.

    :param since: a transaction's id. All tests of the server use them up, so their number says
        nothing.
    """
    [[visible, frozen_since]] = execute(
        "SELECT relallvisible = relpages AND relpages > 0, age(relfrozenxid) <= age(%s::xid)"
        " FROM pg_class WHERE oid = %s::regclass",
        [since, f"partitions.{piece}"],
    )
    return visible, frozen_since


def said(*words: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


def test_what_cannot_be_moved_says_why(house: House) -> None:
    with pytest.raises(CommandError, match="no tablespace nowhere: CREATE TABLESPACE"):
        said("old_days", to="nowhere")
    assert f"{of_house(house)[0].name}: positions 0 to {STEP - 1}, " in said("old_days")
