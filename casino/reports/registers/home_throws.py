"""
How often home throws came up, compared with their exact odds (H1, H2).

Three d8 show given sorted faces in one, three or six ways out of 512, whatever was thrown before.
So the number of hits is binomial, and its p-value is exact.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.play.dice.surveillance import p_values
from casino.reports.registers import history
from casino.words.presenters import TITLES, registered
from games import stone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from casino.kit.documents.report import Cell, Query

ALL: Final = stone.SIDES**stone.DICE
CONFIDENCE: Final = 0.95
Key = tuple[str, str]


def chance(home: str) -> Fraction:
    """The probability that one throw is this home throw, which is written as 1-3-6."""
    return Fraction(len(set(permutations(home.split("-")))), ALL)


def count_hits(query: Query) -> Mapping[Key, tuple[int, int]]:
    """
    Throws and hits by game and home throw.

    Throws of voided rounds count too: the dice have fallen, whatever became of the money.
    """
    tries: Counter[Key] = Counter()
    hits: Counter[Key] = Counter()
    having = [game.id for game in registered.with_home_throws()]
    rows = history.rounds(query).filter(ruleset__in=having).exclude(homes={})
    for ruleset, homes in rows.values_list("ruleset", "homes").iterator(chunk_size=history.CHUNK):
        for home, (thrown, hit) in homes.items():
            tries[ruleset, home] += thrown
            hits[ruleset, home] += hit
    return {key: (tries[key], hits[key]) for key in sorted(tries)}


def lines(query: Query) -> Iterator[Line]:
    for (ruleset, home), (thrown, hit) in count_hits(query).items():
        yield Line(cells=(str(TITLES[ruleset]), home, *cells(thrown, hit, chance(home))))


def cells(thrown: int, hit: int, likely: Fraction) -> tuple[Cell, ...]:
    """Throws, hits, expected hits, the share with its interval, the exact odds and the p-value."""
    low, high = p_values.clopper_pearson(hit, thrown, CONFIDENCE)
    return (
        thrown,
        hit,
        round(thrown * likely, 2),
        Fraction(hit, thrown),
        likely,
        low,
        high,
        p_values.binomial_test(hit, thrown, likely),
    )


def figures(query: Query) -> Sequence[Figure]:
    """Sums over all home throws; a throw counts once for each home throw that was in force."""
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for (_ruleset, home), (thrown, hit) in count_hits(query).items():
        sums["thrown"] += thrown
        sums["hits"] += hit
        sums["expected"] += thrown * chance(home)
    return (
        Figure(
            name="throws", title=_("Throws that might have been one"), value=int(sums["thrown"]),
        ),
        Figure(name="hits", title=_("Home throws"), value=int(sums["hits"])),
        Figure(
            name="expected", title=_("Expected, exactly"), kind="ratio",
            value=round(sums["expected"], 2),
        ),
    )  # fmt: skip


REPORT: Final = Report(
    name="home-throws",
    title=gettext_lazy("Home throws"),
    about=gettext_lazy(
        "How often each home throw came up in the rounds that ended, against its exact odds. The"
        " chance says how likely fair dice are to be as far off or further; of twenty home throws"
        " one is below 0.05 by chance alone."
    ),
    controls=("F2",),
    filters=(history.TABLE, history.GAME),
    figures=figures,
    tables=(
        Table(
            name="home_throws",
            title=gettext_lazy("Home throws"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="home_throw", title=gettext_lazy("Home throw")),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number"),
                Column(name="hits", title=gettext_lazy("Hits"), kind="number", total=True),
                Column(name="expected", title=gettext_lazy("Expected"), kind="ratio"),
                Column(name="share", title=gettext_lazy("Share"), kind="share"),
                Column(name="odds", title=gettext_lazy("Exact odds"), kind="share"),
                Column(name="least", title=gettext_lazy("95 % from"), kind="share"),
                Column(name="most", title=gettext_lazy("95 % to"), kind="share"),
                Column(name="p_value", title=gettext_lazy("Chance"), kind="share"),
            ),
            lines=lines,
            empty=gettext_lazy("No round with a home throw ended in these days."),
        ),
    ),
)
