"""
What was whispered in a whole evening with errors is found in nothing that it leaves behind: log
lines, pages of faults, messages, Redis, the rows of jobs, names of files.
"""

from __future__ import annotations

import io
import json
import logging.config
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from celery import signals
from django.conf import settings as configured
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone
from redis import Redis

from casino.attendants import assurance, factors, known_browsers, pins, signins
from casino.attendants.models import Attendant, Role
from casino.documents.report import Query
from casino.integrity import backups
from casino.jobs import tasks as job_tasks
from casino.onboarding import links
from casino.platform import logs, waking
from casino.regrade.models import Regrade
from casino.reports import catalogue, preparing
from casino.reports.models import Preparation
from casino.staff import invitations, tablets
from casino.subscriptions import tasks as play_tasks
from casino.what_if.models import WhatIf
from tests.redis_contents import everything_in
from tests.support import builders, signing
from tests.support.builders import command, opened
from tests.support.exported import exported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from celery import Task
    from pytest_django import DjangoCaptureOnCommitCallbacks

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

Response = Any


@dataclass
class Whispered:
    """What nobody but those concerned should read: each one like nothing else."""

    person: str = "Zerlinda"
    username: str = "qzerl"
    password: str = "qz-lantern-over-water"
    wrong_password: str = "qz-wrong-lantern-here"
    pin: str = "70493861"
    wrong_pin: str = "70493862"
    player: str = "Wolframia"
    searched: str = "Xanthopoulos"
    note: str = "qznote under the table"
    dispute: str = "qzdispute of the second die"
    reason: str = "qzreason he never came back"
    founding: str = ""
    invitation: str = ""
    token: str = ""
    session: str = ""
    known: str = ""
    csrf: str = ""
    tablet: str = ""
    wall: str = ""
    authenticator: str = ""
    recovery: str = ""
    made_up: list[str] = field(default_factory=list)
    """Keys that open nothing: somebody else's, or mistyped by a digit."""

    def found_in(self, text: str) -> set[str]:
        """The names of what stands there, as it is or as addresses and JSON write it."""
        low = text.lower()
        named = [(each.name, getattr(self, each.name)) for each in fields(self)]
        words = [(name, word) for name, word in named if isinstance(word, str)]
        words += [("made_up", word) for word in self.made_up]
        assert all(word for _name, word in words), words
        return {name for name, word in words if any(each in low for each in spelled(word))}

    @property
    def all(self) -> str:
        """As an exception quotes a row or a request."""
        return " ".join(str(getattr(self, each.name)) for each in fields(self))


def spelled(word: str) -> set[str]:
    return {each.lower() for each in (word, quote(word), quote_plus(word), json.dumps(word)[1:-1])}


class Kept(io.StringIO):
    """The lines of a log, of everything that a process can say."""


@pytest.fixture
def log() -> Iterator[Kept]:
    written = Kept()
    config = logs.configuration(production=True, level="DEBUG")
    config["handlers"]["stderr"] |= {"class": "logging.StreamHandler", "stream": written}
    logging.config.dictConfig(config)
    yield written
    logs.configuration(production=configured.PRODUCTION, level=configured.LOG_LEVEL)
    logging.config.dictConfig(configured.LOGGING)


@pytest.fixture
def sent() -> Iterator[list[str]]:
    """Every message, with its headers and arguments, as it goes to the broker."""
    messages: list[str] = []

    def published(headers: Any, body: Any, properties: Any, **_more: Any) -> None:
        messages.append(f"{headers} {body} {properties}")

    signals.before_task_publish.connect(published)
    yield messages
    signals.before_task_publish.disconnect(published)


@dataclass
class Evening:
    """A house, its people, and what is whispered there."""

    house: House
    manager: Attendant
    whispered: Whispered
    answers: list[Response] = field(default_factory=list)

    def ask(self, answer: Response) -> Response:
        self.answers.append(answer)
        return answer


@pytest.fixture
def evening(settings: Any) -> Evening:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.DEBUG = False
    house, texts = builders.house(publishes_rules=False), Whispered()
    who = builders.person(texts.username, password=texts.password, first_name=texts.person)
    builders.employed(house.establishment, Role.MANAGER, who)
    pins.set_pin(person=who, pin=texts.pin, place=signins.Where(), now=timezone.now())
    texts.founding = links.address("").partition("key=")[2]
    _, texts.invitation = invitations.invite(
        house=house.establishment, name=texts.person, role=Role.AUDITOR,
        by=assurance.at_console(house.manager), now=timezone.now(),
    )  # fmt: skip
    _, texts.tablet = tablets.enrol(
        house=house.establishment, name="Tablet 1", by=assurance.at_console(house.manager)
    )
    texts.token = builders.token(who)
    texts.wall = "qzwall0123456789"
    texts.made_up = [
        texts.token[:-1] + "q",
        "qzsession0123456789",
        "qz" + texts.invitation,
    ]
    return Evening(house, who, texts)


def browser(**cookies: str) -> Client:
    made = Client(enforce_csrf_checks=False, raise_request_exception=False)
    for name, value in cookies.items():
        made.cookies[name] = value
    return made


def signs_in(at: Evening) -> Client:
    """Wrong, right, with an app and recovery codes; what the browser then keeps is secret, too."""
    texts, office = at.whispered, browser()
    door = {"username": texts.username, "password": texts.wrong_password}
    at.ask(browser().post(f"/sign-in/?next=/games/%3Fplayer={texts.searched}", door))
    at.ask(browser().post("/sign-in/", {"username": texts.password, "password": texts.password}))
    at.ask(office.get("/sign-in/"))
    at.ask(office.post("/sign-in/", door | {"password": texts.password}))
    texts.authenticator = signing.app_of(at.manager)
    texts.recovery = factors.new_codes(
        person=at.manager, place=signins.Where(), now=timezone.now()
    )[0]  # fmt: skip
    at.ask(office.post(signing.SECOND, {"code": "000000"}))
    at.ask(office.post(signing.SECOND, {"code": signing.code_of(texts.authenticator)}))
    assert signing.inside(office)
    texts.session = office.cookies[configured.SESSION_COOKIE_NAME].value
    texts.known = office.cookies[known_browsers.COOKIE].value
    texts.csrf = office.cookies[configured.CSRF_COOKIE_NAME].value
    return office


def plays(at: Evening) -> str:
    """A game with a name and a note, and all that may be refused in it."""
    texts, house = at.whispered, at.house
    game = opened(house, players=[texts.player, "Bo"])
    api = browser()
    bearer = {"Authorization": f"Bearer {texts.token}"}
    commands = f"/api/v1/games/{game}/commands/"
    no_throw = command("no_throw", player=texts.player, reason="cocked", note=texts.note)
    disputed = command("dispute", round=1, reason=texts.dispute)
    unknown = command("throw", player=texts.searched, dice=[1, 2, 3], note=texts.note)
    for body in (no_throw, disputed, unknown, {**no_throw, "extra": texts.note}):
        at.ask(api.post(commands, body, "application/json", headers=bearer))
    at.ask(api.post(commands, f'{{"{texts.note}":', "application/json", headers=bearer))
    at.ask(api.post(commands, texts.note, "text/plain", headers=bearer))
    at.ask(api.get(f"/api/v1/games/?player={texts.searched}", headers=bearer))
    for made_up in texts.made_up:
        at.ask(api.get("/api/v1/games/", headers={"Authorization": f"Bearer {made_up}"}))
    at.ask(api.post("/api/v1/tokens/", {"username": texts.username, "password": texts.password}))
    return game


def goes_around(at: Evening, office: Client, game: str) -> None:
    """Doors with keys in their addresses, searches, forms, a tablet; most of it is refused."""
    texts = at.whispered
    headers = {
        "User-Agent": texts.note,
        "Referer": f"http://testserver/?q={texts.searched}",
    }
    for path in (
        f"/set-up/?key={texts.founding}", f"/set-up/?key={texts.made_up[2]}",
        f"/invitation/?key={texts.invitation}", f"/invitation/?key={texts.made_up[2]}",
        f"/wall/{texts.wall}/", f"/wall/{texts.wall}/board/", f"/nowhere/{texts.note}/",
        f"/games/?player={texts.searched}", f"/events/?text={texts.searched}&player={texts.player}",
        f"/players/?q={texts.searched}", f"/people/?q={texts.person}", "/people/",
        f"/floor/games/{game}/", f"/exceptions/?who={texts.person}", "/me/",
    ):  # fmt: skip
        at.ask(office.get(path, headers=headers))
    at.ask(office.get("/", headers={"Host": f"{texts.person}.example"}))
    at.ask(browser(sessionid=texts.made_up[1], known=texts.known).get("/"))
    at.ask(office.post("/me/pin/", {"pin": texts.pin, "again": texts.wrong_pin}))
    at.ask(office.post("/me/password/", {"old_password": texts.wrong_password}))
    at.ask(office.post("/players/excluded/", {"name": texts.player, "reason": texts.reason}))
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies.update(office.cookies)
    at.ask(strict.post("/me/pin/", {"pin": texts.pin, "csrfmiddlewaretoken": texts.made_up[0]}))
    device = browser(tablet=texts.tablet, device="floor-qz")
    for pin in (texts.wrong_pin, texts.pin):
        at.ask(device.post("/floor/attendant/", {"person": str(at.manager.pk), "pin": pin}))
    at.ask(device.post(f"/floor/games/{game}/command/", command("note", note=texts.note)))


def breaks(at: Evening, office: Client, broken: pytest.MonkeyPatch) -> None:
    """Faults whose words quote all that there is, as a database quotes the row it refuses."""
    whispered = at.whispered

    def fails(*_args: object, **_kwargs: object) -> None:
        raise DatabaseError(f"Key (name)=({whispered.all}) already exists.")

    bearer = {"Authorization": f"Bearer {whispered.token}"}
    with broken.context() as now:
        now.setattr("casino.web.pages.house_of", fails)
        now.setattr("casino.play.queries.find", fails)
        now.setattr("casino.play.operations.open_game", fails)
        sent = builders.opening(at.house.table, players=[whispered.player, "Bo"])
        for answer in (
            office.get(f"/me/?q={whispered.searched}"),
            office.post("/me/pin/", {"pin": whispered.pin, "again": whispered.pin}),
            browser().get(f"/api/v1/games/{sent['command_id']}/", headers=bearer),
            browser().post("/api/v1/games/", sent, "application/json", headers=bearer),
        ):
            assert at.ask(answer).status_code == 500


def works(at: Evening, broken: pytest.MonkeyPatch) -> None:
    """Tasks that do their work, and tasks that fail in the middle of it."""
    house = at.house
    query = Query(house=house.establishment, since=timezone.now().date(),
                  until=timezone.now().date(), through=0)  # fmt: skip
    run = preparing.ask(
        by=house.manager, report=catalogue.report("fees"), query=query, now=timezone.now()
    )
    job_tasks.wake(run)
    play_tasks.wake(establishment=house.id)

    def fails(*_args: object, **_kwargs: object) -> None:
        raise ValueError(at.whispered.all)

    message = {"kind": "report", "establishment": str(house.id), "job": str(run.id)}
    tasks: list[tuple[str, Task[..., Any], dict[str, str]]] = [
        ("casino.jobs.running.advance", job_tasks.run_job, message),
        ("casino.subscriptions.tasks.subscriptions.lagging", play_tasks.sweep, {}),
    ]
    for name, task, arguments in tasks:
        with broken.context() as now:
            now.setattr(name, fails)
            failed = task.apply(kwargs=arguments)
            assert failed.state == "FAILURE"
        assert task.apply(kwargs=arguments).state == "SUCCESS"


def evening_of(
    at: Evening, broken: pytest.MonkeyPatch, committed: DjangoCaptureOnCommitCallbacks
) -> None:
    with committed(execute=True):
        office = signs_in(at)
        game = plays(at)
        goes_around(at, office, game)
        breaks(at, office, broken)
        works(at, broken)
    builders.settled(at.house)


@pytest.mark.long("sqlite")  # where there is a Redis; the short one is in test_logs.py
@pytest.mark.usefixtures("_own_lists")
def test_an_evening_with_errors_leaves_no_secret_behind(  # noqa: PLR0913, PLR0917 - where it looks
    evening: Evening,
    log: Kept,
    sent: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    evening_of(evening, monkeypatch, django_capture_on_commit_callbacks)
    whispered = evening.whispered

    lines = log.getvalue()
    assert whispered.found_in(lines) == set(), leaked(whispered, lines)
    events = [json.loads(line)["event"] for line in lines.splitlines()]
    assert {"request", "request failed", "task", "task failed"} <= set(events)
    assert events.count("request") == len(evening.answers) + len(("opened", "inside"))

    faults = [each for each in evening.answers if each.status_code >= 500]
    assert len(faults) == 4
    for answer in faults:
        assert whispered.found_in(answer.content.decode()) == set()
    assert given_back(evening) == {}

    assert sent, "nobody was woken"
    assert whispered.found_in("\n".join(sent)) == set()
    assert whispered.found_in(in_the_broker()) == set()
    assert whispered.found_in(jobs()) == set()
    assert whispered.found_in("\n".join(names_of_files(evening, tmp_path))) == set()


def test_what_was_whispered_would_be_found(evening: Evening) -> None:
    for each in ("authenticator", "recovery", "session", "known", "csrf"):
        setattr(evening.whispered, each, f"qz{each}")
    names = {each.name for each in fields(Whispered)}

    assert evening.whispered.found_in(json.dumps(evening.whispered.all)) == names
    assert evening.whispered.found_in(f"?q={quote_plus(evening.whispered.note)}") == {"note"}
    assert evening.whispered.found_in("nothing of it") == set()


def given_back(at: Evening) -> dict[str, set[str]]:
    """
    What pages that refuse show of keys and passwords. A name that was typed may stand in its field
    again; and a form knows the address it came from, which the browser shows anyway.
    """
    words = {"person", "username", "player", "searched", "note", "dispute", "reason"}
    found = {}
    for answer in at.answers:
        request = answer.wsgi_request
        own = at.whispered.found_in(request.get_full_path())
        leaked = at.whispered.found_in(answer.content.decode()) - words - own
        if answer.status_code >= 400 and leaked:
            found[request.path] = leaked
    return found


def names_of_files(at: Evening, folder: Path) -> list[str]:
    """Of an export and all in it, of backups, and of what is given to browsers."""
    exported(at.house, folder / "out")
    given = [answer.headers.get("Content-Disposition", "") for answer in at.answers]
    paths = [str(path) for path in folder.rglob("*")]
    assert len(paths) > 10
    return [*given, *paths, backups.default_name(connection, timezone.now())]


@pytest.fixture
def _own_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits in this process waits here alone."""
    if configured.CELERY_BROKER_URL.startswith("memory"):
        lists = waking.InProcess()
        monkeypatch.setattr(waking, "waiting", lambda: lists)


def in_the_broker() -> str:
    """Whatever it keeps: queues, lists of those who wait, and what kombu notes beside them."""
    if configured.CELERY_BROKER_URL.startswith("memory"):
        return repr(vars(waking.waiting()))
    with Redis.from_url(configured.CELERY_BROKER_URL) as client:
        return everything_in(client)


def jobs() -> str:
    """Every column of what waits for a worker, or is done."""
    rows = [*Preparation.objects.all(), *Regrade.objects.all(), *WhatIf.objects.all()]
    assert rows
    return "\n".join(str(vars(row)) for row in rows)


def leaked(whispered: Whispered, lines: str) -> list[str]:
    return [line for line in lines.splitlines() if whispered.found_in(line)]
