"""Queries of pages and the API about disputes: their lists, and one dispute in full (C3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.game_streams.loading import GameKey, Loaded, load
from casino.house.pseudonyms import tokens
from casino.kit.approvals.queries import names
from casino.play.core import queries as play
from casino.play.core import stories
from casino.play.settlement import settled
from casino.play.settlement.holding import dispute as why
from casino.proof.disputes.models import DisputeRow, Seated
from casino.words.presenters import PRESENTERS, TITLES, table_events
from casino.words.presenters.words import OUTCOMES
from games.messages import Disputed, Resolved, Voided, Witnessed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

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
        line = table_events.describe(fact, people, sides)
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
