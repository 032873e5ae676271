"""The five weeks: which evening has which tables and games, and what else happens on it."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from casino.demo import house as demo
from casino.demo import play as demo_play
from casino.play.dice.surveillance.models import Alarm
from tests.past import dice, incidents
from tests.past.evening import Evening
from tests.past.floor import NO_DIE, Floor
from tests.past.founding import InProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from casino.house.establishments.models import Establishment
    from tests.past.pinned import Clock

FIRST: Final = date(2025, 9, 8)
DAYS: Final = 35
BEGINS: Final = datetime(2025, 9, 8, 10, tzinfo=UTC)
GAMES: Final = ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
"""Each is played at least every second evening."""
LOADED_ON: Final = range(14, 21)
"""The evenings on which a set with a loaded die is on the floor."""
AGAIN_ON: Final = range(31, DAYS)
"""The last evenings, with another such set: nobody has looked at its alarm yet."""


def play(clock: Clock, *, days: int = DAYS, say: Callable[[str], object] = print) -> Establishment:
    """Make the demo house, and play its evenings."""
    chance = random.Random(1)  # noqa: S311 - dice of a demo
    house = demo.make()
    floor = Floor(house, clock, chance)
    clock.passes(hours=1)
    manager = InProcess(floor.person("orso"))
    for _ in demo_play.publish_rules(manager, house.pk):
        clock.passes(minutes=4)
    floor.keeps_seasons("until", FIRST + timedelta(days=days - 1))
    floor.catches_up()
    for number in range(days):
        evening = _evening(floor, number)
        evening.plays()
        if number == days - 2:  # from the next season on: these weeks are one
            floor.keeps_seasons("week")
        alarms = Alarm.objects.filter(establishment=house, open=True)
        say(f"{evening.day}: {floor.head()} events; open alarms: {[*map(str, alarms)]}")
    return house


def _evening(floor: Floor, number: int) -> Evening:
    tables = list(floor.house.tables.filter(in_use=True).order_by("name"))
    busy = floor.chance.random() < 1 / 3
    games = list(GAMES)
    floor.chance.shuffle(games)
    games = games[: 4 if busy else 3]
    loaded = _loaded(number)
    if loaded:
        games = ["stone-hand", *[each for each in games if each != "stone-hand"], "stone-hand"]
    floor.loaded = (str(dice.named(floor, loaded).pk), dice.SHARE[loaded]) if loaded else NO_DIE
    return Evening(
        floor,
        FIRST + timedelta(days=number),
        tables=tables if number == 0 else floor.chance.sample(tables, 3 if busy else 2),
        games=games,
        before=incidents.BEFORE.get(number, ()),
        amid=incidents.ON.get(number, ()),
    )


def _loaded(number: int) -> str:
    """The number of the dice set of which one die is loaded on an evening; "" if none is."""
    if number in LOADED_ON:
        return dice.LOADED_SET
    return dice.OTHER_SET if number in AGAIN_ON else ""
