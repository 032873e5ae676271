"""Several people decide one request at the same instant: one of them does, the others are told."""

from __future__ import annotations

import uuid
from threading import Barrier, Thread, local
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from casino.house.attendants.models import Role
from casino.house.establishments.models import Table
from casino.kit.approvals import operations
from casino.kit.approvals.requests import State
from games.refusals import Refused
from ledger.money import balance
from tests.support import approving, builders
from tests.support.approving import BANK, asked, drops, state
from tests.support.at_once import at_once, on_a_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)

WAIT = 10  # seconds at most for another thread


@pytest.fixture
def house() -> House:
    made = builders.house()
    builders.employed(made.establishment, Role.SUPERVISOR)
    return made


def outcome(ask: Callable[[], object]) -> str:
    """`done`, or the code of the refusal."""
    try:
        ask()
    except Refused as refused:
        return refused.code
    return "done"


def together(many: int) -> Callable[[Request, Attendant, datetime], acts.Done]:
    """A kind that so many people have decided on before the first of them appends."""
    ready, mine = Barrier(many), local()

    def carried(request: Request, by: Attendant, now: datetime) -> acts.Done:
        done = approving.dropped(request, by, now)
        if not getattr(mine, "met", False):
            mine.met = True
            ready.wait(WAIT)
        return done

    return carried


def test_of_two_approvers_one_wins_and_the_other_is_told(house: House, tmp_path: Path) -> None:
    approvers = [house.supervisor, house.manager]
    with approving.registered(carry_out=together(2)), on_a_file(tmp_path):
        request = asked(house)
        outcomes = at_once(
            2,
            lambda number: outcome(lambda: approving.decided(house, request, approvers[number])),
        )
        assert sorted(outcomes) == ["already_decided", "done"]
        assert len(drops(house)) == 1
        assert balance(BANK, establishment=house.id) == -30
        assert state(house, request).version == 2


def test_one_approves_and_one_rejects_and_one_of_them_has_it(house: House, tmp_path: Path) -> None:
    with approving.registered(), on_a_file(tmp_path):
        for _ in range(5):
            request, before = asked(house), len(drops(house))
            outcomes = at_once(
                2,
                lambda number, request=request: outcome(  # type: ignore[misc]  # bound as it is now
                    lambda: approving.decided(
                        house,
                        request,
                        [house.supervisor, house.manager][number],
                        approve=number == 0,
                        reason="Now.",
                    )
                ),
            )
            assert sorted(outcomes) == ["already_decided", "done"]
            became = state(house, request).state
            assert became == (State.APPROVED if outcomes[0] == "done" else State.REJECTED)
            assert len(drops(house)) - before == (became == State.APPROVED)


def test_taken_back_while_it_is_approved_it_is_taken_back(house: House, tmp_path: Path) -> None:
    """The asker is a moment earlier: nothing happens, and the approver is told."""
    outcomes: list[str] = []

    def withdrawn_meanwhile(request: Request, by: Attendant, now: datetime) -> acts.Done:
        done = approving.dropped(request, by, now)
        elsewhere(
            lambda: outcomes.append(
                outcome(
                    lambda: operations.withdraw(approving.act(house, house.attendant), request.id)
                )
            )
        )
        return done

    with approving.registered(carry_out=withdrawn_meanwhile), on_a_file(tmp_path):
        request = asked(house)
        approved = outcome(lambda: approving.decided(house, request, house.supervisor))

        assert (outcomes, approved) == (["done"], "already_decided")
        assert state(house, request).state == State.WITHDRAWN
        assert drops(house) == []


def test_a_double_tap_at_the_same_instant_is_one_approval(house: House, tmp_path: Path) -> None:
    with approving.registered(carry_out=together(2)), on_a_file(tmp_path):
        request, tap = asked(house), uuid.uuid4()
        outcomes = at_once(
            2,
            lambda _: (
                operations.decide(
                    approving.act(house, house.supervisor, command_id=tap), request, approve=True
                ).last_position
            ),
        )
        assert outcomes[0] == outcomes[1] is not None
        assert len(drops(house)) == 1


def test_asked_twice_at_the_same_instant_it_is_one_request(house: House, tmp_path: Path) -> None:
    with approving.registered(), on_a_file(tmp_path):
        tap = uuid.uuid4()
        outcomes = at_once(
            4,
            lambda _: (
                operations.ask(
                    approving.act(house, house.attendant, command_id=tap),
                    kind="drop",
                    subject={},
                    reason="Full.",
                ).last_position
            ),
        )
        assert len(set(outcomes)) == 1


def test_rows_change_once_however_many_approve(house: House, tmp_path: Path) -> None:
    def renamed(request: Request, by: Attendant, now: datetime) -> acts.Done:
        tables = Table.objects.select_for_update()
        table = tables.get(establishment=house.id, pk=house.table.pk)
        table.name = f"{table.name}!"
        table.save()
        return approving.dropped(request, by, now)

    approvers = [house.supervisor, house.manager]
    with approving.registered(carry_out=renamed, rows=True), on_a_file(tmp_path):
        request = asked(house)
        outcomes = at_once(
            2,
            lambda number: outcome(lambda: approving.decided(house, request, approvers[number])),
        )
        assert sorted(outcomes) == ["already_decided", "done"]
        assert Table.objects.get(pk=house.table.pk).name == f"{house.table.name}!"
        assert len(drops(house)) == 1


def elsewhere(act: Callable[[], object]) -> None:
    """On a connection of its own, to the end."""

    def acting() -> None:
        try:
            act()
        finally:
            connection.close()

    other = Thread(target=acting)
    other.start()
    other.join(WAIT)
    assert not other.is_alive()
