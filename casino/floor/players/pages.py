"""Pages of players: the list, one player, exclusions (P1), erasing a name."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import cash, player_names
from casino.floor.players.listings import CASH_DAYS, CASH_MOVES, PLAYERS, TIPS, names_of
from casino.floor.players.models import CashDay
from casino.floor.players.player_names import choose, public_names
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.table_names import in_order
from casino.kit.approvals.kinds import ask_second_person
from casino.kit.approvals.queries import names as people_named
from casino.kit.web.forms import REASON_MAX, ActForm, ReasonForm, TableField
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome, office, only_those, sees_all
from casino.money.cash import prizes, tips
from casino.money.cash.accounts import queries as accounts
from casino.money.cash.models import Owed
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.listings import EXCLUSIONS, LIMITS, SEATS_REFUSED, AboutForm, LimitsForm
from casino.play.exclusions.models import Exclusion, PlayerLimit, SeatRefused
from casino.words.languages.fields import CoinsField, DayField
from games.payments import COINS_MAX
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment, Table
    from casino.kit.web.pages import Page

SECTION: Final = "players"
ROWS: Final = 50


class ExcludeForm(ActForm):
    """Excludes a player: who, from when, until when, and why."""

    name = forms.CharField(label=gettext_lazy("Name or id"), max_length=80)
    since = DayField(label=gettext_lazy("From gaming day"))
    until = DayField(
        label=gettext_lazy("Last gaming day"),
        required=False,
        help_text=gettext_lazy("Empty: until somebody readmits them."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


class ShownForm(ActForm):
    """How public screens name a player."""

    shown = forms.ChoiceField(
        label=gettext_lazy("Screens show the name"), choices=Player.Shown.choices
    )


@office("look", section=SECTION, from_replica=True)
def players(page: Page) -> HttpResponse:
    """The list of players by name; a player whose name is erased is found by id."""
    return page_with_list(page, PLAYERS, "floor/players/index.html", {"sees_all": sees_all(page)})


@office("look", section=SECTION, post="configure")
def player(page: Page, token: str) -> HttpResponse:
    """The page of one player: exclusions, cash by day, what is owed; managers erase names here."""
    only_those(page)
    known = get_object_or_404(Player, establishment=page.house, token=token)
    form = ReasonForm(page.sent)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        return page.put(
            lambda: player_names.erase_name(page.act(form.act_id), player=token, reason=reason),
            _("The name is erased, and every text in which it stood."),
            "player",
            token=token,
        )
    owed = list(Owed.objects.filter(establishment=page.house, player=token))
    called = accounts.titles(page.house, [AccountRef(Kind(each.kind), each.name) for each in owed])
    context = {
        "player": known,
        "exclusions": of_rows(
            page, EXCLUSIONS, Exclusion.objects.filter(establishment=page.house, player=token)
        ),
        "limits": of_rows(
            page,
            LIMITS,
            PlayerLimit.objects.filter(establishment=page.house, player=token),
            without=("name",),
        ),
        "limits_form": LimitsForm(initial=_limits_now(page, token), auto_id="limit_%s")
        if page.may("approve") and known.name is not None
        else None,
        "excluded": token in exclusions.exclusion_state_of(page.house.pk).on(page.day),
        "days": of_rows(
            page,
            CASH_DAYS,
            CashDay.objects.filter(establishment=page.house, player=token).order_by("-gaming_day")[
                :ROWS
            ],
            without=("name", "flagged"),
        ),
        "owed": [
            {"row": each, "title": called[AccountRef(Kind(each.kind), each.name)]} for each in owed
        ],
        "form": form if page.may("configure") and known.name is not None else None,
        "shown": ShownForm(initial={"shown": known.shown})
        if page.may("approve") and known.name is not None
        else None,
        "public": public_names(page.house, [token])[token],
        "audits": page.may("audit"),
    }
    return page.show("floor/players/player.html", context)


@office("approve", section=SECTION)
def on_screens(page: Page, token: str) -> HttpResponse:
    """Choose how public screens name a player."""
    form = ShownForm(page.request.POST)
    if not form.is_valid():
        return page.refused(str(next(iter(form.errors.values()))[0]), "player", token=token)
    return page.put(
        lambda: choose(page.act(form.act_id), player=token, shown=form.cleaned_data["shown"]),
        _("Public screens name them so from now on."),
        "player",
        token=token,
    )


@office("approve", section=SECTION)
def limits_of_player(page: Page, token: str) -> HttpResponse:
    """Limit what a player pays in, as they ask for it at the desk."""
    form = LimitsForm(page.request.POST)
    if not form.is_valid():
        return page.refused(str(next(iter(form.errors.values()))[0]), "player", token=token)
    wanted = {span: form.cleaned_data[span] for span in limits.SPANS}
    paid = partial(cash.payments_since, page.house, token)
    return page.put(
        lambda: limits.limit(page.act(form.act_id), player=token, wanted=wanted, paid=paid),
        _("The limits are set: what is lower holds at once, what is higher or empty a day later."),
        "player",
        token=token,
    )


def _limits_now(page: Page, token: str) -> dict[str, int | None]:
    known = exclusions.exclusion_state_of(page.house.pk).limits.get(token, {})
    return {span: each.at(page.now) for span, each in known.items()}


@office("look", section=SECTION, post="approve")
def exclusions_page(page: Page) -> HttpResponse:
    """The exclusions, the latest refused seats, and the forms about them (P1)."""
    if page.posted:
        return _exclusion_act(page)
    return _exclusions_page(page, ExcludeForm(initial={"since": page.day}))


def _exclusions_page(page: Page, form: ExcludeForm) -> HttpResponse:
    def context() -> dict[str, Any]:
        refused = SeatRefused.objects.filter(establishment=page.house)
        return {
            "form": form if page.may("approve") else None,
            "refused": of_rows(page, SEATS_REFUSED, refused[:ROWS]),
            "approves": page.may("approve"),
        }

    return page_with_list(page, EXCLUSIONS, "floor/players/exclusions.html", context)


@office("look", section=SECTION)
def seats_refused(page: Page) -> HttpResponse:
    """All refused seats, the latest first (P1)."""
    return page_with_list(
        page, SEATS_REFUSED, "floor/players/seats_refused.html", {"approves": page.may("approve")}
    )


def _exclusion_act(page: Page) -> HttpResponse:
    do = page.request.POST.get("do", "exclude")
    if do == "exclude":
        form = ExcludeForm(page.request.POST)
        if not form.is_valid():
            return _exclusions_page(page, form)
        return page.put(
            lambda: _exclude(page, form),
            lambda token: _of_player(page, _("Excluded: refused a seat from then on."), token),
            "exclusions",
        )
    about = AboutForm(page.request.POST)
    if not about.is_valid():
        return page.refused(_("Give a reason. P1"), "exclusions")
    token, other, reason = (about.cleaned_data[name] for name in ("player", "other", "reason"))
    act = page.act(about.act_id)
    if do == "readmit":
        return page.put(
            lambda: exclusions.readmit(act, player=token, reason=reason),
            lambda _receipt: _of_player(page, _("Readmitted. The record stays."), token),
            "exclusions",
        )
    return page.put(
        lambda: exclusions.distinguish_players(act, player=token, other=other, reason=reason),
        lambda _receipt: _of_player(
            page, _("On record: they are two people. The name may be seated now."), token
        ),
        "exclusions",
    )


def _of_player(page: Page, sentence: str, token: str) -> Outcome:
    """What was done to a player, with a link to the player's page."""
    [name] = tokens.resolve(page.house.pk, [token])
    return Outcome(sentence, name, reverse("player", args=[token]))


def _exclude(page: Page, form: ExcludeForm) -> str:
    """Exclude the player whom the form names; returns the player's token."""
    given = form.cleaned_data
    name = given["name"].strip()
    token = tokens.player_tokens(page.house.pk, [name], new=True)[name]
    exclusions.exclude(
        page.act(form.act_id),
        player=token, since=given["since"], until=given["until"], reason=given["reason"],
    )  # fmt: skip
    return token


# Pages of players' money: cash of a gaming day (P2), unclaimed money (P3), tips (P4).


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
        page, CASH_DAYS, "floor/players/cash_log.html", {"threshold": page.house.cash_threshold}
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
    return page.show("floor/players/cash_of.html", context)


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
    return page.show("floor/players/unclaimed.html", context)


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

    return page_with_list(page, TIPS, "floor/players/tips.html", context)


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
