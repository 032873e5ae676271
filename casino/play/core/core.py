"""Put a command to a game, let its rules decide, record the answer."""

from __future__ import annotations

import hmac
import json
import uuid
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.db import transaction

from casino.house.acts import acts, custody
from casino.house.acts.game_streams import catalogue, occupancy
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants import selves
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.house.establishments.denominations import values
from casino.house.home_throws.house_rules import check_opening
from casino.play.core import commands, consequences, undo
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.settlement import payout_holds, rollovers, settled
from games import messages, pieces
from games.messages import Voided
from games.refusals import BadTime, NoGame, Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.play.core.commands import Surroundings, Who
    from games.messages import Fact
    from ledger.journal import NewEvent
    from ledger.wire import StoredEvent

VOIDING = frozenset({"void", "approve", "resolve"})
TRIES = 5  # how often a command is decided at most, if its game moves meanwhile


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command: its events in the game, or its refusal."""

    key: GameKey
    receipt: journal.Receipt
    recorded: tuple[StoredEvent, ...] | None = None
    """The game's events, if the command was answered just now; otherwise they are read."""

    @property
    def refusal(self) -> journal.Refusal | None:
        return self.receipt.refusal

    def events(self) -> list[StoredEvent]:
        """The events that the command added to the game; the same for a repeated command."""
        if self.recorded is not None:
            return list(self.recorded)
        first, last = self.receipt.first_position, self.receipt.last_position
        if first is None or last is None:
            return []
        events = journal.read(
            establishment=self.key.establishment, after=first - 1, limit=last - first + 1
        )
        return [event for event in events if event.stream == self.key.stream]


def game_of(establishment: UUID, command_id: UUID) -> UUID:
    """The id of the game that a command opens: the same id however often the command is sent."""
    return uuid.uuid5(establishment, f"game/{command_id}")


def ask(  # noqa: PLR0913 - what is asked, by whom, and where it is to be
    *,
    house: Establishment,
    key: GameKey,
    raw: Mapping[str, Any],
    who: Who,
    opening: Callable[[], Surroundings] | None = None,
    place: Mapping[str, str] | None = None,
) -> Answer:
    """
    Put a command to a game and record what happens.

    1. If the command was answered before, give the same answer again.
    2. Fold the game's stream to its state and let the rules decide.
    3. Append events, cash and answer in one call, guarded by the versions just read.
    4. If the game moved meanwhile, decide again: deciding is pure.

    :param raw: a command of the vocabulary, well-formed, with its ``command_id``.
    :param opening: finds table, dice and terms for a game that is opened; called only when needed.
    :param place: the table, and the dice set if one was named; part of the request's fingerprint.
    :raises NoGame: if there is no such game and the command opens none.
    :raises CommandReused: if the command id was used for something else.
    :raises StreamMoved: if the game moves faster than the command can be decided.
    """
    request = GameRequest(house, key, raw, who, opening, place or {})
    known = journal.recorded_answer(
        establishment=house.pk, command_id=request.command_id, request_hash=request.request_hash
    )
    if known is not None:
        return Answer(key, known)
    try:
        commands.check_values(raw, now=who.now)
    except Refused as refused:
        detail = tokens.keep(house.pk, str(refused))
        return _record(key, request.refused(refused.code, detail))
    fields, new = commands.put_tokens(house.pk, raw)
    for _ in range(TRIES - 1):
        try:
            return _record_with_players(new, key, request.decided(fields, new))
        except tokens.NameTaken:
            fields, new = commands.put_tokens(house.pk, raw)
        except journal.StreamMoved as moved:
            if moved.stream in who.seen:  # another try would use the same old version
                raise
            gaming_day.forget_state(house.pk, moved)
    return _record_with_players(new, key, request.decided(fields, new))


def _record_with_players(new: Mapping[str, str], key: GameKey, entry: journal.Entry) -> Answer:
    """Record an entry and save the new players that it needs: both or neither."""
    if not new or not _needs_players(entry):
        return _record(key, entry)
    with transaction.atomic():
        tokens.save_players(key.establishment, new)
        return _record(key, entry)


def _needs_players(entry: journal.Entry) -> bool:
    """Whether what is recorded names players: a refused seat is listed with its name (P1)."""
    return entry.refusal is None or entry.refusal.code in exclusions.CODES


def _record(key: GameKey, entry: journal.Entry) -> Answer:
    receipt, events = journal.record(establishment=key.establishment, entry=entry)
    if events is None:
        return Answer(key, receipt)
    return Answer(key, receipt, tuple(each for each in events if each.stream == key.stream))


class GameRequest:
    """One command put to one game by one person."""

    def __init__(  # noqa: PLR0913, PLR0917 - as `ask`
        self,
        house: Establishment,
        key: GameKey,
        raw: Mapping[str, Any],
        who: Who,
        opening: Callable[[], Surroundings] | None,
        place: Mapping[str, str],
    ) -> None:
        self.house, self.key, self.raw, self.who = house, key, raw, who
        self.opening = opening
        self.dice_named = "dice_set" in place
        self.command_id = uuid.UUID(raw["command_id"])
        self.request_hash = _fingerprint(house, key, {**raw, **place})

    def decided(self, fields: Mapping[str, Any], new: Mapping[str, str]) -> journal.Entry:
        """
        Decide the command on the current state of the game; the entry for the ledger.

        :param new: players of the command who are not saved yet: name by token.
        """
        loaded = None if self.opening else load(self.key)
        try:
            entry = self._entry_of_events(loaded, fields, new)
            selves.check_other_person(self.house.pk, entry.events)
            return custody.guard_floats(self.house, entry)
        except Refused as refused:
            guards = {self.key.stream: loaded.version, **self.who.seen} if loaded else {}
            return self.refused(refused.code, self._detail(refused, fields, new), guards)

    def _detail(self, refused: Refused, fields: Mapping[str, Any], new: Mapping[str, str]) -> str:
        """The sentence of a refusal. If it may quote words or new players, it is a text."""
        detail = str(refused)
        if refused.code not in exclusions.CODES:  # else the players are saved, as they are listed
            detail = tokens.with_names(detail, new)
        if detail != str(refused) or commands.has_words(fields):
            return tokens.keep(self.house.pk, detail)
        return detail

    def refused(
        self, code: str, detail: str, guards: Mapping[str, int] | None = None
    ) -> journal.Entry:
        return journal.Entry(
            provenance=self._provenance(gaming_day.gaming_day(self.house, self.who.now)),
            request_hash=self.request_hash,
            guards=guards or {},
            refusal=journal.Refusal(code=code, detail=detail),
        )

    def _entry_of_events(
        self, loaded: Loaded | None, fields: Mapping[str, Any], new: Mapping[str, str]
    ) -> journal.Entry:
        """
        The entry of an allowed command.

        :raises Refused: if the rules do not allow the command, or the table or dice are taken.
        """
        check_does_not_play(self.house.pk, self.raw, self.who, loaded)
        if loaded is None:
            return self._entry_of_opening(fields, new)
        seen = self._settlement_seen()  # read first, so that the guards notice later changes
        command = commands.put_in_context(
            loaded.ruleset,
            fields,
            do=self.raw["do"],
            who=self.who,
            around=loaded,
            in_time=self._in_time(loaded),
        )
        facts = loaded.ruleset.decider.decide(command, loaded.state)
        own = values(self.house.denominations)
        pieces.check_command(own, self.raw["do"], fields, loaded.unit, loaded.stakes)
        today = gaming_day.enter(self.house, self.who.now)
        guards, protects = self._admit(loaded, facts, new, today.day)
        entry = consequences.entry(
            key=self.key,
            ruleset=loaded.ruleset,
            loaded=loaded,
            facts=facts,
            place=loaded.place,
            seen={**seen, **today.guards, **guards, **self.who.seen},
            provenance=self._provenance(today.day),
            request_hash=self.request_hash,
        )
        return replace(entry, events=(*entry.events, *protects, *self.who.extra_events))

    def _entry_of_opening(self, fields: Mapping[str, Any], new: Mapping[str, str]) -> journal.Entry:
        """
        The entry of a command that opens a game.

        The game takes the coins that wait for its kind in the house's rollover (TA10).
        """
        ruleset = catalogue.current(self.raw["game"])
        offer = rollovers.offer_for(self.house.pk, ruleset.id)
        around = replace(self._surroundings(), rollover=offer.coins, awaited=offer.coming)
        fields = around.fill_in(fields)
        command = commands.put_in_context(
            ruleset, fields, do=self.raw["do"], who=self.who, around=around
        )
        facts = ruleset.decider.decide(command, ruleset.decider.initial)
        check_opening(self.house, fields)
        today = gaming_day.enter(self.house, self.who.now)
        guards, protects = self._admit(None, facts, new, today.day)
        try:
            entry = consequences.entry(
                key=self.key,
                ruleset=ruleset,
                loaded=None,
                facts=facts,
                place=around.place,
                seen={**around.seen, **today.guards, **guards},
                provenance=self._provenance(today.day),
                request_hash=self.request_hash,
                offer=offer if commands.takes_rollover(command) else None,
                house_rules=around.house_rules,
                large_prize=self.house.large_prize,
            )
        except (occupancy.DiceTaken, occupancy.DiceNotIssued):
            if self.dice_named:
                raise
            raise self._overtaken(occupancy.dice_stream(around.dice_set)) from None
        return replace(entry, events=(*entry.events, *protects))

    def _overtaken(self, stream: str) -> journal.StreamMoved:
        """
        The error that makes the opening be decided again, with other dice.

        Another game took the dice that were chosen here; nobody had asked for them by name.
        """
        _, version = occupancy.occupant(self.house.pk, stream)
        return journal.StreamMoved(stream, expected=version - 1, actual=version)

    def _surroundings(self) -> Surroundings:
        """
        The table, dice and terms for a game that is opened.

        :raises Refused: if the command opens no game, or there is no place for the game.
        """
        if self.opening is None:
            raise NoGame(f"This house has no game {self.key.game}.")
        return self.opening()

    def _settlement_seen(self) -> dict[str, int]:
        """
        The guards of commands that depend on what settlement has booked.

        A void must not miss a prize that is issued meanwhile. A cash-out must not pay money that is
        held or stopped at this moment.
        """
        if self.raw["do"] not in VOIDING | {"cash_out"}:
            return {}
        streams = [self.key.settlement, settled.adjustments_stream(self.key), payout_holds.STREAM]
        return journal.versions(establishment=self.house.pk, streams=streams)

    def _in_time(self, loaded: Loaded) -> bool:
        """Whether the command, if it is an undo, comes in time for the last throw (G4)."""
        return undo.in_time(
            loaded,
            self.house.undo_seconds,
            device=self.who.device,
            made_at=self._occurred_at(),
            received_at=self.who.now,
        )

    def _admit(
        self, loaded: Loaded | None, facts: Sequence[Fact], new: Mapping[str, str], day: date
    ) -> tuple[dict[str, int], list[journal.NewEvent]]:
        """:raises Refused: if somebody is excluded on the day (P1), or pays in too much."""
        return admit(
            self.house, self.raw, facts=facts, loaded=loaded, new=new, day=day, now=self.who.now
        )

    def _provenance(self, day: date) -> journal.Provenance:
        return journal.Provenance(
            command_id=self.command_id,
            actor=self.who.attendant,
            device=self.who.device,
            correlation_id=self.key.game,
            causation_id=None,
            occurred_at=self._occurred_at(),
            recorded_at=self.who.now,
            gaming_day=day,
        )

    def _occurred_at(self) -> datetime:
        """The time of the event as it was given; if missing or invalid, the server's time."""
        if "occurred_at" not in self.raw:
            return self.who.now
        try:
            return commands.moment(self.raw["occurred_at"])
        except BadTime:
            return self.who.now


def _fingerprint(house: Establishment, key: GameKey, raw: Mapping[str, Any]) -> bytes:
    """A keyed hash of the request, to recognise a repeated one without revealing names."""
    request = json.dumps([str(key.game), raw], sort_keys=True)
    return hmac.digest(bytes(house.secret), request.encode(), "sha256")


# Staff who play do not record at the table they sit at (D1b).


class OwnTable(Refused):
    code = "own_table"


def check_does_not_play(
    establishment: UUID, raw: Mapping[str, Any], who: Who, loaded: Loaded | None
) -> None:
    """
    Check that whoever records does not play in the game.

    :param loaded: the game; None if the command opens it.
    :raises OwnTable: if whoever records is a player of the game, or the command seats them.
    """
    player = who.plays_as
    if not player:
        return
    if player in commands.players_to_seat(establishment, raw):
        raise OwnTable("You do not seat yourself: a colleague records where you play. D1b")
    if loaded is not None and player in loaded.stakes:
        raise OwnTable("You play at this table: a colleague records here. D1b")


# What protects players where they sit down and where they pay in: exclusions (P1) and limits.


def admit(  # noqa: PLR0913 - the command, what follows from it, and when
    house: Establishment,
    raw: Mapping[str, Any],
    *,
    facts: Sequence[Fact],
    loaded: Loaded | None,
    new: Mapping[str, str],
    day: date,
    now: datetime,
) -> tuple[dict[str, int], list[NewEvent]]:
    """
    Check that nobody whom a command seats, or who pays in with it, is excluded, and that nobody
    pays in more than they may.

    :param new: players who are not saved yet: name by token.
    :returns: the guards that this depends on, and the events that go with the command.
    :raises Refused: if one of them is excluded, has the name of somebody excluded (P1), or pays in
        too much.
    """
    brought = money_from_players(loaded, facts, day)
    if raw["do"] not in commands.ADMITS and not brought:
        return {}, []
    seen = exclusions.exclusion_state_of(house.pk)
    players = [*commands.players_to_admit(house.pk, raw), *new]
    sits = exclusions.check_seats(house, players, day, new=new, seen=seen)
    guards, events = limits.pay_in(house, brought, day, now=now, seen=seen)
    return {exclusions.STREAM: seen.version, **sits, **guards}, events


def money_from_players(
    loaded: Loaded | None, facts: Sequence[Fact], today: date
) -> Counter[tuple[str, str]]:
    """
    The coins that players bring with what happens, by player and gaming day; the house's own are
    left out. What a void takes back is taken from the day on which it was brought.
    """
    if loaded is None or not any(isinstance(each, Voided) for each in facts):
        return _sums_by_player((each, today) for each in facts)
    known = [each.provenance.gaming_day for each in loaded.events]
    days = [*known, *(today for _ in facts)]
    after = messages.live(enumerate(chain(loaded.facts, facts), 1))
    brought = _sums_by_player((fact, days[number - 1]) for number, fact in after)
    brought.subtract(_sums_by_player((fact, days[number - 1]) for number, fact in loaded.live))
    return brought


def _sums_by_player(dated: Iterable[tuple[Fact, date]]) -> Counter[tuple[str, str]]:
    brought: Counter[tuple[str, str]] = Counter()
    for fact, day in dated:
        for player, amount, house in fact.buy_ins:
            if not house:
                brought[player, day.isoformat()] += amount
    return brought


# Lists refused seats: every attempt to seat somebody who is excluded (P1).


def note_refused(  # noqa: PLR0913, PLR0917 - who asked what, where and when, and the answer
    house: Establishment,
    by: Attendant,
    device: str,
    now: datetime,
    raw: Mapping[str, Any],
    answer: Answer,
    table: str | None = None,
) -> None:
    """
    Record a refused seat, if the answer to a command is one.

    The id of the act is derived from the id of the command, so a command that is sent again,
    because its answer was lost, is listed once.
    """
    refusal = answer.refusal
    if refusal is None or refusal.code not in exclusions.CODES:
        return
    command_id = answer.receipt.command_id
    act = acts.Act(
        house=house,
        by=by,
        device=device,
        now=now,
        command_id=uuid.uuid5(command_id, exclusions.SEAT_REFUSED),
        request={"do": "note_refused", "command": str(command_id)},
    )
    exclusions.note_try(
        act,
        tokens=commands.players_to_admit(house.pk, raw),
        game=str(answer.key.game) if raw["do"] != "open" else None,
        table=table,
    )
