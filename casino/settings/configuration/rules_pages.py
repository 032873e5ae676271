"""Settings pages for each game's rules, by version, with its fee (A4, A5), and home throws (H1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.house.home_throws.models import HomeThrow
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.settings.configuration import descriptions, listings
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms import Beginning, Explained
from casino.settings.configuration.forms.rules import HomeThrowForm, RulesForm, of_rules
from casino.settings.configuration.operations import Adding
from casino.settings.configuration.pages import SECTION, put, respond, respond_list
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES, opening_forms, registered
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.registered import OPENINGS, forms_of_games

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening_forms import Opening


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
        if opening_forms.is_for_money(form, options)
        else ""
    )


def fee_of(rules: HouseRules | None) -> str:
    return house_rules.fee_text(rules.fee) if rules else ""


# Settings pages for home throws: all of them with stories and exact odds, and the form of the next
# (H1).


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
            "odds": home_throws.exactly(row.faces),
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
