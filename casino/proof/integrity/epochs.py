"""
Opens a house's next epoch, after the ledger was restored from a copy that lacks events of which
others have a signed checkpoint.

What was lost must not be replaced unnoticed (guarantee 2): the first event of the new epoch names
it, and from then on the house signs under another origin. What was entered after the copy was made
must be entered again. A command that is sent again with its id counts once, as always.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.pseudonyms import tokens
from casino.proof.integrity import copies, keys
from games.refusals import Refused
from ledger import epochs, journal
from ledger.conflicts import count_of
from ledger.tiles import Tiles

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.verify import Checkpoint

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
