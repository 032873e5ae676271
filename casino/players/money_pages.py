"""Players' money: cash of a gaming day (P2), what nobody has come for (P3), tips (P4)."""

from __future__ import annotations

import csv
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.accounts import queries as accounts
from casino.approvals.queries import names as people_named
from casino.attendants.models import Attendant
from casino.cash import prizes, tips
from casino.cash.account_models import Tip
from casino.establishments.order import in_order
from casino.languages.fields import DayField, WholeField
from casino.platform.spreadsheets import plain
from casino.players import cash
from casino.players.models import CashDay, CashMove
from casino.players.pages import ROWS, SECTION, names_of
from casino.pseudonyms.models import Player
from casino.web.forms import REASON_MAX, ActForm, ReasonForm
from casino.web.pages import office, only_those
from casino.web.table_choice import TableField
from games.payments import COINS_MAX
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from casino.establishments.models import Establishment
    from casino.web.pages import Page

COLUMNS: Final = (
    "gaming_day", "recorded_at", "position", "player", "name", "cash_in", "cash_out", "reason",
    "where", "game", "attendant", "flagged",
)  # fmt: skip


class DayForm(forms.Form):
    day = DayField(
        required=False,
        label=gettext_lazy("Gaming day"),
    )


class LateForm(ActForm):
    """A stake that is paid at the cage after its player went."""

    amount = WholeField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


class TipForm(ActForm):
    table = TableField(label=gettext_lazy("Table"))
    attendant: forms.ModelChoiceField[Attendant] = forms.ModelChoiceField(
        queryset=None, label=gettext_lazy("For")
    )
    amount = WholeField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)

    def __init__(self, house: Establishment, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        staff = Attendant.objects.filter(
            employments__establishment=house, employments__until__isnull=True
        )
        self._offer("table", house.tables.filter(in_use=True))
        self._offer("attendant", staff.order_by("username"))

    def _offer(self, name: str, rows: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - declared above
        field.queryset = rows


@office("look", section=SECTION)
def cash_log(page: Page) -> HttpResponse:
    """Cash by player and gaming day; above the threshold flagged. As CSV, each transaction (P2)."""
    only_those(page)
    form = DayForm(page.request.GET)
    day = (form.cleaned_data["day"] if form.is_valid() else None) or page.day
    if page.request.GET.get("format") == "csv":
        return _log_as_csv(page.house, day)
    rows = cash.day(page.house, day)
    names = names_of(page.house, [row.player for row in rows])
    context = {
        "form": form if form.is_bound and form.data.get("day") else DayForm(initial={"day": day}),
        "day": day,
        "rows": [
            {
                "row": row,
                "name": names[row.player],
                "flagged": cash.is_flagged(page.house, row),
            }
            for row in rows
        ],
        "threshold": page.house.cash_threshold,
    }
    return page.show("players/cash_log.html", context)


@office("look", section=SECTION)
def cash_of(page: Page, token: str, day: str) -> HttpResponse:
    """A player's transactions of a gaming day, one by one (P2)."""
    only_those(page)
    try:
        on = date.fromisoformat(day)
    except ValueError:
        raise Http404("There is no such day.") from None
    known = get_object_or_404(Player, establishment=page.house, token=token)
    found = list(cash.moves(page.house, on=on, player=token))
    context = {
        "player": known,
        "day": on,
        "moves": _moves(page.house, found),
        "sums": CashDay.objects.filter(
            establishment=page.house, gaming_day=on, player=token
        ).first(),
    }
    return page.show("players/cash_of.html", context)


def _moves(house: Establishment, found: Sequence[CashMove]) -> list[dict[str, Any]]:
    people = people_named({each.by for each in found})
    places = accounts.titles(house, [AccountRef.parse(each.where) for each in found])
    return [
        {"move": each, "by": people[each.by], "where": places[AccountRef.parse(each.where)]}
        for each in found
    ]


def _log_as_csv(house: Establishment, day: date) -> HttpResponse:
    """Each transaction of the day, with the names there are, in the order of the ledger."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="cash-log-{day}.csv"'
    write_log(answer, house, day)
    return answer


def write_log(into: Any, house: Establishment, day: date) -> None:
    flagged = {row.player for row in cash.flagged(house, day)}
    found = list(cash.moves(house, on=day))
    names = names_of(house, [each.player for each in found])
    people = people_named({each.by for each in found})
    writer = csv.writer(into)
    writer.writerow(COLUMNS)
    for each in found:
        writer.writerow([
            each.gaming_day, each.at.isoformat(), each.position, each.player,
            plain(names[each.player]), each.cash_in, each.cash_out, each.reason, each.where,
            each.game or "", plain(people[each.by]), "yes" if each.player in flagged else "no",
        ])  # fmt: skip


@office("look", section=SECTION)
def unclaimed(page: Page) -> HttpResponse:
    """Prizes that nobody has handed out, and stakes whose player went: with their age (P3)."""
    only_those(page)
    left = cash.left_behind(page.house)
    owed = list(cash.prizes_owed(page.house)[:ROWS])
    beside = cash.owed_beside(page.house)
    tokens = [row.player for row in (*left, *(row for row, _rest in beside))]
    names = names_of(page.house, [*tokens, *(row.player for row in owed)])
    called = accounts.titles(page.house, [AccountRef(Kind.STAKE, row.name) for row in left])
    context = {
        "left": [
            {
                "row": row,
                "player": names[row.player],
                "title": called[AccountRef(Kind.STAKE, row.name)],
                "age": (page.day - row.gaming_day).days,
                "form": LateForm(auto_id=f"%s-{number}", initial={"amount": row.amount}),
            }
            for number, row in enumerate(left)
        ],
        "prizes": [
            {
                "row": row,
                "player": names[row.player],
                "age": (page.day - row.gaming_day).days,
                "large": row.amount > page.house.large_prize,
                "form": ReasonForm(auto_id=f"%s-{row.position}"),
                "now": ActForm(auto_id=False),
            }
            for row in owed
        ],
        "beside": [
            {
                "player": names[row.player],
                "amount": rest,
                "age": (page.day - row.gaming_day).days,
            }
            for row, rest in beside
        ],
        "total": sum(row.amount for row in left)
        + sum(row.amount for row in owed)
        + sum(rest for _row, rest in beside),
        "records": page.may("record"),
    }
    return page.show("players/unclaimed.html", context)


@office("record", section=SECTION)
def late(page: Page, game: UUID, token: str) -> HttpResponse:
    """Ask for a stake that was left behind to be paid at the cage."""
    form = LateForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say how many coins, and why. P3"), "unclaimed")
    asked = form.cleaned_data
    return page.put(
        lambda: prizes.ask_late(
            page.act(form.act_id),
            game=game, player=token, amount=asked["amount"], reason=asked["reason"],
        ),
        _("Asked for. Another person approves it under Approvals; the cage pays then."),
        "unclaimed",
    )  # fmt: skip


@office("record", section=SECTION)
def prize(page: Page, position: int) -> HttpResponse:
    """Hand a prize out; a large one is asked for, and another person approves (A7)."""
    if not page.posted:
        raise Http404("A prize is handed out from the list.")
    form = (ReasonForm if "reason" in page.request.POST else ActForm)(page.request.POST)
    if not form.is_valid():
        return page.refused(_("Give a reason. A7"), "unclaimed")
    if isinstance(form, ReasonForm):
        reason = form.cleaned_data["reason"]
        return page.put(
            lambda: prizes.ask_prize(page.act(form.act_id), position=position, reason=reason),
            _("Asked for. Another person approves it under Approvals."),
            "unclaimed",
        )
    return page.put(
        lambda: prizes.hand_out(page.act(form.act_id), position=position),
        _("Handed out."),
        "unclaimed",
    )


@office("look", section=SECTION, post="record")
def tips_page(page: Page) -> HttpResponse:
    """Tips, where the house allows them: recorded, held, handed over by somebody else (P4)."""
    form = TipForm(page.house, page.sent)
    if form.is_valid():
        asked = form.cleaned_data
        return page.put(
            lambda: tips.take(
                page.act(form.act_id), table=asked["table"],
                attendant=asked["attendant"].pk, amount=asked["amount"],
            ),
            _("Recorded. It is held until somebody else hands it over."),
            "tips",
        )  # fmt: skip
    tables = {table.pk: table for table in page.house.tables.all()}
    waiting = tips.waiting(page.house)
    rows = list(Tip.objects.filter(establishment=page.house)[:ROWS])
    people = people_named(
        {str(each) for _table, each, _held in waiting} | {str(each.attendant) for each in rows}
    )
    context = {
        "form": form if page.may("record") and page.house.tips_allowed else None,
        "waiting": [
            {
                "table": tables[table],
                "attendant": person,
                "name": people[str(person)],
                "amount": amount,
                "mine": person == page.person.pk,
                "form": ActForm(auto_id=False),
            }
            for table, person, amount in sorted(
                waiting, key=lambda tip: (in_order(tables[tip[0]].name), people[str(tip[1])])
            )
        ],
        "rows": [
            {"row": each, "name": people[str(each.attendant)], "table": tables[each.table]}
            for each in rows
        ],
        "records": page.may("record"),
    }
    return page.show("players/tips.html", context)


@office("record", section=SECTION)
def pay_tips(page: Page, table: UUID, attendant: UUID) -> HttpResponse:
    """Hand an attendant their tips of a table."""
    form = ActForm(page.sent)
    here = get_object_or_404(page.house.tables, pk=table)
    if not form.is_valid():
        raise Http404("Tips are handed over from the list.")
    return page.put(
        lambda: tips.pay_out(page.act(form.act_id), table=here, attendant=attendant),
        _("Handed over."),
        "tips",
    )
