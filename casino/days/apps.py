from django.apps import AppConfig


class DaysConfig(AppConfig):
    name = "casino.days"
    verbose_name = "Gaming days"

    def brings(self) -> None:
        from casino import following  # noqa: PLC0415 - only once they are asked for
        from casino.days import projections  # noqa: PLC0415

        following.register(projections.DAYS)
