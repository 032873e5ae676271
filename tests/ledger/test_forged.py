"""Whatever a stranger writes into a file, the verifier ends with one true sentence."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from ledger import verify
from tests.forms import how_often
from tests.ledger.building import HOUSE, appended
from tests.ledger.exported import CHECK, exported, key_of, signed, status

OTHER: Final = HOUSE.__class__(int=7)
FILES: Final = (verify.MANIFEST, "events.jsonl", "receipts.jsonl", "checkpoints.jsonl")
VALUES: Final[tuple[Any, ...]] = (
    None, True, -1, 1e308, 10**30, 10**4000,
    "", "\0", "\ud800", "\uff12", [], {}, [1], {"a": 1}, "9" * 20,
)  # fmt: skip
TEXTS: Final = ("", "\n", " ", "+", "/", "\u2014", "0", "=", "\x9b", "\ud800", "\n\n", "\uff12")


@pytest.fixture
def true(tmp_path: Path, db: None) -> Path:
    del db
    appended(events=3)
    signed()
    appended("game/2")
    signed()
    return exported(tmp_path / "true")


def write(where: Path, name: str, data: bytes) -> None:
    """Rewrite a file, and its hash in the manifest."""
    (where / name).write_bytes(data)
    if name != verify.MANIFEST:
        manifest = json.loads((where / verify.MANIFEST).read_bytes())
        manifest["files"][name] = {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
        (where / verify.MANIFEST).write_text(json.dumps(manifest))


# fmt: off
SPELLED_TWICE: Final[list[tuple[str, str, str]]] = [
    # what stands in a line, and what another reader may take instead
    (verify.MANIFEST,     '"format"', "format"),
    (verify.MANIFEST,     '"bytes"',  "bytes"),
    ("checkpoints.jsonl", '"note"',   "note"),
    ("receipts.jsonl",    '"actor"',  "actor"),
]
# fmt: on


@pytest.mark.parametrize(("name", "key", "named"), SPELLED_TWICE)
def test_a_key_that_stands_twice_is_named(
    true: Path, name: str, key: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (true / name).read_text().replace(key, f"{key}:0,{key}", 1)
    write(true, name, data.encode())

    assert status(true, "--contents", "--key", key_of()) in {1, 2}
    said = capsys.readouterr().err
    assert name in said or "Receipts 0" in said
    if name != "receipts.jsonl":  # the chain of receipts differs before a line is read
        assert f"'{named}' stands twice in one object" in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 1}', "'a' stands twice"),
        ('{"b": {"c": 0, "a": 1, "a": 2}}', "'a' stands twice"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1e999}', "1e999 is no number"),
        ("[" * 100_000, "recursion"),
        (b"\xff\xfe{\x00}\x00", "decode"),
        (b'{"a": "\xff"}', "decode"),
        ("\ufeff{}", "BOM"),
    ],
)  # fmt: skip
def test_json_that_readers_read_differently_is_none(text: str | bytes, why: str) -> None:
    with pytest.raises(verify.Unreadable, match=why):
        verify.read_json(text, "file")


def test_a_bodys_infinity_is_not_canonical() -> None:
    for text in (b'{"a":NaN}', b'{"a":Infinity}', b'{"a":1,"a":1}', b'{"b":1,"a":1}'):
        with pytest.raises(verify.Untrue, match="position 1: "):
            verify._canonical(text, "position 1")


@pytest.mark.parametrize("name", ["checkpoints.jsonl", verify.MANIFEST])
def test_what_is_of_another_house_is_not_in_an_export(
    true: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (true / name).read_text().replace(str(HOUSE), str(OTHER), 1)
    write(true, name, text.encode())

    assert status(true, "--key", key_of()) == 1
    assert "another house" in capsys.readouterr().err


def test_an_export_under_another_houses_id_is_not_this_ones(
    true: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without reading the bodies, too: the key that signs is of one house."""
    manifest = json.loads((true / verify.MANIFEST).read_text())
    write(true, verify.MANIFEST, json.dumps({**manifest, "establishment": str(OTHER)}).encode())

    assert status(true, "--key", key_of()) == 1
    assert "which is another house" in capsys.readouterr().err


def test_no_text_of_a_file_moves_a_terminals_cursor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason is one line, whatever is in a file: nobody can write TRUE over it."""
    note = tmp_path / "note"
    for sign in ("\x9b2J", "\u202e", "\u2028TRUE: ", "\x7f"):
        note.write_text(f"elsewhere{sign}\n1\n{'A' * 43}=\n\n\u2014 elsewhere {'A' * 92}\n")

        assert verify.main(["consistency", str(note), str(note), "--key", key_of()]) in {1, 2}

        said = capsys.readouterr().err
        assert sign not in said
        assert said.count("\n") == 1
        assert said.startswith(("FALSE: ", "NOT SHOWN: "))


def test_a_streams_name_is_shown_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    verify._print("version 1 of x\n\x1b[2JTRUE: all is well", sys.stdout)

    assert capsys.readouterr().out == "version 1 of x\\u000a\\u001b[2JTRUE: all is well\n"


@pytest.mark.parametrize("name", FILES)
def test_a_pipe_is_no_file(true: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody writes into it: whoever opened it would wait for ever."""
    (true / name).unlink()
    os.mkfifo(true / name)

    assert status(true, "--key", key_of()) == 2
    assert f"{name}: no file" in capsys.readouterr().err


def test_whoever_stops_reading_ends_it_without_a_word(true: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [*CHECK, str(true), "--key", key_of()],
            stdout=closed, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert (done.returncode, done.stderr) == (2, "")


def test_a_name_that_is_no_text_is_shown(true: Path) -> None:
    odd = true.parent / os.fsdecode(b"na\xefve")
    shutil.copytree(true, odd)

    done = subprocess.run([*CHECK, str(odd), "--key", key_of()], capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"TRUE: " in done.stdout


# Chance -----------------------------------------------------------------------------------------


def changed_value(value: Any, chance: Random) -> Any:
    """A value with something else somewhere in it."""
    deeper = chance.random() < 0.8
    if isinstance(value, dict) and value and deeper:
        name = chance.choice(list(value))
        if chance.random() < 0.15:
            return {key: of for key, of in value.items() if key != name}
        return {**value, name: changed_value(value[name], chance)}
    if isinstance(value, list) and value and deeper:
        nth = chance.randrange(len(value))
        return [*value[:nth], changed_value(value[nth], chance), *value[nth + 1 :]]
    if isinstance(value, str) and value and deeper:
        nth = chance.randrange(len(value))
        return value[:nth] + chance.choice(TEXTS) + value[nth + chance.randrange(2) :]
    return chance.choice(VALUES)


def changed_line(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines()
    nth = chance.randrange(len(lines))
    value = changed_value(json.loads(lines[nth]), chance)
    spelled = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines[nth] = spelled.encode(errors="surrogatepass")
    return b"".join(line + b"\n" for line in lines)


def changed_byte(data: bytes, chance: Random) -> bytes:
    at, many = chance.randrange(len(data)), chance.choice((1, 4, 50))
    some = chance.choice((b"", chance.randbytes(1), chance.randbytes(1) * many))
    return data[:at] + some + data[at + chance.choice((0, 1, many)) :]


CHANGES: Final[tuple[Callable[[bytes, Random], bytes], ...]] = (changed_line, changed_byte)


def test_no_change_ends_in_a_traceback(true: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance, copy = Random(7), true.parent / "copy"  # noqa: S311
    for nth in range(how_often(400)):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(true, copy)
        name, change = chance.choice(FILES), chance.choice(CHANGES)
        write(copy, name, change((copy / name).read_bytes(), chance))

        found = status(copy, "--contents", "--key", key_of())

        said = capsys.readouterr()
        assert found in {0, 1, 2}, nth
        assert (said.err.count("\n") == 1) == (found != 0), said.err


def test_no_field_of_an_archives_heads_ends_in_a_traceback(
    true: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Versions, flags, methods, sizes and places that Python's reader has other errors for."""
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for file in sorted(true.iterdir()):
            made.write(file, file.name)
    data = archive.read_bytes()
    begin = int.from_bytes(data[-6:-2], "little")
    for at in (*range(begin, begin + 46), *range(len(data) - 22, len(data)), *range(30)):
        for value in (0, 0x20, 0x40, 0xFF):
            archive.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])

            assert status(archive, "--key", key_of()) in {0, 1, 2}, (at, value)
    assert "NOT SHOWN" in capsys.readouterr().err
