"""
``python -m bench.flames``: where a program's time goes, as one picture (a flame graph) for
browsers.

The input is *collapsed stacks*, one per line: frames from the outermost in, separated by ``;``,
then how often that stack was sampled. Sampling profilers write them, such as py-spy for a running
program:

    py-spy record --format raw --duration 60 --pid 4711 --output web.folded
    python -m bench.flames web.folded worker.folded --out docs/pictures/throw.svg

Each file becomes one flame; they stand side by side, as wide as their numbers of samples. Stacks
that only wait are left out, and so are the outer frames that all stacks of a file share (Gregg,
"The Flame Graph", ACM Queue 14(2), 2016).
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDE: Final = 1200  # pixels
HIGH: Final = 16  # of a frame
LETTER: Final = 6.6  # pixels of a character, about
LEAST: Final = 1.5  # pixels; narrower frames are not drawn
WAITS: Final = ("wait (", "accept (", "select (", "poll (", "bzpopmin", "_wait_for", "brpop")
SHARED: Final = 0.98  # of a program's stacks: frames that so many share tell nothing
PARTS: Final = {
    "games/": "#c2571a", "ledger/": "#a23b72", "casino/": "#2e6f9e", "psycopg/": "#6b8e23",
    "django/": "#8a8a8a", "rest_framework/": "#b0a48f", "celery/": "#7d6fb0", "kombu/": "#7d6fb0",
    "redis/": "#b5651d",
}  # fmt: skip
OTHER: Final = "#dcd8cd"
INK, PAPER = "#222", "#fff"
PALE: Final = frozenset({OTHER, PARTS["rest_framework/"]})
"""Colours that need dark text."""


@dataclass(slots=True)
class Frame:
    """
    A frame of the flame graph.

    :param met: how often it was on a stack.
    :param inner: the frames that it had called then.
    """

    name: str
    met: int = 0
    inner: dict[str, Frame] = field(default_factory=dict)

    def without_way_in(self) -> Frame:
        """The tree from where its stacks begin to differ, under the program's name."""
        inner = self.inner
        while inner:
            widest = max(inner.values(), key=lambda each: each.met)
            if widest.met < SHARED * self.met:
                break
            inner = widest.inner
        return Frame(self.name, self.met, inner)

    def take(self, stack: list[str], met: int) -> None:
        here = self
        here.met += met
        for name in stack:
            here = here.inner.setdefault(name, Frame(name))
            here.met += met


def read(lines: Iterable[str]) -> Counter[str]:
    """
    Collapsed stacks with their counts, without those that end in a wait.

    :raises ValueError: if a line is not a stack followed by a number.
    """
    found: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        stack, _, met = line.rstrip().rpartition(" ")
        if not stack or not met.isdecimal():
            raise ValueError(f"Line {number} is no collapsed stack: {line.strip()[:80]!r}.")
        if not stack.rpartition(";")[2].startswith(WAITS):
            found[stack] += int(met)
    return found


def drawn(root: Frame) -> str:
    """The picture as SVG."""
    boxes = list(_boxes(root, 0.0, WIDE / max(1, root.met), 0, root.met))
    deepest = max((level for level, _ in boxes), default=0) + 1
    body = "\n".join(box for _, box in boxes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {deepest * HIGH}"'
        f' font-family="monospace" font-size="11" role="img" aria-label="{escape(root.name)}">\n'
        f"{body}\n</svg>\n"
    )


def _boxes(
    frame: Frame, left: float, scale: float, level: int, whole: int
) -> Iterator[tuple[int, str]]:
    width = frame.met * scale
    if width < LEAST:
        return
    colour = _colour(frame.name)
    ink = INK if colour in PALE else PAPER
    share = f"{escape(frame.name)}: {100 * frame.met / max(1, whole):.1f} %"
    room = int((width - 6) / LETTER)
    text = escape(frame.name[:room]) if room > 2 else ""
    yield (
        level,
        (
            f'<g><title>{share}</title><rect x="{left:.1f}" y="{level * HIGH}" width="{width:.1f}"'
            f' height="{HIGH - 1}" fill="{colour}"/>'
            f'<text x="{left + 3:.1f}" y="{level * HIGH + 11}" fill="{ink}">{text}</text></g>'
        ),
    )
    for each in sorted(frame.inner.values(), key=lambda inner: inner.name):
        yield from _boxes(each, left, scale, level + 1, whole)
        left += each.met * scale


def _colour(name: str) -> str:
    where = name.partition("(")[2]
    return next((colour for part, colour in PARTS.items() if where.startswith(part)), OTHER)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stacks", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    root = Frame("all")
    for path in options.stacks:
        for stack, met in read(path.read_text(encoding="utf-8").splitlines()).items():
            root.take([path.stem, *stack.split(";")], met)
    root.inner = {name: each.without_way_in() for name, each in root.inner.items()}
    options.out.write_text(drawn(root), encoding="utf-8")


if __name__ == "__main__":
    main()
