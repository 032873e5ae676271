"""
Every program is replaced, one after the other, while people play: no throw is refused or doubled.

In the short form: `tests/config/test_draining.py`.
"""

from __future__ import annotations

import csv
import http.client
import io
import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests import services
from tests.faults import servers
from tests.faults.parts import Part
from tests.processes import free_port
from tests.scale.high_availability import cluster, house, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,  # it starts servers of its own
    pytest.mark.processes,
    pytest.mark.skipif(bool(cluster.missing("haproxy")), reason=cluster.missing("haproxy")),
]
PLAYING = 3.0  # seconds between two replacements
DRAIN = "5"  # seconds, of which haproxy needs two to look
MOVED = 409  # another one has thrown first; the client looks at the game, and asks again
LATE = "TimeoutError"  # on a busy machine the client, which waits for 4 s, is not refused anything


@contextmanager
def haproxy(folder: Path, *, door: int, figures: int, webs: dict[str, int]) -> Iterator[Part]:
    found = cluster.program("haproxy")
    assert found is not None
    with services._folder("haproxy-") as own:
        written = own / "haproxy.cfg"
        written.write_text(
            settings.haproxy(door=door, figures=figures, host="127.0.0.1", webs=webs)
        )
        part = Part(
            "haproxy",
            (found, "-db", "-f", str(written)),
            log=folder / "haproxy.log",
            cwd=own,
            **services._identity(),
        )
        part.start()
        try:
            yield part
        finally:
            part.kill()


def rows_of(figures: int) -> dict[str, dict[str, str]]:
    """What haproxy says of each web server, and of all together: ``BACKEND``."""
    web = http.client.HTTPConnection("127.0.0.1", figures, timeout=5)
    try:
        web.request("GET", "/;csv")
        said = web.getresponse().read().decode().removeprefix("# ")
    except OSError:
        return {}
    finally:
        web.close()
    rows = csv.DictReader(io.StringIO(said))
    return {row["svname"]: row for row in rows if row["pxname"] == "webs"}


def up(figures: int) -> set[str]:
    """The web servers to which haproxy sends."""
    found = rows_of(figures)
    return {name for name, row in found.items() if row["status"] == "UP"} - {"BACKEND"}


def test_a_new_version_comes_without_a_refused_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, door, figures = house.run(tmp_path), free_port(), free_port()
    with servers.database(tmp_path) as database:
        roles = (database.url(role) for role in (servers.RUNTIME, servers.OWNER))
        runtime, owner = roles
        ports = {name: free_port() for name in house.WEBS}
        with (
            house.running(
                tmp_path,
                runtime=runtime,
                owner=owner,
                ports=ports,
                doors={"haproxy": door},
                WEB_DRAIN=DRAIN,
            ) as made,
            haproxy(tmp_path, door=door, figures=figures, webs=ports) as proxy,
        ):
            cluster.until(lambda: up(figures) == set(house.WEBS), proxy.last_words)
            with run.played(made):
                time.sleep(PLAYING)
                rolled = time.monotonic()
                for name in (*house.WORKERS, *house.BEATS, *house.WEBS):  # as production.md says
                    part = made.parts[name]
                    part.end()
                    part.start()
                    part.wait()
                    if name in house.WEBS:
                        cluster.until(lambda: up(figures) == set(house.WEBS), proxy.last_words)
                    time.sleep(PLAYING)
            told, of_all = run.told(made), rows_of(figures)["BACKEND"]
            silence, longest = house.longest_silence(told, rolled)
    lines = [
        json.loads(line)
        for each in told
        for file in each.glob("player-*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    met = [(line["path"], line["passing"]) for line in lines]
    late = sum(passing.count(LATE) for _, passing in met)
    refused = [each for each in met if {*each[1]} - {MOVED, LATE}]

    sentence = (
        f"{len(lines)} commands, {late} late; the longest wait was {longest:.1f} s, nobody was"
        f" answered for {silence:.1f} s; {run.figures}"
    )
    with capsys.disabled():
        print(f"\n{sentence}")  # noqa: T201 - figures that no bound is set to
    assert of_all["hrsp_5xx"] == "0"  # of what was read, too
    assert run.problems == {}
    assert refused == []
    assert late < len(lines) / 100
