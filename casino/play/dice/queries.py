"""Queries of pages and the API about dice sets: the inventory, and the life of a set (F1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams import occupancy
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import Table
from casino.kit.approvals import queries as approvals
from casino.play.dice import life
from casino.play.dice.models import DiceSet, DiceStep, State
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Level
    from ledger.wire import StoredEvent

ON_TABLE, QUARANTINED, FAILED = "on_table", "quarantined", "failed"
STANDS: Final = {
    ON_TABLE: gettext_lazy("on a table"),
    QUARANTINED: gettext_lazy("in quarantine"),
    FAILED: gettext_lazy("did not pass"),
    **{state.value: state.label for state in State},
}
"""Words for where a set stands: its state, or what a game has made of it."""
SIGNS: Final[dict[str, Level]] = {
    ON_TABLE: "well",
    State.ISSUED: "well",
    State.READY: "wait",
    State.RECEIVED: "wait",
    QUARANTINED: "wait",
    FAILED: "alarm",
    State.WITHDRAWN: "off",
    State.DESTROYED: "off",
    State.SENT: "off",
}
LAIN: Final = 40  # the last events of a set's stream, searched for games that had it


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event of a set's life, with names and texts instead of tokens."""

    row: DiceStep
    by: str
    asked_by: str
    table: str
    supplier: str
    reference: str
    said: str

    @property
    def what(self) -> str:
        return str(self.row.get_what_display())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """
    A set of the house as it stands now.

    :param table: where it lies, or the table it is issued to; "" if there is none.
    :param step: the last step of its life; `inspection`: its last inspection.
    """

    dice: DiceSet
    last: StoredEvent | None
    stands: str
    table: str
    game: UUID | None
    step: Step | None
    inspection: Step | None

    @property
    def sign(self) -> str:
        return SIGNS[self.stands]

    @property
    def called(self) -> str:
        return str(STANDS[self.stands])

    @property
    def since(self) -> datetime | None:
        if self.game is not None and self.last is not None:
            return self.last.provenance.recorded_at
        return self.step.row.at if self.step else None

    @property
    def possible(self) -> Sequence[life.Do]:
        return life.possible(self.dice, self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay:
    """A game that had the set."""

    table: str
    game: UUID
    since: datetime
    until: datetime | None
    position: int


def stands(dice: DiceSet, last: StoredEvent | None) -> str:
    if last is not None and occupancy.is_taken(last):
        return ON_TABLE
    if last is not None and occupancy.waits(last) and not dice.withdrawn:
        return QUARANTINED if last.event_type == occupancy.QUARANTINED else FAILED
    return dice.state


def inventory(house: Establishment, only: Collection[UUID] | None = None) -> list[Stock]:
    """All sets of a house by number, or only some; a fixed number of queries."""
    steps = DiceStep.objects.filter(establishment=house, dice_set=OuterRef("pk"))
    newest = steps.order_by("-position").values("position")
    rows = DiceSet.objects.filter(establishment=house).order_by("number")
    if only is not None:
        rows = rows.filter(pk__in=only)
    sets = list(
        rows.annotate(
            step=Subquery(newest.exclude(what=DiceStep.What.CHANGED)[:1]),
            inspection=Subquery(newest.filter(what=DiceStep.What.INSPECTED)[:1]),
        )
    )
    positions = {at for each in sets for at in (each.step, each.inspection) if at is not None}
    found = DiceStep.objects.filter(establishment=house, position__in=positions)
    tables = dict(Table.objects.filter(establishment=house).values_list("pk", "name"))
    last = {each.row.position: each for each in describe(house, found, tables)}
    streams = {occupancy.dice_stream(str(each.pk)): each for each in sets}
    lasts = recent.lasts(house.pk, streams)
    return [_stock(each, lasts.get(stream), tables, last) for stream, each in streams.items()]


def _stock(
    dice: Any, last: StoredEvent | None, tables: Mapping[UUID, str], steps: Mapping[int, Step]
) -> Stock:
    on_table = last is not None and occupancy.is_taken(last)
    table = UUID(last.data["table"]) if on_table and last is not None else dice.issued_to_id
    return Stock(
        dice=dice,
        last=last,
        stands=stands(dice, last),
        table=tables.get(table, "") if table else "",
        game=UUID(last.data["game"]) if on_table and last is not None else None,
        step=steps.get(dice.step),
        inspection=steps.get(dice.inspection),
    )


def steps(house: Establishment, dice_set: UUID, *, before: int | None, most: int) -> list[Step]:
    """The steps of a set's life, newest first; `before`: only those before that position."""
    rows = DiceStep.objects.filter(establishment=house, dice_set=dice_set)
    if before is not None:
        rows = rows.filter(position__lt=before)
    tables = dict(Table.objects.filter(establishment=house).values_list("pk", "name"))
    return describe(house, rows.order_by("-position")[:most], tables)


def arrival(house: Establishment, dice_set: UUID) -> Step | None:
    """The step that received a set, with its papers; None if it was added in another way."""
    received = DiceStep.objects.filter(
        establishment=house, dice_set=dice_set, what=DiceStep.What.RECEIVED
    )
    return next(iter(describe(house, received[:1], {})), None)


def describe(
    house: Establishment, rows: Iterable[DiceStep], tables: Mapping[UUID, str]
) -> list[Step]:
    """Rows as steps with names and texts, all of them looked up at once."""
    listed = list(rows)
    people = approvals.names({who for row in listed for who in (row.actor, row.asked_by) if who})
    words = pseudonyms.resolve(
        house.pk, [[row.supplier, row.reference, row.said] for row in listed]
    )
    return [
        Step(
            row=row,
            by=people.get(row.actor, row.actor),
            asked_by=people.get(row.asked_by, row.asked_by),
            table=tables.get(row.table, "") if row.table else "",
            supplier=supplier,
            reference=reference,
            said=said,
        )
        for row, (supplier, reference, said) in zip(listed, words, strict=True)
    ]


def recent_lays(house: Establishment, stock: Stock) -> list[Lay]:
    """The games that had the set lately, newest first; only its last `LAIN` events are read."""
    if stock.last is None:
        return []
    stream = occupancy.dice_stream(str(stock.dice.pk))
    known = max(0, stock.last.stream_version - LAIN)
    tables = dict(Table.objects.filter(establishment=house).values_list("pk", "name"))
    lain: list[Lay] = []
    until: datetime | None = None
    for event in reversed(
        journal.stream(establishment=house.pk, stream=stream, after_version=known)
    ):
        if event.event_type == "dice.lifted":
            until = event.provenance.recorded_at
        elif occupancy.is_taken(event):
            lain.append(
                Lay(
                    table=tables.get(UUID(event.data["table"]), ""),
                    game=UUID(event.data["game"]),
                    since=event.provenance.recorded_at,
                    until=until,
                    position=event.position,
                )
            )
            until = None
    return lain


def pending_destruction(house: Establishment, dice_set: UUID) -> UUID | None:
    """The request to destroy a set that waits for a second person, if there is one."""
    waiting = approvals.all_waiting(house.pk).filter(kind=life.DESTROY_DICE)
    rows = waiting.values_list("id", "subject")
    return next((id_ for id_, subject in rows if subject["dice_set"] == str(dice_set)), None)
