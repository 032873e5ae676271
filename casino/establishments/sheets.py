"""
Lists of tables and staff out of CSV files, as people's programs write them.

Commas, semicolons or tabs; quotes; any line ends; UTF-8 with or without a mark, or Latin-1. The
first line names the columns, in any order. Nothing is guessed: what is wrong is told by line and
column, and a list with anything wrong in it is not carried out.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from casino.attendants.models import Attendant, Role
from casino.establishments.models import Table
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from casino.establishments.models import Establishment

BYTES_MOST: Final = 100_000
ROWS_MOST: Final = 200
SEPARATORS: Final = ",;\t"
NAME: Final = 40  # letters, of a table
PERSON: Final = 150  # letters, of a sign-in or a part of a name

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Wrong:
    """`line` 0: the file as a whole; `column` "": the line as a whole."""

    line: int
    column: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    values: Values


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list as it was read. `encoding` and `separator`: as found, to be told."""

    rows: Sequence[Row] = ()
    wrong: Sequence[Wrong] = ()
    encoding: str = "UTF-8"
    separator: str = ","
    text: str = ""


@dataclass(frozen=True, slots=True)
class What:
    """
    One kind of list.

    :param columns: in the order of the file to fill in; `needed`: those that may not be empty.
    :param unique: the column by which two rows would be the same.
    :param judge: what is wrong with the values of a row, by column.
    """

    columns: tuple[str, ...]
    needed: frozenset[str]
    unique: str
    judge: Callable[[Establishment, Mapping[str, str]], Iterator[tuple[str, str]]]
    example: tuple[tuple[str, ...], ...] = field(default=())

    @property
    def template(self) -> str:
        """A file to fill in."""
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\r\n")
        lines.writerows([self.columns, *self.example])
        return written.getvalue()


def read(raw: bytes, what: What, house: Establishment) -> Sheet:
    """A list out of a file's bytes; never raises: what is wrong stands in it."""
    if len(raw) > BYTES_MOST:
        sentence = _("The file is longer than %(most)s bytes: bring it in parts.")
        return Sheet(wrong=[Wrong(0, "", sentence % {"most": BYTES_MOST})])
    if b"\0" in raw or raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        sentence = _("This is no text in UTF-8: save it as CSV UTF-8.")
        return Sheet(wrong=[Wrong(0, "", sentence)])
    text, encoding = _decoded(raw)
    if not text.strip():
        return Sheet(wrong=[Wrong(0, "", _("There is nothing in it."))])
    separator = _separator(text)
    try:
        lines = list(_lines(text, separator))
    except csv.Error as error:
        told = _("The quotes do not close, or the like: %(error)s.") % {"error": error}
        return Sheet((), [Wrong(0, "", told)], encoding, separator, text)
    rows, wrong = _rows(lines, what, house)
    return Sheet(rows, wrong, encoding, separator, text)


def _decoded(raw: bytes) -> tuple[str, str]:
    try:
        return raw.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "Latin-1"


def _separator(text: str) -> str:
    """The one that the first line has most of."""
    head = next(line for line in text.splitlines() if line.strip())
    return max(SEPARATORS, key=lambda each: (head.count(each), -SEPARATORS.index(each)))


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(line in the file, cells), empty lines left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    began = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield began, [cell.strip() for cell in cells]
        began = reader.line_num + 1


def _rows(
    lines: list[tuple[int, list[str]]], what: What, house: Establishment
) -> tuple[list[Row], list[Wrong]]:
    (at, head), *body = lines
    names = [name.casefold() for name in head]
    wrong = list(_head_wrong(at, names, what))
    if wrong:
        return [], wrong
    if not body:
        return [], [Wrong(at, "", _("There is no line under the names of the columns."))]
    if len(body) > ROWS_MOST:
        told = _("More than %(most)s lines: bring it in parts.") % {"most": ROWS_MOST}
        return [], [Wrong(body[ROWS_MOST][0], "", told)]
    rows: list[Row] = []
    first: dict[str, int] = {}
    for line, cells in body:
        if len(cells) != len(names):
            told = _("%(found)s cells where there are %(wanted)s columns.")
            sizes = {"found": len(cells), "wanted": len(names)}
            wrong.append(Wrong(line, "", told % sizes))
            continue
        values = dict.fromkeys(what.columns, "") | dict(zip(names, cells, strict=True))
        rows.append(Row(line, values))
        wrong += _row_wrong(line, values, what, house, first)
    return rows, wrong


def _head_wrong(line: int, names: list[str], what: What) -> Iterator[Wrong]:
    wanted = ", ".join(what.columns)
    for name in names:
        if name not in what.columns:
            told = _("No column of this list: they are %(columns)s.") % {"columns": wanted}
            yield Wrong(line, name, told)
        elif names.count(name) > 1:
            yield Wrong(line, name, _("This column is named twice."))
    for name in sorted(what.needed - set(names)):
        yield Wrong(line, name, _("The first line does not name this column."))


def _row_wrong(
    line: int, values: Values, what: What, house: Establishment, first: dict[str, int]
) -> Iterator[Wrong]:
    missing = [name for name in what.columns if name in what.needed and not values[name]]
    for name in missing:
        yield Wrong(line, name, _("This is missing."))
    for name, told in what.judge(house, values):
        if name not in missing:
            yield Wrong(line, name, told)
    key = values[what.unique].casefold()
    if key in first:
        told = _("%(value)s stands in line %(line)s already.")
        yield Wrong(line, what.unique, told % {"value": values[what.unique], "line": first[key]})
    elif key:
        first[key] = line


def _table(house: Establishment, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if len(values["name"]) > NAME:
        yield "name", _("Longer than %(most)s letters.") % {"most": NAME}
    if Table.objects.filter(establishment=house, name__iexact=values["name"]).exists():
        yield "name", _("This house has a table of that name already.")
    amounts = {}
    for name in ("stake_min", "stake_max"):
        written = values[name]
        if not written:
            continue
        if not (written.isascii() and written.isdigit() and int(written[:20]) <= COINS_MAX):
            yield name, _("Not a whole number of coins.")
        else:
            amounts[name] = int(written)
    if amounts.get("stake_min", 0) > amounts.get("stake_max", COINS_MAX):
        yield "stake_max", _("The greatest stake is less than the least.")


def _person(house: Establishment, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    del house  # a sign-in is of the whole installation
    for name in ("username", "first", "last"):
        if len(values[name]) > PERSON:
            yield name, _("Longer than %(most)s letters.") % {"most": PERSON}
    try:
        UnicodeUsernameValidator()(values["username"])
    except ValidationError as invalid:
        yield "username", " ".join(invalid.messages)
    if Attendant.objects.filter(username__iexact=values["username"]).exists():
        yield (
            "username",
            _("Somebody signs in by this name: choose another, or invite them under People."),
        )
    if values["role"] and role(values["role"]) is None:
        roles = ", ".join(Role.values)
        yield "role", _("No such role: %(roles)s.") % {"roles": roles}


def role(written: str) -> Role | None:
    """A role by its value or by the name that pages give it."""
    wanted = written.casefold()
    return next(
        (each for each in Role if wanted in {each.value.casefold(), str(each.label).casefold()}),
        None,
    )


TABLES: Final = What(
    ("name", "stake_min", "stake_max"),
    frozenset({"name"}),
    "name",
    _table,
    (("Garden", "5", "50"), ("Loft", "", "")),
)
STAFF: Final = What(
    ("username", "first", "last", "role"),
    frozenset({"username", "role"}),
    "username",
    _person,
    (("mira", "Mira", "Solano", "attendant"), ("orso", "Orso", "Marchetti", "manager")),
)
LISTS: Final[dict[str, What]] = {"tables": TABLES, "staff": STAFF}
