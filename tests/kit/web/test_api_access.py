"""Who gets in, by what, and who may see and do what at whose house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.house.attendants.models import Employment, Role
from casino.play.core.models import GameCard
from ledger.models import Event
from tests.support import builders
from tests.support.builders import GAMES, PASSWORD, House, opened, opening, settled, throw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]
TOKENS = "/api/v1/tokens/"
HOUSES = "/api/v1/establishments/"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Sign-in --------------------------------------------------------------------------------------


def test_a_name_and_a_password_get_a_token_that_opens_a_game(house: House) -> None:
    who = builders.employed(
        house.establishment, Role.ATTENDANT, builders.person("mira", password=PASSWORD)
    )
    client = builders.client()

    given = client.post(TOKENS, {"username": "mira", "password": PASSWORD})

    token = given.json()["token"]
    assert given.status_code == 201
    assert given.headers["Cache-Control"] == "no-store"
    assert AuthToken.objects.get(user=who).expiry is not None
    assert token not in str(list(AuthToken.objects.values()))  # a hash is kept, not the token
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    assert client.post(GAMES, opening(house.table)).status_code == 201


@pytest.mark.parametrize("sent", [("mira", "wrong"), ("nobody", PASSWORD), ("mira", PASSWORD)])
def test_whoever_may_not_sign_in_is_told_nothing_more(sent: tuple[str, str]) -> None:
    builders.person("mira", password=PASSWORD, is_active=sent[1] != PASSWORD)

    answer = builders.client().post(TOKENS, dict(zip(("username", "password"), sent, strict=True)))

    assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
    assert answer.json()["detail"] == "No attendant has this name and password."
    assert "WWW-Authenticate" in answer.headers


def test_a_revoked_token_opens_nothing(house: House) -> None:
    client = house.client()

    revoked = client.delete(f"{TOKENS}current/")

    assert revoked.status_code == 204
    assert client.get(HOUSES).status_code == 401


def test_a_session_has_no_token_to_revoke(house: House) -> None:
    client = APIClient()
    client.force_login(house.attendant)

    assert client.delete(f"{TOKENS}current/").status_code == 404


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Bearer a b", "Bearer \xe9\xff", "Token x", "Basic eDp5"]
)
def test_without_a_token_of_ours_nothing_is_shown(header: str) -> None:
    client = APIClient(HTTP_AUTHORIZATION=header) if header else APIClient()

    answer = client.get(GAMES)

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_both_spellings_of_a_token_are_taken(house: House) -> None:
    _, token = AuthToken.objects.create(house.attendant)

    for scheme in ("Bearer", "Token", "bearer"):
        client = APIClient(HTTP_AUTHORIZATION=f"{scheme} {token}")
        assert client.get(HOUSES).status_code == 200


def test_a_session_writes_only_with_its_csrf_token(house: House, settings: Settings) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.get(reverse("sign-in"))  # sets the cookie
    client.force_login(house.attendant)
    secret = client.cookies[settings.CSRF_COOKIE_NAME].value

    without = client.post(GAMES, opening(house.table))
    with_it = client.post(GAMES, opening(house.table), headers={"X-CSRFToken": secret})

    assert (without.status_code, without.json()["code"]) == (403, "permission_denied")
    assert with_it.status_code == 201


def test_passwords_are_not_tried_without_end(settings: Settings) -> None:
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {"tokens": "2/min"},
        "NUM_PROXIES": 0,
    }
    guess = {"username": "mira", "password": "guess"}

    statuses = [builders.client().post(TOKENS, guess).status_code for _ in range(2)]
    answer = builders.client().post(TOKENS, guess, headers={"X-Forwarded-For": "10.0.0.9"})

    assert statuses == [401, 401]
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 0 < int(answer.headers["Retry-After"]) <= 60


# --- Houses and roles -----------------------------------------------------------------------------

LOOKS = [HOUSES + "{house}/", HOUSES + "{house}/tables/", HOUSES + "{house}/ledger/",
         HOUSES + "{house}/rollovers/",
         GAMES + "{game}/", GAMES + "{game}/events/", GAMES + "{game}/explain/1/"]  # fmt: skip
# fmt: off
ACTS = [
    # who                   opens  throws  approves
    (Role.ATTENDANT,        201,   200,    403),
    (Role.SUPERVISOR,       201,   200,    422),  # allowed; there is no such request
    (Role.MANAGER,          201,   200,    422),
    (Role.AUDITOR,          403,   403,    403),
]
# fmt: on


def a_round(house: House) -> str:
    game = opened(house)
    builders.put(
        house, game, throw("Ada", 2, 2, 3), throw("Bruno", 3, 3, 4), throw("Cleo", 1, 1, 5)
    )
    return game


@pytest.mark.parametrize("role", list(Role))
def test_every_role_looks_at_its_own_house_and_no_other(house: House, role: Role) -> None:
    game, stranger = a_round(house), builders.house().client(role)

    for url in (look.format(house=house.id, game=game) for look in LOOKS):
        assert house.client(role).get(url).status_code == 200, url
        answer = stranger.get(url)
        assert answer.status_code == 404, url
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(("role", "opens", "throws", "approves"), ACTS)
def test_a_role_does_at_its_own_house_what_it_allows(
    house: House, role: Role, opens: int, throws: int, approves: int
) -> None:
    url = f"{GAMES}{opened(house)}/commands/"
    client = house.client(role)

    assert client.post(GAMES, opening(house.tables[1])).status_code == opens
    assert client.post(url, throw("Ada", 2, 2, 3)).status_code == throws
    assert client.post(url, builders.command("approve", request=2)).status_code == approves


@pytest.mark.parametrize("role", list(Role))
def test_no_role_does_anything_at_another_house(house: House, role: Role) -> None:
    game, stranger = opened(house), builders.house().client(role)
    events = Event.objects.count()

    assert stranger.post(GAMES, opening(house.tables[1])).status_code == 404
    assert stranger.post(f"{GAMES}{game}/commands/", throw("Ada", 2, 2, 3)).status_code == 404
    assert Event.objects.count() == events


def test_another_houses_dice_are_not_found(house: House) -> None:
    dice = builders.house().dice

    answer = house.client().post(GAMES, opening(house.table, dice_set=str(dice.pk)))

    assert answer.status_code == 404


def lists(client: APIClient) -> tuple[list[str], list[str]]:
    houses, games = client.get(HOUSES).json(), client.get(GAMES).json()
    return [row["id"] for row in houses["results"]], [row["id"] for row in games["results"]]


def test_lists_hold_ones_own_and_nothing_else(house: House) -> None:
    other = builders.house()
    games = {each.id: opened(each) for each in (house, other)}
    settled(house)
    settled(other)
    assert GameCard.objects.count() == 2

    assert lists(house.client()) == ([str(house.id)], [games[house.id]])
    both = builders.employed(other.establishment, Role.AUDITOR, house.attendant)
    assert sorted(lists(builders.client(both))[1]) == sorted(games.values())


def test_a_superuser_who_works_nowhere_sees_nothing(house: House) -> None:
    game = a_round(house)
    client = builders.client(builders.person(is_superuser=True, is_staff=True))

    assert lists(client) == ([], [])
    for look in LOOKS:
        assert client.get(look.format(house=house.id, game=game)).status_code == 404
    assert client.post(GAMES, opening(house.tables[1])).status_code == 404


def test_whoever_is_dismissed_is_cut_off_at_once(house: House) -> None:
    client, game = house.client(), opened(house)
    Employment.objects.filter(attendant=house.attendant).update(until="2026-01-01T00:00:00Z")

    assert client.get(f"{GAMES}{game}/").status_code == 404
    assert client.post(f"{GAMES}{game}/commands/", throw("Ada", 2, 2, 3)).status_code == 404


def test_what_is_nowhere_looks_like_what_is_anothers(house: House) -> None:
    other: Any = builders.house()
    game = opened(other)

    theirs = house.client().get(f"{GAMES}{game}/").json()
    nowhere = house.client().get(f"{GAMES}{(missing := str(uuid4()))}/").json()

    assert {**theirs, "detail": ""} == {**nowhere, "detail": ""}
    assert theirs["detail"].replace(game, "") == nowhere["detail"].replace(missing, "")
