"""A chain to test in: its houses, and one person of each of its roles."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.test import Client
from django.utils import timezone

from casino.chain import operations, summaries
from casino.chain.frame import member_of
from casino.chain.models import Chain, ChainRole
from tests.support import builders

if TYPE_CHECKING:
    from typing import Any

    from casino.chain.models import ChainMember
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Chained:
    """A chain. :param manager, second: two of its managers; none of its people works at a house."""

    chain: Chain
    houses: list[House]
    manager: Attendant
    second: Attendant
    auditor: Attendant

    @property
    def house(self) -> House:
        return self.houses[0]


def chained(houses: int = 2, **more: Any) -> Chained:
    number, now = next(NUMBERS), timezone.now()
    chain = operations.create_chain(name=f"Chain {number}", now=now)
    roles = (ChainRole.MANAGER, ChainRole.MANAGER, ChainRole.AUDITOR)
    people = [builders.person() for _ in roles]
    for person, role in zip(people, roles, strict=True):
        operations.appoint(chain, person, role, now=now)
        person.refresh_from_db()
    made = [builders.house(tables=1, dice_sets=1, **more) for _ in range(houses)]
    for each in made:
        joined(chain, each)
    return Chained(chain, made, *people)


def over(house: House) -> Chain:
    """A chain of one house, which the house's own manager manages."""
    now = timezone.now()
    chain = operations.create_chain(name=f"Chain {next(NUMBERS)}", now=now)
    operations.appoint(chain, house.manager, ChainRole.MANAGER, now=now)
    joined(chain, house)
    return chain


def joined(chain: Chain, house: House) -> None:
    operations.join(chain, house.establishment, reason="Ours.", now=timezone.now())
    summaries.refresh(house.id)


def browser(person: Attendant | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def proven(person: Attendant) -> ChainMember:
    """A person's role in their chain, as operations take it."""
    person.refresh_from_db()
    member = member_of(person)
    assert member is not None
    return member
