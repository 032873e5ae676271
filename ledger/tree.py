"""
Makes proofs from a Merkle tree (RFC 6962, section 2.1), without a database.

`hash_of(lo, hi)` returns the root over the leaves ``lo`` to ``hi - 1``. It is called for full
subtrees only: ``hi - lo`` is a power of two, and ``lo`` is a multiple of it. `ledger.verify` checks
the proofs.
"""

from collections.abc import Callable, Iterator

from ledger.verify import Range

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
            proof.append(root(middle, hi, hash_of))
            hi = middle
        else:
            proof.append(root(lo, middle, hash_of))
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
            proof.append(root(middle, hi, hash_of))
            hi = middle
        else:
            proof.append(root(lo, middle, hash_of))
            lo, whole = middle, False
    return ([] if whole else [root(lo, hi, hash_of)]) + proof[::-1]


def root(lo: int, hi: int, hash_of: HashOf) -> bytes:
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
