"""
Exclusions (P1): a player, by id, is refused a seat from one gaming day to another, with a reason.

The house's stream ``exclusions`` records all of them. A command that seats people is guarded by the
version of this stream, so that an exclusion at the same moment is not missed. A name that reads
like an excluded one (other capitals, spaces, accents composed in another way) is refused too, until
somebody who may approve has recorded that it is another person.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from casino.engine.databases import sessions
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.gaming_day import current
from casino.words.languages import names as lookalikes
from casino.words.languages.locales import figures_of_day
from games.refusals import Refused
from ledger import journal
from ledger.canonical import read_moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

__all__ = ["MEMORY", "STREAM", "Bar", "ExclusionState", "exclusion_state_of"]

NOTHING = frozenset[str]()
TRIES_STREAM = "seats-refused"
EXCLUDED, READMITTED = "player.excluded", "player.readmitted"
TOLD_APART, SEAT_REFUSED = "player.told_apart", "player.seat_refused"


class Excluded(Refused):
    code = "excluded"


class ReadsLikeExcluded(Refused):
    code = "reads_like_excluded"


class AlreadyExcluded(Refused):
    code = "already_excluded"


class NotExcluded(Refused):
    code = "not_excluded"


class NoSuchPlayer(Refused):
    code = "no_such_player"


class WrongPeriod(Refused):
    code = "wrong_period"


class ReasonMissing(Refused):
    code = "reason_missing"


CODES = frozenset({Excluded.code, ReadsLikeExcluded.code})


@dataclass(frozen=True, slots=True)
class Hit:
    """A person who may not be seated: the name that was given, and the excluded player."""

    named: str
    excluded: str
    bar: Bar

    @property
    def alike(self) -> bool:
        """Whether the name that was given only reads like the excluded player's."""
        return self.named != self.excluded


def hits(
    establishment: UUID,
    tokens: Iterable[str],
    day: date,
    *,
    new: Mapping[str, str] = MappingProxyType({}),
    seen: ExclusionState | None = None,
) -> tuple[list[Hit], int]:
    """
    The players who may not be seated on a gaming day, and the version of the stream that was read;
    one query if nobody is excluded, two if somebody is.

    :param new: players who are not saved yet: name by token.
    :param seen: the house's exclusions, if they were just read.
    """
    seen = seen or exclusion_state_of(establishment)
    bars, wanted = seen.on(day), list(tokens)
    if not bars or not wanted:
        return [], seen.version
    rows = Player.objects.filter(
        establishment_id=establishment, token__in={*wanted, *bars}, name__isnull=False
    )
    named = [*rows.values_list("token", "name"), *new.items()]
    reads = {token: lookalikes.readings(name or "") for token, name in named}
    found = []
    for token in wanted:
        if token in bars:
            found.append(Hit(token, token, bars[token]))
            continue
        found += [
            Hit(token, each, bar)
            for each, bar in bars.items()
            if not reads.get(token, NOTHING).isdisjoint(reads.get(each, NOTHING))
            and (each, token) not in seen.apart
        ]
    return found, seen.version


def perhaps(
    excluded: Mapping[str, str], others: Mapping[str, str], apart: frozenset[tuple[str, str]]
) -> list[tuple[str, str]]:
    """
    Pairs of an excluded player and another who may be the same person, and may be two.

    Nobody is refused a seat for it. Names that read alike are refused, and are not among these.

    :param excluded: names by token; `others` likewise. :param apart: as `ExclusionState` has it.
    """
    known: dict[str, list[str]] = defaultdict(list)
    for token, name in others.items():
        for each in lookalikes.maybe(name):
            known[each].append(token)
    return [
        (bar, token)
        for bar, name in excluded.items()
        for token in dict.fromkeys(chain(*(known[each] for each in lookalikes.maybe(name))))
        if token != bar
        and (bar, token) not in apart
        and lookalikes.readings(name).isdisjoint(lookalikes.readings(others[token]))
    ]


def spellings_of_exclusions(
    establishment: UUID, names: Mapping[str, str], day: date
) -> dict[str, list[str]]:
    """For each name by token, excluded players' names of which it may be another spelling."""
    seen = exclusion_state_of(establishment)
    bars = seen.on(day)
    if not bars or not names:
        return {}
    rows = Player.objects.filter(establishment_id=establishment, token__in=bars, name__isnull=False)
    excluded = {token: name or "" for token, name in rows.values_list("token", "name")}
    found: dict[str, list[str]] = defaultdict(list)
    for bar, token in perhaps(excluded, names, seen.apart):
        found[token].append(excluded[bar])
    return found


def check_seats(
    house: Establishment,
    tokens: Iterable[str],
    day: date,
    *,
    new: Mapping[str, str],
    seen: ExclusionState | None = None,
) -> dict[str, int]:
    """
    Check that these players may be seated; returns the guard for the command that seats them.

    :param new: those who are not saved yet: name by token. :param seen: as `hits`.
    :raises Excluded: if one of them is excluded.
    :raises ReadsLikeExcluded: if a name reads like an excluded player's.
    """
    found, version = hits(house.pk, tokens, day, new=new, seen=seen)
    for hit in found:
        if not hit.alike:
            began, ends = hit.bar.figures
            raise Excluded(
                f"{hit.named} is excluded from {began} to {ends}: seat nobody there. P1"
                if ends
                else f"{hit.named} is excluded since {began}: seat nobody there. P1"
            )
    for hit in found:
        began, ends = hit.bar.figures
        raise ReadsLikeExcluded(
            f"{hit.named} reads like {hit.excluded}, who is excluded from {began} to {ends}: ask"
            " who it is. If it is somebody else, a supervisor says so on the page of exclusions. P1"
            if ends
            else f"{hit.named} reads like {hit.excluded}, who is excluded since {began}: ask who it"
            " is. If it is somebody else, a supervisor says so on the page of exclusions. P1"
        )
    return {STREAM: version}


def exclude(
    act: acts.Act, *, player: str, since: date, until: date | None, reason: str
) -> journal.Receipt:
    """
    Refuse a player a seat from now on, or from a later gaming day.

    :param player: the player's token.
    :raises NotYours: if the person may not approve anything at the house.
    :raises AlreadyExcluded: if they are: readmit them first, so that both periods stay on record.
    """
    _may(act)

    def decide() -> acts.Done:
        _check_known(act.house.pk, player)
        _check_reason(reason)
        if until is not None and until < since:
            raise WrongPeriod("The exclusion would end before it begins. P1")
        seen = exclusion_state_of(act.house.pk)
        day = current(act.house, act.now)
        bar = seen.bars.get(player)
        if bar is not None and (bar.until is None or bar.until >= day):
            began, ends = bar.figures
            raise AlreadyExcluded(
                f"{player} is excluded already, from {began} to {ends}. P1"
                if ends
                else f"{player} is excluded already, since {began}. P1"
            )
        data = {
            "player": player,
            "since": since.isoformat(),
            "until": until.isoformat() if until else None,
            "reason": pseudonyms.keep(act.house.pk, reason),
        }
        return _new_event({STREAM: seen.version}, EXCLUDED, data)

    fields = {"do": "exclude", "player": player, "since": since, "until": until, "reason": reason}
    return acts.perform(replace(act, request=fields), decide)


def exclude_oneself(act: acts.Act, *, until: date | None) -> Bar:
    """
    Exclude the player whose act it is, from now on.

    An exclusion that they have is never shortened: the two become one that ends with the later.

    :param until: the last gaming day; None: until the house readmits them.
    :raises WrongPeriod: if that day has passed.
    :raises AlreadyExcluded: if they are excluded for as long already.
    """
    player = act.guest

    def decide() -> acts.Done:
        seen, day = exclusion_state_of(act.house.pk), current(act.house, act.now)
        if until is not None and until < day:
            raise WrongPeriod("The exclusion would end before it begins. P1")
        bar, had = Bar(day, until), seen.bars.get(player)
        if had is not None and (had.until is None or had.until >= day):
            ends = None if None in {until, had.until} else max(filter(None, (until, had.until)))
            if had.since <= day and ends == had.until:
                raise AlreadyExcluded(f"{player} is excluded for as long already. P1")
            bar = Bar(min(day, had.since), ends)
        with translation.override(act.house.language or None):
            reason = _("Asked for by themselves, on the guests' page.")
        data = {
            "player": player,
            "since": bar.since.isoformat(),
            "until": bar.until.isoformat() if bar.until else None,
            "reason": pseudonyms.keep(act.house.pk, reason),
        }
        return _new_event({STREAM: seen.version}, EXCLUDED, data)

    fields = {"do": "exclude_oneself", "until": until}
    acts.perform(replace(act, request=fields), decide)
    return exclusion_state_of(act.house.pk).bars[player]


def readmit(act: acts.Act, *, player: str, reason: str) -> journal.Receipt:
    """
    Readmit a player: end an exclusion early.

    :raises NotYours: if the person may not approve anything at the house.
    :raises NotExcluded: if the player is not excluded.
    """
    _may(act)

    def decide() -> acts.Done:
        _check_reason(reason)
        seen = exclusion_state_of(act.house.pk)
        if player not in seen.bars:
            raise NotExcluded(f"{player} is not excluded. P1")
        data = {"player": player, "reason": pseudonyms.keep(act.house.pk, reason)}
        return _new_event({STREAM: seen.version}, READMITTED, data)

    fields = {"do": "readmit", "player": player, "reason": reason}
    return acts.perform(replace(act, request=fields), decide)


def distinguish_players(act: acts.Act, *, player: str, other: str, reason: str) -> journal.Receipt:
    """
    Record that somebody whose name reads like an excluded player's is another person.

    :param player: the token of the excluded player; `other`: the token of the other person.
    :raises NotYours: if the person may not approve anything at the house.
    """
    _may(act)

    def decide() -> acts.Done:
        _check_reason(reason)
        seen = exclusion_state_of(act.house.pk)
        if player not in seen.bars:
            raise NotExcluded(f"{player} is not excluded. P1")
        _check_known(act.house.pk, other)
        if other == player:
            raise NoSuchPlayer("That is the same player: readmit them instead. P1")
        data = {"player": player, "other": other, "reason": pseudonyms.keep(act.house.pk, reason)}
        return _new_event({STREAM: seen.version}, TOLD_APART, data)

    fields = {"do": "tell_apart", "player": player, "other": other, "reason": reason}
    return acts.perform(replace(act, request=fields), decide)


def note_try(act: acts.Act, *, tokens: Iterable[str], game: str | None, table: str | None) -> None:
    """Record that somebody was refused a seat (P1); nothing if none of the players is excluded."""
    day = current(act.house, act.now)
    found, _version = hits(act.house.pk, tokens, day)
    if not found:
        return
    tried = [{"player": each.excluded, "named": each.named} for each in found]
    data = {"hits": tried, "game": game, "table": table}

    def decide() -> acts.Done:
        seen = journal.versions(establishment=act.house.pk, streams=[TRIES_STREAM])
        return _new_event(seen, SEAT_REFUSED, data)

    acts.perform(act, decide)


def _may(act: acts.Act) -> None:
    if act.by is not None:
        permissions.require(act.by, "approve", act.house)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing("Give a reason: it stands beside the exclusion. P1")


def _check_known(establishment: UUID, player: str) -> None:
    if not Player.objects.filter(establishment_id=establishment, token=player).exists():
        raise NoSuchPlayer(f"This house knows no player {player}. P1")


def _new_event(guards: Mapping[str, int], event_type: str, data: Mapping[str, Any]) -> acts.Done:
    [stream] = guards
    event = journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)
    return acts.Done(guards=guards, events=[event])


# The exclusions and limits of a house (P1), folded from its stream ``exclusions``.


STREAM: Final = "exclusions"


@dataclass(frozen=True, slots=True)
class Bar:
    """The period of an exclusion: gaming days, both included; `until` None: until readmitted."""

    since: date
    until: date | None

    def holds(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def figures(self) -> tuple[str, str]:
        """Its first and last day as people read them; "" for a last day that is not known."""
        return figures_of_day(self.since), figures_of_day(self.until) if self.until else ""


@dataclass(frozen=True, slots=True)
class Limit:
    """
    How many coins a player may pay in on a day, in a week or in a month; None: any number.

    :param then: what holds from the moment `since` on; without that moment, nothing is to change.
    """

    most: int | None
    then: int | None = None
    since: datetime | None = None

    def at(self, now: datetime) -> int | None:
        return self.then if self.since is not None and self.since <= now else self.most


Limits = dict[str, Limit]
"""By span: ``day``, ``week``, ``month``."""


def read_limits(data: Mapping[str, Any]) -> Limits:
    """Limits as an event has them."""
    return {
        span: Limit(
            each["most"], each["then"], read_moment(each["since"]) if each["since"] else None
        )
        for span, each in data.items()
    }


@dataclass(frozen=True, slots=True)
class ExclusionState:
    """The exclusions and limits of a house, as of a version of its stream. Players are tokens."""

    version: int = 0
    bars: Mapping[str, Bar] = field(default_factory=dict)
    apart: frozenset[tuple[str, str]] = frozenset()
    """(excluded, other): pairs whose names read alike, but who are two people."""
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """Of those who have some, or will have, or had until their removal took effect."""

    def on(self, day: date) -> dict[str, Bar]:
        return {player: bar for player, bar in self.bars.items() if bar.holds(day)}


class Memory:
    """A cache of each house's exclusions, so that seating people only reads new events."""

    def __init__(self) -> None:
        self._known: dict[UUID, ExclusionState] = {}
        self._lock = threading.Lock()

    def of(self, establishment: UUID) -> ExclusionState:
        with self._lock:
            return self._known.get(establishment, ExclusionState())

    def keep(self, establishment: UUID, standing: ExclusionState) -> None:
        with self._lock:
            if standing.version > self._known.get(establishment, ExclusionState()).version:
                self._known[establishment] = standing

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


MEMORY = Memory()
sessions.forgets(MEMORY.forget)


def exclusion_state_of(establishment: UUID) -> ExclusionState:
    """The current exclusions of a house, from the ledger; one query."""
    session, known = sessions.session_count(), MEMORY.of(establishment)
    events = journal.stream(establishment=establishment, stream=STREAM, after_version=known.version)
    if (
        session != sessions.session_count()
    ):  # it began with this query, and what is known is from before
        return exclusion_state_of(establishment)
    now = fold_exclusions(known, events)
    if not connection.in_atomic_block:  # within a transaction, events may still be rolled back
        MEMORY.keep(establishment, now)
    return now


def fold_exclusions(before: ExclusionState, events: Sequence[StoredEvent]) -> ExclusionState:
    bars, apart, limits = dict(before.bars), set(before.apart), dict(before.limits)
    for event in events:
        data = event.data
        match event.event_type:
            case "player.excluded":
                since, until = data["since"], data["until"]
                ends = date.fromisoformat(until) if until else None
                bars[data["player"]] = Bar(date.fromisoformat(since), ends)
            case "player.readmitted":
                bars.pop(data["player"], None)
            case "player.told_apart":
                apart.add((data["player"], data["other"]))
            case "player.limited":
                limits[data["player"]] = read_limits(data["limits"])
    version = events[-1].stream_version if events else before.version
    return replace(before, version=version, bars=bars, apart=frozenset(apart), limits=limits)
