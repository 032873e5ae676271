"""The rules of dice breaker, one row each: docs/games/dice-breaker.md."""

from typing import Any

import pytest

from tests.games.spec_dice_breaker import (
    ANTE,
    BATTLE,
    FIVE_A,
    FIVE_B,
    FOUR_A,
    FOUR_B,
    NOTHING_A,
    NOTHING_B,
    PAIR_A,
    PAIR_B,
    THREE,
    THREES_A,
    THREES_B,
    TRUMP,
    TWO_TO_FOUR,
    A,
    played,
)

RAKE = {"kind": "rake", "percent": 10}
SEAT = {"kind": "seat", "amount": 2}
TIME = {"kind": "time", "amount": 1, "minutes": 10}
LEAD_OF_TWO = "A=11234 B=12346"  # a round that A leads, of two
LEAD = f"{LEAD_OF_TWO} C=12346"
HOUSE = [{"name": "A", "stake": 9}, {"name": "B", "stake": 9, "house": True}]


def turn(player: str) -> dict[str, list[str]]:
    return {"players": [player], "may": ["throw"]}


def pays(*payments: tuple[str, str, int]) -> list[tuple[str, str, int]]:
    return list(payments)


# fmt: off
# (rule, opening, script, as much of the report as matters)
ROWS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    # Each breaks the starting die, in any order; the lowest starts; tied lowest break again.
    ("DB1", {}, "", {"first": None, "round": 1, "next": {"players": ["A", "B"],
     "may": ["break_start"]}}),
    ("DB1", {}, "B<2", {"first": None, "next": {"players": ["A"], "may": ["break_start"]}}),
    ("DB1", {}, "B<2 A<3", {"first": "B", "next": turn("B")}),
    ("DB1", {}, "A<6 B<5", {"first": "B"}),
    ("DB1", {"players": "ABC"}, "A<2 B<4 C<2",
     {"first": None, "next": {"players": ["A", "C"], "may": ["break_start"]}}),
    ("DB1", {"players": "ABC"}, "A<2 B<4 C<2 C<6 A<6 C<1 A<3", {"first": "C", "next": turn("C")}),
    # Five dice, one at a time, in any order.
    ("DB1", A, "A3=1 A1=1 A5=1 A2=1", {"next": turn("A")}),
    ("DB1", A, "A3=1 A1=1 A5=1 A2=1 A4=2", {"next": turn("B")}),
    # A broken die has a new face, or the old one.
    ("DB2", A, "A=1112 A5=3/A4=1", {"hand": ["nothing", "pair", "three", "three", "four"]}),
    ("DB2", A, "A1=1 A2=1 A3=1/A1=1/A2=6", {"hand": ["nothing", "pair", "pair"]}),
    # Quick: all of one player's dice, then the next; battle: one die each in turn.
    ("DB3", {**THREE, "mode": "quick"}, "A=1234", {"next": turn("A")}),
    ("DB3", {**THREE, "mode": "quick"}, "A=12345 B=12345", {"next": turn("C")}),
    ("DB3", {**THREE, "mode": "battle"}, f"{TRUMP} A1=1 B1=1", {"next": turn("C")}),
    ("DB3", {**THREE, "mode": "battle"}, f"{TRUMP} A1=1 B1=1 C1=1", {"next": turn("A")}),
    ("DB3", BATTLE, f"{TRUMP} A1=1 B1=1/A1=6 A2=6", {"hand": ["nothing", "nothing", "nothing",
     "pair"]}),
    # Every hand scores its points.
    ("DB4", A, f"{NOTHING_A} {PAIR_B}", {"points": {"A": "0", "B": "1"}}),
    ("DB4", A, f"{PAIR_A} B=66554", {"points": {"A": "0", "B": "2"}}),
    ("DB4", A, f"A=22115 {THREES_B}", {"points": {"A": "0", "B": "3"}}),
    ("DB4", A, f"{THREES_A} B=54321", {"points": {"A": "0", "B": "4"}}),
    ("DB4", A, "A=62345 B=11122", {"points": {"A": "0", "B": "5"}}),
    ("DB4", A, f"A=66655 {FOUR_B}", {"points": {"A": "0", "B": "6"}}),
    # Equal hands share, by name or by face; all nothing: nobody.
    ("DB5", A, f"{PAIR_A} {PAIR_B}", {"points": {"A": "1/2", "B": "1/2"}, "round": 2}),
    ("DB5", {**A, "scoreboard": True}, f"{PAIR_A} {PAIR_B}", {"points": {"A": "1/2", "B": "1/2"}}),
    ("DB5", {**A, "tie_by": "category"}, f"{FOUR_A} {FOUR_B}", {"points": {"A": "3", "B": "3"}}),
    ("DB5", {**A, "tie_by": "face"}, f"{FOUR_A} {FOUR_B}", {"points": {"A": "0", "B": "6"}}),
    ("DB5", {**A, "tie_by": "face"}, "A=11122 B=11133", {"points": {"A": "0", "B": "5"}}),
    ("DB5", {**A, "tie_by": "face"}, "A=44123 B=44563", {"points": {"A": "1/2", "B": "1/2"}}),
    ("DB5", THREE, "A=11226 B=33441 C=55661", {"points": dict.fromkeys("ABC", "2/3")}),
    ("DB5", THREE, "A=11226 B=33441 C=12346", {"points": {"A": "1", "B": "1", "C": "0"}}),
    ("DB5", A, f"{NOTHING_A} {NOTHING_B}", {"points": {"A": "0", "B": "0"}, "round": 2,
     "won": [[]]}),
    # The first to the target, the higher of several, a play-off between equals.
    ("DB6", {**A, "target": 6}, f"{FOUR_A} {NOTHING_B}",
     {"status": "closed", "winners": ["A"], "round": 1, "first": None}),
    ("DB6", {**A, "target": 7}, f"{FOUR_A} {NOTHING_B}", {"status": "open", "winners": []}),
    ("DB6", A, " ".join([f"{FOUR_A} {NOTHING_B}"] * 5), {"status": "open",
     "points": {"A": "30", "B": "0"}}),
    ("DB6", A, " ".join([*[f"{FOUR_A} {NOTHING_B}"] * 5, f"{THREES_A} {NOTHING_B}"]),
     {"status": "closed", "winners": ["A"], "points": {"A": "33", "B": "0"}}),
    ("DB6", {**A, "target": 2}, f"{PAIR_A} {NOTHING_B} A=11223 B=11223",
     {"winners": ["A"], "points": {"A": "2", "B": "1"}}),
    ("DB6", {**A, "target": 3}, f"{PAIR_A} {NOTHING_B} {FOUR_A} {FOUR_B}",
     {"winners": ["A"], "points": {"A": "4", "B": "3"}}),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346",
     {"status": "open", "play_off": ["A", "B"], "round": 2, "next": turn("A")}),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346 A=12345 B=12345",
     {"status": "open", "points": {"A": "3", "B": "3", "C": "0"}, "play_off": ["A", "B"]}),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346 A=12346 B=12346",
     {"status": "open", "points": {"A": "1", "B": "1", "C": "0"}, "next": turn("A")}),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346 A=12346 B=11234",
     {"winners": ["B"], "points": {"A": "1", "B": "2", "C": "0"}, "round": 2}),
    # ... of three in a play-off, two may go on.
    ("DB6", {**THREE, "target": 1}, "A=11123 B=22213 C=33312 A=12346 B=11234 C=11234",
     {"play_off": ["B", "C"], "points": {"A": "1", "B": "3/2", "C": "3/2"}, "next": turn("B")}),
    # ... five of a kind wins at once, without points; two share.
    ("DB6", A, f"{FIVE_A} {NOTHING_B}", {"winners": ["A"], "points": {"A": "0", "B": "0"}}),
    ("DB6", A, f"{FIVE_A} {FIVE_B}", {"winners": ["A", "B"], "won": [["A", "B"]]}),
    ("DB6", {**A, "tie_by": "face"}, f"{FIVE_A} {FIVE_B}", {"winners": ["A", "B"]}),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346 A=66666 B=12345",
     {"winners": ["A"], "points": {"A": "1", "B": "1", "C": "0"}}),
    # ... it must stand when the round ends.
    ("DB6", BATTLE, "A:trump=1 A1=1 B1=1 A2=1 B2=2 A3=1 B3=3 A4=1 B4=4 A5=6 B5=2/A4=2",
     {"status": "open", "points": {"A": "6", "B": "0"}}),
    # The winner starts the next round; tied: the earlier in turn; nobody: the same.
    ("DB7", A, f"{NOTHING_A} {PAIR_B}", {"first": "B", "next": turn("B")}),
    ("DB7", {**THREE, "first": "B"}, "B=12346 C=11234 A=11234", {"first": "C"}),
    ("DB7", {**THREE, "first": "B"}, "B=12346 C=12346 A=12346", {"first": "B"}),
    # Out for the round, back for the next; the hand plays what it has.
    ("DB8", A, "A1=1 A2=1 A3=!A3 A4=1!A1 A5=1", {"hand": ["nothing", "pair", "pair", "pair",
     "three"], "next": turn("B")}),
    ("DB8", A, "A=1234 A5=!A5 B=1234 B5=!B5", {"round": 2, "won": [[]], "next": turn("A")}),
    ("DB8", A, f"A1=!A1 A2=1 A3=2 A4=3 A5=4 {PAIR_B} B=1111 B5=!B5 {NOTHING_A}",
     {"points": {"A": "0", "B": "7"}}),
    # ... caught by the thrower: thrown again; by the next: with their own; by one before: after.
    ("DB8", A, "A1=>A1:A", {"next": turn("A"), "to_throw": {"A": ["A2", "A3", "A4", "A5", "A1"],
     "B": ["B1", "B2", "B3", "B4", "B5"]}}),
    ("DB8", A, "A=1111 A5=>A5:B B:A5=6 B=66612", {"points": {"A": "3", "B": "3"},
     "hand": ["nothing", "pair", "three", "four", "four", "nothing", "pair", "three", "four",
              "four", "four"]}),
    ("DB8", A, "A=11123 B=1234 B5=>B5:A", {"round": 1, "next": turn("A"),
     "to_throw": {"A": ["B5"], "B": []}}),
    ("DB8", A, "A=11123 B=1234 B5=>B5:A A:B5=1", {"points": {"A": "6", "B": "0"}}),
    ("DB8", {**THREE}, "A=11123 B=1234 B5=>B5:A", {"next": turn("C")}),
    # ... hit and caught: the catcher throws it, in battle as one of the turns.
    ("DB8", BATTLE, f"{TRUMP} A1=5 B1=5>A1:B A2=2", {"next": turn("B"),
     "to_throw": {"A": ["A3", "A4", "A5"], "B": ["B2", "B3", "B4", "B5", "A1"]}}),
    ("DB8", BATTLE, f"{TRUMP} A1=5 B1=5>A1:B A2=2 B:A1=5", {"hand": ["nothing", "nothing",
     "nothing", "nothing", "pair"]}),
    ("DB8", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=>B5:B", {"round": 1, "next": turn("B")}),
    # ... a caught trump is its catcher's.
    ("DB8", BATTLE, "A:trump=>trump:B A1=3 B:trump=3 A2=2 B1=3", {"hand": ["nothing", "nothing",
     "nothing", "nothing", "pair"]}),
    # The trump first, then an own die; it belongs to all hands.
    ("DB9", BATTLE, TRUMP, {"next": turn("A")}),
    ("DB9", BATTLE, f"{TRUMP} A1=3 B1=3", {"hand": ["nothing", "pair", "pair"]}),
    ("DB9", BATTLE, f"{TRUMP} A1=3 B1=3/trump=4 A2=2", {"hand": ["nothing", "pair", "nothing",
     "nothing"]}),
    ("DB9", BATTLE, f"{TRUMP} A1=3 B1=3!trump A2=3", {"hand": ["nothing", "pair", "nothing",
     "pair"]}),
    ("DB9", BATTLE, "A:trump=!trump A1=3 B1=3", {"hand": ["nothing"] * 3}),
    ("DB9", BATTLE, "A:trump=5 A1=1 B1=1 A2=1 B2=1 A3=3 B3=2 A4=3 B4=2 A5=6 B5=5",
     {"points": {"A": "1", "B": "1"}, "round": 2}),  # two pairs each, of six dice
    # Latent dice, while a die spins: hers who breaks it; else back to its corner.
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=4/A1=4*",
     {"next": turn("B"), "corner": ["latent2", "latent3", "latent4"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=4/A1=4* B1=4",
     {"hand": ["nothing", "pair", "nothing", "pair"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 A:latent4=6/A1=6*", {"next": turn("B"),
     "hand": ["nothing", "pair", "pair"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=3*", {"corner": ["latent1", "latent2", "latent3",
     "latent4"], "hand": ["nothing", "pair", "nothing"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=3/trump=5* B1=3", {"corner": ["latent1", "latent2",
     "latent3", "latent4"], "hand": ["nothing", "pair", "nothing", "nothing"]}),  # not the spinning
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=3/A1=5!latent1*", {"corner": ["latent1", "latent2",
     "latent3", "latent4"], "hand": ["nothing", "pair", "nothing"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=3>latent1:B/A1=5*", {"corner": ["latent1", "latent2",
     "latent3", "latent4"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=3!A1*", {"corner": ["latent2", "latent3", "latent4"],
     "hand": ["nothing", "pair", "pair"]}),
    # ... a die that was broken may spin; a latent die that missed may be thrown again.
    ("DB10", BATTLE, f"{TRUMP} A1=3/trump=2 B:latent1=4* B:latent1=2/trump=2*",
     {"hand": ["nothing", "nothing", "nothing", "pair"], "corner": ["latent2", "latent3",
      "latent4"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3 B:latent1=4/A1=4* A:latent2=4/latent1=1*",
     {"corner": ["latent3", "latent4"], "hand": ["nothing", "pair", "nothing", "pair"]}),
    # ... said with the throw in turn it holds until the next one.
    ("DB10", BATTLE, f"{TRUMP} A1=3* B:latent1=4 B:latent1=4/A1=1",
     {"spinning": True, "corner": ["latent2", "latent3", "latent4"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=3* B1=1", {"spinning": False}),
    # ... the last die of the round spins: the round waits until it has come to rest.
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6*",
     {"round": 1, "next": {"players": ["B"], "may": ["throw", "stand"]}}),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6* B!",
     {"round": 2, "points": {"A": "1/2", "B": "1/2"}}),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6* A:latent1=3/B5=5 B!",
     {"points": {"A": "0", "B": "4"}, "corner": ["latent1", "latent2", "latent3", "latent4"]}),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6* A:latent1=3!B5>latent1:A",
     {"round": 2}),  # nothing spins any more
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6* A:latent1=3>B5:A",
     {"round": 1, "next": turn("A")}),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6* A:latent1=3>B5:A A:B5=3",
     {"round": 2, "points": {"A": "6", "B": "0"}}),
    # ... they are back at their corners in the next round.
    ("DB10", BATTLE, f"{TRUMP} A1=1 B:latent1=6/A1=1* {TWO_TO_FOUR} A5=6 B5=6",
     {"corner": ["latent1", "latent2", "latent3", "latent4"], "points": {"A": "0", "B": "2"}}),
    # The ante, once a game; the winner takes it, or they share it.
    ("DB11", A, FIVE_A + " " + NOTHING_B, {"stakes": {"A": 0, "B": 0}, "pot": 0}),
    ("DB11", {**A, "stake": 9, "ante": 0}, "A1=1", {"stakes": {"A": 9, "B": 9}, "pot": 0}),
    ("DB11", {"stake": 9, "ante": 4}, "", {"stakes": {"A": 5, "B": 5}, "pot": 8}),
    ("DB11", ANTE, f"{PAIR_A} {NOTHING_B} A1=1", {"stakes": {"A": 5, "B": 5}, "pot": 8}),
    ("DB11", ANTE, f"{FIVE_A} {NOTHING_B}", {"stakes": {"A": 13, "B": 5}, "pot": 0,
     "moved": [[("A", "pot", 4), ("B", "pot", 4), ("pot", "A", 8)]]}),
    ("DB11", ANTE, f"{FIVE_A} {FIVE_B}", {"stakes": {"A": 9, "B": 9}, "pot": 0}),
    # ... who leaves after the first throw leaves it there; who stays alone has won and takes it.
    ("DB11", {**THREE, "ante": 4, "stake": 9}, f"{LEAD} C-",
     {"status": "open", "pot": 12, "stakes": {"A": 5, "B": 5, "C": 5}, "out": ["C"]}),
    ("DB11", {**THREE, "ante": 4, "stake": 9}, f"{LEAD} C- A-",
     {"status": "closed", "winners": ["B"], "pot": 0, "stakes": {"A": 5, "B": 17, "C": 5},
      "moved": [[("A", "pot", 4), ("B", "pot", 4), ("C", "pot", 4)], [("pot", "B", 12)]]}),
    ("DB11", {**THREE, "ante": 4, "stake": 9, "fee": RAKE}, f"{LEAD} C- A-",
     {"stakes": {"A": 5, "B": 16, "C": 5}}),
    ("DB11", {**THREE, "ante": 4, "stake": 9}, f"C- {LEAD_OF_TWO} A-",
     {"winners": ["B"], "stakes": {"A": 5, "B": 13, "C": 9}}),
    ("DB11", {**THREE, "ante": 4, "stake": 9}, f"{LEAD} C- A- v20+ B-",
     {"winners": ["A"], "stakes": {"A": 17, "B": 5, "C": 5}}),
    ("DB11", {"ante": 4, "stake": 9}, "A<1 B<2 B-", {"winners": [], "stakes": {"A": 9, "B": 9}}),
    ("DB11", ANTE, "A1=1 v3 B-", {"winners": [], "stakes": {"A": 9, "B": 9}}),
    ("DB11", THREE, f"{LEAD} C- A-", {"winners": ["B"], "status": "closed"}),
    # What the rules count is in units: the ante, and the shares of the pot.
    ("G11", {**ANTE, "unit": 5, "stake": 30}, "", {"stakes": {"A": 10, "B": 10}, "pot": 40}),
    ("G11", {"players": "ABC", "first": "B", "ante": 3, "unit": 5, "stake": 15},
     "B=66666 C=12346 A=66666", {"stakes": {"A": 20, "B": 25, "C": 0}}),
    ("G11", {**ANTE, "unit": 5, "stake": 30, "fee": RAKE}, f"{FIVE_A} {NOTHING_B}",
     {"stakes": {"A": 50, "B": 10}}),
    # Joining and leaving, between rounds.
    ("G1", {"players": "ABC", "first": "C"}, "C=12346", {"next": turn("A")}),
    ("G1", A, f"C+ {NOTHING_A} {NOTHING_B}", {"next": turn("C"), "stakes": dict.fromkeys("ABC", 0),
     "points": dict.fromkeys("ABC", "0")}),
    ("G1", ANTE, "C+4", {"stakes": {"A": 5, "B": 5, "C": 0}, "pot": 12}),
    ("G1", ANTE, "C+", {"stakes": {"A": 5, "B": 5, "C": 5}, "pot": 12}),
    ("G1", {"first": "A", "ante": 4, "players": HOUSE}, "C+", {"stakes": {"A": 5, "B": 5, "C": 5}}),
    ("G1", {}, "A<2 C+", {"next": {"players": ["B", "C"], "may": ["break_start"]}}),
    ("G1", {}, "A<2 B<2 C+", {"next": {"players": ["A", "B"], "may": ["break_start"]}}),
    ("G1", {}, "A<2 B<2 C+ A<1 B<3", {"first": "A"}),
    ("G1", {**ANTE, "players": "ABC"}, "B-", {"stakes": {"A": 5, "B": 9, "C": 5}, "pot": 8,
     "out": ["B"]}),
    ("G1", THREE, "A-", {"first": "B", "next": turn("B")}),
    ("G1", THREE, "B- A=12346", {"next": turn("C")}),
    ("G1", {"players": "ABC"}, "A<2 B<3 C-", {"first": "A"}),
    ("G1", {"players": "ABC"}, "A<2 B<3 A-", {"next": {"players": ["C"], "may": ["break_start"]}}),
    ("G1", {"players": "ABC"}, "A<2 B<2 C<3 A-", {"first": "B"}),
    ("G1", {**THREE, "ante": 4, "stake": 9}, "A=11234 B=12346 C=12346 A- A+",
     {"first": "B", "points": {"B": "0", "C": "0", "A": "0"}, "out": [], "pot": 16}),
    ("G1", ANTE, "B-", {"status": "closed", "winners": [], "stakes": {"A": 9, "B": 9}, "pot": 0,
     "moved": [[("A", "pot", 4), ("B", "pot", 4), ("pot", "B", 4), ("pot", "A", 4)]]}),
    ("G1", {**THREE, "target": 1, "ante": 4, "stake": 9}, "A=11226 B=33441 C=12346 A-",
     {"status": "closed", "winners": ["B"], "stakes": {"A": 5, "B": 17, "C": 5}, "won":
      [["A", "B"], []]}),
    ("G1", {**THREE, "target": 1, "ante": 4, "stake": 9}, "A=11226 B=33441 C=12346 C-",
     {"status": "open", "play_off": ["A", "B"], "pot": 12}),
    # Of a fee, no more than there is; nothing is owed.
    ("G2", {**ANTE, "fee": SEAT, "stake": 5}, "A1=1", {"stakes": {"A": 0, "B": 0}, "pot": 8}),
    ("G3", {}, "A~ A<3", {"next": {"players": ["B"], "may": ["break_start"]}}),
    ("G3", A, "A~ A1=1 A~", {"next": turn("A"), "hand": ["nothing"]}),
    ("G4", A, "A1=1 A2=1 v3", {"hand": ["nothing", "pair"], "cancelled": [False, True],
     "next": turn("A")}),
    ("G4", {}, "A<1 B<2 v3 B<1", {"first": None}),
    ("G4", BATTLE, f"{TRUMP} A1=3 B1=3/A1=5 v4", {"face": {"trump": 3, "A1": 3},
     "next": turn("B")}),
    ("G4", A, f"{PAIR_A} {NOTHING_B} v11+", {"points": {"A": "0", "B": "0"}, "round": 1,
     "next": turn("B")}),
    ("G4", A, f"{PAIR_A} {NOTHING_B} v11", {"points": {"A": "0", "B": "0"}, "round": 1}),
    ("G4", A, f"{PAIR_A} {NOTHING_B} v11~", {"points": {"A": "1", "B": "0"}, "round": 2}),
    ("G4", A, f"{FIVE_A} {NOTHING_B} v11", {"status": "open", "winners": []}),
    ("G4", A, f"{FIVE_A} {NOTHING_B} v11+", {"status": "open", "winners": []}),
    # Odd coins from the first thrower of the round on: B, for 9 shared by two.
    ("G5", {"players": "ABC", "first": "B", "ante": 3, "stake": 3}, "B=66666 C=12346 A=66666",
     {"stakes": {"A": 4, "B": 5, "C": 0}}),
    ("G5", {"players": "ABC", "first": "C", "ante": 3, "stake": 3}, "C=12346 A=66666 B=66666",
     {"stakes": {"A": 5, "B": 4, "C": 0}}),
    # The rake when the game is won; the seat fee with each round, back if it is void.
    ("G6", {**ANTE, "fee": RAKE, "ante": 9}, f"{FIVE_A} {NOTHING_B}",
     {"stakes": {"A": 17, "B": 0}}),
    ("G6", {**ANTE, "fee": {**RAKE, "percent": 5}, "ante": 9}, f"{FIVE_A} {NOTHING_B}",
     {"stakes": {"A": 18, "B": 0}}),
    ("G6", {**ANTE, "fee": RAKE, "ante": 9}, "A1=1 x", {"stakes": {"A": 9, "B": 9}}),
    ("G6", {**ANTE, "fee": SEAT}, "A1=1", {"stakes": {"A": 3, "B": 3}, "pot": 8}),
    ("G6", {**ANTE, "fee": SEAT}, "A1=1 x", {"stakes": {"A": 9, "B": 9}, "pot": 0}),
    ("G6", {**ANTE, "fee": SEAT, "stake": 99}, f"{PAIR_A} {NOTHING_B} A1=1",
     {"stakes": {"A": 91, "B": 91}}),
    ("G6", {"players": HOUSE, "first": "A", "ante": 4, "fee": SEAT}, "A1=1",
     {"stakes": {"A": 3, "B": 5}}),
    ("G6", {**THREE, "target": 1, "ante": 4, "stake": 9, "fee": SEAT},
     "A=11226 B=33441 C=12346 A1=1", {"stakes": {"A": 1, "B": 1, "C": 3}}),  # those in the play-off
    # Named first, else the starting die, also where the house sits.
    ("G7", {"first": "B"}, "", {"first": "B", "next": turn("B")}),
    ("G7", {"players": HOUSE}, "", {"first": None}),
    ("G8", {"players": HOUSE, "ante": 9}, "A<1 B<2", {"first": "A", "pot": 18}),
    # Closing: the round is void, the pot is shared.
    ("G9", ANTE, "x", {"status": "closed", "winners": [], "stakes": {"A": 9, "B": 9}, "pot": 0,
     "next": {"players": [], "may": []}}),
    ("G9", {}, "A<1 x", {"status": "closed", "round": 1, "won": [[]]}),
    ("G9", {**ANTE, "fee": SEAT}, f"{PAIR_A} {NOTHING_B} A1=1 x", {"points": {"A": "1", "B": "0"},
     "stakes": {"A": 7, "B": 7}, "round": 2, "won": [["A"], []]}),
]
# fmt: on


@pytest.mark.parametrize(("rule", "opening", "script", "expected"), ROWS)
def test_the_rules_as_rows(
    rule: str, opening: dict[str, Any], script: str, expected: dict[str, Any]
) -> None:
    table = played(script, **opening)

    view = shown(table.view())

    assert table.refused == [], rule
    assert {name: view[name] for name in expected} == expected, rule


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """The report, and parts of it in a form that fits into a row."""
    return {
        **view,
        "hand": [throw["hand"] for throw in view["throws"]],
        "cancelled": ["void" in throw for throw in view["throws"]],
        "to_throw": {player: each["to_throw"] for player, each in view["hands"].items()},
        "corner": [die["die"] for die in view["arena"] if die["place"] == "corner"],
        "face": {die["die"]: die["face"] for die in view["arena"] if die["face"] is not None},
        "won": [each["winners"] for each in view["rounds"]],
        "moved": [
            [(each["from"], each["to"], each["amount"]) for each in ended["payments"]]
            for ended in view["rounds"]
        ],
    }
