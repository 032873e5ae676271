"""Every command of docs/scale/distribution.md is given as it stands there, in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from tests import processes
from tests.scale.citus import cluster
from tests.scale.citus.test_distribute import SUMS, House

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.processes

PAGE: Final = (processes.ROOT / "docs" / "scale" / "distribution.md").read_text()
BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE: Final = re.compile(r"`(python manage\.py [^`]+)`")
NAMED: Final = "The Two Herons"


class Evening:
    """Servers under the names that the page gives them, and a house that is to be spread."""

    def __init__(self, house: House, nodes: cluster.Cluster, more: cluster.Node) -> None:
        self.house = house
        self.names = dict(
            zip(("coordinator", "worker-1", "worker-2", "worker-3"), [*nodes.nodes, more],
                strict=True),
        )  # fmt: skip
        self.name = ""

    def given(self, text: str) -> list[str]:
        """
        What a block or a line of the page says, with this cluster's addresses; each answer.

        Shards are fewer: a server more gets a third of them, each by a replication of its own.
        """
        text = text.replace("--shards 64", "--shards 6")
        for name, node in self.names.items():
            text = text.replace(f"'{name}', 5432", f"'127.0.0.1', {node.port}")
            text = text.replace(f"{name}:5432", f"127.0.0.1:{node.port}")
        if "manage.py" in text:
            return [self._managed(line) for line in text.splitlines()]
        return [str(self.house.one(line)) for line in text.splitlines()]

    def _managed(self, line: str) -> str:
        """A line of a shell; what follows a # is said to the reader."""
        words = re.findall(r'"[^"]*"|\S+', line.partition("#")[0])
        assert words[:2] == ["python", "manage.py"], line
        return self.house.manage(*(word.strip('"').replace(NAMED, self.name) for word in words[2:]))

    def on(self, name: str) -> int:
        """How many shards of events a server has."""
        [[count]] = self.house.nodes.coordinator.run(
            "SELECT count(*) FROM citus_shards"
            " WHERE table_name = 'ledger_event'::regclass AND nodeport = %s",
            self.house.name,
            self.names[name].port,
        )
        return int(count)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    nodes = cluster.attached()
    more = cluster.another(nodes)
    house = House(nodes, str(tmp_path))
    try:
        for node in [*nodes.nodes, more]:
            node.run(f'CREATE DATABASE "{house.name}"')
        yield Evening(house, nodes, more)
    finally:
        more.stop()
        cluster.drop(nodes.ports, house.name)


def test_one_evening_as_the_page_says(evening: Evening) -> None:
    house = evening.house
    house.manage("migrate", "--verbosity=0")
    house.manage("demo")
    before = house.one(SUMS)
    evening.name = house.one("SELECT name FROM establishments_establishment LIMIT 1")
    blocks = [text.rstrip() for _language, text in BLOCK.findall(PAGE)]
    settings, extension, cluster_of, distributed, moved, grown = blocks
    [where] = set(INLINE.findall(PAGE))

    assert set_as_said(evening, settings) == []
    for node in evening.names.values():
        node.run(extension, house.name)
    evening.given(cluster_of)
    assert "sound" in house.manage("verify_ledger")  # it may play on like this for days
    _migrated, dry, _done, verified = evening.given(distributed)
    assert "to place" in dry
    assert "sound" in verified
    assert [evening.on(each) for each in ("coordinator", "worker-1", "worker-2")] == [0, 3, 3]
    assert evening.name in evening.given(where)[0]

    said, verified = evening.given(moved)
    assert f"is on 127.0.0.1:{evening.names['worker-2'].port}" in said
    assert "sound" in verified

    added, *begun = grown.splitlines()
    evening.given(added)
    to_it = f'python manage.py move_house "{NAMED}" --to worker-3:5432'
    assert f"is on 127.0.0.1:{evening.names['worker-3'].port}" in evening.given(to_it)[0]
    evening.given("\n".join(begun))
    house.one("SELECT citus_rebalance_wait() IS NULL")

    assert evening.on("worker-3") == 2
    assert house.one(SUMS) == before
    assert "sound" in house.manage("verify_ledger")


def set_as_said(evening: Evening, settings: str) -> list[str]:
    """The settings of the page that a server of these tests has otherwise: they were not tried."""
    lines = [line.partition("#")[0] for line in settings.splitlines()]
    said = {name.strip(): value.strip(" '") for name, _, value in (x.partition("=") for x in lines)}
    server = evening.names["worker-1"]
    has = {name: server.run("SELECT current_setting(%s, true)", "postgres", name) for name in said}
    return [name for name, value in said.items() if has[name] != [(value,)]]
