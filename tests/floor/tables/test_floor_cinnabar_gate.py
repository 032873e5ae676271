"""Cinnabar Gate on the floor: whose chances, which tie, what the pay is, who pays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.house.attendants.pseudonyms import tokens
from casino.words.presenters import PRESENTERS
from games.cinnabar_gate import messages as gate
from games.cinnabar_gate.messages import Options
from tests.support import builders
from tests.support.playing import done, game_of, opened, settled, token

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

TELLER = PRESENTERS["cinnabar-gate"]
HOME = [1, 3, 6]
NO_BREAK = "\N{NO-BREAK SPACE}"

# fmt: off
# Moves: a player's first letter with three faces, with s to stand, with l to leave.
PLAYED: list[tuple[dict[str, Any], str, str]] = [
    ({},                     "",                          "Ada to throw"),
    # CG4 gives junk its chances
    ({},                     "A146",                      "Ada, junk 4: again (3 left) or stand"),
    ({},                     "A146 A256",                 "Ada, junk 5: again (2 left) or stand"),
    ({},                     "A146 As",                   "Bo to throw"),
    ({},                     "A146 A256 A146 A357",       "Bo to throw"),
    ({"junk_rethrows": 1},   "A146",                      "Ada, junk 4: again (1 left) or stand"),
    # CG5, show-ups raise the pay
    ({},                     "A246",                      "Show-up: Ada throws again"),
    ({},                     "A227 B648",                 "Double show-up: Bo throws again"),
    ({},                     "A146 A246",                 "Show-up: Ada throws again"),
    ({},                     "A146 A246 A146",            "Ada, junk 4: again (2 left) or stand"),
    # CG7, ties are thrown again
    ({},                     "A227 B227 C555",            "Tie for worst: Ada throws again"),
    ({},                     "A555 B555 C227",            "Tie for best: Ada throws again"),
    ({},                     "A555 B555 C227 A246",       "Show-up in the tie: Ada throws again"),
    ({},                     "A555 B555 C227 A146",       "Tie for best: Bo throws again"),
    ({},                     "A555 B555 C227 A227 B227",  "Tie for best: Ada throws again"),
    ({},                     "A555 B555 C227 A223 B227",  "Cyd to throw"),
    # CG10: Opal River, on top of the junk chances
    ({"opal": 1},            "A227",
     "Ada, pair 7: again (1 left by Opal) or stand"),
    ({"opal": 2},            "A227 A146",
     "Ada, junk 4: again (3 left, 1 by Opal) or stand"),
    ({"opal": 2},            "A227 A227 As B136",
     "Bo, home throw: again (1 left by Opal) or stand"),
    # CG11: a home throw in a pool
    ({"variant": "pool"},    "A227 B136",                 "Ada to throw"),
    ({"variant": "pool"},    "A136",                      "Bo to throw"),
    # CG1: who leaves in the round
    ({},                     "A227 Bl",                   "Cyd to throw"),
]

TOLD: list[tuple[Any, list[str], str]] = [
    (gate.GameOpened(1, (), "A"), ["CG1"],                           "The game is open"),
    (gate.GameOpened(1, (), "A", options=Options(opal=2, variant="pool")), ["CG1"],
     "The game is open: pool, Opal twice"),
    (gate.HomeThrowSettled((1, 3, 6)), ["H2"],                       "The home throw is 1-3-6"),
    (gate.HandTaken("A"), ["CG4"],                                   "A stands"),
    (gate.PayMoved("A", 5, ("CG2",)), ["CG2"],                       "A lowers the pay to 5"),
    (gate.PayMoved("A", 9, ("CG5",)), ["CG5"],                       "A raises the pay to 9"),
    (gate.RoundRestarted("A", ("B",), 8), ["CG11"],
     "The round starts again at 8, A sits it out"),
    (gate.TieCalled("best", ("A", "B")), ["CG7"],
     "Tie for best: A and B throw again"),
    (gate.TieCalled("worst", ("A", "B")), ["CG7"],
     "Tie for worst: A and B throw again"),
    (gate.TieCalled("worst", ("A", "B"), ("C",)), ["CG7"],
     "C best; tie for worst: A and B throw again"),
    (gate.RoundVoided(3, "A", rules=("CG1",)), ["CG1"],
     "Round 3 is void: only one is left"),
    (gate.RoundVoided(3, "A", rules=("CG6",)), ["CG6"],
     "Round 3 is void: nobody has more than empty"),
    (gate.RoundVoided(3, "A", rules=("CG7", "CG11")), ["CG7", "CG11"],
     "Round 3 is void: all are tied"),
    (gate.RoundVoided(3, "A", rules=("CG11",)), ["CG11"],
     "Round 3 is void: all sit out"),
    (gate.RoundVoided(3, "A", rules=("G9",)), ["G9"],
     "Round 3 is void: the table closes"),
    (gate.PlayerLeft("A", "B"), ["CG1"],                             "A leaves"),
    (gate.PlayerLeft("A"), ["CG1"],
     "A leaves, the worst hand of the round"),
    (gate.GameEnded(3), [],                                          "The game is over"),
    (gate.GameEnded(3, ("A",), rules=("CG1",)), ["CG1"],             "A is the last at the table"),
    (gate.GameEnded(3, ("A",), rules=("CG11",)), ["CG11"],           "A wins the pool"),
    (gate.GameEnded(3, ("A", "B"), rules=("CG11", "G5")), ["CG11", "G5"],
     "A and B share the pool"),
]

SETTLED: list[tuple[dict[str, Any], str, str]] = [
    # options               moves                        the round's end
    ({},                    "A227 B555 C553",            "Bo wins round 1, Ada pays"),
    ({},                    "A136 B316 C227",            "Ada and Bo share round 1, Cyd pays"),
    ({},                    "A147 B258 C227",            "Cyd wins round 1, Ada and Bo pay"),
    ({},                    "A555 B147 C227",            "Ada wins round 1, Bo pays"),
    ({"variant": "pool"},   "A227 B555 C553",            "Ada loses round 1"),
    ({"variant": "arcade"}, "A227 B555 C553",            "Bo scores 3 in round 1"),
    ({"variant": "arcade"}, "A136 B316 C227",            "Ada and Bo score 3½ each in round 1"),
]

# What a seat has: hand, score, how it stands, what counts beside it.
SEATS: list[tuple[str, dict[str, tuple[Any, ...]]]] = [
    ("A227 B146",                {"Ada": ("pair", 7, "thrown", []),
                                  "Bo": ("junk", 4, "to_throw", []),
                                  "Cyd": (None, None, "waiting", [])}),
    ("A246",                     {"Ada": (None, None, "to_throw", [])}),
    ("A555 B555 C227",           {"Ada": ("triple", 5, "to_throw", ["tied for best"]),
                                  "Bo": ("triple", 5, "thrown", ["tied for best"]),
                                  "Cyd": ("pair", 7, "thrown", [])}),
    ("A555 B555 C227 A146",      {"Ada": ("junk", 4, "thrown", ["tied for best"]),
                                  "Bo": ("triple", 5, "to_throw", ["tied for best"])}),
    ("A555 B555 C227 A146 B246", {"Bo": ("triple", 5, "to_throw", ["tied for best"])}),
    ("A555 B227 C227",           {"Ada": ("triple", 5, "thrown", ["best"]),
                                  "Bo": ("pair", 7, "to_throw", ["tied for worst"])}),
    ("A227 Al",                  {"Ada": ("pair", 7, "left", ["counts as worst"])}),
    ("A227 B555 C553",           {"Ada": (None, None, "to_throw", []),
                                  "Bo": (None, None, "waiting", [])}),
]

PAYS: list[tuple[str, dict[str, Any]]] = [
    # moves                pay, how it came to that, who moved it last and whether upwards
    ("",                   {"pay": 8, "steps": [8], "moved": "", "rose": False}),
    ("A227",               {"pay": 7, "steps": [8, 7], "moved": "Ada", "rose": False}),
    ("A227 B246",          {"pay": 8, "steps": [8, 7, 8], "moved": "Bo", "rose": True}),
    ("A227 B648 B146",     {"pay": 9, "steps": [8, 7, 9], "moved": "", "rose": False}),
    ("A227 B146 Bs",       {"pay": 4, "steps": [8, 7, 4], "moved": "Bo", "rose": False}),
    ("A227 B146 C246",     {"pay": 5, "steps": [8, 7, 4, 5], "moved": "Cyd", "rose": True}),
    ("A246 A246 A246 A246 A246",
                           {"pay": 13, "steps": [9, 10, 11, 12, 13], "moved": "Ada", "rose": True}),
    ("A227 B555 C553",     {"pay": 8, "steps": [8], "moved": "", "rose": False}),
]
# fmt: on


@pytest.fixture
def house() -> House:
    return builders.house(dice_sets=1)


def played(house: House, moves: str = "", **options: Any) -> uuid.UUID:
    game = opened(
        house, game="cinnabar-gate", players=["Ada", "Bo", "Cyd"], stake=20,
        options=options, home_throw_policy="fixed", home_throw=HOME,
    )  # fmt: skip
    more(house, game, moves)
    return game


def more(house: House, game: uuid.UUID, moves: str) -> None:
    for move in moves.split():
        player = {"A": "Ada", "B": "Bo", "C": "Cyd"}[move[0]]
        match move[1:]:
            case "s":
                done(house, game, "stand", player=player)
            case "l":
                done(house, game, "leave", player=player)
            case faces:
                done(house, game, "throw", player=player, dice=[int(face) for face in faces])


def page(house: House, name: str, *arguments: Any) -> str:
    client = Client()
    client.force_login(house.attendant)
    text: str = client.get(reverse(name, args=arguments)).content.decode()
    return text


@pytest.mark.parametrize(("options", "moves", "sentence"), PLAYED)
def test_the_next_action_says_whose_turn_it_is_and_why(
    house: House, options: dict[str, Any], moves: str, sentence: str
) -> None:
    loaded = game_of(house, played(house, moves, **options))

    sentence_of = TELLER.upcoming(loaded, loaded.view)["sentence"]

    assert tokens.resolve(house.id, sentence_of).replace(NO_BREAK, " ") == sentence


@pytest.mark.parametrize(("fact", "rules", "sentence"), TOLD)
def test_an_event_is_told_in_a_sentence(
    house: House, fact: Any, rules: list[str], sentence: str
) -> None:
    line = TELLER.of_the_game(game_of(house, played(house)), fact)

    assert line is not None
    assert (line["sentence"], line["rules"]) == (sentence, rules)


@pytest.mark.rows(4)
@pytest.mark.parametrize(("options", "moves", "sentence"), SETTLED)
def test_the_end_of_a_round_says_who_pays(
    house: House, options: dict[str, Any], moves: str, sentence: str
) -> None:
    assert sentence in page(house, "floor-log", played(house, moves, **options))


def test_who_is_out_by_a_round_is_said_with_it(house: House) -> None:
    game = opened(
        house, game="cinnabar-gate", stake=20, home_throw_policy="fixed", home_throw=HOME,
        players=[{"name": "Ada", "stake": 3}, {"name": "Bo"}, {"name": "Cyd"}],
    )  # fmt: skip
    more(house, game, "A227 B555 C553")

    assert "Bo wins round 1, Ada pays, Ada is out" in page(house, "floor-log", game)


@pytest.mark.parametrize(("moves", "seats"), SEATS)
def test_a_seat_shows_its_hand_and_what_counts_beside_it(
    house: House, moves: str, seats: dict[str, tuple[Any, ...]]
) -> None:
    game = played(house, moves)
    loaded = game_of(house, game)

    for name, expected in seats.items():
        seat = TELLER.hand_of(loaded, loaded.view, token(house, game, name))
        assert (seat["hand"], seat["score"], seat["state"], seat["signs"]) == expected


def test_who_threw_home_in_a_pool_sits_out_with_nothing_before_them(house: House) -> None:
    game = played(house, "A227 B136", variant="pool")
    loaded = game_of(house, game)

    seats = [
        TELLER.hand_of(loaded, loaded.view, token(house, game, name)) for name in ("Ada", "Bo")
    ]

    assert [(seat["dice"], seat["state"]) for seat in seats] == [
        (None, "to_throw"),
        (None, "sitting_out"),
    ]


@pytest.mark.parametrize(("moves", "pay"), PAYS)
def test_the_pay_is_shown_with_its_way_there(house: House, moves: str, pay: dict[str, Any]) -> None:
    loaded = game_of(house, played(house, moves))

    assert tokens.resolve(house.id, TELLER.own(loaded, loaded.view)) == pay


def test_the_board_shows_the_pay_once_and_what_the_round_cost(house: House) -> None:
    board = page(house, "floor-game", played(house, "A227 B555 C553"))

    assert f'<b class="pay-now money">8{NO_BREAK}r</b>' in board
    assert f'<b class="money">3{NO_BREAK}r</b> Ada to Bo' in board


def test_the_scoreboard_s_pay_is_no_money_and_points_are_exact(house: House) -> None:
    board = page(house, "floor-game", played(house, "A136 B316 C227", variant="arcade"))

    assert '<b class="pay-now">8</b>' in board
    assert "3½ points" in board
    assert "0 points" in board
    assert "Cinnabar Gate, arcade" in board


def test_what_was_won_and_put_aside_is_shown_apart(house: House) -> None:
    board = page(house, "floor-game", played(house, "A227 B555 C553", winnings="pocket"))

    assert f"3{NO_BREAK}r in the pocket, not played" in board


def test_a_pool_is_a_figure_and_a_table_has_none(house: House) -> None:
    pooled = played(house, "A227 B555 C553", variant="pool")
    figures = TELLER.figures(game_of(house, pooled).state.inner)
    done(house, pooled, "close")

    assert (figures["pot"], figures["pay"]) == (3, 8)
    assert "pot" not in TELLER.figures(game_of(house, played(house)).state.inner)


def test_leaving_and_closing_say_what_they_mean(house: House) -> None:
    game = played(house)
    before = page(house, "floor-game", game)
    more(house, game, "A227")
    after = page(house, "floor-game", game)

    assert "Takes along what is left of the stake. CG1" in before
    assert "Counts as the worst hand of the round, and pays when it ends. CG1" in after
    assert "everybody keeps what they have. G9" in after

    more(house, game, "B147")
    emptied = page(house, "floor-game", game)

    assert "but only who threw empty pays. CG6" in emptied


def test_who_came_back_has_not_left(house: House) -> None:
    game = played(house)
    done(house, game, "leave", player="Bo")
    done(house, game, "join", player="Bo", stake=5)
    loaded = game_of(house, game)

    seat = TELLER.hand_of(loaded, loaded.view, token(house, game, "Bo"))

    assert seat["state"] == "waiting"


def test_the_attendant_throws_for_the_home_throw(house: House) -> None:
    game = opened(
        house, game="cinnabar-gate", players=["Ada", "Bo"], stake=20, home_throw_policy="attendant"
    )
    assert "Throw for the home throw" in page(house, "floor-game", game)
    done(house, game, "throw_home", dice=[2, 4, 6])
    done(house, game, "throw_home", dice=[2, 3, 7])

    log = page(house, "floor-log", game)

    assert "For the home throw: <b>show-up</b>" in log
    assert "The home throw is 2-3-7" in log


def test_a_round_is_told_with_its_reasons(house: House) -> None:
    game = played(house, "A227 B555 C553")
    settled(house)

    text = page(house, "floor-round", game, 1)

    assert "Ada pays 3 to Bo (CG6)" in text
    assert "Ada lowers the pay to 7\N{NO-BREAK SPACE}r" in text


def test_a_step_of_a_round_shows_the_table_as_it_stood(house: House) -> None:
    game = played(house, "A555 B555 C227 A223 B227")
    events = game_of(house, game).live
    tie = next(number for number, fact in events if isinstance(fact, gate.TieCalled))

    table = step(house, game, 1, tie)

    assert table.count('<span class="sign sign-wait">tied for best</span>') == 2
    assert "Then: Tie for best: Ada throws again" in table


def test_a_step_after_the_last_throw_has_the_points_as_they_are_said(house: House) -> None:
    game = played(house, "A136 B316 C227", variant="arcade")

    assert "3½ points" in step(house, game, 1, game_of(house, game).version)


def step(house: House, game: uuid.UUID, number: int, event: int) -> str:
    client = Client()
    client.force_login(house.attendant)
    address = reverse("floor-round", args=[game, number])
    text: str = client.get(address, {"step": event}).content.decode()
    return text


def test_every_option_that_is_not_as_usual_is_said_at_the_opening(house: House) -> None:
    game = played(
        house, variant="arcade", opal=1, junk_rethrows=0, pay_lowering="by_one", pay_cap=12,
        empty="also", ties="split", pair_value=True, junk_order="high", runs="straight",
        winnings="pocket", arcade_points=1,
    )  # fmt: skip

    _mode, mode_text = TELLER.mode(game_of(house, game))

    assert len(mode_text.split(", ")) == 13  # one of them has a comma of its own
    assert f"The game is open: {mode_text}" in page(house, "floor-log", game)
