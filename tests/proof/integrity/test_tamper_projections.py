"""
The tamper matrix of what screens and reports read: every column, each way, first, middle and last.

The ledger is read again once for each subscriber; then each fault is planted, looked for, undone.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.test import override_settings

from casino.money.cash import balance_snapshots
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement.models import Payout
from casino.proof.search import events
from casino.proof.verification import rebuild, verifying
from casino.proof.verification.replays import Replay
from casino.proof.verification.shadow import shadows
from ledger.models import Event, ParkedEvent
from tests.support import tampered
from tests.support.at_once import on_a_file
from tests.support.on_citus import ON_CITUS, nothing_fires

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from django.db.models import Model

    from casino.proof.verification.rebuild import Derived
    from casino.proof.verification.shadow import Shadows
    from ledger.checking.findings import Finding
    from tests.support.builders import House
    from tests.support.tampered import Held

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _on_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Of what is written once in so many positions a short house is to have some, too.
    monkeypatch.setattr(balance_snapshots, "WINDOW", 64)
    monkeypatch.setattr(events, "BLOCK", 64)
    with (
        on_a_file(tmp_path),
        override_settings(LEDGER_KEYS_DIR=tmp_path / "keys", PRODUCTION=False),
    ):
        yield


OWNERS = {
    "postgresql": (
        ["SET session_replication_role = replica"], ["SET session_replication_role = origin"]
    ),
    "sqlite": (
        ["PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON"],
        ["PRAGMA ignore_check_constraints = OFF", "PRAGMA foreign_keys = ON"],
    ),
}  # fmt: skip
CHECKS = """
    SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype = 'c' AND conrelid::regclass::text = ANY(%s)"""


@contextmanager
def as_owner() -> Iterator[None]:
    """Foreign keys are not looked at; on SQLite nor are checks."""
    if ON_CITUS:
        with transaction.atomic():
            nothing_fires()
            yield
        return
    off, on = OWNERS[connection.vendor]
    own = connection.connection
    ask(off)
    try:
        yield
    finally:
        assert connection.connection is own
        ask(on)


@contextmanager
def unchecked(models: Iterable[type[Model]]) -> Iterator[None]:
    """On PostgreSQL: without the checks of these tables."""
    checks: list[tuple[str, str, str]] = []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(CHECKS, [[model._meta.db_table for model in models]])
            checks = cursor.fetchall()
    ask(f"ALTER TABLE {table} DROP CONSTRAINT {name}" for table, name, _ in checks)
    try:
        yield
    finally:
        ask(f"ALTER TABLE {table} ADD CONSTRAINT {name} {says}" for table, name, says in checks)


def ask(statements: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


class Looking:
    """The rows of a subscriber, and what it makes of the ledger, side by side for all faults."""

    def __init__(self, what: Derived, made: Shadows) -> None:
        self.what, self.made = what, made
        self.replay = Replay(what.subscriber, made)

    def findings(self, of: type[Model] | None = None) -> list[Finding]:
        """:param of: those of this table alone."""
        what = self.what if of is None else replace(self.what, rows=[of])
        found = rebuild.compare_rows(what, self.made, self.replay)
        assert found is not None
        return [verifying._finding(each) for each in found]

    def after(self, do: Callable[[], Callable[[], object]], of: type[Model]) -> list[Finding]:
        """The findings once something was done, which is undone again."""
        with self.made.out_of_place(), as_owner():
            undo = do()
        findings = self.findings(of)
        with self.made.out_of_place(), as_owner():
            undo()
        return findings


@contextmanager
def looking(at: House, what: Derived) -> Iterator[Looking]:
    with unchecked(what.rows), ExitStack() as stack:
        made = stack.enter_context(shadows(at.id, [*what.rows, *what.effects]))
        stack.enter_context(made.in_place())
        yield Looking(what, made)


def faults(held: Held, rows: list[Any]) -> Iterator[tuple[str, set[str], Any]]:
    """What is done to a table, the keys by which it may be told, and how it is done."""
    some = [rows[number] for number in sorted({0, len(rows) // 2, len(rows) - 1})]
    for number, row in enumerate(some):
        for column in held.columns:
            if taken(row, column):
                continue  # there is a row of that key: only an exchange puts another there
            yield (
                f"{column.column} of row {number}",
                keys(row),
                lambda r=row, c=column: change(r, c),
            )
        yield f"row {number} deleted", keys(row), lambda r=row: delete(r)
    yield "a row put in", set(), lambda: insert(rows[-1])
    other = next((each for each in rows[1:] if not tampered.alike(rows[0], each, held)), None)
    if other is not None and not rows[0]._meta.auto_field:
        yield "two exchanged", keys(rows[0]) | keys(other), lambda: exchange(rows[0], other)


def taken(row: Model, column: Any) -> bool:
    """Whether the key that the row would have is another's."""
    names = {each.attname: getattr(row, each.attname) for each in row._meta.pk_fields}
    if column.attname not in names:
        return False
    names[column.attname] = tampered.another(row, column)
    return type(row)._default_manager.filter(**names).exists()


def keys(row: Model) -> set[str]:
    return {str(getattr(row, each.attname)) for each in row._meta.pk_fields}


def change(row: Model, column: Any) -> Callable[[], object]:
    before = {each.attname: getattr(row, each.attname) for each in row._meta.concrete_fields}
    value = tampered.change(row, column)
    names = {each.attname: before[each.attname] for each in row._meta.pk_fields}
    now = {**names, column.attname: value} if column.attname in names else names
    rows = type(row)._default_manager.filter(**now)
    return lambda: tampered.put(rows.get(), column, before[column.attname])


def delete(row: Model) -> Callable[[], object]:
    tampered.delete(row)
    return lambda: row.save(force_insert=True)


def insert(row: Model) -> Callable[[], object]:
    added = tampered.insert(row)
    return lambda: tampered.delete(added)


def exchange(row: Model, other: Model) -> Callable[[], object]:
    tampered.exchange(row, other)
    return lambda: tampered.exchange(row, other)


def misses(at: House, *, step: int) -> Iterator[str]:
    """Each `step`-th fault that is not found, or whose finding does not name table and row."""
    held = {each.model: each for each in tampered.held_by("projections")}
    number = 0
    for subscriber in SUBSCRIBERS:
        what = rebuild.derivation_of(subscriber)
        with looking(at, what) as look:
            assert look.findings() == []
            for model in what.rows:
                with look.made.out_of_place():
                    rows = list(held[model].rows(at))
                assert rows, f"{held[model].table} tells of nothing that was played here."
                with look.made.out_of_place():
                    planted = list(faults(held[model], rows))
                for name, named, do in planted:
                    number += 1
                    if (number - 1) % step and step > 1:
                        continue
                    findings = look.after(do, model)
                    if not any(tells(each, held[model], named) for each in findings):
                        yield f"{held[model].table}: {name}: {[each.says for each in findings]}"
            assert look.findings() == []


def tells(finding: Finding, held: Held, named: set[str]) -> bool:
    values = set(map(str, finding.row.values()))
    return finding.row["table"] == held.table and held.table in finding.says and (
        not named or bool(named & values) or "seq" in finding.row or "position" in finding.row
    )  # fmt: skip


@pytest.mark.long
def test_every_fault_in_what_is_read_is_found() -> None:
    assert list(misses(tampered.house(stuck=False), step=1)) == []


@pytest.mark.long("postgresql")
def test_every_tenth_fault_in_what_is_read_is_found() -> None:
    assert list(misses(tampered.house(stuck=False), step=10)) == []


@pytest.mark.long("postgresql")
class TestParkedEvents:
    def found(self, at: House) -> list[Finding]:
        return [verifying._finding(each) for each in rebuild.compare(at.id, PROJECTIONS)]

    def test_one_that_is_gone_is_missed_and_one_that_was_put_in_is_told(self) -> None:
        """By who cannot read it; and by the rows that speak of its event."""
        house = tampered.house()
        assert self.found(house) == []
        parked = ParkedEvent.objects.filter(establishment=house.id, subscription="projections")
        rows = list(parked.order_by("position"))
        parked.delete()

        [missed] = self.found(house)

        assert f"position {rows[0].position} " in missed.says
        assert missed.says.endswith("does not stand in ledger_parkedevent.")

        ParkedEvent.objects.bulk_create(rows)
        game = Payout.objects.filter(establishment=house.id).latest("position").game
        last = Event.objects.filter(
            establishment=house.id, stream=f"game/{game}"
        ).latest("position")  # fmt: skip
        ParkedEvent.objects.create(
            establishment=house.id, subscription="projections", position=last.position,
            stream=last.stream, error="", parked_at=last.recorded_at, attempts=1,
        )  # fmt: skip

        found = self.found(house)

        assert {"ledger_parkedevent"} < {str(each.row["table"]) for each in found}
        [planted] = [each for each in found if each.row["table"] == "ledger_parkedevent"]
        assert planted.row["position"] == last.position
