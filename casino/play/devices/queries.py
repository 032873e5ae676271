"""Queries of pages and the API about devices: late entries, their outcome, gaps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from casino.house.establishments.order import in_order
from casino.house.pseudonyms import tokens as pseudonyms
from casino.kit.approvals.queries import names
from casino.play.core.models import GameCard
from casino.play.devices import messages
from casino.play.devices.models import GapRow, LateRow
from casino.words.presenters import PRESENTERS, TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment

USUAL_SIDES = 8  # the size of dice in a game that has no row yet


@dataclass(frozen=True, slots=True, kw_only=True)
class LateCard:
    """
    A late or dropped entry as a list shows it, with names.

    :param described: the entry in words; None if it could not be read, then `words` is what was
        sent. :param command: the entry as the vocabulary has it. :param refused: the rules' last
        refusal. :param title: the title of its game. :param taken_over_by: the supervisor who sent
        it from the device, and `taken_over_why`, where whoever made it did not; else "".
    """

    row: LateRow
    title: str
    table: str
    described: messages.CommandInWords | None
    command: Mapping[str, Any] | None
    words: str
    made_by: str
    taken_over_by: str
    taken_over_why: str
    refused: str
    decided_by: str
    reason: str

    @property
    def puts(self) -> bool:
        """Whether the entry can be put to its game at all."""
        return self.described is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapCard:
    """Numbers that a device skipped, as a list shows them, with names."""

    row: GapRow
    title: str
    table: str
    held_by: str
    closed_by: str
    reason: str

    @property
    def count(self) -> int:
        return self.row.last - self.row.first + 1

    @property
    def missing(self) -> int:
        return self.count - self.row.filled


@dataclass(frozen=True, slots=True)
class AtTable:
    """The waiting late entries of one game at a table, in the order in which they were entered."""

    table: str
    game: UUID
    late: Sequence[LateCard]


def waiting(establishment: UUID) -> int:
    """How many late entries and gaps of a house wait for a supervisor; one query."""
    late = LateRow.objects.filter(establishment=establishment, state=LateRow.State.WAITING)
    gaps = GapRow.objects.filter(establishment=establishment, open=True)
    return late.values("position").union(gaps.values("position"), all=True).count()


def waiting_entries(establishment: UUID) -> QuerySet[LateRow]:
    rows = LateRow.objects.filter(establishment=establishment, state=LateRow.State.WAITING)
    return rows.select_related("table").order_by("table__name", "game", "made_at", "position")


def dealt_with(establishment: UUID) -> QuerySet[LateRow]:
    """Late entries that were decided, and entries dropped on their device, the newest first."""
    rows = LateRow.objects.filter(establishment=establishment, decided_position__isnull=False)
    return rows.select_related("table").order_by("-decided_position")


def late_entries(establishment: UUID) -> QuerySet[LateRow]:
    """All late entries of a house, whether they wait or not; and those that devices dropped."""
    return LateRow.objects.filter(establishment=establishment).select_related("table")


def open_gaps(establishment: UUID) -> QuerySet[GapRow]:
    rows = GapRow.objects.filter(establishment=establishment, open=True)
    return rows.select_related("table").order_by("position")


def gaps_over(establishment: UUID) -> QuerySet[GapRow]:
    rows = GapRow.objects.filter(establishment=establishment, open=False)
    return rows.select_related("table").order_by("-position")


def gaps(establishment: UUID) -> QuerySet[GapRow]:
    """All gaps of a house, open or closed."""
    return GapRow.objects.filter(establishment=establishment).select_related("table")


def by_table(house: Establishment, rows: Iterable[LateRow]) -> list[AtTable]:
    cards = late_cards(house, rows)
    groups = [
        AtTable(table, game, list(late))
        for (table, game), late in groupby(cards, key=lambda card: (card.table, card.row.game))
    ]
    return sorted(groups, key=lambda group: in_order(group.table))


def late_cards(house: Establishment, rows: Iterable[LateRow]) -> list[LateCard]:
    """The cards of these rows; names and texts are looked up for all of them at once."""
    rows = list(rows)
    people = names(
        {who for row in rows for who in (row.made_by, row.taken_over_by, row.decided_by) if who}
    )
    texts = [[row.command, row.words, row.refused, row.reason, row.taken_over_why] for row in rows]
    games = _games(house, {row.game for row in rows})
    return [
        _late(row, people, texts, games.get(row.game))
        for row, texts in zip(rows, pseudonyms.resolve(house.pk, texts), strict=True)
    ]


def _late(
    row: LateRow, people: dict[str, str], texts: Sequence[Any], game: GameCard | None
) -> LateCard:
    command, sent, refused, reason, taken_over_why = texts
    presenter = PRESENTERS.get(game.ruleset) if game else None
    sides = presenter.SIZES[0] if presenter else USUAL_SIDES
    return LateCard(
        row=row,
        title=str(TITLES[game.ruleset]) if game else "",
        table=row.table.name,
        described=None if command is None else messages.in_words(command, sides=sides),
        command=command,
        words=sent,
        made_by=people.get(row.made_by, ""),
        taken_over_by=people.get(row.taken_over_by, ""),
        taken_over_why=taken_over_why,
        refused=refused,
        decided_by=people.get(row.decided_by, ""),
        reason=reason,
    )


def gap_cards(house: Establishment, rows: Iterable[GapRow]) -> list[GapCard]:
    rows = list(rows)
    people = names({who for row in rows for who in (row.held_by, row.closed_by) if who})
    games = _games(house, {row.game for row in rows})
    reasons = pseudonyms.resolve(house.pk, [row.reason for row in rows])
    return [
        GapCard(
            row=row,
            title=str(TITLES[games[row.game].ruleset]) if row.game in games else "",
            table=row.table.name,
            held_by=people.get(row.held_by, ""),
            closed_by=people.get(row.closed_by, ""),
            reason=reason,
        )
        for row, reason in zip(rows, reasons, strict=True)
    ]


def _games(house: Establishment, games: set[UUID]) -> dict[UUID, GameCard]:
    cards = GameCard.objects.filter(establishment=house, game__in=games)
    return {card.game: card for card in cards}
