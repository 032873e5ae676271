from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage


class DemoConfig(AppConfig):
    name = "casino.demo"
    verbose_name = "Demonstration"

    def ready(self) -> None:
        checks.register(nobody_of_the_demo, deploy=True)


def nobody_of_the_demo(**given: Any) -> list[CheckMessage]:
    """A Django system check, imported only when checks run, so that a start does not load it."""
    from casino.demo import checks as of_the_demo  # noqa: PLC0415 - checks are seldom made

    return of_the_demo.nobody_of_the_demo(**given)
