"""
Reads lists of tables and staff from CSV files, as spreadsheets and other programs write them.

Accepted: commas, semicolons or tabs, also if Excel's line `sep=;` says so; quotes; any line ends;
letters composed in any way; UTF-8 with or without a byte order mark, or Windows-1252, which
contains Latin-1. The first line names the columns, in any order.
Nothing is guessed: errors have line and column, and a list with errors is not carried out.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.house.attendants.models import Attendant, Role
from casino.house.establishments.models import Table
from casino.words.languages import amounts
from casino.words.languages.spreadsheets import SEPARATORS, Writer, separator_of_line
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment

BYTES_MOST: Final = 100_000
ROWS_MOST: Final = 200
NAME: Final = 40  # the most letters of a table's name
PERSON: Final = 150  # the most letters of a user name, first name or last name
EXAMPLE: Final = 50  # whole units of the coin: an amount, in the sentence about what is none
FILES: Final = (".", " ")
"""The decimal mark in files that the house writes, which have none of thousands."""
NO_TEXT: Final = frozenset({"Cc", "Zl", "Zp"})
"""Unicode categories not allowed in cells: control characters, line and paragraph separators."""

OF_ANOTHER: Final = re.compile(
    # what no Windows program writes, and letters or signs where no word has them
    "\ufffd|[\u0192\u2021\u02c6\u2030\u2039\u02dc\u2122\u203a]|[A-Za-z]\u00d5[A-Z]"
    "|[a-z][\u0160\u017d\u0178]|[A-Za-z](?:[\u2018\u201c]"
    "|[\u0160\u0161\u017d\u017e\u0178\u201d\u2022\u2013\u2014][a-z])"
)
"""Text of another encoding, most often Mac Roman, that was read as Windows-1252."""

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error in a list; `line` 0: the file as a whole; `column` "": the line as a whole."""

    line: int
    column: str
    sentence: str

    def __str__(self) -> str:
        if not self.line:
            return self.sentence
        where = _("Line %(line)s") % {"line": self.line}
        column = f", {self.column}" if self.column else ""
        return f"{where}{column}: {self.sentence}"


class Unreadable(Exception):  # noqa: N818 - as refusals are named
    """The file cannot be split into cells from this line on."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    values: Values


@dataclass(frozen=True, slots=True)
class CsvList:
    """A list as it was read. `encoding` and `separator` are those that were found, for the page."""

    rows: Sequence[Row] = ()
    wrong: Sequence[Wrong] = ()
    encoding: str = "UTF-8"
    separator: str = ","
    text: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A kind of list: its columns and checks.

    :param columns: in the order of the template; `needed`: columns that may not be empty.
    :param unique: the column whose values have to be unique, without regard to case.
    :param there: the values of that column that exist already; `taken`: the error for them.
    :param judge: checks the values of one row; yields column and error.
    :param money: columns of amounts, which people write as the house does.
    """

    columns: tuple[str, ...]
    needed: frozenset[str]
    unique: str
    there: Callable[[Establishment], Iterable[str]]
    taken: _StrPromise
    judge: Callable[[Mapping[str, str]], Iterator[tuple[str, str]]]
    example: tuple[tuple[str, ...], ...] = field(default=())
    money: frozenset[str] = frozenset()

    def cell(self, column: str, written: str) -> str:
        """A cell as the preview has it: an amount as it was understood, in the house's spelling."""
        found = amount(written) if written and column in self.money else None
        return written if found is None else amounts.money(found)

    @property
    def template(self) -> str:
        """A CSV file to fill in."""
        written = io.StringIO()
        Writer(written).writerows(iter([self.columns, *self.example]))
        return written.getvalue()


def read(raw: bytes, kind: Kind, house: Establishment) -> CsvList:
    """Read a list from a file's bytes. Never raises: the result contains the errors."""
    if len(raw) > BYTES_MOST:
        sentence = _("The file is longer than %(most)s bytes: bring it in parts.")
        return CsvList(wrong=[Wrong(0, "", sentence % {"most": BYTES_MOST})])
    try:
        text, encoding = _decode(raw)
    except UnicodeDecodeError:
        sentence = _("This is no text in UTF-8: save it as CSV UTF-8.")
        return CsvList(wrong=[Wrong(0, "", sentence)])
    except Unreadable as unreadable:
        return CsvList(wrong=[Wrong(unreadable.line, "", str(unreadable))])
    text = unicodedata.normalize("NFC", text)
    separator = _separator(text)
    try:
        lines = list(_lines(text, separator))
    except Unreadable as unreadable:
        wrong = [Wrong(unreadable.line, "", str(unreadable))]
        return CsvList((), wrong, encoding, separator, text)
    if not lines:
        return CsvList(wrong=[Wrong(0, "", _("There is nothing in it."))])
    rows, wrong = _rows(lines, kind, house)
    return CsvList(rows, wrong, encoding, separator, text)


def _decode(raw: bytes) -> tuple[str, str]:
    """
    The text of a file, and its encoding.

    :raises UnicodeDecodeError: if it is not text, or in a 16-bit encoding without its mark.
    :raises Unreadable: at the first line that no Windows program writes, but a Mac may.
    """
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # Excel's "Unicode text"
        return raw.decode("utf-16"), "UTF-16"
    if b"\0" in raw:
        raise UnicodeDecodeError("utf-8", raw, 0, 1, "no text")
    try:
        return raw.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if found := OF_ANOTHER.search(line):
            sentence = _("“%(found)s” is no Windows-1252, maybe a Mac's: save it as CSV UTF-8.")
            raise Unreadable(number, sentence % {"found": found[0]})
    return text, "Windows-1252"


def _separator(text: str) -> str:
    """The separator that the first line has most of."""
    head = next((line for line in text.splitlines() if line.strip()), "")
    if declared := separator_of_line(head):
        return declared
    return max(SEPARATORS, key=lambda each: (head.count(each), -SEPARATORS.index(each)))


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """
    The lines of a file: number of the line, and its cells. Empty lines are left out.

    :raises Unreadable: for example if a quote is not closed.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    began = 1
    try:
        first = True
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if not (first and separator_of_line(separator.join(cells))):
                    yield began, [cell.strip() for cell in cells]
                first = False
            began = reader.line_num + 1
    except csv.Error as error:
        sentence = _("The quotes do not close, or the like: %(error)s.") % {"error": error}
        raise Unreadable(began, sentence) from None


def _rows(
    lines: list[tuple[int, list[str]]], kind: Kind, house: Establishment
) -> tuple[list[Row], list[Wrong]]:
    (at, head), *body = lines
    names = [name.casefold() for name in head]
    wrong = list(_head_wrong(at, names, kind))
    if wrong:
        return [], wrong
    if not body:
        return [], [Wrong(at, "", _("There is no line under the names of the columns."))]
    if len(body) > ROWS_MOST:
        sentence = _("More than %(most)s lines: bring it in parts.") % {"most": ROWS_MOST}
        return [], [Wrong(body[ROWS_MOST][0], "", sentence)]
    rows: list[Row] = []
    for line, cells in body:
        if len(cells) != len(names):
            sentence = ngettext(
                "%(found)s cell where there are %(wanted)s columns.",
                "%(found)s cells where there are %(wanted)s columns.",
                len(cells),
            )
            sizes = {"found": len(cells), "wanted": len(names)}
            wrong.append(Wrong(line, "", sentence % sizes))
            continue
        values = dict.fromkeys(kind.columns, "") | dict(zip(names, cells, strict=True))
        rows.append(Row(line, values))
        wrong += _row_wrong(line, values, kind)
    wrong += _not_new(rows, kind, house)
    return rows, sorted(wrong, key=lambda each: each.line)


def _head_wrong(line: int, names: list[str], kind: Kind) -> Iterator[Wrong]:
    columns = ", ".join(kind.columns)
    for name in names:
        if not name:
            yield Wrong(line, "", _("A column has no name: take out separators at the end."))
        elif name not in kind.columns:
            sentence = _("No column of this list: they are %(columns)s.") % {"columns": columns}
            yield Wrong(line, name, sentence)
        elif names.count(name) > 1:
            yield Wrong(line, name, _("This column is named twice."))
    for name in sorted(kind.needed - set(names)):
        yield Wrong(line, name, _("The first line does not name this column."))


def _row_wrong(line: int, values: Values, kind: Kind) -> Iterator[Wrong]:
    missing = [name for name in kind.columns if name in kind.needed and not values[name]]
    for name in missing:
        yield Wrong(line, name, _("This is missing."))
    for name in kind.columns:
        if any(unicodedata.category(each) in NO_TEXT for each in values[name]):
            yield Wrong(line, name, _("There is an end of a line in it, or what is no letter."))
    for name, sentence in kind.judge(values):
        if name not in missing:
            yield Wrong(line, name, sentence)


def _not_new(rows: Iterable[Row], kind: Kind, house: Establishment) -> Iterator[Wrong]:
    """Errors for rows whose unique value exists already, at the house or further up in the list."""
    there = {each.casefold() for each in kind.there(house)}
    first: dict[str, int] = {}
    for row in rows:
        value = row.values[kind.unique]
        key = value.casefold()
        if key in there:
            yield Wrong(row.line, kind.unique, str(kind.taken))
        if key in first:
            sentence = _("%(value)s stands in line %(line)s already.")
            yield Wrong(row.line, kind.unique, sentence % {"value": value, "line": first[key]})
        elif key:
            first[key] = row.line


def _table(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if len(values["name"]) > NAME:
        yield "name", _("Longer than %(most)s letters.") % {"most": NAME}
    limits: dict[str, int] = {}
    for name in ("stake_min", "stake_max"):
        if not values[name]:
            continue
        limit = amount(values[name])
        if limit is None and len(may := _readings(values[name])) > 1:
            one, other = map(amounts.money, may[:2])
            several = _("This may be %(one)s or %(other)s: write it with all decimals.")
            yield name, several % {"one": one, "other": other}
        elif limit is None:
            example = amounts.as_typed(amounts.in_units(EXAMPLE))
            yield (
                name,
                _("Not an amount of this house: write it as %(example)s.") % {"example": example},
            )
        else:
            limits[name] = limit
    if limits.get("stake_min", 0) > limits.get("stake_max", COINS_MAX):
        yield "stake_max", _("The greatest stake is less than the least.")


def amount(written: str) -> int | None:
    """The smallest coins of an amount in a cell; None: it is none, or could be two."""
    found = _readings(written)
    return found[0] if len(found) == 1 and 0 <= found[0] <= COINS_MAX else None


def _readings(written: str) -> list[int]:
    """
    What an amount in a cell may be: as the house writes it on pages, or in its files.

    An Italian house means a thousand and five by 1.005, and its files, in a coin of three decimals,
    one and five thousandths.
    """
    coins = amounts.coins()
    in_files = replace(coins, person=FILES)
    return list(dict.fromkeys([*coins.readings(written), *in_files.readings(written)]))


def _person(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in ("username", "first", "last"):
        if len(values[name]) > PERSON:
            yield name, _("Longer than %(most)s letters.") % {"most": PERSON}
    try:
        UnicodeUsernameValidator()(values["username"])
    except ValidationError as invalid:
        yield "username", " ".join(invalid.messages)
    if values["role"] and role(values["role"]) is None:
        roles = ", ".join(Role.values)
        yield "role", _("No such role: %(roles)s.") % {"roles": roles}


def role(written: str) -> Role | None:
    """The role that a cell names, by its value or its label; None if there is no such role."""
    key = written.casefold()
    return next(
        (each for each in Role if key in {each.value.casefold(), str(each.label).casefold()}),
        None,
    )


def _tables_there(house: Establishment) -> Iterable[str]:
    return Table.objects.filter(establishment=house).values_list("name", flat=True)


def _sign_ins_there(house: Establishment) -> Iterable[str]:
    del house  # user names are unique in the whole installation
    return Attendant.objects.values_list("username", flat=True)


TABLES: Final = Kind(
    columns=("name", "stake_min", "stake_max"),
    needed=frozenset({"name"}),
    unique="name",
    there=_tables_there,
    taken=gettext_lazy("This house has a table of that name already."),
    judge=_table,
    example=(("Garden", "5", "50"), ("Loft", "", "")),
    money=frozenset({"stake_min", "stake_max"}),
)
STAFF: Final = Kind(
    columns=("username", "first", "last", "role"),
    needed=frozenset({"username", "role"}),
    unique="username",
    there=_sign_ins_there,
    taken=gettext_lazy(
        "Somebody signs in by this name: choose another, or invite them under People."
    ),
    judge=_person,
    example=(("mira", "Mira", "Solano", "attendant"), ("orso", "Orso", "Marchetti", "manager")),
)
KINDS: Final[dict[str, Kind]] = {"tables": TABLES, "staff": STAFF}
