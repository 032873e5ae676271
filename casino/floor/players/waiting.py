"""
The waiting list: who waits for a seat at which game, in order, and what is done about it.

The house's stream ``waiting`` records it. Its last event has the whole list, and each act is
guarded by its version: two people cannot call the same player, and nobody is entered twice. An
entry ends by an act, when its player is seated (`casino.floor.players.projections` finds that in
the events of games), or by time: `Entry.gone_at`.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.floor.players import cash, player_names
from casino.floor.players.models import Wait
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import current
from casino.house.home_throws import house_rules
from casino.play.core.operations import TableNotInUse
from casino.play.exclusions import operations as exclusions
from casino.words.languages import locales
from casino.words.presenters import TITLES
from games.refusals import Refused
from ledger import journal
from ledger.canonical import moment, read_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment, Table
    from ledger.wire import StoredEvent

STREAM: Final = "waiting"
ENTERED, CALLED = "waiting.entered", "waiting.called"
SKIPPED, TAKEN_OFF = "waiting.skipped", "waiting.taken_off"
HOURS_MOST: Final = timedelta(hours=12)
"""Whoever was not called for so long has gone home, whatever the gaming day."""


class NotOffered(Refused):
    code = "game_not_offered"


class WaitsAlready(Refused):
    code = "waits_already"


class PlaysAlready(Refused):
    code = "plays_already"


class CalledAlready(Refused):
    code = "called_already"


class WaitsNoLonger(Refused):
    code = "waits_no_longer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    An entry of the list, as events have it. Moments are UTC strings, `stake` is in coins.

    :param entry: its id: the command that made it.
    :param number: what it is called where no name is shown; it counts from 1 while anybody waits.
    :param shown: how they asked to be named on public screens when they came; "": as before.
    :param ahead: how many waited for the game before them when they came.
    :param until: when they count as gone because they were called and have not come.
    :param table: the id of the table that they were called to.
    """

    entry: str
    player: str
    game: str
    number: int
    since: str
    ahead: int
    stake: int | None = None
    shown: str = ""
    called_at: str | None = None
    until: str | None = None
    table: str | None = None

    @property
    def gone_at(self) -> datetime:
        """When they count as gone, unless they are seated before."""
        longest = read_moment(self.since) + HOURS_MOST
        return min(longest, read_moment(self.until)) if self.until else longest


@dataclass(frozen=True, slots=True)
class WaitingList:
    """The list at a moment: the version of its stream, who waits in order, the last number."""

    version: int = 0
    entries: tuple[Entry, ...] = ()
    numbered: int = 0


def read_list(establishment: UUID, now: datetime) -> WaitingList:
    """Who waits at a house at a moment; two queries at most."""
    last = journal.last(establishment=establishment, stream=STREAM)
    if last is None:
        return WaitingList()
    listed = [Entry(**each) for each in last.data["waiting"]]
    listed = [each for each in listed if now < each.gone_at]
    over = Wait.objects.filter(
        establishment=establishment,
        entry__in=[each.entry for each in listed],
        ended_at__isnull=False,
    )
    ended = set(map(str, over.values_list("entry", flat=True))) if listed else set()
    waiting = tuple(each for each in listed if each.entry not in ended)
    return WaitingList(last.stream_version, waiting, last.data["numbered"] if waiting else 0)


def enter(
    act: acts.Act, *, name: str, game: str, stake: int | None = None, shown: str = ""
) -> Entry:
    """
    Put a player at the end of the list for a game.

    :param name: a name or a player's id; a new name makes a new player.
    :param stake: the stake in coins for which they would sit down; None: any.
    :param shown: how public screens name them from now on; "": as before.
    :raises NotYours: if the person may not record at the house.
    :raises NotOffered: if the house does not offer the game now.
    :raises Excluded: and `ReadsLikeExcluded`: as for a seat; the try is listed (P1).
    :raises WaitsAlready: if they wait for this game; `PlaysAlready`: if they sit at it.
    """
    _may(act)
    player = tokens.player_tokens(act.house.pk, [name], new=True)[name]

    def decide(now: WaitingList) -> _Step:
        guards = _check_player(act, player)
        _check_offered(act, game)
        if any((each.player, each.game) == (player, game) for each in now.entries):
            raise WaitsAlready(f"{player} waits for this game already.")
        if cash.game_of_player(act.house, player, game) is not None:
            raise PlaysAlready(f"{player} sits at this game already.")
        entry = Entry(
            entry=str(act.command_id),
            player=player,
            game=game,
            number=now.numbered + 1,
            since=moment(act.now),
            ahead=sum(each.game == game for each in now.entries),
            stake=stake,
            shown=shown,
        )
        return _Step(ENTERED, entry, (*now.entries, entry), guards)

    if shown:  # first, so that no screen shows more of them than they like
        chosen = replace(act, command_id=uuid.uuid5(act.command_id, player_names.SHOWN))
        player_names.choose(chosen, player=player, shown=shown)
    fields = {"do": "enter", "player": player, "game": game, "stake": stake, "shown": shown}
    try:
        return _perform(act, fields, decide)
    except Refused as refused:
        if refused.code in exclusions.CODES:
            _note_try(act, player)
        raise


def call(act: acts.Act, *, entry: UUID, table: Table | None = None) -> Entry:
    """
    Call a player: public screens show it, and the house's minutes until they are gone begin.

    :param table: where they are to come; None: to the desk.
    :raises CalledAlready: if somebody has called them; `WaitsNoLonger`: if they wait no more.
    """

    def decide(now: WaitingList) -> _Step:
        found = _waiting_entry(now, entry)
        if found.called_at:
            at = locales.clock(read_moment(found.called_at))
            raise CalledAlready(f"{found.player} was called at {at} already.")
        guards = _check_player(act, found.player)
        _check_offered(act, found.game)
        if table is not None and not table.in_use:
            raise TableNotInUse("This table is not in use: open the game at another.")
        minutes = act.house.waiting_minutes
        until = moment(act.now + timedelta(minutes=minutes)) if minutes else None
        called = replace(
            found,
            called_at=moment(act.now),
            until=until,
            table=str(table.pk) if table else None,
        )
        listed = [called if each is found else each for each in now.entries]
        return _Step(CALLED, called, listed, guards)

    fields = {"do": "call", "entry": str(entry), "table": str(table.pk) if table else None}
    return _perform(act, fields, decide)


def skip(act: acts.Act, *, entry: UUID) -> Entry:
    """Let the next who waits for the game go first; whoever was called is called no longer."""

    def decide(now: WaitingList) -> _Step:
        found = _waiting_entry(now, entry)
        skipped = replace(found, called_at=None, until=None, table=None)
        rest = [each for each in now.entries if each is not found]
        at = now.entries.index(found)
        behind = (n for n, each in enumerate(rest) if n >= at and each.game == found.game)
        place = next(behind, at - 1) + 1
        return _Step(SKIPPED, skipped, [*rest[:place], skipped, *rest[place:]])

    return _perform(act, {"do": "skip", "entry": str(entry)}, decide)


def take_off(act: acts.Act, *, entry: UUID) -> Entry:
    """Take a player off the list who has gone, or changed their mind."""

    def decide(now: WaitingList) -> _Step:
        found = _waiting_entry(now, entry)
        return _Step(TAKEN_OFF, found, [each for each in now.entries if each is not found])

    return _perform(act, {"do": "take_off", "entry": str(entry)}, decide)


@dataclass(frozen=True, slots=True)
class _Step:
    """What an act does: the type of its event, the entry it is about, the list after it."""

    event_type: str
    entry: Entry
    waiting: Sequence[Entry]
    guards: Mapping[str, int] | None = None


def _perform(
    act: acts.Act, fields: Mapping[str, Any], decide: Callable[[WaitingList], _Step]
) -> Entry:
    _may(act)

    def done() -> acts.Done:
        now = read_list(act.house.pk, act.now)
        step = decide(now)
        data = {
            **asdict(step.entry),
            "waiting": [asdict(each) for each in step.waiting],
            "numbered": max(now.numbered, step.entry.number),
        }
        event = journal.NewEvent(
            stream=STREAM, event_type=step.event_type, schema_version=1, data=data
        )
        return acts.Done(guards={STREAM: now.version, **(step.guards or {})}, events=[event])

    receipt = acts.perform(replace(act, request=fields), done)
    [event] = acts.events_of(act.house.pk, receipt)
    return entry_of(event)


def _may(act: acts.Act) -> None:
    if act.by is not None:
        permissions.require(act.by, "record", act.house)


def entry_of(event: StoredEvent) -> Entry:
    """The entry that an event of the list is about, as it stands after it."""
    own = {name: event.data[name] for name in Entry.__dataclass_fields__ if name in event.data}
    return Entry(**own)


def _waiting_entry(now: WaitingList, entry: UUID) -> Entry:
    for each in now.entries:
        if each.entry == str(entry):
            return each
    raise WaitsNoLonger("Nobody waits there any more: seated, gone, or taken off the list.")


def _check_player(act: acts.Act, player: str) -> dict[str, int]:
    return exclusions.check_seats(act.house, [player], current(act.house, act.now), new={})


def _check_offered(act: acts.Act, game: str) -> None:
    if game not in house_rules.games_offered(act.house, act.now):
        raise NotOffered("The house does not offer this game now: nobody waits for it.")


def _note_try(act: acts.Act, player: str) -> None:
    """List the try (P1), once, however often the command is sent."""
    noted = replace(
        act,
        command_id=uuid.uuid5(act.command_id, exclusions.SEAT_REFUSED),
        request={"do": "note_refused", "command": str(act.command_id)},
    )
    exclusions.note_try(noted, tokens=[player], game=None, table=None)


def games(house: Establishment, now: datetime) -> list[tuple[str, str]]:
    """The games that one may wait for now, as choices of a form."""
    played = house_rules.games_offered(house, now)
    return [(game, str(title)) for game, title in TITLES.items() if game in played]
