"""
Check what a house says about its ledger, without the house.

One file for an auditor: Python 3.11 or later, its standard library and `cryptography`; no Django,
no database, no network, nothing else of Home Throw's.

    python verify.py receipt FILE [--key VKEY] [--checkpoint FILE] [--link FILE]
    python verify.py consistency FILE FILE [--key VKEY] [--link FILE]
    python verify.py export FOLDER-OR-ZIP [--key VKEY] [--checkpoint FILE] [--contents]

Trust comes from outside: a key that the house has published (``--key``, the line itself or a file),
or a checkpoint that somebody kept (``--checkpoint``). Exit status: 0 true; 1 false; 2 cannot be
decided with what was given, or not readable.

Sources: RFC 6962, section 2.1 (hashes); RFC 9162, sections 2.1.3.2 and 2.1.4.2 (proofs); C2SP
signed-note, tlog-checkpoint, tlog-proof and, for links, the request body of tlog-witness. Formats
of receipts, links and exports: docs/reference/proofs.md.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import re
import sys
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

HASH_BYTES: Final = 32
KEY_ID_BYTES: Final = 4
ED25519: Final = b"\x01"  # the signature type in signed-note
PROOF: Final = "c2sp.org/tlog-proof@v1"
EXPORT: Final = "home-throw-export@1"
EPOCH_OPENED: Final = b'"event_type":"ledger.epoch_opened"'
TILE: Final = 256  # leaves that are hashed together
STRETCH: Final = 4 * TILE  # lines of an export that are read together
NO_RECEIPTS: Final = bytes(HASH_BYTES)  # the chain of receipts before the first receipt
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
DASH: Final = "\u2014"  # begins a signature line
OTHER_EPOCH: Final = (
    " The house restored a backup in between and began another epoch: what is of one is compared"
    " with a checkpoint of the same, or with its key; an export says what was lost."
)


class Unreadable(ValueError):  # noqa: N818  names the fact
    """A file or text is not in the expected format; the message names the place."""


class Untrue(Exception):  # noqa: N818
    """The claim that was checked is false."""


class Undecided(Exception):  # noqa: N818
    """The claim cannot be decided with what was given; the message says what would help."""


# Hashes ---------------------------------------------------------------------------------------


def leaf_hash(body: bytes) -> bytes:
    """The hash of a leaf. RFC 6962, 2.1."""
    return sha256(b"\x00" + body).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node over its two children. RFC 6962, 2.1."""
    return sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root over 2**n hashes: of a full tile, or of a smaller subtree within a tile."""
    level = list(hashes)
    while len(level) > 1:
        level = [
            sha256(b"\x01" + left + right).digest()
            for left, right in zip(level[::2], level[1::2], strict=True)
        ]
    return level[0]


class Range:
    """
    A tree of the first `size` leaves, stored as its peaks: the roots of its full subtrees, largest
    first.

    It can grow without storing the leaves: there are as many peaks as `size` has bits set.
    """

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size, self.peaks = size, list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"A tree of {size} leaves has {size.bit_count()} peaks.")

    def push(self, node: bytes, height: int = 0) -> None:
        """Add the root of the next 2**height leaves; `size` must be a multiple of that number."""
        if self.size % (1 << height):
            raise ValueError(f"{self.size} leaves: no subtree of {1 << height} begins there.")
        while self.size >> height & 1:
            node = node_hash(self.peaks.pop(), node)
            self.size -= 1 << height
            height += 1
        self.peaks.append(node)
        self.size += 1 << height

    def extend(self, leaves: Sequence[bytes], tile: Callable[..., bytes] = root_of) -> None:
        """Add leaf hashes, a whole tile at a time. :param tile: computes the root of a tile."""
        at = 0
        while at < len(leaves):
            if self.size % TILE or len(leaves) - at < TILE:
                self.push(leaves[at])
                at += 1
            else:
                self.push(tile(leaves[at : at + TILE]), TILE.bit_length() - 1)
                at += TILE

    def root(self) -> bytes:
        """The root of the tree. RFC 6962, 2.1: without leaves, the hash of the empty string."""
        if not self.peaks:
            return sha256(b"").digest()
        whole = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            whole = node_hash(peak, whole)
        return whole


def check_inclusion(
    *, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """
    Check that the leaf is at `index` of the tree of `size` leaves with this root. RFC 9162,
    2.1.3.2.

    :raises Untrue: if it is not, or the proof is too long or too short.
    """
    if not 0 <= index < size:
        raise Untrue(f"A tree of {size} leaves has no leaf {index}.")
    at, last, node = index, size - 1, leaf
    for step in proof:
        if last == 0:
            raise Untrue("The proof of inclusion is too long.")
        if at & 1 or at == last:
            node = node_hash(step, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, step)
        at, last = at >> 1, last >> 1
    if last:
        raise Untrue("The proof of inclusion is too short.")
    if node != root:
        raise Untrue("The proof of inclusion leads to another root: the event is not in that tree.")


def check_consistency(  # noqa: C901, PLR0912  the RFC's algorithm, step by step
    *, old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> None:
    """
    Check that the tree of `size` leaves begins with that of `old_size` leaves. RFC 9162, 2.1.4.2.

    :raises Untrue: if it does not, or the proof is too long or too short.
    """
    if not 0 <= old_size <= size:
        raise Untrue(f"A tree of {size} leaves does not grow out of one of {old_size}.")
    if old_size in {0, size}:
        if proof:
            raise Untrue("The proof of consistency is too long.")
        if old_root != (sha256(b"").digest() if old_size == 0 else root):
            raise Untrue(f"Two trees of {old_size} leaves with different roots.")
        return
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        raise Untrue("The proof of consistency is too short.")
    at, last = old_size - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old_node = new_node = path[0]
    for step in path[1:]:
        if last == 0:
            raise Untrue("The proof of consistency is too long.")
        if at & 1 or at == last:
            old_node, new_node = node_hash(step, old_node), node_hash(step, new_node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new_node = node_hash(new_node, step)
        at, last = at >> 1, last >> 1
    if last:
        raise Untrue("The proof of consistency is too short.")
    if old_node != old_root or new_node != root:
        raise Untrue("The newer tree does not begin with the older one: the ledger was changed.")


def chained(so_far: bytes, receipt: bytes) -> bytes:
    """The hash of the chain of receipts with one more receipt."""
    return sha256(so_far + sha256(receipt).digest()).digest()


# Notes, keys, checkpoints -----------------------------------------------------------------------


def unbase64(text: str, *, size: int | None, what: str) -> bytes:
    """
    Decode base64 strictly: only one spelling is accepted, so that no byte can be changed unnoticed.

    :raises Unreadable: for another alphabet, another length or another spelling.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable(f"{what}: not base64.") from None
    if base64.b64encode(data).decode() != text:
        raise Unreadable(f"{what}: not the one base64 spelling.")
    if size is not None and len(data) != size:
        raise Unreadable(f"{what}: {len(data)} bytes, not {size}.")
    return data


def number(text: str, what: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", text):
        raise Unreadable(f"{what}: {text[:30]!r} is no number in its one spelling.")
    return int(text)


def as_text(data: bytes, what: str) -> str:
    """Decode UTF-8 that ends with a newline and has no other control characters (signed-note)."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Unreadable(f"{what}: not UTF-8.") from None
    if not text.endswith("\n") or any(mark < " " and mark != "\n" for mark in text):
        raise Unreadable(f"{what}: cut off, or with characters that do not belong there.")
    return text


def key_id(name: str, public: bytes) -> bytes:
    """The id of a key in signed-note: the first bytes of a hash over its name and its bytes."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:KEY_ID_BYTES]


@dataclass(frozen=True, slots=True)
class Key:
    """A house's public key (a *verifier key*, vkey): ``name+hexid+base64(0x01 || 32 bytes)``."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        return key_id(self.name, self.public)

    def __str__(self) -> str:
        coded = base64.b64encode(ED25519 + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{coded}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """:raises Unreadable: if the line is not a key, or its id belongs to another key."""
        name, plus, rest = text.strip().partition("+")
        hexid, second, coded = rest.partition("+")
        if not (name and plus and second) or " " in name:
            raise Unreadable(f"{text[:60]!r} is no key: name+id+base64.")
        data = unbase64(coded, size=1 + HASH_BYTES, what="key")
        key = cls(name, data[1:])
        if data[:1] != ED25519 or key.id.hex() != hexid:
            raise Unreadable("The key's id is not what its name and bytes make.")
        return key

    def signed(self, text: str, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line of a note."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        coded = base64.b64encode(self.key_id + self.signature).decode()
        return f"{DASH} {self.name} {coded}"

    @classmethod
    def parse(cls, line: str) -> Signature:
        dash, _, rest = line.partition(" ")
        name, space, coded = rest.partition(" ")
        if dash != DASH or not name or not space or "+" in name:
            raise Unreadable(f"{line[:60]!r} is no signature line.")
        # A witness may sign with another kind of key, whose signatures have another length.
        data = unbase64(coded, size=None, what=f"signature of {name}")
        if len(data) <= KEY_ID_BYTES:
            raise Unreadable(f"signature of {name}: too short.")
        return cls(name, data[:KEY_ID_BYTES], data[KEY_ID_BYTES:])


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """
    A signed tree head (tlog-checkpoint).

    :param origin: which ledger, in which epoch.
    :param size: the number of leaves; it covers positions 0 to size - 1.
    :param receipts: how many answered commands it covers. :param chain: the hash of their chain.
    :param text: the text that is signed, with its last newline.
    :param signed_at: the moment by the house's clock, as bodies spell moments.
    :param follows: the size of the checkpoint that the house signed before this one, 0 if none.
        Both are None for checkpoints of an older format, which does not contain them.
    """

    origin: str
    size: int
    root: bytes
    receipts: int
    chain: bytes
    text: str
    signatures: tuple[Signature, ...]
    signed_at: str | None = None
    follows: int | None = None

    @property
    def note(self) -> str:
        return self.text + "\n" + "".join(f"{each}\n" for each in self.signatures)

    @classmethod
    def parse(cls, data: bytes, what: str = "checkpoint") -> Checkpoint:
        """:raises Unreadable: if it is not a signed checkpoint of a Home Throw ledger."""
        note = as_text(data, what)
        head, blank, tail = note.rpartition("\n\n")
        if not blank or not tail:
            raise Unreadable(f"{what}: no signatures under it.")
        signatures = tuple(Signature.parse(line) for line in tail[:-1].split("\n"))
        text = head + "\n"
        lines = head.split("\n")
        receipts, chain, signed_at, follows = 0, NO_RECEIPTS, None, None
        match lines:
            case [origin, size, root, extension, when] if origin:
                receipts, chain = _receipts(extension, what)
                signed_at, follows = _signed(when, what)
            case [origin, size, root, extension] if origin:
                receipts, chain = _receipts(extension, what)
            case [origin, size, root] if origin:
                pass
            case _:
                raise Unreadable(
                    f"{what}: not origin, size, root, receipts and when it was signed, a line each."
                )
        return cls(
            origin=origin,
            size=number(size, f"{what}: size"),
            root=unbase64(root, size=HASH_BYTES, what=f"{what}: root"),
            receipts=receipts,
            chain=chain,
            text=text,
            signatures=signatures,
            signed_at=signed_at,
            follows=follows,
        )


def _receipts(line: str, what: str) -> tuple[int, bytes]:
    word, _, rest = line.partition(" ")
    count, _, chain = rest.partition(" ")
    if word != "receipts":
        raise Unreadable(f"{what}: {line[:30]!r} is not its line of receipts.")
    return number(count, f"{what}: receipts"), unbase64(
        chain, size=HASH_BYTES, what=f"{what}: receipts"
    )


def _signed(line: str, what: str) -> tuple[str, int]:
    """Parse ``signed 2026-11-21T00:55:50.000000Z after 256``: the moment and the size."""
    match line.split(" "):
        case ["signed", moment, "after", size] if MOMENT.fullmatch(moment):
            return moment, number(size, f"{what}: signed after")
    raise Unreadable(f"{what}: {line[:30]!r} is not its line of when it was signed.")


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof that an event is recorded (tlog-proof, ``.tlog-proof``). `body` is in line `extra`."""

    body: bytes
    index: int
    proof: tuple[bytes, ...]
    checkpoint: Checkpoint

    def __str__(self) -> str:
        extra = base64.b64encode(self.body).decode()
        head = f"{PROOF}\nextra {extra}\nindex {self.index}\n"
        return head + _hash_lines(self.proof) + "\n" + self.checkpoint.note

    @classmethod
    def parse(cls, data: bytes) -> Receipt:
        """Parse a receipt. :raises Unreadable: naming the line that is wrong."""
        head, note = _split(data, "receipt")
        if len(head) < 3 or head[0] != PROOF:  # noqa: PLR2004  version, extra, index
            raise Unreadable(f"receipt: its first line is not {PROOF}.")
        if not head[1].startswith("extra ") or not head[2].startswith("index "):
            raise Unreadable("receipt: no event (extra) or no index in it.")
        return cls(
            body=unbase64(head[1][6:], size=None, what="receipt: extra"),
            index=number(head[2][6:], "receipt: index"),
            proof=_hashes(head[3:], "receipt"),
            checkpoint=Checkpoint.parse(note),
        )

    def check(self) -> None:
        """:raises Untrue: if the event is not in the tree of the receipt's own checkpoint."""
        check_inclusion(
            leaf=leaf_hash(self.body),
            index=self.index,
            size=self.checkpoint.size,
            proof=self.proof,
            root=self.checkpoint.root,
        )


@dataclass(frozen=True, slots=True)
class Link:
    """Proof that a newer checkpoint continues a tree of `old_size` leaves (``.tlog-link``)."""

    old_size: int
    proof: tuple[bytes, ...]
    checkpoint: Checkpoint

    def __str__(self) -> str:
        return f"old {self.old_size}\n" + _hash_lines(self.proof) + "\n" + self.checkpoint.note

    @classmethod
    def parse(cls, data: bytes) -> Link:
        """Parse a link. :raises Unreadable: naming the line that is wrong."""
        head, note = _split(data, "link")
        if not head or not head[0].startswith("old "):
            raise Unreadable("link: its first line is not the old size.")
        return cls(
            old_size=number(head[0][4:], "link: old size"),
            proof=_hashes(head[1:], "link"),
            checkpoint=Checkpoint.parse(note),
        )

    def check(self, old: Checkpoint) -> None:
        """:raises Untrue: if the newer tree does not begin with the older one."""
        check_consistency(
            old_size=old.size,
            old_root=old.root,
            size=self.checkpoint.size,
            root=self.checkpoint.root,
            proof=self.proof,
        )


def _split(data: bytes, what: str) -> tuple[list[str], bytes]:
    head, blank, note = as_text(data, what).partition("\n\n")
    if not blank:
        raise Unreadable(f"{what}: no checkpoint in it.")
    return head.split("\n"), note.encode()


def _hashes(lines: Iterable[str], what: str) -> tuple[bytes, ...]:
    return tuple(
        unbase64(line, size=HASH_BYTES, what=f"{what}: hash {nth}")
        for nth, line in enumerate(lines)
    )


def _hash_lines(hashes: Iterable[bytes]) -> str:
    return "".join(base64.b64encode(each).decode() + "\n" for each in hashes)


# Trust ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trust:
    """What the person who checks trusts: keys, kept checkpoints, and links between checkpoints."""

    keys: tuple[Key, ...] = ()
    kept: tuple[Checkpoint, ...] = ()
    links: tuple[Link, ...] = ()

    def believe(self, checkpoint: Checkpoint) -> list[str]:
        """
        The reasons why the checkpoint is the house's own; at least one.

        :raises Untrue: if it contradicts a key or a kept checkpoint.
        :raises Undecided: if nothing that was given says anything about it.
        """
        reasons = [*self._signed(checkpoint), *self._continues(checkpoint)]
        if not reasons:
            raise Undecided(self._wanting(checkpoint))
        return reasons

    def _signed(self, checkpoint: Checkpoint) -> Iterator[str]:
        """Check the signatures by given keys of this origin; other signatures are ignored."""
        mine = {key.id: key for key in self.keys if key.name == checkpoint.origin}
        found = [each for each in checkpoint.signatures if each.key_id in mine]
        for each in found:
            if each.name != checkpoint.origin or not mine[each.key_id].signed(
                checkpoint.text, each.signature
            ):
                raise Untrue(f"The signature of {each.name} does not fit: something was changed.")
        if self.keys and not found:
            raise Untrue(f"{checkpoint.origin} did not sign this with a key that was given.")
        if found:
            yield "signed with the key that was given"

    def _continues(self, checkpoint: Checkpoint) -> Iterator[str]:
        for kept in self.kept:
            if kept.origin != checkpoint.origin:
                raise Untrue(
                    f"Of {checkpoint.origin}; the checkpoint kept is of {kept.origin}."
                    + (
                        OTHER_EPOCH
                        if ledger_of(kept.origin) == ledger_of(checkpoint.origin)
                        else ""
                    )
                )
            if kept.size == checkpoint.size:
                self._same(kept, checkpoint)
                yield "its checkpoint is the one that was kept"
            elif self._linked(kept, checkpoint):
                yield f"it agrees with the checkpoint of {kept.size} events that was kept"

    def _same(self, kept: Checkpoint, checkpoint: Checkpoint) -> None:
        if kept.text != checkpoint.text:
            raise Untrue(
                f"Another ledger of {kept.size} events than the checkpoint that was kept:"
                " the house has shown two different books, or one of the two files was changed."
            )
        if not self.keys and not set(checkpoint.signatures) <= set(kept.signatures):
            raise Untrue("It carries a signature that the checkpoint kept does not.")

    def _linked(self, kept: Checkpoint, checkpoint: Checkpoint) -> bool:
        older, newer = sorted((kept, checkpoint), key=lambda each: each.size)
        for link in self.links:
            if link.old_size == older.size and link.checkpoint.text == newer.text:
                link.check(older)
                # Without a key, only a checkpoint older than the kept one is proven. Anybody could
                # have extended a newer one; only the house's key shows that the house did.
                return bool(self.keys) or checkpoint is older
        return False

    def _wanting(self, checkpoint: Checkpoint) -> str:
        if not self.kept:
            return (
                "Nothing to compare with: give the house's key (--key) or a checkpoint that was"
                f" kept (--checkpoint). This one speaks of {checkpoint.size} events."
            )
        sizes = ", ".join(str(each.size) for each in self.kept)
        return (
            f"The checkpoint kept covers {sizes} events, this one {checkpoint.size}. Ask the house"
            f" for the receipt at the checkpoint of {sizes} events, or for the link between the two"
            " (--link) where this one is older; else give the house's key (--key)."
        )


def ledger_of(origin: str) -> str:
    """An origin without its epoch, which follows the house from epoch 2 on."""
    return re.sub(r"/[1-9][0-9]*\Z", "", origin)


# Exports ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Export:
    """
    An exported ledger of a house: a folder, or the same in a zip file.

    Files: ``manifest.json``; ``events.jsonl``, one body per line, the first at position 0;
    ``receipts.jsonl``, one answered command per line; ``checkpoints.jsonl``, one ``{"note": ...}``
    per line; and other files that the manifest names. The manifest has the SHA-256 of each file.
    """

    where: Path
    manifest: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        try:
            with self._file("manifest.json") as found:
                self.manifest = json.load(found)
            if self.manifest["format"] != EXPORT:
                raise Unreadable(f"{self.where}: its format is not {EXPORT}.")
        except (ValueError, LookupError, TypeError) as error:
            raise Unreadable(f"{self.where}: manifest.json: {error}") from None

    @contextmanager
    def _file(self, name: str) -> Iterator[IO[bytes]]:
        try:
            if self.where.is_dir():
                with (self.where / name).open("rb") as found:
                    yield found
            else:
                with zipfile.ZipFile(self.where) as archive, archive.open(name) as inner:
                    yield inner
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise Unreadable(f"{self.where}: {name}: {error}") from None

    def lines(self, name: str) -> Iterator[bytes]:
        """
        The lines of a file, without their newlines.

        :raises Unreadable: if the last line was cut off.
        """
        with self._file(name) as found:
            for nth, line in enumerate(found):
                if not line.endswith(b"\n"):
                    raise Unreadable(f"{name}, line {nth + 1}: cut off.")
                yield line[:-1]

    def _stretches(self, name: str, ends: Iterable[int]) -> Iterator[list[bytes]]:
        """The lines of a file in lists, which end at each of `ends` and at full `STRETCH`es."""
        wanted, count = sorted(ends, reverse=True), 0
        with self._file(name) as found:
            while True:
                while wanted and wanted[-1] <= count:
                    wanted.pop()
                stop = min([*wanted[-1:], (count // STRETCH + 1) * STRETCH])
                lines = list(islice(found, stop - count))
                if not lines:
                    return
                count += len(lines)
                if not lines[-1].endswith(b"\n"):
                    raise Unreadable(f"{name}, line {count}: cut off.")
                yield [line[:-1] for line in lines]

    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints of the export, in the order of the file."""
        found = []
        for nth, line in enumerate(self.lines("checkpoints.jsonl")):
            what = f"checkpoints.jsonl, line {nth + 1}"
            try:
                note = json.loads(line)["note"].encode()
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise Unreadable(f"{what}: {error}") from None
            found.append(Checkpoint.parse(note, what))
        return found

    def check(self, trust: Trust, *, contents: bool) -> list[str]:
        """
        Check that events, receipts and checkpoints fit together, and are the house's own.

        :returns: sentences that say what holds.
        :raises Untrue: naming the interval of events in which something was changed.
        :raises Undecided: if all fits together, but nothing that was given says whose it is.
        """
        checkpoints = self.checkpoints()
        held = [self._files(), self._events(checkpoints, trust), self._chain(checkpoints)]
        if contents:
            held.append(Contents(self).check())
        held.append(self._whose(checkpoints, trust))
        return [each for each in held if each]

    def _whose(self, checkpoints: Sequence[Checkpoint], trust: Trust) -> str:
        """
        Check whose ledger it is: every checkpoint whose origin has a key must be signed with it.
        `_events` has compared the kept checkpoints already.
        """
        names = {key.name for key in trust.keys}
        mine = [each for each in checkpoints if each.origin in names]
        for each in mine:
            Trust(trust.keys).believe(each)
        if not (mine or trust.kept):
            raise Undecided(
                "All of it fits together. Whose it is, only the house's key (--key) or a checkpoint"
                " that was kept (--checkpoint) can tell."
            )
        sources = [f"{len(mine)} checkpoints signed with the key that was given"] if mine else []
        sources += [
            f"the checkpoint of {each.size} events that was kept is in it" for each in trust.kept
        ]
        return "; ".join(sources)

    def _files(self) -> str:
        for name, listed in self.manifest["files"].items():
            if name == "events.jsonl":  # the root of the tree covers it
                continue
            hashed = sha256()
            with self._file(name) as found:
                while block := found.read(1 << 20):
                    hashed.update(block)
            if hashed.hexdigest() != listed["sha256"]:
                raise Untrue(f"{name}: not what the manifest says.")
        return f"{len(self.manifest['files'])} files as the manifest has them"

    def _events(self, checkpoints: Sequence[Checkpoint], trust: Trust) -> str:
        """Hash every body; compare the root at every checkpoint, kept ones too. RFC 6962."""
        origins = {each.origin for each in checkpoints}
        for each in trust.kept:
            if each.origin not in origins:
                raise Untrue(f"The checkpoint kept is of {each.origin}, which is not in it.")
        roots: dict[int, set[bytes]] = {}
        for each in (*checkpoints, *trust.kept):
            roots.setdefault(each.size, set()).add(each.root)
        tree, sound = Range(), 0
        for bodies in self._stretches("events.jsonl", roots):
            tree.extend([sha256(b"\x00" + body).digest() for body in bodies])
            if (expected := roots.pop(tree.size, None)) is not None:
                if expected != {tree.root()}:
                    self._lost(trust)
                    raise Untrue(
                        f"Events {sound} to {tree.size - 1}: something was changed. Those hash to"
                        " another root than the checkpoint says."
                    )
                sound = tree.size
        roots.pop(0, None)
        if roots:
            self._lost(trust)
            raise Untrue(f"{tree.size} events, and a checkpoint of {min(roots)}: some are missing.")
        if tree.size != self.manifest["events"]:
            raise Untrue(f"{tree.size} events; the manifest says {self.manifest['events']}.")
        behind = tree.size - sound
        return f"{sound} events as signed" + (f", {behind} not covered yet" if behind else "")

    def _lost(self, trust: Trust) -> None:
        """:raises Untrue: if an event says that the ledger lost what a kept checkpoint covers."""
        for position, body in enumerate(self.lines("events.jsonl")):
            if EPOCH_OPENED not in body:
                continue
            try:
                data = json.loads(body)["data"]
                origin = data["published"]["origin"]
                first, last = int(data["lost"]["from"]), int(data["lost"]["to"])
            except (ValueError, LookupError, TypeError, AttributeError):
                continue
            for each in trust.kept:
                if each.origin == origin and each.size > first:
                    raise Untrue(
                        f"The checkpoint of {each.size} events that was kept is not of this book"
                        f" any more: position {position} says that the house lost positions"
                        f" {first} to {last} and began another epoch."
                    )

    def _chain(self, checkpoints: Sequence[Checkpoint]) -> str:
        """Chain every answer to a command; compare the chain at every checkpoint."""
        chains: dict[int, set[bytes]] = {}
        for each in checkpoints:
            chains.setdefault(each.receipts, set()).add(each.chain)
        count, chain, sound = 0, NO_RECEIPTS, 0
        if chains.pop(0, {chain}) != {chain}:
            raise Untrue("A checkpoint without receipts has a chain of some.")
        for lines in self._stretches("receipts.jsonl", chains):
            for line in lines:
                chain = sha256(chain + sha256(line).digest()).digest()  # `chained`, inlined
            count += len(lines)
            if (expected := chains.pop(count, None)) is not None:
                if expected != {chain}:
                    raise Untrue(f"Receipts {sound} to {count - 1}: something was changed.")
                sound = count
        if chains:
            raise Untrue(f"{count} receipts, and a checkpoint of {min(chains)}: some are missing.")
        return f"{sound} receipts of commands as signed"


class Contents:
    """Checks the contents of the bodies of an export, besides their hashes."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.versions: dict[str, int] = {}
        self.commands: dict[str, tuple[int, int]] = {}

    def check(self) -> str:
        """:raises Untrue: naming the first position or the first receipt that is wrong."""
        house, position = self.export.manifest["establishment"], -1
        for position, line in enumerate(self.export.lines("events.jsonl")):
            body = self._canonical(line, f"position {position}")
            if body.get("establishment") != house:
                raise Untrue(f"position {position}: of another establishment.")
            self._event(position, body)
        for nth, line in enumerate(self.export.lines("receipts.jsonl")):
            self._receipt(nth, self._canonical(line, f"receipt {nth}"))
        if self.commands:
            raise Untrue(f"{len(self.commands)} commands have events and no receipt.")
        return f"{len(self.versions)} streams without gaps in {position + 1} canonical bodies"

    def _canonical(self, line: bytes, what: str) -> dict[str, Any]:
        """Parse canonical JSON: RFC 8785, for whole numbers and texts only."""
        try:
            value = json.loads(line, object_pairs_hook=_in_order, parse_float=_no_float)
            spelled = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        except ValueError as error:
            raise Untrue(f"{what}: {error}") from None
        if not isinstance(value, dict) or spelled.encode() != line:
            raise Untrue(f"{what}: not canonical JSON.")
        return value

    def _event(self, position: int, body: dict[str, Any]) -> None:
        try:
            stream, version = body["stream"], body["stream_version"]
            command, seq = body["command_id"], body["command_seq"]
        except KeyError as missing:
            raise Untrue(f"position {position}: no {missing}.") from None
        if version != self.versions.get(stream, 0) + 1:
            raise Untrue(f"position {position}: version {version} of {stream} is out of order.")
        self.versions[stream] = version
        first, last = self.commands.get(command, (position, position - 1))
        if seq != position - first or last != position - 1:
            raise Untrue(f"position {position}: out of order in its command.")
        self.commands[command] = (first, position)

    def _receipt(self, nth: int, receipt: dict[str, Any]) -> None:
        claimed = receipt.get("first_position"), receipt.get("last_position")
        found = self.commands.pop(str(receipt.get("command_id")), (None, None))
        if claimed != found:
            raise Untrue(f"receipt {nth}: says positions {claimed}, the events say {found}.")


def _in_order(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key.encode("utf-16-be") for key, _ in pairs]
    if any(one >= other for one, other in pairwise(keys)):
        raise ValueError("keys twice, or not in order")
    return dict(pairs)


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is not a whole number")


# The command line -------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        for line in options.check(options):
            print(line)  # noqa: T201
    except Untrue as reason:
        print(f"FALSE: {reason}", file=sys.stderr)  # noqa: T201
        return 1
    except (Undecided, Unreadable, OSError) as reason:
        print(f"NOT SHOWN: {reason}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def receipt(options: argparse.Namespace) -> Iterator[str]:
    found = Receipt.parse(options.file.read_bytes())
    found.check()
    reasons = _trust(options).believe(found.checkpoint)
    yield f"TRUE: recorded at position {found.index} of {found.checkpoint.origin}"
    yield from (f"  {reason}" for reason in reasons)
    recorded = json.dumps(json.loads(found.body), indent=2, ensure_ascii=False)
    yield "  what was recorded:\n" + "\n".join(f"    {line}" for line in recorded.split("\n"))
    yield "  (recorded: whether it was paid or taken back since, the house tells)"


def consistency(options: argparse.Namespace) -> Iterator[str]:
    """Check that the newer of two checkpoints continues the older one."""
    one, other = sorted(
        (Checkpoint.parse(path.read_bytes(), str(path)) for path in options.files),
        key=lambda each: each.size,
    )
    if one.origin != other.origin:
        raise Untrue(f"Of two ledgers or epochs: {one.origin} and {other.origin}.")
    trust = _trust(options)
    if trust.keys:  # the house may have changed its key between the two
        for each in (one, other):
            Trust(trust.keys).believe(each)
    links = [
        each
        for each in trust.links
        if each.old_size == one.size and each.checkpoint.text == other.text
    ]
    if one.size == other.size:
        check_consistency(
            old_size=one.size, old_root=one.root, size=other.size, root=other.root, proof=()
        )
    elif not links:
        raise Undecided(f"Give the link from {one.size} to {other.size} events (--link).")
    for link in links:
        link.check(one)
    yield f"TRUE: the first {one.size} of {other.size} events are the same in both"


def export(options: argparse.Namespace) -> Iterator[str]:
    held = Export(options.where).check(_trust(options), contents=options.contents)
    yield f"TRUE: {options.where}"
    yield from (f"  {each}" for each in held)


def _trust(options: argparse.Namespace) -> Trust:
    keys: list[Key] = []
    for given in options.key:
        path = Path(given)
        text = path.read_text() if len(given) < 200 and path.is_file() else given  # noqa: PLR2004
        keys.extend(Key.parse(line) for line in text.splitlines() if line.strip())
    return Trust(
        keys=tuple(keys),
        kept=tuple(Checkpoint.parse(path.read_bytes(), str(path)) for path in options.checkpoint),
        links=tuple(Link.parse(path.read_bytes()) for path in options.link),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="verify", description=(__doc__ or "").split("\n\n")[0])
    given = argparse.ArgumentParser(add_help=False)
    for name, what, kind in (
        ("--key", "the house's key: the line, or a file of such lines", str),
        ("--checkpoint", "a checkpoint that was kept", Path),
        ("--link", "a proof that a newer checkpoint continues an older one", Path),
    ):
        given.add_argument(name, action="append", default=[], type=kind, help=what)
    commands = parser.add_subparsers(required=True)
    for check, what in (
        (receipt, "that an event is recorded"),
        (consistency, "that of two checkpoints the newer continues the older"),
        (export, "everything of a house"),
    ):
        command = commands.add_parser(check.__name__, help=what, parents=[given])
        command.set_defaults(check=check)
        if check is receipt:
            command.add_argument("file", type=Path)
        elif check is consistency:
            command.add_argument("files", type=Path, nargs=2)
        else:
            command.add_argument("where", type=Path)
            command.add_argument("--contents", action="store_true", help="read the bodies, too")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
