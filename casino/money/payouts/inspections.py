"""Inspections of dice that won a large prize, before they may be thrown again (A7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.acts.game_streams import occupancy
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import kinds
from casino.kit.approvals.kinds import PendingItem
from casino.kit.approvals.operations import perform
from casino.money.payouts import queries
from casino.play.dice import life
from casino.play.dice.models import DiceSet
from casino.play.settlement.holding import LARGE_PRIZE
from games.refusals import Refused
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment
    from casino.play.settlement.models import Payout
    from ledger.wire import StoredEvent


class NotInQuarantine(Refused):
    code = "not_in_quarantine"


class NoSuchDice(Refused):
    code = "no_such_dice"


class NoFinding(Refused):
    code = "no_finding"


def waiting(house: Establishment) -> Iterator[tuple[DiceSet, StoredEvent]]:
    """
    The dice sets of a house that wait for an inspection, or did not pass one, in two queries.

    Each comes with the last event of its stream, which says why.
    """
    sets = DiceSet.objects.filter(establishment=house, withdrawn=False)
    streams = {occupancy.dice_stream(str(dice.pk)): dice for dice in sets}
    lasts = recent.lasts(house.pk, streams)
    for stream, dice in streams.items():
        if stream in lasts and occupancy.waits(lasts[stream]):
            yield dice, lasts[stream]


def inspect(act: acts.Act, *, dice_set: UUID, in_order: bool, finding: str) -> journal.Receipt:
    """
    Record an inspection of dice: by whom, and what was found.

    Dice in order may be thrown again. Other dice stay in quarantine until a later inspection, or
    are withdrawn.

    :raises NotYours: if the person may not approve.
    :raises NoSuchDice: if the house has no such set.
    :raises NotInQuarantine: if the dice do not wait for an inspection.
    :raises NoFinding: if the finding is empty.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody inspects dice, by name. A7")
    permissions.require(act.by, "approve", act.house)
    if not DiceSet.objects.filter(establishment=act.house, pk=dice_set).exists():
        raise NoSuchDice("This house has no such dice set. A7")
    stream = occupancy.dice_stream(str(dice_set))

    def decide() -> acts.Done:
        last = journal.last(establishment=act.house.pk, stream=stream)
        if last is None or not occupancy.waits(last):
            raise NotInQuarantine("This dice set waits for no inspection. A7")
        if not finding.strip():
            raise NoFinding("Say what was looked at and found: it stays with the dice. A7")
        rows = DiceSet.objects.select_for_update(of=("self",), no_key=True).filter(
            establishment=act.house
        )
        dice = rows.get(pk=dice_set)
        events = life.events_of_inspection(dice, last, in_order=in_order, finding=finding)
        return life.save_with_events(last, dice, events)

    return perform(act, decide, rows=True)


# Large prizes that wait for their witness, as items in the queue of approvals (A7).


def items_waiting(establishment: UUID) -> int:
    return _waiting(establishment).count()


def oldest(house: Establishment, most: int) -> list[PendingItem]:
    found = [_item(row) for row in _waiting(house.pk)[:most]]
    sentences = tokens.resolve(house.pk, [each.sentence for each in found])
    return [replace(each, sentence=named) for each, named in zip(found, sentences, strict=True)]


def _waiting(establishment: UUID) -> QuerySet[Payout]:
    return queries.waiting(establishment).filter(why__contains=LARGE_PRIZE)


def _item(row: Payout) -> PendingItem:
    values = {"player": row.payee, "table": row.table.name, "round": row.round}
    return PendingItem(
        title=_("Large prize"),
        sentence=_(
            "Won by %(player)s at %(table)s, round %(round)s: somebody who may approve, and did"
            " not record it, looks at the dice and witnesses it. A7"
        )
        % values,
        since=row.booked_at,
        address=reverse("payout", args=[row.game, row.cause, row.seq]),
        amount=row.held,
    )


SOURCE = kinds.Source(name="large_prizes", act="approve", count=items_waiting, items=oldest)
