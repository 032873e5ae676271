"""Lists of dice sets and of the steps of their lives: for pages, exports and the API (F1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.models import Table
from casino.kit.web.addresses import page_there
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
from casino.play.dice import queries
from casino.play.dice.models import FOR_GOOD, DiceSet, DiceStep, State
from casino.words.languages import locales, names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.kit.web.listings.listing import Viewer
    from casino.play.dice.queries import Step, Stock

HERE: Final = "here"
STATES: Final = {
    state: Sign(level, queries.STANDS[state]) for state, level in queries.SIGNS.items()
}


class StandsFilter(ChoiceFilter):
    """Filters sets by where they stand now: by their state, or by what games made of it."""

    def filter(self, rows: Any, value: Any) -> Any:
        if not value:
            return rows
        if value == HERE:
            return rows.exclude(state__in=FOR_GOOD)
        stock = queries.inventory(self.parent.house)
        return rows.filter(pk__in=[each.dice.pk for each in stock if each.stands == value])


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSetItem:
    """:param alike: for each set, the other sets whose numbers look the same."""

    stock: Stock
    alike: Mapping[Any, Sequence[str]]

    @property
    def dice(self) -> DiceSet:
        return self.stock.dice

    @property
    def url(self) -> str:
        return reverse("dice-set", args=[self.dice.pk])

    @property
    def where(self) -> str:
        if not self.stock.table and self.stock.stands == State.ISSUED:
            return _("any table")
        return self.stock.table

    @property
    def inspected(self) -> str:
        """When and by whom the set was last inspected."""
        last = self.stock.inspection
        if last is None:
            return _("none on record")
        failed = "" if last.row.in_order else f", {_('did not pass')}"
        return f"{locales.figures_of_day(last.row.at)} {last.by}{failed}"


def set_items(viewer: Viewer, rows: Sequence[DiceSet]) -> list[DiceSetItem]:
    found = queries.inventory(viewer.house, [row.pk for row in rows])
    stock = {each.dice.pk: each for each in found}
    alike: Mapping[Any, Sequence[str]] = {}
    if viewer.surface == "page":
        every = DiceSet.objects.filter(establishment=viewer.house)
        alike = names.namesakes(dict(every.values_list("pk", "number")))
    return [DiceSetItem(stock=stock[row.pk], alike=alike) for row in rows]


_of_set = columns_of("dice")


DICE_SETS: Final = Listing[DiceSet, DiceSetItem](
    name="dice-sets",
    title=gettext_lazy("Dice sets"),
    about=gettext_lazy("Every set of the house: where it is, and who inspected it last."),
    rows=lambda viewer: DiceSet.objects.filter(establishment=viewer.house),
    items=set_items,
    order=("number",),
    filters=filters(
        state=StandsFilter(
            title=gettext_lazy("State"), on=FOR_PEOPLE,
            choices=[(HERE, gettext_lazy("all that are here")), *queries.STANDS.items()],
        ),
    ),
    usual={"state": lambda _viewer: HERE},
    columns=(
        _of_set("id", on=API),
        _of_set("number", title=gettext_lazy("Number"), style="row-name", order=("number",),
                template="play/dice/_number.html", link=lambda item: item.url),
        Column(name="dice", title=gettext_lazy("Dice"), on=FOR_PEOPLE, order=("sides", "count"),
               display=lambda item: _(item.dice.dice)),
        _of_set("sides", title=gettext_lazy("Sides"), kind="number", on=FOR_PROGRAMS),
        _of_set("count", title=gettext_lazy("How many"), kind="number", on=FOR_PROGRAMS),
        _of_set("colour", title=gettext_lazy("Colour"), style="wide", order=("colour",)),
        *(
            _of_set(each.attname, title=each.verbose_name, style="wide")
            for each in DiceSet.further_traits()
        ),
        _of_set("state", on=API),
        Column(name="stands", title=gettext_lazy("State"), signs=STATES,
               value=lambda item: str(item.stock.stands)),
        Column(name="where", title=gettext_lazy("Where"), on=FOR_PEOPLE,
               template="play/dice/_where.html"),
        Column(name="issued_to", on=API, value=lambda item: item.dice.issued_to_id),
        Column(name="game", on=API, value=lambda item: item.stock.game),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", style="soft",
               value=lambda item: item.stock.since),
        Column(name="inspected", title=gettext_lazy("Last inspection"), on=FOR_PEOPLE,
               style="wide soft"),
        Column(name="inspected_at", on=API,
               value=lambda item: item.stock.inspection and item.stock.inspection.row.at),
        Column(name="inspected_by", on=API,
               value=lambda item: item.stock.inspection and item.stock.inspection.by),
        Column(name="possible", on=API,
               value=lambda item: [str(do) for do in item.stock.possible]),
    ),
    empty=gettext_lazy(
        "This house has no dice yet. Receive a set, inspect it and issue it: then it may be thrown."
    ),
    none_such=gettext_lazy("No set is like that now."),
    names_players=False,
)  # fmt: skip


# --- The life of a set ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StepItem:
    step: Step

    @property
    def row(self) -> DiceStep:
        return self.step.row

    @property
    def url(self) -> str:
        """The page of the step's event."""
        return page_there("ledger-event", position=self.row.position)

    @property
    def what(self) -> str:
        """What was done, its outcome, and the table it concerned."""
        words = self.step.what
        if self.row.in_order is not None:
            words += f": {_('in order') if self.row.in_order else _('did not pass')}"
        if self.row.what == DiceStep.What.ISSUED:
            words += f": {self.step.table or _('any table')}"
        return words

    @property
    def words(self) -> str:
        """What people wrote: a reason, a finding or a note, and the papers of a delivery."""
        papers = f"{self.step.supplier}, {self.step.reference}. " if self.step.supplier else ""
        return f"{papers}{self.step.said}"


def step_items(viewer: Viewer, rows: Sequence[DiceStep]) -> list[StepItem]:
    tables = dict(Table.objects.filter(establishment=viewer.house).values_list("pk", "name"))
    return [StepItem(step=step) for step in queries.describe(viewer.house, rows, tables)]


_of_step = columns_of()


DICE_STEPS: Final = Listing[DiceStep, StepItem](
    name="dice-steps",
    title=gettext_lazy("Its life"),
    about=gettext_lazy("What was done with a dice set, by whom and why."),
    rows=lambda viewer: DiceStep.objects.filter(establishment=viewer.house),
    items=step_items,
    order=("-position",),
    columns=(
        _of_step("at", title=gettext_lazy("When"), kind="moment", style="soft",
                 order=("position",)),
        Column(name="what", title=gettext_lazy("What"), value=lambda item: str(item.row.what),
               display=lambda item: item.what, template="play/dice/_step.html"),
        Column(name="by", title=gettext_lazy("By"), value=lambda item: item.step.by,
               template="play/dice/_step_by.html"),
        Column(name="asked_by", title=gettext_lazy("Asked for by"), on=FOR_PROGRAMS,
               value=lambda item: item.step.asked_by),
        _of_step("gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _of_step("in_order", on=API),
        _of_step("table", on=API),
        _of_step("game", on=API),
        Column(name="supplier", on=API, value=lambda item: item.step.supplier),
        Column(name="reference", on=API, value=lambda item: item.step.reference),
        Column(name="said", title=gettext_lazy("Said"), value=lambda item: item.step.said,
               display=lambda item: item.words, style="wide because"),
        _of_step("position", title=gettext_lazy("Event"), kind="number",
                 link=lambda item: item.url),
    ),
    empty=gettext_lazy(
        "Nothing else is on record of it. What is done with it from now on is listed here, by whom"
        " and why."
    ),
    names_players=False,
)  # fmt: skip


def steps_of(dice_set: UUID) -> Listing[DiceStep, StepItem]:
    """The list of one set's steps."""
    return replace(
        DICE_STEPS,
        rows=lambda viewer: DiceStep.objects.filter(establishment=viewer.house, dice_set=dice_set),
    )
