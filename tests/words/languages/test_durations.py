"""Lengths of time and counts, as people read them: the unit that fits, and one of a thing."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.utils import translation

from casino.house.attendants.lockout import LockedOut
from casino.words.languages import locales
from casino.words.languages.catalogues import kept
from casino.words.languages.messages import translate
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(locales.__file__).resolve().parents[2]

# fmt: off
LENGTHS = [
    ({"seconds": 0},                          "0 seconds",  "0 seconds"),
    ({"seconds": 1},                          "1 second",   "1 second"),
    ({"seconds": 75},                         "1 minute",   "1 minute 15 seconds"),
    ({"hours": 1},                            "1 hour",     "1 hour"),
    ({"hours": 2, "minutes": 5},              "2 hours",    "2 hours 5 minutes"),
    ({"days": 1, "seconds": 3},               "1 day",      "1 day"),
    ({"days": 3, "hours": 1, "minutes": 59},  "3 days",     "3 days 1 hour"),
]
LOCKS = [
    (1,    "per un minuto"),
    (15,   "per 15 minuti"),
    (90,   "per 90 minuti"),
    (91,   "per 2 ore"),
    (1380, "per 23 ore"),
    (1440, "per un giorno"),
]
# fmt: on

UNIT: Final = re.compile(
    r"(?:%\(\w+\)[sd]|\{\w+(?::words)?\}|##|\{n\}) (?:seconds?|minutes?|hours?|s|min|h)\b"
)
BOUNDED: Final = {
    # written by `durations`, `chain.listings.short`, hall.js, waiting.js: the unit that fits
    "%(n)s second", "%(n)s minute", "%(n)s hour", "%(n)s s", "%(n)s min", "%(n)s h",
    "## min", "## h", "{n} min", "{n} h",
    # what is asked for so is said so
    "%(amount)s every %(minutes)s min",
    "{coins:words} from each player every {minutes:words} minutes",
    # longest: ninety minutes, an hour, a day, two minutes
    "Too many tries: no more are taken for {minutes:words} minutes.",
    "%(seconds)s s", "%(minutes)s min",
    "Too many tries: no more are taken for {hours:words} hours.",
    # waits for a seat, compared in steps of five minutes
    "%(minutes)s minute", "about %(minutes)s minute",
    "%(within)s of %(of)s waited between %(least)s and %(most)s minutes",
}  # fmt: skip


@pytest.mark.parametrize(("time", "short", "longer"), LENGTHS)
def test_a_length_is_said_in_the_largest_unit_that_fits(
    time: dict[str, int], short: str, longer: str
) -> None:
    assert locales.duration(timedelta(**time)) == short
    assert locales.duration(timedelta(**time), units=2) == longer


@pytest.mark.parametrize(("minutes", "said"), LOCKS)
def test_a_lock_says_no_less_than_it_lasts(minutes: int, said: str) -> None:
    with translation.override("it"):
        assert translate(str(LockedOut(minutes))) == (
            f"Troppi tentativi: {said} non se ne accettano altri."
        )


def test_a_length_in_one_unit_is_bounded() -> None:
    """Any other is written by `durations`: a day is not 1440 minutes."""
    found = {each.text for each in kept.everything() if UNIT.search(each.text)}
    wrong = {text for text in found if not any(text.startswith(known) for known in BOUNDED)}
    unused = {known for known in BOUNDED if not any(text.startswith(known) for text in found)}

    assert (wrong, unused) == (set(), set())


# --- One of a thing, in the English of operators --------------------------------------------------

COUNTED: Final = re.compile(
    r" (?:[a-z]+ )?(events|receipts|answers|checkpoints|transfers|findings|rows|tables|pieces"
    r"|servers|bytes|games|payouts|differences|houses|files|keys|sessions|summaries|streams|bodies"
    r"|days|hours|minutes|seconds|entries|lines|people|accounts|parts|members|copies)\b"
)
BY_NAME: Final = re.compile(r"[A-Z_]+|verification_pool\.LONG")
"""Bounds of this program, which are many."""
OTHERWISE: Final = frozenset(
    (
        *("minutes", "hours"),  # of a lock: one is a sentence of its own
        "sizes",  # a list of them
        "self.most",  # lines of a report, a bound
        "connection.display_name",  # "PostgreSQL answers."
    )
)


def counts() -> Iterator[tuple[str, str, str]]:
    """Every number before the name of many things: file, number and things."""
    for room in ("casino", "ledger"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if "migrations" in path.parts or "presenters" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.JoinedStr):
                    continue
                for hole, text in zip(node.values, node.values[1:], strict=False):
                    if not (
                        isinstance(hole, ast.FormattedValue) and isinstance(text, ast.Constant)
                    ):
                        continue
                    number, things = ast.unparse(hole.value), COUNTED.match(str(text.value))
                    if number.startswith("count_of("):
                        continue
                    if things and number not in OTHERWISE and not BY_NAME.fullmatch(number):
                        yield path.relative_to(ROOT).as_posix(), number, things[0]


def test_what_an_operator_reads_knows_one_from_many() -> None:
    assert list(counts()) == []


def test_one_is_no_many() -> None:
    assert [count_of(number, "event") for number in (0, 1, 2)] == [
        "0 events",
        "1 event",
        "2 events",
    ]
    assert count_of(2, "summary", "summaries") == "2 summaries"
