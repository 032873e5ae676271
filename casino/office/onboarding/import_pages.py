"""The pages that import lists of tables and staff: a preview first, then all of it or nothing."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.house.attendants import permissions
from casino.house.attendants.models import Role
from casino.house.establishments.models import Table
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import REFUSALS, Page, office
from casino.office.onboarding import csv_lists
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms import Explained
from casino.settings.configuration.operations import Adding, Became, ChangeOutcome
from casino.settings.configuration.pages import SECTION, outcome_text, respond
from casino.settings.staff.operations import hire
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.office.onboarding.csv_lists import CsvList, Row

TITLES = {"tables": gettext_lazy("Tables"), "staff": gettext_lazy("Staff")}
SEPARATORS = {
    ",": gettext_lazy("commas"),
    ";": gettext_lazy("semicolons"),
    "\t": gettext_lazy("tabs"),
}


class ListForm(forms.Form):
    """Takes a list as a file or as pasted text."""

    file = forms.FileField(label=gettext_lazy("A CSV file"), required=False)
    content = forms.CharField(
        label=gettext_lazy("Or its lines, pasted"),
        required=False,
        strip=False,
        max_length=csv_lists.BYTES_MOST,
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
        """The bytes of the list; call it after `is_valid`."""
        file = self.cleaned_data.get("file")
        if file:
            return bytes(file.read(csv_lists.BYTES_MOST + 1))
        content: str = self.cleaned_data["content"]
        return content.encode()


class CarryOutForm(ActForm):
    """Carries out a list that was previewed; it has the text, which is read and checked again."""

    content = forms.CharField(strip=False, widget=forms.HiddenInput)


class CarryOutTablesForm(CarryOutForm, Explained):
    """Carries out a list of tables; it asks for a reason, for the change log."""


CARRY_OUT: dict[str, type[CarryOutForm]] = {"tables": CarryOutTablesForm, "staff": CarryOutForm}


@office("configure", section=SECTION)
def choose(page: Page) -> HttpResponse:
    lists = [
        {"name": name, "title": TITLES[name], "columns": ", ".join(kind.columns)}
        for name, kind in csv_lists.KINDS.items()
    ]
    return respond(page, "office/onboarding/import.html", {"lists": lists})


@office("configure", section=SECTION)
def import_list(page: Page, what: str) -> HttpResponse:
    """Preview a list, or carry it out."""
    kind = kind_of(what)
    if "carry_out" in page.request.POST:
        return carry_out(page, what)
    form = ListForm(page.sent, page.request.FILES if page.posted else None)
    listed = None
    if form.is_valid():
        listed = csv_lists.read(form.raw(), kind, page.house)
    return preview(page, what, form, listed)


def kind_of(what: str) -> csv_lists.Kind:
    """:raises Http404: if there is no such list."""
    if what not in csv_lists.KINDS:
        raise Http404("There is no such list.")
    return csv_lists.KINDS[what]


def preview(  # noqa: PLR0913, PLR0917 - the list, and both forms
    page: Page,
    what: str,
    form: forms.Form,
    listed: CsvList | None,
    sent: CarryOutForm | None = None,
    refused: str = "",
) -> HttpResponse:
    """
    The preview of a list, with the form that carries it out if the list has no errors.

    :param sent: the form that carries it out, if it was sent with errors.
    """
    kind = kind_of(what)
    wrong = {each.line for each in listed.wrong} if listed else set()
    rows = [
        {"line": row.line, "cells": [kind.cell(name, row.values[name]) for name in kind.columns],
         "wrong": row.line in wrong}
        for row in (listed.rows if listed else ())
    ]  # fmt: skip
    carry_out_form = None
    if listed is not None and not listed.wrong:
        carry_out_form = sent or CARRY_OUT[what](initial={"content": listed.text})
    context = {
        "form": form,
        "what": what,
        "title": TITLES[what],
        "columns": kind.columns,
        "listed": listed,
        "refused": refused,
        "separator": SEPARATORS[listed.separator] if listed else "",
        "rows": rows,
        "carry_out": carry_out_form,
    }
    return respond(page, "office/onboarding/import_list.html", context)


def carry_out(page: Page, what: str) -> HttpResponse:
    form = CARRY_OUT[what](page.request.POST)
    content = page.request.POST.get("content", "")
    listed = csv_lists.read(content.encode(), kind_of(what), page.house)
    if not form.is_valid():
        return preview(page, what, ListForm(), listed, form)
    try:
        if what == "staff":
            hired = staff(page.house, listed, by=page.person)
            return respond(page, "office/onboarding/import_hired.html", {"hired": hired})
        act = page.act(form.act_id, do="import tables", content=content)
        outcome = tables(act, listed, reason=form.cleaned_data["reason"])
    except (*REFUSALS, ValidationError) as refused:
        sentence = (
            refused.messages[0] if isinstance(refused, ValidationError) else page.why(refused)
        )
        # Errors in the list are shown beside it anyway.
        return preview(page, what, ListForm(), listed, refused="" if listed.wrong else sentence)
    if outcome.became != Became.DONE:
        return page.done(outcome_text(outcome.became), "settings-tables")
    count = len(listed.rows)
    sentence = ngettext("%(count)s table is there.", "%(count)s tables are there.", count)
    return page.done(sentence % {"count": count}, "settings-tables")


@office("configure", section=SECTION)
def template(page: Page, what: str) -> HttpResponse:
    """Download the CSV file to fill in."""
    del page
    # With a byte order mark, by which spreadsheets recognise UTF-8.
    return HttpResponse(
        f"\ufeff{kind_of(what).template}",
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{what}.csv"'},
    )


# Carrying out a list that was read: all of its lines, with their events, or none.


WORDS: Final = 3
SYLLABLES: Final = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "zo")


class ListIsWrong(Refused):
    code = "list_is_wrong"


@dataclass(frozen=True, slots=True)
class Hired:
    """A new person, with the first password, which is shown once."""

    username: str
    role: str
    password: str


def tables(act: acts.Act, listed: CsvList, *, reason: str = "") -> ChangeOutcome:
    """
    Add every table of a list, in one entry of the ledger.

    :raises ListIsWrong: if the list has an error.
    :raises NotYours, ReasonMissing, NoLongerFits, CommandReused: as `configuration.put`.
    """
    if (
        before := configuration.earlier_outcome(act)
    ) is not None:  # else its own names count as taken
        return before
    _whole(listed)
    new = [
        Table(
            id=configuration.new_id(act, row.line),
            establishment=act.house,
            name=row.values["name"],
            stake_min=csv_lists.amount(row.values["stake_min"]),
            stake_max=csv_lists.amount(row.values["stake_max"]),
        )
        for row in listed.rows
    ]
    return configuration.put(act, *map(Adding, new), reason=reason)


def staff(house: Establishment, listed: CsvList, *, by: Attendant) -> list[Hired]:
    """
    Hire everybody on a list, each with a first password; all of them or nobody.

    :raises ListIsWrong: if the list has an error.
    :raises NotYours: if the person may not configure the house.
    """
    permissions.require(by, "configure", house)
    _whole(listed)
    with transaction.atomic():
        return [_hire(house, row, by) for row in listed.rows]


def _hire(house: Establishment, row: Row, by: Attendant) -> Hired:
    """:raises ListIsWrong: if the user name was taken a moment ago, or is not valid after all."""
    values, password = row.values, first_password()
    role = csv_lists.role(values["role"]) or Role.ATTENDANT
    try:
        hire(
            establishment=house,
            username=values["username"],
            first_name=values["first"],
            last_name=values["last"],
            password=password,
            role=role,
            by=by,
        )
    except ValidationError as invalid:
        raise ListIsWrong(f"Line {row.line}: {' '.join(invalid.messages)}") from None
    except IntegrityError:
        raise ListIsWrong(
            f"Line {row.line}, username: somebody took this name a moment ago. Look at it again."
        ) from None
    return Hired(values["username"], str(role.label), password)


def first_password() -> str:
    """A random first password: three pronounceable words and a number, about 44 bits."""
    words = ("".join(secrets.choice(SYLLABLES) for _ in range(3)) for _ in range(WORDS))
    return "-".join((*words, f"{secrets.randbelow(900) + 100}"))


def _whole(listed: CsvList) -> None:
    if listed.wrong:
        raise ListIsWrong(str(listed.wrong[0]))
