"""A game in which something waits for a supervisor, and the device that it waits on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from casino.house.attendants import assurance
from casino.house.attendants.models import Attendant
from casino.settings.staff import tablets
from tests.support.playing import done, opened, round_played
from tests.support.supervising import PIN, SHEET

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """A game in which Ada lost the first round, 7 coins; the attendant asks to void it."""
    running = opened(house)
    round_played(house, running)
    done(house, running, "void", back_to=2, reason="entered wrongly")
    return running


@pytest.fixture
def device(house: House) -> Client:
    """An enrolled tablet in the attendant's hands."""
    console = assurance.at_console(Attendant.objects.get(pk=house.manager.pk))
    _, cookie = tablets.enrol(house=house.establishment, name="Tablet 1", by=console)
    made = Client(headers=SHEET)
    made.cookies[tablets.COOKIE] = cookie
    made.post("/floor/attendant/", {"person": str(house.attendant.pk), "pin": PIN})
    return made
