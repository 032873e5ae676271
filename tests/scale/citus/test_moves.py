"""A house moves, servers die and come back, while attendants play: nothing lost, nothing twice."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import Client

from bench.memory import tree
from casino.engine.scale.distribution import moves, servers
from casino.office.monitoring import checks
from ledger import money
from ledger.models import CommandReceipt, Event
from tests.scale.citus import cluster
from tests.support import builders
from tests.support.processes import Player, Site, caught_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
NOT_KNOWN = "Not known while a server does not answer."
MANY = 10  # commands that somebody is answered at least
PLAYING = 2.0  # seconds before and after what happens


@pytest.fixture
def nodes() -> cluster.Cluster:
    return cluster.attached()


@contextmanager
def played(site: Site, house: House, *, tables: int = 2) -> Iterator[list[dict[str, Any]]]:
    """While it lasts somebody plays at each table; what came of it is there afterwards."""
    answers: list[dict[str, Any]] = []
    with site.worker(), site.beat():
        players = [
            Player(site, house=house.id, table=table, seed=table, pause=0.02)
            for table in range(tables)
        ]
        try:
            for player in players:
                player.ready()
            for player in players:
                player.go()
            time.sleep(PLAYING)
            yield answers
            time.sleep(PLAYING)
            answers += [player.ended() for player in players]
            until(lambda: caught_up(house))
            nothing_lost(house, answers)
        finally:
            for player in players:
                player.__exit__()


def until(holds: Callable[[], bool], patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def nothing_lost(house: House, answers: list[dict[str, Any]]) -> None:
    """Whatever a player was answered is in the ledger, once: its id is unique there."""
    receipts = CommandReceipt.objects.filter(establishment=house.id)
    there = {str(each) for each in receipts.values_list("command_id", flat=True)}
    for answer in answers:
        assert len(answer["acknowledged"]) > MANY
        assert set(answer["acknowledged"]) <= there


def sound(house: House) -> None:
    """Every event once, every coin where its transfers say, every projection as its events."""
    positions = Event.objects.filter(establishment=house.id).order_by("position")
    found = list(positions.values_list("position", flat=True))
    assert found == list(range(len(found)))
    receipts = CommandReceipt.objects.filter(establishment=house.id).order_by("seq")
    assert list(receipts.values_list("seq", flat=True)) == list(range(receipts.count()))
    assert money.differences(establishment=house.id) == {}
    call_command("rebuild", "--check", f"--establishment={house.id}", stdout=io.StringIO())


def elsewhere(nodes: cluster.Cluster, at: moves.HousePlace) -> int:
    [port] = [node.port for node in nodes.workers if node.port != at.port]
    return port


@pytest.mark.parametrize("time", range(3))
def test_a_house_moves_while_it_plays(place: Site, nodes: cluster.Cluster, time: int) -> None:
    del time
    house, beside = builders.house(), builders.house()
    to = elsewhere(nodes, moves.find_place(connection, house.id))

    with played(place, house) as answers:
        said = io.StringIO()
        call_command("move_house", str(house.id), to=f"127.0.0.1:{to}", stdout=said)

    at = moves.find_place(connection, house.id)
    assert at.port == to
    assert f"127.0.0.1:{to}" in said.getvalue()
    assert [each["failures"] for each in answers] == [[], []]
    sound(house)
    sound(beside)


def test_a_house_gets_a_shard_of_its_own_while_it_plays(place: Site) -> None:
    house, beside = builders.house(), builders.house()

    with played(place, house) as answers:
        call_command("move_house", str(house.id), alone=True, stdout=io.StringIO())

    assert moves.find_place(connection, house.id).alone
    assert [each["failures"] for each in answers] == [[], []]
    sound(house)
    sound(beside)


def test_a_server_dies_and_comes_back(place: Site, nodes: cluster.Cluster) -> None:
    """What was acknowledged is there; what was refused meanwhile is not; then play goes on."""
    house = builders.house()
    at = moves.find_place(connection, house.id)
    [server] = [node for node in nodes.workers if node.port == at.port]

    with played(place, house) as answers:
        server.stop(signal.SIGKILL)
        said = checks.servers()
        time.sleep(1)
        server.start()

    assert any(each["failures"] for each in answers)
    [number] = [each for each, address in servers.addresses(connection).items()
                if address == f"127.0.0.1:{at.port}"]  # fmt: skip
    assert said.says == f"Server {number}: It does not answer. Houses on it: 1."
    assert (said.ok, checks.servers().ok) == (False, True)
    sound(house)
    until(lambda: not any(prepared(node) for node in nodes.nodes))


def test_a_server_that_hangs_is_told_of_and_anybody_is_told_no_address(
    nodes: cluster.Cluster,
) -> None:
    [first, other] = nodes.workers
    assert checks.servers().ok

    def hung(how: signal.Signals) -> None:
        """All of its processes, those that answer sessions, too."""
        pid = (first.folder / "data" / "postmaster.pid").read_text().split()[0]
        for each in tree(int(pid)):
            with suppress(ProcessLookupError):  # it ends meanwhile
                os.kill(each, how)

    hung(signal.SIGSTOP)
    try:
        said = checks.servers()
        parts = Client().get("/healthz").json()["parts"]
    finally:
        hung(signal.SIGCONT)

    assert not said.ok
    # Which it is depends on whether the coordinator has a connection to it already.
    assert re.fullmatch(
        r"A server takes connections and does not answer\."
        r"|Server \d+: It does not answer\. Houses on it: \d+\.",
        said.says,
    )
    assert str(first.port) not in json.dumps(parts) + said.says
    # What asks every server would wait for this one, and is left out: the coordinator's own is not.
    asking_all = {name for name, part in parts.items() if part["says"] == NOT_KNOWN}
    assert asking_all == {"subscriptions", "regrade", "integrity", "payouts"}
    assert parts["database"]["ok"]
    until(lambda: checks.servers().ok)
    with pytest.raises(CommandError, match="not well"):  # nobody works in this house
        call_command("health", stdout=(out := io.StringIO()))
    assert f"is 127.0.0.1:{other.port}" in out.getvalue()


def prepared(node: cluster.Node) -> int:
    """How many transactions are prepared on a server and neither committed nor rolled back."""
    left = "SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"
    [[count]] = node.run(left, connection.settings_dict["NAME"])
    return int(count)


def test_the_coordinator_dies_and_comes_back(place: Site, nodes: cluster.Cluster) -> None:
    house = builders.house()

    with played(place, house) as answers:
        nodes.coordinator.stop(signal.SIGKILL)
        connections.close_all()
        said = checks.run_check(checks.servers)
        time.sleep(1)
        nodes.coordinator.start()
        connections.close_all()

    assert any(each["failures"] for each in answers)
    assert said == checks.Finding(ok=False, says="The database does not answer.")
    sound(house)


def test_a_house_goes_only_where_the_cluster_is(nodes: cluster.Cluster) -> None:
    house = builders.house()
    nowhere = nodes.coordinator.port

    with pytest.raises(CommandError, match="is no server of this cluster"):
        call_command("move_house", str(house.id), to=f"127.0.0.1:{nowhere}", stdout=io.StringIO())
