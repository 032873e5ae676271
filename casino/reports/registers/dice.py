"""
Reports of dice: what became of each set (F1), fairness (F2), and home throws (H1, H2).

The evidence of fairness in a stream of throws is reported as of the position, or of the last point
of its curve before the position. As only about 64 points of a curve are kept, this may be a little
before the position.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping  # noqa: TC003 - a field's type
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.dice.models import DiceSet, DiceStep
from casino.play.dice.surveillance import alarms as surveillance_alarms
from casino.play.dice.surveillance import goodness_of_fit, queries
from casino.play.dice.surveillance.models import Alarm, CurvePoint, DiceStream, Kind
from casino.reports.registers import history
from casino.words.presenters import TITLES, registered
from games import stone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Cell, Query

StreamKey = tuple[str, str, int]


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

    last: Mapping[StreamKey, int]
    later: frozenset[StreamKey]

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
                    queries.kind_title(row.kind),
                    titles[row.kind, row.name],
                    row.sides,
                    at.throws,
                    at.log10,
                    queries.odds_text(at.log10),
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
                    str(surveillance_alarms.by_name(row.by).title),
                    row.throws,
                    queries.odds_text(row.log10),
                    row.streams,
                    staff[row.acknowledged_by] if by_then else "",
                    row.acknowledged_at if by_then else None,
                    reasons.get(row.position, ""),
                ),
                position=row.position,
                address=queries.address(row.kind, row.name),
            )


def fairness_figures(query: Query) -> Sequence[Figure]:
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


def _kinds_of_alarms(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(kind, queries.kind_title(kind)) for kind in Kind.values]


FAIRNESS: Final = Report(
    name="dice-fairness",
    title=gettext_lazy("Dice fairness"),
    about=gettext_lazy(
        "What every raw throw says about dice, by whose throws they are, as evidence that may be"
        " looked at any time; and the alarms of these days, with who acknowledged them and why."
    ),
    controls=("F2",),
    filters=(Filter(name="of", title=gettext_lazy("Whose"), choices=_kinds_of_alarms),),
    figures=fairness_figures,
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


#
# Dice inventory (F1): every dice set with its last step as of the position, and all steps in the
# period.
#
# The steps come from events. The number and the dice of a set are those of its row today.


What = DiceStep.What
OUT: Final = (What.WITHDRAWN, What.DESTROYED, What.SENT, What.QUARANTINED)


def sets_as_of(query: Query) -> Mapping[UUID, DiceStep | None]:
    """
    The sets that the house had by the position, each with the last step that changed its status.

    A set without any step was there before steps were recorded. It counts as issued.
    """
    steps = DiceStep.objects.filter(establishment=query.house)
    by_then = steps.filter(position__lte=query.through).exclude(what=What.CHANGED)
    lasts = by_then.order_by().values("dice_set").annotate(last=Max("position"))
    positions = lasts.values_list("last", flat=True)
    last = {
        step.dice_set: step
        for part in history.chunks(positions)
        for step in steps.filter(position__in=part)
    }
    known = set(steps.order_by().values_list("dice_set", flat=True).distinct())
    sets = DiceSet.objects.filter(establishment=query.house).values_list("pk", flat=True)
    return {key: last.get(key) for key in sets if key in last or key not in known}


def set_lines(query: Query) -> Iterator[Line]:
    tables, found = history.tables(query.house), sets_as_of(query)
    sets = DiceSet.objects.filter(establishment=query.house).order_by("number")
    for part in history.chunks(dice for dice in sets if dice.pk in found):
        staff = people({step.actor for dice in part if (step := found[dice.pk])})
        for dice in part:
            step = found[dice.pk]
            yield Line(
                cells=(
                    dice.number,
                    _(dice.dice),
                    dice.colour,
                    *(value for _name, value in dice.further),
                    _status(step),
                    tables.get(step.table, "") if step and step.table else "",
                    step.at if step else None,
                    _who(step, staff) if step else "",
                ),
                position=step.position if step else None,
                address=reverse("dice-set", args=[dice.pk]),
            )


def _who(step: DiceStep, staff: Mapping[str, str]) -> str:
    return _("the program") if step.actor == acts.SYSTEM else staff[step.actor]


def _status(step: DiceStep | None) -> str:
    if step is None:
        return _("there before steps were recorded")
    title = str(step.get_what_display())
    if step.in_order is None:
        return title
    return f"{title}: {_('in order') if step.in_order else _('not in order')}"


def steps(query: Query) -> QuerySet[DiceStep]:
    found = history.of_period(DiceStep.objects.all(), query)
    what = query.chosen.get("step")
    return found.filter(what=what) if what else found


def step_lines(query: Query) -> Iterator[Line]:
    tables = history.tables(query.house)
    at_house = DiceSet.objects.filter(establishment=query.house)
    for part in history.chunks(steps(query)):
        sets = at_house.in_bulk({step.dice_set for step in part})
        staff = people({who for step in part for who in (step.actor, step.asked_by) if who})
        texts = tokens.resolve(
            query.house.pk, [[step.supplier, step.reference, step.said] for step in part]
        )
        for step, (supplier, reference, text) in zip(part, texts, strict=True):
            dice = sets.get(step.dice_set)
            yield Line(
                cells=(
                    step.gaming_day,
                    step.at,
                    dice.number if dice else "",
                    _status(step),
                    tables.get(step.table, "") if step.table else "",
                    _who(step, staff),
                    staff.get(step.asked_by, ""),
                    supplier,
                    reference,
                    text,
                ),
                position=step.position,
                address=reverse("dice-set", args=[step.dice_set]),
            )


def inventory_figures(query: Query) -> Sequence[Figure]:
    last = Counter(step.what if step else "" for step in sets_as_of(query).values())
    return (
        Figure(name="sets", title=_("Dice sets"), value=last.total()),
        *(Figure(name=what.value, title=what.label, value=last[what]) for what in OUT),
        Figure(name="steps", title=_("Steps in these days"), value=steps(query).count()),
    )


def _kinds_of_steps(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(what.value, str(what.label)) for what in What]


INVENTORY: Final = Report(
    name="dice-inventory",
    title=gettext_lazy("Dice inventory"),
    about=gettext_lazy(
        "Every dice set with what became of it last, and each step of these days: received,"
        " inspected, issued, withdrawn, destroyed, by whom and why."
    ),
    controls=("F1",),
    names_players=False,
    filters=(Filter(name="step", title=gettext_lazy("Step"), choices=_kinds_of_steps),),
    figures=inventory_figures,
    tables=(
        Table(
            name="sets",
            title=gettext_lazy("Dice sets"),
            columns=(
                Column(name="number", title=gettext_lazy("Number")),
                Column(name="dice", title=gettext_lazy("Dice")),
                Column(name="colour", title=gettext_lazy("Colour")),
                *(
                    Column(name=each.attname, title=each.verbose_name)
                    for each in DiceSet.further_traits()
                ),
                Column(name="stands", title=gettext_lazy("Last step")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="by", title=gettext_lazy("By")),
            ),
            lines=set_lines,
            empty=gettext_lazy("The house had no dice."),
        ),
        Table(
            name="steps",
            title=gettext_lazy("Steps"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="at", title=gettext_lazy("Recorded"), kind="moment"),
                Column(name="number", title=gettext_lazy("Number")),
                Column(name="step", title=gettext_lazy("Step")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="by", title=gettext_lazy("By")),
                Column(name="asked_by", title=gettext_lazy("Asked by")),
                Column(name="supplier", title=gettext_lazy("Supplier")),
                Column(name="reference", title=gettext_lazy("Reference")),
                Column(name="said", title=gettext_lazy("Reason")),
            ),
            lines=step_lines,
            size=lambda query: steps(query).count(),
            empty=gettext_lazy("Nothing became of any dice in these days."),
        ),
    ),
)


#
# How often home throws came up, compared with their exact odds (H1, H2).
#
# Three d8 show given sorted faces in one, three or six ways out of 512, whatever was thrown before.
# So the number of hits is binomial, and its p-value is exact.


ALL_THROWS: Final = stone.SIDES**stone.DICE
CONFIDENCE: Final = 0.95
GameAndHome = tuple[str, str]


def chance(home: str) -> Fraction:
    """The probability that one throw is this home throw, which is written as 1-3-6."""
    return Fraction(len(set(permutations(home.split("-")))), ALL_THROWS)


def count_hits(query: Query) -> Mapping[GameAndHome, tuple[int, int]]:
    """
    Throws and hits by game and home throw.

    Throws of voided rounds count too: the dice have fallen, whatever became of the money.
    """
    tries: Counter[GameAndHome] = Counter()
    hits: Counter[GameAndHome] = Counter()
    having = [game.id for game in registered.with_home_throws()]
    rows = history.rounds(query).filter(ruleset__in=having).exclude(homes={})
    for ruleset, homes in rows.values_list("ruleset", "homes").iterator(chunk_size=history.CHUNK):
        for home, (thrown, hit) in homes.items():
            tries[ruleset, home] += thrown
            hits[ruleset, home] += hit
    return {key: (tries[key], hits[key]) for key in sorted(tries)}


def home_throw_lines(query: Query) -> Iterator[Line]:
    for (ruleset, home), (thrown, hit) in count_hits(query).items():
        yield Line(cells=(str(TITLES[ruleset]), home, *home_throw_cells(thrown, hit, chance(home))))


def home_throw_cells(thrown: int, hit: int, likely: Fraction) -> tuple[Cell, ...]:
    """Throws, hits, expected hits, the share with its interval, the exact odds and the p-value."""
    low, high = goodness_of_fit.clopper_pearson(hit, thrown, CONFIDENCE)
    return (
        thrown,
        hit,
        round(thrown * likely, 2),
        Fraction(hit, thrown),
        likely,
        low,
        high,
        goodness_of_fit.binomial_test(hit, thrown, likely),
    )


def home_throw_figures(query: Query) -> Sequence[Figure]:
    """Sums over all home throws; a throw counts once for each home throw that was in force."""
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for (_ruleset, home), (thrown, hit) in count_hits(query).items():
        sums["thrown"] += thrown
        sums["hits"] += hit
        sums["expected"] += thrown * chance(home)
    return (
        Figure(
            name="throws", title=_("Throws that might have been one"), value=int(sums["thrown"]),
        ),
        Figure(name="hits", title=_("Home throws"), value=int(sums["hits"])),
        Figure(
            name="expected", title=_("Expected, exactly"), kind="ratio",
            value=round(sums["expected"], 2),
        ),
    )  # fmt: skip


HOME_THROWS: Final = Report(
    name="home-throws",
    title=gettext_lazy("Home throws"),
    about=gettext_lazy(
        "How often each home throw came up in the rounds that ended, against its exact odds. The"
        " chance says how likely fair dice are to be as far off or further; of twenty home throws"
        " one is below 0.05 by chance alone."
    ),
    controls=("F2",),
    filters=(history.TABLE, history.GAME),
    figures=home_throw_figures,
    tables=(
        Table(
            name="home_throws",
            title=gettext_lazy("Home throws"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="home_throw", title=gettext_lazy("Home throw")),
                Column(name="throws", title=gettext_lazy("Throws"), kind="number"),
                Column(name="hits", title=gettext_lazy("Hits"), kind="number", total=True),
                Column(name="expected", title=gettext_lazy("Expected"), kind="ratio"),
                Column(name="share", title=gettext_lazy("Share"), kind="share"),
                Column(name="odds", title=gettext_lazy("Exact odds"), kind="share"),
                Column(name="least", title=gettext_lazy("95 % from"), kind="share"),
                Column(name="most", title=gettext_lazy("95 % to"), kind="share"),
                Column(name="p_value", title=gettext_lazy("Chance"), kind="share"),
            ),
            lines=home_throw_lines,
            empty=gettext_lazy("No round with a home throw ended in these days."),
        ),
    ),
)
