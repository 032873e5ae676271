"""The form of a home throw: three dice as they lie on the table, with a story (H1)."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from casino.house.home_throws.models import games
from casino.settings.configuration.forms.why_and_when import REASON
from games import stone

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
