"""What SQLite alone can be asked. Collected on SQLite only."""

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.models import CheckConstraint, Q

from ledger import install
from ledger.conflicts import PotFalls
from ledger.models import Transfer
from ledger.storage import Unguarded
from tests.ledger.building import ANNA, CAGE, POT, appended, transfer
from tests.ledger.forbidden import FORBIDDEN, contents, execute

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_a_connection_without_recursive_triggers_cannot_either(statement: str) -> None:
    # As the sqlite3 shell connects.
    execute("PRAGMA recursive_triggers = OFF")
    before = contents()
    try:
        with pytest.raises(DatabaseError, match=r"ledger_|UNIQUE"):
            execute(statement)
        assert contents() == before
    finally:
        execute("PRAGMA recursive_triggers = ON")


@pytest.mark.django_db(transaction=True)
def test_nothing_is_written_to_a_ledger_that_does_not_guard_itself() -> None:
    execute("DROP TRIGGER ledger_event_no_delete")
    vars(connections[DEFAULT_DB_ALIAS]).pop("_ledger_required", None)  # as if connected anew
    with pytest.raises(Unguarded, match="ledger_event_no_delete"):
        appended("game/1")
    install.install(connection)
    appended("game/1")


@pytest.mark.django_db(transaction=True)
def test_a_constraint_that_comes_later_leaves_rows_and_triggers_in_place() -> None:
    """Django builds the table anew for it, which drops its triggers."""
    appended("game/1", transfer(CAGE, ANNA, 25), transfer(ANNA, POT, 5))
    appended("game/2")
    before = contents()
    later = CheckConstraint(condition=Q(amount__lt=1_000_000), name="later")
    try:
        changed("add_constraint", later)
        assert "ledger_transfer_no_delete" in install.missing(connection)
    finally:
        changed("remove_constraint", later)
        emit_post_migrate_signal(verbosity=0, interactive=False, db=DEFAULT_DB_ALIAS)

    assert contents() == before
    assert install.missing(connection) == []
    with pytest.raises(DatabaseError, match="ledger_append_only"):
        execute("DELETE FROM ledger_transfer")
    with pytest.raises(PotFalls):
        appended("game/1", transfer(POT, CAGE, 5), version=1)


def changed(how: str, constraint: CheckConstraint) -> None:
    """As a migration does it, but for what comes after all of them."""
    with connection.schema_editor() as editor:
        getattr(editor, how)(Transfer, constraint)
