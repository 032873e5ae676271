"""Pages of players' money: cash of a gaming day (P2), unclaimed money (P3), tips (P4)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import cash
from casino.floor.players.listings import CASH_DAYS, CASH_MOVES, TIPS, names_of
from casino.floor.players.models import CashDay
from casino.floor.players.pages import ROWS, SECTION
from casino.house.attendants.models import Attendant
from casino.house.establishments.order import in_order
from casino.house.pseudonyms.models import Player
from casino.kit.approvals.asked import ask_second_person
from casino.kit.approvals.queries import names as people_named
from casino.kit.web.forms import REASON_MAX, ActForm, ReasonForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome, office, only_those
from casino.kit.web.table_choice import TableField
from casino.money.accounts import queries as accounts
from casino.money.cash import prizes, tips
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment, Table
    from casino.kit.web.pages import Page


class LateForm(ActForm):
    """Asks for a stake to be paid at the cage after its player left."""

    amount = CoinsField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


class TipForm(ActForm):
    table = TableField(label=gettext_lazy("Table"))
    attendant: forms.ModelChoiceField[Attendant] = forms.ModelChoiceField(
        queryset=None, label=gettext_lazy("For")
    )
    amount = CoinsField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)

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
    """Cash by player and gaming day, greatest sums first; flagged above the threshold (P2)."""
    only_those(page)
    return page_with_list(
        page, CASH_DAYS, "players/cash_log.html", {"threshold": page.house.cash_threshold}
    )


@office("look", section=SECTION)
def cash_of(page: Page, token: str, day: str) -> HttpResponse:
    """A player's transactions of a gaming day, one by one (P2)."""
    only_those(page)
    try:
        on = date.fromisoformat(day)
    except ValueError:
        raise Http404("There is no such day.") from None
    known = get_object_or_404(Player, establishment=page.house, token=token)
    rows = cash.moves(page.house, on=on, player=token)
    context = {
        "player": known,
        "day": on,
        "table": of_rows(page, CASH_MOVES, rows, without=("name",)),
        "sums": CashDay.objects.filter(
            establishment=page.house, gaming_day=on, player=token
        ).first(),
    }
    return page.show("players/cash_of.html", context)


@office("look", section=SECTION)
def unclaimed_money(page: Page) -> HttpResponse:
    """Unclaimed money: prizes not handed out, stakes left behind, each with its age (P3)."""
    only_those(page)
    left = cash.stakes_left_behind(page.house)
    owed = list(cash.prizes_owed(page.house)[:ROWS])
    adjusted = cash.money_from_adjustments(page.house)
    tokens = [row.player for row in (*left, *(row for row, _rest in adjusted))]
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
            for row, rest in adjusted
        ],
        "total": sum(row.amount for row in left)
        + sum(row.amount for row in owed)
        + sum(rest for _row, rest in adjusted),
        "records": page.may("record"),
    }
    return page.show("players/unclaimed.html", context)


@office("record", section=SECTION)
def late(page: Page, game: UUID, token: str) -> HttpResponse:
    """Ask for a stake that was left behind to be paid at the cage."""
    form = LateForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say how many coins, and why. P3"), "unclaimed")
    given = form.cleaned_data
    return page.put(
        lambda: prizes.ask_late(
            page.act(form.act_id),
            game=game, player=token, amount=given["amount"], reason=given["reason"],
        ),
        lambda _receipt: ask_second_person(
            page,
            _("Asked for. Another person approves it under Approvals; the cage pays then."),
            form.act_id,
        ),
        "unclaimed",
    )  # fmt: skip


@office("record", section=SECTION)
def prize(page: Page, position: int) -> HttpResponse:
    """Hand out a prize; for a large one, ask another person to approve it (A7)."""
    if not page.posted:
        raise Http404("A prize is handed out from the list.")
    form = (ReasonForm if "reason" in page.request.POST else ActForm)(page.request.POST)
    if not form.is_valid():
        return page.refused(_("Give a reason. A7"), "unclaimed")
    if isinstance(form, ReasonForm):
        reason = form.cleaned_data["reason"]
        return page.put(
            lambda: prizes.ask_prize(page.act(form.act_id), position=position, reason=reason),
            lambda _receipt: ask_second_person(
                page, _("Asked for. Another person approves it under Approvals."), form.act_id
            ),
            "unclaimed",
        )
    return page.put(
        lambda: prizes.hand_out(page.act(form.act_id), position=position),
        Outcome(
            _("Handed out."),
            _("Event %(number)s") % {"number": position},
            reverse("ledger-event", args=[position]),
        )
        if page.may("audit")
        else _("Handed out."),
        "unclaimed",
    )


@office("look", section=SECTION, post="record")
def tips_page(page: Page) -> HttpResponse:
    """The page of tips: recording one, tips that are held, the list of all (P4)."""
    form = TipForm(page.house, page.sent)
    if form.is_valid():
        given = form.cleaned_data
        return page.put(
            lambda: tips.take(
                page.act(form.act_id), table=given["table"],
                attendant=given["attendant"].pk, amount=given["amount"],
            ),
            _of_tips(
                _("Recorded. It is held until somebody else hands it over."),
                str(given["attendant"]), given["table"],
            ),
            "tips",
        )  # fmt: skip

    def context() -> dict[str, Any]:
        return {
            "form": form if page.may("record") and page.house.tips_allowed else None,
            "waiting": _tips_held(page),
            "records": page.may("record"),
        }

    return page_with_list(page, TIPS, "players/tips.html", context)


def _tips_held(page: Page) -> list[dict[str, Any]]:
    """The tips that are held, by table, each with the form to hand it over."""
    tables = {table.pk: table for table in page.house.tables.all()}
    held = tips.waiting(page.house)
    people = people_named({str(person) for _table, person, _amount in held})
    return [
        {
            "table": tables[table],
            "attendant": person,
            "name": people[str(person)],
            "amount": amount,
            "mine": person == page.person.pk,
            "form": ActForm(auto_id=False),
        }
        for table, person, amount in sorted(
            held, key=lambda tip: (in_order(tables[tip[0]].name), people[str(tip[1])])
        )
    ]


@office("record", section=SECTION)
def pay_tips(page: Page, table: UUID, attendant: UUID) -> HttpResponse:
    """Hand an attendant their tips of a table."""
    form = ActForm(page.sent)
    here = get_object_or_404(page.house.tables, pk=table)
    if not form.is_valid():
        raise Http404("Tips are handed over from the list.")
    return page.put(
        lambda: tips.pay_out(page.act(form.act_id), table=here, attendant=attendant),
        _of_tips(_("Handed over."), people_named({str(attendant)})[str(attendant)], here),
        "tips",
    )


def _of_tips(sentence: str, who: str, table: Table) -> Outcome:
    """What was done with an attendant's tips, with a link to those of the table."""
    url = f"{reverse('tips')}?table={table.pk}"
    return Outcome(sentence, _("%(who)s, %(table)s") % {"who": who, "table": table.name}, url)
