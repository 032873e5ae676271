"""Extracts all texts that have to be translated from the source, with the file of each."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.utils.translation.template import templatize

from casino.words.languages.catalogues import sentences
from casino.words.languages.messages import CONTEXT, ODDS

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    | casino/(play/dice/odds | demo | words/presenters/odds)/(?!pages)
    | casino/(engine/(logs/health | databases/guards) | office/monitoring)
    | casino/words/presenters/(registered|\w+/(odds|demo|throws))\.py
    | casino/(config/(embedded|settings) | engine/processes/data_lock)""",
    re.VERBOSE,
)
"""Files whose plain sentences only programs and developers read; they are not translated."""
OF_ODDS: Final = re.compile(r"casino/words/presenters/(odds/\w+|\w+/odds)\.py")
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
class Message:
    """A text to translate. `where`: its file, from the root on; `context`: gettext's `msgctxt`."""

    text: str
    where: str
    plural: str = ""
    context: str = ""


@cache
def everything() -> tuple[Message, ...]:
    """All texts to translate: from templates, gettext calls in Python, and sentence patterns."""
    return tuple(_everything())


def _everything() -> Iterator[Message]:
    for folder in ("templates", "casino/words/presenters"):
        for path in files(folder, ".html"):
            yield from of_template(path)
    for folder in ("casino", "games", "ledger"):
        for path in files(folder, ".py"):
            yield from of_python(path)
    for required, test in CONTROL.findall((ROOT / CONTROLS).read_text(encoding="utf-8")):
        yield Message(required, CONTROLS, context="control")
        claim = f"{test[0].upper()}{test[1:]}".replace("_", " ")
        yield Message(claim, CONTROLS, context="control")
    for word in sentences.WORDS:
        yield Message(word, "games/vocabulary.py", context=CONTEXT)
    for word in sentences.WORDS_OF_ODDS:
        yield Message(word, "casino/words/presenters/odds/answers.py", context=ODDS)


def files(folder: str, ending: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob(f"*{ending}"))
    return [path for path in found if not {"migrations", "catalogues"} & set(path.parts)]


def of_template(path: Path) -> Iterator[Message]:
    """The texts in a template's tags. Django turns the tags into gettext calls, as makemessages."""
    where = str(path.relative_to(ROOT))
    for name, *given in CALL.findall(templatize(path.read_text(encoding="utf-8"))):
        texts = [ast.literal_eval(text) for text in given if text]
        if (message := _message(name, texts, where)) is not None:
            yield message


def of_python(path: Path) -> Iterator[Message]:
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
            yield Message(text, where, context=CONTEXT)
    if OF_ODDS.fullmatch(where) or where.endswith("/opening.py"):
        for text in sentences.of_odds(tree, opening=where.endswith("/opening.py")):
            yield Message(text, where, context=ODDS)


def _message(name: str, texts: list[str], where: str) -> Message | None:
    match texts:
        case [str(text), *_] if name in PLAIN:
            return Message(text, where)
        case [str(one), str(many), *_] if name in PLURAL:
            return Message(one, where, plural=many)
        case [str(context), str(text), *_] if name in MEANT:
            return Message(text, where, context=context)
        case [str(context), str(one), str(many), *_] if name in MEANT_PLURAL:
            return Message(one, where, plural=many, context=context)
        case _:
            return None
