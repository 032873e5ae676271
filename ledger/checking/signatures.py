"""Checks signed checkpoints: signature, columns, epoch, sizes; and selects those of others."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from ledger import epochs
from ledger.canonical import moment, read_moment
from ledger.checking.book import COPIED, PAGE
from ledger.checking.findings import Finding, Step
from ledger.conflicts import count_of
from ledger.models import Event
from ledger.verify import Key, Trust, Untrue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    from ledger.checking.book import Book, Head
    from ledger.checking.findings import Place
    from ledger.verify import Checkpoint as Published

CLOCKS: Final = timedelta(days=1)
"""
How far clocks may be apart. A clock that was corrected must not look like a forgery. Only moments
of signatures that are further out of order than this are reported.
"""

OPENED: Final = """
    SELECT position, body FROM ledger_event
    WHERE establishment = %(house)s AND stream = %(stream)s AND event_type = %(opened)s
    ORDER BY position"""


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of checkpoints. :param place: ``after`` (epoch, size); ``first``, ``last``."""
    walk = Walk(book, place)
    while page := walk.page():
        found = [each for head in page for each in walk.judge(head)]
        yield Step(found, walk.place, len(page))


class Walk:
    """
    The walk through the signed checkpoints, in order.

    :param first: the origin of epoch 1, according to the first checkpoint.
    :param last: size, receipts and moment of the checkpoint before.
    """

    def __init__(self, book: Book, place: Place) -> None:
        self.book = book
        base = book.base
        before = [0, 0] if base is None else [base.epoch, base.size - 1]
        self.after: list[int] = place.get("after", before)
        self.first: str | None = place.get("first")
        self.last: list[Any] = place.get("last", [-1, 0, ""])
        self.begun: bool = bool(place) or base is None  # else the checkpoint before is not read
        self.opened = self._openings()

    @property
    def place(self) -> Place:
        return {"after": self.after, "first": self.first, "last": self.last}

    def page(self) -> list[Head]:
        heads = self.book.heads(self.after)
        return [head for _, head in zip(range(PAGE), heads, strict=False) if self._within(head)]

    def _within(self, head: Head) -> bool:
        """Whether the check covers a checkpoint: those signed since it began are left out."""
        return head.size <= self.book.stop

    def judge(self, head: Head) -> Iterator[Finding]:
        self.after = head.place
        if head.published is None:
            yield _note(head, "checkpoint", "cannot be read", column="note")
            return
        yield from self._columns(head)
        if not self.book.signed(head.published):
            yield _note(head, "signature", "is not signed with a key of this house", column="note")
            return
        yield from self._epoch(head)
        yield from self._order(head)

    def _columns(self, head: Head) -> Iterator[Finding]:
        for name in (*COPIED, "signed_at"):
            expected, found = getattr(head.published, name), getattr(head, name)
            if expected not in {found, None}:
                yield _note(
                    head, "checkpoint", f"is not what its note says: {name}", column=name,
                    expected=_plain(expected), found=_plain(found),
                )  # fmt: skip

    def _epoch(self, head: Head) -> Iterator[Finding]:
        published = head.published
        assert published is not None  # noqa: S101 - judged
        if self.first is None:
            self.first = (
                published.origin if head.epoch == 1 else published.origin.rpartition("/")[0]
            )
            if not self.first.endswith(f"/{self.book.establishment}"):
                yield _note(head, "epoch", "is of another house", column="origin")
        epoch = epochs.epoch_of(published, first_origin=self.first)
        if epoch != head.epoch:
            yield _note(
                head, "epoch", f"speaks of {published.origin}", column="epoch", expected=epoch,
                found=head.epoch,
            )  # fmt: skip
        elif epoch > 1 and self.opened.get(epoch, published.size) >= published.size:
            yield _note(head, "epoch", f"is of epoch {epoch}, which no event before it opens")

    def _order(self, head: Head) -> Iterator[Finding]:
        size, receipts, signed_at = self.last
        follows = None if head.published is None else head.published.follows
        if self.begun and follows is not None and follows != max(0, size):
            before = f"one of {size}" if size > 0 else "none"
            yield Finding(
                check="checkpoint", says=f"The checkpoint of {count_of(head.size, 'event')} was"
                " signed after"
                f" one of {follows}; before it stands {before}.",
                first=min(follows, max(0, size)), last=head.size - 1,
                row={"checkpoint": follows, "epoch": head.epoch},
            )  # fmt: skip
        self.begun = True
        if head.size <= size or head.receipts < receipts:
            yield _note(
                head, "checkpoint", f"does not continue the one of {count_of(size, 'event')}"
            )
        earliest = signed_at and _shift(signed_at, -CLOCKS)
        latest = moment(self.book.now + CLOCKS)
        if not earliest <= head.signed_at <= latest:
            yield _note(
                head, "checkpoint", f"was signed at {head.signed_at}, out of order",
                column="signed_at", expected=[earliest, latest], found=head.signed_at,
            )  # fmt: skip
        self.last = [head.size, head.receipts, max(signed_at, min(head.signed_at, latest))]

    def _openings(self) -> dict[int, int]:
        """Epoch -> the position of the event that opens it. There is one for each restore."""
        found = {}
        for position, body in self.book.rows(OPENED, stream=epochs.STREAM, opened=epochs.OPENED):
            try:
                found[int(json.loads(bytes(body))["data"]["epoch"])] = position
            except (ValueError, LookupError, TypeError):
                continue  # the check of events reports that this is not an event
        return found


def _shift(text: str, by: timedelta) -> str:
    return moment(read_moment(text) + by)


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _note(head: Head, check: str, says: str, **more: Any) -> Finding:
    return Finding(
        check=check, says=f"The checkpoint of {count_of(head.size, 'event')} {says}.",
        row={"checkpoint": head.size, "epoch": head.epoch}, **more,
    )  # fmt: skip


# Selects the checkpoints kept by others that a house's ledger can be compared with.


class NotOfThisHouse(Exception):  # noqa: N818  names the fact
    """The checkpoint is of another ledger, or is not signed with a key of the house."""


def checkpoints_to_compare(
    establishment: UUID,
    using: str,
    given: Iterable[Published],
    *,
    first_origin: str,
    keys: Sequence[Key],
) -> tuple[Published, ...]:
    """
    The given checkpoints that the ledger must agree with.

    A checkpoint of an earlier epoch is left out if it covers events that are on record as lost.

    :raises NotOfThisHouse: if one of them is not the house's own.
    """
    lost = list(_positions_lost(establishment, using))
    return tuple(
        each
        for each in given
        if each.size <= _common(_epoch(each, first_origin, keys), lost, each.size)
    )


def _epoch(each: Published, first_origin: str, keys: Sequence[Key]) -> int:
    epoch = epochs.epoch_of(each, first_origin=first_origin)
    if epoch is None:
        raise NotOfThisHouse(f"The checkpoint is of {each.origin}; the book is {first_origin}.")
    own = tuple({key.public: Key(each.origin, key.public) for key in keys}.values())
    try:
        signed = bool(own and Trust(own).believe(each))
    except Untrue:
        signed = False
    if not signed:
        raise NotOfThisHouse(
            f"The checkpoint of {count_of(each.size, 'event')} is not signed with a key of this"
            " house."
        )
    return epoch


def _common(epoch: int, lost: Iterable[tuple[int, int]], size: int) -> int:
    return min((begin for opened, begin in lost if opened > epoch), default=size)


def _positions_lost(establishment: UUID, using: str) -> Iterator[tuple[int, int]]:
    """Each epoch from 2 on, with the first position that its opening says was lost."""
    rows = Event.objects.using(using).filter(
        establishment=establishment, stream=epochs.STREAM, event_type=epochs.OPENED
    )
    for body in rows.values_list("body", flat=True):
        try:
            data: Any = json.loads(bytes(body))["data"]
            yield int(data["epoch"]), int(data["lost"]["from"])
        except (ValueError, LookupError, TypeError):
            continue  # the check of events reports that this is not an event
