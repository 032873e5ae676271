"""The page of rules and the rows that show them: neither has a number the other has not."""

import re
from pathlib import Path

from tests.games.test_explain_stone_hand import ROUNDS
from tests.games.test_opening_stone_hand import LIMITS, REFUSED
from tests.games.test_stone_hand_rules import ROWS

PAGE = Path(__file__).parents[2] / "docs" / "games" / "stone-hand.md"


def test_every_rule_of_the_page_has_a_row_and_every_row_a_rule() -> None:
    rules = set(
        re.findall(r"^- \*\*([A-Z]+\d+)\*\*", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    )

    cited = {row[0] for row in (*ROWS, *REFUSED, *LIMITS)}

    assert rules == cited


def test_sentences_cite_only_rules_of_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for _, _, because in ROUNDS:
        assert all(f"**{rule}**" in page for rule in re.findall(r"\b(?:SH|G|H)\d+", because))
