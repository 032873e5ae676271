"""Tables of figures: medians of repetitions, and ratios of figures measured at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

Repeated = Sequence[float]  # one measured value for each repetition


@dataclass(slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, label: str, *cells: str) -> None:
        self.rows.append((label, *cells))

    def __str__(self) -> str:
        """The table in Markdown, ready for a page."""
        lines = [
            f"### {self.title}",
            "",
            _line(self.columns),
            _line(["---", *["---:"] * (len(self.columns) - 1)]),
            *map(_line, self.rows),
        ]
        return "\n\n".join(["\n".join(lines), *self.notes])


def number(figures: Repeated | None) -> str:
    """The median, to three digits; a dash if nothing was measured."""
    if not figures:
        return "-"
    middle = median(figures)
    return f"{middle:,.0f}" if middle >= 10 else f"{middle:.3g}"


def ratio(ours: Repeated | None, theirs: Repeated | None) -> str:
    """The median of the ratios, repetition by repetition."""
    return f"{quotient(ours, theirs):.2f} x" if ours and theirs else "-"


def quotient(ours: Repeated, theirs: Repeated) -> float:
    return median(mine / other for mine, other in zip(ours, theirs, strict=True))


def spread(figures: Repeated) -> float:
    """The spread of the repetitions, as a part of their median."""
    return (max(figures) - min(figures)) / (median(figures) or 1)


def percentile(sorted_figures: Sequence[float], percent: float) -> float:
    last = len(sorted_figures) - 1
    return sorted_figures[min(last, round(last * percent / 100))]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
