"""What is read from the ledger is what a replay makes of it; a row changed by hand is named."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from io import StringIO
from threading import Event as Signal
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import ForeignKey

from casino.cash.account_models import Owed
from casino.establishments.models import Table
from casino.game_streams import loading
from casino.gaming_days.models import LateEntry
from casino.integrity import rebuilding, rebuilding_kept
from casino.integrity.rebuilt_rows import Difference, compared, key_of, named
from casino.integrity.shadow import NotShadowed
from casino.operations import changes
from casino.platform import house_subscriber
from casino.platform.house_subscriber import HOUSE
from casino.play.models import GameCard
from casino.play.projections import PROJECTIONS
from casino.pseudonyms.models import Player
from casino.settlement.models import Payout, PrizeIssued, Tally, Withheld
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions.tasks import SUBSCRIBERS
from ledger import install, subscriptions
from ledger.models import Account, ParkedEvent
from tests.conftest import unguarded
from tests.settlement.test_settlement_trouble import by_hand
from tests.support import builders, lived_in
from tests.support.at_once import on_a_file
from tests.support.dayend import TODAY
from tests.support.playing import NOW, opened, round_played, settled, thrown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from django.db.models import Field, Model

    from ledger.subscriptions import Subscriber
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _on_a_file(tmp_path: Path) -> Iterator[None]:
    """A check has a connection of its own, which SQLite's memory does not give to one thread."""
    with on_a_file(tmp_path), lived_in.marked_often():
        yield


@pytest.fixture
def house() -> House:
    """One game, one round of which Ada lost."""
    made = builders.house()
    round_played(made, opened(made))
    settled(made)
    return made


def found(house: House, *subscribers: Subscriber) -> list[Difference]:
    return [
        each
        for subscriber in subscribers or SUBSCRIBERS
        for each in rebuilding.compare(house.id, subscriber)
    ]


def rows_of(subscriber: Subscriber, house: House) -> dict[type[Model], Any]:
    """A subscriber's tables, each with the house's rows."""
    return {
        model: model._default_manager.filter(establishment=house.id).order_by(
            *(each.attname for each in key_of(model))
        )
        for model in rebuilding.derived(subscriber).rows
    }


def reads_more(monkeypatch: pytest.MonkeyPatch, more: Callable[[StoredEvent], None]) -> None:
    """An area of the house's subscriber does something else, too."""
    first, *others = house_subscriber.areas()

    def both(event: StoredEvent) -> None:
        more(event)
        first.handle(event)

    read = [replace(first, handle=both), *others]
    monkeypatch.setattr(house_subscriber, "areas", lambda: read)


def table_of(model: type[Model]) -> str:
    return model._meta.db_table


def contents() -> list[Any]:
    """The versions of all rows that a check looks at; on SQLite whether anybody wrote anything."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA main.data_version")
            return list(cursor.fetchall())
        rows = []
        for table in sorted(connection.introspection.table_names()):
            cursor.execute(f'SELECT ctid::text, xmin::text FROM public."{table}"')  # noqa: S608
            rows.append((table, cursor.fetchall()))
        return rows


MOMENT = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
WHERE_NONE_WAS = {
    "DateTimeField": MOMENT, "DateField": MOMENT.date(), "UUIDField": uuid.UUID(int=7),
    "PositiveBigIntegerField": 7, "PositiveIntegerField": 7, "BigIntegerField": 7,
    "CharField": "x", "TextField": "x", "BooleanField": True, "JSONField": ["x"],
    "IntegerField": 7, "FloatField": 0.5, "BinaryField": b"x",
}  # fmt: skip


def other(column: Field[Any, Any], value: Any) -> Any:
    """Another value that a column of its kind may have."""
    changed: Any = WHERE_NONE_WAS.get(column.get_internal_type())
    match value:
        case bool():
            changed = not value
        case int():
            changed = value + 10_000
        case date():  # and moments
            changed = value + timedelta(days=400)
        case uuid.UUID():
            changed = uuid.uuid4()
        case str() if value:
            changed = f"{value[:-1]}{'x' if value[-1] != 'x' else 'y'}"
    return changed


def apart_from_key(model: type[Model]) -> list[Field[Any, Any]]:
    return [each for each in compared(model) if each not in key_of(model)]


def altered(row: Model) -> Difference:
    """A row with every column but its key changed, and the difference to expect."""
    was, now = {}, {}
    for column in apart_from_key(type(row)):
        if not isinstance(column, ForeignKey):
            was[column.attname] = getattr(row, column.attname)
            now[column.attname] = other(column, was[column.attname])
    type(row)._default_manager.filter(pk=row.pk).update(**now)
    return expected(row, "altered", found=now, expected=was)


def inserted(row: Model) -> Difference:
    """A copy of a row under another key, and the difference to expect."""
    last = key_of(type(row))[-1]
    setattr(row, last.attname, other(last, getattr(row, last.attname)))
    row.save(force_insert=True)
    return expected(row, "extra", found=columns_of(row))


def expected(row: Model, what: str, **columns: Any) -> Difference:
    key = {
        named(each): getattr(row, each.attname)
        for each in key_of(type(row))
        if each.column != "establishment_id"
    }
    return Difference(follower="", table=table_of(type(row)), what=what, key=key, **columns)


def columns_of(row: Model) -> dict[str, Any]:
    return {named(each): getattr(row, each.attname) for each in compared(type(row))}


def comparable(each: Difference) -> tuple[Any, ...]:
    return each.table, each.what, each.key, each.found, each.expected


class TestEveryTable:
    @pytest.mark.rows(1)
    @pytest.mark.parametrize("seed", [1, 2])
    def test_after_honest_play_nothing_differs(self, seed: int) -> None:
        house = lived_in.house(seed)

        assert found(house) == []

    @pytest.mark.long("postgresql")
    def test_whatever_is_changed_added_or_taken_away_by_hand_is_named(
        self, subtests: pytest.Subtests
    ) -> None:
        house = lived_in.house()
        for subscriber in SUBSCRIBERS:
            tables = rows_of(subscriber, house)
            expected = {}
            for model, rows in tables.items():
                assert rows.exists(), f"{table_of(model)} tells of nothing that was played here."
                first = rows[0]
                expected[table_of(model)] = [altered(rows.get(pk=first.pk)), inserted(first)]
            by_table: dict[str, list[Difference]] = {}
            for each in found(house, subscriber):
                by_table.setdefault(each.table, []).append(each)
            for table, two in expected.items():
                with subtests.test(table=table, doing="changed and added"):
                    differing = by_table[table]
                    assert sorted(map(str, map(comparable, differing))) == sorted(
                        map(str, map(comparable, two))
                    )
                    assert {each.of for each in differing} == {2}
            for rows in tables.values():
                rows.delete()
            gone = found(house, subscriber)
            for model in tables:
                with subtests.test(table=table_of(model), doing="taken away"):
                    mine = [each for each in gone if each.table == table_of(model)]
                    assert mine
                    assert {each.what for each in mine} == {"missing"}
                    assert all(each.of >= len(mine) for each in mine)
        out = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("rebuild", stdout=out, stderr=StringIO())
        assert ended.value.code == 1
        assert found(house) == []

    def test_many_rows_are_counted_and_the_first_are_told(self, house: House) -> None:
        rows = [
            Owed(
                establishment=house.establishment, kind="stake", name=f"x{number:03}", amount=1,
                changed_at=NOW, gaming_day=TODAY,
            )
            for number in range(100)
        ]  # fmt: skip
        Owed.objects.bulk_create(rows)

        differing = found(house, HOUSE)

        assert [each.key["name"] for each in differing] == [f"x{number:03}" for number in range(20)]
        assert {each.of for each in differing} == {100}

    def test_another_houses_rows_are_none_of_its_business(self, house: House) -> None:
        neighbour = builders.house()
        round_played(neighbour, opened(neighbour))
        settled(neighbour)
        GameCard.objects.filter(establishment=neighbour.id).delete()

        assert found(house) == []
        assert len(found(neighbour)) == 1


class TestWithoutTouching:
    def test_nothing_real_is_written(self) -> None:
        house = lived_in.house()
        before = contents()

        found(house)

        assert contents() == before

    def test_the_house_plays_on_meanwhile(self) -> None:
        house = builders.house()
        game = opened(house, players=["Ada", "Bo"], stake=500)
        round_played(house, game)
        settled(house)
        enough, played = Signal(), []

        def plays() -> None:
            try:
                while not enough.is_set():
                    played.append(round_played(house, game).position)
                    for subscriber in SUBSCRIBERS:
                        subscriptions.advance(subscriber, establishment=house.id)
            finally:
                connection.close()

        playing = Thread(target=plays)
        playing.start()
        try:
            differing = [each for _ in range(3) for each in found(house)]
        finally:
            enough.set()
            playing.join()

        assert differing == []
        assert len(played) > 2

    def test_what_a_handler_writes_and_does_not_declare_is_not_written(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def renames(event: StoredEvent) -> None:
            Table.objects.filter(establishment=event.establishment).update(name="Nobody's")

        reads_more(monkeypatch, renames)
        before = contents()

        with pytest.raises(NotShadowed, match="house writes what it does not declare"):
            found(house, HOUSE)

        assert contents() == before

    def test_what_keeps_no_rows_is_not_done_again(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rung: list[int] = []
        area = house_subscriber.Area("bell", lambda event: rung.append(event.position), rows=())
        read = [*house_subscriber.areas(), area]
        monkeypatch.setattr(house_subscriber, "areas", lambda: read)

        assert found(house, HOUSE) == []
        assert rung == []

    def test_a_name_that_an_event_erases_is_not_erased_by_looking(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What an area changes apart from its rows is shadowed, too."""

        def erases(event: StoredEvent) -> None:
            Player.objects.filter(establishment=event.establishment).update(name=None)

        reads_more(monkeypatch, erases)

        assert found(house, HOUSE) == []
        assert not Player.objects.filter(establishment=house.id, name=None).exists()

    def test_ended_at_any_moment_it_leaves_nothing(self, house: House) -> None:
        own, before = connection.connection, contents()
        with connection.cursor() as cursor:
            tables = connection.introspection.table_names(cursor)

        class Ended(BaseException):
            """As a process is told to end."""

        def ends(_done: int, _of: int) -> None:
            raise Ended

        with pytest.raises(Ended):
            rebuilding.compare(house.id, PROJECTIONS, ends)

        assert connection.connection is own
        assert contents() == before
        assert connection.introspection.table_names() == tables

    def test_what_this_process_remembers_of_games_is_not_asked(self, house: House) -> None:
        key = next(iter(loading.MEMORY._games))
        forged = loading.Loaded(key, *(None,) * 5)  # type: ignore[arg-type]
        with loading.MEMORY._lock:
            loading.MEMORY._games[key] = forged
        try:
            assert found(house, PROJECTIONS) == []
            assert loading.MEMORY._games[key] is forged
        finally:
            loading.MEMORY.forget()

    @pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no roles")
    def test_the_role_that_runs_a_house_may_do_it(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        role = f"{connection.settings_dict['NAME']}_runtime"
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE ROLE "{role}"')
        try:
            install.grant(connection, role)
            monkeypatch.setitem(connection.settings_dict["OPTIONS"], "assume_role", role)
            assert found(house) == []
        finally:
            monkeypatch.undo()
            with connection.cursor() as cursor:
                cursor.execute(f'DROP OWNED BY "{role}"')
                cursor.execute(f'DROP ROLE "{role}"')


class TestWhereAFollowerStands:
    def test_rows_are_held_against_the_ledger_as_far_as_it_has_read(self, house: House) -> None:
        round_played(house, opened(house, table=house.tables[1]))

        assert subscriptions.lag(PROJECTIONS.name, establishment=house.id) > 0
        assert found(house) == []

    def test_the_card_of_a_game_that_has_moved_on_waits(self, house: House) -> None:
        """It is written at the last event there is, and there is a later one by now."""
        game = GameCard.objects.get(establishment=house.id)
        thrown(house, game.game, "Ada", (2, 2, 1))
        GameCard.objects.filter(game=game.game).update(pot=99)

        assert found(house) == []
        Payout.objects.filter(establishment=house.id).update(amount=99)
        assert [each.table for each in found(house)] == [table_of(Payout)]

    def test_a_house_in_which_nothing_happened_has_no_rows(self) -> None:
        house = builders.house()
        assert found(house) == []

        Owed.objects.create(
            establishment=house.establishment, kind="stake", name="x", amount=1,
            changed_at=NOW, gaming_day=TODAY,
        )  # fmt: skip
        assert [each.what for each in found(house)] == ["extra"]

    def test_what_is_parked_is_left_out_on_both_sides(self, house: House) -> None:
        game = GameCard.objects.get(establishment=house.id).game
        by_hand(house, f"game/{game}", "stone_hand.unheard_of", {})
        loading.MEMORY.forget()
        round_played(house, opened(house, table=house.tables[1]))
        settled(house)

        assert ParkedEvent.objects.filter(establishment=house.id).exists()
        assert found(house) == []

    def test_an_event_that_was_read_and_cannot_be_again_is_told(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(_event: StoredEvent) -> None:
            raise ValueError("Not understood.")

        reads_more(monkeypatch, fails)

        unreadable = [each for each in found(house, HOUSE) if each.what == "unreadable"]

        assert unreadable[0].key == {"stream": "day", "position": 0}
        assert unreadable[0].found == {"error": "ValueError: Not understood."}
        assert {each.of for each in unreadable} == {len(unreadable)}

    def test_one_that_begins_anew_meanwhile_is_compared_anew(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rebuilding, "NEAR", 0)
        begun: list[int] = []

        def begins_anew(done: int, _of: int) -> None:
            if not begun:
                begun.append(done)
                subscriptions.begin_anew(PROJECTIONS, establishment=house.id)

        assert list(rebuilding.compare(house.id, PROJECTIONS, begins_anew)) == []
        assert begun


class TestWhatSettlementKeeps:
    @pytest.mark.long("postgresql")
    def test_points_prizes_and_what_is_held_are_put_right(self) -> None:
        house = lived_in.house(events=0)
        rows = {model: list(model.objects.values()) for model in (Tally, PrizeIssued, Withheld)}
        Tally.objects.filter(establishment=house.id).update(points=50)
        PrizeIssued.objects.filter(establishment=house.id).delete()
        Withheld.objects.create(establishment=house.establishment, game=uuid.uuid4(), waiting=True)

        assert {(each.table, each.what) for each in found(house, SETTLEMENT)} == {
            (table_of(Tally), "altered"),
            (table_of(PrizeIssued), "missing"),
            (table_of(Withheld), "extra"),
        }
        assert rebuilding_kept.mend(house.id) == 3

        assert found(house) == []
        assert {model: list(model.objects.values()) for model in rows} == rows

    def test_what_is_booked_while_it_is_put_right_counts(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Looked through again: else the point that comes in between would be lost."""
        round_played(house, opened(house, table=house.tables[1], options={"mode": "scoreboard"},
                                   stake=0))  # fmt: skip
        settled(house)
        player = Tally.objects.get(establishment=house.id, points=1).player
        Tally.objects.filter(establishment=house.id).update(points=50)
        write = rebuilding_kept._write
        came: list[int] = []

        def writes(establishment: uuid.UUID, wrong: Difference) -> None:
            if not came:
                came.append(1)
                data = {"points": {}, "payments": [], "cause": 1}
                by_hand(house, f"settlement/{uuid.uuid4()}", "settlement.booked", data)
            write(establishment, wrong)

        monkeypatch.setattr(rebuilding_kept, "_write", writes)

        assert rebuilding_kept.mend(house.id) == 1
        assert Tally.objects.get(establishment=house.id, player=player).points == 1

    def test_a_balance_that_its_transfers_do_not_make_is_told(self, house: House) -> None:
        with unguarded(connection) as cursor:
            cursor.execute("UPDATE ledger_account SET credits = credits + 5 WHERE kind = 'pot'")

        [difference] = found(house)

        assert (difference.follower, difference.table, difference.key["kind"]) == (
            "settlement", table_of(Account), "pot",
        )  # fmt: skip
        assert difference.found["credits"] == difference.expected["credits"] + 5

    def test_what_it_booked_is_not_made_anew(self, house: House) -> None:
        with pytest.raises(ValueError, match="stays booked"):
            rebuilding.rebuild(house.id, SETTLEMENT)


class TestTheCommand:
    def run(self, house: House, *options: str) -> tuple[int, str]:
        """Its exit status, and its output."""
        out, code = StringIO(), 0
        arguments = ("--establishment", str(house.id), *options)
        try:
            call_command("rebuild", *arguments, stdout=out, stderr=StringIO())
        except SystemExit as ended:
            code = int(str(ended.code))
        return code, out.getvalue()

    def test_it_says_that_nothing_differs(self, house: House) -> None:
        code, output = self.run(house, "--check")

        assert code == 0
        assert output.splitlines() == [
            f"{house.establishment.name}, {subscriber.name}: nothing differs."
            for subscriber in SUBSCRIBERS
        ]

    def test_checked_only_it_names_row_and_column_and_leaves_them(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).update(pot=99)
        game = GameCard.objects.get(establishment=house.id).game

        code, output = self.run(house, "--check", "--follower", "projections")

        assert code == 1
        assert output.splitlines() == [
            f"{house.establishment.name}, projections: play_gamecard: 1 differ.",
            f"  altered game={game}: pot is 99, should be 7",
        ]
        assert GameCard.objects.get(establishment=house.id).pot == 99

    def test_it_makes_anew_what_differs(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).update(pot=99)

        assert self.run(house)[0] == 1
        assert GameCard.objects.get(establishment=house.id).pot == 7
        assert self.run(house)[0] == 0

    def test_it_says_so_in_json(self, house: House) -> None:
        GameCard.objects.filter(establishment=house.id).delete()

        _, output = self.run(house, "--check", "--json", "--follower", "projections")

        row, last = map(json.loads, output.splitlines())
        assert row["difference"]["what"] == "missing"
        assert row["difference"]["expected"]["establishment_id"] == str(house.id)
        assert last["differing"] == {"play_gamecard": 1}

    def test_what_is_parked_alone_begins_nothing_anew(self, house: House) -> None:
        """What is not understood would not be now: a rebuild would lose what was read before it."""
        game = GameCard.objects.get(establishment=house.id).game
        by_hand(house, f"game/{game}", "stone_hand.unheard_of", {})
        loading.MEMORY.forget()
        settled(house)

        assert self.run(house)[0] == 0
        assert GameCard.objects.filter(establishment=house.id).exists()

    def test_a_house_that_is_not_there(self) -> None:
        with pytest.raises(CommandError, match="there is no house") as refused:
            call_command("rebuild", "--establishment", str(uuid.uuid4()))
        assert refused.value.returncode == 2


def test_b4_an_entry_was_late_by_the_clock_of_its_time(house: House) -> None:
    """A house that moves its cut-off does not make entries late, or others not, after the fact."""
    game, at = opened(house, table=house.tables[1]), NOW
    thrown(house, game, "Ada", (2, 2, 7), now=at, occurred_at=at.replace(hour=4).isoformat())
    settled(house)
    rows = list(LateEntry.objects.filter(establishment=house.id).values())
    for cutoff in (time(2), time(3)):
        house.establishment.day_cutoff = cutoff
        changes.change(house.establishment, establishment=house.establishment, by=house.manager)
        settled(house)

    assert [each["kind"] for each in rows] == ["late"]
    assert found(house) == []
    subscriptions.rebuild(HOUSE, establishment=house.id)
    assert list(LateEntry.objects.filter(establishment=house.id).values()) == rows
