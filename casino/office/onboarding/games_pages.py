"""Set-up pages of the games that the house plays, and its home throw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.denominations import smallest, why_not
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import operations as home_throws
from casino.house.home_throws.house_rules import operations as house_rules
from casino.kit.web.forms import ActForm, offer
from casino.kit.web.pages import Page, office
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding import readiness
from casino.office.onboarding.frame import SECTION, adding, save, step
from casino.settings.configuration.forms.home_throws import HomeThrowForm
from casino.settings.configuration.home_throw_pages import home_throw_items
from casino.settings.configuration.operations import Adding
from casino.words.languages.amounts import money
from casino.words.languages.fields import CoinsField
from casino.words.presenters import TITLES
from casino.words.presenters.opening import OPENINGS, forms_of_games
from games.options import UNITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment


class GamesStep(ActForm):
    games = forms.MultipleChoiceField(
        label=gettext_lazy("Games of the house"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Each is published with its usual rules and no fee; options and fees are set later,"
            " under Rules and fees. A4"
        ),
    )

    point = CoinsField(
        label=gettext_lazy("A point is worth (G11)"),
        required=False,
        min_value=UNITS[0],
        max_value=UNITS[-1],
    )

    def __init__(
        self, *args: Any, house: Establishment, playable: Iterable[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.house = house
        piece = smallest(house.denominations)
        self.initial["point"] = piece
        self.fields["point"].help_text = _(
            "What scores, antes and bids count. With %(point)s, the smallest piece that you count,"
            " a pair 5 costs %(pair)s."
        ) % {"point": money(piece), "pair": money(5 * piece)}
        games = set(playable)
        lines = [
            (form.game, f"{TITLES[form.game]}: {form.line}")
            for form in forms_of_games()
            if form.game in games
        ]
        offer(self, "games", lines)

    def clean_point(self) -> int:
        """The amount; empty is the smallest piece."""
        pieces: list[dict[str, Any]] = self.house.denominations
        point: int | None = self.cleaned_data["point"]
        if point is not None and (why := why_not(pieces, point)):
            raise ValidationError(why)
        return smallest(pieces) if point is None else point


class HomeThrowStep(HomeThrowForm, ActForm):
    """Asks for the home throw: three dice, thrown now or chosen, or none."""

    field_order = ("first", "second", "third", "story", "override_reason", "game")


@office("configure", section=SECTION)
def games(page: Page) -> HttpResponse:
    known = house_rules.all_in_force(page.house, page.now)
    games = readiness.playable(page.house, [each.game for each in forms_of_games()], known)
    playable = [each.id for each in games if each.there]
    initial = {"games": list(known) or playable}
    form = GamesStep(page.sent, initial=initial, house=page.house, playable=playable)
    if form.is_valid() and not known and not form.cleaned_data["games"]:
        form.add_error("games", _("A house has one game or more."))

    def new(act: acts.Act) -> list[Adding]:
        chosen, point = form.cleaned_data["games"], form.cleaned_data["point"]
        rules = onboarding.rules_for(page.house, chosen, point=point, by=page.person, now=page.now)
        return adding(act, rules)

    if (done := save(page, "games", form, new)) is not None:
        return done
    published = [TITLES[game] for game in known]
    without_dice = [each for each in games if not each.there]
    context = {"form": form, "published": published, "without_dice": without_dice}
    return step(page, "games", context)


@office("configure", section=SECTION)
def home_throw(page: Page) -> HttpResponse:
    """Set the home throw: three d8 are thrown now; if they score otherwise, thrown again (H2)."""
    form = HomeThrowStep(page.sent)
    done = save(page, "home-throw", form, lambda act: _throw(page, form, act))
    return done or step(page, "home-throw", {"form": form, "throws": home_throw_items(page)})


def _throw(page: Page, form: HomeThrowStep, act: acts.Act) -> list[Adding]:
    """The new home throw, and new house rules for the games that use it."""
    throw = home_throws.draft_home_throw(
        establishment=page.house,
        faces=form.faces(),
        effective_from=page.now,
        by=page.person,
        story=form.cleaned_data["story"],
        override_reason=form.cleaned_data["override_reason"],
        game=form.cleaned_data["game"],
    )
    known = house_rules.all_in_force(page.house, page.now)
    taken = [
        Adding(_taking(page, rules), rules)
        for game, rules in known.items()
        if OPENINGS[game].homes and rules.home_throws == "none" and throw.game in {"", game}
    ]
    added = [Adding(throw), *taken]
    adding(act, [each.thing for each in added])
    return added


def _taking(page: Page, rules: HouseRules) -> HouseRules:
    """The same rules, with the house's home throw."""
    return house_rules.draft_rules(
        establishment=page.house,
        game=rules.game,
        effective_from=page.now,
        by=page.person,
        now=page.now,
        options=rules.options,
        fee=rules.fee,
        deviations=rules.deviations,
        home_throws=HouseRules.HomeThrows.HOUSE,
    )
