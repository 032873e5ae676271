"""
What a house does with its cash outside its games: cage and bank, fee boxes, prizes, tips.

Builds what does not matter to a test; what matters stands in the test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import bank, fees, prizes
from casino.play.core import queries
from casino.play.settlement.models import PrizeRule
from ledger import journal
from tests.support.cashing import act
from tests.support.playing import done, opened, round_played, settled

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.builders import House

RAKE = {"kind": "rake", "percent": 10}


def approved(at: House, receipt: journal.Receipt, by: Attendant | None = None) -> journal.Receipt:
    """Whatever was asked for with it, approved by the supervisor."""
    request = requests.id_of(at.id, receipt.command_id)
    return approvals.decide(act(at, by or at.supervisor), request, approve=True)


def brought(at: House, amount: int, way: bank.Way = "capital") -> journal.Receipt:
    """Cash into the cage, or to the bank: asked by the attendant, approved by the supervisor."""
    request = bank.ask(act(at, at.attendant), way=way, amount=amount, reason="Friday.")
    return approved(at, request)


def box_counted(at: House, sheet: Mapping[str, int], table: Table | None = None) -> None:
    """Two people count a fee box and find the same."""
    for who in (at.attendant, at.supervisor):
        fees.count(act(at, who), table=table or at.table, sheet=sheet)


def fee_taken(at: House, **more: Any) -> uuid.UUID:
    """A game in which Ada pays 7 for a lost round, of which the house has a fee."""
    game = opened(at, fee={"kind": "seat", "amount": 3}, **more)
    round_played(at, game)
    settled(at)
    return game


def prize_won(at: House, amount: int, prize: str = "A bottle") -> int:
    """The position at which Bo's prize for a first point was issued."""
    PrizeRule.objects.create(
        establishment=at.establishment, kind="points", at=1, prize=prize, amount=amount
    )
    game = opened(at, options={"mode": "scoreboard"}, stake=0)
    round_played(at, game)
    settled(at)
    events = journal.stream(establishment=at.id, stream=f"settlement/{game}")
    [issued] = [each for each in events if each.event_type == "settlement.prize_issued"]
    return issued.position


def handed_out(at: House, position: int, by: Attendant | None = None) -> journal.Receipt:
    return prizes.hand_out(act(at, by or at.attendant), position=position)


def close_games(house: House) -> None:
    """Whatever runs at the first table ends."""
    game = queries.running_game(house.table)
    if game is not None:
        done(house, game, "close")
        settled(house)
