"""How the house plays one game: a field for each option of its rules, fee, home throws, text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.establishments.forms.why_and_when import Beginning
from casino.establishments.models import HouseRules
from casino.openings.fields import AMOUNT, FEE_FIELDS, FEES
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.openings.fields import Opening, Option

WALL_TEXT: Final = 2000  # letters
FEE_KINDS: Final = (
    ("", gettext_lazy("none")),
    ("rake", gettext_lazy("a part of the pot")),
    ("seat", gettext_lazy("for each seat and round")),
    ("time", gettext_lazy("for time")),
)


class RulesForm(Beginning):
    """
    How the house plays one game: a field for each option of its rules, fee, home throws, text.

    :param form: what the game asks for.
    """

    def __init__(self, *args: Any, form: Opening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = form
        self.fields["played"] = forms.BooleanField(
            label=_("The house has this game"), required=False, initial=True
        )
        for option in form.options:
            self._ask(option)
        self.fields["fee"] = forms.ChoiceField(
            label=_("The house's fee"),
            required=False,
            choices=[each for each in FEE_KINDS if each[0] in {"", *form.fees}],
            help_text=_("One fee, taken as announced, at every table. A5, G6"),
        )
        self._amount("fee-percent", _("Percent of the pot"), 1, 10, _("For a part of the pot."))
        self._amount("fee-cap", _("At most, in coins"), 1, COINS_MAX, _("Empty: no limit."))
        self._amount(
            "fee-amount", _("Coins from each player"), 1, COINS_MAX, _("For seats or time.")
        )
        self._amount("fee-minutes", _("Every so many minutes"), 1, COINS_MAX, _("For time."))
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

    def _ask(self, option: Option) -> None:
        choices: list[tuple[str, Any]] = [(each.written, each.label) for each in option.choices]
        name, numbers = f"option-{option.name}", option.numbers
        if numbers is not None and choices:
            choices.append((AMOUNT, numbers.label))
        if choices:
            self.fields[name] = forms.ChoiceField(
                label=f"{option.label} ({option.rule})",
                choices=choices,
                initial=option.default_written,
                help_text=str(option.help),
            )
        if numbers is not None:
            label = f"{option.label} ({option.rule})"
            if choices:
                label = f"{option.label}: {numbers.label}"
            self._amount(f"{name}-amount", label, numbers.least, numbers.most, numbers.help)
            if not choices:
                self.fields[f"{name}-amount"].initial = option.default_written

    def _amount(self, name: str, label: Any, least: int, most: int, told: Any) -> None:
        self.fields[name] = forms.IntegerField(
            label=label, required=False, min_value=least, max_value=most, help_text=str(told)
        )

    def drafted(self) -> dict[str, Any]:
        """What `house_rules.drafted` takes; after `is_valid`."""
        return {
            "game": self.game.game,
            "played": self.cleaned_data["played"],
            "options": self._options(),
            "fee": self._fee(),
            "home_throws": self.cleaned_data.get("home_throws", HouseRules.HomeThrows.NONE),
            "deviations": self.cleaned_data["deviations"],
            "text": self.cleaned_data["text"],
        }

    def _options(self) -> dict[str, Any]:
        chosen = {}
        for option in self.game.options:
            name = f"option-{option.name}"
            said = self.cleaned_data.get(name, AMOUNT)
            amount = self.cleaned_data.get(f"{name}-amount")
            if said == AMOUNT and option.numbers is not None:
                chosen[option.name] = option.default if amount is None else amount
            else:
                chosen[option.name] = next(
                    each.value for each in option.choices if each.written == said
                )
        return chosen

    def _fee(self) -> dict[str, Any] | None:
        kind = self.cleaned_data["fee"]
        if not kind:
            return None
        amounts = {name.removeprefix("fee-"): self.cleaned_data[name] for name in FEES[kind]}
        given = {name: amount for name, amount in amounts.items() if amount is not None}
        return {"kind": kind, **given}


def of_rules(form: Opening, rules: HouseRules | None, text: str) -> dict[str, Any]:
    """What a form of rules starts from: those in force."""
    if rules is None:
        return {}
    initial: dict[str, Any] = {
        "played": rules.played,
        "home_throws": rules.home_throws,
        "deviations": rules.deviations,
        "text": text,
    }
    for option in form.options:
        initial |= option.posted(rules.options.get(option.name, option.default))
    fee: Mapping[str, Any] = rules.fee or {"kind": ""}
    initial["fee"] = fee["kind"]
    return initial | {name: fee.get(name.removeprefix("fee-")) for name in FEE_FIELDS}
