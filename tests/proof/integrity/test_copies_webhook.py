"""Checkpoints posted to a webhook, until it has taken them."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from structlog.testing import capture_logs

from casino.proof.signing import copies, queries
from tests.support.copied import SECOND, grown, row, sent, with_a_signed_ledger
from tests.support.playing import NOW
from tests.support.proven import newest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object, tried_out: object) -> None:
    del key_folder, tried_out


@pytest.fixture
def house() -> House:
    return with_a_signed_ledger()


class Office:
    """Somebody's server: what it was sent, and how it answers."""

    def __init__(self) -> None:
        self.answers = 204
        self.hangs = threading.Event()
        self.goes_on = threading.Event()
        self.got: list[tuple[str, bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.got.append((self.headers["Content-Type"], self.rfile.read(length)))
                if outer.hangs.is_set():
                    outer.goes_on.wait(30)
                self.send_response(outer.answers)
                if outer.answers == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/s3cret-path"


@contextmanager
def running(office: Office) -> Iterator[None]:
    thread = threading.Thread(target=office.server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield
    finally:
        office.goes_on.set()
        office.server.shutdown()
        office.server.server_close()
        thread.join()


@pytest.fixture
def office(settings: Settings) -> Iterator[Office]:
    made = Office()
    settings.CHECKPOINT_COPIES = (made.url,)
    with running(made):
        yield made


class TestWebhook:
    @pytest.mark.long("postgresql")
    def test_the_note_is_posted_as_it_was_signed(self, house: House, office: Office) -> None:
        assert sent(house) == [True]

        assert office.got == [("text/plain; charset=utf-8", newest(house).note.encode())]

    @pytest.mark.long("postgresql")
    def test_at_most_every_half_minute(self, house: House, office: Office) -> None:
        sent(house)
        grown(house)

        assert sent(house, NOW + 29 * SECOND) == [False]
        assert sent(house, NOW + 30 * SECOND) == [True]
        assert len(office.got) == 2

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("status", [302, 400, 404, 500, 503])
    def test_any_answer_but_2xx_is_no_copy_and_is_tried_again(
        self, house: House, office: Office, status: int
    ) -> None:
        office.answers = status
        assert sent(house) == [False]
        assert row(house).error.endswith(f"answered {status}.")

        office.answers = 200
        assert sent(house, NOW + copies.pause(1) - SECOND) == [False]
        assert sent(house, NOW + copies.pause(1)) == [True]

        assert (row(house).error, row(house).failures) == ("", 0)
        assert len(office.got) == 2

    @pytest.mark.long("postgresql")
    def test_a_server_that_never_answers_is_left_in_time(
        self, house: House, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(copies, "TIMEOUT", 0.3)
        office.hangs.set()
        began = time.monotonic()

        assert sent(house) == [False]

        assert time.monotonic() - began < 5
        assert "no answer within" in row(house).error

    def test_its_path_is_a_secret(self, house: House, office: Office) -> None:
        office.answers = 403
        with capture_logs() as logs:
            sent(house)

        written = f"{logs} {row(house).error} {queries.outside(house.id).places[0].label}"
        assert "s3cret" not in written
        client = Client()
        client.force_login(house.manager)
        start, proof = (client.get(page).text for page in ("/", "/proof/"))
        assert "s3cret" not in start + proof
        assert "a copy did not arrive" in start
        assert "answered 403" in proof

    @pytest.mark.long("postgresql")
    def test_a_certificate_nobody_vouches_for_is_refused(
        self, house: House, settings: Settings, office: Office
    ) -> None:
        settings.CHECKPOINT_COPIES = (office.url.replace("http:", "https:"),)

        assert sent(house) == [False]
        assert office.got == []
