"""Forms of things that a house has several of: tables, dice sets, scoreboards and their prizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.models import Table
from casino.kit.web.forms import ActForm, ReasonForm, offer
from casino.play.dice.models import SIZES, DiceSet
from casino.play.settlement.models import PrizeRule, Scoreboard
from casino.play.settlement.scoreboard import Place
from casino.settings.configuration import descriptions
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms import Explained
from casino.settings.configuration.operations import Adding, Changing
from casino.words.languages.fields import CoinsField, DayField, WholeField, whole
from casino.words.presenters import TITLES
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from casino.house.acts import acts


class ThingForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """
    A form of one thing, new or changed.

    Its fields are the columns that people set, here and everywhere that `descriptions` is used.
    `labels` holds only labels that say more than the column's name.
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

    ruleset = forms.ChoiceField(label=descriptions.heading(PrizeRule, "ruleset"))

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


# Forms of a scoreboard: its seasons, and its thresholds and places together (SB).


BLANK: Final = 3  # rows for more prizes of each kind
ROW: Final = re.compile(r"(points|place)-([0-9]{1,3})-at")
AT_MOST: Final = 2**31 - 1
POINTS: Final = r"[+-]?[0-9]{1,9}(/[1-9][0-9]{0,3})?"
"""Points as they are written: 2, -1, 1/2."""


class ScoreboardForm(ThingForm):
    """The form of how a scoreboard is kept."""

    ruleset = forms.ChoiceField(label=descriptions.heading(Scoreboard, "ruleset"))
    until = DayField(
        label=descriptions.heading(Scoreboard, "until"),
        required=False,
        help_text=gettext_lazy("Only for a season until a day."),
    )

    class Meta:
        model = Scoreboard
        formfield_callback = whole
        fields: ClassVar = ["ruleset", "season", "until", "place_tie"]
        labels: ClassVar = {"place_tie": gettext_lazy("Who has equal points at the end")}
        help_texts: ClassVar = {
            "season": gettext_lazy("From the next season on; the one that runs keeps its end."),
            "place_tie": gettext_lazy("Of prizes that are not money each gets the better one."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "ruleset", [(game, str(title)) for game, title in TITLES.items()])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        game = cleaned.get("ruleset")
        if game is not None and is_taken(self.instance, ruleset=game):
            self.add_error("ruleset", _("This game's scoreboard is set already."))
        return cleaned


class EndSeason(ActForm):
    """The form that ends the running season of a board."""

    last_day = DayField(
        label=gettext_lazy("Last gaming day"),
        help_text=gettext_lazy("The season is closed, and its places are decided, with this day."),
    )


class AdjustSeason(ReasonForm):
    """The form that asks for points of a closed season to be adjusted."""

    season = forms.TypedChoiceField(label=gettext_lazy("Season"), coerce=int)
    player = forms.CharField(label=gettext_lazy("Player"), max_length=80)
    points = forms.RegexField(
        f"^{POINTS}$",
        label=gettext_lazy("Points"),
        max_length=16,
        help_text=gettext_lazy("To add: 2 or 1/2. To take away: -2."),
    )

    field_order = ("season", "player", "points", "reason")

    def __init__(self, closed: Iterable[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "season", [(number, str(number)) for number in closed])

    @property
    def fields_of_act(self) -> dict[str, Any]:
        """What is asked for; only after `is_valid`."""
        return {name: self.cleaned_data[name] for name in self.field_order}


class BoardPage(ScoreboardForm, Explained, ActForm):
    """
    How a board is kept and everything that it is worth, as one form.

    A row for each prize in force, and some for more: at, what is handed over, its worth. A row that
    was emptied takes its prize out of force.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["ruleset"]
        rules = PrizeRule.objects.filter(
            establishment=self.instance.establishment_id, ruleset=self.instance.ruleset
        )
        self.rules = {(rule.kind, rule.at): rule for rule in rules.order_by("at")}
        self.rows = [*self._rows(PrizeRule.Kind.POINTS), *self._rows(PrizeRule.Kind.PLACE)]

    def _rows(self, kind: PrizeRule.Kind) -> Iterator[str]:
        """Add the fields of the rows of a kind; their names."""
        there = [rule for rule in self.rules.values() if rule.kind == kind and rule.active]
        sent = [
            int(found[2])
            for name in self.data
            if (found := ROW.fullmatch(name)) and found[1] == kind
        ]
        for number in range(max([*sent, len(there) + BLANK - 1]) + 1):
            row = f"{kind}-{number}"
            rule = there[number] if number < len(there) else None
            at, prize, worth = (f"{row}-{each}" for each in ("at", "prize", "amount"))
            self.fields[at] = WholeField(
                label=_("At"), required=False, min_value=1, max_value=AT_MOST
            )
            self.fields[prize] = forms.CharField(
                label=_("What is handed over"), required=False, max_length=120
            )
            self.fields[worth] = CoinsField(
                label=_("Its worth"), required=False, min_value=0, max_value=COINS_MAX
            )
            if rule is not None:
                self.initial.update({at: rule.at, prize: rule.prize, worth: rule.amount})
            yield row

    def cells(self, kind: str) -> list[list[forms.BoundField]]:
        """The fields of the rows of a kind, for the page."""
        return [
            [self[f"{row}-{each}"] for each in ("at", "prize", "amount")]
            for row in self.rows
            if row.startswith(f"{kind}-")
        ]

    def of_board(self) -> list[forms.BoundField]:
        return [self[name] for name in ("season", "until", "place_tie")]

    def thresholds(self) -> list[list[forms.BoundField]]:
        return self.cells(PrizeRule.Kind.POINTS)

    def places(self) -> list[list[forms.BoundField]]:
        return self.cells(PrizeRule.Kind.PLACE)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.worth: dict[tuple[str, int], tuple[str, int]] = {}
        for row in self.rows:
            at, prize, amount = (cleaned.get(f"{row}-{each}") for each in ("at", "prize", "amount"))
            kind = row.partition("-")[0]
            if f"{row}-at" in self.errors or not (at or prize or amount):
                continue
            if not at:
                self.add_error(f"{row}-at", _("Say at how many points, or for which place."))
            elif not prize:
                self.add_error(f"{row}-prize", _("Say what is handed over."))
            elif (kind, at) in self.worth:
                self.add_error(f"{row}-at", _("There is a prize at this mark already."))
            else:
                self.worth[kind, at] = prize, amount or 0
        return cleaned

    def wanted(self, act: acts.Act) -> Iterator[Adding | Changing]:
        """The changes of the board and of its prizes; only after `is_valid`."""
        board = self.instance
        if not board._state.adding:  # noqa: SLF001 - Django's documented model state
            stored = Scoreboard.objects.get(pk=board.pk, establishment=act.house)
            yield Changing(stored, self.values())
        elif self.values():
            board.pk = configuration.new_id(act)
            yield Adding(board)
        for number, ((kind, at), (prize, amount)) in enumerate(self.worth.items(), 1):
            rule = self.rules.get((kind, at))
            values = {"prize": prize, "amount": amount, "active": True}
            if rule is not None:
                yield Changing(rule, values)
            else:
                yield Adding(
                    PrizeRule(
                        id=configuration.new_id(act, number), establishment=act.house,
                        ruleset=board.ruleset, kind=kind, at=at, **values,
                    )
                )  # fmt: skip
        for mark, rule in self.rules.items():
            if rule.active and mark not in self.worth:
                yield Changing(rule, {"active": False})

    def in_form(self) -> tuple[dict[int, int], list[Place]]:
        """Thresholds with what each is worth, and places, as the form says them."""
        return _by_kind(self.worth)

    def in_force(self) -> tuple[dict[int, int], list[Place]]:
        """The same as they are in force."""
        rules = self.rules.items()
        return _by_kind({mark: (rule.prize, rule.amount) for mark, rule in rules if rule.active})


def _by_kind(
    worth: Mapping[tuple[str, int], tuple[str, int]],
) -> tuple[dict[int, int], list[Place]]:
    kinds = PrizeRule.Kind
    points = {at: amount for (kind, at), (_, amount) in worth.items() if kind == kinds.POINTS}
    places = [
        Place(at, str(at), prize, amount)
        for (kind, at), (prize, amount) in worth.items()
        if kind == kinds.PLACE
    ]
    return points, places
