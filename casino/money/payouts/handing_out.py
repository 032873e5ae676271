"""Hands out, at the cage, the money that an adjustment gave to a player (C1, P3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.house.acts import accounts, acts
from casino.house.custody import boxes
from casino.house.game_streams.loading import GameKey
from casino.money.cash import recording
from casino.money.cash.moving import cage_gives, move
from casino.money.payouts.adjustments import MADE
from casino.play.settlement import payout_holds, settled
from games.payments import HOUSE
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

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
    recording.person(act, "Somebody of the house pays it, by name. P3")
    key = GameKey(act.house.pk, game)
    stream = settled.adjustments_stream(key)

    def decide() -> acts.Done:
        events = _events(act.house, game)
        found = [each for each in adjustments_of(act.house, game) if each["number"] == number]
        if not found or not found[0]["waits"]:
            raise NothingToHandOut("Nothing of this adjustment waits for its player. P3")
        [one] = found
        seen = {**payout_holds.pays(act.house.pk), **recording.not_ones_own(act, one["to"])}
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
            transfers=move(boxes.cage(), owed, one["amount"], "adjustment_handed_out", 0),
            balances=held,
        )

    return acts.perform(act, decide)


def _events(house: Establishment, game: UUID) -> Sequence[StoredEvent]:
    stream = settled.adjustments_stream(GameKey(house.pk, game))
    return journal.stream(establishment=house.pk, stream=stream)
