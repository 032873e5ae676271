"""The pages of a chain: its houses, houses compared, one house, people, and the register."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode

from django import forms
from django.db.models import Count, Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from casino.chain import listings, registers, summaries
from casino.chain.frame import chain_page, in_house
from casino.chain.listings import FIGURES, HouseItem, of_chain
from casino.house.attendants import permissions
from casino.kit.documents import document, writers
from casino.kit.documents import page as rendering
from casino.kit.documents.writers import FORMATS, filename, write
from casino.kit.web import periods
from casino.kit.web.forms import offer
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.plots import groups
from casino.kit.web.plots.charts import Cell, Table, chart
from casino.words.languages import amounts, locales
from casino.words.languages.fields import DayField
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.utils.safestring import SafeString

    from casino.chain.models import HouseSummary
    from casino.kit.documents.document import Document
    from casino.kit.web.pages import Page
    from casino.words.languages.amounts import Coins

COMPARED: Final = 30  # houses in one chart
SUMMED: Final = ("staked", "fees", "pots", "owed")


@chain_page("audit", section="chain-houses", from_replica=True)
def houses(page: Page) -> HttpResponse:
    """All houses at a glance. The number of queries does not depend on how many there are."""
    return page_with_list(page, listings.HOUSES, "chain/houses.html", lambda: _at_a_glance(page))


def _at_a_glance(page: Page) -> dict[str, Any]:
    rows = of_chain(page.house.pk)
    return {"counts": _counts(rows, page.now), "sums": sums(rows)}


def _counts(rows: QuerySet[HouseSummary], now: datetime) -> Mapping[str, int]:
    """How many houses there are, are open, are late, and need somebody; one query."""
    begun = Q(summed_at__isnull=False, closing=False, opens_at__lte=now)
    each = {
        "houses": Q(),
        "open": begun & Q(late_from__gt=now),
        "late": begun & Q(late_from__lte=now),
        "approvals": Q(approvals__gt=0),
        "alarms": Q(alarms__gt=0),
        "stopped": Q(stopped=True) | Q(unsound=True) | Q(parked__gt=0),
        "old": summaries.overdue(now),
    }
    counted: Mapping[str, int] = rows.order_by().aggregate(
        **{name: Count("pk", filter=found or None) for name, found in each.items()}
    )
    return counted


def sums(rows: QuerySet[HouseSummary]) -> list[dict[str, Any]]:
    """A line for each currency: its coins added up, as a house of that currency writes them."""
    lines = []
    for each in summaries.per_currency(rows):
        key: Any = tuple(each[name] for name in summaries.CURRENCY)
        coins = coins_in(*key)
        written = {name: coins.written(int(each[f"sum_{name}"])) for name in SUMMED}
        lines.append({"label": listings.label_of(*key), "houses": each["houses"], **written})
    return lines


def coins_in(code: str, symbol: str, digits: int) -> Coins:
    """How amounts of a currency are written, with the marks of the page's locale."""
    with locales.use_within(locales.current(), symbol, digits, code=code):
        return amounts.coins()


# --- Houses compared ------------------------------------------------------------------------------


class CompareForm(forms.Form):
    figure = forms.ChoiceField(
        label=gettext_lazy("Figure"),
        choices=[(name, title) for name, (title, _money) in FIGURES.items()],
        required=False,
    )
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), required=False)


@chain_page("audit", section="chain-compare", from_replica=True)
def compare(page: Page) -> HttpResponse:
    """Houses by one figure, as bars. Money is compared within one currency, never across."""
    known = listings.currencies(page.house)
    figure = page.request.GET.get("figure", "")
    figure = figure if figure in FIGURES else next(iter(FIGURES))
    title, money = FIGURES[figure]
    keys = [key for key, _label in known]
    asked = page.request.GET.get("currency", "")
    currency = asked if asked in keys else (keys[0] if money and keys else "")
    form = CompareForm(initial={"figure": figure, "currency": currency})
    offer(form, "currency", known if money else [("", pgettext("feminine", "all")), *known])
    rows = of_chain(page.house.pk)
    if currency:
        rows = listings.in_currency(rows, currency)
    shown = listings.greatest(rows, figure, COMPARED + 1)
    some = any(getattr(row, figure) for row in shown)
    return page.show(
        "chain/compare.html",
        {
            "form": form,
            "title": title,
            "figure": figure,
            "chart": _chart(str(title), figure, shown[:COMPARED], money=money) if some else None,
            "more": len(shown) > COMPARED,
            "most": COMPARED,
        },
    )


def _chart(title: str, figure: str, rows: Sequence[HouseSummary], *, money: bool) -> SafeString:
    names = tuple(row.establishment.name for row in rows)
    values = [int(getattr(row, figure)) for row in rows]
    told = tuple(
        listings.coins_of(row.establishment).written(value) if money else locales.number(value)
        for row, value in zip(rows, values, strict=True)
    )
    series = groups.Series(title=title, values=tuple(map(float, values)), figures=told)
    plot = groups.bars(groups.Data(title=title, by=_("House"), names=names, series=(series,)))
    table = Table(
        heads=(Cell(_("House"), numeric=False), Cell(title)),
        rows=tuple(
            (Cell(name, numeric=False, href=reverse("chain:house", args=[row.pk])), Cell(text))
            for row, name, text in zip(rows, names, told, strict=True)
        ),
    )
    return chart(plot, table, name=figure)


# --- One house ------------------------------------------------------------------------------------


@chain_page("audit", section="chain-houses", from_replica=True)
def house(page: Page, house: UUID) -> HttpResponse:
    """
    One house, as far as its chain may see: figures. Its players, its people's acts, its events and
    its reasons are for those whom it employs.
    """
    row = of_chain(page.house.pk).filter(establishment=house).first()
    if row is None:
        raise Http404("There is no such house in your chain.")
    there = in_house(page, row.establishment)
    [item] = listings.items(None, [row])  # type: ignore[arg-type]  # it reads rows alone
    context = {
        "item": item,
        "day": _day(item),
        "current": _current(item),
        "events": locales.number(row.position + 1),
        "manages": page.may("configure"),
        "employed": row.pk in permissions.roles(page.person),
    }
    return page_with_list(there, listings.DAYS, "chain/house.html", context)


def _day(item: HouseItem) -> list[tuple[Any, str, bool]]:
    row = item.row
    return [
        (_("Turnover"), item.money("staked"), True),
        (_("Paid"), item.money("paid"), True),
        (_("Fees"), item.money("fees"), True),
        (_("Bought in"), item.money("bought_in"), True),
        (_("Games"), locales.number(row.games), False),
        (_("Rounds"), locales.number(row.rounds), False),
        (_("Throws"), locales.number(row.throws), False),
    ]


def _current(item: HouseItem) -> list[tuple[Any, str, bool]]:
    row = item.row
    return [
        (_("Pots"), item.money("pots"), True),
        (_("Owed"), item.money("owed"), True),
        (_("Games running"), locales.number(row.running), False),
        (_("Approvals"), locales.number(row.approvals), False),
        (_("Alarms"), locales.number(row.alarms), False),
        (_("Payouts held"), locales.number(row.held), False),
        (_("Disputes"), locales.number(row.disputes), False),
    ]


# --- People ---------------------------------------------------------------------------------------


@chain_page("audit", section="chain-people")
def people(page: Page) -> HttpResponse:
    """Who has or had a role in the chain."""
    return page_with_list(
        page, listings.PEOPLE, "chain/people.html", {"manages": page.may("configure")}
    )


@chain_page("audit", section="chain-people")
def sign_ins(page: Page) -> HttpResponse:
    """When the people of the chain signed in."""
    return page_with_list(page, listings.SIGN_INS, "chain/sign_ins.html")


# --- The register, and its files ------------------------------------------------------------------


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
            return _file_of_register(made, form)
    except (Malformed, Refused) as refused:
        context = {**_frame_of_register(page, None), "refused": translate(str(refused))}
        return page.show("chain/register.html", context, status=HTTPStatus.BAD_REQUEST)
    with document.in_turn():
        context = {
            **_frame_of_register(page, made),
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


def _file_of_register(made: Document, form: str) -> HttpResponse:
    if form not in FORMATS:
        raise Malformed(f"format is one of {', '.join(FORMATS)}.", field="format")
    kind = FORMATS[form]
    with document.in_turn():
        file = writers.File(
            name=filename(made, kind), media_type=kind.media_type, content=write(made, kind)
        )
    return cast("HttpResponse", writers.send_file(file, as_attachment=True))


def _frame_of_register(page: Page, made: Document | None) -> dict[str, Any]:
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
