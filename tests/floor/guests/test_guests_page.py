"""The guests' page: open where a manager has switched it on, kept by caches, nothing private."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import casino
from casino.floor.guests import pages
from casino.floor.players import waiting
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.play.dice.odds.queries import GAMES
from casino.words.languages import spelled
from casino.words.presenters import opening_forms
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.quoted import rules as numbered
from casino.words.presenters.registered import OPENINGS
from tests.floor.wall.test_wall_board import played, switch
from tests.support import builders
from tests.support.cashing import act
from tests.support.rolling import left_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import Settings

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
BEFORE_PICTURES = 60_000  # bytes
TOKEN = re.compile(r"\bp-[a-z2-9]{12}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STATIC = Path(casino.__file__).parent / "static"
ALLOWED = {"Ada Lovelace": "full", "Bruno Bean": "short", "Cleo Cook": "number"}
SHEETS = ("css/tokens.css", "css/base.css", "css/guests.css")


@pytest.fixture(autouse=True)
def _nobody_came_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    made = builders.house(tables=2, dice_sets=2, publishes_rules=False)
    builders.dice_set(made.establishment, sides=6, count=5)
    switch(made.establishment, guests=True)
    return made


def key_of(house: House) -> str:
    return spelled.compact(house.id)


def page(house: House, *game: str, name: str = "guests", **more: Any) -> Any:
    address = reverse(name, args=[key_of(house), *game])
    return Client().get(address, **more)


def addresses(house: House) -> list[str]:
    key = key_of(house)
    of_games = [
        reverse(name, args=[key, game])
        for game in OPENINGS
        for name in ("guests-game", "guests-odds")
    ]
    return [reverse("guests", args=[key]), *of_games]


def sentences(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


# --- Who may look --------------------------------------------------------------------------------


def test_nothing_is_open_before_it_is_switched_on_and_nothing_after() -> None:
    house = builders.house()
    everything = [*addresses(house), reverse("guests-manifest", args=[key_of(house)])]
    assert {Client().get(each).status_code for each in everything} == {404}

    switch(house.establishment, guests=True)
    assert page(house).status_code == 200

    switch(house.establishment, guests=False)
    assert {Client().get(each).status_code for each in everything} == {404}


@pytest.mark.parametrize("key", ["x", "a" * 22, spelled.compact(uuid.UUID(int=7))])
def test_an_address_of_no_house_is_none(key: str) -> None:
    assert Client().get(f"/g/{key}/").status_code == 404


def test_d2_who_asks_too_often_waits(house: House, settings: Settings) -> None:
    rates = {"DEFAULT_THROTTLE_RATES": {"tokens": "10/min", "ledger": "1/min", "guests": "3/min"}}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, **rates}

    answers = [page(house) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1]["Cache-Control"] == "no-store, private"


# --- Kept by any cache ---------------------------------------------------------------------------


@pytest.mark.parametrize("asks", ["a stranger", "staff"])
def test_a_public_page_may_be_kept_by_any_cache_whoever_asks(house: House, asks: str) -> None:
    client = Client() if asks == "a stranger" else builders.signed_in(house.manager)
    for address in addresses(house)[:3]:
        answer = client.get(address)
        assert answer["Cache-Control"].startswith("public, max-age="), address
        assert "Cookie" not in answer["Vary"]
        assert "Accept-Language" in answer["Vary"]
        assert not answer.cookies
        assert answer.content == Client().get(address).content


def test_who_has_a_page_gets_304_until_it_changes(house: House) -> None:
    first = page(house)
    same = page(house, headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert same["Cache-Control"] == first["Cache-Control"]

    played(house)
    assert page(house, headers={"If-None-Match": first["ETag"]}).status_code == 200


# --- What is on it -------------------------------------------------------------------------------


RANKED = [
    # the table of a rule that ranks hands by one: its rows, and some of them
    ("dice-breaker", "DB4", 8, (["full house", "5"], ["five", "wins the game"])),
    ("river", "RV5", 40, ([7, "Perfect River", "4-5-6-7-8"], [20, "High 11/12", "11 or 12"])),
]


@pytest.mark.parametrize(("game", "number", "rows", "some"), RANKED)
def test_a_rule_that_ranks_hands_by_a_table_shows_it(
    house: House, game: str, number: str, rows: int, some: tuple[list[object], ...]
) -> None:
    answer = page(house, game, name="guests-game")

    tables = {rule["number"]: rule["table"] for rule in answer.context["rules"] if rule["table"]}
    assert tables.keys() == {number}
    assert len(tables[number]["rows"]) == rows
    assert all(row in tables[number]["rows"] for row in some)
    assert tables[number]["title"] in answer.text
    assert len(answer.content) < BEFORE_PICTURES


def test_pots_and_rollovers_as_they_stand(house: House) -> None:
    played(house)
    left_behind(house, table=1)
    builders.settled(house)

    told = sentences(page(house))

    assert "Stone Hand" in told
    assert "round 2" in told
    assert "Waits for the next" in told
    assert "2 r" in told


def test_who_waits_stands_there_as_they_allow(house: House) -> None:
    """Ada in full, Bruno in short, Cleo by number; where boards show no names, all by number."""
    assert "waiting-head" not in sentences(page(house))
    for name, shown in ALLOWED.items():
        waiting.enter(
            act(house, house.attendant, now=timezone.now()),
            name=name,
            game="stone-hand",
            shown=shown,
        )

    names = "<li>number 1</li><li>number 2</li><li>number 3</li>"
    assert names in sentences(page(house))
    switch(house.establishment, wall_names=True)
    told = sentences(page(house))
    assert "<li>Ada Lovelace</li><li>Bruno B.</li><li>number 3</li>" in told
    waiting.call(
        act(house, house.attendant, now=timezone.now()), entry=first_waits(house), table=house.table
    )
    assert f"<b>Ada Lovelace</b> to {house.table.name}, please" in sentences(page(house))


def first_waits(house: House) -> uuid.UUID:
    return uuid.UUID(waiting.read_list(house.id, timezone.now()).entries[0].entry)


def test_g_every_game_has_its_numbered_page_with_the_house_s_options_in_force(house: House) -> None:
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="stone-hand", effective_from=now,
        by=house.manager, now=now, options={"runs": "straight"},
        text="No drinks on the felt.",
    )  # fmt: skip

    told = sentences(page(house, "stone-hand", name="guests-game"))

    assert all(f'<div id="{number}">' in told for number in numbered("stone-hand"))
    assert "7-8-1 and 8-1-2:</span> <b>are not runs</b>" in told
    assert "No drinks on the felt." in told


@pytest.mark.parametrize("game", OPENINGS)
def test_every_option_stands_at_its_rule(house: House, game: str) -> None:
    now, form = timezone.now(), OPENINGS[game]
    shown = pages.rules_of(house.establishment, game, now)

    assert shown is not None
    paid = opening_forms.is_for_money(
        form, {option.name: option.default for option in form.options}
    )
    at = [option["label"] for rule in shown["rules"] for option in rule["options"]]
    stand = [str(option.label) for option in form.options if paid or option.name != UNIT]
    assert sorted(at) == sorted(stand)


def test_h1_the_home_throw_has_its_story(house: House) -> None:
    now = timezone.now()
    home_throws.set_home_throw(
        establishment=house.establishment, faces=(1, 3, 6), effective_from=now, by=house.manager,
        story="The night the lamp fell.",
    )  # fmt: skip

    for answer in (page(house), page(house, "stone-hand", name="guests-game")):
        assert "The night the lamp fell." in sentences(answer)
    assert "home 6" not in sentences(page(house, "threes-away", name="guests-game"))


def test_a_game_that_is_not_played_here_has_no_page(house: House) -> None:
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="river", effective_from=now,
        by=house.manager, now=now, played=False,
    )  # fmt: skip

    assert page(house, "river", name="guests-game").status_code == 404
    assert page(house, "river", name="guests-odds").status_code == 404
    assert "River" not in sentences(page(house))
    assert page(house, "no-such-game", name="guests-game").status_code == 404


def test_odds_are_those_of_the_house_s_options(house: House) -> None:
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="stone-hand", effective_from=now,
        by=house.manager, now=now, options={"runs": "straight"},
    )  # fmt: skip

    shown = pages.odds_of(house.establishment, "stone-hand", now)

    assert shown is not None
    throws = {row[0]: row[1] for row in shown["answer"].tables[0].rows}
    assert throws["run"] == 36
    assert throws["empty"] == 288  # without a home throw


def test_odds_that_are_not_the_house_s_say_so(house: House) -> None:
    usual = "go beyond what odds are worked out for"
    assert usual not in sentences(page(house, "cinnabar-gate", name="guests-odds"))
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="cinnabar-gate", effective_from=now,
        by=house.manager, now=now, options={"junk_rethrows": 40},
    )  # fmt: skip

    assert usual in sentences(page(house, "cinnabar-gate", name="guests-odds"))


@pytest.mark.parametrize("game", GAMES)
def test_odds_of_every_game_are_shown(house: House, game: str) -> None:
    answer = page(house, game, name="guests-odds")
    assert answer.status_code == 200
    assert "<table" in answer.content.decode()


# --- Nothing private, not heavy ------------------------------------------------------------------


def test_no_ids_no_players_no_staff(house: House) -> None:
    played(house)
    for address in addresses(house):
        told = Client().get(address).content.decode()
        told = told.replace(f"/ledger/{house.id}/", "")  # the house's own address in the footer
        for private in (TOKEN, UUID, re.compile("Ada|Bruno|Cleo")):
            assert not private.search(told), (address, private.pattern)
        assert str(house.attendant) not in told


def test_no_page_is_heavier_than_it_may_be(house: House) -> None:
    """What the first view waits for: the page, three sheets, no font, no picture, no script."""
    played(house)
    sheets = sum((STATIC / each).stat().st_size for each in SHEETS)
    for address in addresses(house):
        sent = Client().get(address).content.decode()
        html = re.sub(r"(/static/\S+?)\.[0-9a-f]{12}(\.\w+\")", r"\1\2", sent)  # without hashes
        scripts = re.findall(r"<script[^>]*>", html)
        weight = sum((STATIC / name).stat().st_size for name in re.findall(r"js/\w+\.js", html))

        assert sheets + weight + len(sent.encode()) <= BEFORE_PICTURES, address
        assert tuple(re.findall(r'rel="stylesheet" href="/static/(.*?)"', html)) == SHEETS
        assert all(script.endswith(" defer>") for script in scripts), address
        assert not re.search(r"<img|<style|url\(", html), address
    assert "--sans: system-ui" in (STATIC / SHEETS[-1]).read_text()  # the phone's own font


def test_the_first_page_takes_few_queries(house: House, django_assert_max_num_queries: Any) -> None:
    played(house)
    left_behind(house, table=1)
    builders.settled(house)
    page(house)

    with django_assert_max_num_queries(12):
        page(house)


# --- Languages, home screen ----------------------------------------------------------------------


def test_the_language_is_the_reader_s_and_a_link_chooses_another(house: House) -> None:
    switch(house.establishment, guests=True)
    type(house.establishment).objects.filter(pk=house.id).update(language="it")

    assert "What is played here" in sentences(page(house, headers={"Accept-Language": "en"}))
    italian = page(house, headers={"Accept-Language": "it"})
    assert 'lang="it"' in sentences(italian)
    asked = sentences(page(house, query_params={"language": "it"}))
    assert 'lang="it"' in asked
    assert f"{reverse('guests-game', args=[key_of(house), 'river'])}?language=it" in asked


def test_it_goes_on_a_phone_s_home_screen_under_the_house_s_name(house: House) -> None:
    answer = Client().get(reverse("guests-manifest", args=[key_of(house)]))
    described = answer.json()

    assert described["name"] == house.establishment.name
    assert described["start_url"] == described["scope"] == reverse("guests", args=[key_of(house)])
    assert {each["sizes"] for each in described["icons"]} == {"192x192", "512x512"}
    assert answer["Content-Type"] == "application/manifest+json"


# --- Its code on the wall ------------------------------------------------------------------------


def test_wall_boards_show_its_code_where_it_is_switched_on(house: House) -> None:
    switch(house.table, wall=True)
    switch(house.establishment, wall=True)
    boards = [
        reverse("wall", args=[house.table.wall_address]),
        reverse("wall", args=[house.establishment.wall_key]),
    ]
    assert all("wall-guests" in Client().get(each).text for each in boards)

    switch(house.establishment, guests=False)
    assert not any("wall-guests" in Client().get(each).text for each in boards)
