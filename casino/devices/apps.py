"""What devices do is followed; their sequence book is guarded after every migrate."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class DevicesConfig(AppConfig):
    name = "casino.devices"
    verbose_name = "Devices"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.devices import guarded, projections  # noqa: PLC0415

        post_migrate.connect(guarded.SEQUENCES.after_migrate, sender=self, weak=False)
        following.register(following.Area("devices", projections.handle, projections.ROWS))
