"""The queries about payouts: lists, what they wait for, and the history of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.accounts import PayoutPlace, stake
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.pseudonyms import tokens
from casino.play.settlement import settled
from casino.play.settlement.holding import DISPUTE, LARGE_PRIZE, STOPPED, VOID
from casino.play.settlement.models import Payout
from games.messages import (
    CashedOut,
    Disputed,
    Resolved,
    Voided,
    VoidRejected,
    VoidRequested,
    Witnessed,
)
from games.payments import RESERVED
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from games.messages import Fact
    from ledger.wire import StoredEvent

WAITS_FOR: dict[str, Any] = {
    LARGE_PRIZE: gettext_lazy("large prize: its witness"),
    DISPUTE: gettext_lazy("an open dispute"),
    STOPPED: gettext_lazy("payouts of the house, which are stopped"),
    VOID: gettext_lazy("a void that is asked for"),
}
TO_DO: dict[str, Any] = {
    LARGE_PRIZE: gettext_lazy("Somebody who may approve, and did not record it, witnesses it. A7"),
    DISPUTE: gettext_lazy(
        "Somebody who had no part in it resolves the dispute; what is to be adjusted then waits for"
        " its adjustment. C3"
    ),
    STOPPED: gettext_lazy("Two people resume the house's payouts. E2"),
    VOID: gettext_lazy("A second person approves or rejects the void. G4"),
}

PAYABLE: Final = frozenset({Payout.State.BOOKED, Payout.State.RELEASED})
"""The states of a payout that lies in its player's stake."""


@dataclass(frozen=True, slots=True)
class Step:
    """
    A step in the history of a payout.

    :param state: the state of the payout from then on.
    :param amount: the coins concerned, if that is not the whole payout.
    :param position: position of the event in the house's ledger.
    """

    at: datetime
    state: str
    sentence: str
    position: int
    amount: int | None = None


def payouts_of(establishment: UUID) -> QuerySet[Payout]:
    """The payments to players, newest first."""
    rows = Payout.objects.filter(establishment=establishment).exclude(payee__in=RESERVED)
    return rows.select_related("table").order_by("-position", "-seq")


def player_called(establishment: UUID, name: str) -> str | None:
    """The token of a player of the house, by name; None if there is no such player."""
    return tokens.player_tokens(establishment, [name], new=False).get(name)


def waiting(establishment: UUID) -> QuerySet[Payout]:
    """The held payouts, the oldest first."""
    return payouts_of(establishment).filter(state=Payout.State.HELD).order_by("position", "seq")


def count_held(establishment: UUID) -> int:
    """The number of held payouts."""
    return Payout.objects.filter(establishment=establishment, state=Payout.State.HELD).count()


def reasons(row: Payout) -> list[dict[str, Any]]:
    """What a payout waits for: kind, sentence, what to do, the number of a dispute or request."""
    found = []
    for each in row.waits_for:
        kind, _colon, number = each.partition(":")
        found.append(
            {
                "kind": kind,
                "says": str(WAITS_FOR[kind]),
                "to_do": str(TO_DO[kind]),
                "dispute": int(number) if kind == DISPUTE else None,
                "request": int(number) if kind == VOID else None,
            }
        )
    return found


def find(establishment: UUID, game: UUID, cause: int, seq: int) -> Payout | None:
    rows = Payout.objects.filter(establishment=establishment, game=game, cause=cause, seq=seq)
    return rows.select_related("table").first()


def history(row: Payout) -> list[Step]:
    """The history of a payout from the decision on, read from the ledger."""
    key = GameKey(row.establishment_id, row.game)
    loaded = load(key)
    place = PayoutPlace(row.cause, row.seq)
    steps = [_step_of_decision(loaded, place), *_steps_of_booking(key, loaded, place)]
    taken = _steps_of_cash_outs(loaded, row, place, steps)
    return _until_reversed(sorted([*steps, *taken], key=_position))


def _position(step: Step) -> int:
    return step.position


def _step_of_decision(loaded: Loaded, place: PayoutPlace) -> Step:
    event = loaded.events[place.cause - 1]
    at = event.provenance.recorded_at
    return Step(at, "decided", _("Decided by the rules."), event.position)


def _steps_of_booking(key: GameKey, loaded: Loaded, place: PayoutPlace) -> Iterator[Step]:
    is_held = False
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        at, data = event.provenance.recorded_at, event.data
        lot = next((each for each in data.get("lots", ()) if each["payout"] == str(place)), None)
        if event.event_type == settled.REVERSED and place.cause in data["reverses"]:
            yield Step(at, "reversed", _("Voided, and moved back."), event.position)
        elif event.event_type == settled.BOOKED and data["cause"] == place.cause and lot is None:
            yield Step(at, "booked", _("Booked."), event.position)
        elif lot is not None and (is_held or lot["left"]):  # what was taken away waits for nothing
            is_held = bool(lot["why"])
            yield _lot(event, loaded, place, lot)


def _lot(event: StoredEvent, loaded: Loaded, place: PayoutPlace, lot: Mapping[str, Any]) -> Step:
    """The step in which a payout was held or released, with the event that was the reason."""
    at = event.provenance.recorded_at
    if lot["why"]:
        words = [str(WAITS_FOR[each.partition(":")[0]]) for each in lot["why"]]
        sentence = _("Held; it waits for %(what)s.") % {"what": ", ".join(words)}
        return Step(
            at, "held", f"{_because(event, loaded, place)}{sentence}", event.position, lot["left"]
        )
    sentence = f"{_because(event, loaded, place)}{_('Released.')}"
    return Step(at, "released", sentence, event.position, lot["left"])


BECAUSE: dict[type[Fact], Any] = {
    Witnessed: gettext_lazy("Witnessed."),
    Disputed: gettext_lazy("Disputed."),
    VoidRequested: gettext_lazy("A void was asked for."),
    VoidRejected: gettext_lazy("The void was rejected."),
    Resolved: gettext_lazy("The dispute was resolved."),
    Voided: gettext_lazy("What the player lost since then was voided."),
}


def _because(event: StoredEvent, loaded: Loaded, place: PayoutPlace) -> str:
    """The sentence about the event that was the reason; "" for the payout's own booking."""
    cause = event.data["cause"]
    if event.event_type == settled.ADJUSTED:
        sentence: Any = _("Adjusted by two people.")
    elif cause is None:
        sentence = _("The house pays again.")
    elif cause == place.cause:
        return ""
    else:
        lost = _("The player lost some of it again.")
        sentence = BECAUSE.get(type(loaded.facts[cause - 1]), lost)
    return f"{sentence} "


def _steps_of_cash_outs(
    loaded: Loaded, row: Payout, place: PayoutPlace, steps: Sequence[Step]
) -> Iterator[Step]:
    """
    The steps "paid": cash-outs that emptied the player's stake while the payout lay in it.

    What is held lies in another account: a cash-out of the rest leaves it there.
    """
    paid: Step | None = None
    for number, fact in loaded.live:
        if number <= place.cause or not isinstance(fact, CashedOut) or fact.player != row.payee:
            continue
        event = loaded.events[number - 1]
        before = max((each for each in steps if each.position < event.position), key=_position)
        if before.state not in PAYABLE or before is paid:
            continue
        account = stake(row.game, row.payee)
        if not money.balance_at(account, event.position, establishment=row.establishment_id):
            paid = before
            at = event.provenance.recorded_at
            yield Step(at, "paid", _("The player took it away."), event.position)


def _until_reversed(steps: Iterable[Step]) -> list[Step]:
    kept = []
    for step in steps:
        kept.append(step)
        if step.state == "reversed":
            break
    return kept


def being_booked(loaded: Loaded) -> list[tuple[PayoutPlace, Any]]:
    """Payments to players that the rules have decided and settlement has not booked yet."""
    through = settled.last_event_handled(loaded)
    return [
        (PayoutPlace(number, seq), payment)
        for number, fact in loaded.live
        if number > through
        for seq, payment in enumerate(fact.payments)
        if payment.payee not in RESERVED
    ]


def address(row: Payout) -> str:
    """The address of the explanation of a payout; for a voided one, of the game's log."""
    if row.state == Payout.State.REVERSED:
        return reverse("floor-log", args=[row.game])
    return reverse("floor-round", args=[row.game, row.round])
