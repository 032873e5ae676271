"""What a house's staff do beside its games, by chance: counts, slips, approvals, closes."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from casino.house.acts import acts, custody
from casino.house.acts.accounts import table_float
from casino.house.attendants.permissions import NotYours
from casino.house.establishments import gaming_day
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.kit.approvals.models import RequestRow
from casino.money.cash import bank, counting, fees, slips
from casino.reports.gaming_days import closing
from games.refusals import Refused
from ledger import money

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from tests.support.builders import House
    from tests.support.random_player import RandomPlayer

CAPITAL = 100_000


class Staff:
    """Everybody who works at a house. What is refused is remembered and does no harm."""

    def __init__(self, house: House, chance: Random, croupier: RandomPlayer) -> None:
        self.house, self.chance, self.croupier = house, chance, croupier
        self.refused: list[tuple[str, str]] = []
        self.done: list[str] = []
        self.acts: dict[Callable[[], None], int] = {
            self.counts: 6,
            self.asks_for_a_slip: 3,
            self.receives_a_slip: 3,
            self.answers_a_request: 6,
            self.moves_capital: 1,
            self.counts_fees: 2,
            self.signs: 4,
            self.closes_the_day: 1,
            self.signs_the_day: 3,
        }

    # --- The day's frame

    def opens_the_house(self) -> None:
        """Capital in the cage, and a counted float at every table."""
        self.capital_comes(CAPITAL)
        for table in self.house.tables:
            for person in (self.house.attendant, self.house.supervisor):
                self.count_of(table, "open", {"25": 20, "5": 50, "1": 250}, by=person)

    def capital_comes(self, amount: int) -> None:
        request_act = self.act(self.house.supervisor)
        bank.ask(request_act, way="capital", amount=amount, reason="Opening.")
        request = requests.id_of(self.house.id, request_act.command_id)
        approvals.decide(self.act(self.house.manager), request, approve=True)

    # --- Anything, at any moment

    def does_something(self) -> None:
        """One act of somebody; refused where it does not fit, which is as good."""
        name = self.chance.choices(list(self.acts), weights=list(self.acts.values()))[0]
        try:
            name()
        except (Refused, NotYours) as refused:
            self.refused.append((name.__name__, getattr(refused, "code", "not_yours")))
        else:
            self.done.append(name.__name__)

    def counts(self) -> None:
        """A count of some table, right or wrong; mostly two people come to the same."""
        table = self.some_table()
        now = custody.read(self.house.id, table.pk)
        purposes = ("change", "change", "close", "check") if now.shift else ("open",)
        purpose: Any = now.count.purpose if now.count else self.chance.choice(purposes)
        sheet = self.some_sheet(table)
        for person in self.chance.sample(self.who_record, 2):
            if self.chance.random() < 1 / 10:
                sheet = self.some_sheet(table)
            self.count_of(table, purpose, sheet, by=person)

    def asks_for_a_slip(self) -> None:
        kind: Any = self.chance.choice(("fill", "credit"))
        slips.ask(
            self.act(self.somebody()),
            kind=kind,
            table=self.some_table(),
            sheet={"5": self.chance.randint(1, 20)},
            reason="Low on fives.",
        )

    def receives_a_slip(self) -> None:
        """One that is on its way, if there is one."""
        found = [
            (table, slip.number)
            for table in self.house.tables
            for slip in slips.waiting(self.house.establishment, table)
        ]
        table, number = self.chance.choice(found or [(self.house.table, 1)])
        slips.receive(self.act(self.somebody()), table=table, number=number)

    def answers_a_request(self) -> None:
        waiting = RequestRow.objects.filter(
            establishment=self.house.establishment, state=requests.State.WAITING
        )
        found = self.chance.choice([row.id for row in waiting] or [uuid.uuid4()])
        approve = self.chance.random() < 3 / 4
        approvals.decide(
            self.act(self.somebody()), found, approve=approve, reason="As it should be."
        )

    def moves_capital(self) -> None:
        way: Any = self.chance.choice(("capital", "to_bank"))
        bank.ask(
            self.act(self.somebody()), way=way, amount=self.chance.randint(1, 500), reason="Round."
        )

    def counts_fees(self) -> None:
        coins = self.chance.choice((0, 1, 2, 5))
        fees.count(
            self.act(self.somebody()), table=self.some_table(), sheet={"1": coins} if coins else {}
        )

    def signs(self) -> None:
        """The one over, the other in; if play goes on in between, it is signed again."""
        counted = [
            table
            for table in self.house.tables
            if custody.read(self.house.id, table.pk).stands == "handing_over"
        ]
        table = self.chance.choice(counted or self.house.tables)
        seen = counting.at_table(self.house.establishment, table).version
        counting.sign_over(self.act(self.house.supervisor), table=table, seen=seen)
        counting.take_over(self.act(self.somebody()), table=table, seen=seen)

    def closes_the_day(self) -> None:
        """By hand, whenever; what is not booked yet is waited for (B4)."""
        known = gaming_day.day_state(self.house.id)
        if known.draining is None and known.open:
            closing.close(self.act(self.house.manager), known.open[0])
        closing.finish(self.house.establishment, self.croupier.now)

    def signs_the_day(self) -> None:
        closed = gaming_day.day_state(self.house.id).closed
        who = self.chance.choice((self.house.supervisor, self.somebody()))
        closing.sign(self.act(who), closed or self.croupier.now.date())

    # --- What these are made of

    def act(self, by: Attendant) -> acts.Act:
        return acts.Act(
            house=self.house.establishment,
            by=by,
            device="office",
            now=self.croupier.now,
            command_id=uuid.uuid4(),
            request={},
        )

    def count_of(self, table: Table, purpose: Any, sheet: custody.Sheet, *, by: Attendant) -> None:
        counting.count(self.act(by), table=table, purpose=purpose, sheet=sheet)

    @property
    def who_record(self) -> tuple[Attendant, ...]:
        return (self.house.attendant, self.house.supervisor, self.house.manager)

    def some_table(self) -> Table:
        return self.chance.choice(self.house.tables)

    def somebody(self) -> Attendant:
        return self.chance.choice(
            (self.house.attendant, self.house.supervisor, self.house.manager, self.house.auditor)
        )

    def some_sheet(self, table: Table) -> custody.Sheet:
        """What should lie there, or a little more or less."""
        held = money.balance(table_float(str(table.pk)), establishment=self.house.id)
        found = max(0, held + self.chance.choice((0, 0, 0, 0, 1, -3)))
        return {"1": found} if found else {}
