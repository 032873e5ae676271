"""Who may open the pages of a chain: its people alone, each in their role (D1)."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.chain import operations, roll_outs
from casino.house.attendants.models import Role, StraySignIn
from tests.support import access, builders, module_data
from tests.support.chained import Chained, browser, chained, proven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from casino.house.attendants.models import Attendant

pytestmark = pytest.mark.django_db
ADDRESSES = [each for each in access.addresses() if each.route in access.OF_CHAINS]
CASES = [
    pytest.param(each, method, id=f"{method}-{each.route}")
    for each in ADDRESSES
    for method in sorted(access.OF_CHAINS[each.route])
]
EACH = pytest.mark.parametrize(("address", "method"), CASES)
OF_A_HOUSE = [each for each in ADDRESSES if "<uuid:house>" in each.route]
MANAGING = {"chain/people/appoint/", "chain/people/dismiss/", "chain/proposals/settings/",
            "chain/dice/send/", "chain/proposals/rules/<slug:game>/"}  # fmt: skip
"""Pages that are a form: nothing to look at for who may not send it."""


@dataclass(frozen=True)
class Known:
    """A chain, with one of everything that an address of it names."""

    of: Chained
    arguments: dict[str, Any]


def known() -> Known:
    here, now = chained(1), timezone.now()
    made = roll_outs.propose(
        proven(here.manager), values={"wall": True}, houses=[here.house.id], reason="To see.",
        command_id=uuid4(), now=now,
    )  # fmt: skip
    return Known(here, {"house": here.house.id, "proposal": made.pk, "game": "stone-hand"})


@pytest.fixture(scope="module")
def chains(
    django_db_setup: None,  # noqa: ARG001 - its database is there
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[list[Known]]:
    yield from module_data.built_once(lambda: [known(), known()], django_db_blocker)


def asked(person: Attendant | None, address: access.Address, method: str, of: Known) -> Any:
    client = builders.client(person) if address.is_api else browser(person)
    path = address.path(of.arguments)
    if method == "get":
        return client.get(path)
    return client.post(path, {"command_id": str(uuid4()), "reason": "To see."})


def test_every_address_of_a_chain_is_tried_here() -> None:
    routes = {each.route for each in access.addresses()}
    of_chains = {each for each in routes if each.startswith(("chain/", "api/v1/chain/"))}
    assert of_chains == access.OF_CHAINS.keys()


@pytest.mark.rows(postgresql=3)
@EACH
def test_its_managers_are_let_in(chains: list[Known], address: access.Address, method: str) -> None:
    answer = asked(chains[0].of.second, address, method, chains[0])
    assert answer.status_code in {200, 302, 400, 422}, answer.content
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.rows(postgresql=3)
@EACH
def test_its_auditors_look_and_change_nothing(
    chains: list[Known], address: access.Address, method: str
) -> None:
    answer = asked(chains[0].of.auditor, address, method, chains[0])
    looks = method == "get" and address.route not in MANAGING
    assert answer.status_code == (HTTPStatus.OK if looks else HTTPStatus.FORBIDDEN)


@pytest.mark.rows(postgresql=3)
@EACH
def test_whoever_works_at_a_house_alone_finds_nothing(
    chains: list[Known], address: access.Address, method: str
) -> None:
    for role in Role:
        answer = asked(chains[0].of.house.people[role], address, method, chains[0])
        assert answer.status_code == HTTPStatus.NOT_FOUND, role


@pytest.mark.rows(postgresql=3)
@EACH
def test_nobody_else_is_let_in(chains: list[Known], address: access.Address, method: str) -> None:
    chain = chains[0].of.chain
    assert asked(None, address, method, chains[0]).status_code in {401, 302}
    root = builders.person(is_superuser=True, is_staff=True, chain=chain.pk)
    assert asked(root, address, method, chains[0]).status_code in {302, 401, 403, 404}
    left = builders.person()
    operations.appoint(chain, left, "manager", now=timezone.now())
    operations.dismiss(chain, left, now=timezone.now())
    left.refresh_from_db()
    assert asked(left, address, method, chains[0]).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.rows(postgresql=8)
@EACH
def test_what_is_of_another_chain_is_not_there(
    chains: list[Known], address: access.Address, method: str
) -> None:
    if "<uuid:" not in address.route:
        return
    here, other = chains
    for one, another in ((here, other), (other, here)):
        answer = asked(one.of.second, address, method, another)
        assert answer.status_code == HTTPStatus.NOT_FOUND, answer.content


def test_two_chains_do_not_see_each_other(chains: list[Known]) -> None:
    here, other = chains[0].of, chains[1].of
    mine = builders.client(here.manager).get("/api/v1/chain/houses/").json()["results"]
    assert [row["establishment"] for row in mine] == [str(here.house.id)]
    page = browser(here.auditor).get("/chain/").content.decode()
    assert here.house.establishment.name in page
    assert other.house.establishment.name not in page
    people = builders.client(here.manager).get("/api/v1/chain/people/").json()["results"]
    assert {row["attendant"] for row in people} >= {str(here.auditor.pk)}
    assert str(other.manager.pk) not in {row["attendant"] for row in people}


def test_a_person_of_the_chain_does_not_get_into_its_houses(chains: list[Known]) -> None:
    here = chains[0].of
    client = browser(here.manager)
    assert client.get("/settings/").status_code == HTTPStatus.FORBIDDEN
    assert client.get("/").headers["Location"] == "/chain/"
    assert client.post("/house/", {"house": here.house.id}).status_code == HTTPStatus.NOT_FOUND
    program = builders.client(here.manager)
    assert program.get(here.house.url("payouts/")).status_code == HTTPStatus.NOT_FOUND


def test_a_house_s_people_see_nothing_of_a_chain(chains: list[Known]) -> None:
    page = browser(chains[0].of.house.manager).get("/").content.decode()
    assert 'href="/chain/"' not in page
    assert chains[0].of.chain.name not in page


def test_a_house_s_auditor_sees_who_of_the_chain_looks_in() -> None:
    here, alone = chained(1), builders.house()
    page = browser(here.house.auditor).get("/settings/").content.decode()
    for person in (here.manager, here.second, here.auditor):
        assert str(person) in page
    assert "People of its chain" not in browser(alone.auditor).get("/settings/").content.decode()


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
