"""
Acts of people outside games: each is one decision and one entry in the ledger.

Fills, counts, approvals and closing a day are acts; commands to games go through
`casino.play.core.core`. Both give the same guarantees: an act that was answered before gets the
same answer again, a refusal is an answer too, and a decision is appended only if the streams that
it depends on have not moved.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from casino.engine.processes.signals import answered, performed
from casino.house.attendants import selves
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment

SYSTEM = "system"
TRIES = 5  # how often an act is decided at most, if streams that it depends on move meanwhile


class WasRefused(Refused):
    """A refusal read from the ledger, for example because the same act was refused before."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code  # type: ignore[misc]  # of this answer, not of the class


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """
    An act: who does what, from which device, and when.

    :param by: None if the program does it, such as Celery beat at the cut-off, or a guest.
    :param guest: the player who does it for themselves, on the guests' page.
    :param request: what was asked, as JSON values; distinguishes a repeated act from another act
        with the same id.
    """

    house: Establishment
    by: Attendant | None
    device: str
    now: datetime
    command_id: UUID
    request: Mapping[str, object]
    guest: str = ""

    @property
    def actor(self) -> str:
        return str(self.by.pk) if self.by else self.guest or SYSTEM

    @property
    def request_hash(self) -> bytes:
        """A hash of the request, keyed with the house's secret, so it reveals no name or amount."""
        content = json.dumps([self.actor, self.request], sort_keys=True, default=str)
        return hmac.digest(bytes(self.house.secret), content.encode(), "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """
    The result of deciding an act: its events, its guards, and the money that moves.

    `guards` has every stream that is appended to; a transfer refers to its event by index.
    """

    guards: Mapping[str, int] = field(default_factory=dict)
    events: Sequence[journal.NewEvent] = ()
    transfers: Sequence[journal.NewTransfer] = ()
    balances: Mapping[journal.AccountRef, int] = field(default_factory=dict)
    """Balances that the decision depends on; if one has changed, the act is decided again."""


def perform(
    act: Act, decide: Callable[[], Done], *, causation_id: UUID | None = None
) -> journal.Receipt:
    """
    Decide an act and append its result, or give the answer that it got before.

    :param decide: only reads; called again if a guarded stream has moved.
    :raises Refused: what `decide` raised; it is recorded, so that the same act is refused again.
    :raises CommandReused: if the command id was used for something else.
    :raises StreamMoved: if the house moves faster than the act can be decided.
    """
    known = journal.recorded_answer(
        establishment=act.house.pk, command_id=act.command_id, request_hash=act.request_hash
    )
    receipt = known or _decide(act, decide, causation_id)
    answered.send(
        Act,
        kind=str(act.request.get("do", "other")),
        refused=receipt.refusal is not None,
        repeated=known is not None,
    )
    if receipt.refusal is not None:
        sentence = tokens.resolve(act.house.pk, receipt.refusal.detail)
        raise WasRefused(receipt.refusal.code, sentence)
    if known is None and receipt.last_position is not None:
        performed.send(Act, establishment=act.house.pk, position=receipt.last_position)
    return receipt


def events_of(establishment: UUID, receipt: journal.Receipt) -> list[journal.StoredEvent]:
    """The events that an act appended; the same for a repeated act."""
    first, last = receipt.first_position, receipt.last_position
    if first is None or last is None:
        return []
    return journal.read(establishment=establishment, after=first - 1, limit=last - first + 1)


def _decide(act: Act, decide: Callable[[], Done], causation_id: UUID | None) -> journal.Receipt:
    tries = TRIES
    while True:
        try:
            done = decide()
            selves.check_other_person(act.house.pk, done.events)
        except Refused as refused:
            answer = _append(act, _entry_of_refusal(act, refused))
            if answer.repeated:  # the act was sent twice at once: the other answer counts
                return answer
            raise
        try:
            return _append(act, _entry(act, done, causation_id))
        except journal.StreamMoved as moved:
            gaming_day.forget_state(act.house.pk, moved)
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


def _entry_of_refusal(act: Act, refused: Refused) -> journal.Entry:
    """
    The entry of a refusal.

    Its sentence is kept outside the ledger, because it may quote names and words of people.
    """
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
