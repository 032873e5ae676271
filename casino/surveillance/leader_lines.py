"""No-throws by who led, as pages show them (F3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import log10
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from casino.languages.locales import decimal, number
from casino.presenters import TITLES
from casino.surveillance import messages
from casino.surveillance.independence import Seen, exact, log10_e, times_shown
from casino.surveillance.leaders import ALL, BEHIND, NOBODY, SEVERAL, TESTED, THEMSELVES, WORDS
from casino.surveillance.levels import alpha_of
from casino.surveillance.models import Kind, LeadRow
from casino.surveillance.queries import address, titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.establishments.models import Establishment
    from casino.surveillance.queries import Who

LEADERS: Final = 20  # of one person's, those with most no-throws
FOREMOST: Final = 20  # of the house's
ORDER: Final = (ALL, NOBODY, THEMSELVES, BEHIND, SEVERAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadLine:
    """
    One situation: who led before the throw.

    :param here: throws and no-throws in it; `elsewhere`: in all others of the same games.
    :param compared: whether no-throws are more frequent here is asked at all.
    :param stands_out: by the greatest evidence there was, among all that were asked in the house.
    :param whose: of whom the line is, where that is not the page's.
    """

    row: LeadRow
    title: str
    here: Seen
    elsewhere: Seen
    compared: bool
    stands_out: bool
    whose: str = ""
    address: str = ""

    @property
    def percent(self) -> float:
        return 100 * self.here.rate

    @property
    def percent_elsewhere(self) -> float:
        return 100 * self.elsewhere.rate

    @property
    def odds(self) -> str:
        return messages.odds(log10_e(self.here, self.elsewhere))

    @property
    def highest(self) -> str:
        return messages.odds(self.row.highest)

    @property
    def p(self) -> float:
        return exact(self.here, self.elsewhere)

    @property
    def game(self) -> str:
        return str(TITLES[self.row.game])


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadPart:
    """
    One person's no-throws in games of one kind.

    :param pays: by who stood to pay, and not by who led.
    :param power: what could have shown.
    """

    game: str
    pays: bool
    lines: Sequence[LeadLine]
    power: str
    more: bool


def parts_of(house: Establishment, kind: str, name: str) -> list[LeadPart]:
    """Those of an attendant or a thrower, by game; in four queries, however many led."""
    rows = LeadRow.objects.filter(establishment=house, kind=kind, name=name)
    fixed = list(rows.filter(leader__in=WORDS))
    if not fixed:
        return []
    people = list(
        rows.exclude(leader__in=WORDS).order_by("-no_throws", "-chances", "leader")[: LEADERS + 1]
    )
    found = _lines(house, [*fixed, *people[:LEADERS]], {_of(row): row for row in fixed})
    found.sort(key=lambda line: (line.row.game, line.row.pays, _place(line.row)))
    alpha = alpha_of(house.alarms_one_in)
    return [
        LeadPart(
            game=str(TITLES[game]),
            pays=bool(pays),
            lines=(lines := list(grouped)),
            power=_power(lines, alpha),
            more=len(people) > LEADERS,
        )
        for (game, pays), grouped in groupby(found, lambda line: (line.row.game, line.row.pays))
    ]


def foremost(house: Establishment) -> list[LeadLine]:
    """Of the whole house those that ever had most evidence, and any to speak of."""
    rows = list(
        LeadRow.objects.filter(establishment=house, highest__gte=messages.LITTLE).order_by(
            "-highest", "kind", "name", "game", "leader"
        )[:FOREMOST]
    )
    if not rows:
        return []
    whole = LeadRow.objects.filter(
        establishment=house, leader=ALL, name__in={row.name for row in rows}
    )
    found = _lines(house, rows, {_of(row): row for row in whole}, named=True)
    return [line for line in found if line.compared]


def _lines(
    house: Establishment,
    rows: Sequence[LeadRow],
    whole: Mapping[tuple[str, str, str, bool, str], LeadRow],
    *,
    named: bool = False,
) -> list[LeadLine]:
    asked = LeadRow.objects.filter(establishment=house).exclude(leader__in=WORDS - TESTED).count()
    bound = log10(max(asked, 1) * house.alarms_one_in)
    whose: set[Who] = {(Kind.PLAYER.value, row.leader) for row in rows if row.leader not in WORDS}
    if named:
        whose |= {(row.kind, row.name) for row in rows}
    titles = titled(house, whose)
    return [
        LeadLine(
            row=row,
            title=_situation(row, titles.get((Kind.PLAYER.value, row.leader), "")),
            here=(here := Seen(row.chances, row.no_throws)),
            elsewhere=_seen(whole[row.kind, row.name, row.game, row.pays, ALL]) - here,
            compared=row.leader not in WORDS - TESTED,
            stands_out=row.highest >= bound,
            whose=titles.get((row.kind, row.name), ""),
            address=address(row.kind, row.name),
        )
        for row in rows
    ]


def _seen(row: LeadRow) -> Seen:
    return Seen(row.chances, row.no_throws)


def _of(row: LeadRow) -> tuple[str, str, str, bool, str]:
    return row.kind, row.name, row.game, row.pays, row.leader


def _place(row: LeadRow) -> tuple[int, int, int]:
    word = ORDER.index(row.leader) if row.leader in WORDS else len(ORDER)
    return word, -row.no_throws, -row.chances


def _situation(row: LeadRow, name: str) -> str:
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
            told = _("of these: %(name)s stood to pay") if row.pays else _("of these: %(name)s led")
            return told % {"name": name}


def _power(lines: Iterable[LeadLine], alpha: float) -> str:
    """What so many throws could have shown of the situation in which somebody else leads."""
    line = next((each for each in lines if each.row.leader == BEHIND), None)
    if line is None:
        return _("Nobody else has led before a throw so far: nothing can be compared yet.")
    both = line.here + line.elsewhere
    if not both.happened:
        return _("Without any no-throw nothing can be compared yet.")
    times = shown(int(line.here.chances), int(line.elsewhere.chances), round(both.rate, 4), alpha)
    pays = line.row.pays
    said = {
        "throws": number(int(both.chances)),
        "here": number(int(line.here.chances)),
        "when": _("while somebody else stood to pay") if pays else _("while somebody else led"),
        "no_throws": number(int(both.happened)),
    }
    if times is None:
        return (
            _(
                "%(throws)s throws, %(here)s of them %(when)s; no-throws: %(no_throws)s. So few"
                " could not show anything, however often they came then."
            )
            % said
        )
    return _(
        "%(throws)s throws, %(here)s of them %(when)s; no-throws: %(no_throws)s. %(times)s times as"
        " many then would show, more often than not; less hides in chance, and of one player alone"
        " it takes more."
    ) % {**said, "times": decimal(times, 1)}


@lru_cache(maxsize=1024)
def shown(here: int, elsewhere: int, rate: float, alpha: float) -> float | None:
    return times_shown(here, elsewhere, rate, alpha)
