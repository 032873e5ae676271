"""Queries of pages and the API about devices: late entries, their outcome, gaps."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.table_names import in_order
from casino.kit.approvals.queries import names
from casino.play.core.models import GameCard
from casino.play.devices.models import GapRow, LateRow
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.words import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

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
    described: CommandInWords | None
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
        described=None if command is None else in_words(command, sides=sides),
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


# Late and dropped entries in words: who did what, with the dice that were entered.


DOES: Final[Mapping[str, _StrPromise]] = {
    "throw": gettext_lazy("throws"),
    "throw_home": gettext_lazy("home throw"),
    "break_start": gettext_lazy("throws to start"),
    "keep": gettext_lazy("keeps"),
    "stand": gettext_lazy("stands"),
    "no_throw": gettext_lazy("no throw"),
    "start_round": gettext_lazy("the round starts"),
    "seal": gettext_lazy("seals dice"),
    "offer": gettext_lazy("dice are offered"),
    "bid": gettext_lazy("bids"),
    "pass": gettext_lazy("passes"),
    "sell": gettext_lazy("buys"),
    "withdraw": gettext_lazy("a die is withdrawn"),
    "reveal": gettext_lazy("reveals"),
    "join": gettext_lazy("joins"),
    "leave": gettext_lazy("leaves"),
    "buy_in": gettext_lazy("buys in"),
    "cash_out": gettext_lazy("is paid out"),
    "void": gettext_lazy("something is taken back"),
    "approve": gettext_lazy("a void is approved"),
    "reject": gettext_lazy("a void is rejected"),
    "change_dice": gettext_lazy("other dice come to the table"),
    "pause": gettext_lazy("break"),
    "resume": gettext_lazy("play goes on"),
    "handover": gettext_lazy("the table is handed over"),
    "witness": gettext_lazy("a large prize is witnessed"),
    "dispute": gettext_lazy("a dispute is raised"),
    "resolve": gettext_lazy("a dispute is decided"),
    "close": gettext_lazy("the table is closed"),
}
"""Words for a command, by its ``do``; they follow a player's name, or stand alone."""
CALLED: Final[Mapping[str, _StrPromise]] = {
    "amount": gettext_lazy("coins"),
    "stake": gettext_lazy("with coins"),
    "price": gettext_lazy("price"),
    "reason": gettext_lazy("reason"),
    "note": gettext_lazy("note"),
    "keep": gettext_lazy("keeps"),
    "die": gettext_lazy("die"),
    "back_to": gettext_lazy("back to event"),
    "request": gettext_lazy("request of event"),
    "round": gettext_lazy("round"),
    "payout": gettext_lazy("payout"),
    "bottoms": gettext_lazy("bottoms count"),
    "out": gettext_lazy("out"),
    "breaks": gettext_lazy("breaks"),
    "caught": gettext_lazy("caught"),
    "spinning": gettext_lazy("spinning"),
}
FRAME: Final = frozenset({"do", "command_id", "occurred_at", "player", "dice", "value", "salt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInWords:
    """
    A command in words.

    :param sentence: "Ada throws". :param dice: faces as entered; `sides`: the size of each die.
    :param more: what else was entered: the name of each field and its value.
    """

    sentence: str
    dice: Sequence[int] = ()
    sides: Sequence[int] = ()
    more: Sequence[tuple[str, str]] = field(default=())


def in_words(command: Mapping[str, Any], *, sides: int) -> CommandInWords:
    """
    Describe a command of the vocabulary in words, with names.

    :param sides: the size of the game's usual dice, for faces that come without a size.
    """
    does = str(DOES.get(str(command["do"]), command["do"]))
    player = command.get("player")
    dice, sizes = _dice(command, sides)
    return CommandInWords(
        sentence=_("%(player)s %(does)s") % {"player": player, "does": does} if player else does,
        dice=dice,
        sides=sizes,
        more=list(_more(command)),
    )


def _dice(command: Mapping[str, Any], sides: int) -> tuple[list[int], list[int]]:
    match command:
        case {"dice": dict() as by_size}:
            faces = {int(size[1:]): face for size, face in by_size.items()}
        case {"dice": [*faces_given]}:
            return [*faces_given], [sides] * len(faces_given)
        case {"value": int(value)}:
            return [value], [sides]
        case _:
            return [], []
    return list(faces.values()), list(faces)


def _more(command: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in command.items():
        if name not in FRAME:
            yield str(CALLED.get(name, name.replace("_", " "))), _value(value)


def _value(value: Any) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(_value(each) for each in value)
        case dict():
            return " ".join(_value(each) for each in value.values())
        case str() if value in REASONS:
            return str(REASONS[value])
        case _:
            return str(value)
