"""Stone hand, one row per rule: how a game opens, what is thrown, what then is so."""

from typing import Any

import pytest

from tests.games.spec import opened

HOME: dict[str, Any] = {"home_throw": [1, 3, 6]}
RAKE = {"kind": "rake", "percent": 10, "cap": 2}
DEAR = {"kind": "rake", "percent": 10}
SEAT = {"kind": "seat", "amount": 2}
UNIT: dict[str, Any] = {"unit": 100, "stake": 2500}
FOR_ALL = {"players": ["A", "B"], "stake": 3900, "triad_pay": "all"}

# fmt: off
# (rule, opening, script, what the report then says). Stakes are 25 each unless the row says so.
ROWS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    # Everyone stakes the same.
    ("SH1", {}, "", {"stakes": {"A": 25, "B": 25, "C": 25}, "pot": 0, "round": 1, "first": "A"}),
    ("SH1", {"mode": "drinks"}, "", {"stakes": {"A": 0, "B": 0, "C": 0}}),
    ("SH1", {"mode": "drinks", "stake": 9}, "A227 B111 C333", {"stakes": {"A": 9, "B": 9, "C": 9}}),
    # Empty is thrown again and counts for nothing.
    ("SH2", {}, "A135 A246 A468", {"next": {"players": ["A"], "may": ["throw"]}, "pot": 0}),
    ("SH2", {}, "A135 A227", {"next": {"players": ["B"], "may": ["throw"]}}),
    # Pair is worse than run, run worse than triple; then the higher score; then the higher pair.
    ("SH3", {}, "A881 B123 C111", {"first": "A", "stakes": {"A": 24, "B": 25, "C": 25}}),
    ("SH3", {}, "A111 B678 C123", {"first": "B", "stakes": {"A": 25, "B": 18, "C": 25}}),
    ("SH3", {}, "A112 B113 C881", {"first": "B", "stakes": {"A": 25, "B": 22, "C": 25}}),
    ("SH3", {}, "A112 B332 C223", {"first": "C", "stakes": {"A": 25, "B": 25, "C": 22}}),
    ("SH3", {}, "A115 B335 C225", {"first": "B", "stakes": {"A": 25, "B": 20, "C": 25}}),
    ("SH3", {}, "A222 B333 C111", {"first": "B", "stakes": {"A": 25, "B": 16, "C": 25}}),
    # 7-8-1 scores 8, 8-1-2 scores 1; straight knows neither.
    ("SH3", {}, "A781 B812 C123", {"first": "A", "pot": 8}),
    ("SH3", {"runs": "straight"}, "A781 A812", {"next": {"players": ["A"], "may": ["throw"]}}),
    # The loser pays the score, three times the score for a triple.
    ("SH4", {}, "A227 B123 C234", {"pot": 7, "stakes": {"A": 18, "B": 25, "C": 25}}),
    ("SH4", {}, "A777 B888 C111", {"pot": 24, "stakes": {"A": 25, "B": 1, "C": 25}}),
    # Nobody pays more than they have.
    ("G2",  {"stake": 5}, "A227 B123 C234", {"pot": 5, "out": ["A"], "first": "B"}),
    # Identical worst throws: the tied throw again, owed is the original score.
    ("SH5", {}, "A227 B123 C722", {"next": {"players": ["A"], "may": ["throw"]}, "round": 1}),
    ("SH5", {}, "A227 B123 C227 A111 C115", {"first": "C", "pot": 7, "round": 2}),
    ("SH5", {}, "A227 B227 C227 A115 B115 C111 A888 B777", {"first": "A", "pot": 7}),
    ("SH5", {"tie_owes": "rethrow"}, "A227 B123 C227 A888 C777", {"first": "A", "pot": 24}),
    ("SH5", {"tie_owes": "rethrow"}, "A227 B123 C227 A112 C113", {"first": "C", "pot": 3}),
    # ... an empty among them is thrown again,
    ("SH5", {}, "A227 B123 C227 A135 A112 C113", {"first": "C", "pot": 7}),
    # ... a triad loses at once and owes its own,
    ("SH5", {}, "A227 B123 C227 A147", {"first": "A", "pot": 4, "round": 2}),
    ("SH5", {}, "A227 B123 C227 A118 C258", {"first": "C", "pot": 5, "round": 2}),
    ("SH5", {"triads": False}, "A227 B123 C227 A147 A111 C112", {"first": "C", "pot": 7}),
    # ... a home throw escapes; one left loses; all escaped throw again.
    ("SH5", HOME, "A227 B123 C227 A136 C111", {"first": "C", "pot": 7}),
    ("SH5", {**HOME, "tie_owes": "rethrow"}, "A227 B123 C227 A136 C111", {"first": "C", "pot": 3}),
    ("SH5", HOME, "A227 B123 C227 A136 C136 A111 C112", {"first": "C", "pot": 7}),
    ("SH5", HOME, "A227 B227 C227 A136 B112 C112 B111 C113", {"first": "C", "pot": 7}),
    # ... and nobody throws again by choice.
    ("SH5", {"rethrow": 1}, "A118 A227 B123 C111 C227 A112 C113", {"first": "C", "pot": 7}),
    # A triad loses on the spot.
    ("SH6", {}, "A227 B147", {"first": "B", "pot": 4, "round": 2}),
    ("SH6", {}, "A852", {"first": "A", "pot": 5, "round": 2}),
    ("SH6", {"triad_pay": 3}, "A147", {"pot": 3}),
    ("SH6", {"triad_pay": "all"}, "A147", {"pot": 25, "out": ["A"], "first": "B"}),
    ("SH6", {"triad_pay": 99}, "A147", {"pot": 25, "out": ["A"]}),
    ("SH6", {"triads": False}, "A147 A258",
     {"pot": 0, "next": {"players": ["A"], "may": ["throw"]}}),
    # A home throw: the round starts again, its thrower sits out.
    ("SH7", HOME, "A227 B136", {"next": {"players": ["A"], "may": ["throw"]},
     "sitting_out": ["B"]}),
    ("SH7", HOME, "A227 B136 A111 C112", {"first": "C", "pot": 2, "round": 2, "sitting_out": []}),
    ("SH7", HOME, "A136", {"first": "B", "next": {"players": ["B"], "may": ["throw"]}, "round": 1}),
    ("SH7", HOME, "A227 B136 A613", {"first": "C", "sitting_out": ["B", "A"], "round": 1}),
    # ... a sole one left throws and pays; or the round is void.
    ("SH7", HOME, "A136 B136 C234", {"first": "C", "pot": 3, "round": 2}),
    ("SH7", {**HOME, "sole": "void"}, "A136 B136", {"first": "A", "pot": 0, "round": 2}),
    # ... all sit out: void, and who began this round begins the next.
    ("SH7", HOME, "A136 B136 C136", {"first": "A", "pot": 0, "round": 2}),
    # ... any declared home throw counts for everybody.
    ("SH7", {"homes": "players", "players": [
        {"name": "A", "home_throw": [1, 3, 6]}, {"name": "B", "home_throw": [8, 5, 3]},
        {"name": "C"}]}, "A358 B136",
     {"home_throws": [[1, 3, 6], [3, 5, 8]], "sitting_out": ["A", "B"]}),
    # The loser throws first; if out, the next seat with money.
    ("SH8", {}, "A111 B112 C111", {"first": "B"}),
    ("SH8", {"stake": 2}, "A111 B113 C111", {"first": "C", "out": ["B"]}),
    ("SH8", {"stake": 2}, "A111 B111 C113", {"first": "A", "out": ["C"]}),
    # The last with money wins the pool.
    ("SH9", {"players": ["A", "B"], "stake": 5}, "A227 B112",
     {"status": "closed", "winners": ["B"], "stakes": {"A": 0, "B": 10}, "pot": 0, "out": ["A"],
      "first": None, "next": {"players": [], "may": []}, "round": 1}),
    # Leaving forfeits, or refunds; the last one left wins.
    ("SH10", {}, "B-", {"pot": 25, "stakes": {"A": 25, "B": 0, "C": 25}, "out": ["B"]}),
    ("SH10", {}, "A-", {"first": "B", "round": 1}),
    ("SH10", {"leave": "refund"}, "B-", {"pot": 0, "stakes": {"A": 25, "B": 25, "C": 25}}),
    ("SH10", {}, "A227 B111 C222 A- B-",
     {"winners": ["C"], "stakes": {"A": 0, "B": 0, "C": 75}, "round": 2, "status": "closed"}),
    ("SH10", {"mode": "drinks"}, "A- B-", {"status": "closed", "winners": [], "out": ["A", "B"]}),
    # Thrown again by choice.
    ("SH11", {}, "A112", {"next": {"players": ["B"], "may": ["throw"]}}),
    ("SH11", {"rethrow": 1}, "A118", {"next": {"players": ["A"], "may": ["throw", "stand"]}}),
    ("SH11", {"rethrow": 1}, "A118 A117", {"next": {"players": ["B"], "may": ["throw"]}}),
    ("SH11", {"rethrow": 2}, "A118 A117", {"next": {"players": ["A"], "may": ["throw", "stand"]}}),
    ("SH11", {"rethrow": 1}, "A118 A!", {"next": {"players": ["B"], "may": ["throw"]}}),
    # ... the next one's throw takes it; none for those after where the first took none,
    ("SH11", {"rethrow": 1}, "A118 B117", {"next": {"players": ["C"], "may": ["throw"]}}),
    # ... else as often as the first,
    ("SH11", {"rethrow": 2}, "A118 A117 B116",
     {"next": {"players": ["B"], "may": ["throw", "stand"]}}),
    ("SH11", {"rethrow": 2}, "A118 A117 B116 B115", {"next": {"players": ["C"], "may": ["throw"]}}),
    # ... the last in order stands by saying so, and the last throw stands although worse.
    ("SH11", {"rethrow": 1}, "A118 A111 B112 C113", {"round": 1}),
    ("SH11", {"rethrow": 1}, "A118 A111 B112 C113 C!", {"round": 2, "first": "C", "pot": 3}),
    ("SH11", {"rethrow": 1}, "A111 A118 B112 C113 C!", {"round": 2, "first": "A", "pot": 8}),
    # ... an empty on the way must be thrown again, and is no choice of its own,
    ("SH11", {"rethrow": 1}, "A118 A135", {"next": {"players": ["A"], "may": ["throw"]}}),
    ("SH11", {"rethrow": 2}, "A118 A135 A117",
     {"next": {"players": ["A"], "may": ["throw", "stand"]}}),
    # ... a triad or home throw by choice is what it is; a restart begins the count anew.
    ("SH11", {"rethrow": 1}, "A118 A147", {"round": 2, "pot": 4}),
    ("SH11", {"rethrow": 1, **HOME}, "A118 A117 B136 A115",
     {"round": 1, "next": {"players": ["A"], "may": ["throw", "stand"]}}),
    ("SH11", {"rethrow": 1, **HOME}, "A118 A117 B136 A115 C111",
     {"round": 2, "first": "A", "pot": 5}),
    # Drinks: one for each other player still in the game.
    ("SH12", {"mode": "drinks"}, "A227 B111 C123",
     {"drinks": {"A": 2, "B": 0, "C": 0}, "pot": 0, "points": {}, "first": "A"}),
    ("SH12", {"mode": "drinks", **HOME}, "A136 B227 C111", {"drinks": {"A": 0, "B": 2, "C": 0}}),
    ("SH12", {"mode": "drinks"}, "A147 A- B123 C111", {"drinks": {"A": 2, "B": 1, "C": 0}}),
    # Scoreboard: a point for the best, or for the lowest score; equal ones each.
    ("SH13", {"mode": "scoreboard"}, "A227 B888 C111",
     {"points": {"A": "0", "B": "0", "C": "1"}, "drinks": {}, "pot": 0, "first": "A"}),
    ("SH13", {"mode": "scoreboard"}, "A227 B111 C111", {"points": {"A": "0", "B": "1", "C": "1"}}),
    ("SH13", {"mode": "scoreboard", "point_to": "lowest_score"}, "A221 B222 C812",
     {"points": {"A": "1", "B": "0", "C": "1"}}),
    ("SH13", {"mode": "scoreboard"}, "A111 B147",
     {"points": {"A": "0", "B": "0", "C": "0"}, "first": "B"}),
    ("SH13", {"mode": "scoreboard"}, "A111 B227 C227 B118 C111", {"first": "B", "out": [],
     "points": {"A": "1", "B": "0", "C": "0"}}),
    # ... the tied throw only to name the loser: a triad among them takes nobody's point.
    ("SH13", {"mode": "scoreboard"}, "A111 B227 C227 B147", {"first": "B", "round": 2,
     "points": {"A": "1", "B": "0", "C": "0"}}),
    # The house's home throw: sorted; the first junk the attendant throws.
    ("H1", {"home_throw": [6, 1, 3]}, "", {"home_throws": [[1, 3, 6]]}),
    ("H1", {"home_throw": [2, 4, 6]}, "", {"home_throws": [[2, 4, 6]]}),
    ("H1", {"home_throw": [7, 8, 1], "runs": "straight"}, "", {"home_throws": [[1, 7, 8]]}),
    ("H1", {}, "", {"home_throws": []}),
    ("H2", {"home_throw_policy": "attendant"}, "",
     {"next": {"players": [], "may": ["throw_home"]}}),
    ("H2", {"home_throw_policy": "attendant"}, "h112 h123 h111 h147 h246 h468",
     {"next": {"players": [], "may": ["throw_home"]}, "home_throws": []}),
    ("H2", {"home_throw_policy": "attendant"}, "h246 h631",
     {"next": {"players": ["A"], "may": ["throw"]}, "home_throws": [[1, 3, 6]]}),
    # Seats, first thrower, the house's seat.
    ("G1", {"first": "C"}, "C112 A111", {"next": {"players": ["B"], "may": ["throw"]}}),
    ("G3", {}, "A~ A112 B~", {"next": {"players": ["B"], "may": ["throw"]}, "pot": 0}),
    ("G7", {"first": "B"}, "", {"first": "B"}),
    ("G7", {"players": [{"name": "A", "stake": 3}, {"name": "B", "stake": 3, "house": True}]}, "",
     {"first": "B", "stakes": {"A": 3, "B": 3}}),
    ("G8", {"players": [{"name": "A", "stake": 3}, {"name": "B", "stake": 3, "house": True}],
            "first": "A"}, "", {"first": "A"}),
    # Odd coins one each from the running round's first thrower (C after losing 8).
    ("G5", {}, "A111 B111 C118 x", {"stakes": {"A": 28, "B": 27, "C": 20}, "pot": 0}),
    # The rake: 10 % of 19 is 1, rounded down; a cap; none where nobody wins.
    ("G6", {"players": ["A", "B"], "stake": 19, "fee": DEAR, "triad_pay": "all"}, "A147",
     {"stakes": {"A": 0, "B": 37}, "winners": ["B"]}),
    ("G6", {"players": ["A", "B"], "stake": 39, "fee": RAKE, "triad_pay": "all"}, "A147",
     {"stakes": {"A": 0, "B": 76}}),
    ("G6", {"players": ["A", "B"], "stake": 39, "fee": DEAR}, "A222 B118 x",
     {"stakes": {"A": 43, "B": 35}, "winners": []}),
    # The seat fee: with the first throw, not the house's seat, back where the round is void.
    ("G6", {"fee": SEAT}, "A135", {"stakes": {"A": 23, "B": 23, "C": 23}, "pot": 0}),
    ("G6", {"fee": SEAT}, "A135 A112 B111 C111 A112",
     {"stakes": {"A": 19, "B": 21, "C": 21}, "pot": 2}),
    ("G6", {"fee": SEAT, **HOME}, "A136 B136 C136", {"stakes": {"A": 25, "B": 25, "C": 25}}),
    ("G6", {"fee": SEAT}, "A112 x", {"stakes": {"A": 25, "B": 25, "C": 25}}),
    ("G6", {"fee": SEAT, "players": [{"name": "A", "stake": 9},
     {"name": "B", "stake": 9, "house": True}]},
     "B112", {"stakes": {"A": 7, "B": 9}}),
    # ... whom it leaves without a coin still throws, and drops out at the end of the round.
    ("G6", {"fee": SEAT, "players": [{"name": "A", "stake": 2}, {"name": "B", "stake": 2},
            {"name": "H", "stake": 2, "house": True}]}, "H111 A112 B111",
     {"out": ["A", "B"], "winners": ["H"], "stakes": {"A": 0, "B": 0, "H": 2}}),
    ("G6", {"fee": SEAT, "stake": 2}, "A111 B112 C111",
     {"out": ["A", "B", "C"], "winners": ["A", "C"], "pot": 0, "status": "closed"}),
    # What the rules count is in units; a score stays a score.
    ("G11", UNIT, "A227 B123 C234", {"pot": 700, "stakes": {"A": 1800, "B": 2500, "C": 2500}}),
    ("G11", UNIT, "A777 B888 C111", {"pot": 2400, "stakes": {"A": 2500, "B": 100, "C": 2500}}),
    ("G11", UNIT, "A852", {"pot": 500}),
    ("G11", {**UNIT, "triad_pay": 2}, "A852", {"pot": 200}),
    ("G11", {**UNIT, "triad_pay": "all"}, "A852", {"pot": 2500, "out": ["A"]}),
    ("G11", {**UNIT, "tie_owes": "rethrow"}, "A227 B123 C227 A888 C777", {"pot": 2400}),
    ("G11", {"unit": 100, "mode": "drinks"}, "A227 B123 C234", {"drinks": {"A": 2, "B": 0,
     "C": 0}}),
    ("G11", {"unit": 100, "mode": "scoreboard"}, "A227 B123 C111", {"points": {"A": "0", "B": "0",
     "C": "1"}}),
    # ... last coins are paid as they are, and dealt by the coin after the whole units.
    ("G11", {**UNIT, "stake": 251}, "A227 B123 C234", {"pot": 251, "out": ["A"]}),
    ("G11", {**UNIT, "stake": 251}, "A227 B123 C234 x", {"stakes": {"A": 0, "B": 377, "C": 376}}),
    ("G11", {**UNIT, "stake": 300}, "A227 B123 C234 x", {"stakes": {"A": 0, "B": 500, "C": 400}}),
    # ... a rake takes whole units, and its cap is money.
    ("G11", {**UNIT, **FOR_ALL, "fee": DEAR}, "A147", {"stakes": {"A": 0, "B": 7500}}),
    ("G11", {**UNIT, **FOR_ALL, "fee": {**DEAR, "cap": 250}}, "A147",
     {"stakes": {"A": 0, "B": 7600}}),
    ("G11", {**UNIT, **FOR_ALL, "fee": {**DEAR, "cap": 99}}, "A147",
     {"stakes": {"A": 0, "B": 7800}}),
    ("G11", {**UNIT, "fee": SEAT}, "A135", {"stakes": {"A": 2498, "B": 2498, "C": 2498}}),
    # Closing: the round is void, the pool is shared.
    ("G9", {}, "x", {"status": "closed", "round": 1, "stakes": {"A": 25, "B": 25, "C": 25}}),
    ("G9", {}, "A227 B123 C234 A112 x", {"stakes": {"A": 21, "B": 27, "C": 27}, "round": 2}),
    ("G9", {"stake": 7}, "A227 B123 C234 B111 x", {"stakes": {"A": 0, "B": 11, "C": 10}}),
    ("G9", {"mode": "drinks"}, "A112 x", {"drinks": {"A": 0, "B": 0, "C": 0}, "winners": []}),
    # The attendant's last throw is voided alone; what moved money waits for a second person.
    ("G4", {}, "A227 B123 v3", {"next": {"players": ["B"], "may": ["throw"]}}),
    ("G4", {}, "A227 B123 C234 v4", {"pot": 0, "round": 1}),
    ("G4", {}, "A227 B123 C234 v4~", {"pot": 7, "round": 2}),
    ("G4", {}, "A227 B123 C234 v4+", {"pot": 0, "round": 1, "next": {"players": ["C"],
     "may": ["throw"]}}),
    ("G4", {}, "A227 B123 C234 v4~ y6", {"pot": 0, "round": 1}),
    ("G4", {}, "A227 B123 C234 v4~ n6", {"pot": 7, "round": 2}),
    ("G4", {}, "A227 x v3+", {"status": "open", "next": {"players": ["B"], "may": ["throw"]}}),
]
# fmt: on


@pytest.mark.parametrize(("rule", "opening", "script", "expected"), ROWS)
def test_the_rules_as_rows(
    rule: str, opening: dict[str, Any], script: str, expected: dict[str, Any]
) -> None:
    table = opened(**opening).tell(script)

    view = table.view()

    assert table.refused == [], rule
    assert {name: view[name] for name in expected} == expected, rule
