"""Why each payment was made, in sentences that cite the rules."""

from typing import Any

import pytest

from games.dice_breaker import DICE_BREAKER
from tests.games.spec_dice_breaker import opened, played

A = {"first": "A"}
ANTE = {"first": "A", "ante": 4, "stake": 20}
THREE = {"first": "A", "players": "ABC", "target": 1}
SEAT = {"kind": "seat", "amount": 2}
RAKE = {"kind": "rake", "percent": 10}
TIME = {"kind": "time", "amount": 1, "minutes": 10}
NOTHING_A, NOTHING_B, NOTHING_C = "A=12346", "B=12346", "C=12346"

# fmt: off
# (opening, script, why the last round ended as it did)
ROUNDS: list[tuple[dict[str, Any], str, str]] = [
    (A, f"A=11223 {NOTHING_B}",
     "A's 1-1-2-2-3 makes two pairs, the highest hand, and it scores 2 points (DB4, DB5)."),
    (A, f"A=11234 {NOTHING_B}",
     "A's 1-1-2-3-4 makes a pair, the highest hand, and it scores 1 point (DB4, DB5)."),
    (A, "A=11234 B=11234",
     ("A's 1-1-2-3-4 and B's 1-1-2-3-4 make a pair, the highest hand; they share its 1 point,"
      " ½ each (DB4, DB5).")),
    (A, "A=11122 B=33344",
     ("A's 1-1-1-2-2 and B's 3-3-3-4-4 make a full house, the highest hand; they share its"
      " 5 points, 2½ each (DB4, DB5).")),
    (A, f"{NOTHING_A} {NOTHING_B}", "Nobody's dice made anything, so nobody scores (DB5)."),
    ({**A, "target": 3}, f"A=11112 {NOTHING_B}",
     ("A's 1-1-1-1-2 makes four of a kind, the highest hand, and it scores 6 points (DB4, DB5)."
      " A has 6 points, 3 being enough, and wins (DB6).")),
    ({**A, "target": 1}, f"A=11234 {NOTHING_B}",
     ("A's 1-1-2-3-4 makes a pair, the highest hand, and it scores 1 point (DB4, DB5)."
      " A has 1 point, 1 being enough, and wins (DB6).")),
    (A, f"A=11111 {NOTHING_B}",
     "A's 1-1-1-1-1 makes five of a kind, and A wins the game at once (DB4, DB6)."),
    (A, "A=11111 B=66666",
     ("A's 1-1-1-1-1 and B's 6-6-6-6-6 make five of a kind, and A and B share the win at once"
      " (DB4, DB6).")),
    (THREE, f"A=11123 B=22213 {NOTHING_C}",
     ("A's 1-1-1-2-3 and B's 1-2-2-2-3 make three of a kind, the highest hand; they share its"
      " 3 points, 1½ each (DB4, DB5). A and B have 1½ points each and play on alone (DB6).")),
    (THREE, f"A=11123 B=22213 {NOTHING_C} A-",
     "A left the play-off before it was thrown; B has won (G1, DB6)."),
    (A, "A1=1 x", "The table was closed before the round was decided; it is void (G9)."),
    (A, "B-", "B left and too few remain; the round is not played (G1)."),
    (A, "A=11234 B=12346 B-", "B left; A alone stays and has won (G1, DB11)."),
]

# (opening, script, which payment of the last round, its reason)
PAYMENTS: list[tuple[dict[str, Any], str, int, str]] = [
    (ANTE, f"A=11111 {NOTHING_B}", 1, "B's ante for the game (DB11)."),
    (ANTE, "C+4 C- B-", 2, "C's ante for the game (DB11)."),
    (ANTE, "B-", 2, "B left between rounds and gets the ante back (G1, DB11)."),
    (ANTE, "B-", 3, "A is the only one left and gets the pot back (G1, G5)."),
    (ANTE, f"A=11111 {NOTHING_B}", 2,
     "A has won the game and takes the pot (DB11)."),
    (ANTE, "A=11111 B=66666", 3,
     "B has won with others and shares the pot (DB11, G5)."),
    ({**ANTE, "ante": 10, "fee": RAKE}, f"A=11111 {NOTHING_B}", 2,
     "The house's rake on the pot that was won, announced at the opening (G6)."),
    ({**ANTE, "fee": SEAT}, f"A=11111 {NOTHING_B}", 2,
     "The seat fee of the round, announced at the opening (G6)."),
    ({**ANTE, "fee": SEAT}, "A1=1 x", 4, "The round is void, so its seat fee goes back (G6)."),
    (ANTE, "A1=1 x", 3, "The table closed without a winner; those left share the pot (G9, G5)."),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "because"), ROUNDS)
def test_a_round_is_explained_in_a_sentence(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = played(script, **opening)
    assert table.refused == []

    *_, last = DICE_BREAKER.explain(table.numbered())

    assert last["because"] == because


@pytest.mark.parametrize(("opening", "script", "which", "because"), PAYMENTS)
def test_a_payment_is_explained_in_a_sentence(
    opening: dict[str, Any], script: str, which: int, because: str
) -> None:
    table = played(script, **opening)
    assert table.refused == []

    *_, last = DICE_BREAKER.explain(table.numbered())

    assert last["payments"][which]["because"] == because


def test_a_charge_for_time_is_explained() -> None:
    opening = {**ANTE, "fee": TIME, "occurred_at": "2026-01-31T20:00:00+01:00"}
    table = opened(**opening)
    table.ask({"do": "throw", "player": "A", "die": "A1", "value": 1,
               "occurred_at": "2026-01-31T20:25:00+01:00"})  # fmt: skip
    table.tell("x")

    (told,) = DICE_BREAKER.explain(table.numbered())

    charge = told["payments"][2]
    assert (charge["from"], charge["to"], charge["amount"]) == ("A", "house", 2)
    assert charge["because"] == (
        "The charge for time since the last one, announced at the opening (G6)."
    )


def test_the_pot_rests_on_every_throw_of_the_last_round_and_what_it_made() -> None:
    script = f"A=1111 A5=2/A1=2 {NOTHING_B} A=11123 {NOTHING_B}"
    table = played(script, **ANTE, target=7)

    first, last = DICE_BREAKER.explain(table.numbered())

    assert first["hands"][0] == {
        "player": "A", "dice": [1, 1, 1, 2, 2], "hand": "full_house", "points": "5",
    }  # fmt: skip
    assert first["throws"][4]["breaks"] == [{"die": "A1", "value": 2}]
    assert [each["throws"] for each in first["payments"]] == [[], []]
    (pot,) = last["payments"]
    assert pot["throws"] == last["throws"]
    assert [each["event"] for each in pot["throws"]] == list(range(14, 24))
    assert pot["because"] == "A has won the game and takes the pot (DB11)."
    assert last["because"] == (
        "A's 1-1-1-2-3 makes three of a kind, the highest hand, and it scores 3 points (DB4, DB5)."
        " A has 8 points, 7 being enough, and wins (DB6)."
    )


def test_one_round_may_be_asked_for_and_names_may_be_told() -> None:
    table = played(f"A=11111 {NOTHING_B}", **A)

    (told,) = DICE_BREAKER.explain(table.numbered(), 1, named=lambda name: f"Ms {name}")

    assert told["because"].startswith("Ms A's 1-1-1-1-1 makes five of a kind, and Ms A wins")
    assert told["throws"][0] == {
        "event": 2, "player": "Ms A", "die": "Ms A1", "value": 1, "hand": "nothing", "score": None,
    }  # fmt: skip
    assert DICE_BREAKER.explain(table.numbered(), 2) == []
