"""Whoever asks, answers, comes, leaves and reviews, in whatever order: four eyes, and the books."""

from __future__ import annotations

import uuid
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.engine.processes.queues import house_subscriber
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.permissions import NotYours
from casino.kit.approvals import operations, queries
from casino.kit.approvals.models import ExceptionRow, RequestRow
from casino.kit.approvals.requests import State
from games.refusals import Refused
from ledger import subscriptions
from ledger.money import balance
from tests.forms import LONG_FORM, how_often
from tests.support import approving, builders
from tests.support.approving import BANK, CAGE, drops, left_alone, state

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

STEPS, EXAMPLES = 40 if LONG_FORM else 20, how_often(15)


class Staff:
    """Everybody who ever worked at a house, doing whatever comes to their mind."""

    def __init__(self, house: House, chance: Random) -> None:
        self.house, self.chance = house, chance
        self.people: list[Attendant] = list(house.people.values())
        self.requests: list[uuid.UUID] = []
        self.paid: dict[uuid.UUID, set[str]] = {}

    def does_something(self) -> None:
        acts = {self.asks: 6, self.answers: 6, self.alone: 4, self.reviews: 4, self.withdraws: 2,
                self.comes: 1, self.leaves: 1}  # fmt: skip
        with suppress(Refused, NotYours):  # much is not allowed: what counts is what the ledger has
            self.chance.choices(list(acts), list(acts.values()))[0]()

    def somebody(self) -> Attendant:
        """The manager more often than others."""
        return self.chance.choice([*self.people, *[self.house.manager] * 3])

    def asks(self) -> None:
        paid = {str(self.somebody().pk)} if self.chance.random() < 1 / 3 else set()
        request = approving.asked(self.house, self.somebody(), beneficiaries=paid)
        self.requests.append(request)
        self.paid[request] = paid

    def one(self, *states: State) -> uuid.UUID:
        """A request, mostly one in such a state."""
        fit = [each for each in self.requests if state(self.house, each).state in states]
        fit = fit if fit and self.chance.random() < 3 / 4 else self.requests
        return self.chance.choice(fit) if fit else uuid.uuid4()

    def answers(self) -> None:
        approve = self.chance.random() < 2 / 3
        request = self.one(State.WAITING)
        approving.decided(self.house, request, self.somebody(), approve=approve, reason="So.")

    def withdraws(self) -> None:
        operations.withdraw(approving.act(self.house, self.somebody()), self.one())

    def alone(self) -> None:
        request = self.one(State.WAITING)
        mine = [each for each in self.people if str(each.pk) == self.asker(request)]
        by = approving.act(self.house, self.chance.choice([*mine, self.somebody()]))
        operations.do_alone(by, request, reason="Nobody else.")

    def asker(self, request: uuid.UUID) -> str:
        return state(self.house, request).asked_by

    def reviews(self) -> None:
        in_order = self.chance.random() < 1 / 2
        by = approving.act(self.house, self.somebody())
        operations.review(by, self.one(State.ALONE), in_order=in_order, note="Looked at.")

    def comes(self) -> None:
        role = self.chance.choice([Role.SUPERVISOR, Role.MANAGER, Role.AUDITOR])
        self.people.append(builders.employed(self.house.establishment, role))

    def leaves(self) -> None:
        Employment.objects.filter(attendant=self.somebody()).update(until=timezone.now())


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_c1_whatever_people_do_two_of_them_did_it_or_it_is_on_the_list(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - chance of a test
    house = builders.house()
    if chance.random() < 2 / 3:
        left_alone(house)
    staff = Staff(house, chance)

    with approving.registered():
        for _ in range(STEPS):
            staff.does_something()

    carried = [each for each in staff.requests if ended(house, each)]
    assert len(drops(house)) == len(carried)
    assert balance(BANK, establishment=house.id) == -30 * len(carried)
    assert balance(CAGE, establishment=house.id) == -30 * len(carried)
    for event in drops(house):
        signed_by_two_or_listed(house, event, staff)
    the_lists_say_what_the_ledger_says(house, staff)


def ended(house: House, request: uuid.UUID) -> bool:
    """Whether what was asked for was done."""
    return state(house, request).state in {State.APPROVED, State.ALONE}


def signed_by_two_or_listed(house: House, event: StoredEvent, staff: Staff) -> None:
    data, actor = event.data, event.provenance.actor
    # The approval is the event behind it, in the same entry.
    [row] = RequestRow.objects.filter(establishment=house.id, decided_position=event.position + 1)
    if data["approved_by"] is None:
        assert data["alone"] is True
        assert actor == data["asked_by"]
        assert row.state == RequestRow.State.ALONE
    else:
        assert actor == data["approved_by"] != data["asked_by"]
        assert row.state == RequestRow.State.APPROVED
    assert actor not in staff.paid[row.id]
    assert row.reviewed_by != row.asked_by


def the_lists_say_what_the_ledger_says(house: House, staff: Staff) -> None:
    for request in staff.requests:
        row = queries.row(house.establishment, request)
        current = state(house, request)
        assert row is not None
        assert (row.state, row.decided_by, row.reviewed_by) == (
            current.state, current.decided_by or "", current.reviewed_by or "",
        )  # fmt: skip
        waits = current.state == State.WAITING
        assert row.open == (waits or (current.state == State.ALONE and not current.reviewed_by))
    listed = rows(house)
    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass
    assert rows(house) == listed


def rows(house: House) -> list[list[dict[str, Any]]]:
    found = RequestRow.objects.filter(establishment=house.id).order_by("position")
    listed = ExceptionRow.objects.filter(establishment=house.id).order_by("position")
    return [[dict(row) for row in found.values()], [dict(row) for row in listed.values()]]
