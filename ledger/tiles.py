"""
The stored Merkle tree of a house: full tiles of 256 hashes, the bodies after them, and proofs.

A tile is written once, when its last leaf exists. Leaves are hashed from the bodies, never taken
from the column `leaf_hash`. The cost of a root or a proof does not grow with the ledger: it reads
at most the bodies of one tile, and 255 roots at each level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import DEFAULT_DB_ALIAS, connections

from ledger import keyed
from ledger.models import Event, Tile
from ledger.verify import HASH_BYTES, Range, root_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

WIDTH: Final = 256
HEIGHT: Final = 8  # WIDTH is 2**HEIGHT
KEPT: Final = 32  # tiles kept in memory: 8 KiB each
READ: Final = 8  # tiles whose bodies are in memory at a time
AT_ONCE: Final = 64  # tiles written by one call

BODIES: Final = """
    SELECT position, body FROM ledger_event
    WHERE establishment = %s AND position >= %s AND position < %s ORDER BY position"""


OF_LEAF: Final = """
    SELECT "index", {place} FROM ledger_tile
    WHERE establishment = %s AND level = 0 AND {place} > 0 ORDER BY "index" LIMIT 1"""


class Altered(Exception):  # noqa: N818  names the fact
    """A body or a hash in the database is not what was hashed or signed."""

    def __init__(self, says: str, *, first: int, last: int) -> None:
        super().__init__(says)
        self.first, self.last = first, last


class Tiles:
    """
    The tree of a house, read from the database.

    :param beyond: whether to hash what comes after the last stored tile from its bodies. A ledger
        that is behind what others have goes on and is not signed, so its tiles do not grow, and it
        is compared with what others have all the same. Otherwise a full tile that is not stored is
        taken for a missing one.
    """

    def __init__(
        self, establishment: UUID, *, using: str = DEFAULT_DB_ALIAS, beyond: bool = False
    ) -> None:
        self.establishment, self.using, self.beyond = establishment, using, beyond
        self._kept: dict[tuple[int, int], list[bytes]] = {}

    def root(self, size: int) -> bytes:
        """The root over the first `size` leaves. RFC 6962, 2.1."""
        return root_of_leaves(0, size, self.hash_of)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        return inclusion(index, size, self.hash_of)

    def consistency(self, old: int, size: int) -> list[bytes]:
        return consistency(old, size, self.hash_of)

    def hash_of(self, lo: int, hi: int) -> bytes:
        """The root over the leaves of a full subtree (`tree.HashOf`)."""
        level = ((hi - lo).bit_length() - 1) // HEIGHT
        unit = WIDTH**level
        return root_of(self._hashes(level, lo // unit, (hi - lo) // unit))

    def full(self) -> int:
        """The number of full tiles of leaves that are stored."""
        return self._full(0)

    def _full(self, level: int) -> int:
        last = self._rows(level).order_by("-index").values_list("index", flat=True).first()
        return 0 if last is None else last + 1

    def position_of(self, leaf: bytes) -> int | None:
        """
        The position of the event with a leaf hash; None if the house has none.

        It looks through the stored tiles, 32 bytes an event, and through the column `leaf_hash`
        only after the last of them: no index of hashes is kept. It is for a hash that a person
        holds in their hand, not for programs that ask often.
        """
        for index, at in self._find(leaf):
            # Found elsewhere than at a whole hash only by a chance that nobody lives to see.
            if (at - 1) % HASH_BYTES == 0:
                return index * WIDTH + (at - 1) // HASH_BYTES
        rows = Event.objects.using(self.using).filter(
            establishment=self.establishment, position__gte=self.full() * WIDTH, leaf_hash=leaf
        )
        return rows.values_list("position", flat=True).first()

    def _find(self, leaf: bytes) -> list[tuple[int, int]]:
        """The tile of leaves that has a hash, and at which of its bytes, counted from 1."""
        connection = connections[self.using]
        house = keyed.key(connection, self.establishment)
        place = "instr(hashes, %s)" if connection.vendor == "sqlite" else "position(%s in hashes)"
        found = keyed.fetch(connection.cursor(), OF_LEAF.format(place=place), [leaf, house, leaf])
        return [(int(index), int(at)) for index, at in found]

    def leaves(self, first: int, count: int) -> list[bytes]:
        """
        The leaf hashes of `count` events, computed from the bodies.

        :raises Altered: if an event is missing.
        """
        hashes = self._leaves(first, count)
        if len(hashes) != count:
            raise _missing(first + len(hashes))
        return hashes

    def _hashes(self, level: int, first: int, count: int) -> list[bytes]:
        """Hashes at a level of the tree. :raises Altered: if a body or a tile is missing."""
        tile, at = self._tile(level, first // WIDTH), first % WIDTH
        if len(tile) < at + count:
            raise _missing((first - at + len(tile)) * WIDTH**level)
        return tile[at : at + count]

    def _tile(self, level: int, index: int) -> list[bytes]:
        """The hashes of a tile; of a tile that is not full yet, those that exist."""
        key = level, index
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            stored = self._rows(level).filter(index=index).values_list("hashes", flat=True).first()
            begun = self._leaves if level == 0 else partial(self._roots, level - 1)
            self._kept[key] = (
                begun(index * WIDTH, WIDTH) if stored is None else split(bytes(stored))
            )
        return self._kept[key]

    def _rows(self, level: int) -> QuerySet[Tile]:
        rows = Tile.objects.using(self.using)
        return rows.filter(establishment=self.establishment, level=level)

    def _leaves(self, first: int, count: int) -> list[bytes]:
        """The leaf hashes from `first` on, `count` at most, up to the first gap."""
        hashes, stop = list[bytes](), first + count
        while first < stop:
            stop_at = min(stop, first + READ * WIDTH)
            rows = keyed.bulk(BODIES, self.establishment, first, stop_at, using=self.using)
            there = enumerate(rows, first)
            hashes += [
                sha256(b"\x00" + body).digest()
                for expected, (position, body) in there
                if position == expected
            ]
            if len(rows) < stop_at - first:
                break
            first = stop_at
        return hashes

    def _roots(self, level: int, first: int, count: int) -> list[bytes]:
        """The roots of stored tiles from `first` on, `count` at most, up to the first gap."""
        rows = self._rows(level).filter(index__gte=first, index__lt=first + count)
        there = rows.order_by("index").values_list("index", "root")
        roots = [
            bytes(root) for expected, (index, root) in enumerate(there, first) if index == expected
        ]
        at, left = first + len(roots), count - len(roots)
        if self.beyond and left and at >= self._full(level):
            roots += self._not_stored(level, at, left)
        return roots

    def _not_stored(self, level: int, first: int, count: int) -> Iterator[bytes]:
        """The roots of full tiles that nobody has stored yet, up to the first that is not full."""
        for index in range(first, first + count):
            tile = self._tile(level, index)
            if len(tile) < WIDTH:
                return
            yield root_of(tile)

    def grow(self, full: int, *, at_once: int = AT_ONCE) -> None:
        """
        Store the next full tiles of leaves: `at_once` at most, until there are `full` in all.

        :raises Altered: if a body is missing.
        """
        index = self.full()
        count = min(at_once, full - index)
        if count > 0:
            self.write(index, self.leaves(index * WIDTH, count * WIDTH))

    def write(self, index: int, leaves: Sequence[bytes]) -> None:
        """
        Store the next full tiles of leaves, and the tiles above that thereby become full.

        :param index: of the first tile. :param leaves: leaf hashes, a multiple of `WIDTH`.
        """
        level, hashes = 0, leaves
        while hashes:
            self._store(level, index, hashes)
            full = (index + len(hashes) // WIDTH) // WIDTH
            level, index = level + 1, index // WIDTH
            hashes = self._roots(level - 1, index * WIDTH, (full - index) * WIDTH)
            if len(hashes) != (full - index) * WIDTH:
                raise _missing((index * WIDTH + len(hashes)) * WIDTH**level)

    def _store(self, level: int, first: int, hashes: Sequence[bytes]) -> None:
        """Store tiles with consecutive indexes in one statement."""
        tiles = [hashes[at : at + WIDTH] for at in range(0, len(hashes), WIDTH)]
        Tile.objects.using(self.using).bulk_create(
            Tile(
                establishment=self.establishment, level=level, index=index,
                hashes=b"".join(tile), root=root_of(tile),
            )
            for index, tile in enumerate(tiles, first)
        )  # fmt: skip
        for index in range(first, first + len(tiles)):
            self._kept.pop((level, index), None)


def _missing(position: int) -> Altered:
    return Altered(f"Position {position} is missing, or its tile.", first=position, last=position)


@lru_cache(maxsize=2 * READ)
def root_of_tile(hashes: bytes) -> bytes:
    """The root over the hashes of a tile. Cached, because two checks ask for the same tile."""
    return root_of(split(hashes))


def split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]


# Makes proofs from a Merkle tree (RFC 6962, section 2.1), without a database.
# `hash_of(lo, hi)` returns the root over the leaves ``lo`` to ``hi - 1``. It is called for full
# subtrees only: ``hi - lo`` is a power of two, and ``lo`` is a multiple of it. `ledger.verify`
# checks the proofs.


HashOf = Callable[[int, int], bytes]


def inclusion(index: int, size: int, hash_of: HashOf) -> list[bytes]:
    """
    The proof that leaf `index` is in the tree of `size` leaves. RFC 6962, 2.1.1 (PATH).

    :raises ValueError: if the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    lo, hi, proof = 0, size, []
    while hi - lo > 1:
        middle = lo + _split(hi - lo)
        if index < middle:
            proof.append(root_of_leaves(middle, hi, hash_of))
            hi = middle
        else:
            proof.append(root_of_leaves(lo, middle, hash_of))
            lo = middle
    return proof[::-1]


def consistency(old: int, size: int, hash_of: HashOf) -> list[bytes]:
    """
    The proof that the tree of `size` leaves begins with that of `old` leaves. RFC 6962, 2.1.2.

    The proof is empty if `old` is 0 or `size`: then there is nothing to prove.

    :raises ValueError: if `old` is negative or greater than `size`.
    """
    if not 0 <= old <= size:
        raise ValueError(f"A tree of {size} leaves does not grow out of one of {old}.")
    if old in {0, size}:
        return []
    lo, hi, proof = 0, size, []
    whole = True  # the old tree is a full subtree: the holder knows its root already
    while hi != old:
        middle = lo + _split(hi - lo)
        if old <= middle:
            proof.append(root_of_leaves(middle, hi, hash_of))
            hi = middle
        else:
            proof.append(root_of_leaves(lo, middle, hash_of))
            lo, whole = middle, False
    return ([] if whole else [root_of_leaves(lo, hi, hash_of)]) + proof[::-1]


def root_of_leaves(lo: int, hi: int, hash_of: HashOf) -> bytes:
    """The root over the leaves `lo` to ``hi - 1``, a subtree: RFC 6962's MTH(D[lo:hi])."""
    return peaks(lo, hi, hash_of).root()


def peaks(lo: int, hi: int, hash_of: HashOf) -> Range:
    """The tree over the leaves `lo` to ``hi - 1`` as a `Range`, which can be extended."""
    return Range(hi - lo, (hash_of(*span) for span in full_subtrees(lo, hi)))


def full_subtrees(lo: int, hi: int) -> Iterator[tuple[int, int]]:
    """The full subtrees that make up the leaves `lo` to ``hi - 1``, largest first."""
    while lo < hi:
        width = 1 << ((hi - lo).bit_length() - 1)
        yield lo, lo + width
        lo += width


def _split(width: int) -> int:
    """The largest power of two smaller than the number of leaves (k in RFC 6962)."""
    return 1 << ((width - 1).bit_length() - 1)
