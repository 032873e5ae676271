"""The rules of dice breaker, one row each: docs/games/dice-breaker.md."""

from typing import Any

import pytest

from games.refusals import Refused
from tests.games.spec_dice_breaker import commands, opened, played

RAKE = {"kind": "rake", "percent": 10}
SEAT = {"kind": "seat", "amount": 2}
TIME = {"kind": "time", "amount": 1, "minutes": 10}
HOUSE = [{"name": "A", "stake": 9}, {"name": "B", "stake": 9, "house": True}]

A = {"first": "A"}
BATTLE = {"first": "A", "mode": "battle"}
THREE = {"first": "A", "players": "ABC"}
ANTE = {"first": "A", "ante": 4, "stake": 9}
NOTHING_A, PAIR_A, THREES_A, FOUR_A, FIVE_A = "A=12346", "A=11234", "A=11123", "A=11112", "A=11111"
NOTHING_B, PAIR_B, THREES_B, FOUR_B, FIVE_B = "B=12346", "B=66234", "B=66612", "B=66661", "B=66666"
TRUMP = "A:trump=3"
# A battle of two in which all own dice are thrown alike, after the trump and A's first die.
TWO_TO_FOUR = "B1=1 A2=2 B2=2 A3=3 B3=3 A4=4 B4=4"


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
    # Joining and leaving, between rounds.
    ("G1", {"players": "ABC", "first": "C"}, "C=12346", {"next": turn("A")}),
    ("G1", A, f"C+ {NOTHING_A} {NOTHING_B}", {"next": turn("C"), "stakes": dict.fromkeys("ABC", 0),
     "points": dict.fromkeys("ABC", "0")}),
    ("G1", ANTE, "C+4", {"stakes": {"A": 5, "B": 5, "C": 0}, "pot": 12}),
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
     {"first": "B", "points": {"B": "0", "C": "0", "A": "0"}, "out": [], "pot": 12}),
    ("G1", ANTE, "B-", {"status": "closed", "winners": [], "stakes": {"A": 9, "B": 9}, "pot": 0,
     "moved": [[("A", "pot", 4), ("B", "pot", 4), ("pot", "B", 4), ("pot", "A", 4)]]}),
    ("G1", {**THREE, "target": 1, "ante": 4, "stake": 9}, "A=11226 B=33441 C=12346 A-",
     {"status": "closed", "winners": ["B"], "stakes": {"A": 9, "B": 13, "C": 5}, "won":
      [["A", "B"], []]}),
    ("G1", {**THREE, "target": 1, "ante": 4, "stake": 9}, "A=11226 B=33441 C=12346 C-",
     {"status": "open", "play_off": ["A", "B"], "pot": 8}),
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
    ("G4", A, f"{PAIR_A} {NOTHING_B} v11", {"points": {"A": "1", "B": "0"}, "round": 2}),
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


OVER = f"{FIVE_A} {NOTHING_B}"

# fmt: off
# (rule, opening, what was done before, what is asked, the code of the refusal)
REFUSALS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("DB1", {}, "",                        "A1=1",                    "not_now"),
    ("DB1", {}, "A<1",                     "A<1",                     "not_your_turn"),
    ("DB1", {}, "",                        "Z<1",                     "unknown_player"),
    ("DB1", {}, "",                        "A<7",                     "no_such_face"),
    ("DB1", {}, "",                        "A<0",                     "no_such_face"),
    ("DB1", {}, "A<1 B<2",                 "B<1",                     "not_now"),
    ("DB1", {"players": "ABC"}, "A<1 B<1 C<2", "C<1",                 "not_your_turn"),
    ("DB1", A, "",                         "A6=1",                    "no_such_die"),
    ("DB1", A, "",                         "A:Z1=1",                  "no_such_die"),
    ("DB1", A, "",                         "A:B1=1",                  "not_your_die"),
    ("DB2", A, "",                         "A1=7",                    "no_such_face"),
    ("DB2", A, "",                         "A1=0",                    "no_such_face"),
    ("DB2", A, "A1=1",                     "A1=1",                    "already_thrown"),
    ("DB2", A, "A1=1",                     "A2=1/A1=7",               "no_such_face"),
    ("DB2", A, "A1=1",                     "A2=1/A3=1",               "not_in_the_arena"),
    ("DB2", A, "A1=1",                     "A2=1/A2=1",               "not_in_the_arena"),
    ("DB2", A, "A1=1",                     "A2=1/A9=1",               "no_such_die"),
    ("DB2", A, "A1=1",                     "A2=1/A1=1/A1=2",          "die_named_twice"),
    ("DB2", A, "A1=1",                     "A2=1/A1=1!A1",            "die_named_twice"),
    ("DB2", A, "A1=1",                     "A2=1!A2>A2:B",            "die_named_twice"),
    ("DB3", A, "",                         "B1=1",                    "not_your_turn"),
    ("DB3", A, NOTHING_A,                  "B1=1/A1=1",               "not_your_die"),
    ("DB3", A, NOTHING_A,                  "B1=1!A1",                 "not_your_die"),
    ("DB3", A, "",                         "A:trump=1",               "no_such_die"),
    ("DB3", BATTLE, f"{TRUMP} A1=1",       "A2=1",                    "not_your_turn"),
    ("DB6", A, OVER,                       "A1=1",                    "game_over"),
    ("DB6", A, OVER,                       "x",                       "game_over"),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346", "C1=1",  "not_your_turn"),
    ("DB6", {**THREE, "target": 1}, "A=11226 B=33441 C=12346", "D+",    "not_now"),
    ("DB8", A, "A1=!A1",                   "A1=1",                    "die_out"),
    ("DB8", A, "A1=!A1",                   "A2=1/A1=1",               "not_in_the_arena"),
    ("DB8", A, "A1=>A1:B",                 "A1=1",                    "not_your_die"),
    ("DB8", A, "",                         "A1=>A1:Z",                "unknown_player"),
    ("DB8", {**THREE, "target": 1}, "A=11226 B=33441 C=12346", "A1=>A1:C", "unknown_player"),
    ("DB9", BATTLE, "",                    "A1=1",                    "trump_first"),
    ("DB9", BATTLE, "",                    "B:trump=1",               "not_your_turn"),
    ("DB9", BATTLE, TRUMP,                 "A:trump=1",               "already_thrown"),
    ("DB9", BATTLE, "A:trump=!trump",      "A:trump=1",               "die_out"),
    ("DB10", A, "A1=1",                    "A:latent1=1*",            "no_such_die"),
    ("DB10", A, "",                        "A1=1*",                   "not_in_this_game"),
    ("DB10", BATTLE, "",                   "A:latent1=1*",            "nothing_spins"),
    ("DB10", BATTLE, f"{TRUMP} A1=1",      "A:latent1=1",             "nothing_spins"),
    ("DB10", BATTLE, f"{TRUMP} A1=1* B1=1", "A:latent1=1",            "nothing_spins"),
    ("DB10", BATTLE, f"{TRUMP} A1=!A1",    "A:latent1=1*",            "nothing_spins"),
    ("DB10", BATTLE, TRUMP,                "A1=1!A1*",                "nothing_spins"),
    ("DB10", BATTLE, f"{TRUMP} A1=1",      "B:latent5=1*",            "no_such_die"),
    ("DB10", BATTLE, f"{TRUMP} A1=1",      "Z:latent1=1*",            "unknown_player"),
    ("DB10", {**BATTLE, "players": "ABC"}, f"C- {TRUMP} A1=1", "C:latent1=1*", "not_playing"),
    ("DB10", BATTLE, TRUMP,                "A!",                      "not_now"),
    ("DB10", BATTLE, f"{TRUMP} A1=1*",     "A!",                      "not_now"),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6*", "A!",  "not_your_turn"),
    ("DB10", BATTLE, f"{TRUMP} A1=1 {TWO_TO_FOUR} A5=6 B5=6*", "A1=1", "not_now"),
    ("DB10", BATTLE, "",                   "latent+",                 "reserved_name"),
    ("DB11", A, "",                        "A$$5",                    "no_money_played"),
    ("DB11", ANTE, "",                     "C+3",                     "ante_not_covered"),
    ("DB11", ANTE, "",                     "C+",                      "zero_amount"),
    ("G1", A, "A1=1",                      "B-",                      "round_running"),
    ("G1", A, "A1=1",                      "C+",                      "round_running"),
    ("G1", A, "",                          "B+",                      "double_name"),
    ("G1", THREE, "C-",                    "C-",                      "not_playing"),
    ("G1", A, "",                          "Z-",                      "unknown_player"),
    ("G1", {**ANTE, "players": "ABC"}, "C-", "C$$5",                  "not_playing"),
    ("G1", ANTE, "",                       "A$1",                     "still_playing"),
    ("G2", {**ANTE, "players": "ABC"}, "C-", "C$10",                  "more_than_stake"),
    ("G3", {}, "A<1",                      "A~",                      "not_your_turn"),
    ("G3", A, "",                          "B~",                      "not_your_turn"),
    ("G4", A, "A1=1",                      "v1",                      "opening_not_voided"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "opening", "script", "asked", "code"), REFUSALS)
def test_what_the_rules_refuse(
    rule: str, opening: dict[str, Any], script: str, asked: str, code: str
) -> None:
    table = played(script, **opening)
    assert table.refused == [], rule
    (raw,) = [{"do": "join", "player": "latent"}] if asked == "latent+" else commands(asked)
    before = table.state

    with pytest.raises(Refused) as refused:
        table.ask(raw)

    assert refused.value.code == code, rule
    assert len(str(refused.value)) > 15
    assert table.state is before


def test_the_arena_says_of_every_die_where_it_is() -> None:
    table = played(f"{TRUMP} A1=1 B1=2!A1 B:latent1=6/B1=3* A2=>A2:B", **BATTLE)

    rows = {die["die"]: die for die in table.view()["arena"]}

    assert len(rows) == 15
    assert rows["trump"] == row("trump", None, "arena", None, 3)
    assert rows["A1"] == row("A1", "A", "out", "A", None)
    assert rows["A2"] == row("A2", "A", "caught", "B", None)
    assert rows["A3"] == row("A3", "A", "hand", "A", None)
    assert rows["B1"] == row("B1", "B", "arena", "B", 3)
    assert rows["latent1"] == row("latent1", None, "arena", "B", 6)
    assert rows["latent2"] == row("latent2", None, "corner", None, None)


def row(
    die: str, own: str | None, place: str, owner: str | None, face: int | None
) -> dict[str, Any]:
    return {"die": die, "set": own, "place": place, "owner": owner, "face": face}


def test_the_trump_lies_in_the_first_hand_before_it_is_thrown_and_is_nobodys_alone() -> None:
    rows = {die["die"]: die for die in opened(**BATTLE).view()["arena"]}

    assert rows["trump"] == row("trump", None, "hand", None, None)


def test_hands_and_what_they_are_worth_by_now() -> None:
    table = played("A=665", first="A")

    assert table.view()["hands"] == {
        "A": {"hand": "pair", "points": "1", "dice": [5, 6, 6], "to_throw": ["A4", "A5"]},
        "B": {"hand": "nothing", "points": "0", "dice": [],
              "to_throw": ["B1", "B2", "B3", "B4", "B5"]},
    }  # fmt: skip


def test_how_the_starting_die_fell_stays_on_record() -> None:
    table = played("A<1 v2 A<4 B<2")

    assert table.view()["starting"] == [
        {"event": 2, "player": "A", "value": 1, "void": True},
        {"event": 4, "player": "A", "value": 4},
        {"event": 5, "player": "B", "value": 2},
    ]
    assert table.view()["throws"] == []


def test_a_throw_tells_what_it_broke_and_what_left_the_arena() -> None:
    table = played(f"{TRUMP} A1=1 B1=2/trump=4!A1 A2=>A2:B", **BATTLE)

    assert [
        {name: value for name, value in throw.items() if name not in {"event", "score"}}
        for throw in table.view()["throws"][2:]
    ] == [
        {"player": "B", "die": "B1", "value": 2, "hand": "nothing",
         "breaks": [{"die": "trump", "value": 4}], "out": ["A1"]},
        {"player": "A", "die": "A2", "value": None, "hand": "nothing",
         "caught": [{"die": "A2", "by": "B"}]},
    ]  # fmt: skip


def test_names_that_end_in_digits_do_not_confuse_the_dice() -> None:
    table = opened(["A", "A1", "trump"], first="A1")

    for die in ("A11", "A12", "A13", "A14", "A15"):
        table.ask({"do": "throw", "player": "A1", "die": die, "value": 2})
    table.ask({"do": "throw", "player": "trump", "die": "trump1", "value": 2})

    assert [throw["hand"] for throw in table.view()["throws"]][-2:] == ["five", "nothing"]


def test_people_see_names_where_the_record_has_tokens() -> None:
    table = played("A1=1 A2=2/A1=3", first="A")

    view = table.ruleset.view(table.numbered(), named=lambda player: f"Ms {player}")

    assert view["throws"][1]["breaks"] == [{"die": "Ms A1", "value": 3}]
    assert view["arena"][0]["die"] == "Ms A1"
