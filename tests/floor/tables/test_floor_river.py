"""River on the floor: what the board asks for, what the log says, and what nobody may read yet."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.words.presenters import PRESENTERS
from games.dice import faces
from games.messages import NoThrowRecorded
from games.river.messages import DiceRevealed, RoundWon
from tests.support import builders
from tests.support.playing import ask, done, game_of, opened, settled, token

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

SIZES = ("d4", "d6", "d8", "d10", "d12")
BANKER = (2, 5, 8, 9, 3)
NB = "\N{NO-BREAK SPACE}"
SALT = "0123456789abcdef" * 2
RIVER = PRESENTERS["river"]


@pytest.fixture
def house() -> House:
    at = builders.house(dice_sets=0)
    builders.dice_set(at.establishment, sides=None, count=5)
    return at


def begun(house: House, **more: Any) -> uuid.UUID:
    players = ["Ada", "Bo", "Cyd"]
    return opened(house, game="river", players=players, **{"stake": 50, "price": 5, **more})


def by_size(dice: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(SIZES, dice, strict=True))


def sealed(house: House, **more: Any) -> uuid.UUID:
    """Everybody has thrown; Ada's dice may be committed to."""
    game = begun(house, **more)
    done(house, game, "start_round")
    for player in ("Ada", "Bo", "Cyd"):
        done(house, game, "seal", player=player)
    return game


def at_auction(house: House, **more: Any) -> uuid.UUID:
    game = sealed(house, **more)
    done(house, game, "offer", dice=by_size(BANKER))
    return game


def auctioned(house: House, **more: Any) -> uuid.UUID:
    """Bo has bought the d8, an 8, for 12; nobody wanted the others."""
    game = at_auction(house, **more)
    for die in SIZES:
        if die == "d8":
            done(house, game, "sell", die=die, player="Bo", amount=12)
        else:
            done(house, game, "withdraw", die=die)
    return game


def shows(house: House, game: uuid.UUID, player: str, *dice: int, **more: Any) -> None:
    done(house, game, "reveal", player=player, dice=by_size(dice), **more)


def page(house: House, name: str, *arguments: Any) -> str:
    client = Client()
    client.force_login(house.attendant)
    text: str = client.get(reverse(name, args=arguments)).content.decode()
    return text


def prompt(board: str) -> str:
    found = re.search(r'<h1 class="next[^>]*>([^<]*)</h1>', board)
    assert found, board
    return found[1]


def commands(board: str) -> set[str]:
    return set(re.findall(r'data-command="([\w-]+)"', board.partition('id="main"')[2]))


def test_each_part_of_a_round_asks_for_what_comes_next(house: House) -> None:
    game = begun(house)
    seen = [prompt(page(house, "floor-game", game))]
    steps: list[tuple[str, dict[str, Any]]] = [
        ("start_round", {}),
        ("seal", {"player": "Bo"}),
        ("seal", {"player": "Ada"}),
        ("seal", {"player": "Cyd"}),
        ("offer", {"dice": by_size(BANKER)}),
        ("bid", {"player": "Ada", "die": "d4", "amount": 3}),
        ("pass", {"player": "Bo", "die": "d4"}),
        ("pass", {"player": "Cyd", "die": "d4"}),
        ("sell", {"player": "Ada", "die": "d4", "amount": 3}),
        *[("pass", {"player": player, "die": "d6"}) for player in ("Ada", "Bo", "Cyd")],
        *[("withdraw", {"die": die}) for die in SIZES[1:]],
        ("reveal", {"player": "Cyd", "dice": by_size((1, 1, 1, 1, 1))}),
        ("reveal", {"player": "Bo", "dice": by_size((1, 1, 2, 1, 1))}),
        ("reveal", {"player": "Ada", "dice": by_size((1, 6, 2, 2, 2))}),
    ]
    for do, fields in steps:
        done(house, game, do, **fields)
        seen.append(prompt(page(house, "floor-game", game)))

    assert seen == [
        "Start round 1",
        "Everybody throws hidden",
        "Ada and Cyd throw hidden",
        "Cyd throws hidden",
        "The banker throws all five",
        "Who bids for the d4?",
        f"Ada bids 3{NB}r",
        f"Ada bids 3{NB}r",
        f"Going for 3{NB}r to Ada",
        "Who bids for the d6?",
        "Who bids for the d6?",
        "Who bids for the d6?",
        "Nobody bids for the d6: withdraw it",
        "Who bids for the d8?",
        "Who bids for the d10?",
        "Who bids for the d12?",
        "Who shows their dice?",
        "Who shows their dice?",
        "Ada shows the dice",
        "Start round 2",
    ]


def test_a_large_table_is_counted_and_not_named(house: House) -> None:
    players = ["Ada", "Bo", "Cyd", "Dea", "Eve"]
    game = opened(house, game="river", players=players, stake=50, price=5)
    done(house, game, "start_round")
    done(house, game, "seal", player="Bo")

    assert prompt(page(house, "floor-game", game)) == "4 still throw hidden"


def test_no_round_starts_before_two_can_pay(house: House) -> None:
    game = begun(house, stake=3)

    board = page(house, "floor-game", game)
    assert prompt(board) == "Start round 1"
    assert 'id="price" name="price" value=""' in board  # five is more than they have

    done(house, game, "leave", player="Bo")
    done(house, game, "leave", player="Cyd")
    assert prompt(page(house, "floor-game", game)) == "Waiting until two can pay for dice"


def test_the_board_offers_each_part_s_commands(house: House) -> None:
    game = begun(house)
    assert "start_round" in commands(page(house, "floor-game", game))
    done(house, game, "start_round")
    assert {"seal", "seal-committed", "no-throw"} <= commands(page(house, "floor-game", game))
    done(house, game, "close")

    game = sealed(house)
    assert "offer" in commands(page(house, "floor-game", game))
    done(house, game, "offer", dice=by_size(BANKER))
    assert {"bid", "pass", "sell", "withdraw"} <= commands(page(house, "floor-game", game))
    done(house, game, "bid", player="Bo", die="d4", amount=7)
    board = page(house, "floor-game", game)
    assert {"bid", "pass", "sell"} <= commands(board)
    assert "withdraw" not in commands(board)  # a bid stands
    assert re.search(r"Sold for 7\W+r: Bo", board)


def test_the_screen_and_the_words_of_a_sealed_hand_say_nothing_of_it(house: House) -> None:
    """RV2: what is refused at the reveal leaves no trace either."""
    given = hashlib.sha256(f"{SALT}:4,6,7,9,11".encode()).hexdigest()
    game = begun(house)
    done(house, game, "start_round")
    done(house, game, "seal", player="Ada", commitment=given)
    done(house, game, "seal", player="Bo")
    done(house, game, "seal", player="Cyd")
    done(house, game, "offer", dice=by_size((1, 1, 1, 1, 1)))
    for die in SIZES:
        done(house, game, "withdraw", die=die)
    answer = ask(house, game, "reveal", player="Ada", dice=by_size((4, 6, 7, 9, 11)), salt="f" * 32)
    assert answer.refusal is not None

    loaded = game_of(house, game)
    assert RIVER.hand_of(loaded, loaded.view, token(house, game, "Ada"))["dice"] is None
    lines = [RIVER.describe(loaded, fact, {}) for fact in loaded.facts]
    drawn = {face for line in lines if line for face in line.get("dice", [])}
    assert drawn == {1}
    for text in (page(house, "floor-game", game), page(house, "floor-log", game)):
        assert not re.search(r"#die-\d+-\w+-(?:7|9|11)\"[^>]*/></svg></span>", text)
        assert f"commitment {given[:8]}" in text


def test_seats_show_what_was_won_and_then_the_hand_as_laid(house: House) -> None:
    game = auctioned(house)
    shows(house, game, "Bo", 1, 6, 2, 7, 12)

    assert seat(house, game, "Bo") == (
        [1, 6, 8, 7, 12], ["plain", "plain", "kept", "plain", "plain"],
        "Ordinary Flop, row 15", "thrown",
    )  # fmt: skip
    assert seat(house, game, "Ada") == (None, [], "sealed", "thrown")
    done(house, game, "leave", player="Ada")
    assert seat(house, game, "Ada")[3] == "left"


def seat(house: House, game: uuid.UUID, name: str) -> tuple[Any, ...]:
    loaded = game_of(house, game)
    seat = RIVER.hand_of(loaded, loaded.view, token(house, game, name))
    return seat["dice"], seat["marks"], seat["words"], seat["state"]


def test_seats_follow_the_bidding(house: House) -> None:
    game = at_auction(house)
    done(house, game, "bid", player="Ada", die="d4", amount=4)
    done(house, game, "pass", player="Bo", die="d4")

    assert [seat(house, game, name)[2] for name in ("Ada", "Bo", "Cyd")] == [
        "bids 4", "passes", "sealed",
    ]  # fmt: skip


def test_a_reveal_names_the_hand_and_what_the_won_die_stands_in_for(house: House) -> None:
    game = auctioned(house)
    shows(house, game, "Bo", 1, 6, 2, 7, 12)

    fact = next(each for each in game_of(house, game).facts if isinstance(each, DiceRevealed))
    line = RIVER.describe(game_of(house, game), fact, {})

    assert line is not None
    assert line["sentence"].endswith("has Ordinary Flop, row 15, with the won d8 for the 2")
    assert line["marks"] == ["plain", "plain", "out", "plain", "plain"]
    assert line["rules"] == ["RV4", "RV5"]


def test_the_result_ranks_the_hands_and_says_who_takes_the_pot(house: House) -> None:
    game = auctioned(house)
    shows(house, game, "Ada", 1, 1, 2, 3, 3)
    shows(house, game, "Bo", 1, 6, 2, 7, 12)
    shows(house, game, "Cyd", 1, 2, 4, 10, 8)

    result = RIVER.own(game_of(house, game), {})["result"]
    board = page(house, "floor-game", game)

    assert [(each["rank"], each["won"]) for each in result["hands"]] == [
        (15, 27), (29, None), (38, None),
    ]  # fmt: skip
    assert result["hands"][0]["swaps"] == [{"die": "d8", "won": 8, "hole": 2}]
    assert "Bo takes the pot" in board
    assert "won d8 8 for 2" in board


def test_a_pot_that_is_shared_and_one_that_is_rolled_for(house: House) -> None:
    split = auctioned(house)
    for player in ("Ada", "Bo", "Cyd"):
        shows(house, split, player, 1, 1, 2, 3, 10)
    assert "Ada, Bo and Cyd share the pot with High 9/10" in page(house, "floor-log", split)
    assert [each["won"] for each in RIVER.own(game_of(house, split), {})["result"]["hands"]] == [
        9, 9, 9,
    ]  # fmt: skip
    done(house, split, "close")

    rolled = auctioned(house, options={"tie": "rolloff"})
    for player in ("Ada", "Bo", "Cyd"):
        shows(house, rolled, player, 1, 1, 2, 3, 10)
    board = page(house, "floor-game", rolled)
    assert prompt(board) == "Tie: Ada throws a d12"
    assert len(re.findall(r'id="slot-\d"', board)) == 1
    for player, face in (("Ada", 3), ("Bo", 12), ("Cyd", 7)):
        done(house, rolled, "throw", player=player, dice=[face])
    hands = RIVER.own(game_of(house, rolled), {})["result"]["hands"]
    assert [(each["won"], each["rolled"]) for each in hands] == [(27, 12), (None, 3), (None, 7)]


def test_dice_of_who_left_may_be_recorded_and_are_unseen_later(house: House) -> None:
    game = auctioned(house)
    done(house, game, "leave", player="Ada")
    done(house, game, "leave", player="Bo")
    board = page(house, "floor-game", game)
    assert "Dice of who left, or won without showing" in board
    assert "Cyd takes the pot" in board

    shows(house, game, "Ada", 4, 6, 7, 9, 11)
    assert "Recorded after the hand: Ada has" in page(house, "floor-log", game)
    done(house, game, "join", player="Ada")
    done(house, game, "start_round")
    assert "Nobody saw the dice of Bo and Cyd" in page(house, "floor-log", game)


def test_the_price_of_the_last_round_is_proposed_again(house: House) -> None:
    game = begun(house)
    done(house, game, "start_round", price=8)
    for player in ("Ada", "Bo"):
        done(house, game, "leave", player=player)

    assert 'id="price" name="price" value="8"' not in page(house, "floor-game", game)
    done(house, game, "join", player="Ada")
    assert 'id="price" name="price" value="8"' in page(house, "floor-game", game)


def test_a_sale_that_is_booked_is_voided_with_a_second_person(house: House) -> None:
    """G4: not the banker's throw, which was the last throw, but the sale."""
    game = at_auction(house)
    done(house, game, "sell", die="d4", player="Bo", amount=12)
    assert 'data-command="undo"' in page(house, "floor-game", game)
    settled(house)

    board = page(house, "floor-game", game)

    assert "Ask a supervisor to void the last entry. G4" in board
    sale = game_of(house, game).version
    assert f'id="do-ask_void-1" href="/floor/games/{game}/void/?event={sale}"' in board


def test_leaving_and_closing_say_what_they_cost(house: House) -> None:
    game = begun(house)
    done(house, game, "start_round")
    assert "The price of the dice comes back" in page(house, "floor-game", game)
    done(house, game, "seal", player="Ada")
    board = page(house, "floor-game", game)
    assert "forfeits the price, and what they bought. RV7" in board
    assert "The running round is void" in board


def test_a_round_is_told_with_its_lots_and_its_hands(house: House) -> None:
    game = auctioned(house)
    shows(house, game, "Ada", 1, 1, 2, 3, 3)
    shows(house, game, "Bo", 1, 6, 2, 7, 12)
    shows(house, game, "Cyd", 1, 2, 4, 10, 8)

    text = page(house, "floor-round", game, 1)

    assert "The auction" in text
    assert "no bid" in text
    assert re.search(r"<td>Bo</td><td class=\"num money\">12", text)
    assert "#die-8-out-2" in text  # the hole die that gave way
    assert "#die-8-kept-8" in text  # the won one
    assert "Bo takes the pot with Ordinary Flop" in text


def test_faces_of_a_no_throw_are_drawn_on_dice_that_have_them() -> None:
    for seen in ((1, 6, 8, 10, 12), (12, 1), (7,), (9, 9, 9, 9, 9)):
        line = RIVER.of_the_game(None, NoThrowRecorded("Ada", "cocked", seen))  # type: ignore[arg-type] # it needs no game
        assert line is not None
        assert all(face in faces(size) for face, size in zip(seen, line["sides"], strict=True))


def test_a_pot_without_a_showdown_names_no_hand() -> None:
    line = RIVER.of_the_game(None, RoundWon(1, ("Ada",), None))  # type: ignore[arg-type] # it needs no game
    assert line is not None
    assert line["sentence"] == "Ada is the only one left and takes the pot"
