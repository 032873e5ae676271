"""What a process does not need it does not import (decision 0056). In modules, not in seconds."""

import json
import os
import subprocess
import sys

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from casino.kit.web import addresses
from casino.play.dice.odds.queries import GAMES
from casino.play.dice.odds.urls import ODDS
from tests import template
from tests.processes import ROOT, environment, eventually, free_port, get, started

SERVING = 1186  # modules before a house answers for the first time
FIRST_PAGE = 1297  # and after its first page (docs/decisions/0056, 0102, 0107)
# another database, another broker, the tests' own tools, metrics that nobody asked for
ELSEWHERE = {"psycopg", "redis", "rich", "prometheus_client"}
SELDOM = {  # reports as files; the currencies of ISO 4217
    "scipy", "numpy", "reportlab", "PIL", "xlsxwriter", "babel",
}  # fmt: skip
WHEN_ASKED = {"rest_framework.views", "drf_spectacular.views"}
AFTERWARDS = {"celery.worker.consumer", "celery.beat", "casino.demo.house"}

Modules = list[str]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Modules]:
    """What an embedded house has imported, by the address that was last asked for."""
    folder = tmp_path_factory.mktemp("house")
    env = environment(HOME_THROW_DATA=str(folder / "data"))
    port, written = free_port(), folder / "modules"
    template.put(folder / "data")
    if not (folder / "data" / template.NAME).exists():
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(migrate, cwd=ROOT, env=env, check=True)
    command = (sys.executable, "-m", "tests.weighed", str(written), f"--port={port}")
    with started(*command, env=env, output=folder / "log") as process:
        eventually(lambda: get(port, "/")[0] == 302, process, folder / "log")
        assert get(port, "/sign-in/")[0] == 200
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    return {line["asked"]: line["modules"] for line in lines}


@pytest.mark.processes
@pytest.mark.long("postgresql")  # it is an embedded house there, too
@pytest.mark.parametrize(("asked", "most"), [("", SERVING), ("/sign-in/", FIRST_PAGE)])
def test_a_house_imports_so_much_and_no_more(
    house: dict[str, Modules], asked: str, most: int
) -> None:
    assert len(house[asked]) <= most


@pytest.mark.processes
@pytest.mark.long("postgresql")
@pytest.mark.parametrize("asked", ["", "/", "/sign-in/"])
def test_of_what_is_seldom_needed_it_has_nothing(house: dict[str, Modules], asked: str) -> None:
    assert (ELSEWHERE | SELDOM | WHEN_ASKED | AFTERWARDS).isdisjoint(house[asked])


@pytest.mark.long
def test_who_serves_everything_waits_for_no_file_of_a_report() -> None:
    """These take longer to import than all of the house, and each web process would wait."""
    program = (
        "import sys, django; django.setup(); from casino.engine.processes import registrations; "
        "from casino.kit.web import addresses; "
        "addresses.import_all(); registrations.everything(); "
        "import casino.play.core.subscriptions.tasks; "
        f"sys.exit(sorted({SELDOM} & sys.modules.keys()))"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "casino.config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert done.stderr.strip() == "[]"


# --- Addresses name their views ---------------------------------------------------------------


def named(patterns: list[URLPattern | URLResolver]) -> list[addresses.Named]:
    found: list[addresses.Named] = []
    for each in patterns:
        if isinstance(each, URLResolver):
            found += named(each.url_patterns)
        elif isinstance(each.callback, addresses.Named):
            found.append(each.callback)
    return found


def test_every_view_that_is_named_is_there() -> None:
    views = named(get_resolver().url_patterns)

    assert len(views) > 200
    assert all(callable(each.view) for each in views)


def test_a_view_is_all_that_the_named_one_is() -> None:
    """Django asks it whether a form needs its token; the API's description, which class it is."""
    page = addresses.Named("casino.settings.staff.sign_in.pages.SignIn")
    of_the_api = addresses.Named("casino.settings.staff.sign_in.api.Tokens")

    assert page.view_class.__name__ == "SignIn"
    assert not getattr(page, "csrf_exempt", False)
    assert of_the_api.cls.__name__ == "Tokens"
    assert of_the_api.csrf_exempt


def test_all_games_have_an_address_of_their_odds() -> None:
    assert set(ODDS) == set(GAMES)
