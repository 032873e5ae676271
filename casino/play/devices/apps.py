"""Registers the projections of devices, and makes the sequence log append-only after migrate."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class DevicesConfig(AppConfig):
    name = "casino.play.devices"
    verbose_name = "Devices"

    def ready(self) -> None:
        from casino.play.devices import guarded  # noqa: PLC0415 - models are not there before

        post_migrate.connect(guarded.SEQUENCES.after_migrate, sender=self, weak=False)

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.play.devices import projections  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("devices", projections.handle, projections.ROWS)
        )
