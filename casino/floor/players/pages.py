"""Pages of players: the list, one player, exclusions (P1), erasing a name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import cash, erasure
from casino.floor.players.listings import CASH_DAYS, PLAYERS
from casino.floor.players.models import CashDay
from casino.floor.players.public_names import choose, public_names
from casino.house.pseudonyms import tokens
from casino.house.pseudonyms.models import Player
from casino.kit.web.forms import REASON_MAX, ActForm, ReasonForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome, office, only_those, sees_all
from casino.money.accounts import queries as accounts
from casino.money.cash.account_models import Owed
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.forms import AboutForm, LimitsForm
from casino.play.exclusions.listings import EXCLUSIONS, LIMITS, SEATS_REFUSED
from casino.play.exclusions.models import Exclusion, PlayerLimit, SeatRefused
from casino.words.languages.date_fields import DayField
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from django.http import HttpResponse

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
    return page_with_list(page, PLAYERS, "players/index.html", {"sees_all": sees_all(page)})


@office("look", section=SECTION, post="configure")
def player(page: Page, token: str) -> HttpResponse:
    """The page of one player: exclusions, cash by day, what is owed; managers erase names here."""
    only_those(page)
    known = get_object_or_404(Player, establishment=page.house, token=token)
    form = ReasonForm(page.sent)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        return page.put(
            lambda: erasure.erase(page.act(form.act_id), player=token, reason=reason),
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
        "excluded": token in exclusions.standing(page.house.pk).on(page.day),
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
    return page.show("players/player.html", context)


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
    known = exclusions.standing(page.house.pk).limits.get(token, {})
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

    return page_with_list(page, EXCLUSIONS, "players/exclusions.html", context)


@office("look", section=SECTION)
def seats_refused(page: Page) -> HttpResponse:
    """All refused seats, the latest first (P1)."""
    return page_with_list(
        page, SEATS_REFUSED, "players/seats_refused.html", {"approves": page.may("approve")}
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
        lambda: exclusions.tell_apart(act, player=token, other=other, reason=reason),
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
