"""The rules alone: what is kept of a throw, and every transcript played to its end."""

import json
from pathlib import Path

import pytest

from games import vocabulary
from games.messages import CashedOut
from games.refusals import Refused
from ship_captain_crew.rules import SHIP_CAPTAIN_CREW as RULES
from ship_captain_crew.rules.play import kept_of

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.jsonl"))

# fmt: off
KEPT = [
    # kept, thrown,           kept then, cargo
    (0, (6, 5, 4, 3, 2),      3,         5),
    (0, (5, 5, 4, 4, 1),      0,         None),   # SC2: no captain without a ship
    (0, (6, 4, 4, 1, 1),      1,         None),
    (0, (6, 6, 5, 4, 6),      3,         12),     # SC3: what lies there beside is the cargo
    (1, (5, 1, 1, 1),         2,         None),
    (2, (4, 3, 3),            3,         6),
    (3, (6, 6),               3,         12),
]
# fmt: on


@pytest.mark.parametrize(("kept", "thrown", "then", "cargo"), KEPT)
def test_what_is_kept_of_a_throw(
    kept: int, thrown: tuple[int, ...], then: int, cargo: int | None
) -> None:
    assert kept_of(kept, thrown) == (then, cargo)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_coins_are_kept_and_what_is_offered_is_taken(path: Path) -> None:
    """All coins stay at the table or go to the house; events read back are the same."""
    decider, state, brought, refused = RULES.decider, RULES.decider.initial, 0, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        vocabulary.shape(raw)
        try:
            events = decider.decide(RULES.parse(raw["do"], vocabulary.read(raw)), state)
        except Refused:
            refused += 1
            continue
        for event in events:
            assert RULES.decode(*RULES.encode(event)) == event
            brought += sum(each.amount for each in event.buy_ins)
            brought -= event.amount if isinstance(event, CashedOut) else 0
            brought -= sum(each.amount for each in event.payments if each.payee == "house")
        state = decider.fold(events, state)
        assert RULES.offers(state)
        assert sum(state.inner.stakes.values()) + state.inner.pot == brought
    assert bool(refused) is ("refuse" in path.stem)
