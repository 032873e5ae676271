"""Dice sets in the office and over the API: only what may be done is offered (F1)."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.play.dice.models import DiceSet, State
from tests.support import builders, dice_acts
from tests.support.playing import opened

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house() -> House:
    return builders.house()


def office(house: House, role: Role = Role.SUPERVISOR) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


def page(house: House, name: str, *args: object, role: Role = Role.SUPERVISOR) -> str:
    answer = office(house, role).get(reverse(name, args=args))
    assert answer.status_code == 200, answer
    return answer.content.decode()


def sent(house: House, name: str, *args: object, **fields: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **fields}
    return office(house).post(reverse(name, args=args), body, follow=True)


RECEIVED = {
    "number": "N-1", "sides": "", "count": "5", "supplier": "Elm and Sons", "reference": "D-17",
}  # fmt: skip


def test_f1_from_received_to_destroyed_in_the_office(house: House) -> None:
    assert (
        "inspected before it is issued" in sent(house, "dice-receive", **RECEIVED).content.decode()
    )
    dice = DiceSet.objects.get(number="N-1")
    assert (dice.state, dice.sides, dice.count) == (State.RECEIVED, None, 5)

    def done(do: str, **fields: Any) -> str:
        shown: str = sent(house, "dice-act", dice.pk, do, **fields).content.decode()
        return shown

    assert "Elm and Sons, D-17" in page(house, "dice-set", dice.pk)
    assert "Inspected: in order" in done("inspect", finding="Sound.", found="passed")
    assert f"Issued: {house.table.name}" in done("issue", table=str(house.table.pk))
    assert "Returned to the store" in done("return")
    assert "Chipped." in done("withdraw", reason="Chipped.")
    asked = done("destroy", reason="Chipped.")
    assert "To be destroyed" in asked
    assert "Have it destroyed" not in asked  # it is asked for already
    [approving] = set(re.findall(r"/approvals/([0-9a-f-]{36})/", asked))
    answer = office(house, Role.MANAGER).post(
        f"/approvals/{approving}/", {"command_id": str(uuid.uuid4()), "do": "approve"}, follow=True
    )
    assert answer.status_code == 200
    assert dice_acts.state(dice) == State.DESTROYED
    assert "destroyed" in page(house, "dice-set", dice.pk)
    assert "N-1" not in page(house, "dice-sets")
    shown = office(house).get(reverse("dice-sets"), {"state": "destroyed"}).content.decode()
    assert "N-1" in shown


def test_f1_only_what_may_be_done_is_offered(house: House) -> None:
    dice = dice_acts.in_store(house)
    shown = page(house, "dice-set", dice.pk)
    assert "Issue it" in shown
    assert "Back to the store" not in shown
    looked = page(house, "dice-set", dice.pk, role=Role.AUDITOR)
    assert "Issue it" not in looked
    assert "Its life" in looked
    opened(house)
    lies = page(house, "dice-set", house.dice.pk)
    assert "It lies on a table" in lies
    assert "Withdraw it" not in lies


def test_what_is_missing_is_said_where_it_is_missing(house: House) -> None:
    answer = sent(house, "dice-act", house.dice.pk, "withdraw", reason="")
    assert answer.status_code == 422
    assert "required" in answer.content.decode()
    answer = sent(house, "dice-receive", **{**RECEIVED, "number": house.dice.number})
    assert answer.status_code == 422
    assert "a dice set of that number already" in answer.content.decode()
    assert sent(house, "dice-act", house.dice.pk, "lose").status_code == 404
    refused = sent(house, "dice-act", house.dice.pk, "issue").content.decode()
    assert "not where this could be done" in refused


def test_without_dice_the_page_says_what_to_do() -> None:
    assert "Receive a set, inspect it and issue it" in page(
        builders.house(dice_sets=0), "dice-sets"
    )


def test_a_life_costs_the_same_however_long(
    house: House, django_assert_max_num_queries: Any
) -> None:
    dice = dice_acts.in_store(house)
    for _ in range(8):
        dice_acts.inspected(house, dice)
    client = office(house)
    with django_assert_max_num_queries(40):
        client.get(reverse("dice-set", args=[dice.pk]))
    for name, arguments in (("dice-set", [dice.pk]), ("dice-sets", [])):
        before = queries_of(client, name, arguments)
        for _ in range(8):
            dice_acts.inspected(house, dice)
        dice_acts.received(house, f"{name}-2")
        assert queries_of(client, name, arguments) == before


def queries_of(client: Client, name: str, arguments: list[Any]) -> int:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    counted = []
    for _ in range(2):  # now and then a request notes when somebody was last seen
        with CaptureQueriesContext(connection) as seen:
            assert client.get(reverse(name, args=arguments)).status_code == 200
        counted.append(len(seen))
    return min(counted)


def test_f1_over_the_api(house: House) -> None:
    client = house.client(Role.SUPERVISOR)

    def put(rest: str, **fields: Any) -> Any:
        body = {"command_id": str(uuid.uuid4()), **fields}
        return client.post(house.url(rest), body, format="json")

    made = put("dice/", number="N-1", count=3, sides=8, supplier="Elm", reference="D-1")
    assert made.status_code == 201, made.content
    dice = made.json()["id"]
    assert (made.json()["stands"], made.json()["possible"]) == ("received", ["inspect", "withdraw"])
    acts = f"dice/{dice}/acts/"
    assert put(acts, do="issue").json()["code"] == "not_in_its_state"
    assert put(acts, do="inspect", in_order=True, finding="Sound.").status_code == 200
    assert put(acts, do="issue", table=str(house.table.pk)).status_code == 200
    listed = {each["number"]: each for each in client.get(house.url("dice/")).json()["results"]}
    assert listed["N-1"]["issued_to"] == str(house.table.pk)
    assert listed["N-1"]["inspected_by"]
    assert put(acts, do="withdraw", reason="Chipped.").status_code == 200
    assert uuid.UUID(put(acts, do="destroy", reason="Chipped.").json()["approval"])
    whole = client.get(house.url(f"dice/{dice}/")).json()
    assert [each["what"] for each in whole["life"]] == [
        "withdrawn", "issued", "inspected", "received",
    ]  # fmt: skip
    assert put(f"dice/{uuid.uuid4()}/acts/", do="return").status_code == 404
    assert put(acts, do="lose").status_code == 400
