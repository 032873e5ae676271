"""What docs/reference/controls.md names is there: where a control is met, which test shows it."""

from __future__ import annotations

import html
import json
from http import HTTPStatus
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve
from django.utils import translation

from casino.engine.processes import paths
from casino.house.attendants.models import Attendant
from casino.office.dashboard import controls
from tests.kit.web.test_words_shown import english_in, read
from tests.outcome import Outcome
from tests.support import builders

ROOT = Path(__file__).resolve().parent.parent
ROWS = controls.read_controls(
    (ROOT / "docs" / "reference" / "controls.md").read_text(encoding="utf-8")
)
HERE = {
    *("A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1", "B2", "B3", "B4", "C1", "C2", "C3"),
    *("D1", "D1b", "D2", "D3", "E1", "E2", "P1", "P2", "P3", "P4"),
}
REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="shows[one]"/>
<testcase classname="tests.a" name="shows[two]"><failure message="no"/></testcase>
<testcase classname="tests.a" name="other"/>
<testcase classname="tests.b" name="left"><skipped type="pytest.skip" message="why"/></testcase>
</testsuite></testsuites>"""


def test_every_control_of_money_the_day_and_the_book_has_its_row() -> None:
    known = [each.number for each in ROWS]
    assert set(known) >= HERE
    assert len(known) == len(set(known))


@pytest.mark.parametrize("control", ROWS, ids=lambda control: control.number)
def test_it_is_met_and_shown_where_the_page_says(control: controls.Control) -> None:
    file, _, test = control.test.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not test or f"def {test}(" in text, f"{control.number}: {control.test} is gone"
    for address in control.addresses:
        try:
            resolve(address)
        except Resolver404:
            pytest.fail(f"{control.number}: {address} is gone")


def test_a_run_leaves_what_it_showed_and_where(tmp_path: Path) -> None:
    outcome = Outcome()
    (tmp_path / "report.xml").write_text(REPORT)
    outcome.remember(tmp_path / "report.xml", "SQLite")
    tests = ["tests/a.py::shows", "tests/a.py::other", "tests/a.py", "tests/b.py::left"]
    outcome.write(tmp_path / "results" / controls.RESULTS, tests=tests, commit="abc")

    run = controls.last_run(tmp_path / "results")

    assert run is not None
    assert run.commit == "abc"
    assert run.passed == {
        "tests/a.py": {"SQLite": False},
        "tests/a.py::other": {"SQLite": True},
        "tests/a.py::shows": {"SQLite": False},
    }


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"at": "then", "commit": "", "passed": {}}'])
def test_what_nobody_can_read_shows_nothing(tmp_path: Path, content: str) -> None:
    assert controls.last_run(tmp_path) is None

    (tmp_path / controls.RESULTS).write_text(content)

    assert controls.last_run(tmp_path) is None


@pytest.mark.django_db
def test_the_page_names_every_control_and_its_test() -> None:
    house = builders.house()

    page = builders.signed_in(house.manager).get("/controls/")

    assert page.status_code == HTTPStatus.OK
    text = page.content.decode()
    for control in ROWS:
        assert f'id="{control.number}"' in text
        assert control.file in text
        assert control.claim in text


@pytest.mark.django_db
def test_the_page_is_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where a run has left what passed, with the names of databases."""
    suites = {"SQLite": True, "PostgreSQL and Redis": True}
    run = {"at": "2026-11-30T02:00:00+00:00", "commit": "abc"}
    passed = {each.test: suites for each in ROWS}
    (tmp_path / controls.RESULTS).write_text(json.dumps({**run, "passed": passed}))
    monkeypatch.setattr(paths, "TEST_RESULTS", tmp_path)
    house = builders.house()
    Attendant.objects.update(language="it")

    page = builders.signed_in(house.manager).get("/controls/").content.decode()

    assert "PostgreSQL, Redis, SQLite" in page
    assert english_in(read(page)) == set()
    with translation.override("en"):
        english = {text for each in ROWS for text in (each.asked, each.claim) if text}
    assert [text for text in english if text in html.unescape(page)] == []


def test_every_control_names_a_page_where_it_is_met() -> None:
    assert [each.number for each in ROWS if not each.addresses] == []
