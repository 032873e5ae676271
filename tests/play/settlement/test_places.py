"""Places of a final table, what they are worth, and the calendar of seasons: pure (SB2, SB4)."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.scoreboard import Place

FOUR = ("Ada", "Bo", "Cy", "Di")


class TestPlaces:
    """SB4, from the final table alone."""

    WORTH = (Place(1, "r1", "First", 30), Place(2, "r2", "Second", 20), Place(3, "r3", "Third", 10))

    @staticmethod
    def paid(
        points: dict[str, int], *places: Place, tie: str = "split", unit: int = 1
    ) -> Counter[str]:
        won = {player: Fraction(each) for player, each in points.items()}
        found = scoreboard.awards(won, places, tie=tie, unit=unit, lot="lot")
        sums: Counter[str] = Counter()
        for each in found:
            sums[each.player] += each.amount
        return sums

    # fmt: off
    TIES = [
        ({"A": 3, "B": 2, "C": 1},         "split", {"A": 30, "B": 20, "C": 10}),
        ({"A": 1, "B": 1, "C": 1, "D": 1}, "split", {"A": 15, "B": 15, "C": 15, "D": 15}),
        ({"A": 1, "B": 1, "C": 1, "D": 1}, "all",   {"A": 30, "B": 30, "C": 30, "D": 30}),
        ({"A": 5, "B": 2, "C": 2},         "split", {"A": 30, "B": 15, "C": 15}),
        ({"A": 5, "B": 5, "C": 2},         "all",   {"A": 30, "B": 30, "C": 10}),
        ({"A": 5, "B": 0},                 "split", {"A": 30}),
        ({"A": 0},                         "split", {}),
    ]
    # fmt: on

    @pytest.mark.parametrize(("points", "tie", "paid"), TIES)
    def test_equals_share_a_place(
        self, points: dict[str, int], tie: str, paid: dict[str, int]
    ) -> None:
        assert self.paid(points, *self.WORTH, tie=tie) == paid

    def test_odd_units_go_by_the_lot_and_not_by_name(self) -> None:
        ten = Place(1, "r1", "Purse", 10)
        alike = dict.fromkeys(FOUR[:3], Fraction(1))
        lucky = {
            next(
                each.player
                for each in scoreboard.awards(alike, [ten], tie="split", unit=1, lot=str(lot))
                if each.amount == 4
            )
            for lot in range(40)
        }

        assert lucky == set(alike)
        assert sorted(self.paid(dict.fromkeys(FOUR[:3], 1), ten, unit=5).values()) == [5, 5]

    def test_of_goods_each_gets_the_better_one(self) -> None:
        cup, bottle = Place(1, "r1", "A cup", 0), Place(2, "r2", "A bottle", 0)
        won = {"A": Fraction(2), "B": Fraction(2), "C": Fraction(1)}

        found = scoreboard.awards(won, [cup, bottle], tie="split", unit=1, lot="")

        assert sorted((each.player, each.prize, each.place) for each in found) == [
            ("A", "A cup", 1), ("B", "A cup", 1),
        ]  # fmt: skip

    @given(
        st.dictionaries(st.text("abcdef", min_size=1), st.fractions(0, 9), max_size=9),
        st.lists(st.integers(1, 10_000), max_size=6),
        st.integers(1, 25),
    )
    def test_prizes_come_to_what_the_places_are_worth(
        self, won: dict[str, Fraction], amounts: list[int], unit: int
    ) -> None:
        places = [Place(at, f"r{at}", "Coins", amount) for at, amount in enumerate(amounts, 1)]
        scorers = sum(each > 0 for each in won.values())

        found = scoreboard.awards(won, places, tie="split", unit=unit, lot="lot")

        assert sum(each.amount for each in found) == sum(amounts[:scorers])
        assert len({(each.rule, each.player) for each in found}) == len(found)


# fmt: off
SPANS = [
    ("day",     "2026-11-30", "2026-11-30", "2026-11-30"),
    ("week",    "2026-11-29", "2026-11-23", "2026-11-29"),
    ("month",   "2028-02-03", "2028-02-01", "2028-02-29"),
    ("quarter", "2026-11-30", "2026-10-01", "2026-12-31"),
    ("open",    "2026-11-30", "2026-11-30", None),
]
# fmt: on


@pytest.mark.parametrize(("length", "day", "first", "last"), SPANS)
def test_a_season_is_a_part_of_the_calendar(
    length: str, day: str, first: str, last: str | None
) -> None:
    expected = (date.fromisoformat(first), last and date.fromisoformat(last))

    assert seasons.span(length, date.fromisoformat(day)) == expected
