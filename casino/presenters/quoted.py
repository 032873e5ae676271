"""Rules in their own words, to stand beside a payout: quoted from the page of each game."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils import translation

from casino.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RULE: Final = re.compile(r"^- \*\*([A-Z]{1,2}\d+)\*\* (.+(?:\n  .+)*)", re.MULTILINE)
# What is markup there is left out here: the values of options, links, emphasis.
MARKUP: Final = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s*`\[[^`]*\]`"), ""),
    (re.compile(r"([.:;,])[.:;,]+"), r"\1"),  # of two marks that then stand together, the first
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"[`*]"), ""),
    (re.compile(r"^\W+"), ""),
)
SENTENCE: Final = re.compile(r".+?[.](?=\s|$)")


def quoted(ruleset: str, cited: Iterable[str], texts: str = "") -> list[dict[str, str]]:
    """The rules that are cited or named in a text, once each, in the order of their first use."""
    known = rules(ruleset)
    numbers = dict.fromkeys([*cited, *_number().findall(texts)])
    return [{"number": each, "text": known[each]} for each in numbers if each in known]


def in_short(ruleset: str, number: str) -> str:
    """The first sentence of a rule; empty for one that the game's page does not have."""
    text = rules(ruleset).get(number, "")
    first = SENTENCE.match(text)
    return first.group() if first else text


def rules(ruleset: str) -> Mapping[str, str]:
    """Every numbered rule of a game's page, as plain text; in the reader's language where it is."""
    return _rules(ruleset, translation.get_language() or "")


@cache
def _rules(ruleset: str, language: str) -> Mapping[str, str]:
    page = games()[ruleset].page
    translated = page.parent / language / page.name
    if language and translated.exists():
        page = translated
    return {number: _plain(text) for number, text in RULE.findall(page.read_text(encoding="utf-8"))}


@cache
def _number() -> re.Pattern[str]:
    """A number of a rule: of a game, of all games (G), of home throws (H)."""
    letters = "|".join([*(game.letters for game in games().values()), "G", "H"])
    return re.compile(rf"\b(?:{letters})\d+\b")


def _plain(text: str) -> str:
    for markup, instead in MARKUP:
        text = markup.sub(instead, text)
    return text[:1].upper() + text[1:]
