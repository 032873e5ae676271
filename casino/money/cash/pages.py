"""Pages of the tables' cash: shifts, counts, handovers, slips, inventories (B1, B2, B3)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_args

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import custody
from casino.house.acts.custody import PIECES_MOST, Denomination, Purpose
from casino.house.establishments.table_names import in_list_order
from casino.kit.approvals.kinds import ask_second_person
from casino.kit.web.api import params
from casino.kit.web.forms import REASON_MAX, ActForm
from casino.kit.web.listings.pages import of_rows, page_with_list, viewer
from casino.kit.web.pages import Outcome, office
from casino.money.cash import counting, fees, queries, slips
from casino.money.cash.listings.fee_boxes import (
    FEE_BOXES,
    FEE_DAYS,
    FEES_ANNOUNCED,
    boxes_to_count,
    fees_announced,
)
from casino.money.cash.listings.floats import COUNTS, INVENTORY, SHIFTS, TABLES
from casino.money.cash.listings.slips import REQUESTED_SLIPS, SLIPS, slip_items
from casino.play.core.queries import table_card
from casino.words.languages.amounts import money
from casino.words.languages.fields import WholeField
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.forms.boundfield import BoundField
    from django.http import HttpResponse

    from casino.house.acts.custody import Sheet, Slip
    from casino.house.establishments.models import Establishment, Table
    from casino.kit.web.pages import Page
    from casino.money.cash.models import CountRow

SECTION = "cash"
RECENT = 8  # rows of each list on the page of a table
PURPOSES: dict[str, Any] = {
    "open": gettext_lazy("Open a shift"),
    "change": gettext_lazy("Change of shift"),
    "close": gettext_lazy("Close for the day"),
    "check": gettext_lazy("Check the float"),
}
ENTERED: dict[str, Any] = {
    "open": gettext_lazy("Both counts agree: the table is open, and %(holder)s has it."),
    "change": gettext_lazy("Both counts agree. Now both attendants sign."),
    "close": gettext_lazy("Both counts agree: the table is closed, its float is in the cage."),
    "check": gettext_lazy("Both counts agree."),
}


@office("look", section=SECTION)
def overview(page: Page) -> HttpResponse:
    """The overview of cash: who has each table, what it opened with, what waits there."""
    in_use = in_list_order(page.house.tables.filter(in_use=True))
    tables = queries.tables_cash(page.house, in_use, page.role)
    requested = queries.slips_to_approve(page.house)
    context = {
        "cage": queries.cage_held(page.house) if page.may("approve") or page.may("audit") else None,
        "begins": page.house.counts_floats
        and page.may("approve")
        and not queries.cage_held(page.house)
        and not any(each.custody.shift for each in tables),
        "open_shifts": sum(each.custody.shift is not None for each in tables),
        "on_the_way": sum(len(each.on_the_way) for each in tables),
        "slips_today": queries.slips(page.house).filter(gaming_day=page.day).count(),
        "requested": of_rows(page, REQUESTED_SLIPS, requested),
        "day": page.day,
    }
    return page_with_list(
        page, replace(TABLES, rows=lambda _viewer: tables), "money/cash/index.html", context
    )


@office("look", section=SECTION)
def table(page: Page, table: UUID) -> HttpResponse:
    """The page of one table's cash: its state, the next action, other actions, recent events."""
    here = _table(page, table)
    cash = queries.table_cash(page.house, here, page.role)
    played = counting.at_table(page.house, here)
    context = {
        "cash": cash,
        "table": here,
        "played": played,
        "game": table_card(here)["game"],
        "records": page.may("record"),
        "mine": cash.has_counted(page.person),
        "may_sign": _may_sign(page, cash),
        "may_take": _may_take(page, cash),
        "on_the_way": _to_sign_for(cash),
        "sign": SignForm(initial={"seen": played.version}),
        "purpose": PURPOSES.get(cash.custody.count.purpose, "") if cash.custody.count else "",
        "shifts": of_rows(page, SHIFTS, queries.shifts(page.house).filter(table=here)[:RECENT]),
        "counts": of_rows(page, COUNTS, queries.counts(page.house).filter(table=here)[:RECENT]),
        "slips": of_rows(page, SLIPS, queries.slips(page.house).filter(table=here)[:RECENT]),
    }
    return page.show("money/cash/table.html", context)


def _to_sign_for(cash: queries.TableCash) -> list[tuple[Slip, ActForm]]:
    """The slips on their way to the table, each with its own form to sign for it."""
    return [(each, ActForm(auto_id=False)) for each in cash.on_the_way]


def _may_sign(page: Page, cash: queries.TableCash) -> bool:
    """Whether this person may sign the table over: its holder, or somebody who may approve."""
    shift = cash.custody.shift
    return bool(shift) and (
        cash.holder_is(page.person) or (page.may("record") and page.may("approve"))
    )


def _may_take(page: Page, cash: queries.TableCash) -> bool:
    signed = cash.custody.signed
    me = str(page.person.pk)
    return bool(signed and page.may("record") and me != signed.by) and not cash.holder_is(
        page.person
    )


@office("record", section=SECTION)
def count(page: Page, table: UUID, purpose: str) -> HttpResponse:
    """The count sheet: one person's own count, entered under their own sign-in (B1)."""
    here = _table(page, table)
    if purpose not in get_args(Purpose):
        raise Http404("Nothing is counted for that.")
    form = SheetForm(page.house, page.sent)
    if form.is_valid():
        return _take_count(page, here, purpose, form)
    cash = queries.table_cash(page.house, here, page.role)
    context = {
        "form": form,
        "table": here,
        "cash": cash,
        "purpose": purpose,
        "title": PURPOSES[purpose],
        "second": cash.custody.count is not None and cash.custody.count.first is not None,
        "mine": cash.has_counted(page.person),
        "attempt": cash.custody.count.attempt if cash.custody.count else 1,
    }
    return page.show("money/cash/count.html", context)


def _take_count(page: Page, here: Table, purpose: str, form: SheetForm) -> HttpResponse:
    sent = cast("Purpose", purpose)
    return page.put(
        lambda: counting.count(page.act(form.act_id), table=here, purpose=sent, sheet=form.sheet),
        lambda _done: _outcome(page, here, purpose),
        "cash-table",
        table=here.pk,
    )


def _outcome(page: Page, here: Table, purpose: str) -> str:
    """The message after a count: it is the first of two, the two differ, or the two agree."""
    cash = queries.table_cash(page.house, here, page.role)
    running = cash.custody.count
    if running is None:
        return f"{_agreement(page, purpose, cash)} {_describe_count(cash.last)}".strip()
    if running.first is None:
        return _("The two counts differ. Both count again, each for themselves.")
    return _("Your count is in. It stays sealed until a second person has counted.")


def _agreement(page: Page, purpose: str, cash: queries.TableCash) -> str:
    """That both counts agree, and whose the table is then: of who began, who may be another."""
    if purpose == "open" and cash.holder_is(page.person):
        return _("Both counts agree: the table is open, and yours to play.")
    return str(ENTERED[purpose]) % {"holder": cash.holder}


def _describe_count(last: CountRow | None) -> str:
    """The sentence about an agreed count, and its difference from the ledger."""
    if last is None or last.over_short is None:
        return ""
    figures = {"counted": money(last.counted), "lacks": money(abs(last.over_short))}
    if last.over_short > 0:
        return _("Counted: %(counted)s, that is %(lacks)s over.") % figures
    if last.over_short < 0:
        return _("Counted: %(counted)s, that is %(lacks)s short.") % figures
    return _("Counted: %(counted)s, as the book has it.") % figures


@office("record", section=SECTION)
def call_off(page: Page, table: UUID) -> HttpResponse:
    """End a count or a handover without an agreement."""
    here = _table(page, table)
    form = CallOffForm(page.sent)
    if not form.is_valid():
        cash = queries.table_cash(page.house, here, page.role)
        return page.show("money/cash/call_off.html", {"form": form, "table": here, "cash": cash})
    act, reason = page.act(form.act_id), form.cleaned_data["reason"]
    return page.put(
        lambda: counting.call_off(act, table=here, reason=reason),
        _("Called off. What was entered stays sealed."),
        "cash-table",
        table=here.pk,
    )


@office("record", section=SECTION)
def sign(page: Page, table: UUID) -> HttpResponse:
    """The outgoing attendant's signature (B3)."""
    return _take_signature(
        page, table, counting.sign_over, _("Signed. Now whoever takes over signs.")
    )


@office("record", section=SECTION)
def take(page: Page, table: UUID) -> HttpResponse:
    """The incoming attendant's signature: the table is theirs (B3)."""
    return _take_signature(page, table, counting.take_over, _("The table is yours."))


def _take_signature(
    page: Page, table: UUID, put: Callable[..., object], message: str
) -> HttpResponse:
    here = _table(page, table)
    form = SignForm(page.sent)
    if not form.is_valid():
        raise Http404("A signature is sent from the table's page.")
    act, seen = page.act(form.act_id), form.cleaned_data["seen"]
    return page.put(lambda: put(act, table=here, seen=seen), message, "cash-table", table=here.pk)


@office("record", section=SECTION)
def ask_slip(page: Page, table: UUID, kind: str) -> HttpResponse:
    """Ask for a fill or a credit; somebody else approves it (B2)."""
    here = _table(page, table)
    if kind not in get_args(slips.SlipKind):
        raise Http404("There is no such slip.")
    form = SlipForm(page.house, page.sent)
    done = page.take(
        form,
        lambda: slips.ask(
            page.act(form.act_id),
            kind=cast("slips.SlipKind", kind),
            table=here,
            sheet=form.sheet,
            reason=form.cleaned_data["reason"],
        ),
        lambda _receipt: ask_second_person(
            page, _("Asked for. Somebody else approves it; then it gets its number."), form.act_id
        ),
        "cash-table",
        table=here.pk,
    )
    return done or page.show("money/cash/ask.html", {"form": form, "table": here, "kind": kind})


@office("record", section=SECTION)
def receive(page: Page, table: UUID, number: int) -> HttpResponse:
    """Sign at the table that a slip's coins are there, or have left (B2)."""
    here = _table(page, table)
    form = ActForm(page.sent)
    if not form.is_valid():
        raise Http404("A slip is signed for from the table's page.")
    return page.put(
        lambda: slips.receive(page.act(form.act_id), table=here, number=number),
        Outcome(
            _("Slip %(number)s is signed for.") % {"number": number},
            _("The slip"),
            reverse("cash-slip", args=[number]),
        ),
        "cash-table",
        table=here.pk,
    )


@office("look", section=SECTION)
def slip_list(page: Page) -> HttpResponse:
    """The slips: those that wait for an approval, then the issued ones, newest first (B2)."""

    def context() -> dict[str, Any]:
        return {"requested": of_rows(page, REQUESTED_SLIPS, queries.slips_to_approve(page.house))}

    return page_with_list(page, SLIPS, "money/cash/slips.html", context)


@office("look", section=SECTION)
def slip(page: Page, number: int) -> HttpResponse:
    """One slip for printing: on A4, or with ``?paper=80`` on a roll 80 mm wide."""
    row = get_object_or_404(queries.slips(page.house), number=number)
    [item] = slip_items(page.house, [row])
    [event] = journal.read(establishment=page.house.pk, after=row.position - 1, limit=1)
    context = {
        "leaf": event.leaf_hash.hex(),
        "slip": item,
        "lines": queries.lines(page.house, row.sheet),
        "now": page.now,
        "paper": "80" if page.request.GET.get("paper") == "80" else "a4",
    }
    return page.show("money/cash/slip.html", context)


@office("look", section=SECTION)
def inventory(page: Page) -> HttpResponse:
    """The inventories of tables by day; with ``?day=`` also the shifts and counts of that day."""

    def context() -> dict[str, Any]:
        day = params.day_in(page.request.GET.get("day", ""))
        if day is None:
            return {}
        shifts = queries.shifts(page.house).filter(opened_day=day).order_by("opened")
        counts = queries.counts(page.house).filter(gaming_day=day).order_by("position")
        return {
            "day": day,
            "shifts": of_rows(page, SHIFTS, shifts),
            "counts": of_rows(page, COUNTS, counts),
        }

    return page_with_list(page, INVENTORY, "money/cash/inventory.html", context)


def _table(page: Page, table: UUID) -> Table:
    found: Table = get_object_or_404(page.house.tables, pk=table)
    return found


# Pages of fee boxes: which are to be counted, counting one, fees taken and announced (A5).


@office("look", section="cash")
def fee_boxes(page: Page) -> HttpResponse:
    """The page of fee boxes: boxes to be counted, fees taken and found, announced fees (A5)."""

    def context() -> dict[str, Any]:
        looks = viewer(page, "page")
        return {
            "waiting": of_rows(page, FEE_BOXES, boxes_to_count(looks)),
            "announced": of_rows(page, FEES_ANNOUNCED, fees_announced(looks)),
        }

    return page_with_list(page, FEE_DAYS, "money/cash/fee_boxes.html", context)


@office("record", section="cash")
def count_fees(page: Page, table: UUID) -> HttpResponse:
    """The page on which one person enters their own count of a fee box (A5)."""
    here: Table = get_object_or_404(page.house.tables, pk=table)
    form = SheetForm(page.house, page.sent)
    if form.is_valid():
        return page.put(
            lambda: fees.count(page.act(form.act_id), table=here, sheet=form.sheet),
            lambda _done: Outcome(
                _fee_box_outcome(page, here), here.name, reverse("cash-table", args=[here.pk])
            ),
            "fee-boxes",
        )
    now = fees.running(page.house.pk, here.pk)
    context = {
        "form": form,
        "table": here,
        "second": now.first is not None,
        "mine": now.first is not None and now.first.provenance.actor == str(page.person.pk),
        "again": now.attempt > 1,
    }
    return page.show("money/cash/fee_count.html", context)


def _fee_box_outcome(page: Page, table: Table) -> str:
    now = fees.running(page.house.pk, table.pk)
    if now.first is not None:
        return _("Your count is sealed. Now a second person counts the same box.")
    if now.attempt > 1:
        return _("The two counts differ. Both are on record; both of you count again.")
    return _("Both counts agree: the box is in the cage, over/short is booked.")


# The forms of the cash pages: count sheets, slips, calling off, signatures.


class SheetForm(ActForm):
    """A count sheet: the number of pieces of each denomination; an empty field means none."""

    autocomplete = "off"  # a browser must not suggest what was counted before

    def __init__(self, house: Establishment, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.denominations = custody.denominations(house)
        for each in self.denominations:
            self.fields[field_of(each)] = WholeField(
                required=False, min_value=0, max_value=PIECES_MOST
            )

    @property
    def rows(self) -> Iterator[tuple[Denomination, BoundField]]:
        """Each denomination with its field, the greatest first."""
        return ((each, self[field_of(each)]) for each in self.denominations)

    @property
    def sheet(self) -> Sheet:
        """The sheet that was entered: value to pieces. Only after `is_valid`."""
        found = {str(each.value): self.cleaned_data[field_of(each)] for each in self.denominations}
        return {value: pieces for value, pieces in found.items() if pieces}


class SlipForm(SheetForm):
    """Asks for a slip: the pieces, and the reason."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.sheet:
            raise forms.ValidationError(gettext_lazy("Say how many of each coin the slip is for."))
        return cleaned


class CallOffForm(ActForm):
    """Calls off a count or a handover."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX, required=False)


class SignForm(ActForm):
    """A signature that acknowledges the state of play that the page showed."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


def field_of(each: Denomination) -> str:
    return f"pieces_{each.value}"
