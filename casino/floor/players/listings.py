"""The lists of players, of their cash by gaming day (P2), and of tips (P4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models.functions import Greatest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import cash
from casino.floor.players.models import CashDay, CashMove
from casino.house.attendants.pseudonyms import similar_names, tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.gaming_day import current
from casino.kit.approvals.queries import names as people_named
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    PAGE,
    Column,
    DayFilter,
    Listing,
    PlayerFilter,
    Sign,
    TableFilter,
    TextFilter,
    columns_of,
    filters,
)
from casino.money.cash.accounts import queries as accounts
from casino.money.cash.models import Tip
from casino.play.exclusions import operations as exclusions
from casino.words.languages import names as lookalikes
from ledger.accounts import AccountRef

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer

TOKEN: Final = re.compile(tokens.PLAYER)
ABOVE: Final = Sign("wait", gettext_lazy("above the threshold"))


def today(viewer: Viewer) -> str:
    """The current gaming day, in the format of addresses."""
    return current(viewer.house, timezone.now()).isoformat()


# --- Who is known ---------------------------------------------------------------------------------


class NameOrIdFilter(TextFilter):
    """Filters players by the first letters of a name, or by id, also of an erased player."""

    def filter(self, rows: Any, value: Any) -> Any:
        wanted = (value or "").strip()
        if TOKEN.fullmatch(wanted):
            return rows.filter(token=wanted)
        rows = rows.filter(name__isnull=False)
        return rows.filter(name__istartswith=wanted) if wanted else rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerItem:
    """
    A player, with their cash of the current gaming day, if any moved.

    :param url: address of the player's page; "" if the viewer may not open it.
    :param alike: by token, the names of other players that look the same; `perhaps`: that may be
        another spelling of this one.
    """

    row: Player
    excluded: bool
    day: CashDay | None
    flagged: bool
    url: str
    alike: Mapping[str, Sequence[str]]
    perhaps: Mapping[str, Sequence[str]]
    perhaps_excluded: Sequence[str]

    @property
    def state(self) -> str:
        """The words of the signs beside the name."""
        words = (
            (self.excluded, _("excluded")),
            (bool(self.perhaps_excluded), _("may be an excluded player")),
            (self.flagged, str(ABOVE.word)),
            (self.row.name is None, _("name erased")),
        )
        return ", ".join(word for holds, word in words if holds)


def player_items(viewer: Viewer, rows: Sequence[Player]) -> list[PlayerItem]:
    house, today_is = viewer.house, current(viewer.house, timezone.now())
    bars = exclusions.exclusion_state_of(house.pk).on(today_is)
    days: dict[str, CashDay] = {}
    known: Mapping[str, str] = {}
    called = {each.token: each.name for each in rows if each.name}
    barred = exclusions.spellings_of_exclusions(house.pk, called, today_is)
    oversees = any(viewer.may(act) for act in OVERSEEING)
    if viewer.surface != "api":
        found = CashDay.objects.filter(
            establishment=house, gaming_day=today_is, player__in=[each.token for each in rows]
        )
        days = {each.player: each for each in found}
    if viewer.surface == "page":
        known = similar_names.add_similar(house.pk, called)
    alike, perhaps = lookalikes.namesakes(known), lookalikes.perhaps_the_same(known)
    return [
        PlayerItem(
            row=row,
            excluded=row.token in bars,
            day=(day := days.get(row.token)),
            flagged=oversees and day is not None and cash.is_flagged(house, day),
            url=reverse("player", kwargs={"token": row.token}) if oversees else "",
            alike=alike,
            perhaps=perhaps,
            perhaps_excluded=barred.get(row.token, ()),
        )
        for row in rows
    ]


PLAYERS: Final = Listing[Player, PlayerItem](
    name="players",
    title=gettext_lazy("Players"),
    about=gettext_lazy("Everybody who has a name at the house, and their cash of today."),
    rows=lambda viewer: Player.objects.filter(establishment=viewer.house),
    items=player_items,
    order=("name", "token"),
    filters=filters(name=NameOrIdFilter(title=gettext_lazy("Name or id"), on=FOR_PEOPLE)),
    columns=(
        Column(name="name", title=gettext_lazy("Player"), style="row-name",
               value=lambda item: item.row.name, link=lambda item: item.url,
               template="floor/players/_name.html", order=("name",)),
        Column(name="id", title=gettext_lazy("Id in the ledger"), style="wide soft id",
               value=lambda item: item.row.token),
        Column(name="cash_in", title=gettext_lazy("Cash in today"), kind="money", on=FOR_PEOPLE,
               sees=OVERSEEING, value=lambda item: item.day and item.day.cash_in),
        Column(name="cash_out", title=gettext_lazy("Cash out today"), kind="money",
               on=FOR_PEOPLE, sees=OVERSEEING, value=lambda item: item.day and item.day.cash_out),
        Column(name="state", title=gettext_lazy("State"), on=FOR_PEOPLE,
               template="floor/players/_state.html"),
        Column(name="excluded", on=API),
        Column(name="perhaps_excluded", on=API),
    ),
    empty=gettext_lazy("Nobody has played here yet. Players appear with their first seat."),
    next_step=("floor", gettext_lazy("To the floor")),
    none_such=gettext_lazy("Nobody of that name or id is known here."),
    from_replica=True,
)  # fmt: skip


# --- Cash of a gaming day (P2) --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CashDayItem:
    row: CashDay
    name: str
    flagged: bool

    @property
    def url(self) -> str:
        return reverse("cash-of", kwargs={"day": self.row.gaming_day, "token": self.row.player})


def cash_day_items(viewer: Viewer, rows: Sequence[CashDay]) -> list[CashDayItem]:
    names = names_of(viewer.house, [row.player for row in rows])
    return [
        CashDayItem(row=row, name=names[row.player], flagged=cash.is_flagged(viewer.house, row))
        for row in rows
    ]


def names_of(house: Establishment, players: Sequence[str]) -> dict[str, str]:
    """The names of players by token."""
    wanted = list(dict.fromkeys(players))
    return dict(zip(wanted, tokens.resolve(house.pk, wanted), strict=True))


_of_day = columns_of()


CASH_DAYS: Final = Listing[CashDay, CashDayItem](
    name="cash-log",
    title=gettext_lazy("Cash by player"),
    about=gettext_lazy("What each player brought and took on a gaming day."),
    rows=lambda viewer: CashDay.objects.filter(establishment=viewer.house).annotate(
        greatest=Greatest("cash_in", "cash_out")
    ),
    items=cash_day_items,
    order=("-gaming_day", "-greatest", "player"),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        player=PlayerFilter(),
    ),
    usual={"day": today},
    columns=(
        _of_day("gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PEOPLE,
                style="soft", order=("gaming_day",)),
        _of_day("player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS),
        Column(name="name", title=gettext_lazy("Player"), style="row-name",
               link=lambda item: item.url),
        _of_day("cash_in", title=gettext_lazy("Cash in"), kind="money", order=("cash_in",)),
        _of_day("cash_out", title=gettext_lazy("Cash out"), kind="money", order=("cash_out",)),
        _of_day("moves", title=gettext_lazy("Transactions"), kind="number", style="wide",
                order=("moves",)),
        Column(name="flagged", title=gettext_lazy("State"), signs={True: ABOVE},
               display=lambda item: str(ABOVE.word) if item.flagged else ""),
    ),
    empty=gettext_lazy("No cash of a player has moved here yet."),
    next_step=("floor", gettext_lazy("To the floor")),
    none_such=gettext_lazy("No player's cash moved on this gaming day."),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CashMoveItem:
    """
    A line of the multiple-transaction log, with names.

    :param place: title of the cash account.
    :param flagged: whether the player's cash of that day is above the threshold.
    """

    row: CashMove
    name: str
    place: str
    by: str
    flagged: bool

    @property
    def url(self) -> str:
        """The address of the log of its game; "" if it belongs to no game."""
        return reverse("floor-log", args=[self.row.game]) if self.row.game else ""


def cash_move_items(viewer: Viewer, rows: Sequence[CashMove]) -> list[CashMoveItem]:
    if viewer.surface == "api":
        return [CashMoveItem(row=row, name="", place="", by="", flagged=False) for row in rows]
    names = names_of(viewer.house, [row.player for row in rows])
    people = people_named({row.by for row in rows})
    places = accounts.titles(viewer.house, [AccountRef.parse(row.where) for row in rows])
    days = {row.gaming_day for row in rows}
    flagged = (
        cash.players_above_threshold(viewer.house, days) if viewer.surface == "file" else set()
    )
    return [
        CashMoveItem(
            row=row,
            name=names[row.player],
            place=places[AccountRef.parse(row.where)],
            by=people[row.by],
            flagged=(row.gaming_day, row.player) in flagged,
        )
        for row in rows
    ]


_of_move = columns_of()


CASH_MOVES: Final = Listing[CashMove, CashMoveItem](
    name="cash-moves",
    title=gettext_lazy("Transactions"),
    about=gettext_lazy("Each time that a player's cash moved: how much, where, and by whom."),
    rows=lambda viewer: CashMove.objects.filter(establishment=viewer.house),
    items=cash_move_items,
    order=("position", "seq"),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        player=PlayerFilter(),
    ),
    usual={"day": today},
    columns=(
        _of_move("gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FILE),
        _of_move("at", title=gettext_lazy("Time"), kind="moment", on=PAGE | API, style="soft",
                 template="floor/players/_moved_at.html", order=("position", "seq")),
        _of_move("recorded_at", title=gettext_lazy("Time"), kind="moment", on=FILE,
                 value=lambda item: item.row.at),
        _of_move("position", title=gettext_lazy("Ledger position"), kind="number",
                 on=FOR_PROGRAMS),
        _of_move("seq", on=API),
        _of_move("player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS),
        Column(name="name", title=gettext_lazy("Player"), on=FOR_PEOPLE, style="row-name",
               link=lambda item: item.url),
        Column(name="place", title=gettext_lazy("Where"), on=PAGE),
        _of_move("cash_in", title=gettext_lazy("Cash in"), kind="money", order=("cash_in",),
                 template="floor/players/_cash_in.html"),
        _of_move("cash_out", title=gettext_lazy("Cash out"), kind="money", order=("cash_out",),
                 template="floor/players/_cash_out.html"),
        _of_move("reason", title=gettext_lazy("Reason"), on=FOR_PROGRAMS),
        _of_move("where", title=gettext_lazy("Where"), on=FOR_PROGRAMS),
        _of_move("game", title=gettext_lazy("Game"), on=FOR_PROGRAMS),
        _of_move("by", on=API),
        Column(name="attendant", title=gettext_lazy("Recorded by"), on=FOR_PEOPLE,
               value=lambda item: item.by, style="wide soft"),
        Column(name="flagged", title=gettext_lazy("Flagged"), on=FILE),
    ),
    empty=gettext_lazy("No cash of a player has moved here yet."),
    none_such=gettext_lazy("No cash of theirs moved on this gaming day."),
    sees=OVERSEEING,
    section="players",
    links=(("players", gettext_lazy("All players")), ("cash-log", gettext_lazy("Cash log"))),
)  # fmt: skip


# --- Tips (P4) ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TipItem:
    row: Tip
    attendant: str
    table: str

    @property
    def what(self) -> str:
        return "taken" if self.row.amount > 0 else "handed"


TIP_SIGNS: Final = {
    "taken": Sign("wait", gettext_lazy("taken")),
    "handed": Sign("well", gettext_lazy("handed over")),
}


def tip_items(viewer: Viewer, rows: Sequence[Tip]) -> list[TipItem]:
    people = people_named({str(each.attendant) for each in rows})
    tables = dict(viewer.house.tables.values_list("pk", "name"))
    return [
        TipItem(row=row, attendant=people[str(row.attendant)], table=tables[row.table])
        for row in rows
    ]


TIPS: Final = Listing[Tip, TipItem](
    name="tips",
    title=gettext_lazy("Tips"),
    about=gettext_lazy("Tips that were taken, and handed over to their attendants."),
    rows=lambda viewer: Tip.objects.filter(establishment=viewer.house),
    items=tip_items,
    order=("-position",),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        table=TableFilter(),
    ),
    columns=(
        Column(name="at", title=gettext_lazy("When"), kind="moment", style="soft",
               value=lambda item: item.row.at, order=("position",)),
        Column(name="attendant", title=gettext_lazy("Attendant"), style="row-name"),
        Column(name="table", title=gettext_lazy("Table")),
        Column(name="amount", title=gettext_lazy("Amount"), kind="money",
               value=lambda item: item.row.amount, order=("amount",)),
        Column(name="what", title=gettext_lazy("What"), signs=TIP_SIGNS),
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FILE,
               value=lambda item: item.row.gaming_day),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number", on=FILE,
               value=lambda item: item.row.position),
    ),
    empty=gettext_lazy("No tip was taken here yet."),
)  # fmt: skip
