"""Fills and credits: numbered, asked for by one person, approved by another (B2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import slips
from games.refusals import Refused
from ledger import journal
from tests.support import builders, cashing

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    made = cashing.house()
    cashing.opened(made)
    return made


def slip_events(at: House) -> list[journal.StoredEvent]:
    return journal.stream(establishment=at.id, stream=slips.STREAM)


def refusal_of(at: House, request: uuid.UUID, who: Role = Role.MANAGER) -> str:
    with pytest.raises(Refused) as refused:
        cashing.approved(at, request, by=at.people[who])
    return refused.value.code


MOVES: list[tuple[slips.SlipKind, int, int]] = [("fill", 125, 875), ("credit", 25, 975)]


@pytest.mark.parametrize(("kind", "held", "cage"), MOVES)
def test_b2_what_is_approved_moves_between_cage_and_table(
    house: House, kind: slips.SlipKind, held: int, cage: int
) -> None:
    sheet = {"25": 3} if kind == "fill" else {"25": 1}

    cashing.slipped(house, kind, sheet)

    assert (cashing.float_held(house), cashing.cage(house)) == (held, cage)


def test_b2_asking_moves_nothing(house: House) -> None:
    cashing.asked(house, "fill", {"25": 3})

    assert (cashing.float_held(house), cashing.cage(house)) == (50, 950)
    assert slip_events(house) == []


def test_b2_who_asked_does_not_approve(house: House) -> None:
    request = cashing.asked(house, "fill", {"25": 1}, by=house.supervisor)

    assert refusal_of(house, request, Role.SUPERVISOR) == "own_request"
    assert slip_events(house) == []


def test_b2_who_may_not_approve_does_not(house: House) -> None:
    request = cashing.asked(house, "fill", {"25": 1})

    with pytest.raises(NotYours):
        cashing.approved(house, request, by=builders.employed(house.establishment, Role.ATTENDANT))


def test_b2_numbers_have_no_gap_whatever_was_refused_between(house: House) -> None:
    first = cashing.slipped(house, "fill", {"25": 1})
    empty = cashing.asked(house, "fill", {"500": 9})
    assert refusal_of(house, empty) == "cage_too_small"
    rejected = cashing.asked(house, "credit", {"25": 1})
    approvals.decide(cashing.act(house, house.manager), rejected, approve=False, reason="Not now.")
    second = cashing.slipped(house, "credit", {"25": 1})
    third = cashing.slipped(house, "fill", {"5": 1})

    assert (first, second, third) == (1, 2, 3)
    events = slip_events(house)
    assert [event.data["number"] for event in events] == [1, 2, 3]
    assert [event.stream_version for event in events] == [1, 2, 3]


def test_b2_a_slip_names_who_asked_and_who_approved(house: House) -> None:
    cashing.slipped(house, "fill", {"25": 2, "5": 1})

    [slip] = slip_events(house)
    assert slip.data["asked_by"] == str(house.attendant.pk)
    assert slip.data["approved_by"] == str(house.manager.pk) == slip.provenance.actor
    assert (slip.data["sheet"], slip.data["amount"]) == ({"25": 2, "5": 1}, 55)
    assert [transfer["reason"] for transfer in slip.transfers] == ["fill"]


def test_b2_a_fill_the_cage_does_not_hold_waits_until_it_does(house: House) -> None:
    request = cashing.asked(house, "fill", {"500": 2})
    assert refusal_of(house, request) == "cage_too_small"
    cashing.founded(house, 50)

    cashing.approved(house, request)

    assert cashing.cage(house) == 0


def test_b2_a_credit_the_float_does_not_hold_is_not_approved(house: House) -> None:
    request = cashing.asked(house, "credit", {"25": 3})

    assert refusal_of(house, request) == "float_too_small"


BAD: list[tuple[str, dict[str, int]]] = [
    ("nothing_on_it", {}),
    ("nothing_on_it", {"25": 0}),
    ("not_a_count", {"7": 1}),
]


@pytest.mark.parametrize(("code", "sheet"), BAD)
def test_a_slip_is_for_some_of_the_houses_coins(
    house: House, code: str, sheet: dict[str, int]
) -> None:
    with pytest.raises(Refused) as refused:
        cashing.asked(house, "fill", sheet)
    assert refused.value.code == code


def test_a_table_without_a_shift_gets_no_slip(house: House) -> None:
    with pytest.raises(Refused) as refused:
        cashing.asked(house, "fill", {"25": 1}, table=house.tables[1])
    assert refused.value.code == "no_shift"


def test_a_table_that_is_not_in_use_gets_no_more_coins(house: House) -> None:
    house.table.in_use = False
    house.table.save()
    with pytest.raises(Refused) as refused:
        cashing.asked(house, "fill", {"25": 1})
    assert refused.value.code == "table_not_in_use"


def test_b1_a_slip_waits_while_the_table_is_counted(house: House) -> None:
    request = cashing.asked(house, "fill", {"25": 1})
    cashing.counted(house, house.attendant, cashing.FIFTY)

    assert refusal_of(house, request) == "no_float"

    cashing.counted(house, house.supervisor, cashing.FIFTY)
    cashing.approved(house, request)
    assert cashing.float_held(house) == 75


def test_b2_a_table_is_not_counted_while_a_slip_is_on_its_way(house: House) -> None:
    cashing.approved(house, cashing.asked(house, "fill", {"25": 1}))

    with pytest.raises(Refused) as refused:
        cashing.counted(house, house.attendant, cashing.FIFTY)
    assert refused.value.code == "slip_on_the_way"

    slips.receive(cashing.act(house, house.attendant), table=house.table, number=1)
    cashing.both_count(house, {"25": 3})
    assert cashing.over_short(house) == 0


def received(at: House, number: int, **more: Any) -> str:
    with pytest.raises(Refused) as refused:
        slips.receive(cashing.act(at, more.get("by", at.attendant)), table=at.table, number=number)
    return refused.value.code


def test_b2_whoever_approved_a_slip_does_not_sign_for_it_at_the_table(house: House) -> None:
    cashing.approved(house, cashing.asked(house, "fill", {"25": 1}))

    assert received(house, 1, by=house.manager) == "own_approval"
    assert received(house, 2) == "no_such_slip"
    slips.receive(cashing.act(house, house.attendant), table=house.table, number=1)
    assert received(house, 1) == "no_such_slip"


def test_b2_a_slip_is_listed_with_all_who_signed(house: House) -> None:
    cashing.slipped(house, "fill", {"25": 2})
    cashing.approved(house, cashing.asked(house, "credit", {"25": 1}))

    done, waiting = cashing.slip_rows(house)

    assert (done.kind, done.amount, done.sheet) == ("fill", 50, {"25": 2})
    assert (done.asked_by, done.received_by) == (house.attendant.pk, house.attendant.pk)
    assert done.approved_by == house.manager.pk
    assert (waiting.kind, waiting.received_by) == ("credit", None)


def test_a_slip_of_a_house_with_one_approver_is_marked_as_done_alone() -> None:
    """D1b: never a silent self-approval."""
    house = cashing.house()
    cashing.opened(house)
    for role in (Role.SUPERVISOR,):
        house.people[role].employments.update(until="2026-11-20T00:00:00Z")
    request = cashing.asked(house, "fill", {"25": 1}, by=house.manager)

    approvals.do_alone(cashing.act(house, house.manager), request, reason="Nobody else is here.")

    [slip] = cashing.slip_rows(house)
    assert (slip.number, slip.approved_by) == (1, None)
    assert requests.state(house.establishment, request).state == requests.State.ALONE
