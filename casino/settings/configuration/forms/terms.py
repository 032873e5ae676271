"""The terms of a game as form fields: each option of its rules, and the fee of the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _

from casino.words.languages.fields import CoinsField, WholeField
from casino.words.presenters import fees
from casino.words.presenters.opening.fields import AMOUNT, UNIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.words.presenters.opening.fields import Opening, Option, Value


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
