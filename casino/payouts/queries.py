"""Payouts as people look for them: by day, state, table and player, and how each came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.game_streams.loading import GameKey, Loaded, load
from casino.operations.accounts import PayoutPlace as Place
from casino.operations.accounts import stake
from casino.pseudonyms import tokens as pseudonyms
from casino.settlement import settled
from casino.settlement.holding import DISPUTE, LARGE_PRIZE, STOPPED
from casino.settlement.models import Payout
from games.messages import CashedOut, Disputed, Resolved, Voided, Witnessed
from games.payments import RESERVED
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from games.messages import Fact
    from ledger.wire import StoredEvent

WAITS_FOR: dict[str, Any] = {
    LARGE_PRIZE: gettext_lazy("large prize: its witness"),
    DISPUTE: gettext_lazy("an open dispute"),
    STOPPED: gettext_lazy("payouts of the house, which are stopped"),
}
TO_DO: dict[str, Any] = {
    LARGE_PRIZE: gettext_lazy("Somebody who may approve, and did not record it, witnesses it. A7"),
    DISPUTE: gettext_lazy(
        "Somebody who had no part in it resolves the dispute; what is to be adjusted then waits for"
        " its adjustment. C3"
    ),
    STOPPED: gettext_lazy("Two people resume the house's payouts. E2"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """
    Something that happened to a payout.

    :param state: what the payout was from then on.
    :param amount: the coins that it is about, where that is not the whole payout.
    :param position: of the event in the house's ledger.
    """

    at: datetime
    state: str
    said: str
    position: int
    amount: int | None = None


def listed(establishment: UUID) -> QuerySet[Payout]:
    """The payments to players, newest first."""
    rows = Payout.objects.filter(establishment=establishment).exclude(payee__in=RESERVED)
    return rows.select_related("table").order_by("-position", "-seq")


def player_called(establishment: UUID, name: str) -> str | None:
    """The token of a player of the house; None: nobody is called so."""
    return pseudonyms.player_tokens(establishment, [name], new=False).get(name)


def waiting(establishment: UUID) -> QuerySet[Payout]:
    """The payouts that wait for something now, the oldest first."""
    return listed(establishment).filter(state=Payout.State.HELD).order_by("position", "seq")


def held(establishment: UUID) -> int:
    """How many payouts wait for something."""
    return Payout.objects.filter(establishment=establishment, state=Payout.State.HELD).count()


def reasons(row: Payout) -> list[dict[str, Any]]:
    """What a payout waits for: the kind, in words, what to do, and the dispute if it is one."""
    told = []
    for each in row.waits_for:
        kind, _colon, number = each.partition(":")
        told.append(
            {
                "kind": kind,
                "says": str(WAITS_FOR[kind]),
                "to_do": str(TO_DO[kind]),
                "dispute": int(number) if number else None,
            }
        )
    return told


def found(establishment: UUID, game: UUID, cause: int, seq: int) -> Payout | None:
    rows = Payout.objects.filter(establishment=establishment, game=game, cause=cause, seq=seq)
    return rows.select_related("table").first()


def history(row: Payout) -> list[Step]:
    """What became of a payout, from the decision on, straight from the ledger."""
    key = GameKey(row.establishment_id, row.game)
    loaded = load(key)
    place = Place(row.cause, row.seq)
    told = [_decided(loaded, place), *_booked(key, loaded, place), *_cashed(loaded, row, place)]
    return _until_reversed(sorted(told, key=lambda step: step.position))


def _decided(loaded: Loaded, place: Place) -> Step:
    event = loaded.events[place.cause - 1]
    at = event.provenance.recorded_at
    return Step(at, "decided", _("Decided by the rules."), event.position)


def _booked(key: GameKey, loaded: Loaded, place: Place) -> Iterator[Step]:
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        at, data = event.provenance.recorded_at, event.data
        lot = next((each for each in data.get("lots", ()) if each["payout"] == str(place)), None)
        if event.event_type == settled.REVERSED and place.cause in data["reverses"]:
            yield Step(at, "reversed", _("Voided, and moved back."), event.position)
        elif event.event_type == settled.BOOKED and data["cause"] == place.cause and lot is None:
            yield Step(at, "booked", _("Booked."), event.position)
        elif lot is not None:
            yield _lot(event, loaded, place, lot)


def _lot(event: StoredEvent, loaded: Loaded, place: Place, lot: Mapping[str, Any]) -> Step:
    """What was held or let go, and which event was the reason."""
    at = event.provenance.recorded_at
    if lot["why"]:
        words = [str(WAITS_FOR[each.partition(":")[0]]) for each in lot["why"]]
        said = _("Held; it waits for %(what)s.") % {"what": ", ".join(words)}
        return Step(
            at, "held", f"{_because(event, loaded, place)}{said}", event.position, lot["left"]
        )
    said = f"{_because(event, loaded, place)}{_('Released.')}"
    return Step(at, "released", said, event.position, lot["left"])


BECAUSE: dict[type[Fact], Any] = {
    Witnessed: gettext_lazy("Witnessed."),
    Disputed: gettext_lazy("Disputed."),
    Resolved: gettext_lazy("The dispute was resolved."),
    Voided: gettext_lazy("What the player lost since then was voided."),
}


def _because(event: StoredEvent, loaded: Loaded, place: Place) -> str:
    """Which event was the reason; nothing, where the payout's own booking was."""
    cause = event.data["cause"]
    if event.event_type == settled.ADJUSTED:
        said: Any = _("Adjusted by two people.")
    elif cause is None:
        said = _("The house pays again.")
    elif cause == place.cause:
        return ""
    else:
        lost = _("The player lost some of it again.")
        said = BECAUSE.get(type(loaded.facts[cause - 1]), lost)
    return f"{said} "


def _cashed(loaded: Loaded, row: Payout, place: Place) -> Iterator[Step]:
    """When the player had taken away all that was theirs to take."""
    for number, fact in loaded.live:
        if number <= place.cause or not isinstance(fact, CashedOut) or fact.player != row.payee:
            continue
        event = loaded.events[number - 1]
        account = stake(row.game, row.payee)
        if not money.balance_at(account, event.position, establishment=row.establishment_id):
            at = event.provenance.recorded_at
            yield Step(at, "paid", _("The player took it away."), event.position)
            return


def _until_reversed(steps: Iterable[Step]) -> list[Step]:
    kept = []
    for step in steps:
        kept.append(step)
        if step.state == "reversed":
            break
    return kept


def being_booked(loaded: Loaded) -> list[tuple[Place, Any]]:
    """What the rules have decided and settlement has not booked yet: payments to players."""
    through = settled.settled_through(loaded)
    return [
        (Place(number, seq), payment)
        for number, fact in loaded.live
        if number > through
        for seq, payment in enumerate(fact.payments)
        if payment.payee not in RESERVED
    ]


def address(row: Payout) -> str:
    """Where a payout is explained; of one that was voided, what was recorded."""
    if row.state == Payout.State.REVERSED:
        return reverse("floor-log", args=[row.game])
    return reverse("floor-round", args=[row.game, row.round])
