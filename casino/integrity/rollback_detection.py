"""
A book that is behind what others have of it: restored from an older copy, or cut off at its end.

What is left of it may be as true as ever; what it lacks was promised and paid all the same. So its
payouts stop, and nothing is signed, until the loss is on record as a new epoch
(`casino.integrity.epochs`); then two people resume payouts. That it is behind stands in its own
ledger, as the stop of its payouts with the checkpoint that shows it: it holds also where somebody
gave that checkpoint to a command, and no folder outside has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from casino.integrity import keys
from casino.settlement import payout_holds
from games.refusals import Refused
from ledger import epochs, journal
from ledger.verify import Checkpoint, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.establishments.models import Establishment
    from ledger.checking.findings import Finding

WHY: Final = "behind"
VERIFICATION: Final = "verification"


class EpochMissing(Refused):
    code = "epoch_missing"


@dataclass(frozen=True, slots=True)
class Behind:
    """:param published: what others have. :param position: where the book says that it lacks it."""

    published: Checkpoint
    position: int


def found(house: Establishment, published: Checkpoint, now: datetime) -> None:
    """Others have more of a house than its book: payouts stop, once for each loss."""
    if unanswered(house.pk) is None:
        payout_holds.failed(house, why=WHY, about=published.note, now=now)


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
    Stop the payouts of a house for what a check of it has found (E2).

    :param kept: the checkpoints that it was compared with. :param about: the check's id; None: one
        that is not kept. :param part: see `payout_holds.failed`.
    """
    listed = list(findings)
    ahead = [each for each in kept if any(_is_behind(finding, each) for finding in listed)]
    if ahead:
        found(house, max(ahead, key=_size), now)
    if not all(finding.behind for finding in listed):
        payout_holds.failed(
            house, why=VERIFICATION, about=about or str(uuid4()), now=now, part=part
        )


def unanswered(establishment: UUID) -> Behind | None:
    """
    What a house was found to be behind of; None: of nothing, or a new epoch says what was lost.

    A checkpoint that turned out to be somebody else's, as of a key that was stolen, says nothing.
    """
    events = journal.stream(establishment=establishment, stream=payout_holds.STREAM)
    stopped = [
        each
        for each in events
        if each.event_type == payout_holds.STOPPED and each.data["why"] == WHY
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
        return None  # nothing of ours
    if not keys.has_signed(establishment, published):
        return None
    return Behind(published, last.position)


def answered(establishment: UUID) -> None:
    """:raises EpochMissing: if the house is behind what others have, and no epoch says so."""
    if (behind := unanswered(establishment)) is not None:
        raise EpochMissing(
            f"The book is behind a checkpoint of {behind.published.size} events: open a new epoch"
            " first, which says what was lost; then payouts are resumed. E2"
        )


def _is_behind(finding: Finding, published: Checkpoint) -> bool:
    row = {"checkpoint": published.size, "origin": published.origin}
    return finding.behind and dict(finding.row) == row


def _size(published: Checkpoint) -> int:
    return published.size
