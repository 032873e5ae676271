"""People who are taken on at a house, as its pages have them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.utils import timezone

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import Establishment
from casino.kit.approvals import operations as approvals
from casino.settings.staff import appointments, operations
from ledger import journal
from tests.support import builders, playing

if TYPE_CHECKING:
    from tests.support.builders import House

WEDNESDAY = "six-lamps-on-a-bridge"


def at(who: Attendant) -> Client:
    client = Client()
    client.force_login(who)
    return client


def employment(house: House, who: Attendant) -> Employment:
    return Employment.objects.get(establishment=house.id, attendant=who, until__isnull=True)


def page_of(house: House, who: Attendant) -> str:
    return f"/people/{employment(house, who).pk}/"


def told(do: str, **fields: str) -> dict[str, str]:
    """One of the forms on a person's page, filled in."""
    named = {f"{do}-{name}": value for name, value in fields.items()}
    return {"do": do, f"{do}-command_id": playing.new_id(), **named}


def last_event(house: House, kind: str) -> Any:
    event = journal.last(establishment=house.id, stream=f"record/{kind}")
    assert event is not None
    return event


def plays_as(house: House, who: Attendant, name: str) -> None:
    [token] = pseudonyms.player_tokens(house.id, [name], new=True).values()
    operations.link_player(employment=employment(house, who), player=token, by=house.manager)


def where_two_configure() -> House:
    made = builders.house()
    Establishment.objects.filter(pk=made.id).update(two_configure=True)
    made.establishment.refresh_from_db()
    return made


def act(house: House, by: Attendant | None = None) -> acts.Act:
    """Now, and not at some table's hour: employments begin now, too."""
    return acts.Act(
        house=house.establishment,
        by=by or house.manager,
        device="office",
        now=timezone.now(),
        command_id=uuid.uuid4(),
        request={},
    )


def role_of(house: House, who: Attendant) -> str:
    return permissions.roles(who).get(house.id, "")


def asked(house: House, who: Attendant, role: Role, by: Attendant | None = None) -> uuid.UUID:
    request = appointments.change_role(
        act(house, by), employment=employment(house, who), role=role, reason="Passed the exam."
    )
    assert request is not None
    return request


def answered(house: House, request: uuid.UUID, by: Attendant, *, approve: bool = True) -> None:
    approvals.decide(act(house, by), request, approve=approve, reason="Seen.")


def records(house: House, kind: str) -> list[Any]:
    return journal.stream(establishment=house.id, stream=f"record/{kind}")


def newcomer(**more: str) -> dict[str, str]:
    return {
        "username": "nell",
        "first_name": "Nell",
        "last_name": "Ferro",
        "password": WEDNESDAY,
        "again": WEDNESDAY,
        **more,
    }
