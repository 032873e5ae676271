"""What is done beside the play never changes it, whatever is played."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.house.acts.game_streams.catalogue import RULESETS
from games.messages import Fact, TableEvent, Voided, VoidRequested, live
from games.refusals import Refused
from games.regrade import Recorded, regrade
from games.stone_hand import STONE_HAND
from games.transcripts import Play, command_on
from tests.forms import how_often
from tests.games import expected_reports, laws, test_properties
from tests.games.spec import Raw, Table

REACH = st.integers(0, 12)
PEOPLE = st.sampled_from(["Ann", "Bea", "Cai"])
table_events = st.one_of(
    st.builds(lambda by: {"do": "pause", "note": by}, PEOPLE),
    st.just({"do": "resume"}),
    st.just({"do": "resume"}),
    st.builds(lambda to: {"do": "handover", "to": to}, PEOPLE),
    st.builds(lambda n: {"do": "change_dice", "dice_set": f"S{n}", "reason": "x"}, REACH),
    st.builds(lambda n: {"do": "witness", "payout": -n}, REACH),
    st.builds(lambda n: {"do": "dispute", "round": n, "reason": "x"}, st.integers(0, 4)),
    st.builds(lambda n: {"do": "dispute", "payout": -n, "reason": "x"}, REACH),
    st.builds(
        lambda n, how: {"do": "resolve", "dispute": -n, "outcome": how, "reason": "x"},
        REACH,
        st.sampled_from(["stands", "voided", "adjusted"]),
    ),
)
scripts = st.lists(st.one_of(test_properties.step, table_events), max_size=40)


def played(fields: dict[str, Any], script: Sequence[Raw]) -> Table:
    table = test_properties.played(fields, [])
    for raw in script:
        try:
            table.ask(meant(table, raw))
        except Refused:
            continue
    return table


def meant(table: Table, raw: Raw) -> Raw:
    last = table.state.number
    counted: Raw = {name: max(last + raw[name], 0) for name in ("payout", "dispute") if name in raw}
    return {**test_properties.meant(table, raw), **counted}


def without_asides(history: Sequence[Fact]) -> list[Fact]:
    """The same game as if nobody had done anything beside it: voids count without that."""
    place: dict[int, int] = {}
    kept: list[Fact] = []
    for number, fact in enumerate(history, 1):
        if isinstance(fact, TableEvent):
            continue
        moved = replace(fact, back_to=place[fact.back_to]) if isinstance(fact, Voided) else fact
        kept.append(moved)
        place[number] = len(kept)
    return kept


@settings(max_examples=how_often(150), deadline=None)
@given(test_properties.openings, scripts)
def test_what_is_done_beside_the_play_never_changes_it(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    table = played(fields, script)
    alone = without_asides(table.history)

    assert table.ruleset.decider.fold(alone).inner == table.state.inner
    assert bare(table.ruleset.view(list(enumerate(alone, 1)))) == bare(table.view())


def bare(view: dict[str, Any]) -> dict[str, Any]:
    """A report without the numbers of events, and without requests, which are table events."""
    throws = [{**throw, "event": 0} for throw in view["throws"]]
    return {**view, "throws": throws, "requests": []}


@settings(max_examples=how_often(100), deadline=None)
@given(test_properties.openings, scripts, st.integers(0, 40))
def test_the_laws_of_all_games_hold_with_asides(
    fields: dict[str, Any], script: list[Raw], cut: int
) -> None:
    table = played(fields, script)

    laws.all_hold(table)
    laws.a_fold_may_stop_and_go_on(table, cut)


@settings(max_examples=how_often(60), deadline=None)
@given(test_properties.openings, scripts)
def test_offers_are_exactly_what_is_taken_with_asides(
    fields: dict[str, Any], script: list[Raw]
) -> None:
    table = played(fields, script)

    laws.offers_are_exactly_what_is_taken(table, everything(table), fits)


def everything(table: Table) -> list[Raw]:
    numbers = range(table.state.number + 2)
    ways = ("stands", "voided", "adjusted")
    return [
        *test_properties.everything(table),
        {"do": "resume"},
        *({"do": "dispute", "round": n, "reason": "x"} for n in range(4)),
        *(
            {"do": "resolve", "dispute": n, "outcome": way, "reason": "x"}
            for n in numbers
            for way in ways
        ),
        {"do": "change_dice", "dice_set": "another", "reason": "x"},
        {"do": "handover", "to": "somebody"},
    ]


def fits(row: dict[str, Any], raw: Raw, table: Table) -> bool:
    match raw["do"]:
        case "dispute":
            return raw["round"] in thrown_rounds(table) and undisputed(raw["round"], table)
        case "resolve":
            return row["dispute"] == raw["dispute"] and raw["outcome"] in row["outcomes"]
        case "handover":
            return row["offered"] is None or row["offered"]["to"] == raw["to"]
        case _:
            return test_properties.fits(row, raw, table)


def thrown_rounds(table: Table) -> set[int]:
    ended, rounds = 0, set()
    for _, fact in live(table.numbered()):
        if fact.is_throw:
            rounds.add(ended + 1)
        ended += fact.ends_round
    return rounds


def undisputed(round_no: int, table: Table) -> bool:
    """No open dispute is about this round; one of a round voided meanwhile is about another."""
    standing = {number for number, _ in live(table.numbered())}
    return not any(
        each.round == round_no and each.cause is None and each.first in standing
        for each in table.state.disputes
    )


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_a_game_with_asides_regrades(ruleset: Any) -> None:
    table = Play({ruleset.id: ruleset})
    for line, text in expected_reports.lines(ruleset, "beside-the-play"):
        try:
            table.put(line, command_on(line, text))
        except Refused:
            continue
    stored = [ruleset.encode(fact) for _, fact in table.history]
    record = [Recorded(event_type, data, None) for event_type, data in stored]

    assert any(isinstance(fact, TableEvent) for _, fact in table.history)
    assert regrade(ruleset, record).differences == []


def test_requests_are_asides_as_ever() -> None:
    assert issubclass(VoidRequested, TableEvent)
    assert STONE_HAND.decider.initial.paused is False
