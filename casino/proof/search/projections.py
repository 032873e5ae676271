"""Writes the search index of events, rounds and lots, as part of the subscriber ``house``."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.engine.processes.queues import house_subscriber
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.house.acts.game_streams.loading import (
    NOT_UNDERSTOOD,
    GameKey,
    Loaded,
    load,
    load_through,
)
from casino.house.attendants.pseudonyms import tokens
from casino.play.settlement import rollovers
from casino.play.settlement.entries import game_key
from casino.proof.search import events
from casino.proof.search.models import (
    EventBlock,
    EventTerm,
    LotLine,
    RoundAmount,
    RoundLine,
    RoundPerson,
)
from casino.words.presenters.rounds import chapters
from games.messages import Voided, live
from games.payments import POT, RESERVED
from ledger import keyed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from games.messages import Fact
    from games.payments import Payment
    from ledger.wire import StoredEvent

ROWS = (EventBlock, EventTerm, RoundLine, RoundPerson, RoundAmount, LotLine)
LOOKED_BACK = 40  # events of a round; for earlier mentions a duplicate is written, and ignored


def handle(event: StoredEvent) -> None:
    """Handle an event as a batch of one."""
    with batch(event.establishment) as taken:
        taken(event)


@contextmanager
def batch(establishment: UUID) -> Iterator[Callable[[StoredEvent], None]]:
    """Yield a function that takes the events of a batch; write the rows of rounds at the end."""
    written = Written(establishment)

    def taken(event: StoredEvent) -> None:
        events.handle(event)
        kind = event.stream.partition("/")[0]
        if kind == "game":
            _add_to_round(event, written)
        elif kind == "rollover":
            _note_rollover(event)

    yield taken
    written.save()


SEARCH = house_subscriber.Area("search", handle, ROWS, batch=batch)


# --- Rows of rounds, once a batch -----------------------------------------------------------------


@dataclass(slots=True)
class Further:
    """How a batch continues a round that has a row already."""

    last: int
    last_position: int
    last_at: datetime
    throws: int = 0
    staked: int = 0
    won: int = 0
    stands: bool = False
    over: bool = False


class Written:
    """The rows that a batch adds or changes: new rounds, continued rounds, people and amounts."""

    def __init__(self, establishment: UUID) -> None:
        self.establishment = establishment
        self.new: dict[tuple[UUID, int], RoundLine] = {}
        self.further: dict[tuple[UUID, int], Further] = {}
        self.people: list[RoundPerson] = []
        self.amounts: list[RoundAmount] = []

    def goes_on(self, round_: tuple[UUID, int], event: StoredEvent, fact: Fact) -> None:
        came, went = coins(fact.payments)
        at = event.stream_version, event.position, event.provenance.occurred_at
        line = self.new.get(round_) or self.further.setdefault(round_, Further(*at))
        line.last, line.last_position, line.last_at = at
        line.throws += int(fact.is_throw)
        line.staked += came
        line.won += went
        line.over = line.over or fact.ends_round
        if isinstance(line, Further):
            line.stands = line.stands or fact.is_throw or bool(fact.payments)

    def save(self) -> None:
        """Save with one statement for each continued round, and one for each table."""
        RoundLine.objects.bulk_create(self.new.values())
        for (game, round_no), line in self.further.items():
            keyed.change(
                GOES_ON,
                *(line.last, line.last_position, line.last_at),
                *(line.throws, line.staked, line.won, line.over, not line.stands),
                *(self.establishment, game, round_no),
            )
        RoundPerson.objects.bulk_create(self.people, ignore_conflicts=True)
        RoundAmount.objects.bulk_create(self.amounts, ignore_conflicts=True)
        for written in (self.new, self.further, self.people, self.amounts):
            written.clear()


GOES_ON = """
    UPDATE search_roundline SET last = %s, last_position = %s, last_at = %s,
        throws = throws + %s, staked = staked + %s, won = won + %s,
        over = (over OR %s), void = (void AND %s)
    WHERE establishment_id = %s AND game = %s AND round = %s"""


# --- Rounds ------------------------------------------------------------------------------------


def _add_to_round(event: StoredEvent, written: Written) -> None:
    """
    Add an event to its round. The round and all that is written follow only from events up to this
    one: later events may be known already, and are not used.
    """
    key = game_key(event)
    loaded, number = (_readable(key, event.stream_version) if key else None), event.stream_version
    if loaded is None:
        return
    fact, of = loaded.facts[number - 1], chapters(loaded.facts).of
    round_no = of[number - 1]
    first = of.index(round_no) + 1
    if number == first:
        written.new[loaded.key.game, round_no] = _begin_round(loaded, event, fact, round_no)
    else:
        written.goes_on((loaded.key.game, round_no), event, fact)
    if isinstance(fact, Voided):
        written.save()
        _undone(loaded, number, of, of[fact.back_to - 1])
    beginning = loaded.events[first - 1]
    place = {
        "establishment_id": event.establishment,
        "began_at": beginning.provenance.occurred_at,
        "position": beginning.position,
    }
    before = [each for each in range(first, number) if of[each - 1] == round_no][-LOOKED_BACK:]
    known = {who for each in before for who in people_of_event(loaded.events[each - 1])}
    written.people += [
        RoundPerson(who=who, **place) for who in sorted(people_of_event(event) - known)
    ]
    amounts = sorted({payment.amount for payment in fact.payments if payment.amount})
    written.amounts += [RoundAmount(amount=amount, **place) for amount in amounts]


def _readable(key: GameKey, number: int) -> Loaded | None:
    """
    The game, at least through an event; None if that event or an earlier one is not understood.

    Subscribers that need such an event park it. Here parking would hide it from searches of the
    ledger, so it counts for no round, and is indexed as an event.

    :raises GameNotInstalled: if the game's package is missing: the event is read once it is
        installed.
    """
    try:
        return load(key, through=number)
    except GameNotInstalled:
        raise
    except NOT_UNDERSTOOD:
        try:
            return load_through(key, number)
        except NOT_UNDERSTOOD:
            return None


def people_of_event(event: StoredEvent) -> set[str]:
    """The players that an event names, by token, and the person who recorded it."""
    return {event.provenance.actor, *tokens.players_in(event.body.decode())}


def _begin_round(loaded: Loaded, event: StoredEvent, fact: Fact, round_no: int) -> RoundLine:
    provenance = event.provenance
    came, went = coins(fact.payments)
    return RoundLine(
        establishment_id=event.establishment,
        position=event.position,
        game=loaded.key.game,
        round=round_no,
        table_id=UUID(loaded.place["table"]),
        ruleset=loaded.ruleset.id,
        gaming_day=provenance.gaming_day,
        began_at=provenance.occurred_at,
        first=event.stream_version,
        throws=int(fact.is_throw),
        staked=came,
        won=went,
        over=fact.ends_round,
        last=event.stream_version,
        last_position=event.position,
        last_at=provenance.occurred_at,
    )


def _undone(loaded: Loaded, void: int, of: Sequence[int], since: int) -> None:
    """Update the rounds that a void went back over."""
    standing: dict[int, list[Fact]] = {}
    for number, fact in live(loaded.history[:void]):
        if of[number - 1] >= since:
            standing.setdefault(of[number - 1], []).append(fact)
    for round_no in {each for each in of[:void] if each >= since}:
        facts = standing.get(round_no, [])
        came, went = coins([payment for fact in facts for payment in fact.payments])
        throws = sum(fact.is_throw for fact in facts)
        _line(loaded, round_no).update(
            throws=throws,
            staked=came,
            won=went,
            over=any(fact.ends_round for fact in facts),
            void=not (throws or came or went),
        )


def _line(loaded: Loaded, round_no: int) -> Any:
    return RoundLine.objects.filter(
        establishment=loaded.key.establishment, game=loaded.key.game, round=round_no
    )


def coins(payments: Iterable[Payment]) -> tuple[int, int]:
    """The coins that players put into the pot, and the coins that players got."""
    staked = won = 0
    for payment in payments:
        if payment.payee == POT and payment.payer not in RESERVED:
            staked += payment.amount
        elif payment.payee not in RESERVED:
            won += payment.amount
    return staked, won


# --- What rolls over ---------------------------------------------------------------------------


def _note_rollover(event: StoredEvent) -> None:
    data, ruleset = event.data, event.stream.partition("/")[2]
    mine = {"taker": UUID(data["game"]), "taken_position": event.position}
    match event.event_type:
        case rollovers.LEFT:
            for lot in data["lots"]:
                _note_lot(event, lot, ruleset)
        case rollovers.DRAWN:
            _put(event, data["lots"], state=LotLine.State.TAKEN, **mine)
            _put(event, data["awaited"], state=LotLine.State.CLAIMED, **mine)
        case rollovers.ARRIVED:
            _put(event, data["lots"], state=LotLine.State.TAKEN, **mine)
        case rollovers.RECLAIMED:
            _put(event, data["lots"], state=LotLine.State.CLAIMED, **mine)
        case rollovers.RETURNED:
            _put(event, data["lots"], state=LotLine.State.WAITING, **{**mine, "taker": None})
        case rollovers.TAKEN_BACK:
            _put(event, data["lots"], state=LotLine.State.UNDONE, **{**mine, "taker": None})


def _note_lot(event: StoredEvent, lot: dict[str, Any], ruleset: str) -> None:
    LotLine.objects.update_or_create(
        establishment_id=event.establishment,
        game=UUID(lot["game"]),
        event=lot["event"],
        defaults={
            "ruleset": ruleset,
            "amount": lot["amount"],
            "since": datetime.fromisoformat(lot["since"]),
            "position": event.position,
            "state": LotLine.State.WAITING,
            "taker": None,
            "taken_position": None,
        },
    )


def _put(event: StoredEvent, lots: Iterable[dict[str, Any]], **where: Any) -> None:
    for lot in lots:
        LotLine.objects.filter(
            establishment=event.establishment, game=UUID(lot["game"]), event=lot["event"]
        ).update(**where)
