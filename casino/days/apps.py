from django.apps import AppConfig


class DaysConfig(AppConfig):
    name = "casino.days"
    verbose_name = "Gaming days"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.days import projections  # noqa: PLC0415

        following.register(projections.DAYS)
