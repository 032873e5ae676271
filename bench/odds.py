"""``python -m bench.odds``: how long odds take, computed anew, and on each surface."""

import json
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from bench import program
from bench.crew import ROOT
from bench.figures import Table, number
from bench.neighbours import Neighbours
from bench.program import Crews, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.crew import Crew

Query = dict[str, list[str]]
MILLI = 1000

# The default question of each game, then the slowest questions.
# fmt: off
QUESTIONS: tuple[tuple[str, str, Query], ...] = (
    ("Stone Hand",                          "stone-hand",    {}),
    ("... eight players, two re-throws",    "stone-hand",    {"players": ["8"], "rethrow": ["2"]}),
    ("Cinnabar Gate",                       "cinnabar-gate", {}),
    ("... eight, any hand again twice, nine chances for junk", "cinnabar-gate",
     {"players": ["8"], "opal": ["2"], "junk_rethrows": ["9"]}),
    ("River",                               "river",         {}),
    ("... a hand at auction",               "river",
     {"hole": ["1,2,2,4,5"], "banker": ["3,4,7,9,11"]}),
    ("Threes Away, what to keep",           "threes-away",
     {"dice": ["1,3,3,5,6"], "target": ["4"]}),
    ("Dice Breaker, seven dice, the trump", "dice-breaker",  {"dice": ["7"], "mode": ["battle"]}),
)
# fmt: on
COLUMNS = ("command", "first", "again", "page", "API")


def measure(crews: Crews, size: Size, neighbours: Neighbours) -> list[Table]:
    crew: Crew = next(iter(crews.values()))
    table = Table(
        "Odds, in milliseconds",
        ("", "command, from nothing", "first answer", "again", "page, first", "API, again"),
    )
    questions = QUESTIONS[: size.games]  # each question starts two programs
    query = [(game, raw) for _, game, raw in questions]
    surfaces = neighbours.undisturbed(
        partial(crew.one, "odds", questions=query, repetitions=size.repetitions)
    )
    for (label, game, raw), surface in zip(questions, surfaces, strict=True):
        runs = [
            neighbours.undisturbed(partial(alone, game, raw)) | surface
            for _ in range(size.repetitions)
        ]
        table.add(label, *(number([run[name] * MILLI for run in runs]) for name in COLUMNS))
    table.notes.append(
        f"Medians of {size.repetitions} repetitions. The command's time is all of it: Python,"
        " Django, the answer and its printing. Nothing is computed beforehand or kept in files; a"
        " process remembers its last answers, which is what asking again shows."
    )
    return [table]


def alone(game: str, raw: Query) -> "Mapping[str, float]":
    """Seconds of the whole command, and of the first two answers in another new process."""
    words = [f"--{name.replace('_', '-')}={text}" for name, texts in raw.items() for text in texts]
    began = time.perf_counter()
    _run("manage.py", "odds", game, *words)
    command = time.perf_counter() - began
    inside: dict[str, float] = json.loads(_run("-m", "bench.first_answer", json.dumps([game, raw])))
    return {"command": command, **inside}


def _run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


ODDS = program.Program(measure=measure, media=("memory",))

if __name__ == "__main__":
    program.main(ODDS)
