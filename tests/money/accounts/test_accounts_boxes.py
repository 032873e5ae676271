"""What lies in boxes at the tables: fees, counted by two people, and tips (A5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from casino.money.cash import fees, tips
from casino.money.cash.counting import BeingBooked, SameCounter
from casino.money.cash.models import FeeDay, Tip
from ledger import journal, money
from tests.support import builders
from tests.support.cashier import box_counted, close_games, fee_taken
from tests.support.cashing import CAGE, FEES, act, box_of, over_short_of
from tests.support.playing import balances, done, float_of, opened, round_played, settled, state

if TYPE_CHECKING:
    from ledger.accounts import AccountRef
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house()


class TestFeeBoxes:
    """A5: fees lie in a box, counted by two people each gaming day."""

    def test_a_booked_fee_lies_in_the_tables_box(self, house: House) -> None:
        fee_taken(house)

        held = balances(house)
        assert (held[box_of(house)], held[FEES]) == (6, 6)
        assert held[float_of(house.table)] == 34  # 40 bought in, 6 moved into the box

    def test_a_void_moves_it_back(self, house: House) -> None:
        game = fee_taken(house)
        done(house, game, "void", back_to=2, reason="Misheard.")
        [request] = [each["request"] for each in state(house, game)["requests"]] or [None]
        if request is not None:
            done(house, game, "approve", by=house.supervisor, request=request)
        settled(house)

        held = balances(house)
        assert box_of(house) not in held
        assert held[float_of(house.table)] == 40
        [day] = FeeDay.objects.filter(establishment=house.establishment)
        assert day.taken == 0

    def test_two_count_it_and_it_goes_to_the_cage(self, house: House) -> None:
        fee_taken(house)

        box_counted(house, {"5": 1, "1": 1})

        held = balances(house)
        assert box_of(house) not in held
        assert (held[CAGE], held[FEES]) == (6, 6)
        [day] = FeeDay.objects.filter(establishment=house.establishment)
        assert (day.taken, day.expected, day.counted, day.over_short) == (6, 6, 6, 0)
        assert day.counts == 1

    @pytest.mark.parametrize(("sheet", "difference"), [({"5": 1}, -1), ({"5": 2}, 4), ({}, -6)])
    def test_a_difference_is_over_short_and_never_forced(
        self, house: House, sheet: dict[str, int], difference: int
    ) -> None:
        fee_taken(house)

        box_counted(house, sheet)

        held = balances(house)
        assert box_of(house) not in held
        assert held.get(CAGE, 0) == 6 + difference
        assert held[over_short_of(house)] == difference
        assert held[FEES] == 6  # what was earned stays earned

    @pytest.mark.long("postgresql")
    def test_one_person_does_not_count_twice(self, house: House) -> None:
        fee_taken(house)
        fees.count(act(house, house.attendant), table=house.table, sheet={"5": 1})

        with pytest.raises(SameCounter):
            fees.count(act(house, house.attendant), table=house.table, sheet={"5": 1})

    @pytest.mark.long("postgresql")
    def test_two_counts_that_differ_are_both_on_record_and_both_count_again(
        self, house: House
    ) -> None:
        fee_taken(house)
        fees.count(act(house, house.attendant), table=house.table, sheet={"5": 1})
        fees.count(act(house, house.supervisor), table=house.table, sheet={"1": 6})
        assert balances(house)[box_of(house)] == 6

        box_counted(house, {"1": 6})

        events = journal.stream(establishment=house.id, stream=fees.stream_of(house.table.pk))
        assert [each.event_type for each in events] == [
            "fees.count_entered",
            "fees.count_differed",
            "fees.count_entered",
            "fees.counted",
        ]
        assert [each["sheet"] for each in events[1].data["opened"]] == [{"5": 1}, {"1": 6}]

    def test_the_first_count_is_sealed(self, house: House) -> None:
        """Blind: what the first found stands nowhere in the ledger before the second is in."""
        fee_taken(house)
        fees.count(act(house, house.attendant), table=house.table, sheet={"5": 1})

        last = journal.last(establishment=house.id, stream=fees.stream_of(house.table.pk))
        assert last is not None
        assert set(last.data) == {"count", "attempt", "seal"}

    def test_a_fee_that_comes_between_is_not_overlooked(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The box moved while the second count was decided: it is decided again on what it has."""
        fee_taken(house)
        fees.count(act(house, house.attendant), table=house.table, sheet={"1": 6})
        real = money.balance
        came: list[int] = []

        def meanwhile(account: AccountRef, *, establishment: uuid.UUID) -> int:
            held = real(account, establishment=establishment)
            if account == box_of(house) and not came:
                came.append(held)
                fee_taken(house)
            return held

        close_games(house)
        monkeypatch.setattr(money, "balance", meanwhile)
        fees.count(act(house, house.supervisor), table=house.table, sheet={"1": 6})

        held = balances(house)
        assert held[over_short_of(house)] == -6
        assert held[CAGE] == 6

    def test_a_fee_that_is_not_booked_yet_does_not_make_the_box_seem_over(
        self, house: House
    ) -> None:
        """What lies in the box already is in the book a moment later: it is counted then."""
        game = opened(house, fee={"kind": "seat", "amount": 3})
        round_played(house, game)

        with pytest.raises(BeingBooked):
            fees.count(act(house, house.attendant), table=house.table, sheet={"1": 6})
        settled(house)
        box_counted(house, {"1": 6})

        assert over_short_of(house) not in balances(house)

    def test_boxes_that_are_not_counted_are_listed(self, house: House) -> None:
        assert fees.boxes_to_count(house.establishment) == []
        fee_taken(house)
        assert fees.boxes_to_count(house.establishment) == [(house.table, 6)]
        box_counted(house, {"1": 6})
        assert fees.boxes_to_count(house.establishment) == []


class TestTips:
    """P4: if the house allows them, recorded and kept apart."""

    @pytest.fixture
    def house(self) -> House:
        return builders.house(tips_allowed=True)

    def taken(self, house: House, amount: int) -> journal.Receipt:
        return tips.take(
            act(house, house.supervisor),
            table=house.table, attendant=house.attendant.pk, amount=amount,
        )  # fmt: skip

    def test_a_tip_lies_in_its_own_box_and_is_held_for_the_attendant(self, house: House) -> None:
        self.taken(house, 5)
        self.taken(house, 3)

        table, person = house.table.pk, house.attendant.pk
        assert balances(house) == {tips.box(table): 8, tips.account_of_tips(table, person): 8}
        assert tips.waiting(house.establishment) == [(table, person, 8)]

    def test_somebody_else_hands_them_over(self, house: House) -> None:
        self.taken(house, 5)

        tips.pay_out(act(house, house.supervisor), table=house.table, attendant=house.attendant.pk)

        assert balances(house) == {}
        assert list(
            Tip.objects.filter(establishment=house.establishment).values_list("amount", flat=True)
        ) == [-5, 5]

    def test_nobody_pays_themselves(self, house: House) -> None:
        self.taken(house, 5)

        with pytest.raises(tips.OwnTips):
            tips.pay_out(
                act(house, house.attendant), table=house.table, attendant=house.attendant.pk
            )

    def test_a_house_that_allows_none_takes_none(self) -> None:
        house = builders.house()

        with pytest.raises(tips.TipsNotAllowed):
            self.taken(house, 5)

    def test_tips_are_for_staff(self, house: House) -> None:
        with pytest.raises(tips.NotStaff):
            tips.take(
                act(house, house.attendant),
                table=house.table, attendant=uuid.uuid4(), amount=5,
            )  # fmt: skip
