"""Names that people read: of houses, tables, tablets, dice and each other."""

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
    Refuse a name with invisible characters, by the same rule as for players
    (`games.characters.invisible`): characters that turn the direction of writing, or have no width,
    make one name look like another.
    """
    if (unseen := characters.invisible(name)) is not None:
        raise ValidationError(
            _("No name has %(character)s in it: nobody sees it."),
            code="invisible",
            params={"character": characters.name_character(unseen)},
        )


class NameField(CharField):
    """A model field for text in composed form (NFC): keyboards write a letter in different ways."""

    default_validators = [*CharField.default_validators, visible]

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return unicodedata.normalize("NFC", text) if isinstance(text, str) else text

    def deconstruct(self) -> Any:
        """Show migrations an ordinary Django column: what it accepts does not concern the table."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options
