"""The floor at a glance: what it shows of every table, who is needed, what it costs; 304s (D1)."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.floor.tables import hall, news
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.establishments import table_names
from casino.house.establishments.models import Establishment, Table
from casino.play.devices.models import Heard
from casino.play.settlement.models import Withheld
from casino.settings.staff import operations as staff
from ledger.models import ParkedEvent
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _no_tickets() -> Iterator[None]:
    news.TICKETS.forget()
    news.DRAWN.forget()
    yield
    news.TICKETS.forget()
    news.DRAWN.forget()


@pytest.fixture
def house() -> House:
    return builders.house(tables=3, dice_sets=3)


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def tables(client: Client, query: str = "", **headers: str) -> Any:
    return client.get(reverse("floor-tables") + query, headers=headers)


def signs(house: House, name: str = "Table 1") -> list[str]:
    """What the hall says is the matter with a table, by name."""
    stored = Establishment.objects.get(pk=house.id)
    [place] = [each for each in hall.look(stored, timezone.now()) if each.name == name]
    return [sign.name for sign in place.signs]


def test_every_table_is_shown_with_what_is_played_and_whose_turn_it_is(house: House) -> None:
    builders.opened(house)
    builders.settled(house)

    text = tables(signed_in(house.auditor)).text

    assert re.findall(r'class="table-name">([^<]+)', text) == ["Table 1", "Table 2", "Table 3"]
    assert "Stone Hand, round 1" in text
    assert "Ada to throw" in text
    assert "3 tables, 1 playing" in " ".join(text.split())
    assert text.count("table-free") == 2
    assert "need" not in text.replace("table-needs", "")


# --- Who is needed -------------------------------------------------------------------------------


def plays_a_round(house: House, game: str) -> None:
    throws = [("Ada", 2, 2, 7), ("Bruno", 3, 4, 5), ("Cleo", 5, 6, 7)]
    builders.put(house, game, *(builders.throw(name, *dice) for name, *dice in throws))
    builders.settled(house)


def asks_for_a_void(house: House, game: str) -> None:
    plays_a_round(house, game)
    builders.put(house, game, builders.command("void", back_to=2, reason="entered wrongly"))
    builders.settled(house)


def disputes(house: House, game: str) -> None:
    plays_a_round(house, game)
    builders.put(house, game, builders.command("dispute", round=1, reason="a cocked die"))
    builders.settled(house)


def pauses(house: House, game: str) -> None:
    builders.put(house, game, builders.command("pause"))
    builders.settled(house)


def holds(house: House, game: str) -> None:
    builders.settled(house)
    Withheld.objects.create(establishment_id=house.id, game=uuid.UUID(game), waiting=True)


def parks(house: House, game: str) -> None:
    builders.settled(house)
    ParkedEvent.objects.create(
        establishment=house.id, subscription="settlement", position=0, stream=f"game/{game}",
        error="tried", parked_at=timezone.now(),
    )  # fmt: skip


def falls_silent(house: House, game: str) -> None:
    builders.settled(house)
    long_ago = timezone.now() - timedelta(minutes=3)
    Heard.objects.update_or_create(
        establishment_id=house.id, game=game, defaults={"device": "floor-1", "heard_at": long_ago}
    )


def is_well(house: House, game: str) -> None:
    del game
    builders.settled(house)


# fmt: off
TROUBLES = [
    (is_well,         []),
    (asks_for_a_void, ["request"]),   # G4
    (disputes,        ["dispute"]),   # C3
    (holds,           ["held"]),      # A7
    (parks,           ["parked"]),
    (pauses,          ["paused"]),
    (falls_silent,    ["silent"]),    # E5
]
# fmt: on


@pytest.mark.parametrize(("trouble", "named"), TROUBLES)
def test_what_is_the_matter_with_a_table_stands_beside_it(
    house: House, trouble: Callable[[House, str], None], named: list[str]
) -> None:
    trouble(house, builders.opened(house))

    assert signs(house) == named
    assert signs(house, "Table 2") == []


def test_a_free_table_says_what_its_last_game_has_not_paid_out(house: House) -> None:
    game = builders.opened(house)
    builders.put(house, game, builders.command("close"))
    builders.settled(house)
    attendant, opening = signed_in(house.attendant), reverse("floor-open", args=[house.table.pk])
    assert signs(house) == ["unpaid"]
    assert "75\N{NO-BREAK SPACE}r to pay out" in tables(attendant).text
    page = attendant.get(opening).text
    assert "The last game here still owes its players 75\N{NO-BREAK SPACE}r." in page
    assert reverse("floor-game", args=[game]) in page

    for name in ("Ada", "Bruno", "Cleo"):
        builders.put(house, game, builders.command("cash_out", player=name, amount=25))
        builders.settled(house)
    assert signs(house) == []
    assert "still owes" not in attendant.get(opening).text
    holds(house, game)
    parks(house, game)
    assert signs(house) == ["held", "parked"]


def test_a_table_is_idle_after_as_long_as_the_house_says_and_never_in_a_break(
    house: House,
) -> None:
    game = builders.opened(house)
    builders.settled(house)
    stored = Establishment.objects.get(pk=house.id)
    later = timezone.now() + timedelta(minutes=11)

    def idle() -> bool:
        return "idle" in [sign.name for sign in hall.look(stored, later)[0].signs]

    assert stored.idle_after == 10
    assert idle()
    stored.idle_after = 12
    assert not idle()
    stored.idle_after = None
    assert not idle()
    stored.idle_after = 10
    builders.put(house, game, builders.command("pause"))
    assert not idle()


def test_what_settlement_has_not_booked_for_long_is_said(house: House) -> None:
    builders.opened(house)
    stored = Establishment.objects.get(pk=house.id)

    soon, late = (
        [sign.name for sign in hall.look(stored, timezone.now() + wait)[0].signs]
        for wait in (timedelta(seconds=2), timedelta(seconds=30))
    )

    assert (soon, late) == ([], ["behind"])


# fmt: off
FOUND = [
    ("",                    ["Table 1", "Table 2", "Table 3"]),
    ("?q=stone",            ["Table 1"]),
    ("?q=BRUNO",            ["Table 1"]),
    ("?q=table+3",          ["Table 3"]),
    ("?q=nobody",           []),
    ("?needs=1",            ["Table 1"]),
    ("?needs=1&q=table+2",  []),
]
# fmt: on


@pytest.mark.parametrize(("query", "names"), FOUND)
def test_tables_are_found_by_words_and_by_who_is_needed(
    house: House, query: str, names: list[str]
) -> None:
    asks_for_a_void(house, builders.opened(house))

    text = tables(signed_in(house.supervisor), query).text

    assert re.findall(r'class="table-name">([^<]+)', text) == names


# fmt: off
NAMES = [
    (["Table 2", "Table 10", "Table 1"], ["Table 1", "Table 2", "Table 10"], [1, 2, 10]),
    (["Garden", "Bar"],                  ["Bar", "Garden"],                  [1, 2]),
    (["Red 1", "Blue 1"],                ["Blue 1", "Red 1"],                [1, 2]),
    (["Loft", "Table 2", "Table 1"],     ["Loft", "Table 1", "Table 2"],     [3, 1, 2]),
    (["Room 2 table 7"],                 ["Room 2 table 7"],                 [7]),
]
# fmt: on


@pytest.mark.parametrize(("names", "ordered", "numbers"), NAMES)
def test_tables_are_in_the_order_of_their_numbers_and_opened_by_them(
    names: list[str], ordered: list[str], numbers: list[int]
) -> None:
    assert sorted(names, key=table_names.in_order) == ordered
    assert hall.number_names(ordered) == numbers


@pytest.mark.parametrize("count", [1, 12])
def test_as_many_queries_for_many_tables_as_for_one(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    house = builders.house(tables=count, dice_sets=count)
    for table in house.tables:
        answer = house.client().post(builders.GAMES, builders.opening(table))
        assert answer.status_code == 201
    mira = signed_in(house.attendant)
    tables(mira)
    news.DRAWN.forget()

    with django_assert_num_queries(18):
        listed = tables(mira)
    ines = signed_in(house.supervisor)
    with django_assert_num_queries(6):
        assert tables(ines).text == listed.text  # drawn once for all who look and may record

    assert listed.text.count("Ada to throw") == count


def test_a_free_table_leads_to_a_new_game_only_who_may_record() -> None:
    house = builders.house(tables=1)
    Table.objects.filter(pk=house.table.pk).update(name="Garden")  # its number is a key to press

    assert "<kbd" in tables(signed_in(house.attendant)).text
    assert reverse("floor-open", args=[house.table.pk]) in tables(signed_in(house.attendant)).text
    free = tables(signed_in(house.auditor)).text
    assert f'id="table-{house.table.pk}"' in free
    assert "href" not in free
    assert "<kbd" not in free


# --- Nothing new: one query, and whoever is cut off is cut off at once (D1) ----------------------


def polled(client: Client, name: str = "floor-tables", *args: str) -> Callable[[], int]:
    """A page that polls and has been told once that nothing is new; the status of the next poll."""
    address = reverse(name, args=args)
    client.get(address)
    etag = client.get(address).headers["ETag"]

    def poll() -> int:
        return client.get(address, headers={"If-None-Match": etag}).status_code

    assert poll() == HTTPStatus.NOT_MODIFIED
    return poll


def signs_out(house: House) -> None:
    del house
    Session.objects.all().delete()


def lets_the_session_expire(house: House) -> None:
    del house
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def dismisses(house: House) -> None:
    Employment.objects.filter(attendant=house.attendant).update(until=timezone.now())


def cuts_off(house: House) -> None:
    staff.cut_off(person=house.attendant, now=timezone.now())


def changes_the_password(house: House) -> None:
    house.attendant.set_password("another-three-stones")
    house.attendant.save()


def deactivates(house: House) -> None:
    Attendant.objects.filter(pk=house.attendant.pk).update(is_active=False)


CUT_OFF = [signs_out, lets_the_session_expire, dismisses, cuts_off, changes_the_password,
           deactivates]  # fmt: skip


@pytest.mark.rows(4)
@pytest.mark.parametrize("cut_off", CUT_OFF)
@pytest.mark.parametrize("page", ["floor-tables", "floor-board"])
def test_whoever_is_cut_off_is_told_no_more_that_nothing_is_new(
    house: House, cut_off: Callable[[House], None], page: str
) -> None:
    game = builders.opened(house)
    builders.settled(house)
    args = [game] if page == "floor-board" else []
    ask = polled(signed_in(house.attendant), page, *args)

    cut_off(house)

    assert ask() in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}


def test_another_role_is_shown_another_board(house: House) -> None:
    game = builders.opened(house)
    builders.settled(house)
    ask = polled(signed_in(house.attendant), "floor-board", game)

    Employment.objects.filter(attendant=house.attendant).update(role=Role.AUDITOR)

    assert ask() == HTTPStatus.OK


def test_an_etag_without_its_session_is_worth_nothing(house: House) -> None:
    game = builders.opened(house)
    builders.settled(house)
    mira = signed_in(house.attendant)
    polled(mira, "floor-board", game)
    address = reverse("floor-board", args=[game])
    etag = mira.get(address).headers["ETag"]
    stranger = signed_in(builders.house().attendant)

    for client, status in ((Client(), 401), (stranger, 404)):
        assert client.get(address, headers={"If-None-Match": etag}).status_code == status


def test_what_happens_at_another_table_is_no_news_of_this_one(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = builders.opened(house)
    other = house.client().post(builders.GAMES, builders.opening(house.tables[1])).json()["id"]
    builders.settled(house)
    ask = polled(signed_in(house.attendant), "floor-board", game)

    builders.put(house, other, builders.throw("Ada", 2, 2, 7))
    with django_assert_num_queries(1):
        assert ask() == HTTPStatus.NOT_MODIFIED
    builders.settled(house)
    with django_assert_num_queries(1):
        assert ask() == HTTPStatus.NOT_MODIFIED
    builders.put(house, game, builders.throw("Ada", 2, 2, 7))
    assert ask() == HTTPStatus.OK


def test_the_hall_hears_of_every_table_and_of_what_was_booked(house: House) -> None:
    game = builders.opened(house)
    builders.settled(house)
    ask = polled(signed_in(house.attendant))

    builders.put(house, game, builders.throw("Ada", 2, 2, 7))

    assert ask() == HTTPStatus.OK
