"""The page of the chain's register, and its files."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _

from casino.chain import registers
from casino.chain.frame import chain_page
from casino.kit.documents import document, sending
from casino.kit.documents import page as rendering
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web import periods
from casino.words.languages.date_fields import DayField
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpResponse

    from casino.kit.documents.document import Document
    from casino.kit.web.pages import Page

FROM_TO: Final = ("from", "to")


class RegisterDaysForm(forms.Form):
    """The gaming days that the register is about."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {  # `from` is no name in Python
            "from": DayField(required=False, label=_("From gaming day")),
            "to": DayField(required=False, label=_("To gaming day")),
        }


@chain_page("audit", section="chain-register", from_replica=True)
def register(page: Page) -> HttpResponse:
    """What closed days came to at all houses, with files of exactly that."""
    days = RegisterDaysForm(page.request.GET)
    if plain := periods.plain_address(page, days.fields, FROM_TO):
        return plain
    given = {name: str(value) for name, value in page.request.GET.items()}
    form = given.pop("format", "")
    try:
        made = _make_document(page, given)
        if form:
            return _file(made, form)
    except (Malformed, Refused) as refused:
        context = {**_frame(page, None), "refused": translate(str(refused))}
        return page.show("chain/register.html", context, status=HTTPStatus.BAD_REQUEST)
    with document.in_turn():
        context = {
            **_frame(page, made),
            "header": made.header,
            "tables": list(rendering.tables(made)),
            "lines_max": rendering.LINES_ON_PAGE,
        }
    return page.show("chain/register.html", context)


def _make_document(page: Page, given: Mapping[str, str]) -> Document:
    asked = registers.query(page.house, given, page.now)
    return document.make_document(
        registers.DAYS, asked, asked_by=str(page.person), generated_at=page.now
    )


def _file(made: Document, form: str) -> HttpResponse:
    if form not in FORMATS:
        raise Malformed(f"format is one of {', '.join(FORMATS)}.", field="format")
    kind = FORMATS[form]
    with document.in_turn():
        file = sending.File(
            name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
        )
    return cast("HttpResponse", sending.send(file, as_attachment=True))


def _frame(page: Page, made: Document | None) -> dict[str, Any]:
    """The form of the days, and the address of the files of exactly these."""
    asked = {"from": made.query.since, "to": made.query.until} if made else {}
    days = RegisterDaysForm(initial=asked)
    return {
        "report": registers.DAYS,
        "days": days,
        "presets": periods.presets(page, days.fields, FROM_TO),
        "pinned": urlencode({name: str(day) for name, day in asked.items()}),
        "formats": list(FORMATS.values()) if made else (),
    }
