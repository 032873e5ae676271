"""Who gets which role waits for a second person (C1, C2, D1b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError
from django.utils import timezone

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Role
from casino.kit.approvals import answers, queries, requests
from casino.kit.approvals import operations as approvals
from casino.kit.approvals.models import RequestRow
from casino.office.onboarding import csv_lists, import_pages
from casino.settings.staff import appointments, invitations, operations
from ledger import journal
from tests.support import builders, playing
from tests.support.at_once import at_once, on_a_file
from tests.support.employing import (
    act,
    answered,
    asked,
    at,
    employment,
    records,
    role_of,
    where_two_configure,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return where_two_configure()


# --- Roles ----------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_c2_rejected_nothing_changes(house: House, second: Attendant) -> None:
    answered(house, asked(house, house.attendant, Role.MANAGER), second, approve=False)

    assert role_of(house, house.attendant) == Role.ATTENDANT
    assert records(house, "employment") == []


@pytest.mark.long("postgresql")
def test_c1_nobody_approves_a_promotion_that_they_asked_for(house: House) -> None:
    builders.employed(house.establishment, Role.MANAGER)
    request = asked(house, house.attendant, Role.MANAGER)

    with pytest.raises(approvals.OwnRequest):
        answered(house, request, house.manager)
    with pytest.raises(approvals.OthersCould):
        approvals.do_alone(act(house), request, reason="Late.")
    assert role_of(house, house.attendant) == Role.ATTENDANT


@pytest.mark.long("postgresql")
def test_d1b_nobody_decides_their_own_role(house: House, second: Attendant) -> None:
    with pytest.raises(operations.OwnRole):
        asked(house, house.manager, Role.AUDITOR)
    request = asked(house, second, Role.SUPERVISOR)

    with pytest.raises(approvals.Beneficiary):
        answered(house, request, second)
    assert role_of(house, second) == Role.MANAGER


@pytest.mark.long("postgresql")
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
        data={"id": str(employment(house, second).pk), **signed},
    )

    with pytest.raises((journal.FourEyes, DatabaseError)):
        acts.perform(
            act(house, second), lambda: acts.Done(guards={event.stream: 0}, events=[event])
        )


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_d1b_a_house_with_one_manager_does_it_alone_to_be_reviewed(house: House) -> None:
    request = asked(house, house.attendant, Role.SUPERVISOR)

    approvals.do_alone(act(house), request, reason="I am the only one.")

    assert role_of(house, house.attendant) == Role.SUPERVISOR
    state = requests.state(house.establishment, request)
    assert state.state == requests.State.ALONE
    assert queries.to_review(house.id).count() == 1


@pytest.mark.long("postgresql")
def test_d1_leaving_never_waits(house: House) -> None:
    page = f"/people/{employment(house, house.attendant).pk}/"
    form = {"do": "leaving", "leaving-reason": "Off.", "leaving-command_id": playing.new_id()}

    assert at(house.manager).post(page, form)["Location"] == "/people/"

    assert role_of(house, house.attendant) == ""
    assert RequestRow.objects.count() == 0


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_c2_what_is_no_longer_so_is_refused_and_the_request_stays(
    house: House, second: Attendant
) -> None:
    first = asked(house, house.attendant, Role.SUPERVISOR)
    again = asked(house, house.attendant, Role.AUDITOR)
    gone = asked(house, house.supervisor, Role.AUDITOR)
    answered(house, first, second)
    operations.dismiss(employment=employment(house, house.supervisor), by=house.manager)

    with pytest.raises(appointments.ChangedMeanwhile, match="supervisor by now"):
        answered(house, again, second)
    with pytest.raises(operations.HasLeft):
        answered(house, gone, second)
    assert requests.state(house.establishment, again).state == requests.State.WAITING


@pytest.mark.long("postgresql")
def test_d1_the_last_manager_stays_one(house: House, second: Attendant) -> None:
    """A manager who signs in nowhere is none: a superuser (D1b)."""
    request = asked(house, second, Role.SUPERVISOR)
    third = builders.employed(house.establishment, Role.MANAGER)
    operations.dismiss(employment=employment(house, house.manager), by=second)
    Attendant.objects.filter(pk=third.pk).update(is_superuser=True)

    with pytest.raises(operations.LastManager):
        answered(house, request, third)
    assert role_of(house, second) == Role.MANAGER


@pytest.mark.long("postgresql")
def test_there_is_no_other_way(house: House) -> None:
    job = employment(house, house.attendant)
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
        import_pages.staff(house.establishment, listed, by=house.manager)
    assert not Attendant.objects.filter(username="nora").exists()


@pytest.mark.long("postgresql")
def test_where_one_person_configures_it_is_done_at_once() -> None:
    house = builders.house()

    request = appointments.change_role(
        act(house),
        employment=employment(house, house.attendant),
        role=Role.SUPERVISOR,
        reason="Passed the exam.",
    )

    assert (request, role_of(house, house.attendant)) == (None, Role.SUPERVISOR)


@pytest.mark.long("postgresql")
def test_another_house_s_person_is_nobody_here(house: House) -> None:
    with pytest.raises(Employment.DoesNotExist):
        appointments.change_role(
            act(house),
            employment=employment(other := builders.house(), other.attendant),
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


@pytest.mark.long("postgresql")
def test_the_person_s_page_says_what_waits_and_the_queue_what_it_does(
    house: House, second: Attendant
) -> None:
    who = house.attendant
    Attendant.objects.filter(pk=who.pk).update(first_name="Mira", last_name="Solano")
    page, orso = f"/people/{employment(house, who).pk}/", at(house.manager)
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


@pytest.mark.long("postgresql")
def test_the_same_form_sent_back_with_another_role_is_no_error_of_ours(house: House) -> None:
    page, sent = f"/people/{employment(house, house.attendant).pk}/", playing.new_id()
    form = {"do": "role", "role-reason": "Hm.", "role-command_id": sent}
    orso = at(house.manager)
    orso.post(page, {**form, "role-role": Role.SUPERVISOR})

    again = orso.post(page, {**form, "role-role": Role.AUDITOR})

    assert again.status_code == 302
    assert RequestRow.objects.get().subject["after"] == Role.SUPERVISOR
