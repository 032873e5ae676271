"""Threes Away on the floor: what the board asks for, what the log says, how a round is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.words.presenters import PRESENTERS
from tests.support import builders
from tests.support.playing import done, game_of, opened, settled, token

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
NB = "\N{NO-BREAK SPACE}"


@pytest.fixture
def house() -> House:
    at = builders.house(dice_sets=0)
    builders.dice_set(at.establishment, sides=6, count=5)
    return at


def begun(house: House, **options: Any) -> uuid.UUID:
    players = ["Ada", "Bo", "Cyd"]
    return opened(house, game="threes-away", players=players, stake=20, options=options)


def page(house: House, name: str, *arguments: Any) -> str:
    client = Client()
    client.force_login(house.attendant)
    text: str = client.get(reverse(name, args=arguments)).content.decode()
    return text


def threw(house: House, game: uuid.UUID, player: str, dice: str, keep: str | None = None) -> None:
    kept = {} if keep is None else {"keep": [int(face) for face in keep]}
    done(house, game, "throw", player=player, dice=[int(face) for face in dice], **kept)


def coins(amount: int) -> str:
    return f"{amount}\N{NO-BREAK SPACE}r"


def slots(text: str) -> int:
    return len(re.findall(r'id="slot-\d"', text))


def test_the_board_asks_for_the_dice_that_are_thrown_then_for_those_kept(house: House) -> None:
    game = begun(house)
    board = page(house, "floor-game", game)
    assert "data-entry-keep" not in board
    assert slots(board) == 5

    threw(house, game, "Ada", "13345")
    board = page(house, "floor-game", game)
    assert "data-entry-keep" in board
    assert "Ada keeps one or more" in board
    assert slots(board) == 0

    done(house, game, "keep", player="Ada", dice=[3, 3])
    board = page(house, "floor-game", game)
    assert slots(board) == 3
    assert "Ada throws the other 3" in board


def test_bottoms_are_called_only_where_they_are_played(house: House) -> None:
    without = begun(house)
    assert 'name="bottoms"' not in page(house, "floor-game", without)
    done(house, without, "close")

    assert 'name="bottoms"' in page(house, "floor-game", begun(house, bottoms=True))


def test_the_log_says_what_happened(house: House) -> None:
    game = begun(house)
    threw(house, game, "Ada", "33333", "33333")
    threw(house, game, "Bo", "33333", "33333")
    threw(house, game, "Cyd", "12456", "1")
    threw(house, game, "Ada", "33334", "33334")
    threw(house, game, "Bo", "33331", "33331")
    done(house, game, "leave", player="Cyd")
    done(house, game, "close")

    log = page(house, "floor-log", game)

    for sentence in (
        "Round 1: all ante 1", "Ada finishes with zero: all ante another 1", "Cyd is bust with 1",
        "Tie at zero: Ada and Bo play it off", "Round 2: Ada and Bo play it off, all ante 1",
        "Ada finishes with 4", f"Bo wins round 2 with 1 and takes 12{NB}r", "Cyd leaves",
        "Round 3 is void", "The game is over",
    ):  # fmt: skip
        assert sentence in log


def test_a_pot_that_rolls_over_is_told_here_and_in_the_next_game(house: House) -> None:
    game = begun(house, progressive="by_round")
    threw(house, game, "Ada", "33331", "33331")
    threw(house, game, "Bo", "33334", "4")
    threw(house, game, "Cyd", "33334", "4")
    assert "Nobody has zero: the pot rolls over" in page(house, "floor-log", game)
    assert "Wins up to" in page(house, "floor-game", game)
    assert (
        f"Round 2 is void: 3{NB}r in antes go back. What was carried, 3{NB}r, rolls over"
        in page(house, "floor-game", game)
    )
    done(house, game, "close")
    assert f"3{NB}r roll over to the house&#x27;s next game" in page(house, "floor-log", game)
    assert f"{coins(3)}</b> rolled over" in page(house, "floor-game", game)

    later = begun(house)
    board = page(house, "floor-game", later)
    assert f"{coins(3)} on its way from Table 1" in board
    assert f"What is on its way, 3{NB}r, waits for it too" in board
    settled(house)

    assert f"3{NB}r that were on their way have arrived" in page(house, "floor-log", later)
    assert "on its way" not in page(house, "floor-game", later)


def test_a_pot_that_is_booked_is_drawn_at_once(house: House) -> None:
    game = begun(house, progressive="by_round")
    for player in ("Ada", "Bo", "Cyd"):
        threw(house, game, player, "11111", "11111")
    done(house, game, "close")
    settled(house)

    assert f"3{NB}r rolled over from the game before" in page(house, "floor-log", begun(house))


def test_seats_show_what_is_kept_and_what_it_comes_to(house: House) -> None:
    game = begun(house)
    threw(house, game, "Ada", "33334", "33334")
    threw(house, game, "Bo", "33345", "34")
    threw(house, game, "Bo", "115")

    seats = {seat: seat_of(house, game, seat) for seat in ("Ada", "Bo", "Cyd")}

    assert seats["Ada"] == ([3, 3, 3, 3, 4], ["kept"] * 5, "4, lowest", "thrown")
    assert seats["Bo"] == ([3, 4, 1, 1, 5], ["kept"] * 2 + ["plain"] * 3, "4 so far", "to_throw")
    assert seats["Cyd"] == (None, [], "", "waiting")


def seat_of(house: House, game: uuid.UUID, name: str) -> tuple[Any, ...]:
    loaded = game_of(house, game)
    seat = PRESENTERS["threes-away"].hand_of(loaded, loaded.view, token(house, game, name))
    return seat["dice"], seat["marks"], seat["words"], seat["state"]


def test_a_round_is_told_with_its_reasons(house: House) -> None:
    game = begun(house)
    threw(house, game, "Ada", "33334", "33334")
    threw(house, game, "Bo", "33331", "33331")
    threw(house, game, "Cyd", "33336", "6")

    text = page(house, "floor-round", game, 1)

    assert "Bo finished with 1, the lowest of the round, and takes the pot (TA1)." in text
    assert f"Bo wins round 1 with 1 and takes 3{NB}r" in text
    assert "The ante of round 1 of Ada (TA1)." in text


def test_every_step_of_a_round_has_a_place_for_each_figure(house: House) -> None:
    game = begun(house, progressive="by_round")
    threw(house, game, "Ada", "33333", "33333")
    threw(house, game, "Bo", "33331", "1")
    threw(house, game, "Cyd", "33331", "1")

    rows = re.findall(r'<dl class="step-figures">(.*?)</dl>', page(house, "floor-round", game, 1))

    named = [re.findall(r"<dt[^>]*>([^<]*)</dt>", row) for row in rows]
    assert len(named) > 5
    assert {tuple(names) for names in named} == {("Pot", "Ante", "Wins up to")}


def test_the_turn_is_shown_in_figures(house: House) -> None:
    game = begun(house)
    threw(house, game, "Ada", "33334", "33334")
    threw(house, game, "Bo", "33345", "34")
    threw(house, game, "Bo", "115")

    own = own_of(house, game)

    assert (own["kept"], own["total"], own["left"]) == ([3, 4], 4, 3)
    assert (own["lying"], own["counts"], own["all"]) == ([1, 1, 5], [1, 1, 5], 11)
    assert (own["above"], own["by"]) == (4, [token(house, game, "Ada")])
    board = page(house, "floor-game", game)
    assert "Keep all: bust with 11" in board
    assert 'data-total="4" data-above="4"' in board


# fmt: off
BUSTS = [
    # TA3: the total above which a turn is lost, once Ada has finished with 4.
    ("lowest",   4),
    ("previous", 4),
    ("none",     None),
]
# fmt: on


@pytest.mark.parametrize(("bust", "above"), BUSTS)
def test_the_total_above_which_a_turn_is_lost_is_the_rules_own(
    house: House, bust: str, above: int | None
) -> None:
    game = begun(house, bust=bust)
    assert own_of(house, game)["above"] is None
    threw(house, game, "Ada", "33334", "33334")

    assert own_of(house, game)["above"] == above
    assert ("Lost above" in page(house, "floor-game", game)) == (above is not None)


def test_where_bottoms_are_called_every_die_says_what_it_counts(house: House) -> None:
    game = begun(house, bottoms=True)
    done(house, game, "throw", player="Ada", dice=[4, 4, 1, 3, 6], bottoms=True)

    own, board = own_of(house, game), page(house, "floor-game", game)
    assert own["counts"] == [0, 0, 6, 4, 1]
    assert "Bottoms called" in board
    assert "Die 3 shows 1, counts 6" in board
    done(house, game, "keep", player="Ada", dice=[4, 6])

    own, board = own_of(house, game), page(house, "floor-game", game)
    assert (own["kept"], own["kept_counts"], own["total"]) == ([4, 6], [0, 1], 1)
    assert re.findall(r'"kept-worth">([^<]+)<', board) == ["zero", "= 1"]


def test_the_head_says_what_changes_every_throw(house: House) -> None:
    game = begun(house, progressive="triangular", zero=2)

    board = page(house, "floor-game", game)

    assert "Threes Away, progressive, twos count nothing" in board
    threw(house, game, "Ada", "22233")
    assert own_of(house, game)["counts"] == [0, 0, 0, 3, 3]


def test_who_is_out_buys_in_by_one_button(house: House) -> None:
    game = opened(
        house,
        game="threes-away",
        players=[
            {"name": "Ada", "stake": 9},
            {"name": "Bo", "stake": 9},
            {"name": "Cyd", "stake": 1},
        ],
    )
    assert "menu-back" not in page(house, "floor-game", game)
    threw(house, game, "Ada", "33331", "33331")
    threw(house, game, "Bo", "33334", "4")
    threw(house, game, "Cyd", "33334", "4")

    board = page(house, "floor-game", game)

    assert "Cyd is out" in board
    form = board[board.index('class="back"') :]
    form = form[: form.index("</form>")]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert (sent["do"], sent["player"], sent["amount"]) == ("buy_in", "Cyd", "1")
    done(house, game, "buy_in", player="Cyd", amount=1)
    assert "menu-back" not in page(house, "floor-game", game)
    assert f"Cyd antes 1{NB}r and is in it" in page(house, "floor-log", game)


def test_a_table_without_two_antes_asks_who_buys_in(house: House) -> None:
    game = opened(
        house,
        game="threes-away",
        players=[{"name": "Ada", "stake": 9}, {"name": "Bo", "stake": 2}],
        options={"ante": 3},
    )

    board = page(house, "floor-game", game)

    assert "Waiting until two can ante" in board
    assert "Bo buys in" in board
    assert board.count('id="back-1"') == 1


def test_a_play_off_waits_for_the_tied(house: House) -> None:
    game = opened(house, game="threes-away", players=["Ada", "Bo", "Cyd"], stake=2)
    for player in ("Ada", "Bo"):
        threw(house, game, player, "33333", "33333")
    threw(house, game, "Cyd", "33331", "1")

    assert "The play-off waits until two of the tied can ante" in page(house, "floor-game", game)


def own_of(house: House, game: uuid.UUID) -> dict[str, Any]:
    loaded = game_of(house, game)
    return PRESENTERS["threes-away"].own(loaded, loaded.view)
