"""
A small chain for the demo: the demo house and some more, with people who work for the chain.

The other houses are small and young: two tables, and the games of one evening, recorded from
transcripts through the same operations as any other game. Everybody has the demo's password.
"""

from __future__ import annotations

from datetime import time
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone

from casino.chain import operations, summaries
from casino.chain.models import Chain, ChainRole
from casino.demo import house as demo_house
from casino.demo import past
from casino.demo.house import furnish
from casino.engine.processes.paths import TRANSCRIPTS
from casino.house.acts import changes
from casino.house.attendants.models import Attendant, Role
from casino.house.establishments.models import Establishment
from casino.play.core.management.commands.replay import recording
from casino.play.core.queries import games_open
from casino.settings.staff.operations import employ
from casino.settings.staff.sign_in.demo_staff import CHAIN, NAME, NAME_ALONGSIDE, PASSWORD
from games.transcripts import carry_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PEOPLE: Final = (
    ("vera", "Vera", "Lindqvist", ChainRole.MANAGER),
    ("nils", "Nils", "Amadi", ChainRole.MANAGER),
    ("udo", "Udo", "Ferrer", ChainRole.AUDITOR),
)
HOUSES: Final = (
    ("The Six Lamps", "Europe/Rome", "", "r"),
    ("The Landing", "Europe/Lisbon", "EUR", "€"),
    ("Quay Nine", "Europe/London", "GBP", "£"),
    ("The Tall Reed", "Europe/Rome", "", "r"),
    ("Bridge Street", "Europe/Lisbon", "EUR", "€"),
    ("The Ferryman", "America/New_York", "USD", "$"),
    ("The Dry Dock", "Europe/Rome", "", "r"),
)
"""The name, time zone and currency of each further house; after the last they begin anew."""
WORKING: Final = (("mira", Role.ATTENDANT), ("sela", Role.SUPERVISOR), ("orso", Role.MANAGER))
TABLES: Final = ("Table 1", "Table 2")
SECOND: Final = ("approve", "reject", "witness", "resolve", "handover")
GAMES: Final = 3  # played at each further house


def make_chain(houses: int, *, say: Callable[[str], object]) -> Chain:
    """
    Make the demo's chain with so many houses, the demo house among them; what is there stays.

    :param houses: 2 or more.
    """
    now = timezone.now()
    chain = Chain.objects.filter(name=CHAIN).first() or operations.create_chain(
        name=CHAIN, time_zone="Europe/Rome", now=now
    )
    for username, first_name, last_name, role in PEOPLE:
        person = Attendant.objects.filter(username=username).first()
        if person is None:
            person = Attendant.objects.create_user(
                username=username, password=PASSWORD, first_name=first_name, last_name=last_name
            )
        operations.appoint(chain, person, role, now=now)
    for house in islice(_houses(say), houses):
        if not hasattr(house, "chain_house"):
            operations.join(chain, house, reason="Of one family.", now=now)
        summaries.refresh(house.pk)
    return chain


def _houses(say: Callable[[str], object]) -> Iterator[Establishment]:
    """The demo house, then the others, each made when it is asked for."""
    yield Establishment.objects.get(name__in=(NAME, NAME_ALONGSIDE))
    number = 0
    while True:
        name, zone, code, symbol = HOUSES[number % len(HOUSES)]
        if number >= len(HOUSES):
            name = f"{name} {number // len(HOUSES) + 1}"
        house = Establishment.objects.filter(name=name).first()
        if house is None:
            house = _house(name, zone, code, symbol)
            _play(house, number)
            past.catch_up(house.pk)
            say(f"{name} stands.")
        yield house
        number += 1


def _house(name: str, zone: str, code: str, symbol: str) -> Establishment:
    with transaction.atomic():
        house = Establishment(
            name=name, time_zone=zone, day_cutoff=time(6), publishes_rules=False,
            currency_code=code, currency=code or "rod", currency_symbol=symbol,
            coin_digits=2 if code else 0,
        )  # fmt: skip
        changes.create(house, establishment=house, by=None)
        for username, role in WORKING:
            person = Attendant.objects.get(username=username)
            employ(establishment=house, attendant=person, role=role, by=None)
        furnish(house, TABLES)
        demo_house.fund_house(house)
    return house


def _play(house: Establishment, number: int) -> None:
    """Record some transcripts at the first table, others at each house."""
    attendant = Attendant.objects.get(username="mira")
    table = house.tables.select_related("establishment").get(name=TABLES[0])
    for file in _transcripts(number):
        lines = list(enumerate(file.read_text(encoding="utf-8").splitlines(), 1))
        played = recording(attendant, table)
        carry_on(played, lines, strict=False)
        if games_open(house.pk, [table.pk]):
            return  # a game that its transcript leaves open goes on


def _transcripts(number: int) -> list[Path]:
    kinds = sorted(folder for folder in TRANSCRIPTS.iterdir() if folder.is_dir())
    files = [
        [each for each in sorted(folder.glob("*.jsonl")) if not _takes_two(each)]
        for folder in kinds
    ]
    every = [each for group in zip(*files, strict=False) for each in group]
    return [every[(number * GAMES + each) % len(every)] for each in range(GAMES)]


def _takes_two(file: Path) -> bool:
    """Whether somebody else than the attendant has to act in a transcript."""
    written = file.read_text(encoding="utf-8")
    return any(f'"{do}"' in written for do in SECOND)
