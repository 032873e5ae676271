"""The demo house's cash: coins in the cage, and a counted float at each table."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.utils import timezone

from casino.house.acts import accounts, acts
from casino.house.acts.custody import boxes
from casino.house.attendants.models import Attendant
from casino.money.cash import counting
from ledger import journal

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment, Table

CAPITAL = 10_000
FLOAT = {"100": 6, "25": 8, "5": 30, "1": 50}  # 1,000 in all
COUNTERS = ("mira", "sela")
STREAM = "founding"


def fund(house: Establishment) -> None:
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
        debit=boxes.cage(), credit=accounts.bank(), amount=CAPITAL, reason="capital", event=0
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
