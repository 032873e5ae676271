"""G11: with the unit and all money multiplied, whole transcripts give the same game multiplied."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games.game import Ruleset
from games.payments import dealt, share
from games.transcripts import play
from tests.games import expected_reports
from tests.games.laws import MONEY

BY = 100
OF_REPORTS = MONEY | {"pot", "carried", "awaited", "least", "most"}
TRANSCRIPTS = [
    pytest.param(ruleset, name, id=f"{ruleset.id}-{name}")
    for ruleset in RULESETS
    for name in expected_reports.names(ruleset)
    if '"unit"' not in expected_reports.lines(ruleset, name)[0][1]
]


@pytest.mark.parametrize(("ruleset", "name"), TRANSCRIPTS)
def test_a_transcript_of_money_multiplied_is_the_same_game_multiplied(
    ruleset: Ruleset, name: str
) -> None:
    told = [(line, json.loads(text)) for line, text in expected_reports.lines(ruleset, name)]
    catalogue = {ruleset.id: ruleset}

    one = play([(line, json.dumps(each)) for line, each in told], catalogue).report
    other = play([(line, json.dumps(multiplied(each))) for line, each in told], catalogue).report

    assert without_sentences(other) == multiplied(without_sentences(one), of=OF_REPORTS)


def multiplied(value: Any, name: str = "", of: frozenset[str] = MONEY) -> Any:
    """The same with all amounts multiplied, and an opening with the unit."""
    if isinstance(value, int) and not isinstance(value, bool) and name in of:
        return value * BY
    if name == "stakes":
        return {player: coins * BY for player, coins in value.items()}
    if isinstance(value, list):
        return [multiplied(each, of=of) for each in value]
    if not isinstance(value, Mapping):
        return value
    within = {key: multiplied(each, key, of) for key, each in value.items()}
    return {**within, **unit(within)} if value.get("do") == "open" else within


def unit(opening: Mapping[str, Any]) -> dict[str, Any]:
    return {"options": {**opening.get("options", {}), "unit": BY}}


def without_sentences(report: dict[str, Any]) -> dict[str, Any]:
    refused = [{**each, "detail": ""} for each in report["refused"]]
    rounds = [expected_reports.without_reasons(each) for each in report["rounds"]]
    return {**report, "refused": refused, "rounds": rounds}


# (amount, players, unit, what each gets): G5, G11
# fmt: off
SHARES = [
    (10, 3, 1,  (4, 3, 3)),
    (45, 2, 5,  (25, 20)),      # odd units one each
    (47, 2, 5,  (26, 21)),      # ... then what is left under a unit, by the coin
    (48, 2, 5,  (27, 21)),      # ... and odd coins likewise
    (4,  3, 5,  (2, 1, 1)),     # less than a unit
    (12, 5, 5,  (6, 6, 0, 0, 0)),
    (50, 2, 5,  (25, 25)),
]
# fmt: on


@pytest.mark.parametrize(("amount", "players", "unit", "parts"), SHARES)
def test_shares_are_dealt_in_whole_units_and_the_rest_by_the_coin(
    amount: int, players: int, unit: int, parts: tuple[int, ...]
) -> None:
    among = tuple("ABCDE"[:players])

    payments = share(amount, among, ("G5",), unit=unit)

    assert {each.payee: each.amount for each in payments} == {
        name: part for name, part in zip(among, parts, strict=True) if part
    }
    assert sum(dealt(amount, players)) == amount
