"""The change log: who changed what, from what to what, when and why (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.attendants.models import Attendant
from casino.configuration import descriptions, history
from casino.configuration.frame import SECTION, shown
from casino.establishments.models import Change, Establishment
from casino.languages.fields import DayField
from casino.presenters import TITLES
from casino.pseudonyms import tokens as pseudonyms
from casino.web.pages import Page, office
from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpResponse

ROWS = 50
PERSON_COLUMNS = ("attendant_id", "set_by_id", "invited_by_id", "accepted_by_id")


class LogFilter(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("What"),
        required=False,
        choices=[("", gettext_lazy("everything")), *descriptions.KINDS.items()],
    )
    who = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    day = DayField(
        label=gettext_lazy("Gaming day"),
        required=False,
    )
    before = forms.IntegerField(
        required=False, min_value=0, max_value=INTEGER_MAX, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Attendant.objects.filter(employments__establishment=house).distinct()
        who = self.fields["who"]
        assert isinstance(who, forms.ChoiceField)  # noqa: S101 - declared above
        who.choices = [("", _("everybody")), *[(str(each.pk), str(each)) for each in people]]

    def rows(self, house: Establishment) -> QuerySet[Change]:
        """The changes that are wanted; a filter that is none filters nothing."""
        rows = Change.objects.filter(establishment=house)
        if not self.is_valid():
            return rows
        asked = self.cleaned_data
        if asked["kind"]:
            rows = rows.filter(kind=asked["kind"])
        if asked["who"]:
            rows = rows.filter(actor=asked["who"])
        if asked["day"]:
            rows = rows.filter(gaming_day=asked["day"])
        if asked["before"] is not None:
            rows = rows.filter(position__lt=asked["before"])
        return rows


@office("audit", section=SECTION)
def log(page: Page) -> HttpResponse:
    form = LogFilter(page.request.GET or None, house=page.house)
    found = lines(page, form.rows(page.house), most=ROWS + 1)
    asked = page.request.GET.copy()
    asked.pop("before", None)
    context = {
        "form": form,
        "changes": found[:ROWS],
        "older": found[ROWS - 1]["position"] if len(found) > ROWS else None,
        "asked": asked.urlencode(),
    }
    return shown(page, "configuration/changes.html", context)


def lines(page: Page, rows: QuerySet[Change], most: int = ROWS) -> list[dict[str, Any]]:
    """Changes as they are listed, with people's names and the texts behind their tokens."""
    found = list(rows.filter(establishment=page.house).order_by("-position")[:most])
    people = names(found)
    texts = pseudonyms.resolve(
        page.house.pk,
        [
            {
                "reason": row.reason,
                "label": people.get(row.label, str(TITLES.get(row.label, row.label))),
                "columns": columns(row, people),
            }
            for row in found
        ],
    )
    return [
        {
            "position": row.position,
            "at": row.at,
            "kind": descriptions.KINDS.get(row.kind, row.kind),
            "new": row.happened == "created",
            "who": people.get(row.actor, row.actor),
            "asked_by": people.get(row.asked_by, row.asked_by),
            "alone": row.alone,
            **text,
        }
        for row, text in zip(found, texts, strict=True)
    ]


def columns(row: Change, people: dict[str, str]) -> list[dict[str, str]]:
    return [
        {
            "name": descriptions.column(name),
            "before": people.get(str(before), descriptions.value(before)),
            "after": people.get(str(after), descriptions.value(after)),
            "nothing": descriptions.value(None),
        }
        for name, before, after in history.differing(row)
    ]


def names(rows: Iterable[Change]) -> dict[str, str]:
    """The people that changes speak of, by id."""
    spoken: set[object] = set()
    for row in rows:
        for data in (row.before or {}), (row.after or {}):
            spoken |= {data.get(column) for column in PERSON_COLUMNS}
        spoken |= {row.actor, row.asked_by}
    ids = {known for each in spoken if (known := _id(each))}
    return {str(each.pk): str(each) for each in Attendant.objects.filter(pk__in=ids)}


def _id(written: object) -> UUID | None:
    """An actor may be the program itself, or nobody."""
    try:
        return UUID(str(written))
    except ValueError:
        return None
