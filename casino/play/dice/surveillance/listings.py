"""Lists of streams of throws, alarms about dice, entry statistics, and no-throws by leader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.web.listings.listing import (
    API,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    Listing,
    Sign,
    columns_of,
    filters,
)
from casino.play.dice.surveillance import leader_comparisons, queries
from casino.play.dice.surveillance.leader_comparisons import LeaderComparison
from casino.play.dice.surveillance.models import Alarm, DiceStream, EntryRow, Kind
from casino.play.dice.surveillance.queries import AlarmCard, EntryLine, StreamLine
from casino.play.dice.surveillance.stream_monitor import DIE_SIZES
from casino.words.languages.locales import decimal, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer

ALARM_STATES: Final = {"open": gettext_lazy("open"), "acknowledged": gettext_lazy("acknowledged")}
STATE_SIGNS: Final = {
    "alarm": Sign("alarm", gettext_lazy("alarm")),
    "look": Sign("wait", gettext_lazy("look again")),
    "few": Sign("off", gettext_lazy("too few to tell")),
    "well": Sign("well", gettext_lazy("as fair dice")),
}
"""The states of a stream."""
REVIEW_SIGN: Final = {"look": STATE_SIGNS["look"]}


# --- Streams -----------------------------------------------------------------------------------


def _stream_column(name: str, title: Any = "", field: str = "", **more: Any) -> Column[StreamLine]:
    """A column with a field of the row."""
    field = field or name
    return Column(name=name, title=title, value=lambda line: getattr(line.row, field), **more)


STREAMS: Final = Listing[DiceStream, StreamLine](
    name="dice_streams",
    title=gettext_lazy("All throws, the most suspicious first"),
    about=gettext_lazy("All throws of the house by whose they are, and what they say about dice."),
    rows=lambda viewer: DiceStream.objects.filter(establishment=viewer.house),
    items=lambda viewer, rows: queries.stream_lines(viewer.house, rows, absolute=viewer.absolute),
    order=("-log10", "kind", "name", "sides"),
    filters=filters(
        kind=ChoiceFilter(title=gettext_lazy("Whose throws"), choices=queries.KINDS.items()),
        sides=ChoiceFilter(
            title=gettext_lazy("Dice"),
            choices=[(sides, f"d{sides}") for sides in DIE_SIZES],
            whole=True,
        ),
    ),
    columns=(
        Column(name="title", title=gettext_lazy("Whose"),
               template="play/surveillance/_stream_title.html",
               link=lambda line: f"{line.address}#d{line.row.sides}"),
        _stream_column("kind", gettext_lazy("Kind"), on=FOR_PROGRAMS,
                display=lambda line: queries.kind_title(line.row.kind)),
        Column(name="name", on=API, value=lambda line: line.row.name or queries.HOUSE_NAME),
        _stream_column("sides", gettext_lazy("Dice"), order=("sides",),
                display=lambda line: f"d{line.row.sides}"),
        _stream_column("throws", gettext_lazy("Throws"), kind="number", order=("throws",)),
        _stream_column("missing", gettext_lazy("Unseen"), kind="number", order=("missing",),
                style="wide"),
        _stream_column("counts", field="total_counts", on=API),
        _stream_column("counted", field="current_throws", on=API),
        _stream_column("log10_e", gettext_lazy("Against fair dice"), "log10", order=("log10",),
                style="num", display=lambda line: line.odds),
        _stream_column("highest_log10_e", gettext_lazy("At most"), "highest", on=FOR_PROGRAMS,
                display=lambda line: queries.odds_text(line.row.highest)),
        Column(name="shows", title=gettext_lazy("So many throws would show"), on=FOR_PEOPLE,
               style="wide soft"),
        *(_stream_column(f"passed_{level}", on=API) for level in (20, 100, 1000)),
        _stream_column("change", on=API),
        Column(name="smallest_tilt", on=API, value=lambda line: line.smallest_tilt),
        Column(name="state", title=gettext_lazy("State"), on=FOR_PEOPLE, signs=STATE_SIGNS,
               value=lambda line: line.state),
        Column(name="alarm", on=API, value=lambda line: line.row.alarm is not None),
        Column(name="url", on=API, value=lambda line: line.absolute(line.address)),
    ),
    empty=gettext_lazy(
        "No throw was recorded yet. As soon as a game is played its dice are counted here, a moment"
        " after each throw."
    ),
    next_step=("floor", gettext_lazy("To the floor")),
    none_such=gettext_lazy("No throws of this kind."),
    from_replica=True,
)  # fmt: skip


# --- Alarms ------------------------------------------------------------------------------------


def _filter_by_state(rows: QuerySet[Alarm], state: str) -> QuerySet[Alarm]:
    return rows.filter(open=state == "open")


_alarm_column = columns_of()


ALARMS: Final = Listing[Alarm, AlarmCard](
    name="dice_alarms",
    title=gettext_lazy("Alarms"),
    about=gettext_lazy("Alarms about dice, and who acknowledged them with what was found."),
    rows=lambda viewer: queries.alarms(viewer.house.pk),
    items=lambda viewer, rows: queries.alarm_cards(viewer.house, rows, absolute=viewer.absolute),
    order=("-position",),
    filters=filters(
        state=ChoiceFilter(
            title=gettext_lazy("State"), choices=ALARM_STATES.items(), keep=_filter_by_state
        ),
    ),
    columns=(
        Column(name="alarm", on=API, value=lambda card: card.row.id),
        _alarm_column("raised_at", gettext_lazy("Raised"), kind="moment", order=("position",),
               style="soft"),
        _alarm_column("gaming_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _alarm_column("kind", on=API),
        Column(name="name", on=API, value=lambda card: card.row.name or queries.HOUSE_NAME),
        Column(name="title", title=gettext_lazy("Dice"), link=lambda card: card.address,
               style="row-name", display=lambda card: f"{card.title}, d{card.row.sides}"),
        _alarm_column("sides", on=API),
        _alarm_column("throws", gettext_lazy("Throws"), kind="number", order=("throws",),
               link=lambda card: reverse("ledger-event", args=[card.row.cause])),
        _alarm_column("by", gettext_lazy("What it said"), display=lambda card: card.summary),
        _alarm_column("counts", on=API),
        Column(name="log10_e", on=API, value=lambda card: card.row.log10),
        _alarm_column("change", on=API),
        _alarm_column("alpha", on=API),
        _alarm_column("streams", on=API),
        _alarm_column("cause", on=API),
        _alarm_column("open", on=API),
        Column(name="acknowledged_by", title=gettext_lazy("Acknowledged by"),
               value=lambda card: card.acknowledged_by or None,
               display=lambda card: card.acknowledged_by),
        _alarm_column("acknowledged_at", gettext_lazy("Acknowledged"), kind="moment",
                      style="soft wide"),
        Column(name="reason", title=gettext_lazy("What was found"), style="wide because",
               value=lambda card: card.reason or None, display=lambda card: card.reason),
        _alarm_column("position", gettext_lazy("Ledger position"), kind="number", on=FOR_PROGRAMS),
        Column(name="url", on=API, value=lambda card: card.absolute(card.address)),
    ),
    empty=gettext_lazy("No alarm was raised yet."),
)  # fmt: skip


# --- Entries -----------------------------------------------------------------------------------

NO_THROW: Final = "game.no_throw_recorded"


_entry_column = columns_of(kind="number")


def events_recorded_by(line: EntryLine, **query: str) -> str:
    """The address of the events that an attendant recorded."""
    return f"{reverse('ledger-events')}?{urlencode({**query, 'actor': line.row.name})}"


def _no_throws_link(line: EntryLine) -> str:
    if line.row.kind == Kind.ATTENDANT and line.row.no_throws:
        return events_recorded_by(line, event_type=NO_THROW)
    return ""


def _repeats_text(line: EntryLine) -> str:
    due = _("by chance %(due)s") % {"due": decimal(line.row.repeats_due, 1)}
    suffix = _odds_suffix(line.repeat_odds, line.has_repeat_evidence)
    return f"{number(line.row.repeats)}, {due}{suffix}"


def _favourite_text(line: EntryLine) -> str:
    if line.favourite is None or line.favourite_face is None:
        return ""
    face, times = line.favourite_face
    face_text = _("%(face)s on d%(sides)s") % {"face": face, "sides": line.favourite.sides}
    suffix = _odds_suffix(line.favourite_odds, line.has_favourite_evidence)
    return f"{face_text} \N{MULTIPLICATION SIGN} {decimal(times, 2)}{suffix}"


def _odds_suffix(odds: str, is_shown: bool) -> str:  # noqa: FBT001 - a cell's value
    return f", {_('%(odds)s against chance') % {'odds': odds}}" if is_shown else ""


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
        _entry_column("entries", gettext_lazy("Entries"),
                      link=lambda line: events_recorded_by(line, kind="game"),
                      order=("entries",)),
        Column(name="median", title=gettext_lazy("Half within"), style="num"),
        Column(name="p95", title=gettext_lazy("19 of 20 within"), style="num"),
        Column(name="repeats", title=gettext_lazy("Same dice twice"), style="num",
               value=_repeats_text, template="play/surveillance/_repeated_dice.html"),
        Column(name="favourite", title=gettext_lazy("Favourite face"), style="num",
               value=_favourite_text, template="play/surveillance/_favourite_face.html"),
    ),
    empty=gettext_lazy(
        "No throw was recorded yet. Throws that did not count are counted here, by their reasons."
    ),
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
            choices=[(kind.value, queries.KINDS[kind])
                     for kind in (Kind.ATTENDANT, Kind.TABLE, Kind.PLAYER)],
        ),
    ),
    columns=(
        Column(name="title", title=gettext_lazy("Whose"),
               template="play/surveillance/_stream_title.html",
               link=lambda line: line.address),
        Column(name="kind", title=gettext_lazy("Kind"), on=FOR_PROGRAMS,
               value=lambda line: line.row.kind,
               display=lambda line: queries.kind_title(line.row.kind)),
        _entry_column("entries", gettext_lazy("Entries"), order=("entries",)),
        _entry_column("no_throws", gettext_lazy("No throws"), link=_no_throws_link,
                      order=("no_throws",)),
        Column(name="rate", title=gettext_lazy("Share"), kind="share",
               value=lambda line: line.rate),
        *(_entry_column(name, title, style="wide", order=(name,)) for name, title in (
            ("cocked", gettext_lazy("Cocked")),
            ("off_table", gettext_lazy("Off the table")),
            ("interference", gettext_lazy("Interference")))),
        *(_entry_column(name, title, order=(name,)) for name, title in (
            ("judged", gettext_lazy("Judged")),
            ("spared", gettext_lazy("Spared")),
            ("denied", gettext_lazy("Denied")))),
    ),
    empty=gettext_lazy(
        "No throw was recorded yet. Throws that did not count are counted here, by their reasons."
    ),
)  # fmt: skip


# --- Who led -----------------------------------------------------------------------------------


def _if_compared(line: LeaderComparison, text: str) -> str:
    return text if line.compared else ""


def _leader_rows(viewer: Viewer) -> Sequence[LeaderComparison]:
    return leader_comparisons.largest_in_house(viewer.house)


def _last_no_throw_link(line: LeaderComparison) -> str:
    return reverse("ledger-event", args=[line.row.last]) if line.row.last else ""


def _baseline_rate(line: LeaderComparison) -> Fraction | None:
    return line.baseline.share if line.compared and line.baseline.trials else None


LEADS: Final = Listing[LeaderComparison, LeaderComparison](
    name="no_throws_by_leader",
    title=gettext_lazy("No throws by who led"),
    about=gettext_lazy("Whose no-throws came more often when somebody led."),
    rows=_leader_rows,
    order=("-row__highest", "row__kind", "row__name", "row__game", "row__leader"),
    columns=(
        Column(name="whose", title=gettext_lazy("Whose"),
               template="play/surveillance/_leader_owner.html",
               link=lambda line: f"{line.address}#leads"),
        Column(name="game", title=gettext_lazy("Game")),
        Column(name="title", title=gettext_lazy("Before the throw")),
        Column(name="chances", title=gettext_lazy("Throws and no-throws"), kind="number",
               value=lambda line: line.row.chances, order=("row__chances",)),
        Column(name="no_throws", title=gettext_lazy("No throws"), kind="number",
               link=_last_no_throw_link, value=lambda line: line.row.no_throws,
               order=("row__no_throws",)),
        Column(name="rate", title=gettext_lazy("Share"), kind="share",
               value=lambda line: line.group.share),
        Column(name="elsewhere", title=gettext_lazy("Otherwise"), kind="share",
               value=_baseline_rate),
        Column(name="odds", title=gettext_lazy("Against chance"), style="num",
               value=lambda line: _if_compared(line, line.odds)),
        Column(name="highest", title=gettext_lazy("At most"), style="num wide",
               value=lambda line: _if_compared(line, line.highest), order=("row__highest",)),
        Column(name="p", title=gettext_lazy("p, exact"), style="num wide",
               value=lambda line: line.p if line.compared and line.row.no_throws else None,
               template="play/surveillance/_p_value.html"),
        Column(name="state", title=gettext_lazy("State"), signs=REVIEW_SIGN,
               value=lambda line: _if_compared(line, "look" if line.stands_out else "")),
    ),
    empty=gettext_lazy(
        "Nobody's no-throws depend on who led, as far as can be seen. What so many throws could"
        " have shown stands on the page of each attendant and thrower."
    ),
)  # fmt: skip
