"""Files of strangers are read a bounded part at a time, whatever they are packed into."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from ledger import verify
from tests.ledger.building import HOUSE, appended
from tests.ledger.exported import exported, key_of, signed, status
from tests.processes import ROOT

MEMORY: Final = 400 << 20  # bytes of address space, of which Python itself takes a third
HUGE: Final = 8 << 30  # bytes of a file with holes, which takes no place on the disk
DEEP: Final = b"[" * 1_000_000 + b"\n"

LIMITED: Final = """
import json, resource, sys
from ledger import verify
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
for arguments in json.loads(sys.argv[1]):
    print(verify.main(arguments), flush=True)
"""
"""A process with little memory, to which every file is shown in turn."""


def in_little_memory(*commands: list[str]) -> tuple[list[str], list[str]]:
    """The exit status of each command of the verifier, and the line in which it says why."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(memory=MEMORY), json.dumps(commands)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr.splitlines()


def with_holes(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(HUGE)


@pytest.mark.django_db
def test_no_file_of_an_export_fills_the_memory(tmp_path: Path) -> None:
    """A line, a manifest, a note without an end; brackets in brackets."""
    appended(events=3)
    signed()
    names = ["manifest.json", "manifest.note", *verify.LEDGER_FILES]
    for name in names:
        with_holes(exported(tmp_path / f"long-{name}") / name)
        (exported(tmp_path / f"deep-{name}") / name).write_bytes(DEEP)
    places = sorted(each for each in tmp_path.iterdir() if each.is_dir())

    found, said = in_little_memory(
        *(["export", str(each), "--contents", "--key", key_of()] for each in places)
    )

    assert len(found) == len(said) == len(places) == 2 * len(names)
    assert set(found) <= {"1", "2"}
    for where, line in zip(places, said, strict=True):
        assert where.name.partition("-")[2].partition(".")[0].removesuffix("s") in line  # 1 event


@pytest.mark.django_db
def test_no_receipt_checkpoint_link_or_file_of_keys_fills_the_memory(tmp_path: Path) -> None:
    appended()
    kept = tmp_path / "kept"
    kept.write_text(signed().note)
    huge, where = str(tmp_path / "huge"), str(exported(tmp_path / "export"))
    with_holes(tmp_path / "huge")

    found, said = in_little_memory(
        ["receipt", huge],
        ["consistency", huge, str(kept)],
        ["consistency", str(kept), str(kept), "--link", huge],
        ["export", where, "--key", huge],
        ["export", where, "--checkpoint", huge],
        ["export", huge],
    )

    assert found == ["2"] * 6
    assert [huge in line or "zip" in line for line in said] == [True] * 6


def archive(to: Path, write: Callable[[zipfile.ZipFile], object]) -> str:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as made:
        write(made)
    return str(to)


def a_link() -> zipfile.ZipInfo:
    link = zipfile.ZipInfo("manifest.json")
    link.external_attr = 0o120777 << 16
    return link


def many(made: zipfile.ZipFile) -> None:
    for number in range(25_000):
        made.writestr(f"{number:x}".translate(LETTERS) + ".jsonl", b"")


def some(made: zipfile.ZipFile) -> None:
    for number in range(200):
        made.writestr(f"{number:x}".translate(LETTERS) + ".jsonl", b"")


def lzma(made: zipfile.ZipFile) -> None:
    made.writestr("manifest.json", b"{}", compress_type=zipfile.ZIP_LZMA)


def bomb(made: zipfile.ZipFile) -> None:
    with made.open("manifest.json", "w") as out:
        for _ in range(64):
            out.write(bytes(1 << 20))


LETTERS: Final = str.maketrans("0123456789", "ghijklmnop")

# fmt: off
ARCHIVES: Final = [
    ("bomb",     bomb,                                                  "packed like that"),
    ("many",     many,                                                  "list of files"),
    ("some",     some,                                                  "more than 100 files"),
    ("upwards",  lambda made: made.writestr("../manifest.json", b"{}"), "no file of an export"),
    ("absolute", lambda made: made.writestr("/manifest.json", b"{}"),   "no file of an export"),
    ("link",     lambda made: made.writestr(a_link(), b"/etc/passwd"),  "a link"),
    ("lzma",     lzma,                                                  "packed otherwise"),
]
# fmt: on


def test_no_archive_fills_the_memory_or_leads_elsewhere(tmp_path: Path) -> None:
    found, said = in_little_memory(
        *(["export", archive(tmp_path / name, write)] for name, write, _ in ARCHIVES)
    )

    assert found == ["2"] * len(ARCHIVES)
    for line, (_, _, why) in zip(said, ARCHIVES, strict=True):
        assert why in line


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_no_file_is_in_an_archive_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def twice(made: zipfile.ZipFile) -> None:
        made.writestr("manifest.json", b"{}")
        made.writestr("manifest.json", b"{}")

    assert verify.main(["export", archive(tmp_path / "twice", twice)]) == 2
    assert "twice" in capsys.readouterr().err


@pytest.mark.django_db
def test_a_folder_has_no_links_and_nothing_more_than_its_manifest_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    appended()
    signed()
    where = exported(tmp_path / "export")
    more = where / "more.jsonl"

    more.write_bytes(b"")
    assert status(where, "--key", key_of()) == 1
    assert "more.jsonl: not in the manifest" in capsys.readouterr().err
    more.unlink()
    more.symlink_to("/dev/zero")
    assert status(where, "--key", key_of()) == 2
    assert "more.jsonl: no file" in capsys.readouterr().err


@pytest.mark.django_db
def test_streams_are_followed_in_parts_as_in_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        appended(f"game/{number}", events=2)
    signed()
    where = exported(tmp_path / "export")
    monkeypatch.setattr(verify, "STREAMS_MAX", 3)

    assert status(where, "--key", key_of(), "--contents") == 0
    assert "7 streams without gaps in 14 canonical bodies" in capsys.readouterr().out


@pytest.mark.django_db
def test_only_what_the_given_key_has_signed_is_called_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkpoint of another origin, behind the house's own, covers nothing."""
    appended(events=3)
    mine = signed()
    appended("game/2")
    later = signed()
    where = exported(tmp_path / "export")
    file = where / "checkpoints.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    row = json.loads(lines[1])
    row["note"] = row["note"].replace(later.origin, f"elsewhere/{HOUSE}")
    renewed(where, "checkpoints.jsonl", [lines[0], json.dumps(row) + "\n"])

    assert status(where, "--key", key_of()) == 0
    said = capsys.readouterr().out
    assert f"{mine.size} events as signed, 1 not covered yet" in said
    assert "followers.jsonl: unsigned" in said
    assert "1 checkpoint of an origin whose key was not given" in said


def renewed(where: Path, name: str, lines: list[str]) -> None:
    """Rewrite a file, and its hash in the manifest."""
    data = "".join(lines).encode()
    (where / name).write_bytes(data)
    manifest = json.loads((where / "manifest.json").read_bytes())
    hashed = sha256(data).hexdigest()
    manifest["files"][name] = {"sha256": hashed, "bytes": len(data)}
    (where / "manifest.json").write_text(json.dumps(manifest))
