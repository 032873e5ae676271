"""The short form finds what it is there for: each of many faults, planted by hand, fails a test."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.mutations.planted import FAULTS
from tests.mutations.running import Ran, copied, misfit, planted, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.mutations.fault import Fault

LEAST = 30


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy for each process that runs tests: in there the faults come one after the other."""
    with copied(tmp_path_factory.mktemp("source")) as folder:
        yield folder


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize("fault", [pytest.param(each, id=each.says) for each in FAULTS])
def test_the_short_form_finds_it(fault: Fault, source: Path, tmp_path: Path) -> None:
    assert misfit(fault, source) == ""

    with planted(fault, source):
        ran = run(fault, source, tmp_path / "report.xml")

    assert ran.found, f"Nothing in {fault.test} fails by it:\n{ran.said[-3000:]}"


def test_every_fault_can_be_planted_and_has_a_test() -> None:
    """Where code has moved, the fault moves with it."""
    assert [each for fault in FAULTS if (each := misfit(fault))] == []
    assert [fault.says for fault in FAULTS if fault.old == fault.new] == []


def test_they_are_many_and_all_different() -> None:
    says = Counter(fault.says for fault in FAULTS)
    assert max(says.values()) == 1
    assert len(says) >= LEAST


def test_a_fault_whose_text_is_gone_or_stands_twice_says_so() -> None:
    gone, twice = (replace(FAULTS[0], old=old) for old in ("nobody wrote this", "def "))

    assert "is 0 times in games/payments.py" in misfit(gone)
    assert "not once" in misfit(twice)
    assert "there is no tests/games/test_none.py" in misfit(
        replace(FAULTS[0], test="tests/games/test_none.py")
    )


def test_what_is_planted_is_gone_in_the_end(tmp_path: Path) -> None:
    fault = replace(FAULTS[0], path="rules.py", old="= 1", new="= 2")
    path = tmp_path / fault.path
    path.write_text("POINT = 1\n")
    before = path.stat().st_mtime

    with planted(fault, tmp_path):
        assert path.read_text() == "POINT = 2\n"
        assert path.stat().st_mtime != before

    assert path.read_text() == "POINT = 1\n"
    assert path.stat().st_mtime == before


# fmt: off
RUNS = [
    # a test fails; none does; a module does not load; a fixture breaks; no test is left to run
    (Ran(1, failed=1, errors=0), True),
    (Ran(0, failed=0, errors=0), False),
    (Ran(2, failed=0, errors=1), False),
    (Ran(1, failed=0, errors=1), False),
    (Ran(5, failed=0, errors=0), False),
]
# fmt: on


@pytest.mark.parametrize(("ran", "found"), RUNS)
def test_a_fault_is_found_by_a_test_that_fails_and_by_nothing_else(
    ran: Ran, *, found: bool
) -> None:
    assert ran.found is found
