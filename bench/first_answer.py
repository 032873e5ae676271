"""``python -m bench.first_answer '["river", {}]'``: odds, by a process with empty caches."""

from __future__ import annotations

import json
import sys
import time

from casino.play.dice.odds.queries import answer
from casino.words.presenters.odds_tables import as_json


def main() -> None:
    """Print the seconds of this process's first answer, and of the next one."""
    game, query = json.loads(sys.argv[1])
    took = {}
    for when in ("first", "again"):
        began = time.perf_counter()
        json.dumps(as_json(answer(game, query)))
        took[when] = time.perf_counter() - began
    sys.stdout.write(json.dumps(took))


if __name__ == "__main__":
    main()
