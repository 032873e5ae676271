"""
The tables that are exported with a house's ledger: everything that events cannot restore (E1).

There is one JSON-lines file per model, with one row per line and the columns of the database;
docs/reference/proofs.md lists them. Rows that subscribers make from events are left out, and so are
all secrets that let somebody sign in.
"""

from __future__ import annotations

import json
import re
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db.migrations import AddField
from django.db.migrations.loader import MigrationLoader
from django.db.models import BinaryField

from casino.house.attendants.models import Attendant, Employment, Invitation, SignIn, Tablet
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.house.establishments.columns import new_secret, new_wall_key
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.home_throws.models import HomeThrow
from casino.money.cash.models import SealedCount
from casino.play.devices.models import DeviceEntry
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule, Scoreboard
from ledger import canonical
from ledger.ids import uuid7_in_order
from ledger.verify import Unreadable, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from django.db.models import Field, Model, QuerySet

CHUNK: Final = 500  # rows that are read or written at a time
Row = dict[str, Any]


def unusable() -> str:
    """A random value in place of a secret's hash; nobody's secret hashes to it."""
    return secrets.token_hex(32)


@dataclass(frozen=True, slots=True)
class Exported:
    """
    An exported table.

    :param kept_back: columns that are not exported, each with a function that makes a new value.
    :param forgotten: the values that erased columns get (`--without-names`).
    :param grows: whether rows come with the play. The rows of other tables are few, and their own
        events say what they are: they are read at the moment at which the export ends.
    """

    model: type[Model]
    file: str
    house: str = "establishment"
    kept_back: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    forgotten: Mapping[str, Any] = field(default_factory=dict)
    grows: bool = False

    @property
    def columns(self) -> list[Field[Any, Any]]:
        fields = self.model._meta.concrete_fields  # noqa: SLF001 - Django's documented Meta API
        return [each for each in fields if each.attname not in self.kept_back]

    def rows(self, establishment: UUID, using: str) -> QuerySet[Any]:
        found = self.model._default_manager.using(using)  # noqa: SLF001
        return found.filter(**{self.house: establishment}).order_by("pk")


NOT_STORABLE: Final = re.compile(r"\\u0000|[\ud800-\udfff]")
"""In JSON without escaped backslashes: what no database keeps in a text."""


def none() -> None:
    return None


HOUSE: Final = Exported(
    Establishment,
    "establishment.jsonl",
    house="pk",
    kept_back={"secret": new_secret, "wall_key": new_wall_key},
)
STAFF: Final = Exported(
    Attendant,
    "attendants.jsonl",
    kept_back={
        "password": lambda: make_password(None),
        "last_login": none,
        "is_superuser": bool,
        "is_staff": bool,
        "email": str,
        "pin": str,
        "sign_in_epoch": int,
        "chain": none,
    },
)
TABLES: Final = (
    Exported(Player, "players.jsonl", forgotten={"name": None}, grows=True),
    Exported(Text, "texts.jsonl", forgotten={"text": None, "salt": b""}, grows=True),
    Exported(Table, "tables.jsonl", kept_back={"wall_key": new_wall_key}),
    Exported(DiceSet, "dice_sets.jsonl"),
    Exported(HouseRules, "house_rules.jsonl"),
    Exported(HomeThrow, "home_throws.jsonl"),
    Exported(Scoreboard, "scoreboards.jsonl"),
    Exported(PrizeRule, "prize_rules.jsonl"),
    Exported(Invitation, "invitations.jsonl", kept_back={"secret": unusable}),
    Exported(Employment, "employments.jsonl"),
    Exported(Tablet, "tablets.jsonl", kept_back={"secret": unusable}),
    Exported(SignIn, "sign_ins.jsonl", kept_back={"id": uuid7_in_order}, grows=True),
    Exported(SealedCount, "sealed_counts.jsonl", grows=True),
    Exported(DeviceEntry, "device_entries.jsonl", grows=True),
)
"""In an order in which they can be imported: what a row refers to comes before it."""


def files(establishment: UUID, *, names: bool, using: str) -> dict[str, Iterable[bytes]]:
    """
    The lines of each file, by its name. Rows of tables that grow are read when the lines are
    consumed; those of the others now.
    """
    found: dict[str, Iterable[bytes]] = {}
    people: set[UUID] = set()
    for each in (HOUSE, *TABLES):
        rows = each.rows(establishment, using)
        written = lines(each, rows, {} if names else each.forgotten, people)
        found[each.file] = written if each.grows else list(written)
    found[STAFF.file] = _staff(people, using)
    return found


def lines(
    exported: Exported,
    rows: QuerySet[Any],
    instead: Mapping[str, Any] | None = None,
    people: set[UUID] | None = None,
) -> Iterator[bytes]:
    """:param people: gets the ids of the attendants to whom the rows refer."""
    names = [each.attname for each in exported.columns]
    who = [] if people is None else columns_to(exported, Attendant)
    for values in rows.values_list(*names).iterator(chunk_size=CHUNK):
        row = {**dict(zip(names, values, strict=True)), **(instead or {})}
        if people is not None:
            people.update(row[each] for each in who if row[each] is not None)
        yield as_line({name: plain(value) for name, value in row.items()})


def columns_to(exported: Exported, model: type[Model]) -> list[str]:
    """The columns that refer to rows of a model."""
    return [each.attname for each in exported.columns if each.related_model is model]


def _staff(people: set[UUID], using: str) -> Iterator[bytes]:
    """
    The people to whom a row refers, even if they do not work at the house any more. Their file is
    consumed last: then all rows are written.
    """
    found = Attendant._default_manager.using(using).filter(pk__in=people)  # noqa: SLF001
    yield from lines(STAFF, found.order_by("pk"))


def as_line(row: Mapping[str, Any]) -> bytes:
    """A row in its one spelling."""
    return json.dumps(
        row, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def plain(value: Any) -> Any:
    """A value as JSON: moments as in event bodies, bytes as base64."""
    if isinstance(value, datetime):
        return canonical.moment(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(bytes(value)).decode()
    return value


class Unknown(ValueError):  # noqa: N818 - names the fact
    """A row of an export does not fit this version's columns; the message names file and line."""


def read(exported: Exported, written: Iterable[bytes]) -> Iterator[Model]:
    """
    Rows of an exported file as model instances to import; columns kept back get new values.

    A column that the house which exported did not have yet gets its default, as the migration that
    added it gave it to rows that were there.

    :raises Unknown: if a column is missing, unknown, of another type, not as an export spells it,
        or not valid by the model's own rules.
    """
    columns = {each.attname: each for each in exported.columns}
    later = _defaults_of_later_columns(exported.model)
    for nth, line in enumerate(written, 1):
        where = f"{exported.file}, line {nth}"
        row = {**later, **_row_of(line, where)}
        if row.keys() != columns.keys():
            odd = ", ".join(sorted(row.keys() ^ columns.keys()))
            raise Unknown(f"{where}: {odd}: another version of Home Throw.")
        values = {name: _value_of(columns[name], row[name], where) for name in row}
        made = {name: make() for name, make in exported.kept_back.items()}
        yield exported.model(**values, **made)


def _row_of(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = read_json(line, where)
    except Unreadable as error:
        raise Unknown(str(error)) from None
    if not isinstance(row, dict):
        raise Unknown(f"{where}: no row.")
    return row


@cache
def _defaults_of_later_columns(model: type[Model]) -> Mapping[str, Any]:
    """The defaults of columns that a migration after the first one added, as JSON, by name."""
    meta = model._meta  # noqa: SLF001 - Django's own word for its public interface
    migrations = MigrationLoader(None).disk_migrations
    added = {
        step.name
        for (app, _name), migration in migrations.items()
        for step in migration.operations
        if app == meta.app_label
        and isinstance(step, AddField)
        and step.model_name == meta.model_name
    }
    columns = [each for each in meta.concrete_fields if each.name in added and each.has_default()]
    return {each.attname: plain(each.get_default()) for each in columns}


def _value_of(column: Field[Any, Any], given: Any, where: str) -> Any:
    """
    A value of a row.

    :raises Unknown: if it is of another type than the column, or its validators refuse it.
    """
    try:
        value = column.to_python(given)
        if isinstance(column, BinaryField):
            value = bytes(value)
        _check_valid(column, value, given)
    except ValidationError as error:
        raise Unknown(f"{where}: {column.attname}: {' '.join(error.messages)}") from error
    except Exception as error:
        raise Unknown(f"{where}: {column.attname}: {error}") from error
    return value


def _check_valid(column: Field[Any, Any], value: Any, given: Any) -> None:
    """
    Check a value as the model does. That it may not be empty is a rule for forms: what was erased
    is empty. What it refers to is looked up elsewhere.

    :raises ValidationError: if it is not valid, or was not given as an export spells it.
    """
    if json.dumps(plain(value)) != json.dumps(given):
        raise ValidationError(f"{given!r:.60} is not as an export spells it.")
    if value is None and not column.null:
        raise ValidationError(column.error_messages["null"])
    if value in column.empty_values or column.is_relation:
        return
    if NOT_STORABLE.search(json.dumps(given, ensure_ascii=False).replace("\\\\", "")):
        raise ValidationError("It has a null character in it, or half of a surrogate pair.")
    if column.choices and value not in dict(column.flatchoices):
        raise ValidationError(column.error_messages["invalid_choice"], params={"value": value})
    column.run_validators(value)
