"""Quotes rules by number from the page of each game's rules, to show them beside a payout."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils import translation

from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RULE: Final = re.compile(r"^- \*\*([A-Z]{1,2}\d+)\*\* (.+(?:\n  .+)*)", re.MULTILINE)
# Markup of the page that quotes leave out: the values of options, what only code calls so, links,
# emphasis.
MARKUP: Final = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s*`\[[^`]*\]`"), ""),
    (re.compile(r"\s*\((?:`[^`]*`(?:, )?)+\)"), ""),
    (re.compile(r"\(`[^`]*`: "), "("),
    (re.compile(r"(?<=[a-z])_(?=[a-z])"), " "),
    (re.compile(r"([.:;,])[.:;,]+"), r"\1"),  # two marks that now adjoin: keep the first
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"[`*]"), ""),
    (re.compile(r"^\W+"), ""),
)
SENTENCE: Final = re.compile(r".+?[.](?=\s|$)")


def quote(ruleset: str, cited: Iterable[str], texts: str = "") -> list[dict[str, str]]:
    """The rules that are cited or occur in a text, each once, in the order of their first use."""
    known = rules(ruleset)
    numbers = dict.fromkeys([*cited, *_number().findall(texts)])
    return [{"number": each, "text": known[each]} for each in numbers if each in known]


def in_short(ruleset: str, number: str) -> str:
    """The first sentence of a rule; "" if the game's page does not have the rule."""
    text = rules(ruleset).get(number, "")
    first = SENTENCE.match(text)
    return first.group() if first else text


def rules(ruleset: str) -> Mapping[str, str]:
    """All numbered rules of a game's page as plain text, in the reader's language if translated."""
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
    """The pattern of a rule number: of a game, of all games (G), of home throws (H)."""
    letters = "|".join([*(game.letters for game in games().values()), "G", "H"])
    return re.compile(rf"\b(?:{letters})\d+\b")


def _plain(text: str) -> str:
    for markup, instead in MARKUP:
        text = markup.sub(instead, text)
    return text[:1].upper() + text[1:]
