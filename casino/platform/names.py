"""Names that people read, of houses, tables, tablets, dice and each other."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import characters

if TYPE_CHECKING:
    CharField = models.CharField[str, str]
else:
    CharField = models.CharField


def visible(name: str) -> None:
    """
    As the rules have it for players (`games.characters.invisible`): what turns the direction of
    writing, or has no width, makes one name look like another.
    """
    if (unseen := characters.invisible(name)) is not None:
        raise ValidationError(
            _("No name has %(character)s in it: nobody sees it."),
            code="invisible",
            params={"character": characters.named(unseen)},
        )


class NameField(CharField):
    """Text in composed form (NFC), as keyboards of different makers write it differently."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.default_validators = [*self.default_validators, visible]

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return unicodedata.normalize("NFC", text) if isinstance(text, str) else text

    def deconstruct(self) -> Any:
        """For migrations a column like any other: what it takes is no business of the table's."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options
