"""
What people of a house do outside its games: one decision, one entry in the ledger.

A game's commands have `casino.play.core`; a fill, a count, an approval, a close of the day have
this. The same promises: an act that was answered gets the same answer again, a refusal is an
answer too, and what was decided rests on the versions it was decided on.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.dispatch import Signal

from casino.attendants import selves
from casino.establishments import gaming_day
from casino.pseudonyms import tokens
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment

SYSTEM = "system"
TRIES = 5  # how often an act is decided anew when what it rests on moved meanwhile

performed = Signal()
"""Sent after an act was appended, with `establishment` (UUID) and `position` of its last event."""
played = Signal()
"""Sent after a game was played on, with `establishment` (UUID): whoever follows it is woken."""


class WasRefused(Refused):
    """The answer this act got before, told again."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code  # type: ignore[misc]  # of this answer, not of the class


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """
    Who does what, from where and when.

    :param by: None where the program does it, as beat at the cut-off.
    :param request: what was asked, as JSON values: tells a repeated act from another under its id.
    """

    house: Establishment
    by: Attendant | None
    device: str
    now: datetime
    command_id: UUID
    request: Mapping[str, object]

    @property
    def actor(self) -> str:
        return str(self.by.pk) if self.by else SYSTEM

    @property
    def request_hash(self) -> bytes:
        """Keyed with the house's secret, so that it gives away no name and no amount."""
        content = json.dumps([self.actor, self.request], sort_keys=True, default=str)
        return hmac.digest(bytes(self.house.secret), content.encode(), "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """
    What an act comes to: events, the versions it rests on, and the money that moves with it.

    Every stream that is appended to stands in `guards`; a transfer names its event by index.
    """

    guards: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[journal.NewEvent] = ()
    transfers: Sequence[journal.NewTransfer] = ()
    balances: Mapping[journal.AccountRef, int] = field(default_factory=dict)
    """What accounts hold that the act rests on; where money moved meanwhile it is decided anew."""


def perform(
    act: Act, decide: Callable[[], Done], *, causation_id: UUID | None = None
) -> journal.Receipt:
    """
    Decide an act and append what it comes to, or give the answer it got before.

    :param decide: pure but for reading; called again when a stream it guards has moved.
    :raises Refused: what `decide` raised; on record, so that the same act is refused again.
    :raises CommandReused: if the command id was used for something else.
    :raises StreamMoved: if the house moves faster than the act can be decided.
    """
    known = journal.answered(
        establishment=act.house.pk, command_id=act.command_id, request_hash=act.request_hash
    )
    receipt = known or _decided(act, decide, causation_id)
    if receipt.refusal is not None:
        sentence = tokens.resolve(act.house.pk, receipt.refusal.detail)
        raise WasRefused(receipt.refusal.code, sentence)
    if known is None and receipt.last_position is not None:
        performed.send(Act, establishment=act.house.pk, position=receipt.last_position)
    return receipt


def events_of(establishment: UUID, receipt: journal.Receipt) -> list[journal.StoredEvent]:
    """The events that an act brought about, the same ones however often it is asked."""
    first, last = receipt.first_position, receipt.last_position
    if first is None or last is None:
        return []
    return journal.read(establishment=establishment, after=first - 1, limit=last - first + 1)


def _decided(act: Act, decide: Callable[[], Done], causation_id: UUID | None) -> journal.Receipt:
    tries = TRIES
    while True:
        try:
            done = decide()
            selves.apart(act.house.pk, done.events)
        except Refused as refused:
            answer = _append(act, _refused(act, refused))
            if answer.repeated:  # the same act, sent twice at once: what the other came to stands
                return answer
            raise
        try:
            return _append(act, _entry(act, done, causation_id))
        except journal.StreamMoved as moved:
            gaming_day.moved(act.house.pk, moved)
            tries -= 1
            if not tries:
                raise


def _entry(act: Act, done: Done, causation_id: UUID | None) -> journal.Entry:
    today = gaming_day.enter(act.house, act.now)
    return journal.Entry(
        provenance=_provenance(act, causation_id, today.day),
        request_hash=act.request_hash,
        guards={**today.guards, **done.guards},
        events=tuple(done.events),
        transfers=tuple(done.transfers),
        balances=done.balances,
    )


def _refused(act: Act, refused: Refused) -> journal.Entry:
    """Kept beside the ledger: the sentence may quote names and words."""
    detail = tokens.keep(act.house.pk, str(refused))
    return journal.Entry(
        provenance=_provenance(act, None, gaming_day.gaming_day(act.house, act.now)),
        request_hash=act.request_hash,
        refusal=journal.Refusal(code=refused.code, detail=detail),
    )


def _append(act: Act, entry: journal.Entry) -> journal.Receipt:
    (receipt,) = journal.append(establishment=act.house.pk, entries=[entry])
    return receipt


def _provenance(act: Act, causation_id: UUID | None, day: date) -> journal.Provenance:
    return journal.Provenance(
        command_id=act.command_id,
        actor=act.actor,
        device=act.device,
        correlation_id=act.command_id,
        causation_id=causation_id,
        occurred_at=act.now,
        recorded_at=act.now,
        gaming_day=day,
    )
