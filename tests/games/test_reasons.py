"""What a sentence says of the rules: the same as the data beside it, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from babel.messages import pofile

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.presenters.quoted import rules
from games.threes_away import THREES_AWAY
from games.transcripts import Play, carry_on
from tests.games import expected_reports, laws
from tests.games.spec import Table
from tests.games.spec_threes_away import opened, tell

if TYPE_CHECKING:
    from games.game import Ruleset

ITALIAN = Path(__file__).parents[2] / "locale/it/LC_MESSAGES/django.po"
TRANSCRIPTS = [
    pytest.param(ruleset, name, id=f"{ruleset.id}-{name}")
    for ruleset in RULESETS
    for name in expected_reports.names(ruleset)
]

ZERO_TIE = "A33333= B33333= C66666/6"
# fmt: off
# (opening, script, the rules of each ante of the round that then runs)
ANTES: list[tuple[dict[str, Any], str, dict[str, list[str]]]] = [
    ({}, "", {"A": ["TA1"], "B": ["TA1"], "C": ["TA1"]}),
    # The watcher of a play-off pays for it as those who play it do.
    ({}, ZERO_TIE, {"A": ["TA6"], "B": ["TA6"], "C": ["TA6"]}),
    ({}, ZERO_TIE + " A33331= B33331=", {"A": ["TA5"], "B": ["TA5"], "C": ["TA5"]}),
    ({}, "A33334= B33334= C66666/6", {"A": ["TA5"], "B": ["TA5"], "C": ["TA5"]}),
    ({"progressive": "triangular"}, "A33334= B33334= C66666/6",
     {"A": ["TA7"], "B": ["TA7"], "C": ["TA7"]}),
    # Before its first throw: who comes pays the same ante, for another reason.
    ({}, "A33334= B33334= C66666/6 D^5",
     {"A": ["TA5"], "B": ["TA5"], "C": ["TA5"], "D": ["TA5", "G1"]}),
    ({}, "D^5", {"A": ["TA1"], "B": ["TA1"], "C": ["TA1"], "D": ["TA1", "G1"]}),
    # A round that was void is begun again for what it was begun for.
    ({}, "A33334= B33334= C66666/6 A- B- D^5", {"C": ["TA5"], "D": ["TA5"]}),
    # Once the pot is won there is a new one.
    ({}, "A33334= B33331= C33332/2", {"A": ["TA1"], "B": ["TA1"], "C": ["TA1"]}),
]
# fmt: on


@pytest.mark.parametrize(("opening", "script", "rules_of"), ANTES)
def test_an_ante_is_explained_by_what_it_is_paid_for(
    opening: dict[str, Any], script: str, rules_of: dict[str, list[str]]
) -> None:
    table = tell(opened(**{"stake": 9, **opening}), script)
    assert table.refused == []

    antes = [each for each in THREES_AWAY.so_far(table.numbered()) if each["to"] == "pot"]

    assert {each["from"]: each["rules"] for each in antes} == rules_of
    assert all(laws.cited(each["because"]) == each["rules"] for each in antes)


@pytest.mark.parametrize(("ruleset", "name"), TRANSCRIPTS)
def test_sentences_of_a_transcript_name_the_rules_beside_them(ruleset: Ruleset, name: str) -> None:
    playing = Play({ruleset.id: ruleset})
    report = carry_on(playing, expected_reports.lines(ruleset, name)).report

    for line in report["refused"]:
        assert set(laws.cited(line["detail"])) <= set(rules(ruleset.id)), line
    if playing.history:
        table = Table(history=[event for _, event in playing.history], ruleset=ruleset)
        laws.reasons_name_their_rules(table)


def test_a_player_may_be_called_like_a_rule() -> None:
    table = tell(opened(), "A33334= B33331= C33332/2")

    (told,) = THREES_AWAY.explain(table.numbered(), named=lambda player: f"G{ord(player)}")

    assert told["rules"] == ["TA1", "TA9"]


def test_translations_name_the_same_rules() -> None:
    with ITALIAN.open("rb") as file:
        catalogue = pofile.read_po(file, locale="it")

    differ = [
        message.id
        for message in catalogue
        if isinstance(message.id, str) and isinstance(message.string, str) and message.string
        if sorted(laws.cited(message.id)) != sorted(laws.cited(message.string))
    ]

    assert differ == []
