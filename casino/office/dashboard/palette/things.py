"""Things of the house that are found by words: tables, games, players, people who work there."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.floor.players import regulars
from casino.house.attendants.models import Employment
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import FIRST, Player
from casino.office.dashboard.palette.found import Found, fitting
from casino.play.core.models import GameCard
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from casino.house.establishments.models import Table
    from casino.kit.web.pages import Page
    from casino.office.dashboard.palette.found import Typed

EACH_MOST: Final = 6
"""How many of a kind are shown; whoever looks for others types another letter."""
TOKEN: Final = re.compile(tokens.PLAYER)


def tables(typed: Typed, known: Sequence[Table]) -> list[Found]:
    """The tables that fit, each with its cash page."""
    lines = [
        Found(kind="table", title=each.name, url=reverse("cash-table", args=[each.pk]),
              note=_("cash, shift and slips"), words=_("table"))
        for each in known
    ]  # fmt: skip
    return fitting(typed, lines)[:EACH_MOST]


def games(page: Page, typed: Typed) -> list[Found]:
    """Running games by the name of the game or the table, and the rounds of each kind of game."""
    if not typed:
        return []
    running = GameCard.objects.filter(establishment=page.house, status=GameCard.Status.OPEN)
    lines = [
        Found(
            kind="game",
            title=_("%(game)s at %(table)s") % {
                "game": TITLES.get(card.ruleset, card.ruleset), "table": card.table.name
            },
            url=reverse("floor-game", args=[card.game]),
            note=_("running, round %(round)s") % {"round": card.round},
            words=_("game running"),
        )
        for card in running.select_related("table")
    ]  # fmt: skip
    lines += [
        Found(
            kind="game",
            title=str(title),
            url=f"{reverse('games')}?{urlencode({'game': ruleset})}",
            note=_("its rounds"),
            words=_("game rounds"),
        )
        for ruleset, title in TITLES.items()
    ]
    return fitting(typed, lines)[:EACH_MOST]


def players(page: Page, typed: Typed) -> list[Found]:
    """
    Players whose name begins with what was typed, or the one with this token.

    A name that was erased is not found; its token is. Whoever may not open a player's page is led
    to the rounds of the player instead.
    """
    if TOKEN.fullmatch(typed.text):
        rows = Player.objects.filter(establishment=page.house, token=typed.text)
        found = [(row.token, row.name or "") for row in rows]
    elif len(typed.text) >= FIRST:
        found = regulars.names_beginning_with(page.house.pk, typed.text, EACH_MOST)
    else:
        found = []
    opens = page.may("approve") or page.may("audit")
    return [
        Found(kind="player", title=name or token, url=_of_player(token, name, opens=opens),
              note=_("rounds, money, exclusions") if opens else _("rounds"))
        for token, name in found
    ]  # fmt: skip


def _of_player(token: str, name: str, *, opens: bool) -> str:
    if opens:
        return reverse("player", args=[token])
    return f"{reverse('games')}?{urlencode({'player': name or token})}"


def people(page: Page, typed: Typed) -> list[Found]:
    """People who work here, by the beginning of any of their names."""
    if len(typed.text) < FIRST:
        return []
    rows = Employment.objects.filter(establishment=page.house, until__isnull=True)
    return list(islice(_people(page, typed, rows.select_related("attendant")), EACH_MOST))


def _people(page: Page, typed: Typed, rows: Iterable[Employment]) -> Iterator[Found]:
    for row in rows:
        person = row.attendant
        if typed.fits(f"{person} {person.username}"):
            if page.may("audit"):
                url, note = reverse("person", args=[row.pk]), str(row.get_role_display())
            else:
                query = urlencode({"attendant": str(person.pk)})
                url, note = f"{reverse('games')}?{query}", _("rounds that they recorded")
            yield Found(kind="person", title=str(person), url=url, note=note)
