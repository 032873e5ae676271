"""Reports that people wait for are drawn one by one in a process, also where one of them fails."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from casino.engine.processes import memory
from casino.house.attendants.models import Role
from casino.kit.documents import document
from casino.kit.documents.report import Column, Line, Report, Table
from casino.reports.registers import catalogue
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

SOON = 10.0  # seconds; what is waited for comes at once, or never


def others_wait() -> bool:
    """Whether somebody else who asks for a report now has to wait."""
    begun = threading.Event()

    def asks() -> None:
        with document.in_turn():
            begun.set()

    threading.Thread(target=asks, daemon=True).start()
    return not begun.wait(0.05)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A report that notes, with each line that is drawn of it, whether others wait."""
    found: list[bool] = []

    def lines(_query: Any) -> Iterator[Line]:
        found.append(others_wait())
        yield Line(cells=("drawn",))

    report = Report(
        name="noted", title="Noted", about="Who waits.", controls=("E6",),
        tables=(Table(name="all", title="All", columns=(Column(name="what", title="What"),),
                      lines=lines),),
    )  # fmt: skip
    monkeypatch.setitem(catalogue.BY_NAME, report.name, report)
    return found


def test_a_second_report_is_drawn_when_the_first_is_done() -> None:
    begun = threading.Event()

    def asks() -> None:
        with document.in_turn():
            begun.set()

    second = threading.Thread(target=asks)
    with document.in_turn():
        second.start()
        assert not begun.wait(0.05)
    assert begun.wait(SOON)
    second.join(SOON)


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["page", "file", "api"])
def test_whoever_asks_for_one_draws_it_in_turn(noted: list[bool], way: str) -> None:
    house = builders.house()
    office, program = builders.signed_in(house.auditor), house.client(Role.AUDITOR)
    answer = {
        "page": lambda: office.get("/reports/noted/"),
        "file": lambda: office.get("/reports/noted/", {"format": "csv"}),
        "api": lambda: program.get(f"/api/v1/establishments/{house.id}/reports/noted/"),
    }[way]()

    assert answer.status_code == 200
    assert noted == [True]
    assert not others_wait()


def test_what_a_report_needed_goes_back_once_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[str] = []
    monkeypatch.setattr(memory, "trim", lambda: given_back.append("trimmed"))

    with document.in_turn():
        assert given_back == []

    assert given_back == ["trimmed"]


def test_a_report_that_fails_lets_the_next_one_be_drawn() -> None:
    with pytest.raises(ValueError, match="nothing to draw"), document.in_turn():
        raise ValueError("nothing to draw")
    assert not others_wait()
