"""Settings pages for the rules: how each game is played here, by version, and its fee (A4, A5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse

from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.settings.configuration import descriptions, listings
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms.rules import RulesForm, of_rules
from casino.settings.configuration.forms.why_and_when import Explained
from casino.settings.configuration.frame import SECTION, put, respond, respond_list
from casino.settings.configuration.operations import Adding
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from casino.words.presenters.opening import OPENINGS, forms_of_games, reading
from casino.words.presenters.opening.fields import UNIT

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening.fields import Opening


class RulesPage(RulesForm, Explained, ActForm):
    """The form of a game's rules on its page."""


@office("audit", section=SECTION)
def rules(page: Page) -> HttpResponse:
    """The rules of each game: the version in force, and the next one."""
    current = house_rules.all_in_force(page.house, page.now)
    coming = HouseRules.objects.filter(establishment=page.house, effective_from__gt=page.now)
    later = {row.game: row for row in coming.order_by("-effective_from")}
    games = [
        {
            "id": form.game,
            "title": TITLES[form.game],
            "rules": rules,
            "fee": fee_of(rules),
            "point": point_of(page.house, rules),
            "example": example_of(page.house, form, rules),
            "options": descriptions.options_of(form, rules.options if rules else {}),
            "later": later.get(form.game),
        }
        for form in forms_of_games()
        for rules in [current.get(form.game)]
    ]
    return respond(page, "settings/configuration/rules.html", {"games": games})


@office("audit", section=SECTION, post="configure")
def rules_of(page: Page, game: str) -> HttpResponse:
    """The history of one game's rules, and the form that publishes the next version."""
    if game not in OPENINGS:
        raise Http404("There is no such game.")
    asks = OPENINGS[game]
    current = house_rules.in_force(establishment=page.house, game=game, at=page.now)
    text = pseudonyms.resolve(page.house.pk, current.text) if current else ""
    form = RulesPage(page.sent, form=asks, initial=of_rules(page.house, asks, current, text))
    done = put(
        page,
        form,
        lambda act: [next_rules(page, form, act, current)],
        "settings-rules",
        thing=lambda: (str(TITLES[game]), reverse("settings-rules-of", args=[game])),
    )
    if done is not None:
        return done
    context = {
        "form": form,
        "title": TITLES[game],
        "example": example_of(page.house, asks, current),
    }
    return respond_list(
        page, listings.rules_of(game), "settings/configuration/rules_of.html", context
    )


def next_rules(page: Page, form: Any, act: acts.Act, current: HouseRules | None) -> Adding:
    """
    The rules that a form describes.

    :raises ValidationError: by field, as `house_rules.draft_rules`.
    """
    drafted = house_rules.draft_rules(
        establishment=page.house,
        effective_from=form.moment(page.now),
        by=page.person,
        now=page.now,
        **form.drafted(),
    )
    drafted.pk = configuration.new_id(act)
    return Adding(drafted, current)


def point_of(house: Establishment, rules: HouseRules | None) -> str:
    """What a point is worth, where the rules leave it to the house's smallest piece (G11)."""
    named = rules is None or UNIT in rules.options
    return "" if named else money(house_rules.worth_of_point(house, {}))


def example_of(house: Establishment, form: Opening, rules: HouseRules | None) -> str:
    """What something of the game costs by its rules; "": no example, or it is not for money."""
    options = rules.options if rules else {}
    return (
        form.example_at(house_rules.worth_of_point(house, options))
        if reading.is_for_money(form, options)
        else ""
    )


def fee_of(rules: HouseRules | None) -> str:
    return house_rules.fee_text(rules.fee) if rules else ""
