"""A book that was really played in, its checks, and what a superuser does to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Sum

from ledger import checkpoints, journal, proofs
from ledger.accounts import AccountRef, Kind
from ledger.checking.book import Book, bounds, start_of
from ledger.checking.stages import STAGES
from ledger.journal import Refusal, append
from ledger.models import Account, CommandReceipt, Event, ParkedEvent, Subscription, Tile, Transfer
from ledger.models import Checkpoint as Row
from ledger.notes import SigningKey
from tests.ledger.building import CAGE, appended, entry, transfer
from tests.ledger.tampering import unguarded
from tests.support import builders
from tests.support.playing import NOW, opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from ledger.checking.findings import Finding
    from ledger.verify import Checkpoint

KEY: Final = SigningKey.generate("unnamed")
FILLED: Final = 300  # events that only fill the first tile
FLOAT: Final = AccountRef(Kind.FLOAT, "filled")


@dataclass(frozen=True)
class Played:
    """
    A house's book.

    :param kept: its first checkpoint, as somebody outside keeps it; `newest`: its last one.
    """

    house: UUID
    kept: Checkpoint
    newest: Checkpoint

    @property
    def events(self) -> Any:
        return Event.objects.filter(establishment=self.house).order_by("position")

    def book(self, since: int = 0, **more: Any) -> Book:
        stop, receipts = bounds(self.house, "default")
        return Book(
            establishment=self.house, using="default", keys=(KEY.public,), stop=stop,
            receipts=receipts, start=start_of(self.house, "default", since) if since else 0,
            now=NOW, **more,
        )  # fmt: skip

    def found(self, **more: Any) -> list[Finding]:
        return list(findings(self.book(**more)))

    def event_in(self, first: int, stop: int) -> Event:
        """An event between two positions that books money."""
        booking = Transfer.objects.filter(
            establishment=self.house, position__gte=first, position__lt=stop
        )
        at = booking.order_by("position").values_list("position", flat=True).first()
        found: Event = self.events.get(position=at)
        return found


def findings(book: Book) -> Iterator[Finding]:
    for check in STAGES.values():
        for step in check(book, {}):
            yield from step.findings


def sound() -> Played:
    """Whatever is found in it later, a test has done."""
    built = played()
    assert built.found() == []
    return built


def played() -> Played:
    """
    Three games, more than a tile of events, three checkpoints; then one command that is done, and
    one that is refused, which no checkpoint covers.
    """
    house = builders.house(tables=4, dice_sets=4)
    kept = None
    for table in house.tables[1:]:
        round_played(house, opened(house, stake=60, table=table))
        settled(house)
        kept = kept or signed(house.id)
    appended("filled/1", establishment=house.id, events=FILLED)
    refused(house.id)
    signed(house.id)
    appended("filled/2", transfer(CAGE, FLOAT, 5), establishment=house.id, events=5)
    refused(house.id)
    newest = signed(house.id)
    appended("filled/3", transfer(CAGE, FLOAT, 7), establishment=house.id, events=3)
    refused(house.id)
    settled(house)
    ParkedEvent.objects.all().delete()  # what only fills the book is nothing to whoever reads it
    assert kept is not None
    return Played(house.id, kept, newest)


def refused(house: UUID) -> None:
    append(establishment=house, entries=[entry(refusal=Refusal(code="no", detail="Nicht so."))])


def signed(house: UUID, key: SigningKey = KEY) -> Checkpoint:
    row = checkpoints.grow(establishment=house, keys=[key], name="dice.example", now=NOW)
    assert row is not None
    return proofs.parse_checkpoint(row)


def cut(played: Played, size: int, *, down_to: str) -> None:
    """
    The book ends before a position.

    :param down_to: how thorough whoever does it is: ``events``, ``answers`` to them and transfers,
        or ``everything`` that could tell, as in an older copy.
    """
    of_house = {"establishment": played.house}
    with unguarded():
        Event.objects.filter(**of_house, position__gte=size).delete()
        if down_to == "events":
            return
        Transfer.objects.filter(**of_house, position__gte=size).delete()
        last = CommandReceipt.objects.filter(**of_house, last_position__lt=size)
        covered = Row.objects.filter(**of_house, size__lte=size).order_by("-size")[0].receipts
        end = max(covered - 1, last.order_by("-seq").values_list("seq", flat=True)[0])
        CommandReceipt.objects.filter(**of_house, seq__gt=end).delete()
        if down_to == "answers":
            return
        Row.objects.filter(**of_house, size__gt=size).delete()
        Tile.objects.filter(**of_house, index__gte=size // 256).delete()
        ParkedEvent.objects.filter(**of_house, position__gte=size).delete()
        head = journal.head(establishment=played.house)
        Subscription.objects.filter(**of_house, position__gt=head).update(position=head)
        newest = Row.objects.filter(**of_house).order_by("-size").values_list("size", flat=True)[0]
        Subscription.objects.filter(**of_house, name="integrity").update(position=newest - 1)
        balances_fit(played)


def balances_fit(played: Played) -> None:
    """Accounts as the transfers that are left make them; without guards."""
    of_house = {"establishment": played.house}
    for account in Account.objects.filter(**of_house):
        sums = {}
        for side in ("debit", "credit"):
            rows = Transfer.objects.filter(
                **of_house, **{f"{side}_kind": account.kind, f"{side}_name": account.name}
            )
            sums[f"{side}s"] = rows.aggregate(sum=Sum("amount"))["sum"] or 0
        row = Account.objects.filter(**of_house, kind=account.kind, name=account.name)
        if any(sums.values()):
            row.update(**sums)
        else:
            row.delete()
