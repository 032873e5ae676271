"""
Names, titles and first lines of docstrings use the usual words: those that are not used, and what
is said instead. Within a sentence a word may stand in its plain sense ("the list beside it").
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from bench import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.once

ROOT: Final = Path(__file__).resolve().parent.parent
RIDDLES: Final = {
    "ailment": "fault",
    "ails": "is wrong with",
    "askew": "turned",
    "borne": "carried, named",
    "brood": "children, effects",
    "croupier": "random player",
    "door": "address, entrance, way in",
    "doors": "addresses, entrances, ways in",
    "hither": "here",
    "mortal": "that can be killed",
    "tardy": "late",
    "thence": "from there",
    "thither": "there",
    "unhurried": "in batches",
    "untold": "not described",
    "veil": "pseudonym",
    "whence": "from where",
    "whereabouts": "place",
    "wherein": "in which",
    "whereof": "of which",
    "whither": "where",
    "worlds": "houses, data of a test",
}
"""Used nowhere: in no name, in no title, in no first line of a docstring."""
IN_NO_NAME: Final = {
    **RIDDLES,
    "apart": "separate, different, distinguish",
    "badly": "what is wrong",
    "beside": "similar, next to, with",
    "besides": "other, more",
    "brings": "registers, carries, adds",
    "lately": "recent",
    "mad": "flooding, without end",
    "mend": "repair, correct",
    "mended": "repaired, corrected",
    "spoilt": "unreadable, changed",
    "stint": "turn, seconds",
    "stood": "at, state",
    "told": "described, in words, reported",
    "tried": "attempt, trial, checked",
    "twins": "duplicates",
    "unkept": "not stored",
}
"""Plain in a sentence; in a name of the program nobody finds what it stands for."""
TAKEN: Final = {
    "Standing": "the state of what: DayState, WaitingList, Assurance, SeatState",
    "standing": "as for Standing",
}
"""Whole names of classes and modules that stood for many things."""
OF_OTHERS: Final = {"BesideShape", "TriedShape", "BRINGS_MONEY"}
"""Components of the API's description, which clients name; and a word of the games' rules."""
PROGRAM: Final = ("casino", "games", "ledger", "bench")
PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
NAMED: Final = re.compile(
    r"^ *(?:async )?(?:def|class) (\w+)|^([A-Z_][A-Z0-9_]{2,})(?:: [^=\n]+)? = ", re.MULTILINE
)
TESTS: Final = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
CLASSES: Final = re.compile(r"^ *class (\w+)", re.MULTILINE)
DOCSTRING: Final = re.compile(
    r'(?:\A|^ *(?:async )?(?:def|class) [^\n]*(?:\n(?! *""")[^\n]*)*?:\n) *"""\n? *(\S[^\n]*)',
    re.MULTILINE,
)
TITLE: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


@cache
def sources(*folders: str) -> tuple[tuple[str, str], ...]:
    """The dotted names and texts of the modules below folders."""
    return tuple((name, path.read_text("utf-8")) for name, path in tree.modules(*folders).items())


def words(name: str) -> set[str]:
    return {each.lower() for each in PARTS.findall(name)}


def names() -> Iterator[tuple[str, str]]:
    """The names that the program gives, each with its module."""
    for module, text in sources(*PROGRAM):
        yield module, module.rpartition(".")[2]
        for match in NAMED.finditer(text):
            yield module, match[1] or match[2]


def sentences() -> Iterator[tuple[str, str]]:
    """Names of tests, first lines of docstrings, and titles, each with its file."""
    for module, text in sources(*PROGRAM, "tests"):
        for match in (*TESTS.finditer(text), *DOCSTRING.finditer(text)):
            yield module, match[1]
    for path in (*ROOT.joinpath("docs").rglob("*.md"), *ROOT.glob("*.md")):
        for title in TITLE.findall(FENCED.sub("", path.read_text("utf-8"))):
            yield path.relative_to(ROOT).as_posix(), title


def test_no_name_has_a_word_that_is_not_used() -> None:
    found = [
        f"{module}: {name}: say {IN_NO_NAME[word]}"
        for module, name in names()
        if name not in OF_OTHERS
        for word in words(name) & IN_NO_NAME.keys()
    ]

    assert found == []


def test_no_class_and_no_module_has_a_name_of_many_things() -> None:
    for module, text in sources(*PROGRAM):
        given = {module.rpartition(".")[2], *CLASSES.findall(text)}
        assert not given & TAKEN.keys(), module


def test_no_name_of_a_module_of_tests_has_one() -> None:
    last = (module.rpartition(".")[2] for module, _ in sources("tests"))

    assert [name for name in last if words(name) & IN_NO_NAME.keys()] == []


def test_no_title_no_first_line_and_no_name_of_a_test_is_a_riddle() -> None:
    found = [
        f"{where}: {said}: say {RIDDLES[word]}"
        for where, said in sentences()
        for word in words(said) & RIDDLES.keys()
    ]

    assert found == []


def test_the_words_would_be_found() -> None:
    """Else a change of the patterns would let all of them in."""
    assert words("TardyAct") | words("_LIES_APART") == {"tardy", "act", "lies", "apart"}
    one = 'class A:\n    """One."""\n'
    two = '    def b(\n        self,\n    ) -> None:\n        """\n        Two.\n        """\n'
    assert DOCSTRING.findall(f'"""Zero."""\n{one}\n{two}') == ['Zero."""', 'One."""', "Two."]
    assert len([*names()]) > 10_000
    assert len([*sentences()]) > 10_000
