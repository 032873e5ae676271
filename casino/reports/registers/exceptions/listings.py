"""The exception report as a list, for its page and exports (C2); its CSV format is a contract."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.house.attendants.models import Attendant
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.listing import (
    FILE,
    FOR_PEOPLE,
    ChoiceFilter,
    Column,
    DayFilter,
    Listing,
    filters,
)
from casino.reports.registers.exceptions import queries
from casino.reports.registers.exceptions.queries import KINDS, Criteria, Entries, Line, LineBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from casino.reports.registers.exceptions.queries import Person

YES_OR_NO: Final = {None: "", True: "yes", False: "no"}


def lines(viewer: Viewer, positions: Sequence[int]) -> list[Line]:
    """The lines at these positions; each links only to a page that the viewer may open."""
    audits = viewer.may("audit")
    return [
        replace(line, address=queries.address(line, audits=audits))
        for line in LineBuilder(viewer.house, list(positions)).lines()
    ]


def _people(house: Establishment) -> Iterable[tuple[str, str]]:
    people = Attendant.objects.filter(employments__establishment=house).distinct()
    return [(str(each.pk), str(each)) for each in people]


def _filter_by(name: str) -> Callable[[Entries, Any], Entries]:
    return lambda entries, value: entries.narrowed(**{name: value})


def _name(person: Person | None) -> str:
    return person.name if person else ""


EXCEPTIONS: Final = Listing[int, Line](
    name="exceptions",
    title=gettext_lazy("Exceptions"),
    about=gettext_lazy("What was out of the ordinary, with who asked, who decided and why."),
    rows=lambda viewer: Entries(viewer.house, Criteria()),
    items=lines,
    order=("-position",),
    filters=filters(
        since=DayFilter(title=gettext_lazy("From gaming day"), keep=_filter_by("since")),
        until=DayFilter(title=gettext_lazy("To gaming day"), keep=_filter_by("until")),
        kind=ChoiceFilter(
            title=gettext_lazy("What"),
            choices=[(str(name), title) for name, (title, _control) in KINDS.items()],
            all_of_them=gettext_lazy("everything"),
            keep=_filter_by("kind"),
        ),
        person=ChoiceFilter(
            title=gettext_lazy("Who"),
            choices=_people,
            all_of_them=gettext_lazy("everybody"),
            keep=_filter_by("person"),
        ),
    ),
    columns=(
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FILE),
        Column(name="recorded_at", title=gettext_lazy("When"), kind="moment", style="soft",
               order=("position",), on=FOR_PEOPLE),
        Column(name="occurred_at", title=gettext_lazy("At the table"), kind="moment", on=FILE),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number", on=FILE),
        Column(name="kind", title=gettext_lazy("Kind"), template="reports/exceptions/_kind.html",
               on=FOR_PEOPLE),
        Column(name="control", title=gettext_lazy("Control"), on=FILE),
        Column(name="late", title=gettext_lazy("Late"), on=FILE),
        Column(name="what", title=gettext_lazy("What"), link=lambda line: line.address,
               template="reports/exceptions/_what.html", on=FOR_PEOPLE, style="because"),
        Column(name="where", title=gettext_lazy("Where"), on=FILE),
        Column(name="amount", title=gettext_lazy("Amount"), kind="money",
               template="reports/exceptions/_amount.html", on=FOR_PEOPLE),
        Column(name="asked_by", title=gettext_lazy("Asked or did"), on=FOR_PEOPLE,
               display=lambda line: line.asked_by.name),
        Column(name="decided_by", title=gettext_lazy("Decided"), on=FOR_PEOPLE,
               display=lambda line: _name(line.decided_by),
               template="reports/exceptions/_decided_by.html", style="named"),
        Column(name="alone", title=gettext_lazy("Alone"), on=FILE,
               display=lambda line: YES_OR_NO[line.alone]),
        Column(name="reviewed_by", title=gettext_lazy("Reviewed by"), on=FILE,
               display=lambda line: _name(line.reviewed_by)),
        Column(name="in_order", title=gettext_lazy("In order"), on=FILE,
               display=lambda line: YES_OR_NO[line.in_order]),
        Column(name="reason", title=gettext_lazy("Reason"), style="because",
               template="reports/exceptions/_reason.html", on=FOR_PEOPLE),
        Column(name="decision", title=gettext_lazy("Decision"), on=FILE),
        Column(name="event_type", title=gettext_lazy("Event"), on=FILE),
        Column(name="stream", title=gettext_lazy("Stream"), on=FILE),
    ),
    empty=gettext_lazy(
        "Nothing out of the ordinary yet. As soon as somebody voids, approves, changes or enters"
        " something late, it stands here by itself."
    ),
    none_such=gettext_lazy("Nothing of the kind in these days."),
    sees=OVERSEEING,
    section="exceptions",
    note=gettext_lazy(
        "Every void, override and late entry, every change of configuration, every approval and"
        " what was done alone, with who asked, who decided and why. C2"
    ),
    from_replica=True,
)  # fmt: skip
