"""Where a scoreboard is read: the office and its files, the API, a table's sheet."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.floor.players import player_names
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms.models import Player
from casino.play.settlement.models import PrizeRule, Scoreboard
from tests.support import builders
from tests.support.dayend import closed
from tests.support.listed import as_csv
from tests.support.playing import PAIR_4, PAIR_7, opened, round_played, settled, token

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PAIR_5 = (2, 2, 5)
STONE = "stone-hand"
ADA = "Ada Lovelace"


@pytest.fixture
def house() -> House:
    made = builders.house()
    made.establishment.wall_names = True
    made.establishment.save()
    return made


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """Ada has two points, Bo one; a lamp is won with five; a first place of 30."""
    for kind, at, amount in (("points", 5, 0), ("place", 1, 30)):
        PrizeRule.objects.create(
            establishment=house.establishment, kind=kind, at=at, prize="A lamp", amount=amount
        )
    Scoreboard.objects.create(establishment=house.establishment, season="day")
    game = opened(house, players=["Eve", ADA, "Bo"], options={"mode": "scoreboard"}, stake=0)
    for hand in (PAIR_4, PAIR_5):
        round_played(house, game, ("Eve", PAIR_7), (ADA, PAIR_4), ("Bo", hand))
    settled(house)
    return game


def signed_in(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


def on_page(client: Client, path: str) -> list[Any]:
    """The items of the board's list; the plot has a table, too."""
    contexts: Any = client.get(path).context
    [table] = {id(each["table"]): each["table"] for each in contexts if "seasons" in each}.values()
    return [line.item for line in table.lines]


def test_an_attendant_reads_the_board_in_the_office(house: House, game: uuid.UUID) -> None:
    attendant = signed_in(house, Role.ATTENDANT)

    found = on_page(attendant, reverse("scoreboards"))

    assert [(each.row.place, each.name, str(each.row.points)) for each in found] == [
        (1, ADA, "2"), (2, "Bo", "1"),
    ]  # fmt: skip
    assert {each.url for each in found} == {""}  # players' pages are not theirs
    page = attendant.get(reverse("scoreboard", args=[STONE])).content.decode()
    assert "A lamp: 3 more" in page
    assert "A lamp (30" in page
    assert "plot-line-1" in page
    [bo] = on_page(attendant, f"{reverse('scoreboard', args=[STONE])}?name=bo")
    assert bo.name == "Bo"
    assert token(house, game, "Bo") == bo.row.player


def test_seasons_stand_side_by_side_and_each_has_its_final_table(
    house: House, game: uuid.UUID
) -> None:
    closed(house)
    settled(house)
    manager, address = signed_in(house, Role.MANAGER), reverse("scoreboard", args=[STONE])

    context = manager.get(address).context
    assert [(each.season.number, each.players, each.prizes) for each in context["seasons"]] == [
        (2, 0, 0), (1, 2, 1),
    ]  # fmt: skip
    assert [(place, names) for place, names, _won in context["seasons"][1].best] == [
        (1, ADA), (2, "Bo"),
    ]  # fmt: skip
    assert on_page(manager, address) == []
    final = on_page(manager, f"{address}?season=1")
    assert [(each.name, [won.amount for won in each.row.wins]) for each in final] == [
        (ADA, [30]), ("Bo", []),
    ]  # fmt: skip
    assert "Next to win" not in manager.get(f"{address}?season=1").content.decode()
    assert manager.get(f"{address}?season=7").status_code == HTTPStatus.NOT_FOUND
    assert manager.get(reverse("scoreboard", args=["chess"])).status_code == HTTPStatus.NOT_FOUND
    assert game


def test_files_and_programs_have_the_same_lines(house: House, game: uuid.UUID) -> None:
    auditor = signed_in(house, Role.AUDITOR)
    address = reverse("scoreboard", args=[STONE])
    lines = as_csv(auditor, f"{address}?format=csv", head="place")
    assert [(each["place"], each["name"], each["points"], each["next"]) for each in lines] == [
        ("1", ADA, "2", "A lamp: 3 more"), ("2", "Bo", "1", "A lamp: 4 more"),
    ]  # fmt: skip
    for form in ("xlsx", "pdf", "json"):
        assert auditor.get(f"{address}?format={form}").status_code == HTTPStatus.OK

    answer = house.client().get(house.url(f"scoreboards/{STONE}/")).json()

    assert answer["results"][0] == {
        "place": 1, "name": ADA, "player": token(house, game, ADA), "public": "Ada L.",
        "points": 2, "rounds": 2, "today": 0, "trend": "same", "rise": 0,
        "next": {"prize": "A lamp", "amount": 0, "missing": 3},
        "wins": [{"prize": "A lamp", "amount": 30}],
    }  # fmt: skip
    assert house.client().get(house.url("scoreboards/chess/")).status_code == HTTPStatus.NOT_FOUND


def test_at_the_table_an_attendant_finds_a_player(house: House, game: uuid.UUID) -> None:
    attendant, address = signed_in(house, Role.ATTENDANT), reverse("floor-scoreboard", args=[game])
    assert (
        f'data-sheet href="{address}"'
        in attendant.get(reverse("floor-game", args=[game])).content.decode()
    )

    sheet = attendant.get(address, headers={"HX-Request": "true"})
    assert [each.name for each in sheet.context["here"]] == [ADA, "Bo"]
    assert "A lamp: 3 more" in sheet.content.decode()

    found = attendant.get(address, {"name": "ada"}, headers={"HX-Request": "true"})
    [(line, _form)] = found.context["found"]
    assert (line.name, line.public) == (ADA, "Ada L.")
    eve = attendant.get(address, {"name": "ev"})
    assert eve.context["without"] == ["Eve"]
    assert signed_in(house, Role.AUDITOR).get(address).status_code == HTTPStatus.FORBIDDEN


def test_a_player_chooses_at_the_table_how_screens_name_them(house: House, game: uuid.UUID) -> None:
    ada = token(house, game, ADA)
    attendant, address = signed_in(house, Role.ATTENDANT), reverse("floor-scoreboard", args=[game])
    sent: dict[str, Any] = {
        "command_id": str(uuid.uuid4()), "player": ada, "name": "ada", "shown": "number",
    }  # fmt: skip

    answer = attendant.post(address, sent)

    assert answer.status_code == HTTPStatus.OK
    assert f"number {player_names.number_of(ada)}" in answer.content.decode()
    assert Player.objects.get(token=ada).shown == "number"
    wrong = attendant.post(address, {**sent, "command_id": str(uuid.uuid4()), "shown": "loud"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_the_office_and_programs_choose_it_too(house: House, game: uuid.UUID) -> None:
    ada = token(house, game, ADA)
    supervisor = signed_in(house, Role.SUPERVISOR)
    page = supervisor.get(reverse("player", args=[ada]))
    assert "Ada L." in page.content.decode()
    sent = {"command_id": str(uuid.uuid4()), "shown": "full"}
    supervisor.post(reverse("player-shown", args=[ada]), sent)
    assert Player.objects.get(token=ada).shown == "full"

    address = house.url(f"players/{ada}/shown/")
    body = {"command_id": str(uuid.uuid4()), "shown": "short"}
    answer = house.client().post(address, body)

    assert answer.json() == {"id": ada, "shown": "short", "public": "Ada L."}
    assert house.client(Role.AUDITOR).post(address, body).status_code == HTTPStatus.FORBIDDEN
    body = {"command_id": str(uuid.uuid4()), "shown": "loud"}
    assert house.client().post(address, body).status_code == HTTPStatus.BAD_REQUEST


def test_at_the_table_points_that_are_not_booked_yet_are_foreseen(
    house: House, game: uuid.UUID
) -> None:
    attendant, address = signed_in(house, Role.ATTENDANT), reverse("floor-scoreboard", args=[game])
    round_played(house, game, ("Eve", PAIR_4), (ADA, PAIR_4), ("Bo", PAIR_5))

    sheet = attendant.get(address, headers={"HX-Request": "true"})
    found = [
        (each.name, each.points, each.booked, each.next_words) for each in sheet.context["here"]
    ]
    assert found == [
        (ADA, "3", "2", "A lamp: 2 more"), ("Bo", "1", "", "A lamp: 4 more"),
        ("Eve", "1", "0", "A lamp: 4 more"),
    ]  # fmt: skip
    assert "booked 2" in sheet.text

    settled(house)
    assert "booked 2" not in attendant.get(address, headers={"HX-Request": "true"}).text
