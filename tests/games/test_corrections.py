"""G4: a change in place is a void, the same command with the change, and what came after, again."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games import corrections, regrade
from games.commands import Approve, Pause, Reject, Void
from games.corrections import CorrectionUnfit, RequestGrown, UndoTooLate
from games.messages import Fact, Voided, VoidRejected, VoidRequested, live
from games.refusals import NotInThisGame, NotYourTurn, Refused
from games.transcripts import Play, carry_on
from tests.games.expected_reports import TRANSCRIPTS
from tests.games.spec import Table, opened

if TYPE_CHECKING:
    from games.game import Ruleset

ROUND = "A227 B123 C234"  # events 2, 3, 4 and the loss of A, 5, which moves 7 coins
CATALOGUE = {ruleset.id: ruleset for ruleset in RULESETS}


def throw(player: str, *dice: int) -> dict[str, Any]:
    return {"do": "throw", "player": player, "dice": list(dice)}


def change(game: Table, back_to: int, instead: dict[str, Any], **more: Any) -> Void:
    history = enumerate(game.history, 1)
    again = corrections.later(history, game.ruleset.command_of, back_to)
    return Void(back_to, "Misread.", instead=instead, again=again, **more)


def dice(game: Table) -> list[tuple[str, tuple[int, ...]]]:
    """The throws that count."""
    return [
        (fact.player, fact.dice)  # type: ignore[attr-defined]  # of a throw
        for _number, fact in live(enumerate(game.history, 1))
        if fact.is_throw
    ]


def found_again(game: Table) -> list[regrade.Difference]:
    """What a regrade finds in the record of the game."""
    stored = [game.ruleset.encode(fact) for fact in game.history]
    record = [
        regrade.Recorded(kind, data, at)
        for (kind, data), at in zip(stored, game.times, strict=True)
    ]
    return regrade.regrade(game.ruleset, record).differences


class TestAlone:
    def test_the_last_throw_is_another_at_once(self) -> None:
        game = opened().tell("A227 B123")

        voided, *facts = game.put(change(game, 3, throw("B", 1, 2, 4)))

        assert voided == Voided(3, "Misread.", "attendant", corrected=True)
        assert [type(fact).__name__ for fact in facts] == ["DiceThrown"]
        assert dice(game) == [("A", (2, 2, 7)), ("B", (1, 2, 4))]
        assert found_again(game) == []

    def test_of_what_it_ended_too_while_its_seconds_last(self) -> None:
        game = opened().tell(ROUND)

        voided, *facts = game.put(change(game, 4, throw("C", 2, 2, 8)))

        assert isinstance(voided, Voided)
        assert (voided.undo, voided.corrected) == (True, True)
        assert facts[-1].payments[0].payer == "C"
        assert found_again(game) == []

    def test_later_it_takes_somebody_else(self) -> None:
        game = opened().tell(ROUND)
        void = change(game, 4, throw("C", 2, 2, 8), in_time=False)

        with pytest.raises(UndoTooLate):
            game.put(replace(void, alone=True))
        [asked] = game.put(void)

        assert isinstance(asked, VoidRequested)
        assert asked.instead == throw("C", 2, 2, 8)


class TestAskedFor:
    def asked(self) -> Table:
        game = opened().tell(ROUND)
        [request] = game.put(change(game, 2, throw("A", 2, 2, 3), in_time=False))
        assert request == VoidRequested(
            6, 2, "Misread.", "attendant", holds=True, instead=throw("A", 2, 2, 3)
        )
        return game

    def approve(self, game: Table, **more: Any) -> Approve:
        history = enumerate(game.history, 1)
        again = corrections.later(history, game.ruleset.command_of, 2)
        return Approve(6, again=again, **more)

    def test_one_approval_carries_all_of_it_out(self) -> None:
        game = self.asked()

        voided, *facts = game.put(self.approve(game))

        assert voided == Voided(2, "Misread.", "attendant", "approver", request=6, corrected=True)
        assert dice(game) == [("A", (2, 2, 3)), ("B", (1, 2, 3)), ("C", (2, 3, 4))]
        assert facts[-1].ends_round
        assert found_again(game) == []

    def test_what_came_after_the_request_is_entered_again_too(self) -> None:
        game = self.asked().tell("A338")

        with pytest.raises(RequestGrown):
            game.put(self.approve(game, through=6))
        game.put(self.approve(game, through=7))

        assert dice(game)[-1] == ("A", (3, 3, 8))
        assert found_again(game) == []

    def test_a_rejection_changes_nothing(self) -> None:
        game = self.asked()
        before = dice(game)

        [event] = game.put(Reject(6))

        assert isinstance(event, VoidRejected)
        assert dice(game) == before

    def test_in_a_break_it_waits_for_the_end_of_the_break(self) -> None:
        game = self.asked()
        game.put(Pause())

        with pytest.raises(Refused, match="resume first"):
            game.put(self.approve(game))


class TestUnfit:
    def test_a_change_that_the_rules_refuse_is_refused_as_they_do(self) -> None:
        game = opened().tell("A227")
        before = list(game.history)

        with pytest.raises(NotYourTurn):
            game.put(change(game, 2, throw("B", 2, 2, 7)))
        with pytest.raises(NotInThisGame):
            game.put(change(game, 2, {"do": "bid", "player": "A", "die": "d4", "amount": 1}))

        assert game.history == before

    def test_what_cannot_have_followed_is_named(self) -> None:
        game = opened().tell("A227 B123")

        with pytest.raises(CorrectionUnfit, match="A throws, not B") as refused:
            game.put(change(game, 2, throw("A", 1, 3, 5), approved_by="Mara"))  # empty: again

        assert str(refused.value).startswith("With that change, what was entered after it")

    def test_then_it_may_go_back(self) -> None:
        game = opened().tell("A227 B123")

        game.put(change(game, 2, throw("A", 1, 3, 5), approved_by="Mara", only=True))

        assert dice(game) == [("A", (1, 3, 5))]
        assert found_again(game) == []


def test_what_was_left_out_is_entered_before() -> None:
    """C leaves in mid-round: before its first throw, which is entered again."""
    game = opened().tell("A227 B123")
    history = enumerate(game.history, 1)
    again = corrections.later(history, game.ruleset.command_of, 2, before=True)
    left_out = {"do": "leave", "player": "C"}

    game.put(Void(2, "C left.", approved_by="Mara", instead=left_out, before=True, again=again))

    assert dice(game) == [("A", (2, 2, 7)), ("B", (1, 2, 3))]
    assert game.history[-1].ends_round  # two are left, and both have thrown
    assert found_again(game) == []


# --- In every game, at every entry ------------------------------------------------------------


def told(path: Any) -> tuple[Ruleset, Play]:
    """The game of a transcript before money left the table, which no void crosses."""
    played = Play(CATALOGUE)
    lines = list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    carry_on(played, takewhile(lambda line: '"cash_out"' not in line[1], lines))
    return played.ruleset, played  # type: ignore[return-value]  # of a transcript that opens


@pytest.mark.rows(25)
@pytest.mark.parametrize(
    "path",
    [each for each in sorted(TRANSCRIPTS.glob("*/*.jsonl")) if each.stem != "time-is-money"],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_the_same_entered_instead_changes_nothing(path: Any) -> None:
    ruleset, played = told(path)
    if ruleset is None:  # its opening is refused
        return
    before, tried = ruleset.view(played.history), 0
    for number, fact in live(played.history):
        command = None if fact.consequence else ruleset.command_of(fact)
        raw = None if command is None else corrections.command_in_full(command)
        if raw is None:
            continue
        assert corrections.read(raw, ruleset.parse) == without_time(command)
        again = corrections.later(played.history, ruleset.command_of, number)
        void = Void(number, "Again.", approved_by="Mara", instead=raw, again=again)
        happened, code = decided(ruleset, void, played.state)
        if not happened:
            assert code in MAY_REFUSE
            continue
        tried += 1
        history = [*played.history, *enumerate(happened, len(played.history) + 1)]
        after = ruleset.view(history)
        assert {key: after[key] for key in SAME} == {key: before[key] for key in SAME}
    assert tried or not any(fact.is_throw for _number, fact in live(played.history))


SAME = ("status", "round", "next", "pot", "pay", "scores", "stakes", "points", "drinks", "out")
MAY_REFUSE = frozenset({"beyond_reversal", "correction_unfit", "paused"})
"""Money that has left the table; what only a recorded sequence fits; a break that lasts."""


def decided(ruleset: Ruleset, void: Void, state: Any) -> tuple[tuple[Fact, ...], str]:
    try:
        return ruleset.decider.decide(void, state), ""
    except Refused as refused:
        return (), refused.code


def without_time(command: Any) -> Any:
    return replace(command, at=None) if hasattr(command, "at") else command
