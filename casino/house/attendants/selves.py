"""
One person with two sign-ins: what a house can know of it, and that it makes no second person (C1).

A house knows that two sign-ins are one person if both are linked to the same player, now or when
they left. At any time only one employee is linked to a player (`one_employee_of_a_player`), but
somebody may come back under another name. Two sign-ins that no player links count as two people;
the sign-in log shows which names were used on one device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.attendants.models import Employment
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from ledger.journal import NewEvent


class OtherSelf(Refused):
    code = "own_request"


def of(establishment: UUID, attendant: str) -> set[str]:
    """The ids under which a person works or worked at a house, as far as it knows."""
    try:
        person = UUID(attendant)
    except ValueError:  # a program, not a person
        return {attendant}
    here = Employment.objects.filter(establishment=establishment).order_by()
    players = here.filter(attendant=person).exclude(player="").values("player")
    found = here.filter(player__in=players).values_list("attendant_id", flat=True)
    return {attendant, *map(str, found)}


def same_person(houses: QuerySet[Any], one: UUID, other: UUID) -> bool:
    """Whether two sign-ins are one person, as far as one of these houses knows."""
    if one == other:
        return True
    jobs = Employment.objects.filter(establishment__in=houses).exclude(player="").order_by()
    players = [
        set(jobs.filter(attendant=each).values_list("establishment", "player"))
        for each in (one, other)
    ]
    return not players[0].isdisjoint(players[1])


def check_other_person(establishment: UUID, events: Iterable[NewEvent]) -> None:
    """
    Check, before events are recorded, that the second person is really another person.

    That the two sign-ins differ is checked elsewhere, by the rules and the ledger.

    :raises OtherSelf: if the requester, or somebody who is paid, is the second person under another
        name.
    """
    for event in events:
        second = event.data.get("approved_by") or event.data.get("reviewed_by")
        requester = event.data.get("asked_by")
        if not (isinstance(second, str) and isinstance(requester, str)):
            continue
        beneficiaries = event.data.get("beneficiaries")
        paid = beneficiaries if isinstance(beneficiaries, list) else []
        first = {requester, *map(str, paid)} - {second}
        if first & of(establishment, second):
            raise OtherSelf(
                "Who asked for this, or is paid, is the same player here as you are: somebody else"
                " decides. C1, D1b"
            )
