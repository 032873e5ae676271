"""Payouts over HTTP: where each is, what is asked for, and what is refused by code."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from tests.support import builders
from tests.support.playing import NOW, done, opened, round_played, settled

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(large_prize=15)


def prize_won(house: House) -> tuple[uuid.UUID, Payout]:
    game = opened(house, stake=20)
    for _ in range(3):
        round_played(house, game)
    settled(house)
    return game, Payout.objects.get(establishment=house.id, state=Payout.State.HELD)


def listed(house: House, asked: str = "") -> list[dict[str, Any]]:
    answer = house.client().get(house.url(f"payouts/{asked}"))
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


@pytest.mark.long("postgresql")
def test_a_held_payout_says_what_it_waits_for(house: House) -> None:
    game, row = prize_won(house)

    [payout] = listed(house, "?state=held")

    assert payout["payout"] == f"{row.cause}.{row.seq}"
    assert (payout["payer"], payout["player"]) == ("pot", "Bo")
    assert (payout["amount"], payout["held"], payout["state"]) == (20, 20, "held")
    assert [reason["kind"] for reason in payout["waits_for"]] == ["large_prize"]
    why = house.client().get(payout["explanation"])
    assert why.status_code == 200
    assert house.client().get(f"/api/v1/games/{game}/").json()["held"] == {"Ada": 0, "Bo": 20}


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("asked", "rows"),
    [("", 1), ("?player=Bo", 1), ("?player=Ada", 0), ("?player=Nobody", 0), ("?state=paid", 0)],
)
def test_it_is_looked_for(house: House, asked: str, rows: int) -> None:
    prize_won(house)
    assert len(listed(house, asked)) == rows


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    "asked",
    ["?state=", "?state=new", "?day=now", "?day=2026-13-01", "?table=3", "?player=", "?player=%00"],
)
def test_what_is_no_filter_is_malformed(house: House, asked: str) -> None:
    answer = house.client().get(house.url(f"payouts/{asked}"))
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.long("postgresql")
def test_one_payout_tells_its_history(house: House) -> None:
    game, row = prize_won(house)
    place = f"{row.cause}.{row.seq}"
    done(house, game, "witness", by=house.supervisor, payout=place)
    settled(house)

    body = house.client().get(house.url(f"payouts/{game}/{row.cause}/{row.seq}/")).json()

    assert [step["state"] for step in body["history"]] == ["decided", "held", "released"]
    assert body["state"] == "released"


def test_another_houses_payouts_are_not_there(house: House) -> None:
    game, row = prize_won(house)
    other = builders.house()

    assert other.client().get(house.url("payouts/")).status_code == 404
    one = other.url(f"payouts/{game}/{row.cause}/{row.seq}/")
    assert other.client().get(one).status_code == 404
    answer = other.client().post(other.url("adjustments/"), adjustment(game))
    assert answer.status_code == 404


def adjustment(game: uuid.UUID, **more: Any) -> dict[str, Any]:
    return {
        "command_id": str(uuid.uuid4()), "game": str(game), "from": "house", "to": "Ada",
        "amount": 3, "round": 1, "reason": "Counted twice.", **more,
    }  # fmt: skip


class TestAdjustments:
    def test_c1_it_is_asked_for_and_approved_by_another(self, house: House) -> None:
        game, _ = prize_won(house)
        body = adjustment(game)

        answers = [house.client().post(house.url("adjustments/"), body) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [201, 201]
        [approval] = {answer.json()["approval"] for answer in answers}
        url = house.url(f"approvals/{approval}/approve/")
        own = {"command_id": str(uuid.uuid4())}
        approved = house.client(Role.SUPERVISOR).post(url, own)
        assert approved.status_code == 200, approved.content
        assert approved.json()["state"] == "approved"

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"amount": 0}, 422, "adjustment_amount"),
            ({"amount": "3"}, 400, "malformed"),
            ({"amount": True}, 400, "malformed"),
            ({"round": 9}, 422, "nothing_cited"),
            ({"to": "Nobody"}, 422, "adjustment_parties"),
            ({"to": "house"}, 422, "adjustment_parties"),
            ({"payout": "twelve"}, 400, "malformed"),
            ({"reason": " "}, 422, "reason_missing"),
            ({"approved_by": "me"}, 400, "malformed"),
            ({"game": "1"}, 400, "malformed"),
        ],
    )
    def test_what_is_refused(
        self, house: House, change: dict[str, Any], status: int, code: str
    ) -> None:
        game, _ = prize_won(house)
        answer = house.client().post(house.url("adjustments/"), adjustment(game) | change)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_e2_a_stopped_house_is_resumed_by_two(house: House) -> None:
    body = {"command_id": str(uuid.uuid4()), "reason": "Repaired."}
    url = house.url("payouts/resume/")
    assert house.client(Role.SUPERVISOR).post(url, body).json()["code"] == "nothing_stopped"
    payout_holds.stop_payouts(house.establishment, why="regrade", about="x", now=NOW)
    body["command_id"] = str(uuid.uuid4())

    assert house.client().post(url, body).status_code == 403
    answer = house.client(Role.SUPERVISOR).post(url, body)
    assert answer.status_code == 201
    approve = house.url(f"approvals/{answer.json()['approval']}/approve/")
    mine = house.client(Role.SUPERVISOR).post(approve, {"command_id": str(uuid.uuid4())})
    assert mine.json()["code"] == "own_request"
    theirs = house.client(Role.MANAGER).post(approve, {"command_id": str(uuid.uuid4())})
    assert theirs.status_code == 200, theirs.content

    assert payout_holds.stop_now(house.id) is None


@pytest.mark.long("postgresql")
def test_a7_dice_are_inspected(house: House) -> None:
    prize_won(house)
    url = house.url(f"dice/{house.dice.pk}/inspections/")
    body = {"command_id": str(uuid.uuid4()), "in_order": True, "finding": "Edges sharp."}

    assert house.client().post(url, body).status_code == 403
    assert house.client(Role.SUPERVISOR).post(url, body).status_code == 204
    again = {**body, "command_id": str(uuid.uuid4())}
    answer = house.client(Role.SUPERVISOR).post(url, again)
    assert (answer.status_code, answer.json()["code"]) == (422, "not_in_quarantine")
