"""``python -m bench.worker``: one process of a house that does the jobs it reads (`bench.crew`)."""

import json
import os
import sys
import traceback
from typing import Any

import django


def main() -> None:
    # Libraries may print to stdout; that goes to stderr, so that stdout has only answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    django.setup()
    from bench.work import JOBS  # noqa: PLC0415  once Django is set up

    for line in sys.stdin:
        name, arguments = json.loads(line)
        answer: tuple[str | None, Any]
        try:
            answer = (None, JOBS[name](**arguments))
        except Exception:  # noqa: BLE001  told to whoever asked
            answer = (traceback.format_exc(), None)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
