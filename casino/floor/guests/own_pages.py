"""
A player's own page, for whoever holds the code that the desk gave out for them (`codes`).

The code in the address is all that lets them in: no cookie does, so that no other site can use one,
and the page needs no token in its forms. Nobody keeps the page, and each code is bounded by rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from casino.floor.guests import codes, own
from casino.floor.guests.pages import house_of, page_of
from casino.floor.players import cash, waiting
from casino.floor.players.waiting_pages import EnterForm
from casino.floor.wall.content import put_labels
from casino.floor.wall.pages import hide_from_search
from casino.house.acts import acts
from casino.house.establishments.gaming_day import current
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import REFUSALS
from casino.kit.web.visitors import Visits, too_many, visitors_page
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.forms import COINS, LimitsForm
from casino.play.exclusions.standing import standing
from casino.words.languages import reader
from casino.words.languages.fields import CoinsField
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from django.http import HttpRequest

    from casino.house.establishments.models import Establishment

DEVICE: Final = "guests"


class WaitForm(EnterForm):
    """Puts the player on the waiting list."""

    name = None  # type: ignore[assignment]  # Django's way to leave a field out
    stake = CoinsField(
        label=gettext_lazy("Stake"),
        help_text=gettext_lazy("Where you will not sit down for any."),
        **COINS,
    )

    def carry_out(self, act: acts.Act) -> str:
        self.cleaned_data["name"] = act.guest
        self.enter(act)
        return "waits"


class OffForm(ActForm):
    """Takes the player off the waiting list."""

    entry = forms.UUIDField(widget=forms.HiddenInput)

    def carry_out(self, act: acts.Act) -> str:
        """:raises WaitsNoLonger: if the entry is not one of theirs."""
        entry = self.cleaned_data["entry"]
        mine = [
            each
            for each in waiting.standing(act.house.pk, act.now).entries
            if each.player == act.guest and each.entry == str(entry)
        ]
        if not mine:
            raise waiting.WaitsNoLonger(
                "Nobody waits there any more: seated, gone, or taken off the list."
            )
        waiting.take_off(act, entry=entry)
        return "off"


class OwnLimitsForm(LimitsForm):
    """Limits what the player pays in."""

    def carry_out(self, act: acts.Act) -> str:
        wanted = {span: self.cleaned_data[span] for span in limits.SPANS}
        paid = partial(cash.payments_since, act.house, act.guest)
        limits.limit(act, player=act.guest, wanted=wanted, paid=paid)
        return "limits"


class BreakForm(ActForm):
    """
    Excludes the player: what is asked for first is asked again on a page of its own.

    :param sure: whether this is the second time.
    """

    days = forms.TypedChoiceField(
        label=gettext_lazy("For how long"),
        choices=[
            ("1", gettext_lazy("until tomorrow")),
            ("7", gettext_lazy("a week")),
            ("30", gettext_lazy("30 days")),
            ("182", gettext_lazy("half a year")),
            ("365", gettext_lazy("a year")),
            ("0", gettext_lazy("until the house readmits me")),
        ],
        coerce=int,
        initial="7",
    )
    sure = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def until(self, house: Establishment, now: datetime) -> date | None:
        """The last gaming day; None: until the house readmits them."""
        days: int = self.cleaned_data["days"]
        return current(house, now) + timedelta(days=days) if days else None

    def carry_out(self, act: acts.Act) -> str:
        exclusions.exclude_oneself(act, until=self.until(act.house, act.now))
        return "break"


class EndForm(ActForm):
    """Ends the code."""

    def carry_out(self, act: acts.Act) -> str:
        codes.end(act, player=act.guest)
        return "ended"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a player's own page."""

    request: HttpRequest
    house: Establishment
    code: codes.Code
    now: datetime

    def form(self, do: str) -> ActForm:
        """The form of an act: filled in if it was sent."""
        sent = self.request.POST if self.request.POST.get("do") == do else None
        ids = f"{do}_%s"  # several forms are on the page
        match do:
            case "wait":
                return WaitForm(self.house, self.now, sent, auto_id=ids)
            case "limits":
                mine = standing(self.house.pk).limits.get(self.code.player, {})
                now = {span: each.at(self.now) for span, each in mine.items()}
                return OwnLimitsForm(sent, initial=now, auto_id=ids)
            case _:
                made: Callable[..., ActForm] = FORMS[do]
                return made(sent, auto_id=ids)

    def act(self, form: ActForm) -> acts.Act:
        return acts.Act(
            house=self.house,
            by=None,
            guest=self.code.player,
            device=DEVICE,
            now=self.now,
            command_id=form.act_id,
            request={},
        )

    def why(self, refused: Exception) -> str:
        """A refusal without names."""
        me = {self.code.player: _("this player")}
        return capfirst(str(put_labels(translate(str(refused)), me)))


FORMS: Final[dict[str, Any]] = {
    "wait": WaitForm, "off": OffForm, "limits": OwnLimitsForm, "break": BreakForm, "end": EndForm,
}  # fmt: skip
DONE: Final[dict[str, Callable[[], str]]] = {
    "waits": lambda: _("You are on the waiting list."),
    "off": lambda: _("You are off the waiting list."),
    "limits": lambda: _("Your limits are set."),
    "break": lambda: _("You are excluded from now on."),
}
"""What was done, by the word that the address has after it."""


@csrf_exempt
@partial(visitors_page, scope="guests", takes=("POST",))
def page(request: HttpRequest, house: str, code: str) -> HttpResponse:
    """Points and prizes of the player, and what they may do for themselves."""
    at = house_of(house)
    found = codes.find(at, code)
    if found is None:
        raise Http404("This house gave out no such code.")
    if (refusal := too_many(request, Visits("codes", f"{at.pk}/{found.text}"))) is not None:
        return refusal
    asked = Asked(request, at, found, timezone.now())
    if not codes.is_open(at, found, asked.now):
        return _show(asked, "guests/ended.html", {}, HTTPStatus.GONE)
    do = request.POST.get("do", "")
    drawn = {each: asked.form(each) for each in FORMS}
    form, status = drawn.get(do), HTTPStatus.OK
    if form is not None:
        if form.is_valid():
            if isinstance(form, BreakForm) and not form.cleaned_data["sure"]:
                until = form.until(at, asked.now)
                return _show(asked, "guests/sure.html", {"form": form, "until": until}, status)
            try:
                done = form.carry_out(asked.act(form))  # type: ignore[attr-defined]
            except REFUSALS as refused:
                form.refuse(asked.why(refused))
            else:
                return _again(asked, done)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    said = DONE.get(request.GET.get("done", ""))
    context = {
        "said": said() if said and form is None else "",
        "wrong": [str(each) for each in form.non_field_errors()] if form is not None else [],
        "forms": drawn,
        "scores": own.scores(at, found.player, asked.now),
        "prizes": own.prizes(at, found.player),
        "waits": own.waits(at, found.player, asked.now),
        "limits": own.limits_with_sums(at, found.player, asked.now),
        "excluded": standing(at.pk).on(current(at, asked.now)).get(found.player),
        "code": found,
    }
    return _show(asked, "guests/own.html", context, status)


def _again(asked: Asked, done: str) -> HttpResponse:
    """The page anew, with the word for what was done, in the language that was asked for."""
    language = reader.language_asked_for(asked.request)
    keeps = f"&{reader.LANGUAGE_FIELD}={language}" if language else ""
    return hide_from_search(redirect(f"{asked.request.path}?done={done}{keeps}"))


def _show(asked: Asked, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    drawn = page_of(asked.request, asked.house, template, context)
    return hide_from_search(HttpResponse(drawn, status=status))
