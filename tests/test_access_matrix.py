"""
Every address, every role, own and other house (D1, D1b), generated from the URL table.

A new address without a row in `access.DECISIONS` fails here, so that nobody forgets to decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Employment, Role
from tests.support import access, builders, module_data
from tests.support.access import ANYBODY, DECISIONS, Address
from tests.support.addressed_house import AddressedHouse, furnished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse
    from pytest_django import DjangoDbBlocker

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]

METHODS = ("GET", "POST")
ADDRESSES = access.addresses()


def tried(address: Address, method: str) -> bool:
    roles = DECISIONS.get(address.route, access.Opens()).roles(method)
    return roles is ANYBODY or bool(roles)


CASES = [(each, method) for each in ADDRESSES for method in METHODS if tried(each, method)]
TRIED = [pytest.param(*case, id=f"{case[1]}-{case[0].route or 'start'}") for case in CASES]
OF_A_HOUSE = [
    each
    for each, (address, method) in zip(TRIED, CASES, strict=True)
    if address.is_of_a_house and DECISIONS[address.route].roles(method) is not ANYBODY
]


def let_in_as(number: int, address: Address, method: str, role: Role) -> bool:
    """Whether the short form looks how an address lets this role in: one role of each address."""
    roles = sorted(DECISIONS.get(address.route, access.Opens()).roles(method) or Role)
    return role == roles[number % len(roles)]


def is_let_in(address: Address, method: str, role: Role) -> bool:
    roles = DECISIONS.get(address.route, access.Opens()).roles(method)
    return roles is ANYBODY or role in (roles or ())


# Who is turned away is cheap to ask, and where one may more than they should it shows.
OWN_HOUSE = [
    pytest.param(
        address,
        method,
        role,
        id=f"{method}-{address.route or 'start'}-{role}",
        marks=()
        if not is_let_in(address, method, role) or let_in_as(number, address, method, role)
        else pytest.mark.long,
    )
    for number, (address, method) in enumerate(CASES)
    for role in Role
]
OUTSIDERS = ("stranger", "leaver", "superuser")
TURNED_AWAY = frozenset({401, 403, 404})


@pytest.fixture(autouse=True)
def _nobody_has_asked_too_often() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@dataclass(frozen=True)
class Keys:
    """
    Who comes to an address, with a session and a token of theirs, made once for all tests here.

    What a test does to either (signs out, gives the token back) is taken back with its data.
    """

    people: dict[Role | str, Attendant]
    cookies: dict[Role | str, str] = field(default_factory=dict)
    tokens: dict[Role | str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for who, person in self.people.items():
            client = Client()
            client.force_login(person)
            self.cookies[who] = client.cookies.output(header="", sep=";")
            self.tokens[who] = builders.token(person)

    def client(self, who: Role | str | None, address: Address) -> Any:
        """With a token at the API, with a session elsewhere; of nobody, with neither."""
        if address.is_api:
            client = builders.client()
            if who is not None:
                client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.tokens[who]}")
            return client
        browser = Client()
        if who is not None:
            browser.cookies = SimpleCookie(self.cookies[who])
        return browser


@pytest.fixture(scope="module")
def keys(worlds: list[AddressedHouse], django_db_blocker: DjangoDbBlocker) -> Keys:
    house = worlds[0].house
    with django_db_blocker.unblock():
        people: dict[Role | str, Attendant] = dict(house.people.items())
        return Keys(people | {kind: outsider(kind, house) for kind in OUTSIDERS})


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None,  # noqa: ARG001 - there has to be a database
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[list[AddressedHouse]]:
    """Two houses with one of everything, for all tests here; taken back at the end."""
    yield from module_data.built_once(lambda: [furnished(), furnished()], django_db_blocker)


@pytest.fixture
def own(worlds: list[AddressedHouse]) -> AddressedHouse:
    return worlds[0]


@pytest.fixture
def other(worlds: list[AddressedHouse]) -> AddressedHouse:
    return worlds[1]


def test_every_address_has_a_decision() -> None:
    decided, there = set(DECISIONS), {address.route for address in ADDRESSES}
    assert there - decided == set(), "nobody has decided who may open these"
    assert decided - there == set(), "these are gone"


def asked(client: Any, address: Address, method: str, world: AddressedHouse) -> HttpResponse:
    """What somebody is answered."""
    path = address.path(world.arguments)
    body = address.body(world)
    answer: HttpResponse = client.get(path) if method == "GET" else client.post(path, body)
    assert address.may_be_kept(answer.headers["Cache-Control"]), answer.headers["Cache-Control"]
    return answer


def let_in(answer: HttpResponse) -> bool:
    """Whether somebody came as far as the thing itself, whatever it then said."""
    away = f"{reverse('sign-in')}?next="
    sent_away = answer.status_code == 302 and answer.headers["Location"].startswith(away)
    assert answer.status_code != 500, answer.content
    return answer.status_code not in TURNED_AWAY and not sent_away


class TestSomebodyWhoWorksHere:
    @pytest.mark.parametrize(("address", "method", "role"), OWN_HOUSE)
    def test_at_their_own_house(
        self, keys: Keys, own: AddressedHouse, address: Address, method: str, role: Role
    ) -> None:
        roles = DECISIONS[address.route].roles(method)
        answer = asked(keys.client(role, address), address, method, own)
        if roles is ANYBODY or role in roles:
            assert let_in(answer), answer.content
        else:
            assert answer.status_code == 403, answer.content

    @pytest.mark.rows(len(OF_A_HOUSE) + 1)  # each address, in turn by who has another role
    @pytest.mark.parametrize("role", list(Role))
    @pytest.mark.parametrize(("address", "method"), OF_A_HOUSE)
    def test_at_another_house(
        self, keys: Keys, other: AddressedHouse, address: Address, method: str, role: Role
    ) -> None:
        answer = asked(keys.client(role, address), address, method, other)
        wanted = {404} if role in (DECISIONS[address.route].roles(method) or Role) else {403, 404}
        assert answer.status_code in wanted, answer.content


@pytest.mark.parametrize(("address", "method"), TRIED)
class TestSomebodyWhoDoesNot:
    def test_nobody(self, keys: Keys, own: AddressedHouse, address: Address, method: str) -> None:
        answer = asked(keys.client(None, address), address, method, own)
        assert let_in(answer) == (DECISIONS[address.route].roles(method) is ANYBODY)

    @pytest.mark.rows(len(TRIED))
    @pytest.mark.parametrize("kind", OUTSIDERS)
    def test_no_employment(
        self, keys: Keys, own: AddressedHouse, address: Address, method: str, kind: str
    ) -> None:
        decision = DECISIONS[address.route]
        answer = asked(keys.client(kind, address), address, method, own)
        if decision.roles(method) is ANYBODY:
            assert let_in(answer)
        elif decision.oneself:
            assert let_in(answer) == (kind != "superuser")
        elif decision.mine and method == "GET":
            assert answer.status_code in {200, 302, 403}
        else:
            assert not let_in(answer)


def outsider(kind: str, house: House) -> Attendant:
    """Somebody whom no house employs now."""
    if kind == "superuser":
        return builders.person(f"root-{uuid4()}", is_superuser=True, is_staff=True)
    who = builders.person(f"{kind}-{uuid4()}")
    if kind == "leaver":
        Employment.objects.create(
            establishment=house.establishment,
            attendant=who,
            role=Role.MANAGER,
            until=timezone.now(),
        )
    return who
