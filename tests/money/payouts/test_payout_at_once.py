"""What comes between look and append is not missed; nobody resumes what they never saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments, resuming
from casino.money.payouts.adjustments import Adjustment
from casino.play.core import commands
from casino.play.settlement import payout_holds
from casino.play.settlement import subscriber as settlement
from casino.play.settlement.models import PrizeRule
from games.payments import HOUSE
from games.refusals import Refused
from ledger import journal
from ledger.subscriptions import StreamVersions
from tests.support import builders
from tests.support.approving import act
from tests.support.playing import (
    NOW,
    booked_events,
    done,
    nobody_undoes_alone,
    opened,
    refused,
    round_played,
    settled,
    token,
)

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def between(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Something happens once, right after a command was told how far its game is booked."""
    told, happened = commands.put_in_context, False

    def situated(*given: Any, **more: Any) -> Any:
        nonlocal happened
        command = told(*given, **more)
        if not happened:
            happened = True
            happens()
        return command

    monkeypatch.setattr(commands, "put_in_context", situated)


def void_asked(house: House, game: uuid.UUID) -> int:
    [event] = done(house, game, "void", back_to=2, reason="Misread.")
    number: int = event.data["request"]
    return number


def test_g4_a_prize_issued_at_that_very_moment_is_not_missed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    PrizeRule.objects.create(
        establishment=house.establishment, kind=PrizeRule.Kind.POINTS, at=1, prize="A bottle"
    )
    game = opened(house, options={"mode": "scoreboard"}, stake=0)
    round_played(house, game)  # Bo scores
    between(monkeypatch, lambda: settled(house))

    assert refused(house, game, "void", back_to=2, reason="Misread.") == "beyond_reversal"
    assert booked_events(house, game)[-1].event_type == "settlement.prize_issued"


def test_g4_an_adjustment_made_at_that_very_moment_is_not_missed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    request = void_asked(house, game)
    settled(house)
    mine = act(house, house.attendant)
    bo = token(house, game, "Bo")
    adjustments.ask(
        mine, Adjustment(game=game, giver=HOUSE, taker=bo, amount=3, round_no=1), reason="Short."
    )
    request_id = requests.id_of(house.id, mine.command_id)
    between(
        monkeypatch,
        lambda: approvals.decide(act(house, house.manager), request_id, approve=True),
    )

    code = refused(house, game, "approve", by=house.supervisor, request=request)

    assert code == "beyond_reversal"


def test_g4_what_is_booked_at_that_very_moment_is_not_voided_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The seat fee comes with the round's first throw: booked, it takes a second person, in a house
    that gives no seconds.
    """
    nobody_undoes_alone(house)
    game = opened(house, fee={"kind": "seat", "amount": 1})
    done(house, game, "throw", player="Ada", dice=[2, 2, 7])
    between(monkeypatch, lambda: settled(house))

    [event] = done(house, game, "void", back_to=2, reason="Misread.")

    assert event.event_type == "game.void_requested"


class TestStops:
    """E2: until somebody has looked, at all of it."""

    def stop(self, house: House, about: str = "a", part: int = 0) -> None:
        payout_holds.stop_payouts(
            house.establishment, why="regrade", about=about, now=NOW, part=part
        )

    def asked(self, house: House) -> uuid.UUID:
        mine = act(house, house.supervisor)
        resuming.ask(mine, reason="Looked at.")
        return requests.id_of(house.id, mine.command_id)

    def resumed(self, house: House) -> None:
        approvals.decide(act(house, house.manager), self.asked(house), approve=True)

    def test_e2_another_finding_is_another_stop_and_nobody_resumes_it_unseen(
        self, house: House
    ) -> None:
        self.stop(house)
        request = self.asked(house)
        self.stop(house, about="b")

        with pytest.raises(Refused, match="stopped again meanwhile"):
            approvals.decide(act(house, house.manager), request, approve=True)

        assert payout_holds.stop_now(house.id) is not None
        self.resumed(house)
        assert payout_holds.stop_now(house.id) is None

    def test_e2_a_stop_at_that_very_moment_is_not_missed_by_settlement(self, house: House) -> None:
        game = opened(house, stake=5)
        ended = round_played(house, game)  # Bo wins the pool
        versions = StreamVersions(house.id, settlement.touches(ended))
        booking = settlement.handle(ended, versions)
        self.stop(house)

        with pytest.raises(journal.StreamMoved, match=payout_holds.STREAM):
            journal.append(establishment=house.id, entries=booking)

    def test_e2_the_same_finding_twice_is_one_stop(self, house: House) -> None:
        self.stop(house)
        self.stop(house)
        self.stop(house, part=1)
        assert len(journal.stream(establishment=house.id, stream=payout_holds.STREAM)) == 1

    def test_e2_what_the_same_check_finds_later_stops_a_house_that_was_resumed(
        self, house: House
    ) -> None:
        self.stop(house)
        self.resumed(house)

        self.stop(house)
        assert payout_holds.stop_now(house.id) is None  # that very finding was looked at
        self.stop(house, part=1)

        assert payout_holds.stop_now(house.id) is not None
