"""Forms of things that a house has several of: tables, dice sets, and prizes of its scoreboards."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.models import Table
from casino.kit.web.forms import offer
from casino.play.dice.models import SIZES, DiceSet
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.settings.configuration import columns
from casino.words.languages.fields import whole
from casino.words.presenters import TITLES
from games.payments import COINS_MAX


class ThingForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """
    A form of one thing, new or changed.

    Its fields are the columns that people set, here and everywhere that `columns` is used. `labels`
    holds only labels that say more than the column's name.
    """

    def values(self) -> dict[str, Any]:
        """Column to new value, for the columns that were changed; only after `is_valid`."""
        mine = self._meta.fields or ()
        return {name: self.cleaned_data[name] for name in self.changed_data if name in mine}


class TableForm(ThingForm):
    class Meta:
        model = Table
        formfield_callback = whole
        fields: ClassVar = ["name", "stake_min", "stake_max", "in_use", "wall"]
        labels: ClassVar = {"wall": gettext_lazy("A wall board for players")}
        help_texts: ClassVar = {
            "wall": gettext_lazy(
                "Open to whoever has its address, without signing in: pot, price, hands, the last"
                " result. Names and stakes only where the house shows them."
            ),
            "stake_min": gettext_lazy("Stake, ante or price; empty: none. G10"),
            "stake_max": gettext_lazy("Stake, ante or price; empty: none. G10"),
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if is_taken(self.instance, name=name):
            raise ValidationError(_("This house has a table of that name already."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        least, greatest = cleaned.get("stake_min"), cleaned.get("stake_max")
        if least is not None and greatest is not None and least > greatest:
            self.add_error("stake_max", _("The greatest stake is less than the least."))
        for name in ("stake_min", "stake_max"):
            if (cleaned.get(name) or 0) > COINS_MAX:
                self.add_error(name, _("More coins than can be counted."))
        return cleaned


class DiceSetForm(ThingForm):
    class Meta:
        model = DiceSet
        formfield_callback = whole
        fields: ClassVar = ["number", "sides", "count", "colour", "withdrawn"]
        labels: ClassVar = {
            "sides": gettext_lazy("Sides of each die"),
            "withdrawn": gettext_lazy("Withdrawn: it cannot be thrown. F1"),
        }
        help_texts: ClassVar = {
            "number": gettext_lazy("As engraved or on the box."),
            "sides": gettext_lazy("One of each size: d4, d6, d8, d10 and d12."),
            "withdrawn": "",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = [(size, f"d{size}") for size in SIZES]
        offer(self, "sides", [("", _("one of each size")), *sizes])
        if not self.instance._state.adding:  # noqa: SLF001 - Django's documented model state
            for name in ("number", "sides", "count"):  # throws on record were made with these dice
                self.fields[name].disabled = True

    def clean_number(self) -> str:
        number: str = self.cleaned_data["number"]
        if is_taken(self.instance, number=number):
            raise ValidationError(_("This house has a dice set of that number already."))
        return number


class PrizeForm(ThingForm):
    """The form of a prize: what the scoreboard of a game is worth here (SH13)."""

    ruleset = forms.ChoiceField(label=columns.heading(PrizeRule, "ruleset"))

    class Meta:
        model = PrizeRule
        formfield_callback = whole
        fields: ClassVar = ["ruleset", "kind", "at", "prize", "amount", "active"]
        labels: ClassVar = {
            "kind": gettext_lazy("For"),
            "at": gettext_lazy("At"),
            "prize": gettext_lazy("What is handed over"),
            "amount": gettext_lazy("Its worth"),
            "active": gettext_lazy("In force"),
        }
        help_texts: ClassVar = {
            "at": gettext_lazy("Points to reach, or the place: 1 is first."),
            "prize": "",
            "amount": gettext_lazy("0 where the prize is not money."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "ruleset", [(game, str(title)) for game, title in TITLES.items()])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        mark = {name: cleaned.get(name) for name in ("ruleset", "kind", "at")}
        if None not in mark.values() and is_taken(self.instance, **mark):
            self.add_error("at", _("There is a prize at this mark already."))
        if (cleaned.get("amount") or 0) > COINS_MAX:
            self.add_error("amount", _("More coins than can be counted."))
        return cleaned


def is_taken(thing: Table | DiceSet | PrizeRule | Scoreboard, **called: Any) -> bool:
    """Whether another thing of the house has these values."""
    things = type(thing)._default_manager  # noqa: SLF001 - as Django's own forms
    rows = things.filter(establishment=thing.establishment, **called)
    return rows.exclude(pk=thing.pk).exists()
