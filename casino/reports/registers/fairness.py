"""
Dice fairness (F2): the evidence in every stream of throws, and the alarms that it raised.

A stream is reported as of the position, or of the last point of its curve before the position. As
only about 64 points of a curve are kept, this may be a little before the position.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a field's type
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.dice.surveillance import causes, messages, queries
from casino.play.dice.surveillance.models import Alarm, CurvePoint, DiceStream, Kind
from casino.reports.registers import history

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

Key = tuple[str, str, int]


class StreamAsOf(NamedTuple):
    """A stream as of a position; its evidence is reset where an alarm is acknowledged."""

    throws: int
    log10: float
    change: float
    position: int


def streams(query: Query) -> QuerySet[DiceStream]:
    """The streams that had a throw by the position, ordered by owner."""
    points = CurvePoint.objects.filter(
        establishment=query.house,
        kind=OuterRef("kind"),
        name=OuterRef("name"),
        sides=OuterRef("sides"),
        position__lte=query.through,
    ).order_by("-throws")
    rows = DiceStream.objects.filter(establishment=query.house, throws__gt=0)
    if kind := query.chosen.get("of"):
        rows = rows.filter(kind=kind)
    found = rows.annotate(
        then_throws=Subquery(points.values("throws")[:1]),
        then_log10=Subquery(points.values("log10")[:1]),
        then_change=Subquery(points.values("change")[:1]),
        then_position=Subquery(points.values("position")[:1]),
    )
    return found.filter(then_throws__isnull=False).order_by("kind", "sides", "name")


class Resets(NamedTuple):
    """
    Where evidence was reset, because an alarm was acknowledged.

    :param last: by stream: the position of the last acknowledgement through the report's position.
    :param later: the streams with an alarm that was acknowledged after the report's position.
    """

    last: Mapping[Key, int]
    later: frozenset[Key]

    @classmethod
    def of(cls, query: Query) -> Resets:
        rows = Alarm.objects.filter(establishment=query.house).order_by()
        keyed = rows.values_list("kind", "name", "sides")
        by_then = keyed.filter(acknowledged_position__lte=query.through)
        after = keyed.filter(acknowledged_position__gt=query.through)
        return cls(
            last={
                (kind, name, sides): last
                for kind, name, sides, last in by_then.annotate(last=Max("acknowledged_position"))
            },
            later=frozenset(after.distinct()),
        )


def as_of(row: Any, through: int, resets: Resets) -> StreamAsOf:
    """A row of `streams` as of the position."""
    key = (row.kind, row.name, row.sides)
    began, then = resets.last.get(key, -1), row.then_position
    if then < began:  # nothing was thrown since the reset
        return StreamAsOf(row.then_throws, 0.0, 0.0, then)
    if row.last_position <= through and key not in resets.later:
        return StreamAsOf(row.throws, row.log10, row.change, row.last_position)
    return StreamAsOf(row.then_throws, row.then_log10, row.then_change, then)


def stream_lines(query: Query) -> Iterator[Line]:
    resets = Resets.of(query)
    for part in history.chunks(streams(query)):
        titles = queries.titles_of(query.house, {(row.kind, row.name) for row in part})
        for row in part:
            at = as_of(row, query.through, resets)
            yield Line(
                cells=(
                    messages.kind_title(row.kind),
                    titles[row.kind, row.name],
                    row.sides,
                    at.throws,
                    at.log10,
                    messages.odds(at.log10),
                    at.change,
                ),
                position=at.position,
                address=queries.address(row.kind, row.name),
            )


def alarms(query: Query) -> QuerySet[Alarm]:
    rows = history.of_period(Alarm.objects.all(), query)
    kind = query.chosen.get("of")
    return rows.filter(kind=kind) if kind else rows


def alarm_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(alarms(query)):
        titles = queries.titles_of(query.house, {(row.kind, row.name) for row in part})
        seen = [
            row
            for row in part
            if row.acknowledged_position is not None and row.acknowledged_position <= query.through
        ]
        staff = people({row.acknowledged_by for row in seen})
        texts = tokens.resolve(query.house.pk, [row.reason for row in seen])
        reasons = {row.position: text for row, text in zip(seen, texts, strict=True)}
        for row in part:
            by_then = row.position in reasons
            yield Line(
                cells=(
                    row.gaming_day,
                    row.raised_at,
                    titles[row.kind, row.name],
                    row.sides,
                    str(causes.by_name(row.by).title),
                    row.throws,
                    messages.odds(row.log10),
                    row.streams,
                    staff[row.acknowledged_by] if by_then else "",
                    row.acknowledged_at if by_then else None,
                    reasons.get(row.position, ""),
                ),
                position=row.position,
                address=queries.address(row.kind, row.name),
            )


def figures(query: Query) -> Sequence[Figure]:
    rows = Alarm.objects.filter(establishment=query.house, position__lte=query.through)
    acknowledged = rows.filter(acknowledged_position__lte=query.through).count()
    found = streams(query)
    whole = found.filter(kind=Kind.HOUSE)
    resets = Resets.of(query)
    throws = sum(as_of(row, query.through, resets).throws for row in whole)
    return (
        Figure(name="throws", title=_("Throws of dice"), value=throws),
        Figure(name="streams", title=_("Streams"), value=found.count()),
        Figure(name="alarms", title=_("Alarms in these days"), value=alarms(query).count()),
        Figure(name="open", title=_("Alarms open then"), value=rows.count() - acknowledged),
    )


def _kinds(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(kind, messages.kind_title(kind)) for kind in Kind.values]


REPORT: Final = Report(
    name="dice-fairness",
    title=gettext_lazy("Dice fairness"),
    about=gettext_lazy(
        "What every raw throw says about dice, by whose throws they are, as evidence that may be"
        " looked at any time; and the alarms of these days, with who acknowledged them and why."
    ),
    controls=("F2",),
    filters=(Filter(name="of", title=gettext_lazy("Whose"), choices=_kinds),),
    figures=figures,
    tables=(
        Table(
            name="streams",
            title=gettext_lazy("Streams of throws"),
            columns=(
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="whose", title=gettext_lazy("Whose")),
                Column(name="sides", title=gettext_lazy("Sides"), kind="number"),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number"),
                Column(name="log10_e", title=gettext_lazy("log10 of the evidence"), kind="ratio"),
                Column(name="against", title=gettext_lazy("Against fair dice")),
                Column(name="change", title=gettext_lazy("Detector of changes"), kind="ratio"),
            ),
            lines=stream_lines,
            size=lambda query: streams(query).count(),
            empty=gettext_lazy("Nothing was thrown yet."),
        ),
        Table(
            name="alarms",
            title=gettext_lazy("Alarms"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="raised_at", title=gettext_lazy("Raised"), kind="moment"),
                Column(name="whose", title=gettext_lazy("Whose")),
                Column(name="sides", title=gettext_lazy("Sides"), kind="number"),
                Column(name="by", title=gettext_lazy("By")),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number"),
                Column(name="against", title=gettext_lazy("Against fair dice")),
                Column(name="streams", title=gettext_lazy("Among streams"), kind="number"),
                Column(name="acknowledged_by", title=gettext_lazy("Acknowledged by")),
                Column(name="acknowledged_at", title=gettext_lazy("At"), kind="moment"),
                Column(name="reason", title=gettext_lazy("What was found")),
            ),
            lines=alarm_lines,
            size=lambda query: alarms(query).count(),
            empty=gettext_lazy("No alarm was raised in these days."),
        ),
    ),
)
