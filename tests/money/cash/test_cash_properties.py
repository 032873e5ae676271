"""Whatever is filled, miscounted and handed over: every coin is where the book says (B1, B2)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import accounts, custody
from casino.money.cash import counting, slips
from casino.money.cash.models import CountRow, ShiftRow, SlipRow, TableDay
from casino.play.core import queries
from games.refusals import Refused
from ledger import journal, money, subscriptions
from ledger.accounts import Kind
from tests.forms import how_often
from tests.support import cashing
from tests.support.playing import done, opened, round_played, settled, state

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from casino.house.acts.custody import Purpose
    from casino.house.establishments.models import Table
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

CAGE = 1000
ROWS = (CountRow, ShiftRow, SlipRow, TableDay)

Sheet = dict[str, int]

sheets = st.dictionaries(st.sampled_from(["1", "5", "25", "100"]), st.integers(0, 4), max_size=3)
tables = st.integers(0, 1)
acts = st.one_of(
    st.tuples(
        st.just("count"), tables, st.sampled_from(["open", "change", "close", "check"]), sheets
    ),
    st.tuples(st.just("differ"), tables, st.sampled_from(["open", "close", "check"]), sheets),
    st.tuples(st.just("exact"), tables, st.sampled_from(["change", "close", "check"])),
    st.tuples(st.just("slip"), tables, st.sampled_from(["fill", "credit"]), sheets),
    st.tuples(st.just("hand_over"), tables),
    st.tuples(st.just("play"), tables),
    st.tuples(st.just("pay_out"), tables),
)


@dataclass
class Told:
    """What a table's cash should be, summed up by hand beside the house."""

    sums: Counter[str] = field(default_factory=Counter)

    @property
    def lies_there(self) -> int:
        come = sum(self.sums[name] for name in ("opener", "fill", "bought_in", "over_short"))
        return come - sum(self.sums[name] for name in ("credit", "cashed_out", "boxed", "taken"))


@dataclass
class Evening:
    """A house with two tables, and what ought to have become of its cash."""

    house: House
    told: list[Told] = field(default_factory=lambda: [Told(), Told()])
    issued: int = 0

    def table(self, number: int) -> Table:
        return self.house.tables[number]

    def count(self, number: int, purpose: Purpose, sheet: Sheet) -> None:
        """Two alike: whatever they say is accepted."""
        before = cashing.state(self.house, self.table(number))
        cashing.both_count(self.house, sheet, purpose, table=self.table(number))
        sums, counted = self.told[number].sums, worth(sheet)
        if before.shift is None:
            sums["opener"] += counted
            return
        sums["over_short"] += counted - self.told[number].lies_there
        if purpose == "close":
            sums["taken"] += counted

    def differ(self, number: int, purpose: Purpose, sheet: Sheet) -> None:
        """Two that are not alike, then two that are."""
        table = self.table(number)
        cashing.counted(self.house, self.house.manager, {**sheet, "500": 1}, purpose, table=table)
        cashing.counted(self.house, self.house.attendant, sheet, purpose, table=table)
        if cashing.state(self.house, table).count is None:
            pytest.fail("Two counts that differ were accepted.")
        self.count(number, purpose, sheet)

    def exact(self, number: int, purpose: Purpose) -> None:
        """A count that finds what the book has."""
        held = self.told[number].lies_there
        self.count(number, purpose, {"25": held // 25, "1": held % 25})

    def slip(self, number: int, kind: slips.SlipKind, sheet: Sheet) -> None:
        self.issued = max(self.issued, cashing.slipped(
            self.house, kind, sheet, table=self.table(number)
        ))  # fmt: skip
        self.told[number].sums[kind] += worth(sheet)

    def hand_over(self, number: int) -> None:
        table = self.table(number)
        held = self.told[number].lies_there
        self.count(number, "change", {"25": held // 25, "1": held % 25})
        others = [self.house.attendant, self.house.manager]
        shift = cashing.state(self.house, table).shift
        assert shift is not None
        next_one = next(each for each in others if str(each.pk) != shift.holder)
        cashing.handed_over(self.house, next_one, table=table, by=self.house.supervisor)

    def play(self, number: int) -> None:
        """A game with a seat fee, and a round of it."""
        game = opened(
            self.house, table=self.table(number), game="cinnabar-gate",
            fee={"kind": "seat", "amount": 1},
        )  # fmt: skip
        self.told[number].sums["bought_in"] += 40
        first = state(self.house, game)["first"]
        order = ("Ada", "Bo") if first == "Ada" else ("Bo", "Ada")
        hands = {"Ada": (2, 2, 7), "Bo": (3, 4, 5)}
        round_played(self.house, game, *((name, hands[name]) for name in order))
        self.settle(number)

    def pay_out(self, number: int) -> None:
        game = queries.running_game(self.table(number))
        if game is None:
            return
        if state(self.house, game)["status"] == "open":
            done(self.house, game, "close")
        self.settle(number)
        for player, stake in state(self.house, game)["stakes"].items():
            if stake:
                self.cash_out(number, game, player, stake)

    def cash_out(self, number: int, game: UUID, player: str, stake: int) -> None:
        done(self.house, game, "cash_out", player=player, amount=stake)
        self.told[number].sums["cashed_out"] += stake
        settled(self.house)

    def settle(self, number: int) -> None:
        settled(self.house)
        box = accounts.fee_box(str(self.table(number).pk))
        self.told[number].sums["boxed"] = money.balance(box, establishment=self.house.id)

    def adds_up(self) -> None:
        """The floats by the formula; the cage; over/short; slips; and all cash together."""
        for number, record in enumerate(self.told):
            table = self.table(number)
            assert cashing.float_held(self.house, table) == record.lies_there
            assert cashing.over_short(self.house, table) == record.sums["over_short"]
        sums = sum((record.sums for record in self.told), Counter[str]())
        assert cashing.cage(self.house) == (
            CAGE - sums["opener"] - sums["fill"] + sums["credit"] + sums["taken"]
        )
        held = money.balances(establishment=self.house.id, kinds=[Kind.CAGE, Kind.FLOAT])
        came = sum(record.sums["bought_in"] - record.sums["cashed_out"] for record in self.told)
        found = sum(record.sums["over_short"] for record in self.told)
        assert sum(held.values()) == CAGE + came + found
        numbers = journal.stream(establishment=self.house.id, stream=slips.STREAM)
        assert [each.data["number"] for each in numbers] == list(range(1, len(numbers) + 1))
        assert money.differences(establishment=self.house.id) == {}


def worth(sheet: Mapping[str, int]) -> int:
    return sum(int(value) * pieces for value, pieces in sheet.items())


@settings(
    max_examples=how_often(25, short=4),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(wanted=st.lists(acts, min_size=4, max_size=14))
def test_b1_b2_every_coin_is_where_the_book_says(wanted: list[tuple[Any, ...]]) -> None:
    evening = Evening(cashing.house(cage=CAGE, tables=2))
    for number in (0, 1):
        evening.count(number, "open", {"25": 4})

    for do, *how in wanted:
        with suppress(Refused, AssertionError):
            getattr(evening, do)(*how)
        for number in (0, 1):
            called_off(evening.house, evening.table(number))
        evening.adds_up()

    shown_as_booked(evening)


def called_off(at: House, table: Table) -> None:
    """What was begun and refused half-way holds nothing up."""
    if cashing.state(at, table).stands in {"counting", "handing_over"}:
        counting.call_off(cashing.act(at, at.manager), table=table, reason="")


def shown_as_booked(evening: Evening) -> None:
    """The read models: rows that add up, to what the ledger holds; the same when rebuilt."""
    house = evening.house
    cashing.shown(house)
    for number, record in enumerate(evening.told):
        [day] = TableDay.objects.filter(establishment=house.id, table=evening.table(number))
        assert day.standing == record.lies_there
        assert (day.opener, day.fills, day.credits) == (
            record.sums["opener"], record.sums["fill"], record.sums["credit"],
        )  # fmt: skip
        assert (day.bought_in, day.cashed_out) == (
            record.sums["bought_in"], record.sums["cashed_out"],
        )  # fmt: skip
        assert (day.boxed, day.taken) == (record.sums["boxed"], record.sums["taken"])
        assert (day.over_short, day.other) == (record.sums["over_short"], 0)
        follow_one_another(house, evening.table(number))
    before = rows(house)
    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
    cashing.shown(house)
    assert rows(house) == before


def follow_one_another(at: House, table: Table) -> None:
    """B1: the closer of one shift is the opener of the next; a closed table starts anew."""
    shifts = list(ShiftRow.objects.filter(establishment=at.id, table=table).order_by("opened"))
    for earlier, later in pairwise(shifts):
        if earlier.ended == ShiftRow.Ended.HANDED_OVER:
            assert earlier.closer == later.opener
    running = custody.read(at.id, table.pk).shift
    assert [str(each.shift) for each in shifts if not each.ended] == (
        [running.id] if running else []
    )


def rows(at: House) -> list[Any]:
    return [
        list(model._default_manager.filter(establishment=at.id).order_by("pk").values())
        for model in ROWS
    ]
