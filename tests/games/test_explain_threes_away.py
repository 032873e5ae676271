"""Why each coin moved, and why nobody won, in sentences that cite the rules."""

from typing import Any

import pytest

from games.threes_away import THREES_AWAY
from tests.games.spec_threes_away import opened, tell

TIE = "A33334= B33334= C66666/6"
ZERO_TIE = "A12345= B33333= C33333="
A_FIRST, B_FIRST = (f"{name} throws first in the next round (TA9)." for name in "AB")

# fmt: off
# (opening, script, which round, why it ended as it did)
ROUNDS: list[tuple[dict[str, Any], str, int, str]] = [
    ({}, "A33334= B33331= C33332/2", 1,
     f"B finished with 1, the lowest of the round, and takes the pot (TA1). {B_FIRST}"),
    ({"progressive": "triangular"}, "A33334= B33331= C33332/2", 1,
     ("B finished with 1, the lowest of the round, with 1 or less to win (TA7), and takes the pot"
      f" (TA1). {B_FIRST}")),
    ({"progressive": "triangular"}, TIE, 1,
     ("The lowest was 4, by A and B, and only 1 or less could win; the pot rolls over to the next"
      f" round (TA7). {A_FIRST}")),
    ({}, TIE, 1, f"A and B tied with 4; one tie, all tie: all play again (TA5). {A_FIRST}"),
    ({"tie_ante": False}, "A33334= B33334= C33334=", 1,
     ("A, B and C tied with 4; one tie, all tie: all play again without another ante (TA5)."
      f" {A_FIRST}")),
    ({}, ZERO_TIE, 1, "B and C tied at zero and play the pot off between them (TA6)."),
    ({"zero_tie_ante": "none"}, ZERO_TIE, 1,
     "B and C tied at zero and play the pot off between them without another ante (TA6)."),
    ({}, ZERO_TIE + " B33331= C33331=", 2,
     f"B and C tied with 1; one tie, all tie: all who play it off play again (TA5). {B_FIRST}"),
    ({}, ZERO_TIE + " B-", 2,
     ("The others left; C alone takes what was played off (TA6). C throws first in the next round"
      " (TA9).")),
    ({}, "A33334 x", 1, "The table was closed before the round was decided; it is void (G9)."),
    ({}, "A- C-", 1, "C left and too few remain; the round is not played (G1, TA1)."),
]

# (opening, script, which round, payer, payee, why the first such payment was made)
PAYMENTS: list[tuple[dict[str, Any], str, int, str, str, str]] = [
    ({}, TIE + " x", 1, "A", "pot", "The ante of round 1 of A (TA1)."),
    ({}, "D^5 x", 1, "D", "pot", "D came before the first throw and pays the ante (TA1, G1)."),
    ({}, "C- x", 1, "pot", "C", "C left before the first throw; the ante goes back (G1)."),
    ({}, "A12345= B33333= C12345/1", 1, "pot", "B",
     "B finished with 0, the lowest of the round, and takes the pot (TA1)."),
    ({"stake": 50, "ante": 40}, "A33333= B12345/1 C12345/1 x", 1, "A", "pot",
     "The ante of round 1 of A (TA1)."),
    ({"fee": {"kind": "rake", "percent": 10}, "ante": 5}, "A33334= B33331= C33332/2", 1,
     "pot", "house", "The house's rake on a pot that is won, announced at the opening (G6)."),
    ({"fee": {"kind": "seat", "amount": 1}}, "A33334= B33331= C33332/2", 1, "A", "house",
     "The seat fee of the round, announced at the opening (G6)."),
    ({"fee": {"kind": "seat", "amount": 1}}, "A33334= x", 1, "house", "A",
     "The round is void, so its seat fee goes back (G6)."),
    ({}, "A33334= x", 1, "pot", "A",
     ("The table was closed before the round was decided; it is void (G9). What was paid into it"
      " goes back.")),
    ({}, TIE + " x", 2, "pot", "rollover",
     "The table closed; what is in the pot waits for the house's next game (G9, TA10)."),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "number", "because"), ROUNDS)
def test_a_round_is_explained_in_a_sentence(
    opening: dict[str, Any], script: str, number: int, because: str
) -> None:
    table = tell(opened(**opening), script)
    assert table.refused == []

    (told,) = THREES_AWAY.explain(table.numbered(), number)

    assert told["because"] == because


@pytest.mark.parametrize(("opening", "script", "number", "payer", "payee", "because"), PAYMENTS)
def test_a_payment_is_explained_in_a_sentence(  # noqa: PLR0913, PLR0917 - the columns of a row
    opening: dict[str, Any], script: str, number: int, payer: str, payee: str, because: str
) -> None:
    table = tell(opened(**opening), script)
    assert table.refused == []

    (told,) = THREES_AWAY.explain(table.numbered(), number)

    first = next(each for each in told["payments"] if (each["from"], each["to"]) == (payer, payee))
    assert first["because"] == because


def test_another_ante_says_who_finished_with_zero_and_who_had_less() -> None:
    table = tell(opened(ante=6), "A33331= B33333= C12345/1")

    (told,) = THREES_AWAY.explain(table.numbered())

    zero = [each for each in told["payments"] if "TA4" in each["rules"]]
    assert [(each["from"], each["amount"], each["rules"]) for each in zero] == [
        ("A", 4, ["TA4", "G2"]), ("B", 4, ["TA4", "G2"]), ("C", 4, ["TA4", "G2"]),
    ]  # fmt: skip
    assert zero[0]["because"] == (
        "B finished with zero, and everybody pays another ante (TA4); it was all that was left"
        " (G2)."
    )
    assert [(each["event"], each["player"]) for each in zero[0]["throws"]] == [(6, "B")]


def test_the_pot_rests_on_every_throw_and_what_was_kept_of_it() -> None:
    table = tell(opened("AB", bottoms=True), "A12345/31 Ab446/44 A3= B33332/2")

    (told,) = THREES_AWAY.explain(table.numbered())

    *_, pot = told["payments"]
    assert [
        (each["player"], each["dice"], each["kept"], each["bottoms"], each["score"])
        for each in pot["throws"]
    ] == [
        ("A", [1, 2, 3, 4, 5], [3, 1], False, 1),
        ("A", [4, 4, 6], [4, 4], True, 1),
        ("A", [3], [3], False, 1),
        ("B", [3, 3, 3, 3, 2], [2], False, 2),
    ]


def test_what_was_voided_explains_nothing() -> None:
    table = tell(opened(), "A33334= B33331= C33332/2 v9+")

    assert (table.refused, THREES_AWAY.explain(table.numbered())) == ([], [])


def test_players_are_called_what_the_caller_calls_them() -> None:
    table = tell(opened(), "A33334= B33331= C33332/2")

    (told,) = THREES_AWAY.explain(table.numbered(), named=lambda player: f"Player {player}")

    assert told["because"].startswith("Player B finished")
    assert told["payments"][0]["from"] == "Player A"
