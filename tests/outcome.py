"""What came of a run of everything: what passed, what failed, what could not run and why."""

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET


@dataclass
class Outcome:
    failed: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)
    ran: set[str] = field(default_factory=set)
    skipped: dict[str, str] = field(default_factory=dict)  # test -> reason

    def step(self, name: str, *, ok: bool, seconds: float) -> None:
        self.summary.append(f"  {'passed' if ok else 'FAILED'}  {seconds:6.1f} s  {name}")
        if not ok:
            self.failed.append(name)

    def remember(self, report: Path) -> None:
        """Take in which tests a run of pytest skipped; one that died has left no report."""
        if not report.exists():
            return
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it just now
            test = f"{case.get('classname')}::{case.get('name')}"
            skip = case.find("skipped")
            if skip is None or skip.get("type") == "pytest.xfail":
                self.ran.add(test)
            else:
                self.skipped[test] = str(skip.get("message"))

    def never_ran(self) -> list[str]:
        """Reasons, each with how many tests it kept from running on any database."""
        reasons = [why for test, why in self.skipped.items() if test not in self.ran]
        return [f"{reasons.count(why)} tests: {why}" for why in dict.fromkeys(reasons)]
