"""
A house's records, compared with its hashes, its signatures and its own bodies, while it plays.

`ledger.checking` checks what the book alone can prove; here come the house's keys, the checkpoints
that others have, and what is made of the ledger. Nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import connection

from casino.game_streams import missing
from casino.integrity import (
    copies,
    cursors,
    hashes,
    key_record,
    keys,
    rebuild,
    recorded,
    rollback_detection,
)
from casino.subscriptions.tasks import SUBSCRIBERS
from ledger import epochs
from ledger.checking import outside
from ledger.checking.book import Book, bounds, start_of
from ledger.checking.findings import Finding, Step
from ledger.checking.stages import STAGES, Check
from ledger.models import ParkedEvent
from ledger.verify import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.integrity.rebuilt_rows import Difference
    from ledger.checking.findings import Place
    from ledger.verify import Checkpoint as Published
    from ledger.verify import Key

PROJECTIONS: Final = "projections"
SPOILT: Final = (Unreadable, ValueError, LookupError, TypeError)
"""What reading a record raises that somebody changed."""

KINDS: Final = {
    "altered": "is not as the ledger makes it",
    "missing": "is missing",
    "extra": "is not of the ledger's making",
    "unreadable": "could not be read again",
}


def opened(
    establishment: UUID, *, now: datetime, since: int = 0, kept: Sequence[Published] = ()
) -> Book:
    """
    A house's book as far as it goes now.

    :param since: from the newest checkpoint up to this position on; what is before it is taken as
        it was signed.
    :param kept: checkpoints that somebody kept, in addition to the house's own copies.
    :raises NotOfThisHouse: if one of them is not this house's.
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
    """The same part of a book as before, to go on with."""
    own = known_keys(establishment)
    for each in kept:
        _of_a_key_in_force(establishment, each)
    compared = outside.compared(
        establishment, settings.LEDGER_READER, [*kept, *copies.published(establishment)],
        first_origin=epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=1), keys=own,
    )  # fmt: skip
    return Book(
        establishment=establishment, using=settings.LEDGER_READER, keys=own,
        start=start, stop=stop, receipts=receipts, now=now, kept=compared,
        behind=_behind(establishment),
    )  # fmt: skip


def _behind(establishment: UUID) -> int | None:
    try:
        known = rollback_detection.unanswered(establishment)
    except SPOILT:
        return None  # see below
    return None if known is None else known.position


def _of_a_key_in_force(establishment: UUID, kept: Published) -> None:
    """:raises NotOfThisHouse: if only a key has signed it that was retired before."""
    try:
        ended = key_record.retired_at(establishment)
    except SPOILT:
        return  # that the record was changed is reported where events are checked
    if ended and not keys.has_signed(establishment, kept):
        raise outside.NotOfThisHouse(
            f"The checkpoint of {kept.size} events is not signed with a key of this house, or with"
            " one that was retired before."
        )


def known_keys(establishment: UUID) -> tuple[Key, ...]:
    """Every public key of the house; where its record was spoilt, those that are held here."""
    try:
        return keys.every_public_key(establishment)
    except SPOILT:
        name = f"{settings.LEDGER_ORIGIN}/{establishment}"
        held = keys.held_keys(establishment)
        return tuple(key_record.named(key.public.public, name) for key in held)


ALL: Final[Mapping[str, Check]] = {
    **STAGES,
    "followers": cursors.check,
    "records": recorded.check,
    "hashes": hashes.check,
}
"""Of the book, and of what is stored outside it."""


def stages(*, projections: bool) -> tuple[str, ...]:
    """What is checked, in order."""
    return (*ALL, PROJECTIONS) if projections else tuple(ALL)


def can_make_anew() -> bool:
    """Not within a transaction: it is done over a connection that sees what is committed."""
    return not connection.in_atomic_block


def steps(of: Book, stage: str, place: Place) -> Iterator[Step]:
    """A stage, from a place on."""
    return made_anew(of, place) if stage == PROJECTIONS else ALL[stage](of, place)


def made_anew(of: Book, place: Place) -> Iterator[Step]:
    """
    Rows that screens and reports read, against the same made once more.

    Where the package of a game on record is missing, its own rows are left out (`left_out`).

    :param place: ``followers`` that are done.
    """
    done = place.get("followers", 0)
    for number, subscriber in enumerate(SUBSCRIBERS[done:], done + 1):
        found = [_finding(each) for each in rebuild.compare(of.establishment, subscriber)]
        yield Step(found, {"followers": number}, of.stop)


def not_compared(establishment: UUID, stage: str) -> list[str]:
    """The games on record whose package is missing here, so that a stage left their rows out."""
    return list(missing.of(establishment).games) if stage == PROJECTIONS else []


def _finding(of: Difference) -> Finding:
    values = of.as_dict()
    what = KINDS.get(of.what, of.what)
    more = f" So with {of.of} rows of it." if of.of > 1 else ""
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
    """The columns of a row's key; one that is named as another entry of the row has a suffix."""
    return {
        f"{name}_column" if name in {"follower", "table"} else name: value
        for name, value in key.items()
    }
