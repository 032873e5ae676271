"""
Statistics of how throws are entered (control F3): no-throws by outcome, entry lag, repeated dice.

None of them is proof by itself. docs/explanation/surveillance.md says what each one can show.
"""

from __future__ import annotations

from bisect import bisect_left
from math import factorial, log10, prod
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from casino.house.acts.game_streams.loading import NOT_UNDERSTOOD, load
from casino.play.dice.surveillance.models import EntryRow, Kind
from casino.play.settlement.entries import game_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.dice.surveillance.stream_monitor import Throw
    from ledger.wire import StoredEvent

NO_THROW: Final = "game.no_throw_recorded"
LAGS: Final = (1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300, 600, 1800, 3600)
"""Upper bounds of the lag histogram, in seconds from throw to entry; a last class is above."""
BET_FACTOR: Final = 2.0  # the bet is on dice that repeat this many times as often as fair ones
COLUMNS: Final = (
    "entries", "no_throws", "cocked", "off_table", "interference", "judged", "spared", "denied",
    "lags", "repeats", "repeatable", "repeats_due", "repeat_log10", "last",
)  # fmt: skip


class EntryStatistics:
    """The rows of a batch: read before it, updated by each event, and saved after it."""

    def __init__(
        self, establishment: UUID, throws_read: Iterable[Throw], events: Sequence[StoredEvent]
    ) -> None:
        self.establishment = establishment
        self.changed: set[tuple[str, str]] = set()
        self.no_throw_tables = dict(_no_throw_tables(events))
        row_keys = {row_key for throw in throws_read for row_key in _rows_of_throw(throw)}
        row_keys |= {row_key for event in events if event.position in self.no_throw_tables
                  for row_key in self._rows_of_no_throw(event)}  # fmt: skip
        self.rows = self._load_rows(row_keys)

    def add_throw(self, event: StoredEvent, throw: Throw) -> None:
        for row_key in _rows_of_throw(throw):
            self._row(row_key).entries += 1
        if throw.attendant:
            row = self._row((Kind.ATTENDANT.value, throw.attendant))
            provenance = event.provenance
            _add_lag(row, (provenance.recorded_at - provenance.occurred_at).total_seconds())
            if not throw.unseen:
                _add_repeat(row, throw.faces)

    def add_event(self, event: StoredEvent) -> None:
        """Count a no-throw; other events are ignored."""
        if event.event_type != NO_THROW:
            return
        if event.position not in self.no_throw_tables:  # unreadable: raises the reason
            _load_game(event)
        net = no_throw_outcome(event)
        for row_key in self._rows_of_no_throw(event):
            row = self._row(row_key)
            reason = event.data["reason"]
            row.no_throws += 1
            setattr(row, reason, getattr(row, reason) + 1)
            if net is not None:
                row.judged += 1
                row.spared += net < 0
                row.denied += net > 0

    def save(self) -> None:
        EntryRow.objects.bulk_create(
            [self.rows[row_key] for row_key in sorted(self.changed)],
            update_conflicts=True,
            unique_fields=["establishment", "kind", "name"],
            update_fields=list(COLUMNS),
        )

    def _rows_of_no_throw(self, event: StoredEvent) -> list[tuple[str, str]]:
        return [
            (Kind.ATTENDANT.value, event.provenance.actor),
            (Kind.TABLE.value, self.no_throw_tables[event.position]),
            (Kind.PLAYER.value, event.data["player"]),
        ]

    def _row(self, row_key: tuple[str, str]) -> EntryRow:
        self.changed.add(row_key)
        if row_key not in self.rows:
            kind, name = row_key
            self.rows[row_key] = EntryRow(establishment_id=self.establishment, kind=kind, name=name)
        return self.rows[row_key]

    def _load_rows(self, row_keys: set[tuple[str, str]]) -> dict[tuple[str, str], EntryRow]:
        if not row_keys:
            return {}
        condition = Q()
        for kind in {kind for kind, _ in row_keys}:
            condition |= Q(kind=kind, name__in={name for each, name in row_keys if each == kind})
        found = EntryRow.objects.filter(condition, establishment=self.establishment)
        return {(row.kind, row.name): row for row in found}


def no_throw_outcome(event: StoredEvent) -> int | None:
    """
    The coins that a no-throw would have won its thrower at once, if it had counted.

    Below 0 the thrower would have paid. None if the dice are not on record, or are no valid throw.
    """
    dice = event.data.get("dice")
    if not dice:
        return None
    player = event.data["player"]
    loaded = _load_game(event)
    decider = loaded.ruleset.decider
    try:
        before = decider.fold(loaded.facts[: event.stream_version - 1])
        command = loaded.ruleset.parse("throw", {"player": player, "dice": tuple(dice)})
        facts = decider.decide(command, before)
    except NOT_UNDERSTOOD:
        return None
    net, round_over = 0, False
    for fact in facts:
        for payment in fact.payments:
            if payment.payee == player:
                net += payment.amount
            elif (
                payment.payer == player and not round_over
            ):  # later payments are for the next round
                net -= payment.amount
        round_over = round_over or fact.ends_round
    return net


def repeat_probability(faces: Mapping[int, Sequence[int]]) -> float:
    """The probability that fair dice show the same faces again, in any order."""
    return prod(_size_repeat_probability(sides, shown) for sides, shown in faces.items())


def lag_quantile(lags: Sequence[int], share: float) -> int | None:
    """
    A quantile of the lag histogram, as the upper bound of its class, in seconds.

    None if there are no entries, or if the quantile is above the last bound.
    """
    target, cumulative = share * sum(lags), 0
    for upper_bound, count in zip(LAGS, lags, strict=False):
        cumulative += count
        if cumulative and cumulative >= target:
            return upper_bound
    return None


def _size_repeat_probability(sides: int, faces_shown: Sequence[int]) -> float:
    indistinct = prod(factorial(faces_shown.count(face)) for face in set(faces_shown))
    return factorial(len(faces_shown)) / float(indistinct * sides ** len(faces_shown))


def _add_lag(row: EntryRow, seconds: float) -> None:
    if not row.lags:
        row.lags = [0] * (len(LAGS) + 1)
    row.lags[bisect_left(LAGS, seconds)] += 1


def _add_repeat(row: EntryRow, faces: Mapping[int, Sequence[int]]) -> None:
    """
    Compare an entry with the one before, and update the evidence for too many repeats.

    The evidence is the gain of a bet that entries repeat more often than fair dice do. With fair
    dice the probability that its log10 ever reaches n is at most 1 in 10 to the n.
    """
    sizes = " ".join(f"d{sides}x{len(shown)}" for sides, shown in sorted(faces.items()))
    dice = " ".join("-".join(map(str, sorted(shown))) for _, shown in sorted(faces.items()))
    previous_sizes, _, previous_dice = row.last.partition(": ")
    row.last = f"{sizes}: {dice}"
    if previous_sizes != sizes:
        return
    chance = repeat_probability(faces)
    bet_probability = min(BET_FACTOR * chance, (1 + chance) / 2)
    repeated = dice == previous_dice
    row.repeatable += 1
    row.repeats += repeated
    row.repeats_due += chance
    row.repeat_log10 += log10(
        bet_probability / chance if repeated else (1 - bet_probability) / (1 - chance)
    )


def _rows_of_throw(throw: Throw) -> list[tuple[str, str]]:
    row_keys = [(Kind.ATTENDANT.value, throw.attendant), (Kind.TABLE.value, throw.table)]
    if throw.recorded.player:
        row_keys.append((Kind.PLAYER.value, throw.recorded.player))
    return row_keys


def _no_throw_tables(events: Sequence[StoredEvent]) -> Iterable[tuple[int, str]]:
    """The table of each no-throw, by position of its event, without those of unreadable games."""
    for event in events:
        if event.event_type == NO_THROW:
            try:
                yield event.position, _load_game(event).place["table"]
            except NOT_UNDERSTOOD:
                continue


def _load_game(event: StoredEvent) -> Loaded:
    key = game_key(event)
    if key is None:
        raise ValueError(f"{event.stream} is no game.")
    return load(key, through=event.stream_version)
