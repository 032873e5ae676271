"""
Count throws and no-throws by who led before the throw (control F3).

Before each throw the rules of the game say who leads the round. An attendant who calls no throw
more often while a certain player leads may be helping that player, for a throw that would have
taken the lead is thrown again.

The counts are kept for the attendant who recorded the throw and for the thrower. Each game has
counts of its own, since games differ in what leads and in how often there are no-throws.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from casino.house.acts.game_streams.loading import NOT_UNDERSTOOD, GameKey, load_all, load_through
from casino.play.dice.surveillance.entry_statistics import NO_THROW
from casino.play.dice.surveillance.models import Kind, LeadRow
from casino.play.dice.surveillance.rate_comparison import EventCounts, log10_e
from games.trail import find

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.dice.surveillance.throws import Throw
    from games.game import Leaders
    from ledger.wire import StoredEvent

ALL: Final = "all"
NOBODY, THEMSELVES, SEVERAL = "nobody", "self", "several"
BEHIND: Final = "behind"  # the thrower is behind: one other player leads, or several
WORDS: Final = frozenset({ALL, NOBODY, THEMSELVES, SEVERAL, BEHIND})
"""Situations, stored in place of a leader's token; tokens of players begin with `p-`."""
TESTED_WORDS: Final = WORDS - {ALL, NOBODY, SEVERAL}
COLUMNS: Final = ("chances", "no_throws", "highest", "last")

RowOwner = tuple[str, str]  # kind and name
RowKey = tuple[str, str, str, bool, str]  # kind, name, game, pays, leader


class LeaderCounts:
    """The rows of a batch: read before it, updated by each event, and saved after it."""

    def __init__(
        self, establishment: UUID, throws_read: Mapping[int, Throw], events: Sequence[StoredEvent]
    ) -> None:
        self.establishment = establishment
        relevant = [each for each in events if _is_attempt(each, throws_read)]
        game_ids = {_game_id(each) for each in relevant}
        games = load_all(establishment, game_ids) if relevant else {}
        self.row_keys = {each.position: self._row_keys(each, games) for each in relevant}
        self.changed: set[RowKey] = set()
        self.rows = self._load_rows(
            {key for of_event in self.row_keys.values() for keys in of_event for key in keys}
        )

    def add_event(self, event: StoredEvent) -> None:
        """Count a throw or no-throw. Other events, and those of unknown games, are ignored."""
        no_throw = event.event_type == NO_THROW
        for keys in self.row_keys.get(event.position, ()):
            total, *situation_rows = map(self._row, keys)
            for row in (total, *situation_rows):
                row.chances += 1
                if no_throw:
                    row.no_throws += 1
                    row.last = event.position
            if no_throw:
                for row in situation_rows:
                    group = EventCounts(row.chances, row.no_throws)
                    baseline = EventCounts(total.chances, total.no_throws) - group
                    row.highest = max(row.highest, log10_e(group, baseline))

    def save(self) -> None:
        LeadRow.objects.bulk_create(
            [self.rows[key] for key in sorted(self.changed)],
            update_conflicts=True,
            unique_fields=["establishment", "kind", "name", "game", "pays", "leader"],
            update_fields=list(COLUMNS),
        )

    def _row_keys(self, event: StoredEvent, games: Mapping[UUID, Loaded]) -> list[list[RowKey]]:
        """
        The keys of the rows that an event counts in, one list for each owner.

        The first key of a list is that of all situations. An unreadable game has no keys.
        """
        number, game = event.stream_version, _game_id(event)
        try:
            loaded = games.get(game)
            if loaded is None:  # an unreadable event may come later
                loaded = load_through(GameKey(self.establishment, game), number)
            rules = loaded.ruleset
            lead = rules.leaders(_state_before(loaded, number))
            leaders = situations(lead, event.data["player"])
        except NOT_UNDERSTOOD:
            return []
        return [
            [(kind, name, rules.id, lead.pays, leader) for leader in leaders]
            for kind, name in _row_owners(event)
        ]

    def _row(self, key: RowKey) -> LeadRow:
        self.changed.add(key)
        if key not in self.rows:
            kind, name, game, pays, leader = key
            self.rows[key] = LeadRow(
                establishment_id=self.establishment,
                kind=kind,
                name=name,
                game=game,
                pays=pays,
                leader=leader,
            )
        return self.rows[key]

    def _load_rows(self, keys: Collection[RowKey]) -> dict[RowKey, LeadRow]:
        """The rows that this batch may change, and few others."""
        if not keys:
            return {}
        condition = Q()
        leaders = {leader for *_, leader in keys}
        for kind in {kind for kind, *_ in keys}:
            names = {name for each, name, *_ in keys if each == kind}
            condition |= Q(kind=kind, name__in=names, leader__in=leaders)
        rows = LeadRow.objects.filter(condition, establishment=self.establishment)
        return {(row.kind, row.name, row.game, row.pays, row.leader): row for row in rows}


def situations(lead: Leaders, thrower: str) -> list[str]:
    """The situations in which a throw is counted: all, then those by who led before it."""
    if not lead.players:
        return [ALL, NOBODY]
    if thrower in lead.players:
        return [ALL, THEMSELVES]
    if len(lead.players) > 1:
        return [ALL, BEHIND, SEVERAL]
    return [ALL, BEHIND, lead.players[0]]


def _state_before(loaded: Loaded, number: int) -> object:
    """The state of the game before an event; after a void it is folded from the facts."""
    step = find(loaded.state.live, number)
    if step is not None:
        return step.value.before
    return loaded.ruleset.decider.fold(loaded.facts[: number - 1]).inner


def _is_attempt(event: StoredEvent, throws_read: Mapping[int, Throw]) -> bool:
    """Whether the event is a throw of a player, or a no-throw; revealed dice are neither."""
    throw = throws_read.get(event.position)
    if event.event_type == NO_THROW:
        return True
    return throw is not None and bool(throw.recorded.player) and not throw.recorded.opens


def _row_owners(event: StoredEvent) -> tuple[RowOwner, RowOwner]:
    return (
        (Kind.ATTENDANT.value, event.provenance.actor),
        (Kind.PLAYER.value, event.data["player"]),
    )


def _game_id(event: StoredEvent) -> UUID:
    return uuid.UUID(event.stream.partition("/")[2])
