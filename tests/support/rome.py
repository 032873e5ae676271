"""
A house in Rome that counts in euros, where large amounts stand wherever an amount may stand.

No count is as long as its amounts, so that one without its spelling is found by its figures.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps

from casino.house.establishments.columns import AmountField
from casino.house.establishments.decimals import AMOUNTS
from casino.house.home_throws import house_rules
from casino.money.cash import bank, counting, prizes, slips, tips
from casino.play.settlement.models import PrizeRule
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Adding, Changing
from ledger import money
from ledger.models import Transfer
from tests.support import builders
from tests.support.cashier import brought, prize_won
from tests.support.cashing import act, approved, asked
from tests.support.playing import NOW, done, opened, round_played, settled, thrown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

PIECE: Final = 2_345_678
"""A chip of the house: sheets have some of them, and nothing else."""
LEAST: Final = 100_000
"""What is shorter may be a count, a position or a year."""
LIMITS: Final = {"stake_min": 1_111_117, "stake_max": 93_456_789}


def house() -> House:
    made = builders.house(
        tables=6, counts_floats=True, tips_allowed=True, large_prize=3_210_987,
        cash_threshold=6_543_217, coin_digits=2, currency="euro", currency_symbol="€",
        currency_code="EUR", locale="it-IT", time_zone="Europe/Rome", undo_seconds=0,
        denominations=[{"value": PIECE, "name": "gold"}, {"value": 1, "name": ""}],
    )  # fmt: skip
    builders.dice_for_every_game(made.establishment, sets=4)
    builders.on_record(made.establishment)
    _cash(made)
    _games(made)
    settled(made)
    _asked_for(made)
    _configured(made)
    settled(made)
    return made


def _cash(at: House) -> None:
    brought(at, 987_654_321)
    for table in at.tables:
        for person in (at.attendant, at.supervisor):
            counting.count(act(at, person), table=table, purpose="open", sheet={str(PIECE): 30})
    approved(at, asked(at, "fill", {str(PIECE): 3}))
    tips.take(act(at, at.supervisor), table=at.table, attendant=at.attendant.pk, amount=1_313_137)


def _games(at: House) -> None:
    """One of each kind; a prize that waits for a witness, and one that is disputed."""
    river = opened(at, table=at.tables[1], game="river", price=2_223_331, stake=9_876_543)
    done(at, river, "start_round")
    fee = {"kind": "seat", "amount": 1_234_561}
    stone = opened(at, table=at.tables[2], stake=8_765_439, fee=fee)
    round_played(at, stone)
    done(at, stone, "dispute", round=1, reason="Ada says it was a one.")
    away = {"ante": 3, "unit": 1_522_633}
    time = {"kind": "time", "amount": 100, "minutes": 30}
    lot = opened(
        at, table=at.tables[3], game="threes-away", stake=9_135_799, options=away, fee=time
    )
    thrown_at = [
        done(at, lot, "throw", player=player, dice=[face] * 5, keep=[face] * 5)[0].stream_version
        for player, face in (("Ada", 1), ("Bo", 2))
    ]
    done(at, lot, "void", back_to=thrown_at[0], reason="Misread.")
    ended = opened(at, table=at.tables[4], stake=5_432_187)
    for player in ("Ada", "Bo"):
        thrown(at, ended, player, (2, 2, 7))
    settled(at)
    position = prize_won(at, 4_321_987)
    prizes.ask_prize(act(at, at.attendant), position=position, reason="A large one.")


def _asked_for(at: House) -> None:
    """What waits for a second person, each of its kind."""
    bank.ask(act(at, at.attendant), way="to_bank", amount=1_357_913, reason="Sunday.")
    slips.ask(act(at, at.attendant), kind="credit", table=at.table, sheet={str(PIECE): 2},
              reason="Too many.")  # fmt: skip


def _configured(at: House) -> None:
    """A table's limits at once; then by two, with a prize, the house's own amounts and rules."""

    def put(*changes: Adding | Changing) -> None:
        configuration.put(act(at, at.manager), *changes, reason="As from today.")

    put(Changing(at.tables[5], LIMITS))
    drafted = house_rules.draft_rules(
        establishment=at.establishment, game="threes-away", effective_from=NOW, by=at.manager,
        now=NOW, options={"ante": 2, "unit": 2_839_457},
        fee={"kind": "rake", "percent": 5, "cap": 6_789_123},
    )  # fmt: skip
    put(Adding(drafted))
    at.establishment.refresh_from_db()
    put(Changing(at.establishment, {"two_configure": True}))
    at.establishment.refresh_from_db()
    put(Changing(at.table, {"stake_min": 1_222_229, "stake_max": 92_345_671}))
    put(Changing(at.establishment, {"large_prize": 3_456_781, "denominations": [
        {"value": 4_445_551, "name": "red"}, {"value": 1, "name": ""}]}))  # fmt: skip
    put(Adding(PrizeRule(
        id=uuid.uuid4(), establishment=at.establishment, kind="place", at=1, prize="Purse",
        amount=2_468_013)))  # fmt: skip


def amounts(at: House) -> set[str]:
    """The figures of every amount that is on record there, in the smallest coin."""
    found = {*_of_columns(at), *money.balances(establishment=at.id).values()}
    found |= set(Transfer.objects.filter(establishment=at.id).values_list("amount", flat=True))
    found |= {getattr(at.establishment, each) for each in AMOUNTS}
    found |= {PIECE, 4_445_551, 2_839_457, 6_789_123, 1_234_561, 3_456_781, 2_468_013, 2_223_331}
    found |= {*LIMITS.values(), 1_222_229, 92_345_671, 1_522_633}
    return {str(abs(each)) for each in found if each is not None and abs(each) >= LEAST}


def _of_columns(at: House) -> Iterator[Any]:
    for model in apps.get_models():
        names = [each.attname for each in model._meta.fields if isinstance(each, AmountField)]
        if names and hasattr(model, "establishment"):
            for row in model._default_manager.filter(establishment=at.id).values_list(*names):
                yield from row
