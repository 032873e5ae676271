"""Queries for pages and the API: streams, alarms and entry statistics, with titles and texts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, log10
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from casino.house.acts.game_streams import catalogue
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import Table
from casino.kit.approvals.queries import UUID_TEXT, names
from casino.kit.web.plots.charts import MANY, power
from casino.play.dice.models import DiceSet
from casino.play.dice.surveillance import alarms as surveillance_alarms
from casino.play.dice.surveillance.alarms import SUBSCRIPTION_NAME, alpha_of, one_in_of
from casino.play.dice.surveillance.e_values import smallest_tilt, throws_needed
from casino.play.dice.surveillance.entry_statistics import lag_quantile
from casino.play.dice.surveillance.models import Alarm, CurvePoint, DiceStream, EntryRow, Kind
from casino.words.languages.locales import decimal, number
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment

HOUSE_NAME: Final = "all"  # in addresses: the name of the stream of the whole house
REVIEW_LOG10_E: Final = 1.0  # evidence from which on a stream is marked "look again"
MEDIAN, P95 = 0.5, 0.95

RowOwner = tuple[str, str]  # kind and name


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLine:
    """
    A stream of throws in a list.

    :param kind_word: "table", "thrower" or "attendant"; empty if the title says it.
    :param shows: the minimum detectable tilt as a text, `smallest_tilt` as a number.
    :param state: `alarm` (one is open), `look` (some evidence), `well` (none), or `few` (too few
        throws to detect any tilt).
    :param absolute: makes an address absolute.
    """

    row: DiceStream
    title: str
    kind_word: str
    address: str
    odds: str
    shows: str
    smallest_tilt: float | None
    state: str
    absolute: Callable[[str], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmCard:
    row: Alarm
    title: str
    address: str
    odds: str
    acknowledged_by: str
    reason: str
    absolute: Callable[[str], str] = str

    @property
    def sentence(self) -> str:
        return surveillance_alarms.by_name(self.row.by).sentence % self._figures

    @property
    def note(self) -> str:
        """How sure the alarm is, or ""."""
        return surveillance_alarms.by_name(self.row.by).note % self._figures

    @property
    def summary(self) -> str:
        return surveillance_alarms.by_name(self.row.by).summary % self._figures

    @property
    def _figures(self) -> Mapping[str, str]:
        """The figures that the texts of a cause may use."""
        return {
            "name": self.row.by,
            "throws": number(self.row.throws),
            "odds": self.odds,
            "streams": number(self.row.streams),
            "rarity": number(one_in_of(self.row.alpha)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """
    The entry statistics of an attendant, a table or a thrower, in a list.

    :param favourite: the stream of an attendant with most evidence, if there is any.
    """

    row: EntryRow
    title: str
    address: str
    rate: Fraction
    median: str
    p95: str
    repeat_odds: str
    favourite: DiceStream | None = None

    @property
    def kind_word(self) -> str:
        """What kind of owner it is, such as "table"."""
        return kind_word(self.row.kind)

    @property
    def has_repeat_evidence(self) -> bool:
        return self.row.repeat_log10 >= LOG10_E_SHOWN_MIN

    @property
    def has_favourite_evidence(self) -> bool:
        return self.favourite is not None and self.favourite.log10 >= LOG10_E_SHOWN_MIN

    @property
    def favourite_odds(self) -> str:
        return odds_text(self.favourite.log10) if self.favourite else ""

    @property
    def favourite_face(self) -> tuple[int, float] | None:
        """The face entered most often, and its frequency divided by the expected one."""
        if self.favourite is None or not (current_throws := self.favourite.current_throws):
            return None
        highest_count = max(self.favourite.counts)
        face = self.favourite.counts.index(highest_count) + 1
        return face, highest_count * self.favourite.sides / current_throws


def waiting(establishment: UUID) -> int:
    """The number of open alarms of a house."""
    return Alarm.objects.filter(establishment=establishment, open=True).count()


def games_parked(establishment: UUID) -> tuple[str, ...]:
    """The games whose throws are parked because their package is not installed."""
    parked = ParkedEvent.objects.filter(
        establishment=establishment, subscription=SUBSCRIPTION_NAME, stream__startswith="game/"
    )
    if not parked.exists():
        return ()
    return catalogue.missing_among(establishment, parked.values("stream")).games


def streams_of(establishment: UUID, kind: str, name: str) -> list[DiceStream]:
    """The streams of one owner, one for each size of dice."""
    rows = DiceStream.objects.filter(establishment=establishment, kind=kind, name=name)
    return list(rows.order_by("sides"))


def points_of(establishment: UUID, kind: str, name: str) -> dict[int, list[CurvePoint]]:
    """The curves of one owner by size of dice, each in the order of throws."""
    curves: dict[int, list[CurvePoint]] = {}
    rows = CurvePoint.objects.filter(establishment=establishment, kind=kind, name=name)
    for point in rows.order_by("sides", "throws"):
        curves.setdefault(point.sides, []).append(point)
    return curves


def alarms(establishment: UUID) -> QuerySet[Alarm]:
    """The alarms of a house, the newest first."""
    return Alarm.objects.filter(establishment=establishment).order_by("-position")


def alarms_of(establishment: UUID, kind: str, name: str) -> QuerySet[Alarm]:
    return alarms(establishment).filter(kind=kind, name=name)


def stream_lines(
    house: Establishment, rows: Sequence[DiceStream], *, absolute: Callable[[str], str] = str
) -> list[StreamLine]:
    titles = titles_of(house, {(row.kind, row.name) for row in rows})
    alpha = alpha_of(house.alarms_one_in)
    return [
        StreamLine(
            row=row,
            title=titles[row.kind, row.name],
            kind_word=kind_word(row.kind),
            address=address(row.kind, row.name),
            odds=odds_text(row.log10),
            shows=detectable_tilt_text(row.sides, row.current_throws, alpha),
            smallest_tilt=smallest_tilt_of(row.sides, row.current_throws, alpha),
            state=state_of(row, alpha),
            absolute=absolute,
        )
        for row in rows
    ]


def state_of(row: DiceStream, alpha: float) -> str:
    if row.alarm is not None:
        return "alarm"
    if row.log10 >= REVIEW_LOG10_E:
        return "look"
    tilt = smallest_tilt_of(row.sides, row.current_throws, alpha)
    return "few" if tilt is None else "well"


def alarm_cards(
    house: Establishment, rows: Sequence[Alarm], *, absolute: Callable[[str], str] = str
) -> list[AlarmCard]:
    titles = titles_of(house, {(row.kind, row.name) for row in rows})
    people = names({row.acknowledged_by for row in rows if row.acknowledged_by})
    reasons = pseudonyms.resolve(house.pk, [row.reason for row in rows])
    return [
        AlarmCard(
            row=row,
            title=titles[row.kind, row.name],
            address=address(row.kind, row.name),
            odds=odds_text(row.log10),
            acknowledged_by=people.get(row.acknowledged_by, ""),
            reason=reason,
            absolute=absolute,
        )
        for row, reason in zip(rows, reasons, strict=True)
    ]


def entries(establishment: UUID) -> QuerySet[EntryRow]:
    """The entry statistics of a house, those with most no-throws first."""
    rows = EntryRow.objects.filter(establishment=establishment)
    return rows.order_by("-no_throws", "name")


def entry_lines(house: Establishment, rows: Sequence[EntryRow]) -> list[EntryLine]:
    titles = titles_of(house, {(row.kind, row.name) for row in rows})
    attendants = [row for row in rows if row.kind == Kind.ATTENDANT]
    favourites = _favourites(house.pk, attendants) if attendants else {}
    return [
        EntryLine(
            row=row,
            title=titles[row.kind, row.name],
            address=address(row.kind, row.name),
            rate=Fraction(row.no_throws, max(row.no_throws + row.entries, 1)),
            median=lag_text(lag_quantile(row.lags, MEDIAN), has_entries=bool(row.lags)),
            p95=lag_text(lag_quantile(row.lags, P95), has_entries=bool(row.lags)),
            repeat_odds=odds_text(row.repeat_log10),
            favourite=favourites.get(row.name) if row.kind == Kind.ATTENDANT else None,
        )
        for row in rows
    ]


def titles_of(house: Establishment, owners: Iterable[RowOwner]) -> dict[RowOwner, str]:
    """The titles of the owners of streams, with one query for each kind of owner."""
    by_kind: dict[str, set[str]] = {}
    for kind, name in owners:
        by_kind.setdefault(kind, set()).add(name)
    titles: dict[RowOwner, str] = {}
    for kind, names_of_kind in by_kind.items():
        known = _names_by_id(house, kind, names_of_kind)
        for name in names_of_kind:
            titles[kind, name] = display_name(kind, known.get(name, name))
    return titles


def is_known(house: Establishment, kind: str, name: str) -> bool:
    """Whether the house has this dice set or table, even without throws."""
    return kind in {Kind.SET, Kind.TABLE} and name in _names_by_id(house, kind, {name})


def address(kind: str, name: str) -> str:
    return reverse("dice-stream", args=[kind, name or HOUSE_NAME])


def name_from_address(kind: str, given: str) -> str:
    """The name of a stream, from the name in its address."""
    return "" if kind == Kind.HOUSE and given == HOUSE_NAME else given


def _names_by_id(house: Establishment, kind: str, ids: set[str]) -> Mapping[str, str]:
    uuids = [each for each in ids if UUID_TEXT.fullmatch(each)]
    match kind:
        case Kind.SET:
            rows: Any = DiceSet.objects.filter(establishment=house, pk__in=uuids)
            return {str(pk): number for pk, number in rows.values_list("pk", "number")}
        case Kind.TABLE:
            rows = Table.objects.filter(establishment=house, pk__in=uuids)
            return {str(pk): name for pk, name in rows.values_list("pk", "name")}
        case Kind.ATTENDANT:
            return names(ids)
        case Kind.PLAYER:
            tokens = sorted(ids)
            return dict(zip(tokens, pseudonyms.resolve(house.pk, tokens), strict=True))
        case _:
            return {}


def _favourites(establishment: UUID, rows: Sequence[EntryRow]) -> dict[str, DiceStream]:
    """The stream of each attendant with most evidence."""
    by_attendant: dict[str, DiceStream] = {}
    streams = DiceStream.objects.filter(
        establishment=establishment, kind=Kind.ATTENDANT, name__in=[row.name for row in rows]
    )
    for each in streams.order_by("-log10", "name", "sides"):
        by_attendant.setdefault(each.name, each)
    return by_attendant


# Texts for people: evidence as odds, detectable tilts, entry lags, names of streams.


LOG10_E_SHOWN_MIN: Final = log10(2)  # less than two to one is shown as none
KINDS: Final = {
    Kind.HOUSE: gettext_lazy("The house"),
    Kind.SET: gettext_lazy("Dice sets"),
    Kind.TABLE: gettext_lazy("Tables"),
    Kind.PLAYER: gettext_lazy("Throwers"),
    Kind.ATTENDANT: gettext_lazy("Attendants"),
}
"""The kinds of owners of streams, in the plural."""
SLIGHT_TILT, GROSS_TILT = 1.1, 1.5  # the examples in `power_sentence`


def odds_text(value: float) -> str:
    """The odds of a log10 e-value: "1 400 to 1"."""
    if value < LOG10_E_SHOWN_MIN:
        return pgettext("feminine", "none")
    if value >= MANY:
        return _("%(times)s to 1") % {"times": power(floor(value))}
    exact = round(10.0**value)
    rounded = round(exact, 2 - len(str(exact)))  # to two digits
    return _("%(times)s to 1") % {"times": number(rounded)}


def detectable_tilt_text(sides: int, throws: int, alpha: float) -> str:
    """The minimum detectable tilt for so many throws, as a text."""
    tilt = smallest_tilt_of(sides, throws, alpha)
    if tilt is None:
        return _("nothing yet")
    return _("a face %(times)s times as often") % {"times": decimal(tilt, 2)}


def power_sentence(sides: int, throws: int, alpha: float) -> str:
    """What tilt these throws can detect, and how many throws two examples would take."""
    figures = {
        "throws": number(throws),
        "sides": sides,
        "slight": number(round(throws_needed_of(sides, SLIGHT_TILT, alpha), -2)),
        "gross": number(round(throws_needed_of(sides, GROSS_TILT, alpha), -1)),
    }
    tilt = smallest_tilt_of(sides, throws, alpha)
    if tilt is None:
        return (
            ngettext(
                "With %(throws)s throw not even a d%(sides)s that always shows one face would be"
                " told from a fair one. One whose face comes 50 %% too often is told after some"
                " %(gross)s throws, one 10 %% too often after some %(slight)s.",
                "With %(throws)s throws not even a d%(sides)s that always shows one face would be"
                " told from a fair one. One whose face comes 50 %% too often is told after some"
                " %(gross)s throws, one 10 %% too often after some %(slight)s.",
                throws,
            )
            % figures
        )
    return _(
        "With %(throws)s throws a face that comes %(times)s times as often as it should would show,"
        " more often than not; a lighter loading hides in chance. A face 50 %% too frequent takes"
        " some %(gross)s throws of a d%(sides)s, one 10 %% too frequent some %(slight)s."
    ) % {**figures, "times": f"{tilt:.2f}"}


@lru_cache(maxsize=4096)
def smallest_tilt_of(sides: int, throws: int, alpha: float) -> float | None:
    return smallest_tilt(sides, throws, alpha)


@lru_cache(maxsize=32)
def throws_needed_of(sides: int, tilt: float, alpha: float) -> int:
    return throws_needed(sides, tilt, alpha)


def kind_title(kind: str) -> str:
    """The kind of the owners of streams, in the plural."""
    return str(KINDS[Kind(kind)])


def kind_word(kind: str) -> str:
    """The kind of one owner; empty if the display name says it."""
    words = {Kind.TABLE: _("table"), Kind.PLAYER: _("thrower"), Kind.ATTENDANT: _("attendant")}
    return words.get(Kind(kind), "")


def display_name(kind: str, name: str) -> str:
    """The display name of an owner: "Set S1", "Table 3", "Ada"."""
    if kind == Kind.HOUSE:
        return _("The house")
    return _("Set %(name)s") % {"name": name} if kind == Kind.SET else name


def lag_text(seconds: int | None, *, has_entries: bool) -> str:
    """A quantile of the entry lag, as a text; "" if there are no entries."""
    if not has_entries:
        return ""
    if seconds is None:
        return _("over an hour")
    if seconds < 60:  # noqa: PLR2004 - a minute
        return _("%(seconds)s s") % {"seconds": seconds}
    return _("%(minutes)s min") % {"minutes": seconds // 60}
