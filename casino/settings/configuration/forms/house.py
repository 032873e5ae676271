"""The form of the house itself: its name, money, gaming day and thresholds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.decimals import AMOUNTS, with_decimals
from casino.house.establishments.denominations import sound_denominations
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws import house_rules
from casino.kit.web.forms import offer
from casino.play.settlement.models import PrizeRule
from casino.settings.configuration import descriptions
from casino.words.languages import amounts, currencies, locales
from casino.words.languages.fields import ClockField, whole
from casino.words.languages.locales import LOCALES
from casino.words.presenters import fees
from casino.words.presenters.registered import OPENINGS
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID


# The part of the house's form that asks for its money: a currency of ISO 4217, or its own coin.
#
# The name, the sign and the decimals of a currency follow from its code. The amounts of the same
# form are read with the decimals that the form says, so that 500 stays 500 when they change.


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


DENOMINATION: Final = re.compile(
    r"\s*([0-9]{1,3}(?:[.,'\s][0-9]{3})+(?:[.,][0-9]{1,4})?(?!\S)|[0-9]{1,16}(?:[.,][0-9]{1,4})?)"
    r"(?![0-9.,'])\s*(.*?)\s*"
)
"""A value as people write amounts, then a name. Any other line is refused."""


class HouseForm(CoinForm):
    time_zone = forms.ChoiceField(label=descriptions.heading(Establishment, "time_zone"))
    language = forms.ChoiceField(
        label=descriptions.heading(Establishment, "language"),
        required=False,
        choices=[("", gettext_lazy("as each browser asks")), *settings.LANGUAGES],
        help_text=gettext_lazy("For who has chosen none of their own."),
    )
    locale = forms.ChoiceField(
        label=descriptions.heading(Establishment, "locale"),
        choices=list(LOCALES.items()),
        help_text=gettext_lazy("How they are written, whoever reads."),
    )
    counted = forms.CharField(
        label=gettext_lazy("Coins and chips"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy(
            "As they are counted, one a line: the value, then a name, as 25 blue."
        ),
    )

    class Meta:
        model = Establishment
        formfield_callback = whole
        fields: ClassVar = [
            "name", "currency_code", "currency", "currency_symbol", "coin_digits", "time_zone",
            "language", "locale", "day_cutoff", "closing_grace", "large_prize", "cash_threshold",
            "tips_allowed", "counts_floats", "publishes_rules", "two_configure",
            "idle_after", "waiting_minutes", "alarms_one_in", "wall", "wall_names", "wall_stakes",
            "wall_seconds", "guests",
            "undo_seconds", "second_look", "pin_approves_voids",
        ]  # fmt: skip
        field_classes: ClassVar = {"day_cutoff": ClockField}
        labels: ClassVar = {
            "currency": gettext_lazy("Name of the coin"),
            "currency_symbol": gettext_lazy("Its sign"),
            "coin_digits": gettext_lazy("Decimals of the smallest coin"),
            "day_cutoff": gettext_lazy("Cut-off of the gaming day"),
            "closing_grace": gettext_lazy("Minutes until a day closes itself"),
            "large_prize": gettext_lazy("Large prize"),
            "cash_threshold": gettext_lazy("Cash threshold"),
            "tips_allowed": gettext_lazy("Attendants may take tips. P4"),
            "counts_floats": gettext_lazy(
                "Money is played only at tables with a counted float. B1"
            ),
            "publishes_rules": gettext_lazy("Games open only by published rules. A4"),
            "two_configure": gettext_lazy("A second person approves changes of settings. C1"),
            "undo_seconds": gettext_lazy("Seconds to undo the last throw alone"),
            "second_look": gettext_lazy("A second look at a throw that pays. G4"),
            "pin_approves_voids": gettext_lazy("A PIN alone answers for a void at a table. D2"),
            "waiting_minutes": gettext_lazy("Minutes until who is called counts as gone"),
            "alarms_one_in": gettext_lazy("False alarms about dice: one in"),
            "wall": gettext_lazy("A wall board shows all tables that have one"),
            "wall_names": gettext_lazy("Wall boards show the names players go by"),
            "wall_stakes": gettext_lazy("Wall boards show what each player has in play"),
            "wall_seconds": gettext_lazy("Seconds for which wall boards show a part"),
            "guests": gettext_lazy("A page for guests"),
        }
        help_texts: ClassVar = {
            "currency": gettext_lazy("In full, as rod."),
            "currency_symbol": gettext_lazy("As in 12 r."),
            "coin_digits": gettext_lazy(
                "0 where the coin is the unit, 2 where 1.00 is 100 coins. Fixed once money moved."
            ),
            "day_cutoff": gettext_lazy(
                "When one gaming day ends and the next begins, by the house's clock. A new cut-off"
                " holds from the next day on; a day that began stays begun."
            ),
            "closing_grace": gettext_lazy(
                "After the cut-off, where nobody closed the day. Empty: only people close it. B4"
            ),
            "large_prize": gettext_lazy("A payout above it waits for a second witness. A7"),
            "cash_threshold": gettext_lazy(
                "A player's cash of one day above it is flagged. Empty: never. P2"
            ),
            "tips_allowed": "",
            "counts_floats": "",
            "publishes_rules": "",
            "two_configure": "",
            "undo_seconds": gettext_lazy(
                "Whatever came of it, until the next throw; later, and anything further back, takes"
                " a second person. 0: never. G4"
            ),
            "second_look": gettext_lazy(
                "Where a throw ends its round and pays, and whoever enters it could not undo it"
                " alone."
            ),
            "pin_approves_voids": gettext_lazy(
                "Of supervisors and managers, on enrolled tablets, where no more than a large prize"
                " is taken back. Otherwise a PIN takes the second factor's code besides."
            ),
            "idle_after": gettext_lazy(
                "On the floor's list, once nothing was entered for so long. Empty: never."
            ),
            "waiting_minutes": gettext_lazy(
                "On the waiting list, after the call. Empty: somebody takes them off."
            ),
            "alarms_one_in": gettext_lazy(
                "Of the streams of throws that raise an alarm by evidence at most one in so many is"
                " of fair dice. A smaller number finds loaded dice sooner and accuses fair ones"
                " more often. Alarms that were raised stay as they are. F2"
            ),
            "wall": gettext_lazy(
                "Open to whoever has its address, without signing in. It stands under Tables."
            ),
            "wall_names": gettext_lazy("Otherwise the number of the seat."),
            "wall_stakes": "",
            "wall_seconds": gettext_lazy(
                "They show tables, scoreboards, rules and who waits in turn, each for so long."
            ),
            "guests": gettext_lazy(
                "Rules, odds, pots and rollovers, without signing in; with the code of a slip also"
                " what its player won that day. Its code hangs on wall boards and stands on slips."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "time_zone", [(zone, zone) for zone in sorted(available_timezones())])
        self.initial["counted"] = write_list(self.instance.denominations)

    def clean_counted(self) -> list[dict[str, Any]]:
        listed = denominations(self.cleaned_data["counted"])
        sound_denominations(listed)
        return listed

    def values(self) -> dict[str, Any]:
        """Column to new value, for the columns that differ."""
        differing = super().values()
        if "counted" not in self.cleaned_data:
            return differing
        counted = self.cleaned_data["counted"]
        more = {} if counted == self.instance.denominations else {"denominations": counted}
        return {**differing, **more}


def denominations(text: str) -> list[dict[str, Any]]:
    """
    Read coins and chips from lines such as ``25 blue``.

    :raises ValidationError: naming the line.
    """
    listed = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = DENOMINATION.fullmatch(line)
        value = amounts.coins().read(found[1]) if found else None
        if found is None or value is None:
            raise ValidationError(
                _("Line %(line)s: an amount, then a name, as 25 blue.") % {"line": number}
            )
        listed.append({"value": value, "name": found[2]})
    return listed


def write_list(listed: list[dict[str, Any]]) -> str:
    lines = (f"{amounts.as_typed(each['value'])} {each['name']}" for each in listed)
    return "\n".join(line.strip() for line in lines)
