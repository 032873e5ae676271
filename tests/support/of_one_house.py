"""Every address of the house but those of chains, with each method that somebody may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from django.test import Client

from tests.support import access, builders
from tests.support.access import ANYBODY, DECISIONS, MANAGER, Address

if TYPE_CHECKING:
    from tests.support.worlds import World

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


def visitor(world: World, address: Address, method: str) -> Any:
    """A client of somebody whose role lets them."""
    roles = DECISIONS[address.route].roles(method)
    role = MANAGER if roles is ANYBODY or MANAGER in roles else min(roles)
    person = world.house.people[role]
    client: Any = builders.client(person) if address.is_api else Client()
    if not address.is_api:
        client.force_login(person)
    return client
