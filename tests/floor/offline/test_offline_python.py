"""Compiled Python gives what Python gives; what is not of the subset does not compile (0041)."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import sync_playwright

from casino.floor.tables.offline.compiling import python
from casino.floor.tables.offline.compiling.modules import Def, NotCompiled
from tests import chromium
from tests.forms import how_often
from tests.support import offline_samples
from tests.support.offline_samples import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.once]
RUNTIME = "casino/floor/tables/offline/scripts/python.js"
OF_SAMPLES = "tests.support.offline_samples"
CALLED = """
name => {
  try { return python.bare(samples[name]()); } catch (wrong) { return String(wrong); }
}
"""
ORDERED = (
    "([a, b]) => { try { return [python.lt(a, b), python.eq(a, b)]; } catch { return null; } }"
)
SLICED = "([of, from, to, step]) => python.slice(of, from, to, step)"
SHARED = """
([a, b, c, d]) => {
  const fraction = python.fractions_Fraction;
  return python.str(python.div(fraction(a, b), fraction(c, d)));
}
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        empty = browser.new_page()
        empty.add_script_tag(path=RUNTIME)
        roots = {each.__name__: Def(OF_SAMPLES, each.__name__) for each in SAMPLES}
        empty.evaluate("window.samples = {}")
        empty.add_script_tag(content=python.compile_script(roots, given="window.samples"))
        yield empty
        browser.close()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.__name__)
def test_it_gives_what_python_gives(page: Page, sample: Any) -> None:
    result = page.evaluate(CALLED, sample.__name__)

    assert result == bare(sample())


def bare(value: Any) -> Any:
    """As JSON has it; sets in order."""
    ordered = json.dumps(
        value, default=lambda each: sorted(each) if isinstance(each, set) else each
    )
    return json.loads(ordered)


@pytest.mark.parametrize(
    "name", ["with_with", "with_global", "with_float", "with_format", "with_decorator"]
)
def test_what_is_not_of_the_subset_says_where(name: str) -> None:
    with pytest.raises(NotCompiled, match=rf"{OF_SAMPLES}:\d+: "):
        python.compile_script({"it": Def(OF_SAMPLES, name)})


def test_what_nobody_needs_is_left_out() -> None:
    source = python.compile_script({"it": Def(OF_SAMPLES, "slow")})

    assert "slow" in source
    assert not any(each.__name__ in source for each in SAMPLES)
    assert offline_samples.slow(3) == 2


FACE = st.integers(-3, 12)
SIZED = st.lists(FACE, max_size=6)
END = st.none() | st.integers(-8, 8)
IN_PAGE = settings(
    max_examples=how_often(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@IN_PAGE
@given(st.tuples(SIZED, SIZED) | st.tuples(FACE, FACE) | st.tuples(st.text("ab"), st.text("ab")))
def test_the_order_of_values(page: Page, both: Any) -> None:
    one, other = both
    assert page.evaluate(ORDERED, [one, other]) == [one < other, one == other]


@IN_PAGE
@given(SIZED, END, END, END.filter(lambda step: step != 0))
def test_slices(page: Page, of: list[int], start: int | None, stop: int | None, step: Any) -> None:
    assert page.evaluate(SLICED, [of, start, stop, step]) == of[start:stop:step]


@IN_PAGE
@given(FACE, FACE.filter(bool), FACE.filter(bool), FACE.filter(bool))
def test_fractions_are_exact(page: Page, a: int, b: int, c: int, d: int) -> None:
    assert page.evaluate(SHARED, [a, b, c, d]) == str(Fraction(a, b) / Fraction(c, d))
