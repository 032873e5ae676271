"""The three kinds of columns: truth, derived, and of no account (see `columns`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    TRUTH = "truth"
    DERIVED = "derived"
    NO_ACCOUNT = "of no account"


@dataclass(frozen=True, slots=True)
class Declared:
    """
    A declaration: columns of one table that are treated alike.

    :param by: the stage of a verification that checks them (docs/how-to/verify.md); else "".
    :param because: why nobody need check them; else "".
    """

    table: str
    kind: Kind
    columns: tuple[str, ...]
    by: str = ""
    because: str = ""
