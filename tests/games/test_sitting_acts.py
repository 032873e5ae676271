"""Beside the play: breaks, handovers, other dice, witnesses, disputes; the play never sees them."""

from dataclasses import replace
from typing import Any

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games.commands import ChangeDice, Dispute, Handover, Resolve, Void, Witness
from games.messages import (
    Disputed,
    Fact,
    HandedOver,
    HandoverOffered,
    Resolved,
    Voided,
    Witnessed,
    live,
)
from games.refusals import NoGame, Refused
from tests.games.spec import Table, opened

ROUND = "A227 B123 C234"  # events 2, 3, 4 and the loss, 5: nobody but the pot is paid
WON = "A227 B224"  # of two with a stake of 7: event 5 pays B


def lost(*, script: str = WON) -> Table:
    """A game of two that is over: event 5 pays B the pool."""
    return opened("AB", stake=7).tell(script)


def codes(table: Table, *commands: object) -> list[str]:
    """How each of them is answered: "" for taken."""
    answers = []
    for command in commands:
        try:
            table.put(command)
        except Refused as refused:
            answers.append(refused.code)
        else:
            answers.append("")
    return answers


PAUSED = [
    # while paused       taken?
    ("A227", "paused"),
    ("A~", "paused"),
    ("A-", "paused"),
    ("v2", ""),
    ("x", ""),
]


@pytest.mark.parametrize(("token", "code"), PAUSED)
def test_in_a_break_nothing_is_thrown(token: str, code: str) -> None:
    table = opened().tell("A227")
    table.ask({"do": "pause"})

    assert table.tell(token.replace("A227", "B123").replace("A~", "B~")).refused == [code] * bool(
        code
    )


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_no_game_no_break(ruleset: Any) -> None:
    with pytest.raises(NoGame):
        Table(ruleset=ruleset).ask({"do": "pause"})


def test_what_is_offered_in_a_break_is_taken() -> None:
    table = opened().tell(ROUND)
    table.ask({"do": "pause"})

    assert {row["do"] for row in table.offers()} == {
        "resume", "handover", "change_dice", "dispute", "void", "close"
    }  # fmt: skip
    table.ask({"do": "resume"})
    assert "throw" in {row["do"] for row in table.offers()}


def test_b3_both_sign_the_same_state() -> None:
    table = opened().tell("A227")
    offered, taken = table.put(Handover("Bea", by="Ann")), table.put(Handover("Bea", by="Bea"))

    assert offered == (HandoverOffered("Ann", "Bea", version=2, round=1),)
    assert taken == (HandedOver("Ann", "Bea", version=2, round=1, offered=3),)


# fmt: off
HANDOVERS = [
    # B3: commands, and how each is answered
    ([Handover("Bea", "Bea")],                                             ["nothing_offered"]),
    ([Handover("Bea", "Ann"), Handover("Cai", "Dan")],                     ["", "already_offered"]),
    ([Handover("Bea", "Ann"), Handover("Bea", "Ann")],                     ["", "already_offered"]),
    ([Handover("Bea", "Ann"), Handover("Cai", "Cai")],                     ["", "already_offered"]),
    ([Handover("Bea", "Ann"), Handover("Cai", "Ann"), Handover("Bea", "Bea")],
     ["", "", "already_offered"]),
    ([Handover("Bea", "Ann"), Handover("Cai", "Ann"), Handover("Cai", "Cai")], ["", "", ""]),
    ([Handover("Bea"), Handover("Bea")],                                   ["", ""]),  # transcript
]
# fmt: on


@pytest.mark.parametrize(("commands", "answers"), HANDOVERS)
def test_b3_who_takes_the_table_over(commands: list[Handover], answers: list[str]) -> None:
    assert codes(opened().tell("A227"), *commands) == answers


@pytest.mark.parametrize("token", ["B123", "v2+"])
def test_b3_an_offer_lapses_with_what_happens_next(token: str) -> None:
    table = opened().tell("A227")
    table.put(Handover("Bea", by="Ann"))
    table.tell(token)

    assert codes(table, Handover("Bea", by="Bea")) == ["nothing_offered"]


def test_b3_a_break_does_not_lapse_an_offer() -> None:
    table = opened().tell("A227")
    table.put(Handover("Bea", by="Ann"))
    table.ask({"do": "pause"})

    assert codes(table, Handover("Bea", by="Bea")) == [""]


def test_f1_dice_are_changed_between_rounds() -> None:
    table = opened()

    assert codes(table, ChangeDice("S2", "chipped")) == [""]
    table.tell("A227")
    assert codes(table, ChangeDice("S3", "chipped")) == ["round_running"]
    table.tell("v3")  # the throw is undone: the round has not begun, and the new dice lie there
    assert codes(table, ChangeDice("S2", "chipped"), ChangeDice("S3", "?")) == ["same_dice", ""]
    table.tell(ROUND)
    assert codes(table, ChangeDice("S4", "chipped")) == [""]
    assert table.state.dice_set == "S4"


# fmt: off
WITNESSES = [
    # A7: witness                                             answer
    (Witness(5, 1),                                           ""),
    (Witness(3),                                              ""),  # by its command
    (Witness(3, 0),                                           ""),
    (Witness(4),                                              "no_such_payout"),  # into the pool
    (Witness(2),                                              "no_such_payout"),
    (Witness(5, 7),                                           "no_such_payout"),
    (Witness(9),                                              "no_such_event"),
    (Witness(3, approved_by="Ann", recorded_by="Ann"),        "own_record"),
    (Witness(3, approved_by="Ann", beneficiaries=("Ann",)),   "own_benefit"),
]
# fmt: on


def test_a7_a_witness_is_of_one_payment() -> None:
    table = lost()
    [paid] = [number for number, fact in table.numbered() if _pays(fact)]

    assert table.put(Witness(paid, approved_by="Bea", recorded_by="Ann")) == (
        Witnessed(paid, 0, asked_by="Ann", approved_by="Bea"),
    )
    assert codes(table, Witness(paid), Witness(3)) == ["already_witnessed"] * 2


@pytest.mark.parametrize(("witness", "code"), WITNESSES)
def test_a7_what_is_witnessed(witness: Witness, code: str) -> None:
    table = lost()
    [paid] = [number for number, fact in table.numbered() if _pays(fact)]
    moved = {4: 4, 5: paid}.get(witness.payout, witness.payout)
    seq = 0 if witness.seq == 1 else witness.seq

    assert codes(table, replace(witness, payout=moved, seq=seq)) == [code]


def test_a7_a_payout_that_was_voided_has_no_witness() -> None:
    table = lost().tell("v3+")

    assert codes(table, Witness(5)) == ["already_cancelled"]


def test_c3_a_round_is_disputed_and_the_table_plays_on() -> None:
    table = opened().tell(ROUND)

    assert table.put(Dispute("misread", round=1, by="Ann")) == (
        Disputed(6, round=1, first=2, reason="misread", by="Ann"),
    )
    assert table.tell("A227 B123").refused == []


# fmt: off
DISPUTES = [
    # C3: dispute after a round and a throw of the second   answer
    (Dispute("misread", round=1),                           ""),
    (Dispute("misread", round=2),                           ""),
    (Dispute("misread", round=3),                           "no_such_round"),
    (Dispute("misread", round=0),                           "no_such_round"),
    (Dispute("misread", payout=5),                          "no_such_payout"),
    (Dispute(" ", round=1),                                 "no_reason"),
]
RESOLUTIONS = [
    # C3: who raised it, who decides                                       answer
    (Resolve(4, "stands", "seen", "Bea", ("Cai",)),                        ""),
    (Resolve(4, "adjusted", "seen", "Bea", ("Cai",)),                      ""),
    (Resolve(4, "stands", "seen", "Ann", ("Cai",)),                        "own_request"),
    (Resolve(4, "stands", "seen", "Cai", ("Cai", "Dan")),                  "own_record"),
    (Resolve(4, "stands", "seen", "Bea", beneficiaries=("Bea",)),          "own_benefit"),
    (Resolve(4, "stands", "", "Bea"),                                      "no_reason"),
    (Resolve(4, "upheld", "seen", "Bea"),                                  "unknown_outcome"),
    (Resolve(3, "stands", "seen", "Bea"),                                  "no_such_dispute"),
    (Resolve(4, "voided", "seen", "Bea", irreversible_through=2),          "beyond_reversal"),
]
# fmt: on


@pytest.mark.parametrize(("dispute", "code"), DISPUTES)
def test_c3_what_is_disputed(dispute: Dispute, code: str) -> None:
    table = opened().tell(ROUND + " A227")

    assert codes(table, dispute) == [code]


@pytest.mark.parametrize(("resolve", "code"), RESOLUTIONS)
def test_c3_who_decides_and_how(resolve: Resolve, code: str) -> None:
    table = opened().tell("A227 B123")
    table.put(Dispute("misread", round=1, by="Ann"))

    assert codes(table, resolve) == [code]
    assert len(table.state.disputes) == bool(code)


def test_c3_voided_goes_back_to_the_first_throw_of_the_round() -> None:
    table = opened().tell(ROUND + " A227 B123")
    first = next(number for number, fact in table.numbered() if number > 5 and fact.is_throw)
    before = opened().tell(ROUND).state.inner
    table.put(Dispute("misread", round=2, by="Ann"))

    assert table.put(Resolve(8, "voided", "a six", "Bea")) == (
        Resolved(8, "voided", "a six", asked_by="Ann", approved_by="Bea"),
        Voided(first, "a six", asked_by="Ann", approved_by="Bea"),
    )
    assert table.state.inner == before


def test_c3_what_was_voided_meanwhile_ends_as_voided_and_no_other_way() -> None:
    table = opened().tell("A227")
    table.put(Dispute("misread", round=1, by="Ann"))
    table.put(Void(2, "misread"))
    stands, voided = Resolve(3, "stands", "?", "Bea"), Resolve(3, "voided", "thrown anew", "Bea")

    assert next(row for row in table.offers() if row["do"] == "resolve")["outcomes"] == ["voided"]
    assert codes(table, stands) == ["voided_already"]
    assert table.put(voided) == (Resolved(3, "voided", "thrown anew", "Ann", "Bea"),)


def test_c3_a_dispute_outlasts_the_game() -> None:
    table = lost()
    table.put(Dispute("misread", payout=3, by="Ann"))

    assert "resolve" in {row["do"] for row in table.offers()}
    table.put(Resolve(table.state.number, "voided", "a one", "Bea"))
    assert table.view()["status"] == "open"


def test_g4_what_stands_beside_the_play_is_not_voided() -> None:
    table = opened().tell("A227")
    table.ask({"do": "pause"})
    table.ask({"do": "resume"})
    table.tell("v3 v2")

    assert table.refused == ["void_not_voided"]
    assert [type(fact) for _, fact in live(table.numbered())] == [type(table.history[0])]


def _pays(fact: Fact) -> bool:
    return any(payment.payee == "B" for payment in fact.payments)
