"""
The tables that are exported with a house's ledger: everything that events cannot restore (E1).

There is one JSON-lines file per model, with one row per line and the columns of the database;
docs/reference/proofs.md lists them. Rows that subscribers make from events are left out, and so are
all secrets that let somebody sign in.
"""

from __future__ import annotations

import json
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db.migrations import AddField
from django.db.migrations.loader import MigrationLoader
from django.db.models import BinaryField

from casino.attendants.models import Attendant, Employment, Invitation, SignIn, Tablet
from casino.cash.models import SealedCount
from casino.devices.models import DeviceEntry
from casino.dice.models import DiceSet
from casino.establishments.columns import new_secret, new_wall_key
from casino.establishments.models import Establishment, HouseRules, Table
from casino.home_throws.models import HomeThrow
from casino.pseudonyms.models import Player, Text
from casino.settlement.models import PrizeRule
from ledger import canonical
from ledger.ids import uuid7_in_order

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
    """

    model: type[Model]
    file: str
    house: str = "establishment"
    kept_back: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    forgotten: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> list[Field[Any, Any]]:
        fields = self.model._meta.concrete_fields  # noqa: SLF001 - Django's documented Meta API
        return [each for each in fields if each.attname not in self.kept_back]

    def rows(self, establishment: UUID, using: str) -> QuerySet[Any]:
        found = self.model._default_manager.using(using)  # noqa: SLF001
        return found.filter(**{self.house: establishment}).order_by("pk")


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
    Exported(Player, "players.jsonl", forgotten={"name": None}),
    Exported(Text, "texts.jsonl", forgotten={"text": None, "salt": b""}),
    Exported(Table, "tables.jsonl", kept_back={"wall_key": new_wall_key}),
    Exported(DiceSet, "dice_sets.jsonl"),
    Exported(HouseRules, "house_rules.jsonl"),
    Exported(HomeThrow, "home_throws.jsonl"),
    Exported(PrizeRule, "prize_rules.jsonl"),
    Exported(Invitation, "invitations.jsonl", kept_back={"secret": unusable}),
    Exported(Employment, "employments.jsonl"),
    Exported(Tablet, "tablets.jsonl", kept_back={"secret": unusable}),
    Exported(SignIn, "sign_ins.jsonl", kept_back={"id": uuid7_in_order}),
    Exported(SealedCount, "sealed_counts.jsonl"),
    Exported(DeviceEntry, "device_entries.jsonl"),
)
"""In an order in which they can be imported: what a row refers to comes before it."""


def files(establishment: UUID, *, names: bool, using: str) -> dict[str, Iterable[bytes]]:
    """The lines of each file, by its name; rows are read when the lines are consumed."""
    found: dict[str, Iterable[bytes]] = {
        HOUSE.file: lines(HOUSE, HOUSE.rows(establishment, using)),
        STAFF.file: _staff(establishment, using),
    }
    for each in TABLES:
        rows = each.rows(establishment, using)
        found[each.file] = lines(each, rows, {} if names else each.forgotten)
    return found


def lines(
    exported: Exported, rows: QuerySet[Any], instead: Mapping[str, Any] | None = None
) -> Iterator[bytes]:
    names = [each.attname for each in exported.columns]
    for values in rows.values_list(*names).iterator(chunk_size=CHUNK):
        row = {**dict(zip(names, values, strict=True)), **(instead or {})}
        yield json.dumps(
            {name: plain(value) for name, value in row.items()},
            ensure_ascii=False, sort_keys=True, separators=(",", ":"),
        ).encode()  # fmt: skip


def _staff(establishment: UUID, using: str) -> Iterator[bytes]:
    """All attendants to whom a row refers, even if they do not work at the house any more."""
    ids: set[UUID] = set()
    for each in TABLES:
        for column in each.columns:
            if column.related_model is Attendant:
                rows = each.rows(establishment, using).order_by()
                ids.update(rows.values_list(column.attname, flat=True).distinct())
    found = Attendant._default_manager.using(using).filter(pk__in=ids - {None})  # noqa: SLF001
    yield from lines(STAFF, found.order_by("pk"))


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

    :raises Unknown: if a column is missing, unknown or of another type.
    """
    columns = {each.attname: each for each in exported.columns}
    later = _added_later(exported.model)
    for nth, line in enumerate(written, 1):
        row = {**later, **json.loads(line)}
        if row.keys() != columns.keys():
            odd = ", ".join(sorted(row.keys() ^ columns.keys()))
            raise Unknown(f"{exported.file}, line {nth}: {odd}: another version of Home Throw.")
        try:
            values = {name: _read(columns[name], value) for name, value in row.items()}
        except Exception as error:
            raise Unknown(f"{exported.file}, line {nth}: {error}") from error
        made = {name: make() for name, make in exported.kept_back.items()}
        yield exported.model(**values, **made)


@cache
def _added_later(model: type[Model]) -> Mapping[str, Any]:
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


def _read(column: Field[Any, Any], value: Any) -> Any:
    if isinstance(column, BinaryField):
        return bytes(column.to_python(value))
    return column.to_python(value)
