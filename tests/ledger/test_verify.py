"""The independent verifier: public vectors of signed-note; what it believes, and what not."""

import ast
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from ledger import tiles, verify
from ledger.notes import SigningKey, sign
from ledger.verify import (
    Checkpoint,
    Key,
    Link,
    Receipt,
    Signature,
    Trust,
    Undecided,
    Unreadable,
    Untrue,
)
from tests.ledger.test_tree import LEAVES, by_definition, hash_of

# The key, text and signature that Go's note package is tested with (golang.org/x/mod/sumdb/note).
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNED = (
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngot"
    "pRZb6KE6RyyBwJnAM="
)
ORIGIN = "dice.example/house"
KEY = SigningKey.parse(SKEY).named(ORIGIN)
STRANGER = SigningKey.generate(ORIGIN)
CHAIN = "receipts 0 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
WHEN = "signed 2026-11-20T21:00:00.000000Z after 0"


def checkpoint(
    size: int, *keys: SigningKey, origin: str = ORIGIN, leaves: tuple[bytes, ...] = LEAVES
) -> Checkpoint:
    root = b64encode(by_definition(leaves[:size])).decode()
    text = f"{origin}\n{size}\n{root}\n{CHAIN}\n"
    return Checkpoint.parse(sign(text, keys or [KEY]).encode())


def link(old: int, size: int, *keys: SigningKey) -> Link:
    return Link(old, tuple(tiles.consistency(old, size, hash_of)), checkpoint(size, *keys))


def receipt(index: int, size: int, *keys: SigningKey) -> Receipt:
    proof = tuple(tiles.inclusion(index, size, hash_of))
    return Receipt(LEAVES[index], index, proof, checkpoint(size, *keys))


def test_the_note_of_gos_own_tests_is_written_and_read_to_the_byte() -> None:
    assert sign(TEXT, [SigningKey.parse(SKEY)]) == f"{TEXT}\n{SIGNED}\n"
    assert str(Key.parse(VKEY)) == str(SigningKey.parse(SKEY).public) == VKEY
    assert Key.parse(VKEY).signed(TEXT, Signature.parse(SIGNED).signature)
    assert not Key.parse(VKEY).signed(TEXT + "\n", Signature.parse(SIGNED).signature)


@pytest.mark.rows(40)
@pytest.mark.parametrize(
    "mangled",
    [
        *[VKEY[:at] for at in range(len(VKEY))],
        *[VKEY[at:] for at in range(1, len(VKEY))],
        *[VKEY[:at] + chr(ord(VKEY[at]) + 1) + VKEY[at + 1 :] for at in range(len(VKEY))],
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_a_mangled_key_is_no_key(mangled: str) -> None:
    """As in Go's TestNewVerifier: another length, another algorithm, another id."""
    with pytest.raises(Unreadable):
        Key.parse(mangled)


# fmt: off
BELIEVED = [
    # what is brought along                                          what is checked
    (Trust(keys=(KEY.public,)),                                      checkpoint(9)),
    (Trust(keys=(KEY.public,)),                                      checkpoint(9, STRANGER, KEY)),
    (Trust(keys=(STRANGER.public, KEY.public)),                      checkpoint(9)),
    (Trust(kept=(checkpoint(9),)),                                   checkpoint(9)),
    (Trust(kept=(checkpoint(9, KEY, STRANGER),)),                    checkpoint(9)),
    # An older tree than the one that was kept is part of it, whoever signed it.
    (Trust(kept=(checkpoint(12),), links=(link(9, 12),)),            checkpoint(9)),
    (Trust((KEY.public,), (checkpoint(9),), (link(9, 12),)),         checkpoint(12)),
    (Trust((KEY.public,), (checkpoint(9),)),                         checkpoint(12)),
]
FALSE = [
    (Trust(keys=(KEY.public,)),                                      checkpoint(9, STRANGER)),
    (Trust(keys=(KEY.public,)),                                      checkpoint(9, origin="x/y")),
    (Trust(kept=(checkpoint(9, origin="x/y"),)),                     checkpoint(9)),
    # The same size and another root: the house shows two books.
    (Trust(kept=(checkpoint(9, leaves=LEAVES[::-1]),)),              checkpoint(9)),
    (Trust((KEY.public,), (checkpoint(9, leaves=LEAVES[::-1]),)),    checkpoint(9)),
    (Trust(kept=(checkpoint(9),)),                                   checkpoint(9, STRANGER)),
    # A book that was changed before the checkpoint that was kept is none that continues it.
    (Trust((KEY.public,), (checkpoint(9, leaves=LEAVES[::-1]),), (link(9, 12),)), checkpoint(12)),
    (Trust(kept=(checkpoint(12),), links=(link(9, 12),)),  checkpoint(9, leaves=LEAVES[::-1])),
]
UNDECIDED = [
    (Trust(),                                                        checkpoint(9)),
    (Trust(kept=(checkpoint(9),)),                                   checkpoint(12)),
    (Trust(kept=(checkpoint(12),)),                                  checkpoint(9)),
    (Trust(kept=(checkpoint(12),), links=(link(7, 12),)),            checkpoint(9)),
    # Anybody can put events behind a tree whose hashes they have: only the key says who did.
    (Trust(kept=(checkpoint(9),), links=(link(9, 12, STRANGER),)),   checkpoint(12, STRANGER)),
]
# fmt: on


@pytest.mark.parametrize(("trust", "told"), BELIEVED)
def test_a_checkpoint_is_believed(trust: Trust, told: Checkpoint) -> None:
    assert trust.believe(told)


@pytest.mark.parametrize(("trust", "told"), FALSE)
def test_a_checkpoint_is_false(trust: Trust, told: Checkpoint) -> None:
    with pytest.raises(Untrue):
        trust.believe(told)


@pytest.mark.parametrize(("trust", "told"), UNDECIDED)
def test_what_was_given_does_not_tell(trust: Trust, told: Checkpoint) -> None:
    with pytest.raises(Undecided):
        trust.believe(told)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("\n9\n", "\n09\n", "one spelling"),
        ("\n9\n", "\n-9\n", "one spelling"),
        (f"{ORIGIN}\n", "", "no number"),
        ("\n\n", "\n", "no signatures"),
        (CHAIN, "receipt 0 AAAA", "line of receipts"),
        (CHAIN, CHAIN + "\nmore", "line of when it was signed"),
        (CHAIN, f"{CHAIN}\nsigned 2026-11-20 after 0", "line of when it was signed"),
        (CHAIN, f"{CHAIN}\n{WHEN}\nmore", "a line each"),
        (CHAIN, f"{CHAIN}\n{WHEN}0", "one spelling"),
        ("\u2014 ", "- ", "no signature line"),
        ("AAAA=", "AAAB=", "one base64 spelling"),
        ("\n9\n", "\r\n9\n", "do not belong"),
    ],
)
def test_a_checkpoint_has_one_spelling(old: str, new: str, match: str) -> None:
    note = checkpoint(9).note
    assert old in note

    with pytest.raises(Unreadable, match=match):
        Checkpoint.parse(note.replace(old, new, 1).encode())


def test_every_other_byte_of_a_receipt_is_noticed_with_the_key_alone() -> None:
    true = str(receipt(4, 9)).encode()
    trust = Trust(keys=(KEY.public,))

    def holds(data: bytes) -> bool:
        try:
            found = Receipt.parse(data)
            found.check()
            return bool(trust.believe(found.checkpoint))
        except (Unreadable, Untrue):
            return False

    assert holds(true)
    assert not any(
        holds(true[:at] + bytes([true[at] ^ 1 << bit]) + true[at + 1 :])
        for at in range(len(true))
        for bit in range(8)
    )
    assert not any(holds(true[:at] + true[at + 1 :]) for at in range(len(true)))


class TestOnTheCommandLine:
    @pytest.fixture
    def alone(self, tmp_path: Path) -> Path:
        """The file as an auditor gets it: in a folder of its own."""
        return Path(shutil.copy(verify.__file__, tmp_path / "verify.py"))

    def run(self, alone: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-I", alone, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    def file(self, alone: Path, name: str, text: object) -> Path:
        found = alone.parent / name
        found.write_text(str(text), encoding="utf-8")
        return found

    def test_a_receipt_is_true_false_or_not_to_be_told(self, alone: Path) -> None:
        told = self.file(alone, "told", Receipt(b"{}", 0, (), checkpoint(1, leaves=(b"{}",))))
        other = self.file(alone, "other", checkpoint(1).note)

        shown = self.run(alone, "receipt", told, "--key", str(KEY.public))
        false = self.run(alone, "receipt", told, "--checkpoint", other)
        unknown = self.run(alone, "receipt", told)

        assert (shown.returncode, false.returncode, unknown.returncode) == (0, 1, 2)
        assert shown.stdout.startswith(f"TRUE: recorded at position 0 of {ORIGIN}\n")
        assert "two different books" in false.stderr
        assert "--key" in unknown.stderr

    def test_of_two_checkpoints_the_newer_continues_the_older(self, alone: Path) -> None:
        files = [self.file(alone, str(size), checkpoint(size).note) for size in (12, 9)]
        good = self.file(alone, "good", link(9, 12))
        bad = self.file(alone, "bad", Link(9, link(9, 12).proof[::-1], checkpoint(12)))
        keys = self.file(alone, "keys", f"{KEY.public}\n")

        assert self.run(alone, "consistency", *files).returncode == 2
        assert self.run(alone, "consistency", *files, "--link", good, "--key", keys).returncode == 0
        assert self.run(alone, "consistency", *files, "--link", bad).returncode == 1

    def test_what_is_no_file_is_named(self, alone: Path) -> None:
        missing = self.run(alone, "receipt", alone.parent / "nowhere")

        assert missing.returncode == 2
        assert "nowhere" in missing.stderr
        assert "Traceback" not in missing.stderr

    def test_it_needs_nothing_but_the_standard_library_and_cryptography(self, alone: Path) -> None:
        imported = {
            name.partition(".")[0]
            for node in ast.walk(ast.parse(alone.read_text()))
            for name in _imports(node)
        }

        assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def _imports(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [each.name for each in names]
        case ast.ImportFrom(module=module) if module:
            return [module]
        case _:
            return []
