"""A demo house that is there: who gets in as its people, and what its pages say of it."""

from __future__ import annotations

import uuid
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from casino.config.management.commands import up
from casino.demo import checks, play
from casino.demo import house as demo
from casino.demo.acts import any_opening
from casino.engine.processes.data_lock import StartRefused
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment
from casino.play.dice.models import DiceSet
from casino.settings.staff.sign_in import demo_staff as staff
from casino.settings.staff.sign_in.demo_staff import SELF_PLAY
from tests.support.module_data import built_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.long("postgresql"),
    pytest.mark.usefixtures("made"),
]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[bool]:
    del django_db_setup
    yield from built_once(demo.make_house, django_db_blocker)


@pytest.fixture(autouse=True)
def _nothing_comes_or_plays() -> Iterator[None]:
    yield
    staff.COMING.clear()
    staff.PAST.entries = staff.PAST.recorded = staff.PAST.shown = 0
    SELF_PLAY.here.clear()
    SELF_PLAY.wanted.clear()


def test_it_has_dice_for_every_game_at_every_table() -> None:
    sets = list(DiceSet.objects.filter(establishment=Establishment.objects.get()))

    for ruleset in RULESETS:
        for seed in range(10):
            chance = Random(seed)  # noqa: S311 - openings of a test
            opening = any_opening(ruleset.id, play.GUESTS, chance)
            needed = ruleset.dice(opening)
            assert sum(dice.fits(needed) for dice in sets) >= len(demo.TABLES)


def test_who_comes_second_takes_the_demo_house_that_is_there(made: bool) -> None:  # noqa: FBT001 - of a fixture
    assert made

    assert not demo.make_house()
    assert not up.make_demo()
    assert Establishment.objects.count() == 1


# --- People whose password everybody knows ------------------------------------------------------


def test_nobody_from_the_network_gets_in_as_one_of_them_unless_asked_for() -> None:
    with pytest.raises(StartRefused, match=r"ines, mira, orso, sela, tomas.*--lan --demo"):
        up.check_passwords_stay_here()


def test_a_deployment_where_their_password_works_is_not_well() -> None:
    [error] = checks.nobody_of_the_demo()

    assert error.msg.startswith("Anybody can sign in as ines, mira, orso, sela, tomas:")
    for each in Attendant.objects.filter(username__in=staff.that_anybody_may_be()[1:]):
        each.set_password(uuid.uuid4().hex)
        each.save()
    [error] = checks.nobody_of_the_demo()
    assert error.msg.startswith("Anybody can sign in as ines:")
    Attendant.objects.filter(username="ines").update(is_active=False)
    assert checks.nobody_of_the_demo() == []


# --- Its pages ----------------------------------------------------------------------------------


def test_pages_say_how_far_its_past_is(client: Client) -> None:
    staff.PAST.entries, staff.PAST.recorded, staff.PAST.shown = 1000, 424, 0
    staff.COMING.set()
    waiting = client.get("/sign-in/").text
    staff.COMING.clear()
    staff.PAST.recorded, staff.PAST.shown = 1000, 371

    client.login(username="orso", password=staff.PASSWORD)
    today = client.get("/").text
    staff.PAST.shown = 1000

    assert "Its last five weeks are being imported: 42 %." in waiting
    assert "have read 37 % of them" in today
    assert "Coming in" not in client.get("/").text


def test_its_play_is_stopped_and_let_on_from_the_start_page() -> None:
    SELF_PLAY.here.set()
    SELF_PLAY.wanted.set()
    mira = Client()
    mira.login(username="mira", password=staff.PASSWORD)
    assert "Stop them" in mira.get("/").text

    stopped = mira.post("/demo/play/", {"do": "stop"}, follow=True).text

    assert SELF_PLAY.state == "stopped"
    assert "No table plays by itself." in stopped
    assert "Let them play" in stopped
    mira.post("/demo/play/", {"do": "play"})
    assert SELF_PLAY.state == "playing"


def test_an_auditor_looks_and_has_no_button() -> None:
    SELF_PLAY.here.set()
    SELF_PLAY.wanted.set()
    ines = Client()
    ines.login(username="ines", password=staff.PASSWORD)

    assert "Three tables play by themselves" in ines.get("/").text
    assert "Stop them" not in ines.get("/").text
    assert ines.post("/demo/play/", {"do": "stop"}).status_code == 403
    assert SELF_PLAY.state == "playing"
