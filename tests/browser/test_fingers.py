"""Fingers that no click follows: what they were meant for is refused in sight, and no die moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import box_of
from tests.browser.test_taps import FILLED, PLACE, SEEN, Hand, opens

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]
SLID = "A finger slid, or two came down at once. Tap it again."
SCROLLED = """css => document.querySelector(css)
    .dispatchEvent(new Event("scroll"))"""


class Fingers:
    def __init__(self, page: Page) -> None:
        self._line = page.context.new_cdp_session(page)

    def lie(self, *places: tuple[float, float]) -> None:
        self._send("touchStart" if places else "touchEnd", places)

    def slide(self, *places: tuple[float, float]) -> None:
        self._send("touchMove", places)

    def _send(self, kind: str, places: tuple[tuple[float, float], ...]) -> None:
        points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(places)]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def cancel(self) -> None:
        self._send("touchCancel", ())


def with_fingers(people: People) -> tuple[Person, Hand, Fingers]:
    mira = people.arrives("mira", has_touch=True, viewport={"width": 834, "height": 1112})
    opens(mira, "Stone Hand")
    return mira, Hand(mira), Fingers(mira.page)


def middle(thing: Locator) -> tuple[float, float]:
    box = box_of(thing)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_that_slides_and_two_at_once_are_refused_in_sight(people: People) -> None:
    mira, hand, fingers = with_fingers(people)
    page = mira.page
    (x, y), other = page.evaluate(PLACE, 2), page.evaluate(PLACE, 7)
    mira.taps(3)
    page.wait_for_timeout(SEEN)
    expect(page.locator("#say")).to_be_empty()  # a tap is none of these

    fingers.lie((x, y), other)
    fingers.lie()
    hand.said(SLID)
    page.evaluate("() => floor.say('')")
    fingers.lie((x, y))
    fingers.slide((x + 30, y))
    fingers.lie()

    hand.said(SLID)
    expect(page.locator(FILLED)).to_have_count(1)
    mira.taps(3, 4)
    hand.said("Some taps were not taken. Is this the throw?")
    assert hand.sent == []


@pytest.mark.long
def test_a_finger_that_the_device_takes_away_is_missed_too_unless_it_scrolls(
    people: People,
) -> None:
    mira, hand, fingers = with_fingers(people)
    page = mira.page
    x, y = page.evaluate(PLACE, 2)

    fingers.lie((x, y))
    page.evaluate(SCROLLED, "#log ol")  # the page itself has scrolled, and elsewhere
    fingers.cancel()
    hand.said(SLID)
    assert page.evaluate("() => taps.isDoubted()")
    page.evaluate("() => { taps.trust(); floor.say(''); }")

    fingers.lie((x, y))
    fingers.slide((x, y - 40))
    page.evaluate(SCROLLED, "#main")
    fingers.lie()
    page.wait_for_timeout(SEEN)
    expect(page.locator("#say")).to_be_empty()


@pytest.mark.long
def test_a_finger_on_what_is_no_entry_casts_no_doubt_on_dice(people: People) -> None:
    mira, hand, fingers = with_fingers(people)
    page = mira.page
    x, y = middle(page.locator(".head-back"))
    fingers.lie((x, y))
    fingers.slide((x + 30, y))
    fingers.lie()

    hand.said(SLID)
    assert not page.evaluate("() => taps.isDoubted()")
    page.evaluate("() => floor.say('')")
    mira.presses(page.locator("#do-more"))
    mira.presses(page.locator("#sure-pause > summary"))
    x, y = middle(page.locator("#pause-note"))
    fingers.lie((x, y))
    fingers.slide((x + 30, y))
    fingers.lie()
    page.wait_for_timeout(SEEN)
    expect(page.locator("#say")).to_be_empty()
