"""D1b: a house with one manager says so; what they do alone is reviewed by somebody else later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.kit.approvals import answers, operations, queries, requests
from casino.kit.approvals.models import ExceptionRow, RequestRow
from casino.kit.approvals.requests import State
from casino.settings.staff.operations import employ
from games.refusals import Malformed
from ledger.journal import FourEyes
from tests.support import approving, builders
from tests.support.approving import asked, drops, left_alone, state
from tests.support.playing import (
    done,
    game_of,
    nothing_parked,
    opened,
    refused,
    round_played,
    settled,
    token,
)
from tests.support.playing import state as game_state

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    """Its manager is the only one who could approve anything; there is an auditor."""
    made = builders.house()
    left_alone(made)
    return made


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield


def alone(at: House, request: uuid.UUID, by: Attendant | None = None) -> list[StoredEvent]:
    act = approving.act(at, by or at.manager)
    receipt = operations.do_alone(act, request, reason="Nobody else is here.")
    return acts.events_of(at.id, receipt)


def offered(at: House, request: uuid.UUID) -> Collection[str]:
    """What the manager's page lets them do about it."""
    settled(at)
    row = queries.row(at.establishment, request)
    assert row is not None
    [card] = queries.cards(at.establishment, [row], at.manager)
    return card.may


def reviewed(
    at: House, request: uuid.UUID, by: Attendant, *, in_order: bool = True, note: str = ""
) -> None:
    operations.review(approving.act(at, by), request, in_order=in_order, note=note)


@pytest.mark.long("postgresql")
def test_d1b_a_superuser_is_nobody_who_could_approve(house: House) -> None:
    """Wherever they are employed they have no role by a session: nobody is sent to them."""
    root = builders.person(is_superuser=True)
    builders.employed(house.establishment, Role.SUPERVISOR, root)
    request = asked(house, house.manager)

    assert "alone" in offered(house, request)
    alone(house, request)

    assert state(house, request).state == State.ALONE
    assert queries.second_people(house.establishment)["approvers"] == [str(house.manager)]


@pytest.mark.long("postgresql")
def test_it_is_no_approval_and_says_so(house: House) -> None:
    request = asked(house, house.manager)

    dropped, ended = alone(house, request)

    for event in (dropped, ended):
        assert event.data["asked_by"] == str(house.manager.pk)
        assert event.data["approved_by"] is None
        assert event.data["alone"] is True
    assert ended.event_type == "approval.done_alone"
    assert state(house, request).state == State.ALONE


@pytest.mark.long("postgresql")
def test_alone_nobody_approves_themselves_all_the_same(house: House) -> None:
    request = asked(house, house.manager)
    with pytest.raises(operations.OwnRequest):
        approving.decided(house, request, house.manager)


@pytest.mark.long("postgresql")
def test_where_somebody_else_could_approve_it_is_refused(house: House) -> None:
    builders.employed(house.establishment, Role.SUPERVISOR)
    request = asked(house, house.manager)
    with pytest.raises(operations.OthersCould):
        alone(house, request)
    assert drops(house) == []


@pytest.mark.long("postgresql")
def test_a_supervisor_is_no_help_where_it_takes_a_manager(house: House) -> None:
    builders.employed(house.establishment, Role.SUPERVISOR)
    with approving.registered("rules", act="configure"):
        request = asked(house, house.manager, kind="rules")
        assert alone(house, request)


@pytest.mark.long("postgresql")
def test_somebody_whose_sign_in_is_off_is_no_help(house: House) -> None:
    off = builders.employed(house.establishment, Role.SUPERVISOR)
    off.is_active = False
    off.save()
    assert alone(house, asked(house, house.manager))


def test_who_would_be_paid_is_no_help_and_does_nothing_alone(house: House) -> None:
    other = builders.employed(house.establishment, Role.SUPERVISOR)
    paid = asked(house, house.manager, beneficiaries=[str(other.pk)])
    assert alone(house, paid)

    mine = asked(house, house.manager, beneficiaries=[str(house.manager.pk), str(other.pk)])
    with pytest.raises(operations.Beneficiary):
        alone(house, mine)


@pytest.mark.long("postgresql")
def test_what_another_asked_for_is_simply_approved(house: House) -> None:
    request = asked(house)
    with pytest.raises(operations.NotTheAsker):
        alone(house, request)
    assert approving.decided(house, request, house.manager)


@pytest.mark.long("postgresql")
def test_it_takes_a_role_that_approves_and_a_reason(house: House) -> None:
    with pytest.raises(NotYours):
        alone(house, asked(house), house.attendant)
    request = asked(house, house.manager)
    with pytest.raises(operations.ReasonMissing):
        operations.do_alone(approving.act(house, house.manager), request, reason=" ")


def test_a_second_manager_taken_on_at_that_moment_is_not_missed(house: House) -> None:
    """Between the look at who works here and the append: decided again, and refused."""
    taken_on = False

    def carried(request: Request, by: Attendant, now: datetime) -> acts.Done:
        nonlocal taken_on
        if not taken_on:
            taken_on = True
            second = builders.person()
            employ(establishment=house.establishment, attendant=second, role=Role.MANAGER, by=None)
        return approving.dropped(request, by, now)

    with approving.registered("late", carry_out=carried):
        request = asked(house, house.manager, kind="late")
        with pytest.raises(operations.OthersCould):
            alone(house, request)

    assert drops(house) == []


@pytest.mark.long("postgresql")
class TestReview:
    """The list of what was done alone, signed off by name."""

    @pytest.fixture
    def done(self, house: House) -> uuid.UUID:
        request = asked(house, house.manager)
        alone(house, request)
        return request

    def test_it_waits_for_a_review(self, house: House, done: uuid.UUID) -> None:
        assert [row.id for row in queries.to_review(house.id)] == [done]
        assert queries.waiting(house.id) == 1
        row = ExceptionRow.objects.get(establishment=house.id, what="alone")
        assert row.actor == str(house.manager.pk)

    def test_an_auditor_signs_it_off_by_name(self, house: House, done: uuid.UUID) -> None:
        reviewed(house, done, house.auditor)

        row = queries.row(house.establishment, done)
        assert row is not None
        assert (row.reviewed_by, row.in_order) == (str(house.auditor.pk), True)
        assert queries.waiting(house.id) == 0

    def test_a_second_manager_may(self, house: House, done: uuid.UUID) -> None:
        second = builders.employed(house.establishment, Role.MANAGER)
        reviewed(house, done, second)
        assert state(house, done).reviewed_by == str(second.pk)

    def test_who_did_it_does_not_review_it(self, house: House, done: uuid.UUID) -> None:
        with pytest.raises(operations.OwnRequest):
            reviewed(house, done, house.manager)

    def test_nor_do_roles_that_do_not_look_into_the_houses_things(
        self, house: House, done: uuid.UUID
    ) -> None:
        supervisor = builders.employed(house.establishment, Role.SUPERVISOR)
        for person in (house.attendant, supervisor):
            with pytest.raises(NotYours):
                reviewed(house, done, person)

    def test_an_objection_says_why_and_stands(self, house: House, done: uuid.UUID) -> None:
        with pytest.raises(operations.ReasonMissing):
            reviewed(house, done, house.auditor, in_order=False)
        reviewed(house, done, house.auditor, in_order=False, note="The box was not full.")

        row = queries.row(house.establishment, done)
        assert row is not None
        assert row.in_order is False
        assert ExceptionRow.objects.filter(establishment=house.id, what="review").count() == 1

    def test_it_is_reviewed_once(self, house: House, done: uuid.UUID) -> None:
        reviewed(house, done, house.auditor)
        second = builders.employed(house.establishment, Role.AUDITOR)
        with pytest.raises(operations.NothingToReview):
            reviewed(house, done, second)

    def test_what_was_approved_needs_none(self, house: House) -> None:
        request = asked(house)
        approving.decided(house, request, house.manager)
        with pytest.raises(operations.NothingToReview):
            reviewed(house, request, house.auditor)

    def test_the_ledger_itself_takes_no_review_of_ones_own(
        self, house: House, done: uuid.UUID
    ) -> None:
        request = state(house, done)
        event = requests.new_event(  # the forbidden thing, past the operation
            done,
            "approval.reviewed",
            {"asked_by": str(house.manager.pk), "reviewed_by": str(house.manager.pk)},
        )
        forged = acts.Done(guards={request.stream: request.version}, events=[event])
        with pytest.raises(FourEyes):
            acts.perform(approving.act(house, house.manager), lambda: forged)


@pytest.mark.long("postgresql")
def test_an_approval_by_the_asker_gets_past_no_operation_and_not_into_the_ledger(
    house: House,
) -> None:
    request = state(house, asked(house, house.manager))
    event = requests.new_event(
        request.id,
        "approval.approved",
        {"asked_by": str(house.manager.pk), "approved_by": str(house.manager.pk)},
    )
    forged = acts.Done(guards={request.stream: request.version}, events=[event])
    with pytest.raises(FourEyes):
        acts.perform(approving.act(house, house.manager), lambda: forged)


class TestVoids:
    """G4 where there is one manager: the void is theirs alone, and waits for a review."""

    @pytest.fixture
    def game(self, house: House) -> uuid.UUID:
        game = opened(house)
        round_played(house, game)
        done(house, game, "void", by=house.manager, back_to=2, reason="Misread.")
        settled(house)
        return game

    @pytest.fixture
    def request_id(self, house: House, game: uuid.UUID) -> uuid.UUID:
        return RequestRow.objects.get(establishment=house.id, game=game).id

    def test_it_is_done_and_says_so(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        answers.do_alone(approving.act(house, house.manager), request_id, reason="")

        event = game_of(house, game).events[-1]
        assert event.event_type == "game.voided"
        assert (event.data["approved_by"], event.data["alone"]) == (None, True)
        assert game_state(house, game)["round"] == 1
        assert [row.id for row in queries.to_review(house.id)] == [request_id]
        settled(house)
        assert nothing_parked(house)

    @pytest.mark.long("postgresql")
    def test_an_auditor_reviews_it_once(self, house: House, request_id: uuid.UUID) -> None:
        answers.do_alone(approving.act(house, house.manager), request_id, reason="")
        with pytest.raises(operations.OwnRequest):
            answers.review(approving.act(house, house.manager), request_id, in_order=True)

        answers.review(approving.act(house, house.auditor), request_id, in_order=True)

        assert queries.waiting(house.id) == 0
        second = builders.employed(house.establishment, Role.AUDITOR)
        with pytest.raises(operations.NothingToReview):
            answers.review(approving.act(house, second), request_id, in_order=True)

    @pytest.mark.long("postgresql")
    def test_what_still_waits_is_not_reviewed(self, house: House, request_id: uuid.UUID) -> None:
        with pytest.raises(operations.NothingToReview):
            answers.review(approving.act(house, house.auditor), request_id, in_order=True)

    @pytest.mark.long("postgresql")
    def test_where_somebody_else_could_it_is_refused(
        self, house: House, request_id: uuid.UUID
    ) -> None:
        builders.employed(house.establishment, Role.SUPERVISOR)
        with pytest.raises(operations.OthersCould):
            answers.do_alone(approving.act(house, house.manager), request_id, reason="")

    def test_who_plays_in_the_game_does_not(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        house.manager.employments.update(player=token(house, game, "Ada"))
        with pytest.raises(operations.Beneficiary):
            answers.do_alone(approving.act(house, house.manager), request_id, reason="")

    @pytest.mark.long("postgresql")
    def test_where_the_others_who_could_play_in_the_game_it_is_offered(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        """The page must not send the asker to somebody who may not decide."""
        other = builders.employed(house.establishment, Role.SUPERVISOR)
        assert "alone" not in offered(house, request_id)

        other.employments.update(player=token(house, game, "Ada"))

        assert "alone" in offered(house, request_id)

    @pytest.mark.long("postgresql")
    def test_the_commands_of_the_game_know_no_such_word(
        self, house: House, game: uuid.UUID
    ) -> None:
        """Nobody declares themselves alone: the house knows."""
        number = game_state(house, game)["requests"][0]["request"]
        assert refused(house, game, "approve", by=house.manager, request=number) == "own_request"
        with pytest.raises(Malformed):
            done(house, game, "approve", by=house.manager, request=number, alone=True)
