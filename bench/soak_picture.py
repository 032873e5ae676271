"""Draws the samples of `bench.soak` as a picture: the house's plots and style, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import django
from django.conf import settings
from playwright.sync_api import sync_playwright

from tests import chromium
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bench.soak_sample import Sample

STYLES: Final = ("tokens.css", "base.css", "plots.css")
TEMPLATES: Final = {"BACKEND": "django.template.backends.django.DjangoTemplates"}
WIDE: Final = 1280  # pixels
NAMED_MOST: Final = 4  # lines in one plot: the style has no more strokes


def draw(samples: Sequence[Sample], path: Path) -> None:
    """
    Write the picture as PNG.

    :raises RuntimeError: if there is no browser.
    """
    browser_here = chromium.find()
    if browser_here is None:
        raise RuntimeError(chromium.MISSING)
    # Plots are text: no house is needed, but for the templates that they are drawn by.
    settings.configure(USE_I18N=False, TEMPLATES=[{**TEMPLATES, "DIRS": [ROOT / "templates"]}])
    django.setup()
    drawn = page(samples)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_here)
        tab = browser.new_page(viewport={"width": WIDE, "height": 400})
        tab.set_content(drawn)
        tab.screenshot(path=path, full_page=True)
        browser.close()


def page(samples: Sequence[Sample]) -> str:
    """The plots as one page that contains its style."""
    folder = ROOT / "casino" / "static" / "css"
    style = "\n".join((folder / name).read_text() for name in STYLES if (folder / name).exists())
    figures = "".join(
        f"<figure><figcaption>{title}</figcaption>{_plot(samples, title, lines)}</figure>"
        for title, lines in _plots(samples).items()
    )
    last = samples[-1]
    head = f"{last['commands']:,.0f} commands in {last['minutes']:.0f} minutes"
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}\nbody{{padding:24px}}</style>"
        f"<h1>{head}</h1><div class=plots>{figures}</div>"
    )


def _plots(samples: Sequence[Sample]) -> dict[str, dict[str, Callable[[Sample], float]]]:
    """The plots: a title, and below it the lines, each with a name and its value in a sample."""
    memory = [name for name in samples[-1] if name.startswith("MB ") and name != "MB on disk"]
    programs = [name for name in memory if name != "MB Redis"]
    half = [programs[at : at + NAMED_MOST] for at in range(0, len(programs), NAMED_MOST)]
    queues = [name for name in samples[-1] if name.startswith("messages ")][:NAMED_MOST]
    return {
        **{
            f"Memory, MB (PSS) {place}": {name[3:]: _of(name) for name in part}
            for place, part in enumerate(half, start=1)
        },
        "Messages waiting in each queue": {name[9:]: _of(name) for name in queues},
        "Events behind the head": {"subscribers": _of("lag"), "signing": _of("unsigned")},
        "On disk, MB": {"database": _of("MB on disk")},
        "Bytes on disk that an event has added": {"database": _added_since(samples[0])},
        "Connections and keys": {"connections": _of("connections"), "keys in Redis": _of("keys")},
    }


def _of(name: str) -> Callable[[Sample], float]:
    return lambda sample: sample.get(name, 0.0)


def _added_since(begun: Sample) -> Callable[[Sample], float]:
    """Bytes per event on average, without those of an empty house."""
    return lambda sample: (
        (sample["MB on disk"] - begun["MB on disk"])
        * 2**20
        / max(1, sample["events"] - begun["events"])
    )


def _plot(
    samples: Sequence[Sample], title: str, lines: dict[str, Callable[[Sample], float]]
) -> str:
    from casino.kit.web.plots.charts import Axis  # noqa: PLC0415 - Django is up now
    from casino.kit.web.plots.lines import Line, Plot, Point, plot  # noqa: PLC0415

    return plot(
        Plot(
            label=title,
            lines=tuple(
                Line(name, tuple(Point(sample["commands"], high(sample)) for sample in samples))
                for name, high in lines.items()
            ),
            x=Axis(title="commands"),
        )
    )
