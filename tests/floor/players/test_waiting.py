"""The waiting list: entered, called, skipped, seated by itself, gone; who may not is not on it."""

from __future__ import annotations

import uuid
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, transaction

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import player_names, waiting, waiting_pages
from casino.floor.players.models import Wait
from casino.floor.players.waiting_pages import estimate
from casino.house.acts import acts
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.home_throws import house_rules
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.models import SeatRefused
from games.refusals import Refused
from ledger import journal, subscriptions
from ledger.journal import CommandReused
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.cashing import act
from tests.support.playing import NOW, ask, done, opened, settled

if TYPE_CHECKING:
    from pathlib import Path

    from casino.floor.players.waiting import Entry
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

STONE, GATE = "stone-hand", "cinnabar-gate"


@pytest.fixture
def house() -> House:
    return builders.house(dice_sets=2)


def acting(house: House, *, after: int = 0, **more: object) -> acts.Act:
    """An act of an attendant, so many minutes after the evening's first."""
    return acts.Act(
        house=house.establishment,
        by=house.attendant,
        device="office",
        now=NOW + timedelta(minutes=after),
        command_id=uuid.uuid4(),
        request=more,
    )


def entered(
    house: House, name: str, game: str = STONE, *, after: int = 0, stake: int | None = None
) -> Entry:
    return waiting.enter(acting(house, after=after), name=name, game=game, stake=stake)


def names(house: House, *, after: int = 0, game: str = STONE) -> list[str]:
    """The names of those who wait for a game, in order, once workers have read what happened."""
    house_subscriber.catch_up(establishment=house.id, position=journal.head(establishment=house.id))
    lines = waiting_pages.lines(house.establishment, NOW + timedelta(minutes=after), game)
    return [place.name for line in lines for place in line.places]


def ends(house: House) -> list[tuple[str, str]]:
    """How waits ended: name and end, in the order in which they began."""
    house_subscriber.catch_up(establishment=house.id, position=journal.head(establishment=house.id))
    rows = Wait.objects.filter(establishment=house.id).order_by("since")
    called = tokens.names(house.id, {row.player for row in rows})
    return [(called.get(row.player, "?"), row.end) for row in rows]


def refusal(house: House, name: str, game: str = STONE, *, after: int = 0) -> str:
    with pytest.raises(Refused) as refused:
        entered(house, name, game, after=after)
    return refused.value.code


def test_they_stand_in_order_by_game_each_with_a_number(house: House) -> None:
    ada, bo = entered(house, "Ada"), entered(house, "Bo", after=2, stake=40)
    other = entered(house, "Ada", GATE, after=3)

    assert (ada.number, bo.number, other.number) == (1, 2, 3)
    assert (ada.ahead, bo.ahead, other.ahead) == (0, 1, 0)
    assert names(house) == ["Ada", "Bo"]
    assert names(house, game=GATE) == ["Ada"]
    [line, _gate] = waiting_pages.lines(house.establishment, NOW + timedelta(minutes=30))
    assert [place.minutes for place in line.places] == [30, 28]
    assert line.places[1].entry.stake == 40


def test_a_person_is_entered_once_for_a_game_and_not_if_they_sit_at_it(house: House) -> None:
    entered(house, "Ada")
    assert refusal(house, "Ada") == "waits_already"
    [row] = Wait.objects.filter(establishment=house.id)
    row.pk = (house.id, uuid.uuid4())
    with pytest.raises(IntegrityError), transaction.atomic():  # the database says so, too
        row.save(force_insert=True)

    opened(house, players=["Cy", "Dee"])
    assert refusal(house, "Cy") == "plays_already"
    entered(house, "Cy", GATE)


def test_the_same_command_enters_once_and_is_refused_for_another(house: House) -> None:
    first = acting(house)
    entry = waiting.enter(first, name="Ada", game=STONE)

    assert waiting.enter(first, name="Ada", game=STONE) == entry
    with pytest.raises(CommandReused):
        waiting.enter(first, name="Bo", game=STONE)
    assert names(house) == ["Ada"]


def test_p1_who_is_excluded_is_not_entered_and_the_try_is_listed_once(house: House) -> None:
    player = tokens.player_tokens(house.id, ["Ada"], new=True)["Ada"]
    exclude(house, player)

    command = acting(house)
    for _time in range(2):
        with pytest.raises(Refused) as refused:
            waiting.enter(command, name="Ada", game=STONE)
        assert refused.value.code == "excluded"
    assert refusal(house, "ADA") == "reads_like_excluded"
    house_subscriber.catch_up(establishment=house.id, position=journal.head(establishment=house.id))
    assert SeatRefused.objects.filter(establishment=house.id).count() == 2
    assert names(house) == []


def test_p1_who_is_excluded_while_they_wait_is_not_called_nor_shown(house: House) -> None:
    entry = entered(house, "Ada")
    exclude(house, entry.player)

    with pytest.raises(Refused) as refused:
        waiting.call(acting(house), entry=uuid.UUID(entry.entry))
    assert refused.value.code == "excluded"
    assert waiting_pages.public_lines(house.establishment, NOW) == []
    waiting.take_off(acting(house), entry=uuid.UUID(entry.entry))
    assert ends(house) == [("Ada", "off")]


def exclude(house: House, player: str) -> None:
    exclusions.exclude(
        act(house, house.supervisor), player=player, since=date(2026, 11, 1), until=None,
        reason="Asked for it.",
    )  # fmt: skip


def test_they_are_called_once_and_gone_after_the_houses_minutes(house: House) -> None:
    entry = uuid.UUID(entered(house, "Ada").entry)
    entered(house, "Bo", after=1)
    called = waiting.call(acting(house, after=5), entry=entry, table=house.table)
    assert called.table == str(house.table.pk)

    with pytest.raises(Refused) as refused:
        waiting.call(acting(house, after=6), entry=entry)
    assert refused.value.code == "called_already"
    assert names(house, after=14) == ["Ada", "Bo"]
    assert names(house, after=15) == ["Bo"]
    with pytest.raises(Refused) as refused:
        waiting.skip(acting(house, after=15), entry=entry)
    assert refused.value.code == "waits_no_longer"
    entered(house, "Ada", after=16)  # again, at the end
    assert names(house, after=16) == ["Bo", "Ada"]
    assert ends(house) == [("Ada", "gone"), ("Bo", ""), ("Ada", "")]


def test_without_minutes_of_the_house_who_is_called_stays_until_the_next_day(house: House) -> None:
    house.establishment.waiting_minutes = None
    entry = entered(house, "Ada")
    waiting.call(acting(house, after=5), entry=uuid.UUID(entry.entry))

    assert names(house, after=11 * 60) == ["Ada"]
    assert names(house, after=12 * 60) == []


def test_the_wait_goes_on_after_midnight_and_past_the_cut_off(house: House) -> None:
    house.establishment.day_cutoff = time(0)
    entry = entered(house, "Ada")  # 21:30
    assert names(house, after=3 * 60) == ["Ada"]  # 00:30 of the next gaming day
    waiting.call(acting(house, after=3 * 60), entry=uuid.UUID(entry.entry))
    opened(house, players=["Ada", "Bo"], now=NOW + timedelta(minutes=3 * 60 + 1))

    assert ends(house) == [("Ada", "seated")]
    row = Wait.objects.get(establishment=house.id)
    assert row.gaming_day == NOW.date()
    assert row.ended_at is not None
    assert row.ended_at - row.since == timedelta(minutes=181)


def test_who_is_skipped_lets_the_next_for_the_same_game_go_first(house: House) -> None:
    ada = uuid.UUID(entered(house, "Ada").entry)
    entered(house, "Dee", GATE)
    entered(house, "Bo")
    entered(house, "Cy")
    waiting.call(acting(house), entry=ada)

    skipped = waiting.skip(acting(house), entry=ada)

    assert skipped.called_at is None
    assert names(house) == ["Bo", "Ada", "Cy"]
    waiting.skip(acting(house), entry=ada)
    waiting.skip(acting(house), entry=ada)  # there is nobody behind
    assert names(house) == ["Bo", "Cy", "Ada"]


def test_a_seat_ends_the_wait_for_that_game_alone(house: House) -> None:
    for minute, name in enumerate(("Ada", "Bo", "Cy")):
        entered(house, name, GATE, after=minute)
    entered(house, "Ada", after=3)
    game = opened(house, game=GATE, players=["Ada", "Dee"])
    assert names(house, game=GATE) == ["Bo", "Cy"]
    assert names(house) == ["Ada"]

    done(house, game, "join", player="Bo", stake=20)
    assert names(house, game=GATE) == ["Cy"]
    ask(house, game, "throw", player="Cy", dice=[1, 2, 3])  # of somebody who does not sit there
    assert names(house, game=GATE) == ["Cy"]
    assert ends(house) == [("Ada", "seated"), ("Bo", "seated"), ("Cy", ""), ("Ada", "")]


def test_a_game_that_is_no_longer_offered_calls_nobody(house: House) -> None:
    entry = entered(house, "Ada")
    version = house_rules.draft_rules(
        establishment=house.establishment, game=STONE, effective_from=NOW, by=None, now=NOW,
        played=False,
    )  # fmt: skip
    version.save()

    assert refusal(house, "Bo", after=1) == "game_not_offered"
    with pytest.raises(Refused) as refused:
        waiting.call(acting(house, after=1), entry=uuid.UUID(entry.entry))
    assert refused.value.code == "game_not_offered"
    assert names(house, after=1) == ["Ada"]  # for the house's people
    assert waiting_pages.public_lines(house.establishment, NOW + timedelta(minutes=1)) == []


def test_a_table_that_is_taken_out_of_use_calls_nobody(house: House) -> None:
    ada, bo = entered(house, "Ada"), entered(house, "Bo")
    waiting.call(acting(house), entry=uuid.UUID(ada.entry), table=house.table)
    house.table.in_use = False
    house.table.save()

    with pytest.raises(Refused) as refused:
        waiting.call(acting(house), entry=uuid.UUID(bo.entry), table=house.table)
    assert refused.value.code == "table_not_in_use"
    [line] = waiting_pages.lines(house.establishment, NOW)
    assert [(place.name, place.table) for place in line.called] == [("Ada", "")]


def test_screens_name_them_as_they_allow_and_by_number_unless_the_house_shows_names(
    house: House,
) -> None:
    long = "Anna Maria Wilhelmina van der Hoogstraten-Vandenberghe"
    for name, shown in (("Ada", "short"), (long, "short"), (long + "s", "full"), ("Bo", "number")):
        waiting.enter(acting(house), name=name, game=STONE, shown=shown)

    [line] = waiting_pages.public_lines(house.establishment, NOW)
    assert [each.public for each in line.places] == [f"number {n}" for n in (1, 2, 3, 4)]
    house.establishment.wall_names = True
    [line] = waiting_pages.public_lines(house.establishment, NOW)
    assert [each.public for each in line.places] == ["Ada", "Anna H.", long + "s", "number 4"]


def test_an_erased_name_is_off_the_list_and_nowhere_in_the_ledger(house: House) -> None:
    entry = entered(house, "Wilhelmina Quist")
    player_names.erase_name(
        act(house, house.people[Role.MANAGER]), player=entry.player, reason="Asked for it."
    )

    assert names(house) == []
    assert ends(house) == [("?", "off")]
    events = journal.stream(establishment=house.id, stream=waiting.STREAM)
    assert all(b"Wilhelmina" not in event.body for event in events)


def test_who_may_not_record_puts_nobody_on_the_list(house: House) -> None:
    auditor = acts.Act(
        house=house.establishment, by=house.auditor, device="office", now=NOW,
        command_id=uuid.uuid4(), request={},
    )  # fmt: skip
    with pytest.raises(NotYours):
        waiting.enter(auditor, name="Nobody Heard Of", game=STONE)
    assert tokens.player_tokens(house.id, ["Nobody Heard Of"], new=False) == {}


def test_rows_come_out_the_same_when_they_are_written_again(house: House) -> None:
    called = entered(house, "Ada")
    entered(house, "Bo", after=1)
    entered(house, "Cy", after=2)
    waiting.call(acting(house, after=2), entry=uuid.UUID(called.entry))
    opened(house, players=["Bo", "Dee"], now=NOW + timedelta(minutes=3))
    settled(house)
    entered(house, "Eve", after=60)
    before = ends(house)
    rows = list(Wait.objects.filter(establishment=house.id).order_by("entry").values())

    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)

    assert ends(house) == before
    assert list(Wait.objects.filter(establishment=house.id).order_by("entry").values()) == rows
    assert before == [("Ada", "gone"), ("Bo", "seated"), ("Cy", ""), ("Eve", "")]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_call_at_once_one_is_told_and_two_enter_once(
    house: House, tmp_path: Path
) -> None:
    entry = uuid.UUID(entered(house, "Ada").entry)

    def call(_number: int) -> str:
        try:
            waiting.call(acting(house), entry=entry)
        except Refused as refused:
            return refused.code
        return "called"

    def enter(_number: int) -> str:
        try:
            entered(house, "Bo")
        except Refused as refused:
            return refused.code
        return "entered"

    with on_a_file(tmp_path):
        assert sorted(at_once(2, call)) == ["called", "called_already"]
        assert sorted(at_once(2, enter)) == ["entered", "waits_already"]
        assert names(house) == ["Ada", "Bo"]


# fmt: off
MEASURED = [
    # Ten who came when as many waited: 7 of them within the narrowest span.
    ([(2, m) for m in (12, 16, 18, 22, 24, 26, 31, 39, 55, 80)], 2,
     (25, 7, 10, 10, 35)),
    # Fewer than five to compare with, or none that was alike: nothing is said.
    ([(2, 20)] * 4,                       2, None),
    ([(0, 20)] * 9,                       6, None),
    # The latest ten of those that began most alike.
    ([(1, 9)] * 10 + [(1, 200)] * 10,     1, (10, 10, 10, 5, 10)),
    ([(2, 90)] * 20 + [(1, 9)] * 10,      1, (10, 10, 10, 5, 10)),
    # Who hardly waited: never less than five minutes, and never a span of nothing.
    ([(0, 0.2)] * 5,                      0, (5, 5, 5, 0, 5)),
]
# fmt: on


@pytest.mark.parametrize(("waits", "ahead", "said"), MEASURED)
def test_the_wait_is_measured_and_says_how_many_waited_so(
    waits: list[tuple[int, float]], ahead: int, said: tuple[int, ...] | None
) -> None:
    found = estimate(waits, ahead)
    told = (found.minutes, found.within, found.of, found.shortest, found.longest) if found else None
    assert told == said


def test_the_wait_is_measured_from_those_who_were_seated_lately(house: House) -> None:
    seated = [12, 16, 18, 22, 24, 26]
    for number, minutes in enumerate(seated):
        wait(house, minutes, ended=NOW - timedelta(hours=number))
    wait(house, 500, ended=NOW - timedelta(hours=1), end=Wait.End.OFF)
    wait(house, 500, ended=NOW - timedelta(days=29))
    entered(house, "Ada")

    [line] = waiting_pages.lines(house.establishment, NOW)
    assert line.estimate is not None
    assert line.estimate.about == "about 20 minutes"
    assert line.estimate.honesty == "5 of 6 waited between 15 and 30 minutes"


def wait(house: House, minutes: int, *, ended: datetime, end: Wait.End = Wait.End.SEATED) -> None:
    since = ended - timedelta(minutes=minutes)
    Wait.objects.create(
        establishment=house.establishment, entry=uuid.uuid4(), player=f"p-{uuid.uuid4().hex[:12]}",
        game=STONE, since=since, gaming_day=since.date(), ahead=1,
        gone_at=since + timedelta(hours=12), ended_at=ended, end=end,
    )  # fmt: skip
