"""Whatever a line holds, it is taken, refused or malformed; nothing else ever happens."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.house.acts.game_streams.catalogue import RULESETS
from games.kinds import Record
from games.refusals import Malformed
from games.stone_hand import STONE_HAND
from games.transcripts import REPORT, play
from games.vocabulary import VOCABULARY
from tests.forms import how_often
from tests.games.spec import opening

CATALOGUE = {ruleset.id: ruleset for ruleset in RULESETS}
OPENINGS: dict[str, dict[str, Any]] = {
    "stone-hand": {"stake": 25},
    "cinnabar-gate": {"stake": 25},
    "river": {"stake": 25, "price": 2},
    "threes-away": {"stake": 25},
    "dice-breaker": {"options": {"mode": "battle"}},
}
FIELDS = sorted(
    {
        name
        for kind in VOCABULARY.values()
        for each in ([kind] if isinstance(kind, Record) else [kind.first, kind.second])
        if isinstance(each, Record)
        for name in (*each.required, *each.optional)
    }
    - {"do"}
)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2, 3, 8, -1, 2.0, 2.5, 1e300, 10**30, 10**400]),
    st.sampled_from(
        [
            "A",
            "B",
            "",
            "pot",
            "cocked",
            "seat",
            "stone-hand",
            "\x00",
            "\ud800",
            "d4",
            "A1",
            "trump",
            "latent2",
        ]
    ),
)
values = st.one_of(
    scalars,
    st.sampled_from([[1, 1, 2], [1, 3, 6], ["A", "B"], [{"name": "A"}, {"name": "B"}]]),
    st.sampled_from([{"d4": 1, "d6": 2, "d8": 3, "d10": 4, "d12": 5}, [{"die": "A1", "value": 2}]]),
    st.lists(scalars, max_size=4),
    st.dictionaries(st.sampled_from(["kind", "amount", "mode", "d4", "name", "x"]), scalars),
)
given_fields = st.dictionaries(st.sampled_from(FIELDS), values, max_size=4)


@st.composite
def commands(draw: st.DrawFn) -> dict[str, Any]:
    """A known command with the fields it needs, some of them nonsense, and perhaps some more."""
    do = draw(st.sampled_from(sorted(VOCABULARY)))
    kind = VOCABULARY[do]
    shape = kind if isinstance(kind, Record) else draw(st.sampled_from([kind.first, kind.second]))
    needed = shape.required if isinstance(shape, Record) else {}
    fields = {name: draw(values) for name in needed}
    extra = draw(given_fields) if draw(st.integers(0, 3)) == 0 else {}
    return {**fields, **extra, "do": do}


@pytest.mark.parametrize("game", CATALOGUE)
@settings(max_examples=how_often(200), deadline=None)
@given(st.lists(commands(), min_size=1, max_size=6), st.booleans())
def test_no_line_does_anything_unforeseen(
    game: str,
    told: list[dict[str, Any]],
    open_first: bool,  # noqa: FBT001 - drawn
) -> None:
    start = {"do": "open", "game": game, "players": list("ABC"), **OPENINGS[game]}
    first = [json.dumps(start)] if open_first else []
    lines = [*first, *map(json.dumps, told)]

    for at in range(len(lines)):  # each by itself, so that a malformed one does not hide the next
        try:
            report = play(list(enumerate([*first, lines[at]], 1)), CATALOGUE).report
        except Malformed:
            continue
        assert tuple(report) == REPORT
        json.dumps(report)


@pytest.mark.parametrize("players", [2000])
def test_a_very_long_table_is_still_a_table(players: int) -> None:
    names = [f"P{place}" for place in range(players)]
    told = [opening(names, stake=25) | {"players": names}]  # type: ignore[arg-type]  # any names
    told += [{"do": "throw", "player": name, "dice": [1, 1, 1]} for name in names]

    report = play(enumerate(map(json.dumps, told), 1), {STONE_HAND.id: STONE_HAND}).report

    assert (report["refused"], report["round"]) == ([], 1)  # all tied
    assert report["next"]["players"] == ["P0"]
