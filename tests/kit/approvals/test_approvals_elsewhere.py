"""What is told of approvals elsewhere: a badge, the start page, the exception list (C2, D1b)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.kit.approvals import kinds, operations, queries
from casino.kit.approvals.kinds import PendingItem, Source
from casino.kit.approvals.models import ExceptionRow, RequestRow
from ledger import subscriptions
from tests.support import approving, builders
from tests.support.approving import asked, decided, left_alone
from tests.support.playing import LATER, done, opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

WAITS = 'class="bar-waiting"'


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield


def page(person: Attendant, name: str) -> str:
    client = Client()
    client.force_login(person)
    return client.get(reverse(name)).text


@pytest.mark.long("postgresql")
class TestBadge:
    """How many things wait, where those who may approve see it."""

    def test_the_rail_and_the_floor_say_how_many_wait(self, house: House) -> None:
        assert WAITS not in page(house.supervisor, "floor")
        asked(house)
        asked(house)

        assert f"{WAITS}>2<" in page(house.supervisor, "floor")
        assert '<span class="waiting">2' in page(house.supervisor, "start")

    def test_who_may_approve_nothing_is_not_bothered_at_the_table(self, house: House) -> None:
        asked(house)
        assert WAITS not in page(house.attendant, "floor")

    def test_another_house_hears_nothing_of_it(self, house: House) -> None:
        asked(house)
        assert WAITS not in page(builders.house().supervisor, "floor")

    def test_what_is_decided_waits_no_more(self, house: House) -> None:
        decided(house, asked(house), house.supervisor)
        assert WAITS not in page(house.supervisor, "floor")


@pytest.mark.long("postgresql")
class TestOnePerson:
    """D1b: a house where nobody could be the second person says so on its first page."""

    def test_one_manager_alone_is_said_by_name(self, house: House) -> None:
        assert "Second person" not in page(house.manager, "start")
        left_alone(house)

        html = page(house.manager, "start")
        assert "one person alone" in html
        assert f"Only {house.manager} may approve here." in html

    def test_nobody_at_all_is_said(self, house: House) -> None:
        left_alone(house)
        house.manager.employments.update(until=datetime(2026, 1, 1, tzinfo=UTC))
        assert "Nobody here may approve anything" in page(house.auditor, "start")

    def test_what_they_did_alone_is_counted_until_it_is_reviewed(self, house: House) -> None:
        left_alone(house)
        request = asked(house, house.manager)
        act = approving.act(house, house.manager)
        operations.do_alone(act, request, reason="Nobody else is here.")
        assert "1 act to review" in page(house.auditor, "start")

        operations.review(approving.act(house, house.auditor), request, in_order=True)
        assert "to review" not in page(house.auditor, "start")

    def test_the_queue_offers_it_to_them_and_to_nobody_else(self, house: House) -> None:
        asked(house, house.manager)
        assert 'value="alone"' not in page(house.manager, "approvals")
        left_alone(house)
        assert 'value="alone"' in page(house.manager, "approvals")
        assert 'value="alone"' not in page(house.attendant, "approvals")


class TestExceptions:
    """C2: who, when, what, and where before and after stand in the ledger."""

    def listed(self, at: House) -> list[tuple[str, str, str]]:
        rows = queries.exceptions(at.id)
        return [(row.what, row.kind, row.actor) for row in rows]

    @pytest.mark.long("postgresql")
    def test_every_answer_is_listed(self, house: House) -> None:
        supervisor = str(house.supervisor.pk)
        approved = asked(house)
        decided(house, approved, house.supervisor)
        decided(house, asked(house), house.supervisor, approve=False, reason="No.")
        operations.withdraw(approving.act(house, house.attendant), asked(house))

        assert self.listed(house) == [
            ("approval", "drop", supervisor),
            ("rejection", "drop", supervisor),
            ("withdrawal", "drop", str(house.attendant.pk)),
        ]
        row = queries.exceptions(house.id)[0]
        request = RequestRow.objects.get(establishment=house.id, id=approved)
        assert (row.before, row.position) == (request.position, request.decided_position)
        assert row.asked_by == str(house.attendant.pk)

    @pytest.mark.long("postgresql")
    def test_every_void_is_listed_alone_or_approved(self, house: House) -> None:
        game = opened(house)
        done(house, game, "throw", player="Ada", dice=[2, 2, 7])
        done(house, game, "void", back_to=2, reason="Misread.")
        round_played(house, game)
        [wanted] = done(house, game, "void", back_to=4, reason="Wrong player.", now=LATER)
        done(house, game, "approve", by=house.manager, request=wanted.data["request"])
        settled(house)

        assert self.listed(house) == [
            ("void", "void", str(house.attendant.pk)),
            ("void", "void", str(house.manager.pk)),
        ]
        first = queries.exceptions(house.id)[0]
        assert first.before is not None
        assert first.before < first.position

    @pytest.mark.long("postgresql")
    def test_every_change_of_configuration_is_listed(self, house: House) -> None:
        table = house.table
        table.stake_max = 900
        changes.change(
            table, establishment=house.establishment, by=house.manager, reason="A quiet night."
        )
        settled(house)

        assert ("configuration", "table", str(house.manager.pk)) in self.listed(house)

    def test_rebuilt_from_nothing_the_rows_are_the_same(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "void", back_to=2, reason="Misread.")
        settled(house)
        decided(house, asked(house), house.supervisor)
        asked(house)
        before = contents(house)

        subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
        while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
            pass

        assert contents(house) == before
        assert len(before[0]) == 3


def contents(at: House) -> list[list[dict[str, Any]]]:
    tables: tuple[type[Model], ...] = (RequestRow, ExceptionRow)
    rows = [table._default_manager.filter(establishment=at.id) for table in tables]
    return [[dict(each) for each in found.order_by("position").values()] for found in rows]


@pytest.mark.long("postgresql")
def test_what_waits_elsewhere_is_shown_in_the_queue_and_counted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = PendingItem(
        title="Large prize",
        sentence="Ada won 600 at Table 1: a witness is wanted. A7",
        since=datetime(2026, 11, 20, tzinfo=UTC),
        address="/payouts/",
        amount=600,
    )
    source = Source(
        name="prizes",
        act="approve",
        count=lambda _: 1,
        items=lambda _house, most: [item][:most],
    )
    monkeypatch.setattr(kinds, "sources", lambda: [source])

    assert queries.waiting(house.id) == 1
    html = page(house.supervisor, "approvals")
    assert "a witness is wanted" in html
    assert 'href="/payouts/"' in html
    assert "a witness is wanted" not in page(house.people[Role.ATTENDANT], "approvals")


@pytest.mark.long("postgresql")
def test_a7_a_large_prize_waits_in_the_queue_until_it_is_witnessed() -> None:
    house = builders.house(large_prize=15)
    game = opened(house, stake=20, players=["Ada", "Bo"])
    for _ in range(3):  # Ada loses all she has to the pool, and Bo takes it
        won = round_played(house, game)
    settled(house)

    html = page(house.supervisor, "approvals")
    assert "Won by Bo at Table 1, round 3" in html
    assert reverse("payout", args=[game, won.stream_version, 0]) in html
    assert f"{WAITS}>1<" in page(house.supervisor, "floor")
    assert "Won by Bo" not in page(house.attendant, "approvals")

    done(house, game, "witness", by=house.supervisor, payout=f"{won.stream_version}.0")
    settled(house)
    assert "Won by Bo" not in page(house.supervisor, "approvals")
    assert queries.waiting(house.id) == 0
    [row] = queries.exceptions(house.id).filter(kind="large_prize")
    assert (row.what, row.actor, row.before) == (
        "approval", str(house.supervisor.pk), won.position,
    )  # fmt: skip


@pytest.mark.long("postgresql")
def test_c3_an_open_dispute_stands_in_the_queue_until_it_is_resolved(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    [raised] = done(house, game, "dispute", round=1, reason="It was a 3.")
    settled(house)

    assert "It was a 3." in page(house.supervisor, "approvals")
    assert reverse("dispute", args=[game, raised.stream_version]) in page(
        house.supervisor, "approvals"
    )

    answer = {"dispute": raised.stream_version, "outcome": "stands", "reason": "Seen by two."}
    done(house, game, "resolve", by=house.supervisor, **answer)
    settled(house)
    assert "It was a 3." not in page(house.supervisor, "approvals")
    [row] = queries.exceptions(house.id).filter(kind="dispute")
    assert (row.what, row.before) == ("approval", raised.position)
