"""Comparisons of no-throw rates by who led before the throw, as pages show them (F3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import log10
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.play.dice.surveillance import messages
from casino.play.dice.surveillance.false_discovery_rate import alpha_of
from casino.play.dice.surveillance.leader_counts import (
    ALL,
    BEHIND,
    NOBODY,
    SEVERAL,
    TESTED_WORDS,
    THEMSELVES,
    WORDS,
)
from casino.play.dice.surveillance.models import Kind, LeadRow
from casino.play.dice.surveillance.queries import address, titles_of
from casino.play.dice.surveillance.rate_comparison import (
    EventCounts,
    detectable_rate_ratio,
    fisher_exact_p,
    log10_e,
)
from casino.words.languages.locales import decimal, number
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.house.establishments.models import Establishment
    from casino.play.dice.surveillance.queries import RowOwner

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
        return messages.odds(log10_e(self.group, self.baseline))

    @property
    def highest(self) -> str:
        return messages.odds(self.row.highest)

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
            establishment=house, highest__gte=messages.LOG10_E_SHOWN_MIN
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
