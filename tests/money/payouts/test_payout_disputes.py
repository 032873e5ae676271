"""C3: a dispute freezes the pot and what its round paid, not the table. E2: a stopped house."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts import acts
from casino.house.acts.game_streams.loading import MEMORY
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.kit.web.jobs import running
from casino.money.payouts import resuming
from casino.play.settlement import payout_holds
from casino.play.settlement import settled as bookings
from casino.play.settlement import subscriber as settlement
from casino.play.settlement.models import Payout
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.models import Regrade
from casino.proof.disputes.regrade.reading import Period
from games.refusals import Refused
from ledger import journal, money, subscriptions
from ledger.accounts import Kind
from ledger.models import Event
from ledger.subscriptions import StreamVersions
from tests.support import books, builders
from tests.support.playing import (
    DEVICE,
    NOW,
    PAIR_4,
    PAIR_7,
    ask,
    balances,
    done,
    game_of,
    opened,
    pot_of,
    refused,
    round_played,
    settled,
    stake_of,
    state,
    thrown,
)
from tests.support.regrading import by_hand, differences, event_of, forged

if TYPE_CHECKING:
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house()


def lots(house: House, game: uuid.UUID) -> dict[str, tuple[int, list[str]]]:
    """What is held of payouts now, and what each waits for."""
    return {
        str(lot.payout): (lot.left, list(lot.why))
        for lot in bookings.withheld(game_of(house, game).key)
        if lot.left or lot.why
    }


def disputed(house: House, game: uuid.UUID, **what: object) -> int:
    [event] = done(house, game, "dispute", reason="The die was cocked.", **what)
    number: int = event.data["dispute"]
    return number


def resolved(house: House, game: uuid.UUID, dispute: int, outcome: str) -> None:
    done(
        house, game, "resolve", by=house.supervisor, dispute=dispute, outcome=outcome,
        reason="Seen on the recording.",
    )  # fmt: skip
    settled(house)
    books.hold_at_every_moment(house)


def pool_won(house: House) -> tuple[uuid.UUID, StoredEvent]:
    """Ada's 20 lie in the pool, and Bo wins them."""
    game = opened(house, stake=20)
    for _ in range(3):
        last = round_played(house, game)
    return game, last


class TestDisputes:
    def test_c3_what_is_booked_and_still_there_waits(self, house: House) -> None:
        game, last = pool_won(house)
        settled(house)

        number = disputed(house, game, round=3)
        settled(house)

        payout = f"{last.stream_version}.0"
        assert lots(house, game) == {payout: (20, [f"dispute:{number}"])}
        assert state(house, game)["booked"] == {"Ada": 0, "Bo": 20}
        assert state(house, game)["held"] == {"Ada": 0, "Bo": 20}
        assert differences(house) == []

    @pytest.mark.long("postgresql")
    def test_c3_what_is_decided_while_it_is_open_is_booked_as_held(self, house: House) -> None:
        game = opened(house, stake=20)
        round_played(house, game)
        round_played(house, game)
        thrown(house, game, "Ada", PAIR_7)
        number = disputed(house, game, round=3)

        last = thrown(house, game, "Bo", PAIR_4)[-1]  # the table plays on
        settled(house)

        payout = f"{last.stream_version}.0"
        assert lots(house, game) == {payout: (20, [f"dispute:{number}"])}
        assert pot_of(game) not in balances(house)
        assert differences(house) == []

    def test_c3_the_pot_is_frozen_as_long_as_coins_of_that_round_lie_in_it(
        self, house: House
    ) -> None:
        game = opened(house, stake=20)
        round_played(house, game)  # 7 of Ada's into the pool
        number = disputed(house, game, round=1)
        round_played(house, game)
        last = round_played(house, game)
        settled(house)

        assert lots(house, game) == {f"{last.stream_version}.0": (20, [f"dispute:{number}"])}
        assert differences(house) == []

    def test_c3_it_stands_and_is_released(self, house: House) -> None:
        game, _ = pool_won(house)
        number = disputed(house, game, round=3)

        resolved(house, game, number, "stands")

        assert lots(house, game) == {}
        assert state(house, game)["booked"] == {"Ada": 0, "Bo": 40}
        assert Payout.objects.get(payer="pot").state == Payout.State.RELEASED

    def test_c3_it_is_voided(self, house: House) -> None:
        game, _ = pool_won(house)
        settled(house)
        number = disputed(house, game, round=3)
        settled(house)

        resolved(house, game, number, "voided")

        assert lots(house, game) == {}
        assert state(house, game)["booked"] == state(house, game)["stakes"] == {"Ada": 6, "Bo": 20}
        assert Payout.objects.get(payer="pot").state == Payout.State.REVERSED
        assert differences(house) == []

    def test_what_left_before_is_not_there_any_more(self, house: House) -> None:
        game, last = pool_won(house)
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=30)

        number = disputed(house, game, round=3)
        settled(house)

        assert lots(house, game) == {f"{last.stream_version}.0": (10, [f"dispute:{number}"])}
        assert refused(house, game, "cash_out", player="Bo", amount=1) == "payout_held"

    def test_two_reasons_are_lifted_one_by_one(self, house: House) -> None:
        house.establishment.large_prize = 15
        house.establishment.save()
        game, last = pool_won(house)
        payout = f"{last.stream_version}.0"
        number = disputed(house, game, payout=payout)
        settled(house)
        assert lots(house, game) == {payout: (20, ["large_prize", f"dispute:{number}"])}

        done(house, game, "witness", by=house.supervisor, payout=payout)
        settled(house)
        assert lots(house, game) == {payout: (20, [f"dispute:{number}"])}

        resolved(house, game, number, "stands")
        assert lots(house, game) == {}
        assert differences(house) == []


class TestStopped:
    """E2: a failed verification stops payouts; the cursor goes on, play goes on."""

    def stop(self, house: House) -> None:
        payout_holds.stop_payouts(
            house.establishment, why="regrade", about=str(uuid.uuid4()), now=NOW
        )

    def act(self, house: House, by: object) -> acts.Act:
        return acts.Act(
            house=house.establishment, by=by, device=DEVICE, now=NOW,  # type: ignore[arg-type]
            command_id=uuid.uuid4(), request={},
        )  # fmt: skip

    def test_e2_what_players_win_is_held_and_no_cash_leaves(self, house: House) -> None:
        self.stop(house)
        game, last = pool_won(house)
        settled(house)

        assert lots(house, game) == {f"{last.stream_version}.0": (20, ["stopped"])}
        assert bookings.last_event_handled(game_of(house, game)) == game_of(house, game).version
        answer = ask(house, game, "cash_out", player="Bo", amount=1)
        assert answer.refusal is not None
        assert answer.refusal.code == "payouts_stopped"
        assert differences(house) == []

    def test_e2_it_is_resumed_by_two_and_all_is_released(self, house: House) -> None:
        self.stop(house)
        games = [pool_won(house)[0] for _ in range(2)]
        settled(house)
        mine = self.act(house, house.supervisor)
        resuming.ask(mine, reason="Repaired.")
        request = requests.id_of(house.id, mine.command_id)
        with pytest.raises(Refused, match="somebody else"):
            approvals.decide(self.act(house, house.supervisor), request, approve=True)

        approvals.decide(self.act(house, house.manager), request, approve=True)
        settled(house)

        for game in games:
            assert lots(house, game) == {}
            assert state(house, game)["booked"]["Bo"] == 40
            done(house, game, "cash_out", player="Bo", amount=40)
        settled(house)
        assert differences(house) == []
        resumed = journal.last(establishment=house.id, stream=payout_holds.STREAM)
        assert resumed is not None
        assert resumed.data["approved_by"] == resumed.provenance.actor == str(house.manager.pk)

    @pytest.mark.long("postgresql")
    def test_e2_a_game_that_cannot_be_read_keeps_nobody_elses_money_back(
        self, house: House
    ) -> None:
        self.stop(house)
        [forged_one, other] = [pool_won(house)[0] for _ in range(2)]
        settled(house)
        opening = Event.objects.get(stream=f"game/{forged_one}", stream_version=1)
        forged(opening, lambda body: body["data"].update(rules_version=99))
        MEMORY.forget()
        mine = self.act(house, house.supervisor)
        resuming.ask(mine, reason="Looked at.")

        request = requests.id_of(house.id, mine.command_id)
        approvals.decide(self.act(house, house.manager), request, approve=True)
        while subscriptions.advance(settlement.SETTLEMENT, establishment=house.id).lag:
            pass

        assert subscriptions.parked_events("settlement", establishment=house.id) == []
        assert lots(house, other) == {}
        held = money.balances(establishment=house.id, kinds=[Kind.HELD])
        assert [account.name.partition("/")[0] for account, left in held.items() if left] == [
            str(forged_one)
        ]

    def test_e2_a_stop_at_that_very_moment_is_not_missed(self, house: House) -> None:
        """Settlement has decided to pay, and the stop comes before it is appended."""
        game, last = pool_won(house)
        versions = StreamVersions(house.id, settlement.touches(last))
        paying = settlement.handle(last, versions)
        self.stop(house)

        with pytest.raises(journal.StreamMoved) as moved:
            journal.append(establishment=house.id, entries=paying)

        assert moved.value.stream == payout_holds.STREAM
        settled(house)
        assert lots(house, game) == {f"{last.stream_version}.0": (20, ["stopped"])}

    def test_e2_a_regrade_that_finds_differences_stops_its_house_alone(self, house: House) -> None:
        other = builders.house()
        for each in (house, other):
            pool_won(each)
            settled(each)
        forged(event_of(house, "settlement.booked"), lambda body: body["data"].update(payments=[]))

        for each in (house, other):
            run = runs.begin(house=each.establishment, period=Period(), now=NOW)
            while running.advance(runs.REGRADE, each.id, run.id, seconds=1):
                pass

        assert Regrade.objects.get(establishment=house.establishment).state == "differs"
        assert payout_holds.stop_now(house.id) is not None
        assert payout_holds.stop_now(other.id) is None
        assert list(payout_holds.houses()) == [house.establishment]


class TestPlanted:
    """E4: a regrade finds what was held, or paid, against the rules."""

    @pytest.fixture
    def held(self, house: House) -> uuid.UUID:
        house.establishment.large_prize = 15
        house.establishment.save()
        game, _ = pool_won(house)
        settled(house)
        assert differences(house) == []
        return game

    def kinds(self, house: House) -> set[tuple[str, str]]:
        return {(each["kind"], each["what"]) for each in differences(house)}

    @pytest.mark.long("postgresql")
    def test_a7_a_large_prize_booked_as_paid(self, house: House, held: uuid.UUID) -> None:
        def paid_at_once(body: dict[str, Any]) -> None:
            [transfer] = body["transfers"]
            transfer["credit"] = str(stake_of(house, held, "Bo"))
            del body["data"]["lots"]

        forged(event_of(house, "settlement.booked", 3), paid_at_once)

        assert ("booking", "altered") in self.kinds(house)

    @pytest.mark.long("postgresql")
    def test_a7_a_release_that_nobody_witnessed(self, house: House, held: uuid.UUID) -> None:
        payout = next(iter(lots(house, held)))
        done(house, held, "witness", by=house.supervisor, payout=payout)
        settled(house)
        assert differences(house) == []

        forged(
            event_of(house, "settlement.released"),
            lambda body: body["data"]["lots"][0].update(left=5),
        )

        assert ("booking", "altered") in self.kinds(house)

    @pytest.mark.long("postgresql")
    def test_a_payout_that_screens_call_paid(self, house: House, held: uuid.UUID) -> None:
        del held
        row = Payout.objects.get(state=Payout.State.HELD)
        by_hand(
            "UPDATE settlement_payout SET state = 'booked', held = 0"
            " WHERE position = %s AND seq = %s",
            [row.position, row.seq],
        )

        assert self.kinds(house) == {("payout", "altered")}
