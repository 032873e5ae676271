"""
What is counted out in the house's pieces is what the ledger has, in every game, for a day (G11).

The house counts euros in pieces of 1 € and more; its ledger counts cents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from casino.demo.acts import STAKES_BROUGHT, Row, Somebody, any_opening
from casino.house.acts import accounts
from casino.house.establishments.denominations import can_make
from ledger import money
from ledger.models import Transfer
from tests.forms import how_often
from tests.support import builders, cashier, cashing
from tests.support.playing import ask, done, nothing_parked, settled, state
from tests.support.random_player import GAMES, NAMES, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

EURO: Final = 100
PIECES: Final[list[dict[str, Any]]] = [
    {"value": euros * EURO, "name": ""} for euros in (1, 2, 5, 10, 50)
]
UNITS: Final = (EURO, EURO, 2 * EURO, 5 * EURO)
STEPS: Final = how_often(120, short=15)
EVENINGS: Final = how_often(4, short=1)
HELD_UP: Final = {"not_settled_yet", "payout_held", "void_waits"}  # by a second person or a dispute


@dataclass(frozen=True)
class WithCoins(Somebody):
    """Somebody who brings and bids whole points of the game, each of so many coins."""

    unit: int = EURO

    def little(self, row: Row) -> int:
        most = min((row["most"] - row["least"]) // self.unit, 2)
        return int(row["least"]) + self.chance.randint(0, most) * self.unit

    def does(self, row: Row) -> Row:
        """As anybody; but who takes coins takes all there are."""
        taken = {"amount": row["most"]} if row["do"] == "cash_out" else {}
        return {**super().does(row), **taken}

    def _amount(self, row: Row) -> int:
        return max(self.chance.choice(STAKES_BROUGHT) * self.unit, int(row.get("least", 0)))


class InEuros(RandomPlayer):
    """Opens games for whole points; a point is worth the smallest piece, or more."""

    def __init__(self, house: House, chance: Random, game: str) -> None:
        super().__init__(house, chance, [game])
        self.unit = chance.choice(UNITS)
        self.somebody = partial(WithCoins, unit=self.unit)

    def opening(self, kind: str) -> dict[str, Any]:
        raw, unit = any_opening(kind, NAMES, self.chance), self.unit
        if unit != EURO:
            raw["options"] = {**raw["options"], "unit": unit}
        for seat in raw["players"]:
            seat["stake"] *= unit
        if "price" in raw:
            raw["price"] *= unit
        if fee := raw.get("fee"):
            amounts = {name: fee[name] * unit for name in ("amount", "cap") if name in fee}
            raw["fee"] = {**fee, **amounts}
        return raw


def house_in_euros() -> House:
    house = cashing.house(
        cage=10_000 * EURO, tables=1, dice_sets=0, denominations=PIECES, undo_seconds=600,
        currency_code="EUR", currency="euro", currency_symbol="€", coin_digits=2,
        large_prize=10**9,
    )  # fmt: skip
    builders.dice_for_every_game(house.establishment, sets=1)
    return house


def sheet(amount: int) -> dict[str, int]:
    """The pieces that make an amount, or as much of it as they make."""
    counted = {}
    for value in sorted((each["value"] for each in PIECES), reverse=True):
        counted[str(value)], amount = divmod(amount, value)
    return {value: many for value, many in counted.items() if many}


def all_go_home(house: House, croupier: InEuros) -> None:
    """Whatever runs is closed, and everybody takes what they have."""
    for game in croupier.games:
        if state(house, game)["status"] != "closed":
            if state(house, game)["paused"]:
                done(house, game, "resume")
            done(house, game, "close")
        settled(house)
        for player, stake in state(house, game)["stakes"].items():
            if stake:
                refusal = ask(house, game, "cash_out", player=player, amount=stake).refusal
                assert refusal is None or refusal.code in HELD_UP
        settled(house)


def unmakeable(house: House) -> Iterator[tuple[str, int]]:
    """What changed hands and cannot be counted out: the reason of the transfer, and the amount."""
    for reason, amount in Transfer.objects.filter(establishment=house.id).values_list(
        "reason", "amount"
    ):
        if not can_make(PIECES, amount):
            yield reason, amount


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("game", GAMES)
def test_g11_what_is_counted_out_is_what_the_ledger_has(game: str, seed: int) -> None:
    house = house_in_euros()
    cashing.opened(house, sheet(2_000 * EURO))
    croupier = InEuros(house, Random(f"{game} {seed}"), game)  # noqa: S311 - dice of a test

    for step in range(STEPS):
        croupier.does_something()
        if step % 10 == 0:
            settled(house)
    all_go_home(house, croupier)

    assert nothing_parked(house)
    assert list(unmakeable(house)) == []
    box = money.balance(accounts.fee_box(str(house.table.pk)), establishment=house.id)
    if box:
        cashier.box_counted(house, sheet(box))
    cashing.both_count(house, sheet(cashing.float_held(house)), "close")
    assert cashing.over_short(house) == 0
