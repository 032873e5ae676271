"""
Houses for a fault test, and tokens of their people: ``python -m tests.faults.founding 2``.

The first is the demo house; the others have the same people, and tables, dice and cash as it has.
Says as one line of JSON what clients have to know.
"""

from __future__ import annotations

import json
import sys
from datetime import time
from typing import TYPE_CHECKING, Any

import django

django.setup()

from django.db import transaction  # noqa: E402  once Django is up
from django.utils import timezone  # noqa: E402
from knox.models import AuthToken  # noqa: E402

from casino.demo import house  # noqa: E402
from casino.house.acts import changes  # noqa: E402
from casino.house.attendants.assurance import at_console  # noqa: E402
from casino.house.attendants.models import Attendant, Role  # noqa: E402
from casino.house.establishments.models import Establishment, Table  # noqa: E402
from casino.house.home_throws.operations import set_home_throw  # noqa: E402
from casino.settings.staff.operations import employ  # noqa: E402
from casino.words.presenters import registered  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping

CUTOFFS = (time(6), time(18))  # one of the days changes while people play, where clocks jump


def main(number: int) -> None:
    houses = [house.make(), *(_beside(each) for each in range(1, number))]
    people = {
        person.username: Attendant.objects.get(username=person.username) for person in house.STAFF
    }
    tokens = {name: str(AuthToken.objects.create(person)[1]) for name, person in people.items()}
    fields = {
        "password": house.PASSWORD,
        "houses": [_summary(each) for each in houses],
        "attendants": [
            tokens[each.username] for each in house.STAFF if each.role == Role.ATTENDANT
        ],
        **_by_role(tokens),
    }
    print(json.dumps(fields))  # noqa: T201 - the answer


def _summary(made: Establishment) -> dict[str, Any]:
    return {
        "house": str(made.pk),
        "tables": [str(table.pk) for table in made.tables.order_by("name")],
    }


def _by_role(tokens: Mapping[str, str]) -> dict[str, str]:
    """Of those of whom there is one."""
    return {
        person.role.value: tokens[person.username]
        for person in house.STAFF
        if person.role != Role.ATTENDANT
    }


@transaction.atomic
def _beside(number: int) -> Establishment:
    made = Establishment(
        name=f"House {number + 1}",
        currency="rod",
        currency_symbol="r",
        time_zone="Europe/Rome",
        day_cutoff=CUTOFFS[number % len(CUTOFFS)],
        publishes_rules=False,
    )
    changes.create(made, establishment=made, by=None)
    for person in house.STAFF:
        attendant = Attendant.objects.get(username=person.username)
        employ(establishment=made, attendant=attendant, role=person.role, by=None)
    for name in house.TABLES:
        changes.create(Table(establishment=made, name=name), establishment=made, by=None)
    for kind in registered.dice_kinds():
        house._fill(made, kind)
    set_home_throw(
        establishment=made, faces=(1, 3, 6), effective_from=timezone.now(), story=house.STORY,
        by=at_console(Attendant.objects.get(username="orso")),
    )  # fmt: skip
    house.fund_house(made)
    return made


if __name__ == "__main__":
    main(int(sys.argv[1]))
