"""
Setting up a new house: founding it by a link, and the steps that follow.

Whoever runs the installation makes the link at the console. It founds one house with its first
manager, and does not work again. Everything after that is an act of that manager.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction

from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.house.establishments.decimals import with_decimals
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.office.onboarding.links import unspent
from casino.play.dice.models import DiceSet
from casino.settings.configuration.operations import Changing
from casino.settings.staff.operations import employ, sign_up
from casino.words.presenters import registered
from casino.words.presenters.opening_forms import UNIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant

STEPS: Final = ("house", "tables", "dice", "games", "home-throw", "staff", "done")
"""The steps in order; the first one founds the house."""


def create_house(
    *, secret: str, values: Mapping[str, Any], manager: Callable[[], Attendant]
) -> tuple[Establishment, Attendant]:
    """
    Found a house with its first manager; both are saved or neither.

    :param values: columns of the house.
    :param manager: makes or finds the person; called within the transaction.
    :raises LinkSpent: if the link is not valid.
    :raises ValidationError: by field, if the values are not valid together.
    """
    try:
        with transaction.atomic():
            # Once there is somebody else, changes need two people, unless the manager decides
            # otherwise.
            house = Establishment(id=unspent(secret), two_configure=True, setting_up=STEPS[1])
            for name, value in {**usual_amounts(values.get("coin_digits", 0)), **values}.items():
                setattr(house, name, value)
            changes.create(house, establishment=house, by=None)
            person = manager()
            employ(establishment=house, attendant=person, role=Role.MANAGER, by=None)
    except IntegrityError:  # two taps: the other one founded the house
        unspent(secret)
        raise
    return house, person


def usual_amounts(digits: int) -> dict[str, Any]:
    """The amounts that a new house starts with, in a coin of so many decimals: 500, or 500.00."""
    return with_decimals(Establishment(), before=0, after=digits)


def newcomer(*, username: str, first_name: str, last_name: str, password: str) -> Attendant:
    """Make the first manager's sign-in, if the person is new to this installation."""
    return sign_up(username=username, first_name=first_name, last_name=last_name, password=password)


def record_step(house: Establishment, step: str) -> None:
    """Record that a step is done: the set-up resumes with the next step."""
    following = STEPS[STEPS.index(step) + 1]
    if house.setting_up and STEPS.index(house.setting_up) < STEPS.index(following):
        house.setting_up = following
        Establishment.objects.filter(pk=house.pk).update(setting_up=following)


def finish(house: Establishment) -> None:
    """
    Finish the set-up of a house, with an event.

    From then on changes are made under Settings, by two people if the house wants that, as they are
    before with a second person who could approve. It is on record because somebody who could undo
    this step could change everything alone.
    """
    house.setting_up = ""
    with transaction.atomic():
        stored = Establishment.objects.select_for_update(of=("self",), no_key=True).get(pk=house.pk)
        stored.setting_up = ""
        changes.change(stored, establishment=stored, by=None)


def tables_of(house: Establishment, names: Iterable[str], *, wall: bool = False) -> list[Table]:
    """New tables of these names; names that exist already are skipped. :param wall: with boards"""
    known = {name.casefold() for name in house.tables.values_list("name", flat=True)}
    new = []
    for name in names:
        if name.casefold() not in known:
            known.add(name.casefold())
            new.append(Table(establishment=house, name=name, wall=wall))
    return new


def boards_of(house: Establishment, tables: Iterable[Table]) -> list[Changing]:
    """What switches on the wall boards of the house and of its tables, and the guests' page."""
    return [
        Changing(house, {"wall": True, "guests": True}),
        *(Changing(table, {"wall": True}) for table in tables if table.in_use),
    ]


def dice_of(house: Establishment, wanted: Mapping[str, int]) -> list[DiceSet]:
    """New dice sets, so that there are as many of each kind as wanted: S-01, S-02, …"""
    sets = DiceSet.objects.filter(establishment=house)
    known = set(sets.values_list("number", flat=True))
    new = []
    kinds = {kind.name: kind for kind in registered.dice_kinds()}
    for name, many in wanted.items():
        kind = kinds[name]
        for number in range(1, many + 1):
            called = f"{kind.letter}-{number:02}"
            if called not in known:
                new.append(
                    DiceSet(establishment=house, number=called, sides=kind.sides, count=kind.count)
                )
    return new


def rules_for(
    house: Establishment, games: Iterable[str], *, point: int, by: Attendant, now: datetime
) -> list[HouseRules]:
    """
    House rules with the usual options for those games that have none in force.

    :param point: what a point is worth in each of them (G11).
    """
    known = house_rules.all_in_force(house, now)
    return [
        house_rules.draft_rules(
            establishment=house,
            game=game,
            effective_from=now,
            by=by,
            now=now,
            home_throws=HouseRules.HomeThrows.NONE,
            options={UNIT: point},
        )
        for game in games
        if game not in known
    ]
