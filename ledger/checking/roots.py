"""
Computes the tree again from the bodies, and compares its root with every signed checkpoint.

Two trees grow side by side: one over the bodies, one over the stored leaf hashes. They are the same
until a hash differs. If the signed root agrees with the stored hashes, the position of the changed
body is known. If it agrees with neither tree, only the interval since the last checkpoint that
agreed is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import tree
from ledger.checking.findings import Finding
from ledger.conflicts import count_of
from ledger.tiles import Altered, Tiles, root_of_tile
from ledger.verify import Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.checking.book import Book, Head
    from ledger.checking.findings import Place
    from ledger.verify import Checkpoint as Published

Leaves = list[bytes | None]
"""Hashes of leaves, one per position; None for a position without one."""


class Roots:
    """
    The two trees, and how far they were compared with checkpoints.

    :param made: the tree over the bodies; None once it can no longer be computed.
    :param stored: the tree over the stored hashes, if it differs from `made`.
    :param agreed: the last size at which the signed root was the computed one.
    :param differs: the first position after that whose body does not hash to the stored hash.
    """

    def __init__(self, book: Book, place: Place) -> None:
        self.book = book
        self.size: int = place.get("size", book.start)
        self.agreed: int = place.get("agreed", book.start)
        self.differs: int | None = place.get("differs")
        self.made: Range | None = _range(self.size, place.get("made", []))
        self.stored: Range | None = _range(self.size, place.get("stored"))
        base = book.base
        before = [0, 0] if base is None else [base.epoch, base.size - 1]
        self._after: list[int] = place.get("after", before)
        self._kept_agreed: int = place.get("kept_agreed", 0)
        self._heads = book.heads(self._after)
        self._next: Head | None = None

    @property
    def place(self) -> Place:
        return {
            "size": self.size, "agreed": self.agreed, "differs": self.differs,
            "made": _peaks(self.made), "stored": _peaks(self.stored),
            "after": self._after, "kept_agreed": self._kept_agreed,
        }  # fmt: skip

    def begun(self) -> Iterator[Finding]:
        """Begin the trees. If the check starts after position 0, take the stored tree up to it."""
        tiles = Tiles(self.book.establishment, using=self.book.using)
        try:
            for each in sorted(self.book.kept, key=_size):
                if each.size < self.size:
                    yield from self._check_kept(each, tiles.root(each.size), None)
            self.made = tree.peaks(0, self.size, tiles.hash_of)
        except Altered as altered:
            self.made = None
            yield Finding(
                check="root", says=str(altered), first=altered.first, last=altered.last,
                row={"checkpoint": self.size},
            )  # fmt: skip
        yield from self.extend([], [])

    def extend(self, made: Leaves, stored: Leaves) -> Iterator[Finding]:
        """Add the next leaves: the hashes of the bodies, and the stored hashes."""
        begin, end, at = self.size, self.size + len(made), 0
        for size in self._sizes(end):
            self._grow(made[at : size - begin], stored[at : size - begin])
            at = size - begin
            yield from self._compare()
        self._grow(made[at:], stored[at:])

    def lose(self, size: int) -> None:
        """Give up both trees: leaves before `size` are missing, so later roots are unknown."""
        self.size, self.made, self.stored = size, None, None

    def _sizes(self, end: int) -> Iterator[int]:
        """The sizes on the way to `end` at which the tree has to be compared."""
        kept = sorted({each.size for each in self.book.kept if self.size < each.size <= end})
        while True:
            head = self._upcoming()
            ahead = [head.size] if head is not None and head.size <= end else []
            if not (sizes := [*kept[:1], *ahead]):
                return
            if (size := min(sizes)) in kept:
                kept.remove(size)
            if size < self.size:  # sizes out of order: the check of signatures reports it
                self._take()
            else:
                yield size

    def _compare(self) -> Iterator[Finding]:
        root = None if self.made is None else self.made.root()
        stored = None if self.stored is None else self.stored.root()
        for each in self.book.kept:
            if each.size == self.size and root is not None:
                yield from self._check_kept(each, root, stored)
        while (head := self._upcoming()) is not None and head.size == self.size:
            self._take()
            if root is not None and head.whole:
                yield from self._check_signed(head, root, stored)
                root = None if self.made is None else self.made.root()

    def _check_signed(self, head: Head, root: bytes, stored: bytes | None) -> Iterator[Finding]:
        if head.root != root:
            if head.published is None or not self.book.signed(head.published):
                return  # not signed by the house: the check of signatures reports it
            first, last, says = self._where(stored == head.root)
            yield Finding(
                check="root", says=f"{says} what was signed with {count_of(head.size, 'event')}.",
                first=first, last=last, row={"checkpoint": head.size, "epoch": head.epoch},
                expected=head.root.hex(), found=root.hex(),
            )  # fmt: skip
            self.made = self.stored if stored == head.root else None
        self.stored, self.differs, self.agreed = None, None, head.size

    def _where(self, stored_agrees: bool) -> tuple[int, int | None, str]:  # noqa: FBT001
        if stored_agrees and self.differs is not None:
            says = f"The event at position {self.differs} is not"
            return self.differs, None, f"{says}, by the hashes that are stored of all events,"
        last = self.size - 1
        says = f"Of the events {self.agreed} to {last} one or more are not"
        return self.agreed, last, f"{says}, and no stored hash tells which: the root is not"

    def _check_kept(self, kept: Published, root: bytes, stored: bytes | None) -> Iterator[Finding]:
        """Compare the root with a kept checkpoint, which is worth more than one in the database."""
        if kept.root == root:
            self._kept_agreed = kept.size
            return
        if self.book.behind is not None and kept.size > self.book.behind:
            yield self._went_on(kept, self.book.behind)
            return
        begin, last = self._kept_agreed, kept.size - 1
        where = f"The events {begin} to {last} are not those"
        first: int | None = begin
        if stored == kept.root and self.differs is not None:
            first, last = self.differs, self.differs
            where = f"The event at position {first} is not the one"
        yield Finding(
            check="kept", says=f"{where} of the checkpoint of {count_of(kept.size, 'event')}"
            " kept outside.",
            first=first, last=last, row={"checkpoint": kept.size, "origin": kept.origin},
            expected=kept.root.hex(), found=root.hex(),
        )  # fmt: skip

    def _went_on(self, kept: Published, behind: int) -> Finding:
        """The finding for a ledger that was restored and has grown since: it must differ there."""
        return Finding(
            check="kept", says=f"A checkpoint of {count_of(kept.size, 'event')} was kept"
            " outside; the book says"
            f" at position {behind} that it is behind, and went on from there.",
            first=behind, last=kept.size - 1,
            row={"checkpoint": kept.size, "origin": kept.origin}, behind=True,
        )  # fmt: skip

    def _grow(self, made: Leaves, stored: Leaves) -> None:
        begin = self.size
        self.size += len(made)
        if self.made is None or not made:
            return
        if made != stored:
            self._differ(begin, made, stored)
            made = [one or other for one, other in zip(made, stored, strict=True)]
            stored = [other or one for one, other in zip(made, stored, strict=True)]
        whole = [each for each in made if each is not None]
        if len(whole) < len(made):
            self.lose(self.size)  # the check `position` reports it
            return
        if made != stored and self.stored is None:
            self.stored = Range(self.made.size, self.made.peaks)
        if self.stored is not None:
            self.stored.extend([each for each in stored if each is not None], _root)
        self.made.extend(whole, _root)

    def _differ(self, begin: int, made: Sequence[Any], stored: Sequence[Any]) -> None:
        if self.differs is None:
            pairs = enumerate(zip(made, stored, strict=True), begin)
            differing = (at for at, (one, other) in pairs if one and other and one != other)
            self.differs = next(differing, None)

    def _upcoming(self) -> Head | None:
        if self._next is None:
            self._next = next(self._heads, None)
        return self._next

    def _take(self) -> None:
        if self._next is not None:
            self._after, self._next = self._next.place, None


def _root(leaves: Sequence[bytes]) -> bytes:
    return root_of_tile(b"".join(leaves))


def _size(kept: Published) -> int:
    return kept.size


def _range(size: int, peaks: list[str] | None) -> Range | None:
    if peaks is None or (size and not peaks):
        return None
    return Range(size, [bytes.fromhex(peak) for peak in peaks])


def _peaks(tree: Range | None) -> list[str] | None:
    return None if tree is None else [peak.hex() for peak in tree.peaks]
