"""
The people of the demo house, and their password.

A module of its own, apart from `casino.demo`, because every start of the program prints them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from casino.attendants.models import Attendant, Role
from casino.establishments.models import Establishment

NAME = "The Two Herons"
PASSWORD = "opal-river-8"  # noqa: S105 - the demo's, printed at every start
COMING = threading.Event()
"""Set while this process makes the demo house; it serves pages already."""


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


def exists() -> bool:
    return Establishment.objects.filter(name__in=(NAME, NAME_ALONGSIDE)).exists()


def that_anybody_may_be() -> list[str]:
    """The user names of demo people whose password is still the one that every start prints."""
    people = Attendant.objects.filter(
        username__in=[person.username for person in STAFF], is_active=True
    )
    return sorted(each.username for each in people if each.check_password(PASSWORD))
