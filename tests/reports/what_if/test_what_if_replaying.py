"""Games played again under a change: the rules alone, no database."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from casino.reports.what_if import changes
from casino.reports.what_if.changes import OPTIONS, BadChange, Change
from casino.reports.what_if.replaying import Replayed, replay
from tests.support.in_memory import BY_ID, at_random, played

PAIR_7, PAIR_4, RUN_4, HOME, JUNK = (2, 2, 7), (2, 2, 4), (3, 4, 5), (1, 3, 6), (1, 3, 8)
SEEDS = st.integers(0, 5000)
GAMES = st.sampled_from(sorted(BY_ID))

Raw = dict[str, Any]


def thrown(player: str, dice: tuple[int, ...], **more: Any) -> Raw:
    return {"do": "throw", "player": player, "dice": list(dice), **more}


def stone_hand(*commands: Raw, stake: int = 20, **opening: Any) -> list[Any]:
    values = {"players": ["Ada", "Bo"], "stake": stake, "home_throw": [1, 3, 6], **opening}
    return played("stone-hand", *commands, **values)


def under(game: str, record: list[Any], **values: Any) -> Replayed:
    return replay(BY_ID[game], record, changes.parse(**values).opening)


LOSES_7 = (thrown("Ada", PAIR_7), thrown("Bo", PAIR_4))


@given(game=GAMES, seed=SEEDS)
def test_with_nothing_changed_every_game_comes_out_as_it_did(game: str, seed: int) -> None:
    result = replay(BY_ID[game], at_random(game, seed), Change().opening)

    assert result.undecided is None
    assert result.was == result.now == result.whole
    assert (result.changed, result.ended, result.differs) == (False, None, False)


@pytest.mark.long
@given(game=GAMES, seed=SEEDS)
@example(game="threes-away", seed=567)  # ends where one of the two has begun another round
def test_what_was_decided_until_a_game_ends_is_of_the_same_rounds(game: str, seed: int) -> None:
    """Throws stay with their round: no figure is made up of throws of another one."""
    result = under(game, at_random(game, seed), fee="kind=seat,amount=2")

    if result.undecided is None and result.ended is None:
        assert result.now.figures.throws == result.was.figures.throws
        assert result.now.figures.rounds == result.was.figures.rounds
    assert sum(result.now.players.values()) <= result.now.figures.drawn


def test_another_seat_fee_is_what_everybody_pays_with_the_first_throw() -> None:
    """Two rounds of two players: 2 x 2 x 3 = 12 coins of fees; Ada loses 7 twice either way."""
    record = stone_hand(*LOSES_7, *LOSES_7, stake=40)

    result = under("stone-hand", record, fee="kind=seat,amount=3")

    assert result.undecided is None
    assert (result.was.figures.fees, result.now.figures.fees) == (0, 12)
    assert (result.was.figures.staked, result.now.figures.staked) == (14, 14)
    assert (result.was.players, result.now.players) == (
        {"Ada": -14},
        {"Ada": -20, "Bo": -6},
    )


def test_a_fee_that_takes_the_last_coins_ends_the_game_sooner() -> None:
    """
    Ada brings 10: 3 + 7 leave her with nothing after a round, SH9: Bo has the pool of 7. The record
    goes on with three coins more; its second round would not have been.
    """
    record = stone_hand(*LOSES_7, *LOSES_7, stake=10)

    result = under("stone-hand", record, fee="kind=seat,amount=3")

    assert result.undecided is None
    assert result.ended == 5  # the opening, two throws, the round lost; then the next throw
    assert (result.was.figures.rounds, result.now.figures.rounds) == (2, 1)
    assert (result.was.figures.won, result.now.figures.won) == (10, 7)


def test_without_its_fee_a_game_would_have_gone_on() -> None:
    record = stone_hand(*LOSES_7, stake=10, fee={"kind": "seat", "amount": 3})

    result = under("stone-hand", record, fee="none")

    assert result.undecided is not None
    assert (result.undecided.why, result.undecided.event) == ("longer", len(record) + 1)
    assert (result.was.figures.fees, result.now.figures.fees) == (6, 0)
    assert result.was.figures.rounds == result.now.figures.rounds == 1


# fmt: off
HOME_THROWS = [
    # Neither the old home throw nor the new one fell: all is as it was.
    ((("Ada", PAIR_7), ("Bo", PAIR_4), ("Cy", RUN_4)), None, ""),
    # SH7: Ada threw the old one and sat out; without it it is empty, and she throws again (SH2).
    ((("Ada", HOME), ("Bo", PAIR_4), ("Cy", PAIR_7)), 4, "Ada throws, not Bo. SH2"),
    # The other way round: what was empty is the home throw, and Bo throws first of the others.
    ((("Ada", JUNK), ("Ada", PAIR_7), ("Bo", PAIR_4), ("Cy", RUN_4)), 3,
     "Bo throws, not Ada. SH2"),
]
# fmt: on


@pytest.mark.parametrize(("throws", "event", "message"), HOME_THROWS)
def test_another_home_throw_is_decided_until_one_of_the_two_falls(
    throws: tuple[tuple[str, tuple[int, ...]], ...], event: int | None, message: str
) -> None:
    players = ["Ada", "Bo", "Cy"]
    record = stone_hand(*(thrown(*each) for each in throws), players=players, stake=60)

    result = under("stone-hand", record, home_throw="1-3-8")

    assert result.changed
    if event is None:
        assert result.undecided is None
        assert result.was == result.now
    else:
        assert result.undecided is not None
        assert result.undecided == type(result.undecided)(event, "refused", message)


def test_a_choice_that_nobody_had_cannot_be_made_for_them() -> None:
    """SH11: with rethrow=1 Ada might have thrown her pair again."""
    record = stone_hand(*LOSES_7, stake=60)

    result = under("stone-hand", record, options=["rethrow=1"])

    assert result.undecided is not None
    assert (result.undecided.why, result.undecided.event) == ("chance", 3)
    assert (result.was.figures.throws, result.now.figures.throws) == (1, 1)
    assert result.whole.figures.throws == 2


def test_a_choice_stands_where_the_same_was_in_sight() -> None:
    """A dearer triad changes no hand on the table: that Ada does not throw again stands."""
    record = stone_hand(*LOSES_7, stake=60, options={"rethrow": 1})

    dearer = under("stone-hand", record, options=["triad_pay=9"])
    straight = under("stone-hand", record, options=["runs=straight"])

    assert dearer.undecided is None
    assert straight.undecided is not None
    assert (straight.undecided.why, straight.undecided.event) == ("choice", 3)


def test_an_opening_that_the_rules_would_refuse_is_refused_in_their_words() -> None:
    record = stone_hand(thrown("Ada", PAIR_7), options={"mode": "drinks"}, stake=0)

    result = under("stone-hand", record, fee="kind=rake,percent=5")

    assert result.undecided is not None
    assert (result.undecided.why, result.undecided.event) == ("opening", 1)
    assert "no money moves with mode=drinks" in result.undecided.message


def threes(*commands: Raw, **options: Any) -> list[Any]:
    return played(
        "threes-away",
        *commands,
        players=[{"name": "Ada", "stake": 5}, {"name": "Bo", "stake": 5}],
        options={"ante": 2, **options},
    )


KEPT_ALL = tuple(
    thrown(player, dice, keep=list(dice))
    for player, dice in (("Ada", (3, 3, 1, 1, 1)), ("Bo", (6, 6, 6, 6, 6)))
)


def test_a_smaller_ante_makes_a_smaller_pot() -> None:
    """
    Ante 2 of two: a pot of 4, won by Ada, and the antes of the next round: 8 staked, Bo is 4 down.
    Ante 1: a pot of 2, 4 staked, Bo is 2 down.
    """
    result = under("threes-away", threes(*KEPT_ALL), options=["ante=1"])

    assert result.undecided is None
    assert (result.was.figures.staked, result.was.figures.won) == (8, 4)
    assert (result.now.figures.staked, result.now.figures.won) == (4, 2)
    assert (result.was.players, result.now.players) == ({"Bo": -4}, {"Bo": -2})


def test_an_ante_that_nobody_can_pay_leaves_nobody_to_throw() -> None:
    """Stakes of 5 and an ante of 6: no round starts, so the first throw would be refused."""
    record = threes(*KEPT_ALL)

    result = under("threes-away", record, options=["ante=6"])

    assert result.undecided is not None
    assert result.undecided.why == "refused"
    assert result.undecided.event == next(
        number for number, each in enumerate(record, 1) if each.event_type.endswith("dice_thrown")
    )


def test_which_face_counts_nothing_is_what_a_player_keeps_dice_by() -> None:
    result = under("threes-away", threes(*KEPT_ALL), options=["zero=4"])

    assert result.undecided is not None
    assert result.undecided.why == "choice"


def test_who_bids_looks_at_the_money() -> None:
    """River: a rake on the first pot, and everything after it was bid with other stakes."""
    seen = set()
    for seed in range(60):
        result = under("river", at_random("river", seed, acts=120), fee="kind=seat,amount=2")
        seen.add(result.undecided.why if result.undecided else "whole")

    assert {"choice", "purse"} & seen


def values(hint: Any) -> list[Any]:
    if hint is bool:
        return [True, False]
    if hint is int:
        return [1, 2, 7]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [value for part in get_args(hint) for value in values(part)]


EACH = [
    (game, name, value)
    for game, kind in OPTIONS.items()
    for name, hint in get_type_hints(kind).items()
    for value in values(hint)
]


@pytest.mark.rows(40, each="name")
@pytest.mark.parametrize(("game", "name", "value"), EACH)
def test_every_value_of_every_option_is_decided_or_reported_as_undecided(
    game: str, name: str, value: Any
) -> None:
    for seed in (3, 11, 29):
        record = at_random(game, seed, acts=40)
        result = replay(BY_ID[game], record, Change(options={name: value}).opening)

        assert result.undecided is None or result.undecided.why != "unreadable", result.undecided
        if not result.changed and result.undecided is None:
            assert result.was == result.now


REFUSED = [
    ({}, "Nothing is changed"),
    ({"game": "chess", "fee": "none"}, "is not played here"),
    ({"options": ["colour=red"]}, "name=value"),
    ({"options": ["ante=2"], "game": "stone-hand"}, "stone-hand has"),
    ({"fee": "rake"}, "kind=rake"),
    ({"fee": "kind=rake,percent=50"}, "at most 10"),
    ({"fee": "kind=seat,amount=-1"}, "whole numbers above 0"),
    ({"fee": "kind=tip,amount=1"}, "rake, seat or time"),
    ({"home_throw": "one"}, "three faces"),
]


@pytest.mark.parametrize(("values", "sentence"), REFUSED)
def test_what_cannot_be_meant_is_refused_at_once(values: Any, sentence: str) -> None:
    with pytest.raises(BadChange, match=sentence):
        changes.parse(**values)
