"""
Whatever a page leads to opens: from the start page on, in a house that was played in.

Of each route as many as a short run has time for, chosen by chance; the long form takes more, and
other evenings.
"""

from __future__ import annotations

import re
from collections import Counter
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import resolve

from casino.house.attendants.models import Role
from casino.play.core.subscriptions import tasks
from tests.support import builders
from tests.support.playing import settled
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

LINK: Final = re.compile(r"""\bhref=["']([^"'#]+)""")
ELSEWHERE: Final = ("/static/", "/sign-out/", "/admin/", "//")
FEWEST: Final = 20  # pages of whoever sees least
ROLES: Final = (Role.MANAGER, Role.AUDITOR, Role.ATTENDANT)
EVENINGS: Final = [  # acts at the tables, pages of a route, and who opens them
    # What an auditor sees a manager sees, too.
    pytest.param(1, 25, 1, (Role.MANAGER, Role.ATTENDANT), id="short"),
    pytest.param(1, 40, 1, ROLES, marks=pytest.mark.long, id="long"),
    pytest.param(2, 200, 8, ROLES, marks=[pytest.mark.long, pytest.mark.once], id="many"),
]


def played(chance: Random, acts: int) -> House:
    house = builders.house(tables=3, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=3)
    at = RandomPlayer(house, chance)
    for number in range(acts):
        at.does_something()
        if number % 10 == 0:
            settled(house)
    settled(house)
    while tasks.advance_all(house.id):
        pass
    return house


def opened(client: Client, chance: Random, most: int) -> Iterator[tuple[str, str, int]]:
    """Each page that was opened: where its address stood, the address, what it answered."""
    left, known, of_route = [("", "/")], {"/"}, Counter[str]()
    while left:
        origin, path = left.pop(chance.randrange(len(left)))
        route = resolve(urlsplit(path).path).view_name
        of_route[route] += 1
        if of_route[route] > most:
            continue
        answer = client.get(path)
        yield origin, path, answer.status_code
        if answer.status_code in {301, 302}:
            met = [answer.headers["Location"]]
        elif answer.headers["Content-Type"].startswith("text/html"):
            met = LINK.findall(answer.content.decode())
        else:
            met = []
        for each in met:
            target = urljoin(path, each.replace("&amp;", "&"))
            if target.startswith("/") and not target.startswith(ELSEWHERE) and target not in known:
                known.add(target)
                left.append((path, target))


@pytest.mark.parametrize(("seed", "acts", "most", "roles"), EVENINGS)
def test_whatever_a_page_leads_to_opens(
    seed: int, acts: int, most: int, roles: tuple[Role, ...]
) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    house = played(chance, acts)
    for role in roles:
        found = list(opened(builders.signed_in(house.people[role]), chance, most))
        assert [each for each in found if each[2] >= HTTPStatus.BAD_REQUEST] == []
        assert len(found) > FEWEST
