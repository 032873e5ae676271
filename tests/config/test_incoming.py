"""One gate for what comes with a request: no NUL, no control character, nothing too long (D2)."""

from __future__ import annotations

import json
import re
import uuid
from io import BytesIO
from typing import TYPE_CHECKING, Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from casino.config import incoming
from casino.config.environment import BODY_MOST, STRANGERS_FIELDS_MOST
from casino.config.incoming import IncomingMiddleware, refusal_of
from casino.config.wsgi import Request, application
from casino.demo.house import PASSWORD
from casino.house.attendants import signins
from casino.house.attendants.models import SignIn
from games.characters import CONTROL
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
NUL, HALF = "\0", "half \ud800"
COOKIES = ["device", "sessionid", "csrftoken", "floor-command", "floor-lease", "tablet", "known"]
ADDRESSES = ["/sign-in/", "/", "/floor/", "/api/v1/houses/", "/healthz/web", "/wall/x/"]


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("cookie", COOKIES)
def test_no_cookie_brings_a_character_that_nothing_keeps(
    house: House, address: str, cookie: str
) -> None:
    client = Client()
    client.force_login(house.manager)
    client.cookies.clear()

    answer = client.get(address, headers={"cookie": f'{cookie}="a\\000b"'})

    assert answer.status_code == 400
    assert "U+0000" in answer.content.decode()
    assert answer.cookies[cookie].value == ""  # else nobody came past it again


@pytest.mark.parametrize("password", [PASSWORD, "wrong"])
def test_a_try_to_sign_in_that_does_not_pass_is_logged_and_tells_nothing(
    house: House, password: str
) -> None:
    form = {"username": house.manager.username, "password": password}

    answer = Client().post("/sign-in/", form, headers={"cookie": 'device="\\000"'})

    assert answer.status_code == 400
    assert "_auth_user_id" not in Client().session
    line = SignIn.objects.get(establishment=house.id)
    assert (line.what, line.way, line.device) == (SignIn.What.WRONG_PASSWORD, "refused", "")


OUTSIDE: list[tuple[str, dict[str, Any]]] = [
    ("/floor/%00/", {}),
    ("/?q=%00", {}),
    ("/?%07=1", {}),
    ("/players/", {"headers": {"accept-language": "it\x1b"}}),
    ("/players/", {"headers": {"home-throw-device": "a\x00b"}}),
    ("/sign-in/", {"data": {"username": "a\0b", "password": "x"}}),
    ("/sign-in/", {"data": {"user\x01name": "a", "password": "x"}}),
]


@pytest.mark.parametrize(("address", "sent"), OUTSIDE)
def test_no_address_header_or_form_does(house: House, address: str, sent: dict[str, Any]) -> None:
    client = Client()
    client.force_login(house.manager)

    answer = client.post(address, **sent) if "data" in sent else client.get(address, **sent)

    assert answer.status_code == 400


@pytest.mark.parametrize("wrong", [NUL, HALF, "\x1b[2J", "a\bc", "a\fc"])
@pytest.mark.parametrize(
    "body",
    [
        {"do": "x", "note": "{}"},
        {"asked": [{"deep": ["{}"]}]},
        {"sheet": {"{}": 1}},
        {"options": {"mode": "{}"}},
        {"{}": 1},
    ],
)
def test_no_body_does_at_any_depth(house: House, body: dict[str, Any], wrong: str) -> None:
    sent = json.dumps(body).replace("{}", json.dumps(wrong)[1:-1])
    doors = [
        house.url("games/"),
        house.url("configuration/"),
        house.url("cage/"),
        reverse("floor-entries", args=[uuid.uuid4()]),
    ]
    client = house.client()

    for door in doors:
        answer = client.post(door, sent, content_type="application/json")
        assert answer.status_code == 400, door
        assert "no text may have" in answer.content.decode()


PARTS = ["a", "\\", '"', "/", "ud83d", "u0000", "\ud83d", "\ude00", "\b", "\0", "\x7f", "\t", "é"]
TEXTS = st.lists(st.sampled_from(PARTS)).map("".join)
VALUES = st.recursive(TEXTS, lambda of: st.lists(of) | st.dictionaries(TEXTS, of))


@given(value=VALUES, ascii_only=st.booleans())
def test_json_is_clean_if_none_of_its_texts_has_such_a_character(
    value: Any, *, ascii_only: bool
) -> None:
    value = json.loads(json.dumps(value))  # two halves become one
    has_one = any(CONTROL.search(each) for each in incoming.texts_of(value))
    written = json.dumps(value, ensure_ascii=ascii_only or has_one).encode()

    assert (incoming.CLEAN.fullmatch(written) is None) is has_one


LONG = {
    "texts": (b'["a"', b',"a"', b"]"),
    "objects": (b'{"a":["\\u0041"', b',{"a":[]}', b"]}"),
    "escapes": (b'["', b"\\u0041", b'"]'),
    "pairs": (b'["', b"\\ud83d\\ude00", b'"]'),
    "backslashes": (b'["', b"\\\\", b'"]'),
}


@pytest.mark.parametrize("kind", LONG)
def test_the_longest_body_is_seen_to_be_clean(kind: str) -> None:
    """Unparsed: many such bodies of nobody at once would keep the house from its work."""
    begins, part, ends = LONG[kind]
    body = begins + part * ((BODY_MOST - len(begins + ends)) // len(part)) + ends

    assert incoming.CLEAN.fullmatch(body)
    assert incoming.json_of(body) is not None


NAMES = ["a[b]", "", "a b", "é", "path"]


@pytest.mark.parametrize("name", NAMES)
def test_a_cookie_that_cannot_be_taken_away_is_refused_and_logged(house: House, name: str) -> None:
    client = Client(raise_request_exception=False)
    form = {"username": house.manager.username, "password": "wrong"}

    answer = client.post("/sign-in/", form, headers={"cookie": f'{name}="\\000"'})

    assert answer.status_code == 400
    assert SignIn.objects.get(establishment=house.id).way == "refused"


ENCODINGS = [
    "base64",
    "hex",
    "rot13",
    "undefined",
    "utf-16",
    "utf-7",
    "cp037",
    "unicode_escape",
    "x",
]


@pytest.mark.parametrize("address", ["/sign-in/", "/api/v1/tokens/"])
@pytest.mark.parametrize(
    "kind",
    ["application/json", "multipart/form-data; boundary=a", "application/x-www-form-urlencoded"],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_request_says_no_other_encoding_than_utf_8(
    house: House, encoding: str, kind: str, address: str
) -> None:
    """Python knows some that are none of text, and some that hide a character from the gate."""
    status, body = answered(address, f"{kind}; charset={encoding}")

    assert status.startswith("400 ")
    assert b"send UTF-8" in body
    assert SignIn.objects.filter(establishment=house.id, way="refused").count() == 1
    assert not answered(address, f"{kind}; charset=UTF-8")[0].startswith("5")


def asked(address: str, kind: str) -> dict[str, Any]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": address,
        "QUERY_STRING": "a=%C3%A9",
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": "1",
        "HTTP_HOST": "testserver",
        "wsgi.input": BytesIO(b"a"),
    }
    setup_testing_defaults(environ)
    return environ


def answered(address: str, kind: str) -> tuple[str, bytes]:
    """The answer of the application as servers call it: a test client makes requests of its own."""
    said: list[str] = []

    def start(status: str, _headers: Any, _error: Any = None) -> Any:
        said.append(status)

    # As a test client does: a server's request closes the connection that the test needs.
    request_started.disconnect(close_old_connections)
    try:
        chunks: Any = application(asked(address, kind), start)
    finally:
        request_started.connect(close_old_connections)
    return said[0], b"".join(chunks)


def test_no_body_has_a_character_that_json_writes_as_it_is(house: House) -> None:
    answer = house.client().post(
        house.url("cage/"), b'{"note": "a\x7f"}', content_type="application/json"
    )
    assert "U+007F" in answer.json()["detail"]


def test_lines_and_letters_of_the_world_pass(house: House) -> None:
    client = Client()
    client.force_login(house.manager)
    assert client.get("/?q=Zoë%20🎲%0A", headers={"cookie": "a=%F0"}).status_code == 302
    body = json.dumps({"text": "Zoë 🎲 \t\n"})
    answer = house.client().post(house.url("cage/"), body, content_type="application/json")
    assert "no text may have" not in answer.content.decode()


@pytest.mark.parametrize("address", ["/sign-in/", "/api/v1/tokens/"])
def test_what_is_too_long_or_does_not_say_how_long_it_is_is_refused_unread(address: str) -> None:
    long = Client().post(address, "x" * (BODY_MOST + 1), content_type="text/plain")
    assert long.status_code == 413

    endless = Client(raise_request_exception=False).generic(
        "POST", address, CONTENT_LENGTH="9" * 5_000
    )
    assert endless.status_code == 413

    chunked = Client().generic(
        "POST", address, headers={"transfer-encoding": "chunked"}, CONTENT_LENGTH=""
    )
    assert chunked.status_code == 411


PARTED = "multipart/form-data; boundary=b"
KINDS_OF_PARTS: list[tuple[str, bytes]] = [
    (PARTED, b"--b\r\n\r\n\r\n"),  # without a name: Django counts none
    (PARTED, b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"),
    ("application/x-www-form-urlencoded", b"a=b&"),
]


@pytest.mark.parametrize(("kind", "part"), KINDS_OF_PARTS)
def test_a_form_of_a_stranger_in_many_parts_is_refused_before_it_is_taken_apart(
    house: House, kind: str, part: bytes
) -> None:
    many = RequestFactory().post("/sign-in/", part * 100 + b"--b--\r\n", content_type=kind)
    assert refusal_of(many) is incoming.SIGN_IN_FIRST
    assert not hasattr(many, "_post")
    assert Client().post("/sign-in/", part * 100, content_type=kind).status_code == 302

    few = RequestFactory().post("/sign-in/", part * 20 + b"--b--\r\n", content_type=kind)
    assert refusal_of(few) is None
    client = Client()
    client.force_login(house.manager)
    largest = client.post("/settings/", part * 900 + b"--b--\r\n", content_type=kind)
    assert largest.status_code == 422  # read, and not filled in
    assert client.post("/settings/", part * 1_100, content_type=kind).status_code == 413


def test_every_form_of_a_stranger_has_far_fewer_fields_than_that(house: House) -> None:
    house.establishment.guests = True
    house.establishment.save()
    for address in ("/sign-in/", "/floor/", f"/g/{house.id}/"):
        page = Client().get(address, follow=True).content.decode()
        for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
            assert form.count("name=") * 2 < STRANGERS_FIELDS_MOST


HEADS: list[tuple[str, str]] = [
    ("HTTP_COOKIE", 'a="' + "\\" * 1_001 + '"'),
    ("HTTP_COOKIE", "a=b;" * 2_048),
    ("HTTP_ACCEPT_LANGUAGE", "x" * 8_191),
    ("HTTP_AUTHORIZATION", "Bearer " + "x" * 8_190),
    ("QUERY_STRING", "a=" + "%" * 8_190),
    ("PATH_INFO", "/a" * 4_096),
    ("CONTENT_TYPE", "a/b" + ";" * 254),
]


@pytest.mark.parametrize("address", ["/sign-in/", "/api/v1/tokens/"])
@pytest.mark.parametrize(("name", "text"), HEADS)
def test_a_long_header_is_refused_unread(address: str, name: str, text: str) -> None:
    """Python and Django read some in a time that grows with the square of their length."""
    request = Request({**asked(address, "text/plain"), name: text})

    answer = IncomingMiddleware(lambda _request: HttpResponse())(request)

    assert answer.status_code == 431
    assert {"COOKIES", "GET"}.isdisjoint(vars(request))
    if name == "CONTENT_TYPE":
        assert request.content_params == {}
    assert (
        refusal_of(Request({**asked(address, "text/plain"), name: text[: len(text) // 2]})) is None
    )


WRITTEN = [
    ("203.0.113.7", "203.0.113.7"),
    ("203.0.113.7:50123", "203.0.113.7"),
    ("[2001:db8::7]:50123", "2001:db8::7"),
    ("[2001:DB8:0::7]", "2001:db8::7"),
    ("2001:db8::7", "2001:db8::7"),
    ("unknown", "unknown"),
]


@pytest.mark.parametrize(("forwarded", "address"), WRITTEN)
def test_an_address_has_no_port(settings: Any, forwarded: str, address: str) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    request = RequestFactory().get("/", headers={"x-forwarded-for": f"10.0.0.1, {forwarded}"})

    assert signins.where(request).address == address
