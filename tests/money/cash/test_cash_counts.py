"""Two people count, blind; what they agree on is accepted and the book follows (B1)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import acts, custody
from casino.house.acts.accounts import table_float
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.money.cash import counting, queries
from casino.money.cash.accounts import queries as accounts
from games.refusals import Refused
from ledger import journal
from tests.play.settlement.test_settlement_trouble import overpaid
from tests.support import builders, cashing
from tests.support.playing import NOW, done, opened, round_played, settled, state

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

LESS, MORE = {"25": 1, "5": 4}, {"25": 2, "5": 1}  # 45 and 55, of 50


@pytest.fixture
def house() -> House:
    return cashing.house()


def events(at: House) -> list[journal.StoredEvent]:
    return journal.stream(establishment=at.id, stream=custody.stream_of(at.table.pk))


def refused(at: House, who: Role, sheet: dict[str, int], purpose: Any = "check") -> str:
    with pytest.raises(Refused) as raised:
        cashing.counted(at, at.people[who], sheet, purpose)
    return raised.value.code


def test_b1_a_table_opens_with_a_float_that_two_people_counted(house: House) -> None:
    cashing.counted(house, house.attendant, cashing.FIFTY, "open")
    assert cashing.state(house).stands == "counting"
    cashing.counted(house, house.supervisor, cashing.FIFTY, "open")

    shift = cashing.state(house).shift
    assert shift is not None
    assert (shift.holder, shift.opener) == (str(house.attendant.pk), {"25": 2})
    assert (cashing.float_held(house), cashing.cage(house)) == (50, 950)


def test_b1_the_same_person_is_not_both_counters(house: House) -> None:
    cashing.counted(house, house.attendant, cashing.FIFTY, "open")

    assert refused(house, Role.ATTENDANT, cashing.FIFTY, "open") == "same_counter"
    assert cashing.float_held(house) == 0


def test_b1_the_first_count_is_sealed_until_the_second_is_in(house: House) -> None:
    cashing.counted(house, house.attendant, {"25": 2}, "open")

    [first] = events(house)
    assert "sheet" not in first.data
    assert b'"25"' not in first.body

    cashing.counted(house, house.supervisor, {"25": 2}, "open")
    mine, _ = events(house)[1].data["opened"]
    opened = counting.Counted(by=mine["by"], sheet=mine["sheet"], salt=bytes.fromhex(mine["salt"]))
    assert opened.seal == first.data["seal"]  # and whoever reads the ledger can check that


def test_b1_counts_that_differ_are_both_on_record_and_both_count_again(house: House) -> None:
    cashing.opened(house)

    cashing.counted(house, house.attendant, LESS)
    cashing.counted(house, house.supervisor, MORE)

    now = cashing.state(house)
    assert now.count is not None
    assert (now.stands, now.count.attempt, now.count.first) == ("counting", 2, None)
    pair = [each["sheet"] for each in events(house)[-1].data["opened"]]
    assert pair == [LESS, MORE]
    assert (cashing.float_held(house), cashing.over_short(house)) == (50, 0)

    cashing.both_count(house, LESS)
    assert (cashing.float_held(house), cashing.over_short(house)) == (45, -5)


def test_b1_sheets_of_one_worth_and_other_coins_differ_too(house: House) -> None:
    cashing.counted(house, house.attendant, {"25": 2}, "open")
    cashing.counted(house, house.supervisor, {"25": 1, "5": 5}, "open")

    assert cashing.state(house).stands == "counting"


ACCEPTED = [
    ("nothing lacks", {"25": 2}, 50, 0),
    ("short", LESS, 45, -5),
    ("over", MORE, 55, 5),
    ("nothing is left", {}, 0, -50),
]


@pytest.mark.parametrize(("sheet", "held", "difference"), [row[1:] for row in ACCEPTED])
def test_b1_a_count_is_accepted_as_it_is_and_its_difference_is_over_or_short(
    house: House, sheet: dict[str, int], held: int, difference: int
) -> None:
    cashing.opened(house)

    cashing.both_count(house, sheet)

    assert (cashing.float_held(house), cashing.over_short(house)) == (held, difference)
    last = events(house)[-1]
    assert (last.data["expected"], last.data["counted"]) == (50, held)
    assert last.data["difference"] == difference
    assert cashing.state(house).stands == "open"


def test_b1_a_close_takes_the_counted_float_to_the_cage(house: House) -> None:
    cashing.opened(house)

    cashing.both_count(house, LESS, "close")

    assert cashing.state(house) == custody.Custody(version=6, began=3)
    assert (cashing.float_held(house), cashing.cage(house)) == (0, 995)
    assert cashing.over_short(house) == -5


def test_b1_a_closed_table_opens_again_another_day(house: House) -> None:
    cashing.opened(house)
    cashing.both_count(house, cashing.FIFTY, "close")

    cashing.opened(house, {"100": 1})

    assert (cashing.float_held(house), cashing.cage(house)) == (100, 900)


def test_b1_a_count_can_be_called_off_and_nothing_is_booked(house: House) -> None:
    cashing.opened(house)
    cashing.counted(house, house.attendant, LESS)

    counting.call_off(cashing.act(house, house.manager), table=house.table, reason="Interrupted.")

    assert cashing.state(house).stands == "open"
    assert cashing.over_short(house) == 0
    with pytest.raises(counting.NothingToCallOff):
        counting.call_off(cashing.act(house, house.manager), table=house.table, reason="")


def test_an_opening_that_is_called_off_leaves_the_table_closed(house: House) -> None:
    cashing.counted(house, house.attendant, cashing.FIFTY, "open")
    counting.call_off(cashing.act(house, house.attendant), table=house.table, reason="")

    assert cashing.state(house).stands == "closed"
    cashing.opened(house)
    assert cashing.float_held(house) == 50


def test_what_a_table_is_counted_for_fits_how_it_stands(house: House) -> None:
    assert refused(house, Role.ATTENDANT, {}, "close") == "no_shift"
    cashing.opened(house)
    assert refused(house, Role.ATTENDANT, {}, "open") == "shift_runs"
    cashing.counted(house, house.attendant, {}, "check")
    assert refused(house, Role.SUPERVISOR, {}, "close") == "other_count_runs"


def test_a_table_that_is_not_in_use_is_not_opened(house: House) -> None:
    house.table.in_use = False
    house.table.save()

    assert refused(house, Role.ATTENDANT, {}, "open") == "table_not_in_use"


def test_a_float_is_not_brought_from_a_cage_that_does_not_hold_it() -> None:
    house = cashing.house(cage=49)

    assert refused(house, Role.ATTENDANT, cashing.FIFTY, "open") == "cage_too_small"


NO_COUNTS = [{"3": 1}, {"25": -1}, {"25": 2**40}, {"": 1}]


@pytest.mark.parametrize("sheet", NO_COUNTS)
def test_only_the_houses_own_coins_are_counted(house: House, sheet: dict[str, int]) -> None:
    assert refused(house, Role.ATTENDANT, sheet, "open") == "not_a_count"


def test_a_house_counts_by_its_own_denominations() -> None:
    house = cashing.house(denominations=[{"value": 7, "name": "brass"}])

    assert custody.denominations(house.establishment) == (custody.Denomination(7, "brass"),)
    cashing.opened(house, {"7": 3})
    assert cashing.float_held(house) == 21


def test_who_may_not_record_may_not_count(house: House) -> None:
    with pytest.raises(NotYours):
        cashing.counted(house, house.auditor, cashing.FIFTY, "open")


def test_another_houses_table_is_not_counted(house: House) -> None:
    other = builders.house()

    with pytest.raises(NotYours):
        cashing.counted(house, house.attendant, {}, "open", table=other.table)


def test_a_count_that_is_sent_twice_is_one_count(house: House) -> None:
    asking = cashing.act(house, house.attendant)
    for _ in range(2):
        counting.count(asking, table=house.table, purpose="open", sheet=cashing.FIFTY)

    assert len(events(house)) == 1
    with pytest.raises(journal.CommandReused):
        counting.count(asking, table=house.table, purpose="open", sheet=LESS)


def test_what_lay_at_a_closed_table_goes_to_the_cage_before_a_float_is_brought(
    house: House,
) -> None:
    """A void that came behind the close, or play from before the house counted."""
    cashing.opened(house)
    cashing.both_count(house, cashing.FIFTY, "close")
    left = journal.NewTransfer(
        debit=cashing.BANK,
        credit=journal.AccountRef(journal.Kind.FLOAT, str(house.table.pk)),
        amount=12,
        reason="test",
        event=0,
    )
    happened = journal.NewEvent(stream="odd", event_type="test.odd", schema_version=1, data={})
    acts.perform(
        replace(cashing.act(house, house.manager), command_id=uuid.uuid4()),
        lambda: acts.Done(guards={"odd": 0}, events=[happened], transfers=[left]),
    )
    assert cashing.float_held(house) == -12

    cashing.opened(house)

    assert (cashing.float_held(house), cashing.cage(house)) == (50, 938)


def test_what_a_count_costs_does_not_grow_with_a_tables_history(house: House) -> None:
    for _ in range(4):
        cashing.opened(house)
        cashing.both_count(house, cashing.FIFTY, "close")
    cashing.opened(house)

    now = cashing.state(house)

    assert now.version - now.began == 0  # the shift's own event, and no other, is read
    assert (now.shift.since if now.shift else None) == NOW


def test_b1_a_fee_that_is_not_booked_yet_does_not_make_the_float_seem_short(house: House) -> None:
    cashing.opened(house)
    game = opened(house, game="cinnabar-gate", fee={"kind": "seat", "amount": 1})
    settled(house)
    first = state(house, game)["first"]
    order = ("Ada", "Bo") if first == "Ada" else ("Bo", "Ada")
    hands = {"Ada": (2, 2, 7), "Bo": (3, 4, 5)}
    round_played(house, game, *((name, hands[name]) for name in order))

    assert refused(house, Role.ATTENDANT, {"25": 3, "1": 13}) == "being_booked"

    settled(house)
    boxed = 90 - cashing.float_held(house)
    cashing.both_count(house, {"1": 90 - boxed})
    assert (boxed > 0, cashing.over_short(house)) == (True, 0)


def fee_due(at: House) -> uuid.UUID:
    """A game of which settlement has booked all but the fee of its last round."""
    game = opened(at, fee={"kind": "seat", "amount": 1})
    settled(at)
    round_played(at, game)
    return game


def test_b1_a_fee_of_the_game_before_is_waited_for_too(house: House) -> None:
    """Another game is open at the table by now: what the last one left is still to be booked."""
    cashing.opened(house)
    done(house, fee_due(house), "close")
    opened(house)

    assert refused(house, Role.ATTENDANT, {"1": 130}) == "being_booked"

    settled(house)
    held = cashing.float_held(house)
    cashing.both_count(house, {"1": held})
    assert (held < 130, cashing.over_short(house)) == (True, 0)


def test_b1_what_is_parked_is_not_waited_for(house: House) -> None:
    """B4: nobody knows for how long. What is found is over or short, and the shift goes on."""
    cashing.opened(house)
    game = opened(house, fee={"kind": "seat", "amount": 1})
    settled(house)
    overpaid(house, game, 1000)
    round_played(house, game)
    settled(house)
    held = cashing.float_held(house)

    cashing.both_count(house, {"1": held - 1}, "change")

    assert (cashing.state(house).stands, cashing.over_short(house)) == ("handing_over", -1)


def test_b1_a_count_hides_the_float_whatever_the_lists_have_taken_in(house: House) -> None:
    """What is counted is looked up in the ledger: lists are built anew now and then."""
    cashing.opened(house)
    cashing.counted(house, house.attendant, cashing.FIFTY)
    house_subscriber.forget(house.id)

    place = table_float(str(house.table.pk))
    hidden = {role: accounts.hidden(house.establishment, role) for role in Role}

    assert hidden[Role.MANAGER] == hidden[Role.SUPERVISOR] == {place}
    assert hidden[Role.AUDITOR] == set()
    assert place in hidden[Role.ATTENDANT]


YESTERDAY, TODAY = date(2026, 11, 20), date(2026, 11, 21)
HIDES = [
    # role,            while it is counted, hides the day before, and the shift
    (Role.ATTENDANT,   False,               True,                 True),
    (Role.ATTENDANT,   True,                True,                 True),
    (Role.MANAGER,     False,               False,                False),
    (Role.MANAGER,     True,                True,                 True),
    (Role.AUDITOR,     True,                False,                False),
]  # fmt: skip


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("role", "counting_now", "day", "shift"), HIDES)
def test_b1_a_shift_that_runs_over_the_cut_off_hides_the_day_it_began_on(
    house: House, role: Role, *, counting_now: bool, day: bool, shift: bool
) -> None:
    """Nothing moved since: what lay there when the day ended is what lies there now."""
    cashing.opened(house)
    if counting_now:
        cashing.counted(house, builders.employed(house.establishment, Role.ATTENDANT), {})
    cashing.shown(house)

    blind = queries.blind(house.establishment, role, TODAY)

    [inventory] = queries.inventory(house.establishment, YESTERDAY, YESTERDAY)
    [running] = queries.shifts(house.establishment)
    assert (blind.day(inventory), blind.shift(running)) == (day, shift)


def test_b1_a_day_on_which_the_table_was_closed_is_hidden_from_nobody_later(house: House) -> None:
    cashing.opened(house)
    cashing.both_count(house, cashing.FIFTY, "close")
    cashing.shown(house)
    [inventory] = queries.inventory(house.establishment, YESTERDAY, YESTERDAY)

    assert not queries.blind(house.establishment, Role.ATTENDANT, TODAY).day(inventory)
    assert queries.blind(house.establishment, Role.ATTENDANT, YESTERDAY).day(inventory)
