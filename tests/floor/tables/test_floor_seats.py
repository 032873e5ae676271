"""Seating people: whom a few letters mean, the last seats again, and who is never offered."""

from __future__ import annotations

import re
import unicodedata
import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from casino.floor.players import player_names
from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import similar_names, tokens
from casino.house.attendants.pseudonyms.models import FirstLetters, Player
from casino.house.establishments.gaming_day import current
from casino.play.exclusions import operations as exclusions
from casino.words.languages import names as lookalikes
from casino.words.presenters import opening_forms
from tests.support import builders
from tests.support.builders import command, opened, put, settled, throw
from tests.support.on_citus import ON_CITUS

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
ASKED_QUERIES = 13  # session, person and roles included, however many the house knows


@pytest.fixture
def house() -> House:
    return builders.house()


def known(house: House, *names: str) -> dict[str, str]:
    return tokens.player_tokens(house.id, names, new=True)


def as_(who: Attendant) -> Client:
    client = Client()
    client.force_login(who)
    return client


def named(house: House, letters: str = "", at: Table | None = None) -> list[str]:
    """The names that the page of a table offers for some letters."""
    address = reverse("floor-players", args=[(at or house.table).pk])
    answer = as_(house.attendant).get(address, {"letters": letters})
    assert answer.status_code == HTTPStatus.OK, answer.content
    return [each["name"] for each in answer.json()["players"]]


def exclude(house: House, name: str, *, days: int | None = None) -> str:
    [player] = known(house, name).values()
    now = timezone.now()
    act = acts.Act(
        house=house.establishment,
        by=house.supervisor,
        device="office",
        now=now,
        command_id=uuid.uuid4(),
        request={"player": player},
    )
    day = current(house.establishment, now)
    until = None if days is None else day + timedelta(days=days)
    exclusions.exclude(act, player=player, since=day, until=until, reason="Asked for it.")
    return player


# fmt: off
FOUND = [
    # Two letters mean everybody whose name begins so, in the order of names.
    ("ad",    ["Ada", "Adam Rossi"]),
    ("AD",    ["Ada", "Adam Rossi"]),
    (" Ada ", ["Ada", "Adam Rossi"]),
    ("adam",  ["Adam Rossi"]),
    ("adam r", ["Adam Rossi"]),
    ("él",    ["Élodie"]),
    ("ÉL",    ["Élodie"]),
    ("mc",    ["mcGee"]),
    # Fewer mean nobody who has not sat here lately: nothing lists the names of a house.
    ("a",     []),
    ("",      []),
    ("  ",    []),
    ("a ",    []),
    # And nothing but the beginning of a name counts.
    ("da",    []),
    ("%",     []),
    ("__",    []),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("letters", "names"), FOUND)
def test_two_letters_mean_the_players_whose_names_begin_so(
    house: House, letters: str, names: list[str]
) -> None:
    known(house, "Ada", "Adam Rossi", "Élodie", "mcGee", "Bo")

    assert named(house, letters) == names


CYRILLIC_ADA = "\u0410d\u0430"


# fmt: off
NAMESAKES = [
    # typed          beside each other
    ("ad",           {"Ada", CYRILLIC_ADA, "ADA"}),
    ("\u0430d",      {"Ada", CYRILLIC_ADA, "ADA"}),  # by a Cyrillic keyboard
    ("ott",          {"Otto", "0tt0", "\u039ftt\u03bf"}),
]
# fmt: on


@pytest.mark.parametrize(("letters", "names"), NAMESAKES)
def test_names_that_only_their_letters_tell_apart_stand_beside_each_other(
    house: House, letters: str, names: set[str]
) -> None:
    known(house, "Ada", CYRILLIC_ADA, "ADA", "Adam", "Otto", "0tt0", "\u039ftt\u03bf")

    found = named(house, letters)

    assert names <= set(found)
    assert set(found[: len(names)]) == names


def test_who_sat_there_lately_comes_first_and_by_any_word_of_the_name(house: House) -> None:
    known(house, "Rosa", "Aaron")
    game = opened(house, players=["Bo Rossi", "Anna", "Cyd"])
    put(house, game, command("close"))

    assert named(house) == ["Bo Rossi", "Anna", "Cyd"]
    assert named(house, "ro") == ["Bo Rossi", "Rosa"]
    assert named(house, "an") == ["Anna"]
    assert named(house, at=house.tables[1]) == []
    assert named(house, "ro", at=house.tables[1]) == ["Rosa"]


def test_the_latest_game_s_people_come_before_those_of_games_before(house: House) -> None:
    for names in (["Ada", "Bo"], ["Cyd", "Ada"], ["Dara", "Elio"]):
        game = opened(house, players=names)
        put(house, game, command("close"))

    assert named(house) == ["Dara", "Elio", "Cyd", "Ada", "Bo"]


def test_nobody_is_offered_who_sits_there_now(house: House) -> None:
    game = opened(house, players=["Ada", "Bo", "Cyd"])
    assert named(house) == []
    put(house, game, command("leave", player="Cyd"))

    assert named(house) == ["Cyd"]


def test_who_is_excluded_is_not_offered_nor_who_reads_like_them(house: House) -> None:
    # P1
    game = opened(house, players=["Ada", "Bo", "Cyd"])
    put(house, game, command("close"))
    known(house, "Adela", "A DA")
    exclude(house, "Ada")

    assert named(house) == ["Bo", "Cyd"]
    assert named(house, "ad") == ["Adela"]
    assert named(house, "a d") == []


def test_who_is_excluded_leaves_no_gap_among_eight(house: House) -> None:
    # P1
    known(house, *(f"Ada {number}" for number in range(10)))
    exclude(house, "Ada 0")

    assert named(house, "ad") == [f"Ada {number}" for number in range(1, 9)]


@pytest.mark.parametrize(("later", "offered"), [(0, False), (1, False), (2, True)])
def test_an_exclusion_bars_until_its_last_day(house: House, later: int, *, offered: bool) -> None:
    # P1
    player = exclude(house, "Ada", days=1)
    day = current(house.establishment, timezone.now()) + timedelta(days=later)

    found = player_names.suggest(house.id, "ad", lately=[], day=day)

    assert [each.token for each in found] == ([player] if offered else [])


def test_an_erased_name_is_found_by_nothing(house: House) -> None:
    players = known(house, "Ada", "Adam")
    player_names.forget(house.id, players["Ada"])

    assert named(house, "ad") == ["Adam"]
    assert named(house, players["Ada"]) == []


def test_another_house_s_players_are_not_known_here(house: House) -> None:
    # D2
    known(builders.house(), "Ada")

    assert named(house, "ad") == []


@pytest.mark.parametrize("role", list(Role))
def test_names_are_for_who_records(house: House, role: Role) -> None:
    # D1
    known(house, "Ada")
    address = reverse("floor-players", args=[house.table.pk])

    answer = as_(house.people[role]).get(address, {"letters": "ad"})

    allowed = role in {Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER}
    assert answer.status_code == (HTTPStatus.OK if allowed else HTTPStatus.FORBIDDEN)
    assert ("Ada" in answer.text) is allowed


def test_names_are_for_who_works_there_and_is_signed_in(house: House) -> None:
    # D2
    address = reverse("floor-players", args=[house.table.pk])

    assert Client().get(address).status_code == HTTPStatus.UNAUTHORIZED
    assert as_(builders.house().manager).get(address).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("players", [3, 300])
def test_asking_costs_the_same_whoever_is_known(
    house: House, players: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = opened(house, players=["Ada", "Bo", "Cyd"])
    put(house, game, command("close"))
    known(house, *(f"Ad{number:03}" for number in range(players)))
    exclude(house, "Bo")
    client = as_(house.attendant)
    address = reverse("floor-players", args=[house.table.pk])

    with django_assert_max_num_queries(ASKED_QUERIES):
        client.get(address, {"letters": "ad"})


@pytest.mark.skipif(ON_CITUS, reason="Another server's session plans it.")
def test_the_index_finds_names_by_their_first_letters(house: House) -> None:
    known(house, *(f"Name{number}" for number in range(50)))
    matching = Player.objects.alias(first=FirstLetters("name")).filter(
        establishment_id=house.id, first__in=["Na", "na"]
    )
    if connection.vendor == "sqlite":
        assert "players_by_first_letters" in matching.explain()
    else:
        # The planner knows how many names there are and how they begin once it has looked.
        known(house, *(f"{chr(65 + number % 26)}{number}" for number in range(500)))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE pseudonyms_player")
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "players_by_first_letters" in matching.explain()


@given(name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=2, max_size=12))
def test_a_name_s_own_first_letters_are_among_those_looked_up(name: str) -> None:
    tidy = unicodedata.normalize("NFC", name.strip())
    if len(unicodedata.normalize("NFC", lookalikes.without_marks(name).strip())) < 2:
        assert similar_names.spellings(name) == []
    else:
        first = tidy[:2]
        simple = all(len(each.upper()) == len(each.lower()) == 1 for each in first)
        cased = all(each in {each.upper(), each.lower()} for each in first)
        letters = all(lookalikes.without_marks(f"a{each}") != "a" for each in first)
        assert first in similar_names.spellings(name) or not (simple and cased and letters)


@pytest.mark.parametrize(("typed", "first"), [("dangelo", "D'"), ("'t h", "'t"), ("th", "'t")])
def test_marks_may_stand_among_the_first_letters(typed: str, first: str) -> None:
    assert first in similar_names.spellings(typed)


# --- The last game's seats again ----------------------------------------------------------------


def again(house: House, **posted: str) -> str:
    address = reverse("floor-open", args=[house.table.pk])
    answer = as_(house.attendant).post(address, {"again": "1", "game": "stone-hand", **posted})
    assert answer.status_code == HTTPStatus.OK, answer.content
    return answer.text


def seats(page: str) -> list[str]:
    found = re.findall(r'name="player" value="([^"]*)"', page)
    return [name for name in found if name]


def test_the_last_game_s_seats_are_taken_again_by_one_button(house: House) -> None:
    game = opened(house, players=["Cyd", "Ada", "Bo"], stake=7)
    put(house, game, command("close"))
    offer = as_(house.attendant).get(reverse("floor-open", args=[house.table.pk])).text

    page = again(house)

    assert "Cyd, Ada, Bo" in offer
    assert seats(page) == ["Cyd", "Ada", "Bo"]
    assert 'name="stake" value="7"' in page


def test_who_left_or_is_excluded_is_not_seated_again(house: House) -> None:
    # P1
    game = opened(house, players=["Ada", "Bo", "Cyd", "Dara"])
    put(house, game, command("leave", player="Bo"), command("close"))
    exclude(house, "Cyd")

    assert seats(again(house)) == ["Ada", "Dara"]


def test_who_is_out_comes_again_with_new_money(house: House) -> None:
    game = opened(house, players=["Ada", "Bo", "Cyd"], stake=3)
    put(house, game, throw("Ada", 8, 8, 7), throw("Bo", 1, 2, 3), throw("Cyd", 4, 5, 6))
    settled(house)
    put(house, game, command("close"))

    assert set(seats(again(house))) == {"Ada", "Bo", "Cyd"}


def test_the_house_keeps_its_seat_and_it_is_the_last(house: House) -> None:
    # G8
    people = [{"name": "Bank", "stake": 5, "house": True}, {"name": "Ada", "stake": 5}]
    game = opened(house, players=[*people, {"name": "Bo", "stake": 5}], stake=5)
    put(house, game, command("close"))

    page = again(house)

    assert seats(page) == ["Ada", "Bo", "Bank"]
    assert 'name="house_seat" value="1" checked' in page


def test_the_house_does_not_come_along_where_it_has_no_seat(house: House) -> None:
    # RV1
    people = [{"name": "Ada", "stake": 5}, {"name": "Bo", "stake": 5}]
    bank = {"name": "Bank", "stake": 5, "house": True}
    game = opened(house, players=[*people, bank], stake=5)
    put(house, game, command("close"))

    assert seats(again(house, game="river")) == ["Ada", "Bo"]


@pytest.mark.parametrize("left", [["Ada", "Bo"], ["Ada"]])
def test_one_person_is_no_table(house: House, left: list[str]) -> None:
    game = opened(house, players=["Ada", "Bo"])
    put(house, game, command("close"))
    for name in left:
        exclude(house, name)

    page = as_(house.attendant).get(reverse("floor-open", args=[house.table.pk])).text

    assert "The same seats again" not in page


def test_a_table_nobody_sat_at_offers_nothing(house: House) -> None:
    page = as_(house.attendant).get(reverse("floor-open", args=[house.table.pk])).text

    assert "The same seats again" not in page
    assert "Sat here lately" not in page
    assert seats(again(house)) == []


# --- Chips --------------------------------------------------------------------------------------

# fmt: off
CHIPS = [
    # The house's own chips, the smallest four; none that a table's limit does not take (G10).
    ((1, 5, 25, 100, 500), None, (1, 5, 25, 100)),
    ((500, 25, 5),         None, (5, 25, 500)),
    ((1, 5, 25, 100),      25,   (1, 5, 25)),
    ((50, 100),            20,   (50,)),
]
# fmt: on


@pytest.mark.parametrize(("values", "most", "steps"), CHIPS)
def test_stakes_are_stepped_by_the_house_s_chips(
    house: House, values: tuple[int, ...], most: int | None, steps: tuple[int, ...]
) -> None:
    house.establishment.denominations = [{"value": value, "name": ""} for value in values]

    assert opening_forms.chip_steps(house.establishment.denominations, most) == steps
