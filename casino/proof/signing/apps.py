from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage


class IntegrityConfig(AppConfig):
    name = "casino.proof.signing"
    label = "integrity"
    verbose_name = "Integrity"

    def ready(self) -> None:
        checks.register(destinations_checked)
        checks.register(guards_checked, checks.Tags.database)

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.play.core.subscriptions import quiet  # noqa: PLC0415
        from casino.play.settlement import payout_holds  # noqa: PLC0415
        from casino.proof.signing import epochs, findings  # noqa: PLC0415
        from casino.proof.signing.tasks import SIGNED  # noqa: PLC0415

        payout_holds.CAUSES.append(
            payout_holds.Causes(findings.explain, epochs.check_loss_on_record)
        )
        house_subscriber.register(SIGNED)
        quiet.KEEPERS["integrity"] = copies_are_behind


def copies_are_behind(heads: Mapping[UUID, int]) -> Collection[UUID]:
    from casino.proof.signing import copies  # noqa: PLC0415 - not before a sweep asks

    return copies.behind(heads)


def destinations_checked(**given: Any) -> list[CheckMessage]:
    """System check of the destinations of copies; its import is late, as starts make no checks."""
    from casino.proof.signing import copies  # noqa: PLC0415 - checks are seldom made

    return copies.check_settings(**given)


def guards_checked(**given: Any) -> list[CheckMessage]:
    """System check of the database's guards; its import is late for the same reason."""
    from casino.engine.databases import guards  # noqa: PLC0415 - as above

    return guards.check_database(**given)
