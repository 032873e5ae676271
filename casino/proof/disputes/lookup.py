"""
Finding the round that somebody objects to (C3): by receipt, table and time, player, or pot.

The result is a round of a game, with the disputes of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from casino.house.game_streams.loading import GameKey, Loaded, load
from casino.play.core.models import GameCard
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow
from casino.words.presenters import TITLES
from casino.words.presenters.rounds import chapters
from games.refusals import NoGame
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment

MOST: Final = 30  # rounds shown; to find others, people enter more criteria
OF_A_GAME: Final = frozenset({"game", "settlement"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """
    The criteria of a search; a round has to meet all that are given.

    :param receipt: the id of a command or an event, a position in the ledger, or a game's id.
    :param game: the kind of game, for a search by pot.
    """

    receipt: str = ""
    table: UUID | None = None
    at: datetime | None = None
    player: str = ""
    game: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.receipt or self.table or self.at or self.player or self.game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """
    A round that fits the criteria.

    :param round: the round that was looked for, or the game's last round.
    :param disputes: all disputes of the game.
    """

    loaded: Loaded
    title: str
    table: str
    round: int
    opened_at: datetime
    disputes: tuple[queries.Card, ...]

    @property
    def game(self) -> UUID:
        return self.loaded.key.game


def find(house: Establishment, criteria: Criteria) -> list[Found]:
    """The rounds that fit, the latest first."""
    if criteria.is_empty:
        return []
    if criteria.receipt:
        return list(_by_receipt(house, criteria))
    cards = _games(house, criteria)
    return [_find(house, card, round_at(_load(house, card), criteria.at)) for card in cards[:MOST]]


def _by_receipt(house: Establishment, criteria: Criteria) -> Iterator[Found]:
    named = event_of(house, criteria.receipt.strip())
    if named is None:
        return
    game, number = named
    rest = Criteria(table=criteria.table, player=criteria.player, game=criteria.game)
    for card in _games(house, rest).filter(game=game):
        loaded = _load(house, card)
        yield _find(house, card, chapters(loaded.facts).of[number - 1])


def event_of(house: Establishment, receipt: str) -> tuple[UUID, int] | None:
    """The game and the number of its event that a receipt names; None if this house has none."""
    rows = Event.objects.filter(establishment=house.pk)
    if receipt.isdecimal() and receipt.isascii():
        rows = rows.filter(position=int(receipt[:18]))
    elif (named := _id(receipt)) is not None:
        opened = rows.filter(stream=f"game/{named}").order_by("-stream_version")[:1]
        found = rows.filter(command_id=named) or rows.filter(event_id=named) or opened
        return next(filter(None, map(_of_game, found)), None)
    else:
        return None
    return next(filter(None, map(_of_game, rows)), None)


def _of_game(event: Event) -> tuple[UUID, int] | None:
    kind, _, game = event.stream.partition("/")
    if kind not in OF_A_GAME:
        return None
    key = GameKey(event.establishment, UUID(game))
    if kind == "game":
        return key.game, event.stream_version
    try:
        loaded = load(key)
    except NoGame:
        return None
    causes = {each.event_id: each.stream_version for each in loaded.events}
    cause = causes.get(event.causation_id) if event.causation_id else None
    return (key.game, cause) if cause else None


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _games(house: Establishment, criteria: Criteria) -> QuerySet[GameCard]:
    cards = GameCard.objects.filter(establishment=house).select_related("table")
    if criteria.table is not None:
        cards = cards.filter(table=criteria.table)
    if criteria.game:
        cards = cards.filter(ruleset=criteria.game)
    if criteria.player:
        cards = cards.filter(game__in=queries.games_of(house.pk, criteria.player))
    if criteria.at is not None:
        cards = cards.filter(opened_at__lte=criteria.at)
    return cards.order_by("-opened_at", "-game")


def _load(house: Establishment, card: GameCard) -> Loaded:
    return load(GameKey(house.pk, card.game))


def round_at(loaded: Loaded, at: datetime | None) -> int:
    """The round that ran at a moment, by the table's clock; the last round if none is given."""
    of_round = chapters(loaded.facts).of
    if at is None:
        return of_round[-1]
    happened = [  # a late entry comes after events that happened later
        number for number, event in enumerate(loaded.events) if event.provenance.occurred_at <= at
    ]
    return of_round[happened[-1] if happened else 0]


def _find(house: Establishment, card: GameCard, round_no: int) -> Found:
    rows = DisputeRow.objects.filter(establishment=house, game=card.game)
    about = queries.cards(house, rows.select_related("table").order_by("number"))
    return Found(
        loaded=_load(house, card),
        title=str(TITLES[card.ruleset]),
        table=card.table.name,
        round=round_no,
        opened_at=card.opened_at,
        disputes=tuple(about),
    )
