"""
The primary dies while people play: a standby takes over, and nothing that was answered is lost.

In the short form what a process does then is tried without a cluster: `tests/engine` has a server
that takes no writes any more, several hosts (`test_sessions.py`), and what is forgotten
(`test_forgetting.py`).
"""

from __future__ import annotations

import json
import secrets
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.faults import servers
from tests.scale.high_availability import cluster, house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.faults.houses import House

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,  # it starts servers of its own
    pytest.mark.processes,
    pytest.mark.skipif(bool(cluster.missing()), reason=cluster.missing()),
]
PLAYING = 6.0  # seconds before and after a switch
GOES_ON = 60.0  # seconds; measured, a host that dies costs some ten, a server seven


@contextmanager
def house_of(members: cluster.Cluster, folder: Path) -> Iterator[House]:
    """Houses in a database of the cluster, with two roles as in production."""
    secret = {role: secrets.token_hex(16) for role in (servers.RUNTIME, servers.OWNER)}
    members.run(
        *(f"CREATE ROLE {role} LOGIN PASSWORD '{word}'" for role, word in secret.items()),
        f"CREATE DATABASE home_throw OWNER {servers.OWNER}",
    )
    runtime, owner = (
        members.url("home_throw", f"{role}:{secret[role]}")
        for role in (servers.RUNTIME, servers.OWNER)
    )
    with house.running(folder, runtime=runtime, owner=owner) as made:
        yield made


@pytest.mark.parametrize("dies", ["host", "server"])
def test_play_goes_on_at_a_standby(
    dies: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = house.run(tmp_path)
    with cluster.running() as members, house_of(members, tmp_path) as made:
        with run.played(made) as keepers:
            time.sleep(PLAYING)
            before = members.leader()
            killed = time.monotonic()
            before.kill() if dies == "host" else before.kill_server()
            cluster.until(lambda: members.primary not in {None, before}, members.said)
            taken_over = time.monotonic() - killed
            time.sleep(PLAYING)
            if dies == "host":
                before.start()
            cluster.until(members.streams, members.said)  # the old one came back as a standby
            time.sleep(PLAYING)
        silence, longest = house.longest_silence(run.told(made), killed)
        notes = [line for each in keepers for line in each.kept.read_text().splitlines()]
        verified = made.run("manage.py", "verify_ledger")

    with capsys.disabled():
        print(  # noqa: T201 - figures that no bound is set to
            f"\n{dies} killed: another member after {taken_over:.1f} s, nobody was answered for"
            f" {silence:.1f} s, the longest wait was {longest:.1f} s; {run.figures}"
        )
    assert run.problems == {}
    assert silence < GOES_ON
    assert verified.returncode == 0, verified.stdout
    # Nothing that anybody has was lost, so it is the same epoch: no house has another origin.
    origins = {json.loads(line)["note"].partition("\n")[0] for line in notes}
    assert len(origins) == len(made.ids)
