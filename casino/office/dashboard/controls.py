"""
The controls that an auditor requires, where each is met, and the test that proves it.

The list is `docs/reference/controls.md`. The test results are in `test-results/controls.json`,
which a full run of the tests writes (`python3 run.py test`). A claim is as old as that run.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import pgettext

from casino.engine.processes import paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROW: Final = re.compile(r"^\| ([A-F]\d[a-z]?|P\d) \| (.+?) \| (.+?) \| `(.+?)` \|$", re.MULTILINE)
TEST: Final = re.compile(r" \(`tests/[^)]*\)")  # a second test, named after the requirement
CONTEXT: Final = "control"
"""The gettext context of what is required and proven; the catalogues take both from the list."""
AREAS: Final = "ABCDPEF"
"""The areas in order: pots and fees, custody, corrections, access, players, records, dice."""
RESULTS: Final = "controls.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """
    One control.

    :param requirement: what is required, in an English sentence; `asked` is the reader's.
    :param met: where it is met, in words; `addresses` are the pages that it names, one or more.
    :param test: the test that proves it: file and name.
    """

    number: str
    requirement: str
    met: str
    test: str

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]

    @property
    def asked(self) -> str:
        return pgettext(CONTEXT, self.requirement)

    @property
    def claim(self) -> str:
        """What the test proves, in the words of its name, or in the reader's language."""
        words = self.test.partition("::")[2].removeprefix("test_").replace("_", " ")
        return pgettext(CONTEXT, f"{words[0].upper()}{words[1:]}")

    @property
    def addresses(self) -> list[str]:
        return re.findall(r"`(/[^`]*)`", self.met)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """
    The last full run of the tests.

    :param commit: the commit that was tested; "" if it is unknown.
    :param passed: by test, then by database: whether the test passed there.
    """

    at: datetime
    commit: str
    passed: dict[str, dict[str, bool]]

    def of(self, control: Control) -> dict[str, bool]:
        """Whether a control's test passed, by database; empty if it did not run."""
        return self.passed.get(control.test, {})


def read_controls(text: str) -> list[Control]:
    """The controls of a page written like `docs/reference/controls.md`, in its order."""
    return [
        Control(number=number, requirement=TEST.sub("", requirement), met=met, test=test)
        for number, requirement, met, test in ROW.findall(text)
    ]


@cache
def controls() -> tuple[Control, ...]:
    """All controls that the house claims, area by area."""
    found = read_controls(paths.CONTROLS.read_text(encoding="utf-8"))
    return tuple(sorted(found, key=lambda each: (AREAS.index(each.number[0]), each.number)))


def last_run(folder: Path | None = None) -> Run | None:
    """The last full run of the tests; None if there was none, or it cannot be read."""
    path = (folder or paths.TEST_RESULTS) / RESULTS
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        return Run(
            at=datetime.fromisoformat(report["at"]),
            commit=report["commit"],
            passed=report["passed"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def rows_of_controls() -> Iterator[dict[str, Any]]:
    """Each control with the result of its test in the last run."""
    run = last_run()
    for place, control in enumerate(controls()):
        passed = run.of(control) if run else {}
        yield {
            "place": place,
            "control": control,
            "databases": sorted({each for suite in passed for each in suite.split(" and ")}),
            "state": "" if not passed else ("shown" if all(passed.values()) else "failed"),
        }
