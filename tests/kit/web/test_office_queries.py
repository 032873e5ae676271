"""What the office's pages ask of the database: as much with many rows as with few."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
from django.core.cache import cache
from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import balance_snapshots, bank, slips
from casino.play.core.subscriptions import tasks
from casino.play.exclusions import operations as exclusions
from casino.settings.staff import invitations, tablets
from ledger import journal
from tests.forms import every
from tests.support import access, addressed_house, builders, dice_acts
from tests.support.playing import NOW, done, opened, round_played, settled
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.addressed_house import AddressedHouse
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
ELSEWHERE: Final = (
    "api/", "floor/", "ledger/", "wall/", "healthz", "sign-in/", "invitation/", "set-up/",
)  # fmt: skip
PAGES: Final = [
    each
    for each in access.addresses()
    if access.DECISIONS[each.route].get and not each.route.startswith(ELSEWHERE)
]
OF_REQUESTS: Final = next(each for each in PAGES if each.route == "approvals/")  # in either form
FEW, MORE = 1, 3


@pytest.mark.long("postgresql")
def test_pages_ask_as_much_with_many_rows_as_with_few() -> None:
    world = addressed_house.furnished()
    browser = signed_in(world.house.manager)
    grown(world.house, FEW)
    # From its first marks on, a chart of accounts asks for each kind's: there are eleven kinds.
    balance_snapshots.mark(world.house.id, journal.head(establishment=world.house.id))
    few = asked_again(browser, world)
    grown(world.house, MORE)
    many = asked_again(browser, world)

    assert {page: (few[page], many[page]) for page in few if many[page] > few[page]} == {}


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def asked_again(browser: Client, world: AddressedHouse) -> dict[str, int]:
    """What a process keeps of what never changes is asked for the first time only."""
    asked(browser, world)
    return asked(browser, world)


def asked(browser: Client, world: AddressedHouse) -> dict[str, int]:
    """How many queries each page takes, with nothing at hand that is kept for a while."""
    found = {}
    for page in {each.path(world.arguments) for each in (*PAGES[:: every(14)], OF_REQUESTS)}:
        cache.clear()
        gaming_day.MEMORY.forget(world.house.id)
        reset_queries()  # Django keeps the last 9000 of them only
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(page)
        assert answer.status_code in {HTTPStatus.OK, HTTPStatus.FOUND, 422}, page
        found[page] = len(queries)
    return found


# --- A house that has more of everything that pages list -----------------------------------------


def grown(house: House, times: int) -> None:
    chance = Random(times)  # noqa: S311 - of a test
    staff = Staff(house, chance, RandomPlayer(house, chance))
    for _ in range(times):
        table = new_table(house, staff)
        plays(house, table)
        asks(house, staff, table)
        comes_and_goes(house, staff)
        runs(house)
    settled(house)
    tasks.advance(HOUSE, house.id)


def new_table(house: House, staff: Staff) -> Table:
    """With dice of its own, a counted float, and a count of it that waits for the second person."""
    table = builders.table(house.establishment, name=f"Table {new_name()}")
    builders.dice_set(house.establishment, number=new_name())
    for person in (house.attendant, house.supervisor):
        staff.count_of(table, "open", {"25": 20, "5": 50, "1": 250}, by=person)
    return table


def plays(house: House, table: Table) -> None:
    """A pool that was won; a game with a fee, a round, a dispute and a void that is asked for."""
    round_played(house, opened(house, table=table, stake=7))
    game = opened(house, table=table, stake=1000, fee={"kind": "seat", "amount": 3})
    round_played(house, game)
    done(house, game, "dispute", round=1, reason="It was a one.")
    done(house, game, "void", back_to=2, reason="Misheard.")


def asks(house: House, staff: Staff, table: Table) -> None:
    """What waits for an approval, of others and of the manager's own, and what is decided."""
    for approve in (True, False, None):
        asked = asked_for_slip(staff, table, house.attendant)
        if approve is not None:
            approvals.decide(staff.act(house.manager), asked, approve=approve, reason="So.")
    asked_for_slip(staff, table, house.manager)
    bank.ask(staff.act(house.manager), way="capital", amount=5, reason="Round.")
    dice = dice_acts.in_store(house, new_name())
    dice_acts.withdrawn(house, dice)
    dice_acts.request_destruction(house, dice)


def asked_for_slip(staff: Staff, table: Table, by: Attendant) -> uuid.UUID:
    act = staff.act(by)
    slips.ask(act, kind="fill", table=table, sheet={"5": 1}, reason=f"Low on fives. {new_name()}")
    return requests.id_of(act.house.pk, act.command_id)


def comes_and_goes(house: House, staff: Staff) -> None:
    """A tablet, an invitation, an exclusion; dice in the store, and dice that failed."""
    tablets.enrol(house=house.establishment, name=f"Bar {new_name()}", by=house.manager)
    invitations.invite(
        house=house.establishment, name=f"Nell {new_name()}", role=Role.ATTENDANT,
        by=house.manager, now=timezone.now(),
    )  # fmt: skip
    name = f"Eve {new_name()}"
    player = tokens.player_tokens(house.id, [name], new=True)[name]
    exclusions.exclude(
        staff.act(house.supervisor), player=player, since=NOW.date(), until=None, reason="So."
    )
    dice_acts.in_store(house, new_name())
    dice_acts.inspected(house, dice_acts.received(house, new_name()), in_order=False)


def runs(house: House) -> None:
    addressed_house.regraded(house)
    addressed_house.verified(house)
    addressed_house.prepared(house)
    addressed_house.asked_what_if(house)


def new_name() -> str:
    return uuid.uuid4().hex[:8]
