"""
Opens a house's next epoch, after the ledger was restored from a copy that lacks events of which
others have a signed checkpoint.

What was lost must not be replaced unnoticed (guarantee 2): the first event of the new epoch names
it, and from then on the house signs under another origin. What was entered after the copy was made
must be entered again. A command that is sent again with its id counts once, as always.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from django.conf import settings

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.play.settlement import payout_holds
from casino.proof.signing import copies, keys
from games.refusals import Refused
from ledger import epochs, journal
from ledger.conflicts import count_of
from ledger.tiles import Tiles
from ledger.verify import Checkpoint, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.checking.findings import Finding

DEVICE = "open_epoch"


class NotOurs(Refused):
    code = "checkpoint_not_ours"


class NothingLost(Refused):
    code = "nothing_lost"


class NewerPublished(Refused):
    code = "newer_checkpoint_published"


class NoReason(Refused):
    code = "reason_missing"


def open_epoch(act: acts.Act, *, published: Checkpoint, reason: str) -> journal.Receipt:
    """
    Open the epoch after that of a published checkpoint which the ledger no longer reaches.

    :param published: the newest checkpoint of this house that anybody has.
    :raises NotYours: if the person may not configure the house.
    :raises NotOurs: if the house has not signed the checkpoint.
    :raises NothingLost: if the ledger has all that it covers, or the loss is on record already.
    :raises NewerPublished: if a folder that checkpoints are copied to has a newer one.
    :raises NoReason: if the reason is empty.
    """
    house = act.house
    if act.by is not None:
        permissions.require(act.by, "configure", house)

    def decide() -> acts.Done:
        if not reason.strip():
            raise NoReason("Say why: it is read by whoever finds the gap. C1")
        epoch = _epoch_lost(house.pk, published)
        guards, event = epochs.opening(
            establishment=house.pk,
            published=published,
            epoch=epoch,
            reason=tokens.keep(house.pk, reason.strip()),
        )
        return acts.Done(guards=guards, events=[event])

    request = {"do": "open_epoch", "published": published.text, "reason": reason}
    return acts.perform(replace(act, request=request), decide)


def _epoch_lost(establishment: UUID, published: Checkpoint) -> int:
    """The epoch of a checkpoint, if the house has signed it and lost what it covers."""
    theirs = _epoch_of(establishment, published)
    if not keys.has_signed(establishment, published):
        raise NotOurs(
            "This house has not signed that checkpoint: it was changed, or is signed with another"
            " key, or with one that was retired before. ledger_keys tells the house's keys."
        )
    for each in copies.checkpoints_in_folders(establishment):
        if (_epoch_of(establishment, each), each.size) > (theirs, published.size):
            raise NewerPublished(
                f"A folder outside has a checkpoint of {count_of(each.size, 'event')}: open the"
                " epoch with"
                " that one, which tells of all that was lost."
            )
    current = epochs.current(establishment)
    if theirs < current:
        raise NothingLost(f"Epoch {current} is open: what epoch {theirs} lost is on record.")
    size = journal.head(establishment=establishment) + 1
    reaches = theirs == current and published.size <= size
    if reaches and Tiles(establishment, beyond=True).root(published.size) == published.root:
        raise NothingLost(
            f"The book has all {count_of(published.size, 'event')} of that checkpoint: nothing"
            " was lost."
        )
    return theirs


def _epoch_of(establishment: UUID, published: Checkpoint) -> int:
    """The epoch of a checkpoint. :raises NotOurs: if it is of another ledger."""
    first = epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=1)
    epoch = epochs.epoch_of(published, first_origin=first)
    if epoch is None:
        raise NotOurs(f"That checkpoint is of {published.origin}, and this house is {first}.")
    return epoch


def that_lost(establishment: UUID, position: int) -> list[journal.StoredEvent]:
    """The events that opened epochs of a house and name a position as lost."""
    opened = journal.stream(establishment=establishment, stream=epochs.STREAM)
    return [
        each for each in opened if each.data["lost"]["from"] <= position <= each.data["lost"]["to"]
    ]


# Rollback detection: a ledger that is behind what others have of it, because it was restored from
# an older copy or cut off at its end.
#
# What is left of the ledger may be right, but what it lacks was promised and paid. So payouts stop,
# and nothing is signed, until the loss is on record as a new epoch
# (`casino.proof.signing.epochs`). Then two people resume payouts. The ledger itself records that
# it is behind: the event that stops payouts contains the checkpoint that shows it. So the state
# persists even if somebody gave that checkpoint to a command and no folder outside has it.


class EpochMissing(Refused):
    code = "epoch_missing"


@dataclass(frozen=True, slots=True)
class Behind:
    """
    A loss that no epoch names yet.

    :param published: the checkpoint that others have.
    :param position: the position of the event that records the loss.
    """

    published: Checkpoint
    position: int


def stop_for_loss(house: Establishment, published: Checkpoint, now: datetime) -> None:
    """Stop payouts, because others have more than the ledger of a house; once for each loss."""
    if loss_not_on_record(house.pk) is None:
        payout_holds.stop_payouts(house, why=payout_holds.BEHIND, about=published.note, now=now)


def stop(  # noqa: PLR0913 - which check found what, of which book
    house: Establishment,
    findings: Iterable[Finding],
    kept: Sequence[Checkpoint],
    *,
    now: datetime,
    about: str | None = None,
    part: int = 0,
) -> None:
    """
    Stop the payouts of a house because of the findings of a check (E2).

    :param kept: the checkpoints with which the ledger was compared.
    :param about: the id of the check; None: the check is not stored.
    :param part: see `payout_holds.stop_payouts`.
    """
    listed = list(findings)
    ahead = [each for each in kept if any(_is_behind(finding, each) for finding in listed)]
    if ahead:
        stop_for_loss(house, max(ahead, key=_size), now)
    if not all(finding.behind for finding in listed):
        payout_holds.stop_payouts(
            house, why=payout_holds.VERIFICATION, about=about or str(uuid4()), now=now, part=part
        )


def loss_not_on_record(establishment: UUID) -> Behind | None:
    """
    The loss that a house has not put on record yet; None: there is none, or an epoch names it.

    A checkpoint that turned out not to be the house's own, for example because a stolen key signed
    it, does not count.
    """
    events = journal.stream(establishment=establishment, stream=payout_holds.STREAM)
    stopped = [
        each
        for each in events
        if each.event_type == payout_holds.STOPPED and each.data["why"] == payout_holds.BEHIND
    ]
    if not stopped:
        return None
    opened = journal.last(establishment=establishment, stream=epochs.STREAM)
    last = stopped[-1]
    if opened is not None and opened.position > last.position:
        return None
    try:
        published = Checkpoint.parse(last.data["about"].encode())
    except Unreadable:
        return None  # not a checkpoint of this system
    if not keys.has_signed(establishment, published):
        return None
    return Behind(published, last.position)


def check_loss_on_record(establishment: UUID) -> None:
    """
    Check that no loss is unrecorded, before payouts are resumed.

    :raises EpochMissing: if the house is behind what others have, and no epoch says so.
    """
    if (behind := loss_not_on_record(establishment)) is not None:
        raise EpochMissing(
            f"The book is behind a checkpoint of {count_of(behind.published.size, 'event')}:"
            " open a new epoch"
            " first, which says what was lost; then payouts are resumed. E2"
        )


def _is_behind(finding: Finding, published: Checkpoint) -> bool:
    row = {"checkpoint": published.size, "origin": published.origin}
    return finding.behind and dict(finding.row) == row


def _size(published: Checkpoint) -> int:
    return published.size
