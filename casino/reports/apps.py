from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "casino.reports"
    verbose_name = "Reports"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.reports import forgetting  # noqa: PLC0415

        following.register(forgetting.AREA)
