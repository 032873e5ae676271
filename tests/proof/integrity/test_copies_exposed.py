"""What no copy outside covers yet is exposed, and is said to be (guarantee 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from casino.office.monitoring import checks as health
from casino.proof.signing import queries
from ledger.models import Event
from tests.support.copied import HOUR, MINUTE, due, sent, with_a_signed_ledger
from tests.support.playing import NOW
from tests.support.proven import happened, newest, signed

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object, tried_out: object) -> None:
    del key_folder, tried_out


@pytest.fixture
def house() -> House:
    return with_a_signed_ledger()


class TestWhatIsOutside:
    """Guarantee 2: what no copy outside covers yet is exposed, and the screen says so."""

    def page(self, house: House, person: str = "manager") -> str:
        client = Client()
        client.force_login(getattr(house, person))
        return " ".join(client.get("/").text.split())

    @pytest.mark.long("postgresql")
    def test_where_nothing_is_copied_everything_is_exposed(self, house: House) -> None:
        outside = queries.outside(house.id)

        assert (outside.configured, outside.size, outside.copied_at) == (False, 0, None)
        assert outside.exposed == newest(house).size
        said = self.page(house)
        assert "nothing is kept outside the house" in said
        assert "Whoever runs the house" in said
        assert "CHECKPOINT_COPIES" not in said  # which the page behind the link says
        assert f"{reverse('proof')}#outside-how" in said
        client = Client()
        client.force_login(house.manager)
        assert "<code>CHECKPOINT_COPIES</code>" in client.get(reverse("proof")).text

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("folder")
    def test_what_came_since_the_newest_copy_is_exposed_and_for_how_long(
        self, house: House
    ) -> None:
        size = newest(house).size
        sent(house)
        assert queries.outside(house.id).exposed_since is None
        happened(house, 2, now=NOW + MINUTE)

        outside = queries.outside(house.id)

        assert (outside.size, outside.exposed) == (size, 2)
        first = Event.objects.get(establishment=house.id, position=size)
        assert outside.exposed_since == first.recorded_at
        assert outside.exposed_for(NOW + 3 * MINUTE) == 2 * MINUTE
        assert outside.age(NOW + 3 * MINUTE) == 3 * MINUTE
        assert f"{size} events" in self.page(house)
        assert "2 events are covered by no copy outside" in self.page(house)

    @pytest.mark.usefixtures("folder")
    def test_attendants_are_not_told(self, house: House) -> None:
        assert "copy outside" not in self.page(house, "attendant")
        assert "copy is outside" in self.page(house, "auditor")

    @pytest.mark.long("postgresql")
    def test_health_is_ill_when_events_came_and_no_copy_did(
        self, house: House, settings: Settings, folder: Path
    ) -> None:
        sent(house)
        happened(house, now=NOW)

        assert health.integrity(NOW + HOUR).ok
        found = health.integrity(NOW + 2 * HOUR)
        assert not found.ok
        assert "no copy outside covers its last 1 event, for 2 hours" in found.says
        signed(house)
        assert due(house, NOW + 2 * HOUR) == [f"folder:{folder}"]
        sent(house, NOW + 2 * HOUR)
        assert health.integrity(NOW + 9 * HOUR).ok
        happened(house, now=NOW)
        settings.CHECKPOINT_COPIES = ()
        assert health.integrity(NOW + 9 * HOUR).ok
