"""A copy of the source in which a fault is planted, and the short form run on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from tests import forms, template
from tests.__main__ import OF_A_HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.mutations.fault import Fault

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDERS: Final = ("casino", "docs", "games", "ledger", "locale", "templates", "tests")
FILES: Final = ("manage.py", "pyproject.toml")
COMPILED: Final = shutil.ignore_patterns("__pycache__")
BYTECODE: Final = "PYTHONPYCACHEPREFIX"
TRIGGERS: Final = "ledger/sql/"
HOUR: Final = 3600
AT_MOST: Final = 300  # seconds: what a fault has sent round in circles is not found, but ended


@dataclass(frozen=True, slots=True)
class Ran:
    """
    What pytest came to.

    :param code: of its exit; `failed`: tests; `errors`: what could not even begin.
    """

    code: int
    failed: int
    errors: int
    said: str = ""

    @property
    def found(self) -> bool:
        """A test failed. Where modules do not load, or no test is in the short form, none did."""
        return self.code == 1 and self.failed > 0


@contextmanager
def copied(to: Path) -> Iterator[Path]:
    """The source in a folder; in the end what Python has compiled of it is gone, too."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, to / name, ignore=COMPILED)
    for name in FILES:
        shutil.copy2(ROOT / name, to / name)
    yield to
    if prefix := os.environ.get(BYTECODE):
        shutil.rmtree(Path(prefix, *to.parts[1:]), ignore_errors=True)


def misfit(fault: Fault, root: Path = ROOT) -> str:
    """Why a fault cannot be planted, or its test not be run; "": it can."""
    found = (root / fault.path).read_text(encoding="utf-8").count(fault.old)
    if found != 1:
        return f"“{fault.says}”: its text is {found} times in {fault.path}, not once."
    if not (root / fault.test).is_file():
        return f"“{fault.says}”: there is no {fault.test}."
    return ""


@contextmanager
def planted(fault: Fault, root: Path) -> Iterator[None]:
    """
    While it lasts, the fault is in the source.

    By its time the file is an hour younger then: no bytecode of either is taken for the other's.
    """
    path = root / fault.path
    text, at = path.read_text(encoding="utf-8"), path.stat().st_mtime
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    os.utime(path, (at + HOUR, at + HOUR))
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, (at, at))


def run(fault: Fault, root: Path, report: Path) -> Ran:
    """The file of tests that is to find it, as the short form has it, to the first that fails."""
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--junitxml={report}")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, fault.test],
        cwd=root,
        env=surroundings(fault),
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=AT_MOST,
    )
    suite = ET.parse(report).getroot().find("testsuite") if report.exists() else None  # noqa: S314 - our own
    counted = {} if suite is None else suite.attrib
    failed, errors = (int(counted.get(name, 0)) for name in ("failures", "errors"))
    return Ran(done.returncode, failed, errors, done.stdout)


def surroundings(fault: Fault) -> dict[str, str]:
    """
    The short form's on SQLite, without what this run of pytest tells its own processes.

    Triggers are part of the migrated template: a fault in those needs a database made anew.
    """
    left_out = {forms.VARIABLE, *OF_A_HOUSE}
    if fault.path.startswith(TRIGGERS) or os.environ.get("DATABASE_URL"):
        left_out.add(template.VARIABLE)
    return {
        name: value
        for name, value in os.environ.items()
        if name not in left_out and not name.startswith("PYTEST_")
    }
