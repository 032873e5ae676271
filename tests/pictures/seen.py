"""What a program can see of a page: contrast and names, what is cut off, what scrolls sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_core_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
}
SIDEWAYS = "() => document.scrollingElement.scrollWidth > innerWidth + 1"
# Words that run out of the button, label or heading that they stand in. A large letter is a little
# higher than a close line: that cuts nothing off.
CUT = """() => [...document.querySelectorAll("a.button, button, summary, h1, h2, h3, th, label")]
  .filter(part => part.checkVisibility() && part.clientWidth > 0
    && getComputedStyle(part).overflow === "visible"
    && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4
      + parseFloat(getComputedStyle(part).fontSize) / 8))
  .filter(part => getComputedStyle(part).display !== "inline")
  .map(part => `${part.outerHTML.slice(0, 80)} ${part.scrollWidth}>${part.clientWidth}`)"""

# As a language whose words are a third longer than English; figures and names of files stay.
LONGER = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const inside = [];
  while (walker.nextNode()) inside.push(walker.currentNode);
  for (const node of inside) {
    if (node.parentElement.closest("script, style, svg, code, pre, time, .money")) continue;
    const longer = (word) => word + word.slice(-Math.ceil(word.length / 3));
    node.data = node.data.replace(/\\p{L}{4,}/gu, longer);
  }
}"""


def problems(page: Page) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, rules).then(found => found.violations)", RULES
    )
    said = [f"{each['id']}: {node['html'][:90]}" for each in violations for node in each["nodes"]]
    if page.evaluate(SIDEWAYS):
        said.append("scrolls sideways")
    return said + [f"cut off: {each}" for each in page.evaluate(CUT)]
