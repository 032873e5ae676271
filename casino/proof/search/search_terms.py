"""Reads words typed into the search box: a receipt, a position, an id, an address, a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from uuid import UUID

from django.db.models import Q

from casino.house.attendants.models import Attendant
from casino.house.pseudonyms import tokens

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment

Means = Literal["event", "payout", "table", "player", "attendant"]

# With or without a #; thousands together, or separated by any usual mark.
POSITION: Final = re.compile(r"#?\s*([0-9]{1,15}|[0-9]{1,3}(?:[.,'\u2019\s][0-9]{3}){1,4})")
# As in a receipt's code and in the address of its page.
CHECKED: Final = re.compile(r"/ledger/[0-9a-f-]{36}/([0-9]{1,15})/[0-9a-f]{64}", re.IGNORECASE)
PRINTED: Final = re.compile(
    r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/([0-9]{1,9})\.[0-9]{1,4}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """
    One thing that the typed words may mean.

    :param value: a position, an id, ``<game>/<event>``, a token, or a table's or person's id.
    :param called: the thing as people read it.
    """

    means: Means
    value: str
    called: str


def read(house: Establishment, words: str) -> list[Reading]:
    """All that the words may mean at a house, the most likely first; empty if nothing is known."""
    words = words.strip()
    if not words:
        return []
    if named := read_number(words):
        return [named]
    return [*_tables(house, words), *_players(house, words), *_people(house, words)]


def read_number(words: str) -> Reading | None:
    """A position, a receipt or an id; None if the words are none of these."""
    words = words.strip()
    if found := CHECKED.search(words) or POSITION.fullmatch(words):
        position = re.sub(r"[^0-9]", "", found[1])
        return Reading("event", str(int(position)), f"#{int(position)}")
    if found := PRINTED.search(words):
        return Reading("payout", f"{found[1].lower()}/{found[2]}", words)
    try:
        return Reading("event", str(UUID(words)), words)
    except ValueError:
        return None


def _tables(house: Establishment, words: str) -> list[Reading]:
    found = house.tables.filter(name__iexact=words)
    return [Reading("table", str(table.pk), table.name) for table in found]


def _players(house: Establishment, words: str) -> list[Reading]:
    players = tokens.player_tokens(house.pk, [words], new=False)
    return [Reading("player", token, words) for token in players.values()]


def _people(house: Establishment, words: str) -> list[Reading]:
    """People with that name who work or have worked at the house."""
    employed = Attendant.objects.filter(employments__establishment=house)
    first, _space, rest = words.partition(" ")
    called = Q(username__iexact=words) | Q(first_name__iexact=first, last_name__iexact=rest)
    found = employed.filter(called).distinct().order_by("username")
    return [Reading("attendant", str(person.pk), str(person)) for person in found]
