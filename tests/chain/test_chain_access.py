"""Who may open the pages of a chain: its people alone, each in their role (D1)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.attendants.models import Role, StraySignIn
from casino.chain import operations
from tests.support import access, builders, module_data
from tests.support.chained import Chained, browser, chained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from casino.attendants.models import Attendant

pytestmark = pytest.mark.django_db
ADDRESSES = [each for each in access.addresses() if each.route in access.OF_CHAINS]
EACH = pytest.mark.parametrize("address", ADDRESSES, ids=lambda each: each.route)
OF_A_HOUSE = [each for each in ADDRESSES if "<uuid:house>" in each.route]


@pytest.fixture(scope="module")
def chains(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[list[Chained]]:
    yield from module_data.built_once(lambda: [chained(1), chained(1)], django_db_blocker)


def path_in(chain: Chained, address: access.Address) -> str:
    return address.path({"house": chain.house.id, **SOMETHING})


SOMETHING = {"proposal": uuid4(), "register": "chain-days", "dice_set": uuid4()}


def asked(person: Attendant | None, address: access.Address, of: Chained) -> Any:
    client = builders.client(person) if address.is_api else browser(person)
    return client.get(path_in(of, address))


def test_every_address_of_a_chain_is_tried_here() -> None:
    routes = {each.route for each in access.addresses()}
    assert {each for each in routes if each.startswith(("chain/", "api/v1/chain/"))} == set(
        access.OF_CHAINS
    )


@EACH
def test_its_people_are_let_in(chains: list[Chained], address: access.Address) -> None:
    here = chains[0]
    for person in (here.manager, here.auditor):
        answer = asked(person, address, here)
        assert answer.status_code in {200, 302}, answer.content
        assert "no-store" in answer.headers["Cache-Control"]


@EACH
def test_whoever_works_at_a_house_alone_finds_nothing(
    chains: list[Chained], address: access.Address
) -> None:
    here = chains[0]
    for role in Role:
        answer = asked(here.house.people[role], address, here)
        assert answer.status_code == HTTPStatus.NOT_FOUND, role


@EACH
def test_nobody_else_is_let_in(chains: list[Chained], address: access.Address) -> None:
    here = chains[0]
    nobody = asked(None, address, here)
    assert nobody.status_code in {401, 302}
    root = builders.person(is_superuser=True, is_staff=True, chain=here.chain.pk)
    assert asked(root, address, here).status_code in {302, 401, 403, 404}
    left = builders.person()
    operations.appoint(here.chain, left, "manager", now=timezone.now())
    operations.dismiss(here.chain, left, now=timezone.now())
    left.refresh_from_db()
    assert asked(left, address, here).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("address", OF_A_HOUSE, ids=lambda each: each.route)
def test_a_house_of_another_chain_is_not_there(
    chains: list[Chained], address: access.Address
) -> None:
    here, other = chains
    assert asked(here.manager, address, other).status_code == HTTPStatus.NOT_FOUND
    assert asked(other.auditor, address, here).status_code == HTTPStatus.NOT_FOUND


def test_two_chains_do_not_see_each_other(chains: list[Chained]) -> None:
    here, other = chains
    mine = builders.client(here.manager).get("/api/v1/chain/houses/").json()["results"]
    assert [row["establishment"] for row in mine] == [str(here.house.id)]
    page = browser(here.auditor).get("/chain/").content.decode()
    assert here.house.establishment.name in page
    assert other.house.establishment.name not in page
    people = builders.client(here.manager).get("/api/v1/chain/people/").json()["results"]
    assert {row["attendant"] for row in people} >= {str(here.auditor.pk)}
    assert str(other.manager.pk) not in {row["attendant"] for row in people}


def test_a_person_of_the_chain_does_not_get_into_its_houses(chains: list[Chained]) -> None:
    here = chains[0]
    client = browser(here.manager)
    assert client.get("/settings/").status_code == HTTPStatus.FORBIDDEN
    assert client.get("/").headers["Location"] == "/chain/"
    assert client.post("/house/", {"house": here.house.id}).status_code == HTTPStatus.NOT_FOUND
    program = builders.client(here.manager)
    assert program.get(here.house.url("payouts/")).status_code == HTTPStatus.NOT_FOUND


def test_a_house_s_people_see_nothing_of_a_chain(chains: list[Chained]) -> None:
    page = browser(chains[0].house.manager).get("/").content.decode()
    assert 'href="/chain/"' not in page
    assert chains[0].chain.name not in page


def test_who_works_for_a_chain_and_at_a_house_finds_it_in_the_rail() -> None:
    here = chained(1)
    builders.employed(here.house.establishment, Role.SUPERVISOR, here.manager)
    client = browser(here.manager)
    assert 'href="/chain/"' in client.get("/").content.decode()
    page = client.get(f"/chain/houses/{here.house.id}/").content.decode()
    assert 'action="/house/"' in page
    assert 'href="/houses/"' in page


def test_by_pin_on_a_tablet_nobody_is_of_a_chain() -> None:
    here = chained(1)
    person = here.manager
    builders.employed(here.house.establishment, Role.MANAGER, person)
    client = browser(person)
    session = client.session
    session["floor"] = {"house": str(here.house.id), "tablet": str(uuid4()), "pin": ""}
    session.save()
    assert client.get("/chain/").status_code in {302, 403}


def test_their_own_sign_in_is_theirs_to_look_after() -> None:
    client = browser(chained(0).auditor)
    assert client.get("/me/").status_code == HTTPStatus.OK
    assert client.get("/me/second-factor/").status_code == HTTPStatus.OK


class TestSigningIn:
    def test_a_line_lands_at_each_house_and_at_the_chain(self) -> None:
        here = chained(2)
        for house in here.houses:
            builders.employed(house.establishment, Role.AUDITOR, here.manager)
        here.manager.set_password(builders.PASSWORD)
        here.manager.save()
        where = {"username": here.manager.username, "password": builders.PASSWORD}
        browser(None).post("/sign-in/", where)

        for house in here.houses:
            lines = house.establishment.sign_ins.filter(attendant=here.manager)
            assert [each.what for each in lines] == ["signed_in"]
        [line] = StraySignIn.objects.filter(attendant=here.manager)
        assert (line.what, line.chain) == ("signed_in", here.chain.pk)
        log = builders.client(here.auditor).get("/api/v1/chain/sign-ins/").json()["results"]
        assert [each["attendant"] for each in log] == [str(here.manager.pk)]

    def test_a_line_of_another_s_house_is_not_the_chain_s(self) -> None:
        here = chained(1)
        person = here.house.manager
        person.set_password(builders.PASSWORD)
        person.save()
        where = {"username": person.username, "password": builders.PASSWORD}
        browser(None).post("/sign-in/", where)
        assert not StraySignIn.objects.filter(attendant=person).exists()
