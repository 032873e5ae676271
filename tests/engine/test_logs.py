"""Logs: one event a line, and nobody's name, body or query in it."""

import io
import json
import logging
import logging.config
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve

from casino.engine.logs import logs
from tests.processes import ROOT, eventually
from tests.support import builders
from tests.support.builders import person
from tests.support.playing import new_id, opened


class Lines(io.StringIO):
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What a production process writes."""
    written = Lines()
    config = logs.configuration(production=True, level="INFO")
    config["handlers"]["stderr"] |= {"class": "logging.StreamHandler", "stream": written}
    logging.config.dictConfig(config)
    yield written
    logs.configuration(production=settings.PRODUCTION, level=settings.LOG_LEVEL)
    logging.config.dictConfig(settings.LOGGING)


def failing(_request: HttpRequest) -> HttpResponse:
    raise ValueError("Anna owes 300")


def test_a_request_is_one_line_without_its_query_or_body(lines: Lines) -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=201)

    request = RequestFactory().post("/api/v1/games/?q=Anna", {"name": "Anna"})
    request.resolver_match = resolve("/api/v1/games/")
    response = logs.RequestLogMiddleware(view)(request)

    [event] = lines.events()
    assert "Anna" not in lines.getvalue()
    assert event["request_id"] == response.headers["X-Request-ID"]
    assert event.keys() == {
        "event", "method", "route", "status", "ms", "house", "attendant", "request_id",
        "level", "logger", "timestamp",
    }  # fmt: skip
    assert [event[name] for name in ("event", "method", "route", "status", "attendant")] == [
        "request", "POST", "games", 201, None,
    ]  # fmt: skip


# fmt: off
GIVEN = [
    ("7f3a9c21-0b",            True),
    ("",                       False),
    ("short",                  False),
    ('x" , "forged": "12345',  False),
    ("x" * 65,                 False),
]
# fmt: on


@pytest.mark.parametrize(("given", "kept"), GIVEN)
def test_the_proxys_request_id_is_kept_where_it_is_sane(given: str, *, kept: bool) -> None:
    request = RequestFactory().get("/", headers={"X-Request-ID": given})

    assert (logs.id_of(request) == given) is kept


def test_an_exception_is_its_type_and_places_not_its_words(lines: Lines) -> None:
    try:
        failing(HttpRequest())
    except ValueError:
        structlog.get_logger("casino.test").exception("failed")
        logging.getLogger("casino.test").exception("failed, too")

    ours, librarys = lines.events()
    assert "Anna" not in lines.getvalue()
    assert ours["exception"] == librarys["exception"] == "builtins.ValueError"
    assert ours["at"][-1].endswith(" failing")
    assert librarys["at"] == ours["at"]


def test_lines_of_one_request_carry_one_id(lines: Lines) -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        logging.getLogger("some.library").warning("odd")
        return HttpResponse()

    logs.RequestLogMiddleware(view)(RequestFactory().get("/floor/"))

    first, second = lines.events()
    assert (first["event"], second["event"]) == ("odd", "request")
    assert first["request_id"] == second["request_id"]


# fmt: off
IMPORTANCE = [
    ("/healthz",        200, logging.DEBUG),
    ("/healthz",        503, logging.ERROR),
    ("/static/a.css",   200, logging.DEBUG),
    ("/floor/",         304, logging.DEBUG),  # a poll that found nothing new
    ("/floor/",         200, logging.INFO),
    ("/api/v1/games/",  422, logging.INFO),   # the rules refused: nothing is broken
    ("/api/v1/games/",  500, logging.ERROR),
]
# fmt: on


@pytest.mark.parametrize(("path", "status", "level"), IMPORTANCE)
def test_probes_and_polls_are_no_news_unless_they_fail(path: str, status: int, level: int) -> None:
    request = RequestFactory().get(path)

    assert logs.importance(request, HttpResponse(status=status)) == level


@pytest.mark.django_db
def test_a_request_is_told_by_the_attendants_id(client: Client, lines: Lines) -> None:
    somebody = person("marta")
    client.force_login(somebody)
    client.get("/")

    assert lines.events()[-1]["attendant"] == str(somebody.pk)
    assert "marta" not in lines.getvalue()


# --- What must stand in no line -----------------------------------------------------------------

SECRET = "Zerlinda"  # a name, a word of one's own, part of every key: whatever must not be told


def whispering(_view: object, _request: HttpRequest, **_kwargs: object) -> HttpResponse:
    raise ValueError(f"Key (name)=({SECRET}) already exists.")


@pytest.fixture
def every_line() -> Iterator[Lines]:
    """What a production process writes that is told to write all it can."""
    written = Lines()
    config = logs.configuration(production=True, level="DEBUG")
    config["handlers"]["stderr"] |= {"class": "logging.StreamHandler", "stream": written}
    logging.config.dictConfig(config)
    yield written
    logs.configuration(production=settings.PRODUCTION, level=settings.LOG_LEVEL)
    logging.config.dictConfig(settings.LOGGING)


@pytest.mark.django_db
def test_an_evening_with_errors_leaves_no_word_of_anybody_in_the_log(
    every_line: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = builders.house()
    person(SECRET.lower())
    game = opened(house, players=[SECRET, "Bo"])
    office = Client(raise_request_exception=False, headers={"User-Agent": SECRET})
    office.force_login(house.manager)
    api = Client(raise_request_exception=False)
    bearer = {"Authorization": f"Bearer {builders.token(house.attendant)}"}
    commands = f"/api/v1/games/{game}/commands/"
    thrown = {
        "do": "no_throw", "command_id": new_id(), "player": SECRET, "reason": "cocked",
        "note": SECRET,
    }  # fmt: skip
    asked: list[Callable[[], object]] = [
        lambda: Client().post("/sign-in/", {"username": SECRET, "password": SECRET}),
        lambda: Client(enforce_csrf_checks=True).post("/sign-in/", {"username": SECRET}),
        lambda: office.get(f"/games/?player={SECRET}"),
        lambda: office.get(f"/nowhere/{SECRET}/?q={SECRET}"),
        lambda: office.get(f"/wall/{SECRET}/"),
        lambda: office.get(f"/invitation/{SECRET}/"),
        lambda: office.get("/", headers={"Host": f"{SECRET}.example"}),
        lambda: office.get("/", headers={"Cookie": f"sessionid={SECRET}"}),
        lambda: api.get("/api/v1/games/", headers={"Authorization": f"Bearer {SECRET}"}),
        lambda: api.post(commands, thrown, "application/json", headers=bearer),
        lambda: api.post(commands, f'{{"{SECRET}":', "application/json", headers=bearer),
        lambda: api.post("/api/v1/tokens/", {"username": SECRET, "password": SECRET}),
    ]
    for ask in asked:
        ask()
    monkeypatch.setattr("casino.settings.staff.sign_in.pages.SignIn.dispatch", whispering)
    assert Client(raise_request_exception=False).get(f"/sign-in/?next={SECRET}").status_code == 500

    written = every_line.getvalue()
    assert SECRET.lower() not in written.lower()
    requests = [each for each in every_line.events() if each["event"] == "request"]
    assert len(requests) == len(asked) + 1
    assert {each["house"] for each in requests} == {None, str(house.id)}
    failures = [each for each in every_line.events() if each["event"] == "request failed"]
    assert [each["exception"] for each in failures] == ["builtins.ValueError"]


# fmt: off
QUOTED = [
    ("gunicorn.error", "Invalid request from ip=192.0.2.7: Invalid HTTP request line: 'GET /?key=Zerlinda'"),  # noqa: E501
    ("gunicorn.error", "Error handling request GET /people/sign-ins/?person=Zerlinda"),
    ("waitress",       "Exception while serving /wall/Zerlinda/"),
    ("waitress",       "Client disconnected while serving /wall/Zerlinda/"),
    ("waitress",       "Exception when servicing <Task /wall/\nZerlinda>"),
]
# fmt: on


@pytest.mark.parametrize(("logger", "said"), QUOTED)
def test_what_a_server_says_of_a_request_quotes_nothing_of_it(
    lines: Lines, logger: str, said: str
) -> None:
    logging.getLogger(logger).warning(said)

    [event] = lines.events()
    assert "Zerlinda" not in lines.getvalue()
    assert said.startswith(event["event"])
    assert event["event"]


def test_other_lines_of_a_server_are_whole(lines: Lines) -> None:
    logging.getLogger("gunicorn.error").warning("Listening at: %s", "http://127.0.0.1:8000")

    assert lines.events()[0]["event"] == "Listening at: http://127.0.0.1:8000"


# --- Whoever reads the log slowly ---------------------------------------------------------------


class Slow(io.StringIO):
    """Where nobody reads for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = threading.Event()

    def write(self, text: str) -> int:
        self.reader.wait()
        return super().write(text)


def record(number: int) -> logging.LogRecord:
    return logging.LogRecord("test", logging.INFO, "here", 1, "line %s", (number,), None)


def test_a_log_that_nobody_reads_holds_up_nobody_and_says_what_is_missing() -> None:
    slow = Slow()
    handler = logs.BatchHandler(slow)

    for number in range(logs.WAITING + 100):
        handler.emit(record(number))

    slow.reader.set()
    eventually(lambda: f"line {logs.WAITING - 1}\n" in slow.getvalue())
    handler.emit(record(-1))
    handler.end()
    lines = slow.getvalue().splitlines()
    assert lines[0] == "line 0"
    dropped = [json.loads(line)["lines"] for line in lines if line.startswith("{")]
    assert sum(dropped) + len(lines) - len(dropped) == logs.WAITING + 101
    assert lines[-1] == "line -1"


def test_a_log_on_a_full_disk_is_gone_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    handler = logs.BatchHandler(written)
    with monkeypatch.context() as full:
        full.setattr(written, "flush", lambda: (_ for _ in ()).throw(OSError(28, "full")))
        handler.emit(record(1))
        eventually(lambda: handler._dropped == 1)

    handler.emit(record(2))
    handler.end()

    assert '"log lines dropped", "lines": 1' in written.getvalue()
    assert written.getvalue().endswith("line 2\n")


def test_a_line_that_comes_as_the_last_was_written_is_not_lost_at_the_end() -> None:
    """The writer has just found nothing more: then a line comes, and the process ends."""
    written = io.StringIO()
    handler = logs.BatchHandler(written)

    class Emptied(deque[str]):
        late = True

        def __len__(self) -> int:
            there = super().__len__()
            if not there and self.late and written.getvalue():
                self.late = False
                self.append("late")
                handler._ending.set()
                handler._more.set()
            return there

    handler._lines = Emptied()
    handler.emit(record(1))
    eventually(lambda: handler._writer is not None and not handler._writer.is_alive())

    assert written.getvalue() == "line 1\nlate\n"


def test_each_process_writes_its_own_lines(tmp_path: Path) -> None:
    """A fork has no thread of its parent's."""
    path = tmp_path / "log"
    program = """
import logging, os
from casino.engine.logs.logs import BatchHandler
logging.getLogger().addHandler(BatchHandler())
logging.warning("parent")
if (child := os.fork()) == 0:
    logging.warning("child")
    logging.getLogger().handlers[0].end()
    os._exit(0)
os.waitpid(child, 0)
"""
    with path.open("w") as log:
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, stderr=log, check=True)

    assert sorted(path.read_text().splitlines()) == ["child", "parent"]
