"""The office's pages of payouts: what waits and what to do, what became of each, adjustments."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from casino.house.acts import acts, custody
from casino.house.attendants.models import Role
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments
from casino.money.payouts.adjustments import Adjustment
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.support import builders
from tests.support.playing import (
    DEVICE,
    NOW,
    balances,
    done,
    nobody_undoes_alone,
    opened,
    round_played,
    settled,
    stake_of,
    state,
    token,
)

if TYPE_CHECKING:
    from django.test import Client

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house() -> House:
    return builders.house(large_prize=15)


def browser(client: Client, house: House, role: Role) -> Client:
    client.force_login(house.people[role])
    return client


def page(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200, answer
    return answer.content.decode()


def prize_won(house: House) -> tuple[uuid.UUID, Payout]:
    """Bo wins Ada's 20, which is a large prize here."""
    game = opened(house, stake=20)
    for _ in range(3):
        round_played(house, game)
    settled(house)
    return game, Payout.objects.get(establishment=house.id, state=Payout.State.HELD)


class TestTheList:
    def test_an_empty_house_is_told_what_comes(self, client: Client, house: House) -> None:
        assert "Nobody has won anything here yet" in page(
            browser(client, house, Role.ATTENDANT), "payouts"
        )

    def test_a7_what_waits_stands_on_top_with_what_to_do(
        self, client: Client, house: House
    ) -> None:
        _, row = prize_won(house)
        html = page(browser(client, house, Role.SUPERVISOR), "payouts")

        assert "large prize: its witness" in html
        assert "I saw it: witness" in html
        assert "Dice to be inspected" in html
        assert html.index("large prize") < html.index("To players")
        assert reverse("payout", args=[row.game, row.cause, row.seq]) in html

    def test_who_may_not_approve_has_no_button(self, client: Client, house: House) -> None:
        game, row = prize_won(house)
        client = browser(client, house, Role.ATTENDANT)
        html = page(client, "payouts")

        assert "large prize: its witness" in html
        assert "I saw it" not in html
        answer = client.post(
            reverse("payout-witness", args=[game]),
            {"command_id": str(uuid.uuid4()), "payout": f"{row.cause}.{row.seq}"},
        )
        assert answer.status_code == 403

    @pytest.mark.rows(postgresql=3)
    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("state=held", True),
            ("state=reversed", False),
            ("player=Bo", True),
            ("player=Ada", False),
            ("player=Nobody", False),
            ("day=2026-11-20", True),
            ("day=2001-01-01", False),
            ("state=nonsense&day=nonsense", True),
        ],
    )
    def test_it_is_looked_for_by_day_state_and_player(
        self, client: Client, house: House, asked: str, *, found: bool
    ) -> None:
        game = opened(house, stake=20, now=NOW)
        for _ in range(3):
            round_played(house, game, now=NOW)
        settled(house)
        day = Payout.objects.filter(payee__gt="", payer="pot").first()
        assert day is not None
        asked = asked.replace("2026-11-20", str(day.gaming_day))

        shown = browser(client, house, Role.AUDITOR).get(f"{reverse('payouts')}?{asked}")

        rows = shown.context["table"].lines
        assert bool(rows) is found

    def test_another_house_has_its_own(self, client: Client, house: House) -> None:
        other = builders.house()
        _, row = prize_won(house)

        client = browser(client, other, Role.MANAGER)
        assert client.get(reverse("payouts")).context["held"] == []
        for name, args in (
            ("payout", [row.game, row.cause, row.seq]),
            ("payouts-of-game", [row.game]),
        ):
            assert client.get(reverse(name, args=args)).status_code == 404


class TestOnePayout:
    def test_c3_one_in_dispute_leads_there(self, client: Client, house: House) -> None:
        game, row = prize_won(house)
        [raised] = done(house, game, "dispute", round=row.round, reason="Cocked.")
        settled(house)
        client = browser(client, house, Role.SUPERVISOR)

        html = page(client, "payout", game, row.cause, row.seq)

        there = reverse("dispute", args=[game, raised.data["dispute"]])
        assert there in html
        adjust = f"{reverse('payouts-of-game', args=[game])}?round={row.round}&amp;dispute="
        assert adjust in client.get(there).content.decode()

    def test_its_states_in_order(self, client: Client, house: House) -> None:
        game, row = prize_won(house)
        place = f"{row.cause}.{row.seq}"
        done(house, game, "witness", by=house.supervisor, payout=place)
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=40)
        settled(house)

        answer = browser(client, house, Role.AUDITOR).get(
            reverse("payout", args=[game, row.cause, row.seq])
        )

        assert [step.state for step in answer.context["steps"]] == [
            "decided", "held", "released", "paid",
        ]  # fmt: skip
        assert "Witnessed. Released." in answer.content.decode()

    def test_a_voided_one_ends_reversed(self, client: Client, house: House) -> None:
        nobody_undoes_alone(house)
        game, row = prize_won(house)
        [requested] = done(house, game, "void", back_to=row.cause - 1, reason="Misread.")
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
        settled(house)

        answer = browser(client, house, Role.AUDITOR).get(
            reverse("payout", args=[game, row.cause, row.seq])
        )

        states = [step.state for step in answer.context["steps"]]
        # Held as a large prize, held again by the request for its void.
        assert states == ["decided", "held", "held", "reversed"]

    def test_there_is_no_other(self, client: Client, house: House) -> None:
        game, _ = prize_won(house)
        client = browser(client, house, Role.AUDITOR)
        assert client.get(reverse("payout", args=[game, 1, 0])).status_code == 404


class TestWhatIsDone:
    def test_a7_a_witness(self, client: Client, house: House) -> None:
        game, row = prize_won(house)
        body = {"command_id": str(uuid.uuid4()), "payout": f"{row.cause}.{row.seq}"}
        client = browser(client, house, Role.SUPERVISOR)

        for _ in range(2):  # a double tap is one act
            assert client.post(reverse("payout-witness", args=[game]), body).status_code == 302
        settled(house)

        assert state(house, game)["held"] == {"Ada": 0, "Bo": 0}
        assert balances(house)[stake_of(house, game, "Bo")] == 40

    def test_a7_an_inspection(self, client: Client, house: House) -> None:
        prize_won(house)
        client = browser(client, house, Role.SUPERVISOR)
        body = {
            "command_id": str(uuid.uuid4()), "dice_set": str(house.dice.pk),
            "finding": "Edges sharp, faces even.", "found": "faulty",
        }  # fmt: skip

        client.post(reverse("payouts-inspect"), body)
        assert "did not pass" in page(client, "payouts")
        again = {**body, "command_id": str(uuid.uuid4()), "found": "in_order"}
        client.post(reverse("payouts-inspect"), again)

        assert "Dice to be inspected" not in page(client, "payouts")
        opened(house)

    def test_an_inspection_says_what_was_found(self, client: Client, house: House) -> None:
        prize_won(house)
        client = browser(client, house, Role.SUPERVISOR)
        body = {
            "command_id": str(uuid.uuid4()), "dice_set": str(house.dice.pk), "finding": " ",
            "found": "in_order",
        }  # fmt: skip

        client.post(reverse("payouts-inspect"), body)

        assert "Dice to be inspected" in page(client, "payouts")

    def test_c1_an_adjustment_is_asked_for(self, client: Client, house: House) -> None:
        game, row = prize_won(house)
        client = browser(client, house, Role.ATTENDANT)
        url = f"{reverse('payouts-of-game', args=[game])}?payout={row.cause}.{row.seq}"
        form = client.get(url).context["form"]
        assert form.initial["payout"] == f"{row.cause}.{row.seq}"
        body = {
            "command_id": str(uuid.uuid4()), "giver": token(house, game, "Bo"),
            "taker": token(house, game, "Ada"), "amount": 5, "payout": form.initial["payout"],
            "reason": "The die was cocked.",
        }  # fmt: skip

        answer = client.post(url, body)

        assert answer.status_code == 302
        assert answer["Location"] == reverse("approvals")
        assert "Adjustment" in page(client, "approvals")

    def test_a_refused_one_says_why_in_the_form(self, client: Client, house: House) -> None:
        game, _ = prize_won(house)
        client = browser(client, house, Role.ATTENDANT)
        body = {
            "command_id": str(uuid.uuid4()), "giver": "house", "taker": "house", "amount": 5,
            "round_no": 1, "reason": "Why not.",
        }  # fmt: skip

        answer = client.post(reverse("payouts-of-game", args=[game]), body)

        assert answer.status_code == 422
        assert "from a player of this game" in answer.content.decode()
        assert answer.context["form"]["command_id"].value() != body["command_id"]


def test_p3_what_an_adjustment_left_is_handed_out_once(client: Client, house: House) -> None:
    game, _ = prize_won(house)
    adjusted(house, game, 7)
    client = browser(client, house, Role.ATTENDANT)
    assert "waits for the player" in page(client, "payouts-of-game", game)
    body = {"command_id": str(uuid.uuid4())}
    url = reverse("adjustment-paid", args=[game, 1])

    assert "cage holds 0" in client.post(url, body, follow=True).content.decode()
    filled(house, 9)
    body["command_id"] = str(uuid.uuid4())
    for _ in range(2):  # a double tap is one act
        assert "Paid from the cage" in client.post(url, body, follow=True).content.decode()

    assert balances(house)[custody.cage()] == 2
    assert "waits for the player" not in page(client, "payouts-of-game", game)


def adjusted(house: House, game: uuid.UUID, amount: int) -> None:
    """The house gives Ada something for round 1: asked for and approved."""
    request_act = act(house, house.attendant)
    what = Adjustment(
        game=game, giver="house", taker=token(house, game, "Ada"), amount=amount, round_no=1
    )
    adjustments.ask(request_act, what, reason="Counted twice.")
    request = requests.id_of(house.id, request_act.command_id)
    approvals.decide(act(house, house.supervisor), request, approve=True)


def filled(house: House, amount: int) -> None:
    """So much of the house's own money lies in the cage."""
    brought = journal.NewTransfer(
        debit=custody.cage(), credit=AccountRef(Kind.BANK, "house"), amount=amount,
        reason="capital", event=0,
    )  # fmt: skip
    event = journal.NewEvent(stream="cage", event_type="cage.filled", schema_version=1, data={})
    done_ = acts.Done(guards={"cage": 0}, events=[event], transfers=[brought])
    acts.perform(act(house, house.manager), lambda: done_)


def act(house: House, by: Attendant) -> acts.Act:
    return acts.Act(
        house=house.establishment, by=by, device=DEVICE, now=NOW, command_id=uuid.uuid4(),
        request={},
    )  # fmt: skip


class TestStopped:
    def stop(self, house: House) -> None:
        payout_holds.stop_payouts(
            house.establishment, why="regrade", about=str(uuid.uuid4()), now=NOW
        )

    def test_e2_the_start_page_and_this_one_say_so(self, client: Client, house: House) -> None:
        self.stop(house)
        client = browser(client, house, Role.MANAGER)

        assert "payouts are stopped" in page(client, "start")
        html = page(client, "payouts")
        assert "Payouts are stopped" in html
        assert "a regrade found payouts that differ" in html

    def test_e2_two_people_resume_them(self, client: Client, house: House) -> None:
        self.stop(house)
        client = browser(client, house, Role.MANAGER)
        body = {"command_id": str(uuid.uuid4()), "reason": "The row was repaired."}

        assert client.post(reverse("payouts-resume"), body)["Location"] == reverse("approvals")

        assert payout_holds.stop_now(house.id) is not None
        assert "Resume payouts" in page(client, "approvals")

    def test_a_reason_is_given(self, client: Client, house: House) -> None:
        self.stop(house)
        client = browser(client, house, Role.MANAGER)
        body = {"command_id": str(uuid.uuid4()), "reason": ""}
        assert client.post(reverse("payouts-resume"), body).status_code == 422
