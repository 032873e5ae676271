"""The form of the house itself: its name, money, gaming day and thresholds."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.denominations import sound_denominations
from casino.house.establishments.models import Establishment
from casino.kit.web.forms import offer
from casino.settings.configuration import columns
from casino.settings.configuration.forms.coin import CoinForm
from casino.words.languages import amounts
from casino.words.languages.date_fields import ClockField
from casino.words.languages.fields import whole
from casino.words.languages.locales import LOCALES

DENOMINATION: Final = re.compile(
    r"\s*([0-9]{1,3}(?:[.,'\s][0-9]{3})+(?:[.,][0-9]{1,4})?(?!\S)|[0-9]{1,16}(?:[.,][0-9]{1,4})?)"
    r"(?![0-9.,'])\s*(.*?)\s*"
)
"""A value as people write amounts, then a name. Any other line is refused."""


class HouseForm(CoinForm):
    time_zone = forms.ChoiceField(label=columns.heading(Establishment, "time_zone"))
    language = forms.ChoiceField(
        label=columns.heading(Establishment, "language"),
        required=False,
        choices=[("", gettext_lazy("as each browser asks")), *settings.LANGUAGES],
        help_text=gettext_lazy("For who has chosen none of their own."),
    )
    locale = forms.ChoiceField(
        label=columns.heading(Establishment, "locale"),
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
