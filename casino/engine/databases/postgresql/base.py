"""
A kept connection is checked by looking at its socket, not by a query.

Django sends ``SELECT 1`` over a kept connection at the beginning of each request; that round trip
took a tenth of a request's time. A server that stops says so, and the operating system notices
within seconds that a host is gone (`casino.engine.processes.silence`): both make the socket
readable, where otherwise nothing has arrived.

A pooler in transaction mode (PgBouncer) gives each transaction another session. The house is told
of it by `DATABASE_POOLER`, and then leaves nothing in a session. A pooler that it was not told of
is refused at a process's first connection to it; later ones ask nothing.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.ddl_references import Columns
from django.db.backends.postgresql import base, operations, schema
from django.db.models import CompositePrimaryKey, OneToOneField
from psycopg import OperationalError
from psycopg.pq import ConnStatus, TransactionStatus

from casino.engine.databases.house_keys import house_of
from casino.engine.databases.postgresql import citus
from casino.engine.processes.signals import unreached

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.ddl_references import Statement
    from django.db.models import Model


# PostgreSQL schema editor: the keys of a house's tables include the house, whichever migration
# makes them, in any order.
#
# Django cannot express that a key of one column is house and id in the database. A migration could
# not correct that afterwards either: a foreign key to an id that is unique only within its house
# must have both columns from the beginning. So the rule is applied where statements are made.


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def create_model(self, model: type[Model]) -> None:
        super().create_model(model)
        self._lead_with_the_house(model)
        if not self.collect_sql and citus.is_distributed(self.connection):
            # Foreign keys come at the end of a migration, so the table is where they lead by then.
            with self.connection.cursor() as cursor:
                citus.place(cursor, model._meta.db_table)  # noqa: SLF001

    def _lead_with_the_house(self, model: type[Model]) -> None:
        house, key = house_of(model), model._meta.pk  # noqa: SLF001 - documented Meta API
        if house is None or key is house or isinstance(key, CompositePrimaryKey):
            return
        self._rekey(model, "pkey", "PRIMARY KEY", (house, key))
        for field in model._meta.local_fields:  # noqa: SLF001
            if isinstance(field, OneToOneField) and house_of(field.related_model) is not None:
                self._rekey(model, f"{field.column}_key", "UNIQUE", (house, field))

    def _rekey(self, model: type[Model], called: str, kind: str, columns: Sequence[Any]) -> None:
        """Replace a key of one column, by PostgreSQL's name for it, by one of two columns."""
        table = model._meta.db_table  # noqa: SLF001
        name = self.quote_name(f"{table}_{called}")
        both = ", ".join(self.quote_name(each.column) for each in columns)
        self.execute(
            f"ALTER TABLE {self.quote_name(table)} DROP CONSTRAINT {name},"
            f" ADD CONSTRAINT {name} {kind} ({both})"
        )

    def _create_fk_sql(self, model: type[Model], field: Any, suffix: str) -> Statement:
        """Make a foreign key of two columns; its name, deferral and the rest are Django's."""
        made: Statement = super()._create_fk_sql(model, field, suffix)  # type: ignore[misc]
        own, theirs = house_of(model), house_of(field.related_model)
        if own is not None and theirs is not None:
            made.parts["column"] = self._columns(own, field)
            made.parts["to_column"] = self._columns(theirs, field.target_field)
        return made

    def _columns(self, *fields: Any) -> Columns:
        table = fields[0].model._meta.db_table  # noqa: SLF001
        return Columns(table, [each.column for each in fields], self.quote_name)


OWN_PID: Final = "SELECT pg_backend_pid()"
TAKES_NO_OPTIONS: Final = "unsupported startup parameter: options"
"""Words of PgBouncer, which otherwise looks like a server that is away."""
SERVERS: Final[set[tuple[str, int]]] = set()
"""Hosts and ports that were seen to be PostgreSQL itself; what is forked knows them, too."""
UNKNOWN_POOLER: Final = (
    "Between this program and PostgreSQL is a pooler, at the address of the database {alias!r}. It"
    " lends its sessions to others and does not pass on their settings. Set"
    " DATABASE_POOLER=transaction and DATABASE_DIRECT_URL (docs/how-to/production.md), or"
    " name the address of PostgreSQL itself."
)


class DatabaseOperations(operations.DatabaseOperations):
    compiler_module = "casino.engine.databases.postgresql.compiler"


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = DatabaseSchemaEditor
    ops_class = DatabaseOperations

    @property
    def shares_sessions(self) -> bool:
        """Whether a pooler lends the session of each transaction to somebody else afterwards."""
        return bool(self.settings_dict.get("POOLER"))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """:raises ImproperlyConfigured: if a pooler that the settings do not name refuses it."""
        try:
            return super().get_new_connection(conn_params)
        except OperationalError as refused:
            unreached.send(None, service=self.alias)
            if TAKES_NO_OPTIONS in str(refused):
                raise ImproperlyConfigured(UNKNOWN_POOLER.format(alias=self.alias)) from refused
            raise

    def init_connection_state(self) -> None:
        """:raises ImproperlyConfigured: if there is a pooler that the settings do not name."""
        super().init_connection_state()
        driver: Any = self.connection
        at = (driver.info.host, driver.info.port)
        if self.shares_sessions or at in SERVERS:
            return
        # Sent at the beginning, it is the pooler's own number; asked for, it is the server's.
        if driver.execute(OWN_PID).fetchone() != (driver.info.backend_pid,):
            self.close()
            raise ImproperlyConfigured(UNKNOWN_POOLER.format(alias=self.alias))
        SERVERS.add(at)

    def chunked_cursor(self) -> Any:
        """A server-side cursor; outside a transaction no shared session could keep one."""
        if self.shares_sessions and not self.in_atomic_block:
            return self.cursor()
        return super().chunked_cursor()

    def is_usable(self) -> bool:
        if self.connection is None:
            return False
        line = self.connection.pgconn
        idle = line.transaction_status == TransactionStatus.IDLE
        if line.status == ConnStatus.OK and idle and _quiet(line.socket):
            return True
        return super().is_usable()


def _quiet(socket: int) -> bool:
    """Whether nothing has arrived on the socket, neither data nor an end."""
    looks = select.poll()
    looks.register(socket, select.POLLIN)
    return not looks.poll(0)
