"""
What was paid wrongly and is beyond a void (G4), set right by two people (A2, C1).

Nothing is edited: an adjustment is money that moves now, and says which game, round or payout it
sets right. What a player is to get lies ready for them at the cage, as prizes do; the rules of a
game know nothing of it, so it never goes into a stake. What a player is to give is taken from what
is held of the payout, then from their stake in the game; the rest they owe the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.approvals import kinds
from casino.approvals import operations as approvals
from casino.attendants import permissions
from casino.game_streams.loading import GameKey, Loaded, load
from casino.operations import acts
from casino.operations.accounts import PayoutPlace
from casino.settlement import entries as settlement_entries
from casino.settlement import settled
from games.messages import Disputed
from games.payments import COINS_MAX, HOUSE
from games.refusals import NotSettledYet, Refused
from ledger import journal
from ledger.subscriptions import StreamVersions

if TYPE_CHECKING:
    from datetime import datetime

    from casino.approvals.requests import Request
    from casino.attendants.models import Attendant

KIND: Final = "adjustment"
MADE: Final = "adjustment.made"


class AdjustmentAmount(Refused):
    code = "adjustment_amount"


class AdjustmentParties(Refused):
    code = "adjustment_parties"


class NothingCited(Refused):
    code = "nothing_cited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """
    What is to be set right.

    :param giver: a player's token, or `HOUSE`; `taker` likewise.
    :param round_no: what it sets right; `payout`: more exactly. At least one of them.
    :param dispute: the dispute that led to it, if one did.
    """

    game: UUID
    giver: str
    taker: str
    amount: int
    round_no: int | None = None
    payout: PayoutPlace | None = None
    dispute: int | None = None

    def told(self) -> dict[str, Any]:
        return {
            "game": str(self.game),
            "from": self.giver,
            "to": self.taker,
            "round": self.round_no,
            "payout": None if self.payout is None else str(self.payout),
            "dispute": self.dispute,
        }

    @classmethod
    def of(cls, request: Request) -> Self:
        told = request.subject
        return cls(
            game=UUID(told["game"]),
            giver=told["from"],
            taker=told["to"],
            amount=request.amount or 0,
            round_no=told["round"],
            payout=None if told["payout"] is None else PayoutPlace.parse(told["payout"]),
            dispute=told["dispute"],
        )


def ask(act: acts.Act, adjustment: Adjustment, *, reason: str) -> journal.Receipt:
    """
    Ask for an adjustment; a second person, who gets nothing of it, approves it.

    :raises NotYours: if the person may not record.
    :raises NoGame: if the house has no such game.
    :raises Refused: `AdjustmentAmount`, `AdjustmentParties`, `NothingCited`; `ReasonMissing`.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "record", act.house)
    judged(load(GameKey(act.house.pk, adjustment.game)), adjustment)
    return approvals.ask(
        act,
        kind=KIND,
        subject=adjustment.told(),
        amount=adjustment.amount,
        reason=reason,
        players=[adjustment.taker] if adjustment.taker != HOUSE else (),
    )


def judged(loaded: Loaded, adjustment: Adjustment) -> int:
    """
    The last event of the game that the adjustment sets right: no void goes back across it.

    :raises AdjustmentAmount: if it is no amount.
    :raises AdjustmentParties: if it moves nothing between a player of the game and somebody else.
    :raises NothingCited: if it names no round or payout that there was.
    """
    if not 0 < adjustment.amount <= COINS_MAX:
        raise AdjustmentAmount("An adjustment is one coin or more, in whole coins. C1")
    parties = {adjustment.giver, adjustment.taker}
    if len(parties) == 1 or not parties <= {HOUSE, *loaded.stakes}:
        raise AdjustmentParties(
            "An adjustment is from a player of this game to another or to the house, or the other"
            " way round. C1"
        )
    return cited(loaded, adjustment)


def cited(loaded: Loaded, adjustment: Adjustment) -> int:
    """:raises NothingCited: if there is no such round, payout or dispute."""
    record, payout = settlement_entries.record(loaded), adjustment.payout
    disputes = {fact.dispute for fact in loaded.facts if isinstance(fact, Disputed)}
    if adjustment.dispute is not None and adjustment.dispute not in disputes:
        raise NothingCited("dispute: there is none of this number in this game. C3")
    numbers = [
        number
        for number, fact in loaded.live
        if (
            record.round_at(number) == adjustment.round_no
            if payout is None
            else number == payout.cause and payout.seq < len(fact.payments)
        )
    ]
    if not numbers:
        raise NothingCited("Say which round or payout of this game it sets right. C1")
    return max(numbers)


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    The money, with the approval: an event beside the bookings of the game, and one by itself.

    :raises NotSettledYet: if settlement is behind: what lies where is not known before.
    """
    del by, now
    adjustment = Adjustment.of(request)
    key = GameKey(request.house.pk, adjustment.game)
    loaded = load(key)
    through = judged(loaded, adjustment)
    if settled.settled_through(loaded) < loaded.version:
        raise NotSettledYet("What was played is not booked yet: approve it again in a moment. C1")
    own = settled.adjustments_stream(key)
    versions = StreamVersions(key.establishment, [key.settlement, own])
    mine = settlement_entries.held_funds(loaded, loaded.version, versions)
    told = adjustment.told()
    mine.adjust(
        adjustment.giver,
        adjustment.taker,
        adjustment.amount,
        adjustment.payout,
        settlement_entries.record(loaded).adjusts(told, loaded.version),
    )
    settlement_entries.note_withheld(key, mine, always=adjustment.giver != HOUSE)
    lots = mine.as_rows()
    data = {**told, "amount": adjustment.amount, "reason": request.reason}
    booked = {"cause": None, "because": str(request.id), **data} | ({"lots": lots} if lots else {})
    last = max(through, settled.adjusted_through(key))
    return acts.Done(
        guards={
            key.stream: loaded.version,
            key.settlement: versions[key.settlement],
            own: versions[own],
        },
        events=[
            journal.NewEvent(
                stream=key.settlement,
                event_type=settled.ADJUSTED,
                schema_version=1,
                data=booked,
            ),
            journal.NewEvent(
                stream=own,
                event_type=MADE,
                schema_version=1,
                data={**data, "request": str(request.id), "through": last},
            ),
        ],
        transfers=list(settlement_entries.as_transfers(mine.moves)),
    )


def tells(request: Request) -> str:
    """What will happen, for whoever decides; with players' tokens."""
    told = request.subject
    return _("%(amount)s from %(giver)s to %(taker)s, to set right %(what)s of the game.") % {
        "amount": request.amount,
        "giver": called(told["from"]),
        "taker": called(told["to"]),
        "what": _("payout %(payout)s") % {"payout": told["payout"]}
        if told["payout"]
        else _("round %(round)s") % {"round": told["round"]},
    }


def called(party: str) -> str:
    return _("the house") if party == HOUSE else party


def address(request: Request) -> str:
    return reverse("payouts-of-game", args=[request.subject["game"]])


def register() -> None:
    kinds.register(
        KIND,
        kinds.Kind(
            title=gettext_lazy("Adjustment"),
            act="approve",
            carry_out=carry_out,
            rows=True,
            tells=kinds.each(tells),
            address=address,
        ),
    )
