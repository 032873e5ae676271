"""Pages of what-ifs: a period played again under another option, fee or home throw."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.pseudonyms import tokens
from casino.kit.jobs import running, tasks
from casino.kit.web import periods
from casino.kit.web.pages import office
from casino.proof.regrade.reading import Period
from casino.reports.what_if import runs, summaries
from casino.reports.what_if.form import WhatIfForm, defaults
from casino.reports.what_if.games import Sums
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.words.presenters import TITLES
from casino.words.presenters.opening import forms_of_games

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse, QueryDict

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page

SECTION: Final = "reports"
RUNS: Final = 12
ROWS: Final = 50
NUMBER_MAX: Final = 9  # digits
DAY: Final = 10  # letters: 2026-11-20


@office("audit", section=SECTION, from_replica=True)
def what_if(page: Page) -> HttpResponse:
    """The newest what-ifs, and the form to ask for one."""
    query = page.request.POST if page.posted else page.request.GET
    if page.posted and "choose" in query:
        return redirect(_address(query["choose"], query))
    game = query.get("game", "")
    in_force = defaults(page.house, game, version=page.request.POST.get("rules", ""), at=page.now)
    sent = periods.spread(page, page.request.POST, WhatIfForm.base_fields) if page.posted else None
    form = WhatIfForm(sent, defaults=in_force, initial=_days(page))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.posted else HTTPStatus.OK
    if page.posted and form.is_valid():
        period = Period(form.cleaned_data["since"], form.cleaned_data["until"])
        change = form.cleaned_data["change"]
        try:
            run = runs.ask(
                by=page.person, house=page.house, period=period, change=change, now=page.now
            )
        except running.AlreadyBegun as another:
            form.add_error(None, str(another))
            status = HTTPStatus.CONFLICT
        else:
            tasks.wake(run)
            return page.done(
                _("It has begun. You need not wait for it: it goes on by itself."),
                "what-if-one",
                what_if=run.id,
            )
    rows = _runs(page).order_by("-asked_at")[:RUNS]
    context = {
        "form": form,
        "runs": [_describe(page.house, run) for run in rows],
        "games": [
            ("", _("Every game")),
            *((each.game, TITLES[each.game]) for each in forms_of_games()),
        ],
        "defaults": in_force,
        "presets": periods.presets(page, form.fields),
    }
    return page.show("what_if/index.html", context, status=status)


@office("audit", section=SECTION)
def one(page: Page, what_if: UUID) -> HttpResponse:
    """One what-if: the sums compared, what could not be decided, and each game that differs."""
    run = _runs(page).filter(id=what_if).first()
    if run is None:
        raise Http404("Nobody asked that at this house.")
    context: dict[str, Any] = {"run": _describe(page.house, run)}
    rows = WhatIfGame.objects.filter(establishment=page.house, job=run.id)
    only = page.request.GET.get("only", "")
    if only in {"undecided", "decided"}:
        rows = rows.filter(undecided=only == "undecided")
    after = page.request.GET.get("after", "")
    if after.isdecimal() and len(after) <= NUMBER_MAX:
        rows = rows.filter(seq__gt=int(after))
    some = list(rows.order_by("seq")[: ROWS + 1])
    context |= {
        "games": _games(page.house, some[:ROWS]),
        "after": some[ROWS - 1].seq if some[ROWS:] else None,
        "only": only,
        "kept": running.FINDINGS_KEPT,
    }
    return page.show("what_if/one.html", context)


@office("audit", section=SECTION)
def stop(page: Page, what_if: UUID) -> HttpResponse:
    """Stop a what-if."""
    if not page.posted:
        return one(page.request, what_if=what_if)
    if not _runs(page).filter(id=what_if).exists():
        raise Http404("Nobody asked that at this house.")
    stopped = running.stop(
        runs.WHAT_IF, by=page.person, house=page.house, job=what_if, now=page.now
    )
    sentence = _("It is stopped.") if stopped else _("It was over already.")
    return page.done(sentence, "what-if-one", what_if=what_if)


def _address(game: str, query: QueryDict) -> str:
    """The address of the form for a game, with the days that were filled in."""
    days = {name: query.get(name, "")[:DAY] for name in ("since", "until")}
    params = {name: value for name, value in {"game": game[:40], **days}.items() if value}
    return f"{reverse('what-if')}?{urlencode(params)}" if params else reverse("what-if")


def _days(page: Page) -> dict[str, date]:
    """The days in the address; values that are not dates are left out."""
    days = {name: parse_date(page.request.GET.get(name, "")) for name in ("since", "until")}
    return {name: day for name, day in days.items() if day}


def parse_date(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _runs(page: Page) -> QuerySet[WhatIf]:
    return WhatIf.objects.filter(establishment=page.house).select_related("asked_by")


def _describe(house: Establishment, run: WhatIf) -> dict[str, Any]:
    """The context of a run for templates."""
    sums = Sums.from_json(run.figures)
    return {
        "run": run,
        "sign": runs.WHAT_IF.sign(run),
        "change": list(summaries.change(tokens.resolve(house.pk, run.change))),
        "game": TITLES[run.change["game"]] if run.change["game"] else "",
        "sums": sums,
        "decided": sums.games - sums.undecided,
        "whole": summaries.side_by_side(sums.whole_was.as_json(), sums.whole_now.as_json()),
        "until": summaries.side_by_side(sums.until_was.as_json(), sums.until_now.as_json()),
        "why": [(str(summaries.WHY[why]), count) for why, count in sorted(sums.why.items())],
        "url": reverse("what-if-one", args=[run.id]),
    }


def _games(house: Establishment, rows: list[WhatIfGame]) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = tokens.resolve(house.pk, [row.details for row in rows])
    return [
        {
            **each,
            "name": TITLES[each["ruleset"]],
            "day": date.fromisoformat(each["day"]),
            "figures": [
                row for row in summaries.side_by_side(each["was"], each["now"]) if row["more"]
            ],
            "players": [row for row in summaries.players(each) if row["more"]],
            "because": str(summaries.WHY[each["undecided"]["why"]]) if each["undecided"] else "",
        }
        for each in games
    ]
