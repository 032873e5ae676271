"""
Keyset pagination of lists: a page begins after a given row, not after a number of rows.

So a page is as fast at the end of a long ledger as at its beginning, and rows added meanwhile
neither repeat a row nor skip one. A cursor holds the values, in the order's fields, of the row at
the edge of a page; it is signed, and a cursor that was not made here is refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar
from uuid import UUID

from django.core import signing
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, Q, QuerySet

from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.db.models import Field, Model
    from django.db.models.expressions import OrderBy

    # a query, a short list in memory, rows known by their numbers, the results of a search
    Rows: TypeAlias = "QuerySet[Any] | Sequence[Any] | Numbered | Search"

Row = TypeVar("Row")
SALT: Final = "casino.listings.cursor"
AT_ONCE: Final = 500  # rows that are read at once when a whole list is read
FURTHER_MOST: Final = 40  # pages of a search, in a file, that may end before they are full
NOTHING: Final = Q(pk__in=())
NOT_OURS: Final = "cursor: take it from next or previous of a page before."


class BadCursor(Malformed):
    """The refusal of a cursor that no page of this list gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """
    The place in a list where a page begins.

    :param sort: the order in which it was given; it is valid in no other.
    :param backwards: whether the page ends there instead, and is read backwards.
    :param at: the value of each field of the order for the row at the edge; for a list in memory,
        how many rows come before.
    """

    sort: str
    backwards: bool = False
    at: tuple[Any, ...]

    def __str__(self) -> str:
        plain = [_plain(value) for value in self.at]
        return signing.dumps([self.sort, self.backwards, plain], salt=SALT)

    @classmethod
    def parse(cls, text: str, sort: str) -> Cursor:
        """
        The cursor that a text encodes.

        :raises BadCursor: if it is not a cursor of this order, signed by this house.
        """
        try:
            given, backwards, at = signing.loads(text, salt=SALT)
        except signing.BadSignature:
            given, backwards, at = None, False, ()
        if given != sort:
            raise BadCursor(NOT_OURS, field="cursor")
        return cls(sort=sort, backwards=backwards, at=tuple(at))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """
    One page of a list: its rows, and the cursors of the pages beside it; None: there is none.

    :param looked: whether the page ends because enough rows were examined, not because it is full.
    """

    rows: list[Row]
    next: Cursor | None
    previous: Cursor | None
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """
    One page of a search.

    :param at: where the next page begins, for its cursor; (): there is none.
    :param looked: whether it ends because enough rows were examined, not because it is full.
    """

    rows: list[Any]
    at: tuple[Any, ...] = ()
    looked: bool = False


class Search(ABC):
    """Rows of a long ledger that a search finds in its own way, always in the same order."""

    @abstractmethod
    def page(self, limit: int, at: tuple[Any, ...]) -> Found:
        """
        The next `limit` rows, or fewer if enough rows were examined.

        :param at: `Found.at` of the previous page; (): from the beginning.
        """


class TooFar(Refused):
    """The refusal of a file of a search with few results, for which too much would be read."""

    code = "search_too_far"


class Numbered(ABC):
    """
    Rows of several queries, each known by a number, such as its position in the ledger.

    A page consists of these numbers.
    """

    @abstractmethod
    def behind(self, number: int | None, *, falls: bool, most: int) -> list[int]:
        """
        The numbers after a given one, in order.

        :param number: None: from the first on.
        :param falls: whether the order is descending.
        :param most: how many numbers at most.
        """


def cut(
    rows: Rows, order: Sequence[str], *, limit: int, cursor: Cursor | None = None, sort: str = ""
) -> Slice[Any]:
    """
    One page of rows.

    :param order: fields, descending after ``-``; together they tell any two rows apart. Rows
        without a value come last.
    :raises BadCursor: if the values of the cursor do not fit these fields.
    """
    if isinstance(rows, Search):
        found = rows.page(limit, cursor.at if cursor else ())
        further = Cursor(sort=sort, at=found.at) if found.at else None
        return Slice(found.rows, further, None, looked=found.looked)
    if isinstance(rows, QuerySet):
        return _of_query(rows, order, limit, cursor, sort)
    if isinstance(rows, Numbered):
        return _of_numbers(rows, order, limit, cursor, sort)
    return _of_list(_sort(rows, order), limit, cursor, sort)


def everything(rows: Rows, order: Sequence[str]) -> Iterator[list[Any]]:
    """
    All rows in order, in parts of up to `AT_ONCE` rows.

    :raises TooFar: if a search would have to read too much for them.
    """
    cursor: Cursor | None = None
    looked = 0
    while True:
        part = cut(rows, order, limit=AT_ONCE, cursor=cursor)
        looked += part.looked
        if looked > FURTHER_MOST:
            raise TooFar("Too much would have to be looked at: narrow it down, such as by a day.")
        if part.rows:
            yield part.rows
        if part.next is None:
            return
        cursor = part.next


def _of_query(
    rows: QuerySet[Any], order: Sequence[str], limit: int, cursor: Cursor | None, sort: str
) -> Slice[Any]:
    steps = [_Step.of(rows, path) for path in order]
    backwards = cursor is not None and cursor.backwards
    if backwards:
        steps = [step.turned() for step in steps]
    found = rows.order_by(*(step.expression for step in steps))
    if cursor is not None:
        found = found.filter(_behind(steps, cursor))
    some = list(found[: limit + 1])
    more, some = len(some) > limit, some[:limit]
    if backwards:
        if not more:  # the first page is a whole one, whichever way one comes to it
            return _of_query(rows, order, limit, None, sort)
        some.reverse()
        more, before = True, True
    else:
        before = cursor is not None

    def edge(row: Model, *, back: bool) -> Cursor:
        at = tuple(step.value(row) for step in steps)
        return Cursor(sort=sort, backwards=back, at=at)

    return Slice(
        some,
        edge(some[-1], back=False) if some and more else None,
        edge(some[0], back=True) if some and before else None,
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """One field of an order, and its direction."""

    path: str
    field: Field[Any, Any]
    falls: bool
    nullable: bool
    nulls_first: bool = False

    @classmethod
    def of(cls, rows: QuerySet[Any], path: str) -> _Step:
        name = path.removeprefix("-")
        field, nullable = _field(rows, name)
        return cls(name, field, path.startswith("-"), nullable)

    def turned(self) -> _Step:
        return _Step(self.path, self.field, not self.falls, self.nullable, not self.nulls_first)

    @property
    def expression(self) -> OrderBy:
        made = F(self.path).desc if self.falls else F(self.path).asc
        if not self.nullable:
            return made()
        return made(nulls_first=True) if self.nulls_first else made(nulls_last=True)

    def value(self, row: Model) -> Any:
        return attrgetter(self.path.replace("__", "."))(row)

    def read(self, value: Any) -> Any:
        return self.field.to_python(value)

    def beyond(self, value: Any) -> Q:
        """The condition for rows that come after those with this value in this field."""
        if value is None:
            return Q(**{f"{self.path}__isnull": False}) if self.nulls_first else NOTHING
        behind = Q(**{f"{self.path}__{'lt' if self.falls else 'gt'}": value})
        if self.nullable and not self.nulls_first:
            behind |= Q(**{f"{self.path}__isnull": True})
        return behind

    def same(self, value: Any) -> Q:
        return Q(**({f"{self.path}__isnull": True} if value is None else {self.path: value}))


def _behind(steps: Sequence[_Step], cursor: Cursor) -> Q:
    """The condition for rows after the cursor, in a form for which an index can be used."""
    if len(cursor.at) != len(steps):
        raise BadCursor(NOT_OURS, field="cursor")
    try:
        values = [step.read(value) for step, value in zip(steps, cursor.at, strict=True)]
    except ValidationError:
        raise BadCursor(NOT_OURS, field="cursor") from None
    found = NOTHING
    for step, value in reversed(list(zip(steps, values, strict=True))):
        found = step.beyond(value) | (step.same(value) & found)
    first, value = steps[0], values[0]
    return (first.beyond(value) | first.same(value)) & found


def _field(rows: QuerySet[Any], path: str) -> tuple[Field[Any, Any], bool]:
    """The field that a path of names leads to, and whether it may be null."""
    name, *further = path.split("__")
    if name in rows.query.annotations:
        return rows.query.annotations[name].output_field, True
    field, nullable = rows.model._meta.get_field(name), False  # noqa: SLF001 - Django's public name
    for each in further:
        nullable = nullable or field.null
        if field.related_model is None:
            raise FieldDoesNotExist(path)
        field = field.related_model._meta.get_field(each)  # noqa: SLF001 - as above
    return field, nullable or field.null


def _of_numbers(
    rows: Numbered, order: Sequence[str], limit: int, cursor: Cursor | None, sort: str
) -> Slice[int]:
    falls, backwards = order[0].startswith("-"), cursor is not None and cursor.backwards
    at = int(cursor.at[0]) if cursor else None
    some = rows.behind(at, falls=falls != backwards, most=limit + 1)
    more, some = len(some) > limit, some[:limit]
    if backwards:
        if not more:  # the first page is a whole one, whichever way one comes to it
            return _of_numbers(rows, order, limit, None, sort)
        some.reverse()
    return Slice(
        some,
        Cursor(sort=sort, at=(some[-1],)) if some and more else None,
        Cursor(sort=sort, backwards=True, at=(some[0],)) if some and cursor else None,
    )


def _sort(rows: Sequence[Any], order: Sequence[str]) -> list[Any]:
    """Rows in memory, sorted by each field from the last to the first; no value comes last."""
    found = list(rows)
    for path in reversed(order):
        read = _reader(path.removeprefix("-"))
        some = [row for row in found if read(row) is not None]
        none = [row for row in found if read(row) is None]
        found = [*sorted(some, key=read, reverse=path.startswith("-")), *none]
    return found


def _reader(path: str) -> Callable[[Any], Any]:
    attribute = attrgetter(path.replace("__", "."))
    return lambda row: row[path] if isinstance(row, Mapping) else attribute(row)


def _of_list(rows: list[Any], limit: int, cursor: Cursor | None, sort: str) -> Slice[Any]:
    start = int(cursor.at[0]) if cursor else 0
    some, end = rows[start : start + limit], start + limit
    return Slice(
        some,
        Cursor(sort=sort, at=(end,)) if end < len(rows) else None,
        Cursor(sort=sort, at=(max(0, start - limit),)) if start else None,
    )
