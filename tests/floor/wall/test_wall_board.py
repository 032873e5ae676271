"""Wall boards: open where they are switched on, to whoever has the address; nothing private."""

from __future__ import annotations

import re
import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.floor.guests import wall
from casino.floor.tables import news
from casino.house.acts import changes
from casino.house.attendants.assurance import at_console
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Change, Establishment, Table
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import set_home_throw
from casino.play.settlement import rollovers
from ledger import canonical, journal
from tests.support import builders
from tests.support.rolling import left_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    made = builders.house(tables=2, dice_sets=2)
    switch(made.table, wall=True)
    return made


def switch(thing: Table | Establishment, **values: bool) -> None:
    """As a manager does, with an event: what is shown rests on it."""
    fresh = type(thing)._default_manager.get(pk=thing.pk)
    before = changes.state_of(fresh)
    for name, value in values.items():
        setattr(fresh, name, value)
    fresh.save()
    house = fresh if isinstance(fresh, Establishment) else fresh.establishment
    changes.record(establishment=house, thing=fresh, happened="changed", before=before, by=None)


def address_of(thing: Table | Establishment) -> str:
    return thing.wall_address if isinstance(thing, Table) else thing.wall_key


def board(thing: Table | Establishment, client: Client | None = None, **headers: str) -> Any:
    address = reverse("wall-board", args=[address_of(thing)])
    return (client or Client()).get(address, headers=headers)


def page(thing: Table | Establishment) -> Any:
    return Client().get(reverse("wall", args=[address_of(thing)]))


def played(house: House) -> str:
    """A round that Bruno lost, and a throw of the next."""
    game = builders.opened(house, home_throw=[1, 3, 6])
    throws = [("Ada", 2, 2, 7), ("Bruno", 3, 4, 5), ("Cleo", 5, 6, 7), ("Bruno", 2, 2, 7)]
    for name, *dice in throws:
        answer = house.client().post(
            f"{builders.GAMES}{game}/commands/", [builders.throw(name, *dice)]
        )
        assert answer.status_code in {200, 422}
    builders.settled(house)
    return game


def test_it_shows_pot_home_throw_hands_whose_turn_it_is_and_the_last_result(house: House) -> None:
    played(house)

    text = " ".join(board(house.table).text.split())

    assert "Stone Hand" in text
    assert "Pool" in text
    assert "Home throw" in text
    assert "Last round" in text
    assert "Seat 1" in text
    assert "<svg" in text
    assert "Played for: A pool (SH1)" in text


def test_a_free_table_says_so(house: House) -> None:
    assert "Free" in board(house.table).text


def test_the_house_s_words_to_its_players_are_on_it(house: House) -> None:
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="stone-hand", effective_from=now,
        by=house.manager, now=now, text="No drinks on the felt.",
    )  # fmt: skip
    builders.opened(house)

    assert "No drinks on the felt." in board(house.table).text


# --- Who may look --------------------------------------------------------------------------------


def test_nothing_is_open_before_it_is_switched_on_and_nothing_after(house: House) -> None:
    table, closed = house.tables

    assert page(table).status_code == board(table).status_code == HTTPStatus.OK
    for thing in (closed, house.establishment):
        assert page(thing).status_code == board(thing).status_code == HTTPStatus.NOT_FOUND
    switch(table, wall=False)
    assert page(table).status_code == board(table).status_code == HTTPStatus.NOT_FOUND


def test_a_table_that_is_not_in_use_has_none(house: House) -> None:
    switch(house.table, in_use=False)

    assert board(house.table).status_code == HTTPStatus.NOT_FOUND


def test_addresses_are_long_and_chance_and_stay_the_same(house: House) -> None:
    keys = {table.wall_key for table in Table.objects.all()} | {house.establishment.wall_key}

    assert len(keys) == Table.objects.count() + 1
    assert all(len(key) == 22 for key in keys)
    before = house.table.wall_key
    switch(house.table, wall=False)
    switch(house.table, wall=True)
    assert Table.objects.get(pk=house.table.pk).wall_key == before


def test_an_address_stands_in_no_event(house: House) -> None:
    switch(house.table, wall=False)

    for event in journal.read(establishment=house.id, limit=500):
        assert house.table.wall_key not in canonical.encode(event.data).decode()


def test_a_manager_switches_it_on_and_it_is_on_record(house: House) -> None:
    table = house.tables[1]
    sent = {
        "command_id": str(uuid.uuid4()),
        "thing": "table",
        "id": str(table.pk),
        "values": {"wall": True},
    }

    turned_away = house.client(Role.SUPERVISOR).post(house.url("configuration/"), sent)
    done = house.client(Role.MANAGER).post(house.url("configuration/"), sent)
    builders.settled(house)

    assert (turned_away.status_code, done.status_code) == (HTTPStatus.FORBIDDEN, HTTPStatus.OK)
    assert board(table).status_code == HTTPStatus.OK
    assert Change.objects.filter(thing=str(table.pk), after__wall=True).exists()  # C2
    listed = builders.signed_in(house.manager).get("/settings/tables/").content.decode()
    assert reverse("wall", args=[table.wall_address]) in listed


# --- Nothing private -----------------------------------------------------------------------------


def test_seats_instead_of_names_and_no_stakes_unless_the_house_says_so(house: House) -> None:
    played(house)
    names, stake = ("Ada", "Bruno", "Cleo"), "25\N{NO-BREAK SPACE}r"

    plain = board(house.table).text
    switch(house.establishment, wall_names=True)
    named = board(house.table).text
    switch(house.establishment, wall_names=False, wall_stakes=True)
    staked = board(house.table).text

    assert not any(name in plain for name in names)
    assert stake not in plain
    assert all(name in named for name in names)
    assert stake not in named
    assert not any(name in staked for name in names)
    assert stake in staked


def test_no_ids_no_tokens_no_staff(house: House) -> None:
    game = played(house)
    switch(house.establishment, wall=True, wall_names=True, wall_stakes=True)
    for thing in (house.table, house.establishment):
        for text in (page(thing).text, board(thing).text):
            private = [game, str(house.id), str(house.table.pk), str(house.dice.pk)]
            private += [str(who) for who in house.people.values()]
            private += [str(who.pk) for who in house.people.values()]
            assert not [each for each in private if each in text]
            assert not tokens.TOKEN.search(text)
            assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)
            assert "csrf" not in text


def test_it_is_for_no_search_engine_and_no_cache(house: House) -> None:
    for answer in (page(house.table), board(house.table)):
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert "no-store" in answer.headers["Cache-Control"]


def test_who_left_is_a_player_and_a_die_is_told_by_its_seat() -> None:
    ada, gone = "p-abcdefghjkmn", "p-zzzzzzzzzzzz"

    named = wall.put_labels({"a": [f"{ada} to throw", f"{ada}3 breaks", gone]}, {ada: "Seat 1"})

    assert named == {"a": ["Seat 1 to throw", "Seat 1, die 3 breaks", "a player"]}


# --- The house's board ---------------------------------------------------------------------------


def test_the_house_s_board_gathers_the_tables_that_have_one(house: House) -> None:
    played(house)
    answer = house.client().post(builders.GAMES, builders.opening(house.tables[1]))
    assert answer.status_code == HTTPStatus.CREATED
    switch(house.establishment, wall=True)

    text = board(house.establishment).text

    assert "Table 1" in text
    assert "Table 2" not in text  # its own switch is off


def test_what_rolled_over_waits_in_sight_of_players(house: House) -> None:
    """A6."""
    builders.dice_set(house.establishment, sides=6, count=5)
    left_behind(house)
    builders.settled(house)
    switch(house.establishment, wall=True)
    waiting = rollovers.total(rollovers.read(house.id, "threes-away").waiting)

    text = board(house.establishment).text

    assert waiting
    assert "Waits for the next Threes Away" in text
    assert f"{waiting}\N{NO-BREAK SPACE}r" in text


def river(house: House) -> str:
    """A game of River in its auction: the d4 is sold, there is a bid for the d6."""
    builders.dice_set(house.establishment, sides=None, count=5)
    game = builders.opened(house, game="river", price=2)
    command = builders.command
    sealed = [command("seal", player=name) for name in ("Ada", "Bruno", "Cleo")]
    offer = {"d4": 3, "d6": 5, "d8": 1, "d10": 9, "d12": 12}
    builders.put(house, game, command("start_round"), *sealed, command("offer", dice=offer))
    sold = {"player": "Ada", "die": "d4", "amount": 3}
    bid = {"player": "Bruno", "die": "d6", "amount": 4}
    builders.put(house, game, command("sell", **sold), command("bid", **bid))
    builders.settled(house)
    return game


def test_the_auction_is_on_the_boards_with_its_bids(house: House) -> None:
    river(house)
    switch(house.establishment, wall=True)

    for thing in (house.table, house.establishment):
        text = board(thing).text
        lots = re.findall(r'class="wall-lot wall-lot-(\w+)"', text)
        assert lots == ["sold", "now", "coming", "coming", "coming"]
        said = " ".join(re.sub(r"<[^>]*>", " ", text).split())
        assert "Seat 1 3 r" in said
        assert "Seat 2 4 r" in said


def test_what_is_to_beat_is_on_the_boards(house: House) -> None:
    game = builders.opened(house, home_throw=[1, 3, 6])
    switch(house.establishment, wall=True)
    things = (house.table, house.establishment)
    assert not any("wall-beat" in board(thing).text for thing in things)

    builders.put(house, game, builders.throw("Ada", 2, 2, 7))

    for thing in things:
        said = " ".join(re.sub(r"<[^>]*>", " ", board(thing).text).split())
        assert "Would pay now Seat 1 , pair 7" in said


def test_each_game_has_a_part_with_its_home_throw_its_story_and_its_rules(house: House) -> None:
    now = timezone.now()
    by = house.manager
    house_rules.publish(
        establishment=house.establishment, game="stone-hand", effective_from=now, by=by, now=now,
        home_throws="house", options={"rethrow": 1}, text="No drinks on the felt.",
    )  # fmt: skip
    set_home_throw(
        establishment=house.establishment, faces=(1, 3, 6), effective_from=now,
        story="The way home.", by=at_console(by),
    )  # fmt: skip
    switch(house.establishment, wall=True)

    for thing in (house.establishment, house.table):  # a free table shows the parts, too
        parts = board(thing).text.split("<section")
        [part] = [each for each in parts if "No drinks on the felt." in each]
        assert "The way home." in part
        assert "(SH11)" in part
        assert part.count('class="die') >= 3


def test_every_part_has_its_time_by_the_house(house: House) -> None:
    switch(house.establishment, wall=True)
    assert 'data-seconds="12"' in board(house.establishment).text

    Establishment.objects.filter(pk=house.id).update(wall_seconds=30)
    news.DRAWN.forget()

    assert 'data-seconds="30"' in board(house.establishment).text


def test_whoever_is_called_stands_below_every_part(house: House) -> None:
    switch(house.establishment, wall=True)
    path = house.url("waiting/")
    entered = house.client().post(
        path, {"command_id": str(uuid.uuid4()), "name": "Ada", "game": "river"}
    )
    call = {"command_id": str(uuid.uuid4()), "table": str(house.table.pk)}
    called = house.client().post(f"{path}{entered.json()['entry']}/call/", call)
    assert called.status_code == HTTPStatus.OK

    for thing in (house.establishment, house.table):
        foot = board(thing).text.rpartition("<footer")[2]
        assert "number 1" in foot
        assert "to Table 1, please" in foot


def test_a_page_that_is_another_by_now_is_loaded_again(house: House) -> None:
    """Screens compare the frame of an answer with that of their page."""
    before = re.search(r'data-frame="(\w+)"', page(house.table).text)
    old = board(house.table)
    assert before
    assert old.headers["Home-Throw-Frame"] == before[1]

    switch(house.establishment, guests=True)  # the code hangs on the page, not in its content
    new = board(house.table, If_None_Match=old.headers["ETag"])

    assert new.status_code == HTTPStatus.OK
    assert new.headers["Home-Throw-Frame"] != before[1]


def test_a_board_is_dark_unless_its_address_says_otherwise(house: House) -> None:
    address = reverse("wall", args=[address_of(house.table)])
    for asked, theme in (("", "dark"), ("?light", "light"), ("?auto", "auto"), ("?dark", "dark")):
        assert f'data-theme="{theme}"' in Client().get(address + asked).text


# --- Next to no cost -----------------------------------------------------------------------------


def test_nothing_new_is_said_by_one_query(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = played(house)
    switch(house.establishment, wall=True)
    client = Client()
    for thing in (house.table, house.establishment):
        etag = board(thing, client).headers["ETag"]
        with django_assert_num_queries(1):
            same = board(thing, client, If_None_Match=etag)
        assert same.status_code == HTTPStatus.NOT_MODIFIED
        builders.put(house, game, builders.command("pause"), builders.command("resume"))
        builders.put(house, game, builders.command("pause"))
        assert board(thing, client, If_None_Match=etag).status_code == HTTPStatus.OK
        builders.put(house, game, builders.command("resume"))
        builders.settled(house)


def test_a_board_that_is_switched_off_is_gone_at_once(house: House) -> None:
    client = Client()
    etag = board(house.table, client).headers["ETag"]
    assert board(house.table, client, If_None_Match=etag).status_code == HTTPStatus.NOT_MODIFIED

    switch(house.table, wall=False)

    assert board(house.table, client, If_None_Match=etag).status_code == HTTPStatus.NOT_FOUND
