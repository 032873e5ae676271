"""
A house in which every table that a verification holds has rows, and what its owner can do to them.

Everything is done as the owner of the database does it: no trigger fires, no constraint stands.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import BinaryField, UniqueConstraint
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import set_home_throw
from casino.play.settlement.models import Scoreboard
from casino.proof.signing import signing
from casino.proof.verification import columns
from casino.settings.staff import invitations, tablets
from ledger.models import Event
from tests.conftest import unguarded
from tests.play.settlement.test_settlement_trouble import by_hand
from tests.support import builders, dice_acts, full_house
from tests.support.on_citus import ON_CITUS, keys_checked, nothing_fires
from tests.support.playing import NOW, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Field, Model, QuerySet

    from tests.support.builders import House

ON_POSTGRESQL = connection.vendor == "postgresql"


def house(*, events: int = 0, stuck: bool = True) -> House:
    """
    All five games, cash, days, disputes, dice, staff, rules; all signed.

    :param stuck: a game has an event that nobody understands, and one behind it: both are parked.
    """
    made = full_house.house(events=events)
    _sign(made)
    _staffed(made)
    _ruled(made)
    builders.on_record(made.establishment)
    _sign(made)
    if stuck:
        _stuck(made)
    else:
        builders.table(made.establishment)
        builders.on_record(made.establishment)
    _sign(made)
    return made


def _sign(made: House) -> None:
    settled(made)
    assert signing.sign(made.establishment, NOW) is not None


def _staffed(made: House) -> None:
    now = timezone.now()
    for name in ("Nell Ferro", "Ugo Sand", "Ida Lund"):
        made_for, secret = invitations.invite(
            house=made.establishment, name=name, role=Role.ATTENDANT, by=None, now=now
        )
        assert made_for.pk
        if name != "Ida Lund":
            who = builders.person(name.split()[0].lower() + uuid.uuid4().hex[:6])
            invitations.accept(secret=secret, person=who, now=now)
    for name in ("Bar", "Garden", "Stairs"):
        tablets.enrol(house=made.establishment, name=name, by=made.manager)


def _ruled(made: House) -> None:
    now = timezone.now()
    for days, faces in enumerate([(1, 3, 6), (1, 4, 6), (2, 4, 7)]):
        set_home_throw(
            establishment=made.establishment, faces=faces, by=made.manager,
            effective_from=now + timedelta(days=days), story="Grandmother's.",
        )  # fmt: skip
    for game in ("stone-hand", "river", "threes-away"):
        house_rules.publish(
            establishment=made.establishment, game=game, effective_from=now, by=made.manager,
            now=now, text="As it hangs on the wall.",
        )  # fmt: skip
    for game, length, until in (("stone-hand", "week", None), ("river", "until", now.date())):
        board = Scoreboard(establishment=made.establishment, ruleset=game, season=length)
        board.until = until
        changes.create(board, establishment=made.establishment, by=made.manager)
    dice_acts.withdrawn(made, dice_acts.in_store(made, "N-7"))


def _stuck(made: House) -> None:
    """An event that no rules have decided, and one behind it."""
    first = Event.objects.filter(
        establishment=made.id, event_type="stone_hand.game_opened"
    ).earliest("position")
    for _ in range(2):
        by_hand(made, first.stream, "stone_hand.unheard_of", {})


# --- By hand -------------------------------------------------------------------------------------


@contextmanager
def undone(model: type[Model]) -> Iterator[None]:
    """Within, whatever is done to the table is done; afterwards it was not."""
    with transaction.atomic():
        with owned(model):
            yield
        transaction.set_rollback(True)


@contextmanager
def owned(model: type[Model]) -> Iterator[None]:
    """No trigger fires, and nothing but its primary key is asked of a row."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if ON_POSTGRESQL:
            keys_checked()
            with unguarded(connection):
                _without_constraints(cursor, table)
                nothing_fires()
                yield
                cursor.execute("SET LOCAL session_replication_role = origin")
            return
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            with unguarded(connection):
                for [index] in _indexes(cursor, table):
                    cursor.execute(f'DROP INDEX "{index}"')
                yield
        finally:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def _without_constraints(cursor: Any, table: str) -> None:
    cursor.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass"
        " AND contype IN ('c', 'u', 'f', 'x')",
        [table],
    )
    for [name] in cursor.fetchall():
        cursor.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
    for [index] in _indexes(cursor, table):
        cursor.execute(f'DROP INDEX "{index}"')


def _indexes(cursor: Any, table: str) -> list[tuple[str]]:
    """Those that are unique, and no key."""
    if ON_POSTGRESQL:
        cursor.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass"
            " AND indisunique AND NOT indisprimary",
            [table],
        )
    else:
        cursor.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = %s"
            " AND sql LIKE 'CREATE UNIQUE%%'",
            [table],
        )
    found: list[tuple[str]] = cursor.fetchall()
    return found


# --- Rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """A table that a verification holds, and which of its columns."""

    model: type[Model]
    columns: tuple[Field[Any, Any], ...]

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    def rows(self, at: House) -> QuerySet[Any]:
        meta = self.model._meta
        names = {each.name for each in meta.concrete_fields}
        of_house = {"establishment": at.id} if "establishment" in names else {"pk": at.id}
        keys = [each.attname for each in meta.pk_fields]
        return self.model._default_manager.filter(**of_house).order_by(*keys)


def held_by(*stages: str) -> list[Held]:
    """By their tables' names."""
    tables = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    found = []
    for stage in stages:
        for each in columns.columns_of_stage(stage):
            fields = {field.column: field for field in tables[each.table]._meta.concrete_fields}
            found.append(Held(tables[each.table], tuple(fields[name] for name in each.columns)))
    return sorted(found, key=lambda held: held.table)


def one(row: Model) -> QuerySet[Any]:
    """The row alone, by all that names it."""
    keys = {each.attname: getattr(row, each.attname) for each in row._meta.pk_fields}
    return type(row)._default_manager.filter(**keys)


def change(row: Model, column: Field[Any, Any]) -> Any:
    """Another value in a column of the row; which."""
    value = another(row, column)
    put(row, column, value)
    return value


def put(row: Model, column: Field[Any, Any], value: Any) -> None:
    """A value into a column of the row, whatever was in it."""
    if ON_CITUS and column.name == "establishment":  # no UPDATE takes a row to another server
        delete(row)
        names = [each.attname for each in row._meta.concrete_fields]
        moved = {name: getattr(row, name) for name in names} | {column.attname: value}
        type(row)(**moved).save(force_insert=True)
    else:
        assert one(row).update(**{column.attname: value}) == 1


def delete(row: Model) -> None:
    """Past Django, which would look for what rests on it."""
    one(row)._raw_delete(DEFAULT_DB_ALIAS)  # no documented way


def insert(row: Model) -> Model:
    """A copy of the row under another key, and otherwise as like it as tables allow."""
    meta: Any = row._meta
    copy = type(row)(**{each.attname: getattr(row, each.attname) for each in meta.concrete_fields})
    unique = [each for each in meta.concrete_fields if each.unique and not each.primary_key]
    unique += [
        meta.get_field(each.fields[-1])
        for each in meta.constraints
        if isinstance(each, UniqueConstraint)
    ]
    for column in {list(meta.pk_fields)[-1], *unique}:
        setattr(copy, column.attname, another(row, column))
    copy.save(force_insert=True)
    return copy


def exchange(row: Model, other: Model) -> None:
    """Each of two rows gets what names the other, and stands where that one stood."""
    names = [each for each in row._meta.pk_fields if "establishment" not in each.name]
    mine, theirs = ({each.attname: getattr(of, each.attname) for each in names}
                    for of in (row, other))  # fmt: skip
    aside = {each.attname: another(row, each) for each in names[-1:]}
    for begin, end in ((mine, {**mine, **aside}), (theirs, mine), ({**mine, **aside}, theirs)):
        assert of_house(row).filter(**begin).update(**end) == 1


def of_house(row: Model) -> QuerySet[Any]:
    house = {each.attname: getattr(row, each.attname) for each in row._meta.concrete_fields
             if each.name == "establishment"}  # fmt: skip
    return type(row)._default_manager.filter(**house)


def alike(row: Model, other: Model, held: Held) -> bool:
    """Whether they hold the same, but for what names them."""
    keys = {each.attname for each in row._meta.pk_fields}
    return all(
        _plain(getattr(row, each.attname)) == _plain(getattr(other, each.attname))
        for each in held.columns
        if each.attname not in keys
    )


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


WHERE_NONE_IS = {
    "DateTimeField": datetime.fromisoformat("2026-11-20T12:00:00+00:00"),
    "DateField": date(2026, 11, 20), "UUIDField": uuid.UUID(int=7), "ForeignKey": uuid.UUID(int=7),
    "OneToOneField": uuid.UUID(int=7), "BooleanField": True, "JSONField": ["x"], "FloatField": 0.5,
    "BinaryField": b"x", "CharField": "x", "TextField": "x",
}  # fmt: skip


def another(row: Model, column: Field[Any, Any]) -> Any:  # noqa: PLR0911 - one for each kind
    """Another value that the column could have."""
    value = getattr(row, column.attname)
    if isinstance(column, BinaryField):
        return bytes([bytes(value)[0] ^ 1]) + bytes(value)[1:] if value else b"x"
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1000
        case datetime():
            return value + timedelta(minutes=3)
        case date():
            return value + timedelta(days=1)
        case time():
            return value.replace(hour=(value.hour + 1) % 24)
        case uuid.UUID():
            return uuid.uuid4()
        case str() if value:
            return f"{value[:-1]}{'x' if value[-1] != 'x' else 'y'}"
        case None | "":
            return WHERE_NONE_IS.get(column.get_internal_type(), 7)
        case _:  # JSON
            return [value]
