"""Settled games in bulk: as many events as many evenings have, without playing those."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.utils import timezone

from bench.crew import ROOT
from bench.work.house import dice_of
from casino.house.acts import accounts
from casino.house.acts.game_streams import catalogue
from casino.play.core import consequences
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED
from games import vocabulary
from games.commands import situate
from games.stone_hand import STONE_HAND
from games.wire import write
from ledger import journal
from ledger.models import Event, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from random import Random

    from games.messages import Fact

PLAYERS = ("p-aaaaaaaaaaaa", "p-bbbbbbbbbbbb", "p-cccccccccccc")
PACE = timedelta(seconds=20)  # between two throws at a table
FIGURES = re.compile(r"(\d+) games, (\d+) events, (\d+) payouts regraded: (.*)")


def fill(*, seat: Mapping[str, str], games: int, seed: int) -> int:
    """Play games by the rules alone, book them as settlement does; return the number of events."""
    chance, at = dice_of(seed), timezone.now() - timedelta(days=30)
    for _ in range(games):
        at = Game(seat, chance, at).filled()
    house = UUID(seat["house"])
    for subscriber in SUBSCRIBERS:
        Subscription.objects.update_or_create(
            establishment=house, name=subscriber.name,
            defaults={"position": journal.head(establishment=house)},
        )  # fmt: skip
    return Event.objects.filter(establishment=house).count()


def regrade(*, house: str, workers: int) -> dict[str, float]:
    """Run `manage.py regrade` as a user would. Return what it did, its time and its memory."""
    began = time.perf_counter()
    command = [sys.executable, "manage.py", "regrade", f"--workers={workers}", "--establishment"]
    process = subprocess.Popen([*command, house], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    figures = FIGURES.search(output)
    assert status == 0, output
    assert figures, output
    games, events, payouts = (int(figures[place]) for place in (1, 2, 3))
    return {
        "seconds": seconds,
        "games": games,
        "events": events,
        "payouts": payouts,
        "MB": used.ru_maxrss / 1024,  # of the largest of its processes
        "processor": used.ru_utime + used.ru_stime,  # seconds, of all of them
    }


class Game:
    """One game on its way into the ledger, with its settlement."""

    def __init__(self, seat: Mapping[str, str], chance: Random, at: datetime) -> None:
        self.house, self.id = UUID(seat["house"]), uuid4()
        self.place = {"table": seat["table"], "dice_set": seat["dice_set"]}
        self.chance, self.at = chance, at
        self.versions = {f"game/{self.id}": 0, f"settlement/{self.id}": 0}
        self.payouts: list[tuple[int, Payout]] = []  # with the entry that books each
        self.entries: list[journal.Entry] = []
        self.round = 1

    def filled(self) -> datetime:
        """
        Append everything at once, with the payouts as screens read them. Return when the game
        ended.
        """
        for facts in self.played():
            number = self.versions[f"game/{self.id}"]
            moved = tuple(consequences.cash_transfers(self.id, facts, self.place["table"], None))
            self.append(
                "game",
                [catalogue.event_of_fact(STONE_HAND, fact, self.place) for fact in facts],
                moved,
            )
            for place, fact in enumerate(facts, number + 1):
                if fact.payments:
                    self.book(place, fact)
                self.round += fact.ends_round
        receipts = journal.append(establishment=self.house, entries=self.entries)
        for place, payout in self.payouts:
            payout.position = receipts[place].first_position or 0
        Payout.objects.bulk_create(payout for _, payout in self.payouts)
        return self.at

    def played(self) -> Iterator[Sequence[Fact]]:
        state, raw = STONE_HAND.decider.initial, opening()
        while not STONE_HAND.decider.is_terminal(state):
            self.at += PACE
            command = STONE_HAND.parse(raw["do"], vocabulary.read(raw))
            situated = situate(command, at=int(self.at.timestamp()), **self.place)
            facts = STONE_HAND.decider.decide(situated, state)
            state = STONE_HAND.decider.fold(facts, state)
            yield facts
            turn = (row["player"] for row in STONE_HAND.offers(state) if row["do"] == "throw")
            dice = [self.chance.randint(1, 8) for _ in range(3)]
            raw = {"do": "throw", "player": next(turn, None), "dice": dice}

    def book(self, cause: int, fact: Fact) -> None:
        payments = [write(payment) for payment in fact.payments]
        moved = [accounts.payer_and_payee(self.id, STONE_HAND.id, each) for each in fact.payments]
        transfers = tuple(
            journal.NewTransfer(
                debit=payer, credit=payee, amount=payment.amount, event=0,
                reason=" ".join(payment.rules),
            )
            for (payer, payee), payment in zip(moved, fact.payments, strict=True)
        )  # fmt: skip
        data = {"cause": cause, "payments": payments, "points": {}}
        self.append("settlement", [(BOOKED, data)], transfers)
        number = getattr(fact, "round", self.round)
        self.payouts += [
            (len(self.entries) - 1, self.payout(cause, number, seq, payment))
            for seq, payment in enumerate(fact.payments)
        ]

    def payout(self, cause: int, number: int, seq: int, payment: Any) -> Payout:
        return Payout(
            establishment_id=self.house, position=0, seq=seq, game=self.id,
            table_id=UUID(self.place["table"]), round=number, cause=cause,
            payer=payment.payer, payee=payment.payee, amount=payment.amount,
            rules=" ".join(payment.rules), booked_at=self.at, gaming_day=self.at.date(),
        )  # fmt: skip

    def append(
        self,
        kind: str,
        events: Sequence[tuple[str, dict[str, Any]]],
        transfers: tuple[journal.NewTransfer, ...],
    ) -> None:
        stream = f"{kind}/{self.id}"
        self.entries.append(
            journal.Entry(
                provenance=self.provenance(),
                request_hash=bytes(32),
                guards={stream: self.versions[stream]},
                events=tuple(
                    journal.NewEvent(stream=stream, event_type=name, schema_version=1, data=data)
                    for name, data in events
                ),
                transfers=transfers,
            )
        )
        self.versions[stream] += len(events)

    def provenance(self) -> journal.Provenance:
        return journal.Provenance(
            command_id=uuid4(), actor="7", device="tablet-at-table-4", correlation_id=self.id,
            causation_id=None, occurred_at=self.at, recorded_at=self.at, gaming_day=self.at.date(),
        )  # fmt: skip


def opening() -> dict[str, Any]:
    return {
        "do": "open",
        "game": "stone-hand",
        "players": list(PLAYERS),
        "stake": 25,
        "home_throw": [2, 4, 7],
    }
