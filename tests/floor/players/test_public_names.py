"""Names on public screens: as each player allows, and no further than the house does."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import PermissionDenied
from hypothesis import given
from hypothesis import strategies as st

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import player_names, waiting, waiting_pages
from casino.floor.players.player_names import (
    choose,
    number_of,
    numbers_of,
    public_names,
    short_name,
)
from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from games.refusals import Refused
from ledger import journal
from tests.support import builders
from tests.support.playing import NOW

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    made = builders.house()
    made.establishment.wall_names = True
    made.establishment.save()
    return made


def act(house: House, *, by: Attendant | None = None) -> acts.Act:
    return acts.Act(
        house=house.establishment,
        by=by or house.attendant,
        device="office",
        now=NOW,
        command_id=uuid.uuid4(),
        request={},
    )


def called(house: House, *names: str) -> list[str]:
    known = tokens.player_tokens(house.id, names, new=True)
    shown = public_names(house.establishment, known.values())
    return [shown[known[name]] for name in names]


def player(house: House, name: str) -> str:
    return tokens.player_tokens(house.id, [name], new=True)[name]


@pytest.mark.parametrize(
    ("name", "short"),
    [("Ada Lovelace", "Ada L."), ("Ada King Noel", "Ada N."), ("Ada", "Ada"), ("", "")],
)
def test_a_short_name_is_the_first_word_and_a_letter(name: str, short: str) -> None:
    assert short_name(name) == short


def test_a_name_is_short_until_its_player_allows_more_or_less(house: House) -> None:
    ada = player(house, "Ada Lovelace")
    number = f"number {number_of(ada)}"
    assert called(house, "Ada Lovelace") == ["Ada L."]

    choose(act(house), player=ada, shown=Player.Shown.FULL)
    assert called(house, "Ada Lovelace") == ["Ada Lovelace"]
    choose(act(house), player=ada, shown=Player.Shown.NUMBER)
    assert called(house, "Ada Lovelace") == [number]

    events = journal.stream(establishment=house.id, stream=tokens.player_stream(ada))
    assert [(each.data["before"], each.data["shown"]) for each in events] == [
        ("short", "full"), ("full", "number"),
    ]  # fmt: skip
    assert "Ada" not in str([each.data for each in events])


def test_a_house_that_shows_no_names_shows_none(house: House) -> None:
    ada = player(house, "Ada Lovelace")
    choose(act(house), player=ada, shown=Player.Shown.FULL)
    house.establishment.wall_names = False

    assert called(house, "Ada Lovelace") == [f"number {number_of(ada)}"]


def test_two_who_read_alike_are_told_apart_by_their_numbers(house: House) -> None:
    ada, other = player(house, "Ada Lovelace"), player(house, "Ada Long")

    assert called(house, "Ada Lovelace", "Ada Long", "Bo") == [
        f"Ada L. {number_of(ada)}", f"Ada L. {number_of(other)}", "Bo",
    ]  # fmt: skip


def test_an_erased_player_has_a_number_and_no_setting(house: House) -> None:
    ada = player(house, "Ada Lovelace")
    choose(act(house), player=ada, shown=Player.Shown.FULL)
    player_names.erase_name(act(house, by=house.people[Role.MANAGER]), player=ada, reason="asked")
    house_subscriber.catch_up(establishment=house.id, position=journal.head(establishment=house.id))

    assert public_names(house.establishment, [ada]) == {ada: f"number {number_of(ada)}"}
    assert Player.objects.get(token=ada).shown == "short"
    with pytest.raises(Refused) as refused:
        choose(act(house), player=ada, shown=Player.Shown.FULL)
    assert refused.value.code == "erased_already"


def test_the_desk_sets_it_and_an_auditor_does_not(house: House) -> None:
    ada = player(house, "Ada")
    with pytest.raises(PermissionDenied):
        choose(act(house, by=house.people[Role.AUDITOR]), player=ada, shown="full")
    with pytest.raises(Refused) as refused:
        choose(act(house), player="p-aaaaaaaaaaaa", shown="full")
    assert refused.value.code == "no_such_player"
    sent = act(house)
    choose(sent, player=ada, shown="full")
    choose(act(house), player=ada, shown="number")
    choose(sent, player=ada, shown="full")  # sent again: it is done once

    assert Player.objects.get(token=ada).shown == "number"


def test_who_comes_to_the_waiting_list_may_say_how_to_be_called(house: House) -> None:
    def public() -> list[str]:
        [line] = waiting_pages.lines(house.establishment, NOW)
        return [place.public for place in line.places]

    waiting.enter(act(house), name="Ada Lovelace", game="stone-hand", shown="number")
    waiting.enter(act(house), name="Bo Diddley", game="stone-hand")

    assert public() == ["number 1", "Bo D."]
    choose(act(house), player=player(house, "Ada Lovelace"), shown="full")
    assert public() == ["Ada Lovelace", "Bo D."]


# --- Numbers -------------------------------------------------------------------------------------


@given(st.sets(st.integers(min_value=0, max_value=10**6).map("p-{}".format), max_size=1500))
def test_a_number_names_one_player_on_a_screen(players: set[str]) -> None:
    numbers = numbers_of(players)

    assert numbers.keys() == players
    assert len(set(numbers.values())) == len(players)
    assert all(number.startswith(str(number_of(each))) for each, number in numbers.items())


def test_two_who_share_their_four_digits_have_more_of_them() -> None:
    twins = [f"p-{each}" for each in range(200)]
    numbers = numbers_of(twins)
    longer = {each for each, number in numbers.items() if len(number) > 4}

    assert longer
    assert {numbers_of([each])[each] for each in longer} == {
        str(number_of(each)) for each in longer
    }
