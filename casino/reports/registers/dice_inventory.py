"""
Dice inventory (F1): every dice set with its last step as of the position, and all steps in the
period.

The steps come from events. The number and the dice of a set are those of its row today.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.dice.models import DiceSet, DiceStep
from casino.reports.registers import history

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

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


def figures(query: Query) -> Sequence[Figure]:
    last = Counter(step.what if step else "" for step in sets_as_of(query).values())
    return (
        Figure(name="sets", title=_("Dice sets"), value=last.total()),
        *(Figure(name=what.value, title=what.label, value=last[what]) for what in OUT),
        Figure(name="steps", title=_("Steps in these days"), value=steps(query).count()),
    )


def _steps(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(what.value, str(what.label)) for what in What]


REPORT: Final = Report(
    name="dice-inventory",
    title=gettext_lazy("Dice inventory"),
    about=gettext_lazy(
        "Every dice set with what became of it last, and each step of these days: received,"
        " inspected, issued, withdrawn, destroyed, by whom and why."
    ),
    controls=("F1",),
    names_players=False,
    filters=(Filter(name="step", title=gettext_lazy("Step"), choices=_steps),),
    figures=figures,
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
