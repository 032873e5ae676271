"""
Who leaves has nothing left of what was open to them, at once: sessions, tokens, PINs, passkeys,
tablets, and what asks each second (D1). The same where a role changes, for what it forbids.

That a stranger, a leaver among them, opens no address at all is in test_access_matrix.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from casino.house.attendants import assurance, pins, signins
from casino.house.attendants.models import Employment, Role
from casino.kit.documents.report import Query
from casino.kit.web.jobs import running
from casino.reports.registers import catalogue, preparing
from casino.settings.staff import invitations, operations, tablets
from tests.support import builders, signing
from tests.support.builders import PASSWORD, opened
from tests.support.signing import SECOND, app_of, code_of, somebody, tries

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Iterator

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PIN = "4711"
NOWHERE = signins.Where()
DOORS = ("/sign-in/", "/admin/login/")


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def vera(house: House) -> Attendant:
    """Manages the house, beside another, with an app and a PIN."""
    who = somebody(house, Role.MANAGER, "vera")
    pins.set_pin(person=who, pin=PIN, place=NOWHERE, now=timezone.now())
    who.refresh_from_db()
    return who


def job(house: House, who: Attendant) -> Employment:
    return Employment.objects.get(establishment=house.id, attendant=who, until=None)


def leaves(house: House, who: Attendant) -> None:
    operations.dismiss(
        employment=job(house, who), by=assurance.at_console(house.manager), reason="Moved away."
    )


def becomes(house: House, who: Attendant, role: Role) -> None:
    operations.change_role(
        employment=job(house, who), role=role, by=assurance.at_console(house.manager),
        reason="As asked.",
    )  # fmt: skip


# --- What was open --------------------------------------------------------------------------------


@dataclass
class Open:
    """Whatever somebody holds of a house: each asks anew, and answers with the status."""

    house: House
    who: Attendant
    secret: str

    def __post_init__(self) -> None:
        self.game = opened(self.house)
        self.office = signing.client()
        tries(self.office, "vera")
        self.office.post(SECOND, {"code": code_of(self.secret)})
        self.pending = signing.client()
        tries(self.pending, "vera")
        self.token = builders.client(self.who)
        self.strong = builders.client(self.who)
        self.device = self._tablet()
        self.device.post("/floor/attendant/", {"person": str(self.who.pk), "pin": PIN})
        board = self.office.get(self.floor("board/"))
        self.etag = {"If-None-Match": board.headers["ETag"]}
        self.prepared = self._prepared()

    def _tablet(self) -> Client:
        by = assurance.at_console(self.house.manager)
        _, cookie = tablets.enrol(house=self.house.establishment, name="Tablet 1", by=by)
        device = signing.client()
        device.cookies[tablets.COOKIE] = cookie
        return device

    def _prepared(self) -> uuid.UUID:
        day = timezone.now().date()
        query = Query(house=self.house.establishment, since=day, until=day, through=0)
        run = preparing.ask(
            by=self.house.manager, report=catalogue.report("fees"), query=query, now=timezone.now()
        )
        while running.advance(preparing.PREPARATION, self.house.id, run.id, seconds=1):
            pass
        return run.id

    def floor(self, rest: str = "") -> str:
        return f"/floor/games/{self.game}/{rest}"

    def ways(self) -> dict[str, Callable[[], Any]]:
        game, note = f"/api/v1/games/{self.game}/", {"do": "note"}
        command = builders.throw("Ada", 1, 2, 3)
        entries = {"by": str(self.who.pk), "entries": []}
        return {
            "office page": lambda: self.office.get("/people/"),
            "office act": lambda: self.office.post("/people/invite/", {"name": "Nell"}),
            "table page": lambda: self.office.get(self.floor()),
            "poll": lambda: self.office.get(self.floor("board/"), headers=self.etag),
            "poll of the hall": lambda: self.office.get("/floor/tables/"),
            "report": lambda: self.office.get(f"/reports/prepared/{self.prepared}/json/"),
            "export": lambda: self.office.get("/people/access/?form=csv"),
            "admin": lambda: self.office.get("/admin/"),
            "api by session": lambda: self.office.get(game),
            "api by token": lambda: self.token.get(game),
            "command by token": lambda: self.strong.post(f"{game}commands/", command),
            "tablet": lambda: self.device.get(self.floor()),
            "poll of a tablet": lambda: self.device.get(self.floor("board/"), headers=self.etag),
            "command of a tablet": lambda: self.device.post(self.floor("command/"), note),
            "entries of a tablet": lambda: self.device.post(
                self.floor("entries/"), entries, content_type="application/json"
            ),
            "tablet by PIN": lambda: self.device.post(
                "/floor/attendant/", {"person": str(self.who.pk), "pin": PIN}
            ),
            "supervisor's sheet by PIN": lambda: self.device.get(self.floor("supervisor/")),
        }

    def shut(self) -> dict[str, int]:
        """The ways that are not: turned away, sent to sign in, or to a house that is none."""
        away = {name: ask() for name, ask in self.ways().items()}
        return {
            name: answer.status_code
            for name, answer in away.items()
            if answer.status_code in {401, 403, 404}
            or (answer.status_code == 302 and answer["Location"].startswith(DOORS))
            or (answer.status_code == 422 and name == "tablet by PIN")
        }


@pytest.fixture
def held(house: House, vera: Attendant) -> Open:
    return Open(house, vera, app_of(vera))


@pytest.mark.long("postgresql")
def test_d1_who_leaves_has_nothing_left_of_what_was_open(house: House, held: Open) -> None:
    assert held.shut() == {}

    leaves(house, held.who)

    assert held.shut().keys() == held.ways().keys()
    assert not AuthToken.objects.filter(user=held.who).exists()


@pytest.mark.long("postgresql")
def test_d1_nor_does_what_was_begun_end_in_a_way_in(house: House, held: Open) -> None:
    """Who had given the password owes the code still; a link of theirs opens no place."""
    _, link = invitations.invite(
        house=house.establishment, name="Nell", role=Role.ATTENDANT,
        by=assurance.at_console(held.who), now=timezone.now(),
    )  # fmt: skip
    leaves(house, held.who)

    assert held.pending.get(SECOND)["Location"] == "/sign-in/"
    assert Client().get(f"/invitation/?key={link}").status_code == 422


@pytest.mark.long("postgresql")
def test_d1_signed_in_anew_a_leaver_finds_no_house(house: House, held: Open) -> None:
    """The name is theirs still, with its password and its app: it opens nothing."""
    leaves(house, held.who)
    anew = signing.client()
    anew.cookies[tablets.COOKIE] = held.device.cookies[tablets.COOKIE].value
    tries(anew, "vera")
    anew.post(SECOND, {"code": code_of(held.secret)})
    sent = {"username": "vera", "password": PASSWORD}
    token = builders.client().post("/api/v1/tokens/", sent).json()["token"]
    program = builders.client()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")

    held.office = held.device = anew
    held.token = held.strong = program
    assert held.shut().keys() == held.ways().keys()
    assert program.get("/api/v1/establishments/").json()["results"] == []


# --- Two houses, and other roles ------------------------------------------------------------------


def test_d1_of_two_houses_one_leaves_only_the_one(house: House, held: Open) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.ATTENDANT, held.who)
    game = opened(other)
    held.office.post("/house/", {"house": str(house.id)})

    leaves(house, held.who)

    assert held.shut().keys() == held.ways().keys() - {"poll of the hall"}  # of the other one
    hall = held.office.get("/floor/tables/").content.decode()
    assert str(other.table.pk) in hall
    assert str(house.table.pk) not in hall
    assert held.office.get(f"/floor/games/{game}/").status_code == 200
    assert held.token.get(f"/api/v1/games/{game}/").status_code == 200
    assert held.device.get(f"/floor/games/{game}/").status_code == 404  # the tablet is not theirs


@pytest.mark.long("postgresql")
def test_d1_another_role_shuts_at_once_what_it_does_not_allow(house: House, held: Open) -> None:
    becomes(house, held.who, Role.ATTENDANT)

    assert held.shut().keys() == {"office page", "office act", "report", "export", "admin"}

    becomes(house, held.who, Role.AUDITOR)
    assert held.shut().keys() == {
        "office act", "command by token", "tablet", "poll of a tablet",
        "command of a tablet", "entries of a tablet", "tablet by PIN", "supervisor's sheet by PIN",
    }  # fmt: skip


@pytest.mark.long("postgresql")
def test_d1_a_poll_is_drawn_anew_for_another_role(house: House, held: Open) -> None:
    """The page that asks each second is told of it with its next question."""
    assert held.office.get(held.floor("board/"), headers=held.etag).status_code == 304

    becomes(house, held.who, Role.AUDITOR)

    assert held.office.get(held.floor("board/"), headers=held.etag).status_code == 200
