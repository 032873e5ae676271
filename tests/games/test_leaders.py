"""Whom a round stands for before a throw: asked by who watches no-throws (control F3)."""

from collections.abc import Callable
from typing import Any

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games.game import Leaders, Ruleset
from tests.games import (
    cinnabar_gate_spec,
    expected_reports,
    river_spec,
    spec,
    spec_dice_breaker,
    spec_threes_away,
)
from tests.games.spec import Table

HIGH_12, HIGH_11, LOWEST = "1,1,1,3,12", "1,1,1,3,11", "1,2,3,4,6"
ROLL_OFF = {"tie": "rolloff"}


def stone(script: str, **fields: Any) -> Table:
    return spec.opened(**fields).tell(script)


def cinnabar(script: str, **fields: Any) -> Table:
    return cinnabar_gate_spec.tell(cinnabar_gate_spec.opened(**fields), script)


def threes(script: str, **fields: Any) -> Table:
    return spec_threes_away.tell(spec_threes_away.opened(**fields), script)


def breaker(script: str, **fields: Any) -> Table:
    return spec_dice_breaker.tell(spec_dice_breaker.opened(first="A", **fields), script)


def river(script: str, **fields: Any) -> Table:
    return river_spec.opened(**fields).tell(script)


HOME = {"home_throw": [1, 3, 6]}

# fmt: off
# (rule, how it is told, options, script, who leads, or pays)
ROWS: list[tuple[str, Callable[..., Table], dict[str, Any], str, Leaders]] = [
    # The worst hand so far stands to pay; an empty is no hand yet.
    ("SH4", stone, {}, "", Leaders(pays=True)),
    ("SH4", stone, {}, "A227", Leaders(("A",), pays=True)),
    ("SH4", stone, {}, "A227 B118", Leaders(("B",), pays=True)),
    ("SH4", stone, {}, "A227 B111", Leaders(("A",), pays=True)),
    ("SH2", stone, {}, "A227 B135", Leaders(("A",), pays=True)),
    ("SH5", stone, {}, "A227 B722", Leaders(("A", "B"), pays=True)),
    # ... of a tie throw the worst so far; who threw home has escaped.
    ("SH5", stone, {}, "A227 B123 C722", Leaders(pays=True)),
    ("SH5", stone, {}, "A227 B123 C722 A111", Leaders(("A",), pays=True)),
    ("SH5", stone, HOME, "A227 B123 C722 A136", Leaders(pays=True)),
    # ... a no-throw and a void change nothing, a home throw all.
    ("G3",  stone, {}, "A227 B~", Leaders(("A",), pays=True)),
    ("SH7", stone, HOME, "A227 B136", Leaders(pays=True)),
    ("SH4", stone, {}, "A227 B123 C234", Leaders(pays=True)),
    ("SH12", stone, {"mode": "drinks"}, "A227 B118", Leaders(("B",), pays=True)),
    # On a scoreboard the best would score, or the lowest score.
    ("SH13", stone, {"mode": "scoreboard"}, "A227 B118", Leaders(("A",))),
    ("SH13", stone, {"mode": "scoreboard"}, "A221 B234", Leaders(("B",))),
    ("SH13", stone, {"mode": "scoreboard", "point_to": "lowest_score"}, "A221 B234",
     Leaders(("A",))),
    ("SH13", stone, {"mode": "scoreboard"}, "", Leaders()),
    # The best hand so far wins; one that waits to be taken counts, a show-up does not.
    ("CG6", cinnabar, {}, "", Leaders()),
    ("CG6", cinnabar, {}, "A227", Leaders(("A",))),
    ("CG6", cinnabar, {}, "A227 B123", Leaders(("B",))),
    ("CG4", cinnabar, {}, "A227 B138", Leaders(("A",))),
    ("CG5", cinnabar, {}, "A246", Leaders()),
    ("CG7", cinnabar, {}, "A123 B227 C123", Leaders()),
    ("CG7", cinnabar, {}, "A123 B227 C123 A222", Leaders(("A",))),
    # In a pool the worst pays.
    ("CG11", cinnabar, {"variant": "pool"}, "A227 B123", Leaders(("A",), pays=True)),
    ("CG11", cinnabar, {"variant": "pool"}, "", Leaders(pays=True)),
    # The lowest total of those who are done, and not bust.
    ("TA1", threes, {}, "", Leaders()),
    ("TA1", threes, {}, "A33312=", Leaders(("A",))),
    ("TA1", threes, {}, "A33312= B33311=", Leaders(("B",))),
    ("TA1", threes, {}, "A33312= B33321=", Leaders(("A", "B"))),
    ("TA2", threes, {}, "A33312= B33333/33", Leaders(("A",))),
    ("TA3", threes, {}, "A33312= B66666/6666", Leaders(("A",))),
    ("TA7", threes, {"progressive": "triangular"}, "A33312=", Leaders()),
    ("TA7", threes, {"progressive": "triangular"}, "A33331=", Leaders(("A",))),
    # The highest hand in the arena; nothing leads nobody.
    ("DB5", breaker, {}, "", Leaders()),
    ("DB5", breaker, {}, "A1=1", Leaders()),
    ("DB5", breaker, {}, "A=11234 B1=2", Leaders(("A",))),
    ("DB5", breaker, {}, "A=11234 B1=2 B2=2", Leaders(("A", "B"))),
    ("DB5", breaker, {"tie_by": "face"}, "A=11234 B1=2 B2=2", Leaders(("B",))),
    ("DB2", breaker, {}, "A=11234 B1=2 B2=3 B3=2/B2=2", Leaders(("B",))),
    # The highest of a roll-off; before it nobody throws who knows.
    ("RV3", river, {}, "$ A* B* C*", Leaders()),
    ("RV6", river, ROLL_OFF, f"$ A* B* C* o1,1,1,1,1 w* A={HIGH_12} B={LOWEST} C={HIGH_11}",
     Leaders()),
    ("RV6", river, ROLL_OFF, f"$ A* B* C* o1,1,1,1,1 w* A={HIGH_12} B={LOWEST} C={HIGH_11} A^7",
     Leaders(("A",))),
]
# fmt: on


@pytest.mark.parametrize(("rule", "tell", "fields", "script", "lead"), ROWS)
def test_f3_whom_a_round_stands_for(
    rule: str, tell: Callable[..., Table], fields: dict[str, Any], script: str, lead: Leaders
) -> None:
    table = tell(script, **fields)

    assert table.refused == [], rule
    assert table.ruleset.leaders(table.state.inner) == lead, rule


TRANSCRIPTS = [(ruleset, name) for ruleset in RULESETS for name in expected_reports.names(ruleset)]


@pytest.mark.parametrize(
    ("ruleset", "name"), TRANSCRIPTS, ids=lambda each: getattr(each, "id", each)
)
def test_before_every_event_of_every_transcript_somebody_can_say(
    ruleset: Ruleset, name: str
) -> None:
    """Who leads sits at the table, and is named once."""
    state = ruleset.decider.initial
    for _cause, event in expected_reports.happened(ruleset, name):
        lead = ruleset.leaders(state.inner)
        assert len(set(lead.players)) == len(lead.players)
        assert set(lead.players) <= set(getattr(state.inner, "stakes", {}))
        state = ruleset.decider.evolve(state, event)
    assert ruleset.leaders(state.inner) is not None
