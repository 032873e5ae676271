"""
Queries of the exception report (C2): what was void, overridden, late, changed, approved or alone.

The report has one line for each exceptional entry of the ledger, newest first. It reads two
projections: what `casino.kit.approvals` lists, and the entries that `casino.reports.gaming_days`
finds late. An entry that is in both is one line that says so. Counts that came out right, tables
handed over and tables opened again are in order, and not in the report.

A page costs the same however long the record is: positions are found by index, and what the lines
need is looked up for the whole page at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Change
from casino.house.home_throws import house_rules
from casino.kit.approvals.kinds import kinds_by_name as requests
from casino.kit.approvals.models import ExceptionRow, RequestRow
from casino.kit.approvals.queries import UUID_TEXT, names
from casino.kit.web.listings.keyset import Numbered
from casino.play.core.models import GameCard
from casino.play.dice.surveillance import queries as surveillance
from casino.play.dice.surveillance.models import Alarm
from casino.proof.signing import findings
from casino.reports.gaming_days.models import LateEntry
from casino.settings.configuration.descriptions import KINDS as THINGS
from casino.words.languages import locales
from casino.words.presenters import TITLES, event_types

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment


#
# The lines of the exception report (C2): what each exceptional entry was, who asked, who decided.
#
# Names, texts, games and tables are looked up for all lines of a page at once.


What = ExceptionRow.What

LATE, SKEW, OFFLINE = "late", "skew", "offline"
KINDS: Final[Mapping[str, tuple[_StrPromise, str]]] = {
    What.VOID: (gettext_lazy("Void"), "G4"),
    What.OVERRIDE: (gettext_lazy("Override"), "C2"),
    LATE: (gettext_lazy("Late entry"), "B4"),
    OFFLINE: (gettext_lazy("Sent later by its device"), "E5"),
    SKEW: (gettext_lazy("Clocks apart"), "E3"),
    What.CONFIGURATION: (gettext_lazy("Change of configuration"), "C2"),
    What.APPROVAL: (gettext_lazy("Approval"), "C1"),
    What.REJECTION: (gettext_lazy("Rejection"), "C1"),
    What.WITHDRAWAL: (gettext_lazy("Request withdrawn"), "C1"),
    What.ALONE: (gettext_lazy("Done alone"), "D1b"),
    What.REVIEW: (gettext_lazy("Review"), "D1b"),
    What.ADJUSTMENT: (gettext_lazy("Adjustment"), "C1"),
    What.PAYOUTS: (gettext_lazy("Payouts stopped or resumed"), "E2"),
    What.OVER_SHORT: (gettext_lazy("Count over or short"), "B1"),
    What.DEVICE: (gettext_lazy("Recording device"), "E5"),
    What.ALARM: (gettext_lazy("Alarm acknowledged"), "F2"),
}
"""Every kind of line: its name, its title, and the control that requires it."""

CALLED: Final[Mapping[str, _StrPromise]] = {
    "undo": gettext_lazy("Last throw undone alone, after it was booked or its round had ended"),
    "large_prize": gettext_lazy("Large prize witnessed"),
    "dispute": gettext_lazy("Dispute resolved"),
    "day": gettext_lazy("Gaming day signed"),
    "house_rules": gettext_lazy("Game opened otherwise than by the house's rules"),
    "readmitted": gettext_lazy("Player readmitted before the end"),
    "told_apart": gettext_lazy("Player told apart from an excluded one"),
    "stop_payouts": gettext_lazy("Payouts stopped"),
    "key_announced": gettext_lazy("Another key signs the ledger"),
    "key_retired": gettext_lazy("Key retired"),
    "epoch_opened": gettext_lazy("Restored from a backup that lacks something; new epoch"),
    "parked_retried": gettext_lazy("Parked events tried again from position"),
    "float": gettext_lazy("Float"),
    "fee_box": gettext_lazy("Fee box"),
    "lease_taken_over": gettext_lazy("Recording taken over by another device"),
    "late_listed": gettext_lazy("Late entry kept for a supervisor, number"),
    "late_taken_over": gettext_lazy("Entry of somebody else taken over from its device, number"),
    "late_put": gettext_lazy("Late entry recorded, number"),
    "late_dismissed": gettext_lazy("Late entry dismissed, number"),
    "late_dropped": gettext_lazy("Entry dropped on its device, number"),
    "gap_found": gettext_lazy("Entries of a device missing, number"),
    "gap_closed": gettext_lazy("Gap in a device's numbers closed, number"),
    "dice_alarm": gettext_lazy("Alarm about dice acknowledged"),
}
"""Words for listed entries that were not requests."""
QUEUED: Final = "floor-"
"""The prefix of the names of devices that keep entries while they are offline."""
OF_A_GAME: Final = frozenset({"game", "settlement", "lease", "late"})
"""The first parts of streams that are named after a game."""
NUMBERED: Final = frozenset({"large_prize", "dispute"})
"""Kinds whose subject is a number within their game, which means nothing to a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """
    One line of the exception report.

    :param kind: a key of `KINDS`; `late`: "late", "booked" or "skew" if its times differ, whatever
        its kind, and `seconds`: how much later it was recorded than it happened.
    :param what: in words; `where`: the game and table, or the table, "" if it is about neither.
    :param amount: whole coins; for a count: over (above 0) or short (below 0).
    :param asked_by: who asked for it, or who did it if nobody had to be asked.
    :param decided_by: the second person; None if there was none.
    :param alone: done without the second person that it needs; then `reviewed_by` and `in_order`
        are the result of the review, None until somebody has reviewed it.
    :param reason: the requester's reason; `decision`: the second person's.
    :param address: the page of the subject, or "".
    """

    position: int
    gaming_day: date
    recorded_at: datetime
    occurred_at: datetime
    kind: str
    title: str
    control: str
    late: str
    seconds: int
    meant_for: date | None
    what: str
    where: str
    amount: int | None
    asked_by: Person
    decided_by: Person | None
    alone: bool
    reviewed_by: Person | None
    in_order: bool | None
    reason: str
    decision: str
    address: str
    event_type: str
    stream: str


class LineBuilder:
    """Builds the lines of a page; what they need is looked up for all of them at once."""

    def __init__(self, house: Establishment, positions: list[int]) -> None:
        self.house, self.positions = house, positions
        here = {"establishment": house, "position__in": positions}
        self.rows = {row.position: row for row in ExceptionRow.objects.filter(**here)}
        self.late = {row.position: row for row in LateEntry.objects.filter(**here)}
        self.changes = {row.position: row for row in Change.objects.filter(**here)}
        self.requests = self._requests()
        self.games = self._games()
        self.dice = self._dice()
        self.tables = {str(table.pk): table.name for table in house.tables.all()}
        self.people = names(self._spoken_of())
        self.texts = dict(zip(positions, tokens.resolve(house.pk, self._texts()), strict=True))

    def lines(self) -> list[Line]:
        return [self._line(position) for position in self.positions]

    # --- Lookups

    def _requests(self) -> dict[int, RequestRow]:
        """The request of each entry: the one that it decided, or whose act it reviews."""
        decided = {*self.positions, *(row.before for row in self._of(What.REVIEW))}
        found = RequestRow.objects.filter(
            establishment=self.house, decided_position__in=decided - {None}
        ).exclude(state=RequestRow.State.OVERTAKEN)
        by_end = {row.decided_position: row for row in found}
        ends = {
            position: row.before if row.what == What.REVIEW else position
            for position, row in self.rows.items()
        }
        return {position: by_end[end] for position, end in ends.items() if end in by_end}

    def _of(self, what: ExceptionRow.What) -> Iterator[ExceptionRow]:
        return (row for row in self.rows.values() if row.what == what)

    def _games(self) -> dict[str, GameCard]:
        found = {game for position in self.positions if (game := self._game(position))}
        cards = GameCard.objects.filter(establishment=self.house, game__in=found)
        return {str(card.game): card for card in cards.select_related("table")}

    def _dice(self) -> dict[int, tuple[str, str]]:
        """For each acknowledged alarm its subject by name, and the page of the subject."""
        raised = {
            row.before: position
            for position, row in self.rows.items()
            if row.what == What.ALARM and row.before is not None
        }
        if not raised:
            return {}
        found = list(Alarm.objects.filter(establishment=self.house, position__in=list(raised)))
        titles = surveillance.titles_of(self.house, [(row.kind, row.name) for row in found])
        return {
            raised[row.position]: (
                f"{titles[row.kind, row.name]}, d{row.sides}",
                surveillance.address(row.kind, row.name),
            )
            for row in found
        }

    def _game(self, position: int) -> str:
        """The game that an entry is about, "" if it is about none."""
        request = self.requests.get(position)
        if request is not None and (named := request.subject.get("game")):
            return str(named) if UUID_TEXT.fullmatch(str(named)) else ""
        area, _, rest = self._row(position).stream.partition("/")
        game = rest.partition("/")[0] if area in OF_A_GAME else ""
        return game if UUID_TEXT.fullmatch(game) else ""

    def _row(self, position: int) -> ExceptionRow | LateEntry:
        return self.rows.get(position) or self.late[position]

    def _spoken_of(self) -> set[str]:
        people = {row.actor for row in self.rows.values()}
        people |= {row.actor for row in self.late.values()}
        people |= {row.asked_by for row in self.rows.values() if row.asked_by}
        people |= {row.label for row in self.changes.values()}
        people |= {row.reviewed_by for row in self.requests.values() if row.reviewed_by}
        return people

    def _texts(self) -> list[dict[str, str]]:
        return [
            {
                "reason": self._reason(position),
                "decision": self._decision(position),
                "label": self.changes[position].label if position in self.changes else "",
                "about": self.rows[position].about if position in self.rows else "",
            }
            for position in self.positions
        ]

    def _reason(self, position: int) -> str:
        """The reason of who asked for the entry; without a request, of who did it."""
        row, request = self.rows.get(position), self.requests.get(position)
        if request is not None:
            return request.reason
        return row.reason if row is not None else ""

    def _decision(self, position: int) -> str:
        """The reason of the second person."""
        row, request = self.rows.get(position), self.requests.get(position)
        if row is None or request is None:
            return ""
        return row.reason if row.what == What.REVIEW else request.decision

    # --- Lines in words

    def _line(self, position: int) -> Line:
        row, late = self._row(position), self.late.get(position)
        listed = self.rows.get(position)
        kind = listed.what if listed else _lateness(late)
        title, control = KINDS[kind]
        asked_by, decided_by = self._two(position)
        request = self.requests.get(position)
        alone = listed is not None and listed.what == What.ALONE
        reviewed = request if alone and request is not None and request.reviewed_by else None
        return Line(
            position=position,
            gaming_day=row.gaming_day,
            recorded_at=row.recorded_at,
            occurred_at=row.occurred_at,
            kind=kind,
            title=str(title),
            control=control,
            late=late.kind if late else "",
            seconds=late.seconds if late else 0,
            meant_for=late.meant_for if late else None,
            what=self._what(position),
            where=self._where(position),
            amount=self._amount(position),
            asked_by=asked_by,
            decided_by=decided_by,
            alone=alone or (position in self.changes and self.changes[position].alone),
            reviewed_by=self._person(reviewed.reviewed_by) if reviewed else None,
            in_order=reviewed.in_order if reviewed else None,
            reason=self.texts[position]["reason"],
            decision=self.texts[position]["decision"],
            address=self._address(position),
            event_type=row.event_type,
            stream=row.stream,
        )

    def _person(self, known: str) -> Person:
        name = self.people[known] if UUID_TEXT.fullmatch(known) else _("the program")
        return Person(id=known, name=name)

    def _two(self, position: int) -> tuple[Person, Person | None]:
        """Who asked for the entry or did it, and the second person, if there was one."""
        row = self.rows.get(position)
        if row is None:
            return self._person(self.late[position].actor), None
        request = self.requests.get(position)
        first = row.asked_by or (request.asked_by if request else "") or row.actor
        second = row.actor if row.actor != first else ""
        return self._person(first), self._person(second) if second else None

    def _amount(self, position: int) -> int | None:
        row, request = self.rows.get(position), self.requests.get(position)
        if row is not None and row.amount is not None:
            return row.amount
        return request.amount if request else None

    def _what(self, position: int) -> str:
        row = self.rows.get(position)
        if row is None:
            return event_types.title(self.late[position].event_type)
        if row.what == What.CONFIGURATION:
            label = self.texts[position]["label"]
            label = self.people.get(label, TITLES.called(label))
            return f"{THINGS.get(row.kind, row.kind)} {label}".strip()
        if row.kind in CALLED:
            about = self._about(position, row)
            return f"{CALLED[row.kind]}: {about}" if about else str(CALLED[row.kind])
        known = requests().get(row.kind)
        return str(known.title) if known else row.kind

    def _about(self, position: int, row: ExceptionRow) -> str:
        """The subject of the entry, as people call it."""
        about = self.texts[position]["about"]
        if position in self.dice:
            return self.dice[position][0]
        if row.kind == "day":
            return locales.figures_of_day(date.fromisoformat(about))
        if row.kind == "house_rules" and (card := self.games.get(self._game(position))):
            return ", ".join(
                house_rules.label_of_option(card.ruleset, name) for name in about.split(", ")
            )
        if row.kind == "stop_payouts":
            return findings.why_stopped(about)
        return "" if row.kind in NUMBERED else about

    def _where(self, position: int) -> str:
        if card := self.games.get(self._game(position)):
            game = TITLES.get(card.ruleset, card.ruleset)
            return _("%(game)s at %(table)s") % {"game": game, "table": card.table.name}
        request = self.requests.get(position)
        table = str(request.subject.get("table", "")) if request else ""
        area, _sep, rest = self._row(position).stream.partition("/")
        return self.tables.get(rest if area in {"custody", "fees", "table"} else table, "")

    def _address(self, position: int) -> str:
        row, game = self._row(position), self._game(position)
        listed, request = self.rows.get(position), self.requests.get(position)
        area, _sep, rest = row.stream.partition("/")
        if position in self.dice:
            return self.dice[position][1]
        if request is not None:
            return reverse("approval", args=[request.id])
        if listed is not None and (found := _page_of(listed, rest)):
            return found
        if game:
            return reverse("floor-log", args=[game])
        if area == "custody" and rest in self.tables:
            return reverse("cash-table", args=[rest])
        return ""


def _lateness(late: LateEntry | None) -> str:
    """The kind of a late entry; a floor device that sent its entry later had been offline."""
    if late is None or late.kind != SKEW:
        return LATE
    return OFFLINE if late.seconds > 0 and late.device.startswith(QUEUED) else SKEW


def _page_of(row: ExceptionRow, rest: str) -> str:
    """The page of the subject of a listed entry; "" if it has none."""
    if row.what == What.CONFIGURATION:
        return f"{reverse('settings-changes')}?kind={row.kind}&before={row.position + 1}"
    cause, _sep, seq = row.about.partition(".")
    pages: dict[str, tuple[str, tuple[str, ...]]] = {
        "large_prize": ("payout", (rest, cause, seq)),
        "dispute": ("dispute", (rest, row.about)),
        "day": ("day", (row.about,)),
        "readmitted": ("player", (row.about,)),
        "told_apart": ("player", (row.about,)),
        "stop_payouts": ("payouts", ()),
        "fee_box": ("fee-boxes", ()),
        "key_announced": ("proof", ()),
        "key_retired": ("proof", ()),
        "epoch_opened": ("proof", ()),
        "parked_retried": ("proof", ()),
        "late_listed": ("late", ()),
        "late_put": ("late", ()),
        "late_dismissed": ("late", ()),
        "late_dropped": ("late", ()),
        "gap_found": ("late", ()),
        "gap_closed": ("late", ()),
    }
    name, given = pages.get(row.kind, ("", ()))
    return reverse(name, args=given) if name and all(given) else ""


LATENESS: Final = {
    LATE: (LateEntry.Kind.LATE, LateEntry.Kind.BOOKED),
    OFFLINE: (LateEntry.Kind.SKEW,),
    SKEW: (LateEntry.Kind.SKEW,),
}
SENT_LATER: Final = Q(seconds__gt=0, device__startswith=QUEUED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """
    The filters of the report.

    :param since: the first gaming day; `until`: the last.
    :param kind: one of `KINDS`, or "" for all.
    :param person: the id of who asked, did or decided it, or "" for everybody.
    """

    since: date | None = None
    until: date | None = None
    kind: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Entries(Numbered):
    """The entries that meet the criteria, by position."""

    house: Establishment
    criteria: Criteria

    def narrowed(self, **criteria: Any) -> Entries:
        return Entries(self.house, replace(self.criteria, **criteria))

    def behind(self, number: int | None, *, falls: bool, most: int) -> list[int]:
        """
        The first `most` positions beyond a number, in one direction.

        They are among the first `most` of each source, so each source is queried separately.
        """
        found: set[int] = set()
        for rows in self._sources():
            if number is not None:
                beyond = "position__lt" if falls else "position__gt"
                rows = rows.filter(**{beyond: number})  # noqa: PLW2901 - narrowed
            ordered = rows.order_by("-position" if falls else "position")
            found.update(ordered.values_list("position", flat=True)[:most])
        return sorted(found, reverse=falls)[:most]

    def _sources(self) -> Iterator[QuerySet[Any]]:
        criteria = self.criteria
        for rows in _sources(self.house, criteria):
            if criteria.since:
                rows = rows.filter(gaming_day__gte=criteria.since)  # noqa: PLW2901 - narrowed
            if criteria.until:
                rows = rows.filter(gaming_day__lte=criteria.until)  # noqa: PLW2901 - narrowed
            yield rows


def page(
    house: Establishment, criteria: Criteria, *, most: int, before: int | None = None
) -> tuple[list[Line], int | None]:
    """At most `most` lines before a position, newest first; and the position to go on from."""
    found = Entries(house, criteria).behind(before, falls=True, most=most + 1)
    listed = found[:most]
    return LineBuilder(house, listed).lines(), listed[-1] if len(found) > most else None


def newest(house: Establishment, most: int) -> list[int]:
    """The positions of the newest entries."""
    return Entries(house, Criteria()).behind(None, falls=True, most=most)


def address(line: Line, *, audits: bool) -> str:
    """The page of a line's subject; "" if the role may not open it (D1)."""
    return line.address if audits or line.kind != What.CONFIGURATION else ""


def _sources(house: Establishment, criteria: Criteria) -> Iterator[QuerySet[Any]]:
    """The criteria as several queries, each of which an index supports."""
    rows = ExceptionRow.objects.filter(establishment=house)
    late = LateEntry.objects.filter(establishment=house)
    if criteria.kind not in LATENESS:
        if criteria.kind:
            rows = rows.filter(what=criteria.kind)
        if criteria.person:
            yield rows.filter(actor=criteria.person)
            yield rows.filter(asked_by=criteria.person)
        else:
            yield rows
    if criteria.kind in LATENESS:
        late = late.filter(kind__in=LATENESS[criteria.kind])
    if criteria.kind == OFFLINE:
        late = late.filter(SENT_LATER)
    if criteria.kind == SKEW:
        late = late.exclude(SENT_LATER)
    if not criteria.kind or criteria.kind in LATENESS:
        yield late.filter(actor=criteria.person) if criteria.person else late
