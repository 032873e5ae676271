"""
Faults by chance, for as long as one likes: ``python -m tests.faults --minutes 30 --seed 7``.

Exit status: 0 every promise held; 1 one did not; the seed, the plan and the logs' folder are said.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from tests.faults import disks, figures
from tests.faults.running import HOUSES, Run, told

SEEDS = 10**6


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _asked_to_end)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    seconds = options.seconds or 60 * options.minutes
    folder = Path(options.folder or tempfile.mkdtemp(prefix="home-throw-faults-"))
    folder.mkdir(parents=True, exist_ok=True)
    disks.apart()
    run = Run(options.house, seed, seconds, folder, options.before, options.houses)
    _say(
        f"Seed {seed}, {seconds:.0f} s, {options.house}; logs in {folder}.\n{told(run.plan)}",
        options,
    )
    if options.plan:
        return 0
    try:
        run.perform()
    except Exception:  # noqa: BLE001 - whatever it is, it is told with the seed and the folder
        run.problems["the run itself"] = [traceback.format_exc()]
    return _end(run, options)


def _asked_to_end(*_signal: object) -> None:
    """Whatever was started ends, too."""
    raise SystemExit(143)


def _end(run: Run, asked: argparse.Namespace) -> int:
    if asked.json:
        told_all = {
            "seed": run.seed, "seconds": run.seconds, "house": run.kind, "ok": not run.problems,
            "problems": run.problems, "figures": run.figures,
        }  # fmt: skip
        sys.stdout.write(json.dumps(told_all) + "\n")
    else:
        sys.stdout.write(f"\n{figures.table(run.figures)}\n" if run.figures else "")
    for what, sentences in run.problems.items():
        _say(f"\nNOT AS PROMISED: {what}\n" + "\n".join(sentences), asked)
    if run.problems:
        _say(f"\nSeed {run.seed}, {run.seconds:.0f} s, {run.kind}; logs in {run.folder}.", asked)
    elif not asked.folder:
        shutil.rmtree(run.folder, ignore_errors=True)
    return 1 if run.problems else 0


def _say(text: str, asked: argparse.Namespace) -> None:
    """For people; with ``--json``, beside it."""
    (sys.stderr if asked.json else sys.stdout).write(f"{text}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    add = parser.add_argument
    add("--minutes", type=float, default=1.0, help="of faults (default 1)")
    add("--seconds", type=float, help="instead of minutes")
    add("--seed", type=int, help="the same plan again; default: any")
    add("--house", choices=sorted(HOUSES), default="production", help="default production")
    add("--houses", type=int, default=0, help="how many; default: as many as that kind has")
    add(
        "--folder",
        help="for logs and what clients were told; default: one that goes if all is well",
    )
    add(
        "--before", default="", help="the commit of a worker of the day before; default: a late one"
    )
    add("--json", action="store_true", help="figures and problems as one JSON object")
    add("--plan", action="store_true", help="only say what would be done")
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
