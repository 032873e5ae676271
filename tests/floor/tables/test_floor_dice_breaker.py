"""Dice Breaker on the floor: what the board asks for, where every die lies, what the log says."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.floor.tables.board import boards
from casino.house.attendants.pseudonyms import tokens
from casino.words.presenters import PRESENTERS
from tests.support import builders
from tests.support.playing import ask, done, game_of, opened, settled, state, token

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
BATTLE: dict[str, Any] = {"mode": "battle"}
HALF = "\N{VULGAR FRACTION ONE HALF}"


@pytest.fixture
def house() -> House:
    at = builders.house(dice_sets=0)
    builders.dice_set(at.establishment, sides=6, count=20)
    return at


def begun(
    house: House, *, first: str | None = "Ada", players: Any = None, **options: Any
) -> uuid.UUID:
    """Between Ada, who starts, and Bo."""
    more: dict[str, Any] = {"first": first} if first else {}
    seats = players or ["Ada", "Bo"]
    return opened(house, game="dice-breaker", players=seats, stake=0, options=options, **more)


def page(house: House, name: str, *arguments: Any, by: Attendant | None = None) -> str:
    client = Client()
    client.force_login(by or house.attendant)
    text: str = client.get(reverse(name, args=arguments)).content.decode()
    return text


def threw(house: House, game: uuid.UUID, player: str, die: str, value: int, **more: Any) -> None:
    done(house, game, "throw", player=player, die=die, value=value, **more)


def hand(house: House, game: uuid.UUID, player: str, faces: str) -> None:
    """All five dice of a player, one after the other."""
    for number, face in enumerate(faces, 1):
        threw(house, game, player, f"{player}{number}", int(face))


def sentence(house: House, game: uuid.UUID) -> str:
    loaded = game_of(house, game)
    sentence = PRESENTERS["dice-breaker"].upcoming(loaded, loaded.view)["sentence"]
    return str(tokens.resolve(house.establishment.pk, sentence))


def last(house: House, game: uuid.UUID) -> dict[str, Any]:
    """The last line of the log."""
    lines = boards.log(game_of(house, game), PRESENTERS["dice-breaker"], {}, limit=1)
    line: dict[str, Any] = tokens.resolve(house.establishment.pk, lines[0])
    return line


def own(house: House, game: uuid.UUID) -> Any:
    loaded = game_of(house, game)
    return tokens.resolve(
        house.establishment.pk, PRESENTERS["dice-breaker"].own(loaded, loaded.view)
    )


def seat(house: House, game: uuid.UUID, name: str) -> Any:
    loaded = game_of(house, game)
    return PRESENTERS["dice-breaker"].hand_of(loaded, loaded.view, token(house, game, name))


def test_whose_turn_it_is_and_why(house: House) -> None:
    game = begun(house, first=None, target=1)
    assert sentence(house, game) == "Everybody breaks the starting die"
    done(house, game, "break_start", player="Bo", value=2)
    assert sentence(house, game) == "Ada breaks the starting die"
    done(house, game, "break_start", player="Ada", value=2)
    assert sentence(house, game) == "Tie: Ada and Bo break again"
    done(house, game, "break_start", player="Ada", value=2)
    assert sentence(house, game) == "Bo breaks again"
    done(house, game, "break_start", player="Bo", value=3)
    assert sentence(house, game) == "Ada throws, 5 dice left"
    hand(house, game, "Ada", "1234")
    assert sentence(house, game) == "Ada throws the last die"
    threw(house, game, "Ada", "Ada5", 5)
    hand(house, game, "Bo", "23456")
    assert sentence(house, game) == "Play-off: Ada throws, 5 dice left"
    hand(house, game, "Ada", "11345")
    hand(house, game, "Bo", "12346")
    assert sentence(house, game) == "Ada wins the game"


def test_whose_turn_it_is_in_a_battle(house: House) -> None:
    game = begun(house, **BATTLE)
    assert sentence(house, game) == "Ada throws the trump"
    threw(house, game, "Ada", "trump", 5)
    assert sentence(house, game) == "Ada throws a die"
    for number in range(1, 5):
        threw(house, game, "Ada", f"Ada{number}", 1)
        threw(house, game, "Bo", f"Bo{number}", 1)
    threw(house, game, "Ada", "Ada5", 1, out=["Ada5"])
    assert sentence(house, game) == "Bo throws the last die"
    threw(house, game, "Bo", "Bo5", 2, spinning=True)
    assert sentence(house, game) == "Bo's last die spins"
    assert "It rests" in page(house, "floor-game", game)


def test_a_win_that_is_shared_is_said(house: House) -> None:
    game = begun(house)
    hand(house, game, "Ada", "22222")
    hand(house, game, "Bo", "55555")

    assert sentence(house, game) == "Ada and Bo share the win"
    assert seat(house, game, "Bo")["dice"] == [5] * 5
    assert "33 points" not in page(house, "floor-game", game)


# fmt: off
THROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # the second throw of Ada, after her 6 and Bo's 4              the line of the log
    ({"die": "Ada2", "value": 6},
     {"sentence": "Ada: pair", "dice": [6], "owner": 1, "rules": []}),
    ({"die": "Ada2", "value": 6,
      "breaks": [{"die": "Bo1", "value": 1}, {"die": "trump", "value": 6}]},
     {"sentence": "Ada breaks Bo 1 to 1 and the trump to 6: three of a kind", "rules": ["DB2"]}),
    ({"die": "Ada2", "value": 5, "out": ["Bo1"]},
     {"sentence": "Ada, Bo 1 is out: nothing", "rules": ["DB8"]}),
    ({"die": "Ada2", "value": 5, "out": ["Ada2"]},
     {"sentence": "Ada's die 2 is out: nothing", "rules": ["DB8"]}),
    ({"die": "Ada2", "value": 5, "caught": [{"die": "Ada2", "by": "Bo"}]},
     {"sentence": "Bo catches Ada's die 2: nothing", "rules": ["DB8"]}),
    ({"die": "Ada2", "value": 5, "caught": [{"die": "Bo1", "by": "Ada"}]},
     {"sentence": "Ada, Ada catches Bo 1: nothing", "rules": ["DB8"]}),
    ({"die": "Ada2", "value": 5, "spinning": True},
     {"sentence": "Ada, a die spins: nothing", "rules": ["DB10"]}),
    ({"die": "latent2", "value": 6, "spinning": True, "breaks": [{"die": "Bo1", "value": 3}]},
     {"sentence": "Ada throws latent 2, breaks Bo 1 to 3, a die spins: pair",
      "rules": ["DB10", "DB2"]}),
    ({"die": "latent2", "value": 6, "spinning": True},
     {"sentence": "Ada throws latent 2, which goes back, a die spins: nothing",
      "rules": ["DB10"]}),
]
# fmt: on


@pytest.mark.parametrize(("throw", "expected"), THROWS)
def test_a_throw_is_told_with_what_it_did(
    house: House, throw: dict[str, Any], expected: dict[str, Any]
) -> None:
    game = begun(house, **BATTLE)
    threw(house, game, "Ada", "trump", 2)
    threw(house, game, "Ada", "Ada1", 6)
    threw(house, game, "Bo", "Bo1", 4)

    done(house, game, "throw", player="Ada", **throw)

    assert expected.items() <= last(house, game).items()


def test_dice_of_others_are_called_by_their_owner(house: House) -> None:
    game = begun(house)
    threw(house, game, "Ada", "Ada1", 5, caught=[{"die": "Ada1", "by": "Bo"}])
    for number in range(2, 6):
        threw(house, game, "Ada", f"Ada{number}", 1)

    threw(house, game, "Bo", "Ada1", 3, out=["Ada1"])
    assert last(house, game)["sentence"] == "Bo throws Ada 1 out: nothing"
    threw(house, game, "Bo", "Bo1", 3)
    threw(house, game, "Bo", "Bo2", 3, caught=[{"die": "Bo1", "by": "Bo"}])
    threw(house, game, "Bo", "Bo1", 3)
    assert last(house, game)["owner"] == 2


def test_the_log_says_what_happened(house: House) -> None:
    players = [{"name": name, "stake": 9} for name in ("Ada", "Bo")]
    game = begun(house, first=None, players=players, ante=4, target=1)
    for player, value in (("Ada", 3), ("Bo", 3), ("Ada", 2), ("Bo", 3)):
        done(house, game, "break_start", player=player, value=value)
    hand(house, game, "Ada", "12346")
    hand(house, game, "Bo", "12346")
    hand(house, game, "Ada", "11234")
    hand(house, game, "Bo", "55234")
    done(house, game, "close")

    log = page(house, "floor-log", game)

    for sentence in (
        "The game is open", "Ada and Bo ante", "Ada breaks the starting die",
        "Tie for lowest: Ada and Bo break again", "Round 1: nobody has anything",
        f"Round 2: Ada and Bo with pair, {HALF} points each", "Round 3 is void",
        "The game is over",
    ):  # fmt: skip
        assert sentence in log


def test_points_are_said_in_parts_on_the_board_and_in_the_round(house: House) -> None:
    game = begun(house, target=3)
    hand(house, game, "Ada", "11123")
    hand(house, game, "Bo", "22213")
    settled(house)

    assert state(house, game)["points"] == {"Ada": "3/2", "Bo": "3/2"}
    assert f"1{HALF} points" in page(house, "floor-game", game)
    assert f"they share its 3 points, 1{HALF} each" in page(house, "floor-round", game, 1)
    assert "the highest hand" in page(house, "floor-round", game, 1)


def test_every_die_is_where_it_lies(house: House) -> None:
    game = begun(house, **BATTLE)
    before = own(house, game)
    threw(house, game, "Ada", "trump", 2)
    threw(house, game, "Ada", "Ada1", 6)
    threw(house, game, "Bo", "Bo1", 4)
    threw(house, game, "Ada", "Ada2", 5, out=["Ada1"], caught=[{"die": "Bo1", "by": "Ada"}])
    threw(house, game, "Bo", "latent3", 1, spinning=True, breaks=[{"die": "Ada2", "value": 3}])
    after = own(house, game)

    assert (before["next_die"], before["trump"]["place"], before["latent_live"]) == (
        "trump", "hand", False,
    )  # fmt: skip
    ada, bo = after["rows"]
    assert [die["place"] for die in ada["places"]] == ["out", "arena", "hand", "hand", "hand"]
    assert [die["called"] for die in ada["caught"]] == ["Bo 1"]
    assert [die["called"] for die in ada["out"]] == ["Ada 1"]
    assert [(die["called"], die["face"], die["colour"]) for die in bo["more"]] == [
        ("latent 3", 1, None)
    ]
    assert (ada["letter"], bo["letter"], after["trump"]["colour"]) == ("a", "b", "trump")
    assert [die["place"] for die in after["latent"]] == ["corner", "corner", "arena", "corner"]
    assert (after["next_die"], after["latent_live"], after["spinning"]) == ("Bo2", True, False)


def test_in_quick_play_only_own_dice_can_be_hit(house: House) -> None:
    game = begun(house)
    hand(house, game, "Ada", "12345")
    threw(house, game, "Bo", "Bo1", 4)

    ada, bo = own(house, game)["rows"]

    assert not any(die["hit"] for die in ada["places"])
    assert [die["hit"] for die in bo["places"]] == [True, False, False, False, False]


def test_seats_show_what_counts_for_them_in_its_owner_s_colour(house: House) -> None:
    game = begun(house, **BATTLE)
    threw(house, game, "Ada", "trump", 2)
    threw(house, game, "Ada", "Ada1", 2)

    ada, bo = (seat(house, game, name) for name in ("Ada", "Bo"))

    assert (ada["hand"], ada["dice"], ada["owners"], ada["state"]) == (
        "pair", [2, 2], [1, "trump"], "waiting",
    )  # fmt: skip
    assert (bo["hand"], bo["dice"], bo["owners"], bo["state"]) == (
        "nothing", [2], ["trump"], "to_throw",
    )  # fmt: skip


def test_plain_fields_record_a_break_where_there_are_no_scripts(house: House) -> None:
    game = begun(house, **BATTLE)
    threw(house, game, "Ada", "trump", 2)
    assert 'name="breaks.die"' in page(house, "floor-game", game)
    client = Client()
    client.force_login(house.attendant)

    answer = client.post(
        reverse("floor-command", args=[game]),
        {
            "do": "throw", "command_id": str(uuid.uuid4()), "player": "Ada", "die": "Ada1",
            "value": "3", "breaks.die": ["", "trump"], "breaks.value": ["", "6"], "out": ["", ""],
            "caught.die": "", "caught.by": "", "spinning": "true",
        },
    )  # fmt: skip

    assert answer.status_code == 302
    thrown = state(house, game)["throws"][-1]
    assert (thrown["die"], thrown["value"]) == ("Ada1", 3)
    assert (thrown["breaks"], thrown["spinning"]) == ([{"die": "trump", "value": 6}], True)


def test_a_refusal_stands_on_the_board(house: House) -> None:
    game = begun(house)
    client = Client()
    client.force_login(house.attendant)
    throw = {"do": "throw", "player": "Bo", "die": "Bo1", "value": "3"}

    answer = client.post(
        reverse("floor-command", args=[game]), {**throw, "command_id": str(uuid.uuid4())}
    )

    assert answer.status_code == 422
    assert "Ada throws, not Bo. DB3" in answer.content.decode()


def test_who_looks_on_sees_the_arena_and_presses_nothing(house: House) -> None:
    game = begun(house, **BATTLE)
    threw(house, game, "Ada", "trump", 2)

    board = page(house, "floor-game", game, by=house.auditor)

    assert 'data-die="trump"' in board
    assert "data-hit" not in board
    assert "data-entry-breaker" not in board


def test_money_is_said_only_where_it_is_played(house: House) -> None:
    players = [{"name": name, "stake": 9} for name in ("Ada", "Bo")]
    game = begun(house, players=players, ante=4)
    board = page(house, "floor-game", game)
    assert ("Pot" in board, "Ante" in board) == (True, True)
    assert "The ante goes back. G1" in board
    assert "those in the game share the pot" in board
    done(house, game, "close")

    without = page(house, "floor-game", begun(house))

    assert ("Pot" in without, "Ante" in without) == (False, False)
    assert "The running round is void and nobody wins. G9" in without


def test_who_has_left_or_sits_out_has_no_dice(house: House) -> None:
    game = begun(house, players=["Ada", "Bo", "Cyd"], target=1)
    hand(house, game, "Ada", "12345")
    hand(house, game, "Bo", "23456")
    hand(house, game, "Cyd", "12346")
    assert seat(house, game, "Cyd")["state"] == "sitting_out"
    assert own(house, game)["rows"][2]["plays"] is False
    assert ask(house, game, "leave", player="Cyd").refusal is None

    assert seat(house, game, "Cyd")["state"] == "left"


def test_a_throw_of_whom_a_void_has_taken_the_seat_is_still_told(house: House) -> None:
    """G4: the log holds what was cancelled; nobody's colour is left for it."""
    game = begun(house, first=None)
    done(house, game, "join", player="Cyd", stake=0)
    for name, value in (("Ada", 3), ("Bo", 2), ("Cyd", 1)):
        done(house, game, "break_start", player=name, value=value)
    threw(house, game, "Cyd", "Cyd1", 4)
    request = game_of(house, game).version + 1
    done(house, game, "void", back_to=2, reason="Misread.")
    done(house, game, "approve", by=house.supervisor, request=request)

    assert "Cyd: " in page(house, "floor-log", game)
    assert page(house, "floor-round", game, 1).count("void") > 1
