"""What the house sends a device: a game's events, what only the house knows, and translations."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.formats import get_format
from django.utils.translation import template as templates
from django.utils.translation import trans_real

from casino.floor.tables.board import boards
from casino.floor.tables.offline import pure
from casino.house.acts.game_streams import catalogue
from casino.words.languages import locales
from casino.words.languages import messages as sentences
from casino.words.languages.catalogues import sentences as in_source
from casino.words.languages.spelling import spelling
from casino.words.presenters import PRESENTERS
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.floor.tables.board.boards import Seen
    from casino.floor.tables.board.drawing_data import Given
    from ledger.wire import StoredEvent


def game_as_json(seen: Seen, after: int = 0, known: Given | None = None) -> dict[str, Any]:
    """
    A game as JSON.

    ``ruleset``, ``rules_version``; ``version``: how many events there are; ``events``: those after
    `after`, each as the ledger has it, with tokens of players and texts that ``given`` has the
    meanings of; ``given``: see `casino.floor.tables.board.drawing_data`. A device that has nothing
    yet also gets what does not change while it shows the game: ``words``, the texts of its board in
    the reader's language, and ``locale``, how the house writes figures.

    :param after: the last event that the device has; 0 if it has none.
    :param known: the result of `boards.collect_given`, if it is known already.
    """
    loaded = seen.loaded
    answer = {
        "ruleset": loaded.ruleset.id,
        "rules_version": loaded.ruleset.version,
        "version": loaded.version,
        "events": [_event(event) for event in loaded.events[after:]],
        "given": boards.collect_given(seen) if known is None else known,
    }
    return answer if after else {**answer, "words": words(loaded.ruleset.id), "locale": locale()}


def locale() -> dict[str, Any]:
    """How the house writes amounts and the time of day, for texts that a device writes."""
    own = locales.current()
    return {
        "name": own,
        "coins": spelling(),
        "time": get_format("TIME_FORMAT", lang=own, use_l10n=True),
    }


def _event(event: StoredEvent) -> dict[str, Any]:
    """
    The event's own data without provenance. ``clock``: its time as the house writes it; ``second``:
    the same in seconds since 1970.
    """
    provenance = event.provenance
    return {
        "number": event.stream_version,
        "type": event.event_type,
        "data": {name: each for name, each in event.data.items() if name not in catalogue.PINNED},
        "at": provenance.occurred_at.isoformat(timespec="seconds"),
        "second": int(provenance.occurred_at.timestamp()),
        "clock": locales.clock(provenance.occurred_at),
        "actor": provenance.actor,
        "command_id": str(provenance.command_id),
    }


#
# The translations that a game needs on a device: of the whole catalogue only these.
#
# The texts of its board, and the sentences of its rules, which are made in English. Both are
# collected from their sources: the modules that render, describe and decide the game, and the
# templates of its board.


TEMPLATES: Final = (
    "floor/tables/_*.html",
    "floor/tables/board/*.html",
    "floor/tables/entry/*.html",
)
SPOKEN: Final = {
    "_": "text", "gettext": "text", "gettext_lazy": "text", "gettext_noop": "text",
    "ngettext": "counted", "ngettext_lazy": "counted",
    "pgettext": "within", "pgettext_lazy": "within",
    "npgettext": "both", "npgettext_lazy": "both",
}  # fmt: skip
EXPLAINING: Final = re.compile(r"\.(explain|odds|regrade|transcripts)")
"""Modules of the rules that say nothing when a command is put."""
IN_CONTEXT: Final = "\4"  # between a context and its message, as in gettext catalogues
COUNTED: Final = "\1"  # between singular and plural


class Message(NamedTuple):
    """A text to be translated, preceded by any context; `many`: its plural, if it has one."""

    one: str
    many: str = ""


def words(ruleset: str) -> dict[str, Any]:
    """
    The current language, and the catalogue's translations for a game.

    ``messages``: for its board, by text, or by singular and plural with a list of both forms.
    ``sentences``: for what its rules say, by pattern (`casino.words.languages.patterns`). English
    has no translations; its sentences are patterns all the same where a coin has decimals.
    """
    language = translation.get_language() or settings.LANGUAGE_CODE
    as_they_are = sentences.as_they_are(language, spelling())
    return {
        "language": language,
        "messages": _translations(ruleset, language),
        "sentences": {} if as_they_are else _sentences(ruleset, language),
    }


@cache
def _sentences(ruleset: str, language: str) -> dict[str, str]:
    known = sentences.entries(language)
    return {text: known[text] for text in sorted(spoken(ruleset)) if text in known}


@cache
def spoken(ruleset: str) -> frozenset[str]:
    """All sentences that the rules of a game may say, as patterns, and the words in their holes."""
    found = (in_source.of(_parse(module), rules=True) for module in rules(ruleset))
    return frozenset(chain(in_source.WORDS, *found))


def rules(ruleset: str) -> list[str]:
    """The modules that decide a game, without those that only explain it or know its odds."""
    package = games()[ruleset].rules
    own, shared = package.split(".", maxsplit=1)[0], "games"
    found, waiting = set[str](), [package, "casino.floor.tables.offline.foresee"]
    while waiting:
        found.add(each := waiting.pop())
        waiting += [
            name
            for name in _imports_of(each)
            if name.split(".", maxsplit=1)[0] in {own, shared}
            and name not in found
            and not EXPLAINING.search(name)
            and _is_module(name)
        ]
    return sorted(found)


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@cache
def _translations(ruleset: str, language: str) -> dict[str, str | list[str]]:
    catalog = trans_real.translation(language)
    found: dict[str, str | list[str]] = {}
    for one, many in messages(ruleset):
        if many:
            forms = [catalog.ngettext(one, many, number) for number in (1, 2)]
            if forms != [one, many]:
                found[f"{one}{COUNTED}{many}"] = forms
        elif (translation := catalog.gettext(one)) != one:
            found[one] = translation
    return found


@cache
def messages(ruleset: str) -> tuple[Message, ...]:
    """All texts that the board of a game may show, sorted."""
    of_modules = (each for module in modules(ruleset) for each in _of_python(module))
    of_templates = (each for path in _templates(ruleset) for each in _of_template(path))
    return tuple(sorted({*of_modules, *of_templates}))


def modules(ruleset: str) -> list[str]:
    """The modules that render and describe a game, without other games' presenters."""
    own = _modules_needed_by(type(PRESENTERS[ruleset]).__module__)
    others = {
        module
        for presenter in PRESENTERS.values()
        for module in _modules_needed_by(type(presenter).__module__)
    }
    return [module for module in pure() if module in own or module not in others]


def _modules_needed_by(module: str) -> frozenset[str]:
    """A pure module and the pure modules that it imports, directly or not."""
    found, waiting = set[str](), [module]
    while waiting:
        found.add(each := waiting.pop())
        waiting += [name for name in _imports_of(each) if name in pure() and name not in found]
    return frozenset(found)


def _imports_of(module: str) -> Iterator[str]:
    for node in ast.walk(_parse(module)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


@cache
def _parse(module: str) -> ast.Module:
    path = import_module(module).__file__ or ""
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def _of_python(module: str) -> Iterator[Message]:
    yield from _spoken(_parse(module))


def _templates(ruleset: str) -> Iterator[Path]:
    roots: list[str] = settings.TEMPLATES[0]["DIRS"]  # type: ignore[assignment]  # as we set it
    for root in roots:
        for pattern in (*TEMPLATES, f"presenters/{ruleset}/*.html"):
            yield from sorted(Path(root).glob(pattern))


CALL: Final = re.compile(
    r"""\b(n?p?gettext|_)\(((?:\s*u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*,?)+)"""
)


def _of_template(path: Path) -> Iterator[Message]:
    """The messages of a template, found with the function that Django's `makemessages` uses."""
    source = templates.templatize(path.read_text(encoding="utf-8"), origin=str(path))
    for name, given in CALL.findall(source):
        yield from _spoken(ast.parse(f"{name}({given.rstrip().rstrip(',')})"))


def _spoken(tree: ast.AST) -> Iterator[Message]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        kind = SPOKEN.get(node.func.id)
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        texts = [each for each in given if isinstance(each, str)]
        match kind, texts:
            case "text", [text, *_]:
                yield Message(text)
            case "counted", [one, many, *_]:
                yield Message(one, many)
            case "within", [context, text, *_]:
                yield Message(f"{context}{IN_CONTEXT}{text}")
            case "both", [context, one, many, *_]:
                yield Message(f"{context}{IN_CONTEXT}{one}", many)
