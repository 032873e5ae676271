"""
``python -m bench.others 250 1000 50000``: 250 houses with 1,000 events each, all Stone Hand.

The last argument is the number from which houses are named, so that several batches can be made.
"""

from __future__ import annotations

import json
import sys
from itertools import count

import django

django.setup()

from bench.work.house import found_houses, play_until  # noqa: E402 - Django is set up above
from tests.support import builders  # noqa: E402


def main(houses: int, events: int, begin: int) -> None:
    builders.NUMBERS = count(begin)
    played = [
        play_until(seat=seat, events=events)
        for [seat] in found_houses(number=houses, tables=1, on_record=True)
    ]
    print(json.dumps({"houses": len(played), "events": sum(played)}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
