"""A second person signs a closed day (B4)."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Any

import pytest

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days import closing
from casino.reports.gaming_days.models import GamingDay
from ledger import conflicts, journal
from tests.support import builders
from tests.support.dayend import TODAY, act, closed
from tests.support.playing import opened

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(day_cutoff=time(6), closing_grace=60)


class TestSignatures:
    def test_a_second_person_signs(self, house: House) -> None:
        opened(house)
        closed(house)

        closing.sign(act(house, "sign", by=house.supervisor), TODAY)
        advance(HOUSE, house.id)

        row = GamingDay.objects.get(establishment=house.id, day=TODAY)
        assert row.by == str(house.manager.pk)
        assert row.signed_by == str(house.supervisor.pk)

    def test_not_the_one_who_closed_it_and_not_twice(self, house: House) -> None:
        """C1."""
        opened(house)
        with pytest.raises(closing.NotClosedYet):
            closing.sign(act(house, "sign"), TODAY)
        closed(house)
        with pytest.raises(closing.OwnClosing):
            closing.sign(act(house, "sign"), TODAY)
        closing.sign(act(house, "sign", by=house.supervisor), TODAY)
        other = builders.employed(house.establishment, Role.MANAGER)
        with pytest.raises(closing.SignedAlready):
            closing.sign(act(house, "sign", by=other), TODAY)

    def test_the_ledger_itself_refuses_a_closer_who_signs(self, house: House) -> None:
        """C1: past all of our own words."""
        opened(house)
        day_closed = closed(house)
        known = gaming_day.day_state(house.id)
        data: dict[str, Any] = {
            "day": str(TODAY), "closed_version": day_closed.stream_version,
            "asked_by": str(house.manager.pk), "approved_by": str(house.manager.pk),
            "standing": known.noted().as_dict,
        }  # fmt: skip
        event = journal.NewEvent(
            stream=gaming_day.STREAM, event_type=closing.SIGNED, schema_version=1, data=data
        )
        with pytest.raises(conflicts.FourEyes):
            acts.perform(
                act(house, "sign"),
                lambda: acts.Done(guards={gaming_day.STREAM: known.version}, events=[event]),
            )
