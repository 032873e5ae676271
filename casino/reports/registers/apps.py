from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "casino.reports.registers"
    label = "reports"
    verbose_name = "Reports"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - imported when first used
        from casino.reports.registers import forgetting  # noqa: PLC0415

        house_subscriber.register(forgetting.AREA)
