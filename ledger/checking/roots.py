"""
Computes the tree again, and compares it with the stored tiles and with signed checkpoints.

Two trees grow side by side: one over the bodies, one over the stored leaf hashes. They are the same
until a hash differs. If the signed root agrees with the stored hashes, the position of the changed
body is known. If it agrees with neither tree, only the interval since the last checkpoint that
agreed is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ledger import tiles as ledger_tiles
from ledger.checking.findings import Finding, Step
from ledger.conflicts import count_of
from ledger.tiles import WIDTH, Altered, Tiles, root_of_tile, split
from ledger.verify import HASH_BYTES, Range

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
            self.made = ledger_tiles.peaks(0, self.size, tiles.hash_of)
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


# Compares stored tiles with the leaves computed from the bodies, and with the tiles below.


ROWS: Final = """
    SELECT "index", hashes, root FROM ledger_tile
    WHERE establishment = %(house)s AND level = %(level)s
        AND "index" >= %(first)s AND "index" < %(stop)s
    ORDER BY "index\""""

SIGNED: Final = """
    SELECT max(size) FROM ledger_checkpoint
    WHERE establishment = %(house)s AND size <= %(stop)s"""

BEYOND: Final = """
    SELECT level, "index" FROM ledger_tile
    WHERE establishment = %(house)s AND level = %(level)s AND "index" >= (
        SELECT (coalesce(max(position), -1) + 1) / %(leaves)s FROM ledger_event
        WHERE establishment = %(house)s)
    ORDER BY "index" LIMIT 100"""

ABOVE: Final = """
    SELECT level, "index" FROM ledger_tile
    WHERE establishment = %(house)s AND level > %(level)s ORDER BY level, "index" LIMIT 100"""


def against_tiles(book: Book, first: int, made: Leaves, stored: Leaves) -> Iterator[Finding]:
    """
    Compare the stored tiles of leaves with the computed leaves of a stretch of positions.

    :param first: the position of the first leaf. :param made: the hashes computed from the bodies.
    :param stored: is filled with the hashes of the tiles.
    """
    stop = first + len(made)
    rows = book.bulk(ROWS, level=0, first=first // WIDTH, stop=-(-stop // WIDTH))
    for index, raw, root in rows:
        hashes, lo = bytes(raw), index * WIDTH
        begin, end = max(first, lo), min(stop, lo + WIDTH)
        if (broken := _broken(0, index, hashes, bytes(root))) is not None:
            yield broken
        kept = split(hashes)[begin - lo : end - lo]
        if len(kept) == end - begin and made[begin - first : end - first] != kept:
            yield from _differing(index, begin, made[begin - first : end - first], kept)
            stored[begin - first : end - first] = kept
        elif len(kept) == end - begin:
            stored[begin - first : end - first] = kept


def _differing(index: int, begin: int, made: Leaves, kept: list[bytes]) -> Iterator[Finding]:
    """One finding per tile: the first event that differs, and how many more do."""
    pairs = enumerate(zip(made, kept, strict=True), begin)
    wrong = [(at, one, other) for at, (one, other) in pairs if one is not None and one != other]
    if not wrong:
        return
    at, one, other = wrong[0]
    more = f", nor do {len(wrong) - 1} more up to {wrong[-1][0]}" if wrong[1:] else ""
    yield Finding(
        check="tile", says=f"The event at position {at} does not hash to what the stored tree has"
        f" of it{more}.",
        first=at, row={"tile": f"0/{index}"}, column="hashes",
        expected=one.hex() if one else None, found=other.hex(),
    )  # fmt: skip


def _broken(level: int, index: int, hashes: bytes, root: bytes) -> Finding | None:
    """The finding for a tile that is not full, or does not hash to its stored root."""
    unit = WIDTH ** (level + 1)
    where: dict[str, Any] = {
        "check": "tile", "first": index * unit, "last": (index + 1) * unit - 1,
        "row": {"tile": f"{level}/{index}"},
    }  # fmt: skip
    if len(hashes) != WIDTH * HASH_BYTES:
        says = f"The stored tile {level}/{index} does not hold {WIDTH} hashes."
        return Finding(says=says, column="hashes", **where)
    if (made := root_of_tile(hashes)) != root:
        says = f"The stored tile {level}/{index} hashes to another root."
        return Finding(says=says, column="root", expected=made.hex(), found=root.hex(), **where)
    return None


def check_tiles(book: Book, place: Place) -> Iterator[Step]:
    """
    The check of tiles: those above the leaves, and that all tiles exist and no others.

    :param place: ``level`` and ``index`` of the next tile.
    """
    [(signed,)] = book.rows(SIGNED, stop=book.stop)
    level, first = place.get("level", 0), place.get("index", book.start // WIDTH)
    while (count := (signed or 0) // WIDTH ** (level + 1)) > 0:
        for index in range(first, count, WIDTH if level == 0 else 1):
            stop = min(count, index + WIDTH) if level == 0 else index + 1
            found = list(_level(book, level, index, stop))
            yield Step(found, {"level": level, "index": stop}, stop - index)
        level, first = level + 1, book.start // WIDTH ** (level + 2)
    if "others" not in place:
        yield Step(list(_others(book, level)), {"level": level, "index": first, "others": True})


def _level(book: Book, level: int, first: int, stop: int) -> Iterator[Finding]:
    """Check tiles of a level: at level 0 that they exist; above, one tile with its 256 below."""
    if level == 0:
        statement = ROWS.replace("hashes, root", "1, 1")
        there = {index for index, *_ in book.rows(statement, level=0, first=first, stop=stop)}
        yield from (_absent(0, index) for index in range(first, stop) if index not in there)
        return
    rows = book.rows(ROWS, level=level, first=first, stop=stop)
    if not rows:
        yield _absent(level, first)
        return
    [(_, hashes, root)] = rows
    if (broken := _broken(level, first, bytes(hashes), bytes(root))) is not None:
        yield broken
    below = book.rows(ROWS, level=level - 1, first=first * WIDTH, stop=(first + 1) * WIDTH)
    made = {index - first * WIDTH: bytes(root) for index, _, root in below}
    unit = WIDTH**level
    for at, kept in enumerate(split(bytes(hashes))):
        if at in made and made[at] != kept:
            begin = (first * WIDTH + at) * unit
            yield Finding(
                check="tile", says=f"The stored tile {level}/{first} does not hold the root of the"
                f" tile {level - 1}/{first * WIDTH + at}.",
                first=begin, last=begin + unit - 1, row={"tile": f"{level}/{first}"},
                column="hashes", expected=made[at].hex(), found=kept.hex(),
            )  # fmt: skip


def _absent(level: int, index: int) -> Finding:
    unit = WIDTH ** (level + 1)
    return Finding(
        check="tile", says=f"The stored tile {level}/{index} is missing.",
        first=index * unit, last=(index + 1) * unit - 1, row={"tile": f"{level}/{index}"},
    )  # fmt: skip


def _others(book: Book, levels: int) -> Iterator[Finding]:
    """Findings for tiles whose events do not exist. Meanwhile new tiles may be written."""
    found: list[tuple[Any, ...]] = []
    for level in range(levels + 1):
        found += book.rows(BEYOND, level=level, leaves=WIDTH ** (level + 1))
    found += book.rows(ABOVE, level=levels)
    for level, index in found:
        yield Finding(
            check="tile", says=f"There is a stored tile {level}/{index}, and no events for it.",
            row={"tile": f"{level}/{index}"},
        )  # fmt: skip
