"""
A standby takes over that lacks what others have a signed checkpoint of: that is a new epoch.

It happens where commits do not wait for a standby. In the short form a house that is behind is
tried without a cluster (`tests/proof/integrity/test_restored.py`).
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from ledger.verify import Checkpoint
from tests.scale.high_availability import cluster, house
from tests.scale.high_availability.test_switch import house_of

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.faults.houses import House

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,  # it starts servers of its own
    pytest.mark.processes,
    pytest.mark.skipif(bool(cluster.missing()), reason=cluster.missing()),
]
PLAYING = 5.0  # seconds
CUT_OFF = (  # the standby gets nothing more
    "ALTER ROLE replicator NOLOGIN",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_replication",
)
RECORDED = "SELECT establishment::text, count(*) FROM ledger_event GROUP BY establishment"


def test_what_a_standby_lacked_is_on_record_as_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = house.run(tmp_path)
    with (
        cluster.running(2, synchronous=False) as members,
        house_of(members, tmp_path) as made,
    ):
        for each in made.ids:
            (tmp_path / each).mkdir()
        with run.playing(made):
            cluster.until(lambda: all(newest(made, each) for each in made.ids), members.said)
            time.sleep(PLAYING)
            before = members.leader()
            members.run(*CUT_OFF)
            # The standby may have what has come until now, and no checkpoint may tell of it yet.
            had = dict(members.run(RECORDED, name="home_throw"))

            def ahead() -> bool:
                return all(published(made, each).size > had[each] for each in made.ids)

            cluster.until(ahead, members.said)
            before.kill()
            cluster.until(lambda: members.primary not in {None, before}, members.said)
            members.run("ALTER ROLE replicator LOGIN")
            time.sleep(PLAYING)  # by the same web servers and workers as before
        cluster.until(lambda: all(stopped(made, each) for each in made.ids), members.said)
        refused = made.run("manage.py", "verify_ledger")

        epochs = [epoch(made, each) for each in made.ids]
        for opened in epochs:
            assert "epoch 2 begins at position" in opened.stdout, opened.stderr
        # The command signs, or a worker that is quicker.
        cluster.until(
            lambda: all(renamed(made, each) for each in made.ids),
            lambda: "\n".join(
                [made.run("manage.py", "health").stdout, *(each.stderr for each in epochs)]
            ),
        )
        verified, regraded = (made.run("manage.py", each) for each in ("verify_ledger", "regrade"))

    with capsys.disabled():
        print("\n" + "\n".join(each.stdout.strip() for each in epochs))  # noqa: T201 - figures
    assert refused.returncode != 0
    assert verified.returncode == 0, verified.stdout
    assert regraded.returncode == 0, regraded.stdout[-2000:]  # nobody decided by what was lost


def newest(made: House, each: str) -> Path | None:
    """The checkpoint of a house that others have."""
    found = made.folder / "copies" / each / "latest.checkpoint"
    return found if found.exists() else None


def published(made: House, each: str) -> Checkpoint:
    found = newest(made, each)
    assert found is not None
    return Checkpoint.parse(found.read_bytes())


def renamed(made: House, each: str) -> bool:
    """Whether it signs under the origin of its second epoch."""
    return published(made, each).origin.endswith("/2")


def stopped(made: House, each: str) -> bool:
    """Whether its payouts are stopped, as they are where others have more, or something else."""
    said = made.run("-c", STOPPED, each)
    return bool(json.loads(said.stdout))


STOPPED = """
import django, json, sys
django.setup()
from casino.play.settlement import payout_holds
print(json.dumps(any(str(each.pk) == sys.argv[1] for each in payout_holds.houses())))
"""


def epoch(made: House, each: str) -> subprocess.CompletedProcess[str]:
    file = newest(made, each)
    why = ("--reason", "The standby that took over lacked it.")
    return made.run(
        "manage.py", "open_epoch", "--establishment", each, "--checkpoint", str(file), *why
    )
