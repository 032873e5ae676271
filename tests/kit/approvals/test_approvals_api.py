"""The API's part of it: listed, answered, refused with a stable code (C1, D1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import acts
from casino.house.attendants.models import Role
from ledger import journal
from ledger.subscriptions import BATCH_MAX
from tests.support import approving, builders
from tests.support.approving import asked, decided, drops
from tests.support.playing import done, opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_framework.test import APIClient

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield


def posted(
    at: House, request: uuid.UUID, do: str, client: APIClient, /, **fields: Any
) -> tuple[int, dict[str, Any]]:
    body = {"command_id": str(uuid.uuid4()), **fields}
    answer = client.post(at.url(f"approvals/{request}/{do}/"), body)
    return answer.status_code, answer.json()


def listed(at: House, role: Role = Role.SUPERVISOR, **query: str) -> list[dict[str, Any]]:
    answer = at.client(role).get(at.url("approvals/"), query)
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


@pytest.mark.long("postgresql")
def test_what_waits_is_listed_with_all_there_is_to_say(house: House) -> None:
    request = asked(house, subject={"box": "T1"})

    [row] = listed(house, state="waiting")

    assert (row["id"], row["kind"], row["amount"]) == (str(request), "drop", 30)
    assert (row["subject"], row["reason"]) == ({"box": "T1"}, "The box is full.")
    assert row["asked_by"] == {"id": str(house.attendant.pk), "name": str(house.attendant)}
    assert row["may"] == ["approve", "reject"]
    assert row["decided_by"] is None
    assert listed(house, Role.AUDITOR)[0]["may"] == []


@pytest.mark.long("postgresql")
def test_lists_are_filtered_and_newest_first(house: House) -> None:
    first, second = asked(house), asked(house)
    decided(house, first, house.supervisor)

    assert [row["id"] for row in listed(house)] == [str(second), str(first)]
    assert [row["id"] for row in listed(house, state="approved")] == [str(first)]
    assert [row["id"] for row in listed(house, kind="drop", state="waiting")] == [str(second)]
    assert listed(house, kind="void") == []


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("query", [{"state": "blessed"}, {"kind": "A B"}, {"kind": ""}])
def test_a_filter_that_can_be_nothing_is_malformed(house: House, query: dict[str, str]) -> None:
    answer = house.client().get(house.url("approvals/"), query)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_c1_approved_it_is_done_and_the_answer_is_the_request(house: House) -> None:
    request = asked(house)

    status, answer = posted(
        house, request, "approve", house.client(Role.SUPERVISOR), reason="Counted."
    )

    assert (status, answer["state"], answer["decision"]) == (200, "approved", "Counted.")
    assert answer["decided_by"]["id"] == str(house.supervisor.pk)
    assert answer["decided_position"] == drops(house)[0].position + 1
    assert answer["may"] == []


@pytest.mark.long("postgresql")
def test_an_answer_is_of_the_record_though_the_list_lags(house: House) -> None:
    """More has happened than is waited for by who acts: a worker reads it into the list."""
    request = asked(house)
    much_happens(house)

    status, answer = posted(house, request, "approve", house.client(Role.SUPERVISOR))

    assert (status, answer["state"]) == (200, "approved")
    assert listed(house)[0]["state"] == "waiting"


def much_happens(at: House) -> None:
    """More than two acts wait for: this one, and the one that follows it."""
    events = tuple(
        journal.NewEvent(stream="test", event_type="test.happened", schema_version=1, data={})
        for _ in range(2 * house_subscriber.BATCHES * BATCH_MAX)
    )
    act = approving.act(at, at.attendant)
    acts.perform(act, lambda: acts.Done(guards={"test": 0}, events=events))


@pytest.mark.long("postgresql")
def test_rejected_and_taken_back(house: House) -> None:
    first, second = asked(house), asked(house)

    status, answer = posted(house, first, "reject", house.client(Role.MANAGER), reason="No.")
    assert (status, answer["state"], answer["decision"]) == (200, "rejected", "No.")
    status, answer = posted(house, second, "withdraw", house.client())
    assert (status, answer["state"]) == (200, "withdrawn")
    assert drops(house) == []


# fmt: off
REFUSED = [
    # who asked,     who answers,     what,       more,              status, code
    (Role.SUPERVISOR, Role.SUPERVISOR, "approve",  {},                422, "own_request"),
    (Role.SUPERVISOR, Role.SUPERVISOR, "reject",   {"reason": "x"},   422, "own_request"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "reject",   {"reason": ""},    422, "reason_missing"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "withdraw", {},                422, "not_the_asker"),
    (Role.SUPERVISOR, Role.SUPERVISOR, "alone",    {"reason": "x"},   422, "others_could"),
    (Role.ATTENDANT,  Role.MANAGER,    "review",   {"in_order": True}, 422, "nothing_to_review"),
    (Role.SUPERVISOR, Role.ATTENDANT,  "approve",  {},                403, "permission_denied"),
    (Role.SUPERVISOR, Role.AUDITOR,    "approve",  {},                403, "permission_denied"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "approve",  {"by": "me"},      400, "malformed"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "approve",  {"approved_by": "x"}, 400, "malformed"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "approve",  {"reason": 7},     400, "malformed"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "approve",  {"command_id": "x"}, 400, "malformed"),
    (Role.ATTENDANT,  Role.SUPERVISOR, "review",   {"in_order": "yes"}, 400, "malformed"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("asker", "answerer", "do", "more", "status", "code"), REFUSED)
def test_c1_what_is_refused_has_a_code(  # noqa: PLR0913, PLR0917 - a row of the table
    house: House,
    asker: Role,
    answerer: Role,
    do: str,
    more: dict[str, Any],
    status: int,
    code: str,
) -> None:
    request = asked(house, house.people[asker])

    answer = posted(house, request, do, house.client(answerer), **more)

    assert (answer[0], answer[1]["code"]) == (status, code)
    assert drops(house) == []
    assert listed(house, state="waiting") != []


@pytest.mark.long("postgresql")
def test_c1_another_token_of_the_asker_is_the_asker(house: House) -> None:
    request = asked(house, house.supervisor)

    for _ in range(2):
        answer = posted(house, request, "approve", builders.client(house.supervisor))
        assert answer[1]["code"] == "own_request"


@pytest.mark.long("postgresql")
def test_c1_who_would_be_paid_is_told(house: House) -> None:
    request = asked(house, beneficiaries=[str(house.supervisor.pk)])
    answer = posted(house, request, "approve", house.client(Role.SUPERVISOR))
    assert (answer[0], answer[1]["code"]) == (422, "beneficiary")


@pytest.mark.long("postgresql")
def test_what_is_decided_is_decided(house: House) -> None:
    request = asked(house)
    decided(house, request, house.supervisor)
    for do in ("approve", "reject"):
        answer = posted(house, request, do, house.client(Role.MANAGER), reason="x")
        assert (answer[0], answer[1]["code"]) == (422, "already_decided")


@pytest.mark.long("postgresql")
def test_the_same_answer_twice_is_one_answer(house: House) -> None:
    request, same = asked(house), {"command_id": str(uuid.uuid4())}
    for _ in range(2):
        status, answer = posted(house, request, "approve", house.client(Role.MANAGER), **same)
        assert (status, answer["state"]) == (200, "approved")
    assert len(drops(house)) == 1

    other = posted(house, request, "reject", house.client(Role.MANAGER), **same, reason="x")
    assert (other[0], other[1]["code"]) == (409, "command_reused")


def test_what_there_is_not_or_is_anothers_is_404(house: House) -> None:
    request, other = asked(house), builders.house()

    answer = posted(house, uuid.uuid4(), "approve", house.client(Role.MANAGER))
    assert (answer[0], answer[1]["code"]) == (404, "no_such_request")
    stranger = other.client(Role.MANAGER)
    assert posted(house, request, "approve", stranger)[0] == 404
    answer = posted(other, request, "approve", stranger)
    assert (answer[0], answer[1]["code"]) == (404, "no_such_request")
    assert house.client().get(house.url(f"approvals/{uuid.uuid4()}/")).status_code == 404
    assert stranger.get(house.url("approvals/")).status_code == 404
    assert drops(house) == []


@pytest.mark.long("postgresql")
def test_g4_a_void_is_answered_here_too(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "void", back_to=2, reason="Misread.")
    settled(house)
    [row] = listed(house, kind="void")
    assert row["subject"]["game"] == str(game)

    status, answer = posted(house, uuid.UUID(row["id"]), "approve", house.client(Role.SUPERVISOR))

    assert (status, answer["state"]) == (200, "approved")


@pytest.mark.long("postgresql")
def test_g4_a_request_says_what_goes_back_and_takes_back_no_more(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "void", back_to=2, reason="Misread.")
    round_played(house, game)
    settled(house)

    [row] = listed(house, kind="void")
    supervisor = house.client(Role.SUPERVISOR)
    unseen = posted(house, row["id"], "approve", supervisor)
    seen = posted(house, row["id"], "approve", supervisor, through=row["details"]["through"])

    details = row["details"]
    lines = [(each["line"]["dice"], each["since"]) for each in details["entries"]]
    assert lines == [([2, 2, 7], False), ([2, 2, 4], False), ([2, 2, 7], True), ([2, 2, 4], True)]
    [paid] = details["entries"][1]["payments"]
    assert (paid["from"], paid["amount"]) == ("Ada", 7)
    assert (details["asked"], details["since"]) == (2, 2)
    assert details["stakes"] == [{"player": "Ada", "now": 6, "then": 20}]
    assert details["goes_on"] == "Ada to throw"
    assert (unseen[0], unseen[1]["code"]) == (422, "request_grown")
    assert (seen[0], seen[1]["state"], seen[1]["details"]) == (200, "approved", None)


@pytest.mark.long("postgresql")
def test_g4_the_rules_of_a_void_hold_here_too(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "void", by=house.supervisor, back_to=2, reason="Misread.")
    settled(house)
    [row] = listed(house, kind="void")

    answer = posted(house, uuid.UUID(row["id"]), "approve", house.client(Role.SUPERVISOR))

    assert (answer[0], answer[1]["code"]) == (422, "own_request")
