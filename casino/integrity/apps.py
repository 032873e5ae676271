from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage


class IntegrityConfig(AppConfig):
    name = "casino.integrity"
    verbose_name = "Integrity"

    def ready(self) -> None:
        checks.register(destinations_checked)
        checks.register(nobody_of_the_demo, deploy=True)

    def brings(self) -> None:
        from casino import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.integrity.subscriber import SIGNED  # noqa: PLC0415

        house_subscriber.register(SIGNED)


def destinations_checked(**given: Any) -> list[CheckMessage]:
    """Among Django's system checks, of which a start makes none."""
    from casino.integrity import destinations  # noqa: PLC0415 - checks are seldom made

    return destinations.checked(**given)


def nobody_of_the_demo(**given: Any) -> list[CheckMessage]:
    from casino.demo import checks as of_the_demo  # noqa: PLC0415 - checks are seldom made

    return of_the_demo.nobody_of_the_demo(**given)
