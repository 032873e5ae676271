"""River, one row per rule: how a game opens, what is thrown, bought and shown, what then is so."""

from typing import Any

import pytest

from tests.games.river_spec import OPTIONS, opened

# Hole hands, by the row they make.
ROW_1 = "4,6,8,10,12"
HIGH_12 = "2,2,2,2,12"  # row 20, its die 12
HIGH_11 = "2,2,2,2,11"  # row 20, its die 11
FIVE_2S = "2,2,2,2,2"  # row 30
LOWEST = "1,1,2,2,4"  # row 40

ALL = "A* B* C*"
NOTHING = f"$ {ALL} o1,1,1,1,1 w*"  # a round in which nobody bought a die, ready to reveal
C_BUYS_FOR = f"$ {ALL} o1,1,1,1,1 Cd4!"
RAKE = {"kind": "rake", "percent": 10, "cap": 2}
DEAR = {"kind": "rake", "percent": 10}
SEAT = {"kind": "seat", "amount": 2}
POOR = [{"name": "A", "stake": 9}, {"name": "B"}, {"name": "C"}]
DIFFERENT = [{"name": "A", "stake": 50}, {"name": "B", "stake": 60}]
NOBODY: dict[str, list[str]] = {"players": [], "may": []}


def may(players: str, *what: str) -> dict[str, list[str]]:
    return {"players": list(players), "may": list(what)}


# fmt: off
# (rule, opening, script, what the report then says). Three with 50 coins each play for 10.
ROWS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    # Opening sells nothing; start_round sells five dice to each, at the opening's price or its own.
    ("RV1", {}, "", {"stakes": {"A": 50, "B": 50, "C": 50}, "pot": 0, "round": 1, "first": None,
                     "next": may("", "start_round")}),
    ("RV1", {}, "$", {"stakes": {"A": 40, "B": 40, "C": 40}, "pot": 30, "round": 1,
                      "next": may("ABC", "seal"), "price": 10}),
    ("RV1", {}, "$12", {"stakes": {"A": 38, "B": 38, "C": 38}, "pot": 36, "price": 12}),
    ("RV1", {"price": None}, "$7", {"pot": 21, "price": 7}),
    # ... every round anew, at the opening's price unless it names one,
    ("RV1", {}, f"$12 {ALL} o1,1,1,1,1 w* A={ROW_1} B={LOWEST} C={LOWEST} $",
     {"round": 2, "pot": 30, "price": 10, "stakes": {"A": 64, "B": 28, "C": 28}}),
    # ... who cannot pay sits the round out,
    ("RV1", {"players": POOR}, "$", {"stakes": {"A": 9, "B": 40, "C": 40}, "pot": 20,
     "in_round": ["B", "C"], "sitting_out": ["A"], "next": may("BC", "seal"), "out": []}),
    ("RV1", {"players": POOR}, "$9", {"pot": 27, "sitting_out": []}),
    ("RV1", {"players": [*POOR[:2], {"name": "C", "stake": 8}]}, "", {"next":
     may("", "start_round")}),  # for 9 or less
    ("RV1", {}, "A- B-", {"next": NOBODY, "status": "open", "out": ["A", "B"]}),
    # ... and with fewer than two left before the first throw the price is returned.
    ("RV1", {}, "$ A- B-", {"stakes": {"A": 50, "B": 50, "C": 50}, "pot": 0, "round": 2,
                            "status": "open", "rounds": [
        {"round": 1, "winners": [], "losers": [], "carried": 0, "void": True, "payments": [
            ("A", "pot", 10), ("B", "pot", 10), ("C", "pot", 10), ("pot", "A", 10),
            ("pot", "B", 10), ("pot", "C", 10)]}]}),
    # Sealed in any order, revealed in any order when the five lots are gone.
    ("RV2", {}, "$ C*", {"next": may("AB", "seal"), "sealed": {"C": False}, "throws": []}),
    ("RV2", {}, f"$ C#{ROW_1} A*", {"next": may("B", "seal"), "sealed": {"C": True, "A": False}}),
    ("RV2", {}, f"$ {ALL}", {"next": may("", "offer"), "unseen": ["A", "B", "C"]}),
    ("RV2", {}, NOTHING, {"next": may("ABC", "reveal"), "lot": None}),
    ("RV2", {}, f"{NOTHING} B={LOWEST}", {"next": may("AC", "reveal"), "unseen": ["A", "C"],
                                          "revealed": ["B"]}),
    ("RV2", {}, f"$ A#{ROW_1} B* C* o1,1,1,1,1 w* A=#{ROW_1}", {"revealed": ["A"]}),
    # ... who left may be recorded after the hand, and is marked unseen with the next round.
    ("RV2", {}, f"{NOTHING} A- B={LOWEST} C={ROW_1}", {"unseen": ["A"], "round": 2,
                                                       "next": may("", "start_round")}),
    ("RV2", {}, f"{NOTHING} A- B={LOWEST} C={LOWEST} A={ROW_1}",
     {"unseen": [], "stakes": {"A": 40, "B": 55, "C": 55}, "last": (ROW_1, "Perfect Odd/Even River",
                                                                    1)}),
    ("RV2", {}, f"$ A#{ROW_1} B* C* A- o1,1,1,1,1 w* B={LOWEST} C={LOWEST} A=#{ROW_1}",
     {"unseen": [], "last": (ROW_1, "Perfect Odd/Even River", 1)}),
    ("RV2", {}, f"{NOTHING} A- B={LOWEST} C={ROW_1} $", {"unseen": [], "round": 2}),
    # The banker's dice, one lot each, d4 to d12.
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12", {"next": may("ABC", "bid", "pass", "sell", "withdraw"),
     "offer": {"d4": 4, "d6": 3, "d8": 2, "d10": 1, "d12": 12},
     "lot": {"die": "d4", "face": 4, "bids": [], "passed": []}}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4:2 Cd4/",
     {"lot": {"die": "d4", "face": 4, "passed": ["C"],
              "bids": [{"player": "A", "amount": 1}, {"player": "B", "amount": 2}]},
      "pot": 30, "next": may("AB", "bid", "pass", "sell")}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4:2 Bd4!2",
     {"pot": 32, "stakes": {"A": 40, "B": 38, "C": 40}, "won": {"B": {"d4": 4}},
      "lot": {"die": "d6", "face": 3, "bids": [], "passed": []},
      "lots": [{"die": "d4", "face": 4, "player": "B", "amount": 2}]}),
    # ... only the hammer price, up to all one holds; a lot without a bid is withdrawn;
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Cd4!40 wd6",
     {"pot": 70, "stakes": {"A": 40, "B": 40, "C": 0}, "lots": [
         {"die": "d4", "face": 4, "player": "C", "amount": 40},
         {"die": "d6", "face": None, "player": None, "amount": None}]}),
    # ... who holds nothing may only pass; where all others passed the hammer is left;
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Cd4!40 Ad6/ Bd6/", {"next": may("C", "pass", "withdraw")}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4/ Cd4/", {"next": may("", "sell")}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4/ Bd4/ Cd4/", {"next": may("", "withdraw")}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4/ Bd4/", {"next":
                                                   may("C", "bid", "pass", "sell", "withdraw")}),
    # ... one's own bid may be raised while somebody might answer; a pass leaves a bid standing;
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Ad4:3 Ad4!3", {"pot": 33}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4:2 Ad4/ B- Ad4!1", {"pot": 31,
                                                                   "won": {"A": {"d4": 4}}}),
    # ... a bid falls with its bidder;
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:5 A- Bd4:1 Bd4!1", {"pot": 31}),
    # ... raises of at least so much.
    ("RV3", {"min_raise": 5}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4:6 Bd4!6", {"pot": 36}),
    ("RV3", {}, f"$ {ALL} o4,3,2,1,12 Ad4:1 Bd4:2 Bd4!2", {"pot": 32}),
    # A won die replaces the hole die of its size, or does not; the best legal hand counts.
    ("RV4", {}, f"$ {ALL} o1,1,1,1,12 wd4 wd6 wd8 wd10 Ad12!1 A={FIVE_2S}",
     {"last": (FIVE_2S, "High 11/12", 20)}),
    ("RV4", {}, f"$ {ALL} o1,1,1,1,4 wd4 wd6 wd8 wd10 Ad12!1 A={HIGH_12}",
     {"last": (HIGH_12, "High 11/12", 20)}),
    ("RV4", {}, f"$ {ALL} o4,6,8,10,12 wd4 Ad6!1 Ad8!1 Ad10!1 Ad12!1 A=4,1,1,1,1",
     {"last": ("4,1,1,1,1", "Perfect Odd/Even River", 1)}),
    # ... it never adds to it: with two d12 showing 9 and 8 there is still no 8-9-10 from them,
    ("RV4", {}, f"$ {ALL} o1,1,1,1,9 wd4 wd6 wd8 wd10 Ad12!1 A=1,1,1,10,8",
     {"last": ("1,1,1,10,8", "High 9/10", 29)}),
    ("RV4", {}, f"$ {ALL} o1,1,8,1,9 wd4 wd6 Ad8!1 wd10 Ad12!1 A=1,1,1,10,8",
     {"last": ("1,1,1,10,8", "Perfect Flop", 5)}),
    # The row as the table has it.
    ("RV5", {}, f"{NOTHING} A={ROW_1}", {"last": (ROW_1, "Perfect Odd/Even River", 1)}),
    ("RV5", {}, f"{NOTHING} A=1,1,1,1,1", {"last": ("1,1,1,1,1", "Quintuple 1s/2s/3s/4s", 30)}),
    ("RV5", {}, f"{NOTHING} A={FIVE_2S} B={HIGH_11} C={LOWEST}",  # row 20 before row 30
     {"stakes": {"A": 40, "B": 70, "C": 40}}),
    # The highest takes the pot.
    ("RV6", {}, f"{NOTHING} A={HIGH_12} B={ROW_1} C={LOWEST}",
     {"stakes": {"A": 40, "B": 70, "C": 40}, "pot": 0, "round": 2, "winners": [],
      "next": may("", "start_round")}),
    # ... equal rows share it,
    ("RV6", {}, f"{NOTHING} A={HIGH_12} B={HIGH_11} C={LOWEST}",
     {"stakes": {"A": 55, "B": 55, "C": 40}}),
    ("RV6", {"tie": "split"}, f"{NOTHING} A={LOWEST} B={LOWEST} C={LOWEST}",
     {"stakes": {"A": 50, "B": 50, "C": 50}}),
    # ... or the row's own dice are compared, and share where they are equal,
    ("RV6", {"tie": "high_value"}, f"{NOTHING} A={HIGH_12} B={HIGH_11} C={LOWEST}",
     {"stakes": {"A": 70, "B": 40, "C": 40}}),
    ("RV6", {"tie": "high_value"}, f"{NOTHING} A={HIGH_12} B=1,1,1,3,12 C={HIGH_11}",
     {"stakes": {"A": 55, "B": 55, "C": 40}}),
    # ... or a d12 each decides, and again.
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11}",
     {"tied": ["A", "C"], "next": may("A", "throw"), "pot": 30, "round": 1}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A^7",
     {"next": may("C", "throw")}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A^7 C^12",
     {"stakes": {"A": 40, "B": 40, "C": 70}, "round": 2}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={HIGH_12} C={HIGH_11} A^7 B^3 C^7",
     {"tied": ["A", "C"], "next": may("A", "throw")}),
    ("RV6", {"tie": "rolloff"},
     f"{NOTHING} A={HIGH_12} B={HIGH_12} C={HIGH_11} A^7 B^3 C^7 A^2 C^1",
     {"stakes": {"A": 70, "B": 40, "C": 40}}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={FIVE_2S}",
     {"stakes": {"A": 70, "B": 40, "C": 40}}),
    # ... who is left alone in it wins.
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A-",
     {"stakes": {"A": 40, "B": 40, "C": 70}, "round": 2}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A^5 C-",
     {"stakes": {"A": 70, "B": 40, "C": 40}, "round": 2}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={HIGH_12} C={HIGH_11} A^5 B^9 A-",
     {"next": may("C", "throw"), "tied": ["B", "C"]}),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={HIGH_12} C={HIGH_11} A^5 B^9 C-",
     {"stakes": {"A": 40, "B": 70, "C": 40}}),
    # Who leaves forfeits what they paid, at any time after the first throw.
    ("RV7", {}, "$ A* B-", {"stakes": {"A": 40, "B": 40, "C": 40}, "pot": 30, "out": ["B"],
                            "next": may("C", "seal"), "in_round": ["A", "C"]}),
    ("RV7", {}, "$ A* C* B-", {"next": may("", "offer")}),
    ("RV7", {}, f"$ {ALL} o4,3,2,1,12 Bd4!6 B-", {"pot": 36, "stakes": {"A": 40, "B": 34, "C": 40},
                                                  "next": may("AC", "bid", "pass", "sell",
                                                              "withdraw")}),
    ("RV7", {}, f"{NOTHING} A={FIVE_2S} C={LOWEST} B-", {"stakes": {"A": 70, "B": 40, "C": 40}}),
    ("RV7", {}, f"{NOTHING} A={ROW_1} A- C={LOWEST} B={HIGH_12}",
     {"stakes": {"A": 40, "B": 70, "C": 40}}),
    # ... the last one left takes the pot unseen.
    ("RV7", {}, "$ A* B- C-", {"stakes": {"A": 70, "B": 40, "C": 40}, "round": 2, "throws": [],
                               "unseen": ["A"], "out": ["B", "C"]}),
    ("RV7", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} B- A-",
     {"stakes": {"A": 40, "B": 40, "C": 70}}),
    # Joining and leaving, until the first seal.
    ("G1", {}, "D+20 $", {"stakes": {"A": 40, "B": 40, "C": 40, "D": 10}, "pot": 40,
                          "next": may("ABCD", "seal")}),
    ("G1", {}, "$ D+20", {"stakes": {"A": 40, "B": 40, "C": 40, "D": 10}, "pot": 40,
                          "in_round": ["A", "B", "C", "D"]}),
    ("G1", {}, "$ D+9", {"pot": 30, "sitting_out": ["D"]}),
    ("G1", {"stake": None, "players": [{"name": n, "stake": 60} for n in "AB"]}, "D+",
     {"stakes": {"A": 60, "B": 60, "D": 60}}),
    ("G1", {}, "$ D+", {"stakes": {"A": 40, "B": 40, "C": 40, "D": 40}}),
    ("G1", {}, "$ A-", {"stakes": {"A": 50, "B": 40, "C": 40}, "pot": 20, "out": ["A"]}),
    ("G1", {}, "A- $ A+", {"stakes": {"A": 40, "B": 40, "C": 40}, "out": [],
                           "in_round": ["B", "C", "A"]}),
    ("G1", {}, "A- A+5 $", {"stakes": {"A": 45, "B": 40, "C": 40}}),
    ("G1", {"players": POOR}, "$ A<1", {"stakes": {"A": 0, "B": 40, "C": 40}, "pot": 30,
                                        "in_round": ["A", "B", "C"]}),
    ("G1", {"players": POOR}, "$ B* A<1", {"stakes": {"A": 10, "B": 40, "C": 40}, "pot": 20}),
    ("G1", {"players": POOR}, "$ B* A-", {"out": ["A"], "pot": 20, "round": 1}),
    ("G1", {}, "A- A>50", {"stakes": {"A": 0, "B": 50, "C": 50}}),
    # Nobody pays more than they have.
    ("G2", {"fee": SEAT, "players": [{"name": "A", "stake": 11}, {"name": "B"}]}, "$ A*",
     {"stakes": {"A": 0, "B": 38}, "pot": 20}),
    # A no throw changes nothing.
    ("G3", {}, "$ A~ A*", {"next": may("BC", "seal"), "throws": []}),
    ("G3", {}, f"$ {ALL} B~i", {"next": may("", "offer")}),
    ("G3", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A~",
     {"next": may("A", "throw")}),
    # The last throw is voided alone, what was before it, or paid, by two.
    ("G4", {}, "$ A* B* v4", {"sealed": {"A": False}}),
    ("G4", {}, "$ A* B* v3", {"sealed": {"A": False, "B": False}}),
    ("G4", {}, "$ A* B* v3+", {"sealed": {}, "next": may("ABC", "seal")}),
    ("G4", {}, f"{NOTHING} A={ROW_1} v12", {"unseen": ["A", "B", "C"]}),
    ("G4", {}, f"$ {ALL} o4,3,2,1,12 Ad4:3 v7", {"lot": {"die": "d4", "face": 4, "bids": [],
                                                         "passed": []}}),
    ("G4", {}, f"$ {ALL} o4,3,2,1,12 Ad4!3 v7", {"pot": 33}),
    ("G4", {}, f"$ {ALL} o4,3,2,1,12 Ad4!3 v7 y8", {"pot": 30, "won": {}}),
    ("G4", {}, "$ v2+", {"pot": 0, "round": 1, "stakes": {"A": 50, "B": 50, "C": 50}}),
    ("G4", {}, "$ A* x v4+", {"status": "open", "pot": 30, "next": may("BC", "seal")}),
    # Odd coins one each in seat order, who came back sitting last.
    ("G5", {}, f"{C_BUYS_FOR}1 wd6 wd8 wd10 wd12 A={LOWEST} B={HIGH_12} C={HIGH_12}",
     {"stakes": {"A": 40, "B": 56, "C": 54}}),
    ("G5", {}, f"B- B+ {C_BUYS_FOR}1 wd6 wd8 wd10 wd12 A={LOWEST} B={HIGH_12} C={HIGH_12}",
     {"stakes": {"A": 40, "B": 55, "C": 55}}),
    # The rake, a tenth at most, rounded down; a cap.
    ("G6", {"fee": DEAR}, f"{C_BUYS_FOR}9 wd6 wd8 wd10 wd12 A={ROW_1} B={LOWEST} C={LOWEST}",
     {"stakes": {"A": 76, "B": 40, "C": 31}, "pot": 0}),
    ("G6", {"fee": RAKE}, f"{NOTHING} A={ROW_1} B={LOWEST} C={LOWEST}",
     {"stakes": {"A": 68, "B": 40, "C": 40}}),
    ("G6", {"fee": DEAR}, "$ A* B- C-", {"stakes": {"A": 67, "B": 40, "C": 40}}),
    ("G6", {"fee": DEAR}, f"{NOTHING} x", {"stakes": {"A": 50, "B": 50, "C": 50}}),
    # The seat fee: with the first seal, from those in the round; back where it is void.
    ("G6", {"fee": SEAT}, "$", {"stakes": {"A": 40, "B": 40, "C": 40}}),
    ("G6", {"fee": SEAT}, "$ B* A*", {"stakes": {"A": 38, "B": 38, "C": 38}, "pot": 30}),
    ("G6", {"fee": SEAT, "players": POOR}, "$ B*", {"stakes": {"A": 9, "B": 38, "C": 38}}),
    ("G6", {"fee": SEAT}, "$ B* x", {"stakes": {"A": 50, "B": 50, "C": 50}}),
    # Nobody throws first, the house has no seat.
    ("G7", {}, f"$ {ALL}", {"first": None}),
    ("G8", {"players": [{"name": "A", "house": False}, {"name": "B"}]}, "$", {"pot": 20}),
    # Price, bids and raises are whole units, and so are the shares of a pot and a rake.
    ("G11", {"unit": 5}, f"$ {ALL} o4,3,2,1,12 Ad4:5 Bd4:10 Bd4!10", {"pot": 40}),
    ("G11", {"unit": 5, "min_raise": 2}, f"$ {ALL} o4,3,2,1,12 Ad4:5 Bd4:15", {"pot": 30}),
    ("G11", {"unit": 5}, f"{C_BUYS_FOR}5 wd6 wd8 wd10 wd12 A={LOWEST} B={HIGH_12} C={HIGH_12}",
     {"stakes": {"A": 40, "B": 60, "C": 50}}),
    ("G11", {"unit": 5, "fee": DEAR, "price": 20}, f"{NOTHING} A={ROW_1} B={LOWEST} C={LOWEST}",
     {"stakes": {"A": 85, "B": 30, "C": 30}}),
    ("G11", {"unit": 5}, f"$ {ALL} o4,3,2,1,12 Ad4!5 A- x",
     {"stakes": {"A": 35, "B": 60, "C": 55}}),
    # Closing: the round is void and what was paid returns; what leavers forfeited is shared.
    ("G9", {}, "x", {"status": "closed", "round": 1, "stakes": {"A": 50, "B": 50, "C": 50},
                     "next": NOBODY, "rounds": []}),
    ("G9", {}, f"$ {ALL} o4,3,2,1,12 Ad4!7 x",
     {"stakes": {"A": 50, "B": 50, "C": 50}, "pot": 0, "status": "closed", "round": 1}),
    ("G9", {}, f"$ {ALL} o4,3,2,1,12 Ad4!7 A- x", {"stakes": {"A": 33, "B": 59, "C": 58}}),
    ("G9", {}, f"{NOTHING} A={ROW_1} B={LOWEST} C={LOWEST} x",
     {"stakes": {"A": 70, "B": 40, "C": 40}, "round": 2, "status": "closed"}),
    ("G9", {}, f"{NOTHING} A- B={LOWEST} C={LOWEST} x A>40",
     {"stakes": {"A": 0, "B": 55, "C": 55}}),
]

# (rule, opening, script, the code that its last command is refused with)
REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("RV1", {}, "$ $", "round_running"),
    ("RV1", {"price": None}, "$", "price_missing"),
    ("RV1", {}, "$51", "too_few_players"),
    ("RV1", {"players": [POOR[0], {"name": "B"}]}, "$", "too_few_players"),
    ("RV1", {"players": POOR}, "$ A*", "not_playing"),
    ("RV1", {}, "A*", "not_now"),
    ("RV2", {}, "$ A* A*", "sealed_already"),
    ("RV2", {}, f"$ A#{ROW_1} B#{ROW_1}", "commitment_used"),
    ("RV2", {}, f"$ A={ROW_1}", "not_now"),
    ("RV2", {}, f"$ {ALL} A={ROW_1}", "not_now"),
    ("RV2", {}, f"$ {ALL} o1,1,1,1,1 A={ROW_1}", "not_now"),
    ("RV2", {}, f"{NOTHING} A={ROW_1} A={ROW_1}", "revealed_already"),
    ("RV2", {}, f"{NOTHING} A=1,1,1,1", "wrong_number_of_dice"),
    ("RV2", {}, f"{NOTHING} A=1,1,9,1,1", "no_such_face"),
    ("RV2", {}, f"{NOTHING} A=0,1,1,1,1", "no_such_face"),
    ("RV2", {}, f"{NOTHING} A=#{ROW_1}", "no_commitment"),
    ("RV2", {}, f"$ A#{ROW_1} B* C* o1,1,1,1,1 w* A={ROW_1}", "salt_missing"),
    ("RV2", {}, f"$ A#{ROW_1} B* C* o1,1,1,1,1 w* A=#{HIGH_12}", "commitment_broken"),
    ("RV2", {}, f"{NOTHING} A- A={ROW_1}", "not_playing"),  # the hand has not ended
    ("RV2", {}, f"{NOTHING} A- B={LOWEST} C={LOWEST} $ A={ROW_1}", "not_playing"),  # marked unseen
    ("RV2", {}, f"{NOTHING} A- B={LOWEST} C={LOWEST} A={ROW_1} A={ROW_1}", "not_now"),
    ("RV2", {}, f"$ A#{ROW_1} B* C* A- o1,1,1,1,1 w* B={LOWEST} C={LOWEST} A=#{HIGH_12}",
     "commitment_broken"),
    ("RV3", {}, "$ A* o1,1,1,1,1", "not_now"),
    ("RV3", {}, "o1,1,1,1,1", "not_now"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 o1,1,1,1,1", "not_now"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1", "wrong_number_of_dice"),
    ("RV3", {}, f"$ {ALL} o5,1,1,1,1", "no_such_face"),
    ("RV3", {}, f"$ {ALL} Ad4:1", "not_now"),
    ("RV3", {}, "wd4", "not_now"),
    ("RV3", {}, f"{NOTHING} Ad12:1", "not_now"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad6:1", "not_this_lot"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 wd6", "not_this_lot"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad20:1", "no_such_die"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Zd4:1", "unknown_player"),
    ("RV3", {"players": POOR}, "$ B* C* o1,1,1,1,1 Ad4:1", "not_playing"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Bd4:2", "bid_too_low"),
    ("RV3", {"min_raise": 5}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Bd4:6", "bid_too_low"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:41", "more_than_stake"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4!41", "more_than_stake"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4/ Ad4:2", "passed_already"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4/ Ad4/", "passed_already"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4/ Ad4!2", "passed_already"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Ad4/", "bid_stands"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 wd4", "bid_stands"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Bd4!3", "not_the_highest_bid"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Ad4!3", "not_the_highest_bid"),
    ("RV3", {}, f"$ {ALL} o1,1,1,1,1 Ad4:2 Bd4/ Cd4/ Ad4:3", "bidding_over"),
    ("G11", {"unit": 5}, "$12", "not_whole_units"),
    ("G11", {"unit": 5}, f"$ {ALL} o1,1,1,1,1 Ad4:3", "not_whole_units"),
    ("G11", {"unit": 5}, f"$ {ALL} o1,1,1,1,1 Ad4!7", "not_whole_units"),
    ("G11", {"unit": 5}, f"$ {ALL} o1,1,1,1,1 Ad4:5 Bd4:5", "bid_too_low"),
    ("G11", {"unit": 5, "min_raise": 2}, f"$ {ALL} o1,1,1,1,1 Ad4:5 Bd4:10", "bid_too_low"),
    ("G11", {"unit": 5, "stake": 53}, f"$ {ALL} o1,1,1,1,1 Ad4:45", "more_than_stake"),
    ("RV6", {}, f"{NOTHING} A^5", "not_now"),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} C^5",
     "not_your_turn"),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} B^5",
     "not_your_turn"),
    ("RV6", {"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A^13",
     "no_such_face"),
    ("RV7", {}, "A- A-", "not_playing"),
    ("RV7", {}, "$ A* A- A*", "not_playing"),
    ("G1", {}, "$ A* D+20", "round_running"),
    ("G1", {}, "A+20", "double_name"),
    ("G1", {"stake": None, "players": DIFFERENT}, "D+", "zero_amount"),
    ("G1", {}, "D+0", "zero_amount"),
    ("G1", {}, "A>5", "still_playing"),
    ("G1", {}, "A- A<5", "not_playing"),
    ("G1", {}, "Z-", "unknown_player"),
    ("G2", {}, "A- A>51", "more_than_stake"),
    ("G3", {}, "$ A* A~", "sealed_already"),
    ("G3", {}, f"$ {ALL} A~", "not_now"),
    ("G3", {}, f"{NOTHING} A~", "not_now"),
    ("G3", {}, "A~", "not_now"),
    ("G4", {}, "A- A>5 v2+", "beyond_reversal"),
    ("G9", {}, "x $", "game_over"),
]
# fmt: on


def last_throw(view: dict[str, Any]) -> tuple[str, str, int]:
    thrown = view["throws"][-1]
    return ",".join(map(str, thrown["dice"])), thrown["hand"], thrown["rank"]


def shortened(rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**each, "payments": [(p["from"], p["to"], p["amount"]) for p in each["payments"]]}
        for each in rounds
    ]


@pytest.mark.parametrize(("rule", "opening", "script", "expected"), ROWS)
def test_the_rules_as_rows(
    rule: str, opening: dict[str, Any], script: str, expected: dict[str, Any]
) -> None:
    table = opened(**opening).tell(script)

    view = table.view()

    assert table.refused == [], rule
    view["rounds"] = shortened(view["rounds"])
    view["last"] = last_throw(view) if "last" in expected else None
    assert {name: view[name] for name in expected} == expected, rule


@pytest.mark.parametrize(("rule", "opening", "script", "code"), REFUSED)
def test_what_the_rules_refuse(rule: str, opening: dict[str, Any], script: str, code: str) -> None:
    table = opened(**opening)
    *before, last = script.split()
    table.tell(" ".join(before))
    assert table.refused == [], rule
    seen = len(table.history)

    table.tell(last)

    assert table.refused == [code], rule
    assert len(table.history) == seen


def test_the_options_of_the_rows_are_all_there_are() -> None:
    used = {name for _, opening, _, _ in ROWS for name in opening if name in OPTIONS}

    assert used == set(OPTIONS)


def test_time_is_charged_with_the_first_seal() -> None:
    """G6: a coin from each player in the round for every full ten minutes since the opening."""
    table = opened(
        fee={"kind": "time", "amount": 1, "minutes": 10}, occurred_at="2026-01-31T20:00:00+01:00"
    )
    table.tell("$")

    table.ask({"do": "seal", "player": "B", "occurred_at": "2026-01-31T20:25:00+01:00"})
    table.ask({"do": "seal", "player": "A", "occurred_at": "2026-01-31T20:55:00+01:00"})

    assert table.view()["stakes"] == {"A": 38, "B": 38, "C": 38}
