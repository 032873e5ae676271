"""
Who may open what: the decision for every address of the house (controls D1, D1b).

`DECISIONS` is written by hand and compared with the URL table: an address that is not in it, or a
row whose address is gone, fails. Roles are those at the house that the address is about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.urls import URLPattern, URLResolver, get_resolver

from casino.attendants.models import Role
from tests.casino.builders import opening, throw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.casino.worlds import World

ATTENDANT, SUPERVISOR, MANAGER, AUDITOR = (
    Role.ATTENDANT,
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.AUDITOR,
)
STAFF = frozenset(Role)
PLAYING = frozenset({ATTENDANT, SUPERVISOR, MANAGER})
APPROVING = frozenset({SUPERVISOR, MANAGER})
MANAGING = frozenset({MANAGER})
AUDITING = frozenset({MANAGER, AUDITOR})
OVERSEEING = frozenset({SUPERVISOR, MANAGER, AUDITOR})
ANYBODY = None


@dataclass(frozen=True)
class Opens:
    """
    :param get: the roles that may look; None: anybody, signed in or not; empty: there is nothing
        to look at.
    :param post: the roles that may send; as `get`.
    :param mine: the address names no house: it shows what is one's own, so that whoever works
        nowhere is let in and sees nothing.
    """

    get: frozenset[Role] | None = frozenset()
    post: frozenset[Role] | None = frozenset()
    mine: bool = False

    def roles(self, method: str) -> frozenset[Role] | None:
        return self.get if method == "GET" else self.post


HOUSE = "api/v1/establishments/<uuid:establishment>/"
GAME = "api/v1/games/<uuid:game>/"

DECISIONS: dict[str, Opens] = {
    # Whoever comes to the door
    "healthz": Opens(ANYBODY),
    "healthz/web": Opens(ANYBODY),
    "sign-in/": Opens(ANYBODY, ANYBODY),
    "sign-out/": Opens(post=ANYBODY),
    # The office
    "": Opens(STAFF),
    "house/": Opens(post=STAFF),
    "odds/": Opens(STAFF, mine=True),
    "odds/<slug:game>/": Opens(STAFF, mine=True),
    # Setting up
    "set-up/": Opens(ANYBODY, ANYBODY),
    "set-up/go-on/": Opens(MANAGING),
    "set-up/house/": Opens(MANAGING, MANAGING),
    "set-up/tables/": Opens(MANAGING, MANAGING),
    "set-up/dice/": Opens(MANAGING, MANAGING),
    "set-up/games/": Opens(MANAGING, MANAGING),
    "set-up/home-throw/": Opens(MANAGING, MANAGING),
    "set-up/staff/": Opens(MANAGING, MANAGING),
    "set-up/done/": Opens(MANAGING, MANAGING),
    # Settings
    "settings/": Opens(AUDITING, MANAGING),
    "settings/tables/": Opens(AUDITING),
    "settings/tables/new/": Opens(MANAGING, MANAGING),
    "settings/tables/<uuid:table>/": Opens(AUDITING, MANAGING),
    "settings/dice/": Opens(AUDITING),
    "settings/dice/new/": Opens(MANAGING, MANAGING),
    "settings/dice/<uuid:dice_set>/": Opens(AUDITING, MANAGING),
    "settings/rules/": Opens(AUDITING),
    "settings/rules/<slug:game>/": Opens(AUDITING, MANAGING),
    "settings/home-throws/": Opens(AUDITING, MANAGING),
    "settings/prizes/": Opens(AUDITING),
    "settings/prizes/new/": Opens(MANAGING, MANAGING),
    "settings/prizes/<uuid:prize_rule>/": Opens(AUDITING, MANAGING),
    "settings/import/": Opens(MANAGING),
    "settings/import/<slug:what>/": Opens(MANAGING, MANAGING),
    "settings/import/<slug:what>/template.csv": Opens(MANAGING),
    "settings/changes/": Opens(AUDITING),
    # Gaming days
    "days/": Opens(STAFF),
    "days/late/": Opens(AUDITING),
    "days/<slug:day>/": Opens(STAFF, MANAGING),
    "days/<slug:day>/sign/": Opens(APPROVING, APPROVING),
    # Disputes
    "disputes/": Opens(STAFF),
    "disputes/find/": Opens(STAFF),
    "disputes/raise/<uuid:game>/": Opens(PLAYING, PLAYING),
    "disputes/<uuid:game>/<int:dispute>/": Opens(STAFF, APPROVING),
    "disputes/<uuid:game>/<int:dispute>/bundle/": Opens(OVERSEEING),
    # The floor
    "floor/": Opens(STAFF),
    "floor/tables/<uuid:table>/": Opens(PLAYING, PLAYING),
    "floor/games/<uuid:game>/": Opens(STAFF),
    "floor/games/<uuid:game>/board/": Opens(STAFF),
    "floor/games/<uuid:game>/log/": Opens(STAFF),
    "floor/games/<uuid:game>/rounds/<int:number>/": Opens(STAFF),
    "floor/games/<uuid:game>/beside/": Opens(PLAYING),
    "floor/games/<uuid:game>/command/": Opens(post=PLAYING),
    # The API
    "api/schema/": Opens(ANYBODY),
    "api/v1/tokens/": Opens(post=ANYBODY),
    "api/v1/tokens/current/": Opens(),
    "api/v1/establishments/": Opens(STAFF, mine=True),
    HOUSE: Opens(STAFF),
    f"{HOUSE}tables/": Opens(STAFF),
    f"{HOUSE}rollovers/": Opens(STAFF),
    f"{HOUSE}configuration/": Opens(AUDITING, MANAGING),
    f"{HOUSE}house-rules/": Opens(STAFF),
    f"{HOUSE}changes/": Opens(AUDITING),
    f"{HOUSE}ledger/": Opens(STAFF),
    f"{HOUSE}disputes/": Opens(STAFF),
    f"{HOUSE}disputes/<uuid:game>/<int:dispute>/": Opens(STAFF),
    f"{HOUSE}disputes/<uuid:game>/<int:dispute>/bundle/": Opens(OVERSEEING),
    f"{HOUSE}regrades/": Opens(AUDITING, AUDITING),
    f"{HOUSE}regrades/<uuid:regrade>/": Opens(AUDITING),
    f"{HOUSE}regrades/<uuid:regrade>/differences/": Opens(AUDITING),
    f"{HOUSE}days/": Opens(STAFF),
    f"{HOUSE}days/<slug:day>/": Opens(AUDITING),
    f"{HOUSE}days/<slug:day>/close/": Opens(post=MANAGING),
    f"{HOUSE}days/<slug:day>/sign/": Opens(post=APPROVING),
    f"{HOUSE}late/": Opens(AUDITING),
    "api/v1/games/": Opens(STAFF, PLAYING, mine=True),
    GAME: Opens(STAFF),
    f"{GAME}commands/": Opens(post=PLAYING),
    f"{GAME}events/": Opens(STAFF),
    f"{GAME}explain/<int:round_no>/": Opens(STAFF),
    "api/v1/odds/": Opens(STAFF, mine=True),
    **{
        f"api/v1/odds/{game}/": Opens(STAFF, mine=True)
        for game in ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
    },
}

SENDS: dict[str, Callable[[World], Mapping[str, Any]]] = {
    "house/": lambda at: {"house": at.house.id},
    "floor/games/<uuid:game>/command/": lambda _at: throw("Ada", 1, 2, 3),
    "api/v1/games/": lambda at: opening(at.house.tables[1]),
    f"{GAME}commands/": lambda _at: throw("Ada", 1, 2, 3),
    f"{HOUSE}days/<slug:day>/close/": lambda _at: {"command_id": str(uuid4())},
    f"{HOUSE}days/<slug:day>/sign/": lambda _at: {"command_id": str(uuid4())},
}
"""What has to be sent for it to come to the question of who may; elsewhere nothing."""

NOWHERE = frozenset({"api/", "admin/(?P<url>.*)$"})
"""What answers where nothing is."""

ADMIN = "admin/"
"""The admin's addresses are generated; who may what there is said by model, in test_admin.py."""


@dataclass(frozen=True)
class Address:
    route: str
    names: tuple[str, ...] = field(default=())

    @property
    def is_api(self) -> bool:
        return self.route.startswith("api/")

    @property
    def is_of_a_house(self) -> bool:
        """Whether something in it belongs to one house."""
        return "<uuid:" in self.route or "<slug:player>" in self.route

    def path(self, arguments: Mapping[str, Any]) -> str:
        path = self.route
        for name in self.names:
            given = "stone-hand" if f"<slug:{name}>" in path and name == "game" else arguments[name]
            start = path.index(f":{name}>")
            opening = path.rindex("<", 0, start)
            path = path[:opening] + str(given) + path[start + len(name) + 2 :]
        return f"/{path}"


def addresses() -> list[Address]:
    """Every address of the house, as the URL table has it, but the admin's."""
    found = (
        Address(route, tuple(pattern.pattern.converters))
        for route, pattern in walked(get_resolver().url_patterns)
    )
    return [
        each for each in found if not each.route.startswith(ADMIN) and each.route not in NOWHERE
    ]


def walked(
    patterns: Sequence[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns, route)
        else:
            yield route, pattern
