"""Whatever is tried with a set, in any order: it is where a model of a few lines says (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.play.dice import life, queries
from casino.play.dice.models import DiceSet
from games.refusals import Refused
from tests.forms import how_often
from tests.support import builders, dice_acts
from tests.support.playing import ask_open, done, settled

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

FLOOR = None
TRIES = st.one_of(
    st.tuples(st.just("inspect"), st.booleans()),
    st.tuples(st.just("issue"), st.sampled_from([FLOOR, 0, 1])),
    st.tuples(st.sampled_from(["return", "withdraw", "destroy", "close"]), st.none()),
    st.tuples(st.just("open"), st.sampled_from([0, 1])),
)


class Model:
    """Where a set is: `at` says the table it is issued to, `on` the one it lies on."""

    def __init__(self) -> None:
        self.state, self.at, self.on = "received", FLOOR, None
        self.steps = 1

    def tried(self, do: str, how: Any) -> bool:
        """Whether it goes, and what becomes of it then."""
        match do, self.state, self.on:
            case "open", "issued", None if self.at in {FLOOR, how}:
                self.on = how
                return True
            case "close", _, on if on is not None:
                self.on = None
                return True
            case "inspect", "received" | "ready" | "issued", None:
                if not how:
                    self.state, self.at = "withdrawn", FLOOR
                    self.steps += 1
                elif self.state == "received":
                    self.state = "ready"
            case "issue", "ready", None:
                self.state, self.at = "issued", how
            case "return", "issued", None:
                self.state, self.at = "ready", FLOOR
            case "withdraw", "received" | "ready" | "issued", None:
                self.state, self.at = "withdrawn", FLOOR
            case "destroy", "withdrawn", None:
                self.state = "destroyed"
            case _:
                return False
        self.steps += 1
        return True


class Real:
    def __init__(self) -> None:
        self.house: House = builders.house(dice_sets=0)
        self.dice = dice_acts.received(self.house)
        self.game: Any = None

    def tried(self, do: str, how: Any) -> bool:
        try:
            return self._does(do, how)
        except Refused:
            return False

    def _does(self, do: str, how: Any) -> bool:
        house, dice = self.house, self.dice
        match do:
            case "open":
                dice = DiceSet.objects.get(pk=dice.pk)
                answer = ask_open(house, table=house.tables[how], dice_set=dice)
                if answer.refusal is None:
                    self.game = answer.key.game
                return answer.refusal is None
            case "close":
                if self.game is None:
                    return False
                done(house, self.game, "close")
                self.game = None
            case "inspect":
                dice_acts.inspected(house, dice, in_order=how)
            case "issue":
                dice_acts.issued(house, dice, None if how is FLOOR else house.tables[how])
            case "return":
                life.bring_back(dice_acts.act(house), dice.pk)
            case "withdraw":
                dice_acts.withdrawn(house, dice)
            case "destroy":
                dice_acts.destroyed(house, dice)
        return True


@given(st.lists(TRIES, max_size=14))
@settings(
    max_examples=how_often(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_f1_a_set_is_where_the_model_says(tries: list[tuple[str, Any]]) -> None:
    model, real = Model(), Real()
    for do, how in tries:
        assert real.tried(do, how) == model.tried(do, how), (do, how, model.state)

    settled(real.house)
    [stock] = queries.inventory(real.house.establishment, [real.dice.pk])
    assert stock.stands == ("on_table" if model.on is not None else model.state)
    where = model.at if model.on is None else model.on
    assert stock.table == ("" if where is FLOOR else real.house.tables[where].name)
    listed = queries.steps(real.house.establishment, real.dice.pk, before=None, most=99)
    assert len(listed) == model.steps
