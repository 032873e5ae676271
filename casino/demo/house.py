"""Makes the demo house: its people, tables, dice, home throw and cash."""

from __future__ import annotations

import uuid
from datetime import time
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from casino.house.acts import accounts, acts, changes, custody
from casino.house.attendants.assurance import at_console
from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment, Table
from casino.house.home_throws.operations import set_home_throw
from casino.money.cash import counting
from casino.play.dice.models import DiceSet
from casino.settings.staff.operations import employ
from casino.settings.staff.sign_in.demo_staff import (
    NAME,
    NAME_ALONGSIDE,
    PASSWORD,
    STAFF,
    Person,
    exists,
)
from casino.words.presenters import registered
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.words.presenters.registration import DiceKind

__all__ = ["NAME", "PASSWORD", "STAFF", "Person", "exists", "make", "make_house"]

TABLES = ("Table 1", "Table 2", "Table 3", "Garden", "Loft")
COLOURS = ("ivory", "river green", "ink", "brick", "amber")
MAKING = 0x6465_6D6F  # "demo": the advisory lock under which one process makes the house
STORY = "The landing, the bridge and the six lamps between: the way home from the river."


class NotAlone(Exception):  # noqa: N818 - a fact
    """There is a real house in this installation; the message is its name."""


def make_house(*, alongside: bool = False) -> bool:
    """
    Make the demo house unless it exists; returns whether it was made by this call.

    :param alongside: make it even if there are other houses, under a name that distinguishes it.
    :raises NotAlone: if there are other houses and `alongside` is False.

    If two processes begin at the same moment, the second uses the house of the first.
    """
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                # Rows of several servers (Citus) would be locked crosswise, and one side cancelled.
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [MAKING])
            if exists():
                return False
            make(name_here(alongside=alongside))
    except (IntegrityError, ValidationError):
        if not exists():
            raise
        return False
    return True


def name_here(*, alongside: bool) -> str:
    """
    The name of a demo house that is made now: another one if there are other houses.

    :raises NotAlone: if there are other houses and `alongside` is False.
    """
    ours = Establishment.objects.exclude(name__in=(NAME, NAME_ALONGSIDE))
    others = list(ours.values_list("name", flat=True)[:1])
    if others and not alongside:
        raise NotAlone(others[0])
    return NAME_ALONGSIDE if others else NAME


def make(name: str = NAME) -> Establishment:
    """Make the demo house, whole or not at all, with a counted float at each table."""
    with transaction.atomic():
        house = Establishment(
            name=name,
            currency="rod",
            currency_symbol="r",
            time_zone="Europe/Rome",
            day_cutoff=time(6),
            publishes_rules=False,  # the written games are played before rules are published
        )
        changes.create(house, establishment=house, by=None)
        for person in STAFF:
            _hire(person, house)
        furnish(house, TABLES)
        set_home_throw(
            establishment=house,
            faces=(1, 3, 6),
            effective_from=timezone.now(),
            story=STORY,
            by=at_console(Attendant.objects.get(username="orso")),
        )
        fund_house(house)
        hang_boards(house)
    return house


def hang_boards(house: Establishment) -> None:
    """Switch on all wall boards of the house, with players' names, and its guests' page."""
    with transaction.atomic():
        house.wall = house.wall_names = house.guests = True
        changes.change(house, establishment=house, by=None)
        for table in house.tables.filter(in_use=True, wall=False):
            table.wall = True
            changes.change(table, establishment=house, by=None)


def furnish(house: Establishment, tables: Sequence[str]) -> None:
    """Add tables, and as many dice sets of each kind."""
    for table in tables:
        changes.create(Table(establishment=house, name=table), establishment=house, by=None)
    for kind in registered.dice_kinds():
        _fill(house, kind, len(tables))


def _fill(house: Establishment, kind: DiceKind, many: int = len(TABLES)) -> None:
    for number, colour in enumerate(COLOURS[:many], start=1):
        dice = DiceSet(
            establishment=house,
            number=f"{kind.letter}-{number:02}",
            sides=kind.sides,
            count=kind.count,
            colour=kind.colours or colour,
        )
        changes.create(dice, establishment=house, by=None)


def _hire(person: Person, house: Establishment) -> None:
    attendant = Attendant.objects.create_user(
        username=person.username,
        password=PASSWORD,
        first_name=person.first_name,
        last_name=person.last_name,
    )
    employ(establishment=house, attendant=attendant, role=person.role, by=None)


# --- Cash: coins in the cage, and a counted float at each table -----------------------------------


CAPITAL = 10_000
FLOAT = {"100": 6, "25": 8, "5": 30, "1": 50}  # 1,000 in all
COUNTERS = ("mira", "sela")
STREAM = "founding"


def fund_house(house: Establishment) -> None:
    """Book the house's capital into its cage, and a float, counted by two people, to each table."""
    acts.perform(_act(house, None), lambda: _capital(house))
    count_floats(house)


def count_floats(house: Establishment) -> None:
    """Bring a float, counted by two people, from the cage to each table."""
    for table in house.tables.filter(in_use=True):
        _open_table(house, table)


def _capital(house: Establishment) -> acts.Done:
    event = journal.NewEvent(
        stream=STREAM, event_type="house.founded", schema_version=1, data={"amount": CAPITAL}
    )
    capital = journal.NewTransfer(
        debit=custody.cage(), credit=accounts.bank(), amount=CAPITAL, reason="capital", event=0
    )
    seen = journal.versions(establishment=house.pk, streams=[STREAM])
    return acts.Done(guards=seen, events=[event], transfers=[capital])


def _open_table(house: Establishment, table: Table) -> None:
    for username in COUNTERS:
        person = Attendant.objects.get(username=username)
        counting.count(_act(house, person), table=table, purpose="open", sheet=FLOAT)


def _act(house: Establishment, by: Attendant | None) -> acts.Act:
    return acts.Act(
        house=house,
        by=by,
        device="demo",
        now=timezone.now(),
        command_id=uuid.uuid4(),
        request={"do": "found"},
    )
