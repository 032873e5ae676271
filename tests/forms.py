"""
The two forms of the suite, and which test is of which (docs/how-to/testing.md).

The short form is what every change is held against: ten minutes on two cores, something of every
behaviour. The long form (``python3 run.py test --all``) has all rows, long properties, faults by
chance and every page at every size. Marks say what is not in both:

``long``                  only in the long form
``long("postgresql")``    in the short form on the other database alone; likewise ``long("sqlite")``
``rows(n)``               of the rows of this test, `n` evenly spread ones are in the short form,
                          and of each game one at least; ``each="option"``: and of each option
``rows(postgresql=n)``    so many on PostgreSQL, on the other database all of them
``once``                  on SQLite alone, in either form: nothing in it is for a database to change

With ``but="citus"`` a test that is long on PostgreSQL is in the short form where that is a cluster
of several: what a page asks of one server, several may refuse. ``rows(postgresql=n)`` is of one
server, too. A test that is named by its id runs whatever its marks say.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MARKS = (
    "long(*engines, but=''): not in the short form (on these databases)",
    "rows(n, postgresql=n, each=''): so many rows of this test in the short form",
    "once: on SQLite alone",
)
VARIABLE = "HOME_THROW_TESTS"
COLLECTION = "HOME_THROW_TESTS_COLLECTED"
"""Set, the names of the files of which anything was collected go there, to the file it names."""
ALL = "all"
LONG_FORM = os.environ.get(VARIABLE) == ALL
ENGINE = "postgresql" if os.environ.get("DATABASE_URL") else "sqlite"
SERVERS = "citus" if os.environ.get("CITUS_WORKERS") else ENGINE
COLLECTED = pytest.StashKey[list[pytest.Item]]()  # all of them, those left out, too
# How a test shows that it meets a database: by its mark, or by what it asks for.
MARKS_OF_A_DATABASE = ("django_db", "browser", "processes")
FIXTURES_OF_A_DATABASE = {"db", "transactional_db", "django_db_setup"}


def how_often(number: int, *, short: int | None = None) -> int:
    """
    How many examples a property is tried with: all in the long form, a quarter in the short one.

    A third of either on PostgreSQL. What rules and subscribers make of a sequence nobody thought of
    shows where many are tried; that the other database holds and refuses the same shows in a few
    (docs/decisions/0058). Which ones is drawn anew in each run.

    :param short: how many in the short form, where a quarter would take too long.
    """
    wanted = number if LONG_FORM else short or math.ceil(number / 4)
    return math.ceil(wanted / 3) if ENGINE == "postgresql" else wanted


def every(step: int) -> int:
    """How far apart the things are that a test looks at, one by one in the long form."""
    return 1 if LONG_FORM else step


def left_out(items: Sequence[pytest.Item], *, named: Iterable[str]) -> set[str]:
    """The ids, of those collected, that this form leaves out on this database."""
    named = tuple(named)
    kept_by_name = {item.nodeid for item in items if is_named(item.nodeid, named)}
    out = {item.nodeid for item in items if not runs_here(item)}
    if not LONG_FORM:
        out |= only_long(items)
    return out - kept_by_name


def dear_ones_first(items: list[pytest.Item]) -> None:
    """
    Files with tests that take seconds come before those that have none, so that in the end no
    process waits for another: those that start processes or commit what they write.
    """
    dear = {each.path for each in items if takes_seconds(each)}
    items.sort(key=lambda each: each.path not in dear)


def takes_seconds(item: pytest.Item) -> bool:
    if any(item.get_closest_marker(name) for name in ("browser", "processes")):
        return True
    mark = item.get_closest_marker("django_db")
    return mark is not None and bool(mark.kwargs.get("transaction"))


def only_long(items: Sequence[pytest.Item]) -> set[str]:
    """The ids, of those collected, that are in the long form alone on this database."""
    out = {item.nodeid for item in items if is_long(item)}
    return out | set(chain.from_iterable(unspread(rows) for rows in by_function(items)))


def more_of_the_same(items: Sequence[pytest.Item]) -> set[str]:
    """The ids of rows that only the long form has, of tests that have others in the short one."""
    out = only_long(items)
    in_both = {function_of(item.nodeid) for item in items if item.nodeid not in out}
    return {each for each in out if function_of(each) in in_both}


def function_of(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def as_id(argument: str, config: pytest.Config) -> str:
    """What was asked for on the command line, as ids of tests begin."""
    path, found, test = argument.partition("::")
    absolute = (config.invocation_params.dir / path).resolve()
    inside = absolute.is_relative_to(config.rootpath)
    return f"{absolute.relative_to(config.rootpath) if inside else path}{found}{test}"


def is_named(nodeid: str, named: Iterable[str]) -> bool:
    """``test_it.py::test_a`` names its rows, too: ``test_it.py::test_a[1]``."""
    tests = [name for name in named if "::" in name]
    return any(nodeid == name or nodeid.startswith((f"{name}[", f"{name}::")) for name in tests)


def runs_here(item: pytest.Item) -> bool:
    if ENGINE == "sqlite":
        return True
    return meets_a_database(item) and item.get_closest_marker("once") is None


def meets_a_database(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in MARKS_OF_A_DATABASE)
    return marked or not FIXTURES_OF_A_DATABASE.isdisjoint(getattr(item, "fixturenames", ()))


def is_long(item: pytest.Item) -> bool:
    return any(
        (not mark.args or ENGINE in mark.args) and mark.kwargs.get("but") != SERVERS
        for mark in item.iter_markers("long")
    )


def by_function(items: Iterable[pytest.Item]) -> Iterator[list[pytest.Item]]:
    """The rows of each test that has many, in the order they were collected."""
    found: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("rows"):
            found[function_of(item.nodeid)].append(item)
    yield from found.values()


def unspread(rows: Sequence[pytest.Item]) -> set[str]:
    """
    All but as many rows as the mark says: first, last, and evenly between. A game, or another way
    that the mark names, of which none is among these has its first row there, too.
    """
    mark = rows[0].get_closest_marker("rows")
    assert mark is not None
    usual = mark.args[0] if mark.args else len(rows)
    kept = spread(len(rows), mark.kwargs.get(SERVERS, usual))
    if SERVERS not in mark.kwargs:
        ways = [way_of(item, mark.kwargs.get("each", "").split()) for item in rows]
        kept |= {ways.index(way) for way in set(ways) - {ways[index] for index in kept}}
    return {item.nodeid for index, item in enumerate(rows) if index not in kept}


def way_of(item: pytest.Item, each: Sequence[str] = ()) -> tuple[str, ...]:
    """Which game a row is of, and which value it has of the parameters in `each`."""
    given = getattr(item, "callspec", None)
    values = given.params if given is not None else {}
    return (*games_of(values.values()), *(str(values[name]) for name in each))


def games_of(values: Iterable[object]) -> tuple[str, ...]:
    """
    The games among these, each by its id, its rules, or the folder of its transcripts.

    >>> games_of(["river", 3, Path("stone-hand/drinks.jsonl")])
    ('river', 'stone-hand')
    """
    from casino.house.acts.game_streams.catalogue import RULESETS  # noqa: PLC0415 - Django is not set up yet

    known = {ruleset.id for ruleset in RULESETS}
    named = [each.parent.name if isinstance(each, Path) else getattr(each, "id", each)
             for each in values]  # fmt: skip
    return tuple(each for each in named if isinstance(each, str) and each in known)


def spread(many: int, few: int) -> set[int]:
    """
    >>> sorted(spread(10, 4))
    [0, 3, 6, 9]
    """
    if few >= many:
        return set(range(many))
    return {round(each * (many - 1) / max(1, few - 1)) for each in range(few)}
