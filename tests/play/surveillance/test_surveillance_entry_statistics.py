"""How throws are entered: no-throws and whom they spared, the lag, the same dice twice (F3)."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance import queries
from casino.play.dice.surveillance.entry_statistics import LAGS, lag_quantile, repeat_probability
from casino.play.dice.surveillance.models import EntryRow, Kind
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from tests.support import builders
from tests.support.playing import EMPTY, NOW, PAIR_4, PAIR_7, done, opened, thrown

if TYPE_CHECKING:
    from uuid import UUID

    from tests.support.builders import House

db = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def row(house: House, kind: Kind = Kind.ATTENDANT) -> EntryRow:
    tasks.advance(SURVEILLANCE, house.id)
    return EntryRow.objects.filter(establishment=house.id, kind=kind).order_by("-no_throws")[0]


def no_throw(house: House, game: UUID, player: str, dice: tuple[int, ...] | None = None) -> None:
    dice_field = {"dice": list(dice)} if dice else {}
    done(house, game, "no_throw", player=player, reason="cocked", **dice_field)


@db
@pytest.mark.parametrize(
    ("dice", "judged"),
    [
        (None, (0, 0, 0)),  # nobody wrote down what lay there
        (PAIR_4, (1, 0, 0)),  # Ada's 7 loses: it costs Bo nothing
        ((2, 2, 8), (1, 1, 0)),  # worse than Ada's: Bo would have paid (SH4)
        ((2, 2), (0, 0, 0)),  # two dice are no throw
    ],
)
def test_f3_a_no_throw_is_judged_by_what_it_would_have_brought(
    house: House, dice: tuple[int, ...] | None, judged: tuple[int, int, int]
) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)
    no_throw(house, game, "Bo", dice)

    of = row(house, Kind.PLAYER)

    assert (of.no_throws, of.cocked, of.entries) == (1, 1, 0)
    assert (of.judged, of.spared, of.denied) == judged


@db
def test_who_would_have_won_is_denied(house: House) -> None:
    game = opened(house, stake=3)
    thrown(house, game, "Ada", PAIR_4)
    no_throw(house, game, "Bo", (2, 2, 1))  # Ada would have lost all she has, and Bo won the pool

    assert row(house, Kind.PLAYER).denied == 1


@db
def test_the_entry_lag_is_counted_in_classes_of_seconds(house: House) -> None:
    game = opened(house)
    for seconds in (0, 1, 4, 4, 400):
        at = (NOW - timedelta(seconds=seconds)).isoformat()
        thrown(house, game, "Ada", EMPTY, occurred_at=at)

    lags = row(house).lags

    assert dict(zip(LAGS, lags, strict=False)) | {1: 2, 5: 2, 600: 1} == dict(
        zip(LAGS, lags, strict=False)
    )
    assert (lag_quantile(lags, 0.5), lag_quantile(lags, 0.95)) == (5, 600)


@db
def test_the_same_dice_twice_are_counted_beside_what_chance_brings(house: House) -> None:
    game = opened(house)
    for dice in (EMPTY, (3, 8, 1), EMPTY, (2, 4, 8), EMPTY):  # whichever lies where
        thrown(house, game, "Ada", dice)

    of = row(house)

    assert (of.repeatable, of.repeats) == (4, 2)
    assert of.repeats_due == pytest.approx(4 * 6 / 512)
    assert of.repeat_log10 > 0


@db
def test_lines_have_the_statistics_as_texts(house: House) -> None:
    game = opened(house)
    for _ in range(8):
        thrown(house, game, "Ada", EMPTY)
    no_throw(house, game, "Ada")
    tasks.advance(SURVEILLANCE, house.id)

    attendants = queries.entries(house.id).filter(kind=Kind.ATTENDANT)
    [line] = queries.entry_lines(house.establishment, list(attendants))

    assert line.title == str(house.attendant)
    assert line.rate == Fraction(1, 9)
    assert line.median == "1 s"
    assert line.has_repeat_evidence
    assert line.favourite_face is not None
    assert line.favourite_face[1] == pytest.approx(8 / 3)


@given(st.integers(2, 12), st.integers(1, 3))
def test_the_chances_of_all_throws_add_up(sides: int, dice: int) -> None:
    """Over all that dice may show, whichever lies where."""
    from itertools import combinations_with_replacement  # noqa: PLC0415

    shown = combinations_with_replacement(range(1, sides + 1), dice)
    assert sum(repeat_probability({sides: each}) for each in shown) == pytest.approx(1)


def test_a_bet_on_repeats_of_fair_dice_gains_little() -> None:
    """The mean of its e-value is one: over many attendants few have ten to one."""
    from casino.play.dice.surveillance.entry_statistics import _add_repeat  # noqa: PLC0415 - what is bet

    chance, lucky = Random(6), 0  # noqa: S311 - dice of a test
    for _ in range(200):
        entry = EntryRow()
        for _ in range(100):
            _add_repeat(entry, {6: [chance.randint(1, 6)]})
        lucky += entry.repeat_log10 >= 1
    assert lucky <= 20
