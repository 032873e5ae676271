"""
Reads a backup back from its file and verifies each ledger in it, before the backup counts as made.

For every house it checks: no position is missing; every body hashes to its stored leaf; the tree
(RFC 6962) computed from the bodies has the root of every checkpoint; every checkpoint is signed
with a key that the ledger itself announces; the answers to commands make the chains that were
signed; there are as many transfers as in the bodies; accounts hold the sums of their transfers.

It needs 32 bytes of memory for each event and each answer, and some 120 for each checkpoint.
"""

from __future__ import annotations

import base64
import json
import struct
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from casino.proof.integrity import backup_rows, key_record
from ledger.conflicts import count_of
from ledger.models import CommandReceipt
from ledger.verify import (
    NO_RECEIPTS,
    Checkpoint,
    Key,
    Range,
    Trust,
    Undecided,
    Unreadable,
    Untrue,
    leaf_hash,
)
from ledger.wire import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from django.db.backends.base.base import BaseDatabaseWrapper

    from casino.proof.integrity.backup_manifest import Contents

HASH: Final = 32  # bytes
HEAD: Final = struct.Struct(f">QQ{HASH}s{HASH}s")  # size, receipts, root, chain: sorts by size
AHEAD: Final = 1_000_000  # rows; in a real file of one table, no row is so far out of order
NO_TRANSFERS: Final = b'"transfers":[]'
ANNOUNCES: Final = b'"event_type":"keys.announced"'
SENTENCES_MAX: Final = 10  # per house; more of them say nothing new


@dataclass(slots=True)
class Hashes:
    """An array of hashes by number, which may be filled in any order."""

    expected: int = 0
    """Up to this number they may come in any order: a later piece of a table may be read first."""
    data: bytearray = field(default_factory=bytearray)
    count: int = 0

    def put(self, number: int, hashed: bytes) -> None:
        """Store a hash. :raises ValueError: if its number is far beyond what is to come."""
        if number > max(self.expected, self.count + AHEAD):
            raise ValueError(f"{number}, with {self.count} before it")
        end = HASH * (number + 1)
        if len(self.data) < end:
            self.data.extend(bytes(end - len(self.data)))
        self.data[end - HASH : end] = hashed
        self.count += 1

    @property
    def size(self) -> int:
        return len(self.data) // HASH

    def missing(self) -> int | None:
        """The first number without a hash; None: there is none. A real hash is never all zeros."""
        if self.count == self.size:
            return None
        none = bytes(HASH)
        return next(at for at in range(self.size) if self.of(at) == none)

    def of(self, number: int) -> bytes:
        return bytes(self.data[HASH * number : HASH * (number + 1)])

    def between(self, first: int, end: int) -> list[bytes]:
        return [self.of(at) for at in range(first, end)]


class House:
    """What was read of one house, and what is wrong with it."""

    def __init__(self, establishment: str, head: int = 0) -> None:
        self.establishment = establishment
        self.leaves, self.answers = Hashes(head), Hashes()
        self.heads: list[bytes] = []
        self.notes: list[tuple[int, str]] = []
        self.announced: set[bytes] = set()
        self.booked = self.transfers = 0
        self.sums: Counter[tuple[str, str, str]] = Counter()
        self.wrong: list[str] = []

    def report(self, sentence: str) -> None:
        if len(self.wrong) < SENTENCES_MAX:
            self.wrong.append(f"{self.establishment}: {sentence}")

    def event(self, position: int, body: bytes, stored: bytes) -> None:
        leaf = leaf_hash(body)
        if leaf != stored:
            self.report(f"position {position} does not hash to what is stored.")
        self.leaves.put(position, leaf)
        if NO_TRANSFERS not in body:
            self.booked += len(json.loads(body)["transfers"])
        if ANNOUNCES in body:
            self.announced.add(Key.parse(json.loads(body)["data"]["vkey"]).public)

    def receipt(self, seq: int, *columns: Any) -> None:
        names = backup_rows.TABLES["ledger_commandreceipt"][2:]
        row = CommandReceipt(**dict(zip(names, columns, strict=True)))
        self.answers.put(seq, sha256(answer(row)).digest())

    def transfer(self, *columns: Any) -> None:
        debit, debit_name, credit, credit_name, amount = columns
        self.transfers += 1
        self.sums[debit, debit_name, "debits"] += amount
        self.sums[credit, credit_name, "credits"] += amount

    def account(self, kind: str, name: str, debits: int, credits_: int) -> None:
        self.sums[kind, name, "debits"] -= debits
        self.sums[kind, name, "credits"] -= credits_

    def checkpoint(self, *columns: Any) -> None:
        """Take in a checkpoint; one that no known key signed is kept, as keys may come later."""
        _epoch, size, origin, root, receipts, chain, note = columns
        try:
            parsed = Checkpoint.parse(note.encode())
        except Unreadable:
            self.report(f"the checkpoint of {count_of(size, 'event')} cannot be read.")
            return
        if (parsed.origin, parsed.size, parsed.root, parsed.receipts, parsed.chain) != (
            origin, size, root, receipts, chain,
        ):  # fmt: skip
            self.report(f"the checkpoint of {count_of(size, 'event')} is not what its note says.")
        self.heads.append(HEAD.pack(parsed.size, parsed.receipts, parsed.root, parsed.chain))
        if not self._signed(parsed):
            self.notes.append((size, note))

    def _signed(self, checkpoint: Checkpoint) -> bool:
        names = tuple(key_record.key_of(public, checkpoint.origin) for public in self.announced)
        try:
            return bool(names and Trust(names).believe(checkpoint))
        except (Untrue, Undecided):
            return False

    def verified(self) -> dict[str, Any]:
        """Compare everything that was read; the figures for the manifest."""
        for size, note in self.notes:  # the key may have been announced later in the file
            if not self._signed(Checkpoint.parse(note.encode())):
                self.report(
                    f"the checkpoint of {count_of(size, 'event')} is not signed with a"
                    " key on record."
                )
        self._whole()
        self.heads.sort()
        root = self._tree()
        self._chain()
        if self.transfers != self.booked:
            self.report(
                f"{count_of(self.transfers, 'transfer')}, and the bodies have {self.booked}."
            )
        if off := sorted({f"{kind} {name}" for (kind, name, _), left in self.sums.items() if left}):
            self.report(f"{off[0]} does not hold what its transfers come to; so do {len(off)}.")
        return {
            "id": self.establishment, "position": self.leaves.size - 1,
            "root": base64.b64encode(root).decode(), "receipts": self.answers.size,
            "transfers": self.transfers, "checkpoints": len(self.heads),
            "signed": HEAD.unpack(self.heads[-1])[0] if self.heads else 0,
        }  # fmt: skip

    def _whole(self) -> None:
        if (gone := self.leaves.missing()) is not None:
            self.report(f"position {gone} is missing.")
        if (gone := self.answers.missing()) is not None:
            self.report(f"the answer to command {gone} is missing.")

    def _tree(self) -> bytes:
        """The root over all events, compared at each checkpoint on the way. RFC 6962."""
        tree, sound = Range(), 0
        for size, _receipts, root, _chain in map(HEAD.unpack, self.heads):
            if size > self.leaves.size:
                self.report(
                    f"{count_of(size, 'event was', 'events were')} signed, and there are"
                    f" {self.leaves.size}."
                )
                break
            tree.extend(self.leaves.between(tree.size, size))
            if tree.root() != root:
                self.report(f"positions {sound} to {size - 1} are not what was signed.")
            sound = size
        tree.extend(self.leaves.between(tree.size, self.leaves.size))
        return tree.root()

    def _chain(self) -> None:
        chain, count, sound = NO_RECEIPTS, 0, 0
        for _size, receipts, _root, signed in map(HEAD.unpack, self.heads):
            if receipts > self.answers.size:
                self.report(
                    f"{count_of(receipts, 'answer was', 'answers were')} signed, and"
                    f" there are {self.answers.size}."
                )
                return
            while count < receipts:
                chain, count = sha256(chain + self.answers.of(count)).digest(), count + 1
            if chain != signed:
                self.report(f"the answers to commands {sound} to {receipts - 1} were changed.")
                return
            sound = receipts


TAKEN: Final[dict[str, Callable[..., None]]] = {
    "ledger_event": House.event,
    "ledger_commandreceipt": House.receipt,
    "ledger_transfer": House.transfer,
    "ledger_account": House.account,
    "ledger_checkpoint": House.checkpoint,
}


@dataclass(frozen=True, slots=True)
class Read:
    """
    The result of reading a backup's file back.

    :param houses: ``{"id", "position", "root", "receipts", "transfers", "checkpoints", "signed"}``
        for each: ``position`` is the last position, ``root`` the root over all events in base64,
        ``signed`` how many events the newest checkpoint covers.
    :param wrong: sentences that name the house and the place; empty if all is sound.
    """

    houses: list[dict[str, Any]]
    wrong: list[str]


def read(connection: BaseDatabaseWrapper, file: Path, contents: Contents) -> Read:
    """
    Read a backup back and verify every ledger in it.

    :param contents: what the database reported that it contains.
    :raises BackupRefused: if the file cannot be read to its end.
    """
    houses = {each["id"]: House(each["id"], each["head"]) for each in contents.houses}
    for table, (establishment, *columns) in backup_rows.rows(connection, file):
        # A house that is being imported has a ledger before it has its own row.
        if (house := houses.get(establishment)) is None:
            house = houses[establishment] = House(establishment)
        try:
            TAKEN[table](house, *columns)
        except (ValueError, LookupError, TypeError) as error:
            house.report(f"a row of {table} cannot be read: {error}")
    found = {house.establishment: house.verified() for house in houses.values()}
    wrong = [each for house in houses.values() for each in house.wrong]
    return Read(list(found.values()), [*wrong, *_compare_counts(contents, found)])


def _compare_counts(contents: Contents, found: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Sentences for houses of which the file has not what the database reported."""
    for house in contents.houses:
        read_back = found[house["id"]]
        signed = 0 if house["checkpoint"] is None else house["checkpoint"]["size"]
        expected, got = (house["head"], signed), (read_back["position"], read_back["signed"])
        if expected != got:
            yield (
                f"{house['id']}: up to position {got[0]} and the checkpoint of"
                f" {count_of(got[1], 'event')}; the"
                f" database had position {expected[0]} and the checkpoint of {expected[1]}."
            )
