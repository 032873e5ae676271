"""
The demo house for a fault test, and tokens of its people: ``python -m tests.faults.founding``.

Says as one line of JSON what clients have to know.
"""

from __future__ import annotations

import json

import django

django.setup()

from knox.models import AuthToken  # noqa: E402  once Django is up

from casino.attendants.models import Attendant, Role  # noqa: E402
from casino.demo import house  # noqa: E402


def main() -> None:
    made = house.make()
    tokens = {
        person.username: str(
            AuthToken.objects.create(Attendant.objects.get(username=person.username))[1]
        )
        for person in house.STAFF
    }
    told = {
        "house": str(made.pk),
        "password": house.PASSWORD,
        "attendants": [
            tokens[each.username] for each in house.STAFF if each.role == Role.ATTENDANT
        ],
        **{
            person.role.value: tokens[person.username]
            for person in house.STAFF
            if person.role != Role.ATTENDANT
        },
        "tables": [str(table.pk) for table in made.tables.order_by("name")],
    }
    print(json.dumps(told))  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
