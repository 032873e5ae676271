"""
Pages from a real streaming standby: one that follows, lags by a minute, is killed, is in conflict.

In the short form: the rules as rows (test_choice.py), and a second connection to the same server
in the place of the standby (test_reading.py).
"""

from __future__ import annotations

import http.client
import json
import secrets
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest

from tests import services
from tests.processes import PATIENCE, ROOT, environment, eventually, free_port, get, started
from tests.scale.replicas.person import PROXY, Person, Program
from tests.scale.replicas.standby import Standby, pair, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,  # it starts servers of its own
    pytest.mark.processes,
]
LAG = 60  # seconds
GUNICORN = ("-m", "gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi")
CHANGES = "/settings/changes/"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


class Place(NamedTuple):
    """A house in production with a standby, and what was founded there."""

    env: Mapping[str, str]
    standby: Standby
    founded: dict[str, Any]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("replicas")
    with pair() as (cluster, url), services.redis() as redis:
        env = environment(
            DATABASE_URL=url, SECRET_KEY=secrets.token_hex(32), ALLOWED_HOSTS="127.0.0.1",
            SECOND_FACTOR="offered", REDIS_URL=redis, WEB_PROCESSES="1",
            LEDGER_KEYS_DIR=str(folder / "keys"), STATIC_ROOT=str(folder / "static"),
            DJANGO_SETTINGS_MODULE="casino.config.settings",
        )  # fmt: skip
        ran(env, "manage.py", "migrate", "--verbosity=0")
        ran(env, "manage.py", "collectstatic", "--noinput", "--verbosity=0")
        founded = json.loads(ran(env, "-m", "tests.faults.founding", "1"))
        standby = Standby(cluster, url)
        yield Place({**env, "DATABASE_REPLICA_URL": standby.url}, standby, founded)
        standby.stop()


def ran(env: Mapping[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@contextmanager
def serving(place: Place, tmp_path: Path) -> Iterator[int]:
    """A web process on a port; it knows nothing of the standby yet."""
    port, log = free_port(), tmp_path / "web.log"
    env = {**place.env, "WEB_BIND": f"127.0.0.1:{port}"}
    with started(sys.executable, *GUNICORN, env=env, output=log) as web:
        eventually(lambda: get(port, "/healthz/web", **PROXY)[0] == http.client.OK, web, log)
        yield port


def replica(port: int) -> dict[str, Any]:
    """What health says of the standby."""
    _status, found = get(port, "/healthz", **PROXY)
    [one] = found["parts"]["replicas"]["figures"]["replicas"]
    return dict(one)


def read_where(port: int, person: Person, path: str) -> tuple[str, str]:
    """Where a page was read, by what this process counted for it; and its text."""
    before = replica(port)["counted"]
    page = person.opens(path)
    assert page.status == http.client.OK
    after = replica(port)["counted"]
    [where] = [name for name, often in after.items() if often != before.get(name, 0)]
    return where, page.text


def reaches(position: str, person: Person) -> bool:
    """Whether a position is no less than the one that a browser holds."""
    segment, offset = (int(part, 16) for part in position.split("/"))
    held = person.cookies["__Host-position"].partition("-")[2].partition(":")[0]
    return (segment << 32) + offset >= int(held, 16)


def signed_in(place: Place, port: int, *names: str) -> list[Person]:
    return [Person(port).signs_in(name, place.founded["password"]) for name in names]


def adds_a_table(person: Person, name: str) -> None:
    page = person.fills("/settings/tables/new/", name=name)
    assert page.status == http.client.FOUND, page.text[-3000:]


def test_nobody_sees_less_than_they_did_at_a_standby_that_lags_by_a_minute(
    place: Place, tmp_path: Path
) -> None:
    standby = place.standby
    standby.start()
    with serving(place, tmp_path) as port:
        orso, ines, elsewhere = signed_in(place, port, "orso", "ines", "orso")
        program = Program(port, place.founded["manager"])
        house = place.founded["houses"][0]["house"]
        address = f"/api/v1/establishments/{house}/changes/"
        _found, headers = program.gets(address)
        standby.caught_up()
        assert [read_where(port, each, CHANGES)[0] for each in (orso, ines, elsewhere)] == (
            ["replica"] * 3
        )
        standby.stop()
        standby.start(lag=LAG)

        adds_a_table(orso, "The window")
        acted = time.monotonic()

        where, text = read_where(port, orso, CHANGES)
        assert (where, "The window" in text) == ("behind", True)
        where, text = read_where(port, ines, CHANGES)
        assert (where, "The window" in text) == ("replica", False)
        # The same person at another device, which has not seen that.
        where, text = read_where(port, elsewhere, CHANGES)
        assert (where, "The window" in text) == ("own", True)
        # What is live she reads from the primary, and then she does not go back.
        assert "The window" in ines.opens("/settings/tables/").text
        where, text = read_where(port, ines, CHANGES)
        assert (where, "The window" in text) == ("behind", True)
        # A program that says nothing of what it has seen, and one that does.
        assert "Home-Throw-Position" in program.gets(address)[1]
        seen = {"Home-Throw-Position": headers["Home-Throw-Position"]}
        before = replica(port)["counted"]
        program.gets(address, **seen)  # the manager's own, who is orso
        assert replica(port)["counted"]["own"] == before["own"] + 1

        # Each page from the primary is news to him: while he looks, he is ahead of the standby.
        eventually(lambda: reaches(replica(port)["position"], orso))

        assert LAG - 5 < time.monotonic() - acted < LAG + PATIENCE
        where, text = read_where(port, orso, CHANGES)
        assert (where, "The window" in text) == ("replica", True)
    standby.stop()


def test_a_standby_that_is_killed_is_missed_by_nobody(place: Place, tmp_path: Path) -> None:
    standby = place.standby
    standby.start()
    with serving(place, tmp_path) as port:
        [orso] = signed_in(place, port, "orso")
        standby.caught_up()
        assert read_where(port, orso, CHANGES)[0] == "replica"

        standby.kill()

        began = time.monotonic()
        assert orso.opens(CHANGES).status == http.client.OK
        assert time.monotonic() - began < 5
        found = replica(port)
        assert found["counted"].get("failed", 0) + found["counted"].get("down", 0) == 1
        assert found["position"] is None
        assert get(port, "/healthz", **PROXY)[0] == http.client.SERVICE_UNAVAILABLE
        assert get(port, "/healthz/web", **PROXY)[0] == http.client.OK

        standby.start()
        standby.caught_up()
        eventually(lambda: read_where(port, orso, CHANGES)[0] == "replica")
    standby.stop()


def test_a_page_that_is_in_the_way_of_the_log_is_read_from_the_primary(
    place: Place, tmp_path: Path
) -> None:
    """
    A page at the standby waits for a table that a transaction of the primary holds, and holds one
    itself that the same transaction wants next: the standby ends it, to go on.
    """
    standby = place.standby
    standby.start(max_standby_streaming_delay="0")
    with serving(place, tmp_path) as port, ThreadPoolExecutor() as beside:
        [orso] = signed_in(place, port, "orso")
        standby.caught_up()
        assert read_where(port, orso, CHANGES)[0] == "replica"

        with psycopg.connect(place.env["DATABASE_URL"]) as transaction:
            transaction.execute("LOCK establishments_change")
            written_out(standby)
            page = beside.submit(read_where, port, orso, CHANGES)
            eventually(lambda: rows(standby.url, WAITS) == [(1,)])
            transaction.execute("LOCK ledger_event")
            written_out(standby)
            eventually(lambda: rows(standby.url, WAITS) == [(0,)])

        where, text = page.result(PATIENCE)
        assert (where, "The window" in text) == ("failed", True)
        assert read_where(port, orso, CHANGES)[0] == "replica"
        conflicts = "SELECT sum(confl_lock)::int FROM pg_stat_database_conflicts"
        eventually(lambda: rows(standby.url, conflicts) == [(1,)])
    standby.stop()


def written_out(standby: Standby) -> None:
    """Commit something, so that all written before it reaches the standby."""
    rows(standby.primary, "CREATE TABLE IF NOT EXISTS of_this_test (); DROP TABLE of_this_test")


def test_a_standby_that_was_promoted_goes_its_own_way_and_is_not_read(
    place: Place, tmp_path: Path
) -> None:
    """The last test of this file: it is no standby afterwards."""
    standby = place.standby
    standby.start()
    with serving(place, tmp_path) as port:
        [orso] = signed_in(place, port, "orso")
        standby.caught_up()
        assert read_where(port, orso, CHANGES)[0] == "replica"

        rows(standby.url, "SELECT pg_promote()")
        rows(standby.url, "UPDATE establishments_establishment SET name = 'Of nobody'")

        where, text = read_where(port, orso, CHANGES)
        assert (where, "Of nobody" in text) == ("down", False)
        assert replica(port)["says"] == "It is no standby."
    standby.stop()
