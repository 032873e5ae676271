"""An evening with errors at a house, and what is confidential: each word like nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from django.conf import settings as configured
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from casino.house.attendants import factors, known_browsers, signins
from casino.kit.documents.report import Query
from casino.kit.web.jobs import tasks as job_tasks
from casino.play.core.subscriptions import tasks as play_tasks
from casino.reports.registers import catalogue, preparing
from tests.support import builders, signing
from tests.support.builders import command, opened

if TYPE_CHECKING:
    import pytest
    from celery import Task
    from pytest_django import DjangoCaptureOnCommitCallbacks

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House


Response = Any


@dataclass
class Confidential:
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


@dataclass
class Evening:
    """A house, its people, and what is confidential there."""

    house: House
    manager: Attendant
    confidential: Confidential
    answers: list[Response] = field(default_factory=list)

    def ask(self, answer: Response) -> Response:
        self.answers.append(answer)
        return answer


def browser(**cookies: str) -> Client:
    made = Client(enforce_csrf_checks=False, raise_request_exception=False)
    for name, value in cookies.items():
        made.cookies[name] = value
    return made


def signs_in(at: Evening) -> Client:
    """Wrong, right, with an app and recovery codes; what the browser then keeps is secret, too."""
    texts, office = at.confidential, browser()
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
    texts, house = at.confidential, at.house
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
    """Pages with keys in their addresses, searches, forms, a tablet; most of it is refused."""
    texts = at.confidential
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
    at.ask(office.post("/me/pin/", {"password": texts.password, "pin": texts.pin}))
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
    confidential = at.confidential

    def fails(*_args: object, **_kwargs: object) -> None:
        raise DatabaseError(f"Key (name)=({confidential.all}) already exists.")

    bearer = {"Authorization": f"Bearer {confidential.token}"}
    with broken.context() as now:
        now.setattr("casino.kit.web.pages.house_of", fails)
        now.setattr("casino.play.core.queries.find", fails)
        now.setattr("casino.play.core.operations.open_game", fails)
        sent = builders.opening(at.house.table, players=[confidential.player, "Bo"])
        for answer in (
            office.get(f"/me/?q={confidential.searched}"),
            office.post(
                "/me/pin/",
                {
                    "password": confidential.password,
                    "pin": confidential.pin,
                    "again": confidential.pin,
                },
            ),
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
        raise ValueError(at.confidential.all)

    message = {"kind": "report", "establishment": str(house.id), "job": str(run.id)}
    tasks: list[tuple[str, Task[..., Any], dict[str, str]]] = [
        ("casino.kit.web.jobs.running.advance", job_tasks.run_job, message),
        ("casino.play.core.subscriptions.tasks.subscriptions.lagging", play_tasks.sweep, {}),
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
