"""
The people of the demo house and their password; how far it is made, and whether it plays.

A module of its own, apart from `casino.demo`, because every start of the program prints them, and
pages below `casino.demo` say how far it is.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from casino.house.attendants.models import Attendant, Role
from casino.house.establishments.models import Establishment

NAME = "The Two Herons"
PASSWORD = "opal-river-8"  # noqa: S105 - the demo's, printed at every start
COMING = threading.Event()
"""Set while this process makes the demo house; it serves pages already."""


@dataclass(slots=True)
class Past:
    """
    How far the demo's past has come in, in this process.

    :param entries: how many its ledger has; 0: none comes in. :param recorded: how many of them are
        in the ledger. :param shown: how many of them every screen shows.
    """

    entries: int = 0
    recorded: int = 0
    shown: int = 0

    @property
    def recorded_percent(self) -> int:
        return 100 * self.recorded // self.entries if self.entries else 100

    @property
    def shown_percent(self) -> int:
        return 100 * self.shown // self.entries if self.entries else 100


PAST = Past()


class SelfPlay:
    """
    Whether tables of the demo house play by themselves in this process.

    :ivar here: set while something plays them; cleared, nobody can make them play.
    :ivar wanted: cleared when somebody tells them to stop.
    """

    def __init__(self) -> None:
        self.here, self.wanted = threading.Event(), threading.Event()

    @property
    def state(self) -> str:
        """``playing``, ``stopped``, or "" where nothing could play."""
        if not self.here.is_set():
            return ""
        return "playing" if self.wanted.is_set() else "stopped"


SELF_PLAY = SelfPlay()


@dataclass(frozen=True, slots=True)
class Person:
    username: str
    first_name: str
    last_name: str
    role: Role


STAFF = (
    Person("mira", "Mira", "Solano", Role.ATTENDANT),
    Person("tomas", "Tomas", "Brandt", Role.ATTENDANT),
    Person("sela", "Sela", "Okoye", Role.SUPERVISOR),
    Person("orso", "Orso", "Marchetti", Role.MANAGER),
    Person("ines", "Ines", "Duarte", Role.AUDITOR),
)


NAME_ALONGSIDE = f"{NAME} (demo)"
"""The name of the demo house if there are other houses."""


CHAIN = "Herons and Lamps"
"""The name of the demo's chain, if one was asked for."""


def exists() -> bool:
    return Establishment.objects.filter(name__in=(NAME, NAME_ALONGSIDE)).exists()


def that_anybody_may_be() -> list[str]:
    """The user names of demo people whose password is still the one that every start prints."""
    people = Attendant.objects.filter(
        username__in=[person.username for person in STAFF], is_active=True
    )
    return sorted(each.username for each in people if each.check_password(PASSWORD))


def is_demo(house: Establishment) -> bool:
    return house.name in (NAME, NAME_ALONGSIDE)
