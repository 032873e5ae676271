"""What pages and the API ask about streams, alarms and entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

from casino.approvals.queries import UUID_TEXT, names
from casino.dice.models import DiceSet
from casino.establishments.models import Table
from casino.game_streams import missing
from casino.languages.locales import number
from casino.pseudonyms import tokens as pseudonyms
from casino.surveillance import messages
from casino.surveillance.alarms import NAME
from casino.surveillance.causes import NAMED
from casino.surveillance.entries import at_most
from casino.surveillance.levels import alpha_of, one_in
from casino.surveillance.models import Alarm, CurvePoint, DiceStream, EntryRow, Kind
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.establishments.models import Establishment

ALL: Final = "all"  # how the house is named in addresses, where a stream has a name
LOOK_AGAIN: Final = 1.0  # log10 of the evidence from which a stream is worth a second look
MEDIAN, MOST = 0.5, 0.95

Who = tuple[str, str]  # kind and name


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """
    A stream in a table.

    :param of: what it is: "table"; empty where the title says so.
    :param smallest: tilt of a face that so many throws show, as `messages.smallest` has it.
    :param sign: alarm, look, well or few: an open alarm, some evidence, none, or too few throws to
        show anything.
    :param absolute: makes an address whole.
    """

    row: DiceStream
    title: str
    of: str
    address: str
    odds: str
    shows: str
    smallest: float | None
    sign: str
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
        return NAMED[self.row.by].sentence % self._figures

    @property
    def note(self) -> str:
        """How sure that is; "": there is nothing to say of it."""
        return NAMED[self.row.by].note % self._figures

    @property
    def short(self) -> str:
        return NAMED[self.row.by].short % self._figures

    @property
    def _figures(self) -> Mapping[str, str]:
        """What the texts of a cause may name."""
        return {
            "throws": number(self.row.throws),
            "odds": self.odds,
            "streams": number(self.row.streams),
            "rarity": number(one_in(self.row.alpha)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """
    How one attendant, one table or one thrower's throws were entered.

    :param favourite: the stream of theirs with most evidence, None where nothing was counted.
    """

    row: EntryRow
    title: str
    address: str
    rate: float
    median: str
    p95: str
    repeat_odds: str
    favourite: DiceStream | None = None

    @property
    def of(self) -> str:
        """What it is: "table"."""
        return messages.kind_word(self.row.kind)

    @property
    def repeats_told(self) -> bool:
        return self.row.repeat_log10 >= messages.LITTLE

    @property
    def favourite_told(self) -> bool:
        return self.favourite is not None and self.favourite.log10 >= messages.LITTLE

    @property
    def favourite_odds(self) -> str:
        return messages.odds(self.favourite.log10) if self.favourite else ""

    @property
    def favourite_face(self) -> tuple[int, float] | None:
        """The face entered most, and how many times as often as it should be."""
        if self.favourite is None or not (counted := self.favourite.counted):
            return None
        most = max(self.favourite.counts)
        return self.favourite.counts.index(most) + 1, most * self.favourite.sides / counted


def waiting(establishment: UUID) -> int:
    """How many alarms of a house are open."""
    return Alarm.objects.filter(establishment=establishment, open=True).count()


def unread(establishment: UUID) -> tuple[str, ...]:
    """The games whose throws wait, parked, because their package is not installed."""
    parked = ParkedEvent.objects.filter(
        establishment=establishment, subscription=NAME, stream__startswith="game/"
    )
    if not parked.exists():
        return ()
    return missing.among(establishment, parked.values("stream")).games


def streams_of(establishment: UUID, kind: str, name: str) -> list[DiceStream]:
    """All sizes."""
    rows = DiceStream.objects.filter(establishment=establishment, kind=kind, name=name)
    return list(rows.order_by("sides"))


def points_of(establishment: UUID, kind: str, name: str) -> dict[int, list[CurvePoint]]:
    """The curves of all sizes, each in the order of throws."""
    found: dict[int, list[CurvePoint]] = {}
    rows = CurvePoint.objects.filter(establishment=establishment, kind=kind, name=name)
    for point in rows.order_by("sides", "throws"):
        found.setdefault(point.sides, []).append(point)
    return found


def alarms(establishment: UUID) -> QuerySet[Alarm]:
    """The newest first."""
    return Alarm.objects.filter(establishment=establishment).order_by("-position")


def alarms_of(establishment: UUID, kind: str, name: str) -> QuerySet[Alarm]:
    return alarms(establishment).filter(kind=kind, name=name)


def lines(
    house: Establishment, rows: Sequence[DiceStream], *, absolute: Callable[[str], str] = str
) -> list[Line]:
    titles = titled(house, {(row.kind, row.name) for row in rows})
    alpha = alpha_of(house.alarms_one_in)
    return [
        Line(
            row=row,
            title=titles[row.kind, row.name],
            of=messages.kind_word(row.kind),
            address=address(row.kind, row.name),
            odds=messages.odds(row.log10),
            shows=messages.could_show(row.sides, row.counted, alpha),
            smallest=messages.smallest(row.sides, row.counted, alpha),
            sign=sign_of(row, alpha),
            absolute=absolute,
        )
        for row in rows
    ]


def sign_of(row: DiceStream, alpha: float) -> str:
    if row.alarm is not None:
        return "alarm"
    if row.log10 >= LOOK_AGAIN:
        return "look"
    return "few" if messages.smallest(row.sides, row.counted, alpha) is None else "well"


def cards(
    house: Establishment, rows: Sequence[Alarm], *, absolute: Callable[[str], str] = str
) -> list[AlarmCard]:
    titles = titled(house, {(row.kind, row.name) for row in rows})
    people = names({row.acknowledged_by for row in rows if row.acknowledged_by})
    reasons = pseudonyms.resolve(house.pk, [row.reason for row in rows])
    return [
        AlarmCard(
            row=row,
            title=titles[row.kind, row.name],
            address=address(row.kind, row.name),
            odds=messages.odds(row.log10),
            acknowledged_by=people.get(row.acknowledged_by, ""),
            reason=reason,
            absolute=absolute,
        )
        for row, reason in zip(rows, reasons, strict=True)
    ]


def entries(establishment: UUID) -> QuerySet[EntryRow]:
    """Those with most no-throws first."""
    rows = EntryRow.objects.filter(establishment=establishment)
    return rows.order_by("-no_throws", "name")


def entry_lines(house: Establishment, rows: Sequence[EntryRow]) -> list[EntryLine]:
    titles = titled(house, {(row.kind, row.name) for row in rows})
    attendants = [row for row in rows if row.kind == Kind.ATTENDANT]
    favourites = _favourites(house.pk, attendants) if attendants else {}
    return [
        EntryLine(
            row=row,
            title=titles[row.kind, row.name],
            address=address(row.kind, row.name),
            rate=100 * row.no_throws / max(row.no_throws + row.entries, 1),
            median=messages.within(at_most(row.lags, MEDIAN), some=bool(row.lags)),
            p95=messages.within(at_most(row.lags, MOST), some=bool(row.lags)),
            repeat_odds=messages.odds(row.repeat_log10),
            favourite=favourites.get(row.name) if row.kind == Kind.ATTENDANT else None,
        )
        for row in rows
    ]


def titled(house: Establishment, whose: Iterable[Who]) -> dict[Who, str]:
    """What people call the ones whose streams these are; a query for each kind among them."""
    by_kind: dict[str, set[str]] = {}
    for kind, name in whose:
        by_kind.setdefault(kind, set()).add(name)
    titles: dict[Who, str] = {}
    for kind, some in by_kind.items():
        known = _known(house, kind, some)
        for name in some:
            titles[kind, name] = messages.called(kind, known.get(name, name))
    return titles


def has(house: Establishment, kind: str, name: str) -> bool:
    """Whether the house has that set or table, whatever was thrown with it or there."""
    return kind in {Kind.SET, Kind.TABLE} and name in _known(house, kind, {name})


def address(kind: str, name: str) -> str:
    return reverse("dice-of", args=[kind, name or ALL])


def name_in(kind: str, named: str) -> str:
    """The name that an address gives."""
    return "" if kind == Kind.HOUSE and named == ALL else named


def _known(house: Establishment, kind: str, some: set[str]) -> Mapping[str, str]:
    ids = [each for each in some if UUID_TEXT.fullmatch(each)]
    match kind:
        case Kind.SET:
            rows: Any = DiceSet.objects.filter(establishment=house, pk__in=ids)
            return {str(pk): number for pk, number in rows.values_list("pk", "number")}
        case Kind.TABLE:
            rows = Table.objects.filter(establishment=house, pk__in=ids)
            return {str(pk): name for pk, name in rows.values_list("pk", "name")}
        case Kind.ATTENDANT:
            return names(some)
        case Kind.PLAYER:
            listed = sorted(some)
            return dict(zip(listed, pseudonyms.resolve(house.pk, listed), strict=True))
        case _:
            return {}


def _favourites(establishment: UUID, rows: Sequence[EntryRow]) -> dict[str, DiceStream]:
    """Of each attendant the stream with most evidence."""
    found: dict[str, DiceStream] = {}
    of_theirs = DiceStream.objects.filter(
        establishment=establishment, kind=Kind.ATTENDANT, name__in=[row.name for row in rows]
    )
    for each in of_theirs.order_by("-log10", "name", "sides"):
        found.setdefault(each.name, each)
    return found
