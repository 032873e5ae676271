"""Tables of the demo that play by themselves: only while somebody looks, until told to stop."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from casino.config import embedded
from casino.demo import house as demo
from casino.demo import self_play
from casino.demo.self_play import SelfPlay
from casino.settings.staff.sign_in.demo_staff import SELF_PLAY
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY_ANSWERS = "http://127.0.0.1:9/"


class Ends(Event):
    """The program ends after so many waits, none of which takes time."""

    def __init__(self, waits: int) -> None:
        super().__init__()
        self.left = waits

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.left -= 1
        if self.left <= 0:
            self.set()
        return self.is_set()


@pytest.fixture(autouse=True)
def _nothing_plays() -> Iterator[None]:
    yield
    SELF_PLAY.here.clear()
    SELF_PLAY.wanted.clear()


def plays(*, looks: bool, waits: int, caplog: pytest.LogCaptureFixture) -> bool:
    """Whether tables tried to play: where nobody answers, they give up and say so."""
    SelfPlay(address=NOBODY_ANSWERS, looks=lambda: looks, closing=Ends(waits)).run()
    assert SELF_PLAY.state == ""
    return "do not play by themselves any more" in caplog.text


@pytest.mark.django_db
def test_where_nobody_looks_nothing_is_requested(caplog: pytest.LogCaptureFixture) -> None:
    assert not plays(looks=False, waits=50, caplog=caplog)
    assert plays(looks=True, waits=50, caplog=caplog)


@pytest.mark.django_db
def test_beside_a_house_of_somebody_s_own_nothing_plays(caplog: pytest.LogCaptureFixture) -> None:
    builders.house()

    assert not plays(looks=True, waits=50, caplog=caplog)


@pytest.mark.django_db
def test_one_failure_is_no_reason_to_give_up(caplog: pytest.LogCaptureFixture) -> None:
    assert not plays(looks=True, waits=self_play.PATIENCE // 2, caplog=caplog)


def test_two_tables_are_left_to_whoever_tries_the_house() -> None:
    assert set(demo.TABLES) > self_play.AT
    assert "Table 2" in set(demo.TABLES) - self_play.AT  # the tutorial opens its game there
    assert len(demo.TABLES) - len(self_play.AT) == 2


def answered(_environ: Any, _start_response: Any) -> list[bytes]:
    return []


@pytest.mark.parametrize(
    ("path", "looks"),
    [
        ("/", True),
        ("/floor/", True),
        ("/wall/k-1/board/", True),
        ("/api/v1/games/", False),  # as the demo's own players
        ("/healthz", False),
        ("/static/css/tokens.css", False),
    ],
)
def test_who_requests_a_page_looks(path: str, looks: bool) -> None:  # noqa: FBT001 - of a row
    served = embedded.Served(answered)
    assert not served.is_looked_at()

    served({"PATH_INFO": path}, None)

    assert served.is_looked_at() == looks


def test_who_looked_long_ago_looks_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    served = embedded.Served(answered)
    served({"PATH_INFO": "/"}, None)

    monkeypatch.setattr(embedded, "LOOKS", 0.0)

    assert not served.is_looked_at()
