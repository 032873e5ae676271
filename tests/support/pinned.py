"""People with PINs, and the tablets that change hands by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.test import Client
from django.utils import timezone

from casino.house.attendants import assurance, pins, signins
from casino.settings.staff import tablets
from tests.support import builders

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

PAD = "/floor/attendant/"
PIN = "4711"
NOWHERE = signins.Where()


def with_pins() -> House:
    made = builders.house()
    for who in (made.attendant, made.supervisor, made.manager):
        pins.set_pin(person=who, pin=PIN, place=NOWHERE, now=timezone.now())
    return made


def tablet_of(house: House, name: str = "Tablet 1") -> Client:
    """A device enrolled as a floor tablet, with nobody signed in."""
    _, cookie = tablets.enrol(
        house=house.establishment, name=name, by=assurance.at_console(house.manager)
    )
    device = Client()
    device.cookies[tablets.COOKIE] = cookie
    return device


def takes_over(device: Client, who: Attendant, pin: str = PIN, **more: Any) -> Any:
    return device.post(PAD, {"person": str(who.pk), "pin": pin, **more})


def person_on(device: Client) -> str:
    return str(device.session.get("_auth_user_id", ""))
