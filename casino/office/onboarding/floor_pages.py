"""Set-up pages of the floor: its tables, and its dice sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding.frame import SECTION, adding, save, step
from casino.play.dice.models import DiceSet
from casino.settings.configuration.house_pages import reload
from casino.words.languages.fields import WholeField
from casino.words.presenters import registered
from casino.words.presenters.dice_labels import label

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment
    from casino.settings.configuration.operations import Adding, Changing

TABLES_MOST = 60
NAME = 40  # the most letters of a table's name


class TablesStep(ActForm):
    names = forms.CharField(
        label=gettext_lazy("Names of tables, one a line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Limits and more are set later, under Settings."),
    )
    wall = forms.BooleanField(
        label=gettext_lazy("Hang up wall boards, with a code that leads to a page for guests"),
        required=False,
        help_text=gettext_lazy(
            "For the house and each table: games, pots, rules, who waits. Without names and stakes"
            " until you say so. Their addresses stand under Settings, Tables."
        ),
    )

    def clean_names(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["names"].splitlines()]
        for number, name in enumerate(lines, 1):
            if len(name) > NAME:
                raise ValidationError(
                    _("Line %(line)s: a name has at most %(most)s letters.")
                    % {"line": number, "most": NAME}
                )
        found = list(dict.fromkeys(name for name in lines if name))
        if len(found) > TABLES_MOST:
            raise ValidationError(_("At most %(most)s at once.") % {"most": TABLES_MOST})
        return found


class DiceStep(ActForm):
    """Asks how many dice sets there are of each kind."""

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = house.tables.count()
        for place, (kind, games) in enumerate(registered.dice_kinds().items()):
            self.fields[kind.name] = WholeField(
                label=label(kind, games),
                min_value=0,
                max_value=99,
                initial=0 if place else tables,  # one set of the first kind for each table
                required=False,
            )

    def wanted(self) -> dict[str, int]:
        return {kind.name: self.cleaned_data[kind.name] or 0 for kind in registered.dice_kinds()}


@office("configure", section=SECTION)
def tables(page: Page) -> HttpResponse:
    there = list(page.house.tables.all())
    named = _("Table %(number)s")
    usual = "" if there else "\n".join(named % {"number": each} for each in range(1, 5))
    form = TablesStep(page.sent, initial={"names": usual})
    if form.is_valid() and not there and not form.cleaned_data["names"]:
        form.add_error("names", _("A house has one table or more."))

    def new(act: acts.Act) -> list[Adding | Changing]:
        wall = form.cleaned_data["wall"]
        made = onboarding.tables_of(page.house, form.cleaned_data["names"], wall=wall)
        hung = onboarding.boards_of(reload(page), there) if wall else []
        return [*adding(act, made), *hung]

    done = save(page, "tables", form, new)
    return done or step(page, "tables", {"form": form, "tables": there})


@office("configure", section=SECTION)
def dice(page: Page) -> HttpResponse:
    form = DiceStep(page.sent, house=page.house)

    def new(act: acts.Act) -> list[Adding]:
        return adding(act, onboarding.dice_of(page.house, form.wanted()))

    if (done := save(page, "dice", form, new)) is not None:
        return done
    sets = DiceSet.objects.filter(establishment=page.house)
    return step(page, "dice", {"form": form, "sets": sets})
