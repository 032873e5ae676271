"""What a test of several browsers asks of one; what is found on a page is found alike in all."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WITHIN = 30.0  # seconds until a page must show what it should, however busy the machine is
EVERY = 0.05  # seconds between two looks

# A part of the page that is in sight, by selector and words; the words of a field are its label.
FIND = """(css, words) => {
  const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
  const said = (each) => [each.getAttribute("aria-label"), each.innerText,
    ...[...(each.labels ?? [])].map(({ innerText }) => innerText)].map(plain);
  const inSight = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 0;
  const matches = [...document.querySelectorAll(css)].filter(inSight)
    .filter((each) => !words || said(each).some((text) => text.includes(words)));
  return matches.find((each) => said(each).includes(words)) ?? matches[0];
}"""

# Where a finger hits it, [x, y] in CSS pixels: null as long as it is not there, waits for an answer
# or lies under something else.
AIM = f"""(css, words) => {{
  const thing = ({FIND})(css, words);
  if (!thing || thing.disabled) return null;
  if (document.querySelector('.play[data-state="sending"]')) return null;
  const box = thing.getBoundingClientRect();
  if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth)
    thing.scrollIntoView({{ block: "center", inline: "nearest", behavior: "instant" }});
  const {{ left, top, width, height }} = thing.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  const own = hit?.closest("label")?.control === thing;
  const same = own || thing.contains(hit) || hit?.contains(thing);
  return same && getComputedStyle(hit).pointerEvents !== "none" ? [x, y] : null;
}}"""

IN_SIGHT = f"(css, words) => Boolean(({FIND})(css, words))"
TEXT = f"(css, words) => ({FIND})(css, words)?.innerText.replace(/\\s+/g, ' ').trim() ?? null"
SELECT = f"""(css, words) => {{
  const field = ({FIND})(css, words);
  field?.focus();
  field?.select?.();
  return Boolean(field) && document.activeElement === field;
}}"""
VALUE = f"(css, words) => ({FIND})(css, words)?.value ?? null"


class Gone(Exception):  # noqa: N818 - nothing went wrong
    """The page that was asked is no longer there: it is being left for another."""


class Screen(ABC):
    """
    A window of one browser, with one person before it.

    :cvar name: what people call the browser.
    :cvar by_touch: whether its driver has a finger; else a press is one of the mouse.
    """

    name: ClassVar[str]
    by_touch: ClassVar[bool] = True

    # --- What each browser does in its own way ----------------------------------------------------

    @abstractmethod
    def goes(self, address: str) -> None:
        """Load a page, whole."""

    @property
    @abstractmethod
    def address(self) -> str: ...

    @abstractmethod
    def evaluate(self, function: str, *values: object) -> Any:
        """
        What a function of the page's own world returns, given as its source.

        :raises Gone: if the page went away meanwhile.
        """

    @abstractmethod
    def awaits(self, function: str, *values: object) -> Any:
        """What an asynchronous function of the page comes to."""

    @abstractmethod
    def puts_finger(self, x: float, y: float) -> None:
        """Press and let go at a point of the page, in CSS pixels of the window."""

    @abstractmethod
    def types(self, text: str) -> None:
        """Press keys, one after the other, wherever the focus is."""

    @abstractmethod
    def reloads(self) -> None: ...

    @abstractmethod
    def goes_back(self) -> None: ...

    @abstractmethod
    def forgets(self) -> None:
        """Take away the cookies of the page's house: nobody is signed in any more."""

    @abstractmethod
    def picture(self, file: Path) -> None:
        """What somebody sees now, as a PNG."""

    @abstractmethod
    def on_paper(self) -> bytes | None:
        """The page as PDF, if the driver can print."""

    @abstractmethod
    def key_in_the_port(self) -> bool:
        """Plug a passkey in that answers by itself; whether the browser has such a thing."""

    @abstractmethod
    def wrong(self) -> list[str]:
        """Errors that the page has left on the browser's console."""

    @abstractmethod
    def closes(self) -> None: ...

    # --- What is the same in all ------------------------------------------------------------------

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Look until something is there; what was seen. A page that is being left is waited for."""
        end = time.monotonic() + WITHIN
        while True:
            try:
                seen = holds()
            except Gone:
                seen = None
            if seen:
                return seen
            if time.monotonic() > end:
                raise AssertionError(f"{self.name}: {what}, at {self.address}")
            time.sleep(EVERY)

    def shows(self, css: str, words: str = "") -> bool:
        """Whether it is in sight now."""
        return bool(self.evaluate(IN_SIGHT, css, words))

    def text(self, css: str, words: str = "") -> str | None:
        """What stands in a part of the page, None where it is not in sight."""
        found: str | None = self.evaluate(TEXT, css, words)
        return found

    def sees(self, css: str, words: str = "") -> str:
        self.until(
            lambda: self.shows(css, words),
            f"{css} {words!r} is not in sight",
        )
        return self.text(css, words) or ""

    def misses(self, css: str, words: str = "") -> None:
        """Wait until it is in sight no more."""
        self.until(lambda: not self.shows(css, words), f"{css} {words!r} is still in sight")

    def presses(self, css: str, words: str = "") -> None:
        """With a finger, as soon as one would hit it where it was a moment before."""
        before: list[Any] = []

        def rests() -> Any:
            before.append(self.evaluate(AIM, css, words))
            return before[-1] if before[-2:] == [before[-1]] * 2 else None

        self.puts_finger(*self.until(rests, f"no finger hits {css} {words!r}"))

    def fills(self, label: str, text: str) -> None:
        """Put text into the field of this label, in the place of what stands there."""
        field = "input:not([type=hidden]), textarea, select"
        self.until(lambda: self.evaluate(SELECT, field, label), f"there is no field {label!r}")
        self.types(text)
        self.until(
            lambda: self.evaluate(VALUE, field, label) == text, f"{label!r} does not hold {text!r}"
        )

    def comes_to(self, part: str) -> None:
        """Wait for a page with this in its address, whole and with its scripts."""
        self.until(
            lambda: (
                part in self.address and self.evaluate("() => document.readyState === 'complete'")
            ),
            f"there is no page {part!r}",
        )
