"""
Sentences made below any surface, in the reader's words.

The rules refuse and explain in plain English, and that is what the ledger keeps; nothing there
knows of languages. Where such a sentence is shown, it is found again among the patterns it can have
come from and translated into the reader's language, with the same names, figures and rule numbers.
A sentence that fits no pattern stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from django.utils import translation
from django.utils.translation import trans_real

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONTEXT: Final = "sentence"
"""What the catalogue has these under."""
SEPARATOR: Final = "\x04"  # gettext's, between context and text
HOLE: Final = re.compile(r"\{(\w+)(:words)?\}")
LISTED: Final = re.compile(r"(; |, | and | or )")
WITHIN: Final = r"(?:(?!(?<=[.)]) ).)*?"
"""What a hole holds: nothing that goes over the end of a sentence,"""
AT_THE_END: Final = WITHIN + r"(?<!\.)"
"""and where it ends a part, no part that is a sentence,"""
SENTENCES: Final = ".*?"
"""but where sentences of their own are what stands there: before another one, behind a colon."""
BETWEEN: Final = re.compile(r"(?<=[.)]) ")
LONGEST: Final = 4000  # letters; nothing that is made here comes near
SENTENCES_MOST: Final = 24


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with holes, as English has it and as the language does."""

    fits: str
    """A regular expression."""
    translation: str
    words: frozenset[str]
    """The holes that may hold words, not names."""
    plain: int
    """How many letters stand outside of holes: of two patterns that fit, the closer has more."""
    longest: str
    """The longest piece outside of holes, looked for first: most patterns are out by it."""


def translated(text: str) -> str:
    """A sentence or several, or a part of one, in the language that is spoken now."""
    language = translation.get_language() or ""
    if language.startswith("en") or not text or len(text) > LONGEST:
        return text
    return _translated(text, language)


@lru_cache(maxsize=4096)
def _translated(text: str, language: str) -> str:
    if (whole := _one(text, language)) is not None:
        return whole
    parts = BETWEEN.split(text)
    if len(parts) == 1 or len(parts) > SENTENCES_MOST:
        return text
    return " ".join(_each(parts, language))


def _each(parts: list[str], language: str) -> Iterator[str]:
    """Of several sentences each by itself. What looks like several may be one: longest first."""
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
    """One sentence or part; None if no pattern fits."""
    plain, patterns = _patterns(language)
    if text in plain:
        return plain[text]
    for pattern in patterns:
        if pattern.longest in text and (found := _compiled(pattern.fits).fullmatch(text)):
            return _filled(pattern, found.groupdict(), language)
    return None


def _filled(pattern: Pattern, holes: Mapping[str, str], language: str) -> str:
    filled = {
        name: _part(value, language) if name in pattern.words else value
        for name, value in holes.items()
    }
    return (
        HOLE.sub(lambda hole: filled[hole[1]], pattern.translation)
        .replace("{{", "{")
        .replace("}}", "}")
    )


def _part(text: str, language: str) -> str:
    """What stands in a hole that may hold words: a part of its own, a list of them, or a figure."""
    pieces = LISTED.split(text)
    listed = all(_one(piece, language) is not None for piece in pieces[::2])
    if not listed and (whole := _translated(text, language)) != text:
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
    """What the catalogue has: texts without holes, and patterns, the closest first."""
    mine = CONTEXT + SEPARATOR
    catalogue = trans_real.translation(language)._catalog  # type: ignore[attr-defined]  # noqa: SLF001
    entries = {
        key.removeprefix(mine): translated_text
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
        f"(?P<{hole[1]}>{_holding(before, after, bool(hole[2]))}){re.escape(after)}"
        for hole, before, after in zip(holes, outside, outside[1:], strict=False)
    )
    return Pattern(
        fits=fits,
        translation=translated_text,
        words=frozenset(hole[1] for hole in holes if hole[2]),
        plain=sum(map(len, outside)),
        longest=max(outside, key=len),
    )


def _holding(before: str, after: str, words: bool) -> str:  # noqa: FBT001 - private
    """What may stand in a hole, by what stands before and after it."""
    ending = before.endswith((": ", "; ")) and not after
    if words and (ending or re.match(" [A-Z]", after)):
        return SENTENCES
    if after.startswith("; "):  # what comes before the last of them is one part
        return WITHIN.removesuffix("?")
    return WITHIN if after else AT_THE_END


@cache
def _compiled(fits: str) -> re.Pattern[str]:
    """Of the hundreds of patterns few are ever asked for, and no request waits for them all."""
    return re.compile(fits, re.DOTALL)


def _outside(text: str) -> list[str]:
    """The pieces before, between and behind holes, as they stand in a sentence."""
    pieces, last = [], 0
    for hole in HOLE.finditer(text):
        pieces.append(text[last : hole.start()])
        last = hole.end()
    return [piece.replace("{{", "{").replace("}}", "}") for piece in (*pieces, text[last:])]
