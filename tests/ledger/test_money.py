"""Transfers, balances, reversal."""

from collections.abc import Sequence
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import journal, money
from ledger.accounts import POT_FALLS_TO, AccountRef, Kind
from ledger.journal import Malformed, NewTransfer, NotReversible, NotWhole, Overdrawn
from ledger.models import Transfer
from tests.forms import how_often
from tests.ledger.building import (
    ANNA,
    BANK,
    BERT,
    CAGE,
    HOUSE,
    OTHER_HOUSE,
    POT,
    appended,
    entry,
    event,
    transfer,
)

pytestmark = pytest.mark.django_db


def held(*accounts: AccountRef) -> list[int]:
    return [money.balance(account, establishment=HOUSE) for account in accounts]


def test_a_buy_in_makes_cash_and_stake_more() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))

    assert held(CAGE, ANNA, BERT) == [25, 25, 0]
    assert money.balances(establishment=HOUSE, kinds=[Kind.STAKE]) == {ANNA: 25}
    assert money.balances(establishment=HOUSE, accounts=[CAGE]) == {CAGE: 25}
    assert money.balances(establishment=HOUSE) == {ANNA: 25, CAGE: 25}
    assert money.balances(establishment=OTHER_HOUSE) == {}


def test_what_comes_in_first_may_go_out_next() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25), transfer(ANNA, POT, 25), transfer(POT, BERT, 25))

    assert held(CAGE, ANNA, POT, BERT) == [25, 0, 0, 25]


def test_transfers_keep_the_order_of_their_events() -> None:
    # Given last, but of the first event: it comes in before the other goes out.
    put = entry(
        {"game/1": 0},
        [event(), event()],
        [transfer(ANNA, POT, 25, at=1), transfer(CAGE, ANNA, 25, at=0)],
    )
    journal.append(establishment=HOUSE, entries=[put])

    assert list(Transfer.objects.order_by("position", "seq").values_list("position", "reason")) == [
        (0, "test"),
        (1, "test"),
    ]
    assert held(ANNA, POT) == [0, 25]


def test_an_overdrawn_account_is_named() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))

    with pytest.raises(Overdrawn) as overdrawn:
        appended("game/1", transfer(ANNA, POT, 20), transfer(ANNA, POT, 6), version=1)

    it = overdrawn.value
    assert (it.account, it.available, it.amount) == (ANNA, 5, 6)
    assert held(ANNA, POT) == [25, 0]
    assert journal.head(establishment=HOUSE) == 0


def test_what_comes_in_later_does_not_cover_what_goes_out_now() -> None:
    with pytest.raises(Overdrawn, match="stake:anna holds 0"):
        appended("game/1", transfer(ANNA, POT, 5), transfer(CAGE, ANNA, 5))


@pytest.mark.parametrize("kind", sorted(money.PLAYERS_MONEY))
def test_players_money_never_falls_below_zero(kind: Kind) -> None:
    with pytest.raises(Overdrawn):
        appended("game/1", transfer(AccountRef(kind, "x"), ANNA, 1))


@pytest.mark.parametrize("kind", sorted(set(Kind) - money.PLAYERS_MONEY))
def test_cash_and_the_houses_own_may(kind: Kind) -> None:
    appended("game/1", transfer(AccountRef(kind, "x"), ANNA, 1))

    assert held(ANNA) == [1]


@pytest.mark.parametrize("amount", [0, -1, 2**53, True, 1.0])
def test_an_amount_is_whole_and_above_zero(amount: int) -> None:
    with pytest.raises(NotWhole):
        entry({"game/1": 0}, [event()], [transfer(CAGE, ANNA, amount)])


def test_a_transfer_has_two_accounts_and_an_event() -> None:
    with pytest.raises(Malformed):
        entry({"game/1": 0}, [event()], [transfer(CAGE, CAGE, 1)])
    with pytest.raises(Malformed):
        entry({"game/1": 0}, [event()], [transfer(CAGE, ANNA, 1, at=1)])


def test_a_transfer_is_reversed_once() -> None:
    paid = transfer(CAGE, ANNA, 25)
    appended("game/1", paid)
    appended("game/1", transfer(ANNA, CAGE, 25, reverses=paid.transfer_id), version=1)

    # What is reversed stays on record, with what reverses it.
    assert held(CAGE, ANNA) == [0, 0]
    assert Transfer.objects.count() == 2
    with pytest.raises(NotReversible) as twice:
        appended("game/1", transfer(ANNA, CAGE, 25, reverses=paid.transfer_id), version=2)
    assert twice.value.transfer_id == paid.transfer_id


def test_a_transfer_is_reversed_once_within_one_append() -> None:
    paid = transfer(CAGE, ANNA, 25)
    back = [transfer(ANNA, CAGE, 25, reverses=paid.transfer_id) for _ in range(2)]

    with pytest.raises(NotReversible):
        appended("game/1", transfer(CAGE, ANNA, 25), paid, *back)


# fmt: off
NOT_MIRRORED = [
    (ANNA, CAGE, 24),  # another amount
    (CAGE, ANNA, 25),  # the same way round
    (ANNA, BANK, 25),  # another account
]
# fmt: on


@pytest.mark.parametrize(("debit", "credit", "amount"), NOT_MIRRORED)
def test_a_reversal_mirrors_its_transfer(
    debit: AccountRef, credit: AccountRef, amount: int
) -> None:
    paid = transfer(CAGE, ANNA, 25)
    appended("game/1", paid)

    with pytest.raises(NotReversible):
        appended("game/1", transfer(debit, credit, amount, reverses=paid.transfer_id), version=1)


def test_another_house_reverses_nothing_here() -> None:
    paid = transfer(CAGE, ANNA, 25)
    appended("game/1", paid)
    appended("game/1", transfer(CAGE, ANNA, 25), establishment=OTHER_HOUSE)
    back = transfer(ANNA, CAGE, 25, reverses=paid.transfer_id)

    with pytest.raises(NotReversible):
        appended("game/1", back, version=1, establishment=OTHER_HOUSE)


ACCOUNTS = [CAGE, BANK, ANNA, BERT, POT, AccountRef(Kind.FEES, "house")]


def falls(debit: AccountRef, credit: AccountRef) -> bool:
    """A2: what else leaves a pot is refused, and tried in test_pot_falls.py."""
    return debit != POT or credit.kind in POT_FALLS_TO


moves = st.lists(
    st.builds(
        lambda pair, amount: transfer(pair[0], pair[1], amount),
        st.permutations(ACCOUNTS).filter(lambda pair: falls(*pair[:2])),
        st.integers(1, 30),
    ),
    min_size=1,
    max_size=4,
)


def played(history: Sequence[Sequence[NewTransfer]]) -> dict[AccountRef, int]:
    """The balances as plain arithmetic has them: what would overdraw is not done at all."""
    balances = dict.fromkeys(ACCOUNTS, 0)
    for booked in history:
        tried = dict(balances)
        for it in booked:
            tried[it.debit] += it.amount if it.debit.kind in money.CASH else -it.amount
            tried[it.credit] -= it.amount if it.credit.kind in money.CASH else -it.amount
            if it.debit.kind in money.PLAYERS_MONEY and tried[it.debit] < 0:
                break
        else:
            balances = tried
    return balances


@settings(
    max_examples=how_often(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(moves, max_size=8))
def test_balances_are_the_fold_of_transfers_and_players_money_is_never_below_zero(
    history: list[list[NewTransfer]],
) -> None:
    house, version = uuid4(), 0
    for booked in history:
        fresh = [transfer(it.debit, it.credit, it.amount) for it in booked]
        try:
            appended("game/1", *fresh, version=version, establishment=house)
        except Overdrawn:
            continue
        version += 1

    found = money.balances(establishment=house)
    folded = money.fold_balances(establishment=house)
    assert money.differences(establishment=house) == {}
    assert {account: found.get(account, 0) for account in ACCOUNTS} == played(history)
    assert all(held >= 0 for it, held in found.items() if it.kind in money.PLAYERS_MONEY)
    assert sum(it.debits for it in folded.values()) == sum(it.credits for it in folded.values())
