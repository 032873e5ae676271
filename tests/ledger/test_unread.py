"""The list that sweeps go through: who lags is on it, and who is quiet costs nothing."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from ledger import journal, lag, subscriptions
from ledger.models import Subscription, Unread
from ledger.subscriptions import Subscriber
from tests.ledger.building import HOUSE, OTHER_HOUSE, appended, entry, event
from tests.processes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

pytestmark = pytest.mark.django_db


def reader(name: str) -> Subscriber:
    return Subscriber(name=name, handle=lambda _event, _versions: ())


READERS = (reader("settlement"), reader("projections"))
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer at a time."
)


def everybody_reads(house: UUID = HOUSE) -> int:
    for each in READERS:
        subscriptions.advance(each, establishment=house)
    return journal.head(establishment=house)


def rests(house: UUID = HOUSE, *, head: int | None = None) -> bool:
    found = journal.head(establishment=house) if head is None else head
    return lag.rest_of_list(house, READERS, head=found)


def behind(*names: str) -> list[tuple[UUID, str]]:
    asked = [each for each in READERS if each.name in (names or {"settlement", "projections"})]
    return [(each.establishment, each.subscription) for each in lag.lagging(asked)]


def test_a_house_is_on_the_list_from_its_first_event_until_everybody_has_read() -> None:
    assert lag.unread_houses() == []
    appended("game/1", events=3)

    assert lag.unread_houses() == [HOUSE]
    assert not rests()
    subscriptions.advance(READERS[0], establishment=HOUSE)
    assert not rests()
    assert behind() == [(HOUSE, "projections")]
    head = everybody_reads()

    assert lag.read_list(READERS) == {HOUSE: head}
    assert rests()
    assert lag.unread_houses() == []
    assert not rests()  # twice does nothing


def test_the_next_event_puts_it_on_the_list_again() -> None:
    appended("game/1")
    everybody_reads()
    rests()

    appended("game/2")

    assert lag.unread_houses() == [HOUSE]
    assert behind() == [(HOUSE, "projections"), (HOUSE, "settlement")]


def test_a_refusal_says_nothing_that_anybody_reads() -> None:
    appended("game/1")
    everybody_reads()
    rests()

    journal.append(establishment=HOUSE, entries=[entry({"game/1": 1})])

    assert lag.unread_houses() == []


def test_nothing_is_written_to_the_list_while_a_house_plays() -> None:
    appended("game/1")
    row = "SELECT ctid, xmin FROM ledger_unread" if ON_POSTGRESQL else "SELECT * FROM ledger_unread"
    before = asked(row)

    for number in range(5):
        appended(f"game/2{number}")

    assert asked(row) == before


ON_POSTGRESQL = connection.vendor == "postgresql"


def asked(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [tuple(map(str, row)) for row in cursor.fetchall()]


def test_what_happened_since_the_caller_looked_keeps_a_house_on_the_list() -> None:
    appended("game/1")
    head = everybody_reads()
    appended("game/2")
    everybody_reads()

    assert not rests(head=head)
    assert lag.unread_houses() == [HOUSE]


@pytest.mark.parametrize("put_back", [
    lambda: subscriptions.begin_anew(READERS[1], establishment=HOUSE),
    lambda: Subscription.objects.filter(name="projections").update(position=-1),
])  # fmt: skip
def test_a_cursor_that_is_put_back_puts_its_house_on_the_list(put_back: Callable[[], Any]) -> None:
    appended("game/1")
    everybody_reads()
    rests()

    put_back()

    assert behind() == [(HOUSE, "projections")]
    everybody_reads()
    assert rests()


def test_a_subscriber_that_is_new_is_found_in_every_house_by_the_look_over() -> None:
    for house in (HOUSE, OTHER_HOUSE):
        journal.append(establishment=house, entries=[entry({"game/1": 0}, [event()])])
        everybody_reads(house)
        assert rests(house)
    new = reader("new with this version")

    assert lag.lagging([*READERS, new]) == []
    assert lag.look_over_list([*READERS, new]) == [HOUSE, OTHER_HOUSE]
    assert lag.look_over_list([*READERS, new]) == []
    assert [each.subscription for each in lag.lagging([*READERS, new])] == [new.name] * 2


def test_a_sweep_asks_for_nothing_of_houses_that_are_not_on_the_list() -> None:
    """In rows, not in seconds: the plan begins with the list."""
    statement = lag.LAGGING.format(names="('settlement')", **lag.LISTED)
    explain = "EXPLAIN " if ON_POSTGRESQL else "EXPLAIN QUERY PLAN "

    plan = str(asked(explain + statement))

    assert "ledger_event_begun" not in plan
    assert "SCAN house" in plan or "ledger_unread" in plan


def test_putting_a_house_on_the_list_twice_does_nothing() -> None:
    lag.put_on_list([HOUSE, OTHER_HOUSE])
    lag.put_on_list([HOUSE])

    assert lag.unread_houses() == [HOUSE, OTHER_HOUSE]
    Unread.objects.all().delete()


# --- At the same time -----------------------------------------------------------------------------


def meanwhile(work: Callable[[], object]) -> Thread:
    def alone() -> None:
        work()
        connections.close_all()

    thread = Thread(target=alone)
    thread.start()
    return thread


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_an_event_that_is_not_committed_yet_keeps_its_house_on_the_list() -> None:
    appended("game/1")
    everybody_reads()
    wrote, goes_on = Event(), Event()

    def appends() -> None:
        with transaction.atomic():
            appended("game/2")
            wrote.set()
            goes_on.wait(PATIENCE)

    other = meanwhile(appends)
    assert wrote.wait(PATIENCE)
    off = rests()  # by what is committed, everybody has read everything
    goes_on.set()
    other.join(PATIENCE)

    assert not off
    assert behind() == [(HOUSE, "projections"), (HOUSE, "settlement")]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_cursor_put_back_at_the_same_moment_keeps_its_house_on_the_list() -> None:
    appended("game/1")
    everybody_reads()
    wrote, goes_on = Event(), Event()

    def puts_back() -> None:
        with transaction.atomic():
            Subscription.objects.filter(name="projections").update(position=-1)
            wrote.set()
            goes_on.wait(PATIENCE)

    other = meanwhile(puts_back)
    assert wrote.wait(PATIENCE)
    off = rests()
    goes_on.set()
    other.join(PATIENCE)

    assert not off
    assert behind() == [(HOUSE, "projections")]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_who_takes_a_house_off_waits_for_nobody_and_an_append_then_puts_it_back() -> None:
    appended("game/1")
    everybody_reads()
    took, goes_on = Event(), Event()

    def takes_off() -> None:
        with transaction.atomic():
            assert rests()
            took.set()
            goes_on.wait(PATIENCE)

    other = meanwhile(takes_off)
    assert took.wait(PATIENCE)
    late = meanwhile(lambda: appended("game/2"))
    late.join(0.2)
    assert late.is_alive()  # behind the lock of the house
    goes_on.set()
    other.join(PATIENCE)
    late.join(PATIENCE)

    assert behind() == [(HOUSE, "projections"), (HOUSE, "settlement")]


@on_postgresql
def test_the_role_that_runs_the_house_takes_nothing_off_by_itself() -> None:
    appended("game/1")
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE runs_the_house")
        cursor.execute("GRANT SELECT, INSERT, UPDATE ON ledger_unread TO runs_the_house")
        cursor.execute("SET LOCAL ROLE runs_the_house")
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            cursor.execute("DELETE FROM ledger_unread")
        cursor.execute("RESET ROLE")
