"""Names and people's own words never reach the ledger, whatever field they are put in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps

from casino.floor.players import player_names
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.play.core import queries
from ledger.models import CommandReceipt
from tests.support import builders
from tests.support.playing import (
    PAIR_4,
    PAIR_7,
    ask,
    ask_open,
    done,
    game_of,
    opened,
    opening,
    refused,
    round_played,
    settled,
    state,
    thrown,
    token,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

SECRET = "Xanthippe"  # what must not be found


@pytest.fixture
def house() -> House:
    return builders.house()


def everything_in_the_ledger() -> bytes:
    """Every value of every row of every table that is for ever, as bytes."""
    values: list[bytes] = []
    for model in apps.get_app_config("ledger").get_models():
        for row in model._default_manager.values_list():
            values += [
                bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
                for value in row
            ]
    return b"\0".join(values)


def refusal_of(house: House, game: uuid.UUID, do: str, /, **fields: Any) -> str:
    """The refusal as people read it."""
    answer = ask(house, game, do, **fields)
    assert answer.refusal is not None
    sentence: str = tokens.resolve(house.id, answer.refusal.detail)
    return sentence


def test_names_and_texts_stand_beside_the_ledger(house: House) -> None:
    ada = f"Ada {SECRET}"
    game = opened(house, players=[ada, f"{SECRET} Bo"], first=ada)
    done(house, game, "no_throw", player=ada, reason="cocked", note=f"Against {SECRET}'s glass.")
    round_played(house, game, (ada, PAIR_7), (f"{SECRET} Bo", PAIR_4))
    [requested] = done(house, game, "void", back_to=2, reason=f"{SECRET} saw a 6.")
    request = requested.data["request"]
    done(house, game, "reject", by=house.supervisor, request=request, reason=f"Not so, {SECRET}.")
    done(house, game, "close", reason=f"{SECRET} is tired.")
    settled(house)

    assert SECRET.encode() not in everything_in_the_ledger()
    text = json.dumps(queries.event_rows(house.id, game_of(house, game).events))
    assert f"Against {SECRET}'s glass." in text
    assert f"{SECRET} saw a 6." in text
    assert f"Not so, {SECRET}." in text
    assert f"{SECRET} is tired." in text
    assert list(state(house, game)["stakes"]) == [ada, f"{SECRET} Bo"]


DICE: dict[str, Any] = {"dice": [1, 1, 2]}
COCKED = {"reason": "cocked"}
BY_NAME = {"approved_by": SECRET}

# fmt: off
MISPLACED: list[tuple[dict[str, Any], str, bool]] = [
    # what is asked, code, whether the person sees their words again
    ({"do": "throw", "player": SECRET, **DICE}, "unknown_player", True),
    ({"do": "throw", "player": SECRET + "!" * 80, **DICE}, "bad_name", True),
    ({"do": "throw", "player": f"pot\n{SECRET}", **DICE}, "bad_name", True),
    ({"do": "no_throw", "player": "Ada", "reason": f"hit by {SECRET}"}, "unknown_reason", True),
    ({"do": "no_throw", "player": "Ada", "reason": f"it's\n{SECRET}"}, "unknown_reason", True),
    ({"do": "no_throw", "player": "Ada", **COCKED, "note": f"{SECRET}\0"}, "bad_text", False),
    ({"do": "leave", "player": SECRET}, "unknown_player", True),
    ({"do": "join", "player": SECRET, "stake": 5}, "no_joining", True),
    ({"do": "buy_in", "player": SECRET, "amount": 5}, "no_buying_in", True),
    ({"do": "cash_out", "player": SECRET, "amount": 5}, "unknown_player", True),
    ({"do": "void", "back_to": 9, "reason": f"{SECRET} misread"}, "no_such_event", False),
    ({"do": "void", "back_to": SECRET, "reason": "?"}, "bad_command_id", True),
    ({"do": "void", "back_to": 1, "reason": "", **BY_NAME}, "approval_is_an_act", False),
    ({"do": "change_dice", "dice_set": SECRET, "reason": SECRET}, "dice_unfit", False),
    ({"do": "dispute", "round": 1, "reason": f"says {SECRET}"}, "no_such_round", False),
    ({"do": "dispute", "payout": SECRET, "reason": SECRET}, "bad_payout", True),
    ({"do": "handover", "to": SECRET}, "not_staff_here", False),
    ({"do": "bid", "player": "Ada", "die": SECRET, "amount": 3}, "not_in_this_game", False),
    ({"do": "throw", "player": "Ada", **DICE, "occurred_at": SECRET}, "bad_time", True),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("asked", "code", "shown"), MISPLACED)
def test_a_refused_command_leaves_nobodys_words(
    house: House, asked: dict[str, Any], code: str, *, shown: bool
) -> None:
    game = opened(house)

    do, fields = str(asked["do"]), {name: each for name, each in asked.items() if name != "do"}
    answer = ask(house, game, do, **fields)

    assert answer.refusal is not None
    assert answer.refusal.code == code
    assert SECRET.encode() not in everything_in_the_ledger()
    sentence = tokens.resolve(house.id, answer.refusal.detail)
    assert (SECRET in sentence) is shown, sentence


# fmt: off
BAD_OPENINGS = [
    ({"players": [SECRET, "Bo"], "stake": 0},                      "zero_amount"),
    ({"players": [SECRET, SECRET + " "]},                          "double_name"),
    ({"players": [SECRET]},                                        "too_few_players"),
    ({"players": [SECRET, "pot"]},                                 "reserved_name"),
    ({"game": SECRET},                                             "unknown_game"),
    ({"options": {"mode": SECRET}},                                "option_value"),
    ({"options": {SECRET: 1}},                                     "unknown_option"),
    ({"home_throw_policy": SECRET},                                "unknown_policy"),
    ({"fee": {"kind": SECRET}},                                    "unknown_fee"),
    ({"first": SECRET},                                            "unknown_player"),
    ({"players": [{"name": SECRET, "stake": 5}, {"name": "Bo", "stake": 6}]}, "unequal_stakes"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("asked", "code"), BAD_OPENINGS)
def test_a_refused_opening_leaves_nobodys_words(
    house: House, asked: dict[str, Any], code: str
) -> None:
    answer = ask_open(house, opening(**asked))

    assert answer.refusal is not None
    assert answer.refusal.code == code
    assert SECRET.encode() not in everything_in_the_ledger()


@pytest.mark.long("postgresql")
def test_a_refusal_is_read_with_names(house: House) -> None:
    game = opened(house)

    assert "Ada throws, not Bo" in refusal_of(house, game, "throw", player="Bo", dice=list(PAIR_4))
    assert "'Zed' is not in this game" in refusal_of(
        house, game, "throw", player="Zed", dice=list(PAIR_4)
    )


@pytest.mark.long("postgresql")
def test_a_refusal_kept_beside_the_ledger_is_read_with_names(house: House) -> None:
    tokens.player_tokens(house.id, ["Ada", "Bo"], new=True)
    unequal = [{"name": "Ada", "stake": 5}, {"name": "Bo", "stake": 6}]
    answer = ask_open(house, opening(players=unequal))

    assert answer.refusal is not None
    kept = CommandReceipt.objects.get().refusal_detail
    assert kept == answer.refusal.detail
    assert tokens.is_token(answer.refusal.detail)
    sentence = tokens.resolve(house.id, answer.refusal.detail)
    assert "Ada" in sentence
    assert "Bo" in sentence
    Player.objects.filter(name="Ada").update(name=None)
    sentence = tokens.resolve(house.id, answer.refusal.detail)
    assert "Ada" not in sentence
    assert "Bo" in sentence


@pytest.mark.long("postgresql")
class TestErasing:
    def test_who_is_forgotten_is_shown_as_a_token(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        ada = token(house, game, "Ada")
        before = everything_in_the_ledger()

        Player.objects.filter(establishment=house.establishment, name="Ada").update(name=None)

        assert list(state(house, game)["stakes"]) == [ada, "Bo"]
        assert ada in json.dumps(queries.explanation(game_of(house, game)))
        assert everything_in_the_ledger() == before
        # Play goes on: by the token, for the name means nobody now.
        assert refused(house, game, "throw", player="Ada", dice=[1, 1, 2]) == "unknown_player"
        thrown(house, game, ada, PAIR_7)

    def test_a_name_given_again_is_somebody_else(self, house: House) -> None:
        game = opened(house)
        ada = token(house, game, "Ada")
        Player.objects.filter(establishment=house.establishment, name="Ada").update(name=None)

        other = opened(house, table=house.tables[1])

        assert token(house, other, "Ada") != ada

    def test_a_text_that_is_erased_says_so(self, house: House) -> None:
        game = opened(house)
        note = {"reason": "cocked", "note": "By the glass."}
        [event] = done(house, game, "no_throw", player="Ada", **note)

        Text.objects.filter(token=event.data["note"]).update(text=None)

        [row] = queries.event_rows(house.id, [event])
        assert row["data"]["note"] == "(erased)"


def test_a_player_is_known_again_at_their_house_and_nowhere_else(house: House) -> None:
    other = builders.house()
    first, second = opened(house), opened(house, table=house.tables[1])
    elsewhere = opened(other)

    assert token(house, first, "Ada") == token(house, second, "Ada")
    assert token(other, elsewhere, "Ada") != token(house, first, "Ada")


def test_a_name_is_the_same_however_it_is_spelled_in_bytes(house: House) -> None:
    game = opened(house, players=["Zoë", "Bo"])

    thrown(house, game, " Zoe\N{COMBINING DIAERESIS} ", PAIR_7)

    assert state(house, game)["next"]["players"] == ["Bo"]


@pytest.mark.long("postgresql")
def test_a_name_that_looks_like_a_token_stays_a_name(house: House) -> None:
    bo = token(house, opened(house, table=house.tables[1]), "Bo")
    lookalike = "p-" + "a" * 12

    game = opened(house, players=[lookalike, "Ada"])

    assert token(house, game, lookalike) not in {lookalike, bo}
    assert list(state(house, game)["stakes"]) == [lookalike, "Ada"]


# --- Who is refused a seat is no player ----------------------------------------------------------

TYPED = (SECRET, f"{SECRET} Bo")
NO_OPENINGS: list[tuple[str, dict[str, Any]]] = [
    ("no stake", {"stake": 0}),
    ("unequal stakes", {"players": [{"name": each, "stake": 5 + len(each)} for each in TYPED]}),
    ("same_name", {"players": [SECRET, SECRET]}),
    ("unknown_thrower", {"first": "Nobody"}),
    ("a house that is no player", {"players": [{"name": SECRET, "house": True}]}),
]


@pytest.mark.parametrize(("why", "wrong"), NO_OPENINGS)
def test_a_refused_opening_makes_nobody_a_player(
    house: House, why: str, wrong: dict[str, Any]
) -> None:
    answer = ask_open(house, opening(**{"players": list(TYPED), **wrong}))

    assert answer.refusal is not None, why
    assert not Player.objects.filter(name__contains=SECRET).exists()
    assert SECRET.encode() not in everything_in_the_ledger()


def test_one_at_an_occupied_table_makes_nobody_a_player(house: House) -> None:
    opened(house)

    assert ask_open(house, opening(players=list(TYPED))).refusal is not None
    assert not Player.objects.filter(name__contains=SECRET).exists()


def test_a_refused_join_makes_nobody_a_player(house: House) -> None:
    game = opened(house)
    answer = ask(house, game, "join", player=SECRET, stake=0)

    assert answer.refusal is not None
    assert not Player.objects.filter(name__contains=SECRET).exists()
    assert tokens.resolve(house.id, answer.refusal.detail).count("p-") == 0


def test_the_refusal_says_the_name_until_the_name_is_erased(house: House) -> None:
    raw = opening(players=[{"name": each, "stake": 5 + len(each)} for each in TYPED])
    first = ask_open(house, raw)
    again = ask_open(house, raw)

    assert first.refusal is not None
    assert first.refusal == again.refusal
    assert SECRET in tokens.resolve(house.id, first.refusal.detail)
    [later] = tokens.player_tokens(house.id, [SECRET], new=True).values()
    player_names.forget(house.id, later)
    assert SECRET not in tokens.resolve(house.id, first.refusal.detail)


def test_a_name_that_another_table_seats_at_this_moment_is_one_player(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tokens.tokens_to_save

    def and_then_another(*args: Any) -> Any:
        found = asked(*args)
        monkeypatch.undo()
        tokens.player_tokens(house.id, [SECRET], new=True)
        return found

    monkeypatch.setattr(tokens, "tokens_to_save", and_then_another)
    game = opened(house, players=[SECRET, "Bo"])

    assert Player.objects.filter(name=SECRET).count() == 1
    assert set(state(house, game)["stakes"]) >= {SECRET}
