"""What every game has is told in one place, and each game's presenter keeps to the contract."""

from __future__ import annotations

import pytest
from django.utils import translation

from casino.words.presenters import PRESENTERS, fees, presenter, words
from games import messages as shared
from games.commands import NO_THROW_REASONS
from games.fees import Fee
from games.stone_hand import messages as stone_hand

PEOPLE = {"7": "Mira Solano", "8": "Tomas"}

# fmt: off
TOLD = [
    # event                                          sentence                               rules
    (shared.NoThrowRecorded("Ada", "cocked"),        "No throw by Ada: cocked die",         ["G3"]),
    (shared.NoThrowRecorded("Ada", "off_table", (3, 5)), "No throw by Ada: off the table",  ["G3"]),
    (shared.Voided(4, "misread", "7"),               "Void from 4 on: misread",             ["G4"]),
    (shared.VoidRequested(9, 4, "misread", "7"),
     "Mira Solano asks to void from 4 on: misread",                                         ["G4"]),
    (shared.VoidRejected(9, "7"),                    "Request 9 is rejected",               ["G4"]),
    (shared.VoidRejected(9, "7", "all saw it"),      "Request 9 is rejected: all saw it",   ["G4"]),
    (shared.FeeTaken(),                              "Fee for the house",                   ["G6"]),
    (shared.PlayerJoined("Eve", 20),                 "Eve sits down with 20",               ["G1"]),
    (shared.PlayerJoined("Eve"),                     "Eve sits down",                       ["G1"]),
    (shared.BoughtIn("Ada", 5),                      "Ada brings 5 to the table",           []),
    (shared.CashedOut("Ada", 5),                     "Ada takes 5 from the table",          []),
    (shared.Paused("dice on the floor", "7"),        "Mira Solano paused: dice on the floor", []),
    (shared.Paused(None, "7"),                       "Mira Solano paused the table",        []),
    (shared.Resumed("7"),                            "Mira Solano: play goes on",           []),
    (shared.HandoverOffered("7", "8", 12, 3),
     "Mira Solano hands the table over to Tomas",                                           ["B3"]),
    (shared.HandedOver("7", "8", 12, 3, 13),
     "Tomas takes the table over from Mira Solano",                                         ["B3"]),
    (shared.DiceChanged("S2", "S1", "chipped", "7"), "Other dice: chipped",                 ["F1"]),
    (shared.Witnessed(12, 0, "8", "7"),              "Mira Solano witnessed what 12 paid",  ["A7"]),
    (shared.Disputed(14, 3, 9, "misread", "7"),
     "Dispute 14, about round 3: misread",                                                  ["C3"]),
    (shared.Resolved(14, "stands", "seen", "7", "8"),
     "Dispute 14 ends, it stands: seen",                                                    ["C3"]),
    (shared.TableClosed(),                           "The game is closed",                  ["G9"]),
]

FEES = [
    # announced                         said
    (Fee("rake", percent=5),            "5 % of the pot"),
    (Fee("seat", amount=2),             "2 a round"),
    (Fee("time", amount=1, minutes=30), "1 every 30 min"),
]
# fmt: on


@pytest.mark.parametrize(("fact", "sentence", "rules"), TOLD)
def test_what_every_game_has_is_told_alike(
    fact: shared.Fact, sentence: str, rules: list[str]
) -> None:
    line = presenter.describe_shared(fact, PEOPLE, lambda count: [8] * count)

    assert line is not None
    assert (line["sentence"], line["rules"]) == (sentence, rules)


@pytest.mark.parametrize("language", ["en", "it"])
def test_whoever_has_won_the_pool_of_stone_hand_is_said_by_their_number(language: str) -> None:
    said = {
        ("A",): {"en": "A wins the pool", "it": "A vince il monte"},
        ("A", "B"): {"en": "A and B share the pool", "it": "A e B dividono il monte"},
    }
    for winners, sentences in said.items():
        ended = stone_hand.GameEnded(3, winners, rules=("SH9",))
        with translation.override(language):
            line = PRESENTERS["stone-hand"].of_the_game(None, ended)  # type: ignore[arg-type]
        assert line is not None
        assert line["sentence"] == sentences[language]


def test_the_faces_seen_in_a_no_throw_are_drawn() -> None:
    seen = shared.NoThrowRecorded("Ada", "off_table", (3, 5))
    line = presenter.describe_shared(seen, PEOPLE, lambda count: [12] * count)

    assert line is not None
    assert (line["kind"], line["dice"], line["sides"]) == ("no_throw", [3, 5], [12, 12])


def test_no_shared_event_is_left_undescribed() -> None:
    happened = {
        each
        for each in vars(shared).values()
        if isinstance(each, type) and issubclass(each, shared.Fact)
    } - {
        shared.Fact,
        shared.Consequence,
        shared.Decision,
        shared.GameEnd,
        shared.RoundEnd,
        shared.TableEvent,
    }

    assert {type(fact) for fact, *_ in TOLD} == happened


@pytest.mark.parametrize(("announced", "said"), FEES)
def test_a_fee_is_said_in_the_game_s_words(announced: Fee, said: str) -> None:
    assert fees.short(announced, pot="pot") == said


@pytest.mark.parametrize("game", PRESENTERS)
def test_every_reason_for_a_no_throw_has_words(game: str) -> None:
    for reason in NO_THROW_REASONS:
        seen = shared.NoThrowRecorded("Ada", reason, (1,))
        line = presenter.describe_shared(seen, PEOPLE, PRESENTERS[game].sides)
        assert line is not None
        assert str(words.REASONS[reason]) in line["sentence"]
        assert len(line["sides"]) == 1
