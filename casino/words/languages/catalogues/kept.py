"""The catalogue files: `locale/<language>/LC_MESSAGES/django.po` and `django.mo`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from casino.words.languages.catalogues import sentences
from casino.words.languages.messages import CONTEXT, ODDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Message

LANGUAGES: Final = ("it",)
"""The languages with a catalogue; English, the language of the source, needs none."""
FLOOR: Final = (
    "templates/floor/tables/", "templates/settings/sign_in/", "templates/base.html",
    "templates/kit/web/", "templates/floor/wall", "templates/403", "templates/404", "templates/409",
    "templates/50",
    "templates/money/cash/",
    "casino/floor/tables/", "casino/floor/guests/wall.py",
    "casino/settings/staff/", "casino/money/cash/", "casino/kit/web/",
    "casino/play/core/", "casino/play/settlement/",
    "casino/play/devices/", "casino/house/attendants/", "casino/house/acts/custody/",
    "casino/house/acts/game_streams/", "casino/words/presenters/",
    "casino/config/failures", "games/",
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


# Extracts all texts that have to be translated from the source, with the file of each.


ROOT: Final = Path(__file__).resolve().parents[4]
PLAIN: Final = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop"})
PLURAL: Final = frozenset({"ngettext", "ngettext_lazy"})
MEANT: Final = frozenset({"pgettext", "pgettext_lazy"})
MEANT_PLURAL: Final = frozenset({"npgettext", "npgettext_lazy"})
FOR_PROGRAMS: Final = re.compile(
    r"""ledger/ | games/(wire|regrade|transcripts|jsonlines)
    | casino/(\w+/)+((\w+_)?api\w*\.py | management/) | casino/settings/configuration/requests
    | casino/(kit/web/api | floor/tables/offline/compiling | words/languages)/
    | casino/proof/(backup | signing | verification(?!/proofs) | disputes/regrade)/(?!pages)
    | casino/(play/dice/odds | demo)/(?!pages)
    | casino/(engine/(logs/health | databases/guards) | office/monitoring)
    | casino/words/presenters/(registered|odds_tables|\w+/(odds|demo))\.py
    | casino/(config/(embedded|settings) | engine/processes/data_lock)""",
    re.VERBOSE,
)
"""Files whose plain sentences only programs and developers read; they are not translated."""
OF_ODDS: Final = re.compile(r"casino/words/presenters/(odds_tables|\w+/odds)\.py")
"""Files of what the odds say: in English to programs, translated on their page."""
TEXT: Final = r"""u?('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
CONTROLS: Final = "docs/reference/controls.md"
CONTROL: Final = re.compile(
    r"^\| [A-Z]\d[a-z]? \| (.+?)(?: \(`tests/[^)]*\))? \| .+ \| `.+::test_(\w+)` \|$", re.MULTILINE
)
"""A row of what auditors ask for: what is required, and the name of the test that proves it."""
CALL: Final = re.compile(
    rf"\b(_|gettext|ngettext|pgettext|npgettext)\(\s*{TEXT}(?:\s*,\s*{TEXT})?(?:\s*,\s*{TEXT})?"
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to translate. `where`: its file, from the root on; `context`: gettext's `msgctxt`."""

    text: str
    where: str
    plural: str = ""
    context: str = ""


@cache
def everything() -> tuple[SourceText, ...]:
    """All texts to translate: from templates, gettext calls in Python, and sentence patterns."""
    return tuple(_everything())


def _everything() -> Iterator[SourceText]:
    for folder in ("templates", "casino/words/presenters"):
        for path in files(folder, ".html"):
            yield from of_template(path)
    for folder in ("casino", "games", "ledger"):
        for path in files(folder, ".py"):
            yield from of_python(path)
    for required, test in CONTROL.findall((ROOT / CONTROLS).read_text(encoding="utf-8")):
        yield SourceText(required, CONTROLS, context="control")
        claim = f"{test[0].upper()}{test[1:]}".replace("_", " ")
        yield SourceText(claim, CONTROLS, context="control")
    for word in sentences.WORDS:
        yield SourceText(word, "games/vocabulary.py", context=CONTEXT)
    for word in sentences.WORDS_OF_ODDS:
        yield SourceText(word, "casino/words/presenters/odds_tables.py", context=ODDS)


def files(folder: str, ending: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob(f"*{ending}"))
    return [path for path in found if not {"migrations", "catalogues"} & set(path.parts)]


def of_template(path: Path) -> Iterator[SourceText]:
    """The texts in a template's tags. Django turns the tags into gettext calls, as makemessages."""
    where = str(path.relative_to(ROOT))
    for name, *given in CALL.findall(templatize(path.read_text(encoding="utf-8"))):
        texts = [ast.literal_eval(text) for text in given if text]
        if (message := _message(name, texts, where)) is not None:
            yield message


def of_python(path: Path) -> Iterator[SourceText]:
    where = str(path.relative_to(ROOT))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            values = [text.value for text in call.args if isinstance(text, ast.Constant)]
            texts = [value for value in values if isinstance(value, str)]
            name = getattr(call.func, "id", "")
            if (message := _message(name, texts, where)) is not None:
                yield message
    if not FOR_PROGRAMS.match(where):
        for text in sentences.of(tree, rules=where.startswith("games/")):
            yield SourceText(text, where, context=CONTEXT)
    if OF_ODDS.fullmatch(where) or where.endswith("/opening.py"):
        for text in sentences.of_odds(tree, opening=where.endswith("/opening.py")):
            yield SourceText(text, where, context=ODDS)


def _message(name: str, texts: list[str], where: str) -> SourceText | None:
    match texts:
        case [str(text), *_] if name in PLAIN:
            return SourceText(text, where)
        case [str(one), str(many), *_] if name in PLURAL:
            return SourceText(one, where, plural=many)
        case [str(context), str(text), *_] if name in MEANT:
            return SourceText(text, where, context=context)
        case [str(context), str(one), str(many), *_] if name in MEANT_PLURAL:
            return SourceText(one, where, plural=many, context=context)
        case _:
            return None
