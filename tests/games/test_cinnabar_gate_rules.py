"""Cinnabar Gate, one row per rule: how a game opens, what is thrown, what then is so."""

from typing import Any

import pytest

from tests.games.cinnabar_gate_spec import ARCADE, HOME, POOL, opened, tell, with_stakes

ALSO: dict[str, Any] = {"empty": "also"}
SPLIT: dict[str, Any] = {"ties": "split"}
SEAT = {"kind": "seat", "amount": 2}
RAKE = {"kind": "rake", "percent": 10}
OWN = [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}, {"name": "C"}]
THROW_A = {"players": ["A"], "may": ["throw"]}
THROW_B = {"players": ["B"], "may": ["throw"]}
THROW_C = {"players": ["C"], "may": ["throw"]}
THROW_D = {"players": ["D"], "may": ["throw"]}
A_MAY = {"players": ["A"], "may": ["throw", "stand"]}
B_MAY = {"players": ["B"], "may": ["throw", "stand"]}
UNIT = {"unit": 100, "stake": 2500}
RAKED = {**UNIT, **POOL, "fee": RAKE}
C_MAY = {"players": ["C"], "may": ["throw", "stand"]}


def stakes(*coins: int) -> dict[str, int]:
    return dict(zip("ABCD", coins, strict=False))


# fmt: off
# (rule, opening, script, what the report then says). Stakes are 25 each unless the row says so.
ROWS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    # Stakes as agreed, not necessarily equal.
    ("CG1", {}, "", {"stakes": stakes(25, 25, 25), "pot": 0, "pay": 8, "round": 1, "first": "A",
                     "next": THROW_A, "status": "open", "points": {}, "scores": {}}),
    ("CG1", with_stakes(5, 7), "", {"stakes": stakes(5, 7)}),
    # A newcomer sits last, with the agreed stake or another; no later than the first throw.
    ("CG1", {}, "D^ A111 B222 C333", {"stakes": stakes(25, 25, 25, 25), "next": THROW_D}),
    ("G1", {**with_stakes(5, 5), "stake": None}, "D^", {"stakes": {"A": 5, "B": 5, "D": 5}}),
    ("CG1", {"first": "B"}, "D^9 B111 C222", {"stakes": stakes(25, 25, 25, 9), "next": THROW_D}),
    # Between rounds one leaves with what one has, and may come back, last, to what is here.
    ("CG1", {}, "C- A111 B222", {"stakes": stakes(26, 24, 25), "out": ["C"], "round": 2}),
    ("CG1", {}, "A-", {"first": "B", "next": THROW_B, "out": ["A"]}),
    ("CG1", {}, "A- A^ B111 C222", {"stakes": stakes(25, 25, 25), "out": [], "next": THROW_A}),
    ("CG1", {}, "A- A^5", {"stakes": stakes(30, 25, 25)}),
    ("CG1", {}, "A- A$25 A^", {"stakes": stakes(25, 25, 25), "out": []}),
    ("CG1", {}, "A+5", {"stakes": stakes(30, 25, 25), "round": 1}),
    # Who leaves in the round counts as the worst hand, whatever it was, and pays at its end.
    ("CG1", {}, "A111 B-", {"stakes": stakes(25, 25, 25), "out": ["B"], "next": THROW_C}),
    ("CG1", {}, "A111 B- C118", {"stakes": stakes(26, 24, 25), "round": 2, "first": "C"}),
    ("CG1", {}, "A111 B223 A- C118", {"stakes": stakes(24, 26, 25), "round": 2, "first": "B"}),
    ("CG1", {}, "A135 A- B112 C113", {"stakes": stakes(23, 27, 25), "first": "B"}),
    ("CG1", {}, "A112 B113 C-", {"stakes": stakes(27, 25, 23), "round": 2, "first": "A"}),
    ("CG1", {"players": list("ABCD")}, "A112 B- C- D118",
     {"stakes": stakes(29, 23, 23, 25), "round": 2, "first": "D"}),
    # ... also while a tie is thrown out: for best,
    ("CG1", {}, "A111 B111 C118 A-", {"stakes": stakes(24, 26, 25), "first": "B", "round": 2}),
    ("CG1", {}, "A111 B111 C118 A123 B-", {"stakes": stakes(26, 24, 25), "first": "C"}),
    ("CG1", {"players": list("ABCD")}, "A111 B111 C111 D118 A123 C- B112",
     {"stakes": stakes(26, 25, 24, 25), "first": "D", "round": 2}),
    ("CG1", {}, "A111 B111 C118 C- A112 B123", {"stakes": stakes(25, 26, 24), "first": "A"}),
    # ... for worst,
    ("CG1", {}, "A111 B118 C228 B-", {"stakes": stakes(26, 24, 25), "first": "C", "round": 2}),
    ("CG1", {}, "A111 B118 C228 B111 C-", {"stakes": stakes(26, 25, 24), "first": "A"}),
    # ... and where the best left the others have a best among them.
    ("CG1", {}, "A111 B118 C228 A-", {"next": THROW_B, "round": 1, "tied": ["B", "C"],
                                      "tied_for": "best"}),
    ("CG1", {}, "A111 B118 C228 A- B112 C113", {"stakes": stakes(24, 26, 25), "first": "B"}),
    ("CG1", {**HOME, "players": list("ABCD")}, "A136 B136 C118 D228 A-",
     {"stakes": stakes(17, 33, 25, 25), "round": 2, "first": "B"}),
    # Once one is left in the round it is settled, and the game is over when one is left.
    ("CG1", {}, "A118 B- C-", {"stakes": stakes(41, 17, 17), "status": "closed", "winners": ["A"]}),
    ("CG1", {}, "A118 A- B-", {"stakes": stakes(17, 17, 41), "winners": ["C"], "pay": None}),
    ("CG1", {"players": ["A", "B"]}, "A112 B-", {"stakes": stakes(27, 23), "winners": ["A"]}),
    ("CG1", {"players": ["A", "B"]}, "B-", {"stakes": stakes(25, 25), "winners": ["A"],
     "status": "closed", "round": 1, "first": None, "next": {"players": [], "may": []}}),
    ("CG1", with_stakes(5, 5), "A118 B888", {"stakes": stakes(0, 10), "winners": ["B"],
                                             "out": ["A"], "status": "closed"}),
    # The pay starts at 8; a taken hand with a lower score lowers it to that, or by one.
    ("CG2", {}, "A223", {"pay": 3}),
    ("CG2", {}, "A223 B112", {"pay": 2}),
    ("CG2", {}, "A223 B118", {"pay": 3}),
    ("CG2", {}, "A118", {"pay": 8}),
    ("CG2", {}, "A147", {"pay": 8}),
    ("CG2", HOME, "A136", {"pay": 8}),
    ("CG2", {}, "A223 B112 C118", {"pay": 8, "round": 2}),
    ("CG2", {"pay_lowering": "by_one"}, "A223", {"pay": 7}),
    ("CG2", {"pay_lowering": "by_one"}, "A223 B112", {"pay": 6}),
    ("CG2", {"pay_lowering": "by_one"}, "A223 B112 C888", {"stakes": stakes(19, 25, 31)}),
    ("CG2", {"pay_lowering": "to_score"}, "A223 B112 C888", {"stakes": stakes(23, 25, 27)}),
    # Best to worst: home throw, triple, run, pair, junk, empty; then the lower score.
    ("CG3", HOME, "A136 B111 C118", {"stakes": stakes(26, 25, 24)}),
    ("CG3", {}, "A888 B123 C111", {"stakes": stakes(25, 24, 26), "first": "B"}),
    ("CG3", {}, "A222 B812 C111", {"stakes": stakes(25, 24, 26)}),
    ("CG3", {}, "A678 B112 C118", {"stakes": stakes(27, 25, 23)}),
    ("CG3", {}, "A135 B248 C118", {"stakes": stakes(25, 22, 28), "first": "B"}),
    ("CG3", {"junk_order": "high"}, "A135 B248 C118", {"stakes": stakes(22, 25, 28), "first": "A"}),
    ("CG3", {"junk_order": "low"}, "A135 B248 C118", {"stakes": stakes(25, 22, 28)}),
    # ... the value of the pair says nothing, or decides.
    ("CG3", {}, "A113 B223 C111", {"next": THROW_A, "tied": ["A", "B"], "tied_for": "worst"}),
    ("CG3", {"pair_value": False}, "A113 B223 C111", {"next": THROW_A, "round": 1}),
    ("CG3", {"pair_value": True}, "A113 B223 C111", {"stakes": stakes(25, 24, 26), "first": "B"}),
    # ... 7-8-1 and 8-1-2 are runs, or junk.
    ("CG3", {}, "A781 B812 C118", {"stakes": stakes(25, 26, 24)}),
    ("CG3", {"runs": "straight"}, "A781", {"next": A_MAY, "pay": 8}),
    ("CG3", {"runs": "straight"}, "A781 A!", {"next": THROW_B, "pay": 7}),
    ("CG3", {"runs": "wrap"}, "A781", {"next": THROW_B, "pay": 8}),
    # ... the house's home throw, or everybody's, counting for all.
    ("CG3", {**HOME, "homes": "house"}, "A112 B136 C118", {"stakes": stakes(25, 27, 23)}),
    ("CG3", {"homes": "players", "players": OWN}, "A112 B136 C118",
     {"stakes": stakes(25, 27, 23), "home_throws": [[1, 3, 6]]}),
    # Junk may be thrown again up to three times, or taken; the next one's throw takes it.
    ("CG4", {}, "A135", {"next": A_MAY, "pay": 8}),
    ("CG4", {}, "A135 A!", {"next": THROW_B, "pay": 3}),
    ("CG4", {}, "A135 A112", {"next": THROW_B, "pay": 2}),
    ("CG4", {}, "A135 A135 A135", {"next": A_MAY, "pay": 8}),
    ("CG4", {}, "A135 A135 A135 A135", {"next": THROW_B, "pay": 3}),
    ("CG4", {}, "A135 B118", {"next": THROW_C, "pay": 3}),
    ("CG4", {}, "A112 B113 C135", {"next": C_MAY, "round": 1}),
    ("CG4", {}, "A112 B113 C135 C!", {"round": 2, "first": "C", "stakes": stakes(27, 25, 23)}),
    ("CG4", {"junk_rethrows": 0}, "A135", {"next": THROW_B, "pay": 3}),
    ("CG4", {"junk_rethrows": 1}, "A135 A135", {"next": THROW_B}),
    ("CG4", {"junk_rethrows": 4}, "A135 A135 A135 A135", {"next": A_MAY}),
    # Show-ups raise the pay and are thrown again; they use no chance.
    ("CG5", {}, "A246", {"pay": 9, "next": THROW_A}),
    ("CG5", {}, "A468", {"pay": 10, "next": THROW_A}),
    ("CG5", {}, "A246 A468 A624 A118", {"pay": 8, "next": THROW_B}),
    ("CG5", {}, "A246 A468 A246", {"pay": 12}),
    ("CG5", {}, "A112 B468", {"pay": 4, "next": THROW_B}),
    ("CG5", {}, "A135 B246", {"pay": 4, "next": THROW_B}),
    ("CG5", {"junk_rethrows": 1}, "A246 A135", {"next": A_MAY}),
    ("CG5", {"junk_rethrows": 1}, "A135 A246 A135", {"next": THROW_B}),
    ("CG5", {"pay_cap": "none"}, "A468 A468 A468", {"pay": 14}),
    ("CG5", {"pay_cap": 9}, "A468", {"pay": 9}),
    ("CG5", {"pay_cap": 5}, "A246", {"pay": 8}),
    ("CG5", {"pay_cap": 5}, "A112 B468 B468", {"pay": 5}),
    # The worst pays the pay to the best.
    ("CG6", {}, "A112 B113 C118", {"stakes": stakes(27, 25, 23), "round": 2, "first": "C"}),
    # ... who threw empty pays whatever happens, and alone,
    ("CG6", {}, "A112 B147 C118", {"stakes": stakes(27, 23, 25), "first": "B"}),
    ("CG6", {}, "A112 B147 C258", {"stakes": stakes(29, 23, 23), "first": "B"}),
    ("CG6", {"empty": "only"}, "A112 B147 C118", {"stakes": stakes(27, 23, 25)}),
    ("CG6", {}, "A147 A- B112 C113", {"stakes": stakes(23, 27, 25)}),
    ("CG6", {}, "A112 B147 C-", {"stakes": stakes(27, 23, 25), "out": ["C"], "first": "B"}),
    ("CG6", {"players": list("ABCD")}, "A147 A- B- C112 D113",
     {"stakes": stakes(23, 25, 27, 25), "out": ["A", "B"], "first": "C"}),
    # ... or the worst of the others, too,
    ("CG6", ALSO, "A112 B147 C118", {"stakes": stakes(29, 23, 23), "first": "B"}),
    ("CG6", ALSO, "A112 B147 C-", {"stakes": stakes(29, 23, 23), "first": "B"}),
    # ... of whom who left is the worst, whatever they threw, and nobody else,
    ("CG1", ALSO, "A147 A- B112 C113", {"stakes": stakes(23, 27, 25), "first": "B"}),
    ("CG1", {**ALSO, "players": list("ABCD")}, "A147 A- B- C112 D113",
     {"stakes": stakes(23, 23, 29, 25), "first": "C"}),
    ("CG1", {**ALSO, "players": list("ABCD")}, "A147 A- B258 C112 D113",
     {"stakes": stakes(23, 23, 29, 25), "first": "B"}),
    ("CG6", {**ALSO, "players": list("ABCD")}, "A111 B147 C118 D228",
     {"next": THROW_C, "tied": ["C", "D"], "tied_for": "worst"}),
    ("CG6", {**ALSO, "players": list("ABCD")}, "A111 B147 C118 D228 C112 D113",
     {"stakes": stakes(27, 24, 25, 24), "first": "B"}),
    ("CG6", ALSO, "A112 B147", {"next": THROW_C}),
    # ... unless they are all as good as the best.
    ("CG6", ALSO, "A112 B147 C332 A111 C118", {"stakes": stakes(27, 23, 25)}),
    ("CG6", {**ALSO, **SPLIT}, "A112 B147 C332", {"stakes": stakes(26, 23, 26)}),
    ("CG6", {**ALSO, "players": ["A", "B"]}, "A112 B147", {"stakes": stakes(27, 23)}),
    # ... and nobody where nobody has more than empty.
    ("CG6", {}, "A147 B258 C147", {"stakes": stakes(25, 25, 25), "round": 2, "first": "A"}),
    ("CG6", {}, "A147 B- C-", {"stakes": stakes(25, 25, 25), "status": "closed"}),
    # Tied for best: the tied throw again, once each, in turn order, with the pay as it is.
    ("CG7", {}, "A112 B332 C118", {"next": THROW_A, "tied": ["A", "B"], "tied_for": "best"}),
    ("CG7", {}, "A112 B332 C118 A111", {"next": THROW_B, "pay": 2}),
    ("CG7", {}, "A112 B332 C118 A111 B118", {"stakes": stakes(27, 25, 23), "first": "C"}),
    ("CG7", {}, "A112 B332 C118 A111 B111", {"next": THROW_A, "tied": ["A", "B"], "round": 1}),
    ("CG7", {}, "A112 B332 C118 A111 B111 A113 B112", {"stakes": stakes(25, 27, 23)}),
    ("CG7", {"players": list("ABCD")}, "A112 B332 C442 D118 A111 B111 C112",
     {"next": THROW_A, "tied": ["A", "B"]}),
    # ... show-ups are thrown again, junk is not, an empty is only the worst.
    ("CG7", {}, "A112 B332 C118 A246", {"next": THROW_A, "pay": 2}),
    ("CG7", {}, "A112 B332 C118 A135", {"next": THROW_B, "pay": 2}),
    ("CG7", {}, "A112 B332 C118 A147 B135", {"stakes": stakes(25, 27, 23), "first": "C"}),
    ("CG7", {"opal": 1}, "A112 A! B332 C118 A111", {"next": THROW_B}),
    # Tied for worst, after the best is settled.
    ("CG7", {}, "A111 B118 C228 B111 C112", {"stakes": stakes(26, 25, 24), "first": "C"}),
    ("CG7", {}, "A111 B118 C228 B112 C112", {"next": THROW_B, "tied_for": "worst"}),
    ("CG7", {"players": list("ABCD")}, "A111 B111 C118 D228 A112 B123",
     {"next": THROW_C, "tied": ["C", "D"], "tied_for": "worst"}),
    ("CG7", {"players": list("ABCD")}, "A111 B111 C118 D228 A112 B123 C112 D113",
     {"stakes": stakes(25, 26, 25, 24), "first": "D"}),
    # Tied home throws share, in a tie throw too; for worst they throw again.
    ("CG7", HOME, "A136 B136 C118", {"stakes": stakes(29, 29, 17)}),
    ("CG7", HOME, "A112 B332 C118 A136 B136", {"stakes": stakes(26, 26, 23)}),
    ("CG7", HOME, "A111 B118 C228 B136 C136", {"next": THROW_B, "tied": ["B", "C"]}),
    # All tied on both ends: void.
    ("CG7", {}, "A112 B332 C442", {"stakes": stakes(25, 25, 25), "round": 2, "first": "A"}),
    ("CG7", HOME, "A136 B136 C136", {"stakes": stakes(25, 25, 25), "round": 2}),
    ("CG7", SPLIT, "A112 B332 C442", {"stakes": stakes(25, 25, 25), "round": 2}),
    # Split: the best share, each of the worst pays.
    ("CG7", SPLIT, "A112 B332 C118", {"stakes": stakes(26, 26, 23), "first": "C"}),
    ("CG7", SPLIT, "A111 B118 C228", {"stakes": stakes(27, 24, 24), "first": "B"}),
    ("CG7", {**SPLIT, "players": list("ABCD")}, "A113 B223 C118 D228",
     {"stakes": stakes(29, 27, 22, 22), "first": "C"}),
    ("CG7", {"ties": "rethrow"}, "A111 B118 C228", {"next": THROW_B, "round": 1}),
    # Winnings join the stake, or are put aside: no longer played.
    ("CG8", {"winnings": "stake"}, "A112 B113 C118", {"stakes": stakes(27, 25, 23), "pockets": {}}),
    ("CG8", {"winnings": "pocket"}, "A112 B113 C118",
     {"stakes": stakes(27, 25, 23), "pockets": {"A": 2}}),
    ("CG8", {**with_stakes(2, 2), "winnings": "pocket"}, "A118 B111 A111 B118",
     {"stakes": stakes(2, 2), "pockets": {"A": 1, "B": 1}, "out": []}),
    ("CG8", {**with_stakes(2, 2), "winnings": "pocket"}, "A118 B111 A111 B118 B118 A111",
     {"stakes": stakes(3, 1), "out": ["B"], "winners": ["A"], "status": "closed"}),
    ("CG8", {**with_stakes(2, 2), "winnings": "stake"}, "A118 B111 A111 B118 B118 A111",
     {"stakes": stakes(3, 1), "out": [], "status": "open"}),
    ("CG8", {"fee": SEAT, **with_stakes(5, 5, 5), "winnings": "pocket"},
     "A118 B111 C112 A118 B111 C112 B111",
     {"stakes": stakes(0, 1, 0), "pockets": {"B": 1}}),
    # ... so that whose last coin was the fee is out, though the round is theirs.
    ("CG8", {"fee": SEAT, **with_stakes(2, 9, 9), "winnings": "pocket"}, "A112 B113 C118",
     {"stakes": stakes(2, 7, 5), "pockets": {"A": 2}, "out": ["A"]}),
    ("CG8", {"fee": SEAT, **with_stakes(2, 9, 9), "winnings": "stake"}, "A112 B113 C118",
     {"stakes": stakes(2, 7, 5), "pockets": {}, "out": []}),
    # Who has nothing left is out, and at a table may buy in again.
    ("CG8", with_stakes(5, 5, 5), "A118 B888 C227",
     {"stakes": stakes(0, 10, 5), "out": ["A"], "first": "B"}),
    ("CG8", with_stakes(5, 5, 5), "A118 B888 C227 A+9 B111 C222",
     {"stakes": stakes(9, 10, 5), "out": [], "next": THROW_A}),
    # A pocket is cashed last.
    ("CG8", {"winnings": "pocket"}, "A112 B113 C118 A- A$26",
     {"stakes": stakes(1, 25, 23), "pockets": {"A": 1}}),
    # The loser throws first, of several the earliest, else the next seat; a void changes nothing.
    ("CG9", {}, "A112 B118 C113", {"first": "B", "next": THROW_B}),
    ("CG9", {"first": "C"}, "C147 A112 B147", {"first": "C"}),
    ("CG9", with_stakes(25, 1, 25), "A112 B147 C258", {"first": "C", "out": ["B"]}),
    ("CG9", with_stakes(25, 25, 1), "A112 B113 C118", {"first": "A", "out": ["C"]}),
    ("CG9", {"first": "B"}, "B112 C332 A442", {"first": "B", "round": 2}),
    # Opal River: the first may throw any hand again, the others as often as they did.
    ("CG10", {"opal": 0}, "A112", {"next": THROW_B, "pay": 2}),
    ("CG10", {"opal": 1}, "A112", {"next": A_MAY, "pay": 8}),
    ("CG10", {"opal": 1}, "A112 A!", {"next": THROW_B, "pay": 2}),
    ("CG10", {"opal": 1}, "A112 A113", {"next": THROW_B, "pay": 3}),
    ("CG10", {"opal": 2}, "A112 A113", {"next": A_MAY}),
    ("CG10", {"opal": 2}, "A112 A113 A114", {"next": THROW_B, "pay": 4}),
    ("CG10", {"opal": 1}, "A112 B113", {"next": THROW_C, "pay": 2}),
    ("CG10", {"opal": 1}, "A112 A113 B114", {"next": B_MAY, "pay": 3}),
    ("CG10", {"opal": 2}, "A112 A113 A! B114 B115", {"next": THROW_C, "pay": 3}),
    ("CG10", {"opal": 1}, "A112 A118 B113 C114", {"round": 1, "next": C_MAY}),
    ("CG10", {"opal": 1}, "A112 A118 B113 C114 C!", {"round": 2, "stakes": stakes(22, 28, 25)}),
    # ... home throw and empty among them; show-ups use no chance,
    ("CG10", {"opal": 1, **HOME}, "A136", {"next": A_MAY}),
    ("CG10", {"opal": 1}, "A147", {"next": A_MAY}),
    ("CG10", {"opal": 1}, "A147 A112 B113 C118 C!", {"stakes": stakes(27, 25, 23)}),
    ("CG10", {"opal": 1}, "A112 A246 A113", {"next": THROW_B, "pay": 3}),
    # ... and junk uses junk chances first.
    ("CG10", {"opal": 1, "junk_rethrows": 1}, "A135 A135", {"next": A_MAY}),
    ("CG10", {"opal": 1, "junk_rethrows": 1}, "A135 A135 A135", {"next": THROW_B}),
    ("CG10", {"opal": 1, "junk_rethrows": 1}, "A135 A112", {"next": A_MAY}),
    ("CG10", {"opal": 1, "junk_rethrows": 1}, "A112 A135", {"next": A_MAY}),
    ("CG10", {"opal": 1, "junk_rethrows": 1}, "A135 A! B135 B135", {"next": THROW_C}),
    # Pool: the worst pays into it, the last with money takes it.
    ("CG11", {"variant": "table"}, "A112 B113 C118", {"pot": 0, "stakes": stakes(27, 25, 23)}),
    ("CG11", POOL, "A112 B113 C118", {"pot": 2, "stakes": stakes(25, 25, 23), "first": "C"}),
    ("CG11", {**POOL, **with_stakes(2, 2)}, "A118 B112",
     {"pot": 0, "stakes": stakes(0, 4), "winners": ["B"], "status": "closed", "out": ["A"]}),
    # ... a home throw restarts the round, the pay at 8, without its thrower,
    ("CG11", {**POOL, **HOME}, "A112 B136", {"round": 1, "pay": 8, "next": THROW_A,
                                             "sitting_out": ["B"]}),
    ("CG11", {**POOL, **HOME}, "A112 B136 A113 C118",
     {"pot": 3, "stakes": stakes(25, 25, 22), "round": 2, "first": "C"}),
    ("CG11", {**POOL, **HOME}, "A136", {"first": "B", "next": THROW_B}),
    ("CG11", {**POOL, **HOME}, "A136 B136 C118", {"pot": 8, "stakes": stakes(25, 25, 17)}),
    ("CG11", {**POOL, **HOME}, "A136 B136 C136", {"pot": 0, "round": 2, "first": "A"}),
    # ... an empty ends it at once,
    ("CG11", POOL, "A112 B147", {"pot": 2, "stakes": stakes(25, 23, 25), "round": 2, "first": "B"}),
    ("CG11", {**POOL, **HOME}, "A112 B136 A147", {"pot": 8, "stakes": stakes(17, 25, 25)}),
    # ... ties are for worst alone, and in a tie throw neither does anything,
    ("CG11", POOL, "A112 B332 C118", {"pot": 2, "round": 2}),
    ("CG11", POOL, "A112 B118 C228", {"next": THROW_B, "tied_for": "worst"}),
    ("CG11", POOL, "A112 B118 C228 B111 C112", {"pot": 2, "stakes": stakes(25, 25, 23)}),
    ("CG11", {**POOL, **HOME}, "A112 B118 C228 B136 C111", {"pot": 2, "round": 2, "first": "C"}),
    ("CG11", POOL, "A112 B118 C228 B147 C111", {"pot": 2, "round": 2, "first": "B"}),
    ("CG11", POOL, "A112 B118 C228 B111 C111", {"next": THROW_B, "round": 1}),
    ("CG11", POOL, "A112 B332 C442", {"pot": 0, "round": 2, "first": "A"}),
    ("CG11", {**POOL, **SPLIT}, "A112 B118 C228",
     {"pot": 4, "stakes": stakes(25, 23, 23), "first": "B"}),
    # ... who leaves in the round pays the pool, who sits it out does not,
    ("CG11", POOL, "A112 B- C118", {"pot": 2, "stakes": stakes(25, 23, 25), "first": "C"}),
    ("CG11", POOL, "A112 B118 C228 B-", {"pot": 2, "stakes": stakes(25, 23, 25), "first": "C"}),
    ("CG11", POOL, "A112 B- C-",
     {"pot": 0, "stakes": stakes(29, 23, 23), "winners": ["A"], "status": "closed"}),
    ("CG11", POOL, "A112 A- B147", {"pot": 2, "stakes": stakes(25, 23, 25), "first": "B"}),
    ("CG11", {**POOL, **ALSO}, "A112 A- B147", {"pot": 4, "stakes": stakes(23, 23, 25)}),
    ("CG11", {**POOL, "opal": 1}, "A147 A- B111 C118", {"pot": 1, "stakes": stakes(24, 25, 25)}),
    ("CG11", {**POOL, **HOME}, "A136 A- B112 C118", {"pot": 2, "stakes": stakes(25, 25, 23)}),
    ("CG11", {**POOL, **HOME}, "A136 B-",
     {"pot": 8, "stakes": stakes(25, 17, 25), "round": 2, "first": "C"}),
    ("CG11", {**POOL, **HOME}, "A136 B- C-", {"stakes": stakes(33, 17, 25), "winners": ["A"]}),
    ("CG11", {**POOL, **HOME}, "B- A136 A-", {"stakes": stakes(25, 25, 25), "winners": ["C"]}),
    ("CG11", {**POOL, **HOME, "players": list("ABCD")}, "A136 B136 C-",
     {"pot": 8, "stakes": stakes(25, 25, 17, 25), "round": 2, "first": "D"}),
    # ... and where they may be thrown again they wait for stand.
    ("CG11", {**POOL, **HOME, "opal": 1}, "A136", {"next": A_MAY, "round": 1}),
    ("CG11", {**POOL, **HOME, "opal": 1}, "A136 A!", {"next": THROW_B, "sitting_out": ["A"]}),
    ("CG11", {**POOL, **HOME, "opal": 1}, "A136 A112", {"next": THROW_B, "sitting_out": []}),
    ("CG11", {**POOL, "opal": 1}, "A147 A!", {"round": 2, "pot": 8, "stakes": stakes(17, 25, 25)}),
    # ... joining is as everywhere.
    ("CG11", POOL, "A112 B113 C118 D^", {"stakes": stakes(25, 25, 23, 25), "pot": 2}),
    # Arcade: no money; the winner scores the pay, or one point.
    ("CG11", ARCADE, "A112 B113 C118", {"stakes": stakes(0, 0, 0), "pot": 0, "first": "C",
     "points": {"A": "2", "B": "0", "C": "0"}, "out": []}),
    ("CG11", {**ARCADE, "arcade_points": "pay"}, "A112 B113 C118 C112 A113 B118",
     {"points": {"A": "2", "B": "0", "C": "2"}}),
    ("CG11", {**ARCADE, "arcade_points": 1}, "A112 B113 C118",
     {"points": {"A": "1", "B": "0", "C": "0"}}),
    ("CG11", {**ARCADE, **HOME}, "A136 B136 C227", {"points": {"A": "7/2", "B": "7/2", "C": "0"}}),
    ("CG11", ARCADE, "A112 B147 C258", {"points": {"A": "2", "B": "0", "C": "0"}, "first": "B"}),
    ("CG11", {**ARCADE, "stake": 9}, "A112 B113 C118", {"stakes": stakes(9, 9, 9)}),
    ("CG11", ARCADE, "D^ A112 B113 C118 D888",
     {"points": {"A": "0", "B": "0", "C": "0", "D": "2"}, "stakes": stakes(0, 0, 0, 0)}),
    ("CG11", ARCADE, "A112 B113 C118 A- B-",
     {"status": "closed", "winners": [], "points": {"A": "2", "B": "0", "C": "0"}}),
    # Nobody pays more than they have.
    ("G2",  {**HOME, **with_stakes(25, 25, 5)}, "A136 B136 C118", {"stakes": stakes(28, 27, 0)}),
    ("G2",  with_stakes(25, 1, 25), "A112 B147 C258", {"stakes": stakes(28, 0, 23)}),
    # Odd coins one each, in seat order from the first thrower.
    ("G5",  HOME, "A136 B136 C227", {"stakes": stakes(29, 28, 18)}),
    ("G5",  {**HOME, "first": "B"}, "B136 C227 A136", {"stakes": stakes(28, 29, 18)}),
    ("G5",  {**SPLIT, "players": list("ABCD")}, "A113 B223 C147 D147",
     {"stakes": stakes(29, 27, 22, 22)}),  # each payer's share by itself
    # The house's home throw: sorted; the first junk the attendant throws.
    ("H1", {"home_throw": [6, 1, 3]}, "", {"home_throws": [[1, 3, 6]]}),
    ("H1", {"home_throw": [7, 8, 1], "runs": "straight"}, "", {"home_throws": [[1, 7, 8]]}),
    ("H1", {}, "", {"home_throws": []}),
    ("H2", {"home_throw_policy": "attendant"}, "h112 h123 h111 h147 h246 h468",
     {"next": {"players": [], "may": ["throw_home"]}, "home_throws": []}),
    ("H2", {"home_throw_policy": "attendant"}, "h246 h631",
     {"next": THROW_A, "home_throws": [[1, 3, 6]]}),
    # Seats, first thrower, the house's seat.
    ("G1", {"first": "C"}, "C112 A111", {"next": THROW_B}),
    # The pay is paid in units; a rake and shares are whole ones; points are points.
    ("G11", UNIT, "A112 B113 C118", {"stakes": stakes(2700, 2500, 2300), "round": 2}),
    ("G11", {**UNIT, **SPLIT}, "A115 B225 C118", {"stakes": stakes(2800, 2700, 2000)}),
    ("G11", {**UNIT, **SPLIT, **with_stakes(9, 9, 251)}, "A115 B225 C118",
     {"stakes": stakes(135, 134, 0)}),
    ("G11", {**RAKED, **with_stakes(700, 900)}, "A118 B777", {"stakes": stakes(0, 1600)}),
    ("G3", {}, "A~ A112 B~", {"next": THROW_B, "pay": 2}),
    ("G7", {"first": "B"}, "", {"first": "B"}),
    ("G7", {"players": [{"name": "A"}, {"name": "B", "house": True}]}, "", {"first": "B"}),
    ("G8", {"players": [{"name": "A"}, {"name": "B", "house": True}], "first": "A"}, "",
     {"first": "A"}),
    # Seat fees: with the first throw, not the house's, back where the round is void.
    ("G6", {"fee": SEAT}, "", {"stakes": stakes(25, 25, 25)}),
    ("G6", {"fee": SEAT}, "A112", {"stakes": stakes(23, 23, 23), "pot": 0}),
    ("G6", {"fee": SEAT}, "A112 B113 C118 C112", {"stakes": stakes(23, 21, 19)}),
    ("G6", {"fee": SEAT}, "A112 B332 C442", {"stakes": stakes(25, 25, 25)}),
    ("G6", {"fee": SEAT, "players": [{"name": "A"}, {"name": "B", "house": True}]}, "B112",
     {"stakes": stakes(23, 25)}),
    ("G6", {"fee": SEAT, **POOL, **HOME}, "A112 B136 A113", {"stakes": stakes(23, 23, 23)}),
    # ... whom they leave without a coin throws on, and is out at the end.
    ("G6", {"fee": SEAT, **with_stakes(2, 25, 25)}, "A112 B113 C118",
     {"stakes": stakes(2, 23, 21), "out": []}),
    ("G6", {"fee": SEAT, **with_stakes(2, 25, 25)}, "A118 B113 C112",
     {"stakes": stakes(0, 23, 23), "out": ["A"], "first": "B"}),
    ("G6", {"fee": SEAT, "stake": 2}, "A112 B113 C118",
     {"stakes": stakes(0, 0, 0), "status": "closed", "winners": [], "out": ["A", "B", "C"]}),
    ("G6", {"fee": SEAT, "stake": 2, **POOL}, "A112 B113 C118",
     {"stakes": stakes(0, 0, 0), "status": "closed", "winners": ["A", "B"]}),
    # The rake: of a pool that is won; 10 % of 20 is 2, or the cap.
    ("G6", {"fee": RAKE, **POOL, **with_stakes(20, 20)}, "A468 A468 A468 A468 A468 A468 A147",
     {"stakes": stakes(0, 38), "winners": ["B"], "pot": 0}),
    ("G6", {"fee": {**RAKE, "cap": 1}, **POOL, **with_stakes(20, 20)},
     "A468 A468 A468 A468 A468 A468 A147", {"stakes": stakes(0, 39)}),
    ("G6", {"fee": RAKE, **POOL}, "A468 A147 x", {"stakes": stakes(19, 28, 28)}),
    # Closing: the round is void, a pool is shared among those left.
    ("G9", {}, "A112 x", {"status": "closed", "stakes": stakes(25, 25, 25), "winners": []}),
    ("G9", {}, "A112 B- x", {"stakes": stakes(25, 25, 25)}),
    ("G9", {"fee": SEAT}, "A112 x", {"stakes": stakes(25, 25, 25)}),
    ("G9", POOL, "A112 B113 C118 C112 x", {"stakes": stakes(26, 25, 24), "pot": 0, "round": 2}),
    # The attendant's last throw is voided alone; what moved money waits for a second person.
    ("G4", {}, "A112 B113 v4", {"next": THROW_B, "pay": 2}),
    ("G4", {}, "A112 B113 C118 v5", {"round": 1, "stakes": stakes(25, 25, 25), "pay": 2}),
    ("G4", {}, "A112 B113 C135 C! v6", {"round": 1, "next": C_MAY}),
    ("G4", {}, "A112 B113 C135 C! v6~", {"round": 2}),
    ("G4", {}, "A112 B113 C118 v5~", {"round": 2, "stakes": stakes(27, 25, 23)}),
    ("G4", {}, "A112 B113 C118 v5+", {"round": 1, "stakes": stakes(25, 25, 25), "pay": 2,
                                      "next": THROW_C}),
    ("G4", {}, "A112 B113 C118 v5~ y7", {"round": 1, "stakes": stakes(25, 25, 25)}),
    ("G4", {}, "A112 B113 C118 v5~ n7", {"round": 2}),
    ("G4", {}, "A112 x v4+", {"status": "open", "next": THROW_B, "pay": 2}),
    ("G4", {}, "D^9 v2+", {"stakes": stakes(25, 25, 25), "next": THROW_A}),
]
# fmt: on


@pytest.mark.parametrize(("rule", "opening", "script", "expected"), ROWS)
def test_the_rules_as_rows(
    rule: str, opening: dict[str, Any], script: str, expected: dict[str, Any]
) -> None:
    table = tell(opened(**opening), script)

    view = table.view()

    assert table.refused == [], rule
    assert {name: view[name] for name in expected} == expected, rule
