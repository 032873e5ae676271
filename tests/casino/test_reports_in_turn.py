"""Reports that people wait for are drawn one by one in a process, also where one of them fails."""

from __future__ import annotations

import threading

import pytest

from casino.reports import asked_for

SOON = 10.0  # seconds; what is waited for comes at once, or never


def test_a_second_report_is_drawn_when_the_first_is_done() -> None:
    begun = threading.Event()

    def asks() -> None:
        with asked_for.in_turn():
            begun.set()

    second = threading.Thread(target=asks)
    with asked_for.in_turn():
        second.start()
        assert not begun.wait(0.05)
    assert begun.wait(SOON)
    second.join(SOON)


def test_a_report_that_fails_lets_the_next_one_be_drawn() -> None:
    with pytest.raises(ValueError, match="nothing to draw"), asked_for.in_turn():
        raise ValueError("nothing to draw")
    with asked_for.in_turn():
        pass
