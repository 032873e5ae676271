"""Grades a slice of a house's ledger: its games, and its rows of transfers and payouts."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.engine.processes.memory import without_collector
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout, PrizeIssued
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.findings import Difference, Findings
from casino.proof.disputes.regrade.grading import grade_game
from casino.proof.disputes.regrade.record import Stored
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from casino.proof.disputes.regrade.reading import Period, Row, Slice

NO_TRANSFERS = b'"transfers":[]}'  # the end of a canonical body without transfers


@dataclass(frozen=True, slots=True)
class Scope:
    """
    What is regraded.

    :param stretch: the positions of the period when the run began.
    :param current: whether to grade by today's rules: only payments, and for information.
    """

    establishment: UUID
    period: Period
    stretch: range
    current: bool = False


def grade(scope: Scope, span: range) -> Findings:
    """Grade a slice of the ledger. Games that continue after the slice are graded whole."""
    house, found = scope.establishment, Findings()
    with reading.snapshot(), without_collector():
        at = reading.cursors(house)
        piece = reading.slice_of(house, span, scope.period)
        payouts = {} if scope.current else _payouts(house, [game.game for game in piece.games])
        prizes = {} if scope.current else _prizes(house, piece)
        stopped = () if scope.current else _stops(house)
        stored = Stored(house, at, payouts, prizes, scope.stretch.stop, stopped)
        for game in piece.games:
            found.take(grade_game(game, stored, current=scope.current))
        if not scope.current:
            found.differences += _transfers_differ(house, piece, scope.period)
            found.differences += _payouts_of_nothing(house, piece, scope.period)
    return found


def _stops(establishment: UUID) -> list[tuple[int, str]]:
    rows = Event.objects.filter(establishment=establishment, stream=payout_holds.STREAM)
    return list(rows.order_by("stream_version").values_list("position", "event_type"))


def _payouts(establishment: UUID, games: Sequence[str]) -> dict[str, list[Payout]]:
    rows: dict[str, list[Payout]] = defaultdict(list)
    for row in Payout.objects.filter(establishment=establishment, game__in=games).order_by():
        rows[str(row.game)].append(row)
    return rows


def _prizes(establishment: UUID, piece: Slice) -> dict[int, list[PrizeIssued]]:
    """The prizes issued for these games, by the position of the event that caused each."""
    ends = [row.position for game in piece.games for row in (*game.played[:1], *game.played[-1:])]
    if not ends:
        return {}
    rows: dict[int, list[PrizeIssued]] = defaultdict(list)
    issued = PrizeIssued.objects.filter(
        establishment=establishment, position__range=(min(ends), max(ends))
    )
    for row in issued:
        rows[row.position].append(row)
    return rows


def _transfers_differ(establishment: UUID, piece: Slice, period: Period) -> Iterator[Difference]:
    """The differences between the rows of transfers and the bodies of their events."""
    rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    columns = (
        "position", "transfer_id", "debit_kind", "debit_name", "credit_kind", "credit_name",
        "amount", "reason", "reverses",
    )  # fmt: skip
    span = piece.span
    found = Transfer.objects.filter(
        establishment=establishment, position__gte=span.start, position__lt=span.stop
    ).order_by("position", "seq")
    for position, *values in found.values_list(*columns):
        rows[position].append(_as_in_body(*values))
    for row in piece.rows:
        kept = rows.pop(row.position, [])
        if (kept or not row.body.endswith(NO_TRANSFERS)) and period.holds(row.day):
            yield from _unlike(row, kept)
    for position, kept in rows.items():
        yield Difference(
            kind="transfer", what="unexpected", position=position, found=kept,
            said="There is no event at this position.",
        )  # fmt: skip


def _unlike(row: Row, kept: Sequence[tuple[Any, ...]]) -> Iterator[Difference]:
    try:
        body: Mapping[str, Any] = json.loads(row.body)
        in_body = [
            (each["transfer_id"], each["debit"], each["credit"], each["amount"], each["reason"],
             each["reverses"])
            for each in body["transfers"]
        ]  # fmt: skip
    except (ValueError, LookupError, TypeError):
        return  # grading its game reports the unreadable event
    if in_body == list(kept):
        return
    less, more = len(kept) < len(in_body), len(kept) > len(in_body)
    kind, _, game = row.stream.partition("/")
    yield Difference(
        kind="transfer",
        what="missing" if less else "unexpected" if more else "altered",
        game=game if kind in {reading.GAME, reading.BOOKS} else None,
        event=body["data"].get("cause") if kind == reading.BOOKS else None,
        position=row.position,
        expected=[each for each in in_body if each not in kept],
        found=[each for each in kept if each not in in_body],
        said="The rows of this event's transfers are not what its body says.",
    )


def _as_in_body(  # noqa: PLR0913, PLR0917 - a row
    transfer_id: UUID, debit: str, debit_name: str, credit: str, credit_name: str, amount: int,
    reason: str, reverses: UUID | None,
) -> tuple[Any, ...]:  # fmt: skip
    """The row of a transfer in the form of an event's body."""
    mirrored = None if reverses is None else str(reverses)
    ends = f"{debit}:{debit_name}", f"{credit}:{credit_name}"
    return (str(transfer_id), *ends, amount, reason, mirrored)


def _payouts_of_nothing(establishment: UUID, piece: Slice, period: Period) -> Iterator[Difference]:
    """Payout rows of the slice that nothing booked, of games that this run does not grade."""
    streams = {row.position: row.stream for row in piece.rows}
    span = piece.span
    rows = Payout.objects.filter(
        establishment=establishment, position__gte=span.start, position__lt=span.stop
    )
    found = [
        (position, seq, str(game))
        for position, seq, game in rows.order_by().values_list("position", "seq", "game")
        if streams.get(position) != f"{reading.BOOKS}/{game}"
    ]
    graded = reading.met(establishment, {game for _, _, game in found}, period)
    for position, seq, game in found:
        if game not in graded:
            yield Difference(
                kind="payout", what="unexpected", game=game, position=position,
                found={"position": position, "seq": seq},
                said="Nothing was booked for this game at this position.",
            )  # fmt: skip
