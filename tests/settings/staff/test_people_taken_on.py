"""Who is taken on waits for a second person; so does who is let off being a player (C1, C2, D1)."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Invitation, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.models import RequestRow
from casino.settings.staff import appointments, invitations, operations
from ledger import journal
from tests.support import builders, playing
from tests.support.employing import (
    answered,
    at,
    employment,
    newcomer,
    records,
    role_of,
    where_two_configure,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return where_two_configure()


# --- Invitations ----------------------------------------------------------------------------------


def offered(house: House, role: Role = Role.ATTENDANT) -> str:
    """The link that the asker is shown."""
    form = {
        "name": "Nell Ferro",
        "role": role,
        "reason": "For the garden.",
        "command_id": playing.new_id(),
    }
    page = at(house.manager).post("/people/invite/", form).content.decode()
    found = re.search(r'class="link-once"[^>]*>([^<]+)<', page)
    assert found, page
    assert "The link opens nothing until a second person has approved it" in page
    parts = urlsplit(html.unescape(found[1]))
    return f"{parts.path}?{parts.query}"


def test_c2_a_link_opens_once_a_second_person_has_approved_it(
    house: House, second: Attendant
) -> None:
    link = offered(house, Role.SUPERVISOR)
    assert Client().get(link).status_code == 422
    assert Client().post(link, newcomer()).status_code == 422
    assert Invitation.objects.count() == 0
    assert "waits for a second person" in at(second).get("/people/").content.decode()
    row = RequestRow.objects.get()
    queue = at(second).get("/approvals/").content.decode()
    assert "opens a place as supervisor for Nell Ferro, once, for seven days." in queue

    answered(house, row.id, second)

    (event,) = records(house, "invitation")
    assert (event.event_type, event.data["before"]) == ("invitation.created", None)
    assert event.data["after"]["role"] == Role.SUPERVISOR
    assert (event.data["asked_by"], event.data["approved_by"]) == (
        str(house.manager.pk),
        str(second.pk),
    )
    assert Client().post(link, newcomer()).status_code == 302
    assert role_of(house, Attendant.objects.get(username="nell")) == Role.SUPERVISOR
    assert Client().post(link, newcomer()).status_code == 422


def test_d1_neither_name_nor_what_the_link_holds_is_in_the_ledger(house: House) -> None:
    key = offered(house).partition("key=")[2]
    bodies = b"".join(event.body for event in journal.read(establishment=house.id, limit=100))

    assert b"Nell" not in bodies
    assert key.encode() not in bodies


def test_c1_rejected_a_link_stays_shut(house: House, second: Attendant) -> None:
    link = offered(house)
    answered(house, RequestRow.objects.get().id, second, approve=False)

    assert Client().post(link, newcomer()).status_code == 422
    assert Invitation.objects.count() == 0


def test_c1_a_manager_alone_takes_on_no_second_self(house: House, second: Attendant) -> None:
    """The link in one's own hand opens nothing, and who asked approves nothing."""
    link = offered(house, Role.MANAGER)
    with pytest.raises(approvals.OwnRequest):
        answered(house, RequestRow.objects.get().id, house.manager)

    assert Client().post(link, newcomer()).status_code == 422
    assert permissions.roles(second)[house.id] == Role.MANAGER


def test_d1_the_link_of_somebody_who_left_meanwhile_is_not_approved(
    house: House, second: Attendant
) -> None:
    link = offered(house, Role.MANAGER)
    operations.dismiss(employment=employment(house, house.manager), by=second)
    third = builders.employed(house.establishment, Role.MANAGER)

    for each in (second, third):
        with pytest.raises(appointments.AskerLeft):
            answered(house, RequestRow.objects.get().id, each)
    assert Client().post(link, newcomer()).status_code == 422


def test_a_second_tap_asks_no_second_time(house: House) -> None:
    form = {
        "name": "Nell",
        "role": Role.ATTENDANT,
        "reason": "For the garden.",
        "command_id": playing.new_id(),
    }
    orso = at(house.manager)
    orso.post("/people/invite/", form)
    again = orso.post("/people/invite/", form, follow=True).content.decode()

    assert "its link was shown then" in again
    assert RequestRow.objects.count() == 1


def test_c1_it_takes_a_reason_and_where_one_configures_none(house: House) -> None:
    form = {"name": "Nell", "role": Role.ATTENDANT, "command_id": playing.new_id()}

    assert at(house.manager).post("/people/invite/", form).status_code == 422
    assert "Why" not in at(builders.house().manager).get("/people/invite/").content.decode()


# --- What a manager leaves behind -----------------------------------------------------------------


@pytest.mark.parametrize("becomes", ["gone", Role.SUPERVISOR])
def test_d1_who_is_no_manager_any_more_has_no_link_left(becomes: str) -> None:
    house = builders.house()
    leaver = builders.employed(house.establishment, Role.MANAGER)
    _, kept = invitations.invite(
        house=house.establishment,
        name="Nell",
        role=Role.MANAGER,
        by=leaver,
        now=timezone.now(),
    )

    job = employment(house, leaver)
    if becomes == "gone":
        operations.dismiss(employment=job, by=house.manager)
    else:
        operations.change_role(
            employment=job, role=Role(becomes), by=house.manager, reason="Less to do."
        )

    assert Client().post(f"/invitation/?key={kept}", newcomer()).status_code == 422
    assert Invitation.objects.get().revoked_at is not None
    assert records(house, "invitation")[-1].event_type == "invitation.changed"


def test_c1_nobody_stops_being_the_player_who_is_paid(house: House) -> None:
    """Else: no player, approve one's own prize, be the player again."""
    job = employment(house, house.manager)
    tokens = pseudonyms.player_tokens(house.id, ["Ada", "Bo"], new=True)
    operations.link_player(employment=job, player=tokens["Ada"], by=house.manager)

    for wanted in ("", tokens["Bo"]):
        with pytest.raises(operations.OwnPlayer):
            operations.link_player(employment=job, player=wanted, by=house.manager)
    job.refresh_from_db()
    assert job.player == tokens["Ada"]
    other = builders.employed(house.establishment, Role.MANAGER)
    operations.link_player(employment=job, player="", by=other)
