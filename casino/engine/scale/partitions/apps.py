"""The Django app of partitions; it has commands and a task, and no models."""

from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import post_migrate


class PartitionsConfig(AppConfig):
    name = "casino.engine.scale.partitions"

    def ready(self) -> None:
        post_migrate.connect(after_migrate, sender=self)


def after_migrate(*, using: str = DEFAULT_DB_ALIAS, **_rest: Any) -> None:
    """Where tables are in partitions, what makes pieces is of this version, and may be called."""
    from casino.engine.scale.partitions import operations, pieces  # noqa: PLC0415 - models are loaded by now

    connection = connections[using]
    if pieces.are_there(connection):
        operations.install_functions(connection)
