"""
What the rendered manifests say is started as processes: migrated, played at, replaced, compared.

There is no cluster: no scheduler, no ingress controller, no policies. See `kubelet` for what is
done in its place.
"""

from __future__ import annotations

import json
import shutil
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import psycopg
import pytest

from tests import services
from tests.scale.kubernetes.cluster import Cluster, Players, figures, written_since
from tests.scale.kubernetes.kubelet import Ingress
from tests.scale.kubernetes.manifests import NO_KUBECTL
from tests.test_production import documented_sql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.scale.kubernetes.kubelet import Pod

pytestmark = [pytest.mark.long, pytest.mark.once, pytest.mark.processes]

BEHIND: Final = ("worker-play", "worker-signing", "worker-long", "beat")
PAGES, METRICS = 8000, 9464  # ports of web
PLAYED: Final = 8.0  # seconds of play between two changes
LATE: Final = 3.0  # seconds after which it is known that a Pod goes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if shutil.which("kubectl") is None:
        pytest.skip(NO_KUBECTL)
    with ExitStack() as stack:
        try:
            superuser = stack.enter_context(services.postgresql())
            redis = stack.enter_context(services.redis())
        except services.NotStarted as reason:
            pytest.skip(f"no PostgreSQL or Redis of our own: {reason}")
        with psycopg.connect(superuser, autocommit=True) as connection:
            for statement in documented_sql():
                connection.execute(statement.encode())
        made = Cluster(tmp_path_factory.mktemp("cluster"), superuser, redis)
        stack.callback(made.end)
        yield made


@dataclass
class House:
    """What runs, and what clients have to know."""

    cluster: Cluster
    web: Pod
    behind: dict[str, Pod]
    known: dict[str, Any]
    ingress: Ingress

    @property
    def id(self) -> str:
        return str(self.known["houses"][0]["house"])


def test_a_house_is_migrated_played_at_and_replaced_and_nothing_is_lost(cluster: Cluster) -> None:
    began = time.time()
    house = come_up(cluster)
    with Players(cluster, house.known, house.ingress.port, 2) as players:
        time.sleep(PLAYED)
        seconds = replaced_web(house)
        statuses = replaced_behind(house)
        time.sleep(PLAYED)
        counted_is_what_happened(house)
        assert players.end() == [0, 0]

    assert set(statuses.values()) == {0}, statuses
    assert seconds > 10  # its preStop
    assert house.ingress.failed == []  # nobody who asked was left without an answer
    acknowledged_is_recorded(house, players)
    assert written_since(began) == []  # root file systems are read-only
    logs = "".join(each.log.read_text(errors="replace") for each in cluster.pods)
    assert "-PASSWORD" not in logs
    assert {each.end()[0] for each in cluster.pods if each.running} == {0}


def come_up(cluster: Cluster) -> House:
    """As docs/scale/kubernetes.md starts it; web comes too early, which does no harm."""
    cluster.collected()
    web = cluster.pod("Deployment", "web").wait_until("startupProbe")
    assert not web.answers("readinessProbe")  # no request reaches who has no tables
    for _ in range(2):  # the second finds nothing to do
        migration = cluster.pod("Job", "migrate")
        assert migration.wait_until_done() == 0, migration.last_words()
    web.wait_until_ready()
    known = json.loads(cluster.run("-m", "tests.faults.founding", "1", beside=web))
    behind = {name: cluster.pod("Deployment", name) for name in BEHIND}
    second = cluster.pod("Deployment", "beat")
    cluster.run("manage.py", "ledger_keys", "--make", beside=behind["worker-signing"])
    for each in (*behind.values(), second):
        each.wait_until_ready()
    ingress = Ingress(cluster.host)
    ingress.endpoints = [web.ports[PAGES]]
    return House(cluster, web, behind, known, ingress)


def replaced_web(house: House) -> float:
    """A new Pod comes; once it is ready the old one goes. How many seconds that took."""
    old, new = house.web, house.cluster.pod("Deployment", "web").wait_until_ready()
    house.ingress.endpoints.append(new.ports[PAGES])

    def endpoints_change() -> None:
        time.sleep(LATE)  # until then it still gets requests
        house.ingress.endpoints = [new.ports[PAGES]]

    status, seconds = old.end(meanwhile=endpoints_change)
    assert status == 0, old.last_words()
    house.web = new
    return seconds


def replaced_behind(house: House) -> dict[str, int]:
    """Workers and a beat, one after the other; with what status each went."""
    statuses = {}
    for name, old in house.behind.items():
        house.behind[name] = house.cluster.pod("Deployment", name).wait_until_ready()
        statuses[old.name] = old.end()[0]
    return statuses


def counted_is_what_happened(house: House) -> None:
    web, worker = house.web.ports[METRICS], house.behind["worker-play"].ports[METRICS]
    whole, counted = figures(web, "/metrics/installation"), figures(web, "/metrics")
    served = 'home_throw_tasks_total{outcome="success",task="casino.subscriptions.tasks.serve"}'

    assert whole["home_throw_ledger_events_total"] > 0
    assert whole["home_throw_beat_holders_total"] >= 1
    assert any(name.startswith("home_throw_commands_total") for name in counted)
    assert figures(worker, "/metrics")[served] > 0


def acknowledged_is_recorded(house: House, players: Players) -> None:
    """Everything is read to its end; every acknowledged command is there; every round is paid."""
    for what in ("drained", "checked"):
        command = ("-m", "tests.faults.audit", what, str(players.folder), house.id)
        looked = json.loads(house.cluster.run(*command, beside=house.web))
        assert looked["problems"] == {}, looked
    print(json.dumps(looked["figures"]))  # noqa: T201 - shown with -s
    assert looked["figures"]["rounds"] > 0
    behind = figures(house.web.ports[METRICS], "/metrics/installation")
    assert behind['home_throw_subscription_lag_events{subscriber="settlement"}'] == 0
