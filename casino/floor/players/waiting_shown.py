"""The waiting list as screens show it: names, calls, and how long those before have waited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid4

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.floor.players import waiting
from casino.floor.players.models import Wait
from casino.floor.players.public_names import screen_names
from casino.house.establishments.gaming_day import current
from casino.house.house_rules import operations as house_rules
from casino.house.pseudonyms import tokens
from casino.play.exclusions import operations as exclusions
from casino.words.presenters import TITLES
from ledger.canonical import read_moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from casino.floor.players.waiting import Entry
    from casino.house.establishments.models import Establishment

LOOKED_AT: Final = 60  # waits that ended with a seat, the latest first
LATELY: Final = timedelta(days=28)
COMPARED: Final = 10
LEAST: Final = 5  # with fewer waits to compare with, nothing is said
SHARE: Final = 0.7
STEP: Final = 5  # minutes


@dataclass(frozen=True, slots=True)
class Estimate:
    """
    How long somebody waits who comes now, as others with about as many before them have waited.

    :param minutes: about so many; `within` of `of` people waited between `shortest` and `longest`.
    """

    minutes: int
    within: int
    of: int
    shortest: int
    longest: int

    @property
    def about(self) -> str:
        return ngettext("about %(minutes)s minute", "about %(minutes)s minutes", self.minutes) % {
            "minutes": self.minutes
        }

    @property
    def honesty(self) -> str:
        words = _("%(within)s of %(of)s waited between %(least)s and %(most)s minutes")
        return words % {
            "within": self.within, "of": self.of, "least": self.shortest, "most": self.longest,
        }  # fmt: skip


def estimate(waits: Sequence[tuple[int, float]], ahead: int) -> Estimate | None:
    """
    Compare with the ten waits whose beginning was most alike.

    :param waits: how many were ahead, and the minutes until the seat; the latest first.
    :returns: None if too few began alike.
    """
    near = [each for each in waits if abs(each[0] - ahead) <= max(1, ahead // 2)]
    near.sort(key=lambda each: abs(each[0] - ahead))  # the latest of those that are as near
    minutes = sorted(each for _ahead, each in near[:COMPARED])
    if len(minutes) < LEAST:
        return None
    many = ceil(SHARE * len(minutes))
    spans = [(minutes[at + many - 1] - first, at) for at, first in enumerate(minutes[: -many + 1])]
    _width, at = min(spans)
    least = int(minutes[at] // STEP) * STEP
    most = max(ceil(minutes[at + many - 1] / STEP) * STEP, least + STEP)
    return Estimate(
        minutes=max(round(median(minutes) / STEP) * STEP, STEP),
        within=sum(least <= each <= most for each in minutes),
        of=len(minutes),
        shortest=least,
        longest=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    Somebody who waits.

    :param name: for the house's people; `public` is for screens that anybody sees.
    :param minutes: for how long they wait.
    :param table: the name of the table that they were called to; "" if none.
    :param barred: whether they were excluded since: only the house's people see them, and only to
        take them off the list.
    """

    entry: Entry
    name: str
    public: str
    since: datetime
    minutes: int
    called_at: datetime | None
    table: str
    barred: bool

    @property
    def command_id(self) -> UUID:
        """A new one for each form about the place."""
        return uuid4()


@dataclass(frozen=True, slots=True)
class Line:
    """Who waits for one game, in order. :param offered: whether the house offers the game now."""

    game: str
    title: str
    offered: bool
    places: tuple[Place, ...]
    estimate: Estimate | None

    @property
    def called(self) -> list[Place]:
        return [each for each in self.places if each.called_at]

    @property
    def waiting(self) -> list[Place]:
        return [each for each in self.places if not each.called_at]

    @property
    def next(self) -> Place | None:
        """Who is to be called next."""
        return next((each for each in self.waiting if not each.barred), None)


def lines(house: Establishment, now: datetime, game: str = "") -> list[Line]:
    """Who waits, by game, in the order of the games; :param game: for this one alone."""
    entries = [each for each in waiting.standing(house.pk, now).entries if game in {"", each.game}]
    if not entries:
        return []
    players = {each.player for each in entries}
    names = tokens.names(house.pk, players)
    shown = screen_names(house, players)
    barred = {
        hit.named for hit in exclusions.hits(house.pk, players, current(house, now))[0]
    }  # fmt: skip
    called = {each.table for each in entries if each.table}
    tables = {str(pk): name for pk, name in _tables(house, called)} if called else {}
    played = house_rules.games_offered(house, now)
    by_game: dict[str, list[Place]] = {}
    for each in entries:
        since = read_moment(each.since)
        place = Place(
            entry=each,
            name=names.get(each.player, each.player),
            public=shown.get(each.player) or _("number %(number)s") % {"number": each.number},
            since=since,
            minutes=int((now - since).total_seconds() // 60),
            called_at=read_moment(each.called_at) if each.called_at else None,
            table=tables.get(each.table or "", ""),
            barred=each.player in barred,
        )
        by_game.setdefault(each.game, []).append(place)
    order = [*TITLES, *by_game]
    return [
        Line(
            game=each,
            title=str(TITLES.get(each, each)),
            offered=each in played,
            places=tuple(by_game[each]),
            estimate=estimate_for(house, each, now, len(by_game[each])),
        )
        for each in sorted(by_game, key=order.index)
    ]


def _tables(house: Establishment, called: set[str]) -> Sequence[tuple[object, str]]:
    return list(house.tables.filter(pk__in=called, in_use=True).values_list("pk", "name"))


def public_lines(house: Establishment, now: datetime, game: str = "") -> list[Line]:
    """The lines for screens that anybody sees: games on offer, without excluded players."""
    return [
        Line(each.game, each.title, each.offered, places, each.estimate)
        for each in lines(house, now, game)
        if each.offered and (places := tuple(one for one in each.places if not one.barred))
    ]


def estimate_for(house: Establishment, game: str, now: datetime, ahead: int) -> Estimate | None:
    """How long somebody waits for a game who comes when so many wait for it."""
    rows = Wait.objects.filter(
        establishment=house, game=game, end=Wait.End.SEATED, ended_at__gte=now - LATELY
    ).order_by("-ended_at")
    found = rows.values_list("ahead", "since", "ended_at")[:LOOKED_AT]
    waits = [
        (before, (ended - since).total_seconds() / 60) for before, since, ended in found if ended
    ]
    return estimate(waits, ahead)
