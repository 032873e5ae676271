"""Several people take the same dice at the same instant: one of them has them (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.play.dice import life
from casino.play.dice.models import DiceSet, State
from games.refusals import Refused
from ledger import journal
from tests.support import builders, dice_acts
from tests.support.at_once import at_once, on_a_file
from tests.support.playing import ask_open

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(ask: Callable[[], object]) -> str:
    """`done`, or the code of the refusal."""
    try:
        ask()
    except Refused as refused:
        return refused.code
    return "done"


def test_f1_a_set_is_issued_to_one_of_two_tables(tmp_path: Path) -> None:
    house = builders.house()
    dice = dice_acts.in_store(house)
    with on_a_file(tmp_path):
        answers = at_once(
            2, lambda nth: outcome(lambda: dice_acts.issued(house, dice, house.tables[nth]))
        )
        found = DiceSet.objects.get(pk=dice.pk)
        last = journal.last(establishment=house.id, stream=f"dice/{dice.pk}")

    assert sorted(answers) == ["done", "not_in_its_state"]
    assert found.issued_to == house.tables[answers.index("done")]
    assert last is not None
    assert last.data["table"] == str(found.issued_to_id)


def test_f1_dice_are_withdrawn_or_thrown_not_both(tmp_path: Path) -> None:
    house = builders.house()
    dice = house.dice

    def tried(nth: int) -> str:
        if nth:
            return outcome(lambda: dice_acts.withdrawn(house, dice))
        answer = ask_open(house, dice_set=dice)
        return answer.refusal.code if answer.refusal else "done"

    with on_a_file(tmp_path):
        opened, withdrawn = at_once(2, tried)
        state = DiceSet.objects.get(pk=dice.pk).state

    assert [opened, withdrawn].count("done") == 1
    assert (state == State.WITHDRAWN) == (withdrawn == "done")
    assert opened in {"done", "dice_unfit", "dice_not_issued"}
    assert withdrawn in {"done", "not_in_its_state"}


def test_f1_two_sets_of_one_number_are_one(tmp_path: Path) -> None:
    house = builders.house()
    with on_a_file(tmp_path):
        answers = at_once(
            2,
            lambda _nth: outcome(lambda: life.receive(dice_acts.act(house), dice_acts.delivery())),
        )
        many = DiceSet.objects.filter(establishment=house.id, number="N-1").count()

    assert (sorted(answers), many) == (["dice_unsound", "done"], 1)
