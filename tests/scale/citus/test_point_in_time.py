"""
The servers of a cluster are brought back to one point, as docs/how-to/backup.md has it: on servers
of their own, each with an archive of its own.
"""

from __future__ import annotations

import re
import secrets
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import pytest

from tests.processes import eventually
from tests.scale.citus import cluster
from tests.support.drill import kept, manage, tried
from tests.support.processes import Player
from tests.support.recovery import (
    DOCUMENT,
    OPTIONS,
    ROLES,
    a_house,
    founded,
    head,
    in_recovery,
    installed,
    newest,
    played,
    played_on,
    to_be_recovered,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from uuid import UUID

    from tests.support.processes import Site

pytestmark = pytest.mark.processes

SECTION: Final = DOCUMENT.partition("### Several servers, to one point")[2]
SQL, SETTINGS = re.findall(r"^```\w*\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
SETTING: Final = dict(line.split(" = ", 1) for line in SETTINGS.splitlines())
ARCHIVED: Final = "SELECT last_archived_wal >= %s FROM pg_stat_archiver"
WRITTEN: Final = "SELECT pg_walfile_name(pg_current_wal_lsn())"
WHERE: Final = """
    SELECT nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
    WHERE shardid = get_shard_id_for_distribution_column('ledger_event', %s::uuid)"""


def archives(node: cluster.Node) -> None:
    """As compose.yaml configures one server, with a folder for each."""
    for place in ("archive", "archive/wal", "archive/base"):
        node.program("mkdir", node.folder / place)
    node.options += [each.replace("/archive", str(node.folder / "archive")) for each in OPTIONS]


def backed_up(node: cluster.Node) -> None:
    base = node.folder / "archive" / "base" / "first"
    where = ("--host", "127.0.0.1", "--port", str(node.port), "--username", "postgres")
    node.program("pg_basebackup", "--pgdata", base, "--checkpoint", "fast", *where)
    node.program("pg_verifybackup", base)


def brought_back(node: cluster.Node) -> None:
    node.program("mv", node.folder / "data", node.folder / "lost")
    node.program("cp", "-a", node.folder / "archive" / "base" / "first", node.folder / "data")
    log = SETTING["restore_command"].strip("'").split()[1].rpartition("/")[0]
    assert log == "/archive/worker-1/wal"
    to_be_recovered(
        node.folder / "data",
        str(node.folder / "archive" / "wal"),
        f"recovery_target_name = {SETTING['recovery_target_name']}",
    )
    node.start()


def distributed(at: Site, nodes: cluster.Cluster) -> None:
    """Roles, tables on all servers."""
    password = (at.folder / "password").read_text()
    cluster.make(nodes.ports, "home_throw")
    for role in ROLES:
        nodes.coordinator.run(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'", "home_throw")
    for node in nodes.nodes:
        node.run(f"ALTER DATABASE home_throw OWNER TO {ROLES[0]}")
    installed(at)
    manage(at, "distribute", "--database", "owner", "--shards", "4")


def houses_on_each(at: Site, nodes: cluster.Cluster) -> dict[UUID, str]:
    """A house on each server, with its manager."""
    found: dict[int, UUID] = {}
    while len(found) < len(nodes.workers):
        house = uuid4()
        [(port,)] = nodes.coordinator.run(WHERE, "home_throw", str(house))
        found.setdefault(port, house)
    return founded(at, *found.values())


def says_which_one_keeps_nothing(at: Site, node: cluster.Node) -> None:
    kept = node.folder / "archive" / "wal"
    kept.rename(kept.with_name("away"))
    node.run("SELECT pg_switch_wal()")
    said: list[str] = []

    def told() -> bool:
        said[:] = tried(at, "manage.py", "health", "servers").stdout.splitlines()
        return "The server's log (WAL) was not archived" in said[0]

    eventually(told)
    [number] = [line.split()[1] for line in said[1:] if line.endswith(f":{node.port}")]
    assert f"servers: Server {number}: " in said[0]
    kept.with_name("away").rename(kept)


def archived(node: cluster.Node) -> None:
    """All that the server has written until now."""
    [written] = node.run(WRITTEN)
    node.run("SELECT pg_create_restore_point('after it')")
    node.run("SELECT pg_switch_wal()")
    eventually(lambda: node.run(ARCHIVED, "postgres", *written) == [(True,)])


def played_while_it_is_set(
    at: Site, houses: Iterable[UUID], nodes: cluster.Cluster
) -> dict[UUID, int]:
    """Somebody plays in each house before the point, while it is set, and after it; the heads."""
    with ExitStack() as stack:
        players = [
            stack.enter_context(Player(at, house=house, table=1, seed=7, pause=0.01))
            for house in houses
        ]
        for player in players:
            player.ready()
        for player in players:
            player.go()
        go_on(at, houses)
        for statement in SQL.splitlines():
            nodes.coordinator.run(statement, "home_throw")
        go_on(at, houses)
        assert [player.ended()["failures"] for player in players] == [[], []]
    return {house: head(at, house) for house in houses}


def go_on(at: Site, houses: Iterable[UUID]) -> None:
    """Each house has twenty events more."""
    wanted = {house: head(at, house) + 20 for house in houses}
    eventually(lambda: all(head(at, house) > least for house, least in wanted.items()))


def test_houses_on_two_servers_are_brought_back_to_one_point(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    (folder / "outside").mkdir(parents=True)
    (folder / "password").write_text(secrets.token_hex(8))
    with cluster.running(prepared=archives) as nodes:
        url = nodes.coordinator.url()
        with a_house(folder, url) as at:
            distributed(at, nodes)
            managers = houses_on_each(at, nodes)
            says_which_one_keeps_nothing(at, nodes.workers[0])
            with at.beat(), at.worker():
                for house in managers:
                    played(at, house, table=0)
                for node in nodes.nodes:
                    backed_up(node)
                before = {house: head(at, house) for house in managers}
                after = played_while_it_is_set(at, managers, nodes)
                outside = folder / "outside"
                eventually(
                    lambda: all(
                        newest(kept(outside, house)).size > last for house, last in after.items()
                    )
                )
            for node in nodes.nodes:
                archived(node)

        for node in nodes.nodes:
            node.stop()
        for node in [*nodes.workers, nodes.coordinator]:
            brought_back(node)
        eventually(lambda: not any(in_recovery(node.url()) for node in nodes.nodes))
        with a_house(folder, url) as at:
            for house in managers:
                assert before[house] <= head(at, house) < after[house]
            played_on(at, managers)
