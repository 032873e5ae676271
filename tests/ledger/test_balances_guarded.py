"""Balances that an entry rests on: what was read must still be so when it is appended."""

import pytest

from ledger import journal, money
from ledger.accounts import AccountRef
from ledger.journal import BalanceMoved, StreamMoved
from tests.ledger.building import ANNA, BANK, CAGE, HOUSE, appended, entry, event, transfer

pytestmark = pytest.mark.django_db


def put(stream: str, balances: dict[AccountRef, int]) -> None:
    new_entry = entry({stream: 0}, [event(stream)], [transfer(CAGE, BANK, 5)], balances=balances)
    journal.append(establishment=HOUSE, entries=[new_entry])


@pytest.mark.parametrize(
    ("account", "held"), [(CAGE, 25), (ANNA, 25), (BANK, 0), (AccountRef.parse("float:a:b"), 0)]
)
def test_an_entry_goes_in_while_the_balance_is_what_was_read(
    account: AccountRef, held: int
) -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))

    put("count", {account: held})

    assert money.balance(CAGE, establishment=HOUSE) == 30


@pytest.mark.parametrize(("account", "thought", "holds"), [(CAGE, 24, 25), (ANNA, 26, 25)])
def test_money_that_moved_meanwhile_refuses_the_entry(
    account: AccountRef, thought: int, holds: int
) -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))

    with pytest.raises(BalanceMoved, match=f"{account} holds {holds}, not {thought}"):
        put("count", {account: thought})

    assert journal.versions(establishment=HOUSE, streams=["count"]) == {"count": 0}
    assert money.balance(BANK, establishment=HOUSE) == 0


def test_it_is_a_stream_that_moved_so_that_whoever_decides_decides_again() -> None:
    with pytest.raises(StreamMoved):
        put("count", {CAGE: 1})


def test_entries_of_one_append_see_what_the_ones_before_them_moved() -> None:
    first = entry({"a": 0}, [event("a")], [transfer(CAGE, BANK, 5)], balances={CAGE: 0})
    then = entry({"b": 0}, [event("b")], [transfer(CAGE, BANK, 5)], balances={CAGE: 5})

    journal.append(establishment=HOUSE, entries=[first, then])

    assert money.balance(CAGE, establishment=HOUSE) == 10
