"""Which of the processes that run the tests gets which."""

from xdist.scheduler import LoadScopeScheduling

OF_ONE_HOUSE = ("tests/browser/", "tests/test_installed.py")


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # it comes without types
    """
    Tests that share one running house, so one process; each other goes to whoever is free.

    Not by xdist's own groups: pytest 9.2 takes no notice of the ids that xdist 3.8 gives to those.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((house for house in OF_ONE_HOUSE if nodeid.startswith(house)), nodeid)
