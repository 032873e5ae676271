"""No-throws by who led before the throw: counted, and their rates compared (F3)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import log10
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.house.acts.game_streams.loading import NOT_UNDERSTOOD, GameKey, load_all, load_through
from casino.play.dice.surveillance import queries
from casino.play.dice.surveillance.alarms import alpha_of
from casino.play.dice.surveillance.e_values import (
    EventCounts,
    detectable_rate_ratio,
    fisher_exact_p,
    log10_e_of_rates,
)
from casino.play.dice.surveillance.entry_statistics import NO_THROW
from casino.play.dice.surveillance.models import Kind, LeadRow
from casino.play.dice.surveillance.queries import address, titles_of
from casino.words.languages.locales import decimal, number
from casino.words.presenters import TITLES
from games.game_session import find_step

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment
    from casino.play.dice.surveillance.queries import RowOwner
    from casino.play.dice.surveillance.stream_monitor import Throw
    from games.game import Leaders
    from ledger.wire import StoredEvent


# Count throws and no-throws by who led before the throw (control F3).
# Before each throw the rules of the game say who leads the round. An attendant who calls no throw
# more often while a certain player leads may be helping that player, for a throw that would have
# taken the lead is thrown again.
# The counts are kept for the attendant who recorded the throw and for the thrower. Each game has
# counts of its own, since games differ in what leads and in how often there are no-throws.


ALL: Final = "all"
NOBODY, THEMSELVES, SEVERAL = "nobody", "self", "several"
BEHIND: Final = "behind"  # the thrower is behind: one other player leads, or several
WORDS: Final = frozenset({ALL, NOBODY, THEMSELVES, SEVERAL, BEHIND})
"""Situations, stored in place of a leader's token; tokens of players begin with `p-`."""
TESTED_WORDS: Final = WORDS - {ALL, NOBODY, SEVERAL}
COLUMNS: Final = ("chances", "no_throws", "highest", "last")

CountsOwner = tuple[str, str]  # kind and name
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
                    row.highest = max(row.highest, log10_e_of_rates(group, baseline))

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
        leaders = {leader for *_rest, leader in keys}
        for kind in {kind for kind, *_rest in keys}:
            names = {name for each, name, *_rest in keys if each == kind}
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
    step = find_step(loaded.state.live, number)
    if step is not None:
        return step.value.before
    return loaded.ruleset.decider.fold(loaded.facts[: number - 1]).inner


def _is_attempt(event: StoredEvent, throws_read: Mapping[int, Throw]) -> bool:
    """Whether the event is a throw of a player, or a no-throw; revealed dice are neither."""
    throw = throws_read.get(event.position)
    if event.event_type == NO_THROW:
        return True
    return throw is not None and bool(throw.recorded.player) and not throw.recorded.opens


def _row_owners(event: StoredEvent) -> tuple[CountsOwner, CountsOwner]:
    return (
        (Kind.ATTENDANT.value, event.provenance.actor),
        (Kind.PLAYER.value, event.data["player"]),
    )


def _game_id(event: StoredEvent) -> UUID:
    return uuid.UUID(event.stream.partition("/")[2])


LEADERS_MAX: Final = 20  # of one person: those with most no-throws
LARGEST_MAX: Final = 20  # of the house: those with most evidence
SITUATION_ORDER: Final = (ALL, NOBODY, THEMSELVES, BEHIND, SEVERAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderComparison:
    """
    The no-throw rate in one situation (who led before the throw), compared with all others.

    :param group: throws and no-throws in the situation.
    :param baseline: throws and no-throws in all other situations of the same games.
    :param compared: whether this situation is compared with the others.
    :param stands_out: whether the greatest evidence passed 1/alpha times the number of comparisons
        in the house.
    :param whose: the attendant or thrower, on pages about more than one.
    """

    row: LeadRow
    title: str
    group: EventCounts
    baseline: EventCounts
    compared: bool
    stands_out: bool
    whose: str = ""
    address: str = ""

    @property
    def percent(self) -> float:
        return 100 * self.group.rate

    @property
    def percent_baseline(self) -> float:
        return 100 * self.baseline.rate

    @property
    def odds(self) -> str:
        return queries.odds_text(log10_e_of_rates(self.group, self.baseline))

    @property
    def highest(self) -> str:
        return queries.odds_text(self.row.highest)

    @property
    def p(self) -> float:
        return fisher_exact_p(self.group, self.baseline)

    @property
    def game(self) -> str:
        return str(TITLES[self.row.game])


@dataclass(frozen=True, slots=True, kw_only=True)
class GameComparisons:
    """
    The comparisons of one attendant or thrower, in games of one kind.

    :param pays: whether the leader would have paid, not won.
    :param power_sentence: a sentence about the minimum detectable rate ratio.
    :param has_more: whether there are more leaders than are shown.
    """

    game: str
    pays: bool
    lines: Sequence[LeaderComparison]
    power_sentence: str
    has_more: bool


def comparisons_by_game(house: Establishment, kind: str, name: str) -> list[GameComparisons]:
    """The comparisons of an attendant or a thrower, by game, in four queries."""
    rows = LeadRow.objects.filter(establishment=house, kind=kind, name=name)
    by_word = list(rows.filter(leader__in=WORDS))
    if not by_word:
        return []
    by_player = list(
        rows.exclude(leader__in=WORDS).order_by("-no_throws", "-chances", "leader")[
            : LEADERS_MAX + 1
        ]
    )
    totals = {_row_key(row): row for row in by_word}
    comparisons = _comparisons(house, [*by_word, *by_player[:LEADERS_MAX]], totals)
    comparisons.sort(key=lambda line: (line.row.game, line.row.pays, _sort_key(line.row)))
    alpha = alpha_of(house.alarms_one_in)
    return [
        GameComparisons(
            game=str(TITLES[game]),
            pays=bool(pays),
            lines=(lines := list(grouped)),
            power_sentence=_power_sentence(lines, alpha),
            has_more=len(by_player) > LEADERS_MAX,
        )
        for (game, pays), grouped in groupby(
            comparisons, lambda line: (line.row.game, line.row.pays)
        )
    ]


def largest_in_house(house: Establishment) -> list[LeaderComparison]:
    """The comparisons of the house with the greatest evidence, if it is worth showing."""
    rows = list(
        LeadRow.objects.filter(
            establishment=house, highest__gte=queries.LOG10_E_SHOWN_MIN
        ).order_by("-highest", "kind", "name", "game", "leader")[:LARGEST_MAX]
    )
    if not rows:
        return []
    totals = LeadRow.objects.filter(
        establishment=house, leader=ALL, name__in={row.name for row in rows}
    )
    comparisons = _comparisons(house, rows, {_row_key(row): row for row in totals}, named=True)
    return [line for line in comparisons if line.compared]


def _comparisons(
    house: Establishment,
    rows: Sequence[LeadRow],
    totals: Mapping[tuple[str, str, str, bool, str], LeadRow],
    *,
    named: bool = False,
) -> list[LeaderComparison]:
    compared = LeadRow.objects.filter(establishment=house).exclude(leader__in=WORDS - TESTED_WORDS)
    comparison_count = compared.count()
    threshold = log10(max(comparison_count, 1) * house.alarms_one_in)
    owners: set[RowOwner] = {
        (Kind.PLAYER.value, row.leader) for row in rows if row.leader not in WORDS
    }
    if named:
        owners |= {(row.kind, row.name) for row in rows}
    titles = titles_of(house, owners)
    return [
        LeaderComparison(
            row=row,
            title=_situation_title(row, titles.get((Kind.PLAYER.value, row.leader), "")),
            group=(group := EventCounts(row.chances, row.no_throws)),
            baseline=_event_counts(totals[row.kind, row.name, row.game, row.pays, ALL]) - group,
            compared=row.leader not in WORDS - TESTED_WORDS,
            stands_out=row.highest >= threshold,
            whose=titles.get((row.kind, row.name), ""),
            address=address(row.kind, row.name),
        )
        for row in rows
    ]


def _event_counts(row: LeadRow) -> EventCounts:
    return EventCounts(row.chances, row.no_throws)


def _row_key(row: LeadRow) -> tuple[str, str, str, bool, str]:
    return row.kind, row.name, row.game, row.pays, row.leader


def _sort_key(row: LeadRow) -> tuple[int, int, int]:
    word = SITUATION_ORDER.index(row.leader) if row.leader in WORDS else len(SITUATION_ORDER)
    return word, -row.no_throws, -row.chances


def _situation_title(row: LeadRow, name: str) -> str:
    match row.leader:
        case "all":
            return _("All")
        case "nobody":
            return _("nobody stood to pay yet") if row.pays else _("nobody led yet")
        case "self":
            return _("the thrower stood to pay") if row.pays else _("the thrower led")
        case "behind":
            return _("somebody else stood to pay") if row.pays else _("somebody else led")
        case "several":
            return _("of these: several, level")
        case _:
            title = (
                _("of these: %(name)s stood to pay") if row.pays else _("of these: %(name)s led")
            )
            return title % {"name": name}


def _power_sentence(lines: Iterable[LeaderComparison], alpha: float) -> str:
    """What rate ratio these throws can detect, in the situation that somebody else leads."""
    line = next((each for each in lines if each.row.leader == BEHIND), None)
    if line is None:
        return _("Nobody else has led before a throw so far: nothing can be compared yet.")
    pooled = line.group + line.baseline
    if not pooled.events:
        return _("Without any no-throw nothing can be compared yet.")
    ratio = _detectable_rate_ratio_of(
        int(line.group.trials), int(line.baseline.trials), round(pooled.rate, 4), alpha
    )
    pays = line.row.pays
    figures = {
        "throws": number(int(pooled.trials)),
        "here": number(int(line.group.trials)),
        "when": _("while somebody else stood to pay") if pays else _("while somebody else led"),
        "no_throws": number(int(pooled.events)),
    }
    if ratio is None:
        return (
            ngettext(
                "%(throws)s throw, %(here)s of them %(when)s; no-throws: %(no_throws)s. So few"
                " could not show anything, however often they came then.",
                "%(throws)s throws, %(here)s of them %(when)s; no-throws: %(no_throws)s. So few"
                " could not show anything, however often they came then.",
                int(pooled.trials),
            )
            % figures
        )
    return _(
        "%(throws)s throws, %(here)s of them %(when)s; no-throws: %(no_throws)s. %(times)s times as"
        " many then would show, more often than not; less hides in chance, and of one player alone"
        " it takes more."
    ) % {**figures, "times": decimal(ratio, 1)}


@lru_cache(maxsize=1024)
def _detectable_rate_ratio_of(group: int, baseline: int, rate: float, alpha: float) -> float | None:
    return detectable_rate_ratio(group, baseline, rate, alpha)
