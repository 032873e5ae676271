"""All that a house does: each address but those of chains, and what workers do after a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from django.test import Client

from casino.play.core.subscriptions import tasks
from casino.proof.signing.tasks import grow
from ledger.lag import lag
from tests.support import access, builders
from tests.support.access import ANYBODY, DECISIONS, MANAGER, Address

if TYPE_CHECKING:
    from tests.support.addressed_house import AddressedHouse
    from tests.support.builders import House

OF_CHAINS: Final = ("chain/", "api/v1/chain/")
OF_ALL_HOUSES: Final = {
    "healthz": "says how all houses are",
}


def of_a_house(address: Address) -> bool:
    return not address.route.startswith(OF_CHAINS) and address.route not in OF_ALL_HOUSES


OPENED: Final = [
    pytest.param(address, method, id=f"{method}-{address.route or 'start'}")
    for address in access.addresses()
    for method in ("GET", "POST")
    if of_a_house(address)
    and ((roles := DECISIONS[address.route].roles(method)) is ANYBODY or roles)
]


def answered(world: AddressedHouse, address: Address, method: str) -> Any:
    """What somebody whose role lets them is answered."""
    client = visitor(world, address, method)
    path, body = address.path(world.arguments), address.body(world)
    return client.get(path) if method == "GET" else client.post(path, body)


def played_and_followed(house: House, table: str = "") -> None:
    """A round at a table of a house, and all that workers do about it."""
    game = builders.opened(house, **({"table": table} if table else {}))
    builders.put(house, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 2, 3, 4))
    while tasks.settle(house.id):
        pass
    while tasks.advance_all(house.id):
        pass
    tasks.deliver_rollovers(house.id)
    grow(house.id)
    assert not any(lag(each.name, establishment=house.id) for each in tasks.SUBSCRIBERS)


def visitor(world: AddressedHouse, address: Address, method: str) -> Any:
    """A client of somebody whose role lets them."""
    roles = DECISIONS[address.route].roles(method)
    role = MANAGER if roles is ANYBODY or MANAGER in roles else min(roles)
    person = world.house.people[role]
    client: Any = builders.client(person) if address.is_api else Client()
    if not address.is_api:
        client.force_login(person)
    return client
