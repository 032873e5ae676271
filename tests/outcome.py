"""What came of a run of everything: what passed, what failed, what could not run and why."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET


@dataclass
class Outcome:
    failed: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)
    ran: set[str] = field(default_factory=set)
    skipped: dict[str, str] = field(default_factory=dict)  # test -> reason
    passed: dict[str, dict[str, bool]] = field(default_factory=dict)  # file -> suite, and each test

    def step(self, name: str, *, ok: bool, seconds: float) -> None:
        self.summary.append(f"  {'passed' if ok else 'FAILED'}  {seconds:6.1f} s  {name}")
        if not ok:
            self.failed.append(name)

    def remember(self, report: Path, suite: str = "") -> None:
        """Take in which tests a run of pytest ran and skipped; one that died left no report."""
        if not report.exists():
            return
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it just now
            self._shown(case, suite)
            test = f"{case.get('classname')}::{case.get('name')}"
            skip = case.find("skipped")
            if skip is None or skip.get("type") == "pytest.xfail":
                self.ran.add(test)
            else:
                self.skipped[test] = str(skip.get("message"))

    def _shown(self, case: ET.Element, suite: str) -> None:
        """Whether a test passed, and with it its file: each of its cases must have."""
        if case.find("skipped") is not None:
            return
        well = case.find("failure") is None and case.find("error") is None
        file = f"{str(case.get('classname')).replace('.', '/')}.py"
        name = str(case.get("name")).partition("[")[0]
        for test in (file, f"{file}::{name}"):
            suites = self.passed.setdefault(test, {})
            suites[suite] = suites.get(suite, True) and well

    def write(self, path: Path, *, tests: Sequence[str], commit: str) -> None:
        """Leave what is known of some tests for the house's page of controls."""
        fields = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": commit,
            "passed": {test: self.passed[test] for test in tests if test in self.passed},
        }
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(fields, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    def never_ran(self) -> list[str]:
        """Reasons, each with how many tests it kept from running on any database."""
        reasons = [why for test, why in self.skipped.items() if test not in self.ran]
        return [f"{reasons.count(why)} tests: {why}" for why in dict.fromkeys(reasons)]
