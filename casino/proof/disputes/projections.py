"""Writes the rows of disputes and seats from the events of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from casino.house.acts.game_streams.loading import load
from casino.kit.approvals import kinds
from casino.kit.approvals.kinds import PendingItem
from casino.play.settlement.entries import game_key
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow, Seated
from games.messages import Disputed, PlayerJoined, Resolved, Voided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.queries import Card
    from ledger.wire import StoredEvent

ROWS = (DisputeRow, Seated)
CONCERNS = frozenset({"game.player_joined", "game.disputed", "game.resolved", "game.voided"})


def handle(event: StoredEvent) -> None:
    """Write an event into the rows, if it is about a dispute or a seat."""
    key = game_key(event)
    if key is None or (event.stream_version > 1 and event.event_type not in CONCERNS):
        return
    loaded = load(key, through=event.stream_version)
    match loaded.facts[event.stream_version - 1]:
        case Disputed() as disputed:
            _raise_dispute(loaded, event, disputed)
        case Resolved() as resolved:
            _decide(event, resolved)
        case Voided() as voided:
            _note_void(event, voided)
        case PlayerJoined(player=player):
            _write_seats(loaded, [player])
        case opened:
            _write_seats(loaded, [seat.name for seat in getattr(opened, "players", ())])


def _raise_dispute(loaded: Loaded, event: StoredEvent, disputed: Disputed) -> None:
    provenance = event.provenance
    DisputeRow.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        game=loaded.key.game,
        number=disputed.dispute,
        table_id=loaded.place["table"],
        ruleset=loaded.ruleset.id,
        round=disputed.round,
        first=disputed.first,
        cause=disputed.cause,
        seq=disputed.seq,
        reason=disputed.reason,
        raised_by=disputed.by,
        raised_at=provenance.recorded_at,
        occurred_at=provenance.occurred_at,
        gaming_day=provenance.gaming_day,
    )


def _decide(event: StoredEvent, resolved: Resolved) -> None:
    of_game(event).filter(number=resolved.dispute).update(
        outcome=resolved.outcome,
        decided_by=resolved.approved_by,
        decided_at=event.provenance.recorded_at,
        decided_position=event.position,
        decision=resolved.reason,
    )


def _note_void(event: StoredEvent, voided: Voided) -> None:
    """Mark disputes that a void concerns, except those that an earlier void has cancelled."""
    concerned = of_game(event).annotate(anchor=Coalesce(F("cause"), F("first")))
    concerned.filter(
        anchor__gte=Value(voided.back_to),
        number__lt=event.stream_version,
        voided_position__isnull=True,
    ).update(voided_position=event.position)


def of_game(event: StoredEvent) -> QuerySet[DisputeRow]:
    game = event.stream.partition("/")[2]
    return DisputeRow.objects.filter(establishment=event.establishment, game=game)


def _write_seats(loaded: Loaded, players: Iterable[str]) -> None:
    """Write the seats of players; a player who comes back has a row already."""
    Seated.objects.bulk_create(
        [
            Seated(
                establishment_id=loaded.key.establishment,
                player=player,
                position=loaded.opening.position,
                game=loaded.key.game,
            )
            for player in players
        ],
        ignore_conflicts=True,
    )


# Open disputes in the queue of approvals: a second person decides each (C3).


def oldest(house: Establishment, most: int) -> list[PendingItem]:
    return [_item(card) for card in queries.cards(house, queries.open_(house.pk)[:most])]


def _item(card: Card) -> PendingItem:
    values = {"table": card.table, "round": card.round, "who": card.raised_by, "why": card.reason}
    return PendingItem(
        title=_("Dispute"),
        sentence=_("%(table)s, round %(round)s, raised by %(who)s: %(why)s") % values,
        since=card.raised_at,
        address=queries.address(card.row),
    )


SOURCE = kinds.Source(name="disputes", act="approve", count=None, items=oldest)
"""No `count`: the rail shows the number of open disputes separately."""
