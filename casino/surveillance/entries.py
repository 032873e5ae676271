"""
How throws are entered (control F3): no-throws and who gained, lag, the same dice twice.

None of it proves anything by itself; docs/explanation/surveillance.md says what each figure can
show.
"""

from __future__ import annotations

from bisect import bisect_left
from math import factorial, log10, prod
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from casino.game_streams.loading import NOT_UNDERSTOOD, load
from casino.settlement.entries import game_key
from casino.surveillance.models import EntryRow, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.game_streams.loading import Loaded
    from casino.surveillance.throws import Throw
    from ledger.wire import StoredEvent

NO_THROW: Final = "game.no_throw_recorded"
LAGS: Final = (1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300, 600, 1800, 3600)
"""Seconds from throw to entry, the upper end of each class; one more class has all above."""
TWICE: Final = 2.0  # so many times as often as fair dice do, dice repeat: what is bet upon
COLUMNS: Final = (
    "entries", "no_throws", "cocked", "off_table", "interference", "judged", "spared", "denied",
    "lags", "repeats", "repeatable", "repeats_due", "repeat_log10", "last",
)  # fmt: skip


class Entries:
    """The rows of a batch."""

    def __init__(
        self, establishment: UUID, read: Iterable[Throw], events: Sequence[StoredEvent]
    ) -> None:
        self.establishment = establishment
        self.touched: set[tuple[str, str]] = set()
        self.tables = dict(_tables(events))
        whose = {who for throw in read for who in _whose(throw)}
        whose |= {who for event in events if event.position in self.tables
                  for who in self._of_no_throw(event)}  # fmt: skip
        self.rows = self._rows(whose)

    def entered(self, event: StoredEvent, throw: Throw) -> None:
        for who in _whose(throw):
            self._row(who).entries += 1
        if throw.attendant:
            row = self._row((Kind.ATTENDANT.value, throw.attendant))
            told = event.provenance
            _lagged(row, (told.recorded_at - told.occurred_at).total_seconds())
            if not throw.unseen:
                _compared(row, throw.faces)

    def note(self, event: StoredEvent) -> None:
        """Take in what is no throw: of that only no-throws say something here."""
        if event.event_type != NO_THROW:
            return
        if event.position not in self.tables:  # it could not be read: now it says why
            _loaded(event)
        net = judged(event)
        for who in self._of_no_throw(event):
            row = self._row(who)
            reason = event.data["reason"]
            row.no_throws += 1
            setattr(row, reason, getattr(row, reason) + 1)
            if net is not None:
                row.judged += 1
                row.spared += net < 0
                row.denied += net > 0

    def save(self) -> None:
        EntryRow.objects.bulk_create(
            [self.rows[who] for who in sorted(self.touched)],
            update_conflicts=True,
            unique_fields=["establishment", "kind", "name"],
            update_fields=list(COLUMNS),
        )

    def _of_no_throw(self, event: StoredEvent) -> list[tuple[str, str]]:
        return [
            (Kind.ATTENDANT.value, event.provenance.actor),
            (Kind.TABLE.value, self.tables[event.position]),
            (Kind.PLAYER.value, event.data["player"]),
        ]

    def _row(self, who: tuple[str, str]) -> EntryRow:
        self.touched.add(who)
        if who not in self.rows:
            kind, name = who
            self.rows[who] = EntryRow(establishment_id=self.establishment, kind=kind, name=name)
        return self.rows[who]

    def _rows(self, whose: set[tuple[str, str]]) -> dict[tuple[str, str], EntryRow]:
        if not whose:
            return {}
        wanted = Q()
        for kind in {kind for kind, _ in whose}:
            wanted |= Q(kind=kind, name__in={name for each, name in whose if each == kind})
        found = EntryRow.objects.filter(wanted, establishment=self.establishment)
        return {(row.kind, row.name): row for row in found}


def judged(event: StoredEvent) -> int | None:
    """
    What the dice of a no-throw would have brought its thrower at once, by the rules: coins, below 0
    where they would have paid; None where the dice are not on record, or were no throw.
    """
    dice = event.data.get("dice")
    if not dice:
        return None
    player = event.data["player"]
    loaded = _loaded(event)
    decider = loaded.ruleset.decider
    try:
        before = decider.fold(loaded.facts[: event.stream_version - 1])
        command = loaded.ruleset.parse("throw", {"player": player, "dice": tuple(dice)})
        happened = decider.decide(command, before)
    except NOT_UNDERSTOOD:
        return None
    net, over = 0, False
    for fact in happened:
        for payment in fact.payments:
            if payment.payee == player:
                net += payment.amount
            elif payment.payer == player and not over:  # what follows is paid for the next round
                net -= payment.amount
        over = over or fact.ends_round
    return net


def chance_of(faces: Mapping[int, Sequence[int]]) -> float:
    """The chance that fair dice show the same again, whichever lies where."""
    return prod(_chance(sides, shown) for sides, shown in faces.items())


def at_most(lags: Sequence[int], share: float) -> int | None:
    """
    Seconds within which a share of the entries was made, as the upper end of its class; None: there
    are no entries, or it is above the last class.
    """
    wanted, so_far = share * sum(lags), 0
    for seconds, many in zip(LAGS, lags, strict=False):
        so_far += many
        if so_far and so_far >= wanted:
            return seconds
    return None


def _chance(sides: int, shown: Sequence[int]) -> float:
    alike = prod(factorial(shown.count(face)) for face in set(shown))
    return factorial(len(shown)) / float(alike * sides ** len(shown))


def _lagged(row: EntryRow, seconds: float) -> None:
    if not row.lags:
        row.lags = [0] * (len(LAGS) + 1)
    row.lags[bisect_left(LAGS, seconds)] += 1


def _compared(row: EntryRow, faces: Mapping[int, Sequence[int]]) -> None:
    """
    Whether an entry repeats the one before, and a bet that entries do so more often than dice:
    where dice are fair its log10 passes n once in 10 to the n, at most.
    """
    sizes = " ".join(f"d{sides}x{len(shown)}" for sides, shown in sorted(faces.items()))
    told = " ".join("-".join(map(str, sorted(shown))) for _, shown in sorted(faces.items()))
    before_sizes, _, before = row.last.partition(": ")
    row.last = f"{sizes}: {told}"
    if before_sizes != sizes:
        return
    chance = chance_of(faces)
    bet = min(TWICE * chance, (1 + chance) / 2)
    again = told == before
    row.repeatable += 1
    row.repeats += again
    row.repeats_due += chance
    row.repeat_log10 += log10(bet / chance if again else (1 - bet) / (1 - chance))


def _whose(throw: Throw) -> list[tuple[str, str]]:
    whose = [(Kind.ATTENDANT.value, throw.attendant), (Kind.TABLE.value, throw.table)]
    return [*whose, (Kind.PLAYER.value, throw.shown.player)] if throw.shown.player else whose


def _tables(events: Sequence[StoredEvent]) -> Iterable[tuple[int, str]]:
    """Where the no-throws among events were called, by position, but those that cannot be read."""
    for event in events:
        if event.event_type == NO_THROW:
            try:
                yield event.position, _loaded(event).place["table"]
            except NOT_UNDERSTOOD:
                continue


def _loaded(event: StoredEvent) -> Loaded:
    key = game_key(event)
    if key is None:
        raise ValueError(f"{event.stream} is no game.")
    return load(key, through=event.stream_version)
