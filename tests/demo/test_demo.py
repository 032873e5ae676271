"""The demo plays every game on offer, whatever it offers."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.checks import registry as made
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from casino.config.management.commands import up
from casino.demo import checks, play
from casino.demo import house as demo
from casino.demo.acts import OPENINGS, by_the_house, ways
from casino.engine.processes.paths import TRANSCRIPTS
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.models import Attendant, Role
from casino.house.establishments.models import Establishment
from casino.house.home_throws import house_rules
from casino.settings.staff.sign_in import demo_staff as staff
from games import vocabulary
from ledger import journal
from tests.support import builders
from tests.support.at_once import at_once, on_a_file

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client


def test_every_game_on_offer_has_an_opening() -> None:
    assert set(OPENINGS) == {ruleset.id for ruleset in RULESETS}


def test_every_word_that_games_take_by_now_can_be_said() -> None:
    done = {act for game in OPENINGS for act in ways(game)}

    assert done == set(vocabulary.VOCABULARY) - {"open"}
    assert play.SELDOM.keys() <= done


def test_every_game_has_written_games() -> None:
    folders = {folder.name for folder in TRANSCRIPTS.iterdir()}
    assert folders == {ruleset.id for ruleset in RULESETS}


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_a4_every_game_has_rules_for_the_demo_s_wall_and_opens_by_them() -> None:
    """Put up by the manager through the API, as the program does it; no opening deviates."""
    house = builders.house(tables=len(play.values_of_rules()), publishes_rules=True)
    builders.dice_for_every_game(house.establishment, sets=len(play.values_of_rules()))
    manager = house.client(Role.MANAGER)
    for values in play.values_of_rules():
        body = {"command_id": str(uuid.uuid4()), "thing": "house_rules", "values": values}
        answer = manager.post(house.url("configuration/"), body)
        assert (answer.status_code, answer.json()["became"]) == (200, "done"), answer.json()
    coming = {
        "command_id": str(uuid.uuid4()),
        "thing": "home_throw",
        "values": {
            **(play.coming_home_throw() or {}),
            "effective_from": (timezone.now() + play.HOME_THROW_IN).isoformat(),
        },
    }
    assert manager.post(house.url("configuration/"), coming).json()["became"] == "done"

    published = house_rules.all_in_force(house.establishment, timezone.now())
    assert set(published) == set(OPENINGS)
    assert all(each.fee and each.text for each in published.values())
    chance = Random(1)  # noqa: S311 - openings of a test
    for number, game in enumerate(OPENINGS):
        opening = by_the_house(game, play.GUESTS, chance)
        at = house.tables[number]
        more = {"table": str(at.pk), "command_id": str(uuid.uuid4())}
        answer = house.client().post(builders.GAMES, {**opening, **more})
        assert answer.status_code == 201, answer.json()
        opened = journal.stream(establishment=house.id, stream=f"game/{answer.json()['id']}")[0]
        assert opened.data["house_rules"]["version"] == 1
        assert "deviates" not in opened.data["house_rules"]
        assert opened.data["fee"]


@pytest.mark.django_db
def test_while_it_is_set_up_the_first_page_says_so_and_comes_back_by_itself(client: Client) -> None:
    staff.COMING.set()
    try:
        waiting = client.get("/", follow=True)
    finally:
        staff.COMING.clear()
    ready = client.get("/", follow=True)

    assert waiting.status_code == ready.status_code == HTTPStatus.OK
    for page, coming in ((waiting.text, True), (ready.text, False)):
        assert ("The demo house is being set up" in page) == coming
        assert ('http-equiv="refresh"' in page) == coming
        assert ('name="password"' in page) != coming


@pytest.mark.django_db
def test_however_it_ends_nobody_waits_for_it_any_longer() -> None:
    builders.person(demo.STAFF[0].username)
    staff.COMING.set()

    with pytest.raises(Exception, match="username"):
        up.make_demo()
    assert not staff.COMING.is_set()


@pytest.mark.django_db
def test_before_the_tables_are_made_it_is_said_in_a_sentence() -> None:
    """The house is starting at this moment: its tables are on the way."""
    MigrationRecorder(connection).migration_qs.filter(app="attendants").delete()

    with pytest.raises(CommandError, match="wait until it says where it runs"):
        call_command("demo")
    assert not demo.exists()


@pytest.mark.django_db
def test_a_house_of_one_s_own_with_the_demo_s_people_is_no_demo_house() -> None:
    builders.person(demo.STAFF[0].username)

    with pytest.raises(Exception, match="username"):
        demo.make_house()
    assert not demo.exists()


@pytest.mark.django_db(transaction=True)
def test_two_who_make_the_demo_house_at_once_make_one(tmp_path: Path) -> None:
    """`manage.py up` and, right after it, `manage.py demo --written`."""
    with on_a_file(tmp_path):
        assert not Establishment.objects.exists()
        made = at_once(2, lambda _number: demo.make_house())
        counted = (Establishment.objects.count(), Attendant.objects.count())

    assert sorted(made) == [False, True]
    assert counted == (1, len(demo.STAFF))


# --- People whose password everybody knows ------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_beside_a_house_of_somebody_s_own_there_is_none_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WEB_BIND", "127.0.0.1:8000")
    own = builders.house().establishment

    with pytest.raises(CommandError, match=rf"{own.name} is here.*--beside"):
        call_command("demo")
    assert not demo.exists()

    call_command("demo", "--beside")

    assert set(Establishment.objects.values_list("name", flat=True)) == {
        own.name,
        staff.NAME_ALONGSIDE,
    }
    assert "(demo)" in staff.NAME_ALONGSIDE


FOR_OTHERS = pytest.mark.parametrize("bind", [None, "0.0.0.0:8000", "192.168.1.7:80"])


def exposed(bind: str | None, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.PRODUCTION = True
    monkeypatch.delenv("WEB_BIND", raising=False)
    if bind:
        monkeypatch.setenv("WEB_BIND", bind)


@pytest.mark.long("postgresql")
@pytest.mark.django_db
@FOR_OTHERS
def test_where_others_come_in_there_is_none_unless_asked_for(
    bind: str | None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    exposed(bind, monkeypatch, settings)

    with pytest.raises(CommandError, match=r"everybody knows the password.*--exposed"):
        call_command("demo")
    assert not demo.exists()


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.django_db
@FOR_OTHERS
def test_where_others_come_in_there_is_one_where_it_is_asked_for(
    bind: str | None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    exposed(bind, monkeypatch, settings)

    call_command("demo", "--exposed")

    assert demo.exists()


@pytest.mark.long("sqlite")
@pytest.mark.django_db
def test_on_this_machine_alone_nobody_asks(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.PRODUCTION = True
    monkeypatch.setenv("WEB_BIND", "127.0.0.1:8000")

    call_command("demo")

    assert demo.exists()


@pytest.mark.django_db
def test_without_them_nobody_is_warned_or_kept_out() -> None:
    up.check_passwords_stay_here()
    assert checks.nobody_of_the_demo() == []


def test_it_is_among_the_checks_of_a_deployment() -> None:
    def names(**options: bool) -> set[str]:
        return {getattr(each, "__name__", "") for each in made.registry.get_checks(**options)}

    assert "check_demo_staff" in names(include_deployment_checks=True) - names()


class Here(play.House):
    """The demo's house in this process, of which it needs its id alone."""

    def __init__(self, at: builders.House) -> None:
        self.id = str(at.id)
