"""
The Django apps of the house: their names and labels, and what each does once models are loaded.

An app that has nothing to say here stands in INSTALLED_APPS by its path. What apps add to lists of
other rooms stands in `parts`. Imports within functions are late, so that a start loads little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.core import checks
from django.db.models.signals import post_migrate

from casino.engine.processes import signals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.checks import CheckMessage


class HouseAdminConfig(SimpleAdminConfig):
    """Django's admin without autodiscovery, which `admin_site.urls` does when needed."""

    default_site = "casino.settings.admin_site.site.HouseAdminSite"


class AttendantsConfig(AppConfig):
    name = "casino.house.attendants"
    verbose_name = "Staff"

    def ready(self) -> None:
        from casino.house.attendants import guarded  # noqa: PLC0415 - models are not there before

        for log in guarded.LOGS:
            post_migrate.connect(log.after_migrate, sender=self, weak=False)


class EstablishmentsConfig(AppConfig):
    name = "casino.house.establishments"
    verbose_name = "Houses and tables"


class HomeThrowsConfig(AppConfig):
    name = "casino.house.home_throws"
    verbose_name = "Home throws"


class PlayConfig(AppConfig):
    name = "casino.play.core"
    label = "play"


class SubscriptionsConfig(AppConfig):
    name = "casino.play.core.subscriptions"

    def ready(self) -> None:
        signals.performed.connect(wake_after_act)
        signals.played.connect(wake_after_play)


def wake_after_act(**what: Any) -> None:
    from casino.play.core.subscriptions import tasks  # noqa: PLC0415 - with it all of settlement

    tasks.after_an_act(**what)


def wake_after_play(*, establishment: Any, **_more: Any) -> None:
    from casino.play.core.subscriptions import tasks  # noqa: PLC0415 - with it all of settlement

    tasks.wake(establishment=establishment)


class DevicesConfig(AppConfig):
    name = "casino.play.devices"

    def ready(self) -> None:
        from casino.play.devices import guarded  # noqa: PLC0415 - models are not there before

        post_migrate.connect(guarded.SEQUENCES.after_migrate, sender=self, weak=False)


class GamingDaysConfig(AppConfig):
    name = "casino.reports.gaming_days"
    verbose_name = "Gaming days"


class ReportsConfig(AppConfig):
    name = "casino.reports.registers"
    label = "reports"


class IntegrityConfig(AppConfig):
    name = "casino.proof.signing"
    label = "integrity"

    def ready(self) -> None:
        checks.register(check_destinations)
        checks.register(check_guards, checks.Tags.database)


def check_destinations(**given: Any) -> Sequence[CheckMessage]:
    """System check of the destinations of copies."""
    from casino.proof.signing import copies  # noqa: PLC0415

    return copies.check_settings(**given)


def check_guards(**given: Any) -> Sequence[CheckMessage]:
    """System check of the database's guards."""
    from casino.engine.databases import guards  # noqa: PLC0415

    return guards.check_database(**given)


class ConfigurationConfig(AppConfig):
    name = "casino.settings.configuration"
    verbose_name = "Settings"


class DemoConfig(AppConfig):
    name = "casino.demo"
    verbose_name = "Demonstration"

    def ready(self) -> None:
        checks.register(check_demo_staff, deploy=True)


def check_demo_staff(**given: Any) -> Sequence[CheckMessage]:
    """System check: nobody of the demo house can sign in where others reach it."""
    from casino.demo import checks as of_the_demo  # noqa: PLC0415

    return of_the_demo.nobody_of_the_demo(**given)
