"""A second factor is set up, replaced and taken away, by its owner or a manager (D2)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from casino.house.attendants import factors, permissions
from casino.house.attendants.models import Attendant, Employment, Factor, RecoveryCode, Role
from tests.support import builders, signing
from tests.support.signing import (
    NOWHERE,
    SECOND,
    UNSEEN,
    app_of,
    code_of,
    inside,
    logged,
    somebody,
    tries,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object, tries_forgotten: object) -> None:
    del quick_passwords, tries_forgotten


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Setting it up --------------------------------------------------------------------------------


def enrolled(at: Client) -> tuple[str, str]:
    """Set an app up through the pages: its secret, and the answer with recovery codes."""
    page = at.get("/me/second-factor/app/").content.decode()
    found = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    assert found, page
    secret = found[1].replace(" ", "")
    answer = at.post("/me/second-factor/app/", {"code": code_of(secret), "next": "/people/"})
    return secret, answer.content.decode()


@pytest.mark.usefixtures("required")
def test_d2_an_app_is_set_up_by_a_picture_or_letters_and_a_code(
    house: House, orso: Attendant
) -> None:
    at = signing.client()
    tries(at, "orso")
    page = at.get("/me/second-factor/app/").content.decode()
    assert "<svg" in page
    assert "otpauth://totp/" in page
    assert " style=" not in page

    _, answer = enrolled(at)

    codes = re.findall(r"<li><code>([a-z2-9-]{29})</code>", answer)
    assert len(codes) == len(set(codes)) == 10
    assert at.get("/people/invite/").status_code == 200  # the session is proven by it
    assert not RecoveryCode.objects.filter(code__in=codes).exists()  # hashes are kept
    assert {"factor_added", "codes_made"} <= set(logged(house))
    assert permissions.has_factor(orso)


@pytest.mark.usefixtures("orso")
def test_d2_the_code_that_set_it_up_is_spent() -> None:
    at, other = signing.client(), signing.client()
    tries(at, "orso")
    with time_machine.travel(timezone.now(), tick=False):
        secret, _ = enrolled(at)
        tries(other, "orso")
        assert other.post(SECOND, {"code": code_of(secret)}).status_code == 422


@pytest.mark.usefixtures("orso")
def test_d2_a_wrong_code_sets_nothing_up() -> None:
    at = signing.client()
    tries(at, "orso")
    at.get("/me/second-factor/app/")

    assert at.post("/me/second-factor/app/", {"code": "000000"}).status_code == 422
    assert not Factor.objects.exists()


@pytest.mark.usefixtures("orso")
@pytest.mark.parametrize("unseen", UNSEEN)
def test_d2_no_app_has_a_name_with_letters_that_nobody_sees(unseen: str) -> None:
    at = signing.client()
    tries(at, "orso")
    page = at.get("/me/second-factor/app/").content.decode()
    secret = re.findall(r'class="secret">([A-Z2-7 ]+)<', page)[0].replace(" ", "")
    values = {"code": code_of(secret), "next": "/me/"}

    refused = at.post("/me/second-factor/app/", {**values, "name": f"Pho{unseen}ne"})

    assert refused.status_code == 422
    assert "nobody sees it" in refused.content.decode()
    assert not Factor.objects.exists()
    assert at.post("/me/second-factor/app/", {**values, "name": "Phone"}).status_code == 200


CHANGES = [
    ("get", "/me/second-factor/app/"),
    ("get", "/me/second-factor/passkey/"),
    ("post", "/me/second-factor/app/"),
    ("post", "/me/second-factor/passkey/"),
    ("post", "/me/recovery-codes/"),
    ("post", "/me/second-factor/{factor}/remove/"),
]


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_d2_who_has_one_shows_it_before_another_comes_or_goes(
    orso: Attendant, method: str, path: str
) -> None:
    app_of(orso)
    at = Client()
    at.force_login(orso)

    answer = getattr(at, method)(path.format(factor=Factor.objects.get().pk))

    assert answer["Location"].startswith("/sign-in/second/")
    assert Factor.objects.filter(removed_at__isnull=True).count() == 1
    assert not RecoveryCode.objects.exists()


def test_d2_a_recovery_code_works_once_and_new_ones_end_the_old(orso: Attendant) -> None:
    secret = app_of(orso)
    old = factors.new_codes(person=orso, place=NOWHERE, now=timezone.now())
    one, two = signing.client(), signing.client()
    for at in (one, two):
        tries(at, "orso")

    assert one.post(SECOND, {"code": old[0].upper().replace("-", " ")}).status_code == 302
    assert two.post(SECOND, {"code": old[0]}).status_code == 422
    new = one.post("/me/recovery-codes/").content.decode()
    assert len(re.findall(r"<li><code>", new)) == 10
    assert two.post(SECOND, {"code": old[1]}).status_code == 422
    assert two.post(SECOND, {"code": code_of(secret)}).status_code == 302


def test_d2_one_s_factor_taken_away_leaves_its_trace_and_no_proof(
    house: House, orso: Attendant
) -> None:
    secret = app_of(orso)
    at = signing.client()
    tries(at, "orso")
    at.post(SECOND, {"code": code_of(secret)})

    at.post(f"/me/second-factor/{Factor.objects.get().pk}/remove/")

    gone = Factor.objects.get()
    assert gone.removed_at is not None
    assert bytes(gone.proof) == b""
    assert logged(house)[-3:] == ["factor_removed", "cut_off", "signed_in"]


def test_d2_what_a_factor_had_proven_elsewhere_ends_when_its_owner_takes_it_away(
    orso: Attendant,
) -> None:
    secret = app_of(orso)
    other, at = signing.client(), signing.client()
    for each, code in ((other, code_of(secret, timezone.now() - timedelta(seconds=30))),
                       (at, code_of(secret))):  # fmt: skip
        tries(each, "orso")
        each.post(SECOND, {"code": code})
    program = builders.client(orso)

    at.post(f"/me/second-factor/{Factor.objects.get().pk}/remove/")

    assert inside(at)
    assert not inside(other)
    assert program.get("/api/v1/establishments/").status_code == 401


def test_d2_nobody_takes_anothers_factor_away(house: House, orso: Attendant) -> None:
    app_of(house.supervisor)
    at = signing.client()
    tries(at, "orso")

    answer = at.post(f"/me/second-factor/{Factor.objects.get().pk}/remove/")

    assert answer.status_code == 404
    assert permissions.has_factor(house.supervisor)
    assert not permissions.has_factor(orso)


# --- A manager helps ------------------------------------------------------------------------------


def employment_of(house: House, who: Attendant) -> str:
    return str(Employment.objects.get(establishment=house.id, attendant=who).pk)


@pytest.mark.usefixtures("orso")
def test_d2_a_manager_takes_a_lost_factor_away(house: House) -> None:
    app_of(house.supervisor)
    at = signing.client()
    tries(at, "orso")

    at.post(f"/people/{employment_of(house, house.supervisor)}/", {"do": "reset"})

    assert not permissions.has_factor(house.supervisor)
    assert logged(house)[-2:] == ["factor_removed", "cut_off"]


@pytest.mark.usefixtures("orso")
def test_d2_what_a_lost_factor_had_proven_ends_with_it(house: House) -> None:
    """Who found the phone may have the session on it, too."""
    sela = somebody(house, Role.SUPERVISOR, "sela")
    secret, phone, at = app_of(sela), signing.client(), signing.client()
    tries(phone, "sela")
    phone.post(SECOND, {"code": code_of(secret)})
    assert inside(phone)
    tries(at, "orso")

    at.post(f"/people/{employment_of(house, sela)}/", {"do": "reset"})

    assert not inside(phone)


def test_d2_not_their_own_nor_of_who_works_for_another_manager(
    house: House, orso: Attendant
) -> None:
    secret = app_of(orso)
    other = builders.house()
    builders.employed(other.establishment, Role.MANAGER, house.supervisor)
    app_of(house.supervisor)
    at = signing.client()
    tries(at, "orso")
    at.post(SECOND, {"code": code_of(secret)})

    for who in (orso, house.supervisor):
        at.post(f"/people/{employment_of(house, who)}/", {"do": "reset"})
        assert permissions.has_factor(who)
