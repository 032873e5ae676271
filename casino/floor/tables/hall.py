"""The hall: every table of the floor, whose turn it is, how long it is idle, who is needed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.floor.players import cash
from casino.floor.tables import news
from casino.house.acts.game_streams.loading import GameKey
from casino.house.attendants import permissions
from casino.house.establishments import epochs
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.table_names import in_list_order
from casino.kit.approvals.models import RequestRow
from casino.kit.web import etags
from casino.kit.web.current_house import house_of
from casino.play.core import queries
from casino.play.devices.models import GapRow, Heard, LateRow
from casino.play.settlement import payout_holds, settled
from casino.play.settlement.models import Withheld
from casino.words.languages import reader
from casino.words.languages.amounts import money
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment, Table

MANY: Final = 12
"""With more tables than this they are shown closer together."""
BEHIND: Final = timedelta(seconds=15)
"""Settlement takes about a second; a game that is not booked after this time is marked."""
SILENT: Final = timedelta(seconds=60)
"""
A recording device is heard every ten seconds or more often (casino/play/devices/leases.py).
"""
WAIT, ALARM, OFF = "wait", "alarm", "off"


@require_safe
@never_cache
def hall(request: HttpRequest) -> HttpResponse:
    """The page of all tables."""
    if not request.user.is_authenticated:
        return _answer_signed_out(request)
    house = house_of(request)
    show_times_of(house)
    now = timezone.now()
    listed, etag = _draw(request, house, now)
    context = {
        "house": house,
        "gaming_day": current(house, now),
        "listed": listed,
        "etag": etag,
        "filters": _filters(request),
        "configures": permissions.may(request.user, "configure", house.pk),
        "practises": permissions.may(request.user, "record", house.pk),
        "takes_over": permissions.may(request.user, "approve", house.pk),
        "restored": epochs.notice(house, now),
    }
    return render(request, "floor/tables/tables.html", context)


@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """The list of tables alone, which the page polls each second; see `news`."""
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    house = house_of(request)
    show_times_of(house)
    position = news.since(house.pk)
    basis = news.Basis(house=house.pk, position=position, streams=None)
    role = permissions.roles(request.user)[house.pk]
    ticket = news.begin_ticket(request, basis, role=role)
    listed, etag = _draw(request, house, timezone.now(), ticket)
    news.leave(request, etag, ticket)
    return etags.not_modified(request, etag) or HttpResponse(listed, headers={"ETag": etag})


def _answer_signed_out(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    return redirect_to_login(request.get_full_path())


def _filters(request: HttpRequest) -> dict[str, str]:
    """The filters: words, and whether to list only tables that need somebody."""
    return {"q": request.GET.get("q", "").strip()[:60], "needs": request.GET.get("needs", "")}


def _draw(
    request: HttpRequest, house: Establishment, now: datetime, ticket: news.Ticket | None = None
) -> tuple[str, str]:
    """The rendered list and its ETag."""
    filters = _filters(request)
    may = {
        "configures": permissions.may(request.user, "configure", house.pk),
        "records": permissions.may(request.user, "record", house.pk),
    }
    depends_on = ("hall", *filters.values(), *may.values(), reader.language_and_locale())
    return news.draw_once(ticket, lambda: _list(house, now, filters, may), *depends_on)


def _list(
    house: Establishment, now: datetime, filters: dict[str, str], may: Mapping[str, bool]
) -> str:
    """
    Render the list of tables.

    :param may: which links the reader may follow.
    """
    places = look(house, now)
    matching = [
        place for place in places if place.matches(filters["q"], needs=bool(filters["needs"]))
    ]
    context = {
        "places": matching,
        "tables": len(places),
        "playing": sum(place.game is not None for place in places),
        "needing": sum(place.needs for place in places),
        "many": len(places) > MANY,
        "stopped": payout_holds.stop_now(house.pk) is not None,
        **may,
    }
    return render_to_string("floor/tables/_tables.html", context)


@dataclass(frozen=True, slots=True)
class Sign:
    """
    A sign on a table that something needs attention, in a few words.

    :param tone: how it is drawn: somebody waits, something is wrong, or it is only for information.
    """

    name: str
    words: str
    tone: str = ALARM

    @property
    def needs(self) -> bool:
        return self.tone != OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    A table as the hall shows it.

    :param number: the key that opens it.
    :param game: as `casino.play.core.queries` has it; None if the table is free.
    :param idle_from: from when on it counts as idle; None for never.
    """

    id: str
    name: str
    number: int
    url: str
    game: dict[str, Any] | None = None
    last_at: datetime | None = None
    idle_from: datetime | None = None
    signs: Sequence[Sign] = field(default_factory=tuple)

    @property
    def keyed(self) -> bool:
        """Whether its key has to be shown, because its name does not contain the number."""
        return str(self.number) not in re.findall(r"\d+", self.name)

    @property
    def needs(self) -> bool:
        """Whether somebody should go there."""
        return any(sign.needs for sign in self.signs)

    def matches(self, words: str, *, needs: bool) -> bool:
        """Whether every word is found in the texts of the table."""
        if needs and not self.needs:
            return False
        game = self.game or {}
        texts = [self.name, *(game.get(each, "") for each in ("title", "sentence"))]
        texts += game.get("players", ())
        searched = " ".join(map(str, texts)).casefold()
        return all(word in searched for word in words.casefold().split())


def look(house: Establishment, now: datetime) -> list[Place]:
    """Every table in use, in the order of its number; as many queries for fifty as for one."""
    tables = in_list_order(house.tables.filter(in_use=True))
    running, over = queries.games_last(house.pk, [table.pk for table in tables])
    games = queries.read_cards(house.pk, running)
    about = About(house, [loaded for loaded in games.values() if loaded], now, over)
    numbers = number_names([table.name for table in tables])
    return [
        place(table, number, card, games, about)
        for table, number, card in zip(
            tables, numbers, queries.cards(house, tables, games), strict=True
        )
    ]


def place(
    table: Table,
    number: int,
    card: dict[str, Any],
    games: dict[UUID, Loaded | None],
    about: About,
) -> Place:
    loaded = games.get(table.pk)
    game = card["game"]
    signs = list(about.of_table(table.pk))
    if table.pk in games and loaded is None:
        signs.append(Sign("unread", _("its record cannot be read")))
    if loaded is None:
        url = reverse("floor-open", args=[table.pk])
        return Place(id=card["id"], name=table.name, number=number, url=url, signs=signs)
    last_at = last_played(loaded)
    return Place(
        id=card["id"],
        name=table.name,
        number=number,
        url=reverse("floor-game", args=[game["id"]]),
        game=game,
        last_at=last_at,
        idle_from=about.idle_from(loaded, last_at),
        signs=[*about.of_game(loaded, last_at), *signs],
    )


class About:
    """Other facts about the house's tables, with one query for each kind of fact."""

    def __init__(
        self,
        house: Establishment,
        games: Sequence[Loaded],
        now: datetime,
        over: Mapping[UUID, UUID],
    ) -> None:
        """
        :param games: the running ones that can be read.
        :param over: the last game of each free table, by the table's id.
        """
        self.house, self.now, self.over = house, now, over
        pks = [*(loaded.key.game for loaded in games), *over.values()]
        self.unpaid = cash.stakes_left(house, over.values())
        self.reached = settled.position_of(house.pk)
        self.parked = set(
            ParkedEvent.objects.filter(establishment=house.pk, subscription=settled.SETTLEMENT)
            .values_list("stream", flat=True)
            .distinct()
        )
        waiting = Withheld.objects.filter(establishment=house, waiting=True, game__in=pks)
        self.held = set(waiting.values_list("game", flat=True))
        heartbeats = Heard.objects.filter(establishment=house, game__in=pks)
        self.heartbeats = dict(heartbeats.values_list("game", "heard_at"))
        self.late = self._by_table(
            LateRow.objects.filter(establishment=house, state=LateRow.State.WAITING)
        )
        self.gaps = self._by_table(GapRow.objects.filter(establishment=house, open=True))
        slips = RequestRow.objects.filter(
            establishment=house, open=True, state=RequestRow.State.WAITING, game__isnull=True
        )
        self.slips_waiting = Counter(
            str(subject["table"])
            for subject in slips.values_list("subject", flat=True)
            if isinstance(subject, dict) and "table" in subject
        )

    @staticmethod
    def _by_table(rows: Any) -> Counter[UUID]:
        return Counter(rows.values_list("table", flat=True))

    def of_table(self, table: UUID) -> Iterable[Sign]:
        if many := self.slips_waiting[str(table)]:
            yield Sign("cash", ngettext(
                "%(count)s slip to approve", "%(count)s slips to approve", many
            ) % {"count": many}, WAIT)  # fmt: skip
        if many := self.late[table]:
            yield Sign("late", ngettext(
                "%(count)s late entry", "%(count)s late entries", many
            ) % {"count": many})  # fmt: skip
        if self.gaps[table]:
            yield Sign("gap", _("entries missing"))
        if (game := self.over.get(table)) is not None:
            yield from self._of_what_is_over(GameKey(self.house.pk, game))

    def _of_what_is_over(self, key: GameKey) -> Iterable[Sign]:
        """What a free table's last game has left to do: it is not paid out, or not booked."""
        if key.game in self.held:
            yield Sign("held", _("payout held"), WAIT)
        if {key.stream, key.settlement} & self.parked:
            yield Sign("parked", _("booking stopped"))
        if amount := self.unpaid[key.game]:
            yield Sign("unpaid", _("%(amount)s to pay out") % {"amount": money(amount)}, WAIT)

    def of_game(self, loaded: Loaded, last_at: datetime) -> Iterable[Sign]:
        """The signs of a game, the most serious first."""
        state, key = loaded.state, loaded.key
        if state.disputes:
            yield Sign("dispute", _("disputed"))
        if many := len(loaded.view["requests"]):
            yield Sign("request", ngettext(
                "%(count)s request", "%(count)s requests", many
            ) % {"count": many}, WAIT)  # fmt: skip
        if key.game in self.held:
            yield Sign("held", _("payout held"), WAIT)
        if {key.stream, key.settlement} & self.parked:
            yield Sign("parked", _("booking stopped"))
        elif self.reached < loaded.position and self._recorded(loaded) < self.now - BEHIND:
            yield Sign("behind", _("booking behind"))
        if state.paused:
            yield Sign("paused", _("paused"), OFF)
            return
        yield from self._quiet(loaded, last_at)

    def _quiet(self, loaded: Loaded, last_at: datetime) -> Iterable[Sign]:
        seen_at = self.heartbeats.get(loaded.key.game)
        if seen_at is not None and self.now - seen_at >= SILENT and not loaded.closed:
            yield Sign("silent", _("tablet silent"))
        idle_from = self.idle_from(loaded, last_at)
        if idle_from is not None and self.now >= idle_from:
            yield Sign("idle", _("idle"), WAIT)

    def idle_from(self, loaded: Loaded, last_at: datetime) -> datetime | None:
        if self.house.idle_after is None or loaded.state.paused:
            return None
        return last_at + timedelta(minutes=self.house.idle_after)

    @staticmethod
    def _recorded(loaded: Loaded) -> datetime:
        return loaded.events[-1].provenance.recorded_at


def last_played(loaded: Loaded) -> datetime:
    """When play last went on; buy-ins and cash-outs are not play."""
    for number, fact in reversed(loaded.live):
        if not fact.is_cash:
            return loaded.events[number - 1].provenance.recorded_at
    return loaded.opening.provenance.recorded_at


def number_names(names: Sequence[str]) -> list[int]:
    """The number in each name if it is the first with that number; others get free numbers."""
    own = [int(found[-1]) if (found := re.findall(r"\d{1,3}", name)) else 0 for name in names]
    kept = [number if number and number not in own[:at] else 0 for at, number in enumerate(own)]
    free = (number for number in count(1) if number not in kept)
    return [number or next(free) for number in kept]
