"""Somebody is invited to work at a house, by a link that holds once and for a week (D1)."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Invitation, Role
from casino.settings.staff import invitations
from tests.support import builders, playing
from tests.support.at_once import at_once, on_a_file
from tests.support.employing import WEDNESDAY, at, employment, last_event, newcomer
from tests.support.signing import somebody, tries

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Invitations ----------------------------------------------------------------------------------


def invited(house: House, role: Role = Role.ATTENDANT, name: str = "Nell Ferro") -> str:
    """The link that a manager gets."""
    form = {"name": name, "role": role, "command_id": playing.new_id()}
    page = at(house.manager).post("/people/invite/", form).content.decode()
    found = re.search(r'class="link-once"[^>]*>([^<]+)<', page)
    assert found, page
    parts = urlsplit(html.unescape(found[1]))
    return f"{parts.path}?{parts.query}"


@pytest.mark.long("postgresql")
def test_d1_somebody_new_takes_a_place_with_a_password_of_their_own(house: House) -> None:
    link, nell = invited(house), Client()
    assert "Nell Ferro, you are invited" in nell.get(link).content.decode()

    answer = nell.post(link, newcomer())

    assert answer["Location"] == "/"
    job = employment(house, Attendant.objects.get(username="nell"))
    assert (job.role, job.attendant.check_password(WEDNESDAY)) == (Role.ATTENDANT, True)
    assert nell.get("/me/").status_code == 200
    event = last_event(house, "employment")
    assert event.data["after"]["invitation_id"] == str(Invitation.objects.get().pk)
    assert last_event(house, "invitation").data["after"]["accepted_by_id"] == str(job.attendant_id)


@pytest.mark.long("postgresql")
def test_d1_the_manager_who_invited_stands_in_the_ledger_and_no_name_or_secret(
    house: House,
) -> None:
    link = invited(house)

    event = last_event(house, "invitation")
    assert event.provenance.actor == str(house.manager.pk)
    assert "secret" not in event.data["after"]
    assert b"Nell" not in event.body
    key = link.partition("key=")[2]
    assert key not in Invitation.objects.get().secret


@pytest.mark.long("postgresql")
def test_d1_a_link_works_once(house: House) -> None:
    link = invited(house)
    Client().post(link, newcomer())

    again = Client().post(link, newcomer(username="nell-two"))

    assert again.status_code == 422
    assert not Attendant.objects.filter(username="nell-two").exists()


@pytest.mark.long("postgresql")
def test_d1_a_link_ends_after_seven_days_or_when_it_is_called_back(house: House) -> None:
    late, back = invited(house), invited(house, name="Ada Brook")
    row = Invitation.objects.order_by("made_at").last()
    assert row is not None
    at(house.manager).post(f"/people/invitations/{row.pk}/revoke/")

    assert Client().get(back).status_code == 422
    with time_machine.travel(timezone.now() + invitations.HOLDS):
        assert Client().post(late, newcomer()).status_code == 422
    assert not Attendant.objects.filter(username="nell").exists()


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("key", ["", "made-up", "x" * 5000])
def test_d1_a_link_that_was_made_up_opens_nothing(key: str) -> None:
    assert Client().get(f"/invitation/?key={key}").status_code == 422
    assert Client().post(f"/invitation/?key={key}", newcomer()).status_code == 422


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"password": "12345678", "again": "12345678"}, "too common"),
        ({"again": "another"}, "not the same"),
        ({"username": "no spaces!"}, "Enter a valid username"),
        ({"username": "mira"}, "already exists"),
        ({"first_name": ""}, "required"),
    ],
)
def test_d1_what_does_not_do_is_said_and_the_link_still_holds(
    house: House, wrong: dict[str, str], sentence: str
) -> None:
    somebody(house, Role.ATTENDANT, "mira")
    link = invited(house)

    refused = Client().post(link, newcomer(**wrong))

    assert (refused.status_code, sentence in refused.content.decode()) == (422, True)
    assert Client().post(link, newcomer()).status_code == 302


@pytest.mark.long("postgresql")
def test_d1_somebody_known_takes_a_place_with_the_sign_in_they_have(house: House) -> None:
    other = builders.house()
    mira = somebody(other, Role.MANAGER, "mira")
    link = invited(house, Role.SUPERVISOR)
    at_hers = Client()
    assert "sign-in/?next=%2Finvitation" in at_hers.get(link).content.decode()
    assert tries(at_hers, "mira", next=link)["Location"] == link

    at_hers.post(link)

    assert permissions.roles(mira) == {other.id: Role.MANAGER, house.id: Role.SUPERVISOR}


@pytest.mark.long("postgresql")
def test_d1_who_works_here_already_is_not_taken_on_twice(house: House) -> None:
    link = invited(house, Role.MANAGER)

    answer = at(house.attendant).post(link)

    assert answer.status_code == 422
    assert "You work here already" in answer.content.decode()
    assert permissions.roles(house.attendant) == {house.id: Role.ATTENDANT}


@pytest.mark.long("postgresql")
def test_d2_who_is_to_approve_is_led_to_a_second_factor(house: House) -> None:
    assert (
        Client().post(invited(house, Role.SUPERVISOR), newcomer())["Location"]
        == "/me/second-factor/"
    )


@pytest.mark.long("postgresql")
def test_a_second_tap_makes_no_second_invitation(house: House) -> None:
    form = {"name": "Nell", "role": Role.ATTENDANT, "command_id": playing.new_id()}
    for _ in range(2):
        at(house.manager).post("/people/invite/", form)

    assert Invitation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_d1_of_two_that_take_a_link_at_once_one_gets_the_place(
    tmp_path: Path, house: House
) -> None:
    _, key = invitations.invite(
        house=house.establishment,
        name="Nell",
        role=Role.ATTENDANT,
        by=house.manager,
        now=timezone.now(),
    )
    people = [builders.person() for _ in range(4)]

    def take(number: int) -> bool:
        try:
            invitations.accept(secret=key, person=people[number], now=timezone.now())
        except invitations.InvitationSpent:
            return False
        return True

    with on_a_file(tmp_path):
        assert Invitation.objects.count() == 1
        took = at_once(4, take)
        taken = Employment.objects.filter(attendant__in=people).count()

    assert (sum(took), taken) == (1, 1)
