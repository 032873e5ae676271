"""How sure an alarm about dice has to be: a setting of the house, in force when dice are thrown."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ValidationError

from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.establishments.models import ALARMS_ONE_IN, Establishment
from casino.play.dice.surveillance import alarms
from casino.play.dice.surveillance.models import Alarm, DiceStream
from casino.play.dice.surveillance.stream_monitor import StreamKey, StreamMonitor
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from ledger import journal, subscriptions
from ledger.models import Event
from tests.support import builders
from tests.support.playing import EMPTY, opened, thrown
from tests.support.watching import evenings_end, loaded_dice, open_alarms, stream_columns, watched

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

HIGH = log10(ALARMS_ONE_IN)  # the least that raises an alarm by evidence, as houses begin


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


def test_a_house_with_many_streams_asks_for_more_evidence(house: House) -> None:
    """e-BH: what would be an alarm alone is none among thousands."""
    DiceStream.objects.bulk_create(
        StreamMonitor.new(house.id, StreamKey("player", f"p{number}", 8)).to_row()
        for number in range(300)
    )
    DiceStream.objects.filter(establishment=house.id).update(throws=1)
    game = opened(house)
    for _ in range(7):
        thrown(house, game, "Ada", EMPTY)

    watched(house)

    assert DiceStream.objects.filter(establishment=house.id, log10__gte=HIGH).count() == 5
    assert open_alarms(house) == []


def allowed(house: House, one_in: int) -> None:
    """A manager says how sure an alarm has to be."""
    stored = Establishment.objects.get(pk=house.id)
    stored.alarms_one_in = one_in
    changes.change(
        stored, establishment=stored, by=house.manager, reason="As agreed with the auditors."
    )


class TestHowSure:
    """Alpha is a setting of the house: alarms say which was in force, and stay as they were."""

    @pytest.mark.long("postgresql")
    def test_where_the_house_asks_for_less_an_alarm_comes_sooner(self, house: House) -> None:
        strict, lax = house, builders.house()
        allowed(strict, 1_000_000)
        allowed(lax, 20)
        for each in (strict, lax):
            evenings_end(each, 7)

        assert open_alarms(strict) == []
        assert {each.by for each in open_alarms(lax)} == {"evidence"}
        assert {each.alpha for each in open_alarms(lax)} == {0.05}

    def test_another_level_leaves_alarms_that_were_raised_as_they_are(self, house: House) -> None:
        evenings_end(house, 12)
        before = list(Alarm.objects.filter(establishment=house.id).order_by("position").values())
        streams = [alarms.stream_of(each["id"]) for each in before]
        raised = [journal.stream(establishment=house.id, stream=each)[0].data for each in streams]
        allowed(house, 20)
        evenings_end(builders.house(), 1)  # another house is another matter
        watched(house)

        after = list(Alarm.objects.filter(establishment=house.id).order_by("position").values())
        assert before
        assert after == before
        assert {each["alpha"] for each in raised} == {"0.001"}

    @pytest.mark.parametrize(("then", "throws"), [(1_000_000, 7), (ALARMS_ONE_IN, 6)])
    def test_built_anew_each_throw_is_judged_by_the_level_of_its_time(
        self, house: House, then: int, throws: int
    ) -> None:
        if then != ALARMS_ONE_IN:  # which nobody has to set
            allowed(house, then)
        evenings_end(house, throws)  # too little then, an alarm at one in 20
        allowed(house, 20)
        before = list(Event.objects.filter(establishment=house.id).values_list("event_id"))
        rows = list(DiceStream.objects.filter(establishment=house.id).order_by("pk").values())

        subscriptions.rebuild(SURVEILLANCE, establishment=house.id)
        watched(house)

        assert list(Event.objects.filter(establishment=house.id).values_list("event_id")) == before
        rebuilt = DiceStream.objects.filter(establishment=house.id).order_by("pk").values()
        assert [stream_columns(each) for each in rebuilt] == [stream_columns(each) for each in rows]
        assert open_alarms(house) == []

    def test_a_change_in_a_batch_holds_from_there_on(self, house: House) -> None:
        evenings_end(house, 1)
        allowed(house, 1_000_000)
        game = opened(house, table=house.tables[1])
        for number in range(9):
            thrown(house, game, "Ada", EMPTY)
            if number == 6:
                allowed(house, 50)
        watched(house)

        assert {each.alpha for each in open_alarms(house)} == {0.02}

    @pytest.mark.long("postgresql")
    def test_pages_and_the_api_say_which(self, house: House) -> None:
        allowed(house, 500)
        loaded_dice(house)
        client = builders.signed_in(house.supervisor)

        assert "at most one in 500 is fair" in client.get("/dice/").content.decode()
        assert "at most one in 500 is of fair dice" in client.get("/dice/").content.decode()
        rows = house.client(Role.AUDITOR).get(house.url("surveillance/alarms/")).json()["results"]
        assert {row["alpha"] for row in rows} == {0.002}

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("one_in", [0, 1, 19, 1_000_001])
    def test_not_any_number(self, house: House, one_in: int) -> None:
        with pytest.raises(ValidationError):
            allowed(house, one_in)

    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
    def test_only_who_keeps_the_settings_changes_it(self, house: House, role: Role) -> None:
        house.establishment.alarms_one_in = 20
        with pytest.raises(NotYours):
            changes.change(
                house.establishment, establishment=house.establishment, by=house.people[role]
            )
