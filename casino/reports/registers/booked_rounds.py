"""The coins that settlement booked for rounds, by the ledger's transfers; registers compare."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.db.models import Q, Sum

from casino.play.core.rounds import MOVED, coins_of_transfers
from casino.play.settlement.models import Payout
from casino.reports.registers import history
from ledger.accounts import Kind
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query
    from casino.play.core.round_models import RoundRow

PART: Final = 200  # rounds whose bookings are looked up together
POSITIONS: Final = 2000


@dataclass(slots=True)
class Booked:
    """
    What was booked for some rounds through a position.

    :param moved: whole coins by meaning (`MOVED`); a fee counts also if it comes out of a pot.
    :param waiting: the number of rounds of which something was not booked yet at the position.
    """

    moved: Counter[str] = field(default_factory=Counter)
    waiting: int = 0

    def agrees(self, name: str, decided: int) -> bool | None:
        """Whether the booked coins equal the decided coins; None: something is not booked yet."""
        return None if self.waiting else self.moved[name] == decided


def bookings_of(query: Query, rows: QuerySet[RoundRow]) -> Booked:
    """
    What was booked for these rounds through the position.

    The database sums up the rounds that were booked completely by then, all of them in one query.
    The other rounds are few (the last one of each table, or parked): their bookings are looked up.
    """
    whole = Q(booked_at__lte=query.through)
    sums = rows.filter(whole).order_by().aggregate(
        **{f"{name}_": Sum(f"booked_{name}") for name in MOVED}
    )  # fmt: skip
    found = Booked(Counter({name: int(sums[f"{name}_"] or 0) for name in MOVED}))
    return _look_up(query, rows.filter(Q(booked_at=None) | ~whole), found)


def _look_up(query: Query, rows: QuerySet[RoundRow], found: Booked) -> Booked:
    """Add what was booked for rounds that are not booked completely; 3 queries for 200 rounds."""
    for part in history.chunks(rows.order_by("game", "position"), PART):
        positions = _bookings(query, part, found)
        for some in history.chunks(positions, POSITIONS):
            _add(query, some, found)
    return found


def _bookings(query: Query, part: Sequence[RoundRow], found: Booked) -> list[int]:
    """The ledger positions at which the events of these rounds were booked."""
    rows = Payout.objects.filter(
        establishment=query.house,
        game__in={row.game for row in part},
        position__gte=min(row.began for row in part),
        position__lte=query.through,
    )
    at: defaultdict[UUID, dict[int, int]] = defaultdict(dict)
    for game, cause, position in rows.order_by().values_list("game", "cause", "position"):
        at[game][cause] = position
    positions = []
    for row in part:
        mine = [at[row.game][cause] for cause in row.paying if cause in at[row.game]]
        positions += mine
        found.waiting += len(mine) < len(row.paying)
    return positions


def _add(query: Query, positions: Sequence[int], found: Booked) -> None:
    rows = Transfer.objects.filter(
        establishment=query.house.pk, position__in=positions, reverses__isnull=True
    )
    grouped = rows.values_list("debit_kind", "credit_kind").annotate(coins=Sum("amount"))
    found.moved.update(
        coins_of_transfers(
            (Kind(debit), Kind(credit), int(coins)) for debit, credit, coins in grouped.order_by()
        )
    )
