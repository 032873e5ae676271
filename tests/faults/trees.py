"""
Checkpoints that were handed out, held against the ledger: by the words of RFC 6962 alone.

Nothing of the house's own trees, tiles or verifier is used; bodies and receipts come as they lie in
the database.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


HASH: Final = "[A-Za-z0-9+/]{43}="
NOTE: Final = re.compile(
    rf"(.+)\n([0-9]+)\n({HASH})\nreceipts ([0-9]+) ({HASH})\n"
    rf"signed [0-9TZ:.-]+ after [0-9]+\n\n(?:\N{{EM DASH}} .+ .+\n)+"
)
"""Origin, size, root, receipts, chain, since when; then one signature or more."""


class Unreadable(ValueError):  # noqa: N818 - names the fact
    """No checkpoint of C2SP tlog-checkpoint with a line of receipts."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    origin: str
    size: int
    root: bytes
    receipts: int
    chain: bytes


def read(note: str) -> Checkpoint:
    """:raises Unreadable: if it is none."""
    found = NOTE.fullmatch(note)
    if found is None:
        raise Unreadable(note)
    origin, size, root, receipts, chain = found.groups()
    return Checkpoint(
        origin, int(size), base64.b64decode(root), int(receipts), base64.b64decode(chain)
    )


def roots(bodies: Iterable[bytes], sizes: Iterable[int]) -> dict[int, bytes]:
    """
    The root over the first n leaves for each n that is asked for; RFC 6962, section 2.1.

    :param bodies: what the leaves hash, in order. A size beyond them has no root.
    """
    wanted, found = set(sizes), {}
    peaks: list[tuple[int, bytes]] = []  # leaves of a full subtree, and its root; largest first
    for size, body in enumerate(bodies, start=1):
        leaves, node = 1, sha256(b"\x00" + body).digest()
        while peaks and peaks[-1][0] == leaves:
            node = sha256(b"\x01" + peaks.pop()[1] + node).digest()
            leaves *= 2
        peaks.append((leaves, node))
        if size in wanted:
            found[size] = _joined([root for _, root in peaks])
    return found


def _joined(peaks: Sequence[bytes]) -> bytes:
    *others, root = peaks
    for peak in reversed(others):
        root = sha256(b"\x01" + peak + root).digest()
    return root


def chains(receipts: Iterable[bytes]) -> Iterator[bytes]:
    """The chain over the first n receipts, for each n from 0."""
    so_far = bytes(32)
    yield so_far
    for receipt in receipts:
        so_far = sha256(so_far + sha256(receipt).digest()).digest()
        yield so_far


def compared(
    notes: Iterable[str], bodies: Iterable[bytes], receipts: Iterable[bytes]
) -> Iterator[str]:
    """A sentence for every checkpoint that the ledger does not begin with."""
    told = [read(note) for note in notes]
    root_of = roots(bodies, {each.size for each in told})
    chain_of = list(chains(receipts))
    if len({each.origin for each in told}) > 1:
        yield f"Checkpoints of one ledger name {sorted({each.origin for each in told})}."
    for each in told:
        if root_of.get(each.size) != each.root:
            yield f"The first {each.size} events are not what the checkpoint of them says."
        if each.receipts >= len(chain_of) or chain_of[each.receipts] != each.chain:
            yield f"The first {each.receipts} receipts are not what a checkpoint of them says."
