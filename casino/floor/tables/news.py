"""
Cheap polls: a page that is polled each second is answered 304 with a single query.

A polled page is rendered once by its view, which leaves a *ticket*: what the answer depends on. As
long as one query finds all of that unchanged, the same address with the same cookies and ETag has
the same answer, and neither session, person nor game is loaded. Nothing is cached for a time:
whether the session holds, whether the person still works here and in which role (D1), whether their
tablet was withdrawn (D3), and every event of the house since are read from the database each time.
A ticket saves work; it never lets anybody in. What it does not cover goes to the view.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpResponseNotModified
from django.utils import timezone

from casino.house.attendants import assurance
from casino.house.attendants.models import Attendant, Employment, Tablet
from casino.house.attendants.permissions import ALLOWED
from casino.play.settlement.models import PRIZE_ISSUED
from casino.play.settlement.models import SUBSCRIPTION as SETTLEMENT
from ledger import journal
from ledger.models import Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

POLLED: Final = ("/floor/", "/wall/")
MOST_EVENTS: Final = 200
"""After more events of the house than this, the page is rendered again."""
AT_MOST: Final = 8.0
"""
Seconds until the view runs again even if nothing changed: the view records a sign of life from the
device, and notices what time alone changes (idle tables, silent devices).
"""
HEADERS: Final = {
    "Cache-Control": "max-age=0, no-cache, no-store, must-revalidate, private",
    "Vary": "Cookie, Accept-Language",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """
    What an answer depends on, apart from the session and the person.

    :param position: that of the house's last event, read before anything that is shown.
    :param streams: the streams that are shown; None: all streams, and how far each of the house's
        subscribers has read.
    :param game: the id of a game that is shown, with every stream of that id; "" for none.
    :param booked: the position that settlement must have dealt with, because a game that is not
        booked yet has to be looked at again; None: nothing booked is shown.
    """

    house: UUID
    position: int
    streams: frozenset[str] | None = frozenset()
    game: str = ""
    booked: int | None = None


@dataclass(frozen=True, slots=True)
class _Signed:
    """The person and session for which an answer was made."""

    key: str
    person: UUID
    tablet: UUID | None


@dataclass(frozen=True, slots=True)
class Ticket:
    basis: Basis
    signed: _Signed | None
    """None: anybody may read the answer."""
    unchanging: tuple[Any, ...]
    """The result of the query about session, person and settlement when the ticket was left."""
    until: float


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """A cache of the most recently used values, by key."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Key) -> Value | None:
        with self._lock:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def keep(self, key: Key, value: Value) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()


TICKETS: Final[Kept[tuple[str, ...], Ticket]] = Kept(4096)
"""The tickets of the latest answers, by all parts of a request on which they may depend."""
DRAWN: Final[Kept[tuple[Hashable, ...], tuple[str, str]]] = Kept(64)
"""What was rendered last for several readers of the same page, with its ETag."""


class NewsMiddleware:
    """Answers polls before sessions and people are loaded."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        etag = request.META.get("HTTP_IF_NONE_MATCH")
        if etag and request.method == "GET" and request.path_info.startswith(POLLED):
            key = _key(request, etag)
            ticket = TICKETS.recall(key)
            if ticket is not None and (fresh := _move_past(ticket)) is not None:
                TICKETS.keep(key, fresh)
                return HttpResponseNotModified(headers={"ETag": etag, **HEADERS})
        return self._get_response(request)


def since(house: UUID) -> int:
    """
    The house's last position, after which events are news: to be read before anything that is
    shown.
    """
    return journal.head(establishment=house)


def begin_ticket(request: HttpRequest, basis: Basis, *, role: str = "") -> Ticket | None:
    """
    A ticket for what is about to be read and rendered; None if this answer gets none.

    :param role: the person's role at the house for which the answer is made; "" if it is for
        anybody.
    """
    signed = _signed_ticket(request) if role else None
    if role and signed is None:
        return None
    ticket = Ticket(basis, signed, (), time.monotonic() + AT_MOST)
    rows = _query(ticket)
    if not rows or not _is_booked(basis, rows[0]):
        return None
    unchanging = _unchanging(ticket, rows[0])
    if signed is not None and not _agrees(request, role, unchanging):
        return None
    return replace(ticket, unchanging=unchanging)


def leave(request: HttpRequest, etag: str, ticket: Ticket | None) -> None:
    """Keep the ticket of an answer that was given under this ETag."""
    if ticket is not None:
        TICKETS.keep(_key(request, etag), ticket)


def draw_once(
    ticket: Ticket | None, draw: Callable[[], str], *depends_on: Hashable
) -> tuple[str, str]:
    """
    The page of a whole house, and its ETag: rendered once for all readers of the same moment.

    :param depends_on: what else it depends on, apart from the house's events and subscribers, such
        as the language.
    """
    if ticket is None:
        return _with_etag(draw())
    basis, moment = ticket.basis, int(time.monotonic() / AT_MOST)
    key = (basis.house, basis.position, ticket.unchanging[:2], moment, *depends_on)
    found = DRAWN.recall(key)
    if found is None:
        found = _with_etag(draw())
        DRAWN.keep(key, found)
    return found


def _with_etag(text: str) -> tuple[str, str]:
    """A text and its ETag, a hash of the text."""
    return text, f'"{blake2b(text.encode(), digest_size=12).hexdigest()}"'


def _key(request: HttpRequest, etag: str) -> tuple[str, ...]:
    headers = request.META
    return (
        request.path_info,
        headers.get("QUERY_STRING", ""),
        etag.removeprefix("W/"),  # as a proxy marks it that compresses: casino.kit.web.etags
        headers.get("HTTP_COOKIE", ""),
        headers.get("HTTP_ACCEPT_LANGUAGE", ""),
        headers.get("HTTP_HX_REQUEST", ""),
    )


def _move_past(ticket: Ticket) -> Ticket | None:
    """The ticket, moved past all events until now; None if something it depends on has changed."""
    if time.monotonic() > ticket.until:
        return None
    try:
        rows = _query(ticket)
    except DatabaseError:
        return None  # the view explains the failure
    if not rows or len(rows) > MOST_EVENTS or _unchanging(ticket, rows[0]) != ticket.unchanging:
        return None
    events = [row[-3:] for row in rows if row[-3] is not None]
    if not _is_booked(ticket.basis, rows[0]) or _concern(ticket.basis, events):
        return None
    if not events:
        return ticket
    return replace(ticket, basis=replace(ticket.basis, position=events[-1][0]))


def _concern(basis: Basis, events: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the answer depends on one of the events. Prizes depend on points of many games."""
    if basis.streams is None:
        return bool(events)
    return any(
        stream in basis.streams
        or (basis.game and (stream.endswith(basis.game) or kind == PRIZE_ISSUED))
        for _position, stream, kind in events
    )


def _is_booked(basis: Basis, row: tuple[Any, ...]) -> bool:
    reached, parked = row[:2]
    if basis.booked is None:
        return True
    return parked is None and reached is not None and reached >= basis.booked


def _unchanging(ticket: Ticket, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The part of a row that must not change at all."""
    whole = ticket.basis.streams is None
    return tuple(row[0 if whole else 2 : -3])


def _query(ticket: Ticket) -> list[tuple[Any, ...]]:
    """
    Run the query. It returns a row for each event since the ticket, or one without an event; no row
    if the session is over. Each row has: settlement, parked, then the person, then the event.
    """
    basis, signed = ticket.basis, ticket.signed
    house = _value(Event, "establishment", basis.house)
    params: list[Any] = [house, house]
    if basis.booked is not None:
        params.append(f"game/{basis.game}")
    if signed is not None:
        params += [
            _value(Tablet, "id", signed.tablet),
            _value(Attendant, "id", signed.person),
            _value(Employment, "establishment", basis.house),
            _value(Attendant, "id", signed.person),
        ]
    params += [house, basis.position]
    if signed is not None:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        params += [signed.key, now]
    with connection.cursor() as cursor:
        cursor.execute(_sql(basis.booked is not None, signed is not None), params)
        return list(cursor.fetchall())


@cache
def _sql(of_game: bool, of_person: bool) -> str:  # noqa: FBT001 - the two kinds of each
    """The SQL. For a game, how far settlement has read; for a house, any subscriber's steps."""
    subscriptions, parked = Subscription._meta.db_table, ParkedEvent._meta.db_table  # noqa: SLF001
    by_name = f" AND name = '{SETTLEMENT}'" if of_game else ""
    by_stream = f" AND subscription = '{SETTLEMENT}' AND stream = %s" if of_game else ""
    return f"""
        SELECT
            (SELECT SUM(position) FROM {subscriptions} WHERE establishment = %s{by_name}),
            (SELECT MIN(position) FROM {parked} WHERE establishment = %s{by_stream}),
            {_person() if of_person else ""}
            e.position, e.stream, e.event_type
        FROM {_session() if of_person else "(SELECT 1 AS here) s"}
        LEFT JOIN {Event._meta.db_table} e ON e.establishment = %s AND e.position > %s
        {"WHERE s.session_key = %s AND s.expire_date > %s" if of_person else ""}
        ORDER BY e.position LIMIT {MOST_EVENTS + 1}
    """  # noqa: S608, SLF001 - names of our own tables


def _person() -> str:
    """The columns of the person, in the order in which `_agrees` reads them."""
    tablets, jobs = Tablet._meta.db_table, Employment._meta.db_table  # noqa: SLF001
    return f"""
        s.session_data, a.password, a.sign_in_epoch, a.pin, a.is_active, a.is_superuser, a.language,
        (SELECT COUNT(*) FROM {tablets} WHERE id = %s AND withdrawn_at IS NULL),
        (SELECT MAX(role) FROM {jobs}
            WHERE attendant_id = %s AND establishment_id = %s AND until IS NULL),
    """  # noqa: S608


def _session() -> str:
    return f"django_session s JOIN {Attendant._meta.db_table} a ON a.id = %s"  # noqa: SLF001


def _value(model: Any, name: str, value: object) -> Any:
    """A value as this database stores it in that column."""
    return model._meta.get_field(name).get_db_prep_value(value, connection)  # noqa: SLF001


def _signed_ticket(request: HttpRequest) -> _Signed | None:
    if not isinstance(request.user, Attendant) or not request.session.session_key:
        return None
    if request.COOKIES.get(settings.SESSION_COOKIE_NAME) != request.session.session_key:
        return None
    floor = request.session.get(assurance.FLOOR)
    tablet = floor["tablet"] if floor else None
    return _Signed(request.session.session_key, request.user.pk, tablet)


def _agrees(request: HttpRequest, role: str, unchanging: tuple[Any, ...]) -> bool:
    """Whether the query found the session and the person for which the answer was made."""
    session, password, epoch, pin, active, superuser, language, tablets, job = unchanging[-9:]
    person = request.user
    expected = (password, epoch, pin, bool(active), bool(superuser), language)
    known = ("password", "sign_in_epoch", "pin", "is_active", "is_superuser", "language")
    if expected != tuple(getattr(person, name) for name in known):
        return False
    floor = assurance.FLOOR in request.session
    if (job not in ALLOWED["record"] or not tablets) if floor else job != role:
        return False
    return bool(request.session.decode(session) == dict(request.session.items()))
