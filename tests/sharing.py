"""Which of the processes that run the tests gets which."""

from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # it comes without types
    """
    Tests in a browser share one running house, so one process; each other goes to whoever is free.

    Not by xdist's own groups: pytest 9.2 takes no notice of the ids that xdist 3.8 gives to those.
    """

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else nodeid
