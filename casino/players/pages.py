"""Players: who is known here, who is excluded (P1), and names that are erased."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.accounts import queries as accounts
from casino.approvals.queries import names as people_named
from casino.cash.account_models import Owed
from casino.exclusions import operations as exclusions
from casino.exclusions.models import Exclusion, SeatRefused
from casino.languages.fields import DayField
from casino.players import cash, erasure, regulars
from casino.players.models import CashDay
from casino.pseudonyms import tokens as pseudonyms
from casino.pseudonyms.models import Player
from casino.web.forms import REASON_MAX, ActForm, ReasonForm
from casino.web.pages import office, only_those, sees_all
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpResponse

    from casino.establishments.models import Establishment
    from casino.web.pages import Page

SECTION: Final = "players"
ROWS: Final = 50
TOKEN: Final = re.compile(r"\Ap-[a-z2-9]{12}\Z")


class SearchForm(forms.Form):
    name = forms.CharField(required=False, max_length=80, label=gettext_lazy("Name or id"))
    after = forms.CharField(required=False, max_length=240, widget=forms.HiddenInput)


class AboutForm(ReasonForm):
    """Whom it is about; of two who read alike, the other, too."""

    player = forms.RegexField(TOKEN, widget=forms.HiddenInput)
    other = forms.RegexField(TOKEN, widget=forms.HiddenInput, required=False)


class ExcludeForm(ActForm):
    """Whom the house refuses a seat, from when, until when, and why."""

    name = forms.CharField(label=gettext_lazy("Name or id"), max_length=80)
    since = DayField(label=gettext_lazy("From gaming day"))
    until = DayField(
        label=gettext_lazy("Last gaming day"),
        required=False,
        help_text=gettext_lazy("Empty: until somebody readmits them."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


@office("look", section=SECTION)
def players(page: Page) -> HttpResponse:
    """Everybody with a name, in order; an erased name's id is found by searching for it."""
    form = SearchForm(page.request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    rows = Player.objects.filter(establishment=page.house)
    wanted = asked.get("name", "").strip()
    if TOKEN.fullmatch(wanted):
        rows = rows.filter(token=wanted)
    else:
        rows = rows.filter(name__isnull=False)
        if wanted:
            rows = rows.filter(name__istartswith=wanted)
    if asked.get("after"):
        rows = rows.filter(name__gt=asked["after"])
    found = list(rows.order_by("name")[: ROWS + 1])
    shown = found[:ROWS]
    bars = exclusions.standing(page.house.pk).on(page.day)
    days = {
        row.player: row
        for row in CashDay.objects.filter(
            establishment=page.house, gaming_day=page.day, player__in=[each.token for each in shown]
        )
    }
    names = {each.token: each.name for each in shown if each.name}
    context = {
        "form": form,
        "wanted": wanted,
        "players": [
            {
                "player": each,
                "excluded": each.token in bars,
                "day": days.get(each.token),
                "flagged": each.token in days and cash.is_flagged(page.house, days[each.token]),
            }
            for each in shown
        ],
        "alike": regulars.namesakes(page.house.pk, names),
        "after": shown[-1].name if len(found) > ROWS else None,
        "sees_all": sees_all(page),
    }
    return page.show("players/index.html", context)


@office("look", section=SECTION, post="configure")
def player(page: Page, token: str) -> HttpResponse:
    """One player: exclusions, cash by day, what is owed; a manager erases the name here."""
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
        "exclusions": _exclusions(
            page.house, Exclusion.objects.filter(establishment=page.house, player=token)
        ),
        "excluded": token in exclusions.standing(page.house.pk).on(page.day),
        "days": CashDay.objects.filter(establishment=page.house, player=token).order_by(
            "-gaming_day"
        )[:ROWS],
        "owed": [
            {"row": each, "title": called[AccountRef(Kind(each.kind), each.name)]} for each in owed
        ],
        "form": form if page.may("configure") and known.name is not None else None,
        "audits": page.may("audit"),
    }
    return page.show("players/player.html", context)


@office("look", section=SECTION, post="approve")
def excluded(page: Page) -> HttpResponse:
    """Who is refused a seat, who tried all the same, and who reads like them (P1)."""
    if page.posted:
        return _exclusion_act(page)
    return _shown_exclusions(page, ExcludeForm(initial={"since": page.day}))


def _shown_exclusions(page: Page, form: ExcludeForm) -> HttpResponse:
    bars = exclusions.standing(page.house.pk).bars
    rows = Exclusion.objects.filter(
        establishment=page.house, player__in=bars, lifted_at__isnull=True
    )
    tries = list(SeatRefused.objects.filter(establishment=page.house)[:ROWS])
    people = people_named({each.by for each in tries})
    names = names_of(page.house, [each.player for each in tries] + [each.named for each in tries])
    apart = exclusions.standing(page.house.pk).apart
    context = {
        "form": form if page.may("approve") else None,
        "rows": _exclusions(page.house, rows[:ROWS]),
        "tries": [
            {
                "row": each,
                "player": names[each.player],
                "named": names[each.named],
                "by": people[each.by],
                "alike": each.named != each.player,
                "apart": (each.player, each.named) in apart,
                "form": AboutForm(
                    initial={"player": each.player, "other": each.named},
                    auto_id=f"%s-{each.position}",
                ),
            }
            for each in tries
        ],
        "approves": page.may("approve"),
        "sees_all": sees_all(page),
    }
    return page.show("players/exclusions.html", context)


def _exclusion_act(page: Page) -> HttpResponse:
    do = page.request.POST.get("do", "exclude")
    if do == "exclude":
        form = ExcludeForm(page.request.POST)
        if not form.is_valid():
            return _shown_exclusions(page, form)
        return page.put(
            lambda: _exclude(page, form),
            _("Excluded: refused a seat from then on."),
            "exclusions",
        )
    said = AboutForm(page.request.POST)
    if not said.is_valid():
        return page.refused(_("Give a reason. P1"), "exclusions")
    token, other, reason = (said.cleaned_data[name] for name in ("player", "other", "reason"))
    act = page.act(said.act_id)
    if do == "readmit":
        return page.put(
            lambda: exclusions.readmit(act, player=token, reason=reason),
            _("Readmitted. The record stays."),
            "exclusions",
        )
    return page.put(
        lambda: exclusions.tell_apart(act, player=token, other=other, reason=reason),
        _("On record: they are two people. The name may be seated now."),
        "exclusions",
    )


def _exclude(page: Page, form: ExcludeForm) -> object:
    asked = form.cleaned_data
    name = asked["name"].strip()
    token = pseudonyms.player_tokens(page.house.pk, [name], new=True)[name]
    return exclusions.exclude(
        page.act(form.act_id),
        player=token, since=asked["since"], until=asked["until"], reason=asked["reason"],
    )  # fmt: skip


def _exclusions(house: Establishment, rows: Iterable[Exclusion]) -> list[dict[str, Any]]:
    """With names and words for tokens."""
    found = list(rows)
    people = people_named({each.by for each in found} | {each.lifted_by for each in found})
    said: list[list[str]] = pseudonyms.resolve(
        house.pk, [[each.player, each.reason, each.lifted_because] for each in found]
    )
    return [
        {
            "row": row,
            "player": name,
            "reason": reason,
            "by": people[row.by],
            "lifted_by": people.get(row.lifted_by, ""),
            "lifted_because": because,
            "form": AboutForm(initial={"player": row.player}, auto_id=f"%s-{row.position}"),
        }
        for row, (name, reason, because) in zip(found, said, strict=True)
    ]


def names_of(house: Establishment, tokens: Sequence[str]) -> dict[str, str]:
    wanted = list(dict.fromkeys(tokens))
    return dict(zip(wanted, pseudonyms.resolve(house.pk, wanted), strict=True))
