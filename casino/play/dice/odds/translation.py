"""
What the odds say, in the reader's language: for the page alone.

The API and the command line answer in English. Texts are found in the catalogues as the sentences
of the rules are (`casino.words.languages.messages`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.words.languages import locales
from casino.words.languages.messages import ODDS, translate

if TYPE_CHECKING:
    from casino.words.presenters.odds_tables import Answer, Cell, Table

POINT: Final = re.compile(r"(?<=[0-9])\.(?=[0-9])")  # of a figure; rules' numbers have none


def sentence(text: str) -> str:
    """One or several sentences or a title, with the decimal mark of the house."""
    return POINT.sub(locales.decimal_mark(), translate(text, ODDS))


def word(text: str) -> str:
    """A word by which programs call something, as people read it."""
    return translate(text, ODDS).replace("_", " ")


def answer(found: Answer) -> Answer:
    return replace(
        found,
        tables=tuple(table(each) for each in found.tables),
        notes=tuple(sentence(each) for each in found.notes),
    )


def table(found: Table) -> Table:
    return replace(
        found,
        title=sentence(found.title),
        description=sentence(found.description),
        columns=tuple(replace(each, title=sentence(each.title)) for each in found.columns),
        rows=tuple(tuple(_cell(cell) for cell in row) for row in found.rows),
    )


def _cell(cell: Cell) -> Cell:
    return word(cell) if isinstance(cell, str) else cell
