"""`manage.py replay`: one report a file, exit codes, and what goes to stderr."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

OPEN = '{"do": "open", "game": "stone-hand", "players": ["A", "B"], "stake": 5}'
THROW = '{"do": "throw", "player": "A", "dice": [1, 1, 2]}'
WRONG = '{"do": "throw", "player": "B", "dice": [1, 1, 2]}'


def replay(*arguments: object) -> int:
    try:
        call_command("replay", *map(str, arguments))
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def file(name: str, *lines: str) -> Path:
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return file


def test_each_file_is_one_report_on_one_line(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(write("a", OPEN, THROW), write("b", OPEN, WRONG)) == 0

    one, two = map(json.loads, capsys.readouterr().out.splitlines())
    assert one["throws"] == [
        {"line": 2, "player": "A", "dice": [1, 1, 2], "hand": "pair", "score": 2}
    ]
    assert two["refused"] == [
        {"line": 2, "code": "not_your_turn", "detail": "A throws, not B. SH2"}
    ]


def test_a_malformed_file_is_named_and_the_others_are_played(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = write("bad", OPEN, '{"do": "throw", "player": "A", "dice": 3}')

    assert replay(bad, write("good", OPEN)) == 2

    output = capsys.readouterr()
    assert f"{bad}:2: dice is a list" in output.err
    assert len(output.out.splitlines()) == 1


def test_what_cannot_be_read_is_like_malformed(
    tmp_path: Path, write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    latin = tmp_path / "latin"
    latin.write_bytes(f"{OPEN}\n".encode() + b'{"do": "close", "reason": "\xe9"}')

    assert replay(tmp_path / "missing", tmp_path, latin, write("empty"), write("good", OPEN)) == 2

    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 1
    assert len(output.err.splitlines()) == 4
    assert f"{latin}:2: Not UTF-8." in output.err


def test_strict_stops_at_the_first_refused_line(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay("--strict", write("a", OPEN, WRONG, THROW), write("b", OPEN)) == 3

    (report,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert report["throws"] == []
    assert [each["line"] for each in report["refused"]] == [2]


def test_pretty_is_the_same_report(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("a", OPEN, THROW)
    replay(path)
    plain = json.loads(capsys.readouterr().out)

    replay("--pretty", path)

    output = capsys.readouterr().out
    assert json.loads(output) == plain
    assert len(output.splitlines()) > 10


def test_a_separator_that_is_no_line_feed_ends_no_line(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    close = '{"do": "close", "reason": "late\u2028very"}'

    assert replay(write("a", OPEN + "\r", close)) == 0

    assert json.loads(capsys.readouterr().out)["status"] == "closed"
