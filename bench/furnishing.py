"""
``python -m bench.furnishing 50 12``: twelve houses with fifty tables each, and tokens of players.

Without the second number it is one house, and that alone is printed.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django

django.setup()

from knox.models import AuthToken  # noqa: E402 - Django is set up above

from casino.house.attendants.models import Role  # noqa: E402
from tests.support import builders  # noqa: E402


def furnished(tables: int) -> dict[str, Any]:
    """A house that is on record: its id, its tables, and the token of its attendant."""
    house = builders.house(tables=tables, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=tables)
    builders.on_record(house.establishment)
    return {
        "house": str(house.id),
        "tables": [str(table.pk) for table in house.tables],
        "token": str(AuthToken.objects.create(house.people[Role.ATTENDANT])[1]),
    }


def main(tables: int, houses: int | None = None) -> None:
    made = furnished(tables) if houses is None else [furnished(tables) for _ in range(houses)]
    print(json.dumps(made))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
