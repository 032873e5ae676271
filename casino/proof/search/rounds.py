"""
Search for rounds: by table, time, player, attendant, amount, kind of game, or a known event.

A page reads one index, that of the narrowest criterion, and looks at no more than `WINDOW` of its
rounds; those must fit the other criteria. If that does not fill a page, the answer says how far the
search has looked, and the next page continues there. So a page costs the same in a house's first
week and in its tenth year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, Self
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.proof.disputes.queries import event_of
from casino.proof.search.models import RoundAmount, RoundLine, RoundPerson
from casino.words.presenters.rounds import chapters

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment

PAGE: Final = 50
WINDOW: Final = 2000  # rounds that a page looks at
LONGEST: Final = timedelta(days=2)  # the longest round: what began earlier had ended by then


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """
    The criteria of a search; all must hold. If all are empty: every round, the newest first.

    :param since: and `until`, by the clock at the table: rounds that ran at any time in between.
    :param player: by token. :param attendant: by id.
    :param least: and `most`: coins of any one payment in the round; if equal, exactly that many.
    """

    table: UUID | None = None
    ruleset: str = ""
    day: date | None = None
    since: datetime | None = None
    until: datetime | None = None
    player: str = ""
    attendant: str = ""
    least: int | None = None
    most: int | None = None

    @property
    def is_empty(self) -> bool:
        return self == Criteria()


@dataclass(frozen=True, slots=True)
class Found:
    """
    A page of rounds.

    :param rounds: the latest first.
    :param older: where the next page begins; None if there is nothing older.
    :param looked: whether the page ends because `WINDOW` rounds were looked at, not because it is
        full.
    """

    rounds: Sequence[RoundLine]
    older: Key | None = None
    looked: bool = False


def find(house: Establishment, criteria: Criteria, *, before: Key | None = None) -> Found:
    """A page of the rounds that fit the criteria."""
    driver = _within(_driver(house, criteria), criteria, before)
    window = driver.order_by("-began_at", "-position").values("position")[:WINDOW]
    fitting = _fitting(house, criteria).filter(position__in=window)
    rows = list(fitting.select_related("table").order_by("-began_at", "-position")[: PAGE + 1])
    if len(rows) > PAGE:
        last = rows[PAGE - 1]
        return Found(rows[:PAGE], Key(last.began_at, last.position))
    end = _edge(driver)
    return Found(rows, end, looked=end is not None)


def of_event(house: Establishment, receipt: str) -> tuple[RoundLine, int] | None:
    """
    The round that contains an event, and the event's number in its game.

    :param receipt: a position in the ledger, or the id of an event, a command or a game.
    """
    named = event_of(house, receipt.strip())
    if named is None:
        return None
    game, number = named
    loaded = load(GameKey(house.pk, game))
    rows = RoundLine.objects.filter(
        establishment=house, game=game, round=chapters(loaded.facts).of[number - 1]
    )
    row = rows.select_related("table").first()
    return (row, number) if row else None


def _driver(house: Establishment, criteria: Criteria) -> QuerySet[Any]:
    """The index rows to read: those of the narrowest criterion."""
    people = RoundPerson.objects.filter(establishment=house)
    rounds = RoundLine.objects.filter(establishment=house)
    if criteria.player or criteria.attendant:
        return people.filter(who=criteria.player or criteria.attendant)
    if (few := _of_few_amounts(house, criteria)) is not None:
        return few
    if criteria.table is not None:
        return rounds.filter(table=criteria.table)
    if criteria.day is not None:
        return rounds.filter(gaming_day=criteria.day)
    return rounds.filter(ruleset=criteria.ruleset) if criteria.ruleset else rounds


def _of_few_amounts(house: Establishment, criteria: Criteria) -> QuerySet[Any] | None:
    """
    The rounds by amounts that were paid in them, if one amount is given or few rounds fit; None
    otherwise: amounts that many rounds have are checked while looking at rounds, the latest first.
    """
    if criteria.least is None and criteria.most is None:
        return None
    amounts = RoundAmount.objects.filter(establishment=house)
    if criteria.least is not None and criteria.least == criteria.most:
        return amounts.filter(amount=criteria.least)
    fitting = _between(amounts, criteria)
    few = fitting.order_by().values("position")[: WINDOW + 1]
    if few.count() > WINDOW:
        return None
    rounds = RoundLine.objects.filter(establishment=house)
    return rounds.filter(position__in=fitting.values("position"))


def _between(amounts: QuerySet[RoundAmount], criteria: Criteria) -> QuerySet[RoundAmount]:
    if criteria.least is not None:
        amounts = amounts.filter(amount__gte=criteria.least)
    return amounts if criteria.most is None else amounts.filter(amount__lte=criteria.most)


def _within(rows: QuerySet[Any], criteria: Criteria, before: Key | None) -> QuerySet[Any]:
    """The rows within the period, and after the pages that were shown."""
    if criteria.until is not None:
        rows = rows.filter(began_at__lte=criteria.until)
    if criteria.since is not None:
        rows = rows.filter(began_at__gte=criteria.since - LONGEST)
    return rows if before is None else before.older(rows)


def _fitting(house: Establishment, criteria: Criteria) -> QuerySet[RoundLine]:
    rows = RoundLine.objects.filter(establishment=house)
    given = {
        "table": criteria.table,
        "ruleset": criteria.ruleset,
        "gaming_day": criteria.day,
        "last_at__gte": criteria.since,
        "began_at__lte": criteria.until,
    }
    rows = rows.filter(**{name: value for name, value in given.items() if value})
    here = {"establishment": OuterRef("establishment"), "position": OuterRef("position")}
    for who in filter(None, (criteria.player, criteria.attendant)):
        rows = rows.filter(Exists(RoundPerson.objects.filter(who=who, **here)))
    if criteria.least is not None or criteria.most is not None:
        rows = rows.filter(Exists(_between(RoundAmount.objects.filter(**here), criteria)))
    return rows


def _edge(driver: QuerySet[Any]) -> Key | None:
    """The place of the last row that a page looks at; None if it looked at all there are."""
    rows = driver.order_by("-began_at", "-position").values_list("began_at", "position")
    last = rows[WINDOW - 1 : WINDOW + 1]
    found = list(last)
    return Key(*found[0]) if len(found) > 1 else None


# Reads words typed into the search box: a receipt, a position, an id, an address, a name.


Means = Literal["event", "payout", "table", "player", "attendant"]

# With or without a #; thousands together, or separated by any usual mark.
POSITION: Final = re.compile(r"#?\s*([0-9]{1,15}|[0-9]{1,3}(?:[.,'\u2019\s][0-9]{3}){1,4})")
# As in a receipt's code and in the address of its page.
CHECKED: Final = re.compile(r"/ledger/[0-9a-f-]{36}/([0-9]{1,15})/[0-9a-f]{64}", re.IGNORECASE)
PRINTED: Final = re.compile(
    r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/([0-9]{1,9})\.[0-9]{1,4}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """
    One thing that the typed words may mean.

    :param value: a position, an id, ``<game>/<event>``, a token, or a table's or person's id.
    :param called: the thing as people read it.
    """

    means: Means
    value: str
    called: str


def read(house: Establishment, words: str) -> list[Reading]:
    """All that the words may mean at a house, the most likely first; empty if nothing is known."""
    words = words.strip()
    if not words:
        return []
    if named := read_number(words):
        return [named]
    return [*_tables(house, words), *_players(house, words), *_people(house, words)]


def read_number(words: str) -> Reading | None:
    """A position, a receipt or an id; None if the words are none of these."""
    words = words.strip()
    if found := CHECKED.search(words) or POSITION.fullmatch(words):
        position = re.sub(r"[^0-9]", "", found[1])
        return Reading("event", str(int(position)), f"#{int(position)}")
    if found := PRINTED.search(words):
        return Reading("payout", f"{found[1].lower()}/{found[2]}", words)
    try:
        return Reading("event", str(UUID(words)), words)
    except ValueError:
        return None


def _tables(house: Establishment, words: str) -> list[Reading]:
    found = house.tables.filter(name__iexact=words)
    return [Reading("table", str(table.pk), table.name) for table in found]


def _players(house: Establishment, words: str) -> list[Reading]:
    players = tokens.player_tokens(house.pk, [words], new=False)
    return [Reading("player", token, words) for token in players.values()]


def _people(house: Establishment, words: str) -> list[Reading]:
    """People with that name who work or have worked at the house."""
    employed = Attendant.objects.filter(employments__establishment=house)
    first, _space, rest = words.partition(" ")
    called = Q(username__iexact=words) | Q(first_name__iexact=first, last_name__iexact=rest)
    found = employed.filter(called).distinct().order_by("username")
    return [Reading("attendant", str(person.pk), str(person)) for person in found]


# Cursors for lists that run backwards: by time and position, or by position alone.


WRITTEN: Final = re.compile(r"(\d{1,16})-(\d{1,16})")


@dataclass(frozen=True, slots=True)
class Key:
    """A round's place in the order of rounds; written as microseconds since 1970 and position."""

    at: datetime
    position: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a key; None if the text is not a key."""
        found = WRITTEN.fullmatch(text)
        if found is None:
            return None
        try:
            at = datetime.fromtimestamp(int(found[1]) // 1_000_000, UTC)
        except (OverflowError, OSError, ValueError):
            return None
        return cls(at.replace(microsecond=int(found[1]) % 1_000_000), int(found[2]))

    def __str__(self) -> str:
        since = self.at - datetime(1970, 1, 1, tzinfo=UTC)
        whole = since.days * 86_400 + since.seconds
        return f"{whole}{since.microseconds:06}-{self.position}"

    def older(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows before this key. Without OR the database reads one range of an index."""
        return rows.filter(began_at__lte=self.at).exclude(
            began_at=self.at, position__gte=self.position
        )
