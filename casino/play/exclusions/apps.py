"""The app of exclusions: registers its projection of the house's events."""

from django.apps import AppConfig


class ExclusionsConfig(AppConfig):
    name = "casino.play.exclusions"
    verbose_name = "Exclusions"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415
        from casino.play.exclusions import projections  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(
            house_subscriber.Area("exclusions", projections.handle, projections.ROWS)
        )
