"""Pages of the house's accounts: the chart of all accounts, and the statement of each (A3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.permissions import NotYours
from casino.kit.approvals.kinds import ask_second_person
from casino.kit.approvals.queries import names as people_named
from casino.kit.documents.writers.cells import decimal
from casino.kit.web import periods
from casino.kit.web.addresses import page_there
from casino.kit.web.forms import REASON_MAX, ActForm
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.money.cash import balance_snapshots, bank, fees
from casino.money.cash.accounts import queries as accounts
from casino.money.cash.accounts import statements
from casino.money.cash.accounts.queries import accounts_of
from casino.money.cash.accounts.statements import At
from casino.money.cash.listings.slips import CAGE
from casino.play.settlement.models import Payout
from casino.words.languages.fields import CoinsField, DayField, WholeField
from casino.words.languages.spreadsheets import Writer
from games.payments import COINS_MAX
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.money.cash.accounts.statements import Line

SECTION: Final = "accounts"
NAME: Final = re.compile(r"[ -~]{1,200}")
COLUMNS: Final = (
    "position", "seq", "recorded_at", "gaming_day", "reason", "why", "event", "stream", "actor",
    "other_account", "debit", "credit", "balance", "transfer_id", "reverses",
)  # fmt: skip
AMOUNTS: Final = ("debit", "credit", "balance")
"""The columns that are followed by themselves with decimals, if the house's coin has any."""


class WhenForm(forms.Form):
    """The position of the ledger as of which the chart is shown."""

    at = WholeField(required=False, min_value=0, label=gettext_lazy("As of ledger position"))


class CursorForm(forms.Form):
    """Which page of a statement the address asks for."""

    older = forms.RegexField(r"^\d{1,15}\.\d{1,9}$", required=False)
    newer = forms.RegexField(r"^\d{1,15}\.\d{1,9}$", required=False)
    at = WholeField(
        required=False, min_value=0, max_value=2**53, label=gettext_lazy("Ledger position")
    )
    day = DayField(
        required=False,
        label=gettext_lazy("From gaming day"),
    )


@office("audit", section=SECTION, from_replica=True)
def chart(page: Page) -> HttpResponse:
    """The chart of accounts, now or as of a position, and whether cash covers what is owed."""
    form = WhenForm(page.request.GET)
    at = form.cleaned_data["at"] if form.is_valid() else None
    context = {
        "form": form,
        "chart": accounts.chart(page.house, page.role, at),
        "boxes": [table for table, _coins in fees.boxes_to_count(page.house)],
    }
    return page.show("money/accounts/index.html", context)


@office("audit", section=SECTION, from_replica=True)
def of_kind(page: Page, kind: str) -> HttpResponse:
    """The accounts of a kind that are not empty."""
    listing = accounts_of(_kind(kind))
    return page_with_list(page, listing, "money/accounts/kind.html", {"title": listing.title})


@office("audit", section=SECTION)
def one(page: Page, kind: str, name: str) -> HttpResponse:
    """The statement of an account, newest line first; as CSV the whole account, oldest first."""
    account = _account(kind, name)
    if account in accounts.hidden(page.house, page.role):
        raise NotYours(_("This is being counted: its book is shown when the count is over. B1"))
    if page.request.GET.get("format") == "csv":
        return _as_csv(page.house, account)
    if plain := periods.plain_address(page, CursorForm.base_fields):
        return plain
    form = CursorForm(page.request.GET)
    cursor = form.cleaned_data if form.is_valid() else {}
    statement = _statement(page.house, account, cursor)
    context = {
        "form": form,
        "account": account,
        "title": accounts.titles(page.house, [account])[account],
        "balance": balance_snapshots.through(page.house.pk, account, NOW).of(account.kind),
        "lines": rows(page.house, statement.lines),
        "older": statement.older,
        "newer": statement.newer,
        "group": accounts.KINDS[account.kind],
    }
    return page.show("money/accounts/account.html", context)


NOW: Final = 2**53  # greater than every position


def _statement(
    house: Establishment, account: AccountRef, cursor: Mapping[str, Any]
) -> statements.Statement:
    """The page of a statement that the address asks for; the newest by default."""
    if cursor.get("newer"):
        return statements.page(house.pk, account, newer_than=At.parse(cursor["newer"]))
    if cursor.get("older"):
        return statements.page(house.pk, account, older_than=At.parse(cursor["older"]))
    if cursor.get("at") is not None:
        through = statements.through_position(cursor["at"])
        return statements.page(house.pk, account, older_than=through)
    if cursor.get("day"):
        before = statements.before_day(house.pk, cursor["day"])
        if before is not None:
            return statements.page(house.pk, account, newer_than=before)
    return statements.page(house.pk, account)


def _kind(kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise Http404("There is no such kind of account.") from None


def _account(kind: str, name: str) -> AccountRef:
    if NAME.fullmatch(name) is None:
        raise Http404("There is no such account.")
    return AccountRef(_kind(kind), name)


def rows(house: Establishment, lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Lines for the template: with names, sentences, and the address of the event's page."""
    called = accounts.titles(house, [line.other for line in lines])
    people = people_named({line.actor for line in lines})
    rounds = _rounds(house, lines)
    return [
        {
            "line": line,
            "other": called[line.other],
            "why": statements.sentence(line.reason, reverses=line.reverses is not None),
            "rules": statements.rules(line.reason),
            "by": people[line.actor],
            "url": _page_of(line, rounds),
        }
        for line in lines
    ]


def _rounds(house: Establishment, lines: Iterable[Line]) -> dict[int, tuple[UUID, int]]:
    """The game and the round of lines that settlement booked, by position."""
    positions = [line.at.position for line in lines if line.stream.startswith("settlement/")]
    found = Payout.objects.filter(establishment=house, position__in=positions)
    return {
        position: (game, number)
        for position, game, number in found.values_list("position", "game", "round")
    }


PAGES: Final = {
    "cage": ("cage", None),
    "fees": ("fee-boxes", None),
    "slips": ("cash-slips", None),
    "tips": ("tips", None),
    "prize": ("unclaimed", None),
    "custody": ("cash-table", "table"),
    "game": ("floor-log", "game"),
    "settlement": ("floor-log", "game"),
}
"""First part of a stream's name -> the page that shows its events, and the page's argument."""


def _page_of(line: Line, rounds: Mapping[int, tuple[UUID, int]]) -> str:
    """The address of the page of the event that booked a line; "" if there is none."""
    if line.at.position in rounds:
        game, number = rounds[line.at.position]
        return reverse("floor-round", args=[game, number])
    kind, _slash, thing = line.stream.partition("/")
    if kind not in PAGES:
        return ""
    name, takes = PAGES[kind]
    return page_there(name, **({takes: thing} if takes else {}))


def _as_csv(house: Establishment, account: AccountRef) -> HttpResponse:
    """An account as a CSV file, streamed while it is read: it may have a million lines."""
    answer = StreamingHttpResponse(as_csv(house, account), content_type="text/csv; charset=utf-8")
    file = f"{account.kind}-{account.name}".replace("/", "-")
    answer["Content-Disposition"] = f'attachment; filename="{file}.csv"'
    return cast(
        "HttpResponse", answer
    )  # pages of the office return `HttpResponse`; a streamed response will do


class Echo:
    """A file object whose `write` returns what is written, for `csv.writer`."""

    @staticmethod
    def write(row: str) -> str:
        return row


def as_csv(house: Establishment, account: AccountRef) -> Iterator[str]:
    """The rows of the CSV file of an account, oldest line first; with ids instead of names."""
    writer, digits = Writer(Echo()), house.coin_digits
    sign = house.currency_symbol or house.currency
    yield writer.writerow([
        head
        for name in COLUMNS
        for head in ([name, f"{name} ({sign})"] if digits and name in AMOUNTS else [name])
    ])  # fmt: skip
    for line in statements.every_line(house.pk, account):
        amounts = [
            cell
            for coins in (line.debit, line.credit, line.balance)
            for cell in ([coins, decimal(coins, digits)] if digits else [coins])
        ]
        yield writer.writerow([
            line.at.position, line.at.seq, line.recorded_at.isoformat(), line.gaming_day,
            line.reason, statements.sentence(line.reason, reverses=line.reverses is not None),
            line.event_type, line.stream, line.actor, line.other, *amounts,
            line.transfer_id, line.reverses or "",
        ])  # fmt: skip


# The page of cash moved between the cage and the house's bank, by number (C1).


class CageForm(ActForm):
    """Asks for cash to move between cage and bank; another person approves it."""

    way = forms.ChoiceField(
        label=gettext_lazy("What happens"),
        choices=[
            ("capital", gettext_lazy("Capital is brought into the cage")),
            ("to_bank", gettext_lazy("Cash is taken to the bank")),
        ],
        widget=forms.RadioSelect,
    )
    amount = CoinsField(label=gettext_lazy("Amount"), min_value=1, max_value=COINS_MAX)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


@office("audit", section=SECTION, post="record")
def cage(page: Page) -> HttpResponse:
    """The list of cash moved between cage and bank, and the form to ask for a movement (C1)."""
    form = CageForm(page.sent)
    done = page.take(
        form,
        lambda: bank.ask(
            page.act(form.act_id),
            way=form.cleaned_data["way"],
            amount=form.cleaned_data["amount"],
            reason=form.cleaned_data["reason"],
        ),
        lambda _receipt: ask_second_person(
            page, _("Asked for. Another person approves it under Approvals."), form.act_id
        ),
        "cage",
    )
    if done is not None:
        return done
    context = {
        "form": form if page.may("record") else None,
        "balance": balance_snapshots.through(page.house.pk, bank.CAGE, NOW).of(Kind.CAGE),
    }
    return page_with_list(page, CAGE, "money/accounts/cage.html", context)
