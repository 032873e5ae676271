"""What is beyond a void is set right by two people, and nothing is edited (C1, A2, G4)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts import acts, custody
from casino.house.acts.accounts import PayoutPlace
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments
from casino.money.payouts.adjustments import Adjustment
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Withheld
from games.payments import HOUSE
from games.refusals import Refused
from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.support import books, builders
from tests.support.playing import (
    DEVICE,
    NOW,
    PAIR_4,
    PAIR_7,
    balances,
    booked_events,
    done,
    game_of,
    opened,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    token,
)
from tests.support.regrading import differences

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house(large_prize=15)


def act(house: House, by: Attendant) -> acts.Act:
    return acts.Act(
        house=house.establishment, by=by, device=DEVICE, now=NOW, command_id=uuid.uuid4(),
        request={},
    )  # fmt: skip


def asked(house: House, reason: str = "Counted twice.", **what: Any) -> uuid.UUID:
    """The id of a request for an adjustment."""
    mine = act(house, house.attendant)
    adjustments.ask(mine, Adjustment(**what), reason=reason)
    return requests.id_of(house.id, mine.command_id)


def made(house: House, **what: Any) -> None:
    request = asked(house, **what)
    approvals.decide(act(house, house.supervisor), request, approve=True)
    settled(house)
    books.hold_at_every_moment(house)


def won_by_bo(house: House) -> uuid.UUID:
    """Ada's 20 are Bo's: 40 in his stake, 20 of them a large prize."""
    game = opened(house, stake=20)
    for _ in range(3):
        round_played(house, game)
    settled(house)
    return game


def account(kind: Kind, house: House, game: uuid.UUID, name: str) -> AccountRef:
    return AccountRef(kind, token(house, game, name))


class TestWhereTheMoneyMoves:
    @pytest.mark.long("postgresql")
    def test_the_house_gives_what_was_paid_too_little(self, house: House) -> None:
        game = won_by_bo(house)
        ada = token(house, game, "Ada")

        made(house, game=game, giver=HOUSE, taker=ada, amount=7, round_no=1)

        assert balances(house)[account(Kind.PRIZES_OWED, house, game, "Ada")] == 7
        assert balances(house)[AccountRef(Kind.BANK, "house")] == -7
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_what_is_held_of_the_payout_is_taken_first_then_the_stake(self, house: House) -> None:
        game = won_by_bo(house)
        ada, bo = token(house, game, "Ada"), token(house, game, "Bo")
        cause = int(next(iter(held_payouts(house, game))).partition(".")[0])

        made(house, game=game, giver=bo, taker=ada, amount=25, payout=PayoutPlace(cause, 0))

        assert state(house, game)["held"]["Bo"] == 0
        assert state(house, game)["booked"]["Bo"] == 15
        assert balances(house)[account(Kind.PRIZES_OWED, house, game, "Ada")] == 25
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_who_has_gone_owes_the_house(self, house: House) -> None:
        game = won_by_bo(house)
        ada, bo = token(house, game, "Ada"), token(house, game, "Bo")
        done(house, game, "cash_out", player="Bo", amount=20)
        settled(house)

        made(house, game=game, giver=bo, taker=ada, amount=7, round_no=1)

        assert balances(house)[account(Kind.RECEIVABLE, house, game, "Bo")] == -7
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_what_was_taken_and_is_played_is_advanced(self, house: House) -> None:
        """The rules know nothing of it: who loses more than is left owes the house the rest."""
        game = opened(house, stake=20)
        round_played(house, game)
        settled(house)
        ada, bo = token(house, game, "Ada"), token(house, game, "Bo")

        made(house, game=game, giver=ada, taker=bo, amount=10, round_no=1)
        assert balances(house)[stake_of(house, game, "Ada")] == 3
        for _ in range(2):
            round_played(house, game, ("Ada", PAIR_7), ("Bo", PAIR_4))
        settled(house)
        books.hold_at_every_moment(house)

        assert balances(house)[account(Kind.RECEIVABLE, house, game, "Ada")] == -10
        assert stake_of(house, game, "Ada") not in balances(house)
        assert differences(house) == []

    def test_c1_it_names_reason_asker_approver_and_what_it_sets_right(self, house: House) -> None:
        game = won_by_bo(house)
        ada = token(house, game, "Ada")

        made(house, game=game, giver=HOUSE, taker=ada, amount=7, round_no=1)

        booked = booked_events(house, game)[-1]
        assert booked.event_type == "settlement.adjusted"
        assert booked.data["asked_by"] == str(house.attendant.pk)
        assert booked.data["approved_by"] == booked.provenance.actor == str(house.supervisor.pk)
        assert booked.data["round"] == 1
        assert booked.data["reason"]
        [adjustment] = adjustments.adjustments_of(house.establishment, game)
        assert (adjustment["amount"], adjustment["waits"]) == (7, True)


class TestDisputesToBeAdjusted:
    """C3: what is held for a dispute stays held until what is right is paid."""

    def disputed(self, house: House, game: uuid.UUID) -> int:
        [event] = done(house, game, "dispute", round=3, reason="The die was cocked.")
        settled(house)
        number: int = event.data["dispute"]
        return number

    def resolved(self, house: House, game: uuid.UUID, dispute: int) -> None:
        done(
            house, game, "resolve", by=house.supervisor, dispute=dispute, outcome="adjusted",
            reason="Seen on the recording.",
        )  # fmt: skip
        settled(house)
        books.hold_at_every_moment(house)

    @pytest.fixture
    def house(self) -> House:
        return builders.house()

    @pytest.mark.parametrize("named", [True, False])
    def test_c3_it_waits_for_its_adjustment_and_goes_with_it(
        self, house: House, *, named: bool
    ) -> None:
        game = won_by_bo(house)
        ada, bo = token(house, game, "Ada"), token(house, game, "Bo")
        done(house, game, "cash_out", player="Bo", amount=20)
        dispute = self.disputed(house, game)

        self.resolved(house, game, dispute)

        assert state(house, game)["held"]["Bo"] == 20
        assert refused(house, game, "cash_out", player="Bo", amount=1) == "payout_held"
        assert differences(house) == []
        made(
            house, game=game, giver=bo, taker=ada, amount=15, round_no=3,
            dispute=dispute if named else None,
        )  # fmt: skip
        assert state(house, game)["held"]["Bo"] == 0
        assert balances(house)[stake_of(house, game, "Bo")] == 5
        assert balances(house)[account(Kind.PRIZES_OWED, house, game, "Ada")] == 15
        assert account(Kind.RECEIVABLE, house, game, "Bo") not in balances(house)
        assert not Withheld.objects.filter(waiting=True).exists()
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_c3_adjusted_before_it_ends_it_is_released_when_it_does(self, house: House) -> None:
        game = won_by_bo(house)
        ada, bo = token(house, game, "Ada"), token(house, game, "Bo")
        done(house, game, "cash_out", player="Bo", amount=20)
        dispute = self.disputed(house, game)
        for amount in (6, 3):
            made(house, game=game, giver=bo, taker=ada, amount=amount, round_no=3)
        assert state(house, game)["held"]["Bo"] == 11

        self.resolved(house, game, dispute)

        assert state(house, game)["held"]["Bo"] == 0
        assert balances(house)[stake_of(house, game, "Bo")] == 11
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_c3_an_adjustment_of_another_round_releases_nothing(self, house: House) -> None:
        game = won_by_bo(house)
        dispute = self.disputed(house, game)
        self.resolved(house, game, dispute)

        made(house, game=game, giver=HOUSE, taker=token(house, game, "Ada"), amount=1, round_no=1)

        assert state(house, game)["held"]["Bo"] == 20
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_a_dispute_that_there_is_not_is_none(self, house: House) -> None:
        game = won_by_bo(house)
        with pytest.raises(Refused) as raised:
            asked(
                house, game=game, giver=HOUSE, taker=token(house, game, "Ada"), amount=1,
                round_no=1, dispute=2,
            )  # fmt: skip
        assert raised.value.code == "nothing_cited"


@pytest.mark.long("postgresql")
def test_it_waits_for_settlement_so_that_it_knows_what_lies_where(house: House) -> None:
    game = opened(house, stake=20)
    round_played(house, game)
    settled(house)
    request = asked(
        house, game=game, giver=token(house, game, "Ada"), taker=HOUSE, amount=20, round_no=1
    )
    round_played(house, game)

    with pytest.raises(Refused) as raised:
        approvals.decide(act(house, house.supervisor), request, approve=True)
    assert raised.value.code == "not_settled_yet"
    settled(house)
    approvals.decide(act(house, house.supervisor), request, approve=True)

    books.hold_at_every_moment(house)
    assert balances(house)[account(Kind.RECEIVABLE, house, game, "Ada")] == -14
    assert differences(house) == []


class TestAtTheCage:
    """P3: what a player gets waits there, however long, and is handed out once."""

    @pytest.fixture
    def game(self, house: House) -> uuid.UUID:
        game = won_by_bo(house)
        made(house, game=game, giver=HOUSE, taker=token(house, game, "Ada"), amount=7, round_no=1)
        return game

    def fill_cage(self, house: House) -> None:
        provenance = act(house, house.manager)
        done_ = acts.Done(
            guards={"cage": 0},
            events=[journal.NewEvent(stream="cage", event_type="t.t", schema_version=1, data={})],
            transfers=[
                journal.NewTransfer(
                    debit=custody.cage(), credit=AccountRef(Kind.BANK, "house"), amount=9,
                    reason="test", event=0,
                )
            ],
        )  # fmt: skip
        acts.perform(provenance, lambda: done_)

    def test_it_is_handed_out_once(self, house: House, game: uuid.UUID) -> None:
        self.fill_cage(house)
        adjustments.hand_out(act(house, house.attendant), game=game, number=1)

        assert account(Kind.PRIZES_OWED, house, game, "Ada") not in balances(house)
        assert balances(house)[custody.cage()] == 2
        with pytest.raises(Refused) as raised:
            adjustments.hand_out(act(house, house.attendant), game=game, number=1)
        assert raised.value.code == "nothing_to_hand_out"
        assert refused(house, game, "void", back_to=2, reason="?") == "beyond_reversal"

    def test_d1b_whoever_it_is_for_does_not_hand_it_out(
        self, house: House, game: uuid.UUID
    ) -> None:
        self.fill_cage(house)
        [made] = adjustments.adjustments_of(house.establishment, game)
        house.attendant.employments.update(player=made["to"])
        with pytest.raises(Refused) as raised:
            adjustments.hand_out(act(house, house.attendant), game=game, number=1)
        assert raised.value.code == "own_prize"

    @pytest.mark.long("postgresql")
    def test_an_empty_cage_hands_out_nothing(self, house: House, game: uuid.UUID) -> None:
        with pytest.raises(Refused) as raised:
            adjustments.hand_out(act(house, house.attendant), game=game, number=1)
        assert raised.value.code == "cage_too_small"

    def test_e2_a_stopped_house_hands_out_nothing(self, house: House, game: uuid.UUID) -> None:
        self.fill_cage(house)
        payout_holds.stop_payouts(house.establishment, why="regrade", about="x", now=NOW)
        with pytest.raises(Refused) as raised:
            adjustments.hand_out(act(house, house.attendant), game=game, number=1)
        assert raised.value.code == "payouts_stopped"


class TestRefused:
    def test_c1_nobody_approves_their_own(self, house: House) -> None:
        game = won_by_bo(house)
        mine = act(house, house.supervisor)
        what = Adjustment(
            game=game, giver=HOUSE, taker=token(house, game, "Ada"), amount=7, round_no=1
        )
        adjustments.ask(mine, what, reason="Mine.")
        request = requests.id_of(house.id, mine.command_id)

        with pytest.raises(Refused, match="somebody else"):
            approvals.decide(act(house, house.supervisor), request, approve=True)

        assert account(Kind.PRIZES_OWED, house, game, "Ada") not in balances(house)

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"amount": 0}, "adjustment_amount"),
            ({"amount": -7}, "adjustment_amount"),
            ({"round_no": 9}, "nothing_cited"),
            ({"round_no": None}, "nothing_cited"),
            ({"round_no": None, "payout": PayoutPlace(2, 5)}, "nothing_cited"),
            ({"taker": HOUSE}, "adjustment_parties"),
            ({"taker": "nobody"}, "adjustment_parties"),
            ({"taker": "pot"}, "adjustment_parties"),
        ],
    )
    def test_a2_what_sets_nothing_right(
        self, house: House, change: dict[str, Any], code: str
    ) -> None:
        game = won_by_bo(house)
        what = {
            "game": game, "giver": HOUSE, "taker": token(house, game, "Ada"), "amount": 7,
            "round_no": 1,
        }  # fmt: skip

        with pytest.raises(Refused) as raised:
            asked(house, **{**what, **change})

        assert raised.value.code == code

    @pytest.mark.long("postgresql")
    def test_a_reason_is_given(self, house: House) -> None:
        game = won_by_bo(house)
        with pytest.raises(Refused) as raised:
            asked(
                house, " ", game=game, giver=HOUSE, taker=token(house, game, "Ada"), amount=7,
                round_no=1,
            )  # fmt: skip
        assert raised.value.code == "reason_missing"


def test_g4_no_void_goes_back_across_it(house: House) -> None:
    game = opened(house, stake=20)
    round_played(house, game)
    settled(house)
    made(house, game=game, giver=token(house, game, "Ada"), taker=HOUSE, amount=2, round_no=1)

    assert refused(house, game, "void", back_to=2, reason="?") == "beyond_reversal"
    number = game_of(house, game).version + 1
    round_played(house, game)
    [event] = done(house, game, "void", back_to=number, reason="Misread.")
    assert event.event_type == "game.void_requested"


def held_payouts(house: House, game: uuid.UUID) -> dict[str, int]:
    return {
        lot["payout"]: lot["left"]
        for event in booked_events(house, game)
        for lot in event.data.get("lots", ())
    }
