from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "casino.reports"
    verbose_name = "Reports"

    def brings(self) -> None:
        from casino.platform import house_subscriber  # noqa: PLC0415 - imported when first used
        from casino.reports import forgetting  # noqa: PLC0415

        house_subscriber.register(forgetting.AREA)
