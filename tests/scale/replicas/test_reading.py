"""
What is read from a replica, with a second connection to the same server in the place of one.

What a standby does that is behind, dies or is in conflict: test_standby.py, in the long form.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import OperationalError, connection, connections
from django.http import Http404, StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.engine.scale.replicas import middleware, place, reading, servers
from casino.engine.scale.replicas.servers import Where
from casino.house.establishments.models import Table
from casino.kit.web.jobs import running
from casino.office.monitoring import checks
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.reading import Period
from tests.support import access, builders
from tests.support.addressed_house import furnished
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = [
    pytest.mark.django_db(transaction=True, databases=["default", "reader"]),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no replicas"),
]
REPLICA = "reader"  # read-only, and in tests a mirror of the house's database
PATH = "casino.engine.scale.replicas.middleware.PositionMiddleware"
HOUSE = "api/v1/establishments/<uuid:establishment>/"
FROM_REPLICA = {
    "", "find/", "controls/", "days/", "days/late/", "exceptions/", "what-if/", "settings/changes/",
    "reports/", "reports/<slug:report>/", "reports/prepared/<uuid:preparation>/<slug:form>/",
    "accounts/", "accounts/<slug:kind>/", "approvals/history/", "players/",
    "people/access/", "people/sign-ins/", "dice/entries/", "dice/of/<slug:kind>/<slug:name>/",
    "events/", "events/<int:position>/", "events/<int:position>/body",
    "games/", "games/<uuid:game>/at/", "games/<uuid:game>/at/<int:number>/", "house/at/",
    "scoreboards/", "scoreboards/<slug:game>/",
    "tables/<uuid:table>/at/", "pots/<uuid:game>/at/", "pots/<uuid:game>/lineage/", "dice/",
    *(HOUSE + each for each in (
        "changes/", "days/", "exceptions/", "late/", "players/", "sign-ins/",
        "reports/<slug:report>/", "reports/prepared/<uuid:preparation>/<slug:form>/",
        "scoreboards/<slug:game>/", "surveillance/streams/",
        "surveillance/streams/<slug:kind>/<slug:name>/<int:sides>/",
    )),
}  # fmt: skip
"""Addresses that a replica may be read for."""
OF_PRIMARY = {
    # Who asks, at which house, how they like their lists; what they recorded lately.
    "attendants_attendant", "attendants_employment", "attendants_listpreference", "django_session",
    "establishments_establishment", "ledger_event",
    # Whether a worker is alive, which is of the last seconds; how far the primary is.
    "health_workersign", "pg_control_system",
}  # fmt: skip
"""The tables that their requests read at the primary."""
TABLES = re.compile(r'(?:FROM|JOIN|UPDATE|INTO) "?([a-z_]+)"?')
CHANGES_EACH_TIME = re.compile(
    r'<input type="hidden"[^>]*>|nonce="[^"]*"|<time.*?</time>|\d\d:\d\d:\d\d', re.DOTALL
)


@pytest.fixture(autouse=True)
def _replica(settings: Settings) -> Iterator[None]:
    settings.REPLICAS = (REPLICA,)
    news = settings.MIDDLEWARE.index("casino.floor.tables.news.NewsMiddleware")
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:news], PATH, *settings.MIDDLEWARE[news:]]
    servers.COUNTED.clear()
    servers.forget_rests()
    yield
    connections[REPLICA].close()


@pytest.fixture
def house() -> House:
    return builders.house()


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    assert client.get(reverse("me")).status_code == HTTPStatus.OK  # tells the position
    return client


@contextmanager
def asked(house: House) -> Iterator[reading.Seen]:
    """A request of somebody who has seen all that there is."""
    del house
    seen = reading.Seen(servers.primary().position)
    token = reading.SEEN.set(seen)
    try:
        yield seen
    finally:
        reading.SEEN.reset(token)


def read(house: House, what: Callable[[], Any]) -> Any:
    with asked(house):
        return place.page(what, house=house.id, person=house.manager.pk)


@pytest.mark.long
def test_what_is_declared_and_nothing_else_is_read_there() -> None:
    """None of these pages writes, and of what it shows none reads anything from the primary."""
    world = furnished()
    client = signed_in(world.house.manager)
    found, asked_of_primary = set(), set()
    for address in access.addresses():
        if not access.DECISIONS[address.route].get or address.route in access.OF_CHAINS:
            continue
        before = servers.reading_counts(REPLICA)
        with CaptureQueriesContext(connections["default"]) as queries:
            client.get(address.path(world.arguments))
        if servers.reading_counts(REPLICA) != before:
            found.add(address.route)
            asked_of_primary |= {table for each in queries for table in TABLES.findall(each["sql"])}

    assert servers.COUNTED.keys() == {(REPLICA, Where.REPLICA)}
    assert found == FROM_REPLICA
    assert asked_of_primary == OF_PRIMARY


@pytest.mark.parametrize("path", ["/", "/settings/changes/", "/events/", "/reports/fees/"])
def test_a_page_is_the_same_from_there(house: House, path: str, settings: Settings) -> None:
    client = signed_in(house.manager)

    with time_machine.travel(timezone.now(), tick=False):  # the start page has a mark of its time
        there = client.get(path)
        settings.REPLICAS = ()
        here = client.get(path)

    assert servers.COUNTED == {(REPLICA, Where.REPLICA): 1}
    assert there.status_code == HTTPStatus.OK
    assert plain(there.text) == plain(here.text)


def plain(page: str) -> str:
    return CHANGES_EACH_TIME.sub("", page)


def test_whoever_writes_there_is_refused_and_written_down(house: House) -> None:
    """The page is read once more from the primary; that it was declared wrongly is counted."""

    def adds_a_table() -> str:
        Table.objects.create(establishment=house.establishment, name="The window")
        return place.source()

    assert read(house, adds_a_table) == ""
    assert servers.COUNTED == {(REPLICA, Where.WROTE): 1}
    assert Table.objects.filter(name="The window").count() == 1


def test_a_block_may_use_the_primary(house: House) -> None:
    def keeps_something() -> tuple[str, int]:
        with place.on_primary():
            assert place.source() == ""
            Table.objects.create(establishment=house.establishment, name="The window")
        return place.source(), Table.objects.filter(name="The window").count()

    assert read(house, keeps_something) == (REPLICA, 0)  # its snapshot is from before
    assert place.source() == ""


# fmt: off
FAILS = [
    (OperationalError("canceling statement due to conflict with recovery"), Where.FAILED),
    (Http404("not yet"),                                                    Where.ABSENT),
    (Table.DoesNotExist(),                                                  Where.ABSENT),
    (place.Doubted(),                                                       Where.DOUBTED),
]
# fmt: on


@pytest.mark.parametrize(("error", "counted"), FAILS)
def test_what_fails_there_is_read_once_more_from_the_primary(
    house: House, error: Exception, counted: Where
) -> None:
    tries = []

    def fails_there() -> str:
        tries.append(place.source())
        if place.source():
            raise error
        return "whole"

    assert read(house, fails_there) == "whole"
    assert tries == [REPLICA, ""]
    assert {(REPLICA, counted): 1} == servers.COUNTED


def test_an_error_of_the_page_itself_is_no_reason_to_read_it_twice(house: House) -> None:
    def refuses() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(house, refuses)


def test_a_response_that_is_read_while_it_is_sent_is_refused(house: House) -> None:
    with pytest.raises(TypeError, match="while it is sent"):
        read(house, lambda: StreamingHttpResponse(iter(["a"])))


def test_a_replica_that_does_not_answer_is_left_alone_for_a_while(
    house: House, settings: Settings
) -> None:
    settings.REPLICAS = ("replica-of-nobody", REPLICA)
    closed = connections["default"].copy(alias="replica-of-nobody")
    closed.settings_dict = {**closed.settings_dict, "PORT": "1"}
    connections["replica-of-nobody"] = closed

    found = [read(house, place.source) for _ in range(4)]

    assert found == [REPLICA] * 4
    assert servers.COUNTED["replica-of-nobody", Where.DOWN] == 2
    del connections["replica-of-nobody"]


def test_whoever_brings_no_position_reads_from_the_primary_and_gets_one(house: House) -> None:
    client = Client()
    client.force_login(house.manager)

    client.get("/settings/changes/")
    first = dict(servers.COUNTED)
    client.get("/settings/changes/")

    assert first == {(REPLICA, Where.UNKNOWN): 1}
    assert servers.COUNTED == {(REPLICA, Where.UNKNOWN): 1, (REPLICA, Where.REPLICA): 1}
    kept = client.cookies[middleware.COOKIE]
    assert (kept["httponly"], kept["samesite"]) == (True, "Lax")


def test_a_program_says_what_it_has_seen_in_a_header(house: House) -> None:
    client = builders.client(house.manager)
    address = f"/api/v1/establishments/{house.id}/changes/"

    told = client.get(address).headers[middleware.HEADER]
    client.get(address, headers={middleware.HEADER: told})

    assert servers.COUNTED == {(REPLICA, Where.UNKNOWN): 1, (REPLICA, Where.REPLICA): 1}
    assert middleware.COOKIE not in client.cookies


def test_health_says_how_far_each_is_and_what_was_read_there(house: House) -> None:
    read(house, place.source)

    [found] = checks.replicas().figures["replicas"]

    assert (found["replica"], found["says"]) == (REPLICA, "")
    assert found["behind"] >= 0  # bytes of the whole server's log: others may write to it just now
    assert found["counted"] == {"replica": 1}


def test_whoever_is_nobody_is_told_nothing() -> None:
    answer = Client().get("/sign-in/")

    assert middleware.COOKIE not in answer.cookies


def test_the_steps_of_a_regrade_read_there_but_stop_payouts_by_the_primary(house: House) -> None:
    game = builders.opened(house, stake=7, players=["Ada", "Bruno"])
    builders.put(house, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 2, 2, 4))
    builders.settled(house)
    Payout.objects.filter(establishment=house.establishment).update(amount=999)
    run = runs.begin(house=house.establishment, period=Period(), now=NOW)

    while running.advance(runs.REGRADE, house.id, run.id, seconds=0):
        pass

    run.refresh_from_db()
    assert run.state == "differs"
    assert house.establishment in payout_holds.houses()
    assert servers.COUNTED[REPLICA, Where.DOUBTED] >= 1
