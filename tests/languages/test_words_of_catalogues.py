"""Words of the catalogues: a count of one has a singular, and a role one name in Italian."""

from __future__ import annotations

import re

from django.utils.translation import trans_real

from casino.languages.catalogues import extracted

# What may be one, and is followed by what there is so many of.
COUNTS = (
    "count|size|events|version|found|more|rows|lines|games|houses|people|tables"
    "|minutes|seconds|days"
)
SO_MANY = re.compile(rf"%\((?:{COUNTS})\)s (?:more |other |new )?(\w+s)\b")
ONE_TOO = frozenset({"is", "has", "s"})
# Those of which there never is one: a list that is cut, a fortnight, payments beside others.
NEVER_ONE = frozenset({
    "The first %(count)s lines; files have all.",
    "%(count)s payments in all",
    "All %(events)s events",
    "the %(days)s days before",
    "%(title)s of the %(days)s days before",
    "A checkpoint of %(size)s events is kept outside",
})  # fmt: skip


def test_a_count_that_may_be_one_has_its_singular() -> None:
    wrong = [
        each.text
        for each in extracted.everything()
        if not each.plural
        and (found := SO_MANY.search(each.text))
        and found[1] not in ONE_TOO
        and not any(each.text.startswith(known) for known in NEVER_ONE)
    ]
    assert wrong == []


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
    known = {each.text for each in extracted.everything() if each.context in {"sentence", "odds"}}
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
        for each in extracted.everything()
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
