"""Why each payment was made, in sentences that cite the rules."""

from typing import Any

import pytest

from games.cinnabar_gate import CINNABAR_GATE
from tests.games.cinnabar_gate_spec import ARCADE, opened, tell

HOME: dict[str, Any] = {"home_throw": [1, 3, 6]}
POOL: dict[str, Any] = {"variant": "pool"}
SEAT = {"kind": "seat", "amount": 2}
TIME = {"kind": "time", "amount": 1, "minutes": 1}
POOR = {"players": [{"name": name, "stake": 5} for name in "ABC"]}
BEST = "A threw 1-1-2, a pair with score 2, the best of the round (CG6)."
WORST = "C threw 1-1-8, a pair with score 8, the worst of the round (CG6)."
PAY = "The pay began at 8; A lowered it to 2 (CG2)."
EMPTY = "B threw 1-4-7, empty, and pays whatever happens (CG6)."
ONE = "The pay began at 8; A lowered it to 1 (CG2)."
TRIPLE = "A threw 1-1-1, a triple with score 1, the best of the round (CG6)."
LEFT = "B left in the round, which counts as the worst hand (CG1)."

# fmt: off
# (opening, script, why the first round ended as it did)
ROUNDS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "A112 B113 C118", f"{BEST} {WORST} {PAY} C pays 2 to A (CG6)."),
    ({}, "A112 B147 C118", f"{BEST} {EMPTY} {PAY} B pays 2 to A (CG6)."),
    ({"empty": "also"}, "A112 B147 C118",
     f"{BEST} {EMPTY} {WORST} {PAY} B pays 2 to A (CG6). C pays 2 to A (CG6)."),
    ({}, "A246 A468 A118 B111 C135 C!",
     ("B threw 1-1-1, a triple with score 1, the best of the round (CG6)."
      " C threw 1-3-5, junk with score 3, the worst of the round (CG6)."
      " The pay began at 8; A raised it to 9 (CG5), A raised it to 11 (CG5), A lowered it to 8"
      " (CG2), B lowered it to 1 (CG2). C pays 1 to B (CG6).")),
    (POOR, "A118 B888 C227",
     ("B threw 8-8-8, a triple with score 8, the best of the round (CG6)."
      " A threw 1-1-8, a pair with score 8, the worst of the round (CG6)."
      " The pay began at 8; C lowered it to 7 (CG2)."
      " A pays 5 to B, all that was left of 7 owed (CG6, G2).")),
    # The pay in coins, and what a point of it is worth, where that is not a coin (G11).
    ({"unit": 100, "stake": 2500}, "A112 B113 C118",
     (f"{BEST} {WORST} The pay began at 800, at 100 a point; A lowered it to 200 (CG2)."
      " C pays 200 to A (CG6).")),
    ({"unit": 100, "stake": 150}, "A112 B113 C118",
     (f"{BEST} {WORST} The pay began at 800, at 100 a point; A lowered it to 200 (CG2)."
      " C pays 150 to A, all that was left of 200 owed (CG6, G2).")),
    ({**ARCADE, "unit": 100}, "A112 B113 C118",
     (f"{BEST} {WORST} The pay began at 8 points; A lowered it to 2 points (CG2)."
      " A scores 2 on the scoreboard (CG6, CG11).")),
    # Ties, thrown out or shared.
    ({}, "A112 B332 C118 A111 B118",
     ("A and B were tied for the best of the round; throwing again A threw 1-1-1, a triple with"
      f" score 1, the best of them (CG7). {WORST} {PAY} C pays 2 to A (CG6, CG7).")),
    ({}, "A111 B118 C228 B111 C112",
     (f"{TRIPLE} B and C were tied for the worst of the round; throwing again C threw 1-1-2, a pair"
      f" with score 2, the worst of them (CG7). {ONE} C pays 1 to A (CG6, CG7).")),
    ({"ties": "split"}, "A111 B118 C228",
     (f"{TRIPLE} B and C are tied for the worst of the round; each pays (CG7). {ONE} B pays 1 to A"
      " (CG6, CG7). C pays 1 to A (CG6, CG7).")),
    (HOME, "A136 B316 C118",
     ("Tied for the best of the round and sharing it: A with 1-3-6, a home throw; B with 3-1-6, a"
      f" home throw (CG7). {WORST} The pay stayed at 8 (CG2)."
      " Of C's pay 4 goes to A (CG6, CG7, G5). Of C's pay 4 goes to B (CG6, CG7, G5).")),
    ({**HOME, **POOR}, "A136 B136 C118",
     ("Tied for the best of the round and sharing it: A with 1-3-6, a home throw; B with 1-3-6, a"
      f" home throw (CG7). {WORST} The pay stayed at 8 (CG2). Of what C had left of 8 owed 3 goes"
      " to A (CG6, CG7, G5, G2). Of what C had left of 8 owed 2 goes to B (CG6, CG7, G5, G2).")),
    # Who left counts as the worst.
    ({}, "A111 B- C118", f"{TRIPLE} {LEFT} {ONE} B pays 1 to A (CG1, CG6)."),
    ({}, "A118 B- C-",
     (f"A alone is left in the round and has the best hand (CG1, CG6). {LEFT}"
      " C left in the round, which counts as the worst hand (CG1). The pay stayed at 8 (CG2)."
      " B pays 8 to A (CG1, CG6). C pays 8 to A (CG1, CG6).")),
    ({"empty": "also"}, "A112 B147 B- C118",
     f"{BEST} {EMPTY} {PAY} B pays 2 to A (CG1, CG6)."),
    ({**POOL, "opal": 1, "first": "B"}, "B147 B- C118 A111",
     f"{LEFT} {ONE} B pays 1 to the pool (CG1, CG6, CG11)."),
    ({**POOL, "empty": "also"}, "A112 A- B147",
     ("A left in the round, which counts as the worst hand (CG1). B threw 1-4-7, empty, which"
      f" ends the round at once (CG11). {PAY} A pays 2 to the pool (CG1, CG6, CG11)."
      " B pays 2 to the pool (CG11).")),
    ({}, "A111 B118 C228 B-", f"{TRIPLE} {LEFT} {ONE} B pays 1 to A (CG1, CG6)."),
    # The variants.
    (POOL, "A112 B113 C118", f"{WORST} {PAY} C pays 2 to the pool (CG6, CG11)."),
    (POOL, "A112 B147",
     (f"B threw 1-4-7, empty, which ends the round at once (CG11). {PAY} B pays 2 to the pool"
     " (CG11).")),
    ({**POOL, **HOME}, "A112 B136 A147",
     ("A threw 1-4-7, empty, which ends the round at once (CG11). The pay stayed at 8 (CG2)."
     " A pays 8 to the pool (CG11).")),
    ({"variant": "arcade"}, "A112 B113 C118",
     (f"{BEST} {WORST} The pay began at 8 points; A lowered it to 2 points (CG2)."
      " A scores 2 on the scoreboard (CG6, CG11).")),
    ({"variant": "arcade"}, "A111 B113 C118",
     (f"{TRIPLE} {WORST} The pay began at 8 points; A lowered it to 1 point (CG2)."
      " A scores 1 on the scoreboard (CG6, CG11).")),
    # Nobody pays.
    ({"fee": SEAT, "stake": 2}, "A112 B113 C118",
     f"{BEST} {WORST} {PAY} Nobody who owes the pay has anything left (CG6, G2)."),
    ({}, "A147 B258 C147", "Nobody threw better than empty; the round is void (CG6)."),
    ({}, "A112 B332 C442", "All threw alike, tied for best and worst; the round is void (CG7)."),
    ({**POOL, **HOME}, "A136 B136 C136",
     "All threw home and sit out; the round is void and nobody pays for it (CG11)."),
    ({}, "B- C-", "C left and only one is left; the round is not played (CG1)."),
    ({}, "A112 x", "The table was closed before the round was decided; it is void (G9)."),
]

# (opening, script, the last payment's reason)
PAYMENTS: list[tuple[dict[str, Any], str, str]] = [
    ({"fee": SEAT}, "A112 x", "The round is void, so its seat fee goes back (G6)."),
    ({"fee": SEAT, "stake": 2}, "A112 B113 C118",
     "The seat fee of the round, announced at the opening (G6)."),
    ({"empty": "also"}, "A112 B147 C118", f"{BEST} {WORST} C pays 2 to A (CG6)."),
    ({**POOL, "players": ["A", "B"], "stake": 8}, "A118 B888",
     "B is the last in the game and wins the pool (CG11)."),
    (POOL, "A112 B113 C118 x",
     "The table closed without a winner; those left share the pool (G9, G5)."),
    ({**POOL, "fee": SEAT, "players": [{"name": "A", "stake": 4}, {"name": "B", "stake": 4},
                                       {"name": "C", "stake": 6}]},
     "A112 B113 C118 C118 A112 B113",
     "Fees took the last coins of all who did not lose; they share the pool (CG11, G5)."),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "because"), ROUNDS)
def test_a_round_is_explained_in_sentences(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = tell(opened(**opening), script)
    assert table.refused == []

    first, *_ = CINNABAR_GATE.explain(table.numbered(), 1)

    assert first["because"] == because


@pytest.mark.parametrize(("opening", "script", "because"), PAYMENTS)
def test_a_payment_is_explained_in_sentences(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = tell(opened(**opening), script)

    *_, last = [each for each in CINNABAR_GATE.explain(table.numbered()) if each["payments"]]

    assert last["payments"][-1]["because"] == because


def test_time_and_rake_are_explained_by_their_announcement() -> None:
    timed = opened(fee=TIME)
    for minute, player in enumerate("ABC"):
        clock = f"2026-01-31T20:0{minute}:00Z"
        timed.ask({"do": "throw", "player": player, "dice": [1, 1, 2 + minute]}
                  | {"occurred_at": clock})  # fmt: skip
    timed.ask({"do": "throw", "player": "C", "dice": [1, 1, 1],
               "occurred_at": "2026-01-31T20:05:00Z"})  # fmt: skip
    tell(timed, "x")
    raked = tell(
        opened("AB", variant="pool", stake=20, fee={"kind": "rake", "percent": 10}),
        "A468 A468 A468 A468 A468 A468 A147",
    )

    charge = CINNABAR_GATE.explain(timed.numbered())[1]["payments"][0]
    rake = CINNABAR_GATE.explain(raked.numbered())[0]["payments"][1]

    assert charge["because"].startswith("The charge for time since the last one")
    assert (rake["to"], rake["amount"]) == ("house", 2)
    assert rake["because"].startswith("The house's rake on the pool that was won")


def test_the_throws_behind_a_payment_are_named_by_event() -> None:
    table = tell(opened(), "A135 A246 A112 B332 C118 A246 A111 B118")

    (told,) = CINNABAR_GATE.explain(table.numbered())

    (payment,) = told["payments"]
    assert [(each["player"], each["hand"], each["score"]) for each in payment["throws"]] == [
        ("A", "show_up", None), ("A", "pair", 2), ("B", "pair", 2), ("C", "pair", 8),
        ("A", "triple", 1), ("B", "pair", 8),
    ]  # fmt: skip
    numbers = [each["event"] for each in payment["throws"]]
    assert numbers == sorted(numbers)
    assert payment["rules"] == ["CG6", "CG7"]


def test_what_was_voided_explains_nothing() -> None:
    table = tell(opened(), "A112 B113 C118 v5+")

    assert CINNABAR_GATE.explain(table.numbered()) == []


def test_players_are_called_what_the_caller_calls_them() -> None:
    table = tell(opened(variant="pool"), "A112 B113 C118")

    (told,) = CINNABAR_GATE.explain(table.numbered(), named=lambda player: f"Player {player}")

    assert told["because"].startswith("Player C threw 1-1-8")
    assert (told["payments"][0]["from"], told["payments"][0]["to"]) == ("Player C", "pot")
