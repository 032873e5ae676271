"""What a manager fills in to configure a house: the same for pages, the set-up and the API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.dice.models import SIZES, DiceSet
from casino.establishments.models import Establishment, HouseRules, Table, sound_denominations
from casino.home_throws.models import GAMES
from casino.openings.fields import AMOUNT, FEE_FIELDS, FEES
from casino.play.models import PrizeRule
from casino.play.telling import TITLES
from games import stone
from games.payments import COINS_MAX
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.openings.fields import Opening, Option

REASON: Final = 500  # letters
STORY: Final = 2000
NOW, LATER = "now", "later"
FEE_KINDS: Final = (
    ("", gettext_lazy("none")),
    ("rake", gettext_lazy("a part of the pot")),
    ("seat", gettext_lazy("for each seat and round")),
    ("time", gettext_lazy("for time")),
)
LINE: Final = re.compile(r"\s*([0-9]{1,16})\s*(.*?)\s*", re.ASCII)


class Explained(forms.Form):
    """Why a setting is changed. Told to whoever approves it, and kept beside the ledger."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=REASON,
        help_text=gettext_lazy("Why it changes; it stands in the change log."),
    )


class HouseForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """The house itself: what it is called, its money, its day, its thresholds."""

    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"))
    counted = forms.CharField(
        label=gettext_lazy("Coins and chips"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy(
            "As they are counted, one a line: the value in coins, then a name, as 25 blue."
        ),
    )

    class Meta:
        model = Establishment
        fields: ClassVar = [
            "name", "currency", "currency_symbol", "coin_digits", "time_zone", "day_cutoff",
            "closing_grace", "large_prize", "cash_threshold", "tips_allowed", "counts_floats",
            "publishes_rules", "two_configure",
        ]  # fmt: skip
        labels: ClassVar = {
            "name": gettext_lazy("Name"),
            "currency": gettext_lazy("Currency"),
            "currency_symbol": gettext_lazy("Its sign"),
            "coin_digits": gettext_lazy("Decimals of the smallest coin"),
            "day_cutoff": gettext_lazy("Cut-off of the gaming day"),
            "closing_grace": gettext_lazy("Minutes until a day closes itself"),
            "large_prize": gettext_lazy("Large prize, in coins"),
            "cash_threshold": gettext_lazy("Cash threshold, in coins"),
            "tips_allowed": gettext_lazy("Attendants may take tips. P4"),
            "counts_floats": gettext_lazy(
                "Money is played only at tables with a counted float. B1"
            ),
            "publishes_rules": gettext_lazy("Games open only by published rules. A4"),
            "two_configure": gettext_lazy("A second person approves changes of settings. C1"),
        }
        help_texts: ClassVar = {
            "currency": gettext_lazy("Its name in full."),
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
        }
        widgets: ClassVar = {"day_cutoff": forms.TimeInput(attrs={"type": "time"}, format="%H:%M")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = self.fields["time_zone"]
        assert isinstance(zones, forms.ChoiceField)  # noqa: S101 - declared above
        zones.choices = [(zone, zone) for zone in sorted(available_timezones())]
        self.initial["counted"] = written(self.instance.denominations)

    def clean_counted(self) -> list[dict[str, Any]]:
        listed = denominations(self.cleaned_data["counted"])
        sound_denominations(listed)
        return listed

    def clean_coin_digits(self) -> int:
        digits: int = self.cleaned_data["coin_digits"]
        if digits != self.initial.get("coin_digits", digits) and moved(self.instance.pk):
            raise ValidationError(
                _("Money is on record in this coin: its decimals no longer change.")
            )
        return digits

    def values(self) -> dict[str, Any]:
        """Column to new value, of those that were changed."""
        return {
            "denominations" if name == "counted" else name: self.cleaned_data[name]
            for name in self.changed_data
            if name in self.Meta.fields or name == "counted"
        }


def moved(establishment: UUID) -> bool:
    """Whether money was ever booked at a house."""
    return Transfer.objects.filter(establishment=establishment).exists()


def denominations(text: str) -> list[dict[str, Any]]:
    """
    Coins and chips out of lines as ``25 blue``.

    :raises ValidationError: naming the line.
    """
    listed = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = LINE.fullmatch(line)
        if found is None:
            raise ValidationError(
                _("Line %(line)s: a whole number of coins, then a name, as 25 blue.")
                % {"line": number}
            )
        listed.append({"value": int(found[1]), "name": found[2]})
    return listed


def written(listed: list[dict[str, Any]]) -> str:
    return "\n".join(f"{each['value']} {each['name']}".strip() for each in listed)


class TableForm(forms.ModelForm):  # type: ignore[type-arg]  # as above
    class Meta:
        model = Table
        fields: ClassVar = ["name", "stake_min", "stake_max", "in_use"]
        labels: ClassVar = {
            "name": gettext_lazy("Name"),
            "stake_min": gettext_lazy("Least stake"),
            "stake_max": gettext_lazy("Greatest stake"),
            "in_use": gettext_lazy("In use"),
        }
        help_texts: ClassVar = {
            "stake_min": gettext_lazy("Stake, ante or price, in coins; empty: none. G10"),
            "stake_max": gettext_lazy("Stake, ante or price, in coins; empty: none. G10"),
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if taken(self.instance, name=name):
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

    def values(self) -> dict[str, Any]:
        mine = (name for name in self.changed_data if name in self.Meta.fields)
        return {name: self.cleaned_data[name] for name in mine}


class DiceSetForm(forms.ModelForm):  # type: ignore[type-arg]  # as above
    class Meta:
        model = DiceSet
        fields: ClassVar = ["number", "sides", "count", "colour", "withdrawn"]
        labels: ClassVar = {
            "number": gettext_lazy("Number"),
            "sides": gettext_lazy("Sides of each die"),
            "count": gettext_lazy("Dice"),
            "colour": gettext_lazy("Colour"),
            "withdrawn": gettext_lazy("Withdrawn: it cannot be thrown. F1"),
        }
        help_texts: ClassVar = {
            "number": gettext_lazy("As engraved or on the box."),
            "withdrawn": "",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = self.fields["sides"]
        assert isinstance(sides, forms.TypedChoiceField)  # noqa: S101 - of a field with choices
        sides.choices = [("", _("one of each size"))] + [(size, f"d{size}") for size in SIZES]
        if not self.instance._state.adding:  # noqa: SLF001 - Django's documented model state
            for name in ("number", "sides", "count"):  # what was thrown with it was thrown with it
                self.fields[name].disabled = True

    def clean_number(self) -> str:
        number: str = self.cleaned_data["number"]
        if taken(self.instance, number=number):
            raise ValidationError(_("This house has a dice set of that number already."))
        return number

    def values(self) -> dict[str, Any]:
        mine = (name for name in self.changed_data if name in self.Meta.fields)
        return {name: self.cleaned_data[name] for name in mine}


class PrizeForm(forms.ModelForm):  # type: ignore[type-arg]  # as above
    """What the scoreboard of a game is worth here (SH13)."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Game"))

    class Meta:
        model = PrizeRule
        fields: ClassVar = ["ruleset", "kind", "at", "prize", "amount", "active"]
        labels: ClassVar = {
            "kind": gettext_lazy("For"),
            "at": gettext_lazy("At"),
            "prize": gettext_lazy("What is handed over"),
            "amount": gettext_lazy("Its worth, in coins"),
            "active": gettext_lazy("In force"),
        }
        help_texts: ClassVar = {
            "at": gettext_lazy("Points to reach, or the place: 1 is first."),
            "amount": gettext_lazy("0 where the prize is not money."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = self.fields["ruleset"]
        assert isinstance(games, forms.ChoiceField)  # noqa: S101 - declared above
        games.choices = [(game, str(title)) for game, title in TITLES.items()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        mark = {name: cleaned.get(name) for name in ("ruleset", "kind", "at")}
        if None not in mark.values() and taken(self.instance, **mark):
            self.add_error("at", _("There is a prize at this mark already."))
        if (cleaned.get("amount") or 0) > COINS_MAX:
            self.add_error("amount", _("More coins than can be counted."))
        return cleaned

    def values(self) -> dict[str, Any]:
        mine = (name for name in self.changed_data if name in self.Meta.fields)
        return {name: self.cleaned_data[name] for name in mine}


def taken(thing: Table | DiceSet | PrizeRule, **called: Any) -> bool:
    """Whether another thing of the house is called so."""
    things = type(thing)._default_manager  # noqa: SLF001 - as Django's own forms
    rows = things.filter(establishment=thing.establishment, **called)
    return rows.exclude(pk=thing.pk).exists()


class Beginning(forms.Form):
    """When something new begins: now, or at a moment by the house's clock."""

    begins = forms.ChoiceField(
        label=gettext_lazy("In force"),
        choices=[(NOW, gettext_lazy("from now on")), (LATER, gettext_lazy("from a later moment"))],
        initial=NOW,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Games that are open keep what they were opened with."),
    )
    effective_from = forms.DateTimeField(
        label=gettext_lazy("The later moment"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("By the house's clock."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        later = cleaned.get("begins") == LATER and "effective_from" not in self.errors
        if later and not cleaned.get("effective_from"):
            self.add_error("effective_from", _("Say from when on."))
        return cleaned

    def moment(self, now: datetime) -> datetime:
        """When it begins; after `is_valid`."""
        later: datetime | None = self.cleaned_data.get("effective_from")
        return later if self.cleaned_data["begins"] == LATER and later else now


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
        """Sorted; after `is_valid`."""
        low, middle, high = sorted(self.cleaned_data[name] for name in ("first", "second", "third"))
        return low, middle, high


class HomeThrowForm(FacesForm):
    game = forms.ChoiceField(
        label=gettext_lazy("Of"),
        required=False,
        choices=[("", gettext_lazy("every game that has one")), *GAMES],
    )
    story = forms.CharField(
        label=gettext_lazy("Story"),
        required=False,
        max_length=STORY,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Where it comes from. Kept beside the ledger; it can be erased."),
    )
    override_reason = forms.CharField(
        label=gettext_lazy("Why it may score otherwise"),
        required=False,
        max_length=REASON,
        help_text=gettext_lazy("Needed only where the three make another scoring throw. H1"),
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
            max_length=STORY,
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
