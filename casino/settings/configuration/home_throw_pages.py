"""
Settings pages for home throws: all of them with stories and exact odds, and the form of the next
(H1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules, operations
from casino.house.home_throws import operations as home_throws
from casino.house.home_throws.models import HomeThrow
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms.home_throws import HomeThrowForm
from casino.settings.configuration.forms.why_and_when import Beginning, Explained
from casino.settings.configuration.frame import SECTION, put, respond
from casino.settings.configuration.operations import Adding
from casino.words.presenters import TITLES, registered

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from casino.house.acts import acts


class HomeThrowPage(HomeThrowForm, Beginning, Explained, ActForm):
    """The form of a home throw on its page."""

    field_order = (
        "first", "second", "third", "game", "story", "override_reason", "begins",
        "effective_from", "reason",
    )  # fmt: skip


@office("audit", section=SECTION, post="configure")
def home_throw(page: Page) -> HttpResponse:
    """
    Every home throw that the house has had, with its story and exact odds, and the form of the
    next.
    """
    form = HomeThrowPage(page.sent)
    done = put(page, form, lambda act: [next_home_throw(page, form, act)], "settings-home-throws")
    if done is not None:
        return done
    context = {"form": form, "throws": home_throw_items(page), "games": items_in_force(page)}
    return respond(page, "settings/configuration/home_throws.html", context)


def next_home_throw(page: Page, form: Any, act: acts.Act) -> Adding:
    """
    The home throw that a form describes.

    :raises ValidationError: if the faces may not be a home throw.
    """
    begins, game = form.moment(page.now), form.cleaned_data["game"]
    check_begins(begins, page)
    throw = home_throws.draft_home_throw(
        establishment=page.house,
        faces=form.faces(),
        effective_from=begins,
        by=page.person,
        story=form.cleaned_data["story"],
        override_reason=form.cleaned_data["override_reason"],
        game=game,
    )
    throw.pk = configuration.new_id(act)
    before = HomeThrow.objects.filter(
        establishment=page.house, game=game, effective_from__lte=begins
    )
    return Adding(throw, before.order_by("-effective_from").first())


def check_begins(begins: datetime, page: Page) -> None:
    """
    Check that a moment has not passed.

    :raises ValidationError: if it has.
    """
    if begins < page.now:
        raise ValidationError(
            {"effective_from": _("It begins now or later: nothing is announced for the past. A4")}
        )


def home_throw_items(page: Page) -> list[dict[str, Any]]:
    """Every home throw that the house has had, the latest to begin first."""
    rows = HomeThrow.objects.filter(establishment=page.house).select_related("set_by")
    found = list(rows.order_by("-effective_from"))
    having = registered.with_home_throws()
    everywhere = home_throws.in_force(establishment=page.house, at=page.now)
    played = home_throws.of_each_game(page.house, page.now).values()
    current = {throw.pk for throw in (everywhere, *played) if throw}
    resolved: list[dict[str, Any]] = pseudonyms.resolve(
        page.house.pk, [{"story": row.story, "override": row.override} for row in found]
    )
    return [
        {
            "throw": row,
            "faces": row.faces,
            "odds": operations.exactly(row.faces),
            "state": "now" if row.pk in current else "later" if row.effective_from > page.now
            else "before",
            "url": f"{reverse('odds-of', args=[row.game or having[0].id])}?home_throw={row}",
            **texts,
        }
        for row, texts in zip(found, resolved, strict=True)
    ]  # fmt: skip


def items_in_force(page: Page) -> list[dict[str, Any]]:
    """For each game with home throws, which one is played: the house's, or where it comes from."""
    rules = house_rules.all_in_force(page.house, page.now)
    found = []
    for game, throw in home_throws.of_each_game(page.house, page.now).items():
        of_house = game not in rules or rules[game].home_throws == HouseRules.HomeThrows.HOUSE
        elsewhere = "" if of_house else rules[game].get_home_throws_display()
        found.append({"title": TITLES[game], "throw": throw, "elsewhere": elsewhere})
    return found
