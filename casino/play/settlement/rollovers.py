"""
Rollovers: coins that a pot leaves for the next game of its kind, in lots, each claimed once (TA10).

The coins are players' money. Each game on offer has a stream ``rollover/<ruleset id>``. Its last
event says which lots wait, and which lots a game has claimed although they are not booked yet.
Every append that changes the stream is guarded by its version: if two tables open at the same
moment, one takes the lots, the other none.

A booked lot goes into the pot with the opening. A lot that is not booked is awaited: it arrives
once settlement has booked it (casino/play/core/rollover_delivery.py). If the game ends before
that, the lot waits for the next game again. See docs/decisions/0005.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.occupancy import Claims
from games.corrections import BeyondReversal
from games.messages import Voided
from games.payments import ROLLOVER, balance
from games.refusals import NotSettledYet
from ledger import journal, recent
from ledger.canonical import moment
from ledger.models import Event
from ledger.wire import read_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.acts.game_streams.loading import GameKey, Loaded
    from games.messages import Fact
    from ledger.wire import StoredEvent

LEFT = "rollover.left"
DRAWN = "rollover.drawn"
ARRIVED = "rollover.arrived"
RETURNED = "rollover.returned"
TAKEN_BACK = "rollover.taken_back"
RECLAIMED = "rollover.reclaimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """Coins that a game left in the rollover, with the number of the event, and since when."""

    game: str
    event: int
    amount: int
    since: str
    booked_game: str
    """With `booked_event`: the event whose booking moves the coins into the rollover account."""
    booked_event: int
    claimed_by: str | None = None
    """The game that awaits the coins; None: they wait for a game."""
    claim: int = 0
    """The version of the stream at which the coins were last claimed."""

    @property
    def source(self) -> tuple[str, int]:
        return self.game, self.event


@dataclass(frozen=True, slots=True)
class Rollover:
    """The lots of one kind of game at a house, at a version of their stream."""

    stream: str
    version: int = 0
    lots: tuple[Lot, ...] = ()

    @property
    def waiting(self) -> tuple[Lot, ...]:
        return tuple(lot for lot in self.lots if lot.claimed_by is None)

    @property
    def claimed(self) -> tuple[Lot, ...]:
        return tuple(lot for lot in self.lots if lot.claimed_by is not None)


@dataclass(frozen=True, slots=True)
class Offer:
    """What the rollover offers to a game that is about to open: lots booked, and lots awaited."""

    rollover: Rollover
    booked: tuple[Lot, ...] = ()
    awaited: tuple[Lot, ...] = ()

    @property
    def coins(self) -> int:
        return total(self.booked)

    @property
    def coming(self) -> int:
        return total(self.awaited)


def stream_of(ruleset: str) -> str:
    return f"rollover/{ruleset}"


def read(establishment: UUID, ruleset: str) -> Rollover:
    """The lots of a kind of game, from the last event of their stream."""
    stream = stream_of(ruleset)
    last = journal.last(establishment=establishment, stream=stream)
    if last is None:
        return Rollover(stream)
    lots = (*last.data["waiting"], *last.data["claimed"])
    return Rollover(stream, last.stream_version, tuple(Lot(**lot) for lot in lots))


def kinds(establishment: UUID) -> list[str]:
    """The ruleset ids of the games whose rollover at this house was ever used."""
    streams = {stream_of(ruleset.id): ruleset.id for ruleset in catalogue.RULESETS}
    versions = journal.versions(establishment=establishment, streams=streams)
    return [ruleset for stream, ruleset in streams.items() if versions[stream]]


def total(lots: Iterable[Lot]) -> int:
    return sum(lot.amount for lot in lots)


def booking(establishment: UUID, lot: Lot) -> StoredEvent | None:
    """
    The settlement event that moved a lot into the house's rollover account.

    None if it is not booked yet: settlement is behind, or an event of the giving game is parked.
    """
    stream = f"settlement/{lot.booked_game}"
    booked = journal.stream(establishment=establishment, stream=stream)
    return next((event for event in booked if event.data["cause"] == lot.booked_event), None)


def offer_for(establishment: UUID, ruleset: str) -> Offer:
    """What a game of this kind is offered if it opens now: all lots that wait."""
    rollover = read(establishment, ruleset)
    booked = tuple(lot for lot in rollover.waiting if booking(establishment, lot))
    return Offer(rollover, booked, tuple(lot for lot in rollover.waiting if lot not in booked))


def barriers(house: UUID, games: Iterable[Loaded]) -> dict[GameKey, int]:
    """
    The number of each game's last event whose void would take coins that another game has. Games
    without one are left out. Two queries, however many games.

    Lots that a game left, or gave back when it ended, can be taken back as long as they still wait.
    """
    rolled = [(loaded, loaded.rolled) for loaded in games if loaded.rolled]
    lasts = recent.lasts(house, {stream_of(loaded.ruleset.id) for loaded, _numbers in rolled})
    waiting = {Lot(**lot).source for last in lasts.values() for lot in last.data["waiting"]}
    found: dict[GameKey, int] = {}
    for key, number, event in _changes(house, rolled) if lasts else ():
        gone = {lot.source for lot in _lots(event)} - waiting
        if gone and event.event_type in {LEFT, RETURNED}:
            found[key] = max(number, found.get(key, 0))
    return found


def _changes(
    house: UUID, games: Iterable[tuple[Loaded, Iterable[int]]]
) -> Iterator[tuple[GameKey, int, StoredEvent]]:
    """The rollover events that came with these events of games, newest first."""
    commands = {
        loaded.events[number - 1].provenance.command_id: (loaded.key, number)
        for loaded, numbers in games
        for number in numbers
    }
    rows = Event.objects.filter(
        establishment=house, command_id__in=list(commands), stream__startswith=stream_of("")
    )
    columns = rows.order_by("command_id").values_list("position", "body", "leaf_hash")
    for event in sorted(read_events(house, columns), key=attrgetter("position"), reverse=True):
        yield *commands[event.provenance.command_id], event


def _lots(event: StoredEvent) -> tuple[Lot, ...]:
    return tuple(Lot(**lot) for lot in event.data["lots"])


@dataclass(slots=True)
class Change:
    """The changes of one command to the lots; each adds an event with all lots after it."""

    key: GameKey
    rollover: Rollover
    events: list[journal.NewEvent] = field(default_factory=list)

    def claims(self) -> Claims:
        """Guards and events for the append of the command."""
        if not self.events:
            return Claims()
        return Claims({self.rollover.stream: self.rollover.version}, self.events)

    @property
    def next_version(self) -> int:
        return self.rollover.version + len(self.events) + 1

    def note(self, event_type: str, moved: Sequence[Lot], **more: object) -> None:
        """
        Add an event with the current lots.

        :param moved: the lots that changed: as they are now, or as they were if they are gone.
        """
        now = self.rollover
        self.events.append(
            journal.NewEvent(
                stream=now.stream,
                event_type=event_type,
                schema_version=1,
                data={
                    "game": str(self.key.game),
                    **more,  # type: ignore[dict-item]  # JSON values
                    "lots": _write_lots(moved),
                    "waiting": _write_lots(now.waiting),
                    "claimed": _write_lots(now.claimed),
                },
            )
        )

    def without(self, lots: Iterable[Lot]) -> None:
        gone = {lot.source for lot in lots}
        kept = tuple(lot for lot in self.rollover.lots if lot.source not in gone)
        self.rollover = replace(self.rollover, lots=kept)

    def put(self, lots: Iterable[Lot]) -> None:
        """Replace the same lots, or add them."""
        new = tuple(lots)
        self.without(new)
        self.rollover = replace(self.rollover, lots=(*self.rollover.lots, *new))

    def claim(self, lots: Iterable[Lot]) -> tuple[Lot, ...]:
        return tuple(
            replace(lot, claimed_by=str(self.key.game), claim=self.next_version) for lot in lots
        )

    def draw_all(self, offer: Offer) -> None:
        """Give all waiting lots to a game that opens."""
        if offer.booked or offer.awaited:
            awaited = self.claim(offer.awaited)
            self.without(offer.booked)
            self.put(awaited)
            self.note(DRAWN, offer.booked, awaited=_write_lots(awaited))

    def leave_coins(self, event: int, amount: int, since: str) -> None:
        """Add the coins of a pot that nobody won as a lot that waits for the next game."""
        game = str(self.key.game)
        lot = Lot(
            game=game, event=event, amount=amount, since=since, booked_game=game, booked_event=event
        )
        self.put([lot])
        self.note(LEFT, [lot], event=event)

    def arrive(self, lot: Lot, event: int) -> None:
        self.without([lot])
        self.note(ARRIVED, [lot], event=event)

    def give_back(self) -> None:
        """Release the lots that a game still awaited when it ended."""
        mine = [lot for lot in self.rollover.claimed if lot.claimed_by == str(self.key.game)]
        if mine:
            given = [replace(lot, claimed_by=None) for lot in mine]
            self.put(given)
            self.note(RETURNED, given)

    def undone(self, change: StoredEvent, void: int) -> None:
        """
        Undo what a voided event did with the lots.

        :param change: the rollover event that came with the voided event.
        :param void: the number of the void in its game.
        """
        lots = _lots(change)
        if change.event_type == LEFT:
            self._take_back(self._waiting(lots), void)
        elif change.event_type == RETURNED:
            self._reclaim(self._waiting(lots), void)
        elif change.event_type == ARRIVED:  # the coins are in the rollover once the void is booked
            game = str(self.key.game)
            back = [replace(lot, booked_game=game, booked_event=void) for lot in lots]
            self._reclaim(back, void)

    def _take_back(self, lots: Sequence[Lot], void: int) -> None:
        """
        Remove lots that a voided event had left.

        :raises NotSettledYet: if the coins' way back from another game is not booked yet.
        """
        for lot in lots:
            if lot.booked_game != lot.game and booking(self.key.establishment, lot) is None:
                raise NotSettledYet(
                    f"{lot.amount} of this game's rollover are on their way back; ask again. G4"
                )
        self.without(lots)
        self.note(TAKEN_BACK, lots, event=void)

    def _reclaim(self, lots: Iterable[Lot], void: int) -> None:
        mine = self.claim(lots)
        self.put(mine)
        self.note(RECLAIMED, mine, event=void)

    def _waiting(self, lots: Iterable[Lot]) -> list[Lot]:
        """
        The current state of lots, which must all be waiting.

        :raises BeyondReversal: if another game has one of the lots.
        """
        now = {lot.source: lot for lot in self.rollover.waiting}
        found = []
        for lot in lots:
            if lot.source not in now:
                raise BeyondReversal(
                    "What this game left in the rollover has been drawn by another game; that"
                    " takes an approved adjustment. G4, TA10"
                )
            found.append(now[lot.source])
        return found


def change_lots(  # noqa: PLR0913 - what the command found, and what it came to
    key: GameKey,
    ruleset: str,
    loaded: Loaded | None,
    facts: Sequence[Fact],
    *,
    over: bool,
    at: datetime,
    offer: Offer | None = None,
    delivered: Lot | None = None,
) -> Claims:
    """
    The guards and events by which a command changes the lots of its kind of game.

    :param loaded: the game before the command; None: the command opens it.
    :param over: whether the game has ended after the command.
    :param offer: what an opening was offered.
    :param delivered: the lot that an arrival brings.
    :raises BeyondReversal: if a void would take coins that another game has.
    :raises ValueError: if the rules drew another amount than they were offered.
    """
    version = loaded.version if loaded else 0
    left = [
        (version + place, amount)
        for place, fact in enumerate(facts, start=1)
        if (amount := _amount_added(fact))
    ]
    voids = [
        (version + place, fact)
        for place, fact in enumerate(facts, start=1)
        if isinstance(fact, Voided)
    ]
    # A void in a game that has ended opens it again; what is entered instead may end it anew.
    ended = over and (loaded is None or not loaded.closed or bool(voids))
    if not (left or voids or ended or offer or delivered):
        return Claims()
    rollover = offer.rollover if offer else read(key.establishment, ruleset)
    change = Change(key, rollover)
    if offer:
        if (coins := _amount_drawn(facts)) != offer.coins:
            raise ValueError(f"{ruleset} drew {coins} of the rollover; {offer.coins} are its own.")
        change.draw_all(offer)
    if delivered:
        change.arrive(delivered, version + 1)
    if loaded is not None and rollover.version:
        for number, void in voids:
            crossed = [each for each in loaded.rolled if each >= void.back_to]
            for *_, event in _changes(key.establishment, [(loaded, crossed)]):
                change.undone(event, number)
    for number, amount in left:
        change.leave_coins(number, amount, moment(at))
    if ended:
        change.give_back()
    return change.claims()


def _amount_added(fact: Fact) -> int:
    """The amount that an event adds to the rollover; 0 for an event that draws from it."""
    return max(0, balance(ROLLOVER, fact.payments))


def _amount_drawn(facts: Iterable[Fact]) -> int:
    return sum(max(0, -balance(ROLLOVER, fact.payments)) for fact in facts)


def _write_lots(lots: Iterable[Lot]) -> list[Any]:
    return [asdict(lot) for lot in lots]
