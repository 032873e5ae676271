"""Queries of pages and the API about disputes: their lists, and one dispute in full (C3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names
from casino.play.core import queries as play
from casino.play.core import stories
from casino.play.core.models import GameCard
from casino.play.settlement import settled
from casino.play.settlement.holding import dispute as why
from casino.proof.disputes.models import DisputeRow, Seated
from casino.words.presenters import PRESENTERS, TITLES, presenter
from casino.words.presenters.rounds import chapters
from casino.words.presenters.words import OUTCOMES
from games.messages import Disputed, Resolved, Voided, Witnessed
from games.refusals import NoGame
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """
    A dispute as a list shows it, with names.

    :param absolute: makes an address absolute, for programs.
    """

    row: DisputeRow
    game: UUID
    number: int
    title: str
    table: str
    round: int
    payout: str
    reason: str
    raised_by: str
    raised_at: datetime
    outcome: str
    outcome_name: str
    decided_by: str
    decided_at: datetime | None
    decision: str
    absolute: Callable[[str], str] = str

    @property
    def is_open(self) -> bool:
        return not self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """
    A dispute with the round that it is about.

    :param story: the round, throw by throw, as `stories.of_round`; None: nothing of it stands.
    :param recorders: the people who recorded its throws: ids and names.
    :param held: the money that waits because of the dispute: payout, player, coins.
    :param timeline: what was said and done about the dispute, in order.
    :param outcomes: the possible outcomes now; empty once it is decided.
    """

    card: Card
    loaded: Loaded
    story: Mapping[str, Any] | None
    recorders: Mapping[str, str]
    held: Collection[Mapping[str, Any]]
    timeline: Collection[Mapping[str, Any]]
    players: Collection[str]
    outcomes: Collection[str] = field(default=())

    @property
    def held_in_all(self) -> int:
        return sum(each["left"] for each in self.held)

    def why_not(self, person: Attendant) -> str:
        """Why this person may not decide the dispute, whatever their role; empty if they may."""
        if self.card.row.raised_by == str(person.pk):
            return _("You raised this dispute: a second person decides it. C3")
        if str(person.pk) in self.recorders:
            return _("You recorded what it is about: somebody else decides it. C3")
        return ""


def waiting(establishment: UUID) -> int:
    """How many disputes of a house are open."""
    return DisputeRow.objects.filter(establishment=establishment, outcome="").count()


def open_(establishment: UUID) -> QuerySet[DisputeRow]:
    """The open disputes, the oldest first."""
    return all_of(establishment).filter(outcome="").order_by("position")


def all_of(establishment: UUID) -> QuerySet[DisputeRow]:
    return DisputeRow.objects.filter(establishment=establishment).select_related("table")


def games_of(establishment: UUID, player: str) -> QuerySet[Seated, Any]:
    """A subquery: the games in which a player of this name sat."""
    named = tokens.player_tokens(establishment, [player], new=False)
    sat = Seated.objects.filter(establishment=establishment, player__in=list(named.values()))
    return sat.values("game")


def one(house: Establishment, game: UUID, number: int) -> DisputeRow | None:
    rows = DisputeRow.objects.filter(establishment=house, game=game, number=number)
    return rows.select_related("table").first()


def address(row: DisputeRow) -> str:
    """The address of the page of a dispute."""
    return reverse("dispute", kwargs={"game": row.game, "dispute": row.number})


def cards(
    house: Establishment,
    rows: Iterable[DisputeRow],
    *,
    absolute: Callable[[str], str] = str,
) -> list[Card]:
    rows = list(rows)
    people = names({each for row in rows for each in (row.raised_by, row.decided_by)})
    texts = tokens.resolve(house.pk, [[row.reason, row.decision] for row in rows])
    return [
        Card(
            row=row,
            game=row.game,
            number=row.number,
            title=str(TITLES[row.ruleset]),
            table=row.table.name,
            round=row.round,
            payout=row.payout,
            reason=reason,
            raised_by=people[row.raised_by],
            raised_at=row.raised_at,
            outcome=row.outcome,
            outcome_name=str(OUTCOMES[row.outcome]) if row.outcome else "",
            decided_by=people[row.decided_by],
            decided_at=row.decided_at,
            decision=decision,
            absolute=absolute,
        )
        for row, (reason, decision) in zip(rows, texts, strict=True)
    ]


def whole(house: Establishment, row: DisputeRow) -> Whole:
    loaded = load(GameKey(house.pk, row.game))
    [card] = cards(house, [row])
    through = settled.last_event_handled(loaded)
    outcomes = [
        outcome
        for offer in play.offers(loaded, through)
        if offer["do"] == "resolve" and offer["dispute"] == row.number
        for outcome in offer["outcomes"]
    ]
    seated = Seated.objects.filter(establishment=house, game=row.game)
    named = tokens.resolve(
        house.pk,
        {
            "held": list(payouts_that_wait(loaded, row)),
            "timeline": list(timeline(loaded, row)),
            "players": sorted(seated.values_list("player", flat=True)),
        },
    )
    return Whole(
        card=card,
        loaded=loaded,
        story=stories.of_round(loaded, house, row.round),
        recorders=names(recorders(loaded, row)),
        outcomes=outcomes,
        **named,
    )


def recorders(loaded: Loaded, row: DisputeRow) -> set[str]:
    """The ids of who recorded the throws of the disputed round, voided throws included."""
    later = loaded.history[row.first - 1 :]
    ended = next((number for number, fact in later if fact.ends_round), loaded.version)
    numbers = {number for number, fact in later if fact.is_throw and number <= ended}
    if row.cause is not None:
        numbers.add(row.cause)
    return set().union(*map(loaded.recorders, numbers))


def payouts_that_wait(loaded: Loaded, row: DisputeRow) -> Iterator[dict[str, Any]]:
    """The payouts that wait for this dispute; a payout may wait for more than one thing."""
    for lot in settled.withheld(loaded.key):
        if lot.left and why(row.number) in lot.why:
            yield {"payout": str(lot.payout), "player": lot.player, "left": lot.left}


def timeline(loaded: Loaded, row: DisputeRow) -> Iterator[dict[str, Any]]:
    """What was said and done about the disputed round, by whom and when."""
    people = stories.staff_names(loaded)
    sides = PRESENTERS[loaded.ruleset.id].sides
    for number, fact in loaded.history:
        if not _concerns(fact, number, row):
            continue
        line = presenter.describe_shared(fact, people, sides)
        provenance = loaded.events[number - 1].provenance
        if line is not None:
            yield {
                "number": number,
                "position": loaded.events[number - 1].position,
                "sentence": line["sentence"],
                "rules": line["rules"],
                "by": people.get(provenance.actor, provenance.actor),
                "at": provenance.recorded_at,
            }


def _concerns(fact: object, number: int, row: DisputeRow) -> bool:
    match fact:
        case Disputed(first=first):
            return number == row.number or first == row.first
        case Resolved(dispute=dispute):
            return dispute == row.number
        case Voided(back_to=back_to):
            return number > row.first and back_to <= (row.cause or row.first)
        case Witnessed(cause=cause):
            return cause >= row.first and row.cause in {None, cause}
        case _:
            return False


# Finding the round that somebody objects to (C3): by receipt, table and time, player, or pot.
#
# The result is a round of a game, with the disputes of the game.


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
    disputes: tuple[Card, ...]

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
        cards = cards.filter(game__in=games_of(house.pk, criteria.player))
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
    about = cards(house, rows.select_related("table").order_by("number"))
    return Found(
        loaded=_load(house, card),
        title=str(TITLES[card.ruleset]),
        table=card.table.name,
        round=round_no,
        opened_at=card.opened_at,
        disputes=tuple(about),
    )
