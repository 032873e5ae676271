"""The exception report on a page, and as CSV (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.attendants.models import Attendant
from casino.exceptions import export_csv as exceptions_csv
from casino.exceptions import queries as exceptions
from casino.exceptions.lines import KINDS
from casino.exceptions.queries import Wanted
from casino.languages.fields import DayField
from casino.web.pages import office, only_those
from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from casino.establishments.models import Establishment
    from casino.web.pages import Page

SECTION = "exceptions"
ROWS = 50


class FilterForm(forms.Form):
    since = DayField(
        required=False,
        label=gettext_lazy("From gaming day"),
    )
    until = DayField(
        required=False,
        label=gettext_lazy("To gaming day"),
    )
    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("What"),
        choices=[
            ("", gettext_lazy("everything")),
            *((name, title) for name, (title, _control) in KINDS.items()),
        ],
    )
    person = forms.ChoiceField(required=False, label=gettext_lazy("Who"))
    before = forms.IntegerField(
        required=False, min_value=0, max_value=INTEGER_MAX, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Attendant.objects.filter(employments__establishment=house).distinct()
        who = self.fields["person"]
        assert isinstance(who, forms.ChoiceField)  # noqa: S101 - declared above
        who.choices = [("", _("everybody")), *((str(each.pk), str(each)) for each in people)]

    @property
    def wanted(self) -> Wanted:
        """After `is_valid`; a filter that is none filters nothing."""
        asked = self.cleaned_data
        return Wanted(
            since=asked.get("since"),
            until=asked.get("until"),
            kind=asked.get("kind", ""),
            person=asked.get("person", ""),
        )


@office("look", section=SECTION)
def report(page: Page) -> HttpResponse:
    """What was void, overridden, late, changed, approved or done alone, newest first (C2)."""
    only_those(page)
    form = FilterForm(page.request.GET, house=page.house)
    form.is_valid()
    wanted = form.wanted
    if page.request.GET.get("format") == "csv" and not form.errors:
        return _as_csv(page.house, wanted)
    lines, older = exceptions.page(
        page.house, wanted, most=ROWS, before=form.cleaned_data.get("before")
    )
    asked = page.request.GET.copy()
    for name in ("before", "format"):
        asked.pop(name, None)
    context = {
        "form": form,
        "lines": [(line, exceptions.address(line, audits=page.may("audit"))) for line in lines],
        "older": older,
        "asked": asked.urlencode(),
        "filtered": wanted != Wanted(),
    }
    return page.show("exceptions/index.html", context)


def _as_csv(house: Establishment, wanted: Wanted) -> HttpResponse:
    days = "-to-".join(str(day) for day in (wanted.since, wanted.until) if day)
    name = "-".join(part for part in ("exceptions", wanted.kind, days) if part)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    exceptions_csv.write_csv(answer, house, wanted)
    return answer
