"""Forms of a chain's managers: settings for many houses, people, and the answer to a proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.chain import roll_outs
from casino.chain.models import ChainHouse, ChainRole
from casino.house.establishments.models import Establishment
from casino.kit.web.forms import ActForm, ReasonForm, offer
from casino.settings.configuration import columns
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.rules import RulesForm
from casino.words.languages.fields import CoinsField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

LISTED: Final = 300  # houses to tick; more are all taken, or found by name first
AS_IT_IS: Final = ""
SWITCHES: Final = [(AS_IT_IS, _("as it is")), ("yes", _("yes")), ("no", _("no"))]


class ForHouses(ReasonForm):
    """
    Which houses of the chain something is for.

    :param houses: those to choose from.
    """

    every = forms.BooleanField(label=_("All houses of this list"), required=False)
    houses = forms.MultipleChoiceField(
        label=_("Houses"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, houses: Iterable[ChainHouse], **more: Any) -> None:
        super().__init__(*args, **more)
        self.offered = list(houses)
        choices = [(str(each.pk), each.establishment.name) for each in self.offered[:LISTED]]
        offer(self, "houses", choices)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("every") and not cleaned.get("houses"):
            self.add_error("houses", _("Choose at which houses."))
        return cleaned

    def houses_chosen(self) -> list[UUID]:
        if self.cleaned_data["every"]:
            return [each.pk for each in self.offered]
        wanted = set(self.cleaned_data["houses"])
        return [each.pk for each in self.offered if str(each.pk) in wanted]


class RollOutForm(ForHouses):
    """
    Settings for houses: each is left as it is unless it is filled in.

    :param money: whether amounts are offered, because the houses to choose from share a currency.
    """

    field_order = ("houses", "every", *roll_outs.SETTINGS, "reason")

    def __init__(self, *args: Any, money: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in roll_outs.SETTINGS:
            if money or name not in roll_outs.MONEY:
                self.fields[name] = _field(name)
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.values():
            self.add_error(None, _("Nothing is changed yet: fill in what is to be another."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """Column to value, for what is filled in."""
        filled: dict[str, Any] = {}
        for name in roll_outs.SETTINGS:
            given = self.cleaned_data.get(name)
            if given in {None, AS_IT_IS}:
                continue
            filled[name] = given == "yes" if isinstance(given, str) else given
        return filled


class RulesForHouses(RulesForm, ForHouses):
    """How a game is played at houses, from when each of them gets it; its words stay its own."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in ("begins", "effective_from", "text"):
            del self.fields[name]
        self.order_fields(["houses", "every", *self.fields])

    def drafted(self) -> dict[str, Any]:
        self.cleaned_data["text"] = ""
        return {name: each for name, each in super().drafted().items() if name != "text"}


def _field(name: str) -> forms.Field:
    """The field of a setting: labelled as at a house, and empty where it stays as it is."""
    column = columns.field_of(Establishment, name)
    labels: Mapping[str, Any] = HouseForm.Meta.labels
    label = labels.get(name, columns.heading(Establishment, name))
    if name in roll_outs.MONEY:
        return CoinsField(label=label, required=False, min_value=1)
    if column.get_internal_type() == "BooleanField":
        return forms.ChoiceField(label=label, required=False, choices=SWITCHES)
    return forms.IntegerField(label=label, required=False, min_value=0)


class AppointForm(ReasonForm):
    field_order = ("username", "role", "reason")
    username = forms.CharField(label=_("Sign-in"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=ChainRole.choices)


class DismissForm(ReasonForm):
    field_order = ("attendant", "reason")
    attendant = forms.ChoiceField(label=_("Who"))


class SendForm(ReasonForm):
    """A dice set of one house, and the house to which it goes."""

    field_order = ("dice_set", "target", "reason")
    dice_set = forms.ChoiceField(label=_("Dice set"))
    target = forms.CharField(
        label=_("To which house"),
        max_length=80,
        widget=forms.TextInput(attrs={"list": "houses-of-chain", "autocomplete": "off"}),
    )


class AnswerForm(ActForm):
    """The answer to a proposal; a reason is needed to reject it."""

    answer = forms.CharField(
        label=_("Reason"), max_length=500, required=False, help_text=_("Needed to reject it.")
    )
