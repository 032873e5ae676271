"""
Translates English sentences that were made below any surface into the reader's language.

The rules refuse and explain in plain English, the ledger keeps that text, and neither knows of
languages. When such a sentence is shown, this module finds the pattern of the catalogue that it was
made from and fills the pattern's translation with the same names, figures and rule numbers.
A sentence that fits no pattern stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from django.utils import translation
from django.utils.translation import trans_real

from casino.languages.amounts import coins_of, money
from casino.languages.spelling import spelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from casino.languages.spelling import Spelling

CONTEXT: Final = "sentence"
"""The gettext context (`msgctxt`) of these sentences in the catalogues."""
SEPARATOR: Final = "\x04"  # gettext's own, between context and text
HOLE: Final = re.compile(r"\{(\w+)(:words)?\}")
LISTED: Final = re.compile(r"(; |, | and | or )")
WITHIN: Final = r"(?:(?!(?<=[.)]) ).)*?"
"""What a hole may hold: a text that does not go beyond the end of a sentence."""
AT_THE_END: Final = WITHIN + r"(?<!\.)"
"""What a hole at the end of a pattern may hold: besides, no text that ends with a full stop."""
ALONE: Final = r"\S+?"
"""What an amount at the beginning of a pattern is: "at most 300 coins" is not "{amount} coins"."""
SENTENCES: Final = ".*?"
"""What a hole for whole sentences may hold: one before another sentence, or after a colon."""
BETWEEN: Final = re.compile(r"(?<=[.)]) ")
AMOUNTS: Final = frozenset(
    {"amount", "stake", "stakes", "least", "greatest", "price", "pay", "cap", "owed", "ante",
     "held", "free", "awaited", "min_raise", "large_prize", "waits", "together", "coin_value",
     "PAY_AT_START", "COINS_MAX"}
)  # fmt: skip
"""The names of holes that hold an amount of money if they hold a figure."""
FIGURE: Final = re.compile(r"-?[0-9]+")
COUNTED: Final = re.compile(r"([0-9]+) coins?")
"""An amount whose word is left out where the smallest coin is not what people count in."""
ANY: Final = "it"  # a catalogue that has every pattern; English has none of its own
LONGEST: Final = 4000  # letters; no sentence of the house is nearly as long
SENTENCES_MOST: Final = 24


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with holes, in English and in another language."""

    fits: str
    """A regular expression that matches the English sentence."""
    translation: str
    words: frozenset[str]
    """The names of the holes that may hold words, which are translated too; others hold names."""
    plain: int
    """The number of letters outside of holes. Patterns with more of them are tried first."""
    longest: str
    """The longest piece outside of holes. Looking for it first rules out most patterns."""


def translated(text: str) -> str:
    """
    One or several sentences, or a part of one, translated into the active language.

    Amounts in them are written with the decimals of the house's coin: the rules count in the
    smallest one.
    """
    language = translation.get_language() or ""
    spelled = spelling()
    in_smallest_coins = not spelled[1]
    if (language.startswith("en") and in_smallest_coins) or not text or len(text) > LONGEST:
        return text
    return _translated(text, language, spelled)


@lru_cache(maxsize=4096)
def _translated(text: str, language: str, spelled: Spelling) -> str:
    del spelled  # part of the cache's key, since amounts within are written by it
    if (whole := _one(text, language)) is not None:
        return whole
    parts = BETWEEN.split(text)
    if len(parts) == 1 or len(parts) > SENTENCES_MOST:
        return text
    return " ".join(_each(parts, language))


def _each(parts: list[str], language: str) -> Iterator[str]:
    """
    The translations of several sentences.

    What looks like several sentences may be one pattern, so the longest sequences are tried first.
    """
    start = 0
    while start < len(parts):
        for end in range(len(parts), start, -1):
            found = _one(" ".join(parts[start:end]), language)
            if found is not None:
                yield found
                start = end
                break
        else:
            yield parts[start]
            start += 1


def _one(text: str, language: str) -> str | None:
    """The translation of one sentence or part; None if no pattern fits."""
    if spelling()[1] and (counted := COUNTED.fullmatch(text)):
        return money(int(counted[1]))
    plain, patterns = _patterns(language)
    if text in plain:
        return plain[text]
    for pattern in patterns:
        if pattern.longest in text and (found := _compiled(pattern.fits).fullmatch(text)):
            return _filled(pattern, found.groupdict(), language)
    return None


def _filled(pattern: Pattern, holes: Mapping[str, str], language: str) -> str:
    filled = {
        name: _hole(name, value, language if name in pattern.words else "")
        for name, value in holes.items()
    }
    return (
        HOLE.sub(lambda hole: filled[hole[1]], pattern.translation)
        .replace("{{", "{")
        .replace("}}", "}")
    )


def _hole(hole: str, value: str, language: str) -> str:
    """
    What stands in a hole: an amount as the house writes it, words translated, a name as it is.

    :param language: the language of words; "" in a hole that holds none.
    """
    if hole.rstrip("0123456789") in AMOUNTS and FIGURE.fullmatch(value):
        return coins_of(int(value))
    return _part(value, language) if language else value


def _part(text: str, language: str) -> str:
    """The translation of a hole's content: a text of the catalogue, a list of them, or a figure."""
    pieces = LISTED.split(text)
    listed = all(_one(piece, language) is not None for piece in pieces[::2])
    if not listed and (whole := _translated(text, language, spelling())) != text:
        return whole
    joiners = {" and ": _joiner("and", language), " or ": _joiner("or", language)}
    return "".join(
        joiners.get(piece, piece) if place % 2 else _one(piece, language) or piece
        for place, piece in enumerate(pieces)
    )


def _joiner(word: str, language: str) -> str:
    plain, _ = _patterns(language)
    return f" {plain.get(word, word)} "


@cache
def _patterns(language: str) -> tuple[Mapping[str, str], tuple[Pattern, ...]]:
    """A language's catalogue: texts without holes; patterns, those with most plain text first."""
    mine = CONTEXT + SEPARATOR
    english = language.startswith("en")
    known = ANY if english else language
    catalogue = trans_real.translation(known)._catalog  # type: ignore[attr-defined]  # noqa: SLF001
    entries = {
        key.removeprefix(mine): key.removeprefix(mine) if english else translated_text
        for key, translated_text in catalogue.items()
        if isinstance(key, str)
        and key.startswith(mine)
        and isinstance(translated_text, str)
        and translated_text
    }
    plain = {
        text: translated_text for text, translated_text in entries.items() if not HOLE.search(text)
    }
    patterns = [
        _pattern(text, translated_text)
        for text, translated_text in entries.items()
        if HOLE.search(text)
    ]
    return plain, tuple(sorted(patterns, key=lambda each: -each.plain))


def _pattern(text: str, translated_text: str) -> Pattern:
    outside, holes = _outside(text), list(HOLE.finditer(text))
    fits = re.escape(outside[0]) + "".join(
        f"(?P<{hole[1]}>{_holding(hole, before, after)}){re.escape(after)}"
        for hole, before, after in zip(holes, outside, outside[1:], strict=False)
    )
    return Pattern(
        fits=fits,
        translation=translated_text,
        words=frozenset(hole[1] for hole in holes if hole[2]),
        plain=sum(map(len, outside)),
        longest=max(outside, key=len),
    )


def _holding(hole: re.Match[str], before: str, after: str) -> str:
    """The regular expression for a hole, which depends on the text before and after it."""
    words = bool(hole[2])
    if not before and not words and hole[1] in AMOUNTS:
        return ALONE
    ending = before.endswith((": ", "; ")) and not after
    if words and (ending or re.match(" [A-Z]", after)):
        return SENTENCES
    if after.startswith("; "):  # greedy: the hole goes up to the last "; "
        return WITHIN.removesuffix("?")
    return WITHIN if after else AT_THE_END


@cache
def _compiled(fits: str) -> re.Pattern[str]:
    """The compiled pattern. Only patterns in use are compiled, since there are hundreds."""
    return re.compile(fits, re.DOTALL)


def _outside(text: str) -> list[str]:
    """The pieces of a pattern before, between and after its holes, with braces unescaped."""
    pieces, last = [], 0
    for hole in HOLE.finditer(text):
        pieces.append(text[last : hole.start()])
        last = hole.end()
    return [piece.replace("{{", "{").replace("}}", "}") for piece in (*pieces, text[last:])]
