"""Entries that come late, and clocks that differ (B4, E3)."""

from __future__ import annotations

from datetime import time, timedelta
from typing import TYPE_CHECKING

import pytest

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days.models import LateEntry
from tests.support import builders
from tests.support.dayend import CUT_OFF, TODAY, TOMORROW, closed
from tests.support.playing import NOW, opened, refused, thrown

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=60)


class TestLateEntries:
    def test_what_happened_yesterday_is_late(self, house: House) -> None:
        """B4, E5: it belongs to the day it is recorded on, marked, with how late it is."""
        game = opened(house)
        occurred_at = "2026-11-20T23:30:00Z"

        [event] = thrown(house, game, "Ada", (2, 2, 7), now=CUT_OFF, occurred_at=occurred_at)
        advance(HOUSE, house.id)

        assert event.provenance.gaming_day == TOMORROW
        [row] = LateEntry.objects.filter(establishment=house.id)
        assert (row.position, row.kind, row.meant_for) == (event.position, "late", TODAY)
        assert row.seconds == 6.5 * 60 * 60
        assert closed(house, now=CUT_OFF).data["late"] == 0
        assert closed(house, TOMORROW, now=CUT_OFF).data["late"] == 1

    @pytest.mark.long("postgresql")
    def test_after_a_close_by_hand_the_evening_is_not_late(self, house: House) -> None:
        """B4: by the clock it is still the closed day's; here the next has begun."""
        game = opened(house)
        closed(house)
        soon = NOW + timedelta(minutes=2)

        thrown(house, game, "Ada", (2, 2, 7), now=soon, occurred_at=soon.isoformat())
        thrown(house, game, "Bo", (2, 2, 4), now=soon,
               occurred_at=(NOW - timedelta(minutes=2)).isoformat())  # fmt: skip
        advance(HOUSE, house.id)

        kinds = LateEntry.objects.filter(establishment=house.id).values_list("kind", flat=True)
        assert list(kinds) == ["late"]
        assert closed(house, TOMORROW, now=CUT_OFF).data["late"] == 1

    # fmt: off
    CLOCKS = [
        # seconds that the device's clock is behind, flagged
        (0, False), (5, False), (6, True), (3600, True), (-5, False), (-6, True),
    ]
    # fmt: on

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(("behind", "flagged"), CLOCKS)
    def test_clocks_that_differ_are_flagged(
        self,
        house: House,
        behind: int,
        flagged: bool,  # noqa: FBT001
    ) -> None:
        """E3."""
        game = opened(house)
        occurred_at = (NOW - timedelta(seconds=behind)).isoformat()

        thrown(house, game, "Ada", (2, 2, 7), occurred_at=occurred_at)
        advance(HOUSE, house.id)

        rows = LateEntry.objects.filter(establishment=house.id, kind=LateEntry.Kind.SKEW)
        assert [row.seconds for row in rows] == ([behind] if flagged else [])

    @pytest.mark.long("postgresql")
    def test_far_ahead_of_the_house_is_no_time(self, house: House) -> None:
        """E3: a day from now nothing has happened yet."""
        game = opened(house)
        occurred_at = (NOW + timedelta(days=1, seconds=1)).isoformat()
        code = refused(house, game, "throw", player="Ada", dice=[2, 2, 7], occurred_at=occurred_at)

        assert code == "bad_time"
