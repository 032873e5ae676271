"""
The form of a game's house rules: a field for each option, the fee, home throws, the text on the
wall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext as _

from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.settings.configuration.forms.terms import TermsForm, of_terms
from casino.settings.configuration.forms.why_and_when import Beginning
from casino.words.presenters import fees

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening.fields import Opening

WALL_TEXT: Final = 2000  # characters


class RulesForm(TermsForm, Beginning):
    """
    The form of a game's house rules: a field for each option, the fee, home throws, the text.

    :param form: the game's options and their values.
    """

    def __init__(self, *args: Any, form: Opening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = form
        self.fields["played"] = forms.BooleanField(
            label=_("The house has this game"), required=False, initial=True
        )
        self.ask_options(form)
        self.ask_fee(
            fees.choices(form.fees),
            _("One fee, taken as announced, at every table. A5, G6"),
        )
        if form.homes:
            self.fields["home_throws"] = forms.ChoiceField(
                label=_("Home throws"), choices=HouseRules.HomeThrows.choices
            )
        self.fields["deviations"] = forms.ChoiceField(
            label=_("Who may open it otherwise"),
            choices=HouseRules.Deviations.choices,
            initial=HouseRules.Deviations.SUPERVISOR,
            help_text=_("Other options within the table's limits. The fee is the house's always."),
        )
        self.fields["text"] = forms.CharField(
            label=_("What hangs on the wall"),
            required=False,
            max_length=WALL_TEXT,
            widget=forms.Textarea(attrs={"rows": 4}),
            help_text=_("The house's own words to its players, shown where the game is opened."),
        )
        last = [name for name in ("begins", "effective_from", "reason") if name in self.fields]
        self.order_fields([*(name for name in self.fields if name not in last), *last])

    def drafted(self) -> dict[str, Any]:
        """The arguments of `house_rules.draft_rules`; only after `is_valid`."""
        return {
            "game": self.game.game,
            "played": self.cleaned_data["played"],
            "options": self.options(),
            "fee": self.fee(),
            "home_throws": self.cleaned_data.get("home_throws", HouseRules.HomeThrows.NONE),
            "deviations": self.cleaned_data["deviations"],
            "text": self.cleaned_data["text"],
        }


def of_rules(
    house: Establishment, form: Opening, rules: HouseRules | None, text: str
) -> dict[str, Any]:
    """The initial values of the form: the rules in force; a point is worth the smallest piece."""
    if rules is None:
        return of_terms(form, house_rules.with_worth_of_point(house, {}), None)
    initial: dict[str, Any] = {
        "played": rules.played,
        "home_throws": rules.home_throws,
        "deviations": rules.deviations,
        "text": text,
    }
    return initial | of_terms(
        form, house_rules.with_worth_of_point(house, rules.options), rules.fee
    )
