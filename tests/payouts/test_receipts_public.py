"""What anybody may see of a house's ledger without signing in (D3)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from casino.proofs import views
from tests.support import builders
from tests.support.proven import keyed, signed
from tests.support.proving import VERIFIER, won

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _keys_of_its_own(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEYS_DIR = tmp_path / "secret"


@pytest.fixture(autouse=True)
def _nobody_came_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house(_keys_of_its_own: None) -> House:
    made = builders.house()
    keyed(made)
    return made


class TestWhatAnybodyMaySee:
    @pytest.mark.long("postgresql")
    def test_the_newest_checkpoint_its_age_the_keys_and_how_to_check(self, house: House) -> None:
        won(house)
        checkpoint = signed(house)
        html = Client().get(reverse("ledger-of", args=[house.id])).content.decode()
        for words in (house.establishment.name, checkpoint.origin, "ago", "verify.py", "sha-256"):
            assert words.lower() in html.lower(), words
        assert "Sign out" not in html

    @pytest.mark.long("postgresql")
    def test_the_note_itself(self, house: House) -> None:
        address = reverse("ledger-checkpoint", args=[house.id])
        assert Client().get(address).status_code == 404
        won(house)
        checkpoint = signed(house)
        answer = Client().get(address)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.content.decode() == checkpoint.note

    @pytest.mark.long("postgresql")
    def test_the_verifier_is_the_very_file(self) -> None:
        answer = Client().get(reverse("ledger-verifier"))
        assert answer.content == VERIFIER.read_bytes() == views.VERIFIER.read_bytes()

    @pytest.mark.long("postgresql")
    def test_a_house_that_is_not_there(self) -> None:
        for name in ("ledger-of", "ledger-checkpoint", "ledger-keys"):
            assert Client().get(reverse(name, args=[uuid4()])).status_code == 404

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("old", [0, 10**6])
    def test_a_link_from_where_there_is_nothing(self, house: House, old: int) -> None:
        won(house)
        signed(house)
        assert Client().get(reverse("ledger-link", args=[house.id, old])).status_code == 404
