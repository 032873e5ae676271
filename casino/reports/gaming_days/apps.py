from django.apps import AppConfig


class GamingDaysConfig(AppConfig):
    name = "casino.reports.gaming_days"
    verbose_name = "Gaming days"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.reports.gaming_days import projections  # noqa: PLC0415

        house_subscriber.register(projections.DAYS)
