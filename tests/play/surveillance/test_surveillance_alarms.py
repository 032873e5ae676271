"""Alarms: raised once, open until somebody acknowledges them by name (control F2)."""

from __future__ import annotations

import uuid
from html import unescape
from math import log10
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone, translation

from casino.house.acts import acts
from casino.house.attendants.models import Attendant, Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import ALARMS_ONE_IN
from casino.kit.approvals.models import ExceptionRow
from casino.kit.web.navigation import entries as rail
from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance import alarms, queries
from casino.play.dice.surveillance import alarms as surveillance_alarms
from casino.play.dice.surveillance.e_values import ChangeDetector, EProcess
from casino.play.dice.surveillance.models import Alarm, DiceStream, Kind
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.reports.registers import dice
from ledger import journal, subscriptions
from ledger.models import Event
from tests.support import access, builders, reported
from tests.support.playing import EMPTY, opened, thrown
from tests.support.watching import evenings_end, loaded_dice, open_alarms, stream_columns, watched

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from casino.play.dice.surveillance.alarms import Cause
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

HIGH = log10(ALARMS_ONE_IN)  # the least that raises an alarm by evidence, as houses begin
LOADED = {(Kind.HOUSE, 8), (Kind.SET, 8), (Kind.TABLE, 8), (Kind.PLAYER, 8), (Kind.ATTENDANT, 8)}


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


def acknowledged(house: House, alarm: Alarm, *, by: Role = Role.SUPERVISOR, **more: Any) -> None:
    act = acts.Act(
        house=house.establishment,
        by=house.people[by],
        device="office",
        now=timezone.now(),
        command_id=more.pop("command_id", None) or uuid.uuid4(),
        request={},
    )
    surveillance_alarms.acknowledge(
        act, alarm=alarm.id, **{"reason": "The set was swapped.", **more}
    )
    watched(house)


class TestRaised:
    def test_loaded_dice_raise_one_alarm_in_every_stream(self, house: House) -> None:
        loaded_dice(house)

        found = open_alarms(house)

        assert {(each.kind, each.sides) for each in found} == LOADED
        assert len(found) == len(LOADED)
        assert all(each.log10 >= HIGH or each.by == "change" for each in found)
        assert DiceStream.objects.filter(establishment=house.id, alarm=None).count() == 0

    def test_dice_that_show_every_face_alike_raise_none(self, house: House) -> None:
        game = opened(house, stake=200)
        for _ in range(3):
            for ada, bo in (((7, 7, 8), (5, 5, 6)), ((3, 3, 4), (1, 1, 2)),
                            ((8, 8, 7), (6, 6, 5)), ((4, 4, 3), (2, 2, 1))):  # fmt: skip
                thrown(house, game, "Ada", ada)  # who loses, and throws first again
                thrown(house, game, "Bo", bo)
        watched(house)

        assert {each.kind for each in open_alarms(house)} <= {Kind.PLAYER}  # each has half of them
        assert DiceStream.objects.get(establishment=house.id, kind=Kind.SET).total_counts == [9] * 8

    def test_the_event_names_what_it_rests_on(self, house: House) -> None:
        thrown_ = loaded_dice(house)

        [event] = journal.stream(
            establishment=house.id, stream=alarms.stream_of(open_alarms(house)[0].id)
        )

        assert event.event_type == alarms.RAISED
        assert event.provenance.actor == "surveillance"
        assert event.data["cause"] in {each.position for each in thrown_}
        assert event.provenance.causation_id in {each.event_id for each in thrown_}
        assert sum(event.data["counts"]) == event.data["throws"]
        assert float(event.data["log10"]) >= HIGH or event.data["by"] == "change"

    def test_built_anew_it_raises_none_again_and_keeps_those_there_are(self, house: House) -> None:
        loaded_dice(house)
        acknowledged(house, open_alarms(house)[0])
        before = list(Event.objects.filter(establishment=house.id).values_list("event_id"))
        rows = list(DiceStream.objects.filter(establishment=house.id).order_by("pk").values())

        subscriptions.rebuild(SURVEILLANCE, establishment=house.id)
        watched(house)

        assert list(Event.objects.filter(establishment=house.id).values_list("event_id")) == before
        rebuilt = DiceStream.objects.filter(establishment=house.id).order_by("pk").values()
        assert [stream_columns(each) for each in rebuilt] == [stream_columns(each) for each in rows]

    def test_a_worker_killed_before_it_moved_on_raises_it_once(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = opened(house)
        for _ in range(24):
            thrown(house, game, "Ada", EMPTY)
        with monkeypatch.context() as patched:
            patched.setattr("ledger.subscriptions._append", killed)
            with pytest.raises(KeyboardInterrupt):
                tasks.advance(SURVEILLANCE, house.id)
        assert not DiceStream.objects.filter(establishment=house.id).exists()

        watched(house)

        assert len(open_alarms(house)) == len(LOADED)
        assert DiceStream.objects.get(establishment=house.id, kind=Kind.HOUSE).throws == 72


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("cause", surveillance_alarms.CAUSES, ids=lambda cause: cause.name)
class TestEachCause:
    @pytest.fixture(autouse=True)
    def _raised_by_it(self, house: House, cause: Cause) -> None:
        evenings_end(house, 12)
        Alarm.objects.filter(establishment=house.id).update(by=cause.name)

    def test_pages_and_lists_say_it_in_the_reader_s_language(
        self, house: House, cause: Cause
    ) -> None:
        Attendant.objects.filter(pk=house.supervisor.pk).update(language="it")
        seen, *_ = open_alarms(house)
        acknowledged(house, seen)

        page = builders.signed_in(house.supervisor).get("/dice/").content.decode()

        texts = {}
        for language in ("en", "it"):
            with translation.override(language):
                waiting, listed = queries.alarm_cards(
                    house.establishment, [open_alarms(house)[0], seen]
                )
                texts[language] = [waiting.sentence, waiting.note, listed.summary]
        assert all(text in unescape(page) for text in texts["it"])
        assert texts["it"] != texts["en"]
        assert texts["en"][0] != str(cause.sentence)  # figures are in it

    def test_so_does_the_report(self, house: House, cause: Cause) -> None:
        def by() -> set[Any]:
            lines = reported.content(dice.FAIRNESS, reported.query(house))["alarms"]
            return {cells[4] for cells, _position, _address in lines}

        assert by() == {str(cause.title)}
        english = by()
        with translation.override("it"):
            assert by() == {str(cause.title)} != english

    def test_programs_get_its_name_and_a_whole_address(self, house: House, cause: Cause) -> None:
        client = house.client(Role.AUDITOR)
        rows = client.get(house.url("surveillance/alarms/")).json()["results"]

        assert {row["by"] for row in rows} == {cause.name}
        assert {urlsplit(row["url"]).netloc for row in rows} == {"testserver"}


@pytest.mark.long("postgresql")
def test_an_alarm_outlives_the_code_of_its_cause(house: House) -> None:
    """Card, list, report and API have the stored name, where the code knows no such cause."""
    evenings_end(house, 12)
    Alarm.objects.filter(establishment=house.id).update(by="gone_one")
    acknowledged(house, open_alarms(house)[0])

    page = builders.signed_in(house.supervisor).get("/dice/").content.decode()
    alarms = reported.content(dice.FAIRNESS, reported.query(house))["alarms"]
    rows = house.client(Role.AUDITOR).get(house.url("surveillance/alarms/")).json()["results"]

    assert "throws: “gone_one”, a cause by which the house no longer raises alarms." in page
    assert "“gone_one”, no longer in use" in page
    assert {cells[4] for cells, _position, _address in alarms} == {"gone_one"}
    assert {row["by"] for row in rows} == {"gone_one"}


def killed(*_args: Any) -> None:
    raise KeyboardInterrupt


class TestAcknowledged:
    def test_it_stays_open_until_somebody_does_so_by_name_and_for_a_reason(
        self, house: House
    ) -> None:
        loaded_dice(house)
        alarm = open_alarms(house)[0]
        before = queries.waiting(house.id)

        acknowledged(house, alarm)

        assert queries.waiting(house.id) == before - 1
        [card] = queries.alarm_cards(house.establishment, [Alarm.objects.get(pk=alarm.pk)])
        assert (card.acknowledged_by, card.reason) == (
            str(house.supervisor), "The set was swapped.",
        )  # fmt: skip
        row = ExceptionRow.objects.get(establishment=house.id, what=ExceptionRow.What.ALARM)
        assert row.actor == str(house.supervisor.pk)
        assert pseudonyms.resolve(house.id, row.reason) == "The set was swapped."
        assert row.before == alarm.position

    def test_a_new_count_begins_and_what_was_counted_stays(self, house: House) -> None:
        loaded_dice(house)
        alarm = next(each for each in open_alarms(house) if each.kind == Kind.TABLE)
        acknowledged(house, alarm)

        row = DiceStream.objects.get(establishment=house.id, kind=Kind.TABLE)

        assert (row.current_throws, row.throws, sum(row.total_counts)) == (0, 72, 72)
        assert row.log10 == row.change == 0
        assert row.highest > HIGH
        assert row.alarm is None

    def test_where_it_goes_on_another_alarm_comes(self, house: House) -> None:
        loaded_dice(house)
        alarm = next(each for each in open_alarms(house) if each.kind == Kind.TABLE)
        acknowledged(house, alarm)

        game = next(
            each.stream for each in journal.read(establishment=house.id, limit=50)
            if each.stream.startswith("game/")
        )  # fmt: skip
        for _ in range(24):
            thrown(house, uuid.UUID(game.partition("/")[2]), "Ada", EMPTY)
        watched(house)

        again = [each for each in open_alarms(house) if each.kind == Kind.TABLE]
        assert len(again) == 1
        assert again[0].throws > alarm.throws
        assert sum(again[0].counts) < again[0].throws

    @pytest.mark.parametrize("role", sorted(access.STAFF - access.ACKNOWLEDGING))
    def test_who_only_looks_does_not(self, house: House, role: Role) -> None:
        loaded_dice(house)
        before = queries.waiting(house.id)

        with pytest.raises(NotYours):
            acknowledged(house, open_alarms(house)[0], by=role)

        assert queries.waiting(house.id) == before

    def test_not_without_a_reason_not_twice_and_not_another_house_s(self, house: House) -> None:
        loaded_dice(house)
        alarm = open_alarms(house)[0]
        with pytest.raises(surveillance_alarms.ReasonNeeded):
            acknowledged(house, alarm, reason="  ")
        with pytest.raises(surveillance_alarms.NoSuchAlarm):
            acknowledged(builders.house(), alarm)
        once = uuid.uuid4()
        acknowledged(house, alarm, command_id=once)
        acknowledged(house, alarm, command_id=once)  # a second tap

        with pytest.raises(surveillance_alarms.NotOpen):
            acknowledged(house, alarm)


class TestPages:
    def test_the_rail_says_how_many_wait_and_an_attendant_does_not_see_it(
        self, house: House
    ) -> None:
        loaded_dice(house)

        waits = {each.name: each.waiting for each in rail(house.establishment, "supervisor")}

        assert waits["dice"] == len(LOADED)
        assert "dice" not in {each.name for each in rail(house.establishment, "attendant")}

    def test_an_alarm_is_acknowledged_from_its_page(self, house: House) -> None:
        loaded_dice(house)
        alarm = open_alarms(house)[0]
        client = builders.signed_in(house.supervisor)

        answer = client.post(
            f"/dice/alarms/{alarm.id}/acknowledge/",
            {"command_id": str(uuid.uuid4()), "reason": "Worn; set withdrawn."},
            format="multipart",
        )
        page = client.get("/dice/")

        assert answer.status_code == 302
        assert "Worn; set withdrawn." in page.content.decode()
        assert len(open_alarms(house)) == len(LOADED) - 1

    @pytest.mark.long("postgresql")
    def test_a_point_leads_to_its_event(self, house: House) -> None:
        events = loaded_dice(house)
        client = builders.signed_in(house.auditor)

        page = client.get("/dice/of/house/all/").content.decode()

        assert f'href="/events/{events[0].position}/"' in page
        assert client.get(f"/events/{events[0].position}/").status_code == 200

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("path", "queries_"),
        [("/dice/", 24), ("/dice/?kind=table&sides=8", 21), ("/dice/of/house/all/", 16),
         ("/dice/entries/", 20)],
    )  # fmt: skip
    @pytest.mark.rows(2)
    def test_what_a_page_asks_does_not_grow(
        self,
        house: House,
        path: str,
        queries_: int,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        loaded_dice(house)
        client = builders.signed_in(house.supervisor)
        client.get(path)
        with django_assert_max_num_queries(queries_) as before:
            assert client.get(path).status_code == 200
        loaded_dice(house, table=house.tables[1])
        with django_assert_max_num_queries(queries_) as after:
            client.get(path)
        assert len(after) == len(before)


class TestApi:
    @pytest.mark.long("postgresql")
    def test_streams_come_most_suspicious_first_and_one_has_its_curve(self, house: House) -> None:
        loaded_dice(house)
        client = house.client(Role.AUDITOR)

        rows = client.get(house.url("surveillance/streams/?kind=table")).json()["results"]
        [row] = rows
        whole = client.get(house.url(f"surveillance/streams/table/{row['name']}/8/")).json()

        assert row["title"] == house.table.name
        assert (row["throws"], row["counts"][0], row["alarm"]) == (72, 24, True)
        assert whole["curve"][-1]["throws"] == 72
        assert row["log10_e"] == whole["log10_e"] > HIGH

    def test_alarms_are_listed_and_acknowledged(self, house: House) -> None:
        loaded_dice(house)
        client = house.client(Role.MANAGER)
        rows = client.get(house.url("surveillance/alarms/?state=open")).json()["results"]

        answer = client.post(
            house.url(f"surveillance/alarms/{rows[0]['alarm']}/acknowledge/"),
            {"command_id": str(uuid.uuid4()), "reason": "Weighed: lead in it."},
        )

        assert answer.status_code == 204, answer.content
        [seen] = client.get(house.url("surveillance/alarms/?state=acknowledged")).json()["results"]
        assert seen["reason"] == "Weighed: lead in it."
        assert seen["acknowledged_by"] == str(house.manager)

    def test_attendants_do_not_see_it(self, house: House) -> None:
        assert house.client().get(house.url("surveillance/streams/")).status_code == 403


def test_what_is_kept_goes_on_to_the_last_bit() -> None:
    evidence, change = EProcess(6), ChangeDetector(6)
    for face in (1, 6, 6, 3, 2, 6, 6):
        evidence.add(face)
        change.add(face)
    again = EProcess.restore(evidence.counts, evidence.log_e_values)
    changed = ChangeDetector.restore(6, change.value, change.sums)
    for each in (evidence, again, change, changed):
        each.update((6, 6, 1))

    assert (again.log10, again.log_e_values) == (evidence.log10, evidence.log_e_values)
    assert (changed.value, changed.sums) == (change.value, change.sums)
