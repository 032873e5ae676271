"""
Pages of a list by key set: a page begins behind a row, not at a number of rows.

So a page is as quick at the end of a long book as at its beginning, and what comes in meanwhile
neither repeats a row nor passes one over. A cursor holds the order's values of the row at the edge
of a page; it is signed, and what was not made here is refused.
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

    # pages of a query, of what is few, of what is known by its number, of what is searched for
    Rows: TypeAlias = "QuerySet[Any] | Sequence[Any] | Numbered | Search"

Row = TypeVar("Row")
SALT: Final = "casino.listings.cursor"
AT_ONCE: Final = 500  # rows that are read together where all of a list is
FURTHER_MOST: Final = 40  # pages of a search that ended because enough was looked at, in a file
NOTHING: Final = Q(pk__in=())
NOT_OURS: Final = "cursor: take it from next or previous of a page before."


class BadCursor(Malformed):
    """A cursor that no page of this list gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """
    :param sort: the order in which it was given: it holds in no other.
    :param at: of the row at the edge, the value of each field of the order; of a list in memory,
        how many rows lie before.
    """

    sort: str
    backwards: bool = False
    at: tuple[Any, ...]

    def __str__(self) -> str:
        plain = [_plain(value) for value in self.at]
        return signing.dumps([self.sort, self.backwards, plain], salt=SALT)

    @classmethod
    def parse(cls, text: str, sort: str) -> Cursor:
        """:raises BadCursor: unless it is of a page in this order."""
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
    One page: its rows, and where the pages beside it begin; None: there is none.

    :param looked: whether it ends because enough was looked at, not because it is full.
    """

    rows: list[Row]
    next: Cursor | None
    previous: Cursor | None
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """:param at: behind what the next page of a search begins; (): there is nothing further."""

    rows: list[Any]
    at: tuple[Any, ...] = ()
    looked: bool = False


class Search(ABC):
    """Rows of a long book that are found in the search's own way, always in the same order."""

    @abstractmethod
    def page(self, limit: int, at: tuple[Any, ...]) -> Found:
        """
        The next rows, or fewer where enough was looked at.

        :param at: of the page before; (): from the beginning.
        """


class TooFar(Refused):
    """A file of a search that few rows fit: it would look at too much."""

    code = "search_too_far"


class Numbered(ABC):
    """
    Rows of several queries that are known by one number each, such as a position in the ledger: a
    page of them is their numbers.
    """

    @abstractmethod
    def behind(self, number: int | None, *, falls: bool, most: int) -> list[int]:
        """
        The numbers behind one, in order, so many at most.

        :param number: None: from the first on.
        :param falls: from the greatest on.
        """


def cut(
    rows: Rows, order: Sequence[str], *, limit: int, cursor: Cursor | None = None, sort: str = ""
) -> Slice[Any]:
    """
    A page of rows.

    :param order: fields, each with ``-`` before it where it falls; together they tell any two rows
        apart. Rows without a value come last.
    :raises BadCursor: if its values are none of these fields.
    """
    if isinstance(rows, Search):
        found = rows.page(limit, cursor.at if cursor else ())
        further = Cursor(sort=sort, at=found.at) if found.at else None
        return Slice(found.rows, further, None, looked=found.looked)
    if isinstance(rows, QuerySet):
        return _of_query(rows, order, limit, cursor, sort)
    if isinstance(rows, Numbered):
        return _of_numbers(rows, order, limit, cursor, sort)
    return _of_list(_sorted(rows, order), limit, cursor, sort)


def everything(rows: Rows, order: Sequence[str]) -> Iterator[list[Any]]:
    """
    All rows in order, some at a time.

    :raises TooFar: of a search that would look at too much for them.
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
    """One field of an order, and the way that it runs."""

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
        """Rows behind those of the value."""
        if value is None:
            return Q(**{f"{self.path}__isnull": False}) if self.nulls_first else NOTHING
        behind = Q(**{f"{self.path}__{'lt' if self.falls else 'gt'}": value})
        if self.nullable and not self.nulls_first:
            behind |= Q(**{f"{self.path}__isnull": True})
        return behind

    def same(self, value: Any) -> Q:
        return Q(**({f"{self.path}__isnull": True} if value is None else {self.path: value}))


def _behind(steps: Sequence[_Step], cursor: Cursor) -> Q:
    """The rows behind the cursor, as an index of the order finds them."""
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
    """The field that a path of names leads to, and whether it may hold nothing."""
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


def _sorted(rows: Sequence[Any], order: Sequence[str]) -> list[Any]:
    """By one field after the other, the last first; what has no value comes last."""
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
