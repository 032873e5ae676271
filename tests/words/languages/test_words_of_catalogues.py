"""Words of the catalogues: a count of one has a singular, and a role one name in Italian."""

from __future__ import annotations

import re

from django.utils.translation import trans_real

from casino.words.languages.catalogues import kept

SO_MANY = re.compile(r"%\((\w+)\)[sd] (?:more |other |new )?([a-z]+s|dice|people)\b")
"""A number, and what there is so many of; the number is named as what it counts, or alone."""
# What else stands before a word with an s: names, and what is no number of what follows.
NO_NUMBERS = frozenset({
    "by", "die", "format", "name", "names", "number", "place", "round", "thrown", "title", "to",
    "value", "who", "coins",
})  # fmt: skip
ONE_TOO = frozenset({
    "is", "has", "s", "was", "as", "this", "gets", "loses", "times",  # "1.2 times as often"
})  # fmt: skip
# Those of which there never is one.
NEVER_ONE = frozenset({
    # a list that is cut, a fortnight, payments beside others, what a house has from its first day
    "The first %(count)s lines; files have all.",
    "%(count)s payments in all",
    "All %(events)s events",
    "the %(days)s days before",
    "%(title)s of the %(days)s days before",
    "A checkpoint of %(size)s events is kept outside",
    # bounds of this program
    "The first %(lines_max)s lines.",
    "The first %(most)s houses.",
    "The file is longer than %(most)s bytes",
    "From %(least)s to %(most)s characters.",
    "This password is too short: it has %(least)s characters",
    "This password is too long: it has %(most)s characters",
    "Line %(line)s: a name has at most %(most)s letters.",
    "Longer than %(most)s letters.",
    "More than %(most)s lines",
    "Writing %(format)s; %(done)s of %(of)s files are made.",
    "%(within)s of %(of)s waited between %(least)s and %(most)s minutes",
    # after one throw the evidence is one to one: it raises no alarm, and shows no tilt
    "After %(throws)s throws the dice seem to have changed",
    "After %(throws)s throws: %(odds)s against fair dice",
    "After %(throws)s throws: \u201c%(name)s\u201d, a cause",
    "Alarm after %(throws)s throws",
    "With %(throws)s throws a face that comes",
    "%(throws)s throws, %(here)s of them %(when)s; no-throws: %(no_throws)s. %(times)s times",
    # a level, which is one in hundreds
    "A throw that would have taken the lead and is called no throw",
    # the last die has a sentence of its own, and no die has two sides
    "%(name)s throws, %(left)s dice left",
    "%(count)s dice of %(sides)s sides",
    "Chi-square %(statistic)s on %(degrees)s degrees",
})  # fmt: skip


def test_a_count_that_may_be_one_has_its_singular() -> None:
    wrong = [
        each.text
        for each in kept.everything()
        if not each.plural
        and any(
            hole not in NO_NUMBERS and word not in ONE_TOO
            for hole, word in SO_MANY.findall(each.text)
        )
        and not any(each.text.startswith(known) for known in NEVER_ONE)
    ]
    assert wrong == []


def test_every_reason_why_there_is_never_one_is_needed() -> None:
    texts = [each.text for each in kept.everything() if not each.plural]
    unused = [known for known in NEVER_ONE if not any(text.startswith(known) for text in texts)]
    assert unused == []


# What the rules say so many of, and the odds: of one there is a text of its own beside it.
COUNTED = re.compile(
    r"\{(\w+?)\d*(?::words)?\} (points|times|drinks|chances|dice|coins|minutes|players)\b"
)
NEVER_ONE_OF = frozenset({  # holes
    "at_start", "COINS_MAX",  # eight, and many
    "texts",  # given several times
    "decimal",  # with its decimals
})  # fmt: skip
OTHERWISE = (  # two or more, or the singular in other words
    "Of {players:words} players",
    "{player} raised it to {worth:words} points",
    "The loser owes {drinks:words} drinks, one to each of the others",
    "Of {throws:words} throws of {dice:words} dice; the best five count",
    "{name}: {value:words} dice, not {parts}",  # {value}: "2 or 3"
)


def test_a_count_in_a_sentence_has_its_singular() -> None:
    known = {each.text for each in kept.everything() if each.context in {"sentence", "odds"}}
    wrong = [
        text
        for text in known
        if (found := COUNTED.search(text))
        and found[1] not in NEVER_ONE_OF
        and not text.startswith(OTHERWISE)
        and not singulars(text, found) & known
    ]
    assert wrong == []


def singulars(text: str, found: re.Match[str]) -> set[str]:
    """How a text may say one of what it says many of."""
    one = "die" if found[2] == "dice" else found[2].removesuffix("s")
    words = {f"1 {one}", f"a {one}", one, "once", "Once"}
    verb = text.replace(" are ", " is ").replace(" count ", " counts ")
    ways = {text, text.replace("up to ", ""), verb}
    return {each.replace(found[0], word) for each in ways for word in words}


# The roles of a house have one name each. A chain's manager is its "responsabile".
ROLES = {"supervisor": "responsabil", "manager": "dirett|dirig"}
OTHER_ROLES = re.compile(r"\bsupervisor[ei]\b|\bmanager\b", re.IGNORECASE)


def test_a_role_has_the_same_name_in_every_italian_text() -> None:
    known = {
        each.text: trans_real.translation("it").gettext(
            f"{each.context}\x04{each.text}" if each.context else each.text
        )
        for each in kept.everything()
        if not each.plural and not each.text.startswith("Roles: ")
    }
    wrong = [text for text in known.values() if OTHER_ROLES.search(text)]
    wrong += [
        italian
        for english, italian in known.items()
        for role, name in ROLES.items()
        if re.search(rf"\b{role}s?\b", english, re.IGNORECASE)
        and not re.search(name, italian, re.IGNORECASE)
        and "chain" not in english.lower()
        and "caten" not in italian.lower()
    ]
    assert wrong == []
