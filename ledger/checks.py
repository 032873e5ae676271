"""System check: ``check --database default`` fails while the database does not guard the ledger."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from ledger import install


@register(Tags.database)
def ledger_is_guarded(
    *, databases: Sequence[str] | None = None, **_rest: Any
) -> list[CheckMessage]:
    """Errors for missing triggers, append function or leaf hash CHECK in the databases named."""
    return [
        Error(
            f"The ledger in {alias!r} is not append-only: {', '.join(absent)} missing.",
            hint="Run migrate, as the owner of the tables.",
            id="ledger.E001",
        )
        for alias in databases or ()
        if (absent := _missing(alias))
    ]


def _missing(alias: str) -> list[str]:
    connection = connections[alias]
    if "ledger_checkpoint" not in connection.introspection.table_names():
        return []  # before the first migrate, which runs this check too
    return install.missing(connection)
