"""
Translates English sentences that were made below any surface into the reader's language.

The rules refuse and explain in plain English, the ledger keeps that text, and neither knows of
languages. When such a sentence is shown, this module looks for the pattern of the catalogue that it
was made from (`casino.words.languages.patterns`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.utils import translation
from django.utils.translation import trans_real

from casino.words.languages.spelling import spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.languages.patterns import Patterns
    from casino.words.languages.spelling import Spelling

CONTEXT: Final = "sentence"
"""The gettext context (`msgctxt`) of these sentences in the catalogues."""
ODDS: Final = "odds"
"""The context of what the odds say: their words mean something else elsewhere, as "Void"."""
SEPARATOR: Final = "\x04"  # gettext's own, between context and text
LONGEST: Final = 4000  # letters; no sentence of the house is nearly as long
ANY: Final = "it"  # a catalogue that has every pattern; English has none of its own


def translate(text: str, context: str = CONTEXT) -> str:
    """
    One or several sentences, or a part of one, translated into the active language.

    Amounts in them are written with the decimals of the house's coin: the rules count in the
    smallest one.

    :param context: whose texts are preferred to the sentences of the rules, such as `ODDS`.
    """
    language = translation.get_language() or ""
    spelled = spelling()
    if as_they_are(language, spelled) or not text or len(text) > LONGEST:
        return text
    return _translate(text, language, spelled, context)


def translate_round(round_: Mapping[str, Any]) -> dict[str, Any]:
    """A round with its payments, as the rules have it, whose reasons are translated like that."""
    said = {"because": translate(round_["because"])} if "because" in round_ else {}
    payments = [{**each, "because": translate(each["because"])} for each in round_["payments"]]
    return {**round_, **said, "payments": payments}


def as_they_are(language: str, spelled: Spelling) -> bool:
    """Whether sentences are shown as they were made: in English, and in the smallest coins."""
    return language.startswith("en") and not spelled[1]


@lru_cache(maxsize=4096)
def _translate(text: str, language: str, spelled: Spelling, context: str) -> str:
    from casino.words.languages import patterns  # noqa: PLC0415 - where all is English nothing needs it

    del spelled  # part of the cache's key, since amounts within are written by it
    return patterns.translate(text, _patterns(language, context))


@cache
def _patterns(language: str, context: str) -> Patterns:
    from casino.words.languages import patterns  # noqa: PLC0415 - as above

    return patterns.patterns_of({**entries(language), **entries(language, context)})


@cache
def entries(language: str, context: str = CONTEXT) -> Mapping[str, str]:
    """The English sentences of the catalogues, with their translations into a language."""
    mine = context + SEPARATOR
    english = language.startswith("en")
    known = ANY if english else language
    catalogue = trans_real.translation(known)._catalog  # type: ignore[attr-defined]  # noqa: SLF001
    return {
        key.removeprefix(mine): key.removeprefix(mine) if english else translated_text
        for key, translated_text in catalogue.items()
        if isinstance(key, str)
        and key.startswith(mine)
        and isinstance(translated_text, str)
        and translated_text
    }
