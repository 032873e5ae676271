"""
Requests of every kind: their sentences stay as they were, and what is offered is not refused.

Each kind has a row that asks for it, and an event after which it cannot be carried out any more. A
kind that somebody adds fails here until it has its row.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from casino.house.acts import acts, changes
from casino.house.attendants.models import Employment, Role
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Table
from casino.kit.approvals import answers, kinds, operations, queries, requests
from casino.kit.approvals.models import RequestRow
from casino.kit.approvals.projections import void_id
from casino.money.cash import bank, prizes
from casino.money.payouts import adjustments, resuming
from casino.money.payouts.adjustments import Adjustment
from casino.play.dice.models import DiceSet
from casino.play.settlement import payout_holds
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.settings.configuration import operations as configuration
from casino.settings.configuration import scoreboards
from casino.settings.configuration.operations import Changing
from casino.settings.staff import appointments
from casino.settings.staff import operations as staff
from games.payments import HOUSE
from ledger import journal
from ledger.models import Event
from tests.support import builders, cashing, dice_acts
from tests.support.dayend import closed
from tests.support.playing import PAIR_4, PAIR_7, done, opened, round_played, settled, token
from tests.support.voiding import requested

if TYPE_CHECKING:
    from collections.abc import Callable

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

THROWS = (("Ada", PAIR_7), ("Bo", PAIR_4), ("Cy", PAIR_4))


@dataclass
class Played:
    """A house with a game in which there is something to ask for."""

    house: House
    game: uuid.UUID

    def act(self, by: Attendant | None = None) -> acts.Act:
        return acts.Act(
            house=self.house.establishment,
            by=by or self.house.manager,
            device="office",
            now=timezone.now(),
            command_id=uuid.uuid4(),
            request={},
        )

    def asked(self, ask: Callable[[acts.Act], Any], by: Attendant | None = None) -> uuid.UUID:
        act = self.act(by)
        ask(act)
        return requests.id_of(self.house.id, act.command_id)

    def approved(self, request: uuid.UUID, by: Attendant | None = None) -> None:
        answers.decide(self.act(by or self.second(request)), request, approve=True)

    def second(self, request: uuid.UUID) -> Attendant:
        row = queries.row_now(self.house.establishment, request)
        assert row is not None
        asker = row.asked_by == str(self.house.manager.pk)
        return self.other_manager if asker else self.house.manager

    @property
    def other_manager(self) -> Attendant:
        job = Employment.objects.exclude(attendant=self.house.manager).get(
            establishment=self.house.id, role=Role.MANAGER, until__isnull=True
        )
        return job.attendant

    def cage_is_emptied(self) -> None:
        held = cashing.cage(self.house)
        emptied = self.asked(lambda act: bank.ask(act, way="to_bank", amount=held, reason="All."))
        self.approved(emptied)

    def adjustment(self, round_no: int = 1) -> uuid.UUID:
        player = token(self.house, self.game, "Bo")
        what = Adjustment(game=self.game, giver=HOUSE, taker=player, amount=1, round_no=round_no)
        return self.asked(lambda act: adjustments.ask(act, what, reason="Counted twice."))


@pytest.fixture
def played() -> Played:
    house = cashing.house(tables=2, two_configure=True, large_prize=15)
    second = builders.person("second-manager")
    staff.employ(establishment=house.establishment, attendant=second, role=Role.MANAGER, by=None)
    cashing.opened(house, {"25": 8})
    game = opened(house, players=["Ada", "Bo", "Cy"], options={"leave": "refund"})
    round_played(house, game, *THROWS)
    settled(house)
    return Played(house, game)


# --- One of each ----------------------------------------------------------------------------------


def void(there: Played) -> uuid.UUID:
    number = requested(there.house, there.game, 2)
    settled(there.house)
    return void_id(there.house.id, str(there.game), number)


def configured(there: Played) -> uuid.UUID:
    change = Changing(there.house.table, {"stake_max": 50})
    return there.asked(lambda act: configuration.put(act, change, reason="Quiet nights."))


def role(there: Played) -> uuid.UUID:
    job = Employment.objects.get(establishment=there.house.id, attendant=there.house.attendant)
    return there.asked(
        lambda act: appointments.change_role(
            act, employment=job, role=Role.SUPERVISOR, reason="Passed."
        )
    )


def destruction(there: Played) -> uuid.UUID:
    dice = dice_acts.in_store(there.house)
    dice_acts.withdrawn(there.house, dice)
    return dice_acts.request_destruction(there.house, dice)


def prize(there: Played) -> uuid.UUID:
    PrizeRule.objects.create(
        establishment=there.house.establishment,
        ruleset="stone-hand", kind="points", at=1, prize="A bottle", amount=50,
    )  # fmt: skip
    there.house.establishment.tables.update(in_use=True)
    game = opened(there.house, table=there.house.tables[1], options={"mode": "scoreboard"}, stake=0)
    round_played(there.house, game)
    settled(there.house)
    events = journal.read(establishment=there.house.id, limit=1000)
    [won] = [each.position for each in events if each.event_type == "settlement.prize_issued"]
    return there.asked(lambda act: prizes.ask_prize(act, position=won, reason="Won."))


def season_points(there: Played) -> uuid.UUID:
    """Bo won a point in a season that is closed."""
    house = there.house
    Scoreboard.objects.create(establishment=house.establishment, season="day")
    board = opened(house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0)
    round_played(house, board)
    now = timezone.now()
    closed(house, gaming_day.current(house.establishment, now), now=now)
    settled(house)
    return point_less(there)


def point_less(there: Played) -> uuid.UUID:
    return there.asked(
        lambda act: scoreboards.ask_adjustment(
            act, ruleset="stone-hand", season=1, player="Bo", points="-1", reason="Misread."
        )
    )


def adjustment(there: Played) -> uuid.UUID:
    round_played(there.house, there.game, *THROWS)
    settled(there.house)
    return there.adjustment(round_no=2)


def late(there: Played) -> uuid.UUID:
    done(there.house, there.game, "leave", player="Cy")
    settled(there.house)
    player = token(there.house, there.game, "Cy")
    return there.asked(
        lambda act: prizes.ask_late(act, game=there.game, player=player, amount=5, reason="Forgot.")
    )


def resumption(there: Played) -> uuid.UUID:
    payout_holds.stop(there.act(), why="regrade")
    return there.asked(lambda act: resuming.ask(act, reason="Looked into."))


ASKED: dict[str, Callable[[Played], uuid.UUID]] = {
    "void": void,
    "fill": lambda there: cashing.asked(there.house, "fill", {"25": 2}),
    "credit": lambda there: cashing.asked(there.house, "credit", {"25": 4}),
    "cage": lambda there: there.asked(
        lambda act: bank.ask(act, way="to_bank", amount=30, reason="Too much."),
    ),
    "prize": prize,
    "late_cash_out": late,
    "configuration": configured,
    "role": role,
    "invitation": lambda there: there.asked(
        lambda act: appointments.invite(act, name="Nell", role=Role.ATTENDANT, reason="Hired."),
    ),
    "adjustment": adjustment,
    "season_points": season_points,
    "resume_payouts": resumption,
    "destroy_dice": destruction,
}


# --- What makes each of them impossible -----------------------------------------------------------


def table_changes(there: Played) -> None:
    table = Table.objects.get(pk=there.house.table.pk)
    table.stake_max = 77
    changes.change(table, establishment=there.house.establishment, by=None)


def role_changes(there: Played) -> None:
    job = Employment.objects.get(establishment=there.house.id, attendant=there.house.attendant)
    job.role = Role.AUDITOR
    changes.change(job, establishment=there.house.establishment, by=None)


def asker_leaves(there: Played) -> None:
    job = Employment.objects.get(establishment=there.house.id, attendant=there.house.manager)
    job.until = timezone.now()
    changes.change(job, establishment=there.house.establishment, by=None)


def round_is_voided(there: Played) -> None:
    number = requested(there.house, there.game, 2)
    done(there.house, there.game, "approve", by=there.house.supervisor, request=number)
    settled(there.house)


def another_is_destroyed(there: Played) -> None:
    row = RequestRow.objects.get(establishment=there.house.id, kind="destroy_dice")
    dice = uuid.UUID(row.subject["dice_set"])
    dice_acts.destroyed(there.house, DiceSet.objects.get(pk=dice))


def stops_again(there: Played) -> None:
    asked = there.asked(lambda act: resuming.ask(act, reason="Looked into."))
    there.approved(asked)
    payout_holds.stop(there.act(), why="regrade")


IMPOSSIBLE: dict[str, Callable[[Played], Any]] = {
    "void": lambda there: there.approved(there.adjustment()),
    "fill": lambda there: there.cage_is_emptied(),
    "credit": lambda there: cashing.slipped(there.house, "credit", {"25": 7}),
    "cage": lambda there: there.cage_is_emptied(),
    "prize": lambda there: there.cage_is_emptied(),
    "late_cash_out": lambda there: there.cage_is_emptied(),
    "configuration": table_changes,
    "role": role_changes,
    "invitation": asker_leaves,
    "adjustment": round_is_voided,
    "season_points": lambda there: there.approved(point_less(there)),
    "resume_payouts": stops_again,
    "destroy_dice": another_is_destroyed,
}


def card(there: Played, request: uuid.UUID, by: Attendant | None = None) -> queries.Card:
    """As its own page has it, for whoever may approve it."""
    row = queries.row_now(there.house.establishment, request)
    assert row is not None
    person = by or there.second(request)
    [made] = queries.cards(there.house.establishment, [row], person)
    return queries.with_refusal(there.house.establishment, made, person)


def test_every_kind_has_its_row() -> None:
    known = set(kinds.kinds_by_name()) - {"drop"}
    assert set(ASKED) == known == set(IMPOSSIBLE)


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_offered_is_not_refused(played: Played, kind: str) -> None:
    request = ASKED[kind](played)
    offered = card(played, request)

    assert offered.refused == ""
    assert "approve" in offered.may
    played.approved(request)

    assert card(played, request).state == "approved"


@pytest.mark.parametrize("kind", ASKED)
def test_what_cannot_be_carried_out_says_so_and_is_not_offered(played: Played, kind: str) -> None:
    request = ASKED[kind](played)
    approver = played.second(request)
    IMPOSSIBLE[kind](played)

    refused = card(played, request, approver)
    client = Client()
    client.force_login(approver)
    page = client.get(reverse("approval", args=[request])).content.decode()

    assert refused.refused
    assert refused.may == {"reject"}
    assert 'value="approve"' not in page
    assert "It cannot be carried out now" in page
    queue = client.get(reverse("approvals")).content.decode()
    assert "It cannot be carried out now" in queue
    if kind == "void":
        assert reverse("payouts-of-game", args=[played.game]) in page
        sheet = sheet_of_a_void(played)
        assert "It cannot be carried out now" in sheet
        assert "do-answer-approve" not in sheet


def sheet_of_a_void(there: Played) -> str:
    """What a supervisor at the table sees of the void that waits."""
    asked = Event.objects.get(stream=f"game/{there.game}", event_type="game.void_requested")
    client = Client()
    client.force_login(there.house.attendant)
    address = reverse("floor-supervisor", args=[there.game])
    return client.get(f"{address}?request={asked.stream_version}").content.decode()


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("approve", [True, False])
def test_a_sentence_stays_as_it_was_when_it_was_asked(
    played: Played,
    kind: str,
    approve: bool,  # noqa: FBT001 - a row
) -> None:
    request = ASKED[kind](played)
    asked = sentences(played, request)
    assert asked["en"] != asked["it"]

    answers.decide(played.act(played.second(request)), request, approve=approve, reason="Seen.")
    table = Table.objects.get(pk=played.house.table.pk)
    table.name = "Terrace"
    changes.change(table, establishment=played.house.establishment, by=None)
    round_played(played.house, played.game, *THROWS[: 2 if kind == "late_cash_out" else 3])
    settled(played.house)

    assert sentences(played, request) == asked
    client = Client()
    client.force_login(played.house.auditor)
    page = client.get(reverse("approval", args=[request])).content.decode()
    assert "Asked for:" in page
    assert "If approved:" not in page


def sentences(there: Played, request: uuid.UUID) -> dict[str, str]:
    found = {}
    for language in ("en", "it"):
        with translation.override(language):
            found[language] = card(there, request).tells
    assert all(found.values())
    return found


def test_who_plays_in_the_game_is_not_offered_its_void(played: Played) -> None:
    request = void(played)
    job = Employment.objects.get(establishment=played.house.id, attendant=played.house.supervisor)
    staff.link_player(
        employment=job, player=token(played.house, played.game, "Ada"), by=played.house.manager
    )

    shown = card(played, request, played.house.supervisor)

    assert not shown.may
    assert "your money" in shown.why_not
    with pytest.raises(operations.Beneficiary):
        answers.decide(played.act(played.house.supervisor), request, approve=True)
