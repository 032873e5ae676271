"""The demo's past: a bundle that is whole, moved to today, imported as every house is."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client

from casino.config.management.commands import up
from casino.demo import house as demo
from casino.demo import past
from casino.demo.dated import DAY, EVENTS, Dated
from casino.house.acts import custody
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.proof.verification.imports import NotImported
from casino.reports.gaming_days.closing import event_of_close
from casino.settings.staff.sign_in import demo_staff as staff
from ledger import journal, subscriptions
from ledger.verify import Export, Key, Trust, Untrue, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

EVENING = Path(__file__).with_name("evening.zip")
"""One evening: `python -m tests.past --days 1 --to tests/demo/evening.zip`."""
SIZE_MAX = 2_000_000  # bytes
NOW = datetime(2026, 3, 30, 9, 15, tzinfo=UTC)  # the day after clocks were put forward
ROME = ZoneInfo("Europe/Rome")
LONG = re.compile(r"[0-9a-f-]{36,64}")
GAMES = {"stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker"}


@cache
def bundle() -> Export:
    return Export(past.BUNDLE)


@cache
def events() -> list[dict[str, Any]]:
    return [json.loads(line) for line in bundle().lines(EVENTS)]


@cache
def moved(name: str) -> list[bytes]:
    """The lines of a file of the bundle, a hundred days later."""
    return list(Dated(bundle(), 100).lines(name))


def of(kind: str) -> list[dict[str, Any]]:
    return [event for event in events() if event["event_type"] == kind]


# --- The bundle -------------------------------------------------------------------------------


def test_the_bundle_is_small_and_whole() -> None:
    keys = tuple(Key.parse(each) for each in bundle().manifest["keys"])

    assert bundle().check(Trust(keys=keys), contents=True)
    assert past.BUNDLE.stat().st_size <= SIZE_MAX
    assert past.size() == bundle().manifest["events"]


def test_five_weeks_are_in_it_each_day_closed_and_all_but_the_last_signed() -> None:
    days = [date.fromisoformat(event["data"]["day"]) for event in of("day.closed")]

    assert days == [days[0] + timedelta(days=number) for number in range(35)]
    assert [event["data"]["day"] for event in of("day.signed")] == [str(day) for day in days[:-1]]
    games = {event["event_type"] for event in events() if ".game_opened" in event["event_type"]}
    assert {game.partition(".")[0].replace("_", "-") for game in games} >= GAMES


def test_it_has_what_a_house_comes_to_have() -> None:
    seen = Counter(event["event_type"] for event in events())

    for kind in (
        "rollover.left", "rollover.drawn", "game.voided", "game.disputed", "game.resolved",
        "late.listed", "late.dismissed", "slip.filled", "slip.credited", "dice.destroyed",
        "alarm.raised", "alarm.acknowledged", "count.differed",
    ):  # fmt: skip
        assert seen[kind], f"{kind}: {sorted(seen)}"
    assert seen["alarm.raised"] > seen["alarm.acknowledged"]  # one is left to whoever looks


# --- Moved in time ----------------------------------------------------------------------------


@pytest.mark.rows(1)
@pytest.mark.parametrize("days", [200, -200])
def test_nothing_stays_behind_when_it_is_moved(days: int) -> None:
    later_on = Dated(bundle(), days)
    old = {event["gaming_day"] for event in events()}
    later = {later_on.day(day) for day in old}
    house = UUID(bundle().manifest["establishment"])
    named_by_days = {str(uuid5(house, f"day.closed/{day}")) for day in old}
    assert old.isdisjoint(later)

    for name in bundle().manifest["files"]:
        for line in later_on.lines(name):
            found = set(DAY.findall(line.decode()))
            assert found.isdisjoint(old), line
            assert named_by_days.isdisjoint(LONG.findall(line.decode())), line
    for before, line in zip(events(), later_on.lines(EVENTS), strict=True):
        after = json.loads(line)
        assert after["gaming_day"] == later_on.day(before["gaming_day"])
        was, is_ = (datetime.fromisoformat(each["recorded_at"]) for each in (before, after))
        assert was.astimezone(ROME).time() == is_.astimezone(ROME).time()
        opened = before["data"].get("at") if isinstance(before["data"], dict) else None
        if isinstance(opened, int):
            shown = datetime.fromtimestamp(after["data"]["at"], UTC).astimezone(ROME)
            assert shown.date() - datetime.fromtimestamp(opened, UTC).astimezone(
                ROME
            ).date() == timedelta(days=days)


def test_the_command_that_closes_a_day_is_found_by_the_day_s_new_name() -> None:
    house = UUID(bundle().manifest["establishment"])
    closed = [
        event
        for event in map(json.loads, moved(EVENTS))
        if event["event_type"] == gaming_day.CLOSED
    ]

    for event in closed:
        assert event["command_id"] == str(uuid5(house, f"day.closed/{event['data']['day']}"))


def test_a_command_that_follows_from_an_event_is_known_by_the_event_s_new_hash() -> None:
    """Else whoever reads the throw again would raise its alarm again (F2)."""
    receipts = {row["command_id"]: row for row in map(json.loads, moved("receipts.jsonl"))}
    lines = moved(EVENTS)
    follows = [json.loads(line) for line in lines]
    positions = {event["event_id"]: number for number, event in enumerate(follows)}

    def hashed(event: dict[str, Any]) -> tuple[str, bytes]:
        cause = lines[positions[event["causation_id"]]]
        return receipts[event["command_id"]]["request_hash"], leaf_hash(cause)

    alarms = [hashed(event) for event in follows if event["event_type"] == "alarm.raised"]
    booked = [hashed(event) for event in follows if event["event_type"] == "settlement.booked"]
    assert alarms
    assert all(known == sha256(leaf).hexdigest() for known, leaf in alarms)
    assert all(known == leaf.hex() for known, leaf in booked)


def test_a_text_that_names_a_day_is_hashed_anew() -> None:
    texts = {row["token"]: row["text"] for row in map(json.loads, moved("texts.jsonl"))}
    [refused] = [text for text in texts.values() if " is excluded from " in text]
    said = {row["refusal_detail"] or "" for row in map(json.loads, moved("receipts.jsonl"))}
    refusals = {each for each in said if each.startswith("t-")}  # others name nobody and no day

    assert refusals
    assert re.search(r"from \d\d/12/2025 to \d\d/\d\d/2026", refused)
    assert refusals <= texts.keys()


# --- Imported ---------------------------------------------------------------------------------


@pytest.fixture
def _keys(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.PRODUCTION = False


@pytest.fixture(autouse=True)
def _nothing_comes() -> Iterator[None]:
    yield
    staff.COMING.clear()
    staff.PAST.entries = staff.PAST.recorded = staff.PAST.shown = 0
    staff.SELF_PLAY.here.clear()
    staff.SELF_PLAY.wanted.clear()


def yesterday() -> date:
    return date(2026, 3, 29)


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.django_db
@pytest.mark.usefixtures("_keys")
def test_it_ends_yesterday_its_book_is_sound_and_its_people_come_in() -> None:
    with time_machine.travel(NOW):
        house = past.import_(NOW, bundle=EVENING)
    read: list[int] = []
    past.catch_up(house.pk, on_progress=read.append)

    assert event_of_close(house.pk, yesterday()) is not None
    assert gaming_day.day_state(house.pk).open == (date(2026, 3, 30),)
    assert read == sorted(read)
    assert not subscriptions.lags(SUBSCRIBERS, establishment=house.pk)
    for table in house.tables.all():
        assert custody.read(house.pk, table.pk).shift is not None
    for person in staff.STAFF:
        assert Client().login(username=person.username, password=staff.PASSWORD)
    call_command("verify_ledger", "--no-projections")  # exits where something is found


class PowerFails(Exception):  # noqa: N818 - names the fact
    pass


@pytest.mark.django_db
def test_killed_on_the_way_it_leaves_nothing_and_comes_anew_on_another_day() -> None:
    def killed(entries: int) -> None:
        raise PowerFails(entries)

    with pytest.raises(PowerFails):
        past.import_(NOW, bundle=EVENING, on_progress=killed)
    assert not Establishment.objects.exists()

    later = timedelta(days=3)
    house = past.import_(NOW + later, bundle=EVENING)

    assert event_of_close(house.pk, yesterday() + later) is not None
    house.refresh_from_db()
    assert (house.wall, house.guests) == (True, True)  # its boards hang as soon as it exists
    assert all(house.tables.values_list("wall", flat=True))


@pytest.mark.long("sqlite")
@pytest.mark.django_db
def test_it_is_imported_once() -> None:
    past.import_(NOW, bundle=EVENING)

    with pytest.raises(NotImported, match="is here already"):
        past.import_(NOW, bundle=EVENING)


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_a_bundle_that_was_changed_is_refused_and_a_house_without_a_past_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "changed"
    with zipfile.ZipFile(EVENING) as archive:
        archive.extractall(changed)
    ledger = changed / EVENTS
    ledger.write_bytes(ledger.read_bytes().replace(b'"amount":10000', b'"amount":90000'))
    with pytest.raises(Untrue, match="something was changed"):
        past.import_(NOW, bundle=changed)

    monkeypatch.setattr(past, "BUNDLE", changed)
    staff.COMING.set()
    up.import_past(Event())

    assert demo.exists()
    assert not staff.COMING.is_set()
    assert journal.head(establishment=Establishment.objects.get().pk) < 100


# --- While it comes ---------------------------------------------------------------------------


@pytest.mark.long("sqlite")
@pytest.mark.django_db
def test_a_first_start_imports_it_and_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "BUNDLE", EVENING)
    staff.COMING.set()

    up.import_past(Event())

    assert not staff.COMING.is_set()
    assert (staff.PAST.recorded_percent, staff.PAST.shown_percent) == (100, 100)
    assert Establishment.objects.get().name == staff.NAME


@pytest.mark.django_db
def test_a_program_that_ends_does_not_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "BUNDLE", EVENING)
    ends = Event()
    ends.set()

    up.import_past(ends)

    assert not Establishment.objects.exists()


@pytest.mark.long("sqlite")
@pytest.mark.django_db
def test_where_another_process_was_faster_its_house_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        demo.make()
        raise IntegrityError("establishment name")

    monkeypatch.setattr(past, "import_", late)

    up.import_past(Event())

    assert Establishment.objects.count() == 1
