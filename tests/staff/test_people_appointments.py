"""Who gets which role, and who is taken on, waits for a second person (C1, C2, D1b)."""

from __future__ import annotations

import html
import re
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from casino.approvals import answers, queries, requests
from casino.approvals import operations as approvals
from casino.approvals.models import RequestRow
from casino.attendants import permissions
from casino.attendants.models import Attendant, Employment, Invitation, Role
from casino.establishments.models import Establishment
from casino.onboarding import csv_lists, imports
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from casino.staff import appointments, invitations, operations
from ledger import journal
from tests.support import builders, playing
from tests.support.at_once import at_once, on_a_file
from tests.support.builders import PASSWORD

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

WEDNESDAY = "six-lamps-on-a-bridge"


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def house() -> House:
    made = builders.house()
    Establishment.objects.filter(pk=made.id).update(two_configure=True)
    made.establishment.refresh_from_db()
    return made


@pytest.fixture
def second(house: House) -> Attendant:
    """Another manager, who approves."""
    return builders.employed(house.establishment, Role.MANAGER)


def at(who: Attendant) -> Client:
    client = Client()
    client.force_login(who)
    return client


def act(house: House, by: Attendant | None = None) -> acts.Act:
    """Now, and not at some table's hour: employments begin now, too."""
    return acts.Act(
        house=house.establishment,
        by=by or house.manager,
        device="office",
        now=timezone.now(),
        command_id=uuid.uuid4(),
        request={},
    )


def job_of(house: House, who: Attendant) -> Employment:
    return Employment.objects.get(establishment=house.id, attendant=who, until__isnull=True)


def role_of(house: House, who: Attendant) -> str:
    return permissions.roles(who).get(house.id, "")


def asked(house: House, who: Attendant, role: Role, by: Attendant | None = None) -> uuid.UUID:
    request = appointments.change_role(
        act(house, by), employment=job_of(house, who), role=role, reason="Passed the exam."
    )
    assert request is not None
    return request


def answered(house: House, request: uuid.UUID, by: Attendant, *, approve: bool = True) -> None:
    approvals.decide(act(house, by), request, approve=approve, reason="Seen.")


def records(house: House, kind: str) -> list[Any]:
    return journal.stream(establishment=house.id, stream=f"record/{kind}")


# --- Roles ----------------------------------------------------------------------------------------


def test_c2_a_role_changes_once_a_second_person_approves(house: House, second: Attendant) -> None:
    request = asked(house, house.attendant, Role.SUPERVISOR)
    assert role_of(house, house.attendant) == Role.ATTENDANT
    assert records(house, "employment") == []

    answered(house, request, second)

    assert role_of(house, house.attendant) == Role.SUPERVISOR
    (event,) = records(house, "employment")
    assert event.event_type == "employment.changed"
    data = event.data
    assert (data["before"]["role"], data["after"]["role"]) == ("attendant", "supervisor")
    assert (data["asked_by"], data["approved_by"]) == (str(house.manager.pk), str(second.pk))
    assert data["beneficiaries"] == [str(house.attendant.pk)]
    assert event.provenance.actor == str(second.pk)


def test_c2_rejected_nothing_changes(house: House, second: Attendant) -> None:
    answered(house, asked(house, house.attendant, Role.MANAGER), second, approve=False)

    assert role_of(house, house.attendant) == Role.ATTENDANT
    assert records(house, "employment") == []


def test_c1_nobody_approves_a_promotion_that_they_asked_for(house: House) -> None:
    builders.employed(house.establishment, Role.MANAGER)
    request = asked(house, house.attendant, Role.MANAGER)

    with pytest.raises(approvals.OwnRequest):
        answered(house, request, house.manager)
    with pytest.raises(approvals.OthersCould):
        approvals.do_alone(act(house), request, reason="Late.")
    assert role_of(house, house.attendant) == Role.ATTENDANT


def test_d1b_nobody_decides_their_own_role(house: House, second: Attendant) -> None:
    with pytest.raises(operations.OwnRole):
        asked(house, house.manager, Role.AUDITOR)
    request = asked(house, second, Role.SUPERVISOR)

    with pytest.raises(approvals.Beneficiary):
        answered(house, request, second)
    assert role_of(house, second) == Role.MANAGER


def test_c1_the_ledger_itself_refuses_whoever_is_appointed(house: House, second: Attendant) -> None:
    """Past every check of the program: the event of it cannot be written."""
    signed = {
        "asked_by": str(house.manager.pk),
        "approved_by": str(second.pk),
        "beneficiaries": [str(second.pk)],
    }
    event = journal.NewEvent(
        stream="record/employment",
        event_type="employment.changed",
        schema_version=1,
        data={"id": str(job_of(house, second).pk), **signed},
    )

    with pytest.raises((journal.FourEyes, DatabaseError)):
        acts.perform(
            act(house, second), lambda: acts.Done(guards={event.stream: 0}, events=[event])
        )


def test_d1b_the_only_other_manager_is_moved_alone_and_reviewed(
    house: House, second: Attendant
) -> None:
    """Whose role it is cannot approve it: where nobody else can, it is done alone."""
    request = asked(house, second, Role.SUPERVISOR)
    [card] = queries.cards(house.establishment, RequestRow.objects.all(), house.manager)
    assert set(card.may) == {"withdraw", "alone"}

    answers.do_alone(act(house), request, reason="There is nobody else.")

    assert role_of(house, second) == Role.SUPERVISOR
    (event,) = records(house, "employment")
    assert (event.data["alone"], event.data["approved_by"]) == (True, None)
    answers.review(act(house, house.auditor), request, in_order=True)


def test_d1b_a_house_with_one_manager_does_it_alone_to_be_reviewed(house: House) -> None:
    request = asked(house, house.attendant, Role.SUPERVISOR)

    approvals.do_alone(act(house), request, reason="I am the only one.")

    assert role_of(house, house.attendant) == Role.SUPERVISOR
    state = requests.state(house.establishment, request)
    assert state.state == requests.State.ALONE
    assert queries.to_review(house.id).count() == 1


def test_d1_leaving_never_waits(house: House) -> None:
    page = f"/people/{job_of(house, house.attendant).pk}/"
    form = {"do": "leaving", "leaving-reason": "Off.", "leaving-command_id": playing.new_id()}

    assert at(house.manager).post(page, form)["Location"] == "/people/"

    assert role_of(house, house.attendant) == ""
    assert RequestRow.objects.count() == 0


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
def test_d1_only_a_manager_asks_and_only_one_approves(
    house: House, second: Attendant, role: Role
) -> None:
    who = house.people[role]
    with pytest.raises(permissions.NotYours):
        asked(house, second, Role.SUPERVISOR, by=who)
    other = builders.employed(house.establishment, Role.ATTENDANT)
    request = asked(house, other, Role.SUPERVISOR)

    with pytest.raises(permissions.NotYours):
        answered(house, request, who)
    assert role_of(house, other) == Role.ATTENDANT


def test_c2_what_is_no_longer_so_is_refused_and_the_request_stays(
    house: House, second: Attendant
) -> None:
    first = asked(house, house.attendant, Role.SUPERVISOR)
    again = asked(house, house.attendant, Role.AUDITOR)
    gone = asked(house, house.supervisor, Role.AUDITOR)
    answered(house, first, second)
    operations.dismiss(employment=job_of(house, house.supervisor), by=house.manager)

    with pytest.raises(appointments.ChangedMeanwhile, match="supervisor by now"):
        answered(house, again, second)
    with pytest.raises(operations.HasLeft):
        answered(house, gone, second)
    assert requests.state(house.establishment, again).state == requests.State.WAITING


def test_d1_the_last_manager_stays_one(house: House, second: Attendant) -> None:
    """A manager who signs in nowhere is none: a superuser (D1b)."""
    request = asked(house, second, Role.SUPERVISOR)
    third = builders.employed(house.establishment, Role.MANAGER)
    operations.dismiss(employment=job_of(house, house.manager), by=second)
    Attendant.objects.filter(pk=third.pk).update(is_superuser=True)

    with pytest.raises(operations.LastManager):
        answered(house, request, third)
    assert role_of(house, second) == Role.MANAGER


def test_there_is_no_other_door(house: House) -> None:
    job = job_of(house, house.attendant)
    with pytest.raises(operations.SecondPersonNeeded):
        operations.change_role(employment=job, role=Role.MANAGER, by=house.manager, reason="Quick.")
    with pytest.raises(operations.SecondPersonNeeded):
        operations.employ(
            establishment=house.establishment,
            attendant=builders.person(),
            role=Role.ATTENDANT,
            by=house.manager,
        )
    with pytest.raises(operations.SecondPersonNeeded):
        invitations.invite(
            house=house.establishment,
            name="Nell",
            role=Role.MANAGER,
            by=house.manager,
            now=timezone.now(),
        )
    raw = b"username,first,last,role\nnora,Nora,Vale,manager\n"
    listed = csv_lists.read(raw, csv_lists.STAFF, house.establishment)
    with pytest.raises(operations.SecondPersonNeeded):
        imports.staff(house.establishment, listed, by=house.manager)
    assert not Attendant.objects.filter(username="nora").exists()


def test_the_admin_is_none_either(house: House) -> None:
    job = job_of(house, house.attendant)
    changed = at(house.manager).post(
        f"/admin/attendants/employment/{job.pk}/change/",
        {"role": Role.MANAGER, "until_0": "", "until_1": ""},
    )
    added = at(house.manager).post(
        "/admin/attendants/employment/add/",
        {"establishment": house.id, "username": "nora", "password": PASSWORD, "role": "manager"},
    )

    assert "a second person approves" in changed.content.decode()
    assert "A second person approves" in added.content.decode()
    assert role_of(house, house.attendant) == Role.ATTENDANT
    assert not Attendant.objects.filter(username="nora").exists()


def test_where_one_person_configures_it_is_done_at_once() -> None:
    house = builders.house()

    request = appointments.change_role(
        act(house),
        employment=job_of(house, house.attendant),
        role=Role.SUPERVISOR,
        reason="Passed the exam.",
    )

    assert (request, role_of(house, house.attendant)) == (None, Role.SUPERVISOR)


def test_another_house_s_person_is_nobody_here(house: House) -> None:
    with pytest.raises(Employment.DoesNotExist):
        appointments.change_role(
            act(house),
            employment=job_of(other := builders.house(), other.attendant),
            role=Role.MANAGER,
            reason="Mine.",
        )


@pytest.mark.django_db(transaction=True)
def test_c1_of_two_who_approve_at_once_one_does(tmp_path: Path, house: House) -> None:
    pair = [builders.employed(house.establishment, Role.MANAGER) for _ in range(2)]
    request = asked(house, house.attendant, Role.SUPERVISOR)

    def approve(number: int) -> bool:
        try:
            answered(house, request, pair[number])
        except approvals.AlreadyDecided:
            return False
        return True

    with on_a_file(tmp_path):
        assert Employment.objects.exists()
        done = at_once(2, approve)
        events = len(records(house, "employment"))

    assert (sum(done), events) == (1, 1)


# --- The pages ------------------------------------------------------------------------------------


def test_the_person_s_page_says_what_waits_and_the_queue_what_it_does(
    house: House, second: Attendant
) -> None:
    who = house.attendant
    Attendant.objects.filter(pk=who.pk).update(first_name="Mira", last_name="Solano")
    page, orso = f"/people/{job_of(house, who).pk}/", at(house.manager)
    assert "A second person approves a change of role" in orso.get(page).content.decode()
    form = {
        "do": "role",
        "role-role": Role.SUPERVISOR,
        "role-reason": "Passed the exam.",
        "role-command_id": playing.new_id(),
    }

    for _ in range(2):  # a double tap is one request
        said = orso.post(page, form, follow=True).content.decode()
    assert "This waits for a second person" in said
    assert "It waits for a second person" in said

    row = RequestRow.objects.get()
    queue = at(second).get("/approvals/").content.decode()
    assert "Change of role" in queue
    assert "Mira Solano, until now floor attendant, becomes supervisor." in queue
    answer = {"do": "approve", "command_id": playing.new_id(), "reason": ""}
    assert at(second).post(f"/approvals/{row.id}/", answer).status_code == 302

    assert role_of(house, who) == Role.SUPERVISOR
    assert "It waits for" not in orso.get(page).content.decode()
    listed = at(house.auditor).get("/people/access/").content.decode()
    assert "Supervisor" in listed


def test_the_same_form_sent_back_with_another_role_is_no_error_of_ours(house: House) -> None:
    page, sent = f"/people/{job_of(house, house.attendant).pk}/", playing.new_id()
    form = {"do": "role", "role-reason": "Hm.", "role-command_id": sent}
    orso = at(house.manager)
    orso.post(page, {**form, "role-role": Role.SUPERVISOR})

    again = orso.post(page, {**form, "role-role": Role.AUDITOR})

    assert again.status_code == 302
    assert RequestRow.objects.get().subject["after"] == Role.SUPERVISOR


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


def newcomer() -> dict[str, str]:
    return {
        "username": "nell",
        "first_name": "Nell",
        "last_name": "Ferro",
        "password": WEDNESDAY,
        "again": WEDNESDAY,
    }


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
    operations.dismiss(employment=job_of(house, house.manager), by=second)
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

    job = job_of(house, leaver)
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
    job = job_of(house, house.manager)
    tokens = pseudonyms.player_tokens(house.id, ["Ada", "Bo"], new=True)
    operations.link_player(employment=job, player=tokens["Ada"], by=house.manager)

    for wanted in ("", tokens["Bo"]):
        with pytest.raises(operations.OwnPlayer):
            operations.link_player(employment=job, player=wanted, by=house.manager)
    job.refresh_from_db()
    assert job.player == tokens["Ada"]
    other = builders.employed(house.establishment, Role.MANAGER)
    operations.link_player(employment=job, player="", by=other)
