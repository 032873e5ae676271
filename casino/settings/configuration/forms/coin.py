"""
The part of the house's form that asks for its money: a currency of ISO 4217, or its own coin.

The name, the sign and the decimals of a currency follow from its code. The amounts of the same form
are read with the decimals that the form says, so that 500 stays 500 when they change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.decimals import AMOUNTS, with_decimals
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.kit.web.forms import offer
from casino.play.settlement.models import PrizeRule
from casino.words.languages import currencies, locales
from casino.words.presenters import fees
from casino.words.presenters.opening import OPENINGS
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

FOLLOWING: Final = ("currency", "currency_symbol", "coin_digits")
"""The columns that follow from the currency's code, if the house has one."""
DIGITS_MOST: Final = 4


class CoinForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A form of the house with its money. `instance` is the house's row, read for this form."""

    currency_code = forms.ChoiceField(
        label=gettext_lazy("Currency"),
        required=False,
        help_text=gettext_lazy("Name, sign and decimals follow from it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored: Establishment = self.instance
        self.was = {name: getattr(stored, name) for name in ("currency_code", *FOLLOWING)}
        self.fields["currency_code"].widget.attrs["data-currency"] = ""
        offer(self, "currency_code", _coins_to_choose(self.was["currency_code"]))
        for name in FOLLOWING:
            self.fields[name].required = False  # asked for where there is no code
            self.fields[name].widget.attrs["data-own-coin"] = ""

    def _clean_fields(self) -> None:
        with locales.decimals(self._digits_sent()):
            super()._clean_fields()  # type: ignore[misc]  # Django's own, unknown to the stubs

    def _digits_sent(self) -> int:
        """The decimals of the coin that was sent; those that the house has if there are none."""
        has = int(self.was["coin_digits"])
        code, digits = self["currency_code"].data or "", str(self["coin_digits"].data).strip()
        if code and code == self.was["currency_code"]:
            return has
        if code:
            return currencies.digits(code) if code in dict(_coins_to_choose("")) else has
        return min(int(digits), DIGITS_MOST) if digits.isascii() and digits.isdigit() else has

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned["currency_code"]:
            cleaned.update(self._following(cleaned))
        for name in FOLLOWING:
            if cleaned[name] in {None, ""}:
                self.add_error(name, _("A coin of the house's own needs this."))
        if not self.errors and self.is_stored and self._digits_differ(cleaned):
            self._may_differ(cleaned)
        return cleaned

    @property
    def is_stored(self) -> bool:
        """Whether the house exists, and is not founded by this form."""
        return not self.instance._state.adding  # noqa: SLF001 - Django's documented model state

    def _digits_differ(self, cleaned: dict[str, Any]) -> bool:
        return bool(cleaned["coin_digits"] != self.was["coin_digits"])

    def _following(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """
        Name, sign and decimals of the currency that was chosen.

        They stay as they are as long as currency, language and locale do, whoever saves the form.
        """
        asked = {"currency_code", "language", "locale"}
        if self.is_stored and all(
            cleaned[name] == self.initial[name] for name in asked & self.fields.keys()
        ):
            return {name: self.was[name] for name in FOLLOWING}
        code = cleaned["currency_code"]
        language = cleaned.get("language") or translation.get_language() or "en"
        found = currencies.currency_of(code, language=language, locale=cleaned["locale"])
        kept = self.is_stored and code == self.was["currency_code"]
        digits = self.was["coin_digits"] if kept else found.digits
        return {
            "currency": found.name,
            "currency_symbol": found.symbol,
            "coin_digits": digits,
        }

    def _may_differ(self, cleaned: dict[str, Any]) -> None:
        """Refuse other decimals while there are amounts that this form does not read."""
        name = "currency_code" if cleaned["currency_code"] else "coin_digits"
        if has_moved_money(self.instance.pk):
            sentence = _("Money is on record in this coin: its decimals no longer change.")
            self.add_error(name, sentence)
            return
        if where := ", ".join(_with_amounts(self.instance)):
            sentence = _(
                "There are amounts in this coin: %(where)s. Take them out before its decimals"
                " change."
            )
            self.add_error(name, sentence % {"where": where})
            return
        try:
            self._not_asked_for(cleaned["coin_digits"])
        except ValidationError as invalid:
            self.add_error(name, invalid)

    def _not_asked_for(self, digits: int) -> dict[str, Any]:
        """The house's amounts that this form does not ask for, with other decimals."""
        if self.fields.keys() >= set(AMOUNTS):
            return {}
        return with_decimals(self.instance, before=self.was["coin_digits"], after=digits)

    def values(self) -> dict[str, Any]:
        """Column to new value, for the columns that differ."""
        columns: tuple[str, ...] = tuple(self._meta.fields or ())
        differing = {
            name: self.cleaned_data[name]
            for name in columns
            if self.cleaned_data[name] != self.initial.get(name)
        }
        if not self._digits_differ(self.cleaned_data):
            return differing
        return {**self._not_asked_for(self.cleaned_data["coin_digits"]), **differing}


def _coins_to_choose(code: str) -> list[tuple[str, Any]]:
    """The house's own coin, the currencies of today, and the house's if it is none of them."""
    language = translation.get_language() or "en"
    listed = [(each, f"{name} ({each})") for each, name in currencies.current(language)]
    if code and code not in dict(listed):
        listed.append((code, code))
    return [("", gettext_lazy("A coin of our own")), *listed]


def has_moved_money(establishment: UUID) -> bool:
    """Whether money was ever booked at the house."""
    return Transfer.objects.filter(establishment=establishment).exists()


def _with_amounts(house: Establishment) -> Iterator[str]:
    """The places beside the form of the house that have amounts of its coin."""
    limits = Table.objects.filter(establishment=house).exclude(stake_min=None, stake_max=None)
    if limits.exists():
        yield _("limits of tables")
    now = timezone.now()
    coming = HouseRules.objects.filter(establishment=house, effective_from__gt=now)
    if any(
        _has_amounts(each) for each in (*house_rules.all_in_force(house, now).values(), *coming)
    ):
        yield _("rules and fees")
    if PrizeRule.objects.filter(establishment=house, amount__gt=0).exists():
        yield _("prizes")


def _has_amounts(rules: HouseRules) -> bool:
    fee = rules.fee or {}
    if any(name in fee and amount.money for name, amount in fees.AMOUNTS.items()):
        return True
    opening = OPENINGS.get(rules.game)
    options = opening.options if opening else ()
    money = {each.name for each in options if each.numbers is not None and each.numbers.money}
    return bool(money & rules.options.keys())
