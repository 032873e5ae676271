"""A player's name is erased by an act: no name is left anywhere, and no proof is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db import connection, models

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import player_names
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.play.exclusions import operations as exclusions
from games.refusals import Refused
from ledger import journal, subscriptions
from tests.support import builders
from tests.support.cashier import close_games, prize_won
from tests.support.cashing import act
from tests.support.playing import (
    NOW,
    ask,
    ask_open,
    done,
    opened,
    opening,
    round_played,
    settled,
    state,
    token,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

NAME = "Wilhelmina Quist"


@pytest.fixture
def house() -> House:
    return builders.house()


def played(house: House, *, cashed: bool = True) -> tuple[uuid.UUID, str]:
    """A game in which she played, was written about, was refused something, and went."""
    game = opened(house, players=[NAME, "Bo"])
    player = token(house, game, NAME)
    round_played(house, game, (NAME, (2, 2, 7)), ("Bo", (2, 2, 4)))
    done(
        house, game, "no_throw", player=NAME,
        reason="cocked", note="wilhelmina  QUIST's sleeve was in the way",
    )  # fmt: skip
    refused = ask(house, game, "throw", player=NAME, dice=[9, 9, 9])
    assert refused.refusal is not None
    done(house, game, "close", reason="Ms Wilhelmina Quist went home.")
    settled(house)
    if cashed:
        stakes = state(house, game)["stakes"]
        done(house, game, "cash_out", player=NAME, amount=stakes[NAME])
        settled(house)
    return game, player


def erased(house: House, player: str, by: object = None) -> None:
    player_names.erase_name(act(house, by or house.manager), player=player, reason="She asked.")  # type: ignore[arg-type]


def anywhere(word: str) -> list[str]:
    """The tables in which a word stands, in any column, as text or as bytes."""
    found = []
    for model in apps.get_models():
        fields = [
            field.column for field in model._meta.concrete_fields
            if not isinstance(field, models.CompositePrimaryKey)
        ]  # fmt: skip
        with connection.cursor() as cursor:
            columns = ", ".join(f'"{each}"' for each in fields)
            cursor.execute(f'SELECT {columns} FROM "{model._meta.db_table}"')  # noqa: S608
            for row in cursor.fetchall():
                said = " ".join(
                    bytes(each).decode(errors="replace")
                    if isinstance(each, bytes | memoryview)
                    else str(each)
                    for each in row
                )
                if word in said.casefold():
                    found.append(model._meta.db_table)
                    break
    return found


def test_no_name_is_left_anywhere(house: House) -> None:
    _, player = played(house)
    assert "pseudonyms_player" in anywhere("quist")

    erased(house, player)

    assert anywhere("quist") == []


@pytest.mark.long("postgresql")
def test_proofs_stay(house: House) -> None:
    _, player = played(house)
    before = [each.leaf_hash for each in journal.read(establishment=house.id, limit=500)]

    erased(house, player)

    after = [each.leaf_hash for each in journal.read(establishment=house.id, limit=500)]
    assert after[: len(before)] == before
    [event] = journal.stream(establishment=house.id, stream=tokens.player_stream(player))
    assert event.event_type == "player.erased"
    assert event.provenance.actor == str(house.manager.pk)


@pytest.mark.long("postgresql")
def test_a_text_is_erased_with_its_salt(house: House) -> None:
    """Else whoever guesses the words could prove them by the hash."""
    _, player = played(house)
    erased(house, player)

    gone = Text.objects.filter(establishment=house.establishment, text__isnull=True)
    assert gone
    assert {bytes(each.salt) for each in gone} == {b""}


@pytest.mark.long("postgresql")
def test_other_words_stay(house: House) -> None:
    kept = tokens.keep(house.id, "Wilhelmina Quistgaard is another person.")
    _, player = played(house)

    erased(house, player)

    row = Text.objects.get(establishment=house.establishment, token=kept)
    assert row.text is not None


@pytest.mark.long("postgresql")
def test_games_are_still_shown_with_the_id(house: House) -> None:
    game, player = played(house)
    erased(house, player)

    assert player in state(house, game)["stakes"]


@pytest.mark.long("postgresql")
def test_the_same_name_is_somebody_new(house: House) -> None:
    _, player = played(house)
    erased(house, player)

    assert tokens.player_tokens(house.id, [NAME], new=True)[NAME] != player


@pytest.mark.long("postgresql")
def test_read_again_it_erases_nothing_more(house: House) -> None:
    _, player = played(house)
    erased(house, player)
    newcomer = tokens.player_tokens(house.id, [NAME], new=True)[NAME]

    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)

    assert Player.objects.get(establishment=house.establishment, token=newcomer).name == NAME


def test_p3_who_is_owed_money_keeps_the_name(house: House) -> None:
    _, player = played(house, cashed=False)

    with pytest.raises(player_names.MoneyOwed):
        erased(house, player)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("amount", [50, 0])
def test_p3_a_prize_not_handed_out_keeps_it_too(house: House, amount: int) -> None:
    prize_won(house, amount)
    close_games(house)
    bo = tokens.player_tokens(house.id, ["Bo"], new=False)["Bo"]

    with pytest.raises(player_names.MoneyOwed):
        erased(house, bo)


@pytest.mark.long("postgresql")
def test_p1_who_is_excluded_keeps_it(house: House) -> None:
    _, player = played(house)
    exclusions.exclude(
        act(house, house.supervisor), player=player, since=NOW.date(), until=None, reason="Asked."
    )

    with pytest.raises(player_names.StillExcluded):
        erased(house, player)


@pytest.mark.long("postgresql")
def test_who_sits_at_a_table_keeps_it(house: House) -> None:
    game = opened(house, options={"mode": "scoreboard"}, stake=0)

    with pytest.raises(Refused) as refused:
        erased(house, token(house, game, "Ada"))

    assert refused.value.code == "still_seated"


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("who", ["attendant", "supervisor", "auditor"])
def test_d1_a_manager_erases(house: House, who: str) -> None:
    _, player = played(house)

    with pytest.raises(NotYours):
        erased(house, player, getattr(house, who))


@pytest.mark.long("postgresql")
def test_another_houses_player_is_none(house: House) -> None:
    other = builders.house()
    player = tokens.player_tokens(other.id, [NAME], new=True)[NAME]

    with pytest.raises(exclusions.NoSuchPlayer):
        erased(house, player)


@pytest.mark.long("postgresql")
def test_a_name_in_a_refused_opening_goes_too(house: House) -> None:
    answer = ask_open(house, opening(players=[NAME, NAME.upper()], options={"no such": NAME}))
    assert answer.refusal is not None
    player = tokens.player_tokens(house.id, [NAME], new=True)[NAME]
    other = tokens.player_tokens(house.id, [NAME.upper()], new=True)[NAME.upper()]

    erased(house, player)
    erased(house, other)

    assert anywhere("quist") == []
