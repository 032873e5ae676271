"""
A house whose pages have the most to show: long names, forty tables, twelve players, nine digits.

`house` makes it where it is called: in a test, or in a database of its own to look at
(docs/how-to/testing.md).
"""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from casino.house.attendants.models import Role
from tests.support import builders
from tests.support.playing import ask_open, done, opened, opening, settled, thrown

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House

HOUSE: Final = "The Gambling House of the Reverend Brothers Featherstonehaugh"
TABLES: Final = 40
LONG_TABLE: Final = "Table of the Wolfeschlegelsteinhausens"
PLAYERS: Final = (
    "Wilhelmina Maximiliana Featherstonehaugh-Wolfeschlegelsteinha",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenempfän",
    "Anastasia Konstantinopoulou-Papadopoulou of Thessaloniki West",
    "Bo", "Cy", "Ev", "Bartholomew Featherstonehaugh", "Ida", "Theodora van der Berg", "Li",
    "Maximiliano", "Jo",
)  # fmt: skip
STAKE: Final = 123_456_789
EVENTS: Final = 600
PASSWORD: Final = "opal-river-8"


def house(*, tables: int = TABLES, events: int = EVENTS) -> House:
    """The house, with a long game, a running one of twelve, a dispute and requests; now."""
    made = builders.house(tables=tables - 1, dice_sets=tables, name=HOUSE, two_configure=False)
    made.tables.append(builders.table(made.establishment, name=LONG_TABLE))
    people = dict(made.people)
    people[Role.ATTENDANT].first_name = "Wilhelmina Maximiliana"
    people[Role.ATTENDANT].last_name = "Featherstonehaugh-Wolfeschlegelsteinha"
    for role, person in people.items():
        person.username = f"wide-{role}"
        person.set_password(PASSWORD)
        person.save()
    long_game(made, events)
    of_twelve(made)
    for table in made.tables[2:-1]:
        opened(made, table=table, now=timezone.now(), stake=STAKE, players=list(PLAYERS[:2]))
    settled(made)
    return made


def long_game(at: House, events: int) -> UUID:
    """A game of so many events at the table with the long name; a dispute, and a void asked for."""
    now = timezone.now()
    names = list(PLAYERS[:2])
    game = opened(at, table=at.tables[-1], now=now, stake=STAKE, players=names)
    throws = cycle(((2, 2, 7), (2, 2, 4)))
    for player, dice in islice(zip(cycle(names), throws, strict=False), events * 2 // 3 + 1):
        thrown(at, game, player, dice, now=now)
    done(at, game, "dispute", round=1, reason=f"{LONG_TABLE}: it was a one.", now=now)
    done(at, game, "void", back_to=2, reason="Misheard.", now=now)
    return game


def of_twelve(at: House) -> UUID:
    """A game of twelve players with a pot of nine digits."""
    now = timezone.now()
    raw = opening(players=list(PLAYERS), stake=STAKE)
    game = ask_open(at, raw, table=at.tables[0], now=now).key.game
    for name in PLAYERS[:5]:
        thrown(at, game, name, (2, 2, 7), now=now)
    return game
