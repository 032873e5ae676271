"""The attendants' app: makes the sign-in log append-only after every migrate."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AttendantsConfig(AppConfig):
    name = "casino.house.attendants"
    verbose_name = "Staff"

    def ready(self) -> None:
        from casino.house.attendants import guarded  # noqa: PLC0415 - models are not there before

        for log in guarded.LOGS:
            post_migrate.connect(log.after_migrate, sender=self, weak=False)
