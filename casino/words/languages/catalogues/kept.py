"""The catalogue files: `locale/<language>/LC_MESSAGES/django.po` and `django.mo`."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from casino.words.languages.catalogues.extracted import ROOT, everything

if TYPE_CHECKING:
    from pathlib import Path

    from babel.messages.catalog import Message

LANGUAGES: Final = ("it",)
"""The languages with a catalogue; English, the language of the source, needs none."""
FLOOR: Final = (
    "templates/tables/", "templates/sign_in/", "templates/base.html", "templates/web/",
    "templates/403", "templates/404", "templates/409", "templates/50", "templates/wall",
    "templates/cash/",
    "casino/floor/tables/", "casino/floor/guests/wall/",
    "casino/settings/staff/", "casino/money/cash/", "casino/kit/web/",
    "casino/play/core/", "casino/play/settlement/",
    "casino/play/devices/", "casino/house/attendants/", "casino/house/acts/custody/",
    "casino/house/acts/game_streams/", "casino/words/presenters/",
    "casino/config/storage", "games/",
)  # fmt: skip
"""Where the texts come from that people at a table may read. All of them must be translated."""
NEVER: Final = datetime(2026, 11, 22, tzinfo=UTC)
"""The fixed date in all catalogues, so that making one again gives the same file."""


def folder(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES"


def read(language: str) -> Catalog:
    path = folder(language) / "django.po"
    if not path.exists():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def merge(language: str) -> Catalog:
    """A catalogue of all texts in the source, with the translations from the stored one."""
    known, fresh = read(language), _empty(language)
    for message in everything():
        ids = (message.text, message.plural) if message.plural else message.text
        fresh.add(ids, context=message.context or None, locations=[(message.where, 0)])
    for each in fresh:
        before = known.get(each.id, each.context) if each.id else None
        if before is not None and before.id == each.id and _is_translated(before):
            each.string, each.user_comments = before.string, before.user_comments
    return fresh


def po_content(catalog: Catalog) -> bytes:
    """The content of the .po file, sorted by the file in which a text first occurs."""
    file = BytesIO()
    write_po(file, catalog, width=100, include_lineno=False, sort_by_file=True)
    return file.getvalue()


def mo_content(catalog: Catalog) -> bytes:
    """The content of the .mo file: the translated texts."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def brought_up_to_date(language: str) -> None:
    catalog = merge(language)
    folder(language).mkdir(parents=True, exist_ok=True)
    (folder(language) / "django.po").write_bytes(po_content(catalog))
    (folder(language) / "django.mo").write_bytes(mo_content(catalog))


def up_to_date(language: str) -> bool:
    """Whether the .po file matches the source, and the .mo file the .po file."""
    source, kept = _translations(merge(language)), _translations(read(language))
    mo = folder(language) / "django.mo"
    return source == kept and mo.exists() and mo.read_bytes() == mo_content(read(language))


def missing(language: str) -> list[Message]:
    return [each for each in read(language) if each.id and not _is_translated(each)]


def missing_on_the_floor(language: str) -> list[Message]:
    return [each for each in missing(language) if on_the_floor(each)]


def on_the_floor(message: Message) -> bool:
    return any(where.startswith(FLOOR) for where, _ in message.locations)


def size(language: str) -> int:
    return len(read(language))


def _is_translated(message: Message) -> bool:
    texts = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(texts)


def _translations(catalog: Catalog) -> set[object]:
    """
    The texts of a catalogue with their translations; None for an untranslated text.

    An untranslated text has no string in a catalogue from the source, and an empty one in a file.
    """
    return {
        (each.context, each.id, each.string if _is_translated(each) else None)
        for each in catalog
        if each.id
    }


def _empty(language: str) -> Catalog:
    return Catalog(
        locale=language,
        project="Home Throw",
        copyright_holder="",
        msgid_bugs_address="",
        creation_date=NEVER,
        revision_date=NEVER,
        last_translator="",
        language_team="",
        header_comment="# How the house speaks. docs/reference/languages.md has its words.",
        fuzzy=False,
    )
