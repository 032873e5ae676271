"""Lists of streams of throws, of alarms about dice, and of how throws are entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.languages.locales import decimal, number
from casino.surveillance import leader_lines, messages, queries
from casino.surveillance.leader_lines import LeadLine
from casino.surveillance.models import Alarm, DiceStream, EntryRow, Kind
from casino.surveillance.queries import AlarmCard, EntryLine, Line
from casino.surveillance.throws import SIZES
from casino.web.listings.columns import API, FOR_PEOPLE, FOR_PROGRAMS, Column, Sign, columns_of
from casino.web.listings.filters import ChoiceFilter, filters
from casino.web.listings.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from casino.web.listings.listing import Viewer

STATES: Final = {"open": gettext_lazy("open"), "acknowledged": gettext_lazy("acknowledged")}
SIGNS: Final = {
    "alarm": Sign("alarm", gettext_lazy("alarm")),
    "look": Sign("wait", gettext_lazy("look again")),
    "few": Sign("off", gettext_lazy("too few to tell")),
    "well": Sign("well", gettext_lazy("as fair dice")),
}
"""Of a stream."""
LOOK_AGAIN: Final = {"look": SIGNS["look"]}


# --- Streams -----------------------------------------------------------------------------------


def _stream(name: str, title: Any = "", field: str = "", **more: Any) -> Column[Line]:
    """A column that is a field of the row."""
    field = field or name
    return Column(name=name, title=title, value=lambda line: getattr(line.row, field), **more)


STREAMS: Final = Listing[DiceStream, Line](
    name="dice_streams",
    title=gettext_lazy("All throws, the most suspicious first"),
    about=gettext_lazy("All throws of the house by whose they are, and what they say about dice."),
    rows=lambda viewer: DiceStream.objects.filter(establishment=viewer.house),
    items=lambda viewer, rows: queries.lines(viewer.house, rows, absolute=viewer.absolute),
    order=("-log10", "kind", "name", "sides"),
    filters=filters(
        kind=ChoiceFilter(title=gettext_lazy("Whose throws"), choices=messages.KINDS.items()),
        sides=ChoiceFilter(
            title=gettext_lazy("Dice"),
            choices=[(sides, f"d{sides}") for sides in SIZES],
            whole=True,
        ),
    ),
    columns=(
        Column(name="title", title=gettext_lazy("Whose"), template="surveillance/_whose.html",
               link=lambda line: f"{line.address}#d{line.row.sides}"),
        _stream("kind", gettext_lazy("Kind"), on=FOR_PROGRAMS,
                display=lambda line: messages.kind_title(line.row.kind)),
        Column(name="name", on=API, value=lambda line: line.row.name or queries.ALL),
        _stream("sides", gettext_lazy("Dice"), order=("sides",),
                display=lambda line: f"d{line.row.sides}"),
        _stream("throws", gettext_lazy("Throws"), kind="number", order=("throws",)),
        _stream("missing", gettext_lazy("Unseen"), kind="number", order=("missing",),
                style="wide"),
        _stream("counts", field="total", on=API),
        _stream("counted", on=API),
        _stream("log10_e", gettext_lazy("Against fair dice"), "log10", order=("log10",),
                style="num", display=lambda line: line.odds),
        _stream("highest_log10_e", gettext_lazy("At most"), "highest", on=FOR_PROGRAMS,
                display=lambda line: messages.odds(line.row.highest)),
        Column(name="shows", title=gettext_lazy("So many throws would show"), on=FOR_PEOPLE,
               style="wide soft"),
        *(_stream(f"passed_{level}", on=API) for level in (20, 100, 1000)),
        _stream("change", on=API),
        Column(name="smallest_tilt", on=API, value=lambda line: line.smallest),
        Column(name="state", title=gettext_lazy("State"), on=FOR_PEOPLE, signs=SIGNS,
               value=lambda line: line.sign),
        Column(name="alarm", on=API, value=lambda line: line.row.alarm is not None),
        Column(name="url", on=API, value=lambda line: line.absolute(line.address)),
    ),
    empty=gettext_lazy(
        "No throw was recorded yet. As soon as a game is played its dice are counted here, a moment"
        " after each throw."
    ),
    none_such=gettext_lazy("No throws of this kind."),
)  # fmt: skip


# --- Alarms ------------------------------------------------------------------------------------


def _in_state(rows: QuerySet[Alarm], state: str) -> QuerySet[Alarm]:
    return rows.filter(open=state == "open")


_alarm = columns_of()


ALARMS: Final = Listing[Alarm, AlarmCard](
    name="dice_alarms",
    title=gettext_lazy("Alarms"),
    about=gettext_lazy("Alarms about dice, and who acknowledged them with what was found."),
    rows=lambda viewer: queries.alarms(viewer.house.pk),
    items=lambda viewer, rows: queries.cards(viewer.house, rows, absolute=viewer.absolute),
    order=("-position",),
    filters=filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=STATES.items(), keep=_in_state),
    ),
    columns=(
        Column(name="alarm", on=API, value=lambda card: card.row.id),
        _alarm("raised_at", gettext_lazy("Raised"), kind="moment", order=("position",),
               style="soft"),
        _alarm("gaming_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _alarm("kind", on=API),
        Column(name="name", on=API, value=lambda card: card.row.name or queries.ALL),
        Column(name="title", title=gettext_lazy("Dice"), link=lambda card: card.address,
               style="row-name", display=lambda card: f"{card.title}, d{card.row.sides}"),
        _alarm("sides", on=API),
        _alarm("throws", gettext_lazy("Throws"), kind="number", order=("throws",),
               link=lambda card: reverse("ledger-event", args=[card.row.cause])),
        _alarm("by", gettext_lazy("What it said"), display=lambda card: card.short),
        _alarm("counts", on=API),
        Column(name="log10_e", on=API, value=lambda card: card.row.log10),
        _alarm("change", on=API),
        _alarm("alpha", on=API),
        _alarm("streams", on=API),
        _alarm("cause", on=API),
        _alarm("open", on=API),
        Column(name="acknowledged_by", title=gettext_lazy("Acknowledged by"),
               value=lambda card: card.acknowledged_by or None,
               display=lambda card: card.acknowledged_by),
        _alarm("acknowledged_at", gettext_lazy("Acknowledged"), kind="moment", style="soft wide"),
        Column(name="reason", title=gettext_lazy("What was found"), style="wide because",
               value=lambda card: card.reason or None, display=lambda card: card.reason),
        _alarm("position", gettext_lazy("Ledger position"), kind="number", on=FOR_PROGRAMS),
        Column(name="url", on=API, value=lambda card: card.absolute(card.address)),
    ),
    empty=gettext_lazy("No alarm was raised yet."),
)  # fmt: skip


# --- Entries -----------------------------------------------------------------------------------

NO_THROW: Final = "game.no_throw_recorded"


_entry = columns_of(kind="number")


def recorded_by(line: EntryLine, **query: str) -> str:
    """The attendant's events in the ledger."""
    return f"{reverse('ledger-events')}?{urlencode({**query, 'actor': line.row.name})}"


def _no_throws(line: EntryLine) -> str:
    if line.row.kind == Kind.ATTENDANT and line.row.no_throws:
        return recorded_by(line, event_type=NO_THROW)
    return ""


def _repeats(line: EntryLine) -> str:
    due = _("by chance %(due)s") % {"due": decimal(line.row.repeats_due, 1)}
    return f"{number(line.row.repeats)}, {due}{_against(line.repeat_odds, line.repeats_told)}"


def _favourite(line: EntryLine) -> str:
    if line.favourite is None or line.favourite_face is None:
        return ""
    face, times = line.favourite_face
    which = _("%(face)s on d%(sides)s") % {"face": face, "sides": line.favourite.sides}
    odds = _against(line.favourite_odds, line.favourite_told)
    return f"{which} \N{MULTIPLICATION SIGN} {decimal(times, 2)}{odds}"


def _against(odds: str, stands: bool) -> str:  # noqa: FBT001 - a cell's value
    return f", {_('%(odds)s against chance') % {'odds': odds}}" if stands else ""


ENTRIES: Final = Listing[EntryRow, EntryLine](
    name="entries",
    title=gettext_lazy("Attendants"),
    about=gettext_lazy("How fast attendants enter throws, and which dice they enter too often."),
    rows=lambda viewer: queries.entries(viewer.house.pk).filter(kind=Kind.ATTENDANT),
    items=lambda viewer, rows: queries.entry_lines(viewer.house, rows),
    order=("-no_throws", "name"),
    columns=(
        Column(name="title", title=gettext_lazy("Attendant"), link=lambda line: line.address,
               style="row-name"),
        _entry("entries", gettext_lazy("Entries"), link=lambda line: recorded_by(line, kind="game"),
               order=("entries",)),
        Column(name="median", title=gettext_lazy("Half within"), style="num"),
        Column(name="p95", title=gettext_lazy("19 of 20 within"), style="num"),
        Column(name="repeats", title=gettext_lazy("Same dice twice"), style="num",
               value=_repeats, template="surveillance/_repeats.html"),
        Column(name="favourite", title=gettext_lazy("Favourite face"), style="num",
               value=_favourite, template="surveillance/_favourite.html"),
    ),
    empty=gettext_lazy("No throw was recorded yet."),
)  # fmt: skip
NO_THROWS: Final = Listing[EntryRow, EntryLine](
    name="no_throws",
    title=gettext_lazy("No throws"),
    about=gettext_lazy("What was called no throw, of whom, and who gained by it."),
    rows=lambda viewer: queries.entries(viewer.house.pk).filter(
        ~Q(kind=Kind.PLAYER) | Q(no_throws__gt=0)  # of throwers only those who had any
    ),
    items=lambda viewer, rows: queries.entry_lines(viewer.house, rows),
    order=("kind", "-no_throws", "name"),
    filters=filters(
        kind=ChoiceFilter(
            title=gettext_lazy("Whose"),
            choices=[(kind.value, messages.KINDS[kind])
                     for kind in (Kind.ATTENDANT, Kind.TABLE, Kind.PLAYER)],
        ),
    ),
    columns=(
        Column(name="title", title=gettext_lazy("Whose"), template="surveillance/_whose.html",
               link=lambda line: line.address),
        Column(name="kind", title=gettext_lazy("Kind"), on=FOR_PROGRAMS,
               value=lambda line: line.row.kind,
               display=lambda line: messages.kind_title(line.row.kind)),
        _entry("entries", gettext_lazy("Entries"), order=("entries",)),
        _entry("no_throws", gettext_lazy("No throws"), link=_no_throws, order=("no_throws",)),
        Column(name="rate", title=gettext_lazy("Share"), kind="share",
               value=lambda line: line.rate / 100),
        *(_entry(name, title, style="wide", order=(name,)) for name, title in (
            ("cocked", gettext_lazy("Cocked")),
            ("off_table", gettext_lazy("Off the table")),
            ("interference", gettext_lazy("Interference")))),
        *(_entry(name, title, order=(name,)) for name, title in (
            ("judged", gettext_lazy("Judged")),
            ("spared", gettext_lazy("Spared")),
            ("denied", gettext_lazy("Denied")))),
    ),
    empty=gettext_lazy("No throw was recorded yet."),
)  # fmt: skip


# --- Who led -----------------------------------------------------------------------------------


def _compared(line: LeadLine, text: str) -> str:
    return text if line.compared else ""


def _leads(viewer: Viewer) -> Sequence[LeadLine]:
    return leader_lines.foremost(viewer.house)


def _last(line: LeadLine) -> str:
    return reverse("ledger-event", args=[line.row.last]) if line.row.last else ""


def _elsewhere(line: LeadLine) -> float | None:
    return line.elsewhere.rate if line.compared and line.elsewhere.chances else None


LEADS: Final = Listing[LeadLine, LeadLine](
    name="no_throws_by_leader",
    title=gettext_lazy("No throws by who led"),
    about=gettext_lazy("Whose no-throws came more often when somebody led."),
    rows=_leads,
    order=("-row__highest", "row__kind", "row__name", "row__game", "row__leader"),
    columns=(
        Column(name="whose", title=gettext_lazy("Whose"), template="surveillance/_led.html",
               link=lambda line: f"{line.address}#leads"),
        Column(name="game", title=gettext_lazy("Game")),
        Column(name="title", title=gettext_lazy("Before the throw")),
        Column(name="chances", title=gettext_lazy("Throws and no-throws"), kind="number",
               value=lambda line: line.row.chances, order=("row__chances",)),
        Column(name="no_throws", title=gettext_lazy("No throws"), kind="number", link=_last,
               value=lambda line: line.row.no_throws, order=("row__no_throws",)),
        Column(name="rate", title=gettext_lazy("Share"), kind="share",
               value=lambda line: line.here.rate),
        Column(name="elsewhere", title=gettext_lazy("Otherwise"), kind="share", value=_elsewhere),
        Column(name="odds", title=gettext_lazy("Against chance"), style="num",
               value=lambda line: _compared(line, line.odds)),
        Column(name="highest", title=gettext_lazy("At most"), style="num wide",
               value=lambda line: _compared(line, line.highest), order=("row__highest",)),
        Column(name="p", title=gettext_lazy("p, exact"), style="num wide",
               value=lambda line: line.p if line.compared and line.row.no_throws else None,
               template="surveillance/_p.html"),
        Column(name="state", title=gettext_lazy("State"), signs=LOOK_AGAIN,
               value=lambda line: _compared(line, "look" if line.stands_out else "")),
    ),
    empty=gettext_lazy(
        "Nobody's no-throws depend on who led, as far as can be seen. What so many throws could"
        " have shown stands on the page of each attendant and thrower."
    ),
)  # fmt: skip
