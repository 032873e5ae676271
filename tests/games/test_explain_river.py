"""Why each payment was made, in sentences that cite the rules."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.river import RIVER
from games.river.odds import rows
from tests.games.river_spec import opened
from tests.games.test_river_rules import (
    ALL,
    HIGH_11,
    HIGH_12,
    LOWEST,
    NOTHING,
    ROW_1,
    SEAT,
)

PAGE = (Path(__file__).parents[2] / "docs" / "games" / "river.md").read_text(encoding="utf-8")
NOBODY_BOUGHT = "At the auction nobody bought a die (RV3)."
A_HAS = "A has High 11/12, row 20: 12 (RV5)."
C_HAS = "C has High 11/12, row 20: 11 (RV5)."
TIME = {"kind": "time", "amount": 1, "minutes": 1}
RAKE = {"kind": "rake", "percent": 10}

# fmt: off
# (opening, script, why the first round ended as it did)
ROUNDS: list[tuple[dict[str, Any], str, str]] = [
    ({}, f"{NOTHING} A={HIGH_12} B={LOWEST} C=2,2,2,2,2",
     f"{NOBODY_BOUGHT} {A_HAS} It is the highest hand and takes the pot (RV6)."),
    ({}, f"$ {ALL} o4,6,1,1,12 Ad4!3 wd6 Bd8!1 wd10 Ad12!5 A=1,1,1,10,8 B={LOWEST} C={LOWEST}",
     ("At the auction A bought the d4 showing 4 for 3, B bought the d8 showing 1 for 1 and A bought"
      " the d12 showing 12 for 5 (RV3). A has High 11/12, row 20: 12, with the won d12, 12, for the"
      " hole die, 8 (RV4, RV5). It is the highest hand and takes the pot (RV6).")),
    ({}, f"$ {ALL} o1,1,8,9,1 wd4 wd6 Ad8!3 Ad10!3 wd12 A=1,1,1,1,10 B={LOWEST} C={LOWEST}",
     ("At the auction A bought the d8 showing 8 for 3 and A bought the d10 showing 9 for 3 (RV3)."
      " A has Perfect Flop, row 5: 10-9-8, with the won d8, 8, for the hole die, 1 and the won d10,"
      " 9, for the hole die, 1 (RV4, RV5). It is the highest hand and takes the pot (RV6).")),
    ({}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11}",
     f"{NOBODY_BOUGHT} {A_HAS} {C_HAS} A and C share the pot, odd coins in seat order (RV6, G5)."),
    ({"tie": "high_value"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11}",
     (f"{NOBODY_BOUGHT} {A_HAS} {C_HAS} The rows are equal, A's own dice are higher and take the"
      " pot (RV6).")),
    ({"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A^3 C^3 A^2 C^9",
     (f"{NOBODY_BOUGHT} {A_HAS} {C_HAS} The rows are equal; in the roll-off A threw 2 and C threw"
      " 9; C takes the pot (RV6).")),
    ({"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={HIGH_11} A-",
     (f"{NOBODY_BOUGHT} A left and forfeited what was paid (RV7). {C_HAS} It is the highest hand"
      " and takes the pot (RV6).")),
    ({"tie": "rolloff"}, f"{NOTHING} A={HIGH_12} B={HIGH_11} C={HIGH_11} A^3 B^3 C^1 B-",
     (f"{NOBODY_BOUGHT} B left and forfeited what was paid (RV7). {A_HAS} {C_HAS} The rows are"
      " equal and the others left the roll-off; A takes the pot (RV6).")),
    ({}, "$ A* B- C-",
     ("B and C left and forfeited what was paid (RV7). A is the only one left and takes the pot"
      " (RV6, RV7).")),
    ({}, f"{NOTHING} A- B={HIGH_12} C={LOWEST} A={ROW_1}",
     (f"{NOBODY_BOUGHT} A left and forfeited what was paid (RV7). Recorded after the hand: A had"
      " 4-6-8-10-12 (RV2). B has High 11/12, row 20: 12 (RV5). It is the highest hand and takes the"
      " pot (RV6).")),
    ({}, f"{NOTHING} A- B={HIGH_12} C={LOWEST} $",
     (f"{NOBODY_BOUGHT} A left and forfeited what was paid (RV7). Nobody saw the dice of A (RV2)."
      " B has High 11/12, row 20: 12 (RV5). It is the highest hand and takes the pot (RV6).")),
    ({}, "$ A- B-",
     "Fewer than two were left before the first throw; the price is returned (RV1)."),
    ({}, f"$ {ALL} x",
     ("Nobody saw the dice of A, B and C (RV2). The table was closed before the round was decided;"
      " it is void (G9).")),
]

# (opening, script, the number of the payment counted from the last, its reason)
PAYMENTS: list[tuple[dict[str, Any], str, int, str]] = [
    ({}, "$ A- B-", -1,
     "Fewer than two were left before the first throw; the price is returned (RV1)."),
    ({}, "$ A- B-", -3, "A left before the first throw; the price returns (G1)."),
    ({}, "$ A- B-", 0, "The price of five dice, the same for all (RV1)."),
    ({}, "$ D+ A* x", 3, "The price of five dice, for who comes before the first throw (RV1, G1)."),
    ({}, f"$ {ALL} o4,3,2,1,12 Ad4!7 x", 3, "A bought the d4 showing 4 at the auction (RV3)."),
    ({}, f"$ {ALL} o4,3,2,1,12 Ad4!7 x", -1,
     "The round is void, so what was paid for dice returns (G9)."),
    ({}, f"$ {ALL} A- x", -1,
     "What leavers forfeited has no winner; those left share it (G9, RV7, G5)."),
    ({"fee": SEAT}, "$ A* x", 3, "The seat fee of the round, announced at the opening (G6)."),
    ({"fee": SEAT}, "$ A* x", -1, "The round is void, so its seat fee goes back (G6)."),
    ({"fee": RAKE}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={LOWEST}", -2,
     "The house's rake on the pot that was won, announced at the opening (G6)."),
    ({}, f"{NOTHING} A={HIGH_12} B={LOWEST} C={LOWEST}", -1,
     "A has High 11/12, row 20: 12. It is the highest hand and takes the pot (RV6)."),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "because"), ROUNDS)
def test_a_round_is_explained_in_sentences(
    opening: dict[str, Any], script: str, because: str
) -> None:
    table = opened(**opening).tell(script)
    assert table.refused == []

    first, *_ = RIVER.explain(table.numbered(), 1)

    assert first["because"] == because


@pytest.mark.parametrize(("opening", "script", "place", "because"), PAYMENTS)
def test_a_payment_is_explained_in_sentences(
    opening: dict[str, Any], script: str, place: int, because: str
) -> None:
    table = opened(**opening).tell(script)
    assert table.refused == []

    first, *_ = RIVER.explain(table.numbered())

    assert first["payments"][place]["because"] == because


def test_a_charge_for_time_is_explained() -> None:
    table = opened(fee=TIME, occurred_at="2026-01-31T20:00:00+01:00").tell("$")
    table.ask({"do": "seal", "player": "A", "occurred_at": "2026-01-31T20:02:00+01:00"})
    table.tell("x")

    (told,) = RIVER.explain(table.numbered())

    assert told["payments"][3] == {
        "from": "A", "to": "house", "amount": 2, "rules": ["G6"], "throws": [],
        "because": "The charge for time since the last one, announced at the opening (G6).",
    }  # fmt: skip


def test_the_throws_and_lots_behind_a_pot_are_data_too() -> None:
    table = opened(tie="rolloff").tell(
        f"$ {ALL} o1,1,1,1,12 wd4 wd6 wd8 wd10 Ad12!4 A={LOWEST} B={HIGH_11} C={LOWEST} A^3 B^4"
    )

    (told,) = RIVER.explain(table.numbered())

    assert told["lots"][-1] == {"die": "d12", "face": 12, "player": "A", "amount": 4}
    assert told["lots"][0] == {"die": "d4", "face": None, "player": None, "amount": None}
    offer, of_a, *_ = told["payments"][-1]["throws"]
    assert offer == {
        "event": 6, "player": None, "dice": [1, 1, 1, 1, 12],
        "hand": None,
    }  # fmt: skip
    assert of_a == {
        "event": 12, "player": "A", "dice": [1, 1, 2, 2, 4],
        "hand": "High 11/12", "rank": 20, "values": [12], "replaced": ["d12"],
        "laid": {"d4": 1, "d6": 1, "d8": 2, "d10": 2, "d12": 12},
    }  # fmt: skip
    assert [each["dice"] for each in told["throws"][-2:]] == [[3], [4]]
    assert told["payments"][0]["throws"] == []


def test_what_was_voided_explains_nothing() -> None:
    table = opened().tell(f"{NOTHING} A={HIGH_12} B={LOWEST} C={LOWEST} v14+")

    assert table.refused == []
    assert RIVER.explain(table.numbered()) == []


def test_players_are_called_what_the_caller_calls_them() -> None:
    table = opened().tell(f"$ {ALL} o1,1,1,1,1 Bd4!2 wd6 wd8 wd10 wd12 A- B={HIGH_12} C={LOWEST} $")

    explanation = RIVER.explain(table.numbered(), 1, named=lambda player: f"Player {player}")

    assert not re.search(r"(?<!Player )\b[ABC]\b", explanation[0]["because"])
    assert explanation[0]["unseen"] == ["Player A"]
    assert explanation[0]["lots"][0]["player"] == "Player B"


def test_the_table_of_the_page_is_what_was_counted() -> None:
    """RV5, RV8."""
    printed = re.findall(
        r"^\| (\d+) \| (.+?) \| .+? \| ([\d.]+) % \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE
    )

    assert [(int(rank), name, int(made), int(best)) for rank, name, _, made, best in printed] == [
        (row.rank, row.name, row.formed, row.best) for row in rows()
    ]
    assert [chance for _, _, chance, _, _ in printed] == [
        f"{float(row.published) * 100:.2f}" for row in rows()
    ]
