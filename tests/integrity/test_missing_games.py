"""A game's package is taken away: what is left out, refused and listed, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.game_streams import catalogue, loading
from casino.integrity import rebuilding
from casino.play.models import GameCard
from casino.play.projections import PROJECTIONS
from casino.regrade import reading, slices
from casino.subscriptions import tasks
from casino.surveillance import throws
from tests.support import builders
from tests.support.at_once import on_a_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)
HERE = "stone-hand"


@pytest.fixture(autouse=True)
def _on_a_file(tmp_path: Path) -> Iterator[None]:
    with on_a_file(tmp_path):
        yield


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """It has played both games, and goes on without the rules of one."""
    house = builders.house()
    builders.dice_for_every_game(house.establishment, sets=2)
    throw = builders.throw
    gone = builders.opened(house, game="threes-away")
    builders.put(house, gone, throw("Ada", 1, 2, 3, 4, 5))
    here = builders.opened(house, game=HERE, table=str(house.tables[1].pk))
    builders.put(
        house, here, throw("Ada", 1, 1, 1), throw("Bruno", 2, 2, 3), throw("Cleo", 2, 4, 4)
    )
    while tasks.go_on(house.id):
        pass
    known = {key: each for key, each in catalogue._BY_VERSION.items() if key[0] != "threes_away"}
    readers = {
        name: each for name, each in throws.readers().items() if not name.startswith("threes")
    }
    monkeypatch.setattr(catalogue, "_BY_VERSION", known)
    monkeypatch.setattr(throws, "readers", lambda: readers)
    loading.MEMORY.forget()
    yield house
    loading.MEMORY.forget()


def differing(house: House) -> list[str]:
    return [
        each.table
        for follower in tasks.SUBSCRIBERS
        for each in rebuilding.compare(house.id, follower)
    ]


def test_its_own_rows_are_left_out_and_all_others_are_compared(house: House) -> None:
    assert differing(house) == []

    GameCard.objects.filter(ruleset="threes-away").update(pot=99)
    assert differing(house) == []

    GameCard.objects.filter(ruleset=HERE).update(pot=99)
    assert differing(house) == ["play_gamecard"]


def test_nothing_is_made_anew_that_could_not_be_made_again(house: House) -> None:
    with pytest.raises(rebuilding.NotInstalled, match="threes-away is not installed"):
        rebuilding.rebuild(house.id, PROJECTIONS)

    assert GameCard.objects.filter(establishment=house.id).count() == 2


def test_a_regrade_lists_it_as_not_regraded(house: House) -> None:
    period = reading.Period(None, None)
    stretch = reading.stretch(house.id, period)

    found = slices.grade(slices.Asked(house.id, period, stretch), stretch)

    assert found.differences == []
    assert [(each["why"], each["package"]) for each in found.waiting] == [
        ("not_installed", "threes-away")
    ]
