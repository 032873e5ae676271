"""A polling floor: every device, hall and wall board asks for news each second."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.middleware.csrf import get_token
from django.test import RequestFactory, override_settings

from bench.work import house as playing
from casino.floor.tables import news
from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment, Table
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.work.house import Seat

DEVICES = 2  # at each table
HALLS = 2  # supervisors' screens
THROWS_FIRST = 20  # of each game, before the measurement
HOST = "floor.example"
TICKETS = "casino.floor.tables.news.NewsMiddleware"
SOMETHING_NEW, NOTHING_NEW = 200, 304


@dataclass(slots=True)
class Screen:
    """A polling page, and the ETag that it saw last."""

    environ: dict[str, Any]
    etag: str = ""

    def asks(self, handler: WSGIHandler) -> int:
        """The status of one poll, which goes through the house's WSGI handler."""
        heads: list[Any] = []

        def started(*head: Any) -> Callable[[bytes], object]:
            heads.append(head)
            return lambda _written: None

        environ = {**self.environ, "wsgi.input": io.BytesIO()}
        if self.etag:
            environ["HTTP_IF_NONE_MATCH"] = self.etag
        answer = handler(environ, started)
        for _part in answer:
            pass
        answer.close()
        status, headers = heads[0][:2]
        self.etag = dict(headers).get("ETag", self.etag)
        return int(status[:3])


@dataclass(slots=True)
class Floor:
    boards: list[Screen]
    halls: list[Screen]
    walls: list[Screen]

    @property
    def all(self) -> list[Screen]:
        return [*self.boards, *self.halls, *self.walls]


@override_settings(ALLOWED_HOSTS=[HOST])
def polls(*, seats: Sequence[Seat], seconds: float, throws: int) -> dict[str, Any]:
    """
    What polls cost this process, in milliseconds of processor time, with tickets and without.

    First each kind of screen without news, with its queries. Then seconds of a floor: in each that
    many throws, and one poll of every screen. `share` is the part of one worker that these polls
    take.
    """
    floor = _floor(tuple(tuple(seat.items()) for seat in seats))
    found: dict[str, Any] = {}
    for way, handler in (("without", _handler(tickets=False)), ("with", _handler(tickets=True))):
        for screen in floor.all:
            screen.asks(handler)
            screen.asks(handler)
        found[way] = {
            kind: _cost(screens, handler, seconds)
            for kind, screens in (
                ("board", floor.boards), ("hall", floor.halls), ("wall", floor.walls)
            )
        }  # fmt: skip
        found[way]["floor"] = _second(floor, handler, seats, throws, seconds)
    return found


def _cost(screens: Sequence[Screen], handler: WSGIHandler, seconds: float) -> dict[str, float]:
    """Processor time and queries of a poll, without news."""
    queries = _counted(lambda: _one_each(screens[:4], handler)) / len(screens[:4])
    done, began, until = 0, time.process_time(), time.monotonic() + seconds
    while time.monotonic() < until:
        done += _one_each(screens, handler)
    return {"ms": 1000 * (time.process_time() - began) / done, "queries": queries}


def _one_each(screens: Iterable[Screen], handler: WSGIHandler) -> int:
    statuses = [screen.asks(handler) for screen in screens]
    assert set(statuses) <= {NOTHING_NEW, SOMETHING_NEW}, statuses
    return len(statuses)


def _counted(act: Callable[[], object]) -> int:
    made = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal made
        made += 1
        return execute(*arguments)

    with connection.execute_wrapper(count):
        act()
    return made


def _second(
    floor: Floor, handler: WSGIHandler, seats: Sequence[Seat], throws: int, seconds: float
) -> dict[str, float]:
    """Simulated seconds of a playing floor, one after the other: only the polls are measured."""
    spent, took, rounds, news_of = 0.0, 0.0, 0, 0
    until = time.monotonic() + 4 * seconds
    place = 0
    while rounds == 0 or time.monotonic() < until:
        for _ in range(throws):
            playing.session_at(**seats[place % len(seats)]).step()
            place += 1
        _settled(seats)
        began, wall = time.process_time(), time.monotonic()
        news_of += sum(screen.asks(handler) == SOMETHING_NEW for screen in floor.all)
        spent += time.process_time() - began
        took += time.monotonic() - wall
        rounds += 1
    polls = rounds * len(floor.all)
    return {
        "share": spent / rounds,
        "polls": len(floor.all),
        "polls/s": polls / took,
        "news": news_of / polls,
    }


@cache
def _floor(seats: tuple[tuple[tuple[str, str], ...], ...]) -> Floor:
    """A floor with games at every table, signed-in devices, and every wall board switched on."""
    places: list[Mapping[str, str]] = [dict(seat) for seat in seats]
    house = UUID(places[0]["house"])
    Table.objects.filter(establishment=house).update(wall=True)
    Establishment.objects.filter(pk=house).update(wall=True)
    games = []
    for place in places:
        session = playing.session_at(**place)
        for _ in range(THROWS_FIRST):
            session.step()
        games.append(session.game)
    _settled(places)
    who = Attendant.objects.get(pk=places[0]["attendant"])
    keys = [table.wall_address for table in Table.objects.filter(establishment=house)]
    at = Establishment.objects.get(pk=house)
    return Floor(
        boards=[
            _screen(f"/floor/games/{game}/board/", who) for game in games for _ in range(DEVICES)
        ],
        halls=[_screen("/floor/tables/", who) for _ in range(HALLS)],
        walls=[_screen(f"/wall/{key}/board/") for key in (*keys, at.wall_key)],
    )


def _settled(seats: Sequence[Mapping[str, str]]) -> None:
    house = UUID(seats[0]["house"])
    while tasks.settle(house) or tasks.advance(PROJECTIONS, house):
        pass


def _screen(path: str, who: Attendant | None = None) -> Screen:
    request = RequestFactory().get(path, secure=True, headers={"Host": HOST})
    cookies: SimpleCookie = SimpleCookie()
    if who is not None:
        session = SessionStore()
        session[SESSION_KEY] = str(who.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = who.get_session_auth_hash()
        session.create()
        cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
        get_token(request)
        cookies[settings.CSRF_COOKIE_NAME] = request.META["CSRF_COOKIE"]
        cookies["device"] = f"floor-{(session.session_key or '')[:12]}"
    environ = {**request.environ, "HTTP_HX_REQUEST": "true", "HTTP_X_FORWARDED_PROTO": "https"}
    if cookies:
        environ["HTTP_COOKIE"] = "; ".join(f"{name}={each.value}" for name, each in cookies.items())
    return Screen(environ)


@cache
def _handler(*, tickets: bool) -> WSGIHandler:
    """A handler with all middleware of the house; optionally without tickets, to compare."""
    news.TICKETS.forget()
    middleware = [each for each in settings.MIDDLEWARE if tickets or each != TICKETS]
    with override_settings(MIDDLEWARE=middleware):
        return WSGIHandler()
