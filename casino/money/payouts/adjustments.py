"""
Adjustments: two people correct what was paid wrongly and a void can no longer reach (G4, A2, C1).

Nothing is edited: an adjustment moves money now, and says which game, round or payout it corrects.
What a player is to get waits for them at the cage, as prizes do. The rules of a game do not know of
it, so it never goes into a stake. What a player is to give is taken from what is held of the
payout, then from their stake in the game; the rest they owe to the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts, acts, custody
from casino.house.acts.accounts import PayoutPlace
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants import permissions
from casino.house.home_throws import house_rules
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.money.cash import moving
from casino.money.cash.moving import cage_gives, move
from casino.play.settlement import entries as settlement_entries
from casino.play.settlement import payout_holds, settled
from casino.words.languages.amounts import money
from games.messages import Disputed
from games.payments import COINS_MAX, HOUSE
from games.refusals import NotSettledYet, Refused
from ledger import journal
from ledger.subscriptions import StreamVersions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent

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
    An adjustment that somebody asks for.

    :param giver: and `taker`: a player's token, or `HOUSE`.
    :param round_no: the round that it corrects. This or `payout` is required.
    :param payout: the payout that it corrects.
    :param dispute: the dispute that led to it, if any.
    """

    game: UUID
    giver: str
    taker: str
    amount: int
    round_no: int | None = None
    payout: PayoutPlace | None = None
    dispute: int | None = None

    def as_subject(self) -> dict[str, Any]:
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
        subject = request.subject
        return cls(
            game=UUID(subject["game"]),
            giver=subject["from"],
            taker=subject["to"],
            amount=request.amount or 0,
            round_no=subject["round"],
            payout=None if subject["payout"] is None else PayoutPlace.parse(subject["payout"]),
            dispute=subject["dispute"],
        )


def ask(act: acts.Act, adjustment: Adjustment, *, reason: str) -> journal.Receipt:
    """
    Ask for an adjustment; a second person, who gets none of the money, approves it.

    :raises NotYours: if the person may not record.
    :raises NoGame: if the house has no such game.
    :raises Refused: `AdjustmentAmount`, `AdjustmentParties`, `NothingCited`; `ReasonMissing`.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "record", act.house)
    loaded = load(GameKey(act.house.pk, adjustment.game))
    check_adjustment(loaded, adjustment)
    house_rules.check_adjusted(act.house, adjustment.amount, loaded.opening.data["options"])
    return approvals.ask(
        act,
        kind=KIND,
        subject=adjustment.as_subject(),
        amount=adjustment.amount,
        reason=reason,
        players=[adjustment.taker] if adjustment.taker != HOUSE else (),
    )


def check_adjustment(loaded: Loaded, adjustment: Adjustment) -> int:
    """
    Check an adjustment.

    :returns: the number of the last event that the adjustment corrects; later voids cannot cancel
        it.
    :raises AdjustmentAmount: if the amount is not valid.
    :raises AdjustmentParties: unless money moves between a player of the game and another player or
        the house.
    :raises NothingCited: if it names no round or payout of the game.
    """
    if not 0 < adjustment.amount <= COINS_MAX:
        raise AdjustmentAmount("An adjustment is one coin or more, in whole coins. C1")
    parties = {adjustment.giver, adjustment.taker}
    if len(parties) == 1 or not parties <= {HOUSE, *loaded.stakes}:
        raise AdjustmentParties(
            "An adjustment is from a player of this game to another or to the house, or the other"
            " way round. C1"
        )
    return last_event_corrected(loaded, adjustment)


def last_event_corrected(loaded: Loaded, adjustment: Adjustment) -> int:
    """
    The number of the last event that an adjustment corrects.

    :raises NothingCited: if there is no such round, payout or dispute.
    """
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
    Carry out an approved adjustment: two events and the transfers.

    One event goes to the game's settlement stream, one to its stream of adjustments.

    :raises NotSettledYet: if settlement is behind, because then it is not known where money lies.
    """
    del by, now
    adjustment = Adjustment.of(request)
    key = GameKey(request.house.pk, adjustment.game)
    loaded = load(key)
    through = check_adjustment(loaded, adjustment)
    if settled.last_event_handled(loaded) < loaded.version:
        raise NotSettledYet("What was played is not booked yet: approve it again in a moment. C1")
    own = settled.adjustments_stream(key)
    versions = StreamVersions(key.establishment, [key.settlement, own])
    mine = settlement_entries.funds_of_game(loaded, loaded.version, versions)
    subject = adjustment.as_subject()
    mine.adjust(
        adjustment.giver,
        adjustment.taker,
        adjustment.amount,
        adjustment.payout,
        settlement_entries.record(loaded).adjusts(subject, loaded.version),
    )
    settlement_entries.note_withheld(key, mine, always=adjustment.giver != HOUSE)
    lots = mine.as_rows()
    data = {**subject, "amount": adjustment.amount, "reason": request.reason}
    booked = {"cause": None, "because": str(request.id), **data} | ({"lots": lots} if lots else {})
    last = max(through, settled.last_event_adjusted(key))
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


def _check(request: Request) -> None:
    """:raises NothingCited: as `carry_out` does."""
    adjustment = Adjustment.of(request)
    check_adjustment(load(GameKey(request.house.pk, adjustment.game)), adjustment)


def tells(request: Request) -> str:
    """The sentence that tells whoever decides what will happen; it has players' tokens."""
    subject = request.subject
    return _("%(amount)s from %(giver)s to %(taker)s, to set right %(what)s of the game.") % {
        "amount": money(request.amount),
        "giver": name_party(subject["from"]),
        "taker": name_party(subject["to"]),
        "what": _("payout %(payout)s") % {"payout": subject["payout"]}
        if subject["payout"]
        else _("round %(round)s") % {"round": subject["round"]},
    }


def name_party(party: str) -> str:
    return _("the house") if party == HOUSE else party


def address(request: Request) -> str:
    return reverse("payouts-of-game", args=[request.subject["game"]])


REQUESTS: Final = {
    KIND: kinds.Kind(
        title=gettext_lazy("Adjustment"),
        act="approve",
        carry_out=carry_out,
        rows=True,
        tells=kinds.each(tells),
        refusals=kinds.each_refusal(_check),
        address=address,
    ),
}


# Hands out, at the cage, the money that an adjustment gave to a player (C1, P3).


PAID = "adjustment.paid"


class NothingToHandOut(Refused):
    code = "nothing_to_hand_out"


def adjustments_of(house: Establishment, game: UUID) -> list[Mapping[str, Any]]:
    """
    The adjustments of a game, oldest first: the data of their events and their state.

    `paid` is when the player was paid, or None; `waits` says whether the money waits for them.
    """
    events = _events(house, game)
    paid = {event.data["made"]: event for event in events if event.event_type == PAID}
    return [
        {
            **event.data,
            "at": event.provenance.recorded_at,
            "number": event.stream_version,
            "paid": paid[event.stream_version].provenance.recorded_at
            if event.stream_version in paid
            else None,
            "waits": event.data["to"] != HOUSE and event.stream_version not in paid,
        }
        for event in events
        if event.event_type == MADE
    ]


def hand_out(act: acts.Act, *, game: UUID, number: int) -> journal.Receipt:
    """
    Pay a player at the cage what an adjustment, agreed on by two people, gave them.

    :param number: number of the adjustment, as `adjustments_of` returns it.
    :raises NotYours: if the person may not record.
    :raises OwnPrize: if the person is that player.
    :raises Refused: `NothingToHandOut`, `PayoutsStopped`, `CageTooSmall`.
    """
    moving.person(act, "Somebody of the house pays it, by name. P3")
    key = GameKey(act.house.pk, game)
    stream = settled.adjustments_stream(key)

    def decide() -> acts.Done:
        events = _events(act.house, game)
        found = [each for each in adjustments_of(act.house, game) if each["number"] == number]
        if not found or not found[0]["waits"]:
            raise NothingToHandOut("Nothing of this adjustment waits for its player. P3")
        [one] = found
        seen = {**payout_holds.pays(act.house.pk), **moving.not_ones_own(act, one["to"])}
        held = cage_gives(act.house.pk, one["amount"], otherwise="bring money into it first. P3")
        data = {
            "made": number,
            "player": one["to"],
            "amount": one["amount"],
            "through": events[-1].data["through"],
        }
        owed = accounts.prizes_owed(one["to"])
        return acts.Done(
            guards={stream: len(events), **seen},
            events=[journal.NewEvent(stream=stream, event_type=PAID, schema_version=1, data=data)],
            transfers=move(custody.cage(), owed, one["amount"], "adjustment_handed_out", 0),
            balances=held,
        )

    return acts.perform(act, decide)


def _events(house: Establishment, game: UUID) -> Sequence[StoredEvent]:
    stream = settled.adjustments_stream(GameKey(house.pk, game))
    return journal.stream(establishment=house.pk, stream=stream)
