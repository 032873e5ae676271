"""What a password may be, and how it is kept (D2)."""

from __future__ import annotations

import inspect
import math
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import timezone

from casino.house.attendants import factors, passwords, signins
from casino.house.attendants.models import Attendant, RecoveryCode, Role
from tests.support import builders, signing
from tests.support.signing import inside, somebody, tries

if TYPE_CHECKING:
    from pytest_django import Settings

# fmt: off
FIT = [
    "correct horse battery",           # spaces
    "ein Spaß für müde Würfel",        # letters of any script
    "骰子在桌上滚动直到午夜停下",
    "🎲🎲🎲 three of them 🎲🎲🎲",
    "849305716284",                    # digits alone
    "qwmzlkaoeriu",                    # twelve, of one kind
    "x7" * 64,                         # a hundred and twenty-eight
]
UNFIT = [
    ("elevenchars",           "password_too_short"),
    ("ten     chars",         "password_too_short"),  # several spaces are one
    ("x7" * 64 + "x",         "password_too_long"),
    ("",                      "password_too_short"),
    ("password1234",          "password_too_common"),
    ("zerlinda-herself",      "password_too_similar"),
]
# fmt: on


@pytest.mark.parametrize("password", FIT)
def test_any_twelve_characters_do(password: str) -> None:
    validate_password(password, Attendant(username="orso"))


@pytest.mark.parametrize(("password", "code"), UNFIT)
def test_others_are_refused_by_name(password: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password, Attendant(username="zerlinda-hersel"))

    assert code in {each.code for each in refused.value.error_list}


@pytest.mark.django_db
def test_all_of_it_counts_and_nothing_is_cut_off() -> None:
    """A space at its end, the last of 128 characters, and an accent are parts of it."""
    house, long = builders.house(), "x7" * 63 + "é "
    who = somebody(house, Role.ATTENDANT, "mira")
    who.set_password(long)
    who.save()

    for wrong in (long[:-1], long.replace("é", "e"), long.strip(), long.upper()):
        at = signing.client(f"192.0.2.{len(wrong)}")
        tries(at, "mira", wrong)
        assert not inside(at)
    at = signing.client()
    tries(at, "mira", long)
    assert inside(at)


# --- Kept -----------------------------------------------------------------------------------------


@pytest.fixture
def once(settings: Settings) -> Settings:
    """As it is, but for the rounds: those are one in all tests (tests/conftest.py)."""
    return settings


def test_a_hash_is_slow_salted_and_keyed() -> None:
    hasher = passwords.KeyedHasher()
    decoded: Any = hasher.decode(hasher.encode("three-stones", hasher.salt(), 1))

    rounds = re.search(r"iterations = ([\d_]+)", inspect.getsource(PBKDF2PasswordHasher))
    assert rounds
    assert int(rounds[1]) >= 600_000  # as Django brings it
    assert len(decoded["salt"]) * math.log2(62) >= 128
    assert hasher.salt() != hasher.salt()


def test_a_copy_of_the_database_alone_says_nothing(once: Settings) -> None:
    kept = make_password("three-stones-in-a-cup")
    assert check_password("three-stones-in-a-cup", kept)
    assert not check_password("three-stones-in-a-cap", kept)

    once.SECRET_KEY = "another, as whoever has only the copy would have to guess"

    assert not check_password("three-stones-in-a-cup", kept)


@pytest.mark.django_db
def test_under_a_new_key_the_old_one_holds_until_the_next_sign_in(once: Settings) -> None:
    house = builders.house()
    who = somebody(house, Role.ATTENDANT, "mira")
    before, once.SECRET_KEY_FALLBACKS = who.password, [once.SECRET_KEY]
    once.SECRET_KEY = "the new one of two, and long enough for a house to sign with it"

    at = signing.client()
    tries(at, "mira")

    assert inside(at)
    who.refresh_from_db()
    assert who.password != before
    once.SECRET_KEY_FALLBACKS = []
    assert tries(signing.client(), "mira").status_code == 302


@pytest.mark.parametrize("kept", ["", "!", "md5$a$b", "keyed_pbkdf2_sha256$1$salt$hash"])
def test_what_is_no_hash_of_ours_opens_nothing(once: Settings, kept: str) -> None:
    del once
    assert not check_password("three-stones-in-a-cup", kept)


@pytest.mark.django_db
def test_a_recovery_code_is_not_to_be_guessed() -> None:
    """112 bits at least: then its hash needs neither salt nor time."""
    who: Any = builders.person("mira")
    codes = factors.new_codes(person=who, place=signins.Where(), now=timezone.now())

    letters = [code.replace("-", "") for code in codes]
    assert {len(each) for each in letters} == {24}
    assert 24 * math.log2(len(factors.ALPHABET)) > 112
    kept = RecoveryCode.objects.filter(attendant=who).values_list("code", flat=True)
    assert not {*codes, *letters} & set(kept)
