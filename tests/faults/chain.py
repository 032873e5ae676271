"""
A chain of houses on a distributed database: its servers die and switch, its houses move.

Begun as docs/scale/distribution.md says: the houses are founded on one server, which is distributed
over others then. Each server has a synchronous standby; one more server comes while all is played
on.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psycopg

from tests.faults import houses, nodes, servers
from tests.faults.houses import ANY, OF_LINKS, PRODUCTION, House, Site
from tests.faults.links import linked
from tests.faults.nodes import DATABASE
from tests.faults.plan import Fault, Target
from tests.processes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from random import Random

    from tests.faults.nodes import Node

COORDINATOR, FIRST, MORE = "coordinator", ("node-1", "node-2"), "node-3"
FROM_THE_START = (COORDINATOR, *FIRST)
SHARDS = 12
HOUSES = 200
SERVERS_REST = 40.0  # seconds: a house that moves needs some of them
LEFT_OVER = "SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"
UNDER_WAY = (
    "SELECT count(*) FROM pg_dist_background_job WHERE state IN"
    " ('scheduled', 'running', 'cancelling', 'failing')"
)
SIGNED = "SELECT count(DISTINCT establishment) FROM ledger_checkpoint"
PLACES = (
    "SELECT nodename, nodeport FROM pg_dist_node"
    " WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY nodeport"
)
ELSEWHERE = frozenset({"database", "disk", houses.BEFORE})  # of a house whose database is one
CHAIN = (
    *(each for each in PRODUCTION if each.name not in ELSEWHERE),
    *(
        Target(server, ANY, one_of=node, rests=SERVERS_REST)
        for node in FROM_THE_START
        for server in (f"{node}-a", f"{node}-b")
    ),
    *(
        Target(node, (Fault.SWITCH,) * 2, one_of=node, rests=SERVERS_REST)
        for node in FROM_THE_START
    ),
    *(Target(f"all>{node}", OF_LINKS, one_of=node, rests=SERVERS_REST) for node in FROM_THE_START),
    Target("houses", (Fault.MOVE,) * 6),
    Target(MORE, (Fault.GROW,)),
)


@dataclass
class Chain:
    """
    What is done to a distributed database from outside.

    :param ids: of the houses.
    """

    nodes: Mapping[str, Node]
    env: Mapping[str, str]
    ids: tuple[str, ...]
    log: Path
    moved: list[str] = field(default_factory=list)
    """What ``manage.py move_house`` said of each that moved."""

    def switch(self, name: str) -> bool:
        """Whether it could: its standby had everything."""
        return self.nodes[name].switch()

    def made_whole(self, name: str) -> None:
        """Whoever led before stands by now."""
        self.nodes[name].with_standby()

    def move(self, chance: Random) -> bool:
        """
        A house moves to another server, with those in its shard.

        :returns: whether it did: a server that dies meanwhile leaves it where it was.
        """
        house = chance.choice(self.ids)
        try:
            places = self.nodes[COORDINATOR].leads.run(PLACES, database=DATABASE)
        except psycopg.OperationalError:
            return False
        host, port = chance.choice(places)
        done = houses.program("manage.py", "move_house", house, f"--to={host}:{port}", env=self.env)
        with self.log.open("a") as written:
            written.write(f"{done.stdout}{done.stderr[-500:]}\n")
        if done.returncode == 0:
            self.moved.append(done.stdout)
        return done.returncode == 0

    def grow(self, name: str) -> bool:
        """One more server comes, and takes its share; whether it was not there before."""
        node = self.nodes[name]
        if node.leads.part.runs:
            return False
        node.begin()
        node.leads.run(f"ALTER DATABASE {DATABASE} OWNER TO postgres")
        self._asked(f"SELECT citus_add_node('127.0.0.1', {node.link.port})")
        node.leads.run(f"ALTER DATABASE {DATABASE} OWNER TO {servers.OWNER}")
        node.with_standby()
        self._asked("SELECT citus_rebalance_start()")
        return True

    def left_over(self) -> list[str]:
        """Transactions that are prepared and neither committed nor rolled back, and moves."""
        end = time.monotonic() + PATIENCE
        while (found := list(self._unfinished())) and time.monotonic() < end:
            time.sleep(0.5)
        return found

    def _unfinished(self) -> Iterator[str]:
        for name, node in self.nodes.items():
            if node.leads.part.runs:
                [[count]] = node.leads.run(LEFT_OVER, database=DATABASE)
                if count:
                    yield f"{name}: {count} prepared transactions are left."
        [[count]] = self.nodes[COORDINATOR].leads.run(UNDER_WAY, database=DATABASE)
        if count:
            yield f"{count} moves are still under way."

    def _asked(self, statement: str) -> None:
        """The coordinator, as often as a server is away."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.nodes[COORDINATOR].leads.run(statement, database=DATABASE)
            except psycopg.Error:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)
            else:
                return


@contextmanager
def chain(folder: Path, *, before: str = "", number: int = HOUSES) -> Iterator[House]:
    """
    Two web servers, two workers, beat, a broker, and a database on a coordinator and two others.

    :raises ValueError: if a worker of the day before is asked for: it knows nothing of shards.
    """
    if before:
        raise ValueError("A chain has no worker of the day before beside it.")
    with ExitStack() as stack:
        made = stack.enter_context(nodes.cluster_of((*FROM_THE_START, MORE), folder))
        stack.enter_context(linked(*(each.link for each in made.values())))
        coordinator = made[COORDINATOR]
        _joined(made)
        database = servers.Database(
            coordinator.leads.part,
            {servers.RUNTIME: "", servers.OWNER: "", "port": str(coordinator.link.port)},
            None,
        )
        site = Site(folder, database, stack.enter_context(servers.broker(folder)))
        for name, link in site.links.items():
            if name.endswith(">database"):
                link.upstream = coordinator.leads.port
                coordinator.followers.append(link)
        stack.enter_context(linked(*site.links.values()))
        env = site.seen_by(None)
        owner = {**env, "DATABASE_OWNER_URL": database.url(servers.OWNER)}
        known = houses.founded(env, owner=database.url(servers.OWNER), number=number)
        houses._done(("manage.py", "distribute", "--database=owner", f"--shards={SHARDS}"), owner)
        for name in FROM_THE_START:
            made[name].with_standby()
        programs = site.programs()
        stack.enter_context(houses.running(programs))
        _signed(coordinator, number)
        superuser = {
            **env, "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{coordinator.link.port}/{DATABASE}",
        }  # fmt: skip
        yield House(
            folder=folder,
            targets=CHAIN,
            parts={
                **{name: part for each in made.values() for name, part in each.parts.items()},
                "broker": site.broker.part, **programs,
            },
            links={**site.links, **{each.link.name: each.link for each in made.values()}},
            webs=tuple(site.links[f"clients>{name}"] for name in houses.WEBS),
            env=env,
            known=known,
            broker=site.broker,
            guests={houses.BEAT_2: site._beat(houses.BEAT_2)},
            chain=Chain(
                made, superuser, tuple(each["house"] for each in known["houses"]),
                folder / "moves.log",
            ),
        )  # fmt: skip


def _signed(coordinator: Node, number: int) -> None:
    """Wait until each house has its first checkpoint, as those have that play every evening."""
    end = time.monotonic() + PATIENCE + number
    while coordinator.leads.run(SIGNED, database=DATABASE) != [(number,)]:
        assert time.monotonic() < end, "Not every house was signed."
        time.sleep(1)


def _joined(made: Mapping[str, Node]) -> None:
    """The servers know each other by their names, and the roles of houses."""
    for name in FROM_THE_START:
        made[name].begin()
    coordinator = made[COORDINATOR]
    for statement in (
        f"SELECT citus_set_coordinator_host('127.0.0.1', {coordinator.link.port})",
        *(f"SELECT citus_add_node('127.0.0.1', {made[name].link.port})" for name in FIRST),
        *(f"CREATE ROLE {role} LOGIN" for role in (servers.RUNTIME, servers.OWNER)),
    ):
        coordinator.leads.run(statement, database=DATABASE)
    for name in FROM_THE_START:
        made[name].leads.run(f"ALTER DATABASE {DATABASE} OWNER TO {servers.OWNER}")
