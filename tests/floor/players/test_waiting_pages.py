"""The waiting list at the desk, over a table, where people are seated, on walls and in the API."""

from __future__ import annotations

import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import waiting
from casino.floor.tables import news
from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.play.exclusions import operations as exclusions
from ledger import journal
from tests.support import builders
from tests.support.cashing import act
from tests.support.playing import NOW, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

STONE = "stone-hand"
LONG = "Anna Maria Wilhelmina van der Hoogstraten-Vandenberghe zu Rabenau-Lichtenfels"


@pytest.fixture(autouse=True)
def _evening() -> Iterator[None]:
    news.TICKETS.forget()
    news.DRAWN.forget()
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def house() -> House:
    return builders.house()


def entered(house: House, *names: str, game: str = STONE) -> list[str]:
    """Players who wait; the ids of their entries."""
    return [
        waiting.enter(
            acts.Act(
                house=house.establishment, by=house.attendant, device="office", now=NOW,
                command_id=uuid.uuid4(), request={},
            ),
            name=name,
            game=game,
        ).entry
        for name in names
    ]  # fmt: skip


def listed(house: House, **when: int) -> list[tuple[str, bool]]:
    """Who waits, in order, and whether they are called."""
    entries = waiting.read_list(house.id, NOW + timedelta(**when)).entries
    called = tokens.names(house.id, {each.player for each in entries})
    return [(called[each.player], bool(each.called_at)) for each in entries]


def desk(house: House, address: str, **sent: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **sent}
    return builders.signed_in(house.attendant).post(address, body, format="multipart", follow=True)


def test_the_desk_enters_calls_skips_and_takes_off(house: House) -> None:
    page = reverse("waiting")
    made = desk(house, page, name="Ada", game=STONE, stake="20", shown="full")
    assert "On the list, as number 1." in made.text
    desk(house, page, name=LONG, game=STONE)
    assert listed(house) == [("Ada", False), (LONG, False)]
    ada, long = [each.entry for each in waiting.read_list(house.id, NOW).entries]

    called = desk(house, reverse("waiting-entry", args=[ada]), do="call", table=house.table.pk)
    assert "Called: public screens show it." in called.text
    assert f"to {house.table.name}" in called.text
    assert LONG in called.text
    desk(house, reverse("waiting-entry", args=[ada]), do="skip")
    assert listed(house) == [(LONG, False), ("Ada", False)]
    desk(house, reverse("waiting-entry", args=[long]), do="off")
    assert listed(house) == [("Ada", False)]


def test_the_desk_says_why_somebody_is_not_entered(house: House) -> None:
    exclude(house, "Cy")
    entered(house, "Ada")
    page = reverse("waiting")

    again = desk(house, page, name="Ada", game=STONE)
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Ada waits for this game already." in again.text
    assert "Cy is excluded since" in desk(house, page, name="Cy", game=STONE).text
    assert listed(house) == [("Ada", False)]


def exclude(house: House, name: str) -> None:
    player = tokens.player_tokens(house.id, [name], new=True)[name]
    exclusions.exclude(
        act(house, house.supervisor), player=player, since=NOW.date(), until=None, reason="Asked."
    )


def test_an_auditor_looks_and_has_no_buttons(house: House) -> None:
    entered(house, "Ada")
    page = builders.signed_in(house.auditor).get(reverse("waiting")).text
    assert "Ada" in page
    assert 'name="do"' not in page
    assert 'value="call"' not in page


def sheet(house: House, at: uuid.UUID, /, **sent: Any) -> Any:
    client = builders.signed_in(house.attendant)
    address = reverse("floor-waiting", args=[at])
    if not sent:
        return client.get(address, headers={"HX-Request": "true"})
    body = {"command_id": str(uuid.uuid4()), **sent}
    return client.post(address, body, format="multipart", headers={"HX-Request": "true"})


def test_at_a_table_two_taps_call_somebody_to_it_or_enter_them(house: House) -> None:
    [ada] = entered(house, "Ada")
    entered(house, "Of another game", game="cinnabar-gate")
    game = opened(house, players=["Cy", "Dee"])
    page = builders.signed_in(house.attendant).get(reverse("floor-game", args=[game])).text
    assert f'data-sheet href="{reverse("floor-waiting", args=[game])}"' in page

    drawn = sheet(house, game).text
    assert "Ada" in drawn
    assert "Of another game" not in drawn
    called = sheet(house, game, do="call", entry=ada, table=house.table.pk)
    assert (called.status_code, "to " + house.table.name in called.text) == (HTTPStatus.OK, True)
    assert sheet(house, game, do="enter", name="Bo", game=STONE).status_code == HTTPStatus.OK
    assert listed(house)[0::2] == [("Ada", True), ("Bo", False)]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"do": "enter", "name": "Cy", "game": STONE}, "sits at this game already"),
        ({"do": "enter", "name": "", "game": STONE}, "required"),
        ({"do": "call", "entry": str(uuid.uuid4())}, "waits there any more"),
        ({"do": "call", "entry": "nobody"}, "entry is no UUID"),
        ({"do": "dance", "entry": str(uuid.uuid4())}, "Select a valid choice"),
    ],
)
def test_the_sheet_says_what_is_not_done(house: House, sent: dict[str, str], said: str) -> None:
    game = opened(house, players=["Cy", "Dee"])
    answer = sheet(house, game, **sent)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in answer.text


def test_without_scripts_the_sheet_leads_back_to_the_table(house: House) -> None:
    game = opened(house, players=["Cy", "Dee"])
    address = reverse("floor-waiting", args=[game])
    client = builders.signed_in(house.attendant)
    assert "<html" in client.get(address).text
    body = {"command_id": str(uuid.uuid4()), "do": "enter", "name": "Bo", "game": STONE}
    answer = client.post(address, body, format="multipart")
    assert answer.headers["Location"] == reverse("floor-game", args=[game])


def test_who_waits_for_the_game_is_offered_a_seat_first_at_the_opening_and_at_a_join(
    house: House,
) -> None:
    entered(house, "Ada", LONG)
    entered(house, "Of another game", game="cinnabar-gate")
    exclude(house, "Ada")
    client = builders.signed_in(house.attendant)
    form = client.get(reverse("floor-open", args=[house.table.pk]), {"game": STONE}).text
    assert f'data-seat-name="{LONG}"' in form
    assert 'data-seat-name="Ada"' not in form  # P1
    assert "Of another game" not in form

    opened(house, players=["Cy", "Dee"])
    found = client.get(reverse("floor-players", args=[house.table.pk]), {"letters": ""}).json()
    assert [(each["name"], each["waits"]) for each in found["players"]] == [(LONG, "waits")]


def board(key: str) -> str:
    text: str = Client().get(reverse("wall-board", args=[key])).text
    return text


def test_walls_show_who_is_called_and_who_waits_by_number_or_in_short(house: House) -> None:
    at = house.establishment
    at.wall = True
    at.save()
    first, *_rest = entered(house, "Ada Lovelace", LONG, *(f"Guest {n}" for n in range(8)))
    waiting.call(
        acts.Act(
            house=at, by=house.attendant, device="office", now=NOW,
            command_id=uuid.uuid4(), request={},
        ),
        entry=uuid.UUID(first),
        table=house.table,
    )  # fmt: skip

    shown = board(at.wall_key)
    assert "number 1" in shown
    assert f"to {house.table.name}, please" in shown
    assert "and 1 more" in shown
    assert "Ada" not in shown
    at.wall_names = True
    at.save()
    news.DRAWN.forget()
    shown = board(at.wall_key)
    assert "Ada L." in shown
    assert "Anna R." in shown
    assert "Lovelace" not in shown
    assert "Wilhelmina" not in shown


def test_the_wall_of_a_table_hears_of_a_call_at_once_and_shows_its_game_alone(
    house: House,
) -> None:
    house.table.wall = True
    house.table.save()
    entered(house, "Of another game", game="cinnabar-gate")
    opened(house, players=["Cy", "Dee"])
    address = reverse("wall-board", args=[house.table.wall_address])
    before = Client().get(address)
    assert "number" not in before.text

    entered(house, "Ada")
    after = Client().get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == HTTPStatus.OK
    assert "number 2" in after.text


def test_programs_enter_call_skip_and_take_off_once_for_each_command(house: House) -> None:
    client, address = house.client(), house.url("waiting/")
    body = {"command_id": str(uuid.uuid4()), "name": "Ada Lovelace", "game": STONE, "stake": 20}
    made = client.post(address, body)
    assert made.status_code == HTTPStatus.CREATED
    assert client.post(address, body).json() == made.json()
    entry = made.json()["entry"]
    assert (made.json()["stake"], made.json()["shown"]) == (20, "")

    call = {"command_id": str(uuid.uuid4()), "table": str(house.table.pk)}
    called = client.post(f"{address}{entry}/call/", call)
    assert called.json()["table"] == str(house.table.pk)
    assert client.post(f"{address}{entry}/call/", call).json() == called.json()
    other = client.post(f"{address}{entry}/call/", {"command_id": str(uuid.uuid4())})
    assert other.json()["code"] == "called_already"
    assert other.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    [line] = client.get(address).json()["games"]
    [place] = line["places"]
    assert (line["game"], line["estimate"]) == (STONE, None)
    assert (place["name"], place["public"], place["number"]) == ("Ada Lovelace", "number 1", 1)

    for do in ("skip", "take-off"):
        sent = {"command_id": str(uuid.uuid4())}
        assert client.post(f"{address}{entry}/{do}/", sent).status_code == HTTPStatus.OK
    assert client.get(address).json() == {"games": []}
    again = client.post(f"{address}{entry}/skip/", {"command_id": str(uuid.uuid4())})
    assert again.json()["code"] == "waits_no_longer"


def test_a_table_of_another_house_is_not_called_to(house: House) -> None:
    [entry] = entered(house, "Ada")
    other = builders.house()
    body = {"command_id": str(uuid.uuid4()), "table": str(other.table.pk)}
    answer = house.client().post(house.url(f"waiting/{entry}/call/"), body)
    assert answer.status_code == HTTPStatus.NOT_FOUND
    body = {"command_id": str(uuid.uuid4())}
    assert (
        other.client().post(other.url(f"waiting/{entry}/call/"), body).json()["code"]
        == "waits_no_longer"
    )


def test_a_page_of_ten_who_wait_costs_no_more_queries_than_one_of_two(
    house: House, django_assert_max_num_queries: Any
) -> None:
    entered(house, *(f"Guest {n}" for n in range(10)))
    house_subscriber.catch_up(establishment=house.id, position=journal.head(establishment=house.id))
    client = builders.signed_in(house.attendant)
    client.get(reverse("waiting"))
    with django_assert_max_num_queries(30):
        assert "Guest 9" in client.get(reverse("waiting")).text
