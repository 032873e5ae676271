"""
Verifies a house's records against its hashes, signatures and event bodies, while the house plays.

`ledger.checking` checks what the ledger alone can prove. This module adds the house's keys, the
checkpoints that others have, and the rows that are made from the ledger. Nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import connection

from casino.house.game_streams import missing
from casino.play.subscriptions.tasks import SUBSCRIBERS
from casino.proof.integrity import (
    copies,
    cursors,
    hashes,
    key_record,
    keys,
    rebuild,
    recorded,
    rollback_detection,
)
from ledger import epochs
from ledger.checking import outside
from ledger.checking.book import Book, bounds, start_of
from ledger.checking.findings import Finding, Step
from ledger.checking.stages import STAGES, Check
from ledger.conflicts import count_of
from ledger.models import ParkedEvent
from ledger.verify import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.proof.integrity.rebuilt_rows import Difference
    from ledger.checking.findings import Place
    from ledger.verify import Checkpoint as Published
    from ledger.verify import Key

PROJECTIONS: Final = "projections"
SPOILT: Final = (Unreadable, ValueError, LookupError, TypeError)
"""Exceptions that reading a record may raise if somebody has changed it."""

KINDS: Final = {
    "altered": "is not as the ledger makes it",
    "missing": "is missing",
    "extra": "is not of the ledger's making",
    "unreadable": "could not be read again",
}


def open_book(
    establishment: UUID, *, now: datetime, since: int = 0, kept: Sequence[Published] = ()
) -> Book:
    """
    A house's ledger up to its present end, to be verified.

    :param since: the check begins at the newest checkpoint up to this position; everything before
        that checkpoint is trusted, because it was signed.
    :param kept: checkpoints that somebody kept, in addition to the house's own copies.
    :raises NotOfThisHouse: if one of them is not of this house.
    """
    using = settings.LEDGER_READER
    stop, receipts = bounds(establishment, using)
    start = start_of(establishment, using, since) if since else 0
    return book(establishment, start, stop, receipts, now=now, kept=kept)


def book(  # noqa: PLR0913 - what a run has on record
    establishment: UUID,
    start: int,
    stop: int,
    receipts: int,
    *,
    now: datetime,
    kept: Sequence[Published] = (),
) -> Book:
    """A given part of a house's ledger, to begin or continue its verification."""
    own = public_keys(establishment)
    for each in kept:
        _of_a_key_in_force(establishment, each)
    compared = outside.checkpoints_to_compare(
        establishment, settings.LEDGER_READER,
        [*kept, *copies.checkpoints_in_folders(establishment)],
        first_origin=epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=1), keys=own,
    )  # fmt: skip
    return Book(
        establishment=establishment, using=settings.LEDGER_READER, keys=own,
        start=start, stop=stop, receipts=receipts, now=now, kept=compared,
        behind=_behind(establishment),
    )  # fmt: skip


def _behind(establishment: UUID) -> int | None:
    try:
        known = rollback_detection.loss_not_on_record(establishment)
    except SPOILT:
        return None  # the check of events reports that the record was changed
    return None if known is None else known.position


def _of_a_key_in_force(establishment: UUID, kept: Published) -> None:
    """:raises NotOfThisHouse: if only a key that was retired before has signed the checkpoint."""
    try:
        ended = key_record.ends_of_keys(establishment)
    except SPOILT:
        return  # the check of events reports that the record was changed
    if ended and not keys.has_signed(establishment, kept):
        raise outside.NotOfThisHouse(
            f"The checkpoint of {count_of(kept.size, 'event')} is not signed with a key of this"
            " house, or with"
            " one that was retired before."
        )


def public_keys(establishment: UUID) -> tuple[Key, ...]:
    """Every public key of the house; if its record is damaged, the keys that are held here."""
    try:
        return keys.every_public_key(establishment)
    except SPOILT:
        name = f"{settings.LEDGER_ORIGIN}/{establishment}"
        held = keys.secret_keys(establishment)
        return tuple(key_record.key_of(key.public.public, name) for key in held)


ALL: Final[Mapping[str, Check]] = {
    **STAGES,
    "followers": cursors.check,
    "records": recorded.check,
    "hashes": hashes.check,
}
"""All checks except of projections: of the ledger, and of what is stored outside it."""


def stages(*, projections: bool) -> tuple[str, ...]:
    """The names of the stages of a verification, in order."""
    return (*ALL, PROJECTIONS) if projections else tuple(ALL)


def can_make_anew() -> bool:
    """
    Whether projections can be rebuilt now. Within a transaction they cannot: the rebuild uses
    another connection, which sees only what is committed.
    """
    return not connection.in_atomic_block


def steps(of: Book, stage: str, place: Place) -> Iterator[Step]:
    """The steps of a stage, from a place on."""
    return check_projections(of, place) if stage == PROJECTIONS else ALL[stage](of, place)


def check_projections(of: Book, place: Place) -> Iterator[Step]:
    """
    The check of projections: compares the rows that screens and reports read with rebuilt ones.

    If the package of a game on record is missing, the rows of that game are left out (`left_out`).

    :param place: ``followers``, how many subscribers are done.
    """
    done = place.get("followers", 0)
    for number, subscriber in enumerate(SUBSCRIBERS[done:], done + 1):
        found = [_finding(each) for each in rebuild.compare(of.establishment, subscriber)]
        yield Step(found, {"followers": number}, of.stop)


def not_compared(establishment: UUID, stage: str) -> list[str]:
    """The games on record whose rows a stage leaves out, because their package is missing."""
    return list(missing.of(establishment).games) if stage == PROJECTIONS else []


def _finding(of: Difference) -> Finding:
    values = of.as_dict()
    what = KINDS.get(of.what, of.what)
    more = f" So with {count_of(of.of, 'row')} of it." if of.of > 1 else ""
    sentence = f"A row of {of.table}, which {of.follower} makes, {what}.{more}"
    if of.what == "unreadable":
        sentence = (
            f"The event at position {of.key['position']} cannot be read again by {of.follower},"
            f" and does not stand in {ParkedEvent._meta.db_table}."  # noqa: SLF001 - documented API
        )
    return Finding(
        check="projection",
        says=sentence,
        row={"follower": of.follower, "table": of.table, **_key_columns(values["key"])},
        expected=values["expected"] or None,
        found=values["found"] or None,
    )


def _key_columns(key: Mapping[str, Any]) -> dict[str, Any]:
    """The key columns of a row; a name that the finding uses otherwise gets the suffix _column."""
    return {
        f"{name}_column" if name in {"follower", "table"} else name: value
        for name, value in key.items()
    }
