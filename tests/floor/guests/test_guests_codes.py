"""The code from the desk: a player's own page, with points, prizes and the waiting list."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from casino.floor.guests import own_pages
from casino.floor.players import player_names, waiting
from casino.house.attendants.pseudonyms import tokens
from casino.play.exclusions import operations as exclusions
from casino.play.settlement.models import PrizeRule
from casino.words.languages import spelled
from ledger import journal
from tests.floor.guests.test_guests_page import TOKEN, UUID, sentences
from tests.floor.wall.test_wall_board import switch
from tests.support import builders
from tests.support.cashing import act
from tests.support.playing import NOW, PAIR_4, PAIR_7, opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

STONE = "stone-hand"


@pytest.fixture(autouse=True)
def _nobody_came_before() -> Iterator[None]:
    cache.clear()
    with time_machine.travel(NOW, tick=False):
        yield
    cache.clear()


@pytest.fixture
def house() -> House:
    made = builders.house()
    switch(made.establishment, guests=True)
    made.establishment.refresh_from_db()
    return made


def player(house: House, name: str = "Ada") -> str:
    return tokens.player_tokens(house.id, [name], new=True)[name]


def given(house: House, name: str = "Ada") -> own_pages.Code:
    return own_pages.give(act(house, house.attendant), player=player(house, name))


def address(house: House, code: own_pages.Code) -> str:
    return reverse("guests-own", args=[spelled.compact(house.id), code.text])


def ask(house: House, code: own_pages.Code) -> Any:
    return Client().get(address(house, code))


def send(house: House, code: own_pages.Code, do: str, **fields: Any) -> Any:
    """What a guest sends, from a browser that has no cookie and sends no token."""
    body = {"do": do, "command_id": str(uuid.uuid4()), **fields}
    client = Client(enforce_csrf_checks=True)
    return client.post(address(house, code), body, format="multipart")


def desk(house: House, **sent: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), "name": "Ada", **sent}
    return builders.signed_in(house.attendant).post(
        reverse("guests-codes"), body, format="multipart"
    )


# --- Given out, ended, guessed -------------------------------------------------------------------


def test_the_desk_gives_it_out_once_and_ends_it(house: House) -> None:
    player(house)
    sent = {"command_id": str(uuid.uuid4())}
    first, again = desk(house, **sent), desk(house, **sent)
    shown = first.context["shown"]["address"]

    assert shown == again.context["shown"]["address"]
    assert Client().get(shown).status_code == 200
    assert shown not in builders.signed_in(house.manager).get(reverse("guests-codes")).text

    assert desk(house, do="end").status_code == 302
    ended = Client().get(shown)
    assert (ended.status_code, "This code has ended" in ended.text) == (410, True)
    assert "no code" in desk(house, do="end").text


def test_nobody_gets_one_whom_the_house_does_not_know(house: House) -> None:
    answer = desk(house, name="Nobody Such")
    assert "knows no player" in answer.text
    switch(house.establishment, guests=False)
    assert "no page for guests" in desk(house, name="Ada").text


def test_no_other_code_opens_it(house: House) -> None:
    code, others = given(house), builders.house(guests=True)
    position, mac = code.text.split("-", 1)
    assert len(mac) * 6 >= 128
    for made_up in (f"{int(position) + 1}-{mac}", f"{position}-{mac[::-1]}", f"{position}-", "x"):
        at = reverse("guests-own", args=[spelled.compact(house.id), made_up])
        assert Client().get(at).status_code == 404, made_up
    elsewhere = reverse("guests-own", args=[spelled.compact(others.id), code.text])
    assert Client().get(elsewhere).status_code == 404


def test_it_ends_with_its_days_another_code_and_the_name(house: House) -> None:
    first = given(house)
    with time_machine.travel(NOW + own_pages.LASTS, tick=False):
        assert ask(house, first).status_code == 200
    with time_machine.travel(NOW + own_pages.LASTS + timedelta(days=1), tick=False):
        assert ask(house, first).status_code == 410
    second = given(house)
    assert [ask(house, each).status_code for each in (first, second)] == [410, 200]
    player_names.erase_name(act(house, house.manager), player=player(house), reason="Asked for.")
    assert ask(house, second).status_code == 410
    assert send(house, second, "wait", game=STONE).status_code == 410


def test_with_the_page_switched_off_it_opens_nothing(house: House) -> None:
    code = given(house)
    switch(house.establishment, guests=False)
    assert ask(house, code).status_code == 404


def test_each_code_is_bounded_by_rate(house: House, settings: Any) -> None:
    code, other = given(house), given(house, "Bo")
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "codes": "2/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}

    assert [ask(house, code).status_code for _ in range(3)] == [200, 200, 429]
    assert ask(house, other).status_code == 200


def test_nobody_keeps_it_and_nobody_is_named(house: House) -> None:
    answer = ask(house, given(house, "Zora"))
    told = answer.text.replace(f"/ledger/{house.id}/", "")
    told = "".join(line for line in told.splitlines() if "command_id" not in line)

    assert answer["Cache-Control"] == "no-store, private"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies
    for private in (TOKEN, UUID):
        assert not private.search(told), private.pattern
    assert "Zora" not in told


# --- Points and prizes ---------------------------------------------------------------------------


def test_points_thresholds_and_prizes_to_collect(house: House) -> None:
    for at, prize in ((1, "A glass"), (40, "The lamp")):
        PrizeRule.objects.create(
            establishment=house.establishment, kind="points", at=at, prize=prize, amount=at == 1
        )
    game = opened(house, players=["Ada", "Bo"], options={"mode": "scoreboard"}, stake=0)
    round_played(house, game, ("Ada", PAIR_4), ("Bo", PAIR_7))
    settled(house)

    told = sentences(ask(house, given(house)))

    assert "The lamp" in told
    assert "more for The lamp" in told
    assert told.count("A glass") == 2  # won, and to collect
    assert "ask for it at the desk" in told
    assert "No points yet." in sentences(ask(house, given(house, "Bo")))


# --- The waiting list ----------------------------------------------------------------------------


def test_they_put_themselves_on_the_waiting_list_and_off_it(house: House) -> None:
    code = given(house)
    sent = {"command_id": str(uuid.uuid4()), "game": STONE, "shown": "number"}
    for _ in range(2):
        answer = send(house, code, "wait", **sent)
        assert answer["Location"] == f"{address(house, code)}?done=waits"
    [entry] = waiting.read_list(house.id, NOW).entries
    [event] = journal.stream(establishment=house.id, stream=waiting.STREAM)
    assert (entry.player, entry.shown, event.provenance.actor) == (
        player(house), "number", player(house),
    )  # fmt: skip
    assert "You are number 1. You are the next." in sentences(ask(house, code))

    again = send(house, code, "wait", game=STONE)
    assert (again.status_code, "This player waits for this game" in again.text) == (422, True)
    assert again.text.count("Ada") == 1  # how names are shown: Ada L.

    assert send(house, given(house, "Bo"), "off", entry=entry.entry).status_code == 422
    assert waiting.read_list(house.id, NOW).entries
    send(house, code, "off", entry=entry.entry)
    assert not waiting.read_list(house.id, NOW).entries


def test_p1_who_is_excluded_is_not_entered_and_the_try_is_listed(house: House) -> None:
    code = given(house)
    exclusions.exclude(
        act(house, house.supervisor), player=player(house), since=NOW.date(), until=None, reason="-"
    )

    answer = send(house, code, "wait", game=STONE)

    assert answer.status_code == 422
    [tried] = journal.stream(establishment=house.id, stream=exclusions.TRIES_STREAM)
    assert tried.provenance.actor == player(house)


def test_they_end_it_themselves(house: House) -> None:
    code = given(house)
    assert send(house, code, "end").status_code == 302
    assert ask(house, code).status_code == 410
    assert send(house, code, "wait", game=STONE).status_code == 410
