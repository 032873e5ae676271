"""``python -m bench.furnishing 50``: a house with that many tables, and tokens of its players."""

from __future__ import annotations

import json
import sys

import django

django.setup()

from knox.models import AuthToken  # noqa: E402 - Django is set up above

from casino.attendants.models import Role  # noqa: E402
from tests.support import builders  # noqa: E402


def main(tables: int) -> None:
    house = builders.house(tables=tables, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=tables)
    builders.on_record(house.establishment)
    furniture = {
        "house": str(house.id),
        "tables": [str(table.pk) for table in house.tables],
        "token": str(AuthToken.objects.create(house.people[Role.ATTENDANT])[1]),
    }
    print(json.dumps(furniture))


if __name__ == "__main__":
    main(int(sys.argv[1]))
