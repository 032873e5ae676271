"""Who works at the demo house, and how they sign in. Apart from the house: each start says it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from casino.attendants.models import Role
from casino.establishments.models import Establishment

NAME = "The Two Herons"
PASSWORD = "opal-river-8"  # noqa: S105 - the demo's, printed at every start
COMING = threading.Event()
"""Set while this process, which serves pages already, writes the demo house."""


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


def exists() -> bool:
    return Establishment.objects.filter(name=NAME).exists()
