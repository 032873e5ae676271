"""The list of what was changed in a house's settings: by what, by whom, when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments.models import Change
from casino.house.home_throws.operations import set_home_throw
from casino.play.core.subscriptions.tasks import advance
from casino.settings.staff import invitations
from tests.support import builders
from tests.support.settings_pages import house_form, page, send

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house() -> House:
    return builders.house()


class TestTheLog:
    def test_c2_it_is_filtered_by_what_who_and_day(self, house: House) -> None:
        send(house, "", house_form(house, large_prize="900"))
        send(house, "tables/new/", {"name": "Garden", "in_use": "on"})
        set_home_throw(
            establishment=house.establishment,
            faces=(1, 3, 6),
            effective_from=timezone.now(),
            by=house.manager,
        )
        day = Change.objects.latest("position").gaming_day

        def shown(query: str) -> str:
            return page(house, f"changes/?{query}").content.decode()

        assert "Garden" in shown("kind=table")
        assert "large prize" not in shown("kind=table")
        assert "Garden" in shown(f"who={house.manager.pk}")
        assert "Garden" not in shown(f"who={house.auditor.pk}")
        assert "Garden" in shown(f"day={day}")
        assert "Garden" not in shown("day=2020-01-01")

    @pytest.mark.parametrize(
        "query", ["kind=dragon", "who=nobody", "day=9999-99-99", "before=-1", f"before={10**30}"]
    )
    def test_a_filter_that_is_none_filters_nothing(self, house: House, query: str) -> None:
        send(house, "tables/new/", {"name": "Garden", "in_use": "on"})

        assert "Garden" in page(house, f"changes/?{query}").content.decode()

    def test_people_are_called_by_their_names(self, house: House) -> None:
        invitations.invite(
            house=house.establishment,
            name="Nell Ferro",
            role=Role.ATTENDANT,
            by=house.manager,
            now=timezone.now(),
        )
        advance(HOUSE, house.id)

        rows = page(house, "changes/").content.decode().partition("<tbody>")[2]
        assert "Nell Ferro" in rows
        assert rows.count(str(house.manager)) == 2  # who did it, and who is the one that invited
        assert str(house.manager.pk) not in rows

    def test_older_changes_are_on_the_next_page(self, house: House) -> None:
        for number in range(52):
            Change.objects.create(
                establishment=house.establishment, position=number, at=timezone.now(),
                gaming_day=timezone.now().date(), kind="table", happened="changed", thing="",
                label=f"Nr {number};", actor="system", before={}, after={},
            )  # fmt: skip

        answer: Any = page(house, "changes/")
        first, beyond = answer.content.decode(), answer.context["table"].next_url
        assert "Nr 51;" in first
        assert "Nr 1;" not in first
        assert ">Next<" in first
        second = page(house, f"changes/{beyond}").content.decode()
        assert "Nr 1;" in second
        assert "Nr 51;" not in second

    def test_another_house_s_changes_are_not_listed(self, house: House) -> None:
        other = builders.house()
        send(other, "tables/new/", {"name": "Secret room", "in_use": "on"})

        assert "Secret room" not in page(house, "changes/").content.decode()
