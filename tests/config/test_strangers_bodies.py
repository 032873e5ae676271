"""How much of a body is read of whoever has not signed in, at every address that takes one."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from casino.config.environment import BODY_MOST, STRANGERS_BODY_MOST
from tests.support import access, builders, module_data
from tests.support.addressed_house import AddressedHouse, furnished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.access import Address
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=XX"
JSON = "application/json"
ADMIN = ["/admin/", "/admin/login/", "/nowhere/", "/api/v1/nowhere/"]
KINDS = {
    FORM: (b"a=", b"%", b""),
    PARTS: (b"", b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n', b"--XX--"),
    JSON: (b'["\\u0000"', b",[]", b"]"),
}
FORGED: dict[str, dict[str, str]] = {
    "nothing": {},
    "a session": {"cookie": f"{settings.SESSION_COOKIE_NAME}={'a' * 32}"},
    "a token": {"authorization": f"Bearer {'a' * 64}"},
    "no session": {"cookie": f'{settings.SESSION_COOKIE_NAME}="\\000"'},
    "no token": {"authorization": "Bearer \u00e9"},
}
ADDRESSES = access.addresses()


class Counted(BytesIO):
    """A body that remembers how far it was read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        came = super().read(size)
        self.taken += len(came)
        return came

    def readline(self, size: int | None = -1, /) -> bytes:
        came = super().readline(size)
        self.taken += len(came)
        return came


def body_of(kind: str, size: int) -> bytes:
    begins, part, ends = KINDS[kind]
    body = begins + part * ((size - len(begins + ends)) // len(part)) + ends
    return body.ljust(size)


def post(client: Any, path: str, kind: str, body: bytes, **headers: str) -> tuple[Any, int]:
    """The answer, and how many bytes of the body were read."""
    stream = Counted(body)
    sent = {"wsgi.input": stream, "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}
    answer = client.generic("POST", path, headers=headers, **sent)
    return answer, stream.taken


@pytest.fixture(scope="module")
def world(
    django_db_setup: None,  # noqa: ARG001 - there has to be a database
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[AddressedHouse]:
    yield from module_data.built_once(furnished, django_db_blocker)


@pytest.fixture
def house(world: AddressedHouse) -> House:
    return world.house


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda each: each.route or "start")
def test_no_address_reads_a_long_body_of_a_stranger(
    world: AddressedHouse, address: Address
) -> None:
    is_turned_away(address.path(world.arguments))


@pytest.mark.parametrize("path", ADMIN)
def test_nor_does_the_admin_or_an_address_that_is_none(world: AddressedHouse, path: str) -> None:
    del world
    is_turned_away(path)


def is_turned_away(path: str) -> None:
    for kind in KINDS:
        for size in (STRANGERS_BODY_MOST + 1, BODY_MOST):
            answer, taken = post(Client(), path, kind, body_of(kind, size))
            assert taken == 0, (kind, size)
            if kind == JSON or path.startswith("/api/"):
                assert answer.status_code == 401
            else:
                assert answer.headers["Location"].startswith(f"{reverse('sign-in')}?next=")


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("path", ["/sign-in/", "/api/v1/tokens/", "/settings/import/staff/"])
def test_nothing_that_the_house_did_not_give_makes_somebody_of_them(
    house: House, path: str, forged: str
) -> None:
    del house
    for kind in KINDS:
        answer, taken = post(Client(), path, kind, body_of(kind, BODY_MOST), **FORGED[forged])
        refusals = {400} if forged == "no session" else {302, 401}
        assert (answer.status_code in refusals, taken) == (True, 0)


@pytest.mark.parametrize("length", ["+300000", " 300000", "3_00000", "0300000", "-1"])
def test_a_length_is_read_as_django_reads_it(house: House, length: str) -> None:
    del house
    stream = Counted(b"a" * 300_000)
    sent: dict[str, Any] = {"wsgi.input": stream, "CONTENT_TYPE": FORM, "CONTENT_LENGTH": length}
    answer = Client().generic("POST", "/sign-in/", **sent)
    assert (answer.status_code, stream.taken) == (413, 0)


def test_what_a_stranger_fills_in_is_read(house: House) -> None:
    fields = {"username": house.manager.username, "password": "%" * 1000, "next": "/"}
    form = urlencode(fields).encode().ljust(STRANGERS_BODY_MOST, b"x")

    answer, taken = post(Client(), "/sign-in/", FORM, form)

    assert (answer.status_code, taken) == (200, STRANGERS_BODY_MOST)


def test_somebody_is_read_with_a_session_or_a_token(house: House) -> None:
    long = json.dumps({"note": "x" * (BODY_MOST - 20)}).encode()
    door, token = house.url("cage/"), f"Bearer {builders.token(house.manager)}"
    signed_in = Client()
    signed_in.force_login(house.manager)

    for client, headers in ((signed_in, {}), (Client(), {"authorization": token})):
        answer, taken = post(client, door, JSON, long, **headers)
        assert (answer.status_code, taken) == (400, len(long))
        assert answer.json()["field"] == "note"


def test_whoever_was_signed_out_comes_back_to_their_page(house: House) -> None:
    client = Client()
    client.force_login(house.manager)
    page = "/settings/import/staff/"
    client.session.flush()

    sent, taken = post(
        client, page, FORM, body_of(FORM, BODY_MOST), referer=f"http://testserver{page}"
    )

    assert (sent.headers["Location"], taken) == (f"/sign-in/?next={page.replace('/', '%2F')}", 0)
