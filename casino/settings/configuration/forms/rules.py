"""Forms of a game's house rules: a field for each option, the fee, home throws, the wall's text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws.models import games
from casino.settings.configuration.forms import REASON, Beginning
from casino.words.languages.fields import CoinsField, WholeField
from casino.words.presenters import fees
from casino.words.presenters.opening_forms import AMOUNT, UNIT
from games import stone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening_forms import Opening, Option, Value


# The terms of a game as form fields: each option of its rules, and the fee of the house.


class KindsOfFees(forms.Select):
    """
    A select of kinds of fees. Each option names the amounts that it needs, and the page shows their
    fields.
    """

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if asks := fees.fields(str(value)):
            option["attrs"]["data-asks"] = " ".join(asks)
        return option


class TermsForm(forms.Form):
    """
    Option and fee fields, named as in the form that opens a game: ``option-<name>``, ``fee``,
    ``fee-…``.
    """

    asks: Opening | None = None

    def ask_options(self, form: Opening) -> None:
        self.asks = form
        for option in form.options:
            self._ask(option)

    def ask_fee(self, kinds: Sequence[tuple[str, Any]], help_text: Any) -> None:
        self.fields["fee"] = forms.ChoiceField(
            label=_("The house's fee"),
            required=False,
            choices=kinds,
            help_text=help_text,
            widget=KindsOfFees,
        )
        for name, amount in fees.AMOUNTS.items():
            self.ask_amount(
                f"fee-{name}", str(amount.label), 1, amount.most, amount.help, money=amount.money
            )

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
            self.ask_amount(
                f"{name}-amount",
                label,
                numbers.least,
                numbers.most,
                numbers.help,
                money=numbers.money,
            )
            if not choices and option.name != UNIT:
                self.fields[f"{name}-amount"].initial = option.default_written

    def ask_amount(  # noqa: PLR0913 - a field's settings
        self, name: str, label: Any, least: int, most: int, help_text: Any, *, money: bool
    ) -> None:
        field = CoinsField if money else WholeField
        self.fields[name] = field(
            label=label, required=False, min_value=least, max_value=most, help_text=str(help_text)
        )

    def options(self) -> dict[str, Value]:
        """
        Every option of the game with its value; only after `is_valid`.

        What a point is worth is left out if it was left empty: the house's smallest piece (G11).
        """
        found = self.asks.options if self.asks else ()
        chosen = {option.name: self.chosen(option) for option in found}
        if self.cleaned_data.get(f"option-{UNIT}-amount") is None:
            chosen.pop(UNIT, None)
        return chosen

    def chosen(self, option: Option) -> Value:
        name = f"option-{option.name}"
        given = self.cleaned_data.get(name, AMOUNT)
        if given == AMOUNT and option.numbers is not None:
            amount: int | None = self.cleaned_data.get(f"{name}-amount")
            return option.default if amount is None else amount
        return next(each.value for each in option.choices if each.written == given)

    def fee(self) -> dict[str, Any] | None:
        """The fee, with the fields that were filled in; None if the house takes none."""
        kind = self.cleaned_data["fee"]
        if not kind:
            return None
        asked = fees.fields(kind)
        amounts = {name.removeprefix("fee-"): self.cleaned_data[name] for name in asked}
        given = {name: amount for name, amount in amounts.items() if amount is not None}
        return {"kind": kind, **given}


def of_terms(
    form: Opening, options: Mapping[str, Value], fee: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The initial values of the fields."""
    initial: dict[str, Any] = {}
    for option in form.options:
        value = options.get(option.name, option.default)
        initial |= option.posted(value)
    return initial | of_fee(fee)


def of_fee(fee: Mapping[str, Any] | None) -> dict[str, Any]:
    taken: Mapping[str, Any] = fee or {"kind": ""}
    amounts = {name: taken.get(name.removeprefix("fee-")) for name in fees.FIELDS}
    return {"fee": taken["kind"], **amounts}


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


# The form of a home throw: three dice as they lie on the table, with a story (H1).


STORY: Final = 2000  # characters
KEYS: Final = forms.RadioSelect(attrs={"class": "keys"})
FACES: Final = [(str(face), str(face)) for face in range(1, stone.SIDES + 1)]


class FacesForm(forms.Form):
    """Three d8 as they lie on the table."""

    first = forms.TypedChoiceField(
        label=gettext_lazy("First die"), choices=FACES, coerce=int, widget=KEYS
    )
    second = forms.TypedChoiceField(
        label=gettext_lazy("Second die"), choices=FACES, coerce=int, widget=KEYS
    )
    third = forms.TypedChoiceField(
        label=gettext_lazy("Third die"), choices=FACES, coerce=int, widget=KEYS
    )

    def faces(self) -> tuple[int, int, int]:
        """The three faces, sorted; only after `is_valid`."""
        low, middle, high = sorted(self.cleaned_data[name] for name in ("first", "second", "third"))
        return low, middle, high


class HomeThrowForm(FacesForm):
    game = forms.ChoiceField(
        label=gettext_lazy("The game that it is thrown in"),
        required=False,
        choices=lambda: [("", gettext_lazy("every game that has one")), *games()],
        help_text=gettext_lazy(
            "A throw for one game goes before the one for every game, whichever was set later."
            " Games without home throws know none. H3"
        ),
    )
    story = forms.CharField(
        label=gettext_lazy("The story behind it"),
        required=False,
        max_length=STORY,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "How the house came by it, in its own words; people read it beside the throw. Kept"
            " beside the ledger; it can be erased. May stay empty."
        ),
    )
    override_reason = forms.CharField(
        label=gettext_lazy("Why these faces, although they score otherwise"),
        required=False,
        max_length=REASON,
        help_text=gettext_lazy(
            "Only where the three are a pair, a run or another throw that scores by itself; else it"
            " stays empty. H1"
        ),
    )
