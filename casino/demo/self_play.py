"""
Tables of the demo house that play by themselves, at the pace of people, while somebody looks.

They play over HTTP, as any program would. Two tables are left to whoever tries the house.
"""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from casino.demo.client import Unanswered
from casino.demo.play import Evening, GameSession, House, by_the_rules, plays_for_points
from casino.house.establishments.models import Establishment
from casino.kit.web.pages import office
from casino.settings.staff.sign_in.demo_staff import CHAIN, NAME, NAME_ALONGSIDE, SELF_PLAY

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from django.http import HttpResponse

    from casino.kit.web.pages import Page

log = logging.getLogger(__name__)

AT: Final = frozenset({"Table 1", "Table 3", "Loft"})
"""The names of the tables that play by themselves."""
PACE: Final = (1.5, 4.5)  # seconds from one act to the next, at whichever table
LOOKS_AGAIN: Final = 1.0  # seconds after which it is asked again whether somebody looks
PATIENCE: Final = 10  # acts in a row that may fail before it is given up


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlay:
    """
    :param address: where the house runs.
    :param looks: whether somebody has a page of it open.
    :param closing: set when the program ends.
    """

    address: str
    looks: Callable[[], bool]
    closing: Event

    def first_games(self) -> None:
        """Play each game once, so that today has something to show."""
        try:
            for _game in by_the_rules(self._house()):
                if self.closing.is_set():
                    return
        except Unanswered as reason:
            if not self.closing.is_set():
                log.warning("Today's first games were not played to the end: %s", reason)

    def _house(self) -> House:
        """
        The demo house, of which somebody at a slow machine may have to wait for the first answer.

        :raises Unanswered: if it does not answer, try after try.
        """
        for _try in range(PATIENCE):
            try:
                return House(self.address, at=AT)
            except Unanswered:
                if self.closing.wait(LOOKS_AGAIN):
                    break
        return House(self.address, at=AT)

    def run(self) -> None:
        """
        Play until the program ends, and pause whenever nobody looks or somebody said stop.

        If act after act fails, such as when the demo's people have other passwords by now, the
        log says why, and nothing plays any more.
        """
        SELF_PLAY.wanted.set()
        SELF_PLAY.here.set()
        try:
            self._play()
        except Unanswered as reason:
            if not self.closing.is_set():
                log.warning("The demo's tables do not play by themselves any more: %s", reason)
        finally:
            SELF_PLAY.here.clear()

    def _play(self) -> None:
        chance = random.Random()  # noqa: S311 - dice of a demo
        evening: Evening | None = None
        failed = 0
        while not self.closing.is_set():
            if not (SELF_PLAY.wanted.is_set() and self.looks() and alone()):
                self.closing.wait(LOOKS_AGAIN)
                continue
            try:
                evening = evening or going_on(House(self.address, at=AT), chance)
                evening.act()
                failed = 0
            except Unanswered:
                failed, evening = failed + 1, None  # somebody may have closed what it played
                if failed > PATIENCE:
                    raise
            self.closing.wait(chance.uniform(*PACE))


def going_on(house: House, chance: random.Random) -> Evening:
    """An evening that goes on with the games which run at its tables."""
    evening = Evening(house, chance, lambda _line: None)
    for table in house.tables():
        if table["game"] is not None:
            client = chance.choice(house.attendants)
            points = plays_for_points(client.get(f"games/{table['game']}/"))
            evening.sessions.append(GameSession(client, table["game"], table["id"], points))
    return evening


def alone() -> bool:
    """Whether there is no house but the demo's; beside somebody's own nothing plays by itself."""
    others = Establishment.objects.exclude(name__in=(NAME, NAME_ALONGSIDE))
    return not others.exclude(chain_house__chain__name=CHAIN).exists()


# --- The page that stops them, or lets them go on -------------------------------------------------


@require_POST
@office("record", section="today")
def play_or_stop(page: Page) -> HttpResponse:
    """
    Stop the tables, or let them play on: `do` is ``stop`` or ``play``.

    It is no act of the house: nothing is recorded, and the next start begins anew.
    """
    if page.request.POST.get("do") == "play":
        SELF_PLAY.wanted.set()
        return page.done(_("They play on while somebody looks."), "start")
    SELF_PLAY.wanted.clear()
    return page.done(_("They have stopped. The next start of the program lets them play."), "start")
