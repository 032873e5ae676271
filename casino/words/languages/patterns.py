"""
Translates sentences by the patterns that they were made from; pure, and compiled for devices.

A pattern is a sentence with holes, as in ``{player} has {amount} left.``; the sentence is found by
its pattern, and the pattern's translation is filled with the same names, figures and rule numbers.
A sentence that fits no pattern stays as it is.

The house takes the patterns from its catalogues (`casino.words.languages.messages`), a device gets
those of its game (`casino.floor.tables.offline.device_data`). The regular expressions are those
that Python and every browser read alike: without looking back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from casino.words.languages.amounts import coin_decimals, coins_of, money

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOLE: Final = re.compile(r"\{(\w+)(:words)?\}")
LISTED: Final = re.compile(r"(; |, | and | or )")
CAPITAL: Final = re.compile(r" [A-Z].*", re.DOTALL)
WITHOUT_AN_END: Final = "(?:[^.)]|[.)]+[^ .)])"
"""A step of a text that does not go beyond the end of a sentence."""
WITHIN: Final = f"{WITHOUT_AN_END}*?[.)]*?"
"""What a hole may hold: such a text, as short as possible."""
GREEDY: Final = f"{WITHOUT_AN_END}*[.)]*"
AT_THE_END: Final = rf"{WITHOUT_AN_END}*?(?:[.)]*?\))??"
"""What a hole at the end of a pattern may hold: besides, no text that ends with a full stop."""
ALONE: Final = "[^ ]+?"
"""What an amount at the beginning of a pattern is: "at most 300 coins" is not "{amount} coins"."""
SENTENCES: Final = ".*?"
"""What a hole for whole sentences may hold: one before another sentence, or after a colon."""
ENDS: Final = (".", ")")  # of a sentence, before the space that parts it from the next one
AMOUNTS: Final = frozenset(
    {"amount", "stake", "stakes", "least", "greatest", "price", "pay", "cap", "owed", "ante",
     "held", "free", "awaited", "min_raise", "large_prize", "waits", "together", "coin_value",
     "unit", "COINS_MAX"}
)  # fmt: skip
"""The names of holes that hold an amount of money if they hold a figure."""
FIGURE: Final = re.compile("-?[0-9]+")
COUNTED: Final = re.compile("([0-9]+) coins?")
"""An amount whose word is left out where the smallest coin is not what people count in."""
SYNTAX: Final = frozenset("\\^$.|?*+()[]{}/")  # what a regular expression takes for its own
DIGITS: Final = "0123456789"
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


@dataclass(frozen=True, slots=True)
class Patterns:
    """A language's texts without holes; and its patterns, those with most plain text first."""

    plain: Mapping[str, str]
    patterns: Sequence[Pattern]


def patterns_of(entries: Mapping[str, str]) -> Patterns:
    """The patterns of these English texts with their translations."""
    plain: dict[str, str] = {}
    patterns: list[Pattern] = []
    for text, translation in entries.items():
        pieces = HOLE.split(text)
        if len(pieces) == 1:
            plain[text] = translation
        else:
            patterns.append(_pattern(pieces, translation))
    return Patterns(plain, sorted(patterns, key=lambda each: -each.plain))


def translate(text: str, known: Patterns) -> str:
    """One or several sentences, or a part of one, by these patterns."""
    whole = _one(text, known)
    if whole is not None:
        return whole
    parts = _sentences(text)
    if len(parts) == 1 or len(parts) > SENTENCES_MOST:
        return text
    return " ".join(_each(parts, known))


def _sentences(text: str) -> list[str]:
    """What looks like several sentences, parted where each ends."""
    parts: list[str] = []
    for piece in text.split(" "):
        if parts and not parts[-1].endswith(ENDS):
            parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return parts


def _each(parts: Sequence[str], known: Patterns) -> list[str]:
    """
    The translations of several sentences.

    What looks like several sentences may be one pattern, so the longest sequences are tried first.
    """
    found: list[str] = []
    start = 0
    while start < len(parts):
        end = len(parts)
        whole = _one(" ".join(parts[start:end]), known)
        while whole is None and end > start + 1:
            end -= 1
            whole = _one(" ".join(parts[start:end]), known)
        found.append(parts[start] if whole is None else whole)
        start = end
    return found


def _one(text: str, known: Patterns) -> str | None:
    """The translation of one sentence or part; None if no pattern fits."""
    counted = COUNTED.fullmatch(text)
    if counted is not None and coin_decimals():
        return money(int(counted[1]))
    if text in known.plain:
        return known.plain[text]
    for pattern in known.patterns:
        if pattern.longest in text:
            found = _compile(pattern.fits).fullmatch(text)
            if found is not None:
                return _fill(pattern, found.groupdict(), known)
    return None


def _fill(pattern: Pattern, holes: Mapping[str, Any], known: Patterns) -> str:
    pieces = HOLE.split(pattern.translation)
    filled = [_unescape(pieces[0])]
    for name, after in zip(pieces[1::3], pieces[3::3], strict=True):
        value = str(holes[name])
        if name.rstrip(DIGITS) in AMOUNTS and FIGURE.fullmatch(value):
            filled.append(coins_of(int(value)))
        else:
            filled.append(_part(value, known) if name in pattern.words else value)
        filled.append(_unescape(after))
    return "".join(filled)


def _part(text: str, known: Patterns) -> str:
    """The translation of a hole's content: a text of the catalogue, a list of them, or a figure."""
    pieces = LISTED.split(text)
    parts = [_one(piece, known) for piece in pieces[::2]]
    if None in parts:
        whole = translate(text, known)
        if whole != text:
            return whole
    joiners = [_joiner(piece, known) for piece in pieces[1::2]]
    filled = [
        piece if part is None else part for piece, part in zip(pieces[::2], parts, strict=True)
    ]
    return "".join(
        [filled[0], *(f"{joiner}{part}" for joiner, part in zip(joiners, filled[1:], strict=True))]
    )


def _joiner(between: str, known: Patterns) -> str:
    """What stands between two items of a list: a mark, or a word of the catalogue."""
    word = between.strip()
    return f" {known.plain.get(word, word)} " if between in {" and ", " or "} else between


def _pattern(pieces: Sequence[str], translation: str) -> Pattern:
    """The pattern of a text that was parted at its holes: text, name, mark of words, text, …"""
    outside = [_unescape(piece) for piece in pieces[::3]]
    names, marks = pieces[1::3], pieces[2::3]
    fits = _escape(outside[0])
    for at, name in enumerate(names):
        holding = _holding(name, outside[at], outside[at + 1], bool(marks[at]))
        fits += f"(?P<{name}>{holding}){_escape(outside[at + 1])}"
    return Pattern(
        fits,
        translation,
        frozenset(name for name, mark in zip(names, marks, strict=True) if mark),
        sum(len(piece) for piece in outside),
        max(outside, key=len),
    )


def _holding(name: str, before: str, after: str, words: bool) -> str:  # noqa: FBT001 - private
    """The regular expression for a hole, which depends on the text before and after it."""
    if not before and not words and name in AMOUNTS:
        return ALONE
    ending = before.endswith((": ", "; ")) and not after
    if words and (ending or CAPITAL.fullmatch(after)):
        return SENTENCES
    if after.startswith("; "):  # the hole goes up to the last "; "
        return GREEDY
    return WITHIN if after else AT_THE_END


def _escape(text: str) -> str:
    return "".join(f"\\{each}" if each in SYNTAX else each for each in text)


def _unescape(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


@cache
def _compile(fits: str) -> re.Pattern[str]:
    """The compiled pattern. Only patterns in use are compiled, since there are hundreds."""
    return re.compile(fits, re.DOTALL)
