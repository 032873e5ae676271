"""Which of the processes that run the tests gets which."""

import re
from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

from tests import forms

BROWSER = "tests/browser/"
ROOT = Path(__file__).resolve().parent.parent
MADE_ONCE = re.compile(r'scope="module"|module_data\.shared\(')
# What is made once for a module would be made in each process that gets one of its tests.
TOGETHER = frozenset(
    str(path.relative_to(ROOT))
    for path in (ROOT / "tests").rglob("test_*.py")
    if MADE_ONCE.search(path.read_text(encoding="utf-8"))
)


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # it comes without types
    """
    Tests in a browser share one running house, so one process, and so do those of a module that
    makes something once for all of them; of the others the rows of a test go together to whoever is
    free: to be told of them one by one takes as long as most of them.

    Not by xdist's own groups: pytest 9.2 takes no notice of the ids that xdist 3.8 gives to those.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(BROWSER):
            return BROWSER
        module = nodeid.partition("::")[0]
        return module if module in TOGETHER else forms.function_of(nodeid)
