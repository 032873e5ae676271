"""C1: asked by one, approved by another, carried out with the approval, in one entry."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Table
from casino.kit.approvals import operations, requests
from casino.kit.approvals.requests import State
from casino.settings.staff.operations import dismiss
from games.refusals import Refused
from ledger import journal
from ledger.money import balance
from tests.support import approving, builders
from tests.support.approving import BANK, CAGE, asked, decided, drops, state
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield


def refused(at: House, request: uuid.UUID, by: Attendant, **more: object) -> str:
    """The code of an answer's refusal; nothing happens."""
    head = journal.head(establishment=at.id)
    with pytest.raises(Refused) as refusal:
        decided(at, request, by, **more)
    assert journal.head(establishment=at.id) == head
    return refusal.value.code


def test_c1_a_request_says_who_why_what_and_how_much(house: House) -> None:
    request = state(house, asked(house, subject={"box": "T1"}))

    assert (request.kind, request.amount, request.subject) == ("drop", 30, {"box": "T1"})
    assert request.asked_by == str(house.attendant.pk)
    assert request.state == State.WAITING
    assert tokens.resolve(house.id, request.reason) == "The box is full."
    assert drops(house) == []


def test_c1_approved_it_happens_in_the_same_entry_signed_by_both(house: House) -> None:
    request = asked(house)

    dropped, approved = decided(house, request, house.supervisor, reason="Seen.")

    signed = {"asked_by": str(house.attendant.pk), "approved_by": str(house.supervisor.pk)}
    for event in (dropped, approved):
        assert signed.items() <= event.data.items()
        assert event.provenance.actor == str(house.supervisor.pk)
    assert dropped.provenance.command_id == approved.provenance.command_id
    assert approved.event_type == "approval.approved"
    assert state(house, request).state == State.APPROVED
    assert balance(CAGE, establishment=house.id) == -30
    assert balance(BANK, establishment=house.id) == -30


def test_c1_nobody_approves_what_they_asked_for(house: House) -> None:
    request = asked(house, house.supervisor)

    assert refused(house, request, house.supervisor) == "own_request"
    assert refused(house, request, house.supervisor, approve=False, reason="No.") == "own_request"
    assert decided(house, request, house.manager)


def test_c1_nobody_approves_what_pays_them(house: House) -> None:
    request = asked(house, beneficiaries=[str(house.supervisor.pk)])

    assert refused(house, request, house.supervisor) == "beneficiary"
    approved = decided(house, request, house.manager)[-1]
    assert approved.data["beneficiaries"] == [str(house.supervisor.pk)]


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.AUDITOR])
def test_d1_it_takes_a_role_that_approves(house: House, role: Role) -> None:
    request = asked(house, house.supervisor)

    with pytest.raises(NotYours):
        decided(house, request, house.people[role])


def test_d1_a_kind_may_take_more_than_a_supervisor(house: House) -> None:
    with approving.registered("rules", act="configure"):
        request = asked(house, kind="rules")

        with pytest.raises(NotYours):
            decided(house, request, house.supervisor)
        assert decided(house, request, house.manager)


def test_d1_another_houses_people_know_nothing_of_it(house: House) -> None:
    request, other = asked(house), builders.house()

    with pytest.raises(requests.NoSuchRequest):
        decided(other, request, other.manager)
    with pytest.raises(NotYours):
        decided(house, request, other.manager)


def test_c1_the_program_neither_asks_nor_approves(house: House) -> None:
    request = asked(house)
    nobody = acts.Act(
        house=house.establishment, by=None, device="beat", now=NOW, command_id=uuid.uuid4(),
        request={},
    )  # fmt: skip

    with pytest.raises(NotYours):
        operations.decide(nobody, request, approve=True)
    with pytest.raises(NotYours):
        operations.ask(nobody, kind="drop", subject={}, reason="?")


class TestOver:
    """What is decided is decided."""

    def test_a_rejected_request_is_over(self, house: House) -> None:
        request = asked(house)
        [event] = decided(house, request, house.supervisor, approve=False, reason="Not yet.")

        assert event.event_type == "approval.rejected"
        assert event.data["rejected_by"] == str(house.supervisor.pk)
        assert "approved_by" not in event.data
        assert refused(house, request, house.manager) == "already_decided"
        assert drops(house) == []

    def test_a_rejection_says_why(self, house: House) -> None:
        request = asked(house)
        assert refused(house, request, house.manager, approve=False) == "reason_missing"
        assert refused(house, request, house.manager, approve=False, reason=" ") == "reason_missing"

    def test_approved_twice_it_happens_once(self, house: House) -> None:
        request = asked(house)
        decided(house, request, house.supervisor)

        assert refused(house, request, house.manager) == "already_decided"
        assert len(drops(house)) == 1

    def test_a_double_tap_is_one_approval(self, house: House) -> None:
        request, tapped = asked(house), approving.act(house, house.supervisor)

        first = operations.decide(tapped, request, approve=True)
        again = operations.decide(tapped, request, approve=True)

        assert again.repeated
        assert again.last_position == first.last_position
        assert len(drops(house)) == 1

    def test_asked_twice_with_one_tap_it_is_one_request(self, house: House) -> None:
        asking = approving.act(house, house.attendant)
        fields = {"kind": "drop", "subject": {"a": 1, "b": 2}, "reason": "Full."}

        operations.ask(asking, **fields)  # type: ignore[arg-type]  # one dict for two calls
        again = operations.ask(asking, **fields)  # type: ignore[arg-type]

        assert again.repeated
        assert state(house, requests.id_of(house.id, asking.command_id)).version == 1

    def test_who_asked_may_take_it_back(self, house: House) -> None:
        request = asked(house)
        operations.withdraw(approving.act(house, house.attendant), request)

        assert state(house, request).state == State.WITHDRAWN
        assert refused(house, request, house.manager) == "already_decided"

    def test_nobody_else_may(self, house: House) -> None:
        request = asked(house)
        with pytest.raises(operations.NotTheAsker):
            operations.withdraw(approving.act(house, house.manager), request)
        assert state(house, request).state == State.WAITING

    def test_what_is_over_is_not_taken_back(self, house: House) -> None:
        request = asked(house)
        decided(house, request, house.supervisor)
        with pytest.raises(operations.AlreadyDecided):
            operations.withdraw(approving.act(house, house.attendant), request)


class TestGone:
    """What was asked for cannot be done any more: the request stays open, the approver is told."""

    def test_a_kind_refuses_and_the_request_waits_on(self, house: House) -> None:
        request = asked(house, subject={"boxes": 0})

        assert refused(house, request, house.supervisor) == "box_gone"
        assert state(house, request).state == State.WAITING
        operations.withdraw(approving.act(house, house.attendant), request)

    def test_the_same_answer_is_given_to_the_same_tap(self, house: House) -> None:
        request, tapped = asked(house, subject={"boxes": 0}), approving.act(house, house.manager)

        for _ in range(2):
            with pytest.raises(Refused, match="nothing to take") as refusal:
                operations.decide(tapped, request, approve=True)
            assert refusal.value.code == "box_gone"

    def test_money_that_is_not_there_is_told_and_the_request_waits_on(self, house: House) -> None:
        request = asked(house, subject={"held": True})

        assert refused(house, request, house.supervisor) == "cannot_be_done"
        assert state(house, request).state == State.WAITING


def test_c1_a_request_gives_a_reason(house: House) -> None:
    with pytest.raises(operations.ReasonMissing):
        asked(house, reason="  ")


def test_what_no_area_knows_is_not_asked_for(house: House) -> None:
    with pytest.raises(operations.UnknownKind):
        asked(house, kind="wish")


def test_d1_a_leaver_approves_nothing_even_at_that_moment(house: House) -> None:
    """Let go between the look at their role and the append: decided again, and refused."""
    left = False

    def carried(request: Request, by: Attendant, now: datetime) -> acts.Done:
        nonlocal left
        if not left:
            left = True
            employment = by.employments.get(establishment=house.id)
            dismiss(employment=employment, by=house.manager)
        return approving.dropped(request, by, now)

    with approving.registered("late", carry_out=carried):
        request = asked(house, kind="late")
        with pytest.raises(NotYours):
            decided(house, request, house.supervisor)

    assert left
    assert drops(house) == []
    assert state(house, request).state == State.WAITING


class TestRows:
    """A kind that keeps rows changes them with the ledger, or not at all."""

    def test_rows_and_events_change_together(self, house: House) -> None:
        with approving.registered("name", carry_out=renamed, rows=True):
            request = asked(house, kind="name", subject={"name": "Nine"})
            decided(house, request, house.supervisor)

        assert Table.objects.get(pk=house.table.pk).name == "Nine"

    def test_a_refusal_leaves_the_rows_and_is_on_record(self, house: House) -> None:
        with approving.registered("name", carry_out=renamed, rows=True):
            request = asked(house, kind="name", subject={"name": "Nine", "boxes": 0})
            tapped = approving.act(house, house.supervisor)
            for _ in range(2):
                with pytest.raises(Refused) as refusal:
                    operations.decide(tapped, request, approve=True)
                assert refusal.value.code == "box_gone"

        assert Table.objects.get(pk=house.table.pk).name == house.table.name

    def test_what_was_decided_on_a_moved_stream_leaves_no_rows(self, house: House) -> None:
        """Somebody withdraws while it is being approved: the rows go back with it."""
        meanwhile = False

        def carried(request: Request, by: Attendant, now: datetime) -> acts.Done:
            nonlocal meanwhile
            done = renamed(request, by, now)
            if not meanwhile:
                meanwhile = True
                operations.withdraw(approving.act(house, house.attendant), request.id)
            return done

        with approving.registered("name", carry_out=carried, rows=True):
            request = asked(house, kind="name", subject={"name": "Nine"})
            # The withdrawal was within the transaction and went with it: approved after all.
            decided(house, request, house.supervisor)

        assert meanwhile
        assert state(house, request).state == State.APPROVED
        assert Table.objects.get(pk=house.table.pk).name == "Nine"
        assert len(drops(house)) == 1


def renamed(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """The house's first table gets another name, and a drop is made."""
    table = request.house.tables.order_by("name").first()
    assert table is not None
    table.name = request.subject["name"]
    table.save()
    return approving.dropped(request, by, now)
