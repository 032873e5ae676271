"""The page of a scoreboard: its seasons, what it is worth, and what that would have cost (SB)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.utils.translation import gettext as _

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Change
from casino.kit.approvals.kinds import ask_second_person
from casino.kit.web.listings.pages import of_rows
from casino.kit.web.pages import Outcome, Page, office
from casino.play.settlement import seasons
from casino.play.settlement.models import Season
from casino.settings.configuration import scoreboards
from casino.settings.configuration.forms.things import AdjustSeason, BoardPage, EndSeason
from casino.settings.configuration.listings import CHANGES
from casino.settings.configuration.pages import SECTION, lock, put, respond
from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse

    from casino.play.settlement.models import Scoreboard

LATEST: Final = 12  # seasons on the page
CHANGES_LISTED: Final = 20


@office("audit", section=SECTION, post="configure")
def board(page: Page, game: str) -> HttpResponse:
    """How a board is kept and what it is worth; on POST it is changed, or its cost shown."""
    kept = _board_of(page, game)
    form = BoardPage(page.sent, instance=kept)
    if page.posted and "cost" in page.request.POST:
        form.is_valid()
    elif done := put(page, form, form.wanted, "settings-prizes"):
        return done
    return _render(page, game, form)


@office("configure", section=SECTION)
def end(page: Page, game: str) -> HttpResponse:
    """End the running season of a board with a gaming day."""
    kept = _board_of(page, game)
    form = EndSeason(page.sent)

    def end() -> None:
        day = form.cleaned_data["last_day"]
        scoreboards.end_season(page.act(form.act_id), ruleset=game, last_day=day)

    message = _("The season ends with this day: it is closed when the day is closed.")
    done = page.take(form, end, message, "settings-scoreboard", game=game)
    return done or _render(page, game, BoardPage(None, instance=kept), form)


@office("configure", section=SECTION)
def adjust(page: Page, game: str) -> HttpResponse:
    """Ask for points of a closed season to be adjusted; a second person approves it."""
    kept = _board_of(page, game)
    form = AdjustSeason(_seasons_over(page, game), page.sent)

    def ask() -> None:
        scoreboards.ask_adjustment(page.act(form.act_id), ruleset=game, **form.fields_of_act)

    def tell(_receipt: object) -> Outcome:
        sentence = _("Asked for. It stands beside the final table once another person approves it.")
        return ask_second_person(page, sentence, form.act_id)

    done = page.take(form, ask, tell, "settings-scoreboard", game=game)
    return done or _render(page, game, BoardPage(None, instance=kept), adjusts=form)


def _seasons_over(page: Page, game: str) -> list[int]:
    """The closed seasons of a board, the latest first."""
    rows = Season.objects.filter(establishment=page.house, ruleset=game)
    closed = rows.filter(state=Season.State.CLOSED).order_by("-number")
    return list(closed.values_list("number", flat=True)[:LATEST])


def _board_of(page: Page, game: str) -> Scoreboard:
    """
    The settings of a game's board, new ones where the house has none.

    :raises Http404: if there is no such game.
    """
    if game not in TITLES:
        raise Http404
    kept = seasons.settings(page.house.pk, game)
    kept.establishment = page.house
    return kept


def _render(
    page: Page,
    game: str,
    form: BoardPage,
    ends: EndSeason | None = None,
    adjusts: AdjustSeason | None = None,
) -> HttpResponse:
    rows = Season.objects.filter(establishment=page.house, ruleset=game).order_by("-number")
    running = next((each for each in rows[:1] if each.state == Season.State.OPEN), None)
    today = gaming_day.current(page.house, page.now)
    log = Change.objects.filter(establishment=page.house, kind="scoreboard")
    closed = _seasons_over(page, game)
    context = {
        "form": lock(page, form),
        "title": TITLES[game],
        "game": game,
        "seasons": rows[:LATEST],
        "waits": seasons.first_parked_day(page.house.pk, game),
        "running": running,
        "ends": ends or (EndSeason(initial={"last_day": today}) if running else None),
        "adjusts": adjusts or (AdjustSeason(closed) if closed else None),
        "adjusted": list(_adjustments(page, game)) if closed else (),
        "cost": _cost(page, form),
        "changes": of_rows(page, CHANGES, log.order_by("-position")[:CHANGES_LISTED]),
    }
    return respond(page, "settings/configuration/board.html", context)


def _adjustments(page: Page, game: str) -> Iterator[dict[str, Any]]:
    """The adjustments of closed seasons, the newest first, with names and reasons."""
    made = scoreboards.adjustments_of(page.house.pk, game)[::-1]
    worded = tokens.resolve(page.house.pk, [[each.player, each.reason] for each in made])
    for each, (player, reason) in zip(made, worded, strict=True):
        points = scoreboards.with_sign(each.points)
        yield {"season": each.season, "player": player, "points": points, "reason": reason}


def _cost(page: Page, form: BoardPage) -> Any:
    """What the form's prizes would have cost; None if the form is not valid."""
    if not form.is_bound:
        points, places = form.in_force()
    elif form.errors:
        return None
    else:
        points, places = form.in_form()
    return scoreboards.cost(form.instance, points, places, page.now)
