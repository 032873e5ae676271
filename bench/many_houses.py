"""
``python -m bench.many_houses 100``: that many houses of one chain, made quickly, in the database of
the environment. It prints their tables and tokens, and the chain's manager.

A house has one table, dice for every game, and a person of each role, all on record. Its summary
for the chain is made.
"""

from __future__ import annotations

import json
import sys
from itertools import count

import django

django.setup()

from django.db import transaction  # noqa: E402 - Django is set up above
from django.utils import timezone  # noqa: E402
from knox.models import AuthToken  # noqa: E402

from casino.chain import operations, summaries  # noqa: E402
from casino.chain.models import Chain, ChainMember, ChainRole  # noqa: E402
from casino.house.attendants.models import Role  # noqa: E402
from casino.house.establishments.models import Establishment  # noqa: E402
from tests.support import builders  # noqa: E402

NAME = "Measured"
EACH = 100_000  # names between those of two houses made in different calls


def chain() -> Chain:
    """The chain, founded with its managers the first time."""
    now = timezone.now()
    if there := Chain.objects.filter(name=NAME).first():
        return there
    made = operations.create_chain(name=NAME, now=now)
    for name in ("chain-manager", "chain-second"):
        operations.appoint(made, builders.person(name), ChainRole.MANAGER, now=now)
    return made


def made(of: Chain) -> dict[str, object]:
    with transaction.atomic():
        house = builders.house(tables=1, dice_sets=0)
        builders.dice_for_every_game(house.establishment, sets=1)
        builders.on_record(house.establishment)
        operations.join(of, house.establishment, reason="Measured.", now=timezone.now())
        token = str(AuthToken.objects.create(house.people[Role.ATTENDANT])[1])
    summaries.refresh(house.id)
    return {"house": str(house.id), "tables": [str(house.table.pk)], "token": token}


def main(houses: int) -> None:
    builders.NUMBERS = count(1 + EACH * (1 + Establishment.objects.count()))
    of = chain()
    found = [made(of) for _ in range(houses)]
    manager = ChainMember.objects.filter(chain=of, role=ChainRole.MANAGER).first()
    assert manager is not None
    print(json.dumps({"houses": found, "manager": str(manager.attendant_id)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
