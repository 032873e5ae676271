"""The form with which a manager sets the house's next home throw."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms

from casino.house.home_throws.models import HomeThrow
from casino.house.home_throws.operations import check_faces

THREE_FACES = re.compile(r"\s*([1-8])\D*([1-8])\D*([1-8])\s*")


class HomeThrowForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    faces = forms.CharField(help_text="Three faces from 1 to 8, as 1-3-6.")
    story_text = forms.CharField(
        label="Story",
        widget=forms.Textarea,
        required=False,
        help_text="Where it comes from. Kept beside the ledger; it can be erased.",
    )
    override_reason = forms.CharField(
        label="Why it may score otherwise",
        required=False,
        help_text="Needed only where the three make another scoring throw.",
    )

    class Meta:
        model = HomeThrow
        fields: ClassVar = ["establishment", "game", "effective_from"]

    def clean_faces(self) -> tuple[int, int, int]:
        found = THREE_FACES.fullmatch(self.cleaned_data["faces"])
        if found is None:
            raise forms.ValidationError("Three faces from 1 to 8, as 1-3-6.")
        low, middle, high = sorted(int(face) for face in found.groups())
        return low, middle, high

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "faces" in cleaned:
            reasons = cleaned.get("override_reason", ""), cleaned.get("game", "")
            check_faces(cleaned["faces"], *reasons)
        return cleaned
