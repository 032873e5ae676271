"""Whoever approves money or configuration shows a second factor (D2)."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from casino.attendants import assurance, factors, permissions, signins
from casino.attendants.models import Attendant, Employment, Factor, RecoveryCode, Role
from casino.attendants.permissions import SecondFactorNeeded
from casino.config import settings as configured
from casino.demo import house as demo
from casino.operations import changes
from casino.staff import operations
from tests.support import builders, playing, signing
from tests.support.at_once import at_once, on_a_file
from tests.support.authenticator import ORIGIN, Authenticator
from tests.support.builders import PASSWORD
from tests.support.signing import SECOND, app_of, code_of, inside, logged, somebody, tries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

TOKENS = "/api/v1/tokens/"
NOWHERE = signins.Where()


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def orso(house: House) -> Attendant:
    return somebody(house, Role.MANAGER, "orso")


@pytest.fixture
def _required(settings: Any) -> None:
    settings.SECOND_FACTOR = "required"


def renamed(house: House, by: Attendant) -> None:
    table = house.tables[0]
    table.name = f"{table.name}, by the window"
    changes.change(table, establishment=house.establishment, by=by)


# --- The rule -------------------------------------------------------------------------------------

# fmt: off
STANDINGS = [
    # how signed in, acts that are let through where a second factor is required
    (None,                                  {"look", "record", "audit"}),
    (assurance.Standing(),                   {"look", "record", "audit"}),
    (assurance.Standing(second_factor=True), {"look", "record", "audit", "approve", "configure"}),
]
# fmt: on


@pytest.mark.usefixtures("_required")
@pytest.mark.parametrize(("how", "let_through"), STANDINGS)
def test_d2_required_it_takes_a_second_factor_to_approve_or_configure(
    house: House, how: Any, let_through: set[permissions.Act]
) -> None:
    house.manager.standing = how

    for act in permissions.ALLOWED:
        if act in let_through:
            permissions.require(house.manager, act, house.establishment)
        else:
            with pytest.raises(SecondFactorNeeded):
                permissions.require(house.manager, act, house.establishment)


@pytest.mark.usefixtures("_required")
def test_d2_the_operation_itself_refuses_whatever_page_forgets_to_ask(house: House) -> None:
    with pytest.raises(SecondFactorNeeded):
        renamed(house, house.manager)

    renamed(house, assurance.at_console(house.manager))


def test_d2_offered_whoever_has_one_shows_it_all_the_same(house: House, orso: Attendant) -> None:
    renamed(house, orso)
    app_of(orso)

    with pytest.raises(SecondFactorNeeded):
        renamed(house, orso)


@pytest.mark.usefixtures("_required")
def test_the_demo_house_is_made_where_it_is_required_too() -> None:
    assert demo.make().employments.count() == len(demo.STAFF)


@pytest.mark.usefixtures("_required")
def test_d2_a_second_factor_is_no_role(house: House) -> None:
    mira = house.attendant
    mira.standing = assurance.Standing(second_factor=True)

    with pytest.raises(permissions.NotYours):
        permissions.require(mira, "approve", house.establishment)


@pytest.mark.parametrize(("given", "production"), [("required", True), ("offered", False)])
def test_production_requires_it_and_the_demo_offers_it(given: str, production: bool) -> None:  # noqa: FBT001
    source = Path(configured.__file__).read_text()
    assert 'env("SECOND_FACTOR", "required" if PRODUCTION else "offered")' in source
    assert {True: "required", False: "offered"}[production] == given


# --- Signing in with it ---------------------------------------------------------------------------


def test_d2_behind_the_password_comes_the_code(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    at = signing.client()

    assert tries(at, "orso", next="/odds/").url == SECOND
    assert not inside(at)
    assert at.get("/").status_code == 302
    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/odds/"

    assert inside(at)
    assert logged(house)[-2:] == ["factor_passed", "signed_in"]


def test_d2_a_code_works_once(orso: Attendant) -> None:
    secret = app_of(orso)
    code = code_of(secret)
    first, second = signing.client(), signing.client()
    for at in (first, second):
        tries(at, "orso")

    assert first.post(SECOND, {"code": code}).status_code == 302
    replayed = second.post(SECOND, {"code": code})

    assert replayed.status_code == 422
    assert "was used before" in replayed.content.decode()
    assert not inside(second)


def test_d2_an_older_code_is_none_once_a_newer_was_taken(orso: Attendant) -> None:
    secret, now = app_of(orso), timezone.now()
    before = code_of(secret, now - timedelta(seconds=30))
    factors.take_code(person=orso, code=code_of(secret, now), place=NOWHERE, now=now)

    with pytest.raises(factors.FactorRefused):
        factors.take_code(person=orso, code=before, place=NOWHERE, now=now)


@pytest.mark.parametrize(("seconds", "taken"), [(-30, True), (30, True), (-90, False), (90, False)])
def test_d2_a_phone_s_clock_may_be_half_a_minute_off(
    orso: Attendant,
    seconds: int,
    taken: bool,  # noqa: FBT001
) -> None:
    secret = app_of(orso)
    with time_machine.travel(timezone.now(), tick=False):
        now = timezone.now()
        code = code_of(secret, now + timedelta(seconds=seconds))
        if taken:
            assert factors.take_code(person=orso, code=code, place=NOWHERE, now=now) == "app"
        else:
            with pytest.raises(factors.FactorRefused):
                factors.take_code(person=orso, code=code, place=NOWHERE, now=now)


@pytest.mark.parametrize("code", ["", "12345", "0000000", "١٢٣٤٥٦", "a" * 5000, "-1", "000000\n"])
def test_d2_what_is_no_code_is_refused(orso: Attendant, code: str) -> None:
    app_of(orso)
    at = signing.client()
    tries(at, "orso")

    assert at.post(SECOND, {"code": code}).status_code == 422
    assert not inside(at)


def test_d2_five_wrong_codes_lock_from_everywhere(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"):
        at = signing.client(address)
        tries(at, "orso")
        at.post(SECOND, {"code": "abc"})

    at = signing.client("192.0.2.6")
    tries(at, "orso")
    right = at.post(SECOND, {"code": code_of(secret)})

    assert "no more are taken" in right.content.decode()
    assert not inside(at)
    assert logged(house).count("factor_refused") == 5
    assert "locked" in logged(house)


@pytest.mark.django_db(transaction=True)
def test_d2_of_two_that_send_the_same_code_at_once_one_gets_in(
    tmp_path: Path, house: House, orso: Attendant
) -> None:
    secret, now = app_of(orso), timezone.now()
    code = code_of(secret, now)

    def take(_number: int) -> bool:
        try:
            factors.take_code(person=orso, code=code, place=NOWHERE, now=now)
        except factors.FactorRefused:
            return False
        return True

    with on_a_file(tmp_path):
        assert logged(house)
        took = at_once(4, take)

    assert sum(took) == 1


def test_d2_a_password_given_ten_minutes_ago_is_given_again(orso: Attendant) -> None:
    secret = app_of(orso)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        at = signing.client()
        tries(at, "orso")
        clock.shift(timedelta(minutes=10))
        assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/sign-in/"
        assert not inside(at)


def test_d2_a_password_changed_since_is_given_again(orso: Attendant) -> None:
    """Or somebody cut off since: what was half open is shut."""
    secret, at = app_of(orso), signing.client()
    tries(at, "orso")
    operations.cut_off(person=orso, now=timezone.now(), pin=False)

    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/sign-in/"
    assert not inside(at)


def test_d2_without_a_password_nobody_is_asked_for_a_code() -> None:
    assert signing.client().get(SECOND)["Location"] == "/sign-in/"
    assert signing.client().post(SECOND, {"code": "123456"})["Location"] == "/sign-in/"


def test_d2_an_app_s_secret_does_not_lie_open_in_the_database(orso: Attendant) -> None:
    secret = app_of(orso)

    assert secret.encode() not in bytes(Factor.objects.get().proof)


def test_d2_under_another_key_of_the_house_the_app_is_of_no_use_but_recovery_is(
    orso: Attendant, settings: Any
) -> None:
    secret = app_of(orso)
    code = factors.new_codes(person=orso, place=NOWHERE, now=timezone.now())[0]
    settings.SECRET_KEY = "another-key-altogether-of-more-than-fifty-characters"
    now = timezone.now()

    with pytest.raises(factors.FactorRefused):
        factors.take_code(person=orso, code=code_of(secret), place=NOWHERE, now=now)
    assert factors.take_code(person=orso, code=code, place=NOWHERE, now=now) == "recovery"


# --- Sent there, and back -------------------------------------------------------------------------


@pytest.mark.usefixtures("_required")
def test_d2_an_act_sends_to_the_second_factor_and_back(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    at = Client()
    at.force_login(orso)  # a session that has shown none

    sent = at.get("/people/invite/")
    answer = at.post(sent["Location"], {"code": code_of(secret), "next": "/people/invite/"})

    assert sent["Location"] == "/sign-in/second/?next=%2Fpeople%2Finvite%2F"
    assert answer["Location"] == "/people/invite/"
    assert at.get("/people/invite/").status_code == 200
    assert logged(house)[-1] == "factor_passed"


@pytest.mark.usefixtures("_required", "orso")
def test_d2_who_has_none_is_led_to_set_one_up() -> None:
    at = signing.client()

    assert tries(at, "orso", next="/people/")["Location"] == "/me/second-factor/?next=%2Fpeople%2F"
    assert at.get("/people/").status_code == 200  # to look takes none
    act = at.get("/people/invite/")
    assert at.get(act["Location"])["Location"] == "/me/second-factor/?next=%2Fpeople%2Finvite%2F"


@pytest.mark.usefixtures("_required")
def test_d2_a_tap_on_the_floor_is_led_there_too(house: House) -> None:
    game = playing.opened(house)
    at = Client()
    at.force_login(house.supervisor)
    address = f"/floor/games/{game}/"

    tapped = at.post(
        f"{address}command/",
        {"do": "approve", "request": "2", "command_id": playing.new_id()},
        HTTP_HX_REQUEST="true",
        HTTP_REFERER=f"http://testserver{address}",
    )

    assert tapped.status_code == 403
    assert tapped.headers["HX-Redirect"].startswith("/sign-in/second/?next=%2Ffloor%2Fgames")


def test_d2_nobody_is_sent_to_a_foreign_page(orso: Attendant) -> None:
    secret = app_of(orso)
    at = signing.client()
    tries(at, "orso", next="https://elsewhere.example/")

    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/"


# --- Setting it up --------------------------------------------------------------------------------


def enrolled(at: Client) -> tuple[str, str]:
    """Set an app up through the pages: its secret, and the answer with recovery codes."""
    page = at.get("/me/second-factor/app/").content.decode()
    found = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    assert found, page
    secret = found[1].replace(" ", "")
    answer = at.post("/me/second-factor/app/", {"code": code_of(secret), "next": "/people/"})
    return secret, answer.content.decode()


@pytest.mark.usefixtures("_required")
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


# --- Passkeys -------------------------------------------------------------------------------------


def with_passkey(at: Client, key: Authenticator) -> Any:
    page = at.get("/me/second-factor/passkey/", headers={"host": "localhost"}).content.decode()
    answer = key.makes(asked(page))
    return at.post(
        "/me/second-factor/passkey/",
        {"credential": json.dumps(answer), "name": "Key"},
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


# --- Programs -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_required")
def test_d2_a_token_made_with_a_code_may_approve_and_one_without_may_not(
    house: House, orso: Attendant
) -> None:
    secret = app_of(orso)
    game = playing.opened(house)
    given = {"username": "orso", "password": PASSWORD}
    act = {"do": "reject", "request": 2, "command_id": playing.new_id()}
    weak = builders.client().post(TOKENS, given).json()["token"]
    strong = builders.client().post(TOKENS, {**given, "code": code_of(secret)}).json()["token"]
    answers = []

    for token in (weak, strong):
        program = builders.client()
        program.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        assert program.get(f"/api/v1/games/{game}/").status_code == 200
        answers.append(program.post(f"/api/v1/games/{game}/commands/", act))

    assert (answers[0].status_code, answers[0].json()["code"]) == (403, "second_factor_needed")
    assert answers[1].status_code == 422  # let through: the rules know no such request


def test_d2_a_wrong_or_spent_code_gets_no_token(orso: Attendant) -> None:
    secret = app_of(orso)
    given = {"username": "orso", "password": PASSWORD, "code": code_of(secret)}

    assert builders.client().post(TOKENS, given).status_code == 201
    for code in (given["code"], "000000"):
        answer = builders.client().post(TOKENS, {**given, "code": code})
        assert (answer.status_code, answer.json()["code"]) == (422, "second_factor_refused")
