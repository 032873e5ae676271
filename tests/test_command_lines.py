"""
Every command of the house, with every option given wrong values: a sentence and a status.

The options are read from the commands themselves, so a new command or option is here, too.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.core.management import get_commands, load_command_class

from casino.engine.processes import command
from casino.office.monitoring.management.commands import health
from tests.forms import every

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.core.management import BaseCommand

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NO_TEXT: Final = os.fsdecode(b"na\xefve\xff")  # bytes that are no UTF-8, as Python passes them on
NUMBER: Final = "9" * 30
WRONG: Final = (NO_TEXT, NUMBER, "-1", "0", "nan", "", "x" * 300, "\x1b[2J", "no such thing")
NUMBERS: Final = {NUMBER, "-1", "0", "nan"}
OURS: Final = sorted(name for name, app in get_commands().items() if app.startswith("casino."))
STARTS: Final = {"up", "demo"}
"""Commands that run until somebody ends them: of these only what no option of theirs reads."""


def parser_of(name: str) -> argparse.ArgumentParser:
    found: BaseCommand = load_command_class(get_commands()[name], name)
    return found.create_parser("manage.py", name)


def words(parser: argparse.ArgumentParser, folder: Path) -> Iterator[list[str]]:
    """Command lines: each option that takes a value, and each place of a word, with wrong ones."""
    own = [each for each in parser._actions if each.dest not in DJANGOS]
    for action in own:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield [name]
                yield from ([name, *line] for line in words(inner, folder))
        elif action.nargs != 0:
            needed = [word for each in own for word in filled(each, folder) if each is not action]
            yield from ([*needed, *action.option_strings[:1], wrong] for wrong in WRONG)
            if action.option_strings:
                yield [*needed, action.option_strings[0]]


def filled(action: argparse.Action, folder: Path) -> list[str]:
    """The words that a command cannot be called without."""
    if not action.required or isinstance(action, argparse._SubParsersAction):
        return []
    value = str(folder / "there") if action.type is not None else "some"
    if action.choices:
        value = str(next(iter(action.choices)))
    return [*action.option_strings[:1], value]


DJANGOS: Final = {
    "help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color",
    "force_color", "skip_checks",
}  # fmt: skip
"""Options that Django adds to every command."""


@pytest.mark.parametrize("name", OURS)
def test_a_wrong_word_ends_in_a_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [["--no-such-option"], *words(parser_of(name), tmp_path)][:: every(25)]
    for line in lines:
        if name in STARTS and (line[-1] in NUMBERS or line[:1] == ["--url"]):
            continue

        status, said = status_of([name, *line], capsys, monkeypatch)

        assert status or name not in STARTS, line
        assert said.strip() or not status, line


def status_of(
    words_of_it: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[object, str]:
    """The exit status of a command line, and what it said."""
    monkeypatch.setattr(sys, "argv", ["manage.py", *words_of_it])
    try:
        command.main()
    except SystemExit as ended:
        status = ended.code
    else:
        status = 0
    sys.stdout.flush()
    said = capsys.readouterr()
    return status, said.out + said.err


def test_bytes_that_are_no_text_are_named_before_anything_is_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for word, says in ((NO_TEXT, "the byte 0xef"), ("\x1b[2J", "U+001B"), ("\x7f", "U+007F")):
        status, said = status_of(["health", word], capsys, monkeypatch)

        assert status == 2
        assert says in said
        assert said.count("\n") == 1
        assert word not in said


def test_whoever_stops_reading_ends_the_command(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    monkeypatch.setattr(sys, "argv", ["manage.py", "odds", "--help"])
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)

        with pytest.raises(SystemExit) as ended:
            command.main()

    assert ended.value.code == 141
    assert capfd.readouterr().err == "Stopped: nobody reads what this writes.\n"


@pytest.mark.parametrize(
    ("happens", "status"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)]
)
def test_ctrl_c_ends_a_command_with_a_word(
    happens: BaseException, status: int, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def interrupted(*_: object, **__: object) -> None:
        raise happens

    monkeypatch.setattr(health.Command, "handle", interrupted)
    with Path(os.devnull).open("w", encoding="utf-8") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        monkeypatch.setattr(sys, "argv", ["manage.py", "health"])

        with pytest.raises(SystemExit) as ended:
            command.main()

    assert ended.value.code == status
    assert capfd.readouterr().err.startswith("Stopped")
