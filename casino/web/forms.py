"""Forms of the office: each is one act, under an id that the page made for it."""

from __future__ import annotations

import uuid

from django import forms


class ActForm(forms.Form):
    """A form whose hidden ``command_id`` makes a double tap, or a retry, one act."""

    command_id = forms.UUIDField(widget=forms.HiddenInput, required=True)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django's own
        self.initial.setdefault("command_id", uuid.uuid4())

    @property
    def act_id(self) -> uuid.UUID:
        """The command id of the act; after `is_valid`."""
        given: uuid.UUID = self.cleaned_data["command_id"]
        return given
