"""Bringing in lists of tables and staff: looked at first, then carried out whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.backoffice.forms import ActForm
from casino.backoffice.pages import Page, office
from casino.backoffice.settings_pages import SECTION, said, shown
from casino.establishments import imports, sheets
from casino.establishments.configuration import Became
from casino.establishments.forms.why_and_when import Explained
from games.refusals import Refused
from ledger.journal import CommandReused, Conflict

if TYPE_CHECKING:
    from casino.establishments.sheets import Sheet

TITLES = {"tables": gettext_lazy("Tables"), "staff": gettext_lazy("Staff")}
SEPARATORS = {
    ",": gettext_lazy("commas"),
    ";": gettext_lazy("semicolons"),
    "\t": gettext_lazy("tabs"),
}


class ListForm(forms.Form):
    """A file, or the same text pasted."""

    file = forms.FileField(label=gettext_lazy("A CSV file"), required=False)
    content = forms.CharField(
        label=gettext_lazy("Or its lines, pasted"),
        required=False,
        strip=False,
        max_length=sheets.BYTES_MOST,
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if (
            not self.errors
            and not cleaned.get("file")
            and not (cleaned.get("content") or "").strip()
        ):
            raise ValidationError(_("Choose a file, or paste its lines."))
        return cleaned

    def raw(self) -> bytes:
        """The bytes of the list; after `is_valid`."""
        file = self.cleaned_data.get("file")
        if file:
            return bytes(file.read(sheets.BYTES_MOST + 1))
        content: str = self.cleaned_data["content"]
        return content.encode()


class CarryOutForm(ActForm, Explained):
    """The list once more, as it was looked at: it is read again before anything is done."""

    content = forms.CharField(strip=False, widget=forms.HiddenInput)


@office("configure", section=SECTION)
def choose(page: Page) -> HttpResponse:
    lists = [
        {"name": name, "title": TITLES[name], "columns": ", ".join(what.columns)}
        for name, what in sheets.LISTS.items()
    ]
    return shown(page, "backoffice/settings_import.html", {"lists": lists})


@office("configure", section=SECTION)
def bring(page: Page, what: str) -> HttpResponse:
    """Look at a list, or carry it out."""
    asked = sheets.LISTS.get(what)
    if asked is None:
        raise Http404("There is no such list.")
    if "carry_out" in page.request.POST:
        return carry_out(page, what)
    form = ListForm(page.request.POST or None, page.request.FILES or None)
    sheet = None
    if page.posted and form.is_valid():
        sheet = sheets.read(form.raw(), asked, page.house)
    return looked_at(page, what, form, sheet)


def looked_at(
    page: Page, what: str, form: forms.Form, sheet: Sheet | None, refused: str = ""
) -> HttpResponse:
    asked = sheets.LISTS[what]
    wrong: dict[int, list[sheets.Wrong]] = {}
    for each in sheet.wrong if sheet else ():
        wrong.setdefault(each.line, []).append(each)
    rows = [
        {"line": row.line, "cells": [row.values[name] for name in asked.columns],
         "wrong": wrong.get(row.line, [])}
        for row in (sheet.rows if sheet else ())
    ]  # fmt: skip
    context = {
        "form": form,
        "what": what,
        "title": TITLES[what],
        "columns": asked.columns,
        "sheet": sheet,
        "refused": refused,
        "separator": SEPARATORS[sheet.separator] if sheet else "",
        "rows": rows,
        "carry_out": CarryOutForm(initial={"content": sheet.text})
        if sheet and not sheet.wrong else None,
    }  # fmt: skip
    return shown(page, "backoffice/settings_import_list.html", context)


def carry_out(page: Page, what: str) -> HttpResponse:
    form = CarryOutForm(page.request.POST)
    if not form.is_valid():
        return looked_at(page, what, ListForm(), None)
    content: str = form.cleaned_data["content"]
    sheet = sheets.read(content.encode(), sheets.LISTS[what], page.house)
    try:
        if what == "staff":
            hired = imports.staff(page.house, sheet, by=page.person)
            return shown(page, "backoffice/settings_import_hired.html", {"hired": hired})
        act = page.act(form.act_id, do="import tables", content=content)
        outcome = imports.tables(act, sheet, reason=form.cleaned_data["reason"])
    except (Refused, Conflict, CommandReused, ValidationError) as refused:
        sentence = refused.messages[0] if isinstance(refused, ValidationError) else str(refused)
        return looked_at(page, what, ListForm(), sheet, sentence)
    count = len(sheet.rows)
    sentence = ngettext("%(count)s table is there.", "%(count)s tables are there.", count)
    if outcome.became != Became.DONE:
        return page.done(said(outcome.became), "settings-tables")
    return page.done(sentence % {"count": count}, "settings-tables")


@office("configure", section=SECTION)
def template(page: Page, what: str) -> HttpResponse:
    """The file to fill in."""
    del page
    asked = sheets.LISTS.get(what)
    if asked is None:
        raise Http404("There is no such list.")
    # With the mark by which spreadsheets know UTF-8.
    return HttpResponse(
        f"\ufeff{asked.template}",
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{what}.csv"'},
    )
