"""What a superuser can do to the ledger: take the guards away, change it, put them back."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from django.db import IntegrityError, connection, transaction

from ledger import install

ON_POSTGRESQL = connection.vendor == "postgresql"
TABLES = (*install.APPEND_ONLY, *install.INSERT_ONLY)


@contextmanager
def unguarded() -> Iterator[None]:
    """No trigger fires and no CHECK ties a leaf to its body; afterwards they are back."""
    with connection.cursor() as cursor:
        if ON_POSTGRESQL:
            for table in TABLES:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(f"ALTER TABLE ledger_event DROP CONSTRAINT {install.LEAF_HASH}")
        else:
            for trigger in install.sqlite_triggers():
                cursor.execute(f"DROP TRIGGER {trigger}")
    try:
        yield
    finally:
        if ON_POSTGRESQL:
            tie_leaf_to_body()
        install.install(connection)


def tie_leaf_to_body() -> None:
    """Put the CHECK back; for new rows alone if some do not pass it, which verifications name."""
    check = f"CONSTRAINT {install.LEAF_HASH}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"ALTER TABLE ledger_event ADD {check}"
            " CHECK (leaf_hash = sha256('\\x00'::bytea || body)) NOT VALID"
        )
        with suppress(IntegrityError), transaction.atomic():
            cursor.execute(f"ALTER TABLE ledger_event VALIDATE {check}")


def tamper(statement: str, parameters: Sequence[Any] = ()) -> int:
    """Do it by hand, as a superuser who hides what they did; how many rows it changed."""
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
