"""Threes away, one row per rule: how a game opens, what is thrown, what then is so."""

from typing import Any

import pytest

from games.threes_away.rules import limit_of
from tests.games.spec_threes_away import OPTIONS, opened, tell

THROW_A = {"players": ["A"], "may": ["throw"]}
THROW_B = {"players": ["B"], "may": ["throw"]}
THROW_C = {"players": ["C"], "may": ["throw"]}
NOBODY: dict[str, list[str]] = {"players": [], "may": []}
RAKE = {"kind": "rake", "percent": 10}
SEAT = {"kind": "seat", "amount": 2}
POOR = [{"name": "A", "stake": 1}, {"name": "B"}, {"name": "C"}]
DIFFERENT = [{"name": "A", "stake": 5}, {"name": "B", "stake": 6}]
HOUSE = [{"name": "A"}, {"name": "B", "house": True}]

TIE = "A33334= B33334= C66666/6"  # A and B at 4, C bust
ZERO_TIE = "A12345= B33333= C33333="  # B and C at zero, each with antes of all

# fmt: off
# (rule, opening, script, what the report then says). Stakes are 10 each unless the row says so.
ROWS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    # Everybody antes as the round starts.
    ("TA1", {}, "", {"stakes": {"A": 9, "B": 9, "C": 9}, "pot": 3, "round": 1, "first": "A",
                     "next": THROW_A, "scores": {}, "out": [], "awaited": 0}),
    ("TA1", {"ante": 4}, "", {"stakes": {"A": 6, "B": 6, "C": 6}, "pot": 12}),
    # A 3 counts nothing, or another face does.
    ("TA1", {}, "A13366=", {"scores": {"A": 13}}),
    ("TA1", {"zero": 6}, "A13366=", {"scores": {"A": 7}}),
    ("TA1", {"zero": 1}, "A11111=", {"scores": {"A": 0}}),
    ("TA1", {"zero": 2}, "A22345=", {"scores": {"A": 12}}),
    ("TA1", {"zero": 4}, "A44135=", {"scores": {"A": 9}}),
    ("TA1", {"zero": 5}, "A55126=", {"scores": {"A": 9}}),
    # The lowest total takes the pot; the antes of the next round are paid at once.
    ("TA1", {}, "A33334= B33331= C33332=",
     {"stakes": {"A": 8, "B": 11, "C": 8}, "pot": 3, "round": 2, "scores": {}, "first": "B"}),
    # With fewer than two able to ante no round starts, and one starts when they are.
    ("TA1", {"players": ["A", "B"], "stake": 1}, "A33331= B33332=",
     {"stakes": {"A": 2, "B": 0}, "pot": 0, "round": 2, "first": "A", "next": NOBODY,
      "status": "open", "out": ["B"]}),
    ("TA1", {"players": ["A", "B"], "stake": 1}, "A33331= B33332= B+1",
     {"stakes": {"A": 1, "B": 0}, "pot": 2, "round": 2, "next": THROW_A, "out": []}),
    ("TA1", {"players": ["A", "B"], "stake": 1}, "A33331= B33332= D^1",
     {"stakes": {"A": 1, "B": 0, "D": 0}, "pot": 2, "next": THROW_A, "out": ["B"]}),
    ("TA1", {"ante": 11}, "", {"pot": 0, "round": 1, "first": "A", "next": NOBODY,
                               "out": ["A", "B", "C"]}),
    ("TA1", {"ante": 11}, "B+1 C+1", {"pot": 22, "first": "B", "next": THROW_B, "out": ["A"]}),
    # Throw, keep some, throw the rest; keep all to stop.
    ("TA2", {}, "A12345", {"next": {"players": ["A"], "may": ["keep"]}}),
    ("TA2", {}, "A12345 A:3", {"next": THROW_A, "scores": {}}),
    ("TA2", {}, "A12345/31 A344/34 A2/2", {"next": THROW_B, "scores": {"A": 7}}),
    ("TA2", {}, "A12345/31 A344", {"turn": {"player": "A", "kept": [3, 1], "total": 1,
                                            "thrown": [3, 4, 4], "bottoms": False}}),
    ("TA2", {}, "A12345=", {"next": THROW_B, "scores": {"A": 12}}),
    # ... threes are not kept by themselves, nor is the last die.
    ("TA2", {}, "A33333/3 A3333", {"next": {"players": ["A"], "may": ["keep"]}, "scores": {}}),
    ("TA2", {}, "A33333/3333 A3", {"next": {"players": ["A"], "may": ["keep"]}, "scores": {}}),
    # Above the lowest finished total the turn is lost; equal plays on.
    ("TA3", {}, "A33334= B33331/31", {"next": THROW_B, "scores": {"A": 4}}),
    ("TA3", {}, "A33334= B12645/4", {"next": THROW_B, "scores": {"A": 4}}),
    ("TA3", {}, "A33334= B12345/5", {"next": THROW_C, "scores": {"A": 4, "B": "bust"}}),
    ("TA3", {}, "A33334= B12345/4 B1333/1", {"next": THROW_C, "scores": {"A": 4, "B": "bust"}}),
    ("TA3", {}, "A33336= B33332= C33334/4", {"round": 2, "first": "B"}),
    ("TA3", {"bust": "previous"}, "A33336= B33334= C33335/5", {"round": 2, "first": "B"}),
    ("TA3", {"bust": "previous"}, "A33334= B33335/5 C33334/4",
     {"next": THROW_C, "scores": {"A": 4, "B": "bust"}}),
    ("TA3", {"bust": "none"}, "A33331= B66666/6", {"next": THROW_B, "scores": {"A": 1}}),
    ("TA3", {"bust": "none"}, "A33331= B66666=", {"scores": {"A": 1, "B": 30}}),
    # A finished zero costs everybody another ante, the thrower and the bust too.
    ("TA4", {}, "A33333=", {"pot": 6, "stakes": {"A": 8, "B": 8, "C": 8}, "scores": {"A": 0}}),
    ("TA4", {}, "A33334= B12345/5 C33333=", {"stakes": {"A": 7, "B": 7, "C": 13}, "pot": 3}),
    # ... and those who watch a play-off,
    ("TA4", {}, ZERO_TIE + " B33333=", {"stakes": {"A": 5, "B": 5, "C": 5}, "pot": 15}),
    # ... as far as they have it,
    ("TA4", {"players": POOR}, "A33333=", {"stakes": {"A": 0, "B": 8, "C": 8}, "pot": 5}),
    ("G2", {"ante": 7}, "A33333=", {"stakes": {"A": 0, "B": 0, "C": 0}, "pot": 30}),
    # ... but not who only waits for the next round.
    ("TA4", {"players": POOR}, TIE + " B33334/33 A+5 B334= C33333=",
     {"stakes": {"A": 4, "B": 6, "C": 13}, "round": 3, "pot": 3}),
    # One tie, all tie: everybody antes again for the pot that is carried.
    ("TA5", {}, TIE, {"pot": 6, "stakes": {"A": 8, "B": 8, "C": 8}, "round": 2, "next": THROW_A,
                      "tied": [], "winners": []}),
    ("TA5", {"tie_ante": False}, TIE, {"pot": 3, "stakes": {"A": 9, "B": 9, "C": 9}, "round": 2}),
    ("TA5", {}, TIE + " A33335= B66666/6", {"next": THROW_C, "scores": {"A": 5, "B": "bust"}}),
    ("TA5", {}, TIE + " A33335= B66666/6 C33331=", {"stakes": {"A": 7, "B": 7, "C": 13}}),
    # ... without an ante also who could not pay one is in; who comes new pays.
    ("TA5", {"tie_ante": False, "players": POOR}, TIE, {"out": [], "next": THROW_A, "pot": 3}),
    ("TA5", {"tie_ante": False}, TIE + " D^5",
     {"pot": 4, "stakes": {"A": 9, "B": 9, "C": 9, "D": 4}}),
    ("TA5", {"tie_ante": False}, TIE + " C-", {"pot": 3, "stakes": {"A": 9, "B": 9, "C": 9}}),
    # A tie at zero: only the tied go on, everybody antes once more.
    ("TA6", {}, ZERO_TIE, {"pot": 12, "stakes": {"A": 6, "B": 6, "C": 6}, "round": 2, "first": "B",
                           "tied": ["B", "C"], "sitting_out": ["A"], "next": THROW_B}),
    ("TA6", {"zero_tie_ante": "none"}, ZERO_TIE,
     {"pot": 9, "stakes": {"A": 7, "B": 7, "C": 7}, "tied": ["B", "C"], "sitting_out": ["A"]}),
    ("TA6", {}, ZERO_TIE + " B33334= C33331=",
     {"stakes": {"A": 5, "B": 5, "C": 17}, "pot": 3, "round": 3, "first": "C", "tied": []}),
    # ... a tie within it keeps in who plays it off, and all ante,
    ("TA6", {}, ZERO_TIE + " B33334= C33334=",
     {"pot": 15, "stakes": {"A": 5, "B": 5, "C": 5}, "round": 3, "tied": ["B", "C"],
      "sitting_out": ["A"], "first": "B"}),
    ("TA6", {"tie_ante": False}, ZERO_TIE + " B33334= C33334=",
     {"pot": 12, "tied": ["B", "C"], "sitting_out": ["A"]}),
    # ... one left alone in it takes the pot,
    ("TA6", {}, ZERO_TIE + " C-",
     {"stakes": {"A": 5, "B": 16, "C": 7}, "pot": 2, "round": 3, "first": "B", "out": ["C"]}),
    # ... who cannot ante is out of it until they buy in; two are needed.
    ("TA6", {"ante": 3}, ZERO_TIE, {"round": 2, "next": NOBODY, "pot": 27, "tied": ["B", "C"],
     "first": "B", "out": ["A", "B", "C"], "stakes": {"A": 1, "B": 1, "C": 1}}),
    ("TA6", {"ante": 3}, ZERO_TIE + " A+9 C+2", {"next": NOBODY, "pot": 27}),
    ("TA6", {"ante": 3}, ZERO_TIE + " C+2 B+2", {"next": THROW_B, "pot": 33, "sitting_out": []}),
    ("TA6", {"ante": 3}, ZERO_TIE + " B-", {"round": 3, "stakes": {"A": 1, "B": 1, "C": 28},
     "next": NOBODY, "first": "C"}),
    # Progressive: a limit for each round since the pot was won.
    ("TA7", {}, "", {"limit": None}),
    ("TA7", {"progressive": "by_round"}, "", {"limit": 0}),
    ("TA7", {"progressive": "by_round"}, "A33331= B33332= C33332=",
     {"pot": 6, "stakes": {"A": 8, "B": 8, "C": 8}, "round": 2, "first": "A", "limit": 1}),
    ("TA7", {"progressive": "by_round"}, "A33331= B33332= C33332= A33331= B33332= C33332=",
     {"pot": 3, "stakes": {"A": 13, "B": 7, "C": 7}, "round": 3, "limit": 0}),
    ("TA7", {"progressive": "triangular"}, "", {"limit": 1}),
    ("TA7", {"progressive": "triangular"}, TIE, {"limit": 2, "pot": 6, "round": 2}),
    ("TA7", {"progressive": "triangular"}, f"{TIE} {TIE}", {"limit": 2, "pot": 9, "round": 3}),
    ("TA7", {"progressive": "triangular"}, f"{TIE} {TIE} {TIE}", {"limit": 3, "round": 4}),
    ("TA7", {"progressive": "triangular"}, "A33331= B33332= C33332=", {"limit": 1, "pot": 3}),
    # ... a tie above it is a rollover, with antes; within it, a replay that counts as a round,
    ("TA7", {"progressive": "triangular", "tie_ante": False}, TIE, {"limit": 2, "pot": 6}),
    ("TA7", {"progressive": "triangular", "tie_ante": False}, "A33331= B33331= C66666/6",
     {"limit": 2, "pot": 3, "first": "A"}),
    ("TA7", {"progressive": "by_round"}, ZERO_TIE, {"limit": 1, "tied": ["B", "C"]}),
    # ... and who plays off keeps on playing off; a void round does not count.
    ("TA7", {"progressive": "by_round"}, ZERO_TIE + " B33332= C33334=",
     {"limit": 2, "pot": 15, "tied": ["B", "C"], "sitting_out": ["A"], "first": "B"}),
    ("TA7", {"progressive": "by_round"}, "A33331= B33332= C33332= B- C- B^",
     {"limit": 1, "round": 3, "pot": 5}),
    # Bottoms: the faces underneath count, for that throw.
    ("TA8", {"bottoms": True}, "Ab44441=", {"scores": {"A": 6}}),
    ("TA8", {"bottoms": True}, "A44441=", {"scores": {"A": 17}}),
    ("TA8", {"bottoms": True}, "Ab44441/4444 A1=", {"scores": {"A": 1}}),
    ("TA8", {"bottoms": True}, "Ab44441 A:44", {"turn": {"player": "A", "kept": [4, 4], "total": 0,
                                                       "thrown": [], "bottoms": False}}),
    ("TA8", {"bottoms": True, "zero": 6}, "Ab11114=", {"scores": {"A": 3}}),
    # The winner throws first; where nobody won the same again, or the next seat in it.
    ("TA9", {}, "A33334= B33332= C33331=", {"first": "C", "next": THROW_C}),
    ("TA9", {"first": "B"}, "B33334= C33334= A66666/6", {"first": "B", "round": 2}),
    ("TA9", {"players": POOR}, TIE, {"first": "B", "out": ["A"], "round": 2, "next": THROW_B}),
    # Out until they buy in: at once before the first throw, else with the next round.
    ("TA10", {"players": POOR}, TIE + " A+5",
     {"out": [], "stakes": {"A": 4, "B": 8, "C": 8}, "pot": 6, "next": THROW_A}),
    ("TA10", {"players": POOR}, TIE + " B33334= A+5",
     {"out": [], "stakes": {"A": 5, "B": 8, "C": 8}, "pot": 5, "next": THROW_C}),
    ("TA10", {"players": POOR}, TIE + " B33334= A+5 C33331=",
     {"stakes": {"A": 4, "B": 7, "C": 12}, "pot": 3, "round": 3, "first": "C"}),
    ("TA10", {"players": POOR}, "A33333= B33333= C33333= A+5",
     {"stakes": {"A": 4, "B": 5, "C": 5}, "tied": ["A", "B", "C"], "next": THROW_A, "pot": 12}),
    ("TA10", {"ante": 3, "players": POOR}, "A$1", {"stakes": {"A": 0, "B": 7, "C": 7}}),
    # ... while others play off nobody comes in, and nobody pays for it.
    ("TA10", {"ante": 2}, ZERO_TIE + " D^5",
     {"stakes": {"A": 2, "B": 2, "C": 2, "D": 5}, "pot": 24, "sitting_out": ["A"], "out": []}),
    ("TA10", {"ante": 2}, ZERO_TIE + " D^5 B33331= C33332=",
     {"stakes": {"A": 0, "B": 24, "C": 0, "D": 3}, "pot": 8, "first": "B", "out": []}),
    # ... what is in the pot when the table closes rolls over.
    ("TA10", {}, TIE + " x", {"stakes": {"A": 9, "B": 9, "C": 9}, "pot": 0, "status": "closed"}),
    ("TA10", {"players": ["A", "B"], "stake": 1}, "A33331= B33331= x",
     {"stakes": {"A": 0, "B": 0}, "pot": 0, "round": 1, "out": ["A", "B"]}),
    # Joining and leaving, as long as nothing is thrown.
    ("G1", {}, "D^5", {"stakes": {"A": 9, "B": 9, "C": 9, "D": 4}, "pot": 4, "next": THROW_A}),
    ("G1", {}, "D^5 A33334= B33334= C33334=", {"next": {"players": ["D"], "may": ["throw"]}}),
    ("G1", {"first": "C"}, "D^5 C33334=", {"next": {"players": ["D"], "may": ["throw"]}}),
    ("G1", {}, "D^", {"stakes": {"A": 9, "B": 9, "C": 9, "D": 9}, "pot": 4}),
    ("G1", {"players": [{"name": "A", "stake": 5}, {"name": "B", "stake": 5}]}, "D^",
     {"stakes": {"A": 4, "B": 4, "D": 4}, "pot": 3}),
    ("G1", {"players": [{"name": "A", "stake": 90, "house": True}, {"name": "B"}]}, "D^",
     {"stakes": {"A": 89, "B": 9, "D": 9}}),
    ("G1", {}, "C-", {"stakes": {"A": 9, "B": 9, "C": 10}, "pot": 2, "out": ["C"]}),
    ("G1", {}, "A-", {"first": "B", "pot": 2, "next": THROW_B}),
    ("G1", {}, "A- A^", {"first": "B", "pot": 3, "stakes": {"A": 9, "B": 9, "C": 9}, "out": []}),
    ("G1", {}, "A- A^5 B33334= C33334=", {"next": THROW_A, "stakes": {"A": 14, "B": 9, "C": 9}}),
    # ... one left alone plays no round; what was carried stays.
    ("G1", {}, "A- B-", {"pot": 0, "stakes": {"A": 10, "B": 10, "C": 10}, "round": 2,
                         "next": NOBODY, "first": "C"}),
    ("G1", {}, "A- B- C-", {"first": None, "next": NOBODY, "out": ["A", "B", "C"]}),
    ("G1", {}, TIE + " A- B-", {"pot": 3, "round": 3, "stakes": {"A": 9, "B": 9, "C": 9}}),
    ("G1", {"tie_ante": False}, TIE + " A- B- D^1",
     {"pot": 4, "stakes": {"A": 9, "B": 9, "C": 9, "D": 0}, "round": 3, "next": THROW_C}),
    # ... and who leaves a play-off has no claim to it when coming back.
    ("G1", {}, "A33333= B33333= C33333= B- B^", {"tied": ["A", "C"], "out": [], "pot": 14}),
    ("G3", {}, "A~ A12345/1 A~", {"next": THROW_A, "pot": 3, "scores": {}}),
    # Nothing is shared: 7 coins among three roll over whole.
    ("G5", {}, "D^5 D- A33334= B33334= C33334= D^5 A33335= B33335= C33335= D66666/6 x",
     {"stakes": {"A": 8, "B": 8, "C": 8, "D": 9}, "pot": 0}),
    # The rake: each time a pot is won; a cap; not on what rolls over.
    ("G6", {"stake": 50, "ante": 13, "fee": RAKE}, "A33331= B33332= C33332=",
     {"stakes": {"A": 60, "B": 24, "C": 24}, "pot": 39}),
    ("G6", {"stake": 50, "ante": 13, "fee": {**RAKE, "cap": 2}}, "A33331= B33332= C33332=",
     {"stakes": {"A": 61, "B": 24, "C": 24}}),
    ("G6", {"stake": 50, "ante": 13, "fee": RAKE}, TIE,
     {"stakes": {"A": 24, "B": 24, "C": 24}, "pot": 78}),
    # The seat fee: with the first throw, from who throws, not the house; back if the round is void.
    ("G6", {"fee": SEAT}, "A33331", {"stakes": {"A": 7, "B": 7, "C": 7}, "pot": 3}),
    ("G6", {"fee": SEAT}, "A33331= B33332= C33332= A33331", {"stakes": {"A": 7, "B": 4, "C": 4}}),
    ("G6", {"fee": SEAT, "players": HOUSE, "first": "A"}, "A33331", {"stakes": {"A": 7, "B": 9}}),
    ("G6", {"fee": SEAT}, "A33331 x", {"stakes": {"A": 10, "B": 10, "C": 10}}),
    ("G6", {"fee": SEAT, "stake": 20}, ZERO_TIE + " B33331",
     {"stakes": {"A": 14, "B": 12, "C": 12}}),
    # Antes are units; last coins go as they are, and a rake is whole units of what there is.
    ("G11", {"unit": 5, "stake": 50}, "", {"stakes": {"A": 45, "B": 45, "C": 45}, "pot": 15}),
    ("G11", {"unit": 5, "stake": 50}, "A33333=", {"pot": 30}),
    ("G11", {"unit": 5, "stake": 7, "fee": RAKE}, "A33333= B33331= C33332=",
     {"stakes": {"A": 21, "B": 0, "C": 0}, "pot": 0, "out": ["B", "C"]}),
    ("G11", {"unit": 5, "stake": 100, "ante": 5, "fee": RAKE}, "A33331= B33332= C33332=",
     {"stakes": {"A": 120, "B": 50, "C": 50}, "pot": 75}),
    ("G11", {"unit": 5, "players": [{"name": "A", "stake": 4}, {"name": "B"}, {"name": "C"}]}, "",
     {"out": ["A"], "pot": 10}),
    ("G7", {"first": "B"}, "", {"first": "B", "next": THROW_B}),
    ("G7", {"players": HOUSE}, "", {"first": "B", "stakes": {"A": 9, "B": 9}}),
    ("G8", {"players": HOUSE, "first": "A"}, "", {"first": "A"}),
    # Closing: the running round is void, antes of TA4 too; what was carried rolls over.
    ("G9", {}, "x", {"status": "closed", "stakes": {"A": 10, "B": 10, "C": 10}, "round": 1,
                     "first": None, "next": NOBODY, "winners": []}),
    ("G9", {}, "A33333= x", {"stakes": {"A": 10, "B": 10, "C": 10}, "pot": 0, "scores": {}}),
    ("G9", {}, TIE + " A33333= x", {"stakes": {"A": 9, "B": 9, "C": 9}, "pot": 0, "round": 2}),
    # Voids: alone the last throw; a round's end with a second person.
    ("G4", {}, "A33334= B33334= v6", {"next": THROW_B, "scores": {"A": 4}}),
    ("G4", {}, "A12345 A:1 v4", {"next": {"players": ["A"], "may": ["keep"]}}),
    ("G4", {}, "A33331= B33332= C33332= v9", {"round": 1, "next": THROW_C, "pot": 3}),
    ("G4", {}, "A33331= B33332= C33332= v9~", {"round": 2, "pot": 3}),
    ("G4", {}, "A33331= B33332= C33332= v9+", {"round": 1, "next": THROW_C, "pot": 3,
     "stakes": {"A": 9, "B": 9, "C": 9}, "scores": {"A": 1, "B": "bust"}}),
    ("G4", {}, TIE + " x v15+", {"status": "open", "pot": 6, "round": 2, "next": THROW_A}),
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


def test_every_option_has_a_row_that_sets_it() -> None:
    assert {name for _, opening, _, _ in ROWS for name in opening} >= set(OPTIONS)


# fmt: off
LIMITS_OF_ROUNDS = [
    ("by_round",   [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ("triangular", [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5]),
    ("no",         [None] * 11),
]
# fmt: on


@pytest.mark.parametrize(("progressive", "limits"), LIMITS_OF_ROUNDS)
def test_what_may_win_grows_from_round_to_round(progressive: str, limits: list[int | None]) -> None:
    assert [limit_of(step, progressive) for step in range(1, 12)] == limits


# fmt: off
# (opening, script, the code of the last command's refusal)
REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "B33333",                 "not_your_turn"),
    ({}, "Z33333",                 "unknown_player"),
    ({}, "A3333",                  "wrong_number_of_dice"),
    ({}, "A12345/1 A12345",        "wrong_number_of_dice"),
    ({}, "A33337",                 "no_such_face"),
    ({}, "A12345/7",               "no_such_face"),
    ({}, "A12345/",                "wrong_number_of_dice"),
    ({}, "A12345/33",              "not_thrown"),
    ({}, "A12345 A:6",             "not_thrown"),
    ({}, "A12345 A:",              "wrong_number_of_dice"),
    ({}, "A12345 A12345",          "not_now"),
    ({}, "A12345 A~",              "not_now"),
    ({}, "A:3",                    "not_now"),
    ({}, "A12345/1 A:3",           "not_now"),
    ({}, "A12345 B:3",             "not_your_turn"),
    ({}, "B~",                     "not_your_turn"),
    ({}, "Ab33333",                "no_bottoms"),
    ({}, "A!",                     "not_in_this_game"),
    ({"ante": 11}, "A33333",       "not_now"),
    ({"ante": 11}, "A:3",          "not_now"),
    ({}, "A12345 D^5",             "round_running"),
    ({}, "A12345 B-",              "round_running"),
    ({}, "B^5",                    "double_name"),
    ({"players": DIFFERENT}, "D^",  "zero_amount"),
    ({}, "D^0",                    "zero_amount"),
    ({}, "Z-",                     "unknown_player"),
    ({}, "C- C-",                  "not_playing"),
    ({}, "C- C+5",                 "not_playing"),
    ({}, "Z+5",                    "unknown_player"),
    ({}, "A+9007199254740970",     "too_large"),
    ({}, "D^9007199254740970",     "too_large"),
    ({}, "A$5",                    "still_playing"),
    ({}, "C- C$11",                "more_than_stake"),
    ({}, ">1",                     "not_awaited"),
    ({}, "x A33333",               "game_over"),
    ({}, "x >1",                   "game_over"),
    ({}, "x x",                    "game_over"),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "code"), REFUSALS)
def test_what_is_refused(opening: dict[str, Any], script: str, code: str) -> None:
    table = tell(opened(**opening), script)

    assert table.refused == [code]


def test_a_keep_that_is_refused_takes_the_throw_with_it() -> None:
    table = tell(opened(), "A12345/33")

    assert (table.refused, table.view()["throws"]) == (["not_thrown"], [])


def test_time_is_charged_with_the_first_throw_of_a_round() -> None:
    """G6: a coin for each full quarter of an hour since the opening, from who throws."""
    fee = {"kind": "time", "amount": 1, "minutes": 15}
    table = opened(fee=fee, occurred_at="2026-01-31T20:00:00+01:00")
    later = {
        "do": "throw",
        "player": "A",
        "dice": [3] * 5,
        "occurred_at": "2026-01-31T20:31:00+01:00",
    }

    table.ask(later)

    assert table.view()["stakes"] == {"A": 7, "B": 7, "C": 7}
