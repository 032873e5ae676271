"""People at the sign-in page: names, passwords, codes of an app, and what the log says of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pyotp
from django.test import Client
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants import factors, signins
from casino.house.attendants.models import SignIn
from tests.support import builders
from tests.support.builders import PASSWORD

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.attendants.models import Attendant, Role
    from tests.support.builders import House

SIGN_IN, SECOND = "/sign-in/", "/sign-in/second/"
UNSEEN = ["\u202e", "\u200b", "\u17b4", "\u3164", "\u2800", "\ufffc", "\U000e0041"]
HERE, ELSEWHERE = "192.0.2.7", "192.0.2.8"


def somebody(house: House, role: Role, name: str) -> Attendant:
    """A person of that role who can sign in by a password."""
    who = builders.person(name, password=PASSWORD, first_name=name.title())
    return builders.employed(house.establishment, role, who)


def client(address: str = HERE) -> Client:
    return Client(REMOTE_ADDR=address)


def tries(at: Client, name: str, password: str = PASSWORD, **more: Any) -> Any:
    return at.post(SIGN_IN, {"username": name, "password": password, **more})


def inside(at: Client) -> bool:
    """Whether the client has a full session."""
    return bool(at.get("/me/").status_code == 200)


def app_of(who: Attendant) -> str:
    """An authenticator app set up some time ago: its secret."""
    secret = factors.new_secret()
    long_ago = timezone.now() - timedelta(hours=1)
    factors.add_app(
        person=who,
        secret=secret,
        code=code_of(secret, long_ago),
        name="Phone",
        place=signins.Where(),
        now=long_ago,
    )
    return secret


def code_of(secret: str, at: datetime | None = None) -> str:
    """What the app shows at a moment, now by default."""
    return pyotp.TOTP(secret).at((at or timezone.now()).timestamp())


def logged(house: House) -> list[str]:
    """The outcomes in the house's log, the oldest first."""
    rows = SignIn.objects.filter(establishment=house.id).order_by("at", "id")
    return list(rows.values_list("what", flat=True))


TOKENS = "/api/v1/tokens/"
NOWHERE = signins.Where()


def renamed(house: House, by: Attendant) -> None:
    table = house.tables[0]
    table.name = f"{table.name}, by the window"
    changes.change(table, establishment=house.establishment, by=by)
