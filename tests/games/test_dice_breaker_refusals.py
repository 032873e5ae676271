"""Dice breaker, one row per rule: what is refused."""

from typing import Any

import pytest

from games.refusals import Refused
from tests.games.spec_dice_breaker import (
    ANTE,
    BATTLE,
    FIVE_A,
    NOTHING_A,
    NOTHING_B,
    THREE,
    TRUMP,
    TWO_TO_FOUR,
    A,
    commands,
    played,
)

OVER = f"{FIVE_A} {NOTHING_B}"

DIFFERENT = {
    "first": "A",
    "ante": 4,
    "players": [{"name": "A", "stake": 9}, {"name": "B", "stake": 8}],
}

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
    ("G1", DIFFERENT, "",                  "C+",                      "zero_amount"),
    ("G1", ANTE, "",                       "C+0",                     "zero_amount"),
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
