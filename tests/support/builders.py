"""
A house to test in: its people, tables and dice, and clients that speak for them.

Builds what does not matter to a test; what matters stands in the test.
"""

from __future__ import annotations

import itertools
import json
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib.auth.hashers import make_password
from knox.models import AuthToken
from rest_framework.test import APIClient

from casino.house.acts import changes
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.establishments.models import Establishment, Table
from casino.play.core.subscriptions import tasks
from casino.play.dice.models import DiceSet
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.subscriptions import Subscriber

NUMBERS = itertools.count(1)
GAMES = "/api/v1/games/"
PASSWORD = "three-stones-in-a-cup"

Body = dict[str, Any]


@dataclass(frozen=True)
class House:
    """A house with one person of each role, tables, and sets of three d8."""

    establishment: Establishment
    tables: list[Table]
    dice_sets: list[DiceSet]
    people: Mapping[Role, Attendant]
    clients: dict[Role, APIClient] = field(default_factory=dict)

    @property
    def id(self) -> uuid.UUID:
        return self.establishment.pk

    @property
    def table(self) -> Table:
        return self.tables[0]

    @property
    def dice(self) -> DiceSet:
        return self.dice_sets[0]

    @property
    def attendant(self) -> Attendant:
        return self.people[Role.ATTENDANT]

    @property
    def supervisor(self) -> Attendant:
        return self.people[Role.SUPERVISOR]

    @property
    def manager(self) -> Attendant:
        return self.people[Role.MANAGER]

    @property
    def auditor(self) -> Attendant:
        return self.people[Role.AUDITOR]

    def client(self, role: Role = Role.ATTENDANT) -> APIClient:
        """A client with a token of the house's person in that role, the same one each time."""
        if role not in self.clients:
            self.clients[role] = client(self.people[role])
        return self.clients[role]

    def url(self, rest: str = "") -> str:
        return f"/api/v1/establishments/{self.id}/{rest}"


def house(*, tables: int = 2, dice_sets: int = 2, **more: Any) -> House:
    number = next(NUMBERS)
    fields = {
        "name": f"House {number}",
        "counts_floats": False,
        "publishes_rules": False,
        **more,
    }
    establishment = Establishment.objects.create(**fields)
    return House(
        establishment=establishment,
        tables=Table.objects.bulk_create(
            Table(establishment=establishment, name=f"Table {each + 1}") for each in range(tables)
        ),
        dice_sets=DiceSet.objects.bulk_create(
            DiceSet(establishment=establishment, number=f"S{each + 1}", sides=8, count=3)
            for each in range(dice_sets)
        ),
        people=one_of_each_role(establishment),
    )


def one_of_each_role(establishment: Establishment) -> dict[Role, Attendant]:
    """As `employed` would make them one by one; most tests begin with a house."""
    people = {
        role: Attendant(username=f"{role}-{next(NUMBERS)}", password=make_password(None))
        for role in Role
    }
    Attendant.objects.bulk_create(people.values())
    Employment.objects.bulk_create(
        Employment(establishment=establishment, attendant=who, role=role)
        for role, who in people.items()
    )
    return people


def on_record(of: Establishment) -> None:
    """What was built here without the operations that leave events gets them now, as it is."""
    known = set(
        Event.objects.filter(establishment=of.pk, stream__startswith="record/").values_list(
            "body", flat=True
        )
    )
    ids = {json.loads(bytes(body))["data"]["id"] for body in known}
    for model in changes.models_in_ledger():
        house = "pk" if model is Establishment else "establishment"
        for thing in model._default_manager.filter(**{house: of.pk}).order_by("pk"):
            if str(thing.pk) not in ids:
                changes.record(
                    establishment=of, thing=thing, happened="created", before=None, by=None
                )


def table(establishment: Establishment, **more: Any) -> Table:
    return Table.objects.create(
        establishment=establishment, **{"name": f"Table {next(NUMBERS)}", **more}
    )


def dice_set(establishment: Establishment, **more: Any) -> DiceSet:
    return DiceSet.objects.create(
        establishment=establishment,
        **{"number": f"S{next(NUMBERS)}", "sides": 8, "count": 3, **more},
    )


def dice_for_every_game(establishment: Establishment, *, sets: int) -> None:
    """As many sets as tables play at once, whatever they play: the largest needs 25 d6."""
    for sides, count in ((8, 3), (6, 25), (None, 5)):
        for _ in range(sets):
            dice_set(establishment, sides=sides, count=count)


def person(username: str = "", *, password: str | None = None, **more: Any) -> Attendant:
    """Somebody who works nowhere yet. Without a password they cannot sign in by one."""
    name = username or f"person-{next(NUMBERS)}"
    return Attendant.objects.create_user(username=name, password=password, **more)


def employed(establishment: Establishment, role: Role, who: Attendant | None = None) -> Attendant:
    who = who or person(f"{role}-{next(NUMBERS)}")
    Employment.objects.create(establishment=establishment, attendant=who, role=role)
    return who


def client(who: Attendant | None = None, **settings: Any) -> APIClient:
    """A client with a token of that person; of nobody, without."""
    made = APIClient(**settings)
    if who is not None:
        made.credentials(HTTP_AUTHORIZATION=f"Bearer {token(who)}")
    return made


def token(who: Attendant) -> str:
    _, made = AuthToken.objects.create(who)
    return str(made)


def signed_in(who: Attendant) -> APIClient:
    """A client with a session, as a browser has it, but spared the CSRF token."""
    made = APIClient()
    made.force_login(who)
    return made


def opening(at: Table, **more: Any) -> Body:
    """The body that opens a game: three players with 25 coins each."""
    return {
        "command_id": str(uuid.uuid4()),
        "table": str(at.pk),
        "game": "stone-hand",
        "players": ["Ada", "Bruno", "Cleo"],
        "stake": 25,
        **more,
    }


def command(do: str, **fields: Any) -> Body:
    return {"command_id": str(uuid.uuid4()), "do": do, **fields}


def throw(player: str, *dice: int, **more: Any) -> Body:
    return command("throw", player=player, dice=list(dice), **more)


def opened(at: House, **more: Any) -> str:
    """The id of a game that runs at the house's first table."""
    answer = at.client().post(GAMES, opening(at.table, **more))
    assert answer.status_code == 201, answer.content
    game: str = answer.json()["id"]
    return game


def put(at: House, game: str, *commands: Body) -> list[Body]:
    """What commands that are all taken answer."""
    answer = at.client().post(f"{GAMES}{game}/commands/", list(commands))
    assert answer.status_code == 200, answer.content
    results: list[Body] = answer.json()["results"]
    return results


def settled(at: House) -> None:
    """Let settlement and the read models catch up, as the worker does: stint by stint."""
    while tasks.advance_all(at.id):
        pass


def followed(subscriber: Subscriber, establishment: uuid.UUID) -> None:
    """Let one of them catch up."""
    while tasks.advance(subscriber, establishment):
        pass
