"""The floor's pages without a browser: who sees what, what it costs, what does not change."""

from __future__ import annotations

import re
import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from casino.floor.tables import open_form
from casino.house.attendants.models import Attendant, Role
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.models import Establishment
from tests.support import builders

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
BOARD_QUERIES = 16  # whatever the game's length, as sessions, sign-in and who records included
NEWS_QUERIES = 1  # to hear that nothing happened
HALL_QUERIES = 17  # however many tables and games


@pytest.fixture
def house() -> House:
    return builders.house()


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page(client: Client, name: str, *arguments: Any, **headers: str) -> Any:
    return client.get(reverse(name, args=arguments), headers=headers)


def offered(answer: Any) -> set[str]:
    return set(re.findall(r'data-command="([\w-]+)"', answer.text))


def test_who_only_looks_is_offered_nothing(house: House) -> None:
    game = builders.opened(house)
    builders.put(house, game, builders.throw("Ada", 2, 2, 7))

    seen = {role: offered(page(signed_in(who), "floor-game", game))
            for role, who in house.people.items()}  # fmt: skip

    assert {"throw", "undo", "no-throw", "close"} <= seen[Role.ATTENDANT]
    assert seen[Role.SUPERVISOR] == seen[Role.MANAGER] == seen[Role.ATTENDANT]
    assert seen[Role.AUDITOR] == set()
    auditor = page(signed_in(house.auditor), "floor-game", game)
    assert "data-face" not in auditor.text
    assert "Ada" in auditor.text


def test_an_auditor_s_command_is_turned_down_and_leaves_nothing(house: House) -> None:
    game = builders.opened(house)
    sent = {"do": "throw", "player": "Ada", "dice": [2, 2, 7], "command_id": str(uuid.uuid4())}

    answer = signed_in(house.auditor).post(reverse("floor-command", args=[game]), sent)
    opening = signed_in(house.auditor).get(reverse("floor-open", args=[house.tables[1].pk]))

    assert answer.status_code == opening.status_code == HTTPStatus.FORBIDDEN
    assert "This is not open to you" in answer.text
    assert "2-2-7" not in page(signed_in(house.auditor), "floor-log", game).text


@pytest.mark.parametrize("name", ["floor-game", "floor-board", "floor-log"])
def test_another_house_s_game_is_not_there(house: House, name: str) -> None:
    game = builders.opened(house)
    stranger = builders.house().attendant

    assert page(signed_in(stranger), name, game).status_code == HTTPStatus.NOT_FOUND
    there = signed_in(stranger).get(reverse("floor-open", args=[house.table.pk]))
    sent = {"do": "close", "command_id": str(uuid.uuid4())}
    refused = signed_in(stranger).post(reverse("floor-command", args=[game]), sent)
    assert there.status_code == refused.status_code == HTTPStatus.NOT_FOUND


def test_nobody_is_asked_to_sign_in_and_a_board_says_401(house: House) -> None:
    game = builders.opened(house)
    nobody = Client()

    assert page(nobody, "floor-game", game).status_code == HTTPStatus.FOUND
    assert page(nobody, "floor").status_code == HTTPStatus.FOUND
    assert page(nobody, "floor", HX_Request="true").status_code == HTTPStatus.UNAUTHORIZED
    assert page(nobody, "floor-board", game).status_code == HTTPStatus.UNAUTHORIZED


def test_a_board_that_did_not_change_is_not_sent_again(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = builders.opened(house)
    builders.settled(house)
    mira = signed_in(house.attendant)
    page(mira, "floor-board", game)  # which gives it its cookies
    etag = page(mira, "floor-board", game).headers["ETag"]

    with django_assert_num_queries(NEWS_QUERIES):
        same = page(mira, "floor-board", game, If_None_Match=etag)
    assert (same.status_code, same.content) == (HTTPStatus.NOT_MODIFIED, b"")
    builders.put(house, game, builders.throw("Ada", 2, 2, 7))
    thrown = page(mira, "floor-board", game, If_None_Match=etag)
    assert thrown.status_code == HTTPStatus.OK
    builders.settled(house)
    booked = page(mira, "floor-board", game, If_None_Match=thrown.headers["ETag"])
    assert booked.status_code == HTTPStatus.OK


def test_a_long_game_s_board_stays_small_and_cheap(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = builders.opened(house, stake=5000)
    mira = signed_in(house.attendant)
    dice = {"Ada": (2, 2, 7), "Bruno": (3, 4, 5), "Cleo": (5, 6, 7)}
    builders.put(
        house, game, *(builders.throw(name, *dice[name]) for _ in range(55) for name in dice)
    )
    page(mira, "floor-board", game)

    with django_assert_num_queries(BOARD_QUERIES):
        board = page(mira, "floor-board", game)

    assert board.text.count('<li class="happened') == 60
    assert len(board.content) < 70_000
    assert f"All {1 + 4 * 55} events" in board.text
    whole = page(mira, "floor-log", game).text
    assert whole.count('<li class="event') == 1 + 4 * 55


def test_lines_that_are_kept_are_of_whoever_looks(house: House) -> None:
    """A board's lines are drawn once; not for another language, money, name or void."""
    game = builders.opened(house)
    dice = {"Ada": (2, 2, 7), "Bruno": (3, 4, 5), "Cleo": (5, 6, 7)}
    builders.put(house, game, *(builders.throw(name, *dice[name]) for name in dice))
    mira, ines = signed_in(house.attendant), signed_in(house.supervisor)

    def log(client: Client) -> str:
        return str(page(client, "floor-board", game).text.partition('id="log"')[2])

    first = log(mira)
    assert log(mira) == log(ines) == first
    Establishment.objects.filter(pk=house.id).update(currency_symbol="\u20ac")
    money = log(mira)
    assert "\u20ac" in money
    assert "\u20ac" not in first
    Attendant.objects.filter(pk=house.supervisor.pk).update(language="it")
    assert ("pair" in money, "pair" in log(ines), "coppia" in log(ines)) == (True, False, True)
    Player.objects.filter(establishment=house.id, name="Ada").update(name="Adelaide")
    assert "Adelaide" in log(mira)
    following = house.client().get(f"{builders.GAMES}{game}/").json()["next"]["players"][0]
    [thrown] = builders.put(house, game, builders.throw(following, 1, 1, 4))
    number = thrown["events"][0]["number"]
    builders.put(house, game, builders.command("void", back_to=number, reason="Misread."))
    assert "is-void" in log(mira)
    assert "is-void" not in money


def test_the_hall_asks_no_more_for_a_long_game(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mira = signed_in(house.attendant)
    builders.opened(house)
    page(mira, "floor")

    with django_assert_num_queries(HALL_QUERIES):
        hall = page(mira, "floor")

    assert "Ada to throw" in hall.text


def test_a_round_is_explained_once_it_has_ended(house: House) -> None:
    game = builders.opened(house)
    mira = signed_in(house.attendant)
    assert "not over yet" in page(mira, "floor-round", game, 1).text
    builders.put(house, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 3, 4, 5),
                 builders.throw("Cleo", 5, 6, 7))  # fmt: skip

    why = page(signed_in(house.auditor), "floor-round", game, 1)

    assert "Ada threw 2-2-7, a pair with score 7, the worst of the round (SH4)." in why.text
    assert "When all have thrown the worst hand loses." in why.text
    assert why.text.count("<use href=") == 9
    assert page(mira, "floor-round", game, 2).status_code == HTTPStatus.NOT_FOUND


def test_a_command_id_that_was_used_for_something_else_is_said(house: House) -> None:
    mira = signed_in(house.attendant)
    used = str(uuid.uuid4())
    form = {"command_id": used, "game": "stone-hand", "stake": "25", "player": ["Ada", "Bo"]}
    address = reverse("floor-open", args=[house.table.pk])

    first = mira.post(address, form)
    again = mira.post(address, form)
    other = mira.post(address, {**form, "stake": "30"})

    assert first.status_code == again.status_code == HTTPStatus.FOUND
    assert first.headers["Location"] == again.headers["Location"]
    assert other.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Not opened" in other.text
    assert f'value="{used}"' not in other.text  # a second try goes under a new one


# fmt: off
HOME_THROWS = [
    ("1-3-6",   [1, 3, 6]),
    ("1 3 6",   [1, 3, 6]),
    ("136",     [1, 3, 6]),
    ("6/3/1",   [6, 3, 1]),
    ("1-3",     [1, 3]),
    ("none",    []),
    ("10-3-6",  [10, 3, 6]),
]
# fmt: on


@pytest.mark.parametrize(("written", "read"), HOME_THROWS)
def test_a_home_throw_is_read_as_people_write_it(written: str, read: list[int]) -> None:
    assert open_form.faces(written) == read


# fmt: off
POOL = {"mode": "pool"}
RAKE = {"fee": "rake", "fee-percent": "5"}
TIME = {"fee": "time", "fee-amount": "1", "fee-minutes": "30"}
OPENINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # sent                               what the command says
    ({},                                 {"stake": 25, "options": POOL}),
    ({"option-mode": "drinks"},          {"options": {"mode": "drinks"}}),
    ({"home_throw": "house"},            {"home_throw_policy": "fixed"}),
    ({"home_throw": "attendant"},        {"home_throw_policy": "attendant"}),
    ({"first": "1"},                     {"first": "Bo"}),
    ({"option-rethrow": "2"},            {"options": POOL | {"rethrow": 2}}),
    ({"option-runs": "wrap"},            {"options": POOL}),  # as always: not said
    ({"option-triads": "false"},         {"options": POOL | {"triads": False}}),
    ({"option-triad_pay": "amount",
      "option-triad_pay-amount": "9"},   {"options": POOL | {"triad_pay": 9}}),
    (RAKE | {"fee-amount": "3"},         {"fee": {"kind": "rake", "percent": 5}}),
    (RAKE | {"fee-cap": "4"},            {"fee": {"kind": "rake", "percent": 5, "cap": 4}}),
    (TIME,                               {"fee": {"kind": "time", "amount": 1, "minutes": 30}}),
    (TIME | {"option-mode": "drinks"},          {"options": {"mode": "drinks"}}),
    ({"house_seat": "1"},                {"players": [{"name": "Ada"},
                                                      {"name": "Bo", "house": True}]}),
    ({"home_throw": "players",
      "home": ["1-3-6", ""]},            {"players": [{"name": "Ada", "home_throw": [1, 3, 6]},
                                                      {"name": "Bo"}],
                                          "options": POOL | {"homes": "players"}}),
]
# fmt: on


@pytest.mark.parametrize(("sent", "expected"), OPENINGS)
def test_the_opening_form_sends_what_was_chosen(
    sent: dict[str, Any], expected: dict[str, Any]
) -> None:
    form = {"player": ["Ada", "Bo", " "], "stake": "25", **sent}
    posted = QueryDict(mutable=True)
    for name, value in form.items():
        posted.setlist(name, value if isinstance(value, list) else [value])

    command = open_form.command(posted)

    assert {name: command.get(name) for name in expected} == expected
    assert ("stake" in command) == (form.get("option-mode", "pool") == "pool")
    assert ("fee" in command) == ("fee" in expected)
