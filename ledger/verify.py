"""
Check what a house says about its ledger, without the house.

One file for an auditor: Python 3.11 or later, its standard library and `cryptography`; no Django,
no database, no network, nothing else of Home Throw's.

    python verify.py receipt FILE [--key VKEY] [--checkpoint FILE] [--link FILE]
    python verify.py consistency FILE FILE [--key VKEY] [--link FILE]
    python verify.py export FOLDER-OR-ZIP [--key VKEY] [--checkpoint FILE] [--contents]

Files are strangers' files: whatever is in one, only a bounded part of it is in memory at a time.

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
import io
import json
import os
import re
import stat
import struct
import sys
import zipfile
import zlib
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import merge
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TextIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

HASH_BYTES: Final = 32
KEY_ID_BYTES: Final = 4
ED25519: Final = b"\x01"  # the signature type in signed-note
PROOF: Final = "c2sp.org/tlog-proof@v1"
EXPORT: Final = "home-throw-export@1"
MANIFEST: Final = "manifest.json"
MANIFEST_NOTE: Final = "manifest.note"
LEDGER_FILES: Final = ("events.jsonl", "receipts.jsonl", "checkpoints.jsonl", "followers.jsonl")
"""The files that every export has."""
HASHED_IN_NOTES: Final = frozenset(LEDGER_FILES[:3])
"""Files whose lines checkpoints cover; all others are only covered by `MANIFEST_NOTE`."""
EPOCH_OPENED: Final = b'"event_type":"ledger.epoch_opened"'
TILE: Final = 256  # leaves that are hashed together
STRETCH: Final = 4 * TILE  # lines of an export that are read together
STRETCH_BYTES: Final = 4 << 20  # after which fewer lines are read together
BLOCK: Final = 1 << 18  # bytes that are read at once
LINE_MAX: Final = 4 << 20  # bytes of a line
FILE_MAX: Final = 8 << 20  # bytes of a receipt, a checkpoint, a link, a file of keys, a manifest
MEMBERS_MAX: Final = 100  # files of an export
RATIO_MAX: Final = 100  # how many times smaller an archive may have a file: ours, 10 at the most
STREAMS_MAX: Final = 1_000_000  # events whose streams are followed at a time
DIRECTORY_MAX: Final = 1 << 20  # bytes of an archive's list of files
NAME_MAX: Final = 200  # characters of the name of a file, or of a stream
FILE_NAME: Final = re.compile(r"[a-z][a-z_]{0,60}\.(jsonl|json|note)")
NO_ARCHIVE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    OverflowError,
)
"""What Python raises for an archive that is none, or of a kind that it does not read."""
NO_RECEIPTS: Final = bytes(HASH_BYTES)  # the chain of receipts before the first receipt
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
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


# Reading --------------------------------------------------------------------------------------


def count_of(number: int, one: str, many: str = "") -> str:
    """``1 event``, ``2 events``; `many`: the plural if it is not made with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


class Bounded(io.BufferedReader):
    """An archive, of which no more than `DIRECTORY_MAX` bytes are read at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        all_of_it = size is None or not 0 <= size <= DIRECTORY_MAX
        data = super().read(DIRECTORY_MAX + 1 if all_of_it else size)
        if len(data) > DIRECTORY_MAX:
            raise Unreadable(f"The archive's list of files has more than {DIRECTORY_MAX} bytes.")
        return data


def read_file(path: Path) -> bytes:
    """A small file. :raises Unreadable: if it has more than `FILE_MAX` bytes."""
    with path.open("rb") as found:
        return _whole(found, str(path))


def _whole(found: IO[bytes], what: str) -> bytes:
    data = found.read(FILE_MAX + 1)
    if len(data) > FILE_MAX:
        raise Unreadable(f"{what}: more than {FILE_MAX} bytes.")
    return data


def read_json(text: str | bytes, what: str) -> Any:
    """
    JSON in UTF-8 of which no two readers read different values.

    :raises Unreadable: if it is none: a key stands twice, a number is none or has no end, it is
        nested too deep; the message begins with `what`.
    """
    try:
        return json.loads(
            text if isinstance(text, str) else text.decode(),
            object_pairs_hook=_unique,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{what}: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _), *_] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{twice[:60]!r} stands twice in one object")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text[:60]} is no number that JSON has")
    return value


def _lines(found: IO[bytes], what: str) -> Iterator[bytes]:
    """
    The lines of a file, without their newlines.

    :raises Unreadable: if a line is longer than `LINE_MAX`, or the last one was cut off.
    """
    count, rest = 0, b""
    while block := found.read(BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            count += 1
            if len(line) > LINE_MAX:
                raise Unreadable(f"{what}, line {count}: more than {LINE_MAX} bytes.")
            yield line
        if len(rest) > LINE_MAX:
            raise Unreadable(f"{what}, line {count + 1}: more than {LINE_MAX} bytes.")
    if rest:
        raise Unreadable(f"{what}, line {count + 1}: cut off.")


def _stretches(lines: Iterator[bytes], at: int, end: int | None) -> Iterator[list[bytes]]:
    """
    The lines from line `at` to line `end`, or to the last one, in lists of bounded size.

    The lists end at full `STRETCH`es, so that whole tiles are hashed together.
    """
    while end is None or at < end:
        some, size, stop = [], 0, (at // STRETCH + 1) * STRETCH
        for line in islice(lines, (stop if end is None else min(stop, end)) - at):
            some.append(line)
            size += len(line)
            if size > STRETCH_BYTES:
                break
        if not some:
            return
        at += len(some)
        yield some


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """
    The files of an archive, by name.

    :raises Unreadable: naming one that no export has, or that would fill the memory.
    """
    found: dict[str, zipfile.ZipInfo] = {}
    for each in archive.infolist():
        _check_name(each.filename)
        if each.filename in found:
            raise Unreadable(f"{each.filename}: twice in the archive.")
        if each.flag_bits & 1 or each.compress_type not in {
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        }:
            raise Unreadable(f"{each.filename}: encrypted, or packed otherwise than by deflate.")
        if stat.S_ISLNK(each.external_attr >> 16):
            raise Unreadable(f"{each.filename}: a link.")
        if each.file_size > max(RATIO_MAX * each.compress_size, LINE_MAX):
            raise Unreadable(
                f"{each.filename}: {count_of(each.file_size, 'byte')} out of"
                f" {each.compress_size}. No ledger is"
                " packed like that."
            )
        found[each.filename] = each
    _check_count(len(found))
    return found


def _check_name(name: str) -> None:
    if not FILE_NAME.fullmatch(name):
        raise Unreadable(f"{name[:60]!r}: no file of an export is called that.")


def _check_file(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Unreadable(f"{path.name}: no file, but a link or something else.")


def _check_count(files: int) -> None:
    if files > MEMBERS_MAX:
        raise Unreadable(f"more than {MEMBERS_MAX} files.")


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


def chain_hash(so_far: bytes, receipt: bytes) -> bytes:
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
        raise Unreadable(f"{what}: {count_of(len(data), 'byte')}, not {size}.")
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

    @property
    def epoch(self) -> int:
        """The house's epoch, which follows it in an origin from epoch 2 on."""
        epoch = self.origin.removeprefix(ledger_of(self.origin) + "/")
        return 1 if epoch == self.origin else number(epoch, "epoch")

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
                signed_at, follows = _parse_signed(when, what)
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


def _parse_signed(line: str, what: str) -> tuple[str, int]:
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


@dataclass(frozen=True, slots=True)
class ManifestNote:
    """
    A signed note about the manifest of an export, and so about every file (``manifest.note``).

    Its first line is the format, so that no checkpoint reads like it. :param digest: SHA-256 of
    ``manifest.json``.
    """

    origin: str
    digest: bytes
    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, data: bytes) -> ManifestNote:
        """:raises Unreadable: if it is not such a note."""
        head, blank, tail = as_text(data, MANIFEST_NOTE).rpartition("\n\n")
        match head.split("\n"):
            case [first, origin, digest] if blank and tail and first == EXPORT and origin:
                return cls(
                    origin=origin,
                    digest=unbase64(digest, size=HASH_BYTES, what=MANIFEST_NOTE),
                    text=head + "\n",
                    signatures=tuple(Signature.parse(line) for line in tail[:-1].split("\n")),
                )
        raise Unreadable(f"{MANIFEST_NOTE}: not {EXPORT}, origin and hash, a line each, signed.")


def manifest_text(origin: str, manifest: bytes) -> str:
    """The text that is signed for a manifest."""
    coded = base64.b64encode(sha256(manifest).digest()).decode()
    return f"{EXPORT}\n{origin}\n{coded}\n"


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
        reasons = [*self._check_signed(checkpoint), *self._continues(checkpoint)]
        if not reasons:
            raise Undecided(self._wanting(checkpoint))
        return reasons

    def _check_signed(self, checkpoint: Checkpoint | ManifestNote) -> Iterator[str]:
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

    def wrote(self, note: ManifestNote) -> bool:
        """
        Whether the house wrote the files of an export; False: nothing that was given says so.

        :raises Untrue: if a key of its origin was given, and has not signed it.
        """
        names = {key.name for key in self.keys}
        return note.origin in names and bool([*self._check_signed(note)])

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
            elif self._is_linked(kept, checkpoint):
                yield (
                    f"it agrees with the checkpoint of {count_of(kept.size, 'event')} that was kept"
                )

    def _same(self, kept: Checkpoint, checkpoint: Checkpoint) -> None:
        if kept.text != checkpoint.text:
            raise Untrue(
                f"Another ledger of {count_of(kept.size, 'event')} than the checkpoint that was"
                " kept:"
                " the house has shown two different books, or one of the two files was changed."
            )
        if not self.keys and not set(checkpoint.signatures) <= set(kept.signatures):
            raise Untrue("It carries a signature that the checkpoint kept does not.")

    def _is_linked(self, kept: Checkpoint, checkpoint: Checkpoint) -> bool:
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
                f" kept (--checkpoint). This one speaks of {count_of(checkpoint.size, 'event')}."
            )
        sizes = ", ".join(str(each.size) for each in self.kept)
        events = f"{sizes} event" if sizes == "1" else f"{sizes} events"
        return (
            f"The checkpoint kept covers {events}, this one {checkpoint.size}. Ask the house"
            f" for the receipt at the checkpoint of {events}, or for the link between the two"
            " (--link) where this one is older; else give the house's key (--key)."
        )


def ledger_of(origin: str) -> str:
    """An origin without its epoch, which follows the house from epoch 2 on."""
    return re.sub(r"/[1-9][0-9]*\Z", "", origin)


def house_of(origin: str) -> str:
    """The id of the house in an origin."""
    return ledger_of(origin).rpartition("/")[2]


# Exports ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """What a checkpoint says of the ledger. :param believed: whether it is the house's own."""

    size: int
    root: bytes
    receipts: int
    chain: bytes
    believed: bool

    @classmethod
    def of(cls, signed: Checkpoint, *, believed: bool) -> Mark:
        return cls(signed.size, signed.root, signed.receipts, signed.chain, believed)


@dataclass(slots=True)
class Export:
    """
    An exported ledger of a house: a folder, or the same in a zip file.

    Files: ``manifest.json``; ``events.jsonl``, one body per line, the first at position 0;
    ``receipts.jsonl``, one answered command per line; ``checkpoints.jsonl``, one ``{"note": ...}``
    per line; and other files that the manifest names. The manifest has the SHA-256 of each file,
    and ``manifest.note`` a signature for the manifest.
    """

    where: Path
    manifest: dict[str, Any] = field(init=False)
    digest: bytes = field(init=False)

    def __post_init__(self) -> None:
        with self._file(MANIFEST) as found:
            data = _whole(found, MANIFEST)
        self.digest, what = sha256(data).digest(), f"{self.where}: {MANIFEST}"
        self.manifest = read_json(data, what)
        try:
            if self.manifest["format"] != EXPORT:
                raise Unreadable(f"{self.where}: its format is not {EXPORT}.")
            _check_manifest(self.manifest)
        except (LookupError, TypeError, AttributeError) as error:
            raise Unreadable(f"{what}: {error}") from None

    @contextmanager
    def _file(self, name: str) -> Iterator[IO[bytes]]:
        try:
            if self.where.is_dir():
                _check_name(name)
                _check_file(self.where / name)
                with (self.where / name).open("rb") as found:
                    yield found
            else:
                with self._archive() as archive, archive.open(_members(archive)[name]) as inner:
                    yield inner
        except (OSError, KeyError, EOFError, *NO_ARCHIVE) as error:
            raise Unreadable(f"{self.where}: {name}: {error}") from None
        except UnicodeDecodeError as error:
            raise Unreadable(f"{self.where}: {error}") from None

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        with Bounded(io.FileIO(self.where)) as raw, zipfile.ZipFile(raw) as archive:
            yield archive

    def names(self) -> set[str]:
        """
        The files that are there.

        :raises Unreadable: naming one that no export has.
        """
        if not self.where.is_dir():
            with self._archive() as archive:
                return set(_members(archive))
        found = list(islice(self.where.iterdir(), MEMBERS_MAX + 1))
        _check_count(len(found))
        for each in found:
            _check_name(each.name)
            _check_file(each)
        return {each.name for each in found}

    def lines(self, name: str) -> Iterator[bytes]:
        """
        The lines of a file, without their newlines.

        :raises Unreadable: if a line is too long, or the last one was cut off.
        """
        with self._file(name) as found:
            yield from _lines(found, name)

    def checkpoints(self) -> Iterator[Checkpoint]:
        """
        The checkpoints of the export, in the order of the file.

        :raises Unreadable: if a line has none. :raises Untrue: if a line says otherwise than it.
        """
        before = 0
        for nth, line in enumerate(self.lines("checkpoints.jsonl"), 1):
            what = f"checkpoints.jsonl, line {nth}"
            row = read_json(line, what)
            if not isinstance(row, dict) or not isinstance(row.get("note"), str):
                raise Unreadable(f"{what}: no note.")
            found = Checkpoint.parse(row["note"].encode(errors="replace"), what)
            self._check_house(found.origin, what)
            if row.get("epoch", found.epoch) != found.epoch:
                raise Untrue(f"{what}: its epoch is not that of {found.origin}.")
            if found.signed_at not in (None, row.get("signed_at", found.signed_at)):
                raise Untrue(f"{what}: signed at another time than its note says.")
            if found.size < before:
                raise Untrue(f"{what}: {count_of(found.size, 'event')}, after one of {before}.")
            before = found.size
            yield found

    def check(self, trust: Trust, *, contents: bool) -> list[str]:
        """
        Check that events, receipts and checkpoints fit together, and are the house's own.

        :returns: sentences that say what holds, and `unsigned` which files nobody has signed.
        :raises Untrue: naming the interval of events in which something was changed.
        :raises Undecided: if all fits together, but nothing that was given says whose it is.
        """
        for key in self.manifest["keys"]:
            self._check_house(Key.parse(key).name, f"{MANIFEST}: keys")
        for epoch in self.manifest.get("epochs", ()):
            if epoch["origin"] is not None:  # nothing was signed in it yet
                self._check_house(epoch["origin"], f"{MANIFEST}: epochs")
        unsigned = [f"{name}: unsigned" for name in self.unsigned(trust)]
        self._check_origins(trust)
        held = [self._files(), self._events(trust), self._chain(trust)]
        self._check_hash("events.jsonl")
        if contents:
            held.append(Contents(self).check())
        held.append(self._whose(trust))
        return held + (unsigned or ["every file signed with the key that was given"])

    def _check_house(self, origin: str, what: str) -> None:
        """:raises Untrue: if what is in a bundle is of another house than its manifest."""
        if house_of(origin) != self.manifest["establishment"]:
            raise Untrue(f"{what}: of {origin}, which is another house.")

    def unsigned(self, trust: Trust) -> list[str]:
        """
        The files of which nothing that was given says that the house wrote them.

        Of `HASHED_IN_NOTES` the checkpoints say how far they are the house's.
        """
        if self._manifest_has_signature(trust):
            return []
        return sorted({*self.manifest["files"], MANIFEST} - HASHED_IN_NOTES)

    def _manifest_has_signature(self, trust: Trust) -> bool:
        """:raises Untrue: if the note of the manifest is of another one, or not as signed."""
        if MANIFEST_NOTE not in self.names():
            return False
        with self._file(MANIFEST_NOTE) as found:
            note = ManifestNote.parse(_whole(found, MANIFEST_NOTE))
        if note.digest != self.digest:
            raise Untrue(f"{MANIFEST}: not the one that {MANIFEST_NOTE} signs.")
        self._check_house(note.origin, MANIFEST_NOTE)
        return trust.wrote(note)

    def _whose(self, trust: Trust) -> str:
        """
        Check whose ledger it is: every checkpoint whose origin has a key must be signed with it.
        `_events` has compared the kept checkpoints already.
        """
        names, mine, others = {key.name for key in trust.keys}, 0, 0
        for each in self.checkpoints():
            if each.origin in names:
                Trust(trust.keys).believe(each)
                mine += 1
            else:
                others += 1
        if mine + others != self.manifest["checkpoints"]:
            raise Untrue(
                f"{count_of(mine + others, 'checkpoint')}; the manifest says"
                f" {self.manifest['checkpoints']}."
            )
        if not (mine or trust.kept):
            raise Undecided(
                "All of it fits together. Whose it is, only the house's key (--key) or a checkpoint"
                " that was kept (--checkpoint) can tell."
            )
        sources = (
            [f"{count_of(mine, 'checkpoint')} signed with the key that was given"] if mine else []
        )
        sources += (
            [f"{count_of(others, 'checkpoint')} of an origin whose key was not given"]
            if others
            else []
        )
        sources += [
            f"the checkpoint of {count_of(each.size, 'event')} that was kept is in it"
            for each in trust.kept
        ]
        return "; ".join(sources)

    def _files(self) -> str:
        """Check that exactly the files of the manifest are there, with their hashes."""
        listed, there = self.manifest["files"], self.names()
        for name in sorted(set(LEDGER_FILES) - listed.keys()):
            raise Untrue(f"{name}: left out of the manifest.")
        for name in sorted(there - listed.keys() - {MANIFEST, MANIFEST_NOTE}):
            raise Untrue(f"{name}: not in the manifest.")
        for name in sorted(listed.keys() - there):
            raise Unreadable(f"{self.where}: {name}: not there.")
        for name in listed:
            if name != "events.jsonl":  # later: the root of the tree says where it was changed
                self._check_hash(name)
        return f"{count_of(len(listed), 'file')} as the manifest has them"

    def _check_hash(self, name: str) -> None:
        hashed, size, listed = sha256(), 0, self.manifest["files"][name]
        with self._file(name) as found:
            while size <= listed["bytes"] and (block := found.read(BLOCK)):
                hashed.update(block)
                size += len(block)
        if {"sha256": hashed.hexdigest(), "bytes": size} != listed:
            raise Untrue(f"{name}: not what the manifest says.")

    def _marks(self, trust: Trust) -> Iterator[Mark]:
        """What the checkpoints say, kept ones too, by size."""
        names = {key.name for key in trust.keys}
        kept = sorted((Mark.of(each, believed=True) for each in trust.kept), key=_size)
        exported = (Mark.of(each, believed=each.origin in names) for each in self.checkpoints())
        return merge(kept, exported, key=_size)

    def _check_origins(self, trust: Trust) -> None:
        """:raises Untrue: if a checkpoint that was kept is of an origin that is not in it."""
        missing = {each.origin for each in trust.kept}
        for each in self.checkpoints() if missing else ():
            missing.discard(each.origin)
        if missing:
            raise Untrue(f"The checkpoint kept is of {min(missing)}, which is not in it.")

    def _events(self, trust: Trust) -> str:
        """Hash every body; compare the root at every checkpoint, kept ones too. RFC 6962."""
        lines, tree, sound, covered = self.lines("events.jsonl"), Range(), 0, 0
        for mark in self._marks(trust):
            for bodies in _stretches(lines, tree.size, mark.size):
                tree.extend([sha256(b"\x00" + body).digest() for body in bodies])
            if tree.size < mark.size:
                self._check_not_lost(trust)
                raise Untrue(
                    f"{count_of(tree.size, 'event')}, and a checkpoint of {mark.size}: some are"
                    " missing."
                )
            if mark.size and tree.root() != mark.root:
                self._check_not_lost(trust)
                raise Untrue(
                    f"Events {sound} to {tree.size - 1}: something was changed. Those hash to"
                    " another root than the checkpoint says."
                )
            sound = mark.size
            covered = mark.size if mark.believed else covered
        for bodies in _stretches(lines, tree.size, None):
            tree.extend([sha256(b"\x00" + body).digest() for body in bodies])
        if tree.size != self.manifest["events"]:
            raise Untrue(
                f"{count_of(tree.size, 'event')}; the manifest says {self.manifest['events']}."
            )
        return f"{count_of(covered, 'event')} as signed" + _behind(tree.size - covered)

    def _check_not_lost(self, trust: Trust) -> None:
        """:raises Untrue: if an event says that the ledger lost what a kept checkpoint covers."""
        for position, body in enumerate(self.lines("events.jsonl")):
            if EPOCH_OPENED not in body:
                continue
            try:
                data = read_json(body, f"position {position}")["data"]
                origin = data["published"]["origin"]
                first, last = int(data["lost"]["from"]), int(data["lost"]["to"])
            except (ValueError, LookupError, TypeError):
                continue
            for each in trust.kept:
                if each.origin == origin and each.size > first:
                    raise Untrue(
                        f"The checkpoint of {count_of(each.size, 'event')} that was kept is not"
                        " of this book"
                        f" any more: position {position} says that the house lost positions"
                        f" {first} to {last} and began another epoch."
                    )

    def _chain(self, trust: Trust) -> str:
        """Chain every answer to a command; compare the chain at every checkpoint."""
        lines, count, chain, sound, covered = self.lines("receipts.jsonl"), 0, NO_RECEIPTS, 0, 0
        for mark in self._marks(trust):
            if mark.receipts < count and mark.receipts:
                raise Untrue(
                    f"A checkpoint of {count_of(mark.receipts, 'receipt')}, after one of {count}."
                )
            for answers in _stretches(lines, count, mark.receipts):
                chain = _extend_chain(chain, answers)
                count += len(answers)
            if count < mark.receipts:
                raise Untrue(
                    f"{count_of(count, 'receipt')}, and a checkpoint of {mark.receipts}: some"
                    " are missing."
                )
            if mark.chain != (chain if mark.receipts else NO_RECEIPTS):
                raise Untrue(f"Receipts {sound} to {count - 1}: something was changed.")
            sound = count
            covered = max(covered, mark.receipts) if mark.believed else covered
        for answers in _stretches(lines, count, None):
            count += len(answers)
        if count != self.manifest["receipts"]:
            raise Untrue(
                f"{count_of(count, 'receipt')}; the manifest says {self.manifest['receipts']}."
            )
        return f"{count_of(covered, 'receipt')} of commands as signed" + _behind(count - covered)


def _check_manifest(manifest: dict[str, Any]) -> None:
    """:raises Unreadable: naming what a manifest has not, or has in another form."""
    for name in ("events", "receipts", "checkpoints"):
        if type(manifest[name]) is not int:
            raise Unreadable(f"{MANIFEST}: {name}: no number.")
    if not isinstance(manifest["establishment"], str):
        raise Unreadable(f"{MANIFEST}: establishment: no id.")
    keys = manifest["keys"]
    if not isinstance(keys, list) or not all(isinstance(each, str) for each in keys):
        raise Unreadable(f"{MANIFEST}: keys: not a list of keys.")
    epochs = manifest.get("epochs", [])
    known = (str, type(None))  # null: nothing was signed in it yet
    if not isinstance(epochs, list) or not all(
        isinstance(each["origin"], known) for each in epochs
    ):
        raise Unreadable(f"{MANIFEST}: epochs: not a list of origins.")
    for name, each in manifest["files"].items():
        _check_name(name)
        if not isinstance(each, dict) or type(each.get("bytes")) is not int:
            raise Unreadable(f"{MANIFEST}: {name}: no hash and size.")


def _size(mark: Mark) -> int:
    return mark.size


def _extend_chain(chain: bytes, answers: Iterable[bytes]) -> bytes:
    for each in answers:
        chain = sha256(chain + sha256(each).digest()).digest()  # `chain_hash`, inlined
    return chain


def _behind(count: int) -> str:
    return f", {count} not covered yet" if count else ""


class Contents:
    """
    Checks the contents of the bodies of an export, besides their hashes.

    Streams are followed in as many readings as keep the memory for them bounded.
    """

    def __init__(self, export: Export) -> None:
        self.export = export
        self.streams = 0

    def check(self) -> str:
        """:raises Untrue: naming the first position or the first receipt that is wrong."""
        parts = self.export.manifest["events"] // STREAMS_MAX + 1
        events, position = enumerate(self._bodies(parts)), 0
        for nth, line in enumerate(self.export.lines("receipts.jsonl")):
            position += self._command(nth, _canonical(line, f"receipt {nth}"), events, position)
        for position, _ in events:
            raise Untrue(f"position {position}: of no command.")
        for part in range(1, parts):
            bodies = map(json.loads, self.export.lines("events.jsonl"))
            deque(self._follow(bodies, part, parts), maxlen=0)
        for name in sorted(self.export.manifest["files"].keys() - HASHED_IN_NOTES):
            for nth, line in enumerate(self.export.lines(name), 1):
                read_json(line, f"{name}, line {nth}")
        return (
            f"{count_of(self.streams, 'stream')} without gaps in"
            f" {count_of(position, 'canonical body', 'canonical bodies')}"
        )

    def _bodies(self, parts: int) -> Iterator[dict[str, Any]]:
        """The bodies, checked one by one; the first part of the streams is followed at once."""
        lines = enumerate(self.export.lines("events.jsonl"))
        bodies = (_canonical(line, f"position {position}") for position, line in lines)
        house = self.export.manifest["establishment"]
        for position, body in enumerate(self._follow(bodies, 0, parts)):
            if body.get("establishment") != house:
                raise Untrue(f"position {position}: of another establishment.")
            yield body

    def _command(
        self,
        nth: int,
        receipt: dict[str, Any],
        events: Iterator[tuple[int, dict[str, Any]]],
        begin: int,
    ) -> int:
        """Check the events that a receipt claims, which are the next ones; how many there are."""
        first, last = receipt.get("first_position"), receipt.get("last_position")
        if first is None and last is None:
            return 0
        if type(first) is not int or type(last) is not int or first != begin or last < first:
            raise Untrue(f"receipt {nth}: says positions {(first, last)}, its turn is {begin}.")
        for position, body in islice(events, last - first + 1):
            if body.get("command_id") != receipt.get("command_id"):
                raise Untrue(f"receipt {nth}: says position {position}, which is not of it.")
            if body.get("command_seq") != position - first:
                raise Untrue(f"position {position}: out of order in its command.")
            begin = position + 1
        if begin != last + 1:
            raise Untrue(f"receipt {nth}: says position {last}, the events end at {begin - 1}.")
        return last - first + 1

    def _follow(
        self, bodies: Iterable[dict[str, Any]], part: int, parts: int
    ) -> Iterator[dict[str, Any]]:
        """The bodies; in this part of the streams, versions are checked to have no gap."""
        versions: dict[str, int] = {}
        for position, body in enumerate(bodies):
            stream, version = body.get("stream"), body.get("stream_version")
            if not isinstance(stream, str) or len(stream) > NAME_MAX or type(version) is not int:
                raise Untrue(f"position {position}: no stream, or no version of it.")
            if hash(stream) % parts == part:
                if version != versions.get(stream, 0) + 1:
                    raise Untrue(
                        f"position {position}: version {version} of {stream} is out of order."
                    )
                versions[stream] = version
            yield body
        self.streams += len(versions)


def _canonical(line: bytes, what: str) -> dict[str, Any]:
    """Parse canonical JSON: RFC 8785, for whole numbers and texts only."""
    try:
        value = json.loads(
            line, object_pairs_hook=_in_order, parse_float=_no_float, parse_constant=_no_float
        )
        spelled = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise Untrue(f"{what}: {error}") from None
    if not isinstance(value, dict) or spelled != line:
        raise Untrue(f"{what}: not canonical JSON.")
    return value


def _in_order(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key.encode("utf-16-be") for key, _ in pairs]
    for (key, _), one, other in zip(pairs, keys, keys[1:], strict=False):
        if one >= other:
            raise ValueError(f"{key[:60]!r} stands twice in one object, or not in its order")
    return dict(pairs)


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is not a whole number")


# The command line -------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        for lines in options.check(options):
            for line in lines.split("\n"):
                _print(line, sys.stdout)
        sys.stdout.flush()
    except Untrue as reason:
        _print(f"FALSE: {reason}", sys.stderr)
        return 1
    except BrokenPipeError:  # nobody reads on; Python would write once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except (Undecided, Unreadable, OSError) as reason:
        _print(f"NOT SHOWN: {reason}", sys.stderr)
        return 2
    except KeyboardInterrupt:
        _print("NOT SHOWN: interrupted.", sys.stderr)
        return 2
    return 0


def _print(line: str, to: TextIO) -> None:
    """Print one line, with escapes for what a terminal would not show, or would obey."""
    shown = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in line)
    encoding = to.encoding or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding), file=to)


def receipt(options: argparse.Namespace) -> Iterator[str]:
    found = Receipt.parse(read_file(options.file))
    found.check()
    reasons = _trust(options).believe(found.checkpoint)
    yield f"TRUE: recorded at position {found.index} of {found.checkpoint.origin}"
    yield from (f"  {reason}" for reason in reasons)
    recorded = json.dumps(read_json(found.body, "receipt"), indent=2, ensure_ascii=False)
    yield "  what was recorded:\n" + "\n".join(f"    {line}" for line in recorded.split("\n"))
    yield "  (recorded: whether it was paid or taken back since, the house tells)"


def consistency(options: argparse.Namespace) -> Iterator[str]:
    """Check that the newer of two checkpoints continues the older one."""
    one, other = sorted(
        (Checkpoint.parse(read_file(path), str(path)) for path in options.files),
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
        raise Undecided(
            f"Give the link from {one.size} to {count_of(other.size, 'event')} (--link)."
        )
    for link in links:
        link.check(one)
    yield (
        f"TRUE: the first {one.size} of {count_of(other.size, 'event is', 'events are')} the"
        " same in both"
    )


def export(options: argparse.Namespace) -> Iterator[str]:
    found, trust = Export(options.where), _trust(options)
    held = found.check(trust, contents=options.contents)
    yield f"TRUE: {options.where}" + (", of what is signed" if found.unsigned(trust) else "")
    yield from (f"  {each}" for each in held)


def _trust(options: argparse.Namespace) -> Trust:
    keys: list[Key] = []
    for given in options.key:
        keys.extend(read_keys(given))
    return Trust(
        keys=tuple(keys),
        kept=tuple(Checkpoint.parse(read_file(path), str(path)) for path in options.checkpoint),
        links=tuple(Link.parse(read_file(path)) for path in options.link),
    )


def read_keys(given: str) -> list[Key]:
    """The keys that were given: a key, or the name of a file with one on each line."""
    path = Path(given)
    if len(given) < NAME_MAX and path.is_file():
        given = read_file(path).decode(errors="replace")
    return [Key.parse(line) for line in given.splitlines() if line.strip()]


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
