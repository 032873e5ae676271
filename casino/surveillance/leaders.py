"""
No-throws by who led (control F3): before each throw the game's rules are asked whom the round
stands for, and it is counted whether the throw then counted or was called a no-throw.

Who calls no throw more often when a certain player leads may be helping that player: a throw that
would have taken the lead is thrown again. Counted for the attendant who recorded it and for the
thrower, by game: what leads, and how often dice fall badly, is another matter in each.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from casino.game_streams.loading import NOT_UNDERSTOOD, GameKey, load_all, load_through
from casino.surveillance.entries import NO_THROW
from casino.surveillance.independence import Seen, log10_e
from casino.surveillance.models import Kind, LeadRow
from games.trail import found

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from uuid import UUID

    from casino.game_streams.loading import Loaded
    from casino.surveillance.throws import Throw
    from games.leaders import Leaders
    from ledger.wire import StoredEvent

ALL: Final = "all"
NOBODY, THEMSELVES, SEVERAL = "nobody", "self", "several"
BEHIND: Final = "behind"  # one other, or several others, lead
WORDS: Final = frozenset({ALL, NOBODY, THEMSELVES, SEVERAL, BEHIND})
"""What stands in the place of a leader's token: tokens of players begin with `p-`."""
TESTED: Final = WORDS - {ALL, NOBODY, SEVERAL}
COLUMNS: Final = ("chances", "no_throws", "highest", "last")

Who = tuple[str, str]  # kind and name
Row = tuple[str, str, str, bool, str]  # kind, name, game, pays, leader


class Leads:
    """The rows of a batch."""

    def __init__(
        self, establishment: UUID, read: Mapping[int, Throw], events: Sequence[StoredEvent]
    ) -> None:
        self.establishment = establishment
        asked = [each for each in events if _counts(each, read)]
        games = load_all(establishment, {_game(each) for each in asked}) if asked else {}
        self.asked = {each.position: self._asked(each, games) for each in asked}
        self.touched: set[Row] = set()
        self.rows = self._rows({row for rows in self.asked.values() for of in rows for row in of})

    def note(self, event: StoredEvent) -> None:
        """A throw or no-throw; of other events, and of what is not understood, nothing is said."""
        no_throw = event.event_type == NO_THROW
        for keys in self.asked.get(event.position, ()):
            whole, *parts = map(self._row, keys)
            for row in (whole, *parts):
                row.chances += 1
                if no_throw:
                    row.no_throws += 1
                    row.last = event.position
            if no_throw:
                for row in parts:
                    here = Seen(row.chances, row.no_throws)
                    elsewhere = Seen(whole.chances, whole.no_throws) - here
                    row.highest = max(row.highest, log10_e(here, elsewhere))

    def save(self) -> None:
        LeadRow.objects.bulk_create(
            [self.rows[key] for key in sorted(self.touched)],
            update_conflicts=True,
            unique_fields=["establishment", "kind", "name", "game", "pays", "leader"],
            update_fields=list(COLUMNS),
        )

    def _asked(self, event: StoredEvent, games: Mapping[UUID, Loaded]) -> list[list[Row]]:
        """
        The rows of an event, of each whom it says something of, that of all situations first; none
        where the game is not understood so far.
        """
        number, game = event.stream_version, _game(event)
        try:
            loaded = games.get(game)
            if loaded is None:  # something later may be what is not understood
                loaded = load_through(GameKey(self.establishment, game), number)
            rules = loaded.ruleset
            lead = rules.leaders(_state(loaded, number))
            leaders = situations(lead, event.data["player"])
        except NOT_UNDERSTOOD:
            return []
        return [
            [(kind, name, rules.id, lead.pays, leader) for leader in leaders]
            for kind, name in _whose(event)
        ]

    def _row(self, key: Row) -> LeadRow:
        self.touched.add(key)
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

    def _rows(self, keys: Collection[Row]) -> dict[Row, LeadRow]:
        """Those that this batch may touch, and few besides."""
        if not keys:
            return {}
        wanted = Q()
        leaders = {leader for *_, leader in keys}
        for kind in {kind for kind, *_ in keys}:
            names = {name for each, name, *_ in keys if each == kind}
            wanted |= Q(kind=kind, name__in=names, leader__in=leaders)
        found_ = LeadRow.objects.filter(wanted, establishment=self.establishment)
        return {(row.kind, row.name, row.game, row.pays, row.leader): row for row in found_}


def situations(lead: Leaders, thrower: str) -> list[str]:
    """The rows in which a throw is counted: that of all, then by who led before it."""
    if not lead.players:
        return [ALL, NOBODY]
    if thrower in lead.players:
        return [ALL, THEMSELVES]
    if len(lead.players) > 1:
        return [ALL, BEHIND, SEVERAL]
    return [ALL, BEHIND, lead.players[0]]


def _state(loaded: Loaded, number: int) -> object:
    """The game's own state before an event of it; one that a void cancelled since is folded."""
    step = found(loaded.state.live, number)
    if step is not None:
        return step.value.before
    return loaded.ruleset.decider.fold(loaded.facts[: number - 1]).inner


def _counts(event: StoredEvent, read: Mapping[int, Throw]) -> bool:
    """Whether somebody threw, or tried; dice shown later, or nobody's, do not count."""
    throw = read.get(event.position)
    if event.event_type == NO_THROW:
        return True
    return throw is not None and bool(throw.shown.player) and not throw.shown.opens


def _whose(event: StoredEvent) -> tuple[Who, Who]:
    return (
        (Kind.ATTENDANT.value, event.provenance.actor),
        (Kind.PLAYER.value, event.data["player"]),
    )


def _game(event: StoredEvent) -> UUID:
    return uuid.UUID(event.stream.partition("/")[2])
