"""Signing in: named users only, locked out on guessing, good and bad logged (D1, D1b, D2)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from casino.house.attendants import lockout, signins
from casino.house.attendants.models import Lockout, Role, SignIn, StraySignIn
from tests.support import builders, signing
from tests.support.at_once import at_once, on_a_file
from tests.support.builders import PASSWORD
from tests.support.signing import ELSEWHERE, HERE, inside, logged, somebody, tries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> Iterator[None]:
    """Hashing is slow on purpose; what is tried here is something else."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    made = builders.house()
    somebody(made, Role.MANAGER, "orso")
    return made


@pytest.mark.long("postgresql")
def test_d1_a_name_and_a_password_open_the_house(house: House) -> None:
    orso = signing.client()

    assert tries(orso, "orso")["Location"] == "/"
    assert inside(orso)
    assert logged(house) == ["signed_in"]
    orso.post("/sign-out/")
    assert not inside(orso)
    assert logged(house) == ["signed_in", "signed_out"]


@pytest.mark.long("postgresql")
def test_d2_five_wrong_passwords_lock_the_name_from_that_address(house: House) -> None:
    one, other = signing.client(), signing.client()
    for at in (one, other, one, other):
        assert "name and password" in tries(at, "orso", "wrong").content.decode()

    fifth = tries(one, "orso", "wrong")
    sixth = tries(other, "orso", PASSWORD)

    assert "no more are taken for 15 minutes" in fifth.content.decode()
    assert "no more are taken for 15 minutes" in sixth.content.decode()
    assert not inside(one)
    assert not inside(other)
    assert logged(house) == ["wrong_password"] * 5 + ["locked", "locked"]
    assert tries(signing.client(ELSEWHERE), "orso").status_code == 302  # not a way to lock out


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_the_api_and_the_admin_are_locked_by_the_same_tries() -> None:
    for _ in range(3):
        tries(signing.client(), "orso", "wrong")
    for _ in range(2):
        sent = {"username": "orso", "password": "wrong"}
        builders.client(REMOTE_ADDR=HERE).post("/api/v1/tokens/", sent)

    right = builders.client(REMOTE_ADDR=HERE).post(
        "/api/v1/tokens/", {"username": "orso", "password": PASSWORD}
    )
    admin = signing.client().get("/admin/login/?next=/admin/")

    assert (right.status_code, right.json()["code"]) == (401, "authentication_failed")
    assert admin["Location"] == "/sign-in/?next=/admin/"
    assert "no more are taken" in tries(signing.client(), "orso").content.decode()


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_a_lock_ends_by_itself() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(6):
            tries(signing.client(), "orso", "wrong")
        clock.shift(lockout.WITHIN - timedelta(seconds=1))
        assert tries(signing.client(), "orso").status_code == 200
        clock.shift(timedelta(seconds=1))
        assert tries(signing.client(), "orso").status_code == 302


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_failures_far_apart_are_not_added_up() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(8):
            assert (
                "no more are taken" not in tries(signing.client(), "orso", "wrong").content.decode()
            )
            clock.shift(lockout.WITHIN)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_a_right_password_forgets_the_wrong_ones() -> None:
    for _ in range(3):
        for _ in range(4):
            tries(signing.client(), "orso", "wrong")
        assert tries(signing.client(), "orso").status_code == 302


@pytest.mark.long("postgresql")
def test_d2_a_manager_unlocks(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    for _ in range(5):
        tries(signing.client(), "mira", "wrong")
    orso = signing.client(ELSEWHERE)
    tries(orso, "orso")
    assert "locked out" in orso.get("/people/").content.decode()

    orso.post(f"/people/{mira.employments.get().pk}/", {"do": "unlock"})

    assert tries(signing.client(), "mira").status_code == 302
    assert SignIn.objects.get(what="unlocked").by is not None


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("role", [Role.AUDITOR, Role.SUPERVISOR])
def test_d2_nobody_else_unlocks(house: House, role: Role) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    for _ in range(5):
        tries(signing.client(), "mira", "wrong")

    answer = builders.signed_in(house.people[role]).post(
        f"/people/{mira.employments.get().pk}/", {"do": "unlock"}
    )

    assert answer.status_code == 403
    assert Lockout.objects.filter(locked_until__isnull=False).exists()


@pytest.mark.long("postgresql")
def test_d2_an_unknown_name_is_locked_like_a_known_one_and_kept_as_a_hash(house: House) -> None:
    for _ in range(5):
        answer = tries(signing.client(), "my-secret-password", "wrong")

    assert "no more are taken" in answer.content.decode()
    [*rows] = SignIn.objects.all()
    assert {(row.attendant, row.establishment_id) for row in rows} == {(None, house.id)}
    assert {row.unknown for row in rows} == {signins.hash_name("MY-secret-password")}
    assert "my-secret" not in str([vars(row) for row in rows])


@pytest.mark.long("postgresql")
def test_d2_with_several_houses_an_unknown_name_is_nobody_s_to_see(house: House) -> None:
    other = builders.house()
    tries(signing.client(), "nobody-at-all", "wrong")

    assert logged(house) == logged(other) == []
    assert not SignIn.objects.exists()
    assert StraySignIn.objects.get().unknown == signins.hash_name("nobody-at-all")


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_no_house_sees_the_sign_ins_of_anothers_people() -> None:
    other = builders.house()
    tries(signing.client(), "orso")

    assert logged(other) == []
    page = builders.signed_in(other.manager).get("/people/sign-ins/").content.decode()
    assert "Orso" not in page


@pytest.mark.django_db(transaction=True)
def test_d2_of_tries_at_the_same_moment_no_more_than_five_are_looked_at(tmp_path: Path) -> None:
    target, _anywhere = lockout.password("orso", HERE, None)

    def guess(_number: int) -> bool:
        try:
            lockout.spend(target, timezone.now())
        except lockout.LockedOut:
            return False
        return True

    with on_a_file(tmp_path):
        assert lockout.end_of_lock([target], timezone.now()) is None
        looked_at = at_once(8, guess)

    assert sum(looked_at) == lockout.TRIES


@pytest.mark.long("postgresql")
def test_d2_an_ipv6_network_is_one_place(house: House) -> None:
    """Whoever has one has all its addresses: five tries are five tries."""
    for number in range(5):
        tries(signing.client(f"2001:db8:0:7::{number:x}"), "orso", "wrong")

    locked = tries(signing.client("2001:db8:0:7:ffff::9"), "orso")

    assert "no more are taken" in locked.content.decode()
    assert tries(signing.client("2001:db8:0:8::1"), "orso").status_code == 302
    assert logged(house).count("locked") == 2


# --- D1b: the superuser ---------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_d1b_a_superuser_cannot_sign_in_at_all(house: House) -> None:
    root = builders.person("root", password=PASSWORD, is_superuser=True, is_staff=True)
    builders.employed(house.establishment, Role.MANAGER, root)

    assert "No attendant has this" in tries(signing.client(), "root").content.decode()
    token = builders.client().post("/api/v1/tokens/", {"username": "root", "password": PASSWORD})
    assert token.status_code == 401


@pytest.mark.long("postgresql")
def test_d1b_nor_does_a_session_or_token_made_otherwise_open_anything(house: House) -> None:
    root = builders.person("root", is_superuser=True, is_staff=True)
    builders.employed(house.establishment, Role.MANAGER, root)
    forced = Client()
    forced.force_login(root)

    for path in ("/", "/floor/", "/people/", "/admin/", "/odds/"):
        assert forced.get(path).status_code == 302, path
    assert builders.client(root).get("/api/v1/establishments/").json()["results"] == []
    opening = builders.opening(house.table)
    assert builders.client(root).post("/api/v1/games/", opening).status_code == 404


# --- One's own password ---------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_a_changed_password_signs_other_devices_out(house: House) -> None:
    one, other = signing.client(), signing.client()
    tries(one, "orso")
    tries(other, "orso")

    answer = one.post(
        "/me/password/",
        {
            "old_password": PASSWORD,
            "new_password1": "two-herons-at-dusk",
            "new_password2": "two-herons-at-dusk",
        },
    )

    assert answer.status_code == 302
    assert inside(one)
    assert not inside(other)
    assert "password_changed" in logged(house)


def changes_password(at: Client, old: str) -> Any:
    new = "two-herons-at-dusk"
    body = {"old_password": old, "new_password1": new, "new_password2": new}
    return at.post("/me/password/", body)


@pytest.mark.usefixtures("house")
def test_a_changed_password_ends_the_tokens_that_came_with_the_old_one() -> None:
    orso = signing.client()
    tries(orso, "orso")
    program = builders.client(SignIn.objects.first().attendant)  # type: ignore[union-attr]

    assert changes_password(orso, PASSWORD).status_code == 302

    assert program.get("/api/v1/establishments/").status_code == 401


@pytest.mark.long("postgresql")
def test_d2_nobody_guesses_the_password_at_a_session_left_open(house: House) -> None:
    orso = signing.client()
    tries(orso, "orso")
    for _ in range(5):
        assert changes_password(orso, "wrong").status_code == 422

    sixth = changes_password(orso, PASSWORD)

    assert sixth.status_code == 422
    assert "Too many tries" in sixth.content.decode()
    assert logged(house) == ["signed_in", *["wrong_password"] * 5, "locked", "locked"]
    assert tries(signing.client(), "orso").status_code == 302  # the door is another one


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_signing_out_everywhere_ends_sessions_and_tokens() -> None:
    one, other = signing.client(), signing.client()
    tries(one, "orso")
    tries(other, "orso")
    program = builders.client(SignIn.objects.first().attendant)  # type: ignore[union-attr]
    assert program.get("/api/v1/establishments/").status_code == 200

    one.post("/me/everywhere/")

    assert inside(one)
    assert not inside(other)
    assert program.get("/api/v1/establishments/").status_code == 401
