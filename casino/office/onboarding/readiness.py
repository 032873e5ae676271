"""What a new house can play: the games for which it has dice, and what the first game waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.house.acts import custody
from casino.house.attendants.models import Employment
from casino.house.establishments import table_names
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.play.dice.models import DiceSet, State
from casino.words.presenters import TITLES
from casino.words.presenters.registered import OPENINGS, forms_of_games

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment, Table
    from games.game import DiceNeeded

COUNTERS = 2  # people who count a float (B1)


@dataclass(frozen=True, slots=True)
class Playable:
    """
    A game and the dice that it is played with.

    :param dice: what has to lie in a box, in words. :param there: whether the house has such a box.
    :param free: whether it may be played without money.
    """

    id: str
    title: _StrPromise | str
    dice: str
    there: bool
    free: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """
    Whether a first game can be opened at a house, and what for.

    :param table: the first table of the house; None: it has none.
    :param games: the games that the house plays, by published rules or without.
    :param no_money: why the table takes no money yet, in a sentence; "": it does.
    :param people: how many work at the house.
    """

    table: Table | None
    games: Sequence[Playable]
    no_money: str
    people: int

    @property
    def playable(self) -> list[Playable]:
        return [each for each in self.games if each.there]

    @property
    def opened(self) -> list[Playable]:
        """The games that "Open the game" opens now: without money where none may be played."""
        return [each for each in self.playable if each.free or not self.no_money]

    @property
    def without_dice(self) -> list[Playable]:
        return [each for each in self.games if not each.there]

    @property
    def opens(self) -> bool:
        """Whether a game can be opened now."""
        return self.table is not None and bool(self.opened)

    @property
    def counts_alone(self) -> bool:
        """Whether there is nobody who could count a float for the second time."""
        return bool(self.no_money) and self.people < COUNTERS


def ready(house: Establishment, now: datetime) -> Ready:
    tables = table_names.in_list_order(house.tables.filter(in_use=True))
    table = tables[0] if tables else None
    rules = house_rules.all_in_force(house, now)
    played = house_rules.games_offered(house, now)
    people = Employment.objects.filter(establishment=house, until__isnull=True).count()
    return Ready(
        table=table,
        games=playable(
            house, [each.game for each in forms_of_games() if each.game in played], rules
        ),
        no_money=custody.why_no_money(house, table) if table else "",
        people=people,
    )


def playable(
    house: Establishment, games: Sequence[str], rules: dict[str, HouseRules] | None = None
) -> list[Playable]:
    """
    Games with their dice, as the house's rules ask for them.

    :param rules: those in force, by game; a game without any is played by its usual ones.
    """
    issued = DiceSet.objects.filter(establishment=house, state=State.ISSUED)
    boxes = list(issued.values_list("sides", "count").distinct())
    found = []
    for game in games:
        needed = house_rules.dice_needed((rules or {}).get(game) or HouseRules(game=game))
        there = any(sides == needed.sides and count >= needed.count for sides, count in boxes)
        free = any(not choice.paid for each in OPENINGS[game].options for choice in each.choices)
        found.append(Playable(game, TITLES[game], in_words(needed), there, free))
    return found


def in_words(needed: DiceNeeded) -> str:
    """The dice in a box: "three dice of 8 sides"."""
    if needed.sides is None:
        return _("one die of each size: 4, 6, 8, 10 and 12 sides")
    return _("%(count)s dice of %(sides)s sides") % {"count": needed.count, "sides": needed.sides}
