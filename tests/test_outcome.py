"""What the test command says at its end: nothing is left out in silence."""

from pathlib import Path

import pytest

from tests import __main__ as program
from tests.outcome import Outcome

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="runs"/>
<testcase classname="tests.a" name="fails"><failure message="no"/></testcase>
<testcase classname="tests.a" name="here_not"><skipped type="pytest.skip" message="why"/></testcase>
<testcase classname="tests.b" name="never"><skipped type="pytest.skip" message="why"/></testcase>
<testcase classname="tests.b" name="known"><skipped type="pytest.xfail" message="a bug"/></testcase>
</testsuite></testsuites>"""


def remembered(outcome: Outcome, folder: Path, report: str) -> None:
    (folder / "report.xml").write_text(report)
    outcome.remember(folder / "report.xml")


def test_what_was_skipped_on_every_database_is_named_with_its_reason(tmp_path: Path) -> None:
    outcome = Outcome()
    remembered(outcome, tmp_path, REPORT)
    assert outcome.never_ran() == ["2 tests: why"]

    remembered(outcome, tmp_path, '<t><testcase classname="tests.a" name="here_not"/></t>')

    assert outcome.never_ran() == ["1 tests: why"]


def test_a_run_that_left_no_report_is_not_taken_for_one_that_skipped_nothing(
    tmp_path: Path,
) -> None:
    outcome = Outcome()
    outcome.remember(tmp_path / "none.xml")
    outcome.step("tests", ok=False, seconds=1.0)

    assert outcome.failed == ["tests"]


# fmt: off
ENDS = [
    # failed    not run     complete   status
    ([],        [],         "",        0),
    ([],        ["tests"],  "",        0),
    ([],        ["tests"],  "1",       1),
    (["lint"],  [],         "",        1),
]
# fmt: on


@pytest.mark.parametrize(("failed", "not_run", "complete", "status"), ENDS)
def test_where_everything_has_to_run_a_gap_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
    failed: list[str],
    not_run: list[str],
    complete: str,
    status: int,
) -> None:
    monkeypatch.setenv("CHROMIUM", "/bin/sh")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("HOME_THROW_COMPLETE", complete)

    assert program.close(Outcome(failed=failed, not_run=not_run)) == status
