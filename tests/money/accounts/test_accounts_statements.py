"""Any account, line by line: every transfer says when, why and from which event; flat cost."""

from __future__ import annotations

import uuid
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.engine.processes.queues import house_subscriber
from casino.money.cash import balance_snapshots, fees, tips
from casino.money.cash.accounts import statements
from casino.money.cash.accounts.statements import At
from casino.money.cash.models import BalanceMark
from games.refusals import Refused
from ledger import journal, money, subscriptions
from ledger.accounts import CASH, HOUSE_MONEY, PLAYERS_MONEY, AccountRef, Kind
from ledger.models import Transfer
from tests.forms import LONG_FORM, how_often
from tests.support import builders
from tests.support.cashier import brought, fee_taken
from tests.support.cashing import act
from tests.support.playing import NOW, float_of, opened, round_played, settled
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

CAGE = AccountRef(Kind.CAGE, "main")
BANK = AccountRef(Kind.BANK, "house")


@pytest.fixture
def house() -> House:
    return builders.house()


def moved(house: House, number: int, *, each: int = 1, to: AccountRef = CAGE) -> None:
    """`number` events, each with `each` transfers of 1 coin from the bank to the cage."""
    transfers = tuple(
        journal.NewTransfer(debit=to, credit=BANK, amount=1, reason="capital", event=0)
        for _ in range(each)
    )
    head = journal.versions(establishment=house.id, streams=["test"])["test"]
    for start in range(0, number, 100):
        journal.append(
            establishment=house.id,
            entries=[
                journal.Entry(
                    provenance=provenance(),
                    request_hash=bytes(32),
                    guards={"test": head + start + one},
                    events=(
                        journal.NewEvent(
                            stream="test", event_type="test.moved", schema_version=1, data={}
                        ),
                    ),
                    transfers=tuple(
                        journal.NewTransfer(
                            debit=it.debit, credit=it.credit, amount=1, reason=it.reason, event=0
                        )
                        for it in transfers
                    ),
                )
                for one in range(min(100, number - start))
            ],
        )


def provenance() -> journal.Provenance:
    return journal.Provenance(
        command_id=uuid.uuid4(),
        actor="test",
        device="test",
        correlation_id=uuid.uuid4(),
        causation_id=None,
        occurred_at=NOW,
        recorded_at=NOW,
        gaming_day=NOW.date(),
    )


def pages(house: House, account: AccountRef, limit: int) -> Iterator[statements.Statement]:
    older: At | None = None
    while True:
        page = statements.page(house.id, account, older_than=older, limit=limit)
        yield page
        older = page.older
        if older is None:
            return


def is_the_fold(house: House, account: AccountRef, limit: int = 7) -> None:
    """Page by page, down and up again: every transfer once, every balance the fold so far."""
    expected, balance = [], 0
    rows = Transfer.objects.filter(balance_snapshots.touching(account), establishment=house.id)
    for row in rows.order_by("position", "seq"):
        debits = (row.debit_kind, row.debit_name) == (account.kind.value, account.name)
        balance += row.amount if debits is (account.kind in CASH) else -row.amount
        expected.append((row.position, row.seq, balance))
    down = [page.lines for page in pages(house, account, limit)]
    lines = [line for part in down for line in part]
    assert [(*line.at, line.balance) for line in lines] == expected[::-1]
    up: list[tuple[int, int, int]] = []
    newer = At(lines[-1].at.position - 1, 0) if lines[-1].at.position else None
    while newer is not None:
        page = statements.page(house.id, account, newer_than=newer, limit=limit)
        up += [(*line.at, line.balance) for line in reversed(page.lines)]
        newer = page.newer
    assert up in ([], expected)
    assert [
        (*line.at, line.balance) for line in statements.every_line(house.id, account)
    ] == expected


@pytest.mark.long("postgresql")
def test_a_line_says_when_why_and_from_which_event(house: House) -> None:
    brought(house, 500)

    [line] = statements.page(house.id, CAGE).lines

    assert (line.debit, line.credit, line.balance, line.other) == (500, 0, 500, BANK)
    assert (line.reason, line.event_type, line.stream) == ("capital", "cage.moved", "cage")
    assert line.actor == str(house.supervisor.pk)
    assert line.recorded_at == NOW


@pytest.mark.long("postgresql")
def test_cursors_lead_both_ways(house: House) -> None:
    moved(house, 10)

    first = statements.page(house.id, CAGE, limit=4)
    assert first.newer is None
    second = statements.page(house.id, CAGE, older_than=first.older, limit=4)
    third = statements.page(house.id, CAGE, older_than=second.older, limit=4)
    assert [len(each.lines) for each in (first, second, third)] == [4, 4, 2]
    assert third.older is None
    back = statements.page(house.id, CAGE, newer_than=third.newer, limit=4)
    assert back.lines == second.lines
    assert back.newer is not None
    top = statements.page(house.id, CAGE, newer_than=back.newer, limit=4)
    assert top.lines == first.lines
    assert top.newer is None


@pytest.mark.long("postgresql")
def test_several_transfers_of_one_event_are_cut_between_pages(house: House) -> None:
    moved(house, 3, each=5)

    is_the_fold(house, CAGE, limit=2)


def test_an_account_without_transfers_is_an_empty_page(house: House) -> None:
    page = statements.page(house.id, CAGE)

    assert (page.lines, page.older, page.newer) == ([], None, None)


@pytest.mark.long("postgresql")
def test_a_page_costs_the_same_however_long_the_account(house: House) -> None:
    moved(house, 60)
    settled(house)
    short, at = asked(house), list[int]()
    many = 2000 if LONG_FORM else 400
    moved(house, many)
    settled(house)

    middle = At(many // 2, 0)
    asking: list[dict[str, Any]] = [{}, {"older_than": middle}, {"newer_than": middle}]
    for more in asking:
        with CaptureQueriesContext(connection) as queries:
            page = statements.page(house.id, CAGE, **more)
        assert len(page.lines) == statements.PAGE
        at.append(len(queries))
    assert max(at) <= short <= 7


@pytest.mark.parametrize("newest", [True, False])
def test_lines_are_read_down_an_index(house: House, newest: bool) -> None:  # noqa: FBT001 - a row
    rows = Transfer.objects.filter(establishment=house.id)
    among_others(house)
    with CaptureQueriesContext(connection) as queries:
        statements._find_transfers(statements._before(rows, At(320, 1)), CAGE, 50, newest=newest)
    first, second = plans(queries)
    assert "ledger_transfer_debits" in first
    assert "ledger_transfer_credits" in second


def test_a_balance_is_summed_down_an_index(house: House) -> None:
    among_others(house)
    with CaptureQueriesContext(connection) as queries:
        balance_snapshots.through(house.id, CAGE, 320)
    _mark, first, second = plans(queries)
    assert "ledger_transfer_debits" in first
    assert "ledger_transfer_credits" in second


def among_others(house: House) -> None:
    """An account that little moves, in a ledger where much does."""
    moved(house, 300, to=AccountRef(Kind.FLOAT, str(house.table.pk)))
    moved(house, 30)


def plans(queries: CaptureQueriesContext) -> list[str]:
    """How the database goes about each query, where no table is too small for an index."""
    asks = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    found = []
    for query in list(queries):
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("ANALYZE ledger_transfer")
                cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(asks + query["sql"])
            found.append(" ".join(str(row[-1]) for row in cursor.fetchall()))
    return found


def asked(house: House) -> int:
    with CaptureQueriesContext(connection) as queries:
        statements.page(house.id, CAGE)
    return len(queries)


def test_what_is_summed_up_for_a_page_is_bounded(house: House) -> None:
    """Behind the last mark lie no more than one window's transfers, at any position."""
    moved(house, 1000)
    settled(house)

    for position in (0, 127, 128, 500, 999):
        mark = (
            BalanceMark.objects.filter(
                establishment=house.id, kind="cage", name="main", position__lte=position
            )
            .order_by("-position")
            .first()
        )
        assert position - (mark.position if mark else -1) <= balance_snapshots.WINDOW
        assert balance_snapshots.through(house.id, CAGE, position).of(Kind.CAGE) == position + 1


@pytest.mark.long("postgresql")
def test_marks_are_rebuilt_from_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance_snapshots, "WINDOW", 128)
    moved(house, 300)
    settled(house)
    before = list(BalanceMark.objects.filter(establishment=house.id).order_by("pk").values())

    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)

    assert (
        list(BalanceMark.objects.filter(establishment=house.id).order_by("pk").values()) == before
    )
    assert len(before) == 2 * 5  # two windows: the cage, the bank, their kinds, and the whole


def test_a_house_sees_its_own_transfers(house: House) -> None:
    brought(builders.house(), 500)

    assert statements.page(house.id, CAGE).lines == []


def balances_hold_everywhere(house: House) -> None:
    """At every position: assets are what is owed and what is the house's; each kind its fold."""
    folded: dict[Kind, int] = dict.fromkeys(Kind, 0)
    transfers = list(Transfer.objects.filter(establishment=house.id).order_by("position", "seq"))
    at = 0
    for position in range(journal.head(establishment=house.id) + 1):
        while at < len(transfers) and transfers[at].position == position:
            one = transfers[at]
            debit, credit = Kind(one.debit_kind), Kind(one.credit_kind)
            folded[debit] += one.amount if debit in CASH else -one.amount
            folded[credit] -= one.amount if credit in CASH else -one.amount
            at += 1
        balances = balance_snapshots.kinds_through(house.id, position)
        assert balances == folded
        assert sums(balances, CASH) == sums(balances, PLAYERS_MONEY) + sums(balances, HOUSE_MONEY)


def sums(held: Mapping[Kind, int], kinds: frozenset[Kind]) -> int:
    return sum(held[kind] for kind in kinds)


def cash_act(house: House, chance: Random) -> None:
    """Something that a house does with its cash outside a game."""
    table = chance.choice(house.tables)
    person = chance.choice((house.attendant, house.supervisor, house.manager))
    match chance.choice(("bring", "take", "count", "tip", "pay")):
        case "bring":
            brought(house, chance.randint(1, 300))
        case "take":
            brought(house, chance.randint(1, 300), "to_bank")
        case "count":
            sheet = {"1": chance.randint(0, 9)} if chance.random() < 1 / 2 else {}
            fees.count(act(house, person), table=table, sheet=sheet)
        case "tip":
            amount = chance.randint(1, 9)
            tips.take(act(house, person), table=table, attendant=person.pk, amount=amount)
        case "pay":
            tips.pay_out(act(house, person), table=table, attendant=house.attendant.pk)


@pytest.mark.long("postgresql")
@settings(
    max_examples=how_often(4),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_whatever_is_played_and_carried_the_book_is_balanced_and_every_page_its_fold(
    seed: int,
) -> None:
    """Σ cash = Σ owed + Σ the house's at every position; each account's pages are its fold."""
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = builders.house(tables=2, dice_sets=0, tips_allowed=True)
    builders.dice_for_every_game(house.establishment, sets=2)
    croupier = RandomPlayer(house, chance)
    for step in range(45 if LONG_FORM else 25):
        if chance.random() < 1 / 4:
            try:
                cash_act(house, chance)
            except Refused:
                continue
        else:
            croupier.does_something()
        if step % 15 == 0:
            settled(house)
    settled(house)

    balances_hold_everywhere(house)
    given = Transfer.objects.filter(establishment=house.id).values_list("reason", flat=True)
    assert {
        each for each in given if not (each in statements.SENTENCES or statements.rules(each))
    } == set()
    for account in money.balances(establishment=house.id):
        is_the_fold(house, account)


@pytest.mark.long("postgresql")
def test_fees_and_floats_are_lines_of_their_own(house: House) -> None:
    fee_taken(house)

    lines = statements.page(house.id, float_of(house.table)).lines

    assert [line.reason for line in lines] == ["fee_box", "fee_box", "buy_in", "buy_in"]
    assert [line.balance for line in lines] == [34, 37, 40, 20]


@pytest.mark.long("postgresql")
def test_rules_stand_on_the_lines_of_a_stake(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    pot = AccountRef(Kind.POT, str(game))

    lines: Any = statements.page(house.id, pot).lines

    assert [(line.reason, line.debit, line.credit) for line in lines] == [("SH4", 0, 7)]
