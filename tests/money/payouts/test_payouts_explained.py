"""Why a payout was made is said as soon as it is booked: also while its round runs on (A1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import time_machine
from django.urls import reverse

from casino.house.attendants.pseudonyms import tokens
from casino.money.payouts.explained import Explained
from casino.play.settlement.models import Payout
from casino.reports.registers.payouts import PayoutsAsOf
from ledger import journal
from tests.support import builders
from tests.support.playing import NOW, done, opened, settled, thrown

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from django.test import Client

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

LEFT = "Cyd left before the first throw; the price returns (G1)."
ZEROS = [
    f"{name} finished with zero, and everybody pays another ante (TA4)." for name in ("Ada", "Bo")
]
THREES = {"dice": [3] * 5, "keep": [3] * 5}


@pytest.fixture(autouse=True)
def tonight() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def house() -> House:
    made = builders.house()
    builders.dice_for_every_game(made.establishment, sets=1)
    return made


def somebody_left(house: House) -> uuid.UUID:
    """A round of River runs, and Cyd has the price back."""
    game = opened(house, game="river", players=["Ada", "Bo", "Cyd"], price=5)
    done(house, game, "start_round")
    done(house, game, "leave", player="Cyd")
    settled(house)
    return game


def two_zeros(house: House) -> uuid.UUID:
    """Cyd, who is to throw, has paid another ante twice: for Ada's zero, and for Bo's."""
    game = opened(house, game="threes-away", players=["Ada", "Bo", "Cyd"])
    for player in ("Ada", "Bo"):
        done(house, game, "throw", player=player, **THREES)
    settled(house)
    return game


def said(house: House, **which: object) -> list[str]:
    """Why these payouts were made, in order: as screens say it, and as reports do."""
    rows = list(Payout.objects.filter(establishment=house.id, **which).order_by("cause", "seq"))
    explained = Explained(house.establishment, rows)
    then = PayoutsAsOf(house.establishment, journal.head(establishment=house.id), rows)
    sentences: list[str] = tokens.resolve(house.id, [explained.why(row) for row in rows])
    assert sentences == tokens.resolve(house.id, [then.because(row) for row in rows])
    return sentences


@pytest.mark.long("postgresql")
def test_a_round_that_runs_on_says_why_it_has_paid(house: House, client: Client) -> None:
    game = somebody_left(house)
    client.force_login(house.manager)

    assert said(house, payer="pot") == [LEFT]
    for address in (reverse("payouts"), "/", reverse("floor-round", args=[game, 1])):
        assert LEFT in client.get(address).text


@pytest.mark.long("postgresql")
def test_of_payments_alike_each_has_its_own_reason(house: House) -> None:
    game = two_zeros(house)
    cyd = {"payer": tokens.player_tokens(house.id, ["Cyd"], new=False)["Cyd"], "rules": "TA4"}

    assert said(house, **cyd) == ZEROS
    done(house, game, "throw", player="Cyd", dice=[1] * 5, keep=[1] * 5)
    settled(house)
    assert said(house, **cyd) == ZEROS


def test_what_a_close_moves_is_explained_with_the_last_round(house: House) -> None:
    game = opened(house, stake=20, fee={"kind": "seat", "amount": 1})
    for player, dice in (("Ada", (2, 2, 7)), ("Bo", (2, 2, 4))):
        thrown(house, game, player, dice)
    done(house, game, "close")
    settled(house)

    assert all(said(house))
