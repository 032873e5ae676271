"""Who may do what: the role at the house decides, and nothing else (D1, D1b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import AnonymousUser

from casino.house.attendants import permissions
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.permissions import NotYours
from casino.play.core import operations
from casino.settings.staff.operations import dismiss, employ
from ledger import journal
from tests.support import builders
from tests.support.playing import (
    DEVICE,
    NOW,
    PAIR_7,
    ask,
    ask_open,
    done,
    game_of,
    new_id,
    opened,
    round_played,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

RECORD = {Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER}
APPROVE = {Role.SUPERVISOR, Role.MANAGER}

# fmt: off
PLAY: list[tuple[str, dict[str, Any], set[Role]]] = [
    ("throw",      {"player": "Ada", "dice": list(PAIR_7)},  RECORD),
    ("no_throw",   {"player": "Ada", "reason": "cocked"},    RECORD),
    ("throw_home", {"dice": [1, 3, 6]},                      RECORD),
    ("stand",      {"player": "Ada"},                        RECORD),
    ("leave",      {"player": "Bo"},                         RECORD),
    ("cash_out",   {"player": "Bo", "amount": 1},            RECORD),
    ("void",       {"back_to": 2, "reason": "Misread."},     RECORD),
    ("close",      {},                                       RECORD),
    ("approve",    {"request": 4},                           APPROVE),
    ("reject",     {"request": 4},                           APPROVE),
]
# fmt: on


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("do", "fields", "allowed"), PLAY)
def test_a_role_may_put_these_commands(
    house: House, do: str, fields: dict[str, Any], allowed: set[Role], role: Role
) -> None:
    game = opened(house)
    head = journal.head(establishment=house.id)

    if role in allowed:
        ask(house, game, do, by=house.people[role], **fields)  # taken or refused: by the rules
    else:
        with pytest.raises(NotYours):
            ask(house, game, do, by=house.people[role], **fields)
        assert journal.head(establishment=house.id) == head


@pytest.mark.parametrize("role", list(Role))
def test_a_role_may_open(house: House, role: Role) -> None:
    if role in RECORD:
        assert ask_open(house, by=house.people[role]).refusal is None
    else:
        with pytest.raises(NotYours):
            ask_open(house, by=house.people[role])


def outsider(house: House) -> Attendant:
    del house
    return builders.person()


def superuser(house: House) -> Attendant:
    del house
    return builders.person(is_superuser=True, is_staff=True)


def from_another_house(house: House) -> Attendant:
    del house
    return builders.house().manager


def dismissed(house: House) -> Attendant:
    employment = Employment.objects.get(attendant=house.manager)
    dismiss(employment=employment, by=None)
    return house.manager


def deactivated(house: House) -> Attendant:
    house.manager.is_active = False
    house.manager.save()
    return house.manager


STRANGERS = [outsider, superuser, from_another_house, dismissed, deactivated]


@pytest.mark.parametrize("stranger", STRANGERS)
def test_who_is_not_employed_may_nothing(
    house: House, stranger: Callable[[House], Attendant]
) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "void", back_to=2, reason="Misread.")
    version = game_of(house, game).version
    who = stranger(house)
    head = journal.head(establishment=house.id)

    with pytest.raises(NotYours):
        ask_open(house, by=who, table=house.tables[1])
    for do, fields, _ in PLAY:
        with pytest.raises(NotYours):
            ask(house, game, do, by=who, **fields)

    assert game_of(house, game).version == version
    assert journal.head(establishment=house.id) == head
    assert not any(permissions.may(who, act, house.id) for act in permissions.ALLOWED)
    assert house.id not in permissions.houses(who)


def test_who_signed_in_nowhere_may_nothing(house: House) -> None:
    assert permissions.roles(AnonymousUser()) == {}
    assert not permissions.may(AnonymousUser(), "look", house.id)


def test_a_superuser_with_a_role_may_what_the_role_may(house: House) -> None:
    who = superuser(house)
    employ(establishment=house.establishment, attendant=who, role=Role.AUDITOR, by=house.manager)

    assert permissions.may(who, "audit", house.id)
    with pytest.raises(NotYours):
        ask_open(house, by=who)


def test_a_role_holds_at_its_own_house(house: House) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.AUDITOR, house.manager)

    assert permissions.houses(house.manager) == sorted([house.id, other.id])
    assert permissions.houses(house.manager, "configure") == [house.id]
    with pytest.raises(NotYours):
        ask_open(other, by=house.manager)


def test_a_list_with_one_act_too_many_is_not_begun(house: House) -> None:
    game = opened(house)
    raws: list[dict[str, Any]] = [
        {"command_id": new_id(), "do": "throw", "player": "Ada", "dice": list(PAIR_7)},
        {"command_id": new_id(), "do": "approve", "request": 2},
    ]

    with pytest.raises(NotYours):
        operations.commands(
            by=house.attendant,
            house=house.establishment,
            game=game,
            raws=raws,
            now=NOW,
            device=DEVICE,
        )

    assert game_of(house, game).version == 1
