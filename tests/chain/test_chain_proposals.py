"""Two people for what is done to a chain and to many of its houses (C1)."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.chain import operations, proof, proposal_pages, proposals
from casino.chain.models import ChainMember, Proposal
from casino.house.attendants.models import Attendant, Employment, Factor
from casino.house.attendants.permissions import NotYours, SecondFactorNeeded
from casino.house.attendants.pseudonyms import tokens
from ledger import journal
from ledger.conflicts import FourEyes
from ledger.journal import CommandReused
from tests.support import builders
from tests.support.chained import browser, chained, proven

if TYPE_CHECKING:
    from tests.support.chained import Chained

pytestmark = pytest.mark.django_db
State = Proposal.State


def proposed(here: Chained, person: Attendant | None = None, **more: Any) -> Proposal:
    """That somebody gets a role."""
    who = person or builders.person()
    return proposal_pages.propose_appointment(
        proven(here.manager), username=who.username, role="auditor", now=timezone.now(),
        **{"reason": "She audits.", "command_id": uuid.uuid4(), **more},
    )  # fmt: skip


def decided(here: Chained, made: Proposal, by: Attendant | None = None, **more: Any) -> Proposal:
    return proposals.decide(
        proven(by or here.second), made.pk, now=timezone.now(),
        **{"approve": True, "command_id": uuid.uuid4(), **more},
    )  # fmt: skip


def test_another_manager_s_approval_carries_it_out_and_both_are_on_record() -> None:
    here, person = chained(0), builders.person()
    made = proposed(here, person)
    assert not ChainMember.objects.filter(attendant=person).exists()
    decided(here, made)

    assert ChainMember.objects.get(attendant=person).role == "auditor"
    stream = journal.stream(establishment=here.chain.pk, stream=proposals.stream_of(made.pk))
    assert [each.event_type for each in stream] == ["proposal.made", "proposal.approved"]
    assert stream[1].data["approved_by"] == str(here.second.pk)
    appointed = journal.last(establishment=here.chain.pk, stream=operations.CHAIN)
    assert appointed is not None
    assert appointed.data["asked_by"] == str(here.manager.pk)
    assert appointed.data["approved_by"] == str(here.second.pk)


def test_a_reason_is_kept_beside_the_ledger() -> None:
    here = chained(0)
    made = proposed(here, reason="Because of Ada.")
    events = journal.stream(establishment=here.chain.pk, stream=proposals.stream_of(made.pk))
    assert "Ada" not in str(events[0].data)
    assert events[0].data["reason"] == operations.hash_text(made.salt, "Because of Ada.")


class TestNobodyDecidesAlone:
    def test_not_by_the_operation(self) -> None:
        here = chained(0)
        with pytest.raises(proposals.OwnProposal):
            decided(here, proposed(here), by=here.manager)

    def test_not_by_the_same_person_under_another_name(self) -> None:
        here = chained(1)
        made = proposed(here)
        house = here.house.establishment
        player = tokens.player_tokens(house.pk, ["Ada"], new=True)["Ada"]
        for person, until in ((here.manager, timezone.now()), (here.second, None)):
            jobs = Employment.objects.filter(attendant=person, establishment=house)
            assert not jobs.exists()
            Employment.objects.create(
                attendant=person, establishment=house, role="auditor", player=player, until=until
            )
        with pytest.raises(proposals.OwnProposal):
            decided(here, made)

    def test_not_by_the_ledger(self) -> None:
        here = chained(0)
        data = {"asked_by": str(here.manager.pk), "approved_by": str(here.manager.pk)}
        with pytest.raises(FourEyes):
            operations.append_event(
                here.chain, "proposal.approved", data, by=here.manager, now=timezone.now()
            )

    def test_not_by_the_database(self) -> None:
        here = chained(0)
        made = proposed(here)
        with pytest.raises(IntegrityError), transaction.atomic():
            Proposal.objects.filter(pk=made.pk).update(state="approved", decided_by=here.manager)

    def test_nor_about_themselves(self) -> None:
        here = chained(0)
        with pytest.raises(proposal_pages.OwnRole):
            proposed(here, here.manager)
        made = proposal_pages.propose_dismissal(
            proven(here.manager), attendant=here.second.pk, reason="Gone.",
            command_id=uuid.uuid4(), now=timezone.now(),
        )  # fmt: skip
        with pytest.raises(proposal_pages.OwnRole):
            decided(here, made)
        assert Proposal.objects.get(pk=made.pk).state == State.WAITING


def test_an_auditor_neither_proposes_nor_decides() -> None:
    here = chained(0)
    made = proposed(here)
    with pytest.raises(NotYours):
        decided(here, made, by=here.auditor)
    with pytest.raises(NotYours):
        proposals.propose(
            proven(here.auditor), kind="appoint", subject={}, reason="Mine.",
            command_id=uuid.uuid4(), now=timezone.now(),
        )  # fmt: skip


def test_a_manager_who_has_a_second_factor_shows_it() -> None:
    here = chained(0)
    made = proposed(here)
    Factor.objects.create(attendant=here.second, kind="app", name="Phone", proof=b"x")
    with pytest.raises(SecondFactorNeeded):
        decided(here, made)


def test_of_two_answers_the_first_counts() -> None:
    here = chained(0)
    made = proposed(here)
    decided(here, made, approve=False, answer="Not now.")
    with pytest.raises(proposals.AlreadyDecided):
        decided(here, made)
    assert Proposal.objects.get().answer == "Not now."


def test_a_reason_is_given_to_propose_and_to_reject() -> None:
    here = chained(0)
    with pytest.raises(proposals.ReasonMissing):
        proposed(here, reason=" ")
    with pytest.raises(proposals.ReasonMissing):
        decided(here, proposed(here), approve=False)


def test_the_same_command_makes_one_proposal_and_another_under_its_id_is_refused() -> None:
    here, person, command = chained(0), builders.person(), uuid.uuid4()
    first = proposed(here, person, command_id=command)
    assert proposed(here, person, command_id=command).pk == first.pk
    with pytest.raises(CommandReused):
        proposed(here, person, command_id=command, reason="Something else.")
    assert Proposal.objects.count() == 1


def test_what_cannot_be_done_stays_open() -> None:
    here, other, person = chained(0), chained(0), builders.person()
    made = proposed(here, person)
    operations.appoint(other.chain, person, "auditor", now=timezone.now())
    with pytest.raises(operations.OfAnotherChain):
        decided(here, made)
    assert Proposal.objects.get().state == State.WAITING


def test_one_s_own_is_taken_back_by_oneself_alone() -> None:
    here = chained(0)
    made = proposed(here)
    how: dict[str, Any] = {"now": timezone.now(), "command_id": uuid.uuid4()}
    with pytest.raises(proposals.NotTheAsker):
        proposals.withdraw(proven(here.second), made.pk, **how)
    proposals.withdraw(proven(here.manager), made.pk, **how)
    assert Proposal.objects.get().state == State.WITHDRAWN


CHANGES = [
    {"state": "waiting", "decided_by": None}, {"reason": "Another."}, {"subject": {}},
    {"kind": "dismiss"}, {"salt": "x"},
]  # fmt: skip


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("change", CHANGES)
def test_a_row_that_is_not_as_its_events_have_it_is_found(change: dict[str, Any]) -> None:
    here = chained(0)
    decided(here, proposed(here))
    decided(here, proposed(here), approve=False, answer="No.")
    first = proposed(here)
    proposals.withdraw(proven(here.manager), first.pk, now=timezone.now(), command_id=uuid.uuid4())
    assert proof.verify(here.chain).findings == []
    last = Proposal.objects.filter(state="approved")
    last.update(**change)
    assert len(proof.verify(here.chain).findings) == 1


@pytest.mark.long("postgresql", but="citus")
class TestPages:
    def test_a_role_is_proposed_on_one_page_and_approved_on_another(self) -> None:
        here, person = chained(0), builders.person("nell")
        sent = {"command_id": uuid.uuid4(), "username": "nell", "role": "manager",
                "reason": "The third."}  # fmt: skip
        answer = browser(here.manager).post("/chain/people/appoint/", sent)
        assert answer.status_code == HTTPStatus.FOUND
        path = f"/chain/proposals/{Proposal.objects.get().pk}/"
        second = browser(here.second)
        assert "The third." in second.get(path).content.decode()
        second.post(path, {"command_id": uuid.uuid4(), "do": "approve", "answer": ""})
        assert ChainMember.objects.get(attendant=person).role == "manager"
        assert second.get(path).context["waits"] is False

    def test_what_is_refused_is_said_on_the_form(self) -> None:
        here = chained(0)
        sent = {"command_id": uuid.uuid4(), "username": "nobody-here", "role": "manager",
                "reason": "X."}  # fmt: skip
        answer = browser(here.manager).post("/chain/people/appoint/", sent)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "nobody-here" in answer.content.decode()

    def test_an_end_is_proposed_of_somebody_else_s_role(self) -> None:
        here = chained(0)
        client = browser(here.manager)
        choices = client.get("/chain/people/dismiss/").context["form"].fields["attendant"].choices
        assert {key for key, _label in choices} == {str(here.second.pk), str(here.auditor.pk)}
        sent = {"command_id": uuid.uuid4(), "attendant": here.auditor.pk, "reason": "Moved."}
        client.post("/chain/people/dismiss/", sent)
        decided(here, Proposal.objects.get())
        assert Attendant.objects.get(pk=here.auditor.pk).chain is None

    def test_by_the_api_too(self) -> None:
        here = chained(0)
        made = proposed(here)
        client = builders.client(here.second)
        path = f"/api/v1/chain/proposals/{made.pk}/"
        own = builders.client(here.manager).post(
            f"{path}approve/", {"command_id": str(uuid.uuid4())}
        )
        assert (own.status_code, own.json()["code"]) == (422, "own_request")
        answer = client.post(f"{path}approve/", {"command_id": str(uuid.uuid4())})
        assert (answer.status_code, answer.json()["state"]) == (200, "approved")
        [listed] = client.get("/api/v1/chain/proposals/?state=approved").json()["results"]
        assert listed["id"] == str(made.pk)
