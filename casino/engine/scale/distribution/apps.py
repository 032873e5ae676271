"""The Django app of distribution; it has commands and no models."""

from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import post_migrate


class DistributionConfig(AppConfig):
    name = "casino.engine.scale.distribution"

    def ready(self) -> None:
        post_migrate.connect(delegate, sender=self)


def delegate(*, using: str = DEFAULT_DB_ALIAS, **_rest: Any) -> None:
    """
    Handler of this app's `post_migrate`: a function of the ledger that is new in this version runs
    where its house is, too, if the database is distributed.
    """
    from casino.engine.databases.postgresql import citus  # noqa: PLC0415
    from casino.engine.scale.distribution import operations  # noqa: PLC0415 - only who migrates needs it

    if citus.is_distributed(connections[using]):
        operations.delegate(connections[using])
