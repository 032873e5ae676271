"""Passkeys as second factors: what they sign opens the house once, and nothing else does (D2)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Attendant, Factor
from tests.support import builders, signing
from tests.support.authenticator import ORIGIN, Authenticator
from tests.support.signing import SECOND, UNSEEN, inside, logged, tries

if TYPE_CHECKING:
    from django.test import Client

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object, tries_forgotten: object) -> None:
    del quick_passwords, tries_forgotten


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Passkeys -------------------------------------------------------------------------------------


def with_passkey(at: Client, key: Authenticator, name: str = "Key") -> Any:
    page = at.get("/me/second-factor/passkey/", headers={"host": "localhost"}).content.decode()
    answer = key.makes(asked(page))
    return at.post(
        "/me/second-factor/passkey/",
        {"credential": json.dumps(answer), "name": name},
        headers={"host": "localhost"},
    )


def asked(page: str) -> Any:
    found = re.search(r'data-options="([^"]+)"', page)
    assert found, page
    return json.loads(found[1].replace("&quot;", '"'))["publicKey"]


def shows(at: Client, key: Authenticator, **wrong: Any) -> Any:
    page = at.get(SECOND, headers={"host": "localhost"}).content.decode()
    answer = key.signs(asked(page), **wrong)
    return at.post(SECOND, {"credential": json.dumps(answer)}, headers={"host": "localhost"})


@pytest.fixture
def key(orso: Attendant) -> Authenticator:
    """A passkey that Orso has set up."""
    del orso
    made, at = Authenticator(), signing.client()
    tries(at, "orso")
    assert "Recovery codes" in with_passkey(at, made).content.decode()
    return made


@pytest.mark.usefixtures("orso")
@pytest.mark.parametrize("unseen", UNSEEN)
def test_d2_no_passkey_has_a_name_with_letters_that_nobody_sees(unseen: str) -> None:
    at = signing.client()
    tries(at, "orso")

    refused = with_passkey(at, Authenticator(), f"Ke{unseen}y")

    assert refused.status_code == 422
    assert "nobody sees it" in refused.content.decode()
    assert not Factor.objects.exists()


def test_d2_a_passkey_opens_the_house(house: House, key: Authenticator) -> None:
    at = signing.client()
    tries(at, "orso")

    assert shows(at, key)["Location"] == "/"
    assert inside(at)
    assert Factor.objects.get().kind == "passkey"
    assert logged(house)[-2:] == ["factor_passed", "signed_in"]


WRONG: list[dict[str, Any]] = [
    {"origin": "https://elsewhere.example"},
    {"challenge": "bm90IHdoYXQgd2FzIGFza2Vk"},
    {"kind": "webauthn.create"},
    {"present": False},
    {"signature": b"made up"},
    {"rp": "elsewhere.example"},
    {"count": 0},  # behind what was seen: a copy
]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_d2_a_passkey_s_answer_to_anything_else_opens_nothing(
    key: Authenticator, wrong: dict[str, Any]
) -> None:
    at = signing.client()
    tries(at, "orso")

    assert shows(at, key, **wrong).status_code == 422
    assert not inside(at)


def test_d2_a_passkey_s_answer_is_not_taken_twice(key: Authenticator) -> None:
    one, two = signing.client(), signing.client()
    for at in (one, two):
        tries(at, "orso")
    page = one.get(SECOND, headers={"host": "localhost"}).content.decode()
    answer = {"credential": json.dumps(key.signs(asked(page)))}

    assert one.post(SECOND, answer, headers={"host": "localhost"}).status_code == 302
    assert two.post(SECOND, answer, headers={"host": "localhost"}).status_code == 422


@pytest.mark.usefixtures("key")
def test_d2_somebody_else_s_passkey_opens_nothing() -> None:
    at, stranger = signing.client(), Authenticator()
    tries(at, "orso")

    assert shows(at, stranger).status_code == 422


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    "answer", ["", "{}", "[]", "null", "no json", '{"id": 1}', '{"rawId":"AA"}']
)
@pytest.mark.usefixtures("key")
def test_d2_what_is_no_answer_at_all_is_refused_kindly(answer: str) -> None:
    at = signing.client()
    tries(at, "orso")
    at.get(SECOND, headers={"host": "localhost"})

    given = at.post(SECOND, {"credential": answer, "code": "x"}, headers={"host": "localhost"})

    assert given.status_code == 422
    assert "Not taken" in given.content.decode()


def test_d2_where_the_house_is_opened_by_digits_the_page_says_why_there_is_no_passkey(
    orso: Attendant,
) -> None:
    del orso
    at = signing.client()
    tries(at, "orso")
    page = at.get("/me/second-factor/", headers={"host": "127.0.0.1:8000"}).content.decode()

    assert "localhost:8000" in page
    assert ORIGIN == "http://localhost"
