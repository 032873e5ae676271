"""A2: a pot falls only by being won, rolled over, or by its fee; anything else is refused."""

from uuid import uuid4

import pytest
from django.db import DatabaseError

from ledger import journal, money
from ledger.accounts import POT_FALLS_TO, AccountRef, Kind
from ledger.journal import PotFalls
from tests.ledger.building import ANNA, CAGE, HOUSE, POT, appended, transfer
from tests.ledger.forbidden import COLUMNS, ON_POSTGRESQL, execute

pytestmark = pytest.mark.django_db

PUT_IN = 25
ALLOWED = sorted(POT_FALLS_TO)
FORBIDDEN = sorted(set(Kind) - POT_FALLS_TO)


@pytest.fixture(autouse=True)
def _staked() -> None:
    appended("game/1", transfer(CAGE, ANNA, PUT_IN), transfer(ANNA, POT, PUT_IN))


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a2_append_refuses_it_whole(kind: Kind) -> None:
    elsewhere = AccountRef(kind, "x")

    with pytest.raises(PotFalls) as refused:
        appended("game/1", transfer(POT, ANNA, 5), transfer(POT, elsewhere, 5), version=1)

    assert (refused.value.code, refused.value.credit) == ("pot_falls", elsewhere)
    assert journal.head(establishment=HOUSE) == 0
    assert money.balance(POT, establishment=HOUSE) == PUT_IN


@pytest.mark.parametrize("kind", ALLOWED)
def test_a2_what_the_rules_know_is_booked(kind: Kind) -> None:
    appended("game/1", transfer(POT, AccountRef(kind, "x"), 5), version=1)

    assert money.balance(POT, establishment=HOUSE) == PUT_IN - 5


def test_a2_what_was_put_in_is_handed_back_by_a_reversal() -> None:
    staked = transfer(ANNA, POT, 5)
    appended("game/2", transfer(CAGE, ANNA, 5), staked)

    appended("game/2", transfer(POT, ANNA, 5, reverses=staked.transfer_id), version=1)

    assert money.balance(POT, establishment=HOUSE) == PUT_IN


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a2_nor_does_a_row_by_hand_get_in(kind: Kind) -> None:
    with pytest.raises(DatabaseError, match="ledger_transfer_pot_falls"):
        by_hand(POT, AccountRef(kind, "x"))

    assert money.balance(POT, establishment=HOUSE) == PUT_IN


@pytest.mark.parametrize("kind", ALLOWED)
def test_a2_a_row_by_hand_that_the_rules_know_would_get_in(kind: Kind) -> None:
    """So that what is refused above is where the coins go, and nothing else."""
    by_hand(POT, AccountRef(kind, "x"))

    assert money.balance(POT, establishment=HOUSE) == PUT_IN - 5


def by_hand(debit: AccountRef, credit: AccountRef) -> None:
    new, house = (it if ON_POSTGRESQL else it.hex for it in (uuid4(), HOUSE))
    row = [new, house, 0, 9, debit.kind, debit.name, credit.kind, credit.name, 5, "by hand", None]
    columns = COLUMNS["ledger_transfer"]
    places = ", ".join(["%s"] * len(row))
    execute(f"INSERT INTO ledger_transfer ({columns}) VALUES ({places})", row)  # noqa: S608
