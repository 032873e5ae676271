"""The sign-in log is written once: the forbidden, tried by hand by the owner of its table (D2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from casino.house.attendants import signins
from casino.house.attendants.guarded import SIGN_INS
from casino.house.attendants.models import SignIn, StraySignIn
from tests.conftest import unguarded
from tests.support import builders
from tests.support.on_citus import keys_checked

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

ON_POSTGRESQL = connection.vendor == "postgresql"
FORBIDDEN = [
    "UPDATE attendants_signin SET what = 'signed_in'",
    "UPDATE attendants_signin SET address = '192.0.2.9' WHERE address <> ''",
    "DELETE FROM attendants_signin",
    "TRUNCATE attendants_signin" if ON_POSTGRESQL else
    "INSERT OR REPLACE INTO attendants_signin"
    " (establishment_id, id, at, what, unknown, way, address, device)"
    " SELECT establishment_id, id, at, 'signed_in', '', '', '', '' FROM attendants_signin",
    "SET LOCAL session_replication_role = replica; DELETE FROM attendants_signin"
    if ON_POSTGRESQL else
    "DELETE FROM attendants_signin WHERE what = 'wrong_password'",
]  # fmt: skip


@pytest.fixture
def house() -> House:
    made = builders.house()
    noted(made)
    return made


def noted(house: House) -> None:
    signins.note(
        signins.What.WRONG_PASSWORD,
        at=timezone.now(),
        place=signins.Where("192.0.2.7", "floor-1"),
        person=house.manager,
        way="password",
    )


def execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        keys_checked()  # what the test itself has written stands in no way
        cursor.execute(statement)


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_d2_no_line_is_changed_or_taken_out_by_anybody(statement: str) -> None:
    before = list(SignIn.objects.values())

    with pytest.raises(DatabaseError, match="sign_in_log_append_only"):
        execute(statement)

    assert list(SignIn.objects.values()) == before


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_d2_nor_a_line_that_met_no_house(statement: str) -> None:
    signins.note(
        signins.What.WRONG_PASSWORD,
        at=timezone.now(),
        place=signins.Where("192.0.2.7"),
        name="nobody",
        way="password",
    )
    before = list(StraySignIn.objects.values())
    assert [row["address"] for row in before] == ["192.0.2.7"]
    statement = statement.replace("establishment_id, ", "").replace("_signin", "_straysignin")

    with pytest.raises(DatabaseError, match="sign_in_log_append_only"):
        execute(statement)

    assert list(StraySignIn.objects.values()) == before


def test_d2_nor_by_the_program_s_own_means(house: House) -> None:
    row = SignIn.objects.get()
    row.what = SignIn.What.SIGNED_IN

    for change in (row.save, row.delete, SignIn.objects.all().delete):
        with pytest.raises(DatabaseError, match="sign_in_log_append_only"), transaction.atomic():
            change()

    noted(house)
    assert set(SignIn.objects.values_list("what", flat=True)) == {"wrong_password"}
    assert SignIn.objects.count() == 2


@pytest.mark.django_db(transaction=True)  # PostgreSQL alters no table whose rows wait for checks
@pytest.mark.usefixtures("house")
def test_d2_a_missing_trigger_is_put_back_by_migrate() -> None:
    table, name = next(iter(SIGN_INS.expected(connection).triggers))
    execute(f"DROP TRIGGER {name}" + (f" ON {table}" if ON_POSTGRESQL else ""))
    assert SIGN_INS.missing(connection) == [f"{table}.{name}" if ON_POSTGRESQL else name]

    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")

    assert SIGN_INS.missing(connection) == []
    with pytest.raises(DatabaseError, match="sign_in_log_append_only"):
        execute("DELETE FROM attendants_signin")


@pytest.mark.django_db(transaction=True)
def test_the_tests_own_flush_leaves_the_triggers_in_place(house: House) -> None:
    with unguarded(connection) as cursor:
        cursor.execute("DELETE FROM attendants_signin")

    assert SIGN_INS.missing(connection) == []
    noted(house)
    with pytest.raises(DatabaseError, match="sign_in_log_append_only"):
        execute("DELETE FROM attendants_signin")


def test_a_person_s_name_is_beside_the_log_and_can_go(house: House) -> None:
    """A leaver's name, PIN and sign-in are theirs to have erased; that somebody came stays."""
    who = house.manager
    who.first_name, who.last_name, who.username, who.pin = "", "", "gone-1", ""
    who.save()

    assert str(SignIn.objects.get().attendant) == "gone-1"
