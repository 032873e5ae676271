"""Why each payment was made, in sentences that cite the rules."""

from typing import Any

import pytest

from games.stone_hand import STONE_HAND
from tests.games.spec import opened

HOME: dict[str, Any] = {"home_throw": [1, 3, 6]}
SEAT = {"kind": "seat", "amount": 1}
TIME = {"kind": "time", "amount": 1, "minutes": 1}
RAKE = {"kind": "rake", "percent": 10}
CLOSED = "The table was closed before the round was decided; it is void (G9)."
LEFT = "C left and too few remain; the round is not played (SH10)."

# fmt: off
# (opening, script, why the first round ended as it did)
ROUNDS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "A227 B123 C234",
     ("A threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
     " SH4: the loser pays the score, 7, into the pool.")),
    ({}, "A111 B222 C111",
     ("B threw 2-2-2, a triple with score 2, the worst of the round (SH4)."
     " SH4: the loser pays three times the score, 6, into the pool.")),
    ({"stake": 3}, "A227 B123 C234",
     ("A threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
     " SH4: the loser pays the score, 7, into the pool, but only 3 was left (G2).")),
    # ... what a point is worth, where that is not a coin (G11).
    ({"unit": 100, "stake": 2500}, "A227 B123 C234",
     ("A threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
      " SH4: the loser pays the score, at 100 a point, 700, into the pool.")),
    ({"unit": 100, "stake": 300}, "A111 B222 C111",
     ("B threw 2-2-2, a triple with score 2, the worst of the round (SH4)."
      " SH4: the loser pays three times the score, at 100 a point, 600, into the pool, but only 300"
      " was left (G2).")),
    ({"unit": 100, "stake": 300, "triad_pay": "all"}, "A147",
     ("A threw 1-4-7, a triad, and loses on the spot (SH6)."
      " SH6: the thrower pays at once, 300, into the pool.")),
    ({}, "A227 B147",
     ("B threw 1-4-7, a triad, and loses on the spot (SH6)."
     " SH6: the thrower pays at once, 4, into the pool.")),
    ({}, "A227 B123 C227 A111 C123",
     ("C threw 2-2-7, a pair with score 7, tied for the worst of the round; throwing again to name"
     " the loser C threw 1-2-3, a run with score 2 and lost (SH4, SH5)."
     " SH4: the loser pays the score, 7, into the pool.")),
    # ... where an empty throw was thrown again.
    ({}, "A227 B123 C227 A111 C135 C123",
     ("C threw 2-2-7, a pair with score 7, tied for the worst of the round; throwing again to name"
     " the loser C threw 1-2-3, a run with score 2 and lost (SH4, SH5)."
     " SH4: the loser pays the score, 7, into the pool.")),
    ({"mode": "drinks"}, "A227 B123 C234",
     ("A threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
     " SH12: A owes every other player a drink, 2 in all.")),
    ({"mode": "scoreboard"}, "A227 B111 C111",
     ("A threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
     " SH13: B and C scored a point.")),
    ({"mode": "scoreboard"}, "A147",
     "A threw 1-4-7, a triad, and loses on the spot (SH6). SH13: nobody scored."),
    ({"mode": "scoreboard"}, "A111 B227 C227 B147",
     "B threw 1-4-7, a triad, and loses on the spot (SH5, SH6). SH13: A scored a point."),
    ({"players": ["A", "B"], "stake": 2, "fee": {"kind": "seat", "amount": 2}}, "A118 B111",
     ("A threw 1-1-8, a pair with score 8, the worst of the round (SH4)."
     " A has nothing left to pay (G2).")),
    (HOME, "A136 B136 C136",
     "Home throws left nobody to lose; the round is void and nobody pays for it (SH7)."),
    ({}, "A227 x", CLOSED),
    ({}, "A- C-", LEFT),
]

# (opening, script, the last payment's reason)
PAYMENTS: list[tuple[dict[str, Any], str, str]] = [
    ({"fee": SEAT}, "A227 x", "The round is void, so its seat fee goes back (G6)."),
    ({"players": ["A", "B"], "stake": 3}, "A227 B111",
     "B is the last in the game and wins the pool (SH9)."),
    ({}, "A227 B111 C111 x",
     "The table closed without a winner; those left share the pool (G9, G5)."),
    ({"fee": {"kind": "seat", "amount": 2}, "stake": 4}, "A113 B111 C111 B113 A111 C111",
     "C is the last in the game and wins the pool (SH9)."),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "because"), ROUNDS)
def test_a_round_is_explained_in_a_sentence(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = opened(**opening).tell(script)
    assert table.refused == []

    first, *_ = STONE_HAND.explain(table.numbered(), 1)

    assert first["because"] == because


@pytest.mark.parametrize(("opening", "script", "because"), PAYMENTS)
def test_a_payment_is_explained_in_a_sentence(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = opened(**opening).tell(script)

    *_, last = STONE_HAND.explain(table.numbered())

    assert last["payments"][-1]["because"] == because


def test_the_throws_behind_a_payment_are_named_by_event() -> None:
    table = opened().tell("A135 A227 B123 C227 A111 C135 C112")

    (told,) = STONE_HAND.explain(table.numbered())

    (payment,) = told["payments"]
    assert [(each["event"], each["player"], each["hand"]) for each in payment["throws"]] == [
        (3, "A", "pair"), (4, "B", "run"), (5, "C", "pair"),
        (7, "A", "triple"), (9, "C", "pair"),
    ]  # fmt: skip
    assert payment["rules"] == ["SH4", "SH5"]


def test_what_was_voided_explains_nothing() -> None:
    table = opened().tell("A227 B123 C234 v4+")

    assert STONE_HAND.explain(table.numbered()) == []


def test_players_are_called_what_the_caller_calls_them() -> None:
    table = opened().tell("A227 B123 C234")

    (told,) = STONE_HAND.explain(table.numbered(), named=lambda player: f"Player {player}")

    assert told["because"].startswith("Player A threw 2-2-7")
    assert (told["payments"][0]["from"], told["payments"][0]["to"]) == ("Player A", "pot")
