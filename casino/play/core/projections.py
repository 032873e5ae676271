"""The subscriber `projections`: game cards, figures, rounds, payouts; can always be rebuilt."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection
from django.db.models import F

from casino.house.acts.accounts import PayoutPlace, stake
from casino.house.acts.game_streams import course
from casino.house.acts.game_streams.loading import GameKey, Loaded, load, meet
from casino.play.core import rounds
from casino.play.core.models import DayFigures, GameCard, QuarterFigures
from casino.play.settlement.entries import game_key
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED, REVERSED
from casino.play.settlement.settled import SETTLEMENT as BOOKS
from games.messages import CashedOut, Voided
from ledger import money, subscriptions
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import Model

    from games.messages import Fact
    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent

NAME = "projections"
QUARTERLY = frozenset({"rounds", "bought_in", "staked", "paid", "fees"})
KEYS = {"postgresql": ["establishment", "game"], "sqlite": ["game"]}  # of cards: see 0001_initial
CARD_MOVES = ("table_id", "ruleset", "status", "opened_at", "gaming_day", "changed_at", "players",
              "round", "pot", "version")  # fmt: skip
ROWS = (GameCard, DayFigures, QuarterFigures, Payout, *rounds.ROWS)

Counted = tuple[Any, ...]
"""A model of figures, and the fields and values that identify the row."""


def handle(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
    """Handle one event, as a batch of one."""
    with batch(event.establishment, [event]) as taken:
        return taken(event, versions)


@contextmanager
def batch(establishment: UUID, _events: Sequence[StoredEvent]) -> Iterator[Handle]:
    """A handler for the events of a batch; the rows are written at its end."""
    working = Working(establishment)
    yield working.handle
    working.save()


class Working:
    """
    The changes that one batch of events makes to the rows.

    Cards, figures and the last position of a game are written once for the batch; rounds and
    payouts are written in order.
    """

    def __init__(self, establishment: UUID) -> None:
        self.establishment = establishment
        self.cards: dict[UUID, GameCard] = {}
        self.figures: defaultdict[Counted, Counter[str]] = defaultdict(Counter)
        self.reach: dict[UUID, int] = {}
        self.rows: list[Callable[[], None]] = []

    def handle(self, event: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        """
        Collect the changes of an event; appends nothing.

        An event that cannot be read leaves no changes.
        """
        if (key := game_key(event)) is not None:
            loaded = load(key, through=event.stream_version)
            fact = loaded.facts[event.stream_version - 1]
            counted = [
                (event, _figures_of(loaded, event)),
                *_rounds_to_take_back(loaded, event, fact),
            ]
            if event.stream_version == loaded.version:  # else a later event updates the card
                self.cards[key.game] = _card(loaded, event)
            self.rows.append(partial(rounds.show, loaded, event))
            if isinstance(fact, CashedOut):
                self.rows.append(partial(_show_paid, event, key, fact.player))
        elif event.stream.startswith(f"{BOOKS}/"):
            counted = [(event, _money(event))]
            self.rows.append(partial(_show_settled, event))
        else:
            counted = []
        for of, more in counted:
            self._count(of, more)
        if (game := rounds.game_reached(event)) is not None:
            self.reach[game] = event.position
        return ()

    def save(self) -> None:
        for write in self.rows:
            write()
        GameCard.objects.bulk_create(
            self.cards.values(),
            update_conflicts=True,
            unique_fields=KEYS[connection.vendor],
            update_fields=CARD_MOVES,
        )
        rounds.reach(self.establishment, self.reach)
        for (model, *row), changes in self.figures.items():
            _add(model, {"establishment_id": self.establishment, **dict(row)}, changes)

    def _count(self, event: StoredEvent, more: Mapping[str, int]) -> None:
        """Add to the figures of the event's gaming day and of its quarter of an hour."""
        day = ("gaming_day", event.provenance.gaming_day)
        quarter = ("begins", quarter_of(event.provenance.recorded_at))
        changes = {name: value for name, value in more.items() if value}
        quarterly = {name: value for name, value in changes.items() if name in QUARTERLY}
        if changes:  # even if the same batch takes them back: the row exists then
            self.figures[DayFigures, day].update(changes)
        if quarterly:
            self.figures[QuarterFigures, day, quarter].update(quarterly)


def forget(establishment: UUID) -> None:
    for model in ROWS:
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


PROJECTIONS = subscriptions.Subscriber(
    name=NAME,
    handle=handle,
    forget=forget,
    transient=(SoftTimeLimitExceeded,),
    batch=batch,
    meets=meet,
)


def _card(loaded: Loaded, event: StoredEvent) -> GameCard:
    """The card of a game after its last event."""
    opened, stands = loaded.opening, loaded.courses[-1]
    ended, pot = (stands.value.ended, stands.value.pot) if stands is not None else (0, 0)
    return GameCard(
        establishment_id=loaded.key.establishment,
        game=loaded.key.game,
        table_id=UUID(loaded.place["table"]),
        ruleset=loaded.ruleset.id,
        status=(GameCard.Status.CLOSED if loaded.closed else GameCard.Status.OPEN).value,
        opened_at=opened.provenance.recorded_at,
        gaming_day=opened.provenance.gaming_day,
        changed_at=event.provenance.recorded_at,
        players=len(opened.data["players"]),
        round=ended if loaded.closed else ended + 1,
        pot=pot,
        version=loaded.version,
    )


def _figures_of(loaded: Loaded, event: StoredEvent) -> Counter[str]:
    """The figures that an event of a game adds to its day."""
    number = event.stream_version
    fact = loaded.facts[number - 1]
    more = Counter(throws=int(fact.is_throw), rounds=int(fact.ends_round))
    more.update(_money(event))
    more["games"] = int(number == 1)
    more["voids"] = int(isinstance(fact, Voided))
    return more


def _rounds_to_take_back(
    loaded: Loaded, event: StoredEvent, fact: Fact
) -> Iterator[tuple[StoredEvent, Mapping[str, int]]]:
    """
    The rounds that a void takes back from the figures of the day that counted them.

    Only rounds of the void's own gaming day are taken back. The figures of an earlier day do not
    change (B4).
    """
    if not isinstance(fact, Voided):
        return
    before = loaded.courses[event.stream_version - 2]
    for step in course.back_to(before, fact.back_to):
        ended = loaded.events[step.number - 1]
        same_day = ended.provenance.gaming_day == event.provenance.gaming_day
        if step.value.fact.ends_round and same_day:
            yield ended, {"rounds": -1}


def _money(event: StoredEvent) -> Counter[str]:
    """
    The money that an event moves, by column of the figures.

    A reversing transfer reduces the column of the transfer that it reverses.
    """
    more: Counter[str] = Counter()
    for transfer in event.transfers:
        ends = transfer["debit"], transfer["credit"]
        taken_back = transfer["reverses"] is not None
        debit, credit = map(AccountRef.parse, reversed(ends) if taken_back else ends)
        amount = -transfer["amount"] if taken_back else transfer["amount"]
        if credit.kind == Kind.STAKE and debit.kind in {Kind.FLOAT, Kind.BANK}:
            more["bought_in"] += amount
        elif credit.kind == Kind.FEES:
            more["fees"] += amount
        elif {Kind.RECEIVABLE, Kind.ROLLOVER} & {debit.kind, credit.kind}:
            continue  # a debt after an adjustment, or coins from one pot to the next: not play
        elif credit.kind == Kind.POT:
            more["staked"] += amount
        elif debit.kind == Kind.POT:
            more["paid"] += amount
        elif debit.kind == Kind.FEES:  # a seat fee that is paid back because its round is void
            more["fees"] -= amount
    return more


def _add(model: type[Model], row: Mapping[str, Any], changes: Mapping[str, int]) -> None:
    rows = model._default_manager  # noqa: SLF001 - Django's documented way to a model's rows
    more = {name: F(name) + value for name, value in changes.items()}
    if not rows.filter(**row).update(**more):
        rows.create(**row, **changes)


def quarter_of(at: datetime) -> datetime:
    """The beginning of the quarter of an hour that contains a moment."""
    return at.replace(minute=at.minute // 15 * 15, second=0, microsecond=0)


def _show_settled(event: StoredEvent) -> None:
    """Update payouts and rounds from a settlement event: booked, held, released, reversed."""
    if event.event_type == BOOKED:
        _show_payouts(event)
        rounds.book(event)
    _show_lots(event)
    if event.event_type == REVERSED:
        _game_payouts(event).filter(cause__in=event.data["reverses"]).update(
            state=Payout.State.REVERSED, held=0, why=""
        )


def _show_payouts(event: StoredEvent) -> None:
    loaded = load_of(event)
    cause = event.data["cause"]
    Payout.objects.bulk_create(
        Payout(
            establishment_id=event.establishment,
            position=event.position,
            seq=seq,
            game=loaded.key.game,
            table_id=UUID(loaded.place["table"]),
            round=round_at(loaded, cause),
            cause=cause,
            payer=payment["from"],
            payee=payment["to"],
            amount=payment["amount"],
            rules=" ".join(payment["rules"]),
            booked_at=event.provenance.recorded_at,
            gaming_day=event.provenance.gaming_day,
        )
        for seq, payment in enumerate(event.data["payments"])
    )


def _show_lots(event: StoredEvent) -> None:
    """Update the payouts that a settlement event holds or releases."""
    for row in event.data.get("lots", ()):
        cause, seq = PayoutPlace.parse(row["payout"])
        rows = _game_payouts(event).filter(cause=cause, seq=seq)
        waits = bool(row["why"])
        over = (
            [Payout.State.REVERSED] if row["left"] else [Payout.State.REVERSED, Payout.State.PAID]
        )
        rows.exclude(state__in=over).update(
            state=Payout.State.HELD if waits else Payout.State.RELEASED,
            held=row["left"],
            why=" ".join(row["why"]),
        )


def _show_paid(event: StoredEvent, key: GameKey, player: str) -> None:
    """Mark a player's booked and released payouts as paid, once their stake is empty."""
    if money.balance_at(stake(key.game, player), event.position, establishment=key.establishment):
        return
    Payout.objects.filter(
        establishment=key.establishment,
        game=key.game,
        payee=player,
        state__in=(Payout.State.BOOKED, Payout.State.RELEASED),
    ).update(state=Payout.State.PAID)


def _game_payouts(event: StoredEvent) -> Any:
    game = UUID(event.stream.partition("/")[2])
    return Payout.objects.filter(establishment=event.establishment, game=game)


def load_of(event: StoredEvent) -> Loaded:
    """The game of a settlement event, loaded at least up to the event that it settles."""
    key = GameKey(event.establishment, UUID(event.stream.partition("/")[2]))
    return load(key, through=event.data["cause"])


def round_at(loaded: Loaded, number: int) -> int:
    """The round that an event of a game belongs to."""
    named: int | None = getattr(loaded.facts[number - 1], "round", None)
    if named is not None:
        return named
    before = loaded.courses[number - 2] if number > 1 else None
    return 1 + (before.value.ended if before is not None else 0)
